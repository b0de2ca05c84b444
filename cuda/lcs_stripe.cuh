/*
 * lcs_stripe.cuh
 *	  Scanning a stripe of the table of lengths, by a warp.
 *
 * A stripe is the rows of a warp, some words of V a lane.  A lane is some
 * batches of columns behind the one before it, whose carries it gets by a
 * shuffle.  A warp gets the carries of the stripe above through memory, where
 * those of 32 columns are a word together with the number of the stripe that
 * they go into: whoever reads that number has read the carries, too.
 *
 * The match vectors of a stripe are in shared memory, by symbol, lane and word.
 * Where those of all symbols do not fit, the warp numbers the symbols of its
 * own rows by hashing.
 */
#ifndef LCS_STRIPE_CUH
#define LCS_STRIPE_CUH

#include <cuda/atomic>

#include "lcs_pair.h"
#include "lcs_step.cuh"

/* Columns whose carries are handed from warp to warp at once. */
constexpr int GRANULE = 32;

/* Batches from one feeding of columns to the next. */
constexpr int PERIOD = LCS_LANES;

/* Periods of columns that are kept; lanes are at up to LAG before the present one. */
constexpr int PERIODS = 4;

/* Periods, and failed polls, after which a warp asks whether to stop. */
constexpr int PERIODS_PER_CHECK = 256;
constexpr int POLLS_PER_CHECK = 1024;

/* Some columns of a table, which are scanned. */
struct Scan
{
	LcsDevicePair pair;
	bool reversed;       /* both strings */
	int32_t first;       /* column */
	int32_t n;           /* columns */
	uint64_t *carry;     /* by granule: carries, first column highest, below a stripe's number */
	size_t carry_stride; /* from the carries into a stripe to those out of it */
	int32_t table_rows;  /* of the match vectors of a stripe */
	uint32_t hash_slots; /* 0 where symbols are not numbered anew; else a power of two */
	const uint32_t *cancel;
};

/* A slot of a warp's hash table. */
struct Slot
{
	uint32_t key;    /* symbol + 1; 0 where the slot is free */
	uint32_t offset; /* of the symbol's match vectors, in bytes */
};

static __host__ __device__ inline int32_t
parts(int32_t whole, int32_t size)
{
	return (int32_t) (((int64_t) whole + size - 1) / size);
}

/* Loads a word of carries, from wherever it was stored last. */
static __device__ __forceinline__ uint64_t
load_carries(uint64_t *word)
{
	return cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*word).load(
		cuda::memory_order_relaxed);
}

static __device__ __forceinline__ void
store_carries(uint64_t *word, uint64_t value)
{
	cuda::atomic_ref<uint64_t, cuda::thread_scope_device>(*word).store(value,
																	   cuda::memory_order_relaxed);
}

/* Symbol number i of a string. */
static __device__ __forceinline__ uint32_t
symbol_at(const void *string, int symbol_bytes, int32_t i)
{
	return symbol_bytes == 1 ? ((const uint8_t *) string)[i] : ((const uint32_t *) string)[i];
}

