/*
 * sort.h
 *	  Orders nodes by numbers that they have.
 */
#ifndef TED_SORT_H
#define TED_SORT_H

#include "core.h"

/*
 * The nodes from 0 to before `count` in ascending order of their keys, which
 * are at least 0, and of their numbers where keys are equal: in one of the two
 * arrays, both with room for them, which it returns; NULL where it was stopped.
 */
extern int32_t *ted_sort_nodes(const int32_t *key, int32_t count, int32_t *nodes, int32_t *other,
							   const TedInterrupt *interrupt);

#endif /* TED_SORT_H */
