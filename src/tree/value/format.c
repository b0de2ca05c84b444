/*
 * format.c
 *	  The stored form of a tree: reader, builder and validator.
 *
 * After the varlena header, version 1 has these fields, without alignment:
 *
 *	  1 byte	version, 1
 *	  1 byte	reserved, 0
 *	  varint	n, the number of nodes
 *	  varint	d, the number of distinct labels
 *	  3n bits	events in document order, highest bit of a byte first, the
 *				last byte filled up with 0: "0" a node ends, "10" a node with
 *				a new label begins, "11" a node with a known label begins
 *	  n-d ids	labels of the "11" nodes in preorder, little-endian, of 1 byte
 *				for d <= 2^8, 2 bytes for d <= 2^16, else 4
 *	  d varints label lengths in bytes
 *	  bytes		the labels, in the order in which they first occur
 *
 * A varint has 7 bits per byte, lowest first.  The high bit is set in all bytes but the
 * last, and the encoding is the shortest one.  So a tree has exactly one representation,
 * and label ids are in the order of first occurrence in preorder.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../core/tree/filters/euler.h"
#include "tree.h"

#define FORMAT_VERSION 1

/* Longest encoding of a 32-bit varint. */
#define VARINT_MAX_BYTES 5

/* An upper bound on the bytes of the header before the events. */
#define HEADER_MAX_BYTES (2 + 2 * VARINT_MAX_BYTES)

/*
 * The most bytes of a tree, both stored and as text in a dump.  PostgreSQL makes a row of a
 * dump in one allocation; this leaves room for its other columns.
 */
#define MAX_TREE_BYTES ((int64) MaxAllocSize - 1024 * 1024)

/* Raises an error for bytes that are not a tree. */
static _Noreturn void
InvalidBytes(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid binary representation of a tree"), errdetail_internal("%s", detail),
			 errhint("Send trees as tree_send() writes them.")));
}

/* Raises an error for a tree of a version that this release does not know. */
static _Noreturn void
UnknownVersion(int version)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
					errmsg("invalid binary representation of a tree"),
					errdetail("It is of version %d, and this release knows version %d.", version,
							  FORMAT_VERSION),
					errhint("Use the release of ted that wrote it, or a later one.")));
}

/* Reads a varint that ends before `end`, and moves `p` past it. */
static uint32
ReadVarint(const uint8 **p, const uint8 *end)
{
	uint64 value = 0;

	for (int shift = 0; shift < 7 * VARINT_MAX_BYTES; shift += 7)
	{
		uint8 byte;

		if (*p == end)
			InvalidBytes("The value ends within a number.");
		byte = *(*p)++;
		value |= (uint64) (byte & 0x7f) << shift;
		if (byte < 0x80)
		{
			if ((byte == 0 && shift > 0) || value > PG_UINT32_MAX)
				break;
			return (uint32) value;
		}
	}
	InvalidBytes("A number is not in its shortest form.");
}

/* Writes a varint.  Returns where it ends. */
static char *
WriteVarint(char *p, uint32 value)
{
	for (; value >= 0x80; value >>= 7)
		*p++ = (char) (value | 0x80);
	*p++ = (char) value;
	return p;
}

/* Returns the bytes of a varint. */
static int
VarintBytes(uint32 value)
{
	int bytes = 1;

	for (; value >= 0x80; value >>= 7)
		bytes++;
	return bytes;
}

/* Returns the bytes of a label id in a tree of this number of distinct labels. */
static int
IdWidth(int32 label_count)
{
	return label_count <= 1 << 8 ? 1 : label_count <= 1 << 16 ? 2 : 4;
}

/* Reads the numbers of nodes and labels, and moves `p` past them. */
static void
ReadCounts(const uint8 **p, const uint8 *end, int32 *size, int32 *label_count)
{
	uint32 n = ReadVarint(p, end);
	uint32 d = ReadVarint(p, end);

	if (n < 1 || n > TREE_MAX_NODES)
		InvalidBytes("The number of nodes is out of range.");
	if (d < 1 || d > n)
		InvalidBytes("The number of labels is out of range.");
	*size = (int32) n;
	*label_count = (int32) d;
}

