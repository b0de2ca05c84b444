/*
 * text_lines.c
 *	  Compares two texts line by line.
 *
 * Equal lines are those of a longest common subsequence of lines, so the fewest lines
 * differ.  Of several such subsequences, the one is taken in which lines of one text only
 * come as late as possible: a paragraph inserted after one with the same last line stays
 * whole.  Between equal lines, similar lines are paired in the order of both texts.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/characters.h"
#include "../common/host.h"
#include "../engine/string_session.h"
#include "../tree/diff/ordered_pairs.h"
#include "lcs_threshold.h"
#include "text_lines.h"

/* Name of the computation in errors about memory. */
#define LINES "comparison of lines"

/* The least similarity of lines that are paired. */
#define LEAST_SIMILARITY 0.5

/* The gain of a pair of lines with similarity 1. */
#define FULL_GAIN 10000

/* Returns the bytes of a line without its newline. */
Label
LineBytes(const TextLines *lines, int32 line)
{
	int32 start = lines->start[line];

	return (Label){lines->bytes + start,
				   lines->start[line + 1] - start - EndsInNewline(lines, line)};
}

/* Whether a line ends in a newline. */
bool
EndsInNewline(const TextLines *lines, int32 line)
{
	return lines->bytes[lines->start[line + 1] - 1] == '\n';
}

/* Returns the end of the line that begins at byte `from`. */
static inline int32
EndOfLine(Label text, int32 from)
{
	const char *newline = memchr(text.bytes + from, '\n', (size_t) (text.length - from));

	return newline == NULL ? text.length : (int32) (newline - text.bytes) + 1;
}

/* Finds where the lines of a text begin. */
static TextLines
ReadLines(Label text)
{
	TextLines lines = {.bytes = text.bytes};

	for (int32 at = 0; at < text.length; at = EndOfLine(text, at))
	{
		CHECK_FOR_INTERRUPTS();
		lines.count++;
	}
	CheckMemoryLimit(sizeof(int32) * ((Size) lines.count + 1), LINES);
	lines.start =
		MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * ((Size) lines.count + 1));
	lines.start[0] = 0;
	for (int32 i = 0; i < lines.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		lines.start[i + 1] = EndOfLine(text, lines.start[i]);
	}
	return lines;
}

/* Whether two lines are equal, newlines included. */
static bool
LinesEqual(const TextLines *a, int32 i, const TextLines *b, int32 j)
{
	int32 length = a->start[i + 1] - a->start[i];

	return b->start[j + 1] - b->start[j] == length &&
		   memcmp(a->bytes + a->start[i], b->bytes + b->start[j], (Size) length) == 0;
}

/* Returns `count` lines as symbols, equal lines as equal symbols. */
static Symbols
NumberLines(LabelTable *table, const TextLines *lines, int32 from, int32 count)
{
	Symbols symbols = {MemoryContextAllocHuge(CurrentMemoryContext, sizeof(uint32) * (Size) count),
					   count};

	for (int32 i = 0; i < count; i++)
	{
		const int32 *start = lines->start + from + i;

		CHECK_FOR_INTERRUPTS();
		symbols.symbol[i] = LabelTableIntern(table, lines->bytes + start[0], start[1] - start[0]);
	}
	return symbols;
}

/* Sets the equal line of the second text for each line of the first text, or -1. */
static void
FindEqualLines(const TextLines *a, const TextLines *b, int32 *partner)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted lines", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	LabelTable *table = LabelTableCreate();
	int32 begin = 0;
	int32 m = a->count;
	int32 n = b->count;
	CommonSubsequence common;
	Symbols symbols_a;
	Symbols symbols_b;

	for (; begin < Min(m, n) && LinesEqual(a, begin, b, begin); begin++)
	{
		CHECK_FOR_INTERRUPTS();
		partner[begin] = begin;
	}
	for (; Min(m, n) > begin && LinesEqual(a, m - 1, b, n - 1); m--, n--)
	{
		CHECK_FOR_INTERRUPTS();
		partner[m - 1] = n - 1;
	}
	for (int32 i = begin; i < m; i++)
	{
		CHECK_FOR_INTERRUPTS();
		partner[i] = -1;
	}
	LabelTableLimit(table, context, LINES);
	symbols_a = NumberLines(table, a, begin, m - begin);
	symbols_b = NumberLines(table, b, begin, n - begin);
	common = StringsSubsequence(symbols_a, symbols_b, MemoryContextMemAllocated(context, true));
	for (int32 k = 0; k < common.length; k++)
	{
		CHECK_FOR_INTERRUPTS();
		partner[begin + common.in_a[k]] = begin + common.in_b[k];
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* Moves lines of one text only further down, past equal lines. */
static void
MoveDown(const TextLines *a, const TextLines *b, int32 *partner)
{
	int32 next_a = 0; /* first lines after the last equal pair */
	int32 next_b = 0;

	for (int32 i = 0; i < a->count; i++)
	{
		int32 j = partner[i];
		int32 k = i;

		CHECK_FOR_INTERRUPTS();
		if (j < 0)
			continue;
		if (i == next_a && j > next_b && LinesEqual(b, next_b, b, j))
			j = next_b;
		else if (j == next_b && i > next_a && LinesEqual(a, next_a, a, i))
			k = next_a;
		partner[i] = -1;
		partner[k] = j;
		next_a = k + 1;
		next_b = j + 1;
	}
}

/* The lines between two pairs of equal lines. */
typedef struct LineGap
{
	const TextLines *a;
	const TextLines *b;
	int32 a_from;
	int32 b_from;
	Symbols *characters_a; /* characters of each line, by its place in the gap */
	Symbols *characters_b;
} LineGap;

/* Whether a line contains a sign that marks a change in text_diff(). */
static bool
HasMarks(Label line)
{
	for (int i = 0; i + 1 < line.length; i++)
	{
		char c = line.bytes[i];
		char next = line.bytes[i + 1];

		CHECK_FOR_INTERRUPTS();
		if ((c == '[' && next == '-') || (c == '-' && next == ']') || (c == '{' && next == '+') ||
			(c == '+' && next == '}'))
			return true;
	}
	return false;
}

/*
 * Returns the characters of some lines.  A line with marks of changes gets none, so it is
 * not paired.
 */
static Symbols *
ReadLineCharacters(const TextLines *lines, int32 from, int32 to)
{
	Symbols *characters =
		MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Symbols) * (Size) (to - from));
	uint32 *symbol = MemoryContextAllocHuge(
		CurrentMemoryContext, sizeof(uint32) * ((Size) lines->start[to] - lines->start[from]));

	for (int32 i = from; i < to; i++)
	{
		Label line = LineBytes(lines, i);

		characters[i - from] = (Symbols){.symbol = symbol};
		if (!HasMarks(line))
			characters[i - from].count = ReadCharacters(line.bytes, line.length, symbol);
		symbol += characters[i - from].count;
	}
	return characters;
}

