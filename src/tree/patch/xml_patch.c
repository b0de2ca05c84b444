/*
 * xml_patch.c
 *	  The SQL functions xml_patch() and xml_patch_invert(): RFC 5261's operations that make
 *	  one document into another, or that undo other operations.
 *
 * Each document becomes a tree of all that an operation can change: elements with their
 * namespaces, attributes, unchanged text, comments and processing instructions.  The trees
 * are mapped by names and walked in parallel, as in json_patch.c.  Elements that are mapped
 * to each other, have the same name and have something in common are patched; others are
 * replaced.
 *
 * Children are processed from left to right, so a selector counts children of the second
 * document to the left of an operation.  Between two children that stay, first texts are
 * removed, then all new nodes are added by one operation, then the rest is removed.  In
 * this order, texts are never adjacent.
 *
 * Nodes that the mapping turns into each other at no cost stay as they are in the first
 * document.  Nodes without a partner that cost nothing to delete stay as well, and those
 * that cost nothing to insert are not added, unless texts would become adjacent.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../convert/convert.h"
#include "../costs/cost_type.h"
#include "../mapping/mapped_trees.h"
#include "xml_patch_apply.h"

#ifdef USE_LIBXML
#include "../convert/xml_document.h"
#endif

PG_FUNCTION_INFO_V1(xml_patch);
PG_FUNCTION_INFO_V1(xml_patch_invert);

#ifdef USE_LIBXML

#define PATCHING "making an XML patch"

/* New counts of children between two checks of the memory. */
#define COUNTS_PER_CHECK 1024

/* The kind of an operation. */
typedef enum XmlPatchKind
{
	ADD_NODES,
	ADD_ATTRIBUTE,
	REPLACE_NODE,
	REPLACE_VALUE, /* value of an attribute, or a text */
	REMOVE_NODE
} XmlPatchKind;

/* An operation.  Its selector begins at a byte of the patch's `selectors`. */
typedef struct XmlPatchOperation
{
	XmlPatchKind kind;
	int selector;
	const char *position; /* value of the attribute "pos" for ADD_NODES, or NULL */
	int32 node;           /* node of the second tree, or -1 */
	int first;            /* for ADD_NODES, as `count`: a range of the patch's `added` */
	int count;
} XmlPatchOperation;

/* An attribute, for sorting. */
typedef struct SortedAttribute
{
	char *label;
	xmlAttrPtr attribute;
} SortedAttribute;

/* A document, and the nodes of its tree by preorder number. */
typedef struct XmlSide
{
	xmlDocPtr document;
	xmlNodePtr *nodes;
	int32 count;
	int32 capacity;
	TreeBuilder builder;
} XmlSide;

/* The children of an element without attributes, and the progress of the patch. */
typedef struct XmlChildren
{
	const int32 *from; /* children in the first document */
	int32 *place;      /* by child: index in `to` of the node that it becomes, or -1 */
	int32 *to;         /* afterwards: nodes of the second tree, or ~x for x of the first tree */
	int32 count_from;
	int32 count_to;
	int32 i;       /* number of children processed in `from` */
	int32 j;       /* number of children processed in `to` */
	int32 parent;  /* in the second tree */
	int32 counted; /* number of children of `to` that are counted in the patch's `counts` */
} XmlChildren;

/* The number of children of an element that one test of a step selects, among those processed. */
typedef struct XmlCount
{
	struct
	{
		int32 parent; /* as in XmlChildren */
		int32 test;   /* label of elements that are selected by name, or minus the type of nodes */
	} key;
	int32 count;
} XmlCount;

/* The state of making a patch. */
typedef struct XmlPatch
{
	MappedTrees pair;
	XmlSide a;
	XmlSide b;
	MemoryContext context;
	XmlPatchOperation *operations;
	int count;
	int capacity;
	int32 *added; /* nodes of the second tree that operations add */
	int added_count;
	int added_capacity;
	StringInfoData selectors; /* each followed by a NUL */
	StringInfoData path;      /* selector of the current element */
	HTAB *counts;             /* XmlCounts */
	char **spaces;            /* namespaces of attributes, with the prefixes ns1, ns2 ... */
	int space_count;
	int space_capacity;
} XmlPatch;

