/*
 * diff_content.h
 *	  The text of the lines of two documents, with marks on the differences within
 *	  labels.
 */
#ifndef TED_DIFF_CONTENT_H
#define TED_DIFF_CONTENT_H

#include "lib/stringinfo.h"

#include "diff_lines.h"

/* Which of the documents contain a piece of a line. */
typedef enum PieceOf
{
	PIECE_OF_BOTH,
	PIECE_OF_FIRST,
	PIECE_OF_SECOND
} PieceOf;

/* A piece of a line; it ends where the next one begins. */
typedef struct Piece
{
	int start; /* byte of the line */
	PieceOf of;
	bool is_separator; /* not marked as a difference */
	int32 folded;      /* number of characters if the piece is folded, else 0 */
} Piece;

/* The content of a line, without a comma at its end. */
typedef struct LineContent
{
	StringInfoData bytes;
	Piece *piece;
	int count; /* number of pieces, at least 1 */
	int capacity;
	int32 cut_nodes; /* size of the subtree if its end is cut off, else 0 */
} LineContent;

/* Prepares to read the content of lines. */
extern void InitLineContent(LineContent *content);

/*
 * Reads the content of a line of `side`.  If `other` is not NULL, partners' labels are
 * included where they differ.
 */
extern void ReadLineContent(const MappedTrees *trees, const MappedTree *side,
							const MappedTree *other, const DiffLine *line, LineContent *content);

/*
 * Takes the first line of a JSON string from the rest of it; returns whether the line has an
 * escaped line end.
 */
extern bool TakeJsonLine(Label *rest, Label *line);

/* Whether the content of a line of JSON has several lines, for writing it line by line. */
extern bool HasLines(const LineContent *content);

/* A line of a string that consists of several lines. */
typedef struct StringLine
{
	char mark; /* as the mark of a DiffRow */
	int piece; /* first piece */
	int count; /* number of pieces */
} StringLine;

/* The lines of a string. */
typedef struct StringLines
{
	LineContent content; /* with the pieces divided at line ends */
	StringLine *line;
	int count;
	int capacity;
} StringLines;

/* Divides the content of a row with a mark at the line ends of its string. */
extern void DivideLines(const LineContent *content, char row_mark, StringLines *lines);
extern void FreeLines(StringLines *lines);

/* Returns the content of a line of a string, which refers to that of the lines. */
extern LineContent ContentOfLine(const StringLines *lines, int line);

/*
 * Returns how many lines, from one on, are not shown, as they and their neighbours are the same in
 * both documents; 0 if the line is shown.
 */
extern int HiddenLines(const StringLines *lines, int line);

/* Folds the middle of long pieces of both documents; `shown` characters stay at each end. */
extern void FoldPieces(LineContent *content, int shown);

/* Returns the bytes of a piece. */
extern Label BytesOfPiece(const LineContent *content, int piece);

/* Whether a line ends in a comma. */
extern bool EndsInComma(const MappedTrees *trees, const MappedTree *side, const DiffLine *line);

#endif /* TED_DIFF_CONTENT_H */
