/*
 * lcs_batch_avx512.c
 *	  The kernels of lcs_batch.c with AVX-512.
 *
 * For patterns of at most 64 symbols, each lane has a text, 16 at a time.  Their bytes are
 * transposed in registers, four columns to a register, and converted to codes there.  Match words
 * are looked up by code in a table in registers, 32 bits at a time.
 *
 * For longer patterns, a text takes 2 to 16 lanes, which are words of V with 63 rows.  As in
 * lcs_avx512.c, word w is at column t - w in step t, bit 63 receives the carry, and blends turn the
 * rows of columns into diagonals.
 *
 * This needs AVX-512: AVX2 has neither permutations of such tables by byte and by 32 bits nor
 * masked loads of bytes, and NEON does not have them for tables of this size.
 */
#include "lcs_batch_kernel.h"
#include "lcs_stripe.h"
#include "../common/simd.h"

#ifdef __x86_64__

#include <immintrin.h>
#include <string.h>

#include "lcs_lanes_avx512.h"

#define TARGET                                                                                     \
	__attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,avx512vpopcntdq")))
#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline

#define SHORT_TEXTS 16
#define SHORT_COLUMNS 32 /* loaded at a time */

/* Entries of a table in registers, whose codes are numbers of 5 or 6 bits. */
#define SHORT_CODES 32
#define LONG_CODES 64

/* Computes masks of the bytes of each text to load from column `start` on. */
TARGET_INLINE void
load_masks(const LcsBatchBlock *block, int32_t start, uint32_t *mask)
{
	__m512i one = _mm512_set1_epi32(1);
	__m512i remaining =
		_mm512_sub_epi32(_mm512_loadu_si512(block->length), _mm512_set1_epi32(start));

	remaining = _mm512_max_epi32(remaining, _mm512_setzero_si512());
	_mm512_storeu_si512(mask, _mm512_sub_epi32(_mm512_sllv_epi32(one, remaining), one));
}

/*
 * Loads the bytes of a text from `start` on that its mask selects, and `pad` for the others.  The
 * address is computed as an integer, as it may be after the end of the text.
 */
TARGET_INLINE __m256i
load_bytes(const LcsBatchBlock *block, const uint32_t *mask, int text, int32_t start, __m256i pad)
{
	/* volatile, since gcc would otherwise move the mask from a register, which takes longer */
	uint32_t selected = *(const volatile uint32_t *) &mask[text];
	uintptr_t address = (uintptr_t) block->bytes[text] + (uintptr_t) start;

	return _mm256_mask_loadu_epi8(pad, selected, (const void *) address);
}

/* Loads the bytes of texts `text` and text + 2, one half each. */
TARGET_INLINE __m512i
load_pair(const LcsBatchBlock *block, const uint32_t *mask, int text, int32_t start, __m256i pad)
{
	return _mm512_inserti64x4(_mm512_castsi256_si512(load_bytes(block, mask, text, start, pad)),
							  load_bytes(block, mask, text + 2, start, pad), 1);
}

/* Four registers. */
typedef struct Four
{
	__m512i r0;
	__m512i r1;
	__m512i r2;
	__m512i r3;
} Four;

/* Transposes lanes of 32 bits within each 128 bits of four registers. */
TARGET_INLINE Four
transpose(Four row)
{
	__m512i low_01 = _mm512_unpacklo_epi32(row.r0, row.r1);
	__m512i high_01 = _mm512_unpackhi_epi32(row.r0, row.r1);
	__m512i low_23 = _mm512_unpacklo_epi32(row.r2, row.r3);
	__m512i high_23 = _mm512_unpackhi_epi32(row.r2, row.r3);

	return (Four){_mm512_unpacklo_epi64(low_01, low_23), _mm512_unpackhi_epi64(low_01, low_23),
				  _mm512_unpacklo_epi64(high_01, high_23), _mm512_unpackhi_epi64(high_01, high_23)};
}

