/*
 * label_grades.c
 *	  Differences between texts of labels, for costs that depend on them.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../common/characters.h"
#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/string/levenshtein.h"
#include "../../core/tree/label_traits.h"
#include "label_grades.h"

/* Limits on the memory of cached characters: in bytes, and as a divisor of ted.max_memory. */
#define KEPT_BYTES ((Size) 8 * 1024 * 1024)
#define KEPT_PART 8

/* The state of a grader: the cached characters, and a prepared text. */
struct TextGrader
{
	MemoryContext context;  /* has all characters and `pattern` */
	Size bytes;             /* bytes of the characters */
	uint32 read;            /* generation of the cache; changes when it is emptied */
	const uint32 *prepared; /* characters from which `pattern` is made, or NULL */
	const LcsPattern *pattern;
	void *pattern_bytes; /* memory of `pattern` */
};

TextGrader *
TextGraderCreate(void)
{
	TextGrader *grader = palloc0_object(TextGrader);

	grader->context =
		AllocSetContextCreate(CurrentMemoryContext, "graded texts", ALLOCSET_SMALL_SIZES);
	grader->read = 1;
	return grader;
}

/* Returns the bytes for the characters of a text that is not in the cache; 0 if it is. */
static Size
UnreadBytes(const TextGrader *grader, const GradedText *text)
{
	return text->read == grader->read ? 0 : sizeof(uint32) * (Size) Max(text->label.length, 1);
}

/* Reads the characters of a text, unless they are in the cache. */
static void
ReadText(TextGrader *grader, GradedText *text)
{
	Size bytes = UnreadBytes(grader, text);

	if (bytes == 0)
		return;
	text->symbols.symbol = MemoryContextAllocHuge(grader->context, bytes);
	text->symbols.count =
		ReadCharacters(text->label.bytes, text->label.length, text->symbols.symbol);
	text->read = grader->read;
	grader->bytes += bytes;
}

/* Reads the characters of two texts.  Empties the cache first if it would be too large. */
static void
ReadTexts(TextGrader *grader, GradedText *a, GradedText *b)
{
	Size bytes = UnreadBytes(grader, a) + UnreadBytes(grader, b);

	if (bytes == 0)
		return;
	CheckStringMemory(bytes);
	if (grader->bytes + bytes > Min(KEPT_BYTES, (Size) ted_max_memory * 1024 / KEPT_PART))
	{
		grader->read++;
		grader->bytes = 0;
		grader->prepared = NULL;
		grader->pattern_bytes = NULL;
		MemoryContextReset(grader->context);
	}
	ReadText(grader, a);
	ReadText(grader, b);
}

/* Prepares a text for comparison with other texts, unless it is prepared. */
static void
PrepareGradedText(TextGrader *grader, Symbols text)
{
	Size bytes;
	TedArena arena;
	MemoryContext caller;

	if (grader->prepared == text.symbol)
		return;
	grader->prepared = NULL;
	if (grader->pattern_bytes != NULL)
		pfree(grader->pattern_bytes);
	grader->pattern_bytes = NULL;
	bytes = lcs_pattern_memory(text.symbol, text.count);
	CheckMemoryLimit(bytes, "comparing labels");
	caller = MemoryContextSwitchTo(grader->context);
	ArenaInit(&arena, bytes);
	MemoryContextSwitchTo(caller);
	grader->pattern_bytes = arena.base;
	CheckStatus(lcs_prepare(text.symbol, text.count, &arena, &PgInterrupt, &grader->pattern));
	grader->prepared = text.symbol;
}

/*
 * Returns the length of a longest common subsequence of two strings.  Short strings never
 * go to a GPU.
 */
static int32
CommonLength(Symbols a, Symbols b)
{
	if (Max(a.count, b.count) <= SHORT_STRING)
		return StringsLengthByCpu(a, b, 0);
	return StringsLength(a, b, 0);
}

int32
GradeTexts(TextGrader *grader, GradedText *a, GradedText *b, TedTextMeasure measure, int32 cost)
{
	int32 measured = 0;
	TedArena arena = {0};
	Size bytes;

	ReadTexts(grader, a, b);
	switch (measure)
	{
		case TED_TEXTS_EXACT:
			break;
		case TED_TEXTS_LCS:
			measured = CommonLength(a->symbols, b->symbols);
			break;
		case TED_TEXTS_LEVENSHTEIN:
			bytes = ted_levenshtein_memory(a->symbols.count, b->symbols.count);
			PrepareGradedText(grader, a->symbols);
			CheckMemoryLimit(bytes, "comparing labels");
			if (bytes > 0)
				ArenaInit(&arena, bytes);
			CheckStatus(ted_levenshtein_distance(grader->pattern, b->symbols.symbol,
												 b->symbols.count, &arena, &PgInterrupt,
												 &measured));
			if (bytes > 0)
				pfree(arena.base);
			break;
	}
	return ted_text_cost(measure, measured, a->symbols.count, b->symbols.count, cost);
}

Symbols
GradedSymbols(TextGrader *grader, GradedText *text)
{
	ReadTexts(grader, text, text);
	return text->symbols;
}
