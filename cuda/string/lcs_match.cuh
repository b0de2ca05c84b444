/*
 * lcs_match.cuh
 *	  The match vectors of a stripe of the table of lengths.
 *
 * The match vector of a symbol has a bit for each row of the stripe: whether the row has the
 * symbol.  The match vectors are in shared memory, in one table by symbol, lane and word.  If
 * the vectors of all symbols would not leave room for enough warps, they are in two tables by
 * the low and by the high part of the symbol.  A row matches if it matches in both, which
 * costs a load but no operation, and n symbols need 2 sqrt(n) rows of match vectors.  For
 * even more symbols, the warp numbers the symbols of its own rows: a bit for each symbol says
 * whether it is among them, and the number of a symbol is the count of bits of lower symbols.
 */
#ifndef TED_LCS_MATCH_CUH
#define TED_LCS_MATCH_CUH

#include "lcs_plan.h"
#include "lcs_step.cuh"

/* Rows whose symbols are loaded together. */
constexpr int FILLED = 16;

/* The sizes of a warp's tables of match vectors. */
struct MatchSizes
{
	int32_t rows; /* rows of all tables */
	uint32_t row_bytes;
	int low_bits;     /* bits of a symbol for the first of two tables, of 1 << low_bits rows */
	int symbol_words; /* words with a bit for each symbol; 0 if warps do not number symbols */
};

/* Returns the number of parts of some size in a whole; the last part may be smaller. */
static __host__ __device__ inline int32_t
parts_of_whole(int32_t whole, int32_t size)
{
	return (int32_t) (((int64_t) whole + size - 1) / size);
}

/* The numbers of symbols in the tables of a warp. */
struct SymbolNumbers
{
	int words;         /* words of `present`; 0 if each symbol is its own number */
	uint32_t *present; /* a bit for each symbol: whether it is in the stripe */
	uint16_t *lower;   /* by word: number of bits in all lower words of `present` */

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
	of(uint4 symbols) const
	{
		if (words == 0)
			return symbols;
		return make_uint4(number(symbols.x), number(symbols.y), number(symbols.z),
						  number(symbols.w));
	}

	/* Numbers the symbols of a stripe, which has `count` rows. */
	__device__ void
	set(const uint32_t *rows, int count)
	{
		int lane = (int) (threadIdx.x % WARP);
		int share = parts_of_whole(words, WARP);
		int first = min(lane * share, words);
		int end = min(first + share, words);
		int sum = 0;
		int below = 0;

		for (int i = lane; i < words; i += WARP)
			present[i] = 0;
		__syncwarp();
		for (int32_t row = lane; row < count && rows[row] != 0; row += WARP)
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
};

/* The tables of match vectors of a warp, with W words for each lane. */
template <int W, int TABLES> struct MatchTables
{
	static constexpr int ROW_BITS = W == 1 ? 7 : W == 2 ? 8 : 9; /* log2 of row_bytes */

	/* A lane's match vectors of a place. */
	struct Match
	{
		Words<W> table[TABLES];
	};

	MatchSizes sizes;
	int lane;
	Words<W> *table; /* row 0 is for symbols that the stripe does not have */
	SymbolNumbers numbers;

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
		return (number & ((1u << sizes.low_bits) - 1)) | number >> sizes.low_bits
																	   << (32 - ROW_BITS);
	}

	/*
	 * Returns the address of the match vectors of a place in the first table, if those of
	 * place 0 are at `column`.
	 */
	template <class Vector>
	__device__ __forceinline__ Vector *
	first_match(Vector *column, uint32_t place) const
	{
		/* since row_bytes is no constant, the compiler takes a multiply-add */
		return (Vector *) ((char *) column + place * sizes.row_bytes);
	}

	/* Returns the address of the match vectors of a place in the second table, likewise. */
	template <class Vector>
	__device__ __forceinline__ Vector *
	second_match(Vector *column, uint32_t place) const
	{
		return (Vector *) ((char *) column + (sizes.row_bytes << sizes.low_bits) +
						   (place >> (32 - 2 * ROW_BITS)));
	}

	/* Returns a word of the match vectors of a place, where `word` counts those of all lanes. */
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
		uint4 number = numbers.of(symbols);

		return make_uint4(table_place(number.x), table_place(number.y), table_place(number.z),
						  table_place(number.w));
	}

	/*
	 * Finds the places of the match vectors of some columns; their count is rounded up to a
	 * multiple of four.
	 */
	__device__ __forceinline__ void
	find_places(const uint32_t *columns, int32_t count, uint32_t *place) const
	{
#pragma unroll 2
		for (int32_t i = lane; i < parts_of_whole(count, 4); i += WARP)
			((uint4 *) place)[i] = places(((const uint4 *) columns)[i]);
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

	/* Sets the match vectors of a stripe's rows. */
	__device__ void
	fill(const uint32_t *rows)
	{
		int first = lane * LCS_WORD * W;

		__syncwarp();
		if (numbers.words != 0)
			numbers.set(rows, WARP * LCS_WORD * W);
		for (int32_t i = 0; i < sizes.rows; i++)
			table[i * WARP + lane] = {};
		for (int i = 0; i < LCS_WORD * W; i += FILLED)
		{
			uint4 quad[FILLED / 4]; /* loaded at once */

#pragma unroll
			for (int k = 0; k < FILLED / 4; k++)
				quad[k] = ((const uint4 *) (rows + first + i))[k];
#pragma unroll
			for (int k = 0; k < FILLED / 4; k++)
				quad[k] = numbers.of(quad[k]);
#pragma unroll
			for (int k = 0; k < FILLED; k++)
				if (((const uint32_t *) quad)[k] != 0)
					set_match(((const uint32_t *) quad)[k], i + k);
		}
		__syncwarp();
	}

	/* Returns the lane's match vectors of a place. */
	__device__ __forceinline__ Match
	match_vector(uint32_t place) const
	{
		Match match;

		match.table[0] = *first_match(table + lane, place);
		if (TABLES == 2)
			match.table[TABLES - 1] = *second_match(table + lane, place);
		return match;
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
};

#endif /* TED_LCS_MATCH_CUH */
