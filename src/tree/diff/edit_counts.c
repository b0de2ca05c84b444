/*
 * edit_counts.c
 *	  The SQL function tree_edit_counts(): an edit script, or the differences of two documents, in
 *	  one row.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../convert/convert.h"
#include "../costs/cost_type.h"
#include "mapped_trees.h"

/* Name of the computation in errors about memory. */
#define COUNTING "counting edit operations"

/* The least nodes of a subtree that counts as moved. */
#define LEAST_MOVED 2

/*
 * The number of a subtree in a table, which equal subtrees share: the entry consists of
 * the labels and sizes of its nodes.
 */
static int32
SubtreeNumber(const TedTree *tree, int32 root, LabelTable *subtrees, int32 *scratch)
{
	int32 size = tree->subtree_size[root];
	int32 first = root + 1 - size;

	memcpy(scratch, tree->label + first, sizeof(int32) * (Size) size);
	memcpy(scratch + size, tree->subtree_size + first, sizeof(int32) * (Size) size);
	return LabelTableIntern(subtrees, (const char *) scratch,
							(int) (2 * sizeof(int32) * (Size) size));
}

/*
 * Goes through the largest subtrees in which no node has a partner: adds `step` to the
 * count of each where that leaves it at least 0, and returns in how many it did.
 */
static int32
CountSubtrees(const MappedTree *side, LabelTable *subtrees, int32 *scratch, int32 *counts,
			  int32 step)
{
	int32 counted = 0;

	for (int32 next = 0; next < side->tree.size;)
	{
		int32 root = side->postorder[next];
		int32 size = side->tree.subtree_size[root];
		int32 number;

		CHECK_FOR_INTERRUPTS();
		if (!IsUnmapped(side, root))
		{
			next++;
			continue;
		}
		next += size;
		if (size < LEAST_MOVED)
			continue;
		number = SubtreeNumber(&side->tree, root, subtrees, scratch);
		if (counts[number] + step < 0)
			continue;
		counts[number] += step;
		counted++;
	}
	return counted;
}

/* Number of deleted subtrees that equal an inserted one, each of which counts once. */
static int32
CountMoved(const MappedTree *a, const MappedTree *b)
{
	int32 larger = Max(a->tree.size, b->tree.size);
	int32 most = (a->tree.size + b->tree.size) / LEAST_MOVED + 1;
	LabelTable *subtrees;
	int32 *scratch;
	int32 *counts;

	CheckMemoryLimit(sizeof(int32) * (6 * (Size) larger + (Size) most) +
						 LABEL_MAX_OVERHEAD * (Size) most,
					 COUNTING);
	subtrees = LabelTableCreate();
	scratch = palloc_array(int32, 2 * (Size) larger);
	counts = palloc0_array(int32, most);
	CountSubtrees(a, subtrees, scratch, counts, 1);
	return CountSubtrees(b, subtrees, scratch, counts, -1);
}

/* Counts the operations that turn one tree into another, and subtrees that only move. */
static Datum
CountEdits(FunctionCallInfo fcinfo, const Tree *a, const Tree *b, LabelMarks marks,
		   MappingKind kind)
{
	MappedTrees trees = {.marks = marks};
	OperationCounts counts;
	TupleDesc row;
	Datum values[6];
	bool nulls[6] = {0};

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE ||
		row->natts != lengthof(values))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("function returning record called in context that cannot accept "
							   "type record")));
	MapValues(&trees, a, b, ArgumentModelUnlessUnit(fcinfo, 2), kind, COUNTING);
	LeaveOutFreeSubtrees(&trees);
	counts = CountOperations(&trees);
	values[0] = Int32GetDatum(counts.equal);
	values[1] = Int32GetDatum(counts.renamed);
	values[2] = Int32GetDatum(counts.deleted);
	values[3] = Int32GetDatum(counts.inserted);
	values[4] = Int32GetDatum(CountMoved(&trees.a, &trees.b));
	values[5] = BoolGetDatum(!trees.is_optimal);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls));
}

PG_FUNCTION_INFO_V1(tree_edit_counts);
PG_FUNCTION_INFO_V1(tree_edit_counts_xml);
PG_FUNCTION_INFO_V1(tree_edit_counts_json);
PG_FUNCTION_INFO_V1(tree_edit_counts_jsonb);

/* Counts the operations of an edit script of two trees. */
Datum
tree_edit_counts(PG_FUNCTION_ARGS)
{
	return CountEdits(fcinfo, PG_GETARG_TREE(0), PG_GETARG_TREE(1), NO_MARKS, MAPPING_FITTING);
}

/* Counts the differences of two XML documents. */
Datum
tree_edit_counts_xml(PG_FUNCTION_ARGS)
{
	return CountEdits(fcinfo, MarkedXmlTree(PG_GETARG_DATUM(0)), MarkedXmlTree(PG_GETARG_DATUM(1)),
					  MARKS_OF_DIFFERENCES, MAPPING_BY_NAME);
}

/* Counts the differences of two documents that a function converts from JSON. */
static Datum
CountEditsOfJson(FunctionCallInfo fcinfo, PGFunction convert)
{
	Datum a = DirectFunctionCall1(convert, PG_GETARG_DATUM(0));
	Datum b = DirectFunctionCall1(convert, PG_GETARG_DATUM(1));

	return CountEdits(fcinfo, DatumGetTree(a), DatumGetTree(b), NO_MARKS, MAPPING_BY_NAME);
}

/* Counts the differences of two values of type json. */
Datum
tree_edit_counts_json(PG_FUNCTION_ARGS)
{
	return CountEditsOfJson(fcinfo, json_tree);
}

/* Counts the differences of two values of type jsonb. */
Datum
tree_edit_counts_jsonb(PG_FUNCTION_ARGS)
{
	return CountEditsOfJson(fcinfo, jsonb_tree);
}
