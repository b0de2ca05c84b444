/*
 * xml_children.c
 *	  Finds children of an XML element by a test and a position.
 *
 * The children of an element are indexed as soon as a position in it is far from the first child.
 * There is a list of all children, one for each type of nodes, and one for each name.  A child has
 * an order, a number that grows from sibling to sibling, by which it is found in its lists.  Orders
 * have gaps for new children; where a gap is used up, all children get new ones.
 */
#include "postgres.h"

#ifdef USE_LIBXML

#include "lib/stringinfo.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/labels.h"
#include "../../compat.h"
#include "position_list.h"
#include "xml_children.h"

/* The most children that are walked through before they are indexed. */
#define MOST_WALKED 64

/* The difference of the orders of siblings at first. */
#define ORDER_STEP (INT64CONST(1) << 36)

/* The most by which the order of a child between two others is greater than that of the first. */
#define ORDER_NEAR (INT64CONST(1) << 24)

/* The most lists that a node is in: of all nodes, of its type, and of its name. */
#define MOST_LISTS 3

/* What `_private` of a node points to, if it or its parent is indexed. */
typedef struct XmlPlace
{
	int64 order;  /* among its siblings */
	int32 number; /* number of the element in keys of lists, from 1; 0 if it is not indexed */
} XmlPlace;

/* The indexes of a document. */
struct XmlChildIndex
{
	MemoryContext context;
	const char *what;
	LabelTable *keys;     /* number of an element, and what is common to the nodes of a list */
	PositionList **lists; /* by key: pointers to nodes, in document order */
	int32 count;
	int32 capacity;
	int32 elements; /* number of elements whose children are indexed */
	StringInfoData key;
};

XmlChildIndex *
XmlChildIndexCreate(MemoryContext context, const char *what)
{
	MemoryContext caller = MemoryContextSwitchTo(context);
	XmlChildIndex *index = palloc0_object(XmlChildIndex);

	index->context = context;
	index->what = what;
	index->keys = LabelTableCreate();
	LabelTableLimit(index->keys, context, what);
	index->capacity = 64;
	index->lists = palloc_array(PositionList *, index->capacity);
	initStringInfo(&index->key);
	MemoryContextSwitchTo(caller);
	return index;
}

bool
XmlNameMatches(const XmlName *name, const xmlChar *local, const xmlNs *space)
{
	const xmlChar *uri = space == NULL ? NULL : space->href;

	return (name->any_space || xmlStrEqual(uri, name->uri)) &&
		   (name->local == NULL || strcmp((const char *) local, name->local) == 0);
}

bool
XmlNodeMatches(const XmlNodeTest *test, xmlNodePtr node)
{
	switch (node->type)
	{
		case XML_ELEMENT_NODE:
		case XML_TEXT_NODE:
		case XML_COMMENT_NODE:
		case XML_PI_NODE:
			return test->type == XML_DOCUMENT_NODE ||
				   (test->type == node->type && XmlNameMatches(&test->name, node->name, node->ns));
		default:
			return false;
	}
}

/* Returns the place of a node, which is made if need be. */
static XmlPlace *
PlaceOf(XmlChildIndex *index, xmlNodePtr node)
{
	if (node->_private == NULL)
		node->_private = MemoryContextAllocZero(index->context, sizeof(XmlPlace));
	return node->_private;
}

/* Whether the children of a node are indexed. */
static bool
IsIndexed(xmlNodePtr parent)
{
	return parent->type == XML_ELEMENT_NODE && parent->_private != NULL &&
		   ((XmlPlace *) parent->_private)->number > 0;
}

/* Returns the list of the children of an indexed element that pass a test. */
static PositionList *
ListOf(XmlChildIndex *index, xmlNodePtr parent, const XmlNodeTest *test)
{
	const XmlPlace *place = parent->_private;
	const XmlName *name = &test->name;
	int32 id;

	resetStringInfo(&index->key);
	appendBinaryStringInfo(&index->key, (const char *) &place->number, sizeof(place->number));
	appendStringInfoChar(&index->key, (char) test->type);
	if (name->local != NULL)
		appendStringInfoString(&index->key, name->local);
	if (name->local != NULL && !name->any_space && name->uri != NULL)
	{
		appendStringInfoChar(&index->key, ' ');
		appendStringInfoString(&index->key, (const char *) name->uri);
	}
	id = LabelTableIntern(index->keys, index->key.data, index->key.len);
	RESERVE(index->context, index->lists, index->capacity, id + 1);
	if (id == index->count)
		index->lists[index->count++] =
			PositionListCreate(index->context, sizeof(xmlNodePtr), 4, index->what);
	return index->lists[id];
}

