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

/* Allocates a pattern of m symbols below a bound; NULL where there is no room. */
static LcsPattern *
take_pattern(int32_t m, uint64_t bound, TedArena *arena)
{
	LcsPattern *pattern = ted_arena_alloc(arena, sizeof(LcsPattern));
	size_t distinct = bound < (uint64_t) m ? (size_t) bound : (size_t) m;
	LcsPattern arrays = {.length = m, .symbols.shift = lcs_symbols_shift(distinct)};

	arrays.code = ted_arena_int32(arena, (size_t) m);
	arrays.symbols.slots =
		ted_arena_alloc(arena, sizeof(uint32_t) * lcs_slot_count(arrays.symbols.shift));
	arrays.symbols.symbol = ted_arena_alloc(arena, (distinct + 1) * sizeof(uint32_t));
	if (m <= LCS_WORD_BITS)
		arrays.match = ted_arena_alloc(arena, ((size_t) m + 1) * sizeof(uint64_t));
	if (ted_arena_exceeded(arena))
		return NULL;
	*pattern = arrays;
	return pattern;
}

/* Bytes that lcs_prepare() takes for symbols below a bound. */
size_t
lcs_pattern_memory_below(int32_t m, uint64_t bound)
{
	TedArena counting = {0};

	take_pattern(m, bound, &counting);
	return counting.used;
}

/* Bytes that lcs_prepare() takes. */
size_t
lcs_pattern_memory(const uint32_t *pattern, int32_t m)
{
	return lcs_pattern_memory_below(m, symbols_bound(pattern, m));
}

/* Prepares a pattern: assigns codes to its distinct symbols. */
TedStatus
lcs_prepare(const uint32_t *pattern, int32_t m, TedArena *arena, const TedInterrupt *interrupt,
			const LcsPattern **prepared)
{
	LcsPattern *p = take_pattern(m, symbols_bound(pattern, m), arena);
	int64_t steps = 0;

	if (p == NULL)
		return TED_OUT_OF_ARENA;
	memset(p->symbols.slots, 0, sizeof(uint32_t) * lcs_slot_count(p->symbols.shift));
	p->symbols.symbol[0] = 0;
	for (int32_t i = 0; i < m; i++)
	{
		uint32_t slot;
		int32_t code = pattern[i] < LCS_BYTES ? p->byte[pattern[i]] : 0;

		if (code == 0)
			code = lcs_find_symbol(&p->symbols, sizeof(uint32_t), pattern[i], &slot, &steps);
		if (code == 0)
		{
			code = lcs_put_symbol(&p->symbols, sizeof(uint32_t), pattern[i], slot);
			if (pattern[i] < LCS_BYTES)
				p->byte[pattern[i]] = code;
		}
		p->code[i] = code;
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
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
