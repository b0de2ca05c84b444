/*
 * relay.cuh
 *	  Rows of forest tables that warps hand on to one another.
 *
 * For a single pair, the rows of the root decide: each has to wait for the one
 * before.  So a row is made short here.  The warps of a block have columns side by
 * side, and each hands the last cell of its row on to the next warp: while that one
 * completes the row, the first has begun the next, and no warp waits for all.
 * The cells are those of sweep.cuh; where a table begins, the column of the empty
 * forest stands before it and needs no rule of its own.
 *
 * What a subtree leaves to the left is a cell of an earlier row, which is kept
 * until the subtree is finished and the last warp is past that: see Entry::slot.
 * Distances between subtrees are fetched some rows ahead, as soon as other blocks
 * have said that they are there.
 */
#ifndef RELAY_CUH
#define RELAY_CUH

#include <type_traits>

#include <cuda_pipeline.h>

#include "device.cuh"
#include "relay.h"

/* Warps of a block that deal with other blocks. */
constexpr int RELAY_MESSENGERS = 2;

/* Polls for what another worker does after which a worker asks whether to stop. */
constexpr int POLLS_PER_CHECK = 256;

/* Cells behind those of a kept row: the empty forest, and what no cell is above. */
constexpr int KEPT_BESIDE = 8;

/* A pair under way. */
template <class Cell> struct SharedProblem
{
	const Entry *rows;    /* of a */
	const Entry *columns; /* of b */
	int insert;
	int remove;
	int rename;
	Cell *distance; /* [node of a][stride] by node of b + 1: between subtrees, less insertions */
	int stride;
	int nodes;                  /* of a */
	uint32_t *ready;            /* [group][node of a] */
	const volatile int *cancel; /* set to stop */
};

/* What the warps of a block share besides kept rows. */
template <class Cell, int WARPS, int C> struct Board
{
	static constexpr unsigned BATCH = C <= 8 ? 32 / C : 2; /* rows that are fetched at once */
	static constexpr unsigned FETCHED = 2 * BATCH;         /* those, and the ones before */
	static constexpr int BYTES = C * (int) sizeof(Cell);   /* of a lane's distances */
	using Word = std::conditional_t<BYTES % 16 == 0, uint4, uint2>;
	static constexpr int WORDS = BYTES / (int) sizeof(Word);
	static constexpr unsigned ENTRIES = 2 * WARP; /* of a, that are there */
	static constexpr unsigned CARRIES = 16;       /* rows that are handed on */
	static_assert(CARRIES > LAYOUT_LAG, "a carry is overwritten when it has been read");

	Word distances[FETCHED][WORDS][WARPS * WARP];
	uint4 entries[WARPS][ENTRIES];
	uint64_t carry[WARPS][CARRIES]; /* a row and the last cell of the warp */
	uint64_t fetchable;             /* rows before this one may be fetched */
	uint64_t stop;
	int fetched; /* task */
};

/* Whether a word has been set by another block, whose earlier writes are then seen. */
static __device__ bool
is_ready(const uint32_t *word)
{
	uint32_t value;

	asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
	return value != 0;
}

/* Sets a word for other blocks, after all that the thread has seen written. */
static __device__ void
set_ready(uint32_t *word)
{
	asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(1) : "memory");
}

/* The address of a word of shared memory. */
static __device__ unsigned
shared_address(const void *word)
{
	return (unsigned) __cvta_generic_to_shared(word);
}

/* Words that warps of a block write for one another, with all that they have seen written. */
static __device__ uint64_t
load_shared(const uint64_t *word)
{
	uint64_t value;

	asm volatile("ld.acquire.cta.shared.u64 %0, [%1];"
				 : "=l"(value)
				 : "r"(shared_address(word))
				 : "memory");
	return value;
}

static __device__ void
store_shared(uint64_t *word, uint64_t value)
{
	asm volatile("st.release.cta.shared.u64 [%0], %1;"
				 :
				 : "r"(shared_address(word)), "l"(value)
				 : "memory");
}

/* The least of a lane's cells. */
template <int C>
static __device__ int
least_of(const int (&cell)[C])
{
	int part[C];

#pragma unroll
	for (int c = 0; c < C; c++)
		part[c] = cell[c];
#pragma unroll
	for (int d = 1; d < C; d *= 2)
#pragma unroll
		for (int c = 0; c + d < C; c += 2 * d)
			part[c] = min(part[c], part[c + d]);
	return part[0];
}

