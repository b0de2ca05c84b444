/*
 * linkage.h
 *	  Complete linkage: clusters all of whose documents match each other.
 *
 * Pairs are taken in the order of their distances, those of equal distances in the order of their
 * ids.  Two clusters are united as soon as all pairs between them have been taken.  So the two
 * clusters whose farthest documents are nearest are united first.
 */
#ifndef TED_LINKAGE_H
#define TED_LINKAGE_H

#include "postgres.h"

typedef struct Linkage Linkage;

/*
 * Makes an empty set of pairs in a new memory context.  `parent` has the components of ids, see
 * components.h; ids that are already connected count as one, by the first of them.  `what` names
 * the computation in errors about memory.
 */
extern Linkage *LinkageCreate(int32 *parent, int32 ids, const char *what);

/* Adds a pair, which may be added several times. */
extern void LinkageAdd(Linkage *linkage, int64 a, int64 b, double distance);

/* Connects the ids of each cluster, and frees the pairs. */
extern void LinkageFinish(Linkage *linkage);

#endif /* TED_LINKAGE_H */
