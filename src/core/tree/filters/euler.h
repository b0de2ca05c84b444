/*
 * euler.h
 *	  Lower bound of the distances between one tree and many, by their Euler strings.
 *
 * The Euler string of a tree has a node's label where the node begins and, as
 * another symbol, where it ends.  With unit costs, an operation on a tree is two
 * on its Euler string (Akutsu, Inf. Process. Lett. 100(3), 2006), neither of
 * which makes an end of a beginning or the reverse.  The one tree is turned into
 * bits once; then each bound takes few steps, however far apart the trees are.
 */
#ifndef TED_EULER_H
#define TED_EULER_H

#include "../bounded/bounds.h"

/* The Euler string of one tree, as bits. */
typedef struct TedEuler TedEuler;

/* Makes the bits of a tree whose labels are below a bound; they stay in the arena. */
extern size_t ted_euler_memory(int32_t size, int32_t labels);
extern TedStatus ted_euler(const TedTree *tree, int32_t labels, TedArena *arena,
						   const TedInterrupt *interrupt, TedEuler **made);

/*
 * The bound between that tree and another one, whose Euler string is given; labels
 * that only that one has are not below the bound of the labels.
 */
extern size_t ted_euler_bound_memory(int32_t size);
extern TedStatus ted_euler_bound(const TedEuler *tree, const int32_t *string, int32_t size,
								 TedArena *arena, const TedInterrupt *interrupt, int32_t *bound);

#endif /* TED_EULER_H */