/*
 * Looks out for rows of distances that other blocks yield, and says up to which
 * the rows of a task may be fetched: a warp's work.
 */
template <class Cell, class Shared>
static __device__ void
look_out(Shared &board, const SharedProblem<Cell> &p, int group, int row, int end_row)
{
	const int lane = (int) threadIdx.x % WARP;

	for (int polls = 1; row < end_row; polls++)
	{
		bool ready = true;

		if (row + lane < end_row)
		{
			const Entry entry = unpack(((const uint4 *) p.rows)[row + lane]);
			const int yields = on_path(entry) ? group - 1 : group;

			if (yields >= 0)
				ready = is_ready(&p.ready[(size_t) yields * p.nodes + entry.node]);
		}

		const unsigned waiting = __ballot_sync(ALL, !ready);
		const int there = waiting ? __ffs(waiting) - 1 : WARP;

		row += there;
		if (there > 0 && lane == 0)
			store_shared(&board.fetchable, (uint64_t) row);
		if (polls % POLLS_PER_CHECK == 0 && __any_sync(ALL, *p.cancel))
		{
			if (lane == 0)
				store_shared(&board.stop, 1);
			return;
		}
	}
}

/* The row that a carry belongs to. */
static __device__ int
row_of(uint64_t carry)
{
	return (int) (carry >> 32);
}

/* Announces rows of distances to other blocks as the last warp completes them: a warp's work. */
template <class Cell, class Shared>
static __device__ void
announce(Shared &board, const SharedProblem<Cell> &p, const Group &group, int row, int end_row)
{
	const int lane = (int) threadIdx.x % WARP;
	const uint64_t *carries = board.carry[(group.lanes - 1) / WARP];

	while (row < end_row && !load_shared(&board.stop))
	{
		const int mine = row + lane;
		const bool complete =
			lane < (int) Shared::CARRIES && mine < end_row &&
			row_of(load_shared(&carries[(unsigned) mine % Shared::CARRIES])) >= mine;

		const int count = __ffs(~__ballot_sync(ALL, complete)) - 1;

		if (lane < count)
		{
			const Entry entry = unpack(((const uint4 *) p.rows)[mine]);

			if (on_path(entry))
				set_ready(&p.ready[(size_t) group.number * p.nodes + entry.node]);
		}
		row += count;
	}
}