/* A warp and the stripe that it scans. */
template <int W, int BATCH, int LAG> struct Stripe
{
	static constexpr int ROWS = LCS_LANES * LCS_WORD * W;
	static constexpr uint32_t ROW_BYTES = LCS_LANES * W * sizeof(uint32_t);
	static constexpr int PERIOD_COLUMNS = PERIOD * BATCH;
	static constexpr int QUADS = PERIODS * PERIOD_COLUMNS / 4;
	static constexpr int GROUPS = LAG * BATCH / 4;
	static constexpr int GRANULE_BATCHES = GRANULE / BATCH;
	/* after which batch of a granule the last lane is at the end of one */
	static constexpr int STORE_AFTER = (31 * LAG - 1) % GRANULE_BATCHES;

	const Scan &scan;
	int lane;
	uint4 *ring;     /* offsets of the match vectors of the columns of some periods */
	char *table;     /* match vectors; the first row is blank */
	Slot *slots;     /* hash table */
	uint32_t *count; /* symbols in it */

	/* Finds a warp's part of the shared memory. */
	__device__
	Stripe(const Scan &scan, char *shared)
		: scan(scan), lane((int) (threadIdx.x % LCS_LANES))
	{
		table = shared;
		ring = (uint4 *) (table + scan.table_rows * ROW_BYTES);
		slots = (Slot *) (ring + QUADS);
		count = (uint32_t *) (slots + scan.hash_slots);
	}

	/* The symbol of a row. */
	__device__ uint32_t
	row_symbol(int32_t row) const
	{
		return symbol_at(scan.pair.a, scan.pair.symbol_bytes,
						 scan.reversed ? scan.pair.m - 1 - row : row);
	}

	/* The symbol of a column. */
	__device__ __forceinline__ uint32_t
	column_symbol(int32_t column) const
	{
		return symbol_at(scan.pair.b, scan.pair.symbol_bytes,
						 scan.reversed ? scan.pair.n - 1 - column : column);
	}

	/* The slot of a symbol or, where there is none, the free one for it. */
	__device__ Slot *
	find_slot(uint32_t symbol) const
	{
		uint32_t mask = scan.hash_slots - 1;
		uint32_t i = (symbol * 0x9E3779B1u >> 7) & mask;

		while (slots[i].key != 0 && slots[i].key != symbol + 1)
			i = (i + 1) & mask;
		return &slots[i];
	}

	/* Offset of the match vectors of a symbol; 0 for one that is not in the stripe. */
	__device__ uint32_t
	symbol_offset(uint32_t symbol) const
	{
		return scan.hash_slots == 0 ? (symbol + 1) * ROW_BYTES : find_slot(symbol)->offset;
	}

	/* Numbers the symbols of the stripe. */
	__device__ void
	number_symbols(int32_t first)
	{
		uint32_t mask = scan.hash_slots - 1;

		for (uint32_t i = (uint32_t) lane; i < scan.hash_slots; i += LCS_LANES)
			slots[i] = {0, 0};
		if (lane == 0)
			*count = 0;
		__syncwarp();
		for (int32_t row = first + lane; row < scan.pair.m && row < first + ROWS; row += LCS_LANES)
		{
			uint32_t symbol = row_symbol(row);
			uint32_t i = (symbol * 0x9E3779B1u >> 7) & mask;
			uint32_t key;

			while ((key = atomicCAS(&slots[i].key, 0, symbol + 1)) != 0 && key != symbol + 1)
				i = (i + 1) & mask;
			if (key == 0)
				slots[i].offset = (atomicAdd(count, 1) + 1) * ROW_BYTES;
		}
		__syncwarp();
	}

	/* Sets the match vectors of the stripe. */
	__device__ void
	fill_table(int32_t first)
	{
		int32_t row = first + lane * LCS_WORD * W;

		__syncwarp();
		if (scan.hash_slots != 0)
			number_symbols(first);
		for (int32_t i = 0; i < scan.table_rows; i++)
			((Words<W> *) (table + (uint32_t) i * ROW_BYTES))[lane] = {};
		for (int w = 0; w < W; w++)
			for (uint32_t bit = 1; bit != 0 && row < scan.pair.m; bit <<= 1, row++)
				((Words<W> *) (table + symbol_offset(row_symbol(row))))[lane].word[w] |= bit;
	}

	/* Where the offsets of four columns are: so that those that lanes read at once are in a row. */
	static __device__ __forceinline__ uint32_t
	quad_place(uint32_t quad)
	{
		return quad / GROUPS % (QUADS / GROUPS) + quad % GROUPS * (QUADS / GROUPS);
	}

	/* Loads a lane's symbols of a period. */
	__device__ __forceinline__ void
	load_columns(int32_t period, uint32_t (&symbol)[BATCH]) const
	{
#pragma unroll
		for (int i = 0; i < BATCH; i++)
		{
			int32_t j = period * PERIOD_COLUMNS + i * LCS_LANES + lane;

			if (j < scan.n)
				symbol[i] = column_symbol(scan.first + j);
		}
	}

	/* Puts the offsets of the match vectors of a period where all lanes find them. */
	__device__ __forceinline__ void
	feed_columns(int32_t period, const uint32_t (&symbol)[BATCH])
	{
		__syncwarp();
#pragma unroll
		for (int i = 0; i < BATCH; i++)
		{
			int32_t j = period * PERIOD_COLUMNS + i * LCS_LANES + lane;
			uint32_t *quad = (uint32_t *) &ring[quad_place((uint32_t) j / 4)];

			quad[j % 4] = j < scan.n ? symbol_offset(symbol[i]) : 0;
		}
		__syncwarp();
	}

	/* A lane's match vector of a column, from its offset. */
	__device__ __forceinline__ const Words<W> &
	match_at(uint32_t offset) const
	{
		return ((const Words<W> *) (table + offset))[lane];
	}

	/* Loads the match vectors of a lane's batch of columns. */
	__device__ __forceinline__ void
	load_match(int32_t batch, Words<W> (&match)[BATCH]) const
	{
		uint32_t quad = (uint32_t) (batch - LAG * lane) * (BATCH / 4);
#pragma unroll
		for (int i = 0; i < BATCH / 4; i++)
		{
			uint4 offset = ring[quad_place(quad + i)];

			match[4 * i] = match_at(offset.x);
			match[4 * i + 1] = match_at(offset.y);
			match[4 * i + 2] = match_at(offset.z);
			match[4 * i + 3] = match_at(offset.w);
		}
	}

	/* Waits for a word of carries into the stripe; false where the host asks to stop. */
	__device__ __forceinline__ bool
	await_carries(uint64_t *word, uint32_t stripe, uint64_t &carries) const
	{
		for (int polls = 0; __any_sync(LCS_ALL_LANES, carries >> 32 != stripe); polls++)
		{
			if (polls % POLLS_PER_CHECK == POLLS_PER_CHECK - 1 && lcs_cancelled(scan.cancel))
				return false;
			carries = load_carries(word);
		}
		return true;
	}

	/*
	 * Takes V through the columns, from carries of this stripe's number on;
	 * false where the host asks to stop.  The match vectors are those of
	 * fill_table().  `keep` is told of V before each batch of columns and after
	 * each column; both count from scan.first on, and may lie outside.
	 */
	template <class Keep>
	__device__ bool
	run(int32_t stripe, uint32_t (&v)[W], const Keep &keep)
	{
		int32_t granules = parts(scan.n, GRANULE);
		int32_t periods = parts(granules * GRANULE_BATCHES + 31 * LAG, PERIOD);
		uint64_t *into = scan.carry + (size_t) stripe * scan.carry_stride;
		uint64_t *from = into + scan.carry_stride;
		uint64_t next = granules > 0 ? load_carries(into) : 0;
		uint32_t symbol[BATCH];
		Words<W> match[BATCH];
		uint32_t out = 0;     /* carries out of the last columns */
		uint32_t above = 0;   /* those of the lane before, out of the batch to come */
		uint32_t further = 0; /* out of the one after that */

		__syncwarp();
#pragma unroll
		for (int i = 0; i < QUADS / LCS_LANES; i++)
			ring[i * LCS_LANES + lane] = {};
		load_columns(0, symbol);
		feed_columns(0, symbol);
		load_columns(1, symbol);
		load_match(0, match);

		for (int32_t period = 0; period < periods; period++)
		{
			if (period % PERIODS_PER_CHECK == PERIODS_PER_CHECK - 1 && lcs_cancelled(scan.cancel))
				return false;
			feed_columns(period + 1, symbol);
			load_columns(period + 2, symbol);

#pragma unroll 1
			for (int g = 0; g < BATCH; g++)
			{
				int32_t granule = period * BATCH + g;
				uint32_t incoming = 0;

				if (granule < granules)
				{
					if (!await_carries(&into[granule], (uint32_t) stripe, next))
						return false;
					incoming = (uint32_t) next;
					if (granule + 1 < granules)
						next = load_carries(&into[granule + 1]);
				}
#pragma unroll
				for (int b = 0; b < GRANULE_BATCHES; b++)
				{
					int32_t batch = granule * GRANULE_BATCHES + b;
					int32_t column = (batch - LAG * lane) * BATCH;
					uint32_t in = lane == 0 ? incoming << (BATCH * b) : above << (32 - BATCH);
					Words<W> present[BATCH];

#pragma unroll
					for (int i = 0; i < BATCH; i++)
						present[i] = match[i];
					load_match(batch + 1, match);
					keep.before(column, v);
#pragma unroll
					for (int i = 0; i < BATCH; i++)
					{
						lcs_step<W>(v, present[i], in, out);
						keep.after(column + i, v);
					}
					above = LAG == 1 ? 0 : further;
					further = __shfl_up_sync(LCS_ALL_LANES, out, 1);
					if (LAG == 1)
						above = further;
					if (b == STORE_AFTER && Keep::HANDS_OVER)
					{
						int32_t done = (batch - 31 * LAG) / GRANULE_BATCHES;

						if (lane == 31 && batch >= 31 * LAG && done < granules)
							store_carries(&from[done], (uint64_t) (stripe + 1) << 32 | out);
					}
				}
			}
		}
		return true;
	}
};

