/*
 * paths.h
 *	  Plans searches of tables by thresholds, in whatever way they are spelt.
 */
#ifndef TED_PATHS_H
#define TED_PATHS_H

#include "postgres.h"

#include "nodes/pathnodes.h"

/* The setting ted.explain_rejected. */
extern bool ExplainRejectedPlans;

/*
 * Whether the client is told why plans are rejected: if the setting is on, and outside of functions
 * with their owner's rights.
 */
extern bool ExplainsRejected(void);

/* Whether an expression is a column of an index other than btree and hash. */
extern bool IsIndexed(const RelOptInfo *rel, Node *document);

/* Installs the hook that plans searches. */
extern void SearchPathsInit(void);

#endif /* TED_PATHS_H */
