/*
 * pair_filter.h
 *	  Skips trees that are read again for a block of a join but can match none of its trees.
 *
 * If trees are joined in several blocks, each tree is read for many of them, and decoding it takes
 * longer than finding out that it matches nothing.  So its rarest nodes are stored with it, and it
 * is decoded only if it shares two of them with a tree of the block (core/tree/pair_set.h).  The
 * rare labels are determined from the trees that are stored first.
 */
#ifndef TED_PAIR_FILTER_H
#define TED_PAIR_FILTER_H

#include "postgres.h"

#include "../../tree/distance/threshold.h"
#include "pipeline.h"

typedef struct PairFilter PairFilter;

/*
 * Makes a filter in the current memory context.  The kind of documents must list nodes; a block may
 * take `block` bytes; the threshold stays where it is.
 */
extern PairFilter *PairFilterCreate(const DocumentKind *kind, const DocumentThreshold *threshold,
									Size block);

/*
 * Returns the rarest nodes of a tree that is about to be stored, valid until the next call; or
 * NULL.
 */
extern bytea *PairFilterNodes(PairFilter *filter, Datum tree, int32 size);

/* Starts a block; all of its trees must be added, with the nodes stored with each, or NULL. */
extern void PairFilterStart(PairFilter *filter);
extern void PairFilterAdd(PairFilter *filter, Datum tree, int32 size, const bytea *nodes);

/* Whether a stored tree may match a tree of the block; true before the first block. */
extern bool PairFilterMayMatch(PairFilter *filter, Datum tree, int32 size, const bytea *nodes);

/* Returns the bytes of the filter. */
extern Size PairFilterMemory(const PairFilter *filter);

/* Frees the filter. */
extern void PairFilterFree(PairFilter *filter);

#endif /* TED_PAIR_FILTER_H */
