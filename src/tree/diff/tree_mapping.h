/*
 * tree_mapping.h
 *	  An edit mapping of two trees.
 */
#ifndef TED_TREE_MAPPING_H
#define TED_TREE_MAPPING_H

#include "postgres.h"

#include "../../core/tree/ted.h"

/* Which mapping is wanted. */
typedef enum MappingKind
{
	MAPPING_OPTIMAL,
	MAPPING_APPROXIMATE,
	MAPPING_FITTING, /* an optimal one if ted.max_memory allows, else an approximate one */
	MAPPING_BY_NAME  /* of documents, see name_mapping.h */
} MappingKind;

/*
 * Maps the trees to each other, by the tie rule of ted.h: writes the partner of each
 * node by postorder number, or -1.  Returns whether the mapping is optimal.  Costs or
 * trees that are too large are an error.
 */
extern bool MapTrees(const TedTree *a, const TedTree *b, const TedCosts *costs, MappingKind kind,
					 int32 *map_a, int32 *map_b);

/*
 * Whether some operations cost nothing by which one tree turns into the other; then their mapping
 * is written.
 */
extern bool MapAtNoCost(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 *map_a,
						int32 *map_b);

#endif /* TED_TREE_MAPPING_H */
