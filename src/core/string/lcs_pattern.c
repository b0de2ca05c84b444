/*
 * lcs_pattern.c
 *	  Prepares a string for comparison.
 */
#include <string.h>

#include "lcs_pattern.h"

/* Returns the least number that is greater than all symbols of a pattern. */
static uint64_t
symbols_bound(const uint32_t *pattern, int32_t m)
{
	uint32_t highest = 0;

	for (int32_t i = 0; i < m; i++)
		highest = pattern[i] > highest ? pattern[i] : highest;
	return (uint64_t) highest + 1;
}

/* Returns log2 of the number of slots, at least twice the distinct symbols that there can be. */
static int
pattern_slot_bits(int32_t m, uint64_t bound)
{
	uint64_t distinct = bound < (uint64_t) m ? bound : (uint64_t) m;
	int bits = 1;

	while (((uint64_t) 1 << bits) < 2 * distinct)
		bits++;
	return bits;
}

/* Memory of a pattern. */
typedef struct Layout
{
	LcsPattern *pattern;
	int32_t *code;
	LcsSlot *slots;
	uint64_t *match;
} Layout;

/* Allocates the memory of a pattern of m symbols. */
static Layout
pattern_layout(int32_t m, int bits, TedArena *arena)
{
	Layout layout = {0};

	layout.pattern = ted_arena_alloc(arena, sizeof(LcsPattern));
	layout.code = ted_arena_int32(arena, (size_t) m);
	layout.slots = ted_arena_alloc(arena, sizeof(LcsSlot) << bits);
	if (m <= LCS_WORD_BITS)
		layout.match = ted_arena_alloc(arena, ((size_t) m + 1) * sizeof(uint64_t));
	return layout;
}

/* Bytes that lcs_prepare() takes for symbols below a bound. */
size_t
lcs_pattern_memory_below(int32_t m, uint64_t bound)
{
	TedArena counting = {0};

	pattern_layout(m, pattern_slot_bits(m, bound), &counting);
	return counting.used;
}

/* Bytes that lcs_prepare() takes. */
size_t
lcs_pattern_memory(const uint32_t *pattern, int32_t m)
{
	return lcs_pattern_memory_below(m, symbols_bound(pattern, m));
}

/* Assigns a code to each distinct symbol of a pattern. */
static TedStatus
number_symbols(LcsPattern *p, const uint32_t *pattern, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	for (int32_t i = 0; i < p->length; i++)
	{
		p->code[i] = lcs_code(p, pattern[i], &steps);
		if (p->code[i] == 0)
		{
			p->code[i] = ++p->distinct;
			*lcs_find_slot(p, pattern[i], &steps) = (LcsSlot){pattern[i], p->distinct};
			if (pattern[i] < LCS_BYTES)
				p->byte[pattern[i]] = p->distinct;
		}
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Prepares a pattern: assigns codes to its distinct symbols. */
TedStatus
lcs_prepare(const uint32_t *pattern, int32_t m, TedArena *arena, const TedInterrupt *interrupt,
			const LcsPattern **prepared)
{
	int bits = pattern_slot_bits(m, symbols_bound(pattern, m));
	size_t slots = (size_t) 1 << bits;
	Layout layout = pattern_layout(m, bits, arena);
	LcsPattern *p = layout.pattern;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	p->length = m;
	p->distinct = 0;
	p->mask = (uint32_t) (slots - 1);
	p->shift = 32 - bits;
	p->code = layout.code;
	p->slots = layout.slots;
	p->match = layout.match;
	memset(p->slots, 0, slots * sizeof(LcsSlot));
	memset(p->byte, 0, sizeof(p->byte));
	if (number_symbols(p, pattern, interrupt) != TED_OK)
		return TED_CANCELLED;

	if (p->match != NULL)
	{
		memset(p->match, 0, ((size_t) m + 1) * sizeof(uint64_t));
		for (int32_t i = 0; i < m; i++)
			p->match[p->code[i]] |= UINT64_C(1) << i;
	}
	*prepared = p;
	return TED_OK;
}

/* Returns the least power of two that is greater than all bytes of a text. */
int32_t
lcs_bytes_bound(const LcsText *text)
{
	const uint8_t *bytes = text->symbols;
	int32_t i = 0;
	uint64_t bits = 0;

	for (; text->length - i >= (int32_t) sizeof(uint64_t); i += (int32_t) sizeof(uint64_t))
	{
		uint64_t word;

		memcpy(&word, bytes + i, sizeof(word));
		bits |= word;
	}
	for (; i < text->length; i++)
		bits |= bytes[i];
	bits |= bits >> 32;
	bits |= bits >> 16;
	bits = (bits | bits >> 8) & UINT8_MAX;
	return bits == 0 ? 1 : INT32_C(2) << (63 - __builtin_clzll(bits));
}

/* Writes the codes of n symbols. */
TedStatus
lcs_encode(const LcsPattern *pattern, const uint32_t *text, int32_t n, int32_t *code,
		   const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	for (int32_t j = 0; j < n; j++)
	{
		code[j] = lcs_code(pattern, text[j], &steps);
		if (ted_interrupted(interrupt, &steps, 0))
			return TED_CANCELLED;
	}
	return TED_OK;
}