/* Reads the fixed part of the header and moves `p` past it. */
static void
ReadHeader(const uint8 **p, const uint8 *end, int32 *size, int32 *label_count)
{
	if (end - *p < 2)
		InvalidBytes("The value is too short.");
	if (*(*p)++ != FORMAT_VERSION)
		UnknownVersion((*p)[-1]);
	if (*(*p)++ != 0)
		InvalidBytes("A reserved bit is set.");
	ReadCounts(p, end, size, label_count);
}

/* Reads the header of a tree without detoasting the rest. */
static void
ReadSizes(Datum tree, int32 *size, int32 *label_count)
{
	struct varlena *head = PG_DETOAST_DATUM_SLICE(tree, 0, HEADER_MAX_BYTES);
	const uint8 *p = (const uint8 *) VARDATA_ANY(head);

	ReadHeader(&p, p + VARSIZE_ANY_EXHDR(head), size, label_count);
	if ((Pointer) head != DatumGetPointer(tree))
		pfree(head);
}

int32
TreeSize(Datum tree)
{
	int32 size;
	int32 label_count;

	ReadSizes(tree, &size, &label_count);
	return size;
}

/* Finds the events and the ids, and moves `p` past them. */
static void
StartEvents(TreeReader *reader, const uint8 **p, const uint8 *end)
{
	Size event_bytes = ((Size) reader->size * 3 + 7) / 8;
	Size fixed;

	reader->id_width = IdWidth(reader->label_count);
	fixed = event_bytes + (Size) (reader->size - reader->label_count) * reader->id_width;
	if (fixed > (Size) (end - *p))
		InvalidBytes("The value is too short.");
	reader->events = *p;
	if ((reader->events[0] & 0x80) == 0)
		InvalidBytes("A node ends that did not begin.");
	reader->ids = *p + event_bytes;
	*p += fixed;
	reader->ids_end = *p;
	if (reader->label_count > end - *p) /* each label has at least the first byte of its length */
		InvalidBytes("The value is too short.");
	reader->node = -1;
	reader->depth = 0;
	reader->bit = 0;
	reader->fresh = 0;
}

/* Starts a reader at the beginning of a tree. */
void
TreeReaderInit(TreeReader *reader, const Tree *tree)
{
	const uint8 *p = (const uint8 *) VARDATA_ANY(tree);
	const uint8 *end = p + VARSIZE_ANY_EXHDR(tree);

	ReadHeader(&p, end, &reader->size, &reader->label_count);
	StartEvents(reader, &p, end);

	CheckMemoryLimit(sizeof(Label) * (Size) reader->label_count, "reading a tree");
	reader->labels = palloc_array(Label, reader->label_count);
	for (int32 id = 0; id < reader->label_count; id++)
	{
		uint32 length = ReadVarint(&p, end);

		CHECK_FOR_INTERRUPTS();
		if (length > TREE_MAX_LABEL_BYTES)
			InvalidBytes("A label is too long.");
		reader->labels[id].length = (int) length;
	}
	for (int32 id = 0; id < reader->label_count; id++)
	{
		CHECK_FOR_INTERRUPTS();
		if (reader->labels[id].length > end - p)
			InvalidBytes("The value ends within a label.");
		reader->labels[id].bytes = (const char *) p;
		p += reader->labels[id].length;
	}
	if (p != end)
		InvalidBytes("There are bytes after the last label.");
}

/* Reads the next bit of the events. */
static inline bool
NextBit(TreeReader *reader)
{
	int64 bit = reader->bit++;

	return (reader->events[bit >> 3] >> (7 - (bit & 7))) & 1;
}

/* Reads the id of a known label. */
static inline int32
NextId(TreeReader *reader)
{
	const uint8 *p = reader->ids;

	reader->ids += reader->id_width;
	switch (reader->id_width)
	{
		case 1:
			return p[0];
		case 2:
			return p[0] | p[1] << 8;
		default:
			return (int32) (p[0] | p[1] << 8 | p[2] << 16 | (uint32) p[3] << 24);
	}
}

