/*
 * join_order.h
 *	  The order of the pairs of a join: which strip computes a pair, and when.
 */
#ifndef TED_JOIN_ORDER_H
#define TED_JOIN_ORDER_H

#include "../common/card_tuning.h"
#include "../../src/engine/engine_tuning.h"
#include "join_work.h"

/* How a pair is computed. */
struct JoinOrder
{
	int width; /* STRIP_WIDTHS where strips do not pay */
	int right; /* whether the mirror images are compared */
	bool swapped;
	uint32_t place; /* sort key: by width, then in descending order of the work */
};

/* Number of sort keys of one width. */
constexpr uint32_t JOIN_PLACES = 64;

/*
 * Returns the strip for a pair; the tree whose key roots have fewer nodes in their subtrees has
 * the rows.
 */
static inline __device__ JoinOrder
join_order(const JoinWork &work, const JoinTree &a, const JoinTree &b, int k)
{
	JoinOrder order;

	order.right = a.nodes[1] * b.nodes[1] < a.nodes[0] * b.nodes[0];
	order.swapped = b.nodes[order.right] < a.nodes[order.right];

	const JoinTree &rows = order.swapped ? b : a;
	const JoinTree &columns = order.swapped ? a : b;
	const int diagonals = (k + a.size - b.size) / 2 + (k + b.size - a.size) / 2 + 1;
	const float tables = TED_GPU_STRIP_TABLES + TED_GPU_STRIP_TABLES_PER_EDIT * (float) k;
	const float length =
		(float) rows.size + rows.nodes[order.right] * fminf(tables, (float) columns.leaves);
	const float cells = a.nodes[order.right] * b.nodes[order.right] + (float) CELLS_PER_PAIR;
	const int width = diagonals <= 8 ? STRIP_8 : diagonals <= 16 ? STRIP_16 : STRIP_32;
	const int octaves = (int) (__float_as_uint(length) >> 21) - 127 * 4;

	order.width = diagonals > 32 || max(a.size, b.size) > JOIN_STRIP_NODES ||
						  length * work.row_cells[width] >= cells
					  ? (int) STRIP_WIDTHS
					  : width;
	order.place = (uint32_t) order.width * JOIN_PLACES + JOIN_PLACES - 1 -
				  (uint32_t) min(max(octaves, 0), (int) JOIN_PLACES - 1);
	return order;
}

#endif /* TED_JOIN_ORDER_H */
