/*
 * lcs_batch_avx512.c
 *	  The kernels of lcs_batch.c with AVX-512.
 *
 * Patterns of at most 64 symbols: lanes are texts, 16 at a time.  Their bytes
 * are transposed in registers, four columns to a register, and turned into
 * codes there.  A match word is a permutation by code of a table in registers,
 * 32 bits at a time.
 *
 * Longer patterns: a text takes 2 to 16 lanes, words of V of 63 rows.  As in
 * lcs_avx512.c, word w is at column t - w in step t, bit 63 receives the carry,
 * and blends turn the rows of columns into diagonals.
 */
#include "lcs_batch.h"
#include "sweep.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi2")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline

#define SHORT_TEXTS 16
#define SHORT_COLUMNS 32 /* taken from memory at a time */
#define COLUMNS_PER_LANE 4
#define QUADS (SHORT_COLUMNS / COLUMNS_PER_LANE)

/* The codes of a table in registers are numbers of 5 bits, or of 6. */
#define SHORT_CODES 32
#define LONG_CODES 64

/* Up to SHORT_COLUMNS bytes of a text from `start` on, followed by `pad`. */
TARGET_INLINE __m256i
load_bytes(const LcsBatchBlock *block, int text, int32_t start, __m256i pad)
{
	int32_t length = block->length[text];
	int32_t begin = start < length ? start : length;
	int32_t left = length - begin < SHORT_COLUMNS ? length - begin : SHORT_COLUMNS;

	return _mm256_mask_loadu_epi8(pad, _bzhi_u32(UINT32_MAX, (uint32_t) left),
								  block->bytes[text] + begin);
}

/* The bytes of two texts, one half each. */
TARGET_INLINE __m512i
load_pair(const LcsBatchBlock *block, int low, int high, int32_t start, __m256i pad)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512(load_bytes(block, low, start, pad)),
							  load_bytes(block, high, start, pad), 1);
}

/* Transposes lanes of 32 bits within each 128 bits of four registers. */
TARGET_INLINE void
transpose_lanes(const __m512i *row, __m512i *column)
{
	__m512i low_01 = _mm512_unpacklo_epi32(row[0], row[1]);
	__m512i high_01 = _mm512_unpackhi_epi32(row[0], row[1]);
	__m512i low_23 = _mm512_unpacklo_epi32(row[2], row[3]);
	__m512i high_23 = _mm512_unpackhi_epi32(row[2], row[3]);

	column[0] = _mm512_unpacklo_epi64(low_01, low_23);
	column[1] = _mm512_unpackhi_epi64(low_01, low_23);
	column[2] = _mm512_unpacklo_epi64(high_01, high_23);
	column[3] = _mm512_unpackhi_epi64(high_01, high_23);
}

/*
 * Loads columns of all texts: four columns in each register, a text in each
 * lane.  Even and odd pairs of lanes hold texts 0 to 7 and 8 to 15, as
 * unpacking to 64 bits has it.
 */
TARGET_INLINE void
load_columns(const LcsBatchBlock *block, int32_t start, __m256i pad, __m512i *quad)
{
	__m512i first[4], second[4], first_column[4], second_column[4];

	for (int i = 0; i < 2; i++)
	{
		first[i] = load_pair(block, i, i + 2, start, pad);
		first[i + 2] = load_pair(block, i + 8, i + 10, start, pad);
		second[i] = load_pair(block, i + 4, i + 6, start, pad);
		second[i + 2] = load_pair(block, i + 12, i + 14, start, pad);
	}
	transpose_lanes(first, first_column);
	transpose_lanes(second, second_column);
	for (int i = 0; i < 4; i++)
	{
		quad[i] = _mm512_shuffle_i32x4(first_column[i], second_column[i], _MM_SHUFFLE(2, 0, 2, 0));
		quad[i + 4] =
			_mm512_shuffle_i32x4(first_column[i], second_column[i], _MM_SHUFFLE(3, 1, 3, 1));
	}
}

/* A table of 256 bytes in registers. */
typedef struct ByteTable
{
	__m512i part[4];
} ByteTable;

/* The entries of a table by byte. */
TARGET_INLINE __m512i
look_up_bytes(const ByteTable *table, __m512i bytes)
{
	__m512i low = _mm512_permutex2var_epi8(table->part[0], bytes, table->part[1]);
	__m512i high = _mm512_permutex2var_epi8(table->part[2], bytes, table->part[3]);

	return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(bytes), high);
}

/* The halves of up to 64 match words in registers. */
typedef struct HalfWords
{
	__m512i part[LONG_CODES / 16];
} HalfWords;

