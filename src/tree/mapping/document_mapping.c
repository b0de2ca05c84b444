/*
 * document_mapping.c
 *	  The SQL functions json_edit_mapping() and xml_edit_mapping(), with paths that
 *	  PostgreSQL's own functions of these types accept.
 *
 * The mapping of XML is that of tree_edit_mapping(); the mapping of JSON is that of
 * json_edit_distance(), in which the members of an object have no order.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/messages.h"
#include "../../compat.h"
#include "../../catalog/row_type.h"
#include "../convert/convert.h"
#include "../costs/cost_type.h"
#include "../convert/json_pointer.h"
#include "../distance/compared_trees.h"
#include "../distance/json_distance.h"
#include "../../engine/session.h"
#include "../convert/json_labels.h"
#include "mapped_trees.h"
#include "../convert/xml_places.h"

#define MAPPING "tree edit mapping"

/* The most columns of a side. */
#define SIDE_COLUMNS 4

/* A node on a path. */
typedef struct PathLevel
{
	int32 node;
	int length; /* bytes of its path */
	int steps;  /* JSON only: steps of its path */
} PathLevel;

/* A side of the mapping, and the path of the node described last. */
typedef struct PathSide
{
	const MappedTree *mapped;
	int depth;           /* depth of that node; -1 at first */
	PathLevel *on_path;  /* by depth: nodes on the path to it */
	StringInfoData path; /* path of that node */
	Datum *steps;        /* JSON only: steps of that path, as text */
	XmlPlaces *places;   /* XML only */
	int32 *number;       /* XML only, by node: position among the elements that the step matches */
} PathSide;

/* The state of writing a mapping. */
typedef struct DocumentMapping
{
	MappedTrees pair;
	PathSide left;
	PathSide right;
	ReturnSetInfo *result;
	int columns; /* number of columns of a side */
	MemoryContext row;
	void (*append_step)(const struct DocumentMapping *mapping, PathSide *side, int32 node,
						int depth);
} DocumentMapping;

/* Replaces a step of a path.  Steps outlast the memory context of a row. */
static void
KeepStep(Datum *steps, int step, const char *bytes, int length)
{
	MemoryContext row = MemoryContextSwitchTo(GetMemoryChunkContext(steps));

	if (DatumGetPointer(steps[step]) != NULL)
		pfree(DatumGetPointer(steps[step]));
	steps[step] = PointerGetDatum(cstring_to_text_with_len(bytes, length));
	MemoryContextSwitchTo(row);
}

/* Appends the step to a node of a JSON document.  The step from a key to its value is empty. */
static void
AppendJsonStep(const DocumentMapping *mapping, PathSide *side, int32 node, int depth)
{
	const MappedTree *mapped = side->mapped;
	int32 parent = mapped->parent[node];
	int before = depth == 0 ? 0 : side->on_path[depth - 1].steps;
	char index[12];

	side->on_path[depth].steps = before;
	if (parent < 0)
		return;
	if (mapped->kind[parent] == NODE_ARRAY)
	{
		AppendPointerIndex(&side->path, mapped->ordinal[node]);
		KeepStep(side->steps, before, index,
				 snprintf(index, sizeof(index), "%d", mapped->ordinal[node]));
	}
	else if (mapped->kind[parent] == NODE_OBJECT)
	{
		Label key;

		if (!JsonKeyOfLabel(NodeLabel(&mapping->pair, mapped, node), &key))
			elog(ERROR, "a node of an object is not a key");
		AppendPointerKey(&side->path, key);
		KeepStep(side->steps, before, key.bytes, key.length);
	}
	else
		return;
	side->on_path[depth].steps++;
}

