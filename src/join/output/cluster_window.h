/*
 * cluster_window.h
 *	  Clusters of similar documents as a window function.
 */
#ifndef TED_CLUSTER_WINDOW_H
#define TED_CLUSTER_WINDOW_H

#include "postgres.h"

#include "fmgr.h"

#include "../input/kind.h"

/*
 * Window function (doc, threshold), or (doc, threshold, costs) with a cost model: returns the
 * number of the row's cluster in its partition; clusters are numbered from 1 by their first rows.
 */
extern Datum ClusterOfRow(FunctionCallInfo fcinfo, const JoinKind *kind);

#endif /* TED_CLUSTER_WINDOW_H */
