/*
 * match_measures.h
 *	  Measures of a match in the last columns of a scan tuple.
 */
#ifndef TED_MATCH_MEASURES_H
#define TED_MATCH_MEASURES_H

#include "postgres.h"

#include "nodes/extensible.h"

#include "../cells/cells.h"

/* Returns the columns of the scan tuple that a plan node's target list and filter use. */
extern Bitmapset *UsedColumns(const CustomScan *scan);

/*
 * The last columns of the scan tuple are measures, each with a FunctionRole.  Checks the
 * permissions on the measures that are used; stores the measures of a match, or nulls for NULL. The
 * match's distance is in units of 1 / scale.
 */
extern void CheckMeasures(const CustomScan *scan, const List *measures, const Bitmapset *used);
extern void StoreMeasures(const List *measures, const Match *match, DocumentType documents,
						  int32 scale, TupleTableSlot *scan);

#endif /* TED_MATCH_MEASURES_H */
