/*
 * label_pairs.c
 *	  The rarest nodes of a tree.
 */
#include "label_pairs.h"

/* Hashes a number so well that even sums of two hashes differ. */
static inline uint32_t
hash_node(uint64_t number)
{
	number *= TED_HASH_STEP;
	number = (number ^ number >> 32) * TED_HASH_STEP;
	number = (number ^ number >> 29) * TED_HASH_STEP;
	return (uint32_t) (number >> 32);
}

/* Inserts a key into the least keys, in ascending order; returns their new number. */
static inline int32_t
keep_least(uint64_t *least, int32_t count, int32_t most, uint64_t key)
{
	int32_t i = count;

	if (count == most && key >= least[--i])
		return count;
	for (; i > 0 && least[i - 1] > key; i--)
		least[i] = least[i - 1];
	least[i] = key;
	return ted_min(count + 1, most);
}

/* Computes the hashes of the rarest nodes of a tree. */
TedStatus
ted_rarest_nodes(const int32_t *label, const int32_t *occurrence, int32_t size,
				 const TedLabelFrequencies *frequencies, int32_t most,
				 const TedInterrupt *interrupt, uint32_t *node, int32_t *count)
{
	uint64_t least[TED_MOST_RAREST_NODES];
	int64_t steps = 0;

	*count = 0;
	for (int32_t i = 0; i < size; i++)
	{
		uint64_t number = (uint64_t) (uint32_t) label[i] << 32 | (uint32_t) occurrence[i];
		int32_t frequency = frequencies->count[(uint32_t) label[i] & frequencies->mask];
		uint64_t key = (uint64_t) (uint32_t) frequency << 32 | hash_node(number);

		*count = keep_least(least, *count, most, key);
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	for (int32_t i = 0; i < *count; i++)
		node[i] = (uint32_t) least[i];
	return TED_OK;
}
