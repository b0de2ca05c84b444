/*
 * strip.cuh
 *	  Tree edit distance up to a limit: rows of forest tables with a diagonal in each lane.
 *
 * As src/core/tree/strip.c explains, only nodes x and y with y - x in a range of k + 1
 * values can be mapped to each other within the limit, and only cells of these diagonals
 * count.  So row x is compared with nodes y = x - deletions + lane, and a row is a register
 * of 8, 16 or 32 lanes: a warp computes four pairs, two pairs or one pair at once.
 *
 * For two nodes with no more than k insertions and deletions, the numbers of nodes left of
 * them differ within that range, too.  These numbers are those of the leftmost leaves, which
 * all nodes of a leftmost path have in common.  So a path of a has one path of b in each
 * lane, and a lane keeps the topmost node that needs their table.  Taking leaves in
 * descending order computes nested subtrees first.
 *
 * A cell is less the cost of the insertions that its lane stands for, counted from the lane
 * of the empty forest in row 0.  So an insertion is free, the rest of a row is a prefix
 * minimum, and no number is negative or decreases along a path of operations.
 *
 * All groups of a warp take a step of their own at once, a node of a path or a row, so that
 * they need not wait for each other's tables.  A lane reads only what it has stored itself;
 * the cell to the left of a subtree comes from another lane by a shuffle.
 */
#ifndef TED_STRIP_CUH
#define TED_STRIP_CUH

#include <cstring>

#include "../common/warp.cuh"
#include "device_strip.h"

/* A group checks for cancellation after this number of nodes. */
constexpr int NODES_PER_CHECK = 256;

/* Loads a node as a row, a column or a step; these never change. */
template <class Node>
static __device__ Node
load_node(const Node *from)
{
	static_assert(sizeof(Node) == sizeof(uint2), "is loaded at once");
	const uint2 bits = __ldg((const uint2 *) from);
	Node node;

	memcpy(&node, &bits, sizeof(node));
	return node;
}

/*
 * LANES lanes that compute a pair.  Members are the same in all lanes of the group, unless they
 * are marked as the lane's.
 */
