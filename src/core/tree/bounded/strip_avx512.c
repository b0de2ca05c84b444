/*
 * strip_avx512.c
 *	  Tables of a strip with up to 16 lanes, whose rows are one vector each.
 *
 * The cell above is one lane to the right in the row above.  The cell before two matched subtrees
 * is in the row before that of a, in a lane that differs by the difference of both sizes.
 * Insertions, which go from lane to lane, are a prefix minimum of the numbers less the cost of
 * inserting all nodes in the lanes before.
 *
 * This pays with AVX-512 only, which permutes all 16 lanes by one instruction and selects lanes by
 * masks.  With other vectors, a row takes two or four registers and as many permutations for each;
 * strip.c works lane by lane instead.
 */
#include "strip.h"

#ifdef __x86_64__

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw,avx512vl")))

/* Returns a mask of the lanes of nodes `first` to `last` of b, where lane 0 has node `lane_0`. */
static inline __mmask16
lanes_between(int32_t lane_0, int32_t first, int32_t last)
{
	uint32_t lanes = 0xFFFF;

	if (first > lane_0)
		lanes <<= first - lane_0;
	if (last - lane_0 < TED_STRIP_LANES - 1)
		lanes &= (2u << (last - lane_0)) - 1;
	return (__mmask16) lanes;
}

/* Loads entries of an array from index `first`; lanes that are masked out may be outside of it. */
TARGET static inline __m512i
load_some(const int32_t *array, int32_t first, __mmask16 lanes)
{
	return _mm512_maskz_loadu_epi32(
		lanes, (const void *) ((uintptr_t) array + sizeof(int32_t) * (uintptr_t) first));
}

/* Returns a mask of the lanes of row x with relevant pairs. */
TARGET uint32_t
ted_strip_relevant_avx512(const TedStrip *strip, int32_t x)
{
	const TedTree *a = strip->a;
	const TedTree *b = strip->b;
	int32_t lane_0 = x - strip->deletions;
	__mmask16 lanes = lanes_between(lane_0, 0, b->size - 1);
	__m512i inside = _mm512_sub_epi32(_mm512_set1_epi32(a->subtree_size[x]),
									  load_some(b->subtree_size, lane_0, lanes));
	__m512i above =
		_mm512_sub_epi32(_mm512_set1_epi32(a->depth[x]), load_some(b->depth, lane_0, lanes));
	__m512i up_to =
		_mm512_sub_epi32(_mm512_set1_epi32(strip->deletions),
						 _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
	__m512i left = _mm512_sub_epi32(up_to, inside);
	__m512i right =
		_mm512_sub_epi32(_mm512_sub_epi32(_mm512_set1_epi32(a->size - b->size), up_to), above);
	__m512i edits =
		_mm512_add_epi32(_mm512_add_epi32(_mm512_abs_epi32(left), _mm512_abs_epi32(right)),
						 _mm512_add_epi32(_mm512_abs_epi32(inside), _mm512_abs_epi32(above)));

	return _mm512_mask_cmple_epi32_mask(lanes, edits, _mm512_set1_epi32(strip->k));
}

/* Returns the prefix minimum: in each lane, the least number of that lane and those before it. */
TARGET static inline __m512i
prefix_min(__m512i v)
{
	const __m512i four_before =
		_mm512_setr_epi32(0, 1, 2, 3, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11);
	const __m512i eight_before = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 3, 3, 3, 3, 7, 7, 7, 7);

	/* within groups of four lanes, then across them */
	v = _mm512_min_epi32(v, _mm512_shuffle_epi32(v, _MM_PERM_CBAA));
	v = _mm512_min_epi32(v, _mm512_shuffle_epi32(v, _MM_PERM_BABA));
	v = _mm512_min_epi32(v, _mm512_permutexvar_epi32(four_before, v));
	return _mm512_min_epi32(v, _mm512_permutexvar_epi32(eight_before, v));
}

/*
 * Returns the costs of inserting all nodes up to that of each lane, where lane 0 has node `lane_0`;
 * only the differences between lanes count.
 */
TARGET static inline __m512i
insertions(const TedStrip *strip, int32_t lane_0)
{
	if (strip->inserted == NULL)
		return _mm512_mullo_epi32(
			_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
			_mm512_set1_epi32(ted_uniform_costs(&strip->costs).insert));
	return load_some(strip->inserted, lane_0 + 1, lanes_between(lane_0, -1, strip->b->size - 1));
}

