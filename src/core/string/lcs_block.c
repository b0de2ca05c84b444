/*
 * lcs_block.c
 *	  Blocks of strings of about the same length, with the sets of their features as bits.
 */
#include "lcs_block.h"

#include <string.h>

#include "../common/simd.h"

/* Returns the function for this processor. */
LcsBlockSearch *
lcs_block_search(void)
{
#ifdef __x86_64__
	TedSimd simd = ted_simd();

	if (simd >= TED_SIMD_AVX2)
		return simd >= TED_SIMD_AVX512 ? lcs_search_avx512 : lcs_search_avx2;
#endif
	return lcs_search_plain;
}

/* Transposes 64 words of 64 bits by swapping smaller and smaller squares across the diagonal. */
static void
transpose_words(uint64_t *word)
{
	uint64_t mask = UINT64_C(0x00000000FFFFFFFF);

	for (int width = 32; width > 0; width /= 2, mask ^= mask << width)
		for (int i = 0; i < 64; i = ((i | width) + 1) & ~width)
		{
			uint64_t swapped = (word[i] >> width ^ word[i | width]) & mask;

			word[i] ^= swapped << width;
			word[i | width] ^= swapped;
		}
}

/* Transposes a block from the sets of each string to the strings that have each set. */
void
lcs_transpose_block(LcsBlock *block, LcsBlock *scratch, LcsLackedSets *lacked)
{
	uint64_t word[64];

	memcpy(scratch, block, sizeof(LcsBlock));
	for (int i = 0; i < LCS_BLOCK_STRINGS / 64; i++)
		for (int j = 0; j < LCS_MASK_WORDS; j++)
		{
			for (int k = 0; k < 64; k++)
				word[k] = scratch->sets[64 * i + k].word[j];
			transpose_words(word);
			for (int k = 0; k < 64; k++)
				block->strings[64 * j + k][i / LCS_MASK_WORDS].word[i % LCS_MASK_WORDS] = word[k];
		}
	memset(lacked, 0, sizeof(*lacked));
	for (int set = 0; set < LCS_SETS; set++)
		for (int part = 0; part < LCS_BLOCK_PARTS; part++)
		{
			const LcsMask *strings = &block->strings[set][part];
			uint64_t some = 0;

			for (int i = 0; i < LCS_MASK_WORDS; i++)
				some |= strings->word[i];
			lacked->set[set].word[part / LCS_WORD_PARTS] |= (uint64_t) (some == 0)
															<< 8 * (part % LCS_WORD_PARTS);
		}
}

/*
 * Returns a mask of the parts in which some string may lack at most misses[part] features of a
 * probe.
 */
uint32_t
lcs_open_parts(const LcsLackedSets *lacked, const LcsFeatures *probe, const LcsPartNumbers *misses)
{
	uint64_t high = UINT64_C(0x8080808080808080);
	LcsPartNumbers lacking = {{0}};
	uint32_t open = 0;

	for (int i = 0; i < probe->count; i++)
		for (int w = 0; w < LCS_PART_WORDS; w++)
			lacking.word[w] += lacked->set[probe->set[i]].word[w];
	for (int w = 0; w < LCS_PART_WORDS; w++)
	{
		/* the highest bit of a byte stays set where the part lacks no more than allowed */
		uint64_t left = ((misses->word[w] | high) - lacking.word[w]) & high;

		/* the product gathers these bits in the highest byte */
		open |= (uint32_t) ((left >> 7) * UINT64_C(0x0102040810204080) >> 56) << LCS_WORD_PARTS * w;
	}
	return open;
}