template <int LANES> struct StripGroup
{
	const StripWork &work;
	const int warp_lane; /* the lane's, within the warp */
	const int lane;      /* the lane's, within the group */
	const int gap;       /* the lane's: cost of a step from the next lane's cell above */
	int16_t *distance;   /* the lane's distances by node of a, LANES cells apart */
	int16_t *kept;       /* the lane's kept cells by depth */
	unsigned own_lanes;  /* lanes of the group within the warp */

	/* the pair; if no pair is left, the last one remains readable */
	bool idle;
	const StripRow *rows;
	const StripColumn *columns;
	const StripStep *steps;
	int size_a;
	int size_b;
	int result;
	int k;         /* the most insertions and deletions within the limit */
	int deletions; /* most deletions within k, plus lanes before the group's */

	/* the path that is being walked */
	int step; /* the next step of the path */
	int leaf;
	int top;         /* the lane's: topmost node that needs a table, or -1 */
	unsigned tables; /* lanes of the warp with tables that are still to be filled */

	/* the table that is being filled */
	int row;  /* the next row */
	int last; /* last row; less than `row` if there is no table */
	int first_column;
	int above; /* the lane's: cell of the last row */

	__device__
	StripGroup(const StripWork &work, int rank)
		: work(work), warp_lane(rank % WARP), lane(rank % LANES),
		  gap(lane < LANES - 1 ? work.uniform.insert + work.uniform.delete_ : STRIP_FAR)
	{
		const StripView &any = work.views[work.jobs[0].a];

		distance = work.rows + rank / LANES * work.group_cells + lane;
		kept = distance + (int64_t) work.most_nodes * LANES;
		/* hide where they come from, or the compiler would compute each address from that */
		asm("" : "+l"(distance), "+l"(kept));
		__builtin_assume(__isGlobal(distance));
		__builtin_assume(__isGlobal(kept));
		own_lanes = ALL >> (WARP - LANES) << (warp_lane - lane);
		idle = false;
		rows = any.rows;
		columns = any.columns();
		size_a = size_b = step = 0;
		result = -1;
		k = deletions = 0;
		row = leaf = first_column = above = 0;
		last = top = -1;
		tables = 0;
	}

	/* Whether the group searches for tables. */
	__device__ bool
	looks() const
	{
		return row > last && tables == 0;
	}

	/* Returns the node of b in the lane, in row x. */
	__device__ int
	column_of(int x) const
	{
		return x - deletions + warp_lane;
	}

	/* Writes the distance of the pair, and fetches the next pair. */
	__device__ void
	next_pair()
	{
		unsigned number = 0;

		if (result >= 0 && column_of(size_a - 1) == size_b - 1)
			work.results[result] =
				distance[(int64_t) (size_a - 1) * LANES] + work.uniform.insert * (size_b - size_a);
		if (lane == 0)
		{
			const bool stop = *work.cancel; /* loaded at the same time as `next` */

			number = atomicAdd(work.next, 1);
			if (stop)
				number = work.count;
		}
		number = __shfl_sync(own_lanes, number, 0, LANES);
		if (number >= (unsigned) work.count)
		{
			idle = true;
			return;
		}
		const StripJob job = work.jobs[number];
		const StripView a = work.views[job.a];
		const StripView b = work.views[job.b];

		rows = a.rows;
		columns = b.columns();
		steps = a.steps();
		size_a = a.size;
		size_b = b.size;
		result = job.result;
		k = job.limit / min(work.uniform.insert, work.uniform.delete_);
		deletions = (k + size_a - size_b) / 2 + warp_lane - lane;
		step = 0;
	}

	/*
	 * Finds which tables the next node on a path needs, if the group searches for tables.
	 * Returns false if no group of the warp has a pair any more.
	 */
	__device__ bool
	look()
	{
		StripStep node = {};
		unsigned needed = 0;
		int x = 0;
		bool looking;

		if (looks() && !idle && (step == size_a || (step % NODES_PER_CHECK == 0 && *work.cancel)))
			next_pair();
		if (__all_sync(ALL, idle))
			return false;
		looking = looks() && !idle;
		if (looking)
		{
			node = load_node(steps + step++);
			x = node.node;
			const int y = column_of(x);

			if (node.size == 1)
			{
				leaf = x;
				top = -1;
			}
			distance[(int64_t) x * LANES] = STRIP_FAR;
			if ((unsigned) y < (unsigned) size_b)
			{
				const StripColumn other = load_node(columns + y);
				const int left = leaf - (y - other.size + 1);
				const int above = node.depth - other.depth;
				const int inside = node.size - other.size;
				const int right = size_a - size_b - left - above - inside;

				if (abs(left) + abs(above) + abs(inside) + abs(right) <= k)
					needed = 1u << (deletions - left);
			}
		}
		needed = __reduce_or_sync(ALL, needed);
		if (looking && (needed >> warp_lane & 1))
			top = x;
		needed = __ballot_sync(ALL, top >= 0) & own_lanes;
		if (looking && node.last)
			tables = needed;
		return true;
	}

	/* Begins the next table, if there is one and none is being filled. */
	__device__ void
	begin_table()
	{
		const bool begins = row > last && tables != 0;
		const int origin = WARP - 1 - __clz((int) tables);
		const int topmost = __shfl_sync(ALL, top, origin, LANES);

		if (begins)
		{
			tables ^= 1u << origin;
			row = leaf;
			last = topmost;
			first_column = leaf - deletions + origin;
			above = warp_lane >= origin ? 0 : STRIP_FAR;
		}
	}

	/*
	 * Fills the next row, if there is a table; otherwise does the same without effect.  Lanes
	 * to the right of b get numbers that reach no other lane; the memory that they read must be
	 * readable.
	 */
	__device__ void
	fill_row()
	{
		const bool fills = row <= last;
		const int x = fills ? row : leaf;
		const int y = column_of(x);
		const StripRow node = load_node(rows + x);
		const StripColumn column = load_node(columns + max(y, 0));
		int16_t *own = distance + (int64_t) x * LANES;
		int16_t *place = kept + (int64_t) node.depth * LANES;
		const bool roots = x - node.size + 1 == leaf && y - column.size + 1 == first_column;
		const int source = lane + node.size - column.size;
		int beside = above;
		int cell;

		if (node.size == 1)
			*place = (int16_t) above;
		else
			beside = *place;
		cell = *own + __shfl_sync(ALL, beside, source, LANES);
		if (y < first_column || (unsigned) source >= (unsigned) LANES)
			cell = STRIP_FAR;
		if (roots) /* both nodes are on their leftmost paths */
			cell = above + (node.label == column.label ? 0 : work.uniform.rename);
		cell = __viaddmin_s32(__shfl_down_sync(ALL, above, 1, LANES), gap, cell);
#pragma unroll
		for (int d = 1; d < LANES; d *= 2)
			cell = min(cell, __shfl_up_sync(ALL, cell, d, LANES));
		above = min(cell, STRIP_FAR);
		if (roots && fills)
			*own = (int16_t) above;
		row += fills;
	}
};

/* Computes pairs, each by a group of lanes. */
template <int LANES>
static __device__ void
compute_strips(const StripWork &work, int rank)
{
	StripGroup<LANES> group(work, rank);

	for (;;)
	{
		if (__any_sync(ALL, group.looks()) && !group.look())
			return;
		group.begin_table();
		group.fill_row();
	}
}

#endif /* TED_STRIP_CUH */
