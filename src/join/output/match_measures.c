/*
 * match_measures.c
 *	  Measures of a match in the last columns of a scan tuple.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"

#include "../../catalog/identity.h"
#include "../../compat.h"
#include "../../index/planner/clause.h"
#include "../../string/lcs_threshold.h"
#include "../../tree/costs/model_costs.h"
#include "match_measures.h"

Bitmapset *
UsedColumns(const CustomScan *scan)
{
	Bitmapset *used = NULL;

	pull_varattnos((Node *) scan->scan.plan.targetlist, INDEX_VAR, &used);
	pull_varattnos((Node *) scan->scan.plan.qual, INDEX_VAR, &used);
	return used;
}

void
CheckMeasures(const CustomScan *scan, const List *measures, const Bitmapset *used)
{
	int columns = list_length(scan->custom_scan_tlist) - list_length(measures);
	ListCell *cell;

	foreach (cell, scan->custom_scan_tlist)
	{
		const TargetEntry *column = lfirst_node(TargetEntry, cell);

		if (column->resno > columns &&
			bms_is_member(column->resno - FirstLowInvalidHeapAttributeNumber, used))
			CheckExecutable(CalledFunction((Node *) column->expr));
	}
}

/* Returns a measure of a match; the match's distance is in units of 1 / scale. */
static Datum
MeasureOf(const Match *match, DocumentType documents, FunctionRole measure, int32 scale)
{
	int32 distance = match->distance;
	int32 larger = match->larger_size;
	int64 total = (int64) larger + match->smaller_size;
	bool by_model = AreByModel(documents);

	switch (measure)
	{
		case ROLE_DISTANCE_OP:
			return Float8GetDatum(distance);
		case ROLE_SIMILARITY:
			return Float8GetDatum(!AreTrees(documents)
									  ? LcsSimilarity((total - distance) / 2, total)
								  : by_model ? ModelSimilarity(distance, larger)
											 : TreeSimilarity(distance, larger));
		case ROLE_DISSIMILARITY:
			return Float8GetDatum(AreTrees(documents)
									  ? TreeDissimilarity(distance, larger)
									  : 1 - LcsSimilarity((total - distance) / 2, total));
		case ROLE_NORMALIZED_DISTANCE:
			return Float8GetDatum(by_model ? ModelNormalizedDistance(distance, total)
										   : TreeNormalizedDistance(distance, total));
		case ROLE_COMMON_LENGTH:
			return Int32GetDatum((int32) ((total - distance) / 2));
		default:
			return by_model ? Float8GetDatum((float8) distance / scale) : Int32GetDatum(distance);
	}
}

void
StoreMeasures(const List *measures, const Match *match, DocumentType documents, int32 scale,
			  TupleTableSlot *scan)
{
	int column = scan->tts_tupleDescriptor->natts - list_length(measures);
	ListCell *cell;

	foreach (cell, measures)
	{
		scan->tts_isnull[column] = match == NULL;
		scan->tts_values[column++] =
			match == NULL ? (Datum) 0 : MeasureOf(match, documents, lfirst_int(cell), scale);
	}
}
