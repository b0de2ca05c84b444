/*
 * cell_side.h
 *	  On which side of a cell of a join a document is: type ted_join_cell.
 */
#ifndef TED_CELL_SIDE_H
#define TED_CELL_SIDE_H

#include "postgres.h"

/* A cell, see ted_plan_cells() and ted_grid_cells(). */
typedef struct JoinCell
{
	int32 low; /* sizes */
	int32 high;
	int32 reach;
	int32 parts; /* of the documents by a hash of their ids */
	int32 part;
	int32 other_parts;
	int32 other;
	bool own;
	bool crosses;
} JoinCell;

/* Reads a value of type ted_join_cell. */
extern void ReadJoinCell(Datum value, JoinCell *cell);

/* The hash of an id by which documents are dealt into parts. */
extern int32 PartHash(int64 id);

/* The side of a document of a self-join, 'o', 'r' or 'l', or 0 where it is not in the cell. */
extern char SideInCell(const JoinCell *cell, int32 hash, int32 size);

/* The same of a document of two tables, on whose side 'l' or 'r' it may be. */
extern char SideInGrid(const JoinCell *cell, int32 hash, char side);

#endif /* TED_CELL_SIDE_H */
