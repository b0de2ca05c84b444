/*
 * tree_mapping.h
 *	  An edit mapping of two trees.
 */
#ifndef TED_TREE_MAPPING_H
#define TED_TREE_MAPPING_H

#include "postgres.h"

#include "../../core/tree/ted.h"

/* The kind of a mapping. */
typedef enum MappingKind
{
	MAPPING_OPTIMAL,
	MAPPING_APPROXIMATE,
	MAPPING_FITTING, /* an optimal one if ted.max_memory allows, else an approximate one */
	MAPPING_BY_NAME  /* for documents only, see name_mapping.h */
} MappingKind;

/*
 * Maps the trees to each other, with the tie rule of ted.h: sets the partner of each node
 * by postorder number, or -1.  Returns whether the mapping is optimal.  Raises an error if
 * costs or trees are too large.
 */
extern bool MapTrees(const TedTree *a, const TedTree *b, const TedCosts *costs, MappingKind kind,
					 int32 *map_a, int32 *map_b);

/*
 * Whether one tree turns into the other at no cost; then sets the mapping.  Returns false
 * as well if costs of 0 do not occur, or if there is not enough memory.
 */
extern bool MapAtNoCost(const TedTree *a, const TedTree *b, const TedCosts *costs, int32 *map_a,
						int32 *map_b);

#endif /* TED_TREE_MAPPING_H */
