/*
 * costs.c
 *	  Costs and thresholds as arguments of SQL functions.
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

/* Refuses a negative threshold, which may be a fraction. */
void
CheckMaxDistance(float8 max_distance)
{
	if (max_distance < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("maximum distance must not be negative"),
						errdetail("The maximum distance is %.15g.", max_distance),
						errhint("Use a maximum distance of at least 0.")));
}

/* Reads a threshold. */
int32
GetMaxDistance(FunctionCallInfo fcinfo, int argument)
{
	int32 max_distance = PG_GETARG_INT32(argument);

	CheckMaxDistance(max_distance);
	return max_distance;
}

/* Reads a threshold that may be a fraction. */
float8
GetMaxCost(FunctionCallInfo fcinfo, int argument)
{
	float8 max_distance = PG_GETARG_FLOAT8(argument);

	CheckMaxDistance(max_distance);
	return max_distance;
}
