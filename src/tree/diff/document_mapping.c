/*
 * document_mapping.c
 *	  The SQL functions json_edit_mapping() and xml_edit_mapping(): tree_edit_mapping()
 *	  of two documents, with paths that PostgreSQL's own functions of the types take.
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
#include "../../compat.h"
#include "../convert/convert.h"
#include "../costs/cost_type.h"
#include "../convert/json_pointer.h"
#include "../convert/json_writer.h"
#include "mapped_trees.h"
#include "../convert/xml_places.h"

#define MAPPING "tree edit mapping"

/* Most columns of a side. */
#define SIDE_COLUMNS 4

/* A side of the mapping: what was written so far, and the path of the current node. */
typedef struct PathSide
{
	const MappedTree *mapped;
	int32 next;          /* preorder number of the next node to come */
	StringInfoData path; /* of the current node */
	int *length;         /* by depth: bytes of the path of the node at that depth */
	Datum *steps;        /* of JSON: steps to the current node, as text */
	int *step_count;     /* by depth */
	XmlPlaces *places;   /* of XML */
	int32 *number;       /* of XML, by node: number among elements that the step finds */
} PathSide;

typedef struct DocumentMapping
{
	MappedTrees pair;
	PathSide left;
	PathSide right;
	ReturnSetInfo *result;
	int columns; /* of a side */
	void (*append_step)(const struct DocumentMapping *mapping, PathSide *side, int32 node,
						int depth);
} DocumentMapping;

/* Keeps a step, which stays as rows come and go, in place of another one. */
static void
KeepStep(Datum *steps, int step, const char *bytes, int length)
{
	MemoryContext row = MemoryContextSwitchTo(GetMemoryChunkContext(steps));

	if (DatumGetPointer(steps[step]) != NULL)
		pfree(DatumGetPointer(steps[step]));
	steps[step] = PointerGetDatum(cstring_to_text_with_len(bytes, length));
	MemoryContextSwitchTo(row);
}

/* Appends the step to a node of a JSON document; a value has the path of its key. */
static void
AppendJsonStep(const DocumentMapping *mapping, PathSide *side, int32 node, int depth)
{
	const MappedTree *mapped = side->mapped;
	int32 parent = mapped->parent[node];
	int before = depth == 0 ? 0 : side->step_count[depth - 1];
	char index[12];

	side->step_count[depth] = before;
	if (parent < 0)
		return;
	if (IsJsonArray(NodeLabel(&mapping->pair, mapped, parent)))
	{
		AppendPointerIndex(&side->path, mapped->ordinal[node]);
		KeepStep(side->steps, before, index,
				 snprintf(index, sizeof(index), "%d", mapped->ordinal[node]));
	}
	else if (IsJsonObject(NodeLabel(&mapping->pair, mapped, parent)))
	{
		Label key;

		if (!JsonKeyOfLabel(NodeLabel(&mapping->pair, mapped, node), &key))
			elog(ERROR, "a node of an object is not a key");
		AppendPointerKey(&side->path, key);
		KeepStep(side->steps, before, key.bytes, key.length);
	}
	else
		return;
	side->step_count[depth]++;
}