/* Selects every other 128 bits of two registers. */
#define EVEN_QUARTERS(low, high) _mm512_shuffle_i32x4(low, high, _MM_SHUFFLE(2, 0, 2, 0))
#define ODD_QUARTERS(low, high) _mm512_shuffle_i32x4(low, high, _MM_SHUFFLE(3, 1, 3, 1))

/* The next SHORT_COLUMNS columns; each lane has a text, each register four columns. */
typedef struct Columns
{
	Four early;
	Four late;
} Columns;

/*
 * Loads columns of all texts.  Even and odd pairs of lanes have texts 0 to 7 and 8 to 15, which is
 * the order of unpacking to 64 bits.
 */
TARGET_INLINE Columns
load_columns(const LcsBatchBlock *block, int32_t start, __m256i pad)
{
	uint32_t mask[SHORT_TEXTS];
	Four low, high;

	load_masks(block, start, mask);
	low = transpose(
		(Four){load_pair(block, mask, 0, start, pad), load_pair(block, mask, 1, start, pad),
			   load_pair(block, mask, 8, start, pad), load_pair(block, mask, 9, start, pad)});
	high = transpose(
		(Four){load_pair(block, mask, 4, start, pad), load_pair(block, mask, 5, start, pad),
			   load_pair(block, mask, 12, start, pad), load_pair(block, mask, 13, start, pad)});
	return (Columns){{EVEN_QUARTERS(low.r0, high.r0), EVEN_QUARTERS(low.r1, high.r1),
					  EVEN_QUARTERS(low.r2, high.r2), EVEN_QUARTERS(low.r3, high.r3)},
					 {ODD_QUARTERS(low.r0, high.r0), ODD_QUARTERS(low.r1, high.r1),
					  ODD_QUARTERS(low.r2, high.r2), ODD_QUARTERS(low.r3, high.r3)}};
}

/* Loads words of V, or those of column 0. */
TARGET_INLINE __m512i
load_words(const uint64_t *words, bool first)
{
	return first ? _mm512_set1_epi64(-1) : _mm512_loadu_si512(words);
}

/* Counts the zero bits of each word outside of `blank`. */
TARGET_INLINE __m512i
count_zeros(__m512i words, __m512i blank)
{
	__m512i ones = _mm512_set1_epi64(-1);

	return _mm512_popcnt_epi64(_mm512_xor_si512(_mm512_or_si512(words, blank), ones));
}

/* A table of 256 bytes in registers. */
typedef struct ByteTable
{
	__m512i part[4];
} ByteTable;

/* Looks up bytes in a table. */
TARGET_INLINE __m512i
look_up_bytes(const ByteTable *table, __m512i bytes)
{
	__m512i low = _mm512_permutex2var_epi8(table->part[0], bytes, table->part[1]);
	__m512i high = _mm512_permutex2var_epi8(table->part[2], bytes, table->part[3]);

	return _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(bytes), high);
}

/* The lower or upper halves of up to 64 match words in registers. */
typedef struct HalfWords
{
	__m512i part[LONG_CODES / 16];
} HalfWords;

/* Loads the lower halves of 16 match words. */
TARGET_INLINE __m512i
load_lower(const uint64_t *match)
{
	return _mm512_inserti64x4(
		_mm512_castsi256_si512(_mm512_cvtepi64_epi32(_mm512_loadu_si512(match))),
		_mm512_cvtepi64_epi32(_mm512_loadu_si512(match + 8)), 1);
}

/* Loads the upper halves of 16 match words. */
TARGET_INLINE __m512i
load_upper(const uint64_t *match)
{
	return _mm512_inserti64x4(
		_mm512_castsi256_si512(
			_mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_loadu_si512(match), 32))),
		_mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_loadu_si512(match + 8), 32)), 1);
}

/* Looks up half words by the code in the low bits of each lane. */
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

/* Returns (V + (V & M)) | (V & ~M), given the sum, V and M. */
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

/* Registers of the kernels for short patterns. */
typedef struct ShortTables
{
	HalfWords lower;
	HalfWords upper;
	ByteTable code;
} ShortTables;

