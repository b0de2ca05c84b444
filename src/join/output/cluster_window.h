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
 * Window function (doc, threshold [, costs], linkage): returns the number of the row's cluster in
 * its partition; clusters are numbered from 1 by their first rows.
 */
extern Datum ClusterOfRow(FunctionCallInfo fcinfo, const JoinKind *kind);

/* Whether such a function has a model of costs that is not NULL in the first row. */
extern bool HasClusterCosts(FunctionCallInfo fcinfo, const char *function);

#endif /* TED_CLUSTER_WINDOW_H */
