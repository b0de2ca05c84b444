/*
 * text_indexes.h
 *	  Profile indexes of char(n) and name, in the terms of statements.
 */
#ifndef TED_TEXT_INDEXES_H
#define TED_TEXT_INDEXES_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/*
 * Turns profile indexes of char(n) and name into indexes of the text; returns whether a table has
 * such an index.  Paths of the table by these indexes must be made again.
 */
extern bool IndexesAsText(PlannerInfo *root, const RelOptInfo *rel);

#endif /* TED_TEXT_INDEXES_H */
