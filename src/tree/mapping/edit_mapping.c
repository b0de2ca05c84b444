/*
 * edit_mapping.c
 *	  The SQL functions tree_edit_mapping(), json_edit_mapping() and xml_edit_mapping(): an edit
 *	  script, row by row.
 *
 * The paths of JSON and XML are those that PostgreSQL's own functions of these types accept.  The
 * mapping of JSON is that of json_edit_distance(), in which the members of an object have no order.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "../../catalog/row_type.h"
#include "../../common/host.h"
#include "../../compat.h"
#include "../../engine/session.h"
#include "../convert/convert.h"
#include "../convert/json_labels.h"
#include "../convert/node_paths.h"
#include "../costs/cost_type.h"
#include "../costs/model_costs.h"
#include "../distance/compared_trees.h"
#include "../distance/json_distance.h"
#include "tree_mapping.h"

#define MAPPING "tree edit mapping"

/* Copies of a row's paths and labels: values, a tuple in memory, and a tuple in the tuplestore. */
#define ROW_COPIES 3

/* The most columns of a side, and of a row. */
#define SIDE_COLUMNS 4
#define MOST_COLUMNS (2 + 2 * SIDE_COLUMNS)

/* One of the trees. */
typedef struct MappingSide
{
	NodePaths paths;
	TedTree relabelled; /* with the labels for the costs */
	int32 *map;         /* partner of each node, or -1 */
} MappingSide;

/* A mapping of two trees. */
typedef struct EditMapping
{
	LabelTable *labels;
	ModelCosts *costs;
	MappingSide side[2];
	Size bytes; /* upper bound on the memory of all this */

	ReturnSetInfo *result;
	MemoryContext row;
} EditMapping;

/*
 * Decodes two trees, and gives them labels for a cost model.  By labels, the paths of a tree of
 * JSON are JSON Pointers.  `places` is NULL but for XML; `what` names the computation in errors
 * about memory.
 */
static void
OpenMapping(EditMapping *mapping, const Datum *trees, PathLanguage language, XmlPlaces *places,
			const CostModel *model, const char *what)
{
	int64 nodes = (int64) TreeSize(trees[0]) + TreeSize(trees[1]);

	*mapping = (EditMapping){.bytes = RelabelBytes(model, nodes) + PatternCheckBytes(model, nodes) +
									  sizeof(int32) * (Size) nodes};
	for (int i = 0; i < 2; i++)
		mapping->bytes += NodePathsBytes(trees[i]);
	CheckMemoryLimit(mapping->bytes, what);
	mapping->labels = LabelTableCreate();
	for (int i = 0; i < 2; i++)
	{
		const Tree *tree = DatumGetTree(trees[i]);
		MappingSide *side = &mapping->side[i];

		NodePathsInit(&side->paths,
					  language == PATHS_BY_LABEL && IsJsonTree(tree) ? PATHS_OF_JSON : language,
					  tree, mapping->labels, places == NULL ? NULL : &places[i]);
		side->map = palloc_array(int32, side->paths.tree.size);
	}
	mapping->costs = ModelCostsCreate(model, mapping->labels, NO_MARKS);
	WarnOfUnusedPatterns(mapping->costs, &mapping->side[0].paths.tree,
						 &mapping->side[1].paths.tree);
	for (int i = 0; i < 2; i++)
		RelabelTree(mapping->costs, &mapping->side[i].paths.tree, &mapping->side[i].relabelled);
}

/* Maps two trees, in the order of their nodes. */
static void
MapInOrder(EditMapping *mapping, const Datum *trees, PathLanguage language, XmlPlaces *places,
		   const CostModel *model, MappingKind kind)
{
	ComparedTrees compared;

	BeginComparison(&compared, trees[0], trees[1]);
	OpenMapping(mapping, trees, language, places, model, MAPPING);
	MapTrees(&mapping->side[0].relabelled, &mapping->side[1].relabelled,
			 ModelTedCosts(mapping->costs), kind, mapping->side[0].map, mapping->side[1].map);
	EndComparison(&compared);
}