/* The lower halves of 16 match words. */
TARGET_INLINE __m512i
load_lower(const uint64_t *match)
{
	return _mm512_inserti64x4(
		_mm512_castsi256_si512(_mm512_cvtepi64_epi32(_mm512_loadu_si512(match))),
		_mm512_cvtepi64_epi32(_mm512_loadu_si512(match + 8)), 1);
}

/* The upper halves of 16 match words. */
TARGET_INLINE __m512i
load_upper(const uint64_t *match)
{
	return _mm512_inserti64x4(
		_mm512_castsi256_si512(
			_mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_loadu_si512(match), 32))),
		_mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_loadu_si512(match + 8), 32)), 1);
}

/* The half words by the code in the low bits of each lane. */
TARGET_INLINE __m512i
look_up_halves(const HalfWords *halves, __m512i code, int codes)
{
	__m512i low = _mm512_permutex2var_epi32(halves->part[0], code, halves->part[1]);
	__m512i high;

	if (codes == SHORT_CODES)
		return low;
	high = _mm512_permutex2var_epi32(halves->part[2], code, halves->part[3]);
	return _mm512_mask_mov_epi32(low, _mm512_test_epi32_mask(code, _mm512_set1_epi32(SHORT_CODES)),
								 high);
}

/* (V + (V & M)) | (V & ~M) from the sum, V and M. */
TARGET_INLINE __m512i
next_word(__m512i sum, __m512i v, __m512i match)
{
	return _mm512_ternarylogic_epi32(sum, v, match, 0xF0 | (0xCC & ~0xAA));
}

/* V of 16 texts: 32 bits each in `low`, or 64 in both, texts 0 to 7 in `low`. */
typedef struct ShortColumn
{
	__m512i low;
	__m512i high;
} ShortColumn;

/* What the kernels for short patterns keep in registers. */
typedef struct ShortTables
{
	HalfWords lower;
	HalfWords upper;
	ByteTable code;
} ShortTables;

/* Takes V one column on, with the codes in the low bits of each lane. */
TARGET_INLINE void
short_step(ShortColumn *v, const ShortTables *tables, __m512i code, int bits, int codes)
{
	__m512i lower = look_up_halves(&tables->lower, code, codes);
	__m512i upper, low, high;

	if (bits == 32)
	{
		v->low =
			next_word(_mm512_add_epi32(v->low, _mm512_and_si512(v->low, lower)), v->low, lower);
		return;
	}
	upper = look_up_halves(&tables->upper, code, codes);
	low = _mm512_unpacklo_epi32(lower, upper);
	high = _mm512_unpackhi_epi32(lower, upper);
	v->low = next_word(_mm512_add_epi64(v->low, _mm512_and_si512(v->low, low)), v->low, low);
	v->high = next_word(_mm512_add_epi64(v->high, _mm512_and_si512(v->high, high)), v->high, high);
}

/* Takes 16 texts through a block: for patterns of `bits` symbols with less than `codes` distinct.
 */
TARGET_INLINE void
scan_short(uint64_t *words, const LcsBatchBlock *block, int bits, int codes)
{
	const uint64_t *match = block->match;
	const uint8_t *code_of = block->code;
	ShortTables tables;
	ShortColumn v = {_mm512_loadu_si512(words), _mm512_loadu_si512(words + 8)};
	__m256i pad = _mm256_set1_epi8((char) block->unmatched);

	tables.lower = (HalfWords){{load_lower(match), load_lower(match + 16)}};
	tables.upper = (HalfWords){{load_upper(match), load_upper(match + 16)}};
	if (codes == LONG_CODES)
	{
		tables.lower.part[2] = load_lower(match + 32);
		tables.lower.part[3] = load_lower(match + 48);
		tables.upper.part[2] = load_upper(match + 32);
		tables.upper.part[3] = load_upper(match + 48);
	}
	tables.code =
		(ByteTable){{_mm512_loadu_si512(code_of), _mm512_loadu_si512(code_of + 64),
					 _mm512_loadu_si512(code_of + 128), _mm512_loadu_si512(code_of + 192)}};
	if (bits == 32)
		v.low = _mm512_castps_si512(_mm512_shuffle_ps(
			_mm512_castsi512_ps(v.low), _mm512_castsi512_ps(v.high), _MM_SHUFFLE(2, 0, 2, 0)));

	for (int32_t start = 0; start < block->columns; start += SHORT_COLUMNS)
	{
		__m512i quad[QUADS];

		load_columns(block, start, pad, quad);
		for (int i = 0; i < QUADS && start + COLUMNS_PER_LANE * i < block->columns; i++)
		{
			__m512i code = look_up_bytes(&tables.code, quad[i]);

			short_step(&v, &tables, code, bits, codes);
			short_step(&v, &tables, _mm512_srli_epi32(code, 8), bits, codes);
			short_step(&v, &tables, _mm512_srli_epi32(code, 16), bits, codes);
			short_step(&v, &tables, _mm512_srli_epi32(code, 24), bits, codes);
		}
	}

	if (bits == 32)
	{
		__m512i ones = _mm512_set1_epi32(-1);

		v = (ShortColumn){_mm512_unpacklo_epi32(v.low, ones), _mm512_unpackhi_epi32(v.low, ones)};
	}
	_mm512_storeu_si512(words, v.low);
	_mm512_storeu_si512(words + 8, v.high);
}