/* Returns the gain of pairing two lines of a gap: FULL_GAIN times their similarity, or 0. */
static int32
GainOfLines(void *arg, int32 i, int32 j)
{
	const LineGap *gap = arg;
	Symbols a = gap->characters_a[i];
	Symbols b = gap->characters_b[j];
	int64 total = (int64) a.count + b.count;
	int64 least = LeastCommonSimilar(LEAST_SIMILARITY, total);
	int32 common;

	if (least > Min(a.count, b.count) || total == 0 ||
		EndsInNewline(gap->a, gap->a_from + i) != EndsInNewline(gap->b, gap->b_from + j))
		return 0;
	common = StringsLengthByCpu(a, b, (int32) least);
	return common == LCS_BELOW ? 0 : (int32) (FULL_GAIN * LcsSimilarity(common, total));
}

/* Pairs similar lines of a gap; sets the partner of each line of the first text, or -1. */
static void
PairSimilarLines(LineGap gap, int32 a_to, int32 b_to, int32 *partner)
{
	int32 m = a_to - gap.a_from;
	int32 n = b_to - gap.b_from;
	Size bytes = ((Size) gap.a->start[a_to] - gap.a->start[gap.a_from]) +
				 ((Size) gap.b->start[b_to] - gap.b->start[gap.b_from]);
	MemoryContext context;
	MemoryContext caller;

	CheckMemoryLimit(OrderedPairsMemory(m, n) + ((Size) m + n) * sizeof(Symbols) +
						 bytes * sizeof(uint32),
					 LINES);
	context = AllocSetContextCreate(CurrentMemoryContext, "ted lines", ALLOCSET_DEFAULT_SIZES);
	caller = MemoryContextSwitchTo(context);
	gap.characters_a = ReadLineCharacters(gap.a, gap.a_from, a_to);
	gap.characters_b = ReadLineCharacters(gap.b, gap.b_from, b_to);
	FindOrderedPairs(m, n, GainOfLines, &gap, partner);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
}

/* Appends a row for each line of one text only, up to the given lines. */
static void
AppendRows(LineRows *rows, int32 *i, int32 a_to, int32 *j, int32 b_to)
{
	while (*i < a_to)
	{
		CHECK_FOR_INTERRUPTS();
		rows->row[rows->count++] = (LineRow){'-', (*i)++, *j};
	}
	while (*j < b_to)
	{
		CHECK_FOR_INTERRUPTS();
		rows->row[rows->count++] = (LineRow){'+', *i, (*j)++};
	}
}

/* Compares two texts line by line. */
LineRows *
CompareLines(Label a, Label b)
{
	LineRows *rows = palloc0_object(LineRows);
	int32 *partner;
	int32 *similar; /* similar line of each line in a gap, or -1 */
	int32 i = 0;
	int32 j = 0;
	Size lines;

	rows->a = ReadLines(a);
	rows->b = ReadLines(b);
	lines = (Size) rows->a.count + rows->b.count + 1;
	CheckMemoryLimit(lines * (3 * sizeof(int32) + sizeof(LineRow)), LINES);
	partner = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * lines);
	similar = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * lines);
	rows->row = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(LineRow) * lines);
	FindEqualLines(&rows->a, &rows->b, partner);
	MoveDown(&rows->a, &rows->b, partner);
	while (i < rows->a.count || j < rows->b.count)
	{
		int32 a_from = i;
		int32 a_to = i;
		int32 b_to;

		while (a_to < rows->a.count && partner[a_to] < 0)
			a_to++;
		b_to = a_to < rows->a.count ? partner[a_to] : rows->b.count;
		if (i < a_to && j < b_to)
		{
			int32 b_from = j;

			PairSimilarLines(
				(LineGap){.a = &rows->a, .b = &rows->b, .a_from = a_from, .b_from = b_from}, a_to,
				b_to, similar);
			for (int32 k = a_from; k < a_to; k++)
				if (similar[k - a_from] >= 0)
				{
					AppendRows(rows, &i, k, &j, b_from + similar[k - a_from]);
					rows->row[rows->count++] = (LineRow){'~', i++, j++};
				}
		}
		AppendRows(rows, &i, a_to, &j, b_to);
		if (i < rows->a.count)
			rows->row[rows->count++] = (LineRow){' ', i++, j++};
	}
	pfree(partner);
	pfree(similar);
	return rows;
}
