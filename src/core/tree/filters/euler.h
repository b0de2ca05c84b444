/*
 * euler.h
 *	  Lower bounds on the distances between one tree and many, by their Euler strings.
 *
 * The Euler string of a tree has a node's label where the node begins and, as another symbol, where
 * it ends.  With unit costs, an operation on a tree is two operations on its Euler string (Akutsu,
 * Inf. Process. Lett. 100(3), 2006), neither of which replaces a beginning by an end or the
 * reverse.  The one tree is turned into bits once; then each bound takes few steps, whatever the
 * distance.
 */
#ifndef TED_EULER_H
#define TED_EULER_H

#include "../bounded/bounds.h"

/* The Euler string of one tree, as bits. */
typedef struct TedEuler TedEuler;

/* Turns a tree into bits, which are in the arena; its labels must be below `labels`. */
extern size_t ted_euler_memory(int32_t size, int32_t labels);
extern TedStatus ted_euler(const TedTree *tree, int32_t labels, TedArena *arena,
						   const TedInterrupt *interrupt, TedEuler **made);

/*
 * Computes the bound between that tree and another one of `size` nodes with the Euler string
 * `string`; labels that only the other tree has must be at least `labels`.
 */
extern size_t ted_euler_bound_memory(int32_t size);
extern TedStatus ted_euler_bound(const TedEuler *tree, const int32_t *string, int32_t size,
								 TedArena *arena, const TedInterrupt *interrupt, int32_t *bound);

#endif /* TED_EULER_H */
