/*
 * signature.h
 *	  A word of 64 bits for each tree, which differs for most trees with other labels.
 *
 * Each label is hashed to one of 64 bits.  A bit of a tree's signature is set if the number of
 * nodes whose labels have that bit is odd.  Inserting or deleting a node changes one bit, renaming
 * one changes two bits or none; so k operations between trees whose sizes differ by d change no
 * more than 2 k - d bits.
 */
#ifndef TED_SIGNATURE_H
#define TED_SIGNATURE_H

#include "../../common/hash.h"
#include "../ted.h"

/* Returns the signature of a tree. */
static inline uint64_t
ted_signature(const TedTree *tree)
{
	uint64_t signature = 0;

	for (int32_t x = 0; x < tree->size; x++)
		signature ^= UINT64_C(1) << ((uint32_t) tree->label[x] * TED_HASH_STEP32 >> 26);
	return signature;
}

/* Returns the number of bits in which two signatures differ. */
static inline int32_t
ted_signature_difference(uint64_t a, uint64_t b)
{
	uint64_t bits = a ^ b;

	/* sums of 2, of 4 and of 8 bits each; the product adds up the bytes */
	bits -= bits >> 1 & UINT64_C(0x5555555555555555);
	bits = (bits & UINT64_C(0x3333333333333333)) + (bits >> 2 & UINT64_C(0x3333333333333333));
	bits = (bits + (bits >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F);
	return (int32_t) (bits * UINT64_C(0x0101010101010101) >> 56);
}

/* Returns a signature of 32 bits, which k operations change by no more bits. */
static inline uint32_t
ted_short_signature(uint64_t signature)
{
	return (uint32_t) (signature ^ signature >> 32);
}

/* Returns the number of bits in which two short signatures differ. */
static inline int32_t
ted_short_difference(uint32_t a, uint32_t b)
{
	uint32_t bits = a ^ b;

	bits -= bits >> 1 & UINT32_C(0x55555555);
	bits = (bits & UINT32_C(0x33333333)) + (bits >> 2 & UINT32_C(0x33333333));
	bits = (bits + (bits >> 4)) & UINT32_C(0x0F0F0F0F);
	return (int32_t) (bits * UINT32_C(0x01010101) >> 24);
}

#endif /* TED_SIGNATURE_H */