/* Returns the cost of an operation; -1 stands for a side without a node. */
static float8
OperationCost(const EditMapping *mapping, int32 x, int32 y)
{
	const TedCosts *costs = ModelTedCosts(mapping->costs);
	const int32 *from = mapping->side[0].relabelled.label;
	const int32 *to = mapping->side[1].relabelled.label;

	return CostInModel(mapping->costs, x < 0   ? ted_insert_cost(costs, to[y])
									   : y < 0 ? ted_delete_cost(costs, from[x])
											   : ted_rename_cost(costs, from[x], to[y]));
}

/* Writes the row of a node of each tree; -1 stands for a tree without a node. */
static void
EmitOperation(EditMapping *mapping, int32 x, int32 y)
{
	const int32 node[] = {x, y};
	int side_columns = mapping->side[0].paths.steps != NULL ? 4 : 3;
	int cost = 1 + 2 * side_columns;
	Datum values[MOST_COLUMNS] = {0};
	bool nulls[MOST_COLUMNS];
	Label label[2];
	Size bytes = 0;
	const char *operation = y < 0 ? "delete" : "insert";
	MemoryContext caller = MemoryContextSwitchTo(mapping->row);

	CHECK_FOR_INTERRUPTS();
	for (int i = 0; i < 2; i++)
		if (node[i] >= 0)
		{
			NodePaths *paths = &mapping->side[i].paths;

			WritePath(paths, node[i]);
			label[i] = LabelTableGet(mapping->labels, paths->tree.label[node[i]]);
			bytes += (Size) paths->path.len + (Size) label[i].length;
		}
	CheckMemoryLimit(ROW_COPIES * bytes, MAPPING);

	if (x >= 0 && y >= 0)
		operation = mapping->side[0].paths.tree.label[x] == mapping->side[1].paths.tree.label[y]
						? "match"
						: "rename";
	memset(nulls, true, sizeof(nulls));
	values[0] = CStringGetTextDatum(operation);
	nulls[0] = false;
	for (int i = 0; i < 2; i++)
		if (node[i] >= 0)
		{
			const NodePaths *paths = &mapping->side[i].paths;
			int first = 1 + i * side_columns;
			int column = first;

			values[column++] = Int32GetDatum(paths->preorder[node[i]] + 1);
			values[column++] =
				PointerGetDatum(cstring_to_text_with_len(paths->path.data, paths->path.len));
			if (paths->steps != NULL)
				values[column++] = PointerGetDatum(
					construct_array(paths->steps, paths->on_path[paths->depth].steps, TEXTOID, -1,
									false, TYPALIGN_INT));
			values[column++] =
				PointerGetDatum(cstring_to_text_with_len(label[i].bytes, label[i].length));
			memset(nulls + first, false, (size_t) side_columns);
		}
	if (cost < mapping->result->setDesc->natts) /* as tree_edit_mapping() has */
	{
		values[cost] = Float8GetDatum(OperationCost(mapping, x, y));
		nulls[cost] = false;
	}
	tuplestore_putvalues(mapping->result->setResult, mapping->result->setDesc, values, nulls);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(mapping->row);
}

/*
 * Writes the rows of inserted nodes of the second tree, from preorder number `next` up to the first
 * node with a partner.
 */
static void
EmitInsertions(EditMapping *mapping, int32 next)
{
	const MappingSide *right = &mapping->side[1];
	const int32 *postorder = right->paths.postorder;

	for (; next < right->paths.tree.size && right->map[postorder[next]] < 0; next++)
		EmitOperation(mapping, -1, postorder[next]);
}

/*
 * Writes all rows, in preorder of the first tree.  The rows of inserted nodes follow the row of the
 * node that precedes them in the second tree, and the rows of nodes deleted after that one.
 */
