/*
 * block_exchange.cuh
 *	  Messages between the warps and the blocks that share a pair of trees.
 *
 * A warp hands the last cell of each of its rows on to the next warp, as a carry.  The carries of
 * the last warp go to the first one, which waits if it would be more than LAYOUT_LAG rows ahead.
 * Two more warps of a block exchange messages with other blocks: one waits for rows of distances
 * that other blocks write, the other announces the rows that all warps of its own block have
 * written.
 */
#ifndef TED_BLOCK_EXCHANGE_CUH
#define TED_BLOCK_EXCHANGE_CUH

#include "device.cuh"
#include "block_work.h"

/* Warps of a block that exchange messages with other blocks. */
constexpr int PIPELINE_MESSENGERS = 2;

/* A worker that polls for another one checks for cancellation after this number of polls. */
constexpr int POLLS_PER_CHECK = 256;

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

/* Shared memory in which the warps of a block exchange messages. */
template <int WARPS> struct BlockExchange
{
	static constexpr unsigned CARRIES = 16; /* rows whose carries are kept */
	static_assert(CARRIES > LAYOUT_LAG, "a carry is overwritten when it has been read");

	uint64_t carry[WARPS][CARRIES]; /* see make_carry() */
	uint64_t written[WARPS];        /* last row whose distances the warp has written */
	uint64_t fetchable;             /* distances of rows before this one may be fetched */
	uint64_t stop;                  /* whether the work is stopped */
	int task;                       /* number of the current task */
};

/* Returns a word with a row, and the last cell of a warp in that row. */
static __device__ uint64_t
make_carry(int row, int cell)
{
	return (uint64_t) row << 32 | (unsigned) cell;
}

/* Returns the row of a carry. */
static __device__ int
carry_row(uint64_t carry)
{
	return (int) (carry >> 32);
}

/* Returns the cell of a carry. */
static __device__ int
carry_cell(uint64_t carry)
{
	return (int) (unsigned) carry;
}

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
 * Waits for rows of distances from other blocks, and sets the row up to which distances may be
 * fetched; the work of one warp.
 */
template <class Cell, int WARPS>
static __device__ void
look_out(BlockExchange<WARPS> &exchange, const SharedProblem<Cell> &p, const Group &group, int row,
		 int end_row)
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

/*
 * Announces rows of distances to other blocks when all warps have written them; the work of one
 * warp.
 */
template <class Cell, int WARPS>
static __device__ void
announce(BlockExchange<WARPS> &exchange, const SharedProblem<Cell> &p, const Group &group, int row,
		 int end_row)
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

/* A thread of a block. */
struct Thread
{
	int rank; /* its number in the block */
	int lane;
	int warp;
};

/* How a warp is linked with the other warps of its block. */
template <int WARPS> struct WarpLink
{
	BlockExchange<WARPS> &exchange;
	const Thread &thread;
	bool last;    /* this is the last warp, for which only the first one waits */
	int producer; /* the warp to the left, or the last one for the first */
	int behind;   /* rows that the producer may be behind this warp */
	bool gave_up; /* the warp has stopped waiting, since the work is stopped */

	/* Finds the producer among the warps of a group. */
	__device__
	WarpLink(BlockExchange<WARPS> &exchange, const Thread &thread, const Group &group)
		: exchange(exchange), thread(thread), gave_up(false)
	{
		const int last_warp = (group.lanes - 1) / WARP;

		last = thread.warp == last_warp;
		producer = thread.warp == 0 ? last_warp : thread.warp - 1;
		behind = thread.warp == 0 ? LAYOUT_LAG : 0;
	}

	/* Whether the work is stopped. */
	__device__ bool
	stopped() const
	{
		return load_shared(&exchange.stop) != 0;
	}

	/* Returns the word of a warp for the carry of a row. */
	__device__ uint64_t *
	carry_of(int warp, int row) const
	{
		return &exchange.carry[warp][(unsigned) row % BlockExchange<WARPS>::CARRIES];
	}

	/*
	 * Waits until the producer has handed on some rows, and returns their cells.  The first warp
	 * waits for rows that are LAYOUT_LAG before these, and has no use for their cells.
	 */
	template <int ROWS>
	__device__ void
	receive(int row, int (&cell)[ROWS])
	{
		for (int polls = 1;; polls++)
		{
			bool there = true;

#pragma unroll
			for (int r = ROWS - 1; r >= 0; r--)
			{
				const int awaited = row + r - behind;
				const uint64_t carry = load_shared(carry_of(producer, awaited));

				there = there && carry_row(carry) >= awaited;
				cell[r] = carry_cell(carry);
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

	/* Hands rows on to the next warp; `cell` is the last lane's last cell of each. */
	template <int ROWS>
	__device__ void
	hand_on(int row, const int (&cell)[ROWS]) const
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			store_alone(carry_of(thread.warp, row + r), make_carry(row + r, cell[r]),
						thread.lane == WARP - 1);
	}

	/* Reports to the announcing warp that this warp has written the distances of a row. */
	__device__ void
	report_written(int row) const
	{
		__syncwarp();
		if (thread.lane == 0)
			store_shared(&exchange.written[thread.warp], (uint64_t) row);
	}
};

#endif /* TED_BLOCK_EXCHANGE_CUH */
