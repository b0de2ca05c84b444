/*
 * strip.cuh
 *	  Tree edit distance up to a limit: rows of forest tables with a diagonal in each lane.
 *
 * As src/core/bounded.c says, only nodes x and y with y - x in a range of k + 1
 * values can be mapped to each other within the limit, and only cells of these
 * diagonals count.  So nodes y = x - deletions + lane meet row x, and a row is a
 * register of 8, 16 or 32 lanes: a warp computes four, two or one pairs at once.
 *
 * For two nodes with k insertions and deletions at most, the numbers of nodes left
 * of them differ within that range, too, and these numbers are those of the leftmost
 * leaves, which all nodes of a leftmost path have in common.  So a path of a has one
 * path of b in each lane, and a lane keeps the topmost node that needs their
 * table.  Taking leaves in descending order computes nested subtrees first.
 *
 * A cell is less the cost of the insertions that its lane stands for, counted
 * from the lane of the empty forest in row 0: so an insertion is free, the rest
 * of a row is a prefix minimum, and no number is negative or ever decreases on
 * the way from one to another.
 *
 * All groups of a warp take a step of their own at once, a node of a path or a
 * row, so that they need not wait for each other's tables.  What a lane stores
 * is for itself alone; what a subtree leaves to the left comes by a shuffle.
 */
#ifndef STRIP_CUH
#define STRIP_CUH

#include "strip.h"

constexpr unsigned ALL_LANES = 0xffffffffu;

/* Steps after which a group asks whether to stop. */
constexpr int STEPS_PER_CHECK = 4096;

