/*
 * side.h
 *	  One of the two inputs of a TedJoin, and rows of it that are kept.
 */
#ifndef TED_SIDE_H
#define TED_SIDE_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "rows.h"

/* Where rows of a side are kept: in the block that is indexed, or among the probes. */
typedef enum RowSet
{
	BLOCK_ROWS,
	PROBE_ROWS,
	ROW_SETS
} RowSet;

typedef struct JoinSide
{
	PlanState *plan;
	ExprState *document; /* on the scan tuple */
	int columns;
	AttrNumber *from;        /* by column: its number in the plan's result */
	AttrNumber *to;          /* and in the scan tuple */
	AttrNumber *counterpart; /* and in the other side's plan, where that is read for both; or NULL
							  */
	bool *wanted;            /* is it used of a row kept? */
	int *place;              /* among those kept; -1 where it is not kept */
	KeptColumns *kept;       /* of a row; in a join of a table with itself, for either side */
	JoinRows *rows;          /* by RowSet; in a join of a table with itself, those of either side */
	JoinRow *row;            /* of the pair delivered last */

	bool preserved; /* are rows without a match delivered, too? */
	bool tracked;   /* is it noted which rows have one? */
	int64 next_ordinal;
	uint8 *matched; /* a bit a row, by ordinal */
	Size matched_bytes;
} JoinSide;

/*
 * Starts execution of a side: child and document are its numbers in custom_plans
 * and custom_exprs, sign identifies its columns (see tedjoin.h), and wanted are the
 * columns of the scan tuple that are used of rows kept.
 */
extern void SideInit(JoinSide *side, CustomScanState *node, int child, int document, int sign,
					 Bitmapset *wanted, EState *estate, int eflags);

/*
 * Makes the sets of rows that are kept of a side, and of the other one, too, where
 * this one is read for both; else that is NULL.
 */
extern void SideInitRows(JoinSide *side, JoinSide *sharing);

/* Copies columns of a row to the scan tuple; `from` has their numbers in the row. */
extern void SideFill(const JoinSide *side, const AttrNumber *from, TupleTableSlot *row,
					 TupleTableSlot *scan);

/* The document of the row in the scan tuple; false if it is null. */
extern bool SideReadDocument(const JoinSide *side, ScanState *node, Datum *document);

/* Forgets the rows of a set. */
extern void SideForgetRows(JoinSide *side, RowSet set);

/* Memory of all rows kept. */
extern Size SideMemory(const JoinSide *side);

/* Notes that a row has a match; returns whether it has one. */
extern void SideSetMatched(JoinSide *side, int64 ordinal);
extern bool SideIsMatched(const JoinSide *side, int64 ordinal);

/* Starts over: no row has been read. */
extern void SideReset(JoinSide *side);

/* Copies the row that is turned to, or nulls, to the scan tuple. */
extern void SideDeliver(JoinSide *side, TupleTableSlot *scan);

#endif /* TED_SIDE_H */
