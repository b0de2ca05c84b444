/*
 * side.h
 *	  One of the two inputs of a TedJoin, and rows of it that are kept.
 */
#ifndef TED_JOIN_SIDE_H
#define TED_JOIN_SIDE_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "rows.h"

typedef struct JoinSide
{
	PlanState *plan;
	ExprState *document; /* on the scan tuple */
	int columns;
	AttrNumber *from; /* by column: its number in the plan's result */
	AttrNumber *to;   /* and in the scan tuple */
	AttrNumber
		*counterpart; /* and in the other side's plan, where that yields both sides; or NULL */
	bool *wanted;     /* is it used of a row kept? */
	JoinRows rows;
	JoinRow *row; /* of the pair delivered last */
	TupleTableSlot *slot;
} JoinSide;

/*
 * Starts execution of a side: child and document are its numbers in custom_plans
 * and custom_exprs, sign tells its columns (see tedjoin.h), and wanted are the
 * columns of the scan tuple that are used of rows kept.
 */
extern void SideInit(JoinSide *side, CustomScanState *node, int child, int document, int sign,
					 Bitmapset *wanted, EState *estate, int eflags);

/* Copies a row's columns to the scan tuple, from those numbered so; returns the scan tuple. */
extern TupleTableSlot *SideFill(const JoinSide *side, const AttrNumber *from, TupleTableSlot *row,
								TupleTableSlot *scan);

/* Copies a row of the side's plan to the scan tuple, too; false if its document is null. */
extern bool SideReadDocument(const JoinSide *side, ScanState *node, TupleTableSlot *row,
							 Datum *document);

/* Keeps a row, by the number of its tree, from its columns of the scan tuple; forgets all. */
extern void SideKeepRow(JoinSide *side, int32 number, TupleTableSlot *scan);
extern void SideForgetRows(JoinSide *side);

/* Turns to a row that is kept, or to none; copies it to the scan tuple. */
extern void SideTurnTo(JoinSide *side, JoinRow *row);
extern void SideDeliver(JoinSide *side, TupleTableSlot *scan);

#endif /* TED_JOIN_SIDE_H */
