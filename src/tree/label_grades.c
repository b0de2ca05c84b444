/*
 * label_grades.c
 *	  How far apart two labels are, for costs that depend on it.
 */
#include "postgres.h"

#include <math.h>

#include "../common/characters.h"
#include "../common/host.h"
#include "../compat.h"
#include "../core/string/levenshtein.h"
#include "../engine/string_session.h"
#include "label_grades.h"

/* Takes the characters of a label. */
static Symbols
LabelSymbols(Label label)
{
	Size bytes = sizeof(uint32) * (Size) Max(label.length, 1);
	Symbols symbols;

	CheckStringMemory(bytes);
	symbols.symbol = palloc_extended(bytes, MCXT_ALLOC_HUGE);
	symbols.count = ReadCharacters(label.bytes, label.length, symbols.symbol);
	return symbols;
}

/* Levenshtein distance of two strings. */
static int32
LevenshteinDistance(Symbols a, Symbols b)
{
	Size bytes = lcs_pattern_memory(a.symbol, a.count) + ted_levenshtein_memory(a.count, b.count);
	const LcsPattern *pattern;
	TedArena arena;
	int32 distance;

	CheckMemoryLimit(bytes, "comparing labels");
	ArenaInit(&arena, bytes);
	CheckStatus(lcs_prepare(a.symbol, a.count, &arena, &PgInterrupt, &pattern));
	CheckStatus(
		ted_levenshtein_distance(pattern, b.symbol, b.count, &arena, &PgInterrupt, &distance));
	pfree(arena.base);
	return distance;
}

/* Length of a longest common subsequence of two strings. */
static int32
CommonLength(Symbols a, Symbols b)
{
	LcsText text_a = {a.symbol, a.count};
	LcsText text_b = {b.symbol, b.count};

	if (AreShortStrings(a.count, b.count))
		return ShortStringsLength(&text_a, &text_b, sizeof(uint32), 0);
	return StringsLength(a, b, 0);
}

/* A fraction of a cost, rounded; at least 1, as the labels differ. */
static int32
Share(int32 cost, int64 part, int64 whole)
{
	if (whole == 0)
		return Min(cost, 1);
	return (int32) Max((2 * cost * part + whole) / (2 * whole), Min(cost, 1));
}

/* The part of a cost that is due for the difference of two texts: 1 - their similarity. */
int32
GradeTexts(Label a, Label b, TextMeasure measure, int32 cost)
{
	Symbols x = LabelSymbols(a);
	Symbols y = LabelSymbols(b);
	int64 both = (int64) x.count + y.count;
	int32 graded;

	if (measure == TEXTS_LCS)
		graded = Share(cost, both - 2 * (int64) CommonLength(x, y), both);
	else
		graded = Share(cost, LevenshteinDistance(x, y), Max(x.count, y.count));
	pfree(x.symbol);
	pfree(y.symbol);
	return graded;
}

/* The same for two numbers: their difference, as part of the greater one without its sign. */
int32
GradeNumbers(float8 a, float8 b, int32 cost)
{
	float8 greater = Max(fabs(a), fabs(b));
	float8 part = greater > 0 ? Min(fabs(a - b) / greater, 1) : 0;

	return Max((int32) rint(cost * part), Min(cost, 1));
}