/* Opens a node of the tree of a document. */
static void
OpenDocumentNode(XmlSide *side, char mark, xmlNodePtr node, const char *name)
{
	char *label = psprintf("%c%s", mark, name);

	CHECK_FOR_INTERRUPTS();
	RESERVE_COUNTED(side->builder.counted, side->nodes, side->capacity, side->count + 1,
					BUILDING_A_TREE);
	side->nodes[side->count++] = node;
	TreeBuilderOpen(&side->builder, label, (int) strlen(label));
	pfree(label);
}

/* Returns the name of an element or an attribute, followed by its namespace. */
static char *
FullName(const xmlChar *name, const xmlNs *space)
{
	return space == NULL ? pstrdup((const char *) name)
						 : psprintf("%s%c%s", (const char *) name, NAMESPACE_MARK,
									(const char *) space->href);
}

/* Orders attributes by name, including the namespace. */
static int
CompareAttributesByName(const void *a, const void *b)
{
	CHECK_FOR_INTERRUPTS();
	return strcmp(((const SortedAttribute *) a)->label, ((const SortedAttribute *) b)->label);
}

/* Adds the attributes of an element to the tree. */
static void
AddDocumentAttributes(XmlSide *side, xmlNodePtr element)
{
	SortedAttribute *attributes;
	int count = 0;

	for (xmlAttrPtr x = element->properties; x != NULL; x = x->next)
		count++;
	if (count == 0)
		return;
	attributes = palloc_array(SortedAttribute, count);
	count = 0;
	for (xmlAttrPtr x = element->properties; x != NULL; x = x->next)
		attributes[count++] = (SortedAttribute){FullName(x->name, x->ns), x};
	qsort(attributes, (size_t) count, sizeof(SortedAttribute), CompareAttributesByName);
	for (int i = 0; i < count; i++)
	{
		xmlNodePtr node = (xmlNodePtr) attributes[i].attribute;
		char *value = XmlContent(node, '&');

		OpenDocumentNode(side, ATTRIBUTE_MARK, node, attributes[i].label);
		OpenDocumentNode(side, VALUE_MARK, node, value);
		TreeBuilderClose(&side->builder);
		TreeBuilderClose(&side->builder);
		pfree(value);
		pfree(attributes[i].label);
	}
	pfree(attributes);
}

/* Adds a node that is a leaf of the tree. */
static void
AddDocumentLeaf(XmlSide *side, xmlNodePtr node)
{
	const char *content = node->content == NULL ? "" : (const char *) node->content;

	switch (node->type)
	{
		case XML_TEXT_NODE:
			OpenDocumentNode(side, TEXT_MARK, node, content);
			break;
		case XML_COMMENT_NODE:
			OpenDocumentNode(side, COMMENT_MARK, node, content);
			break;
		case XML_PI_NODE:
			OpenDocumentNode(side, INSTRUCTION_MARK, node, psprintf("%s %s", node->name, content));
			break;
		default: /* the document type */
			return;
	}
	TreeBuilderClose(&side->builder);
}

/* Adds a list of nodes and all nodes below.  libxml2 limits the depth. */
static void
AddDocumentNodes(XmlSide *side, xmlNodePtr node)
{
	check_stack_depth();
	for (; node != NULL; node = node->next)
	{
		if (node->type == XML_ELEMENT_NODE)
		{
			OpenDocumentNode(side, ELEMENT_MARK, node, FullName(node->name, node->ns));
			AddDocumentAttributes(side, node);
			AddDocumentNodes(side, node->children);
			TreeBuilderClose(&side->builder);
		}
		else
			AddDocumentLeaf(side, node);
	}
}

/* Makes the tree of a document. */
static Datum
MakeDocumentTree(XmlSide *side)
{
	side->count = 0;
	side->capacity = 64;
	side->nodes = palloc_array(xmlNodePtr, side->capacity);
	TreeBuilderInit(&side->builder);
	OpenDocumentNode(side, DOCUMENT_MARK, (xmlNodePtr) side->document, "");
	AddDocumentNodes(side, side->document->children);
	TreeBuilderClose(&side->builder);
	return PointerGetDatum(TreeBuilderFinish(&side->builder));
}

/* Returns a node in its document. */
static xmlNodePtr
XmlNodeOf(const XmlPatch *patch, const MappedTree *side, int32 node)
{
	const XmlSide *document = side == &patch->pair.a ? &patch->a : &patch->b;

	return document->nodes[PlaceInDocument(side, node)];
}

