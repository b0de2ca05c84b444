/*
 * lcs_stripe.cuh
 *	  Scanning a stripe of the table of lengths, by a warp.
 *
 * Cell (i, j) of the table is the length of a longest common subsequence of the first i
 * symbols of a and the first j of b.  A column is represented by bits V, see lcs_step.cuh,
 * and a scan computes V for one column after the other.
 *
 * A stripe is the rows of a warp, with some words of V in each lane.  Each lane is some
 * batches of columns behind the lane before it, and gets the carries of that lane by a
 * shuffle.  A warp gets the carries of the stripe above through memory.  The carries of 32
 * columns are one word together with the number of the stripe that they go into: whoever
 * reads that number has read the carries, too.
 */
#ifndef TED_LCS_STRIPE_CUH
#define TED_LCS_STRIPE_CUH

#include <cuda/atomic>

#include "lcs_match.cuh"

/* Columns whose carries a warp hands over at once. */
constexpr int GRANULE = 32;

/* Batches that a warp feeds to the ring of columns at once: a period. */
constexpr int PERIOD = WARP;

/* Periods of columns that are kept; lanes are up to LCS_LAG periods behind the current one. */
constexpr int PERIODS = 4;

/* Blank columns behind the last one, which a warp may read. */
constexpr int PADDING = 2048;

/* A warp checks for cancellation after this number of periods, and of failed polls. */
constexpr int PERIODS_PER_CHECK = 64;
constexpr int POLLS_PER_CHECK = 64;

/* The columns of a table that are scanned. */
struct Scan
{
	uint32_t *rows;      /* symbols + 1 for all rows of stripes; 0 if there is no symbol */
	uint32_t *columns;   /* symbols + 1, with padding */
	int32_t n;           /* columns */
	uint64_t *carry;     /* by granule: the stripe's number, and carries, first column highest */
	size_t carry_stride; /* words from the carries into a stripe to those out of it */
	MatchSizes match;
	const volatile int *cancel;
};

/* Loads a word of carries that another warp may store. */
static __device__ __forceinline__ uint64_t
load_carries(uint64_t *word)
{
	return cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*word).load(
		cuda::memory_order_relaxed);
}

/* Stores a word of carries for other warps. */
static __device__ __forceinline__ void
store_carries(uint64_t *word, uint64_t value)
{
	cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*word).store(value,
																	   cuda::memory_order_relaxed);
}

/* A batch of columns, as symbols or as places of match vectors. */
template <int BATCH> struct Columns
{
	static constexpr int QUADS = BATCH / 4;

	uint4 quad[QUADS];
};

/* The columns of the last periods, as places of match vectors, in shared memory. */
template <int BATCH> struct ColumnRing
{
	using Batch = Columns<BATCH>;
	static constexpr int QUADS = PERIODS * PERIOD * Batch::QUADS;
	static constexpr int STEP = LCS_LAG * Batch::QUADS; /* quads that a lane is behind another */

	uint4 *quad; /* four columns each */
	int lane;

	/*
	 * Returns the place of a quad of columns in the ring, such that those which lanes read at
	 * once are consecutive.
	 */
	static __device__ __forceinline__ uint32_t
	place_of(uint32_t number)
	{
		return number / STEP % (QUADS / STEP) + number % STEP * (QUADS / STEP);
	}

	/* Blanks all columns. */
	__device__ __forceinline__ void
	clear()
	{
		__syncwarp();
#pragma unroll
		for (int i = 0; i < QUADS / WARP; i++)
			quad[i * WARP + lane] = {};
	}

	/* Writes a quad of the lane's batch in a period. */
	__device__ __forceinline__ void
	put(int32_t period, int i, uint4 columns)
	{
		uint32_t first = (uint32_t) (period * PERIOD + lane) * Batch::QUADS;

		quad[place_of(first + i)] = columns;
	}

	/* Returns the lane's columns while the first lane has this batch. */
	__device__ __forceinline__ Batch
	read(int32_t batch) const
	{
		uint32_t first = (uint32_t) (batch - LCS_LAG * lane) * Batch::QUADS;
		Batch columns;

#pragma unroll
		for (int i = 0; i < Batch::QUADS; i++)
			columns.quad[i] = quad[place_of(first + i)];
		return columns;
	}
};

