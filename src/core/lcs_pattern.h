/*
 * lcs_pattern.h
 *	  A string prepared for comparison: its symbols numbered, and looked up by hashing.
 */
#ifndef LCS_PATTERN_H
#define LCS_PATTERN_H

#include "lcs.h"

#define LCS_WORD_BITS 64

/* A distinct symbol of the pattern; code 0 marks a free slot. */
typedef struct LcsSlot
{
	uint32_t symbol;
	int32_t code;
} LcsSlot;

struct LcsPattern
{
	int32_t length;
	int32_t distinct; /* codes go from 1 to this; 0 is any symbol not in the pattern */
	int32_t *code;    /* by position */
	uint64_t *match;  /* by code, where the pattern fits one word; else NULL */
	LcsSlot *slots;   /* hash table with linear probing, at most half full */
	uint32_t mask;    /* slots - 1 */
	int shift;        /* 32 - log2(slots) */
};

/* Slot that holds a symbol or, where none does, the free one for it; counts the probes. */
static inline LcsSlot *
lcs_find_slot(const LcsPattern *pattern, uint32_t symbol, int64_t *probes)
{
	uint32_t i = (symbol * UINT32_C(0x9E3779B1)) >> pattern->shift;

	while (++*probes, pattern->slots[i].code != 0 && pattern->slots[i].symbol != symbol)
		i = (i + 1) & pattern->mask;
	return &pattern->slots[i];
}

#endif /* LCS_PATTERN_H */
