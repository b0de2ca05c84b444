/*
 * comparison.c
 *	  Join clauses that compare an integer column of one side with one of the other side.
 */
#include "postgres.h"

#include "nodes/primnodes.h"
#include "utils/fmgroids.h"

#include "comparison.h"
#include "../../catalog/identity.h"

/* Tests of two integers of one type. */
#define TESTS(type, get)                                                                           \
	static bool type##Less(Datum a, Datum b)                                                       \
	{                                                                                              \
		return get(a) < get(b);                                                                    \
	}                                                                                              \
	static bool type##LessEqual(Datum a, Datum b)                                                  \
	{                                                                                              \
		return get(a) <= get(b);                                                                   \
	}                                                                                              \
	static bool type##Greater(Datum a, Datum b)                                                    \
	{                                                                                              \
		return get(a) > get(b);                                                                    \
	}                                                                                              \
	static bool type##GreaterEqual(Datum a, Datum b)                                               \
	{                                                                                              \
		return get(a) >= get(b);                                                                   \
	}                                                                                              \
	static bool type##Equal(Datum a, Datum b)                                                      \
	{                                                                                              \
		return get(a) == get(b);                                                                   \
	}                                                                                              \
	static bool type##NotEqual(Datum a, Datum b)                                                   \
	{                                                                                              \
		return get(a) != get(b);                                                                   \
	}

TESTS(Int32, DatumGetInt32)
TESTS(Int64, DatumGetInt64)

/* A function that compares integers, its test, and the test for exchanged operands. */
typedef struct KnownFunction
{
	Oid function;
	IntegerTest test;
	IntegerTest exchanged;
} KnownFunction;

static const KnownFunction known[] = {{F_INT4LT, Int32Less, Int32Greater},
									  {F_INT4LE, Int32LessEqual, Int32GreaterEqual},
									  {F_INT4GT, Int32Greater, Int32Less},
									  {F_INT4GE, Int32GreaterEqual, Int32LessEqual},
									  {F_INT4EQ, Int32Equal, Int32Equal},
									  {F_INT8EQ, Int64Equal, Int64Equal},
									  {F_INT4NE, Int32NotEqual, Int32NotEqual},
									  {F_INT8LT, Int64Less, Int64Greater},
									  {F_INT8LE, Int64LessEqual, Int64GreaterEqual},
									  {F_INT8GT, Int64Greater, Int64Less},
									  {F_INT8GE, Int64GreaterEqual, Int64LessEqual},
									  {F_INT8NE, Int64NotEqual, Int64NotEqual}};

/* Returns the place of a column in the rows of a side; -1 if `expression` is no column of it. */
static int
PlaceOfColumn(const JoinSide *side, const Node *expression)
{
	for (int column = 0; IsA(expression, Var) && column < side->columns; column++)
		if (side->to[column] == ((const Var *) expression)->varattno)
			return side->place[column];
	return -1;
}

/* Reads a clause as a comparison; returns false if it is none. */
static bool
ReadJoinComparison(const Node *clause, const JoinSide *outer, const JoinSide *inner,
				   Comparison *comparison)
{
	const OpExpr *op = (const OpExpr *) clause;
	bool exchanged;

	if (!IsA(clause, OpExpr) || list_length(op->args) != 2)
		return false;
	exchanged = PlaceOfColumn(outer, linitial(op->args)) < 0;
	comparison->outer = PlaceOfColumn(outer, exchanged ? lsecond(op->args) : linitial(op->args));
	comparison->inner = PlaceOfColumn(inner, exchanged ? linitial(op->args) : lsecond(op->args));
	if (comparison->outer < 0 || comparison->inner < 0)
		return false;
	for (Size i = 0; i < lengthof(known); i++)
		if (known[i].function == op->opfuncid)
		{
			comparison->test = exchanged ? known[i].exchanged : known[i].test;
			return true;
		}
	return false;
}

int
TakeComparisons(List **clauses, const JoinSide *outer, const JoinSide *inner,
				Comparison *comparisons)
{
	List *rest = NIL;
	int count = 0;
	ListCell *cell;

	foreach (cell, *clauses)
	{
		Node *clause = lfirst(cell);

		if (count < MOST_COMPARISONS &&
			ReadJoinComparison(clause, outer, inner, &comparisons[count]))
		{
			CheckExecutable(((OpExpr *) clause)->opfuncid);
			count++;
		}
		else
			rest = lappend(rest, clause);
	}
	*clauses = rest;
	return count;
}