/* Returns the type of a node in its document; that of a value is that of its attribute. */
static xmlElementType
TypeOf(const XmlPatch *patch, const MappedTree *side, int32 node)
{
	return XmlNodeOf(patch, side, node)->type;
}

/* Returns the node in its document of an entry of XmlChildren.to. */
static xmlNodePtr
NodeToBe(const XmlPatch *patch, int32 child)
{
	return child < 0 ? XmlNodeOf(patch, &patch->pair.a, ~child)
					 : XmlNodeOf(patch, &patch->pair.b, child);
}

/* Shortens the current selector. */
static void
CutSelector(XmlPatch *patch, int length)
{
	patch->path.len = length;
	patch->path.data[length] = '\0';
}

/* Adds an operation on the node that the current selector selects. */
static XmlPatchOperation *
AddXmlOperation(XmlPatch *patch, XmlPatchKind kind, int32 node)
{
	XmlPatchOperation *operation;
	int selector = patch->selectors.len;

	CHECK_FOR_INTERRUPTS();
	RESERVE_COUNTED(patch->context, patch->operations, patch->capacity, patch->count + 1, PATCHING);
	if (selector + patch->path.len >= patch->selectors.maxlen)
		CheckMemoryGrowth(patch->context, 2 * ((Size) selector + patch->path.len), PATCHING);
	appendBinaryStringInfo(&patch->selectors, patch->path.data, patch->path.len + 1);
	operation = &patch->operations[patch->count++];
	*operation = (XmlPatchOperation){.kind = kind, .selector = selector, .node = node};
	return operation;
}

/* Returns the count of the children of an element that a test selects, see XmlCount. */
static int32 *
CountOf(XmlPatch *patch, const XmlChildren *children, int32 test)
{
	XmlCount key = {.key = {children->parent, test}};
	XmlCount *count;
	bool found;

	if (hash_get_num_entries(patch->counts) % COUNTS_PER_CHECK == 0)
		CheckMemoryGrowth(patch->context, COUNTS_PER_CHECK * 2 * sizeof(XmlCount), PATCHING);
	count = hash_search(patch->counts, &key.key, HASH_ENTER, &found);
	if (!found)
		count->count = 0;
	return &count->count;
}

/* Whether a node is an element that is selected by its name, without a prefix, not by "*". */
static bool
IsSelectedByName(xmlNodePtr node)
{
	return node->type == XML_ELEMENT_NODE && node->ns == NULL &&
		   strchr((const char *) node->name, ':') == NULL;
}

/* Returns the label of an entry of XmlChildren.to. */
static int32
LabelToBe(const XmlPatch *patch, int32 child)
{
	return child < 0 ? patch->pair.a.tree.label[~child] : patch->pair.b.tree.label[child];
}

/* Counts the children that have been processed since the last call. */
static void
CountProcessed(XmlPatch *patch, XmlChildren *children)
{
	for (; children->counted < children->j; children->counted++)
	{
		int32 child = children->to[children->counted];
		xmlNodePtr node = NodeToBe(patch, child);

		CHECK_FOR_INTERRUPTS();
		(*CountOf(patch, children, -(int32) node->type))++;
		if (IsSelectedByName(node))
			(*CountOf(patch, children, LabelToBe(patch, child)))++;
	}
}

/*
 * Appends the step to a child, an entry of XmlChildren.to or one that is going to be removed.  Its
 * position is counted among the children processed so far, which are as in the second document;
 * `last` is whether the child is the last of these.
 */
static void
AppendSelectorStep(XmlPatch *patch, XmlChildren *children, int32 child, bool last)
{
	xmlNodePtr node = NodeToBe(patch, child);
	const char *name = "*";
	int32 test;

	if (IsSelectedByName(node) &&
		!(node == xmlDocGetRootElement(node->doc) && IS_HIGHBIT_SET(node->name[0])))
		name = (const char *) node->name; /* XPath in libxml2 does not find such a name after "/" */
	else if (node->type == XML_TEXT_NODE)
		name = "text()";
	else if (node->type == XML_COMMENT_NODE)
		name = "comment()";
	else if (node->type == XML_PI_NODE)
		name = "processing-instruction()";
	appendStringInfo(&patch->path, "/%s", name);
	if (node == xmlDocGetRootElement(node->doc))
		return;
	CountProcessed(patch, children);
	test = IsSelectedByName(node) ? LabelToBe(patch, child) : -(int32) node->type;
	appendStringInfo(&patch->path, "[%d]", *CountOf(patch, children, test) + (last ? 0 : 1));
}