/* A warp and the stripe that it scans. */
template <int W, int BATCH, int TABLES> struct Stripe
{
	using Batch = Columns<BATCH>;
	using Ring = ColumnRing<BATCH>;
	using Tables = MatchTables<W, TABLES>;
	using Match = typename Tables::Match;
	static constexpr int ROWS = WARP * LCS_WORD * W;
	static constexpr int GRANULE_BATCHES = GRANULE / BATCH;
	/* batch of a granule with which the last lane, 31 lags behind, completes a granule */
	static constexpr int STORE_AFTER = (31 * LCS_LAG - 1) % GRANULE_BATCHES;

	Scan scan;
	int lane;
	Tables tables;
	Ring ring;

	/* Sets up a warp's part of the shared memory. */
	__device__
	Stripe(const Scan &scan, char *shared)
		: scan(scan), lane((int) (threadIdx.x % WARP))
	{
		ring = {(uint4 *) (shared + (uint32_t) scan.match.rows * scan.match.row_bytes), lane};

		uint32_t *present = (uint32_t *) (ring.quad + Ring::QUADS);

		tables = {
			scan.match,
			lane,
			(Words<W> *) shared,
			{scan.match.symbol_words, present, (uint16_t *) (present + scan.match.symbol_words)}};
	}

	/* Sets the match vectors of a stripe. */
	__device__ void
	fill_tables(int32_t stripe)
	{
		tables.fill(scan.rows + (size_t) stripe * ROWS);
	}

	/* Loads a lane's part of the symbols of a period. */
	__device__ __forceinline__ Batch
	load_symbols(int32_t period) const
	{
		const uint4 *own = (const uint4 *) (scan.columns + (size_t) period * (PERIOD * BATCH));
		Batch symbols;

#pragma unroll
		for (int i = 0; i < Batch::QUADS; i++)
			symbols.quad[i] = own[lane * Batch::QUADS + i];
		return symbols;
	}

	/* Writes the columns of a period to the ring; each lane has the symbols of a batch. */
	__device__ __forceinline__ void
	feed(int32_t period, const Batch &symbols)
	{
		__syncwarp();
#pragma unroll
		for (int i = 0; i < Batch::QUADS; i++)
			ring.put(period, i, tables.places(symbols.quad[i]));
		__syncwarp();
	}

	/* Loads the lane's match vectors of a batch of columns. */
	__device__ __forceinline__ void
	load_match(const Batch &columns, Match (&match)[BATCH]) const
	{
#pragma unroll
		for (int i = 0; i < Batch::QUADS; i++)
		{
			match[4 * i] = tables.match_vector(columns.quad[i].x);
			match[4 * i + 1] = tables.match_vector(columns.quad[i].y);
			match[4 * i + 2] = tables.match_vector(columns.quad[i].z);
			match[4 * i + 3] = tables.match_vector(columns.quad[i].w);
		}
	}

	/*
	 * Waits for a word of carries, which the first lane loads; returns false if the host has
	 * cancelled.
	 */
	__device__ __forceinline__ bool
	await_carries(uint64_t *word, uint32_t stripe, uint64_t &carries) const
	{
		for (int polls = 1; __any_sync(ALL, carries >> 32 != stripe); polls++)
		{
			if (polls % POLLS_PER_CHECK == 0 && __any_sync(ALL, lcs_cancelled(scan.cancel)))
				return false;
			if (lane == 0)
				carries = load_carries(word);
		}
		return true;
	}

	/* The state of a lane while it scans the columns. */
	struct Passage
	{
		uint32_t stripe;
		int32_t granules;        /* of all columns */
		uint64_t *from;          /* carries out of the stripe, by granule */
		Batch columns;           /* columns of the batch after the next one */
		Match match[BATCH];      /* match vectors of the next batch */
		uint32_t out;            /* carries out of the last columns */
		uint32_t above[LCS_LAG]; /* carries of the lane before, after its last batches */
	};

	/* Feeds the columns of the first period; returns the symbols of the second one. */
	__device__ __forceinline__ Batch
	begin(Passage &passage)
	{
		Batch symbols;

		ring.clear();
		feed(0, load_symbols(0));
		symbols = load_symbols(1);
		load_match(ring.read(0), passage.match);
		passage.columns = ring.read(1);
		return symbols;
	}

	/*
	 * Computes V after a batch of columns; the carries into it begin with the highest bit of
	 * `in`.
	 */
	template <class Keep>
	__device__ __forceinline__ void
	scan_batch(int32_t batch, uint32_t in, Passage &passage, uint32_t (&v)[W], const Keep &keep)
	{
		int32_t column = (batch - LCS_LAG * lane) * BATCH;
		Match present[BATCH];

#pragma unroll
		for (int i = 0; i < BATCH; i++)
			present[i] = passage.match[i];
		load_match(passage.columns, passage.match);
		passage.columns = ring.read(batch + 2);
		keep.before(column, v);
#pragma unroll
		for (int i = 0; i < BATCH; i++)
		{
			lcs_step<W>(v, Tables::matched(v, present[i]), in, passage.out);
			keep.after(column + i, v);
		}
	}

	/* Stores the carries of a granule if the last lane has completed it with this batch. */
	__device__ __forceinline__ void
	hand_over(int32_t batch, const Passage &passage) const
	{
		int32_t done = (batch - 31 * LCS_LAG) / GRANULE_BATCHES;

		if (lane == 31 && batch >= 31 * LCS_LAG && done < passage.granules)
			store_carries(&passage.from[done], (uint64_t) (passage.stripe + 1) << 32 | passage.out);
	}

	/* Computes V after a granule of columns; the carries into the first lane are `incoming`. */
	template <class Keep>
	__device__ __forceinline__ void
	scan_granule(int32_t granule, uint32_t incoming, Passage &passage, uint32_t (&v)[W],
				 const Keep &keep)
	{
#pragma unroll
		for (int b = 0; b < GRANULE_BATCHES; b++)
		{
			int32_t batch = granule * GRANULE_BATCHES + b;
			uint32_t &above = passage.above[b % LCS_LAG];

			scan_batch(batch, lane == 0 ? incoming << (BATCH * b) : above << (32 - BATCH), passage,
					   v, keep);
			above = __shfl_up_sync(ALL, passage.out, 1);
			if (b == STORE_AFTER && Keep::HANDS_OVER)
				hand_over(batch, passage);
		}
	}

	/*
	 * Computes V after all columns, with the carries into this stripe; returns false if the
	 * host has cancelled.  fill_tables() must have been called for the stripe.  `keep` gets V
	 * before each batch of columns and after each column, which may be outside of the table.
	 */
	template <class Keep>
	__device__ __forceinline__ bool
	run(int32_t stripe, uint32_t (&v)[W], const Keep &keep)
	{
		uint64_t *into = scan.carry + (size_t) stripe * scan.carry_stride;
		int32_t granules = parts_of_whole(scan.n, GRANULE);
		int32_t periods = parts_of_whole(granules * GRANULE_BATCHES + 31 * LCS_LAG, PERIOD);
		int32_t loaded = lane == 0 ? granules : 0;
		uint64_t none = (uint64_t) stripe << 32;
		uint64_t next = loaded > 0 ? load_carries(into) : none;
		Passage passage = {(uint32_t) stripe, granules, into + scan.carry_stride};
		Batch symbols = begin(passage);

		for (int32_t period = 0; period < periods; period++)
		{
			if (period % PERIODS_PER_CHECK == 0 && __any_sync(ALL, lcs_cancelled(scan.cancel)))
				return false;
			feed(period + 1, symbols);

#pragma unroll 2
			for (int g = 0; g < BATCH; g++)
			{
				int32_t granule = period * BATCH + g;
				uint32_t incoming;

				if (!await_carries(&into[granule], (uint32_t) stripe, next))
					return false;
				incoming = (uint32_t) next;
				next = granule + 1 < loaded ? load_carries(&into[granule + 1]) : none;
				/* load symbols after the carries, which would otherwise wait for them */
				if (g == 0)
					symbols = load_symbols(period + 2);
				scan_granule(granule, incoming, passage, v, keep);
			}
		}
		return true;
	}
};

