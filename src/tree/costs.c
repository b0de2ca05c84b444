/*
 * costs.c
 *	  Costs as arguments of SQL functions.
 */
#include "postgres.h"

#include "costs.h"

/* Reads three cost arguments: insert, delete, rename. */
TedCosts
GetCosts(FunctionCallInfo fcinfo, int first)
{
	TedCosts costs = {.insert = PG_GETARG_INT32(first),
					  .delete_ = PG_GETARG_INT32(first + 1),
					  .rename = PG_GETARG_INT32(first + 2)};

	if (costs.insert < 0 || costs.delete_ < 0 || costs.rename < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("edit costs must not be negative"),
						errdetail("The costs are %d to insert, %d to delete, %d to rename.",
								  costs.insert, costs.delete_, costs.rename),
						errhint("Use costs of at least 0.")));
	return costs;
}
