/*
 * text_lines.h
 *	  Compares two texts line by line.
 */
#ifndef TED_TEXT_LINES_H
#define TED_TEXT_LINES_H

#include "../common/labels.h"

/* The line written below a last line that has no newline. */
#define NO_NEWLINE "\\ No newline at end of file\n"

/* The lines of a text, each with the newline at its end. */
typedef struct TextLines
{
	const char *bytes;
	int32 *start; /* byte at which each line begins; one more entry for the end of the text */
	int32 count;
} TextLines;

/* A line of one text, or a line of both that is equal or similar. */
typedef struct LineRow
{
	char mark;    /* '-' only in the first text, '+' only in the second, '~' similar, ' ' equal */
	int32 before; /* line of the first text, or the next one there */
	int32 after;  /* line of the second text, or the next one there */
} LineRow;

/* The lines of two texts and the rows of their comparison, in order. */
typedef struct LineRows
{
	TextLines a;
	TextLines b;
	LineRow *row;
	int32 count;
} LineRows;

/* Compares two texts line by line. */
extern LineRows *CompareLines(Label a, Label b);

/* The bytes of a line without its newline, if it has one. */
extern Label LineBytes(const TextLines *lines, int32 line);

/* Whether a line ends in a newline; only the last line of a text can lack it. */
extern bool EndsInNewline(const TextLines *lines, int32 line);

#endif /* TED_TEXT_LINES_H */