/* Advances V by one column, with the codes in the low bits of each lane. */
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

/* Advances V by four columns. */
TARGET_INLINE void
short_quad(ShortColumn *v, const ShortTables *tables, __m512i bytes, int bits, int codes)
{
	__m512i code = look_up_bytes(&tables->code, bytes);

	short_step(v, tables, code, bits, codes);
	short_step(v, tables, _mm512_srli_epi32(code, 8), bits, codes);
	short_step(v, tables, _mm512_srli_epi32(code, 16), bits, codes);
	short_step(v, tables, _mm512_srli_epi32(code, 24), bits, codes);
}

/* Advances V by up to 16 columns; `remaining` columns are left. */
TARGET_INLINE void
short_columns(ShortColumn *v, const ShortTables *tables, Four columns, int32_t remaining, int bits,
			  int codes)
{
	short_quad(v, tables, columns.r0, bits, codes);
	if (remaining > 4)
		short_quad(v, tables, columns.r1, bits, codes);
	if (remaining > 8)
		short_quad(v, tables, columns.r2, bits, codes);
	if (remaining > 12)
		short_quad(v, tables, columns.r3, bits, codes);
}

/*
 * Computes 16 texts for a block of columns, for patterns of up to `bits` symbols, of which less
 * than `codes` are distinct.
 */
TARGET_INLINE void
scan_short(uint64_t *words, const LcsBatchBlock *block, int32_t *length, int bits, int codes)
{
	const uint64_t *match = block->match;
	const uint8_t *code_of = block->code;
	ShortTables tables;
	ShortColumn v = {load_words(words, block->first), load_words(words + 8, block->first)};
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
		int32_t remaining = block->columns - start;
		Columns columns = load_columns(block, start, pad);

		short_columns(&v, &tables, columns.early, remaining, bits, codes);
		if (remaining > SHORT_COLUMNS / 2)
			short_columns(&v, &tables, columns.late, remaining - SHORT_COLUMNS / 2, bits, codes);
	}

	if (bits == 32)
	{
		__m512i ones = _mm512_set1_epi32(-1);

		v = (ShortColumn){_mm512_unpacklo_epi32(v.low, ones), _mm512_unpackhi_epi32(v.low, ones)};
	}
	_mm512_storeu_si512(words, v.low);
	_mm512_storeu_si512(words + 8, v.high);
	_mm256_storeu_si256((__m256i_u *) length,
						_mm512_cvtepi64_epi32(count_zeros(v.low, _mm512_setzero_si512())));
	_mm256_storeu_si256((__m256i_u *) (length + 8),
						_mm512_cvtepi64_epi32(count_zeros(v.high, _mm512_setzero_si512())));
}

/* Kernel for patterns of at most 32 symbols, less than 32 of them distinct. */
TARGET static void
scan_32(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_short(v, block, length, 32, SHORT_CODES);
}

/* Kernel for patterns of at most 64 symbols, less than 32 of them distinct. */
TARGET static void
scan_64_few(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_short(v, block, length, 64, SHORT_CODES);
}

/* Kernel for patterns of at most 64 symbols, less than 64 of them distinct. */
TARGET static void
scan_64(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_short(v, block, length, 64, LONG_CODES);
}

/* Loads words, with blank rows before the first column. */
TARGET_INLINE Lanes
lanes_begin(const uint64_t *v, bool first)
{
	__m512i blank = _mm512_set1_epi64((int64_t) LCS_BLANK);

	return (Lanes){_mm512_andnot_si512(blank, load_words(v, first)),
				   blank,
				   {blank, blank},
				   {blank, blank, blank, blank}};
}

/* Returns the registers of a wave of texts of this number of words. */
static inline int
wave_registers(int words)
{
	return words <= 4 ? 4 : words == 8 ? 3 : 2;
}

/* Returns the number of texts in the registers of a wave. */
static inline int
wave_texts(int words)
{
	return wave_registers(words) * LANES / words;
}

