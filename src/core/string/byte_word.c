/*
 * byte_word.c
 *	  A string of at most 64 bytes, prepared for comparison with other strings of bytes.
 *
 * A column of the table of lengths is one word, whose bits are clear where the length
 * grows (H. Hyyrö, AWOCA 2004).
 */
#include "byte_word.h"

#include <string.h>

/* Prepares a string. */
void
ted_byte_word(TedByteWord *word, const uint8_t *bytes, int32_t length)
{
	memset(word->match, 0, sizeof(word->match));
	for (int32_t i = 0; i < length; i++)
		word->match[bytes[i]] |= UINT64_C(1) << i;
	word->length = length;
}

/* Length of a longest common subsequence. */
TedStatus
ted_byte_word_lcs(const TedByteWord *word, const uint8_t *text, int32_t n,
				  const TedInterrupt *interrupt, int32_t *length)
{
	uint64_t level = ~UINT64_C(0);
	int64_t steps = 0;

	for (int32_t j = 0; j < n;)
	{
		int32_t begin = j;
		int32_t end = ted_run_end(begin, n);

		for (; j < end; j++)
		{
			uint64_t common = level & word->match[text[j]];

			level = (level + common) | (level - common);
		}
		if (ted_interrupted(interrupt, &steps, end - begin))
			return TED_CANCELLED;
	}
	*length = 0;
	for (int32_t i = 0; i < word->length; i++)
		*length += !(level >> i & 1);
	return TED_OK;
}
