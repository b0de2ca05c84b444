/*
 * label_changes.c
 *	  Finds the words and letters in which two labels, or two lines of text, differ.
 *
 * A longest common subsequence of words stays.  A character that is not part of a word
 * counts as a word, and so does each ideograph, and a backslash together with the next
 * character.  A character is what a reader takes for one: a letter with its accents, a
 * picture that consists of several.  Between common words, similar words are paired, and only the
 *letters between the equal beginning and the equal end of a pair are a change.  A number, including
 *its decimal point, counts as one letter.  Replaced words separated only by spaces are one change.
 */
#include "postgres.h"

#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../core/string/graphemes.h"
#include "../../engine/string_session.h"
#include "label_changes.h"
#include "ordered_pairs.h"

/* The most bytes of a word whose letters are compared. */
#define MAX_WORD_BYTES 256

/* Code points above ASCII that are not part of longer words. */
static const struct
{
	pg_wchar first;
	pg_wchar last;
} separate[] = {
	{0x80, 0xBF},       /* Latin-1 signs */
	{0xD7, 0xD7},       /* times */
	{0xF7, 0xF7},       /* divided by */
	{0x2000, 0x2BFF},   /* punctuation, currencies, arrows */
	{0x2E00, 0xA4CF},   /* punctuation, kana, ideographs */
	{0xF900, 0xFAFF},   /* ideographs */
	{0xFE10, 0xFE4F},   /* forms of punctuation */
	{0xFF00, 0xFFEF},   /* full-width forms */
	{0x1F000, 0x10FFFF} /* pictures, ideographs */
};

/* Returns the bytes of the character at a byte of a label. */
static inline int32
CharacterLength(Label label, int32 at)
{
	if (!IS_HIGHBIT_SET(label.bytes[at]))
		return 1;
	return Min(pg_encoding_mblen(GetDatabaseEncoding(), label.bytes + at), label.length - at);
}

/*
 * Returns the end of what a reader takes for one character, from its first byte on.  In
 * SQL_ASCII, consecutive bytes beyond ASCII may be one.
 */
int32
EndOfCharacter(Label label, int32 from)
{
	int32 to = from + CharacterLength(label, from);
	int encoding = GetDatabaseEncoding();
	TedGrapheme grapheme = {0};

	if (encoding == PG_SQL_ASCII && IS_HIGHBIT_SET(label.bytes[from]))
		while (to < label.length && IS_HIGHBIT_SET(label.bytes[to]))
		{
			CHECK_FOR_INTERRUPTS();
			to++;
		}
	if (encoding != PG_UTF8 || to == label.length ||
		!(IS_HIGHBIT_SET(label.bytes[from]) || IS_HIGHBIT_SET(label.bytes[to])))
		return to;
	for (to = from; to < label.length; to += CharacterLength(label, to))
	{
		CHECK_FOR_INTERRUPTS();
		if (ted_grapheme_begins(&grapheme,
								utf8_to_unicode((const unsigned char *) label.bytes + to)) &&
			to > from)
			break;
	}
	return to;
}

/* Whether a byte of a label is a digit. */
static inline bool
IsDigitAt(Label label, int32 at)
{
	return at < label.length && label.bytes[at] >= '0' && label.bytes[at] <= '9';
}

/* Whether the character at a byte of a label is part of a word. */
static bool
IsInWord(Label label, int32 at)
{
	char c = label.bytes[at];
	pg_wchar point;

	if (!IS_HIGHBIT_SET(c))
		return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
			   c == '_';
	if (GetDatabaseEncoding() != PG_UTF8)
		return true;
	point = utf8_to_unicode((const unsigned char *) label.bytes + at);
	for (int i = 0; i < (int) lengthof(separate); i++)
		if (point >= separate[i].first && point <= separate[i].last)
			return false;
	return true;
}

/* Returns the end of the digits and points of a number, with its exponent. */
static int32
EndOfDigits(Label label, int32 from)
{
	int32 to = from;

	while (IsDigitAt(label, to) || (label.bytes[to] == '.' && IsDigitAt(label, to + 1)))
	{
		CHECK_FOR_INTERRUPTS();
		if (++to == label.length)
			return to;
	}
	if ((label.bytes[to] == 'e' || label.bytes[to] == 'E') && to + 1 < label.length &&
		(label.bytes[to + 1] == '-' || label.bytes[to + 1] == '+') && IsDigitAt(label, to + 2))
		for (to += 2; IsDigitAt(label, to); to++)
			CHECK_FOR_INTERRUPTS();
	return to;
}

/* Whether the sign of a number is at a byte of a label: at the beginning or after a space. */
static bool
IsSign(Label label, int32 at)
{
	return (label.bytes[at] == '-' || label.bytes[at] == '+') && IsDigitAt(label, at + 1) &&
		   (at == 0 || label.bytes[at - 1] == ' ');
}

