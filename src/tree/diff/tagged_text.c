/*
 * tagged_text.c
 *	  Elements of XML whose text stays the same while tags within it come or go.
 *
 * Documents are compared without the white space next to their tags.  So texts are the same if all
 * else is, and a space is written where one of the documents has white space.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "tagged_text.h"

/* The most nodes of such an element; larger ones are read line by line. */
#define MOST_TAGGED_NODES 256

/* Whether a byte is white space of XML. */
static inline bool
IsWhiteSpace(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

/* A reader of the texts below an element, byte by byte. */
typedef struct TextReader
{
	const MappedTrees *trees;
	const MappedTree *side;
	int32 next; /* preorder number of the next node */
	int32 end;
	Label rest;     /* of the text that is read */
	bool has_space; /* white space has been skipped since the last byte */
} TextReader;

/* Begins to read below an element. */
static TextReader
ReadBelow(const MappedTrees *trees, const MappedTree *side, int32 node)
{
	int32 first = side->preorder[node];

	return (TextReader){.trees = trees,
						.side = side,
						.next = first + 1,
						.end = first + side->tree.subtree_size[node]};
}

/* Moves to the next byte that is not white space in the text; false at the end of the text. */
static bool
NextByte(TextReader *reader)
{
	reader->has_space = false;
	while (reader->rest.length > 0 && IsWhiteSpace(reader->rest.bytes[0]))
	{
		CHECK_FOR_INTERRUPTS();
		reader->has_space = true;
		reader->rest = (Label){reader->rest.bytes + 1, reader->rest.length - 1};
	}
	return reader->rest.length > 0;
}

/* Moves to the next node; returns its postorder number, or -1 at the end. */
static int32
NextNode(TextReader *reader)
{
	int32 node;
	Label label;

	CHECK_FOR_INTERRUPTS();
	if (reader->next == reader->end)
		return -1;
	node = reader->side->postorder[reader->next++];
	label = NodeLabel(reader->trees, reader->side, node);
	if (reader->side->kind[node] == NODE_TEXT)
		reader->rest = (Label){label.bytes + 1, label.length - 1};
	return node;
}

/* Moves to the next byte that is not white space in any text; false at the end of the element. */
static bool
NextByteOfElement(TextReader *reader)
{
	while (!NextByte(reader))
		if (NextNode(reader) < 0)
			return false;
	return true;
}

/* Whether two elements have the same text, which is not empty. */
static bool
HaveSameText(const MappedTrees *trees, int32 x, int32 y)
{
	TextReader a = ReadBelow(trees, &trees->a, x);
	TextReader b = ReadBelow(trees, &trees->b, y);
	bool has_text = false;

	for (;;)
	{
		bool more = NextByteOfElement(&a);

		if (more != NextByteOfElement(&b))
			return false;
		if (!more)
			return has_text;
		if (a.rest.bytes[0] != b.rest.bytes[0])
			return false;
		has_text = true;
		a.rest = (Label){a.rest.bytes + 1, a.rest.length - 1};
		b.rest = (Label){b.rest.bytes + 1, b.rest.length - 1};
	}
}

/* What the nodes below an element say about it. */
typedef struct TagFacts
{
	bool has_text;  /* some child is a text */
	bool is_alone;  /* some element has no partner */
	bool has_other; /* some node has moved, or differs at no cost */
} TagFacts;

/* Reads the nodes below an element. */
static TagFacts
ReadTagFacts(const MappedTrees *trees, const MappedTree *side, const int32 *moved, int32 root)
{
	TagFacts facts = {.has_other = FreeNodes(side, root) > 0};
	TextReader reader = ReadBelow(trees, side, root);
	int32 node;

	while (!facts.has_other && (node = NextNode(&reader)) >= 0)
	{
		facts.has_other = moved[node] > 0;
		if (side->kind[node] == NODE_TEXT && side->tree.depth[node] == side->tree.depth[root] + 1)
			facts.has_text = true;
		facts.is_alone |= side->kind[node] == NODE_ELEMENT && side->map[node] < 0;
	}
	return facts;
}

/* Whether a node and its partner are elements with the same text and other tags within it. */
static bool
HaveOtherTags(const MappedTrees *trees, const int32 *moved_a, const int32 *moved_b, int32 x,
			  int32 y)
{
	TagFacts a;
	TagFacts b;

	if (trees->a.tree.subtree_size[x] > MOST_TAGGED_NODES ||
		trees->b.tree.subtree_size[y] > MOST_TAGGED_NODES || trees->a.kind[x] != NODE_ELEMENT ||
		trees->b.kind[y] != NODE_ELEMENT)
		return false;
	a = ReadTagFacts(trees, &trees->a, moved_a, x);
	b = ReadTagFacts(trees, &trees->b, moved_b, y);
	return (a.has_text || b.has_text) && (a.is_alone || b.is_alone) && !a.has_other &&
		   !b.has_other && HaveSameText(trees, x, y);
}

/* Finds elements whose text stays the same while tags within it come or go. */
void
FindTaggedTexts(MappedTrees *trees, const int32 *moved_a, const int32 *moved_b, const char *what)
{
	MappedTree *a = &trees->a;
	MappedTree *b = &trees->b;

	CheckMemoryLimit((Size) a->tree.size + (Size) b->tree.size, what);
	a->tagged = palloc_extended((Size) a->tree.size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	b->tagged = palloc_extended((Size) b->tree.size, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	for (int32 next = 0; next < a->tree.size;)
	{
		int32 x = a->postorder[next];
		int32 y = a->map[x];
		int32 size = a->tree.subtree_size[x];

		CHECK_FOR_INTERRUPTS();
		if (IsUnmapped(a, x) || IsUnchanged(a, b, x))
			next += size;
		else if (y >= 0 && HaveOtherTags(trees, moved_a, moved_b, x, y))
		{
			int32 partner_size = b->tree.subtree_size[y];

			memset(a->tagged + x + 1 - size, true, (size_t) size);
			memset(b->tagged + y + 1 - partner_size, true, (size_t) partner_size);
			next += size;
		}
		else
			next++;
	}
}

/* The tags of one document; those within an element, with the bytes before each of them. */
typedef struct SideTags
{
	Tag *tag;
	int count;
	int next;             /* the next one to be taken */
	StringInfoData bytes; /* of the text, without white space */
	bool *has_space;      /* whether white space stands before a byte */
} SideTags;

/* Reads the text and the tags of one document. */
static void
ReadSideTags(const MappedTrees *trees, const MappedTree *side, int32 root, SideTags *tags)
{
	TextReader reader = ReadBelow(trees, side, root);
	int32 nodes = side->tree.subtree_size[root];
	int32 *open = palloc_array(int32, nodes);
	int depth = 0;
	int capacity = 256;
	int32 node;

	*tags = (SideTags){.tag = palloc_array(Tag, 2 * (Size) nodes),
					   .has_space = palloc_array(bool, capacity)};
	initStringInfo(&tags->bytes);
	do
	{
		node = NextNode(&reader);
		while (depth > 0 && (node < 0 || !InSubtree(side, node, open[depth - 1])))
			tags->tag[tags->count++] = (Tag){TAG_END, open[--depth], -1, tags->bytes.len};
		if (node >= 0 && side->kind[node] == NODE_ELEMENT)
		{
			int32 attributes = NodesOfLine(side, node, LINE_OPEN);
			bool is_empty = attributes == side->tree.subtree_size[node];

			tags->tag[tags->count++] =
				(Tag){is_empty ? TAG_EMPTY : TAG_START, node, -1, tags->bytes.len};
			if (!is_empty)
				open[depth++] = node;
		}
		while (NextByte(&reader))
		{
			RESERVE(CurrentMemoryContext, tags->has_space, capacity, tags->bytes.len + 1);
			tags->has_space[tags->bytes.len] = reader.has_space;
			appendStringInfoCharMacro(&tags->bytes, reader.rest.bytes[0]);
			reader.rest = (Label){reader.rest.bytes + 1, reader.rest.length - 1};
		}
	} while (node >= 0);
	pfree(open);
}

/* Whether a tag of the first document is one of the second document, too, from `next` on. */
static bool
HasPartner(const MappedTrees *trees, const Tag *tag, const SideTags *b)
{
	int32 y = trees->a.map[tag->x];

	for (int j = b->next; y >= 0 && j < b->count && b->tag[j].at == tag->at; j++)
		if (b->tag[j].x == y && b->tag[j].kind == tag->kind)
			return true;
	return false;
}

/*
 * Reads the text of such an element and of its partner, and the tags within it.  A space stands
 * after end tags and before start tags.
 */
int
ReadTaggedText(const MappedTrees *trees, int32 x, int32 y, StringInfo text, Tag **tags)
{
	SideTags a;
	SideTags b;
	int count = 0;

	ReadSideTags(trees, &trees->a, x, &a);
	ReadSideTags(trees, &trees->b, y, &b);
	*tags = palloc_array(Tag, (Size) a.count + (Size) b.count);
	for (int at = 0; at <= a.bytes.len; at++)
	{
		bool needs_space = at < a.bytes.len && (a.has_space[at] || b.has_space[at]);

		CHECK_FOR_INTERRUPTS();
		for (;;)
		{
			Tag *tag_a = a.next < a.count && a.tag[a.next].at == at ? &a.tag[a.next] : NULL;
			Tag *tag_b = b.next < b.count && b.tag[b.next].at == at ? &b.tag[b.next] : NULL;
			Tag tag;

			if (tag_a != NULL && tag_b != NULL && tag_a->kind == tag_b->kind &&
				trees->a.map[tag_a->x] == tag_b->x)
			{
				tag = (Tag){tag_a->kind, tag_a->x, tag_b->x, 0};
				a.next++;
				b.next++;
			}
			else if (tag_a != NULL && (tag_b == NULL || !HasPartner(trees, tag_a, &b)))
			{
				tag = (Tag){tag_a->kind, tag_a->x, -1, 0};
				a.next++;
			}
			else if (tag_b != NULL)
			{
				tag = (Tag){tag_b->kind, -1, tag_b->x, 0};
				b.next++;
			}
			else
				break;
			if (needs_space && tag.kind != TAG_END)
			{
				appendStringInfoChar(text, ' ');
				needs_space = false;
			}
			tag.at = text->len;
			(*tags)[count++] = tag;
		}
		if (needs_space)
			appendStringInfoChar(text, ' ');
		if (at < a.bytes.len)
			appendStringInfoCharMacro(text, a.bytes.data[at]);
	}
	pfree(a.tag);
	pfree(b.tag);
	pfree(a.has_space);
	pfree(b.has_space);
	pfree(a.bytes.data);
	pfree(b.bytes.data);
	return count;
}
