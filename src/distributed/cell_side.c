/*
 * cell_side.c
 *	  On which side of a cell of a join a document is.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/typcache.h"

#include "../compat.h"
#include "cell_side.h"

/* Attributes of ted_join_cell. */
enum
{
	CELL_NUMBER,
	CELL_LOW,
	CELL_HIGH,
	CELL_REACH,
	CELL_PARTS,
	CELL_PART,
	CELL_OTHER_PARTS,
	CELL_OTHER,
	CELL_OWN,
	CELL_CROSSES,
	CELL_DOCUMENTS,
	CELL_COST,
	CELL_ATTRIBUTES
};

/* Reads a value of type ted_join_cell. */
void
ReadJoinCell(Datum value, JoinCell *cell)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(value);
	HeapTupleData tuple = {.t_len = HeapTupleHeaderGetDatumLength(header), .t_data = header};
	TupleDesc type =
		lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(header), HeapTupleHeaderGetTypMod(header));
	Datum values[CELL_ATTRIBUTES];
	bool nulls[CELL_ATTRIBUTES];
	bool valid = type->natts == CELL_ATTRIBUTES;

	if (valid)
		heap_deform_tuple(&tuple, type, values, nulls);
	for (int i = CELL_LOW; valid && i <= CELL_CROSSES; i++)
		valid = !nulls[i];
	ReleaseTupleDesc(type);
	if (valid)
		*cell = (JoinCell){.low = DatumGetInt32(values[CELL_LOW]),
						   .high = DatumGetInt32(values[CELL_HIGH]),
						   .reach = DatumGetInt32(values[CELL_REACH]),
						   .parts = DatumGetInt32(values[CELL_PARTS]),
						   .part = DatumGetInt32(values[CELL_PART]),
						   .other_parts = DatumGetInt32(values[CELL_OTHER_PARTS]),
						   .other = DatumGetInt32(values[CELL_OTHER]),
						   .own = DatumGetBool(values[CELL_OWN]),
						   .crosses = DatumGetBool(values[CELL_CROSSES])};
	if (!valid || cell->parts < 1 || cell->other_parts < 1)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid cell of a join"),
						errdetail("It has no parts, or lacks a column."),
						errhint("Use the cells of ted_plan_cells() or ted_grid_cells().")));
}

/* The hash of an id by which documents are dealt into parts. */
int32
PartHash(int64 id)
{
	return (int32) (DatumGetUInt32(DirectFunctionCall1(hashint8, Int64GetDatum(id))) &
					PG_INT32_MAX);
}

/* The side of a document of a self-join. */
char
SideInCell(const JoinCell *cell, int32 hash, int32 size)
{
	int32 part;

	if (size < cell->low || size >= cell->reach)
		return 0;
	part = hash % cell->parts;
	if (size < cell->high && part == cell->part)
		return cell->own ? 'o' : 'r';
	if (cell->other_parts != cell->parts)
		part = hash % cell->other_parts;
	return (cell->crosses || size >= cell->high) && part == cell->other ? 'l' : 0;
}

/* The side of a document of one of two tables. */
char
SideInGrid(const JoinCell *cell, int32 hash, char side)
{
	bool inside =
		side == 'l' ? hash % cell->parts == cell->part : hash % cell->other_parts == cell->other;

	return inside ? side : 0;
}

PG_FUNCTION_INFO_V1(ted_join_side);

/* The side of a document in a cell, or NULL. */
Datum
ted_join_side(PG_FUNCTION_ARGS)
{
	JoinCell cell;
	char side;

	ReadJoinCell(PG_GETARG_DATUM(0), &cell);
	side = SideInCell(&cell, PartHash(PG_GETARG_INT64(1)), PG_GETARG_INT32(2));
	if (side == 0)
		PG_RETURN_NULL();
	PG_RETURN_CHAR(side);
}

PG_FUNCTION_INFO_V1(ted_grid_side);

/* The side of a document of a table in a cell of two, or NULL. */
Datum
ted_grid_side(PG_FUNCTION_ARGS)
{
	JoinCell cell;
	char side;

	ReadJoinCell(PG_GETARG_DATUM(0), &cell);
	side = SideInGrid(&cell, PartHash(PG_GETARG_INT64(1)), PG_GETARG_CHAR(2));
	if (side == 0)
		PG_RETURN_NULL();
	PG_RETURN_CHAR(side);
}
