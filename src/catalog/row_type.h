/*
 * row_type.h
 *	  Row types, whose columns are those that the code reads and writes, or an error is raised.
 *
 * The owner of a row type can alter it, and an older script of the extension may declare other
 * columns for a function than the library that is loaded.  A string has the types of the columns,
 * one letter each, see IsOfType().
 */
#ifndef TED_ROW_TYPE_H
#define TED_ROW_TYPE_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "fmgr.h"

/* Whether a row has columns of these types, and no others. */
extern bool HasColumns(TupleDesc row, const char *columns);

/* Whether a type is the row type tree_range or lcs_range; false for domains. */
extern bool IsTreeRangeType(Oid type);
extern bool IsLcsRangeType(Oid type);

/* Returns a copy of a row type; raises an error if it has other columns. */
extern TupleDesc CopyRowType(Oid type, const char *columns);

/* Returns the row type of a function's result; raises an error if it has other columns. */
extern TupleDesc ResultRowType(FunctionCallInfo fcinfo, const char *columns);

/* Forms the row that a function returns; raises an error if its result has other columns. */
extern Datum FormRow(FunctionCallInfo fcinfo, const char *columns, const Datum *values,
					 const bool *nulls);

/*
 * Prepares a function to return all of its rows in a tuplestore; raises an error if its result has
 * other columns.
 */
extern void InitRows(FunctionCallInfo fcinfo, const char *columns);

#endif /* TED_ROW_TYPE_H */