/* Returns the prefix of a namespace in selectors of attributes. */
static const char *
PrefixOf(XmlPatch *patch, const xmlNs *space)
{
	int i = 0;

	if (strcmp((const char *) space->href, (const char *) XML_XML_NAMESPACE) == 0)
		return "xml";
	while (i < patch->space_count && strcmp(patch->spaces[i], (const char *) space->href) != 0)
		i++;
	if (i == patch->space_count)
	{
		RESERVE(patch->context, patch->spaces, patch->space_capacity, patch->space_count + 1);
		patch->spaces[patch->space_count++] = pstrdup((const char *) space->href);
	}
	return psprintf("ns%d", i + 1);
}

/* Returns the name of an attribute in a selector. */
static char *
AttributeName(XmlPatch *patch, xmlNodePtr attribute)
{
	if (attribute->ns == NULL)
		return pstrdup((const char *) attribute->name);
	return psprintf("%s:%s", PrefixOf(patch, attribute->ns), (const char *) attribute->name);
}

/*
 * Patches attributes.  Both lists are in order.  Sets the number of attributes afterwards.
 * Returns false if an attribute to change has a prefix that is not declared, since no
 * selector can select it.
 */
static bool
PatchAttributes(XmlPatch *patch, const int32 *from, int32 count_from, const int32 *to,
				int32 count_to, int32 *count)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 i = 0;
	int32 j = 0;

	*count = 0;
	while (i < count_from || j < count_to)
	{
		int order = i == count_from ? 1
					: j == count_to ? -1
									: CompareLabels(NodeLabel(&patch->pair, a, from[i]),
													NodeLabel(&patch->pair, b, to[j]));
		bool same = order < 0   ? IsLeftAlone(a, from[i])
					: order > 0 ? IsLeftAlone(b, to[j])
								: a->tree.label[from[i] - 1] == b->tree.label[to[j] - 1] ||
									  CostsNothing(&patch->pair, from[i], to[j]);
		xmlNodePtr attribute =
			order <= 0 ? XmlNodeOf(patch, a, from[i]) : XmlNodeOf(patch, b, to[j]);

		if (!same && attribute->ns == NULL && strchr((const char *) attribute->name, ':') != NULL)
			return false;
		if (!same && order > 0)
			AddXmlOperation(patch, ADD_ATTRIBUTE, to[j]);
		else if (!same)
		{
			int length = patch->path.len;

			appendStringInfo(&patch->path, "/@%s", AttributeName(patch, attribute));
			AddXmlOperation(patch, order < 0 ? REMOVE_NODE : REPLACE_VALUE, order < 0 ? -1 : to[j]);
			CutSelector(patch, length);
		}
		*count += order == 0 || (order < 0) == same;
		i += order <= 0;
		j += order >= 0;
	}
	return true;
}

/* Removes a child of the first document. */
static void
RemoveChild(XmlPatch *patch, XmlChildren *children, int32 child)
{
	int length = patch->path.len;

	AppendSelectorStep(patch, children, ~child, false);
	AddXmlOperation(patch, REMOVE_NODE, -1);
	CutSelector(patch, length);
}

/*
 * Adds children of the second document: beside an adjacent element if there is one, else at
 * an end of the parent or beside another adjacent node.
 */
static void
AddChildren(XmlPatch *patch, XmlChildren *children, int32 next_j, int32 next)
{
	const MappedTree *a = &patch->pair.a;
	int length = patch->path.len;
	xmlNodePtr before = children->j == 0 ? NULL : NodeToBe(patch, children->to[children->j - 1]);
	xmlNodePtr after = next < 0 ? NULL : XmlNodeOf(patch, a, next);
	const char *position = NULL;
	int32 count = next_j - children->j;
	XmlPatchOperation *operation;

	if (before != NULL && (before->type == XML_ELEMENT_NODE || (after == NULL && length == 0)))
	{
		AppendSelectorStep(patch, children, children->to[children->j - 1], true);
		position = "after";
	}
	else if (after != NULL && (after->type == XML_ELEMENT_NODE || before != NULL || length == 0))
	{
		AppendSelectorStep(patch, children, ~next, false);
		position = "before";
	}
	else if (after != NULL)
		position = "prepend";
	operation = AddXmlOperation(patch, ADD_NODES, -1);
	operation->first = patch->added_count;
	operation->count = count;
	operation->position = position;
	RESERVE_COUNTED(patch->context, patch->added, patch->added_capacity, patch->added_count + count,
					PATCHING);
	memcpy(patch->added + patch->added_count, children->to + children->j,
		   sizeof(int32) * (Size) count);
	patch->added_count += count;
	children->j = next_j;
	CutSelector(patch, length);
}

