/*
 * text_indexes.c
 *	  Profile indexes of char(n) and name, in the terms of statements.
 *
 * The functions of strings have no forms for char(n) and name: a statement casts a column to text,
 * and says lcs_within(code::text, 'A-1', 2).  A profile index of the column has the profiles of
 * these texts, so to the planner it is an index of the expression code::text, with the operators
 * of texts, which are in the family of its class.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "parser/parse_coerce.h"
#include "parser/parse_collate.h"
#include "utils/lsyscache.h"

#include "../../catalog/identity.h"
#include "../../compat.h"
#include "../profile/lcs_index.h"
#include "text_indexes.h"

/* Returns the column of an index. */
static Node *
ColumnOf(const IndexOptInfo *index)
{
	return (Node *) linitial_node(TargetEntry, index->indextlist)->expr;
}

/* Whether an index has the profiles of texts that its column has to be cast to. */
static bool
IsOfCastText(const IndexOptInfo *index)
{
	Oid operator_id;

	if (!IsReadAsText(index->opcintype[0]) || index->nkeycolumns != 1 ||
		getBaseType(exprType(ColumnOf(index))) != index->opcintype[0])
		return false;
	operator_id =
		get_opfamily_member(index->opfamily[0], TEXTOID, TEXTOID, LCS_STRATEGY_DISSIMILARITY);
	return OidIsValid(operator_id) &&
		   IsSameFunction(WhichFunction(get_opcode(operator_id)),
						  (PlannedFunction){ROLE_DISSIMILARITY, DOCUMENT_TEXT});
}

/* Returns the column of an index, cast to text as a statement casts it. */
static Node *
ColumnAsText(PlannerInfo *root, const IndexOptInfo *index)
{
	Node *column = copyObject(ColumnOf(index));
	Node *text = coerce_to_target_type(NULL, column, exprType(column), TEXTOID, -1,
									   COERCION_IMPLICIT, COERCE_IMPLICIT_CAST, -1);

	assign_expr_collations(NULL, text);
	return eval_const_expressions(root, text);
}

/*
 * Turns profile indexes of char(n) and name into indexes of the text; returns whether a table has
 * such an index.
 */
bool
IndexesAsText(PlannerInfo *root, const RelOptInfo *rel)
{
	bool any = false;
	ListCell *cell;

	foreach (cell, rel->indexlist)
	{
		IndexOptInfo *index = lfirst_node(IndexOptInfo, cell);
		Node *text;

		if (!IsOfCastText(index))
			continue;
		text = ColumnAsText(root, index);
		index->indexkeys[0] = 0;
		index->opcintype[0] = TEXTOID;
		index->indexprs = list_make1(text);
		index->indextlist = list_make1(makeTargetEntry((Expr *) text, 1, NULL, false));
		any = true;
	}
	return any;
}