/* Reads the label of the node that begins: a new label, or the id of a known one. */
static inline int32
NextLabel(TreeReader *reader)
{
	int32 id;

	if (!NextBit(reader))
	{
		if (unlikely(reader->fresh == reader->label_count))
			InvalidBytes("There are more labels than the header says.");
		return reader->fresh++;
	}
	if (unlikely(reader->ids == reader->ids_end))
		InvalidBytes("There are fewer labels than the header says.");
	id = NextId(reader);
	if (unlikely((uint32) id >= (uint32) reader->fresh))
		InvalidBytes("A label is used before it is introduced.");
	return id;
}

/*
 * Moves to the next event.  Whatever the bytes are, the reader stays within them, and
 * `node`, `depth` and label ids stay within `size` and `label_count`.  TreeReaderInit() has
 * checked that the first event opens a node.
 */
static pg_attribute_always_inline TreeEvent
NextEvent(TreeReader *reader)
{
	if (reader->depth == 0 && reader->node >= 0)
	{
		if (reader->node + 1 < reader->size)
			InvalidBytes("The nodes do not make one tree.");
		return TREE_END;
	}
	if (!NextBit(reader))
	{
		reader->depth--;
		return TREE_CLOSE;
	}
	if (unlikely(reader->node + 1 == reader->size))
		InvalidBytes("There are more nodes than the header says.");
	reader->node++;
	reader->depth++;
	reader->label = NextLabel(reader);
	return TREE_OPEN;
}

/* Moves to the next event. */
TreeEvent
TreeReaderNext(TreeReader *reader)
{
	return NextEvent(reader);
}

/*
 * Returns the bytes of a node in a dump: its label in bracket notation with its own
 * brackets.  COPY doubles backslashes and escapes control characters.
 */
static int32
DumpedLength(const char *label, int length)
{
	int32 bytes = 2;

	for (int i = 0; i < length; i++)
	{
		char c = label[i];

		bytes += c == '\\' ? 4 : c == '{' || c == '}' ? 3 : c >= '\b' && c <= '\r' ? 2 : 1;
	}
	return bytes;
}

/* Raises an error for a tree that is too large as a value or as text in a dump. */
static void
CheckTreeBytes(int64 bytes)
{
	if (bytes > MAX_TREE_BYTES)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("tree is too large"),
						ValueDetail(psprintf("A value can have at most %lld bytes, stored and as "
											 "text in a dump.",
											 (long long) MAX_TREE_BYTES),
									"It would take at least %lld bytes; a value can have at most "
									"%lld, stored and as text in a dump.",
									(long long) bytes, (long long) MAX_TREE_BYTES),
						errhint("Split the document into smaller ones.")));
}

void
TreeValidate(const Tree *tree, int encoding)
{
	TreeReader reader;
	TreeEvent event;
	LabelTable *seen = LabelTableCreate();
	int32 *dumped_length;
	int64 dumped_bytes = 0;

	LabelTableLimit(seen, LabelTableContext(seen), "reading a tree");
	TreeReaderInit(&reader, tree);
	dumped_length =
		MemoryContextAlloc(LabelTableContext(seen), sizeof(int32) * (Size) reader.label_count);
	for (int32 id = 0; id < reader.label_count; id++)
	{
		Label label = reader.labels[id];

		CHECK_FOR_INTERRUPTS();
		if (!pg_verify_mbstr(encoding, label.bytes, label.length, true))
			ereport(ERROR, (errcode(ERRCODE_CHARACTER_NOT_IN_REPERTOIRE),
							errmsg("invalid binary representation of a tree"),
							errdetail("A label has bytes that are not valid in encoding \"%s\".",
									  pg_encoding_to_char(encoding)),
							errhint("Send trees as tree_send() writes them.")));
		if (LabelTableIntern(seen, label.bytes, label.length) != id)
			InvalidBytes("A label is introduced twice.");
		dumped_length[id] = DumpedLength(label.bytes, label.length);
	}
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		if (event == TREE_OPEN)
			dumped_bytes += dumped_length[reader.label];
	}
	if (reader.fresh != reader.label_count)
		InvalidBytes("There are fewer labels than the header says.");
	while (reader.bit % 8 != 0)
		if (NextBit(&reader))
			InvalidBytes("A reserved bit is set.");
	CheckTreeBytes(dumped_bytes);
	pfree(reader.labels);
	LabelTableFree(seen);
}

