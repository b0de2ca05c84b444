/*
 * lcs_search_template.h
 *	  The search of a block, for one kind of vectors.
 *
 * The including file defines SEARCH, the name of the function; TARGET, the
 * attribute of functions with these instructions; Vec, a part's 256 bits as vectors
 * of the compiler; and v_empty(v), whether no bit is set.
 *
 * The first sets of the probe are looked at in all parts, without asking what is
 * left in between; then the parts that have strings left are searched until they
 * have none, or to the end.
 */
#include <string.h>

#include "lcs_block.h"

#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline

/*
 * Vectors are passed by address, as a compiler passes those that a processor may lack
 * in one way or another; all functions are inlined anyway.
 */

/* The strings of a part that have a set. */
TARGET_INLINE void
strings_with(const LcsBlock *block, int set, int part, Vec *strings)
{
	memcpy(strings, &block->strings[set][part], sizeof(*strings));
}

/* Which strings of a part lack at most k features, for k up to `misses`. */
typedef struct Few
{
	Vec at_most[4];
} Few;

/* Adds one feature, which the strings of a part have that have a set. */
TARGET_INLINE void
add_few(Few *few, const LcsBlock *block, int set, int part, int misses)
{
	Vec have;

	strings_with(block, set, part, &have);
	for (int k = misses; k > 0; k--)
		few->at_most[k] &= have | few->at_most[k - 1];
	few->at_most[0] &= have;
}

/* Searches parts for strings that lack few features, of which `first` are looked at at once. */
TARGET_INLINE int
search_few(const LcsBlock *block, uint32_t parts, const LcsFeatures *probe, int first, int misses,
		   LcsHit *hits)
{
	Few left[LCS_BLOCK_PARTS];
	uint8_t part_left[LCS_BLOCK_PARTS];
	int count = 0;
	int found = 0;

	for (; parts != 0; parts &= parts - 1)
	{
		int part = __builtin_ctz(parts);
		Few few;

		for (int k = 0; k <= misses; k++)
			few.at_most[k] = ~(Vec){0};
#pragma GCC unroll 16
		for (int i = 0; i < first; i++)
			add_few(&few, block, probe->set[i], part, misses);
		for (int k = 0; k <= misses; k++)
			left[count].at_most[k] = few.at_most[k];
		part_left[count] = (uint8_t) part;
		count += !v_empty(few.at_most[misses]);
	}
	for (int j = 0; j < count; j++)
	{
		Few few = left[j];

		for (int i = first; i < probe->count && !v_empty(few.at_most[misses]); i++)
			add_few(&few, block, probe->set[i], part_left[j], misses);
		hits[found].part = part_left[j];
		memcpy(&hits[found].strings, &few.at_most[misses], sizeof(Vec));
		found += !v_empty(few.at_most[misses]);
	}
	return found;
}

/* Numbers of lacking features, bit by bit; strings that lack too many have been left out. */
typedef struct Counters
{
	Vec bit[5];
	Vec left;
} Counters;

/* Adds 1 and 2 where these bits are set. */
TARGET_INLINE void
add_many(Counters *counters, const Vec *ones, const Vec *twos, int bits)
{
	Vec carry = counters->bit[0] & *ones;
	Vec sum = counters->bit[1] ^ *twos;
	Vec one = (counters->bit[1] & *twos) | (sum & carry);

	counters->bit[0] ^= *ones;
	counters->bit[1] = sum ^ carry;
	for (int b = 2; b < bits; b++)
	{
		carry = counters->bit[b] & one;
		counters->bit[b] ^= one;
		one = carry;
	}
	counters->left &= ~one;
}

/* Searches a part for strings that lack at most `misses` features, a number of `bits` bits. */
TARGET_INLINE void
search_many(const LcsBlock *block, int part, const LcsFeatures *probe, int misses, int bits,
			Vec *left)
{
	int start = (1 << bits) - 1 - misses;
	Counters counters;
	int i = 0;

	for (int b = 0; b < bits; b++)
		counters.bit[b] = start >> b & 1 ? ~(Vec){0} : (Vec){0};
	counters.left = ~(Vec){0};
	for (; i + 2 < probe->count; i += 3)
	{
		Vec a, b, c, ones, twos;

		strings_with(block, probe->set[i], part, &a);
		strings_with(block, probe->set[i + 1], part, &b);
		strings_with(block, probe->set[i + 2], part, &c);
		ones = ~(a ^ b ^ c);
		twos = ~((a & b) | (c & (a ^ b)));
		add_many(&counters, &ones, &twos, bits);
		/* before that, something is nearly always left */
		if (i >= 2 * misses && v_empty(counters.left))
			break;
	}
	for (; i < probe->count && !v_empty(counters.left); i++)
	{
		const Vec none = {0};
		Vec one;

		strings_with(block, probe->set[i], part, &one);
		one = ~one;
		add_many(&counters, &one, &none, bits);
	}
	*left = counters.left;
}

/* Finds the strings in some parts of a block that lack at most `misses` features. */
TARGET int
SEARCH(const LcsBlock *block, uint32_t parts, const LcsFeatures *probe, int misses, LcsHit *hits)
{
	int found = 0;

	switch (misses)
	{
		case 0:
			return probe->count < 3 ? search_few(block, parts, probe, 0, 0, hits)
									: search_few(block, parts, probe, 3, 0, hits);
		case 1:
			return probe->count < 6 ? search_few(block, parts, probe, 0, 1, hits)
									: search_few(block, parts, probe, 6, 1, hits);
		case 2:
			return probe->count < 8 ? search_few(block, parts, probe, 0, 2, hits)
									: search_few(block, parts, probe, 8, 2, hits);
		case 3:
			return probe->count < 11 ? search_few(block, parts, probe, 0, 3, hits)
									 : search_few(block, parts, probe, 11, 3, hits);
		default:
			break;
	}
	for (; parts != 0; parts &= parts - 1)
	{
		int part = __builtin_ctz(parts);
		Vec strings;

		if (misses < 8)
			search_many(block, part, probe, misses, 3, &strings);
		else
			search_many(block, part, probe, misses, 5, &strings);
		hits[found].part = part;
		memcpy(&hits[found].strings, &strings, sizeof(strings));
		found += !v_empty(strings);
	}
	return found;
}
