/*
 * lcs_string.cu
 *	  A longest common subsequence itself.
 *
 * The table of lengths is scanned as for the length alone, but from one side; V before each
 * chunk of columns and the carries into each stripe are kept.  Then one block goes back from
 * the ends of both strings.  Its warps scan again the current tile, which is a stripe in a
 * chunk, and the tiles to the left of it, and keep all columns of these tiles.  The first
 * warp walks through them.
 *
 * The walk stays in a column as long as it drops symbols of a, so that a column is one step:
 * of the rows from the current one upwards, it stops at the first that has an equal symbol
 * or 0 in V.  With the bits of words reversed, that is the lowest bit of a word, from the
 * current one on, at which to stop, and a carry finds it: the current bit added to the
 * complement carries up to there.
 */
#include "lcs_string.h"

#include <algorithm>

#include "lcs_stripe.cuh"

/* Words of a thread, and columns of a batch, of both scans. */
constexpr int STRING_WORDS = 1;
constexpr int STRING_BATCH = 4;

constexpr int MOST_WARPS = 4;
constexpr int MOST_TILES = 8; /* tiles that are scanned again at once */
constexpr int MOST_CHUNK_BITS = 10;
constexpr int LEAST_CHUNK_BITS = 7;

/* Up to this number of codes, a single table of match vectors leaves room for enough warps. */
constexpr int32_t MOST_CODES_OF_ONE = 256;

/*
 * The most bytes of V that are kept, unless chunks have their greatest length.  Larger chunks
 * need fewer bytes, but fewer tiles fit.
 */
constexpr size_t MOST_KEPT = 256 << 20;

/*
 * Words of a column of V in a tile, and words from one column to the next, so that columns are
 * on different banks.
 */
constexpr int TILE_WORDS = WARP * STRING_WORDS;
constexpr int PITCH = TILE_WORDS + 1;

template <int TABLES> using StringStripe = Stripe<STRING_WORDS, STRING_BATCH, TABLES>;

/* Tiles have two tables of match vectors, which are small, so that more tiles fit. */
constexpr int TILE_TABLES = 2;
typedef StringStripe<TILE_TABLES> TileStripe;

/* Arguments of the kernels. */
struct StringArgs
{
	Scan scan;
	Preparation preparation;
	uint32_t *v;    /* V after the last column */
	uint32_t *kept; /* V before each chunk */
	size_t v_words;
	int32_t stripes;
	int32_t chunk_bits;
	uint32_t warp_bytes; /* bytes of shared memory of a warp */
	int32_t *a_position;
	int32_t *b_position;
	int32_t *length;
};

/* Keeps V before each chunk. */
struct KeepChunks
{
	static constexpr bool HANDS_OVER = true;

	uint32_t *own; /* the lane's words before the first chunk */
	size_t v_words;
	int32_t chunk_bits;
	int32_t n;

	__device__ __forceinline__ void
	before(int32_t column, const uint32_t (&v)[STRING_WORDS]) const
	{
		if ((column & ((1 << chunk_bits) - 1)) == 0 && column >= 0 && column < n)
#pragma unroll
			for (int w = 0; w < STRING_WORDS; w++)
				own[(size_t) (column >> chunk_bits) * v_words + (size_t) w] = v[w];
	}

	__device__ __forceinline__ void
	after(int32_t, const uint32_t (&)[STRING_WORDS]) const
	{
	}
};

/* Keeps V after each column of a tile. */
struct KeepColumns
{
	static constexpr bool HANDS_OVER = false;

	uint32_t *own; /* the lane's words after the first column */
	int32_t n;

	__device__ __forceinline__ void
	before(int32_t, const uint32_t (&)[STRING_WORDS]) const
	{
	}

	__device__ __forceinline__ void
	after(int32_t column, const uint32_t (&v)[STRING_WORDS]) const
	{
		if (column >= 0 && column < n)
#pragma unroll
			for (int w = 0; w < STRING_WORDS; w++)
				own[column * PITCH + w] = v[w];
	}
};

/* Prepares the scan. */
static __global__ void
prepare_table(const __grid_constant__ StringArgs args)
{
	prepare(args.scan, args.preparation, blockIdx.x, gridDim.x);
}