/* For a scan whose last column is all that matters. */
struct KeepNothing
{
	static constexpr bool HANDS_OVER = true; /* to the stripe below */

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

/* The geometry of stripes, for the host. */

/* Rows of a stripe. */
static inline int32_t
stripe_rows(const LcsPairPlan &plan)
{
	return LCS_LANES * LCS_WORD * plan.words;
}

/* Slots of the hash table of a warp. */
static inline uint32_t
hash_slots(const LcsPairPlan &plan)
{
	return plan.recode ? 2 * (uint32_t) stripe_rows(plan) : 0;
}

/* Bytes of shared memory of a warp. */
static inline size_t
warp_bytes(const LcsPairPlan &plan)
{
	size_t bytes = (size_t) plan.table_rows * LCS_LANES * (size_t) plan.words * sizeof(uint32_t) +
				   (size_t) PERIODS * PERIOD * (size_t) plan.batch * sizeof(uint32_t);

	return plan.recode ? bytes + hash_slots(plan) * sizeof(Slot) + sizeof(uint4) : bytes;
}

/* Bytes of the carries of n columns. */
static inline size_t
carry_bytes(int32_t n)
{
	return (size_t) parts(n, GRANULE) * sizeof(uint64_t);
}

/* Bytes of a column of V. */
static inline size_t
v_bytes(const LcsDevicePair &pair, const LcsPairPlan &plan)
{
	return (size_t) parts(pair.m, stripe_rows(plan)) * (size_t) (stripe_rows(plan) / 8);
}

#endif /* LCS_STRIPE_CUH */