/* Removes and adds children up to two that correspond, or up to the ends. */
static void
PatchGap(XmlPatch *patch, XmlChildren *children, int32 next_i, int32 next_j)
{
	const MappedTree *a = &patch->pair.a;
	int32 rest = -1; /* first child that stays after texts are removed */

	for (int32 i = children->i; i < next_i; i++)
		if (TypeOf(patch, a, children->from[i]) == XML_TEXT_NODE)
			RemoveChild(patch, children, children->from[i]);
		else if (rest < 0)
			rest = children->from[i];
	if (rest < 0 && next_i < children->count_from)
		rest = children->from[next_i];
	if (children->j < next_j)
		AddChildren(patch, children, next_j, rest);
	for (int32 i = children->i; i < next_i; i++)
		if (TypeOf(patch, a, children->from[i]) != XML_TEXT_NODE)
			RemoveChild(patch, children, children->from[i]);
	children->i = next_i;
}

static bool PatchElement(XmlPatch *patch, int32 x, int32 y);

/* Patches the next child, whose kind stays the same. */
static void
PatchChild(XmlPatch *patch, XmlChildren *children)
{
	int32 x = children->from[children->i];
	int32 y = children->to[children->j];
	int length = patch->path.len;
	int mark = patch->count;
	int added = patch->added_count;
	int selectors = patch->selectors.len;

	if (y < 0 || CostsNothing(&patch->pair, x, y))
		children->to[children->j] = ~x;
	else if (!SubtreesEqual(&patch->pair, x, y))
	{
		AppendSelectorStep(patch, children, ~x, false);
		if (TypeOf(patch, &patch->pair.a, x) == XML_TEXT_NODE)
			AddXmlOperation(patch, REPLACE_VALUE, y);
		else if (!PatchElement(patch, x, y))
		{
			patch->count = mark;
			patch->added_count = added;
			patch->selectors.len = selectors;
			AddXmlOperation(patch, REPLACE_NODE, y);
		}
		CutSelector(patch, length);
	}
	children->i++;
	children->j++;
}

/*
 * Pairs each child of the second document in a gap with the next child of the first
 * document of the same kind, if there is one before the end of the gap.
 */
static void
PatchUnmapped(XmlPatch *patch, XmlChildren *children, int32 end_i, int32 end_j)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 i = children->i;

	for (int32 j = children->j; j < end_j && i < end_i; j++)
	{
		int32 found = i;

		while (found < end_i &&
			   TypeOf(patch, a, children->from[found]) != TypeOf(patch, b, children->to[j]))
			found++;
		if (found == end_i)
			continue;
		PatchGap(patch, children, found, j);
		PatchChild(patch, children);
		i = found + 1;
	}
	PatchGap(patch, children, end_i, end_j);
}

/* Returns the number of attributes among the children of a node; they come first. */
static int32
CountAttributes(const XmlPatch *patch, const MappedTree *side, const int32 *children, int32 count)
{
	int32 attributes = 0;

	while (attributes < count && TypeOf(patch, side, children[attributes]) == XML_ATTRIBUTE_NODE)
		attributes++;
	return attributes;
}

/* Whether a child is left alone.  The root element never is, since the document needs one. */
static bool
IsChildLeftAlone(const XmlPatch *patch, const MappedTree *side, int32 child)
{
	return IsLeftAlone(side, child) &&
		   (side->tree.depth[child] > 1 || TypeOf(patch, side, child) != XML_ELEMENT_NODE);
}

/* Whether the last child in `to` is a text. */
static bool
EndsInText(const XmlPatch *patch, const XmlChildren *children)
{
	return children->count_to > 0 &&
		   NodeToBe(patch, children->to[children->count_to - 1])->type == XML_TEXT_NODE;
}