Size
TreeDecodedBytes(Datum tree)
{
	int32 size;
	int32 label_count;

	ReadSizes(tree, &size, &label_count);
	return 5 * sizeof(int32) * (Size) size + LABEL_MAX_OVERHEAD * (Size) label_count +
		   toast_raw_datum_size(tree);
}

/* Applies the memory limit to `counted`, a context that contains the builder's. */
void
TreeBuilderCount(TreeBuilder *builder, MemoryContext counted)
{
	builder->counted = counted;
	LabelTableLimit(builder->labels, counted, BUILDING_A_TREE);
}

/*
 * Raises an error if the builder and its caller exceed the memory limit with this number of
 * bytes more.
 */
void
TreeBuilderReserve(const TreeBuilder *builder, Size bytes)
{
	CheckMemoryGrowth(builder->counted, bytes, BUILDING_A_TREE);
}

/* Starts an empty builder. */
void
TreeBuilderInit(TreeBuilder *builder)
{
	MemoryContext caller;

	builder->labels = LabelTableCreate();
	builder->context = LabelTableContext(builder->labels);
	TreeBuilderCount(builder, builder->context);
	caller = MemoryContextSwitchTo(builder->context);
	initStringInfo(&builder->events);
	initStringInfo(&builder->ids);
	initStringInfo(&builder->dumped_lengths);
	MemoryContextSwitchTo(caller);
	builder->id_width = 1;
	builder->dumped_bytes = 0;
	builder->partial = 0;
	builder->partial_bits = 0;
	builder->size = 0;
	builder->depth = 0;
}

/* Appends bytes to an array of the builder.  A full array doubles. */
static inline void
AppendBytes(const TreeBuilder *builder, StringInfo array, const void *bytes, int count)
{
	if (array->len + count >= array->maxlen)
	{
		TreeBuilderReserve(builder, (Size) array->maxlen);
		enlargeStringInfo(array, count);
	}
	memcpy(array->data + array->len, bytes, (size_t) count);
	array->len += count;
}

/* Appends one bit to the events. */
static inline void
AppendBit(TreeBuilder *builder, bool bit)
{
	builder->partial = (uint8) (builder->partial << 1 | bit);
	if (++builder->partial_bits == 8)
	{
		AppendBytes(builder, &builder->events, &builder->partial, 1);
		builder->partial_bits = 0;
	}
}

/* Appends the id of a known label. */
static inline void
AppendId(TreeBuilder *builder, int32 id)
{
	const uint8 bytes[] = {(uint8) id, (uint8) (id >> 8), (uint8) (id >> 16), (uint8) (id >> 24)};

	AppendBytes(builder, &builder->ids, bytes, builder->id_width);
}

/* Widens all ids so far to `width` bytes. */
static void
WidenIds(TreeBuilder *builder, int width)
{
	StringInfo ids = &builder->ids;
	int count = ids->len / builder->id_width;
	int bytes = count * (width - builder->id_width);

	if (ids->len + bytes >= ids->maxlen)
	{
		TreeBuilderReserve(builder, (Size) ids->len + 2 * (Size) bytes);
		enlargeStringInfo(ids, bytes);
	}
	for (int i = count - 1; i >= 0; i--)
	{
		char *to = ids->data + (Size) i * width;

		CHECK_FOR_INTERRUPTS();
		memmove(to, ids->data + (Size) i * builder->id_width, builder->id_width);
		memset(to + builder->id_width, 0, width - builder->id_width);
	}
	ids->len += bytes;
	builder->id_width = width;
}

