/*
 * block_pipeline.cuh
 *	  Rows of forest tables that warps hand on to one another.
 *
 * The time of a single pair is that of the rows of the root, since each row must wait for
 * the row above.  So this file makes the time of a row short.  The warps of a block have
 * columns side by side, and each warp hands the last cell of its row on to the next warp:
 * while that warp completes the row, the first one has begun the next row, and no warp waits
 * for all others.  The cells are those of tables.cuh.  Where a table begins, the column of
 * the empty forest stands before it and needs no rule of its own.
 *
 * Within a table, a row never rises from left to right.  So the prefix minimum of its cells
 * is the lesser one of two numbers: the cell above plus a deletion, and the prefix minimum
 * of the sums that end with a subtree's distance.  The latter does not wait for the row
 * above, only for the row before the node's leftmost leaf.  So a row and that of an inner
 * node after it, which both need rows from before the first of them, are computed together
 * if a lane has few columns.
 *
 * The forest to the left of a subtree is a cell of an earlier row, which is kept until the
 * subtree is finished and the last warp has passed it: see Entry::slot.  Distances between
 * subtrees are fetched some rows ahead, as soon as other blocks have announced them.
 */
#ifndef TED_BLOCK_PIPELINE_CUH
#define TED_BLOCK_PIPELINE_CUH

#include <type_traits>

#include <cuda_pipeline.h>

#include "device.cuh"
#include "block_pipeline.h"

/* Warps of a block that exchange messages with other blocks. */
constexpr int PIPELINE_MESSENGERS = 2;

/* A worker that polls for another one checks for cancellation after this number of polls. */
constexpr int POLLS_PER_CHECK = 256;

/* Cells behind those of a kept row: the empty forest, and a number greater than all cells. */
constexpr int KEPT_BESIDE = 8;

/* The arguments of a pair that is being computed. */
template <class Cell> struct SharedProblem
{
	const Entry *rows;    /* entries of a */
	const Entry *columns; /* entries of b */
	int insert;
	int remove;
	int rename;
	Cell *distance; /* [node of a][stride], column node of b + 1; less insertions */
	int stride;
	int nodes;                  /* nodes of a */
	uint32_t *ready;            /* [group][node of a] */
	const volatile int *cancel; /* set by the host to stop */
};

/* Shared memory of the warps of a block, apart from kept rows. */
template <class Cell, int WARPS, int C> struct Exchange
{
	static constexpr unsigned BATCH = C <= 8 ? 32 / C : 2; /* rows fetched at once */
	static constexpr unsigned FETCHED = 2 * BATCH;         /* these, and those of the last batch */
	static constexpr int BYTES = C * (int) sizeof(Cell);   /* bytes of a lane's distances */
	using Word = std::conditional_t<BYTES % 16 == 0, uint4, uint2>;
	static constexpr int WORDS = BYTES / (int) sizeof(Word);
	static constexpr unsigned ENTRIES = 2 * WARP; /* entries of a in shared memory */
	static constexpr unsigned CARRIES = 16;       /* rows whose carries are kept */
	static_assert(CARRIES > LAYOUT_LAG, "a carry is overwritten when it has been read");

	Word distances[FETCHED][WORDS][WARPS * WARP];
	uint4 entries[WARPS][ENTRIES];
	uint64_t carry[WARPS][CARRIES]; /* a row, and the warp's last cell in it */
	uint64_t written[WARPS];        /* last row whose distances the warp has written */
	uint64_t fetchable;             /* rows before this one may be fetched */
	uint64_t stop;
	int fetched; /* number of the current task */
};

/* Whether another block has set a word; if so, its earlier writes are visible. */
static __device__ bool
is_ready(const uint32_t *word)
{
	uint32_t value;

	asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(word) : "memory");
	return value != 0;
}

/* Sets a word for other blocks, after all writes that the thread has seen. */
static __device__ void
set_ready(uint32_t *word)
{
	asm volatile("st.release.gpu.global.u32 [%0], %1;" : : "l"(word), "r"(1) : "memory");
}

/* Returns the address of a word in shared memory. */
static __device__ unsigned
shared_address(const void *word)
{
	return (unsigned) __cvta_generic_to_shared(word);
}

