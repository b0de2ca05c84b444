/*
 * calibration.c
 *	  Times measured on GPUs, as the table ted_gpu_calibration keeps them.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "calibration.h"

/* The table, wherever the extension is, unless the user may not read it. */
static const char table_query[] = "SELECT c.oid::pg_catalog.regclass::pg_catalog.text"
								  " FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_class c"
								  " ON c.relnamespace OPERATOR(pg_catalog.=) e.extnamespace"
								  " WHERE e.extname OPERATOR(pg_catalog.=) 'ted'"
								  " AND c.relname OPERATOR(pg_catalog.=) 'ted_gpu_calibration'"
								  " AND pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE')"
								  " AND pg_catalog.has_table_privilege(c.oid, 'SELECT')";

static const char times_query[] =
	"SELECT unit, sync_thread, sync_warp, sync_block, sync_multi, launch, byte"
	" FROM %s WHERE device OPERATOR(pg_catalog.=) $1";

/* A column of the row found. */
static double
Time(int column)
{
	bool isnull;

	return DatumGetFloat8(
		SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, column, &isnull));
}

/* Looks up the times of a device. */
bool
ReadCalibration(const char *device, TedCalibration *calibration)
{
	bool found = false;

	if (!ActiveSnapshotSet())
		return false;
	SPI_connect();
	SPI_execute(table_query, true, 1);
	if (SPI_processed == 1)
	{
		char *table = SPI_getvalue(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, 1);
		Datum name = CStringGetTextDatum(device);

		SPI_execute_with_args(psprintf(times_query, table), 1, (Oid[]){TEXTOID}, &name, NULL, true,
							  1);
		found = SPI_processed == 1;
	}
	if (found)
		*calibration = (TedCalibration){.unit = Time(1),
										.sync_thread = Time(2),
										.sync_warp = Time(3),
										.sync_block = Time(4),
										.sync_multi = Time(5),
										.launch = Time(6),
										.byte = Time(7)};
	SPI_finish();
	return found;
}