/*
 * Appends a child of the second tree to `to`.  Before a text, a text of the first tree that
 * would stay is removed; from a text of the second tree, it is separated by the nodes in
 * between.
 */
static void
TakeChild(const XmlPatch *patch, XmlChildren *children, const int32 *child)
{
	const MappedTree *b = &patch->pair.b;

	if (TypeOf(patch, b, *child) == XML_TEXT_NODE && EndsInText(patch, children))
	{
		int32 last = children->to[children->count_to - 1];

		if (last < 0)
		{
			int32 i = children->count_from - 1;

			while (children->place[i] != children->count_to - 1)
				i--;
			children->place[i] = -1;
			children->count_to--;
		}
		else
			for (int32 n = b->ordinal[*child] - b->ordinal[last] - 1; n > 0; n--)
				children->to[children->count_to++] = child[-n];
	}
	children->to[children->count_to++] = *child;
}

/* Appends the children of the second tree before `end` that are not left alone to `to`. */
static void
TakePatchedChildren(const XmlPatch *patch, XmlChildren *children, const int32 **next,
					const int32 *end)
{
	for (; *next < end; (*next)++)
	{
		CHECK_FOR_INTERRUPTS();
		if (!IsChildLeftAlone(patch, &patch->pair.b, **next))
			TakeChild(patch, children, *next);
	}
}

/* Returns the root element if a node is the document node, else -1. */
static int32
RootElement(const XmlPatch *patch, const MappedTree *side, int32 node)
{
	int32 child = node - 1;

	if (TypeOf(patch, side, node) != XML_DOCUMENT_NODE)
		return -1;
	while (TypeOf(patch, side, child) != XML_ELEMENT_NODE)
		child -= side->tree.subtree_size[child];
	return child;
}

/*
 * Returns the child of y, a node of the second tree, that a child x of y's partner becomes,
 * or -1.  A root element becomes the root element, and nodes before and after it stay
 * before and after it.
 */
static int32
PartnerOfChild(const XmlPatch *patch, int32 x, int32 y, int32 root_a, int32 root_b)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 partner = a->map[x];

	if (x == root_a)
		return root_b;
	if (root_b >= 0 && (x < root_a) != (partner < root_b))
		return -1;
	if (partner < 0 || b->parent[partner] != y || TypeOf(patch, a, x) != TypeOf(patch, b, partner))
		return -1;
	return partner;
}

/* Sets `place` and `to`: what the children of an element become, in order. */
static void
FindChildrenToBe(const XmlPatch *patch, XmlChildren *children, int32 y, const int32 *to,
				 int32 count_to)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	const int32 *next = to;
	const int32 *end = to + count_to;
	int32 attributes = b->children[y] - count_to;
	int32 root_a = -1;
	int32 root_b = RootElement(patch, b, y);

	if (root_b >= 0)
		root_a = RootElement(patch, a, a->tree.size - 1);
	children->place = palloc_array(int32, Max(children->count_from, 1));
	children->to = palloc_array(int32, Max(children->count_from + count_to, 1));
	memset(children->place, -1, sizeof(int32) * (Size) children->count_from);
	for (int32 i = 0; i < children->count_from; i++)
	{
		int32 x = children->from[i];
		int32 partner = PartnerOfChild(patch, x, y, root_a, root_b);

		CHECK_FOR_INTERRUPTS();
		if (partner >= 0)
		{
			const int32 *child = to + b->ordinal[partner] - attributes;

			TakePatchedChildren(patch, children, &next, child);
			TakeChild(patch, children, child);
			next = child + 1;
			children->place[i] = children->count_to - 1;
		}
		else if (IsChildLeftAlone(patch, a, x) &&
				 !(TypeOf(patch, a, x) == XML_TEXT_NODE && EndsInText(patch, children)))
		{
			children->to[children->count_to++] = ~x;
			children->place[i] = children->count_to - 1;
		}
	}
	TakePatchedChildren(patch, children, &next, end);
}

/*
 * Patches the content of an element, at the current selector, or of the document.  Returns
 * false if that is impossible, or if the element would have content while its partner has
 * none, or vice versa: cost models treat elements without content as texts.
 */