/* Appends the step to a node of an XML document. */
static void
AppendXmlStep(const DocumentMapping *mapping, PathSide *side, int32 node, int depth)
{
	const XmlPlace *place = &side->places->by_node[side->mapped->preorder[node]];
	Label label = NodeLabel(&mapping->pair, side->mapped, node);
	StringInfo path = &side->path;
	const char *name;

	switch (place->kind)
	{
		case PLACE_NAMED_ELEMENT:
			if (depth == 0 && IS_HIGHBIT_SET(label.bytes[0]))
				appendStringInfoString(path, "/*"); /* libxml2 finds no such name after "/" */
			else
				appendStringInfo(path, "/%.*s", label.length, label.bytes);
			if (depth > 0)
				appendStringInfo(path, "[%d]", side->number[node]);
			break;
		case PLACE_NAMESPACE_ELEMENT:
		case PLACE_ELEMENT:
			appendStringInfoString(path, "/*");
			if (place->kind == PLACE_NAMESPACE_ELEMENT)
				appendStringInfo(path, "[local-name()=\"%.*s\"]", label.length, label.bytes);
			if (depth > 0)
				appendStringInfo(path, "[%d]", side->number[node]);
			break;
		case PLACE_ATTRIBUTE:
			if (side->mapped->children[node] == 0)
				break; /* a value has the path of its attribute */
			name = ValueToServer(place->name, (int) strlen(place->name), PG_UTF8);
			if (strchr(name, ':') == NULL || strncmp(name, "xml:", 4) == 0)
				appendStringInfo(path, "/@%s", name);
			else
				appendStringInfo(path, "/@*[name()=\"%s\"]", name);
			break;
		case PLACE_TEXT:
			if (place->first == place->last)
				appendStringInfo(path, "/text()[%d]", place->first);
			else
				appendStringInfo(path, "/text()[position() >= %d and position() <= %d]",
								 place->first, place->last);
			break;
	}
}

/* Numbers of elements with a label among the children of a node. */
typedef struct NameCount
{
	int32 parent; /* the node */
	int32 named;  /* elements without a namespace */
	int32 all;
} NameCount;

/*
 * Numbers elements among their siblings with the same name.  Elements without a namespace
 * are numbered among each other.  Elements whose name XPath cannot express are numbered
 * among all sibling elements, and so are siblings of these that are in a namespace.
 */
static void
NumberElements(DocumentMapping *mapping, PathSide *side)
{
	const MappedTree *mapped = side->mapped;
	const TedTree *tree = &mapped->tree;
	int32 labels = LabelTableCount(mapping->pair.labels);
	NameCount *counts = palloc_array(NameCount, labels);

	side->number = palloc0_array(int32, tree->size);
	for (int32 label = 0; label < labels; label++)
		counts[label].parent = -1;
	for (int32 x = 0; x < tree->size; x++)
	{
		bool has_unnamed = false;

		for (int pass = 0; pass < 2; pass++)
			for (int32 c = x - 1; c > x - tree->subtree_size[x]; c -= tree->subtree_size[c])
			{
				XmlPlace *place = &side->places->by_node[mapped->preorder[c]];
				bool is_named = place->kind == PLACE_NAMED_ELEMENT;
				NameCount *count = &counts[tree->label[c]];

				CHECK_FOR_INTERRUPTS();
				if (has_unnamed && place->kind == PLACE_NAMESPACE_ELEMENT)
					place->kind = PLACE_ELEMENT;
				if (place->kind == PLACE_ELEMENT)
				{
					side->number[c] = place->first;
					has_unnamed = true;
				}
				if (!is_named && place->kind != PLACE_NAMESPACE_ELEMENT)
					continue;
				if (count->parent != x)
					*count = (NameCount){.parent = x};
				if (pass == 0)
				{
					count->named += is_named;
					count->all++;
				}
				else
				{
					side->number[c] = is_named ? count->named : count->all;
					count->named -= is_named;
					count->all--;
				}
			}
	}
	pfree(counts);
}

/* Writes the path of a node, from where it leaves the path of the previous node. */
static void
WritePath(const DocumentMapping *mapping, PathSide *side, int32 node)
{
	int depth = side->mapped->tree.depth[node];
	int kept = depth;

	for (int32 x = node; kept >= 0 && (kept > side->depth || side->on_path[kept].node != x);
		 x = side->mapped->parent[x])
		side->on_path[kept--].node = x;
	side->path.len = kept < 0 ? 0 : side->on_path[kept].length;
	side->path.data[side->path.len] = '\0';
	while (kept++ < depth)
	{
		CHECK_FOR_INTERRUPTS();
		mapping->append_step(mapping, side, side->on_path[kept].node, kept);
		side->on_path[kept].length = side->path.len;
	}
	side->depth = depth;
}

