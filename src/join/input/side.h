/*
 * side.h
 *	  One of the two inputs of a TedJoin, and its kept rows.
 */
#ifndef TED_SIDE_H
#define TED_SIDE_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "../cells/kept_rows.h"
#include "../search/row_keys.h"

/* An input of a TedJoin. */
typedef struct JoinSide
{
	PlanState *plan;
	ExprState *document; /* document of the row in the scan tuple */
	RowKeys keys;        /* which have the same values in both rows of each pair */
	int columns;
	AttrNumber *from;        /* number of each column in the plan's result */
	AttrNumber *to;          /* and in the scan tuple */
	AttrNumber *counterpart; /* in the other side's plan, if it is read for both */
	bool *wanted;            /* whether each column is used of a kept row */
	int *place;              /* place of each column among the kept ones; -1 if it is not kept */
	KeptColumns *kept;       /* kept columns; in a self-join, of both sides */
	JoinRow *row;            /* current row, or NULL */

	bool preserved;     /* whether rows without a match are also delivered */
	bool tracked;       /* whether it is recorded which rows have a match */
	int64 next_ordinal; /* ordinal of the next row that is read */
	uint8 *matched;     /* bit array by ordinal: whether a row has a match */
	Size matched_bytes;
} JoinSide;

/*
 * Starts the execution of a side, which has the number `child` in custom_plans, 0 for the outer
 * one; `wanted` are the columns of the scan tuple that are used of kept rows.
 */
extern void SideInit(JoinSide *side, CustomScanState *node, int child, Bitmapset *wanted,
					 EState *estate, int eflags);

/*
 * Chooses the columns that are kept of a side's rows.  If it is read for both sides, `sharing` is
 * the other side, whose columns are kept with them; otherwise NULL.
 */
extern void SideKeepColumns(JoinSide *side, JoinSide *sharing);

/* Copies columns of a row to the scan tuple; `from` has their numbers in the row. */
extern void SideFill(const JoinSide *side, const AttrNumber *from, TupleTableSlot *row,
					 TupleTableSlot *scan);

/*
 * Evaluates the document of the row in the scan tuple, and a hash of its keys; returns false if the
 * document or a key is null, so that the row has no match.
 */
extern bool SideReadDocument(const JoinSide *side, ScanState *node, Datum *document, int32 *group);

/* Records that a row has a match; returns whether one has been recorded. */
extern void SideSetMatched(JoinSide *side, int64 ordinal);
extern bool SideIsMatched(const JoinSide *side, int64 ordinal);

/* Forgets the records of matches, to start again. */
extern void SideReset(JoinSide *side);

/* Copies the current row to the scan tuple, or nulls if there is none. */
extern void SideDeliver(JoinSide *side, TupleTableSlot *scan);

#endif /* TED_SIDE_H */
