/*
 * cell.h
 *	  Cells of a join over several servers, whose documents and matches travel as one value each.
 */
#ifndef TED_CELL_H
#define TED_CELL_H

#include "postgres.h"

#include "fmgr.h"

#include "../join/aggregate/sorted_join.h"

/* Transition function of an aggregate that packs a cell: (state, id, doc, side). */
extern Datum CellTransition(FunctionCallInfo fcinfo, DocumentType kind);

/* All matches of a packed cell, packed. */
extern Datum JoinPackedCell(bytea *packed, const JoinKind *kind, double threshold);

#endif /* TED_CELL_H */