void
CheckLabelLength(int length)
{
	if (length > TREE_MAX_LABEL_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("tree label is too long"),
				 ValueDetail(psprintf("A label can have at most %d bytes.", TREE_MAX_LABEL_BYTES),
							 "The label has %d bytes; a label can have at most %d.", length,
							 TREE_MAX_LABEL_BYTES),
				 errhint("Shorten the label, or store a digest of it.")));
}

/* Begins a node, a child of the innermost open node. */
void
TreeBuilderOpen(TreeBuilder *builder, const char *label, int length)
{
	int32 known = LabelTableCount(builder->labels);
	int32 id;

	if (builder->size == TREE_MAX_NODES)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("tree has too many nodes"),
						errdetail("A tree can have at most %d nodes.", TREE_MAX_NODES),
						errhint("Split the document into smaller ones.")));
	CheckLabelLength(length);

	id = LabelTableIntern(builder->labels, label, length);
	AppendBit(builder, true);
	AppendBit(builder, id < known);
	if (id < known)
		AppendId(builder, id);
	else
	{
		int32 dumped_length = DumpedLength(label, length);

		AppendBytes(builder, &builder->dumped_lengths, &dumped_length, sizeof(dumped_length));
		if (IdWidth(id + 1) != builder->id_width)
			WidenIds(builder, IdWidth(id + 1));
	}
	builder->dumped_bytes += ((const int32 *) builder->dumped_lengths.data)[id];
	CheckTreeBytes(builder->dumped_bytes);
	builder->size++;
	builder->depth++;
}

/* Ends the innermost open node. */
void
TreeBuilderClose(TreeBuilder *builder)
{
	Assert(builder->depth > 0);
	AppendBit(builder, false);
	builder->depth--;
}

void
TreeBuilderRepeat(TreeBuilder *builder, const TreeReader *reader, TreeEvent event)
{
	Label label = reader->labels[reader->label];

	if (event == TREE_OPEN)
		TreeBuilderOpen(builder, label.bytes, label.length);
	else
		TreeBuilderClose(builder);
}

/* Returns the bytes of the finished value. */
static int64
TreeValueBytes(const TreeBuilder *builder)
{
	int32 label_count = LabelTableCount(builder->labels);
	int64 bytes = VARHDRSZ + 2 + VarintBytes((uint32) builder->size) +
				  VarintBytes((uint32) label_count) + builder->events.len + builder->ids.len;

	for (int32 id = 0; id < label_count; id++)
	{
		int length = LabelTableGet(builder->labels, id).length;

		CHECK_FOR_INTERRUPTS();
		bytes += VarintBytes((uint32) length) + length;
	}
	return bytes;
}

/* Writes the lengths of all labels, then their bytes. */
static void
WriteLabelTable(char *p, const LabelTable *labels)
{
	int32 label_count = LabelTableCount(labels);

	for (int32 id = 0; id < label_count; id++)
	{
		CHECK_FOR_INTERRUPTS();
		p = WriteVarint(p, (uint32) LabelTableGet(labels, id).length);
	}
	for (int32 id = 0; id < label_count; id++)
	{
		Label label = LabelTableGet(labels, id);

		CopyBlock(p, label.bytes, (Size) label.length);
		p += label.length;
	}
}

/* Returns the finished tree and frees the builder. */
Tree *
TreeBuilderFinish(TreeBuilder *builder)
{
	int64 total;
	Tree *tree;
	char *p;

	Assert(builder->size > 0 && builder->depth == 0);
	while (builder->partial_bits != 0)
		AppendBit(builder, false);
	total = TreeValueBytes(builder);
	CheckTreeBytes(total);

	tree = palloc(total);
	SET_VARSIZE(tree, total);
	p = VARDATA(tree);
	*p++ = FORMAT_VERSION;
	*p++ = 0;
	p = WriteVarint(p, (uint32) builder->size);
	p = WriteVarint(p, (uint32) LabelTableCount(builder->labels));
	CopyBlock(p, builder->events.data, (Size) builder->events.len);
	p += builder->events.len;
	CopyBlock(p, builder->ids.data, (Size) builder->ids.len);
	p += builder->ids.len;
	WriteLabelTable(p, builder->labels);
	LabelTableFree(builder->labels);
	return tree;
}

