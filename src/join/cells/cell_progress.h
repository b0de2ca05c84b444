/*
 * cell_progress.h
 *	  Estimates the progress of a join.
 */
#ifndef TED_CELL_PROGRESS_H
#define TED_CELL_PROGRESS_H

#include "cells.h"

/* Begins to report the progress of a join, if that is enabled. */
extern void BeginCellProgress(JoinCells *join);

#endif /* TED_CELL_PROGRESS_H */