/* Sets the columns of a side for a node. */
static void
DescribeDocumentNode(DocumentMapping *mapping, PathSide *side, int32 node, Datum *values,
					 bool *nulls)
{
	Label label = NodeLabel(&mapping->pair, side->mapped, node);
	int column = 0;

	WritePath(mapping, side, node);
	values[column++] = Int32GetDatum(side->mapped->preorder[node] + 1);
	values[column++] = CStringGetTextDatum(side->path.data);
	if (side->steps != NULL)
		values[column++] = PointerGetDatum(construct_array(
			side->steps, side->on_path[side->depth].steps, TEXTOID, -1, false, TYPALIGN_INT));
	values[column++] = PointerGetDatum(cstring_to_text_with_len(label.bytes, label.length));
	memset(nulls, false, (size_t) column);
}

/* Writes the row of a node of each side; -1 stands for a side without a node. */
static void
EmitDocumentRow(DocumentMapping *mapping, int32 x, int32 y)
{
	PathSide *left = &mapping->left;
	PathSide *right = &mapping->right;
	Datum values[1 + 2 * SIDE_COLUMNS] = {0};
	bool nulls[1 + 2 * SIDE_COLUMNS];
	const char *operation = y < 0 ? "delete" : "insert";
	MemoryContext caller = MemoryContextSwitchTo(mapping->row);

	CHECK_FOR_INTERRUPTS();
	memset(nulls, true, sizeof(nulls));
	if (x >= 0)
		DescribeDocumentNode(mapping, left, x, values + 1, nulls + 1);
	if (y >= 0)
		DescribeDocumentNode(mapping, right, y, values + 1 + mapping->columns,
							 nulls + 1 + mapping->columns);
	if (x >= 0 && y >= 0)
		operation =
			left->mapped->tree.label[x] == right->mapped->tree.label[y] ? "match" : "rename";
	values[0] = CStringGetTextDatum(operation);
	nulls[0] = false;
	tuplestore_putvalues(mapping->result->setResult, mapping->result->setDesc, values, nulls);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(mapping->row);
}

/*
 * Writes the rows of inserted nodes of the right side, from preorder number `next` up to
 * the first node with a partner.
 */
static void
EmitInsertions(DocumentMapping *mapping, int32 next)
{
	const MappedTree *mapped = mapping->right.mapped;

	for (; next < mapped->tree.size && mapped->map[mapped->postorder[next]] < 0; next++)
		EmitDocumentRow(mapping, -1, mapped->postorder[next]);
}

/* Prepares a side. */
static void
InitPathSide(PathSide *side, const MappedTree *mapped)
{
	side->mapped = mapped;
	side->depth = -1;
	side->on_path = palloc_array(PathLevel, mapped->tree.height + 1);
	initStringInfo(&side->path);
}

/*
 * Writes all rows, in preorder of the left side.  The rows of inserted nodes follow the row
 * of the node that precedes them on the right side, and the rows of nodes deleted after
 * that one.
 */
static void
EmitDocumentMapping(DocumentMapping *mapping)
{
	const MappedTree *left = mapping->left.mapped;
	const MappedTree *right = mapping->right.mapped;
	int32 next = 0;

	mapping->row =
		AllocSetContextCreate(CurrentMemoryContext, "edit mapping row", ALLOCSET_DEFAULT_SIZES);
	for (int32 i = 0; i < left->tree.size; i++)
	{
		int32 x = left->postorder[i];
		int32 y = left->map[x];

		if (y >= 0)
			EmitInsertions(mapping, next);
		EmitDocumentRow(mapping, x, y);
		if (y >= 0)
			next = right->preorder[y] + 1;
	}
	EmitInsertions(mapping, next);
}

