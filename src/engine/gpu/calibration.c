/*
 * calibration.c
 *	  Reads the times measured on GPUs from the table ted_gpu_calibration.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "../../catalog/row_type.h"
#include "calibration.h"

/* Finds the table in the extension's schema, if the user may read it. */
static const char table_query[] = "SELECT c.oid::pg_catalog.regclass::pg_catalog.text"
								  " FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_class c"
								  " ON c.relnamespace OPERATOR(pg_catalog.=) e.extnamespace"
								  " WHERE e.extname OPERATOR(pg_catalog.=) 'ted'"
								  " AND c.relname OPERATOR(pg_catalog.=) 'ted_gpu_calibration'"
								  " AND pg_catalog.has_schema_privilege(c.relnamespace, 'USAGE')"
								  " AND pg_catalog.has_table_privilege(c.oid, 'SELECT')";

static const char times_query[] =
	"SELECT unit, sync_thread, sync_warp, sync_block, sync_multi, launch, byte,"
	" lcs_tiles"
	" FROM %s WHERE device OPERATOR(pg_catalog.=) $1";

StaticAssertDecl(sizeof(TedCalibration) % sizeof(double) == 0, "a calibration consists of times");

/* Returns a column of the row that SPI has found, which is not null. */
static Datum
Column(int column)
{
	bool isnull;
	Datum value = SPI_getbinval(SPI_tuptable->vals[0], SPI_tuptable->tupdesc, column, &isnull);

	if (isnull)
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("null in table ted_gpu_calibration"),
						errdetail("Column \"%s\" of the device is null.",
								  SPI_fname(SPI_tuptable->tupdesc, column)),
						errhint("Delete the row, and measure the GPU by ted_gpu_calibrate().")));
	return value;
}

/* Reads the array of times of tiles; returns false if another version has written it. */
static bool
ReadTiles(int column, LcsTileModel *tiles)
{
	ArrayType *array = DatumGetArrayTypeP(Column(column));

	if (ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array)) != LCS_TILE_TIMES || ARR_HASNULL(array))
		return false;
	memcpy(tiles, ARR_DATA_PTR(array), sizeof(*tiles));
	return true;
}

/* Returns the times of tiles as an array. */
Datum
TilesArray(const LcsTileModel *tiles)
{
	Datum times[LCS_TILE_TIMES];

	for (int i = 0; i < LCS_TILE_TIMES; i++)
		times[i] = Float8GetDatum(((const double *) tiles)[i]);
	return PointerGetDatum(construct_array(times, LCS_TILE_TIMES, FLOAT8OID, sizeof(float8),
										   FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

/* Whether all times are finite: the owner of the database can write anything to the table. */
static bool
ArePlausible(const TedCalibration *times)
{
	const double *seconds = (const double *) times;

	for (Size i = 0; i < sizeof(TedCalibration) / sizeof(double); i++)
		if (!isfinite(seconds[i]))
			return false;
	return true;
}

/* Reads the times from the row that SPI has found. */
static bool
ReadTimes(TedCalibration *times)
{
	if (!HasColumns(SPI_tuptable->tupdesc, "dddddddD"))
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("table ted_gpu_calibration has been altered"),
						errdetail("The times have to be of type float8, and lcs_tiles of "
								  "float8[]."),
						errhint("Create the extension again.")));
	times->unit = DatumGetFloat8(Column(1));
	times->sync_thread = DatumGetFloat8(Column(2));
	times->sync_warp = DatumGetFloat8(Column(3));
	times->sync_block = DatumGetFloat8(Column(4));
	times->sync_multi = DatumGetFloat8(Column(5));
	times->launch = DatumGetFloat8(Column(6));
	times->byte = DatumGetFloat8(Column(7));
	return ReadTiles(8, &times->tiles) && ArePlausible(times);
}

/* Looks up the times of a device; returns false if there are none. */
bool
ReadCalibration(const char *device, TedCalibration *calibration)
{
	TedCalibration times;
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
		found = SPI_processed == 1 && ReadTimes(&times);
	}
	if (found)
		*calibration = times;
	SPI_finish();
	return found;
}
