/*
 * pair_filter.h
 *	  Passes over trees that are read again for a block of a join and can match none of it.
 *
 * Where trees are joined in several blocks, each is read for many of them, and decoding it
 * takes longer than to see that it matches nothing.  So its rarest nodes are stored with it, and
 * it is decoded only if it shares two of them with a tree of the block (core/tree/pair_set.h).
 * Which labels are rare is learnt from the trees that are stored first.
 */
#ifndef TED_PAIR_FILTER_H
#define TED_PAIR_FILTER_H

#include "postgres.h"

#include "../../tree/distance/threshold.h"
#include "pipeline.h"

typedef struct PairFilter PairFilter;

/*
 * Makes a filter of documents of a kind that lists their nodes, in the current memory context,
 * where a block may take this much memory.  The threshold stays where it is.
 */
extern PairFilter *PairFilterCreate(const DocumentKind *kind, const DocumentThreshold *threshold,
									Size block);

/* The rarest nodes of a tree that is about to be stored, good until the next one; or NULL. */
extern bytea *PairFilterNodes(PairFilter *filter, Datum tree, int32 size);

/* Starts a block, all of whose trees have to be added, with the nodes stored with them or NULL. */
extern void PairFilterStart(PairFilter *filter);
extern void PairFilterAdd(PairFilter *filter, Datum tree, int32 size, const bytea *nodes);

/* Whether a stored tree may match one of the block; before the first block, any may. */
extern bool PairFilterMayMatch(PairFilter *filter, Datum tree, int32 size, const bytea *nodes);

/* Memory that the filter takes. */
extern Size PairFilterMemory(const PairFilter *filter);

/* Frees everything. */
extern void PairFilterFree(PairFilter *filter);

#endif /* TED_PAIR_FILTER_H */
