/*
 * lcs_pattern.c
 *	  Preparing a string for comparison.
 */
#include <string.h>

#include "lcs_pattern.h"

/* log2 of the slots for a pattern: twice what its distinct symbols can be. */
static int
slot_bits(const uint32_t *pattern, int32_t m)
{
	uint32_t highest = 0;
	uint64_t distinct;
	int bits = 1;

	for (int32_t i = 0; i < m; i++)
		highest = pattern[i] > highest ? pattern[i] : highest;
	distinct = (uint64_t) highest + 1 < (uint64_t) m ? (uint64_t) highest + 1 : (uint64_t) m;
	while (((uint64_t) 1 << bits) < 2 * distinct)
		bits++;
	return bits;
}

/* Bytes that lcs_prepare() takes. */
size_t
lcs_pattern_memory(const uint32_t *pattern, int32_t m)
{
	return ted_arena_bytes(sizeof(LcsPattern)) + ted_arena_bytes((size_t) m * sizeof(int32_t)) +
		   ted_arena_bytes(sizeof(LcsSlot) << slot_bits(pattern, m)) +
		   (m <= LCS_WORD_BITS ? ted_arena_bytes(((size_t) m + 1) * sizeof(uint64_t)) : 0);
}

/* Numbers the distinct symbols of a pattern. */
TedStatus
lcs_prepare(const uint32_t *pattern, int32_t m, TedArena *arena, const TedInterrupt *interrupt,
			const LcsPattern **prepared)
{
	int bits = slot_bits(pattern, m);
	size_t slots = (size_t) 1 << bits;
	int64_t steps = 0;
	LcsPattern *p = ted_arena_alloc(arena, sizeof(LcsPattern));

	if (p == NULL)
		return TED_OUT_OF_ARENA;
	p->length = m;
	p->distinct = 0;
	p->mask = (uint32_t) (slots - 1);
	p->shift = 32 - bits;
	p->code = ted_arena_alloc(arena, (size_t) m * sizeof(int32_t));
	p->slots = ted_arena_alloc(arena, slots * sizeof(LcsSlot));
	p->match = NULL;
	if (p->code == NULL || p->slots == NULL)
		return TED_OUT_OF_ARENA;
	memset(p->slots, 0, slots * sizeof(LcsSlot));

	for (int32_t i = 0; i < m; i++)
	{
		LcsSlot *slot = lcs_find_slot(p, pattern[i], &steps);

		if (slot->code == 0)
			*slot = (LcsSlot){pattern[i], ++p->distinct};
		p->code[i] = slot->code;
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}

	if (m <= LCS_WORD_BITS)
	{
		p->match = ted_arena_alloc(arena, ((size_t) m + 1) * sizeof(uint64_t));
		if (p->match == NULL)
			return TED_OUT_OF_ARENA;
		memset(p->match, 0, ((size_t) m + 1) * sizeof(uint64_t));
		for (int32_t i = 0; i < m; i++)
			p->match[p->code[i]] |= UINT64_C(1) << i;
	}
	*prepared = p;
	return TED_OK;
}
