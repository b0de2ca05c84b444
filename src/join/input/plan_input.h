/*
 * plan_input.h
 *	  The rows of a TedJoin's child plans, with their documents and thresholds.
 */
#ifndef TED_PLAN_INPUT_H
#define TED_PLAN_INPUT_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "../../tree/costs/cost_type.h"
#include "../cells/row_spool.h"
#include "side.h"

/* The input of a TedJoin. */
typedef struct PlanInput
{
	CustomScanState *node;
	JoinSide outer;
	JoinSide inner;
	bool self;         /* whether one side is read for both */
	JoinSide *indexed; /* side that is indexed; in a self-join, the one that is read */
	ThresholdKind kind;
	ExprState *limit;
	const JoinSide *limit_side; /* side whose columns the limit has; NULL for none */
	ExprState *model_value;     /* cost model; NULL for none */
	MemoryContext model_context;
	bool is_json;    /* arrays may have no order by the cost model */
	bool transposed; /* cost model is for inner to outer documents */

	/* members since the start or the last rescan */
	const CostModel *model;       /* for distances from outer to inner documents, or NULL */
	DocumentThreshold *threshold; /* widened by the thresholds of rows */
	bool nothing;                 /* whether no pair can match */
} PlanInput;

/* Starts the execution of both child plans; `wanted` are the columns that are used of kept rows. */
extern void PlanInputInit(PlanInput *input, CustomScanState *node, Bitmapset *wanted,
						  EState *estate, int eflags);

/* Begins to read: reads the cost model and, if all pairs have the same one, the threshold. */
extern void PlanInputBegin(PlanInput *input, DocumentThreshold *threshold);

/* Returns a side of the join: the one that is indexed, or the outer one. */
static inline JoinSide *
InputSide(PlanInput *input, DocumentsSide side)
{
	return side == JOIN_INDEXED ? input->indexed : &input->outer;
}

/*
 * Reads the next row of a side into the scan tuple, in a self-join with the other side's columns;
 * skips rows that can neither match nor be returned.  A ReadJoinedRow.
 */
extern bool ReadPlanRow(void *input, DocumentsSide side, JoinedRow *row);

/* Whether rows of a side without a document are kept. */
extern bool KeepsWithoutDocument(const PlanInput *input, const JoinSide *side);

#endif /* TED_PLAN_INPUT_H */