/* Patterns of at most 32 symbols. */
TARGET static void
scan_32(uint64_t *v, const LcsBatchBlock *block)
{
	scan_short(v, block, 32, SHORT_CODES);
}

/* Patterns of at most 64 symbols, less than 32 of them distinct. */
TARGET static void
scan_64_few(uint64_t *v, const LcsBatchBlock *block)
{
	scan_short(v, block, 64, SHORT_CODES);
}

/* Patterns of at most 64 symbols. */
TARGET static void
scan_64(uint64_t *v, const LcsBatchBlock *block)
{
	scan_short(v, block, 64, LONG_CODES);
}

#define WORD_ROWS 63
#define CARRY_BIT (UINT64_C(1) << WORD_ROWS)
#define LANES 8

/* Lanes whose column is further behind by 1, 2 and 4. */
#define BEHIND_1 0xAA
#define BEHIND_2 0xCC
#define BEHIND_4 0xF0

/* Eight words, and what their diagonals need of the steps before. */
typedef struct Lanes
{
	__m512i v;
	__m512i row;     /* of the last step */
	__m512i pair[2]; /* diagonals over two columns, of the last two steps */
	__m512i quad[4]; /* diagonals over four columns, of the last four steps */
} Lanes;

/* Loads words from column 0, with blank rows before it. */
TARGET_INLINE Lanes
lanes_begin(const uint64_t *v)
{
	__m512i blank = _mm512_set1_epi64((int64_t) CARRY_BIT);

	return (Lanes){_mm512_andnot_si512(blank, _mm512_loadu_si512(v)),
				   blank,
				   {blank, blank},
				   {blank, blank, blank, blank}};
}

/* Two words of a match row. */
TARGET_INLINE __m128i
load_2(const uint64_t *match)
{
	return _mm_loadu_si128((const __m128i_u *) match);
}

/* Four words of a match row. */
TARGET_INLINE __m256i
load_4(const uint64_t *match)
{
	return _mm256_loadu_si256((const __m256i_u *) match);
}

/* The match rows at a column, of one text or of several that have less than eight words. */
TARGET_INLINE __m512i
load_rows(const LcsBatchBlock *block, int text, int32_t column, int words)
{
	const uint64_t *match = block->match;
	const uint32_t *const *row = &block->row[text];
	__m512i rows;

	if (words >= 8)
		return _mm512_loadu_si512(match + row[0][column]);
	if (words == 4)
		return _mm512_inserti64x4(_mm512_castsi256_si512(load_4(match + row[0][column])),
								  load_4(match + row[1][column]), 1);
	rows = _mm512_castsi128_si512(load_2(match + row[0][column]));
	rows = _mm512_inserti32x4(rows, load_2(match + row[1][column]), 1);
	rows = _mm512_inserti32x4(rows, load_2(match + row[2][column]), 2);
	return _mm512_inserti32x4(rows, load_2(match + row[3][column]), 3);
}

/* Match words of this step, each from its own column; `phase` is the step modulo 4. */
TARGET_INLINE __m512i
diagonal(Lanes *lanes, __m512i row, int phase, int words)
{
	__m512i pair = _mm512_mask_blend_epi64(BEHIND_1, row, lanes->row);
	__m512i quad, whole;

	lanes->row = row;
	if (words == 2)
		return pair;
	quad = _mm512_mask_blend_epi64(BEHIND_2, pair, lanes->pair[phase % 2]);
	lanes->pair[phase % 2] = pair;
	if (words == 4)
		return quad;
	whole = _mm512_mask_blend_epi64(BEHIND_4, quad, lanes->quad[phase]);
	lanes->quad[phase] = quad;
	return whole;
}

