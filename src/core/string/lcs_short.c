/*
 * lcs_short.c
 *	  Length of a longest common subsequence of two strings of at most 64 symbols, with AVX2 or
 *	  NEON.
 *
 * The match word of a column (lcs_column.h) needs no table: the longer string is in vectors, and
 * comparing all of it with a symbol of the shorter one yields a bit for each of its positions.
 *
 * Extracting a bit of each lane takes one instruction with AVX2, and three with NEON for 64 bytes,
 * so that loading and matching differ between the two.
 */
#include <string.h>

#include "../common/simd.h"
#include "lcs_short.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx2,popcnt")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline

/*
 * Positions of the longer string whose bits are extracted together, and the vectors of these if
 * symbols have 32 bits.
 */
#define PART 32
#define WIDE_VECTORS 4

/* Up to PART symbols of the longer string. */
typedef struct Part
{
	__m256i vector[WIDE_VECTORS]; /* bytes use the first one only */
} Part;

/* The longer string, in one part or two. */
typedef struct Longer
{
	Part part[2];
	int32_t second; /* position where the second part begins */
} Longer;

/* Loads up to PART bytes of a string. */
TARGET_INLINE Part
load_part(const uint8_t *bytes, int32_t count)
{
	uint8_t block[PART];

	memcpy(block, bytes, (size_t) count);
	return (Part){.vector = {_mm256_loadu_si256((const __m256i *) (const void *) block)}};
}

/* Loads four symbols from `first` on; those from `count` on are 0. */
TARGET_INLINE __m128i
load_four(const uint32_t *symbols, int32_t first, int32_t count)
{
	__m128i place = _mm_add_epi32(_mm_set1_epi32(first), _mm_setr_epi32(0, 1, 2, 3));

	return _mm_maskload_epi32((const int *) symbols + first,
							  _mm_cmpgt_epi32(_mm_set1_epi32(count), place));
}

/* Loads up to PART 32-bit symbols, in the order that match_word() packs into that of the string. */
TARGET_INLINE Part
load_symbols(const uint32_t *symbols, int32_t count)
{
	Part part;

	for (int i = 0; i < WIDE_VECTORS; i++)
		part.vector[i] = _mm256_set_m128i(load_four(symbols, PART / 2 + 4 * i, count),
										  load_four(symbols, 4 * i, count));
	return part;
}

/* Returns a bit for each position of a part that has symbol `i`. */
TARGET_INLINE uint32_t
match_word(const Part *part, const void *symbols, int32_t i, int symbol_bytes)
{
	__m256i equal;

	if (symbol_bytes == 1)
		equal = _mm256_cmpeq_epi8(part->vector[0], _mm256_set1_epi8(((const char *) symbols)[i]));
	else
	{
		__m256i symbol = _mm256_set1_epi32(((const int32_t *) symbols)[i]);
		__m256i low = _mm256_packs_epi32(_mm256_cmpeq_epi32(part->vector[0], symbol),
										 _mm256_cmpeq_epi32(part->vector[1], symbol));
		__m256i high = _mm256_packs_epi32(_mm256_cmpeq_epi32(part->vector[2], symbol),
										  _mm256_cmpeq_epi32(part->vector[3], symbol));

		equal = _mm256_packs_epi16(low, high);
	}
	return (uint32_t) _mm256_movemask_epi8(equal);
}

/* Loads the longer string; the second part has its last symbols, and overlaps the first part. */
TARGET_INLINE Longer
load_longer(const LcsText *text, int symbol_bytes, int parts)
{
	const uint8_t *bytes = text->symbols;
	const uint32_t *symbols = text->symbols;
	Longer longer = {.second = text->length - PART};

	for (int i = 0; i < parts; i++)
	{
		int32_t begin = i * longer.second;
		int32_t count = parts == 1 ? text->length : PART;

		longer.part[i] = symbol_bytes == 1 ? load_part(bytes + begin, count)
										   : load_symbols(symbols + begin, count);
	}
	return longer;
}

/* Returns a bit for each position of the longer string that has symbol `i`. */
TARGET_INLINE uint64_t
match_longer(const Longer *longer, const void *symbols, int32_t i, int symbol_bytes, int parts)
{
	uint64_t match = match_word(&longer->part[0], symbols, i, symbol_bytes);

	if (parts == 2)
		match |= (uint64_t) match_word(&longer->part[1], symbols, i, symbol_bytes)
				 << longer->second;
	return match;
}

#elif defined(TED_NEON)

#include <arm_neon.h>

#define TARGET
#define TARGET_INLINE __attribute__((always_inline)) static inline

/* Symbols of a part of the longer string. */
#define PART 32

/* The longer string: vectors of 16 bytes, or of 4 symbols of 32 bits. */
typedef struct Longer
{
	uint8x16_t bytes[LCS_WORD_BITS / 16];
	uint32x4_t symbols[LCS_WORD_BITS / 4];
} Longer;

