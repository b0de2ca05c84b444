/*
 * text_lines.h
 *	  The lines of two texts, and which line of one is which line of the other.
 */
#ifndef TED_TEXT_LINES_H
#define TED_TEXT_LINES_H

#include "../common/labels.h"

/* The line that is written below a last line without a newline. */
#define NO_NEWLINE "\\ No newline at end of file\n"

/* The lines of a text, each with the newline at its end. */
typedef struct TextLines
{
	const char *bytes;
	int32 *start; /* by line; after the last one, the end of the text */
	int32 count;
} TextLines;

/* A line of one text, or a line of both that is equal or similar. */
typedef struct LineRow
{
	char mark;    /* '-': only the first text has it; '+': only the second; '~': similar; ' ' */
	int32 before; /* line of the first text, or the next one there */
	int32 after;  /* line of the second text, or the next one there */
} LineRow;

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

/* Whether a line ends in a newline: all do, but possibly the last one. */
extern bool EndsInNewline(const TextLines *lines, int32 line);

#endif /* TED_TEXT_LINES_H */