/* Returns the end of the letter or number at a byte of a word. */
static int32
EndOfLetter(Label label, int32 from)
{
	if (IsSign(label, from))
		from++;
	if (IsDigitAt(label, from))
		from = EndOfDigits(label, from) - 1;
	return EndOfCharacter(label, from);
}

/* Returns the end of the word that begins at a byte of a label. */
static int32
EndOfWord(Label label, int32 from)
{
	bool is_word = IsInWord(label, from) || IsSign(label, from);
	int32 to = EndOfLetter(label, from);

	if (label.bytes[from] == '\\' && to < label.length && !IS_HIGHBIT_SET(label.bytes[to]))
		return EndOfCharacter(label, to);
	while (is_word && to < label.length && IsInWord(label, to))
	{
		CHECK_FOR_INTERRUPTS();
		to = EndOfLetter(label, to);
	}
	return to;
}

/* The words of a label as symbols. */
typedef struct Words
{
	Label label;
	Symbols symbols;
	int32 *start; /* byte at which each word begins; one more entry for the end of the label */
} Words;

/* Returns the number of words of a label. */
static int32
CountWords(Label label)
{
	int32 count = 0;

	for (int32 from = 0; from < label.length; from = EndOfWord(label, from))
	{
		count++;
		CHECK_FOR_INTERRUPTS();
	}
	return count;
}

/*
 * Returns an upper bound on the memory, in bytes, for the changes between labels with a and
 * b words.
 */
static Size
ChangesMemory(Label before, int32 a, Label after, int32 b)
{
	return ((Size) a + b + 2) *
			   (sizeof(uint32) + sizeof(int32) + LABEL_MAX_OVERHEAD + sizeof(LabelChange)) +
		   (Size) before.length + (Size) after.length + StringsSubsequenceMemory(a, b) +
		   sizeof(int32) * (Size) a + OrderedPairsMemory(a, b);
}

/* Reads the words of a label. */
static Words
ReadWords(LabelTable *table, Label label, int32 count)
{
	Words words = {
		.label = label,
		.symbols.symbol = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(uint32) * count),
		.start = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * ((Size) count + 1))};

	for (int32 from = 0, to; from < label.length; from = to)
	{
		to = EndOfWord(label, from);
		words.start[words.symbols.count] = from;
		words.symbols.symbol[words.symbols.count++] =
			LabelTableIntern(table, label.bytes + from, to - from);
		CHECK_FOR_INTERRUPTS();
	}
	words.start[words.symbols.count] = label.length;
	return words;
}

/* Returns the bytes of a word. */
static Label
WordBytes(const Words *words, int32 word)
{
	int32 start = words->start[word];

	return (Label){words->label.bytes + start, words->start[word + 1] - start};
}

/*
 * The letters of a word: byte at which each letter begins, and one more entry for the end
 * of the word.
 */
typedef struct Letters
{
	int32 count;
	int32 start[MAX_WORD_BYTES + 1];
} Letters;

/* Reads the letters of a word; false if it is not a real word, or too long. */
static bool
ReadLetters(Label word, Letters *letters)
{
	letters->count = 0;
	if (word.length > MAX_WORD_BYTES || word.length == 0 || !IsInWord(word, 0))
		return false;
	for (int32 at = 0; at < word.length; at = EndOfLetter(word, at))
		letters->start[letters->count++] = at;
	letters->start[letters->count] = word.length;
	return true;
}

/* Returns the number of characters of a part of a word. */
static int32
CountWordCharacters(Label word, int32 from, int32 to)
{
	return pg_mbstrlen_with_len(word.bytes + from, to - from);
}

/* Whether a letter of a word equals one of another word. */
static bool
LettersEqual(Label a, const Letters *in_a, int32 i, Label b, const Letters *in_b, int32 j)
{
	int32 length = in_a->start[i + 1] - in_a->start[i];

	return in_b->start[j + 1] - in_b->start[j] == length &&
		   memcmp(a.bytes + in_a->start[i], b.bytes + in_b->start[j], (Size) length) == 0;
}

/*
 * Returns the number of characters that stay if one word replaces another: those of the
 * equal beginning and the equal end.  Sets the change between them.  Returns 0 if at most
 * half of the longer word stays.
 */
static int32
CompareLetters(Label a, Label b, LabelChange *change)
{
	Letters in_a;
	Letters in_b;
	int32 begin = 0;
	int32 end = 0;
	int32 kept;

	if (!ReadLetters(a, &in_a) || !ReadLetters(b, &in_b))
		return 0;
	while (begin < Min(in_a.count, in_b.count) && LettersEqual(a, &in_a, begin, b, &in_b, begin))
		begin++;
	while (end < Min(in_a.count, in_b.count) - begin &&
		   LettersEqual(a, &in_a, in_a.count - 1 - end, b, &in_b, in_b.count - 1 - end))
		end++;
	*change = (LabelChange){.a_from = in_a.start[begin],
							.a_to = in_a.start[in_a.count - end],
							.b_from = in_b.start[begin],
							.b_to = in_b.start[in_b.count - end]};
	kept =
		CountWordCharacters(a, 0, change->a_from) + CountWordCharacters(a, change->a_to, a.length);
	return 2 * kept > Max(CountWordCharacters(a, 0, a.length), CountWordCharacters(b, 0, b.length))
			   ? kept
			   : 0;
}

