/*
 * lcs_symbols.h
 *	  A table of the distinct symbols of strings, which have codes from 1 on.
 */
#ifndef TED_LCS_SYMBOLS_H
#define TED_LCS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "../common/hash.h"

/*
 * A hash table with linear probing, at most half full.  Its slots have codes, or 0 if they are
 * free, in 1, 2 or 4 bytes: a small table is often cleared.
 */
typedef struct LcsSymbols
{
	void *slots;
	int shift;        /* 32 - log2 of their number, from a hash to a slot */
	int32_t distinct; /* number of distinct symbols, which is the last code */
	uint32_t *symbol; /* by code; 0 for code 0 */
} LcsSymbols;

/* Returns the shift for up to this number of distinct symbols. */
static inline int
lcs_symbols_shift(uint64_t distinct)
{
	int shift = 31;

	while ((UINT64_C(1) << (32 - shift)) < 2 * distinct)
		shift--;
	return shift;
}

/* Returns the number of slots. */
static inline size_t
lcs_slot_count(int shift)
{
	return (size_t) 1 << (32 - shift);
}

/*
 * Returns the code of a symbol, 0 if it is not in the table, and sets *slot to its slot, or to the
 * free one where it belongs; counts the probes.
 */
__attribute__((always_inline)) static inline int32_t
lcs_find_symbol(const LcsSymbols *symbols, int slot_bytes, uint32_t symbol, uint32_t *slot,
				int64_t *probes)
{
	const uint8_t *slot_1 = (const uint8_t *) symbols->slots;
	const uint16_t *slot_2 = (const uint16_t *) symbols->slots;
	const uint32_t *slot_4 = (const uint32_t *) symbols->slots;
	uint32_t i = (symbol * TED_HASH_STEP32) >> symbols->shift;

	for (;;)
	{
		uint32_t code = slot_bytes == 1 ? slot_1[i] : slot_bytes == 2 ? slot_2[i] : slot_4[i];

		++*probes;
		*slot = i;
		/* found or free, in one test: whether a symbol is in the table cannot be predicted */
		if (__builtin_expect((uint64_t) (symbols->symbol[code] ^ symbol) * code == 0, 1))
			return (int32_t) code;
		i = (i + 1) & UINT32_MAX >> symbols->shift;
	}
}

/* Puts a new symbol into its slot; returns its code. */
__attribute__((always_inline)) static inline int32_t
lcs_put_symbol(LcsSymbols *symbols, int slot_bytes, uint32_t symbol, uint32_t slot)
{
	int32_t code = ++symbols->distinct;

	symbols->symbol[code] = symbol;
	if (slot_bytes == 1)
		((uint8_t *) symbols->slots)[slot] = (uint8_t) code;
	else if (slot_bytes == 2)
		((uint16_t *) symbols->slots)[slot] = (uint16_t) code;
	else
		((uint32_t *) symbols->slots)[slot] = (uint32_t) code;
	return code;
}

#endif /* TED_LCS_SYMBOLS_H */