/* Scans the table. */
template <int TABLES>
static __global__ void
__launch_bounds__(MOST_WARPS *WARP, 1) scan_table(const __grid_constant__ StringArgs args)
{
	extern __shared__ uint4 shared[];
	int warp = (int) (threadIdx.x / WARP);
	int warps = (int) (blockDim.x / WARP);
	StringStripe<TABLES> scan(args.scan, (char *) shared + (uint32_t) warp * args.warp_bytes);

	for (int32_t stripe = (int32_t) blockIdx.x * warps + warp; stripe < args.stripes;
		 stripe += (int32_t) gridDim.x * warps)
	{
		size_t own = (size_t) stripe * TILE_WORDS + (size_t) (scan.lane * STRING_WORDS);
		uint32_t v[STRING_WORDS];

#pragma unroll
		for (int w = 0; w < STRING_WORDS; w++)
			v[w] = ~0u;
		scan.fill_tables(stripe);
		if (!scan.run(stripe, v,
					  KeepChunks{args.kept + own, args.v_words, args.chunk_bits, args.scan.n}))
			return;
#pragma unroll
		for (int w = 0; w < STRING_WORDS; w++)
			args.v[own + (size_t) w] = v[w];
	}
}

/* A tile that a warp scans again. */
struct Tile
{
	TileStripe stripe;
	int32_t start;   /* its first column */
	uint32_t *v;     /* V after each column */
	uint32_t *place; /* places of the match vectors of the columns */

	/*
	 * Sets up the memory of a warp's tile.  The tile is `left` chunks to the left of that of
	 * column `end` - 1.
	 */
	__device__
	Tile(const StringArgs &args, char *shared, int left, int32_t end)
		: stripe(args.scan, shared),
		  start((((end - 1) >> args.chunk_bits) - left) * (1 << args.chunk_bits)),
		  v((uint32_t *) (shared + args.warp_bytes)), place(v + (PITCH << args.chunk_bits))
	{
	}

	/*
	 * Scans the tile up to a column; returns false if the host has cancelled.  `index` is its
	 * stripe, whose match vectors are there if `filled` is set.
	 */
	__device__ bool
	scan(const StringArgs &args, int32_t index, int32_t end, bool filled)
	{
		int own = stripe.lane * STRING_WORDS;
		const uint32_t *kept = args.kept + (size_t) (start >> args.chunk_bits) * args.v_words +
							   (size_t) index * TILE_WORDS + (size_t) own;
		uint32_t above[STRING_WORDS];

		stripe.scan.columns += start;
		stripe.scan.n = min(end - start, 1 << args.chunk_bits);
		stripe.scan.carry += start / GRANULE;
#pragma unroll
		for (int w = 0; w < STRING_WORDS; w++)
			above[w] = kept[w];
		if (!filled)
			stripe.fill_tables(index);
		stripe.tables.find_places(stripe.scan.columns, stripe.scan.n, place);
		return stripe.run(index, above, KeepColumns{v + own, stripe.scan.n});
	}
};

/* The current place of the walk. */
struct Walk
{
	int32_t m;         /* symbols of a still to walk */
	int32_t n;         /* symbols of b still to walk */
	int32_t remaining; /* length of their longest common subsequence */
};

/* Walks back through up to 32 columns and 32 rows of the tile, whose first row is `first`. */
static __device__ __forceinline__ void
walk_word(Walk &walk, const StringArgs &args, const Tile &tile, int32_t first)
{
	int lane = (int) threadIdx.x;
	int32_t start = tile.start;
	int32_t base = max(walk.m - LCS_WORD, first); /* first of the rows */
	int word = (base - first) / LCS_WORD;
	int next_word = min(word + 1, TILE_WORDS - 1);
	unsigned shift = (unsigned) (base - first) % LCS_WORD;
	int32_t column = walk.n - 1 - lane;
	int32_t columns = min(walk.n - start, WARP);
	uint32_t v = 0;     /* V of the lane's column; before the tile, all rows stop the walk */
	uint32_t equal = 0; /* match vector of the lane's column */
	uint32_t stop = 1u << (LCS_WORD - (walk.m - base)); /* current row, with bits reversed */
	uint32_t step = 0;                                  /* the same bit if the symbol is taken */
	uint32_t met = 0;                                   /* row where the walk leaves the column */
	uint32_t taken, takers;
	int32_t consumed;

	if (lane < columns)
	{
		const uint32_t *own = tile.v + (column - start) * PITCH;
		uint32_t place = tile.place[column - start];

		v = __brev(__funnelshift_r(own[word], own[next_word], shift));
		equal = __brev(__funnelshift_r(tile.stripe.tables.match_word(place, word),
									   tile.stripe.tables.match_word(place, next_word), shift));
	}
	v = equal | ~v;

	for (int first = 0; first < WARP && stop + step != 0; first += WARP / 4)
#pragma unroll
		for (int i = first; i < first + WARP / 4; i++)
		{
			uint32_t stops = __shfl_sync(ALL, v, i);
			uint32_t symbol = __shfl_sync(ALL, equal, i);
			uint32_t carried = ~stops + stop + step;

			stop = carried & stops;
			step = carried & stops & symbol;
			if (i == lane)
				met = stop;
		}

	taken = met & equal;
	takers = __ballot_sync(ALL, taken != 0);
	consumed = min(__popc(__ballot_sync(ALL, met != 0)), columns);
	if (taken != 0)
	{
		int32_t place = walk.remaining - 1 - __popc(takers & ((1u << lane) - 1));

		args.a_position[place] = base + __clz((int) taken);
		args.b_position[place] = column;
	}
	walk.remaining -= __popc(takers);
	walk.n -= consumed;
	walk.m = consumed < columns ? base : base + __popc(-(stop + step));
}

