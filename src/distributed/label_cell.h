/*
 * label_cell.h
 *	  Cells of a join by the rarest labels of trees, which servers cut out of the documents that
 *	  they have.
 *
 * Of two trees within k operations of each other, of which at least one has more than k nodes,
 * both have one of their common nodes among the k + 1 rarest of either (core/tree/label_pairs.h).
 * A node leads to a cell.  So a tree is sent to the cells of its k + 1 rarest nodes, however
 * many cells there are, and to none for a node that no other tree has.  Trees with at most k
 * nodes may match without a common node, and all meet in cell 0, too.  A pair is found in every
 * cell where its trees meet, and is of one of them: cell 0 for two such small trees, otherwise
 * the cell of the first of the rarest nodes of the tree with the lower id that both have.
 *
 * What is rare is said by counts that all servers have: in how many trees there is a label
 * with the same lowest bits of a hash.  One that counts a single tree is that tree's alone.
 *
 * What a server sends to a cell is part of it (cell_bytes.h), in which each document has in
 * front of it how many of its rarest nodes follow, a byte, how many of them lead to cells, a
 * byte, and these nodes, 4 bytes each, the rarest one first: k + 2 less those that no other
 * tree has.
 */
#ifndef TED_LABEL_CELL_H
#define TED_LABEL_CELL_H

#include "postgres.h"

#include "../core/tree/filters/label_pairs.h"

/* The cell of a node. */
static inline int32
CellOfNode(uint32 node, int32 cells)
{
	return (int32) (node % (uint32) cells);
}

/* Refuses a threshold for which there are no such cells, and a number of cells below 1. */
extern void CheckLabelCells(int32 max_distance, int32 cells);

#endif /* TED_LABEL_CELL_H */
