/*
 * cell_matches.c
 *	  The matches of a cell of a join over several servers, as one value: in the order of
 *	  their ids, which are written as differences.
 */
#include "postgres.h"

#include "funcapi.h"
#include "libpq/pqformat.h"
#include "miscadmin.h"

#include "../compat.h"
#include "cell_bytes.h"
#include "cell_matches.h"

/* All matches as one value. */
bytea *
PackMatches(JoinMatches *matches, const JoinKind *kind)
{
	int64 last = 0;
	StringInfoData result;

	MatchesSort(matches);
	pq_begintypsend(&result);
	for (int64 i = 0; i < MatchesCount(matches); i++)
	{
		Match match = MatchesGet(matches, i);

		CHECK_FOR_INTERRUPTS();
		CheckPackedSize((Size) result.len, "matches", kind->fewer);
		AppendDifference(&result, last, match.left_id);
		AppendDifference(&result, match.left_id, match.right_id);
		pq_sendfloat8(&result, match.measure);
		last = match.left_id;
	}
	return pq_endtypsend(&result);
}

PG_FUNCTION_INFO_V1(ted_unpack_matches);

/* The rows of packed matches. */
Datum
ted_unpack_matches(PG_FUNCTION_ARGS)
{
	bytea *packed = PG_GETARG_BYTEA_PP(0);
	StringInfoData from = {.data = VARDATA_ANY(packed), .len = (int) VARSIZE_ANY_EXHDR(packed)};
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	int64 left = 0;

	InitMaterializedSRF(fcinfo, 0);
	while (from.cursor < from.len)
	{
		int64 right;
		Datum values[3];
		bool nulls[3] = {false};

		CHECK_FOR_INTERRUPTS();
		left = ReadDifference(&from, left);
		right = ReadDifference(&from, left);
		values[0] = Int64GetDatum(left);
		values[1] = Int64GetDatum(right);
		values[2] = Float8GetDatum(pq_getmsgfloat8(&from));
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