/*
 * Decodes the events of a tree into one block of arrays.  `shared_id` maps label ids of the
 * tree to those of a label table.
 */
static void
DecodeNodes(TreeReader *reader, const int32 *shared_id, TedTree *decoded)
{
	TreeEvent event;
	int32 *label = palloc_array(int32, 4 * (Size) reader->size);
	int32 *subtree_size = label + reader->size;
	int32 *depth = subtree_size + reader->size;
	int32 *key_root = depth + reader->size;
	int32 x = 0;

	/* the index is computed last; until then, its arrays are the stack of open nodes */
	int32 *open_label = depth;
	int32 *open_node = key_root;

	UseLargePages(label, 4 * sizeof(int32) * (Size) reader->size);
	while ((event = NextEvent(reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		if (event == TREE_OPEN)
		{
			open_label[reader->depth - 1] = shared_id[reader->label];
			open_node[reader->depth - 1] = reader->node;
		}
		else
		{
			label[x] = open_label[reader->depth];
			subtree_size[x] = reader->node - open_node[reader->depth] + 1;
			x++;
		}
	}

	decoded->size = reader->size;
	decoded->label = label;
	decoded->subtree_size = subtree_size;
	CheckStatus(ted_tree_index(decoded, depth, key_root, &PgInterrupt));
}

void
TreeDecode(const Tree *tree, LabelTable *labels, TedTree *decoded)
{
	TreeReader reader;
	int32 *shared_id;

	TreeReaderInit(&reader, tree);
	shared_id = palloc_array(int32, reader.label_count);
	LabelTableInternAll(labels, reader.labels, reader.label_count, shared_id);
	DecodeNodes(&reader, shared_id, decoded);
	pfree(shared_id);
	pfree(reader.labels);
}

/*
 * Returns the ids of a tree's labels in a table, without adding to it: other labels get ids
 * beyond those of the table.
 */
static int32 *
IdsAgainst(const TreeReader *reader, const LabelTable *labels)
{
	int32 known = LabelTableCount(labels);
	int32 *shared_id = palloc_array(int32, reader->label_count);

	for (int32 id = 0; id < reader->label_count; id++)
	{
		int32 found = LabelTableFind(labels, reader->labels[id].bytes, reader->labels[id].length);

		CHECK_FOR_INTERRUPTS();
		shared_id[id] = found >= 0 ? found : known + id;
	}
	return shared_id;
}

void
TreeDecodeAgainst(const Tree *tree, const LabelTable *labels, TedTree *decoded)
{
	TreeReader reader;
	int32 *shared_id;

	TreeReaderInit(&reader, tree);
	shared_id = IdsAgainst(&reader, labels);
	DecodeNodes(&reader, shared_id, decoded);
	pfree(shared_id);
	pfree(reader.labels);
}

int32 *
TreeEulerString(const Tree *tree, const LabelTable *labels)
{
	TreeReader reader;
	TreeEvent event;
	int32 *shared_id;
	int32 *string;
	int32 *open_label;
	int32 length = 0;

	TreeReaderInit(&reader, tree);
	shared_id = IdsAgainst(&reader, labels);
	string = palloc_array(int32, 3 * (Size) reader.size);
	open_label = string + 2 * reader.size;
	while ((event = NextEvent(&reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		if (event == TREE_OPEN)
		{
			open_label[reader.depth - 1] = shared_id[reader.label];
			string[length++] = ted_begin_symbol(shared_id[reader.label]);
		}
		else
			string[length++] = ted_end_symbol(open_label[reader.depth]);
	}
	pfree(shared_id);
	pfree(reader.labels);
	return string;
}

void
TreeOrders(const TedTree *decoded, int32 *preorder, int32 *postorder)
{
	for (int32 x = 0; x < decoded->size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		preorder[x] = x - decoded->subtree_size[x] + 1 + decoded->depth[x];
		postorder[preorder[x]] = x;
	}
}

void
TreeFreeDecoded(const TedTree *decoded)
{
	pfree(unconstify(int32 *, decoded->label));
}
