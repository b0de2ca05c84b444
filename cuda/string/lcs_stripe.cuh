/*
 * lcs_stripe.cuh
 *	  Scanning a stripe of the table of lengths, by a warp.
 *
 * A stripe is the rows of a warp, with some words of V in each lane.  Each lane is some
 * batches of columns behind the lane before it, and gets the carries of that lane by a
 * shuffle.  A warp gets the carries of the stripe above through memory.  The carries of 32
 * columns are one word together with the number of the stripe that they go into: whoever
 * reads that number has read the carries, too.
 *
 * The match vectors of a stripe are in shared memory, in one table by symbol, lane and word.
 * If the vectors of all symbols would not leave room for enough warps, they are in two
 * tables by the low and by the high part of the symbol.  A row matches if it matches in
 * both, which costs a load but no operation, and n symbols need 2 sqrt(n) rows of match
 * vectors.  For even more symbols, the warp numbers the symbols of its own rows: a bit for
 * each symbol says whether it is among them, and the number of a symbol is the count of bits
 * of lower symbols.
 */
#ifndef TED_LCS_STRIPE_CUH
#define TED_LCS_STRIPE_CUH

#include <cuda/atomic>

#include "lcs_plan.h"
#include "lcs_step.cuh"

/* Columns whose carries a warp hands over at once. */
constexpr int GRANULE = 32;

/* Number of batches from one call of feed() to the next. */
constexpr int PERIOD = WARP;

/* Periods of columns that are kept; lanes are up to LCS_LAG periods behind the current one. */
constexpr int PERIODS = 4;

/* Rows whose symbols are loaded together. */
constexpr int FILLED = 16;

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
	int32_t table_rows;  /* rows of a stripe's match vectors */
	uint32_t row_bytes;
	int low_bits;     /* bits of a symbol for the first of two tables, of 1 << low_bits rows */
	int symbol_words; /* words with a bit for each symbol; 0 if warps do not number symbols */
	const volatile int *cancel;
};

/* Returns the number of parts of some size in a whole; the last part may be smaller. */
static __host__ __device__ inline int32_t
parts_of_whole(int32_t whole, int32_t size)
{
	return (int32_t) (((int64_t) whole + size - 1) / size);
}

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