/* LANES lanes, which compute a pair; all of them know all but what is said to be the lane's. */
template <int LANES> struct StripGroup
{
	const StripWork &work;
	const int lane;    /* the lane's */
	const int shift;   /* lanes of the warp before the group */
	int16_t *distance; /* [node of a][lane] */
	int16_t *kept;     /* [depth][lane] */

	/* the pair */
	bool idle = false; /* there is no pair any more */
	StripView a;
	StripView b;
	int result;
	int k;         /* insertions and deletions that the limit allows */
	int deletions; /* of a mapping with at most k of both */

	/* the path under way */
	int step; /* the next one */
	int leaf;
	int top;         /* the lane's: the topmost node with a table, or -1 */
	unsigned tables; /* lanes with tables to be filled */

	/* the table under way */
	int row;  /* the next one */
	int last; /* row; less than `row` where there is no table */
	int first_column;
	int above; /* the lane's: the last row */

	__device__
	StripGroup(const StripWork &work, int rank)
		: work(work), lane(rank % LANES), shift(rank % 32 / LANES * LANES)
	{
		distance = work.rows + rank / LANES * work.group_cells + lane;
		kept = distance + (int64_t) work.most_nodes * LANES;
		a.size = step = 0;
		row = leaf = first_column = above = 0;
		last = top = -1;
		tables = 0;
		result = -1;
	}

	/* The group's lanes among those of the warp. */
	__device__ unsigned
	own(unsigned lanes) const
	{
		return LANES == 32 ? lanes : lanes >> shift & ((1u << LANES % 32) - 1);
	}

	/* Whether the group looks for tables. */
	__device__ bool
	looks() const
	{
		return row > last && tables == 0;
	}

	/* Hands over the distance of the pair, and takes up the next one. */
	__device__ void
	next_pair()
	{
		unsigned number = 0;

		if (result >= 0 && lane == b.size - a.size + deletions)
			work.results[result] =
				distance[(int64_t) (a.size - 1) * LANES] + work.costs.insert * (b.size - a.size);
		if (lane == 0)
			number = *work.cancel ? work.count : atomicAdd(work.next, 1);
		number = __shfl_sync(LANES == 32 ? ALL_LANES : ((1u << LANES % 32) - 1) << shift, number, 0,
							 LANES);
		if (number >= (unsigned) work.count)
		{
			idle = true;
			return;
		}
		const StripJob job = work.jobs[number];

		a = work.views[job.a];
		b = work.views[job.b];
		result = job.result;
		k = job.limit / min(work.costs.insert, work.costs.delete_);
		deletions = (k + a.size - b.size) / 2;
		step = 0;
	}

	/* Looks which tables the next node on a path needs, if the group looks for tables. */
	__device__ void
	look()
	{
		StripStep node = {};
		unsigned needed = 0;
		int x = 0;
		bool looking;

		if (looks() && !idle && step == a.size)
			next_pair();
		looking = looks() && !idle;
		if (looking)
		{
			node = a.steps()[step++];
			x = node.node;
			const int y = x - deletions + lane;

			if (node.size == 1)
			{
				leaf = x;
				top = -1;
			}
			distance[(int64_t) x * LANES] = STRIP_FAR;
			if (y >= 0 && y < b.size)
			{
				const StripColumn other = b.columns()[y];
				const int left = leaf - (y - other.size + 1);
				const int above = node.depth - other.depth;
				const int inside = node.size - other.size;
				const int right = a.size - b.size - left - above - inside;

				if (abs(left) + abs(above) + abs(inside) + abs(right) <= k)
					needed = 1u << (deletions - left + shift);
			}
		}
		needed = own(__reduce_or_sync(ALL_LANES, needed));
		if (looking && (needed >> lane & 1))
			top = x;
		needed = own(__ballot_sync(ALL_LANES, top >= 0));
		if (looking && node.last)
			tables = needed;
	}

	/* Begins the next table, if there is one and none is under way. */
	__device__ void
	begin_table()
	{
		const bool begins = row > last && tables != 0;
		const int origin = 31 - __clz((int) tables);
		const int topmost = __shfl_sync(ALL_LANES, top, origin, LANES);

		if (begins)
		{
			tables ^= 1u << origin;
			row = leaf;
			last = topmost;
			first_column = leaf - deletions + origin;
			above = lane >= origin ? 0 : STRIP_FAR;
		}
	}

	/* Fills the next row, if there is a table. */
	__device__ void
	fill_row()
	{
		const bool fills = row <= last;
		const int y = row - deletions + lane;
		const bool inside = fills && y >= first_column && y < b.size;
		StripRow node = {};
		StripColumn column = {};
		int16_t *own_distance = distance + (int64_t) row * LANES;
		int beside = above;
		int cell = STRIP_FAR;
		bool roots; /* both nodes are on their table's leftmost path */
		int next;

		if (fills)
		{
			int16_t *place;

			node = a.rows[row];
			place = kept + node.depth * LANES;
			if (node.size == 1)
				*place = (int16_t) above;
			else
				beside = *place;
		}
		if (inside)
		{
			column = b.columns()[y];
			cell = *own_distance;
		}
		roots = inside && row - node.size + 1 == leaf && y - column.size + 1 == first_column;

		const int source = lane + node.size - column.size;
		const int left = __shfl_sync(ALL_LANES, beside, source, LANES);

		cell = source >= 0 && source < LANES ? cell + left : STRIP_FAR;
		if (roots)
			cell = above + (node.label == column.label ? 0 : work.costs.rename);
		next = __shfl_down_sync(ALL_LANES, above, 1, LANES);
		if (lane < LANES - 1)
			cell = min(cell, next + work.costs.delete_ + work.costs.insert);
#pragma unroll
		for (int d = 1; d < LANES; d *= 2)
			cell = min(cell, __shfl_up_sync(ALL_LANES, cell, d, LANES));
		above = min(cell, STRIP_FAR);
		if (roots)
			*own_distance = (int16_t) above;
		row += fills;
	}
};

/* Pairs, one for a group of lanes at a time. */
template <int LANES>
static __device__ void
compute_strips(const StripWork &work, int rank)
{
	StripGroup<LANES> group(work, rank);

	for (int steps = 1;; steps++)
	{
		if (__any_sync(ALL_LANES, group.looks()))
			group.look();
		if (__all_sync(ALL_LANES, group.idle && group.looks()))
			return;
		group.begin_table();
		group.fill_row();
		if (steps % STEPS_PER_CHECK == 0 && __any_sync(ALL_LANES, *work.cancel))
			return;
	}
}

#endif /* STRIP_CUH */
