/*
 * edit_counts.c
 *	  The SQL function tree_edit_counts(): an edit script in one row.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "../../common/host.h"
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

PG_FUNCTION_INFO_V1(tree_edit_counts);

/* Operations of an edit script, and subtrees deleted in one place and inserted in another. */
Datum
tree_edit_counts(PG_FUNCTION_ARGS)
{
	MappedTrees trees = {0};
	OperationCounts counts;
	TupleDesc row;
	Datum values[6];
	bool nulls[6] = {0};

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE ||
		row->natts != lengthof(values))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("function returning record called in context that cannot accept "
							   "type record")));
	MapValues(&trees, PG_GETARG_TREE(0), PG_GETARG_TREE(1), ArgumentModelUnlessUnit(fcinfo, 2),
			  MAPPING_FITTING, COUNTING);
	LeaveOutFreeSubtrees(&trees);
	counts = CountOperations(&trees);
	values[0] = Int32GetDatum(counts.equal);
	values[1] = Int32GetDatum(counts.renamed);
	values[2] = Int32GetDatum(counts.deleted);
	values[3] = Int32GetDatum(counts.inserted);
	values[4] = Int32GetDatum(CountMoved(&trees.a, &trees.b));
	values[5] = BoolGetDatum(!trees.is_optimal);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls)));
}
