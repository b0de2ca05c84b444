/*
 * lcs_search_template.h
 *	  The search of a block, for one kind of vectors.
 *
 * The file that includes this defines SEARCH, the name of the function; TARGET, the attribute of
 * functions with these instructions; Vec, a vector type of the compiler, one or two of which have
 * the 256 bits of a part; and v_empty(v), whether no bit is set.
 *
 * The first sets of the probe are tested in all parts, without checking in between whether strings
 * are left.  Then the parts with strings left are searched until they have none, or to the end.
 */
#include <string.h>

#include "lcs_block.h"

#define TARGET_INLINE TARGET __attribute__((always_inline)) static inline

/*
 * Vectors are passed by address, since passing those that a processor may lack by value depends on
 * the compiler; all functions are inlined anyway.
 */

/* Pieces of a part, which are one vector each. */
#define PIECES (LCS_PART_STRINGS / 8 / (int) sizeof(Vec))

/* Loads the strings of a piece that have a set; pieces are numbered through all parts. */
TARGET_INLINE void
strings_with(const LcsBlock *block, int set, int piece, Vec *strings)
{
	memcpy(strings, (const char *) block->strings[set] + (size_t) piece * sizeof(Vec), sizeof(Vec));
}

/* Adds the strings of a piece to the hits if there are any; returns the number of hits. */
TARGET_INLINE int
add_hit(LcsHit *hits, int found, int piece, const Vec *strings)
{
	if (PIECES > 1)
	{
		if (v_empty(*strings))
			return found;
		if (found > 0 && hits[found - 1].part == piece / PIECES)
			found--;
		else
			memset(&hits[found].strings, 0, sizeof(hits[found].strings));
	}
	hits[found].part = piece / PIECES;
	memcpy((char *) &hits[found].strings + (size_t) (piece % PIECES) * sizeof(Vec), strings,
		   sizeof(Vec));
	return found + (PIECES > 1 || !v_empty(*strings));
}

/* The strings of a piece that lack at most k features, for k up to `misses`. */
typedef struct Few
{
	Vec at_most[4];
} Few;

/* Adds one feature, given the set that it is in. */
TARGET_INLINE void
add_few(Few *few, const LcsBlock *block, int set, int piece, int misses)
{
	Vec have;

	strings_with(block, set, piece, &have);
	for (int k = misses; k > 0; k--)
		few->at_most[k] &= have | few->at_most[k - 1];
	few->at_most[0] &= have;
}

/*
 * Searches parts for strings that lack few features; tests the first `first` features of each piece
 * without checks.
 */
TARGET_INLINE int
search_few(const LcsBlock *block, uint32_t parts, const LcsFeatures *probe, int first, int misses,
		   LcsHit *hits)
{
	Few left[LCS_BLOCK_PARTS * PIECES];
	uint8_t piece_left[LCS_BLOCK_PARTS * PIECES];
	int count = 0;
	int found = 0;

	for (; parts != 0; parts &= parts - 1)
		for (int i = 0; i < PIECES; i++)
		{
			int piece = __builtin_ctz(parts) * PIECES + i;
			Few few;

			for (int k = 0; k <= misses; k++)
				few.at_most[k] = ~(Vec){0};
#pragma GCC unroll 16
			for (int j = 0; j < first; j++)
				add_few(&few, block, probe->set[j], piece, misses);
			for (int k = 0; k <= misses; k++)
				left[count].at_most[k] = few.at_most[k];
			piece_left[count] = (uint8_t) piece;
			count += !v_empty(few.at_most[misses]);
		}
	for (int j = 0; j < count; j++)
	{
		Few few = left[j];

		for (int i = first; i < probe->count && !v_empty(few.at_most[misses]); i++)
			add_few(&few, block, probe->set[i], piece_left[j], misses);
		found = add_hit(hits, found, piece_left[j], &few.at_most[misses]);
	}
	return found;
}

/*
 * Counters of lacking features, one bit of all strings in a vector; `left` are the strings that do
 * not lack too many.
 */
typedef struct Counters
{
	Vec bit[5];
	Vec left;
} Counters;

/* Adds 1 to the counters of `ones`, and 2 to those of `twos`. */
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

/* Searches a piece for strings that lack at most `misses` features, by counters of `bits` bits. */
TARGET_INLINE void
search_many(const LcsBlock *block, int piece, const LcsFeatures *probe, int misses, int bits,
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

		strings_with(block, probe->set[i], piece, &a);
		strings_with(block, probe->set[i + 1], piece, &b);
		strings_with(block, probe->set[i + 2], piece, &c);
		ones = ~(a ^ b ^ c);
		twos = ~((a & b) | (c & (a ^ b)));
		add_many(&counters, &ones, &twos, bits);
		/* strings are nearly always left before */
		if (i >= 2 * misses && v_empty(counters.left))
			break;
	}
	for (; i < probe->count && !v_empty(counters.left); i++)
	{
		const Vec none = {0};
		Vec one;

		strings_with(block, probe->set[i], piece, &one);
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
		for (int i = 0; i < PIECES; i++)
		{
			int piece = __builtin_ctz(parts) * PIECES + i;
			Vec strings;

			if (misses < 8)
				search_many(block, piece, probe, misses, 3, &strings);
			else
				search_many(block, piece, probe, misses, 5, &strings);
			found = add_hit(hits, found, piece, &strings);
		}
	return found;
}