/* Maps two JSON documents by a cost model. */
static void
MapJson(MappedTrees *pair, Datum a, Datum b, const CostModel *model)
{
	int64 nodes = (int64) TreeSize(a) + TreeSize(b);
	Size bytes = TreeDecodedBytes(a) + TreeDecodedBytes(b) + 3 * sizeof(int32) * (Size) nodes +
				 RelabelBytes(model, nodes);
	ModelCosts *costs;
	TedTree relabelled[2];
	uint8 *kind;
	ComparedTrees compared;

	BeginComparison(&compared, a, b);
	CheckMemoryLimit(bytes, COMPARING_JSON);
	pair->labels = LabelTableCreate();
	DecodeMappedTree(pair, &pair->a, DatumGetTree(a));
	DecodeMappedTree(pair, &pair->b, DatumGetTree(b));
	costs = ModelCostsCreate(model, pair->labels, NO_MARKS);
	RelabelTree(costs, &pair->a.tree, &relabelled[0]);
	RelabelTree(costs, &pair->b.tree, &relabelled[1]);
	CheckCostsFit(ModelTedCosts(costs), &relabelled[0], &relabelled[1]);
	kind =
		JsonKinds(&relabelled[0], &relabelled[1], pair->labels, costs, (ArrayOrder) model->arrays);
	JsonMapping(&(TedJson){&relabelled[0], kind}, &(TedJson){&relabelled[1], kind},
				CostModelIsUnit(model) ? NULL : ModelTedCosts(costs), bytes, pair->a.map,
				pair->b.map);
	EndComparison(&compared);
}

PG_FUNCTION_INFO_V1(json_edit_mapping);

/* Returns a mapping between two JSON documents whose cost is json_edit_distance(). */
Datum
json_edit_mapping(PG_FUNCTION_ARGS)
{
	DocumentMapping mapping = {
		.pair.syntax = SYNTAX_JSON, .append_step = AppendJsonStep, .columns = 4};

	InitRows(fcinfo, "sisSsisSs");
	mapping.result = (ReturnSetInfo *) fcinfo->resultinfo;
	MapJson(&mapping.pair, DirectFunctionCall1(jsonb_tree, PG_GETARG_DATUM(0)),
			DirectFunctionCall1(jsonb_tree, PG_GETARG_DATUM(1)), ArgumentJsonCostModel(fcinfo, 2));
	IndexTrees(&mapping.pair, COMPARING_JSON);
	InitPathSide(&mapping.left, &mapping.pair.a);
	InitPathSide(&mapping.right, &mapping.pair.b);
	mapping.left.steps = palloc0_array(Datum, mapping.pair.a.tree.height + 1);
	mapping.right.steps = palloc0_array(Datum, mapping.pair.b.tree.height + 1);
	EmitDocumentMapping(&mapping);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(xml_edit_mapping);

#ifdef USE_LIBXML

/* Returns an optimal edit mapping between two XML documents. */
Datum
xml_edit_mapping(PG_FUNCTION_ARGS)
{
	DocumentMapping mapping = {
		.pair.has_ignored = true, .append_step = AppendXmlStep, .columns = 3};
	XmlPlaces places[2];
	Datum trees[2];

	InitRows(fcinfo, "sississ");
	mapping.result = (ReturnSetInfo *) fcinfo->resultinfo;
	for (int i = 0; i < 2; i++)
		trees[i] = ConvertXmlWithPlaces(PG_GETARG_DATUM(i), &places[i]);
	MapValues(&mapping.pair, DatumGetTree(trees[0]), DatumGetTree(trees[1]),
			  ArgumentModelUnlessUnit(fcinfo, 2), MAPPING_OPTIMAL, MAPPING);
	IndexTrees(&mapping.pair, MAPPING);
	InitPathSide(&mapping.left, &mapping.pair.a);
	InitPathSide(&mapping.right, &mapping.pair.b);
	mapping.left.places = &places[0];
	mapping.right.places = &places[1];
	NumberElements(&mapping, &mapping.left);
	NumberElements(&mapping, &mapping.right);
	EmitDocumentMapping(&mapping);
	return (Datum) 0;
}

#else

/* Raises an error, since parsing XML needs libxml2. */
Datum
xml_edit_mapping(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	return NoXmlSupport();
}

#endif