/* Loads two words of a match row. */
TARGET_INLINE __m128i
load_2(const uint64_t *match)
{
	return _mm_loadu_si128((const __m128i_u *) match);
}

/* Loads four words of a match row. */
TARGET_INLINE __m256i
load_4(const uint64_t *match)
{
	return _mm256_loadu_si256((const __m256i_u *) match);
}

/* Loads the match row of a column of one text, or of several texts with fewer than eight words. */
TARGET_INLINE __m512i
load_rows(const uint64_t *match, const uint32_t *row, int words)
{
	int32_t stride = lcs_batch_stride(wave_texts(words));
	__m512i rows;

	if (words >= 8)
		return _mm512_loadu_si512(match + row[0]);
	if (words == 4)
		return _mm512_inserti64x4(_mm512_castsi256_si512(load_4(match + row[0])),
								  load_4(match + row[stride]), 1);
	rows = _mm512_castsi128_si512(load_2(match + row[0]));
	rows = _mm512_inserti32x4(rows, load_2(match + row[stride]), 1);
	rows = _mm512_inserti32x4(rows, load_2(match + row[2 * stride]), 2);
	return _mm512_inserti32x4(rows, load_2(match + row[3 * stride]), 3);
}

/* Returns the preceding word of each word of a text, 0 for the first word. */
TARGET_INLINE __m512i
words_below(__m512i v, int words)
{
	__mmask8 has_below = words == 2 ? 0xAA : words == 4 ? 0xEE : 0xFE;

	return _mm512_maskz_alignr_epi64(has_below, v, v, LANES - 1);
}

/* The registers that are computed together, as many as there is room for. */
typedef struct Wave
{
	Lanes part[4];
} Wave;

/* Advances the lanes of one register, which has the first words of its texts, by one column. */
TARGET_INLINE void
part_step(Wave *wave, int part, const uint64_t *match, const uint32_t *row, int phase, int words)
{
	Lanes *lanes = &wave->part[part];
	int32_t stride = lcs_batch_stride(wave_texts(words));

	row += part * LANES / words * stride;
	lanes_advance(lanes, words_below(lanes->v, words), load_rows(match, row, words), phase, words);
}

/* Makes one step of a wave; `row` is that of the first word of the first text. */
TARGET_INLINE void
wave_step(Wave *wave, const uint64_t *match, const uint32_t *row, int phase, int words)
{
	if (words > LANES)
		lanes_advance(&wave->part[1],
					  _mm512_alignr_epi64(wave->part[1].v, wave->part[0].v, LANES - 1),
					  load_rows(match + LANES, row - LANES, words), phase, words);
	else
		part_step(wave, 1, match, row, phase, words);
	if (wave_registers(words) > 2)
		part_step(wave, 2, match, row, phase, words);
	if (wave_registers(words) > 3)
		part_step(wave, 3, match, row, phase, words);
	part_step(wave, 0, match, row, phase, words);
}

/* Stores V of one register, and counts its zero bits. */
TARGET_INLINE void
store_lanes(const Lanes *lanes, uint64_t *v, uint64_t *zeros)
{
	_mm512_storeu_si512(v, lanes->v);
	_mm512_storeu_si512(zeros, count_zeros(lanes->v, _mm512_set1_epi64((int64_t) LCS_BLANK)));
}