/* The `keep` argument of a scan that needs only V after the last column. */
struct KeepNothing
{
	static constexpr bool HANDS_OVER = true; /* hands carries over to the stripe below */

	template <int W>
	__device__ __forceinline__ void
	before(int32_t, const uint32_t (&)[W]) const
	{
	}

	template <int W>
	__device__ __forceinline__ void
	after(int32_t, const uint32_t (&)[W]) const
	{
	}
};

/* A pair that is scanned, and the sizes of the data that prepare() sets. */
struct Preparation
{
	LcsDevicePair pair;
	bool reversed;      /* both strings are reversed */
	int32_t rows;       /* rows of all stripes */
	int32_t columns;    /* columns with padding */
	size_t first_carry; /* words of carries into the first stripe, which are 0 */
	size_t all_carry;   /* words of all carries that are kept */
};

/* Returns symbol number i of a string, + 1. */
static __device__ __forceinline__ uint32_t
stripe_symbol(const void *string, int symbol_bytes, int32_t i)
{
	return 1 + (symbol_bytes == 1 ? ((const uint8_t *) string)[i] : ((const uint32_t *) string)[i]);
}

/* Blocks of a kernel that calls prepare(), and threads of each. */
constexpr unsigned PREPARE_BLOCKS = 256;
constexpr unsigned PREPARE_THREADS = 256;

