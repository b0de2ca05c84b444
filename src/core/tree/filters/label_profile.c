/*
 * label_profile.c
 *	  Character counts of labels, for lower bounds on graded rename costs.
 */
#include "label_profile.h"

#include <string.h>

#include "../../common/hash.h"

/* Sets the length and the character counts of a label. */
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
