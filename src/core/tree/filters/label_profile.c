/*
 * label_profile.c
 *	  What is known of a label before it is compared with another one, for graded costs.
 */
#include "label_profile.h"

#include <string.h>

#include "../../common/hash.h"

/* Counts the characters of a label. */
void
ted_profile_characters(const uint32_t *character, int32_t length, TedLabelProfile *profile)
{
	profile->length = length;
	profile->part = 1.0 / ted_max(length, 1);
	memset(profile->count, 0, sizeof(profile->count));
	for (int32_t i = 0; i < length; i++)
	{
		uint8_t *count =
			&profile->count[(character[i] * TED_HASH_STEP >> 32) % TED_CHARACTER_CLASSES];

		*count = (uint8_t) ted_min(*count + 1, UINT8_MAX);
	}
}