/* Appends the step to a node of an XML document. */
static void
AppendXmlStep(const DocumentMapping *mapping, PathSide *side, int32 node, int depth)
{
	const XmlPlace *place = &side->places->by_node[side->next];
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
			name = pg_any_to_server(place->name, (int) strlen(place->name), PG_UTF8);
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

/* Counts of elements with a label among the children of a node. */
typedef struct NameCount
{
	int32 parent; /* the counts are of its children */
	int32 named;  /* without a namespace */
	int32 all;
} NameCount;

/*
 * Numbers elements among their siblings of the same name, those without a namespace among each
 * other.  Elements without a name that XPath knows have a number among all elements, and so have
 * those in a namespace next to them.
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

/* Moves a side to its next node, and fills its columns. */
static int32
DescribeNode(DocumentMapping *mapping, PathSide *side, Datum *values, bool *nulls)
{
	int32 node = side->mapped->postorder[side->next];
	int depth = side->mapped->tree.depth[node];
	Label label = NodeLabel(&mapping->pair, side->mapped, node);
	int column = 0;

	side->path.len = depth == 0 ? 0 : side->length[depth - 1];
	side->path.data[side->path.len] = '\0';
	mapping->append_step(mapping, side, node, depth);
	side->length[depth] = side->path.len;
	side->next++;

	values[column++] = Int32GetDatum(side->next);
	values[column++] = CStringGetTextDatum(side->path.data);
	if (side->steps != NULL)
		values[column++] = PointerGetDatum(construct_array(side->steps, side->step_count[depth],
														   TEXTOID, -1, false, TYPALIGN_INT));
	values[column++] = PointerGetDatum(cstring_to_text_with_len(label.bytes, label.length));
	memset(nulls, false, (size_t) column);
	return node;
}

/* Whether the next node of a side has no partner. */
static bool
NextIsAlone(const PathSide *side)
{
	return side->next < side->mapped->tree.size &&
		   side->mapped->map[side->mapped->postorder[side->next]] < 0;
}

/* Writes the row of the next nodes: both trees in preorder, deletions before insertions. */
static void
EmitRow(DocumentMapping *mapping)
{
	PathSide *left = &mapping->left;
	PathSide *right = &mapping->right;
	Datum values[1 + 2 * SIDE_COLUMNS] = {0};
	bool nulls[1 + 2 * SIDE_COLUMNS];
	bool only_left = NextIsAlone(left);
	bool only_right = !only_left && NextIsAlone(right);
	const char *operation = only_left ? "delete" : "insert";
	int32 x = -1;
	int32 y = -1;

	memset(nulls, true, sizeof(nulls));
	if (!only_right)
		x = DescribeNode(mapping, left, values + 1, nulls + 1);
	if (!only_left)
		y = DescribeNode(mapping, right, values + 1 + mapping->columns,
						 nulls + 1 + mapping->columns);
	if (x >= 0 && y >= 0)
		operation =
			left->mapped->tree.label[x] == right->mapped->tree.label[y] ? "match" : "rename";
	values[0] = CStringGetTextDatum(operation);
	nulls[0] = false;
	tuplestore_putvalues(mapping->result->setResult, mapping->result->setDesc, values, nulls);
}

/* Prepares a side. */
static void
InitSide(PathSide *side, const MappedTree *mapped)
{
	int levels = mapped->tree.height + 1;

	side->mapped = mapped;
	side->next = 0;
	initStringInfo(&side->path);
	side->length = palloc_array(int, levels);
	side->step_count = palloc_array(int, levels);
}

/* Writes all rows. */
static void
EmitMapping(DocumentMapping *mapping)
{
	const PathSide *left = &mapping->left;
	const PathSide *right = &mapping->right;
	MemoryContext row =
		AllocSetContextCreate(CurrentMemoryContext, "edit mapping row", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(row);

	while (left->next < left->mapped->tree.size || right->next < right->mapped->tree.size)
	{
		CHECK_FOR_INTERRUPTS();
		EmitRow(mapping);
		MemoryContextReset(row);
	}
	MemoryContextSwitchTo(caller);
}

/* Maps the trees of both documents, by the costs of the third argument, if any. */
static void
MapDocuments(FunctionCallInfo fcinfo, DocumentMapping *mapping, Datum a, Datum b)
{
	mapping->pair.has_ignored = true;
	MapValues(&mapping->pair, DatumGetTree(a), DatumGetTree(b), ArgumentModelUnlessUnit(fcinfo, 2),
			  MAPPING_OPTIMAL, MAPPING);
	IndexTrees(&mapping->pair, MAPPING);
}

PG_FUNCTION_INFO_V1(json_edit_mapping);

/* An optimal edit mapping between two JSON documents. */
Datum
json_edit_mapping(PG_FUNCTION_ARGS)
{
	DocumentMapping mapping = {.append_step = AppendJsonStep, .columns = 4};

	InitMaterializedSRF(fcinfo, 0);
	mapping.result = (ReturnSetInfo *) fcinfo->resultinfo;
	MapDocuments(fcinfo, &mapping, DirectFunctionCall1(jsonb_tree, PG_GETARG_DATUM(0)),
				 DirectFunctionCall1(jsonb_tree, PG_GETARG_DATUM(1)));
	InitSide(&mapping.left, &mapping.pair.a);
	InitSide(&mapping.right, &mapping.pair.b);
	mapping.left.steps = palloc0_array(Datum, mapping.pair.a.tree.height + 1);
	mapping.right.steps = palloc0_array(Datum, mapping.pair.b.tree.height + 1);
	EmitMapping(&mapping);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(xml_edit_mapping);

#ifdef USE_LIBXML

/* An optimal edit mapping between two XML documents. */
Datum
xml_edit_mapping(PG_FUNCTION_ARGS)
{
	DocumentMapping mapping = {.append_step = AppendXmlStep, .columns = 3};
	XmlPlaces places[2];
	Datum trees[2];

	InitMaterializedSRF(fcinfo, 0);
	mapping.result = (ReturnSetInfo *) fcinfo->resultinfo;
	for (int i = 0; i < 2; i++)
		trees[i] = ConvertXmlWithPlaces(PG_GETARG_DATUM(i), &places[i]);
	MapDocuments(fcinfo, &mapping, trees[0], trees[1]);
	InitSide(&mapping.left, &mapping.pair.a);
	InitSide(&mapping.right, &mapping.pair.b);
	mapping.left.places = &places[0];
	mapping.right.places = &places[1];
	NumberElements(&mapping, &mapping.left);
	NumberElements(&mapping, &mapping.right);
	EmitMapping(&mapping);
	return (Datum) 0;
}

#else

/* An optimal edit mapping between two XML documents. */
Datum
xml_edit_mapping(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	return NoXmlSupport();
}

#endif
