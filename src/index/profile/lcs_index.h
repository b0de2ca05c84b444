/*
 * lcs_index.h
 *	  The access method profile: an index of strings by their lengths and classes of symbols.
 */
#ifndef TED_LCS_INDEX_H
#define TED_LCS_INDEX_H

#include "postgres.h"

#include "access/amapi.h"
#include "nodes/pathnodes.h"
#include "nodes/tidbitmap.h"

#include "profile.h"

/* Strategies of the operator classes. */
#define LCS_STRATEGY_WITHIN 1         /* <~ */
#define LCS_STRATEGY_DISTANCE 15      /* <~> */
#define LCS_STRATEGY_DISSIMILARITY 16 /* <%> */

/* The support function of the operator classes, which computes the profile of a value. */
#define LCS_PROFILE_PROC 1

/* Whether the profile of a value is that of the text to which it is cast, as for a char(n). */
extern bool IsReadAsText(Oid type);

/* Computes the profile of an indexed value, or of a value to search for, of this type. */
extern void LcsIndexedProfile(Relation index, Oid type, Datum value, LcsProfile *profile);

/* Functions for searches, in lcs_index_scan.c. */
extern IndexScanDesc LcsBeginScan(Relation index, int keys, int orders);
extern void LcsRescan(IndexScanDesc scan, ScanKey keys, int key_count, ScanKey orders,
					  int order_count);
extern bool LcsGetTuple(IndexScanDesc scan, ScanDirection direction);
extern int64 LcsGetBitmap(IndexScanDesc scan, TIDBitmap *bitmap);
extern void LcsEndScan(IndexScanDesc scan);

/* The amcostestimate function of the access method, in lcs_cost.c. */
extern void LcsCostEstimate(PlannerInfo *root, IndexPath *path, double loops, Cost *startup,
							Cost *total, Selectivity *selectivity, double *correlation,
							double *pages);

#endif /* TED_LCS_INDEX_H */