static bool
PatchInside(XmlPatch *patch, int32 x, int32 y)
{
	const MappedTree *a = &patch->pair.a;
	const MappedTree *b = &patch->pair.b;
	int32 *from = ListChildren(a, x);
	int32 *to = ListChildren(b, y);
	int32 attributes_from = CountAttributes(patch, a, from, a->children[x]);
	int32 attributes_to = CountAttributes(patch, b, to, b->children[y]);
	XmlChildren children = {.from = from + attributes_from,
							.count_from = a->children[x] - attributes_from,
							.parent = y};
	int32 attributes;
	bool possible = PatchAttributes(patch, from, attributes_from, to, attributes_to, &attributes);

	if (possible)
	{
		FindChildrenToBe(patch, &children, y, to + attributes_to, b->children[y] - attributes_to);
		possible = (attributes + children.count_to > 0) == (b->children[y] > 0);
		for (int32 i = 0; possible && i < children.count_from; i++)
		{
			CHECK_FOR_INTERRUPTS();
			if (children.place[i] < 0)
				continue;
			PatchUnmapped(patch, &children, i, children.place[i]);
			PatchChild(patch, &children);
		}
		if (possible)
			PatchUnmapped(patch, &children, children.count_from, children.count_to);
		pfree(children.place);
		pfree(children.to);
	}
	pfree(from);
	pfree(to);
	return possible;
}

/* Whether the only child of an element is a text. */
static bool
HasTextOnly(const XmlPatch *patch, const MappedTree *side, int32 node)
{
	return side->children[node] == 1 && TypeOf(patch, side, node - 1) == XML_TEXT_NODE;
}

/* Patches an element; false if it has to be replaced. */
static bool
PatchElement(XmlPatch *patch, int32 x, int32 y)
{
	const MappedTrees *pair = &patch->pair;

	check_stack_depth();
	if (TypeOf(patch, &pair->a, x) != XML_ELEMENT_NODE || pair->a.map[x] != y ||
		pair->a.tree.label[x] != pair->b.tree.label[y])
		return false;
	if (KeptBelow(pair, y) == 0 && FreeNodes(&pair->a, x) == 0 &&
		pair->a.children[x] + pair->b.children[y] > 1 &&
		!(HasTextOnly(patch, &pair->a, x) && HasTextOnly(patch, &pair->b, y)))
		return false;
	return PatchInside(patch, x, y);
}

/* Sets an attribute of an operation. */
static void
SetAttribute(xmlNodePtr element, const char *name, const char *value)
{
	CheckXmlPointer(xmlNewProp(element, (const xmlChar *) name, (const xmlChar *) value));
}

/*
 * Appends the element of an operation to the patch.  New nodes are moved from the second
 * document.
 */
static void
WriteOperation(XmlPatch *patch, XmlWork *work, xmlNodePtr root, const XmlPatchOperation *operation)
{
	static const char *const names[] = {"add", "add", "replace", "replace", "remove"};
	const MappedTree *b = &patch->pair.b;
	xmlNodePtr element =
		CheckXmlPointer(xmlNewChild(root, NULL, (const xmlChar *) names[operation->kind], NULL));
	xmlNodePtr node = operation->node < 0 ? NULL : XmlNodeOf(patch, b, operation->node);
	char *selector = patch->selectors.data + operation->selector;
	char *content;

	CountXmlMemory(work, 8 * XML_NODE_BYTES + strlen(selector), PATCHING);
	SetAttribute(element, "sel", selector);
	if (operation->position != NULL)
		SetAttribute(element, "pos", operation->position);
	switch (operation->kind)
	{
		case ADD_ATTRIBUTE:
			SetAttribute(element, "type", psprintf("@%s", AttributeName(patch, node)));
			pg_fallthrough;
		case REPLACE_VALUE:
			content = XmlContent(node, '&');
			CountXmlMemory(work, strlen(content), PATCHING);
			xmlNodeAddContent(element, (const xmlChar *) content);
			if (content[0] != '\0')
				CheckXmlPointer(element->children);
			break;
		case ADD_NODES:
			for (int i = operation->first; i < operation->first + operation->count; i++)
			{
				CHECK_FOR_INTERRUPTS();
				MoveXmlNode(work, XmlNodeOf(patch, b, patch->added[i]), element, element->last,
							NULL, PATCHING);
			}
			break;
		case REPLACE_NODE:
			MoveXmlNode(work, node, element, NULL, NULL, PATCHING);
			break;
		case REMOVE_NODE:
			break;
	}
}

