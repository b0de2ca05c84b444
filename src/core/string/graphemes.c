/*
 * graphemes.c
 *	  Divides a text into the characters that a reader sees.
 *
 * These are the extended grapheme clusters of Unicode Standard Annex 29: letters with their
 * accents, syllables of Hangul, flags, pictures joined to one.
 */
#include "graphemes.h"

/* The property Grapheme_Cluster_Break of a code point, or Extended_Pictographic. */
typedef enum GraphemeProperty
{
	START, /* no code point */
	OTHER,
	CR,
	LF,
	CONTROL,
	EXTEND,
	ZWJ,
	REGIONAL,
	PREPEND,
	SPACING,
	HANGUL_L,
	HANGUL_V,
	HANGUL_T,
	HANGUL_LV,
	HANGUL_LVT,
	PICTURE
} GraphemeProperty;

/* Consecutive code points with a property. */
typedef struct GraphemeRange
{
	uint32_t first;
	uint32_t last;
	uint8_t property;
} GraphemeRange;

#include "grapheme_table.h"

#define RANGES ((int) (sizeof(ranges) / sizeof(ranges[0])))

/* Syllables of Hangul: each HANGUL_LV is followed by those that have a final consonant, too. */
#define FIRST_SYLLABLE 0xAC00
#define LAST_SYLLABLE 0xD7A3
#define SYLLABLES_OF_LV 28

/* Between these, there are only letters. */
#define LAST_SIGN 0xAE
#define FIRST_ACCENT 0x300

/* Values of `picture`. */
#define NO_PICTURE 0
#define PICTURE_BEGUN 1
#define PICTURE_JOINED 2

/* Returns the property of a code point. */
static GraphemeProperty
property_of(uint32_t point)
{
	int low = 0;
	int high = RANGES;

	if ((point >= ' ' && point <= '~') || (point > LAST_SIGN && point < FIRST_ACCENT))
		return OTHER;
	if (point >= FIRST_SYLLABLE && point <= LAST_SYLLABLE)
		return (point - FIRST_SYLLABLE) % SYLLABLES_OF_LV == 0 ? HANGUL_LV : HANGUL_LVT;
	while (low < high)
	{
		int middle = (low + high) / 2;

		if (ranges[middle].last < point)
			low = middle + 1;
		else
			high = middle;
	}
	return low < RANGES && ranges[low].first <= point ? (GraphemeProperty) ranges[low].property
													  : OTHER;
}

/* Whether a code point breaks lines or is otherwise no part of a character. */
static bool
is_control(GraphemeProperty property)
{
	return property == CR || property == LF || property == CONTROL;
}

/* Whether a cluster ends before a code point; the rules are in the order of the annex. */
static bool
is_boundary(const TedGrapheme *grapheme, GraphemeProperty after)
{
	GraphemeProperty before = (GraphemeProperty) grapheme->before;

	if (before == START)
		return true;
	if (before == CR && after == LF)
		return false;
	if (is_control(before) || is_control(after))
		return true;
	if (before == HANGUL_L &&
		(after == HANGUL_L || after == HANGUL_V || after == HANGUL_LV || after == HANGUL_LVT))
		return false;
	if ((before == HANGUL_LV || before == HANGUL_V) && (after == HANGUL_V || after == HANGUL_T))
		return false;
	if ((before == HANGUL_LVT || before == HANGUL_T) && after == HANGUL_T)
		return false;
	if (after == EXTEND || after == ZWJ || after == SPACING || before == PREPEND)
		return false;
	if (grapheme->picture == PICTURE_JOINED && after == PICTURE)
		return false;
	return before != REGIONAL || after != REGIONAL || grapheme->is_flag;
}

/* Whether an extended grapheme cluster begins at the next code point of a text. */
bool
ted_grapheme_begins(TedGrapheme *grapheme, uint32_t point)
{
	GraphemeProperty property = property_of(point);
	bool begins = is_boundary(grapheme, property);

	grapheme->is_flag = property == REGIONAL && grapheme->before == REGIONAL && !begins;
	if (property == PICTURE)
		grapheme->picture = PICTURE_BEGUN;
	else if (property == ZWJ && grapheme->picture == PICTURE_BEGUN)
		grapheme->picture = PICTURE_JOINED;
	else if (property != EXTEND || grapheme->picture != PICTURE_BEGUN)
		grapheme->picture = NO_PICTURE;
	grapheme->before = (uint8_t) property;
	return begins;
}