/*
 * Loads a word that warps of a block write for one another; writes that the writer had seen are
 * then visible.
 */
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

/* Writes a word for other warps, after all writes that the thread has seen. */
static __device__ void
store_shared(uint64_t *word, uint64_t value)
{
	asm volatile("st.release.cta.shared.u64 [%0], %1;"
				 :
				 : "r"(shared_address(word)), "l"(value)
				 : "memory");
}

/*
 * Writes a word for other warps if `writes` is set.  The order holds only for writes before the
 * thread's last fence.
 */
static __device__ void
store_alone(uint64_t *word, uint64_t value, bool writes)
{
	asm volatile("{\n\t"
				 ".reg .pred writes;\n\t"
				 "setp.ne.b32 writes, %2, 0;\n\t"
				 "@writes st.relaxed.cta.shared.u64 [%0], %1;\n\t"
				 "}"
				 :
				 : "r"(shared_address(word)), "l"(value), "r"((int) writes)
				 : "memory");
}

/*
 * Orders all writes that the thread has seen before all words that it writes later for the
 * block.
 */
static __device__ void
fence()
{
	asm volatile("fence.acq_rel.cta;" : : : "memory");
}

/*
 * Starts to copy some bytes to shared memory if they are wanted; an `if` would be compiled to a
 * jump.
 */
template <int BYTES>
static __device__ void
fetch_piece(void *to, const void *from, bool wanted)
{
	if constexpr (BYTES == 16)
		asm volatile("{\n\t"
					 ".reg .pred wanted;\n\t"
					 "setp.ne.b32 wanted, %2, 0;\n\t"
					 "@wanted cp.async.cg.shared.global [%0], [%1], 16;\n\t"
					 "}"
					 :
					 : "r"(shared_address(to)), "l"(from), "r"((int) wanted)
					 : "memory");
	else
		asm volatile("{\n\t"
					 ".reg .pred wanted;\n\t"
					 "setp.ne.b32 wanted, %2, 0;\n\t"
					 "@wanted cp.async.ca.shared.global [%0], [%1], %3;\n\t"
					 "}"
					 :
					 : "r"(shared_address(to)), "l"(from), "r"((int) wanted), "n"(BYTES)
					 : "memory");
}

/* Returns the least of a lane's cells. */
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
 * Waits for rows of distances from other blocks, and sets the row up to which distances may be
 * fetched; the work of one warp.
 */
template <class Cell, class Shared>
static __device__ void
look_out(Shared &exchange, const SharedProblem<Cell> &p, const Group &group, int row, int end_row)
{
	const int lane = (int) threadIdx.x % WARP;

	for (int polls = 1; row < end_row; polls++)
	{
		bool ready = true;

		if (row + lane < end_row)
		{
			const Entry entry = unpack(((const uint4 *) p.rows)[row + lane]);
			const int first = on_left_path(entry) ? group.first_needed : group.number;
			const int end = on_left_path(entry) ? group.end_needed : group.number + 1;

			for (int yields = first; yields < end && ready; yields++)
				ready = is_ready(&p.ready[(size_t) yields * p.nodes + entry.node]);
		}

		const unsigned waiting = __ballot_sync(ALL, !ready);
		const int there = waiting ? __ffs(waiting) - 1 : WARP;

		row += there;
		__syncwarp(); /* so that the first lane has seen the writes that any lane has seen */
		if (there > 0 && lane == 0)
			store_shared(&exchange.fetchable, (uint64_t) row);
		if (polls % POLLS_PER_CHECK == 0 && __any_sync(ALL, *p.cancel))
		{
			if (lane == 0)
				store_shared(&exchange.stop, 1);
			return;
		}
	}
}

/* Returns the row of a carry. */
static __device__ int
carry_row(uint64_t carry)
{
	return (int) (carry >> 32);
}

/*
 * Announces rows of distances to other blocks when all warps have written them; the work of one
 * warp.
 */