/* Sets the lists that a child of an indexed element belongs to.  Returns their number. */
static int
ListsOf(XmlChildIndex *index, xmlNodePtr node, PositionList **lists)
{
	XmlNodeTest test = {XML_DOCUMENT_NODE, {.any_space = true}};
	int count = 0;

	if (!XmlNodeMatches(&test, node))
		return 0;
	lists[count++] = ListOf(index, node->parent, &test);
	test.type = node->type;
	lists[count++] = ListOf(index, node->parent, &test);
	if (node->type == XML_ELEMENT_NODE || node->type == XML_PI_NODE)
	{
		test.name = (XmlName){.local = unconstify(char *, (const char *) node->name),
							  .uri = node->ns == NULL ? NULL : node->ns->href,
							  .any_space = node->type == XML_PI_NODE};
		lists[count++] = ListOf(index, node->parent, &test);
	}
	return count;
}

/* Returns the position of the first node of a list that does not precede a node. */
static int32
PositionOf(const PositionList *list, int64 order)
{
	int32 low = 0;
	int32 high = list->count;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;
		xmlNodePtr other = *(xmlNodePtr *) PositionListGet(list, middle);

		if (((XmlPlace *) other->_private)->order < order)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds a child to its lists. */
static void
AddToLists(XmlChildIndex *index, xmlNodePtr node)
{
	PositionList *lists[MOST_LISTS];
	int count = ListsOf(index, node, lists);

	for (int i = 0; i < count; i++)
	{
		int32 position = node->next == NULL ? lists[i]->count
											: PositionOf(lists[i], PlaceOf(index, node)->order);

		*(xmlNodePtr *) PositionListInsert(lists[i], position) = node;
	}
}

/* Numbers children, with gaps. */
static void
OrderChildren(XmlChildIndex *index, xmlNodePtr parent)
{
	int64 order = 0;

	for (xmlNodePtr node = parent->children; node != NULL; node = node->next)
	{
		CHECK_FOR_INTERRUPTS();
		PlaceOf(index, node)->order = order;
		order += ORDER_STEP;
	}
}

/* Indexes the children of an element. */
static void
IndexChildren(XmlChildIndex *index, xmlNodePtr parent)
{
	OrderChildren(index, parent);
	PlaceOf(index, parent)->number = ++index->elements;
	for (xmlNodePtr node = parent->children; node != NULL; node = node->next)
	{
		CHECK_FOR_INTERRUPTS();
		AddToLists(index, node);
	}
}

xmlNodePtr
FindXmlChild(XmlChildIndex *index, xmlNodePtr parent, const XmlNodeTest *test, int32 position)
{
	const PositionList *list;

	if (!IsIndexed(parent))
	{
		int32 walked = 0;
		int32 found = 0;
		xmlNodePtr node = parent->children;

		for (; node != NULL && (walked < MOST_WALKED || parent->type != XML_ELEMENT_NODE);
			 node = node->next)
		{
			CHECK_FOR_INTERRUPTS();
			walked++;
			if (XmlNodeMatches(test, node) && ++found == position)
				return node;
		}
		if (node == NULL)
			return NULL;
		IndexChildren(index, parent);
	}
	list = ListOf(index, parent, test);
	return position >= 1 && position <= list->count
			   ? *(xmlNodePtr *) PositionListGet(list, position - 1)
			   : NULL;
}

/* Sets the order of a child between its neighbours. */
static void
SetOrder(XmlChildIndex *index, xmlNodePtr node)
{
	const XmlPlace *before = node->prev == NULL ? NULL : node->prev->_private;
	const XmlPlace *after = node->next == NULL ? NULL : node->next->_private;
	XmlPlace *place = PlaceOf(index, node);

	if (before == NULL)
		place->order = after == NULL ? 0 : after->order - ORDER_STEP;
	else if (after == NULL)
		place->order = before->order + ORDER_STEP;
	else if (after->order - before->order >= 2)
		place->order = before->order + Min((after->order - before->order) / 2, ORDER_NEAR);
	else
		OrderChildren(index, node->parent);
}

/* Indexes a node that has been linked, if its siblings are indexed. */
void
XmlChildLinked(XmlChildIndex *index, xmlNodePtr node)
{
	if (!IsIndexed(node->parent))
		return;
	SetOrder(index, node);
	AddToLists(index, node);
}

/* Removes a node that is going to be unlinked from the index. */
void
XmlChildToUnlink(XmlChildIndex *index, xmlNodePtr node)
{
	PositionList *lists[MOST_LISTS];
	int count;

	if (!IsIndexed(node->parent))
		return;
	count = ListsOf(index, node, lists);
	for (int i = 0; i < count; i++)
		PositionListRemove(lists[i], PositionOf(lists[i], PlaceOf(index, node)->order));
}

#endif /* USE_LIBXML */