/* Walks back through the table, by one block with a warp for each tile. */
static __global__ void
__launch_bounds__(MOST_TILES *WARP) go_back(const __grid_constant__ StringArgs args)
{
	extern __shared__ uint4 shared[];
	__shared__ Walk reached;
	int warp = (int) (threadIdx.x / WARP);
	int lane = (int) (threadIdx.x % WARP);
	int tiles = (int) (blockDim.x / WARP);
	uint32_t tile_bytes =
		args.warp_bytes + ((uint32_t) (PITCH + 1) << args.chunk_bits) * (uint32_t) sizeof(uint32_t);
	Walk walk = {args.preparation.pair.m, args.scan.n, 0};
	int32_t filled = -1; /* stripe whose match vectors are in shared memory */
	int32_t length = 0;
	bool going_on = true;

	for (size_t i = (size_t) lane; i < args.v_words; i += WARP)
		length += __popc(~args.v[i]);
	length = __reduce_add_sync(ALL, length);
	walk.remaining = length;

	while (walk.remaining > 0)
	{
		int32_t index = (walk.m - 1) / TileStripe::ROWS;
		int32_t first = index * TileStripe::ROWS;
		Tile own(args, (char *) shared + (uint32_t) warp * tile_bytes, warp, walk.n);

		if (own.start >= 0)
		{
			going_on = own.scan(args, index, walk.n, index == filled);
			filled = index;
		}
		if (__syncthreads_or(!going_on))
			break;
		for (int i = 0; warp == 0 && i < tiles && walk.remaining > 0 && walk.m > first; i++)
		{
			Tile tile(args, (char *) shared + (uint32_t) i * tile_bytes, i, own.start + 1);

			while (walk.remaining > 0 && walk.m > first && walk.n > tile.start)
				walk_word(walk, args, tile, first);
		}
		if (threadIdx.x == 0)
			reached = walk;
		__syncthreads();
		walk = reached;
	}
	if (threadIdx.x == 0)
		*args.length = lcs_cancelled(args.scan.cancel) ? LCS_CANCELLED : length;
}

/* Returns the bytes of V before all chunks. */
static size_t
kept_bytes(const LcsDevicePair &pair, const LcsStringPlan &plan)
{
	return (size_t) parts_of_whole(pair.n, 1 << plan.chunk_bits) *
		   ScanMemory(plan.scan, pair.m, pair.n).v;
}

/* Finds the plan for a pair; returns false if there is none. */
bool
lcs_string_plan(const LcsDevicePair &pair, const cudaDeviceProp &device, LcsStringPlan *plan)
{
	size_t tile;

	plan->scan.words = plan->tile.words = STRING_WORDS;
	plan->scan.batch = plan->tile.batch = STRING_BATCH;
	plan->scan.tables = pair.codes <= MOST_CODES_OF_ONE ? 1 : 2;
	plan->tile.tables = TILE_TABLES;
	if (!lcs_pair_fit(pair, device, MOST_WARPS, &plan->scan) ||
		!lcs_pair_fit(pair, device, MOST_TILES, &plan->tile))
		return false;
	plan->scan.blocks =
		parts_of_whole(parts_of_whole(pair.m, stripe_rows(plan->scan)), plan->scan.warps);
	if (plan->scan.blocks > device.multiProcessorCount)
		plan->scan.blocks = device.multiProcessorCount;
	if (plan->scan.blocks == 0)
		plan->scan.blocks = 1;
	plan->chunk_bits = LEAST_CHUNK_BITS;
	while (plan->chunk_bits < MOST_CHUNK_BITS && kept_bytes(pair, *plan) > MOST_KEPT)
		plan->chunk_bits++;
	tile = warp_bytes(plan->tile) + ((size_t) (PITCH + 1) << plan->chunk_bits) * sizeof(uint32_t);
	plan->tiles =
		(int) std::min((device.sharedMemPerBlockOptin - sizeof(Walk)) / tile, (size_t) MOST_TILES);
	plan->shared = (size_t) plan->tiles * tile;
	return plan->tiles > 0;
}