/* A warp's columns of a group, C for each lane, and its way down the rows. */
template <class Cell, int WARPS, int C> struct Runner
{
	using Shared = Board<Cell, WARPS, C>;
	using Word = typename Shared::Word;
	static constexpr int BATCH = (int) Shared::BATCH;
	static constexpr int THREADS = WARPS * WARP;
	static constexpr int KEPT_STRIDE = THREADS * C + KEPT_BESIDE;
	static constexpr bool HOLDS_LABELS = C <= 16; /* there are registers for them */
	static constexpr int DEAD = sizeof(Cell) == 2 ? INT16_MAX : FAR;

	Shared &board;
	const SharedProblem<Cell> &p;
	Cell *const kept;
	int remove;
	int rank; /* of the thread */
	int lane;
	int warp;
	int giver;          /* the warp whose rows this one waits for */
	int behind;         /* so many rows behind its own */
	bool last;          /* no warp waits for the rows of this one but the first */
	unsigned source[C]; /* bytes in a kept row before the forest left of the node's subtree */
	int label[HOLDS_LABELS ? C : 1];
	const Entry *columns; /* the lane's */
	int chunk;
	unsigned nodes;  /* columns that are nodes */
	unsigned paths;  /* on the leftmost path of their table's key root */
	int head_lane;   /* where the table of the lane begins, or the warp */
	int least_left;  /* FAR where nothing is taken from the lane to the left */
	int least_carry; /* the same for the warp to the left */
	int above[C];    /* the last row */
	int left;        /* its cell left of the lane's */
	int fetchable;   /* rows before this one may be fetched, as was last seen */

	/* Looks at the columns of a group. */
	__device__
	Runner(Shared &board, const SharedProblem<Cell> &p, Cell *kept, const Group &group,
		   const Lane *lanes)
		: board(board), p(p), kept(kept), remove(p.remove), rank((int) threadIdx.x),
		  lane(rank % WARP), warp(rank / WARP), nodes(0), paths(0), left(0), fetchable(0)
	{
		const int last_warp = (group.lanes - 1) / WARP;
		const bool used = rank < group.lanes;
		const Lane mine = used ? lanes[group.first_lane + rank] : Lane{0, 0, 0, 0, 1};

		columns = p.columns + mine.entry;
		chunk = mine.chunk;
#pragma unroll
		for (int c = 0; c < C; c++)
		{
			source[c] = (THREADS * C + 1) * sizeof(Cell); /* what no cell is above */
			label[HOLDS_LABELS ? c : 0] = 0;
			above[c] = 0;
			if (c >= mine.begin && c < mine.end)
			{
				const Entry entry = unpack(((const uint4 *) columns)[c]);
				const int position = rank * C + c - entry.size;

				nodes |= 1u << c;
				paths |= (unsigned) on_path(entry) << c;
				if constexpr (HOLDS_LABELS)
					label[c] = entry.label;
				source[c] = (on_path(entry) ? THREADS * C /* the empty forest */
											: position % C * THREADS + position / C) *
							sizeof(Cell);
			}
		}

		giver = warp == 0 ? last_warp : warp - 1;
		behind = warp == 0 ? LAYOUT_LAG : 0;
		last = warp == last_warp;

		const unsigned heads = __ballot_sync(ALL, mine.head) & (ALL >> (WARP - 1 - lane));

		head_lane = heads == 0 ? 0 : 31 - __clz(heads);
		least_left = mine.head || lane == 0 ? FAR : INT_MIN;
		least_carry = heads != 0 || warp == 0 ? FAR : INT_MIN;
	}

	/* Whether the thread is the one that sees rows complete. */
	__device__ bool
	is_last() const
	{
		return last && lane == 0;
	}

	/* Whether the work is to be given up. */
	__device__ bool
	stopped() const
	{
		return load_shared(&board.stop) != 0;
	}

	/* Has the entries of rows fetched, one by each lane. */
	__device__ void
	fetch_entries(int row, int end_row)
	{
		if (row + lane < end_row)
			__pipeline_memcpy_async(&board.entries[warp][(unsigned) (row + lane) % Shared::ENTRIES],
									(const uint4 *) p.rows + row + lane, sizeof(uint4));
	}

	/* The entry of a row, which has been fetched. */
	__device__ const uint4 &
	entry_of(int row) const
	{
		return board.entries[warp][(unsigned) row % Shared::ENTRIES];
	}

	/* Has the distances of rows fetched that are there, a batch at most; returns their end. */
	__device__ int
	fetch_distances(int row, int end_row)
	{
		const int end = min(row + BATCH, end_row);

		if (fetchable < end)
			fetchable = (int) load_shared(&board.fetchable);
		for (; row < min(end, fetchable); row++)
		{
			const unsigned at = (unsigned) unpack(entry_of(row)).node * (unsigned) p.stride;
			const Word *distances = (const Word *) (p.distance + at + chunk * C);

#pragma unroll
			for (int w = 0; w < Shared::WORDS; w++)
				__pipeline_memcpy_async(&board.distances[(unsigned) row % Shared::FETCHED][w][rank],
										distances + w, sizeof(Word));
		}
		__pipeline_commit();
		return row;
	}

	/* The distances of a row, which have been fetched. */
	__device__ void
	take_distances(int row, int (&subtree)[C]) const
	{
#pragma unroll
		for (int w = 0; w < Shared::WORDS; w++)
		{
			constexpr int PARTS = sizeof(Word) / 4;
			const Word word = board.distances[(unsigned) row % Shared::FETCHED][w][rank];
			const int *part = (const int *) &word;

#pragma unroll
			for (int i = 0; i < PARTS; i++)
				if constexpr (sizeof(Cell) == 2)
				{
					subtree[2 * (PARTS * w + i)] = (int16_t) part[i];
					subtree[2 * (PARTS * w + i) + 1] = part[i] >> 16;
				}
				else
					subtree[PARTS * w + i] = part[i];
		}
	}

	/* The word with which a warp hands a row on. */
	__device__ uint64_t *
	carry_of(int giver, int row) const
	{
		return &board.carry[giver][(unsigned) row % Shared::CARRIES];
	}

	/* The cells of a row by their own subtrees. */
	__device__ void
	map_subtrees(int row, const Entry &entry, int (&cell)[C]) const
	{
		int subtree[C];

		take_distances(row, subtree);
		if (on_path(entry))
		{
#pragma unroll
			for (int c = 0; c < C; c++)
			{
				cell[c] = nodes >> c & 1 ? subtree[c] : FAR;
				if (paths >> c & 1)
				{
					const bool equal = (HOLDS_LABELS ? label[HOLDS_LABELS ? c : 0]
													 : columns[c].label) == entry.label;

					cell[c] = (c > 0 ? above[c > 0 ? c - 1 : 0] : left) + (equal ? 0 : p.rename) -
							  p.insert;
				}
			}
		}
		else
		{
			const Cell *beside = kept + entry.slot * KEPT_STRIDE;

#pragma unroll
			for (int c = 0; c < C; c++)
				cell[c] = cell_at<Cell>(beside, source[c]) + subtree[c];
		}
	}

	/* Keeps the last row, and the cell of no columns. */
	__device__ void
	keep(int slot, int border)
	{
		Cell *row = kept + slot * KEPT_STRIDE;

#pragma unroll
		for (int c = 0; c < C; c++)
			row[c * THREADS + rank] = (Cell) above[c];
		if (rank == 0)
			row[THREADS * C] = (Cell) border;
	}

	/* Completes the cells of a lane by those above and those to the left; returns the least. */
	__device__ int
	complete_lane(int (&cell)[C]) const
	{
#pragma unroll
		for (int c = 0; c < C; c++)
			cell[c] = min(cell[c], above[c] + remove);

		const int least = least_of(cell);

#pragma unroll
		for (int c = 1; c < C; c++)
			cell[c] = min(cell[c], cell[c - 1]);
		return least;
	}

	/* Completes the cells of a warp but for what the warp to the left hands on. */
	__device__ void
	complete_warp(int least)
	{
#pragma unroll
		for (int d = 1; d < WARP; d *= 2)
			least = min(least, shuffle_up(least, d, head_lane));
		left = max(shuffle_up(least, 1, 0), least_left);
	}

	/* Writes distances of a row on a leftmost path. */
	__device__ void
	write_distances(const Entry &entry) const
	{
		Cell *distances = p.distance + (unsigned) entry.node * (unsigned) p.stride + chunk * C;

#pragma unroll
		for (int c = 0; c < C; c++)
			if (paths >> c & 1)
				distances[c] = (Cell) above[c];
	}

	/* Goes down one row; returns false where told to stop. */
	__device__ bool
	run_row(int row, const Entry &entry, const Entry &next, bool more)
	{
		const uint64_t *given = carry_of(giver, row - behind);
		uint64_t carry = load_shared(given);
		int cell[C];

		if (entry.place == 0)
		{
#pragma unroll
			for (int c = 0; c < C; c++)
				above[c] = 0;
			left = 0;
		}
		map_subtrees(row, entry, cell);
		complete_warp(complete_lane(cell));
		for (int polls = 1; row_of(carry) < row - behind; polls++)
		{
			carry = load_shared(given);
			if (polls % POLLS_PER_CHECK == 0 && stopped())
				return false;
		}
		left = min(left, max((int) (unsigned) carry, least_carry));
#pragma unroll
		for (int c = 0; c < C; c++)
			above[c] = min(cell[c], left);

		if (on_path(entry))
			write_distances(entry);
		if (more && next.size == 1 && next.place > 0)
			keep(next.slot, (entry.place + 1) * remove);
		__syncwarp();
		if (lane == WARP - 1)
			store_shared(carry_of(warp, row), (uint64_t) row << 32 | (unsigned) above[C - 1]);
		return true;
	}

	/* Goes down rows, which are those of whole key roots; returns false where told to stop. */
	__device__ bool
	run(int first_row, int end_row)
	{
		int entries_end = first_row + 2 * WARP;
		int fetched; /* rows before this one have been */
		Entry entry;

		fetch_entries(first_row, end_row);
		fetch_entries(first_row + WARP, end_row);
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncwarp();
		entry = unpack(entry_of(first_row));
		fetched = fetch_distances(first_row, end_row);

		for (int row = first_row; row < end_row;)
		{
			const int batch_end = fetched;

			__pipeline_wait_prior(0);
			__syncwarp();
			if (entries_end <= row + WARP)
			{
				fetch_entries(entries_end, end_row);
				entries_end += WARP;
			}
			fetched = fetch_distances(fetched, end_row);
			if (batch_end == row && stopped())
				return false;
			for (; row < batch_end; row++)
			{
				const Entry next = unpack(entry_of(row + 1));

				/* hides that these never change: to find them again would take time */
				asm volatile(""
							 : "+r"(rank), "+r"(lane), "+r"(warp), "+r"(giver), "+r"(head_lane),
							   "+r"(remove));
				if (!run_row(row, entry, next, row + 1 < end_row))
					return false;
				entry = next;
			}
		}
		return true;
	}
};

#endif /* RELAY_CUH */