/* A warp and the stripe that it scans. */
template <int W, int BATCH, int TABLES> struct Stripe
{
	static constexpr int ROWS = WARP * LCS_WORD * W;
	static constexpr int ROW_BITS = W == 1 ? 7 : W == 2 ? 8 : 9; /* log2 of row_bytes */
	static constexpr int PERIOD_COLUMNS = PERIOD * BATCH;
	static constexpr int BATCH_QUADS = BATCH / 4;
	static constexpr int QUADS = PERIODS * PERIOD_COLUMNS / 4;
	static constexpr int GROUPS = LCS_LAG * BATCH_QUADS;
	static constexpr int GRANULE_BATCHES = GRANULE / BATCH;
	/* batch of a granule after which the last lane has completed a granule */
	static constexpr int STORE_AFTER = (31 * LCS_LAG - 1) % GRANULE_BATCHES;

	/* A batch of columns, as places of match vectors. */
	struct Columns
	{
		uint4 quad[BATCH_QUADS];
	};

	Scan scan;
	int lane;
	uint4 *ring;       /* columns of the last periods */
	Words<W> *table;   /* match vectors; row 0 is for symbols that the stripe does not have */
	uint32_t *present; /* a bit for each symbol: whether it is in the stripe */
	uint16_t *lower;   /* by word: number of bits in all lower words of `present` */

	/* Sets up a warp's part of the shared memory. */
	__device__
	Stripe(const Scan &scan, char *shared)
		: scan(scan), lane((int) (threadIdx.x % WARP))
	{
		table = (Words<W> *) shared;
		ring = (uint4 *) (shared + (uint32_t) scan.table_rows * scan.row_bytes);
		present = (uint32_t *) (ring + QUADS);
		lower = (uint16_t *) (present + scan.symbol_words);
	}

	/* Returns the number of a symbol; 0 for a symbol that is not in the stripe. */
	__device__ __forceinline__ uint32_t
	number(uint32_t symbol) const
	{
		uint32_t here = present[symbol / LCS_WORD];
		uint32_t bit = 1u << symbol % LCS_WORD;
		uint32_t below = lower[symbol / LCS_WORD];

		return here & bit ? below + (uint32_t) __popc(here & (bit - 1)) + 1 : 0;
	}

	/* Returns the numbers of four symbols. */
	__device__ __forceinline__ uint4
	numbers(uint4 symbols) const
	{
		if (scan.symbol_words == 0)
			return symbols;
		return make_uint4(number(symbols.x), number(symbols.y), number(symbols.z),
						  number(symbols.w));
	}

	/* Numbers the symbols of a stripe. */
	__device__ void
	number_symbols(const uint32_t *rows)
	{
		int share = parts_of_whole(scan.symbol_words, WARP);
		int first = min(lane * share, scan.symbol_words);
		int end = min(first + share, scan.symbol_words);
		int sum = 0;
		int below = 0;

		for (int i = lane; i < scan.symbol_words; i += WARP)
			present[i] = 0;
		__syncwarp();
		for (int32_t row = lane; row < ROWS && rows[row] != 0; row += WARP)
			atomicOr(&present[rows[row] / LCS_WORD], 1u << rows[row] % LCS_WORD);
		__syncwarp();
		for (int i = first; i < end; i++)
			sum += __popc(present[i]);
		for (int from = 0; from < WARP - 1; from++)
		{
			int other = __shfl_sync(ALL, sum, from);

			below += from < lane ? other : 0;
		}
		for (int i = first; i < end; i++)
		{
			lower[i] = (uint16_t) below;
			below += __popc(present[i]);
		}
		__syncwarp();
	}

	/*
	 * Returns the place of the match vectors of a number.  With one table, it is a row.  With
	 * two tables, it combines a row of each: the row of the second one is shifted left so that
	 * multiplying the place by row_bytes leaves only the first row, and shifting the place
	 * right yields the second row times row_bytes.
	 */
	__device__ __forceinline__ uint32_t
	table_place(uint32_t number) const
	{
		if (TABLES == 1)
			return number;
		return (number & ((1u << scan.low_bits) - 1)) | number >> scan.low_bits << (32 - ROW_BITS);
	}

	/*
	 * Return the match vectors in the first and in the second table; `column` are those of
	 * number 0.
	 */
	template <class Vector>
	__device__ __forceinline__ Vector *
	first_match(Vector *column, uint32_t place) const
	{
		/* the compiler does not know row_bytes, so that it takes a multiply-add */
		return (Vector *) ((char *) column + place * scan.row_bytes);
	}
	template <class Vector>
	__device__ __forceinline__ Vector *
	second_match(Vector *column, uint32_t place) const
	{
		return (Vector *) ((char *) column + (scan.row_bytes << scan.low_bits) +
						   (place >> (32 - 2 * ROW_BITS)));
	}

	/* Returns a word of the match vectors of all lanes. */
	__device__ __forceinline__ uint32_t
	match_word(uint32_t place, int word) const
	{
		const uint32_t *column = (const uint32_t *) table + word;
		uint32_t match = *first_match(column, place);

		return TABLES == 1 ? match : match & *second_match(column, place);
	}

	/* Returns the places of the match vectors of four symbols. */
	__device__ __forceinline__ uint4
	places(uint4 symbols) const
	{
		uint4 number = numbers(symbols);

		return make_uint4(table_place(number.x), table_place(number.y), table_place(number.z),
						  table_place(number.w));
	}

	/*
	 * Finds the places of the match vectors of the first `count` columns, rounded up to a
	 * multiple of four.
	 */
	__device__ __forceinline__ void
	find_places(int32_t count, uint32_t *place) const
	{
#pragma unroll 2
		for (int32_t i = lane; i < parts_of_whole(count, 4); i += WARP)
			((uint4 *) place)[i] = places(((const uint4 *) scan.columns)[i]);
	}

	/* Sets the bit of a lane's row in the match vectors of a number. */
	__device__ __forceinline__ void
	set_match(uint32_t number, int row)
	{
		uint32_t place = table_place(number);

		first_match(table + lane, place)->word[row / LCS_WORD] |= 1u << row % LCS_WORD;
		if (TABLES == 2)
			second_match(table + lane, place)->word[row / LCS_WORD] |= 1u << row % LCS_WORD;
	}

	/* Sets the match vectors of a stripe. */
	__device__ void
	fill_table(int32_t stripe)
	{
		const uint32_t *rows = scan.rows + (size_t) stripe * ROWS;
		int first = lane * LCS_WORD * W;

		__syncwarp();
		if (scan.symbol_words != 0)
			number_symbols(rows);
		for (int32_t i = 0; i < scan.table_rows; i++)
			table[i * WARP + lane] = {};
		for (int i = 0; i < LCS_WORD * W; i += FILLED)
		{
			uint4 quad[FILLED / 4]; /* loaded at once */

#pragma unroll
			for (int k = 0; k < FILLED / 4; k++)
				quad[k] = ((const uint4 *) (rows + first + i))[k];
#pragma unroll
			for (int k = 0; k < FILLED / 4; k++)
				quad[k] = numbers(quad[k]);
#pragma unroll
			for (int k = 0; k < FILLED; k++)
				if (((const uint32_t *) quad)[k] != 0)
					set_match(((const uint32_t *) quad)[k], i + k);
		}
		__syncwarp();
	}

	/*
	 * Returns the place of four columns in the ring, such that columns which lanes read at once
	 * are consecutive.
	 */
	static __device__ __forceinline__ uint32_t
	quad_place(uint32_t quad)
	{
		return quad / GROUPS % (QUADS / GROUPS) + quad % GROUPS * (QUADS / GROUPS);
	}

	/* Loads a lane's part of the symbols of a period. */
	__device__ __forceinline__ Columns
	load_symbols(int32_t period) const
	{
		const uint4 *own = (const uint4 *) (scan.columns + (size_t) period * PERIOD_COLUMNS);
		Columns symbols;

#pragma unroll
		for (int i = 0; i < BATCH_QUADS; i++)
			symbols.quad[i] = own[lane * BATCH_QUADS + i];
		return symbols;
	}

	/* Writes the columns of a period to the ring, for all lanes. */
	__device__ __forceinline__ void
	feed(int32_t period, const Columns &symbols)
	{
		uint32_t first = (uint32_t) (period * PERIOD + lane) * BATCH_QUADS;

		__syncwarp();
#pragma unroll
		for (int i = 0; i < BATCH_QUADS; i++)
		{
			ring[quad_place(first + i)] = places(symbols.quad[i]);
		}
		__syncwarp();
	}

	/* Returns a lane's columns of a batch. */
	__device__ __forceinline__ Columns
	lane_columns(int32_t batch) const
	{
		uint32_t first = (uint32_t) (batch - LCS_LAG * lane) * BATCH_QUADS;
		Columns columns;

#pragma unroll
		for (int i = 0; i < BATCH_QUADS; i++)
			columns.quad[i] = ring[quad_place(first + i)];
		return columns;
	}

	/* A lane's match vectors of a column. */
	struct Match
	{
		Words<W> table[TABLES];
	};

	__device__ __forceinline__ Match
	match_vector(uint32_t place) const
	{
		Match match;

		match.table[0] = *first_match(table + lane, place);
		if (TABLES == 2)
			match.table[TABLES - 1] = *second_match(table + lane, place);
		return match;
	}

	/* Loads the match vectors of a batch of columns. */
	__device__ __forceinline__ void
	load_match(const Columns &columns, Match (&match)[BATCH]) const
	{
#pragma unroll
		for (int i = 0; i < BATCH_QUADS; i++)
		{
			match[4 * i] = match_vector(columns.quad[i].x);
			match[4 * i + 1] = match_vector(columns.quad[i].y);
			match[4 * i + 2] = match_vector(columns.quad[i].z);
			match[4 * i + 3] = match_vector(columns.quad[i].w);
		}
	}

	/* Returns the matching bits of V, with one operation for each word and table. */
	static __device__ __forceinline__ Words<W>
	matched(const uint32_t (&v)[W], const Match &match)
	{
		Words<W> result = lcs_matched<W>(v, match.table[0]);

#pragma unroll
		for (int w = 0; w < W && TABLES == 2; w++)
			result.word[w] &= match.table[TABLES - 1].word[w];
		return result;
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
		int32_t granules;
		uint64_t *from;          /* carries out of the stripe, by granule */
		Columns columns;         /* columns of the batch after the next one */
		Match match[BATCH];      /* match vectors of the next batch */
		uint32_t out;            /* carries out of the last columns */
		uint32_t above[LCS_LAG]; /* carries of the lane before, after its last batches */
	};

	/* Feeds the columns of the first period; returns the symbols of the second one. */
	__device__ __forceinline__ Columns
	begin(Passage &passage)
	{
		Columns symbols;

		__syncwarp();
#pragma unroll
		for (int i = 0; i < QUADS / WARP; i++)
			ring[i * WARP + lane] = {};
		feed(0, load_symbols(0));
		symbols = load_symbols(1);
		load_match(lane_columns(0), passage.match);
		passage.columns = lane_columns(1);
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
		passage.columns = lane_columns(batch + 2);
		keep.before(column, v);
#pragma unroll
		for (int i = 0; i < BATCH; i++)
		{
			lcs_step<W>(v, matched(v, present[i]), in, passage.out);
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
	 * host has cancelled.  fill_table() must have been called for the stripe.  `keep` gets V
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
		Columns symbols = begin(passage);

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

/* Sets the sizes of the tables of match vectors. */
static inline void
set_scan_tables(Scan *scan, const LcsPairPlan &plan)
{
	scan->table_rows = plan.table_rows;
	scan->row_bytes = row_bytes(plan);
	scan->low_bits = plan.low_bits;
	scan->symbol_words = plan.symbol_words;
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