/* Returns the bytes of the carries into all stripes, and out of the last one. */
static size_t
all_carry_bytes(const LcsDevicePair &pair, const LcsStringPlan &plan, const ScanMemory &memory)
{
	return ((size_t) parts_of_whole(pair.m, stripe_rows(plan.scan)) + 1) * memory.carry;
}

/* Returns the bytes of device memory that a pair takes besides its strings and the positions. */
size_t
lcs_string_memory(const LcsDevicePair &pair, const LcsStringPlan &plan)
{
	ScanMemory memory(plan.scan, pair.m, pair.n);

	return memory.rows + memory.columns + all_carry_bytes(pair, plan, memory) + memory.v +
		   kept_bytes(pair, plan);
}

/* Sets the sizes of the tables of match vectors. */
static void
set_string_tables(StringArgs *args, const LcsPairPlan &plan)
{
	args->scan.match = match_sizes(plan);
	args->warp_bytes = (uint32_t) warp_bytes(plan);
}

/* Starts to find the positions. */
cudaError_t
lcs_string_launch(const LcsDevicePair &pair, const LcsStringPlan &plan, void *memory,
				  int32_t *a_position, int32_t *b_position, int32_t *length,
				  const volatile int *cancel, cudaStream_t stream)
{
	ScanMemory bytes(plan.scan, pair.m, pair.n);
	char *place = (char *) memory;
	StringArgs args = {};
	StringArgs back;
	void *list[] = {&args};
	void (*const scan)(StringArgs) = plan.scan.tables == 1 ? scan_table<1> : scan_table<2>;
	cudaError_t error;

	args.scan.rows = (uint32_t *) place;
	args.scan.columns = (uint32_t *) (place += bytes.rows);
	args.scan.carry = (uint64_t *) (place += bytes.columns);
	args.v = (uint32_t *) (place += all_carry_bytes(pair, plan, bytes));
	args.kept = (uint32_t *) (place + bytes.v);
	args.v_words = bytes.v / sizeof(uint32_t);
	args.scan.n = pair.n;
	args.scan.carry_stride = bytes.carry / sizeof(uint64_t);
	args.scan.cancel = cancel;
	args.preparation.pair = pair;
	args.preparation.rows = (int32_t) (bytes.rows / sizeof(uint32_t));
	args.preparation.columns = (int32_t) (bytes.columns / sizeof(uint32_t));
	args.preparation.first_carry = args.scan.carry_stride;
	args.preparation.all_carry = all_carry_bytes(pair, plan, bytes) / sizeof(uint64_t);
	args.stripes = parts_of_whole(pair.m, stripe_rows(plan.scan));
	args.chunk_bits = plan.chunk_bits;
	args.a_position = a_position;
	args.b_position = b_position;
	args.length = length;

	set_string_tables(&args, plan.scan);
	back = args;
	set_string_tables(&back, plan.tile);
	error = cudaFuncSetAttribute((const void *) scan, cudaFuncAttributeMaxDynamicSharedMemorySize,
								 (int) plan.scan.shared);
	if (error == cudaSuccess)
		error = cudaFuncSetAttribute(
			(const void *) go_back, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) plan.shared);
	if (error != cudaSuccess)
		return error;
	prepare_table<<<PREPARE_BLOCKS, PREPARE_THREADS, 0, stream>>>(args);
	error = cudaLaunchCooperativeKernel((const void *) scan, dim3((unsigned) plan.scan.blocks),
										dim3(WARP * (unsigned) plan.scan.warps), list,
										plan.scan.shared, stream);
	if (error != cudaSuccess)
		return error;
	go_back<<<1, WARP *(unsigned) plan.tiles, plan.shared, stream>>>(back);
	return cudaGetLastError();
}