/* Computes texts of this number of words for a block of columns. */
TARGET_INLINE void
scan_wave(uint64_t *v, const LcsBatchBlock *block, int32_t *length, int words)
{
	int registers = wave_registers(words);
	int texts = wave_texts(words);
	const uint32_t *end = block->row + block->columns + words - 1;
	uint64_t zeros[LCS_BATCH_WORDS];
	Wave wave;

	wave.part[0] = lanes_begin(v, block->first);
	wave.part[1] = lanes_begin(v + LANES, block->first);
	if (registers > 2)
		wave.part[2] = lanes_begin(v + 2 * LANES, block->first);
	if (registers > 3)
		wave.part[3] = lanes_begin(v + 3 * LANES, block->first);

	for (const uint32_t *row = block->row; row < end; row += 4)
	{
		wave_step(&wave, block->match, row, 0, words);
		wave_step(&wave, block->match, row + 1, 1, words);
		wave_step(&wave, block->match, row + 2, 2, words);
		wave_step(&wave, block->match, row + 3, 3, words);
	}

	store_lanes(&wave.part[0], v, zeros);
	store_lanes(&wave.part[1], v + LANES, zeros + LANES);
	if (registers > 2)
		store_lanes(&wave.part[2], v + 2 * LANES, zeros + 2 * LANES);
	if (registers > 3)
		store_lanes(&wave.part[3], v + 3 * LANES, zeros + 3 * LANES);
	memset(length, 0, (size_t) texts * sizeof(int32_t));
	for (int i = 0; i < texts * words; i++)
		length[i / words] += (int32_t) zeros[i];
}

/* Converts bytes to rows, 16 at a time; entries after the last column become row 0. */
TARGET static void
byte_rows(uint32_t *row, const uint8_t *bytes, int32_t columns, int words)
{
	__m512i one = _mm512_set1_epi32(1);
	__m512i factor = _mm512_set1_epi32(words);

	for (int32_t j = 0; j < columns; j += 16)
	{
		int32_t remaining = columns - j;
		__mmask16 mask = (__mmask16) (remaining < 16 ? (1 << remaining) - 1 : UINT16_MAX);
		__m512i symbol = _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8(mask, bytes + j));

		_mm512_storeu_si512(row + j,
							_mm512_maskz_mullo_epi32(mask, _mm512_add_epi32(symbol, one), factor));
	}
}

/* Kernel for patterns of at most 126 symbols. */
TARGET static void
scan_2_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_wave(v, block, length, 2);
}

/* Kernel for patterns of at most 252 symbols. */
TARGET static void
scan_4_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_wave(v, block, length, 4);
}

/* Kernel for patterns of at most 504 symbols. */
TARGET static void
scan_8_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_wave(v, block, length, 8);
}

/* Kernel for patterns of at most 1008 symbols. */
TARGET static void
scan_16_words(uint64_t *v, const LcsBatchBlock *block, int32_t *length)
{
	scan_wave(v, block, length, 16);
}

/* Returns the number of kernels, 0 if the processor lacks the instructions, and sets *kernels. */
int
lcs_batch_avx512(const LcsBatchKernel **kernels)
{
	static const LcsBatchKernel all[] = {
		{SHORT_TEXTS, 1, 32, 0, SHORT_CODES - 1, true, NULL, scan_32},
		{SHORT_TEXTS, 1, 64, 0, SHORT_CODES - 1, true, NULL, scan_64_few},
		{SHORT_TEXTS, 1, 64, 0, LONG_CODES - 1, true, NULL, scan_64},
		{16, 2, LCS_WORD_ROWS, LCS_BLANK, INT32_MAX, false, byte_rows, scan_2_words},
		{8, 4, LCS_WORD_ROWS, LCS_BLANK, INT32_MAX, false, byte_rows, scan_4_words},
		{3, 8, LCS_WORD_ROWS, LCS_BLANK, INT32_MAX, false, byte_rows, scan_8_words},
		{1, 16, LCS_WORD_ROWS, LCS_BLANK, INT32_MAX, false, byte_rows, scan_16_words},
	};

	if (ted_simd() < TED_SIMD_AVX512 || !__builtin_cpu_supports("avx512vbmi") ||
		!__builtin_cpu_supports("avx512vbmi2") || !__builtin_cpu_supports("avx512vpopcntdq"))
		return 0;
	*kernels = all;
	return sizeof(all) / sizeof(all[0]);
}

#else

/* Returns 0 on other processors. */
int
lcs_batch_avx512(const LcsBatchKernel **kernels)
{
	(void) kernels;
	return 0;
}

#endif
