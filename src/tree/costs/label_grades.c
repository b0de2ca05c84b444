/*
 * label_grades.c
 *	  How far apart two labels are, for costs that depend on it.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../common/characters.h"
#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/string/levenshtein.h"
#include "../../core/tree/label_traits.h"
#include "label_grades.h"

/* The most memory of characters that are kept, and the most of it as a part of ted.max_memory. */
#define KEPT_BYTES ((Size) 8 * 1024 * 1024)
#define KEPT_PART 8

struct TextGrader
{
	MemoryContext context;  /* of all characters, and of `pattern` */
	Size bytes;             /* that the characters take */
	uint32 read;            /* another number each time that they are forgotten */
	const uint32 *prepared; /* the text that `pattern` is of, or NULL */
	const LcsPattern *pattern;
	void *pattern_bytes; /* its memory */
};

/* Makes a grader. */
TextGrader *
TextGraderCreate(void)
{
	TextGrader *grader = palloc0_object(TextGrader);

	grader->context =
		AllocSetContextCreate(CurrentMemoryContext, "graded texts", ALLOCSET_SMALL_SIZES);
	grader->read = 1;
	return grader;
}

/* Forgets all characters. */
static void
ForgetTexts(TextGrader *grader)
{
	grader->read++;
	grader->bytes = 0;
	grader->prepared = NULL;
	grader->pattern_bytes = NULL;
	MemoryContextReset(grader->context);
}

/* Memory that the characters of a text take that have not been read. */
static Size
UnreadBytes(const TextGrader *grader, const GradedText *text)
{
	return text->read == grader->read ? 0 : sizeof(uint32) * (Size) Max(text->label.length, 1);
}

/* Reads the characters of a text. */
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

/* Reads the characters of two texts, where they are not kept. */
static void
ReadTexts(TextGrader *grader, GradedText *a, GradedText *b)
{
	Size bytes = UnreadBytes(grader, a) + UnreadBytes(grader, b);

	if (bytes == 0)
		return;
	CheckStringMemory(bytes);
	if (grader->bytes + bytes > Min(KEPT_BYTES, (Size) ted_max_memory * 1024 / KEPT_PART))
		ForgetTexts(grader);
	ReadText(grader, a);
	ReadText(grader, b);
}

/* Prepares a text for comparison with others, unless it is prepared. */
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

/* Levenshtein distance of two strings. */
static int32
LevenshteinDistance(TextGrader *grader, Symbols a, Symbols b)
{
	Size bytes = ted_levenshtein_memory(a.count, b.count);
	TedArena arena = {0};
	int32 distance;

	PrepareGradedText(grader, a);
	CheckMemoryLimit(bytes, "comparing labels");
	if (bytes > 0)
		ArenaInit(&arena, bytes);
	CheckStatus(ted_levenshtein_distance(grader->pattern, b.symbol, b.count, &arena, &PgInterrupt,
										 &distance));
	if (bytes > 0)
		pfree(arena.base);
	return distance;
}

/* Length of a longest common subsequence of two strings; short ones are never sent to a GPU. */
static int32
CommonLength(Symbols a, Symbols b)
{
	if (Max(a.count, b.count) <= SHORT_STRING)
		return StringsLengthByCpu(a, b, 0);
	return StringsLength(a, b, 0);
}

/* The part of a cost that is due for the difference of two texts: 1 - their similarity. */
int32
GradeTexts(TextGrader *grader, GradedText *a, GradedText *b, TedTextMeasure measure, int32 cost)
{
	int32 measured;

	ReadTexts(grader, a, b);
	if (measure == TED_TEXTS_LCS)
		measured = CommonLength(a->symbols, b->symbols);
	else
		measured = LevenshteinDistance(grader, a->symbols, b->symbols);
	return ted_text_cost(measure, measured, a->symbols.count, b->symbols.count, cost);
}

/* The characters of a text. */
Symbols
GradedSymbols(TextGrader *grader, GradedText *text)
{
	ReadTexts(grader, text, text);
	return text->symbols;
}
