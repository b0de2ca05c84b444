/*
 * edit_counts.c
 *	  The SQL function tree_edit_counts(): the numbers of operations of an edit script,
 *	  or of the differences of two documents, in one row.
 */
#include "postgres.h"

#include "fmgr.h"

#include "../../compat.h"
#include "../../catalog/row_type.h"
#include "../convert/convert.h"
#include "../costs/cost_type.h"
#include "mapped_trees.h"

/* The name of the computation in errors about memory. */
#define COUNTING "counting edit operations"

/* Returns the numbers of operations that turn one tree into the other, and of moved subtrees. */
static Datum
CountEdits(FunctionCallInfo fcinfo, const Tree *a, const Tree *b, const CostModel *model,
		   TreeSyntax syntax)
{
	MappedTrees trees = {.syntax = syntax};
	OperationCounts counts;
	Datum values[6];
	bool nulls[6] = {0};
	int32 *moved_a;
	int32 *moved_b;

	MapValues(&trees, a, b, model, syntax == SYNTAX_PLAIN ? MAPPING_FITTING : MAPPING_BY_NAME,
			  COUNTING);
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
	return FormRow(fcinfo, "iiiiib", values, nulls);
}

PG_FUNCTION_INFO_V1(tree_edit_counts);
PG_FUNCTION_INFO_V1(tree_edit_counts_xml);
PG_FUNCTION_INFO_V1(tree_edit_counts_json);
PG_FUNCTION_INFO_V1(tree_edit_counts_jsonb);

/* Returns the numbers of operations of an edit script of two trees. */
Datum
tree_edit_counts(PG_FUNCTION_ARGS)
{
	return CountEdits(fcinfo, PG_GETARG_TREE(0), PG_GETARG_TREE(1),
					  ArgumentModelUnlessUnit(fcinfo, 2), SYNTAX_PLAIN);
}

/* Returns the numbers of operations of the differences of two XML documents. */
Datum
tree_edit_counts_xml(PG_FUNCTION_ARGS)
{
	return CountEdits(fcinfo, MarkedXmlTree(PG_GETARG_DATUM(0)), MarkedXmlTree(PG_GETARG_DATUM(1)),
					  ArgumentXmlModelUnlessUnit(fcinfo, 2), SYNTAX_XML);
}

/* Returns the numbers of operations of two arguments after converting them from JSON. */
static Datum
CountEditsOfJson(FunctionCallInfo fcinfo, PGFunction convert)
{
	Datum a = DirectFunctionCall1(convert, PG_GETARG_DATUM(0));
	Datum b = DirectFunctionCall1(convert, PG_GETARG_DATUM(1));

	return CountEdits(fcinfo, DatumGetTree(a), DatumGetTree(b),
					  ArgumentJsonModelUnlessUnit(fcinfo, 2), SYNTAX_JSON);
}

/* Returns the numbers of operations of the differences of two json values. */
Datum
tree_edit_counts_json(PG_FUNCTION_ARGS)
{
	return CountEditsOfJson(fcinfo, json_tree);
}

/* Returns the numbers of operations of the differences of two jsonb values. */
Datum
tree_edit_counts_jsonb(PG_FUNCTION_ARGS)
{
	return CountEditsOfJson(fcinfo, jsonb_tree);
}
