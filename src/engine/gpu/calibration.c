/*
 * calibration.c
 *	  Reads the rates of GPUs from the table ted_gpu_calibration.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "../../catalog/row_type.h"
#include "calibration.h"

const char *const ted_family_names[TED_MEASURED_FAMILIES] = {[TED_TREES] = "trees",
															 [TED_LONG_STRINGS] = "long_strings",
															 [TED_STRING_BATCHES] =
																 "string_batches"};

/* Finds the table in the extension's schema, if the user may read it. */
static const char table_query[] = "SELECT c.oid::pg_catalog.regclass::pg_catalog.text"
								  " FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_class c"
								  " ON c.relnamespace OPERATOR(pg_catalog.=) e.extnamespace"
								  " WHERE e.extname OPERATOR(pg_catalog.=) 'ted'"
								  " AND c.relname OPERATOR(pg_catalog.=) 'ted_gpu_calibration'"
								  " AND pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE')"
								  " AND pg_catalog.has_table_privilege(c.oid, 'SELECT')";

static const char rates_query[] = "SELECT family, opening, cells_per_second, bytes_per_second"
								  " FROM %s WHERE device OPERATOR(pg_catalog.=) $1";

/* Returns a column of a row that SPI has found, which is not null. */
static Datum
Column(HeapTuple row, int column)
{
	bool isnull;
	Datum value = SPI_getbinval(row, SPI_tuptable->tupdesc, column, &isnull);

	if (isnull)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("null in table ted_gpu_calibration"),
						errdetail("Column \"%s\" of the device is null.",
								  SPI_fname(SPI_tuptable->tupdesc, column)),
						errhint("Delete the row, and measure the GPU by ted_gpu_calibrate().")));
	return value;
}

/*
 * Reads the rates of all families from the rows that SPI has found; returns false if one is
 * missing, or cannot have been measured: the owner of the database can write anything to the table.
 */
static bool
ReadRates(TedRate *rates)
{
	int found = 0;

	if (!HasColumns(SPI_tuptable->tupdesc, "sddd"))
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("table ted_gpu_calibration has been altered"),
						errdetail("The rates have to be of type float8, and family of text."),
						errhint("Create the extension again.")));
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		HeapTuple row = SPI_tuptable->vals[i];
		char *name = TextDatumGetCString(Column(row, 1));
		TedRate rate = {DatumGetFloat8(Column(row, 2)), DatumGetFloat8(Column(row, 3)),
						DatumGetFloat8(Column(row, 4))};

		if (!(isfinite(rate.opening) && rate.opening >= 0 && rate.cells_per_second > 0 &&
			  rate.bytes_per_second > 0))
			return false;
		for (int family = 0; family < TED_MEASURED_FAMILIES; family++)
			if (strcmp(name, ted_family_names[family]) == 0)
			{
				rates[family] = rate;
				found |= 1 << family;
			}
	}
	return found == (1 << TED_MEASURED_FAMILIES) - 1;
}

/* Looks up the rates of a device; returns false if there are none. */
bool
ReadCalibration(const char *device, TedRate *rates)
{
	TedRate read[TED_MEASURED_FAMILIES];
	bool found = false;

	if (!ActiveSnapshotSet())
		return false;
	SPI_connect();
	SPI_execute(table_query, true, 1);
	if (SPI_processed == 1)
	{
		char *table = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
		Datum name = CStringGetTextDatum(device);

		SPI_execute_with_args(psprintf(rates_query, table), 1, (Oid[]){TEXTOID}, &name, NULL, true,
							  0);
		found = ReadRates(read);
	}
	if (found)
		memcpy(rates, read, sizeof(read));
	SPI_finish();
	return found;
}