static void
EmitMapping(FunctionCallInfo fcinfo, EditMapping *mapping)
{
	const MappingSide *left = &mapping->side[0];
	int32 next = 0;

	mapping->result = (ReturnSetInfo *) fcinfo->resultinfo;
	mapping->row =
		AllocSetContextCreate(CurrentMemoryContext, "edit mapping row", ALLOCSET_DEFAULT_SIZES);
	for (int32 i = 0; i < left->paths.tree.size; i++)
	{
		int32 x = left->paths.postorder[i];
		int32 y = left->map[x];

		if (y >= 0)
			EmitInsertions(mapping, next);
		EmitOperation(mapping, x, y);
		if (y >= 0)
			next = mapping->side[1].paths.preorder[y] + 1;
	}
	EmitInsertions(mapping, next);
}

PG_FUNCTION_INFO_V1(tree_edit_mapping);

/* Returns an edit mapping between two trees; the cost of an optimal one is their distance. */
Datum
tree_edit_mapping(PG_FUNCTION_ARGS)
{
	const CostModel *model = ArgumentCostModel(fcinfo, 2);
	MappingKind kind = PG_GETARG_BOOL(3) ? MAPPING_APPROXIMATE : MAPPING_OPTIMAL;
	Datum trees[] = {PG_GETARG_DATUM(0), PG_GETARG_DATUM(1)};
	EditMapping mapping;

	InitRows(fcinfo, "sississd");
	MapInOrder(&mapping, trees, PATHS_BY_LABEL, NULL, model, kind);
	EmitMapping(fcinfo, &mapping);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(json_edit_mapping);

/* Returns a mapping between two JSON documents whose cost is json_edit_distance(). */
Datum
json_edit_mapping(PG_FUNCTION_ARGS)
{
	const CostModel *model = ArgumentJsonCostModel(fcinfo, 2);
	Datum trees[] = {DirectFunctionCall1(jsonb_tree, PG_GETARG_DATUM(0)),
					 DirectFunctionCall1(jsonb_tree, PG_GETARG_DATUM(1))};
	EditMapping mapping;
	MappingSide *left = &mapping.side[0];
	MappingSide *right = &mapping.side[1];
	const TedCosts *costs;
	uint8 *kind;
	ComparedTrees compared;

	InitRows(fcinfo, "sisSsisSs");
	BeginComparison(&compared, trees[0], trees[1]);
	OpenMapping(&mapping, trees, PATHS_OF_JSON, NULL, model, COMPARING_JSON);
	costs = ModelTedCosts(mapping.costs);
	CheckCostsFit(costs, &left->relabelled, &right->relabelled);
	kind = JsonKinds(&left->relabelled, &right->relabelled, mapping.labels, mapping.costs,
					 (ArrayOrder) model->arrays);
	JsonMapping(&(TedJson){&left->relabelled, kind}, &(TedJson){&right->relabelled, kind},
				CostModelIsUnit(model) ? NULL : costs, mapping.bytes, left->map, right->map);
	EndComparison(&compared);
	for (int i = 0; i < 2; i++)
		mapping.side[i].paths.steps = palloc0_array(Datum, mapping.side[i].paths.tree.height + 1);
	EmitMapping(fcinfo, &mapping);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(xml_edit_mapping);

#ifdef USE_LIBXML

/* Returns an optimal edit mapping between two XML documents. */
Datum
xml_edit_mapping(PG_FUNCTION_ARGS)
{
	EditMapping mapping;
	XmlPlaces places[2];
	Datum trees[2];

	InitRows(fcinfo, "sississ");
	for (int i = 0; i < 2; i++)
		trees[i] = ConvertXmlWithPlaces(PG_GETARG_DATUM(i), &places[i]);
	MapInOrder(&mapping, trees, PATHS_OF_XML, places, ArgumentCostModel(fcinfo, 2),
			   MAPPING_OPTIMAL);
	EmitMapping(fcinfo, &mapping);
	return (Datum) 0;
}

#else

NO_XML_FUNCTION(xml_edit_mapping);

#endif