/* Loads the longer string. */
TARGET_INLINE Longer
load_longer(const LcsText *text, int symbol_bytes, int parts)
{
	uint32_t block[LCS_WORD_BITS];
	Longer longer;

	memcpy(block, text->symbols, (size_t) text->length * (size_t) symbol_bytes);
	if (symbol_bytes == 1)
		for (int i = 0; i < parts * PART / 16; i++)
			longer.bytes[i] = vld1q_u8((const uint8_t *) block + 16 * i);
	else
		for (int i = 0; i < parts * PART / 4; i++)
			longer.symbols[i] = vld1q_u32(block + 4 * i);
	return longer;
}

/*
 * Returns, for 16 positions of the longer string, a bit of each byte if the position has symbol
 * `i`.
 */
TARGET_INLINE uint8x16_t
equal_bytes(const Longer *longer, const void *symbols, int32_t i, int symbol_bytes, int vector)
{
	uint8x16_t bits = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
	uint32x4_t symbol;
	uint16x8_t half[2];

	if (symbol_bytes == 1)
		return vandq_u8(
			bits, vceqq_u8(longer->bytes[vector], vdupq_n_u8(((const uint8_t *) symbols)[i])));
	symbol = vdupq_n_u32(((const uint32_t *) symbols)[i]);
	for (int k = 0; k < 2; k++)
	{
		const uint32x4_t *four = &longer->symbols[4 * vector + 2 * k];

		half[k] = vuzp1q_u16(vreinterpretq_u16_u32(vceqq_u32(four[0], symbol)),
							 vreinterpretq_u16_u32(vceqq_u32(four[1], symbol)));
	}
	return vandq_u8(bits, vuzp1q_u8(vreinterpretq_u8_u16(half[0]), vreinterpretq_u8_u16(half[1])));
}

/* Returns a bit for each position of the longer string that has symbol `i`. */
TARGET_INLINE uint64_t
match_longer(const Longer *longer, const void *symbols, int32_t i, int symbol_bytes, int parts)
{
	uint8x16_t sums = vpaddq_u8(equal_bytes(longer, symbols, i, symbol_bytes, 0),
								equal_bytes(longer, symbols, i, symbol_bytes, 1));

	if (parts == 1)
	{
		sums = vpaddq_u8(sums, sums);
		return vgetq_lane_u32(vreinterpretq_u32_u8(vpaddq_u8(sums, sums)), 0);
	}
	sums = vpaddq_u8(sums, vpaddq_u8(equal_bytes(longer, symbols, i, symbol_bytes, 2),
									 equal_bytes(longer, symbols, i, symbol_bytes, 3)));
	return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

#endif

#if defined(__x86_64__) || defined(TED_NEON)

/* Columns between two checks whether the remaining columns can add enough. */
#define COLUMNS_PER_CHECK 8

/* Computes the length for one size of symbols; the longer string has one or two parts. */
TARGET_INLINE int32_t
compare_short(const LcsText *longer, const LcsText *shorter, int symbol_bytes, int parts,
			  int32_t least)
{
	int32_t m = longer->length;
	int32_t n = shorter->length;
	uint64_t rows = ~UINT64_C(0) >> (LCS_WORD_BITS - m);
	uint64_t v = rows;
	Longer loaded = load_longer(longer, symbol_bytes, parts);
	int32_t gained = 0; /* bits are counted instead */

	for (int32_t j = 0; j < n;)
	{
		int32_t end = j + ted_min(COLUMNS_PER_CHECK, n - j);

		for (; j < end; j++)
		{
			v = lcs_next_word(v, match_longer(&loaded, shorter->symbols, j, symbol_bytes, parts),
							  &gained);
		}
		if (__builtin_popcountll(~v & rows) + (n - j) < least)
			return LCS_BELOW;
	}
	return __builtin_popcountll(~v & rows);
}

/* Whether the processor has AVX2 or NEON, and the longer string may have this number of symbols. */
bool
lcs_short_fits(int32_t longer)
{
	return longer > 0 && longer <= LCS_WORD_BITS && ted_simd() != TED_SIMD_NONE;
}

/* Returns the length of a longest common subsequence, LCS_BELOW if it is below `least`. */
TARGET int32_t
lcs_short_length(const LcsText *longer, const LcsText *shorter, int symbol_bytes, int32_t least)
{
	bool one = longer->length <= PART;

	if (symbol_bytes == 1)
		return one ? compare_short(longer, shorter, 1, 1, least)
				   : compare_short(longer, shorter, 1, 2, least);
	return one ? compare_short(longer, shorter, sizeof(uint32_t), 1, least)
			   : compare_short(longer, shorter, sizeof(uint32_t), 2, least);
}

#else

/* Returns false on other processors. */
bool
lcs_short_fits(int32_t longer)
{
	(void) longer;
	return false;
}

/* Never called on other processors. */
int32_t
lcs_short_length(const LcsText *longer, const LcsText *shorter, int symbol_bytes, int32_t least)
{
	(void) longer;
	(void) shorter;
	(void) symbol_bytes;
	(void) least;
	return LCS_BELOW;
}

#endif
