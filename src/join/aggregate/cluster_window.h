/*
 * cluster_window.h
 *	  Clusters of similar documents as a window function.
 */
#ifndef TED_CLUSTER_WINDOW_H
#define TED_CLUSTER_WINDOW_H

#include "postgres.h"

#include "fmgr.h"

#include "kind.h"

/*
 * The window function (doc, threshold), or (doc, threshold, costs) by a model: the number of
 * the row's cluster among those of its partition, from 1 in the order of their first rows.
 */
extern Datum ClusterOfRow(FunctionCallInfo fcinfo, const JoinKind *kind);

#endif /* TED_CLUSTER_WINDOW_H */