/* The words between two common words. */
typedef struct Gap
{
	const Words *a;
	const Words *b;
	int32 a_from;
	int32 a_to;
	int32 b_from;
	int32 b_to;
} Gap;

/* Returns the gain of pairing two words of a gap: the number of characters that stay. */
static int32
GainOfWords(void *arg, int32 i, int32 j)
{
	const Gap *gap = arg;
	LabelChange change;

	return CompareLetters(WordBytes(gap->a, gap->a_from + i), WordBytes(gap->b, gap->b_from + j),
						  &change);
}

/* The changes found so far. */
typedef struct ChangeList
{
	LabelChange *change;
	int32 count;
	bool is_whole; /* the last change replaces whole words by whole words */
} ChangeList;

/* Whether a range of a label is not empty and has only white space. */
static bool
IsSpace(Label label, int32 from, int32 to)
{
	for (int32 at = from; at < to; at++)
		if (strchr(" \t\r\n", label.bytes[at]) == NULL)
			return false;
	return from < to;
}

/* Adds a change, or extends the last one by it. */
static void
AddChange(ChangeList *list, Label before, LabelChange change, bool whole)
{
	LabelChange *last = list->count > 0 ? &list->change[list->count - 1] : NULL;
	bool is_whole = whole && change.a_from < change.a_to && change.b_from < change.b_to;

	if (change.a_from == change.a_to && change.b_from == change.b_to)
		return;
	if (last != NULL &&
		(last->a_to == change.a_from ||
		 (list->is_whole && is_whole && IsSpace(before, last->a_to, change.a_from))))
	{
		last->a_to = change.a_to;
		last->b_to = change.b_to;
		list->is_whole = list->is_whole && is_whole;
		return;
	}
	list->change[list->count++] = change;
	list->is_whole = is_whole;
}

/* Adds the changes of a gap, with similar words paired. */
static void
AddGap(ChangeList *list, const Gap *gap)
{
	const Words *a = gap->a;
	const Words *b = gap->b;
	int32 m = gap->a_to - gap->a_from;
	int32 n = gap->b_to - gap->b_from;
	int32 *partner = NULL;
	int32 i = gap->a_from;
	int32 j = gap->b_from;

	if (m > 0 && n > 0)
	{
		partner = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * (Size) m);
		FindOrderedPairs(m, n, GainOfWords, (void *) gap, partner);
		for (int32 k = 0; k < m; k++)
		{
			int32 x = gap->a_from + k;
			int32 y = gap->b_from + partner[k];
			LabelChange change;

			CHECK_FOR_INTERRUPTS();
			if (partner[k] < 0)
				continue;
			AddChange(list, a->label,
					  (LabelChange){a->start[i], a->start[x], b->start[j], b->start[y]}, true);
			CompareLetters(WordBytes(a, x), WordBytes(b, y), &change);
			AddChange(list, a->label,
					  (LabelChange){a->start[x] + change.a_from, a->start[x] + change.a_to,
									b->start[y] + change.b_from, b->start[y] + change.b_to},
					  false);
			i = x + 1;
			j = y + 1;
		}
		pfree(partner);
	}
	AddChange(list, a->label,
			  (LabelChange){a->start[i], a->start[gap->a_to], b->start[j], b->start[gap->b_to]},
			  true);
}

LabelChange *
FindLabelChanges(Label before, Label after, int32 *count)
{
	MemoryContext caller = CurrentMemoryContext;
	int32 m = CountWords(before);
	int32 n = CountWords(after);
	ChangeList list = {0};
	MemoryContext context;
	LabelTable *table;
	CommonSubsequence common;
	Words a;
	Words b;
	Gap gap;

	if (ChangesMemory(before, m, after, n) > (Size) ted_max_memory * 1024)
	{
		list.change = palloc_object(LabelChange);
		AddChange(&list, before, (LabelChange){0, before.length, 0, after.length}, true);
		*count = list.count;
		return list.change;
	}
	list.change = MemoryContextAllocHuge(caller, sizeof(LabelChange) * ((Size) m + (Size) n + 1));
	context = AllocSetContextCreate(caller, "ted words", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(context);
	table = LabelTableCreate();
	a = ReadWords(table, before, m);
	b = ReadWords(table, after, n);
	common = StringsSubsequence(a.symbols, b.symbols, 0);
	gap = (Gap){.a = &a, .b = &b};
	for (int32 k = 0; k <= common.length; k++)
	{
		CHECK_FOR_INTERRUPTS();
		gap.a_to = k < common.length ? common.in_a[k] : m;
		gap.b_to = k < common.length ? common.in_b[k] : n;
		AddGap(&list, &gap);
		gap.a_from = gap.a_to + 1;
		gap.b_from = gap.b_to + 1;
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	*count = list.count;
	return list.change;
}
