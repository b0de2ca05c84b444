/*
 * sort.h
 *	  Sorts nodes by integer keys.
 */
#ifndef TED_SORT_H
#define TED_SORT_H

#include "core.h"

/*
 * Sorts the nodes 0 to count - 1 by their keys, in ascending order, and by node where keys are
 * equal.  The keys must be at least 0.  Both arrays have room for `count` nodes; the result is in
 * one of them, which the function returns.  Returns NULL if the callback asked to stop.
 */
extern int32_t *ted_sort_nodes(const int32_t *key, int32_t count, int32_t *nodes, int32_t *other,
							   const TedInterrupt *interrupt);

#endif /* TED_SORT_H */