/* Writes the document of the patch. */
static Datum
WritePatch(XmlPatch *patch, XmlWork *work)
{
	xmlDocPtr document = CheckXmlPointer(xmlNewDoc((const xmlChar *) "1.0"));
	xmlNodePtr root;

	work->documents[2] = document;
	root = CheckXmlPointer(xmlNewDocNode(document, NULL, (const xmlChar *) "diff", NULL));
	xmlDocSetRootElement(document, root);
	for (int i = 0; i < patch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		WriteOperation(patch, work, root, &patch->operations[i]);
	}
	for (int i = 0; i < patch->space_count; i++)
		CheckXmlPointer(xmlNewNs(root, (const xmlChar *) patch->spaces[i],
								 (const xmlChar *) psprintf("ns%d", i + 1)));
	return WriteXmlDocument(work, document, PATCHING);
}

/* What MakeXmlPatch() needs: the documents as xml values, and a model or NULL. */
typedef struct XmlPatchInput
{
	Datum documents[2];
	const CostModel *model;
} XmlPatchInput;

/* Parses a document.  A patch cannot have references to entities that are not known. */
static xmlDocPtr
ParsePatched(XmlWork *work, const XmlPatchInput *input, int number)
{
	xmlDocPtr document =
		ParseXmlDocument(work, number, input->documents[number], XML_TO_CHANGE, PATCHING);

	if (work->has_references)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED), errmsg("cannot make an XML patch"),
						errdetail("A document refers to an entity that it does not declare."),
						errhint("Declare the entity, or write what it stands for.")));
	return document;
}

/* Makes a patch, within CallWithXml(). */
static Datum
MakeXmlPatch(void *arg, XmlWork *work)
{
	const XmlPatchInput *input = arg;
	XmlPatch patch = {.pair.syntax = SYNTAX_XML_OF_PATCH,
					  .capacity = 64,
					  .added_capacity = 64,
					  .space_capacity = 8};
	MemoryContext caller = CurrentMemoryContext;
	HASHCTL counts = {.keysize = sizeof(((XmlCount *) 0)->key), .entrysize = sizeof(XmlCount)};
	Datum tree_a;
	Datum tree_b;
	int32 root_a;
	int32 root_b;

	patch.context = AllocSetContextCreate(caller, "XML patch", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(patch.context);
	counts.hcxt = patch.context;
	patch.a.document = ParsePatched(work, input, 0);
	patch.b.document = ParsePatched(work, input, 1);
	patch.operations = palloc_array(XmlPatchOperation, patch.capacity);
	patch.added = palloc_array(int32, patch.added_capacity);
	patch.spaces = palloc_array(char *, patch.space_capacity);
	initStringInfo(&patch.selectors);
	initStringInfo(&patch.path);
	patch.counts =
		hash_create("counts of an XML patch", 64, &counts, HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	tree_a = MakeDocumentTree(&patch.a);
	tree_b = MakeDocumentTree(&patch.b);
	MapValues(&patch.pair, DatumGetTree(tree_a), DatumGetTree(tree_b), input->model,
			  MAPPING_BY_NAME, PATCHING);
	IndexTrees(&patch.pair, PATCHING);
	root_a = patch.pair.a.tree.size - 1;
	root_b = patch.pair.b.tree.size - 1;
	if (!CostsNothing(&patch.pair, root_a, root_b))
		PatchInside(&patch, root_a, root_b);
	MemoryContextSwitchTo(caller);
	return WritePatch(&patch, work);
}

/* Returns a patch that makes the first document into the second one. */
Datum
xml_patch(PG_FUNCTION_ARGS)
{
	XmlPatchInput input = {{PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)},
						   ArgumentXmlModelUnlessUnit(fcinfo, 2)};

	return CallWithXml(MakeXmlPatch, &input);
}

/* Returns a patch that makes a document that was patched into the document before. */
Datum
xml_patch_invert(PG_FUNCTION_ARGS)
{
	XmlPatchInput input = {{xml_patch_apply(fcinfo), PG_GETARG_DATUM(0)}, NULL};

	return CallWithXml(MakeXmlPatch, &input);
}

#else

NO_XML_FUNCTION(xml_patch);
NO_XML_FUNCTION(xml_patch_invert);

#endif