template <class Cell, class Shared>
static __device__ void
announce(Shared &exchange, const SharedProblem<Cell> &p, const Group &group, int row, int end_row)
{
	const int lane = (int) threadIdx.x % WARP;
	const bool used = lane <= (group.lanes - 1) / WARP;

	for (; row < end_row; row += WARP)
	{
		const int mine = row + lane;
		const Entry entry = unpack(((const uint4 *) p.rows)[min(mine, end_row - 1)]);
		bool waits = mine < end_row && on_left_path(entry);

		while (__any_sync(ALL, waits))
		{
			const int written =
				__reduce_min_sync(ALL, used ? (int) load_shared(&exchange.written[lane]) : INT_MAX);

			__syncwarp(); /* so that each lane has seen the writes that any lane has seen */
			if (waits && mine <= written)
			{
				set_ready(&p.ready[(size_t) group.number * p.nodes + entry.node]);
				waits = false;
			}
			if (__any_sync(ALL, load_shared(&exchange.stop) != 0))
				return;
		}
	}
}

/* The part of a row's entry that a warp reads ahead. */
struct Step
{
	int size;
	int place;
	int slot;

	__device__ explicit Step(const uint4 &packed)
		: size((int) (packed.y >> 16)), place((int) (packed.z & 0xffff)),
		  slot((int) (packed.w >> 16))
	{
	}
	__device__ bool
	on_path() const
	{
		return place + 1 == size;
	}
	/* Whether the row before is kept for this row and others. */
	__device__ bool
	begins() const
	{
		return size == 1 && place > 0;
	}
};