/*
 * Sets the rows, columns and carries of a scan, by `blocks` blocks of which this is number
 * `block`.
 */
static __device__ inline void
prepare(const Scan &scan, const Preparation &to, uint32_t block, uint32_t blocks)
{
	const LcsDevicePair &pair = to.pair;
	size_t first = block * blockDim.x + threadIdx.x;
	size_t threads = blocks * blockDim.x;

	for (size_t i = first; i < (size_t) to.rows; i += threads)
	{
		int32_t row = to.reversed ? pair.m - 1 - (int32_t) i : (int32_t) i;

		scan.rows[i] = i < (size_t) pair.m ? stripe_symbol(pair.a, pair.symbol_bytes, row) : 0;
	}
	for (size_t j = first; j < (size_t) to.columns; j += threads)
	{
		int32_t column = to.reversed ? pair.n - 1 - (int32_t) j : (int32_t) j;

		scan.columns[j] =
			j < (size_t) scan.n ? stripe_symbol(pair.b, pair.symbol_bytes, column) : 0;
	}
	/* no stripe has number ~0, so no warp takes this word for carries */
	for (size_t i = first; i < to.all_carry; i += threads)
		scan.carry[i] = i < to.first_carry ? 0 : ~UINT64_C(0);
}

/* The geometry of stripes, for the host. */

/* Returns the number of rows of a stripe. */
static inline int32_t
stripe_rows(const LcsPairPlan &plan)
{
	return WARP * LCS_WORD * plan.words;
}

/* Returns the bytes of a row of match vectors. */
static inline uint32_t
row_bytes(const LcsPairPlan &plan)
{
	return WARP * (uint32_t) plan.words * (uint32_t) sizeof(uint32_t);
}

/* Returns the bytes of shared memory of a warp. */
static inline size_t
warp_bytes(const LcsPairPlan &plan)
{
	size_t bytes = (size_t) plan.table_rows * row_bytes(plan) +
				   (size_t) PERIODS * PERIOD * (size_t) plan.batch * sizeof(uint32_t);

	return bytes + ((size_t) plan.symbol_words * (sizeof(uint32_t) + sizeof(uint16_t)) +
					sizeof(uint4) - 1) /
					   sizeof(uint4) * sizeof(uint4);
}

/* Returns the sizes of a warp's tables of match vectors. */
static inline MatchSizes
match_sizes(const LcsPairPlan &plan)
{
	return {plan.table_rows, row_bytes(plan), plan.low_bits, plan.symbol_words};
}

/* Bytes of the arrays of a scan in device memory. */
struct ScanMemory
{
	size_t rows; /* bytes */
	size_t columns;
	size_t carry; /* carries of one stripe */
	size_t v;     /* V after a column */

	ScanMemory(const LcsPairPlan &plan, int32_t m, int32_t n)
	{
		v = (size_t) parts_of_whole(m, stripe_rows(plan)) * (size_t) (stripe_rows(plan) / 8);
		rows = v * LCS_WORD;
		columns = ((size_t) n + PADDING) / 4 * sizeof(uint4);
		carry = ((size_t) parts_of_whole(n, GRANULE) + 1) / 2 * sizeof(uint4);
	}
};

#endif /* TED_LCS_STRIPE_CUH */