/*
 * Returns the costs of renaming label `from` to the labels of some lanes, where lane 0 has
 * `lane_0`.
 */
TARGET static inline __m512i
rename_costs(const TedStrip *strip, int32_t from, int32_t lane_0, __mmask16 lanes)
{
	int32_t costs[TED_STRIP_LANES];

	if (strip->inserted == NULL)
		return _mm512_set1_epi32(ted_uniform_costs(&strip->costs).rename);
	for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
	{
		int32_t lane = __builtin_ctz(rest);

		costs[lane] = ted_rename_cost(&strip->costs, from, strip->b->label[lane_0 + lane]);
	}
	return _mm512_maskz_loadu_epi32(lanes, costs);
}

/* Fills one forest table, and the subtree distances that it yields. */
TARGET void
ted_strip_table_avx512(const TedStrip *strip, TedStripTable table)
{
	const TedTree *a = strip->a;
	const TedTree *b = strip->b;
	int32_t first_a = table.top_a - a->subtree_size[table.top_a] + 1;
	int32_t first_b = table.top_b - b->subtree_size[table.top_b] + 1;
	int32_t last_a = ted_min(table.top_a, table.top_b + strip->deletions);
	int32_t *row = strip->forest;
	const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
	const __m512i infinite = _mm512_set1_epi32(TED_INFINITE);
	__m512i inserts = insertions(strip, first_a - 1 - strip->deletions);
	__m512i above =
		_mm512_mask_sub_epi32(infinite, (__mmask16) (0xFFFFu << strip->origin), inserts,
							  _mm512_permutexvar_epi32(_mm512_set1_epi32(strip->origin), inserts));

	_mm512_storeu_si512(row, above);
	for (int32_t x = first_a; x <= last_a; x++)
	{
		int32_t size_a = a->subtree_size[x];
		int32_t lane_0 = x - strip->deletions; /* the node in lane 0 */
		__mmask16 lanes = lanes_between(lane_0, first_b, table.top_b);
		__m512i size_b = load_some(b->subtree_size, lane_0, lanes);
		int32_t *distance = strip->subtree + (size_t) x * TED_STRIP_LANES;
		__m512i source =
			_mm512_add_epi32(lane, _mm512_sub_epi32(_mm512_set1_epi32(size_a), size_b));
		__mmask16 inside =
			_mm512_mask_cmplt_epu32_mask(lanes, source, _mm512_set1_epi32(TED_STRIP_LANES));
		__m512i delete_ = _mm512_set1_epi32(ted_delete_cost(&strip->costs, a->label[x]));
		__mmask16 on_path = 0;
		__m512i best;

		row += TED_STRIP_LANES;
		best = _mm512_permutexvar_epi32(
			source, _mm512_loadu_si512(row - (size_t) size_a * TED_STRIP_LANES));
		best = _mm512_mask_add_epi32(infinite, inside, best, _mm512_loadu_si512(distance));
		if (size_a == x - first_a + 1)
		{
			__m512i column = _mm512_add_epi32(lane, _mm512_set1_epi32(lane_0 - first_b + 1));
			__m512i label_b = load_some(b->label, lane_0, lanes);
			__mmask16 differ = _mm512_cmpneq_epi32_mask(label_b, _mm512_set1_epi32(a->label[x]));
			__m512i rename;

			on_path = _mm512_mask_cmpeq_epi32_mask(lanes, size_b, column);
			rename = rename_costs(strip, a->label[x], lane_0, on_path & differ);
			best = _mm512_mask_mov_epi32(best, on_path,
										 _mm512_mask_add_epi32(above, differ, above, rename));
		}
		best = _mm512_min_epi32(best,
								_mm512_add_epi32(_mm512_alignr_epi32(infinite, above, 1), delete_));
		inserts = strip->inserted == NULL ? inserts : insertions(strip, lane_0);
		best = _mm512_add_epi32(prefix_min(_mm512_sub_epi32(best, inserts)), inserts);
		above = _mm512_min_epi32(best, infinite);
		_mm512_storeu_si512(row, above);
		_mm512_mask_store_epi32(distance, on_path, above);
	}
}

#else

/* Never called on processors without these vectors. */
uint32_t
ted_strip_relevant_avx512(const TedStrip *strip, int32_t x)
{
	(void) strip;
	(void) x;
	return 0;
}

/* Never called on processors without these vectors. */
void
ted_strip_table_avx512(const TedStrip *strip, TedStripTable table)
{
	(void) strip;
	(void) table;
}

#endif