/* The columns of a warp in a group, C for each lane, and its progress along the rows. */
template <class Cell, int WARPS, int C> struct Consumer
{
	using Shared = Exchange<Cell, WARPS, C>;
	using Word = typename Shared::Word;
	static constexpr int BATCH = (int) Shared::BATCH;
	static constexpr int THREADS = WARPS * WARP;
	static constexpr int KEPT_STRIDE = THREADS * C + KEPT_BESIDE;
	static constexpr bool HOLDS_LABELS = C <= 16; /* there are enough registers for labels */
	static constexpr bool PAIRS_ROWS = C <= 16;   /* likewise */
	static constexpr int DEAD = sizeof(Cell) == 2 ? INT16_MAX : FAR;

	Shared &exchange;
	const SharedProblem<Cell> &p;
	Cell *const kept;
	int remove;
	int rank; /* number of the thread in the block */
	int lane;
	int warp;
	int producer;       /* the warp to the left, or the last one for the first */
	int behind;         /* rows that the producer may be behind this warp */
	bool last;          /* this is the last warp, for which only the first one waits */
	unsigned source[C]; /* offset in a kept row of the forest left of the subtree, in bytes */
	int label[HOLDS_LABELS ? C : 1];
	const Entry *columns; /* entries of the lane's columns */
	char *distances;      /* the lane's distances of node 0 of a */
	unsigned row_bytes;   /* bytes from the distances of a node to those of the next one */
	unsigned nodes;       /* bits of the columns that are nodes */
	unsigned paths;       /* bits of the columns on the leftmost path of their table */
	int head_lane;        /* first lane of the lane's table, or of the warp */
	int least_left;       /* FAR if no cell is taken from the lane to the left */
	int least_carry;      /* FAR if no cell is taken from the warp to the left */
	int above[C];         /* cells of the last row */
	int handed;           /* the last row's cell left of the warp */
	int fetchable;        /* last value seen of exchange.fetchable */
	bool gave_up;         /* the warp has stopped waiting, since the work is stopped */
	int end_row;          /* end of the rows; 0 if the work is stopped */

	/* Reads the columns of a group. */
	__device__
	Consumer(Shared &exchange, const SharedProblem<Cell> &p, Cell *kept, const Group &group,
			 const Lane *lanes)
		: exchange(exchange), p(p), kept(kept), remove(p.remove), rank((int) threadIdx.x),
		  lane(rank % WARP), warp(rank / WARP), nodes(0), paths(0), handed(0), fetchable(0),
		  gave_up(false)
	{
		const int last_warp = (group.lanes - 1) / WARP;
		const bool used = rank < group.lanes;
		const Lane mine = used ? lanes[group.first_lane + rank] : Lane{0, 0, 0, 0, 1};

		columns = p.columns + mine.entry;
		distances = (char *) (p.distance + mine.chunk * C);
		row_bytes = (unsigned) p.stride * (unsigned) sizeof(Cell);
#pragma unroll
		for (int c = 0; c < C; c++)
		{
			source[c] = (THREADS * C + 1) * sizeof(Cell); /* the greatest number */
			label[HOLDS_LABELS ? c : 0] = 0;
			above[c] = 0;
			if (c >= mine.begin && c < mine.end)
			{
				const Entry entry = unpack(((const uint4 *) columns)[c]);
				const int position = rank * C + c - entry.size;

				nodes |= 1u << c;
				paths |= (unsigned) on_left_path(entry) << c;
				if constexpr (HOLDS_LABELS)
					label[c] = entry.label;
				source[c] = (on_left_path(entry) ? THREADS * C /* the empty forest */
												 : position % C * THREADS + position / C) *
							sizeof(Cell);
			}
		}

		producer = warp == 0 ? last_warp : warp - 1;
		behind = warp == 0 ? LAYOUT_LAG : 0;
		last = warp == last_warp;

		const unsigned heads = __ballot_sync(ALL, mine.head) & (ALL >> (WARP - 1 - lane));

		head_lane = heads == 0 ? 0 : 31 - __clz(heads);
		least_left = mine.head || lane == 0 ? FAR : INT_MIN;
		least_carry = heads != 0 || warp == 0 ? FAR : INT_MIN;
	}

	/* Whether the thread is the one that reports complete rows. */
	__device__ bool
	is_last() const
	{
		return last && lane == 0;
	}

	/* Whether the work is stopped. */
	__device__ bool
	stopped() const
	{
		return load_shared(&exchange.stop) != 0;
	}

	/* Starts to fetch the entries of rows, one for each lane. */
	__device__ void
	fetch_entries(int row)
	{
		if (row + lane < end_row)
			__pipeline_memcpy_async(
				&exchange.entries[warp][(unsigned) (row + lane) % Shared::ENTRIES],
				(const uint4 *) p.rows + row + lane, sizeof(uint4));
	}

	/* Returns the entry of a row that has been fetched. */
	__device__ const uint4 &
	entry_of(int row) const
	{
		return exchange.entries[warp][(unsigned) row % Shared::ENTRIES];
	}

	/*
	 * Returns the end of the rows whose distances may be fetched next, if those before
	 * `fetched` have been fetched and those from `used` on are still needed.
	 */
	__device__ int
	fetch_end(int fetched, int used)
	{
		const int end = min(min(fetched + BATCH, used + (int) Shared::FETCHED), end_row);

		if (fetchable < end) /* lanes may see different values */
			fetchable = __reduce_min_sync(ALL, (int) load_shared(&exchange.fetchable));
		return min(end, fetchable);
	}

	/* Starts to fetch the distances of rows, which are not more than a batch. */
	__device__ void
	fetch_distances(int row, int end)
	{
		unsigned node[BATCH];

#pragma unroll
		for (int i = 0; i < BATCH; i++)
			node[i] = unpack(entry_of(row + i)).node;
#pragma unroll
		for (int i = 0; i < BATCH; i++)
		{
			const char *from = distances + (uint64_t) node[i] * row_bytes;
			Word *to = &exchange.distances[(unsigned) (row + i) % Shared::FETCHED][0][rank];

#pragma unroll
			for (int w = 0; w < Shared::WORDS; w++)
				fetch_piece<sizeof(Word)>(to + w * THREADS, from + w * sizeof(Word), row + i < end);
		}
		__pipeline_commit();
	}

	/* Reads the distances of a row, which have been fetched. */
	__device__ void
	take_distances(int row, int (&subtree)[C]) const
	{
#pragma unroll
		for (int w = 0; w < Shared::WORDS; w++)
		{
			constexpr int PARTS = sizeof(Word) / 4;
			const Word word = exchange.distances[(unsigned) row % Shared::FETCHED][w][rank];
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

	/* Returns the word with which a warp hands a row on. */
	__device__ uint64_t *
	carry_of(int producer, int row) const
	{
		return &exchange.carry[producer][(unsigned) row % Shared::CARRIES];
	}

	/*
	 * Computes the cells of a row of a node on a leftmost path, before their prefix minimum.  A
	 * cell on a leftmost path is the distance of two subtrees.
	 */
	__device__ void
	map_path(int row, const Entry &entry, int (&cell)[C]) const
	{
		int subtree[C];
		int left = shuffle_up(above[C - 1], 1, 0);

		if (lane == 0)
			left = handed;
		take_distances(row, subtree);
#pragma unroll
		for (int c = 0; c < C; c++)
		{
			cell[c] = nodes >> c & 1 ? subtree[c] : FAR;
			if (paths >> c & 1)
			{
				const bool equal =
					(HOLDS_LABELS ? label[HOLDS_LABELS ? c : 0] : columns[c].label) == entry.label;

				cell[c] =
					(c > 0 ? above[c > 0 ? c - 1 : 0] : left) + (equal ? 0 : p.rename) - p.insert;
			}
		}
	}

	/* Computes the cells of any other row, before their prefix minimum. */
	__device__ void
	map_forest(int row, int slot, int (&cell)[C]) const
	{
		const Cell *beside = kept + slot * KEPT_STRIDE;
		int subtree[C];

		take_distances(row, subtree);
#pragma unroll
		for (int c = 0; c < C; c++)
			cell[c] = cell_at<Cell>(beside, source[c]) + subtree[c];
	}

	/* Keeps the last row, and the cell of the empty forest. */
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

	/*
	 * Computes the prefix minimum of the cells of rows within each lane, and returns in `left`
	 * the least cells of the lanes to the left in the warp.
	 */
	template <int ROWS>
	__device__ void
	scatter(int (&cell)[ROWS][C], int (&left)[ROWS]) const
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			left[r] = least_of(cell[r]);
#pragma unroll
		for (int d = 1; d < WARP; d *= 2)
#pragma unroll
			for (int r = 0; r < ROWS; r++)
				left[r] = min(left[r], shuffle_up(left[r], d, head_lane));
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			left[r] = max(shuffle_up(left[r], 1, 0), least_left);
#pragma unroll
			for (int c = 1; c < C; c++)
				cell[r][c] = min(cell[r][c], cell[r][c - 1]);
		}
	}

	/* Writes the distances of a row on a leftmost path. */
	__device__ void
	write_distances(const Entry &entry) const
	{
		Cell *to = (Cell *) (distances + (uint64_t) entry.node * row_bytes);

#pragma unroll
		for (int c = 0; c < C; c++)
			if (paths >> c & 1)
				to[c] = (Cell) above[c];
	}

	/* Waits for the carries of rows from the warp to the left. */
	template <int ROWS>
	__device__ void
	receive(int row, uint64_t (&carry)[ROWS])
	{
		for (int polls = 1;; polls++)
		{
			bool there = true;

#pragma unroll
			for (int r = ROWS - 1; r >= 0; r--)
			{
				carry[r] = load_shared(carry_of(producer, row + r - behind));
				there = there && carry_row(carry[r]) >= row + r - behind;
			}
			if (there)
				return;
			if (polls % POLLS_PER_CHECK == 0 && stopped())
			{
				gave_up = true;
				return;
			}
		}
	}

	/*
	 * Completes rows, of which `last` is the last one, by the cells above and those to the
	 * left.  Keeps the last row for the next one if `keeps` is set, and hands all rows on.  By
	 * then all lanes have read the kept rows that these needed, since scatter() synchronizes
	 * them.
	 */
	template <int ROWS>
	__device__ void
	complete(int row, int (&cell)[ROWS][C], const Step &last, const Step &next, bool keeps)
	{
		int left[ROWS];
		uint64_t carry[ROWS];
		int last_cell[ROWS];

		scatter(cell, left);
		receive(row, carry);
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			handed = (int) (unsigned) carry[r];

			const int before = min(left[r], max(handed, least_carry));

#pragma unroll
			for (int c = 0; c < C; c++)
				above[c] = min(min(cell[r][c], before), above[c] + remove);
			last_cell[r] = above[C - 1];
		}
		if (keeps)
		{
			keep(next.slot, (last.place + 1) * remove);
			__syncwarp();
			fence();
		}
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			store_alone(carry_of(warp, row + r),
						(uint64_t) (row + r) << 32 | (unsigned) last_cell[r], lane == WARP - 1);
	}

	/* Computes one row. */
	__device__ void
	run_row(int row, const Step &step, const Step &next)
	{
		const bool keeps = next.begins() && row + 1 < end_row;
		int cell[1][C];

		if (step.place == 0)
		{
#pragma unroll
			for (int c = 0; c < C; c++)
				above[c] = 0;
			handed = 0;
		}
		if (step.on_path())
			map_path(row, unpack(entry_of(row)), cell[0]);
		else
			map_forest(row, step.slot, cell[0]);
		complete(row, cell, step, next, keeps);
		if (step.on_path())
		{
			write_distances(unpack(entry_of(row)));
			__syncwarp();
			if (lane == 0)
				store_shared(&exchange.written[warp], (uint64_t) row);
		}
	}

	/* Whether two rows need only rows before the first of them, besides the cells above each. */
	__device__ bool
	are_apart(int row, const Step &step, const Step &next) const
	{
		return PAIRS_ROWS && row + 1 < end_row && !step.on_path() && !next.on_path() &&
			   next.size > 1;
	}

	/* Computes two rows together; are_apart() must be true for them. */
	__device__ void
	run_two_rows(int row, const Step &step, const Step &second, const Step &next)
	{
		const bool keeps = next.begins() && row + 2 < end_row;
		int cell[2][C];

		map_forest(row, step.slot, cell[0]);
		map_forest(row + 1, second.slot, cell[1]);
		complete(row, cell, second, next, keeps);
	}

	/* Computes the next rows; returns whether the two rows after them can be computed together. */
	template <int ROWS>
	__device__ bool
	advance(int &row, Step (&ahead)[3])
	{
		const Step after[] = {ahead[ROWS], ROWS == 1 ? ahead[2] : Step(entry_of(row + 3)),
							  Step(entry_of(row + ROWS + 2))};
		const bool apart = are_apart(row + ROWS, after[0], after[1]);

		if constexpr (ROWS == 1)
			run_row(row, ahead[0], ahead[1]);
		else
			run_two_rows(row, ahead[0], ahead[1], ahead[2]);
#pragma unroll
		for (int r = 0; r < 3; r++)
			ahead[r] = after[r];
		row += ROWS;
		return apart;
	}

	/* Computes the rows of whole key roots; returns false if the work is stopped. */
	__device__ bool
	run(int first_row, int end)
	{
		int row = first_row;
		int entries_end = row + 2 * WARP;
		int fetched = row; /* rows before this one have been fetched */

		end_row = end;
		fetch_entries(row);
		fetch_entries(row + WARP);
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncwarp();

		Step ahead[] = {Step(entry_of(row)), Step(entry_of(row + 1)), Step(entry_of(row + 2))};
		bool two = are_apart(row, ahead[0], ahead[1]);

		while (row < end_row)
		{
			const int batch_end = fetched;
			const int before = row;
			const int next_end = fetch_end(fetched, row);

			__pipeline_wait_prior(0);
			__syncwarp();
			if (next_end > fetched)
			{
				if (entries_end <= row + WARP)
				{
					fetch_entries(entries_end);
					entries_end += WARP;
				}
				fetch_distances(fetched, next_end);
				fetched = next_end;
			}
			/*
			 * all warps pair the same rows: a row whose second one has not been fetched waits
			 * for it
			 */
			while (row + two < batch_end)
			{
				/* hide that these never change, or the compiler would compute them again */
				asm volatile("" : "+r"(rank), "+r"(lane), "+r"(head_lane), "+r"(remove));
				two = two ? advance<2>(row, ahead) : advance<1>(row, ahead);
			}
			if (__any_sync(ALL, gave_up || (row == before && stopped())))
				end_row = 0;
		}
		return end_row > 0;
	}
};

#endif /* TED_BLOCK_PIPELINE_CUH */
