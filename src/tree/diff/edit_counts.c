/*
 * edit_counts.c
 *	  The SQL function tree_edit_counts(): an edit script in one row.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"

#include "../../compat.h"
#include "../costs/cost_type.h"
#include "moved_subtrees.h"

/* Name of the computation in errors about memory. */
#define COUNTING "counting edit operations"

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
	int32 *moved_a;
	int32 *moved_b;

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE ||
		row->natts != lengthof(values))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("function returning record called in context that cannot accept "
							   "type record")));
	MapValues(&trees, PG_GETARG_TREE(0), PG_GETARG_TREE(1), ArgumentModelUnlessUnit(fcinfo, 2),
			  MAPPING_FITTING, COUNTING);
	LeaveOutFreeSubtrees(&trees);
	counts = CountOperations(&trees);
	moved_a = palloc_array(int32, trees.a.tree.size);
	moved_b = palloc_array(int32, trees.b.tree.size);
	values[0] = Int32GetDatum(counts.equal);
	values[1] = Int32GetDatum(counts.renamed);
	values[2] = Int32GetDatum(counts.deleted);
	values[3] = Int32GetDatum(counts.inserted);
	values[4] = Int32GetDatum(FindMovedSubtrees(&trees, moved_a, moved_b, COUNTING));
	values[5] = BoolGetDatum(!trees.is_optimal);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values, nulls)));
}