/* Takes eight words one column on; the carries come from `carry`, one lane higher each. */
TARGET_INLINE void
lanes_step(Lanes *lanes, __m512i carry, __m512i row, int phase, int words)
{
	__m512i kept = _mm512_andnot_si512(diagonal(lanes, row, phase, words), lanes->v);
	__m512i twice = _mm512_shldi_epi64(lanes->v, carry, 1);

	lanes->v = _mm512_or_si512(_mm512_sub_epi64(twice, kept), kept);
}

/* The lower neighbour of each word of a text, 0 for the first. */
TARGET_INLINE __m512i
words_below(__m512i v, int words)
{
	__mmask8 has_below = words == 2 ? 0xAA : words == 4 ? 0xEE : 0xFE;

	return _mm512_maskz_alignr_epi64(has_below, v, v, LANES - 1);
}

/* Two registers: 16 words of one text, or of several that have less. */
typedef struct Wave
{
	Lanes low;
	Lanes high;
} Wave;

/* One step of a wave; `column` is where the first word of each text is. */
TARGET_INLINE void
wave_step(Wave *wave, const LcsBatchBlock *block, int32_t column, int phase, int words)
{
	__m512i row = load_rows(block, 0, column, words);
	__m512i high_row, carry;

	if (words > LANES)
	{
		high_row = _mm512_loadu_si512(block->match + block->row[0][column - LANES] + LANES);
		carry = _mm512_alignr_epi64(wave->high.v, wave->low.v, LANES - 1);
	}
	else
	{
		high_row = load_rows(block, LANES / words, column, words);
		carry = words_below(wave->high.v, words);
	}
	lanes_step(&wave->high, carry, high_row, phase, words);
	lanes_step(&wave->low, words_below(wave->low.v, words), row, phase, words);
}

/* Takes 16 / `words` texts through a block. */
TARGET_INLINE void
scan_wave(uint64_t *v, const LcsBatchBlock *block, int words)
{
	Wave wave = {lanes_begin(v), lanes_begin(v + LANES)};
	int32_t steps = block->columns + words - 1;

	for (int32_t step = 0; step < steps; step += 4)
	{
		wave_step(&wave, block, step, 0, words);
		wave_step(&wave, block, step + 1, 1, words);
		wave_step(&wave, block, step + 2, 2, words);
		wave_step(&wave, block, step + 3, 3, words);
	}
	_mm512_storeu_si512(v, wave.low.v);
	_mm512_storeu_si512(v + LANES, wave.high.v);
}

/* Patterns of at most 126 symbols, eight texts at a time. */
TARGET static void
scan_2_words(uint64_t *v, const LcsBatchBlock *block)
{
	scan_wave(v, block, 2);
}

/* Patterns of at most 252 symbols, four texts at a time. */
TARGET static void
scan_4_words(uint64_t *v, const LcsBatchBlock *block)
{
	scan_wave(v, block, 4);
}

/* Patterns of at most 504 symbols, two texts at a time. */
TARGET static void
scan_8_words(uint64_t *v, const LcsBatchBlock *block)
{
	scan_wave(v, block, 8);
}

/* Patterns of at most 1008 symbols, one text at a time. */
TARGET static void
scan_16_words(uint64_t *v, const LcsBatchBlock *block)
{
	scan_wave(v, block, 16);
}

/* The kernels, where there are any. */
int
lcs_batch_avx512(const LcsBatchKernel **kernels)
{
	static const LcsBatchKernel all[] = {
		{SHORT_TEXTS, 1, 32, 0, SHORT_CODES - 1, true, scan_32},
		{SHORT_TEXTS, 1, 64, 0, SHORT_CODES - 1, true, scan_64_few},
		{SHORT_TEXTS, 1, 64, 0, LONG_CODES - 1, true, scan_64},
		{8, 2, WORD_ROWS, CARRY_BIT, INT32_MAX, false, scan_2_words},
		{4, 4, WORD_ROWS, CARRY_BIT, INT32_MAX, false, scan_4_words},
		{2, 8, WORD_ROWS, CARRY_BIT, INT32_MAX, false, scan_8_words},
		{1, 16, WORD_ROWS, CARRY_BIT, INT32_MAX, false, scan_16_words},
	};

	if (ted_simd() != TED_SIMD_AVX512 || !__builtin_cpu_supports("avx512vbmi") ||
		!__builtin_cpu_supports("avx512vbmi2") || !__builtin_cpu_supports("bmi2"))
		return 0;
	*kernels = all;
	return sizeof(all) / sizeof(all[0]);
}

#else

/* Other processors have no such vectors. */
int
lcs_batch_avx512(const LcsBatchKernel **kernels)
{
	(void) kernels;
	return 0;
}

#endif
