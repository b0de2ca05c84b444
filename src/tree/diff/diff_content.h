/*
 * diff_content.h
 *	  The text of the lines of two documents, with the differences within labels marked.
 */
#ifndef TED_DIFF_CONTENT_H
#define TED_DIFF_CONTENT_H

#include "lib/stringinfo.h"

#include "diff_lines.h"

/* Which documents have a piece of a line. */
typedef enum PieceOf
{
	PIECE_OF_BOTH,
	PIECE_OF_FIRST,
	PIECE_OF_SECOND
} PieceOf;

/* A piece of a line, up to the next one. */
typedef struct Piece
{
	int start; /* in the bytes of the line */
	PieceOf of;
} Piece;

/* The content of a line, without a comma at its end. */
typedef struct LineContent
{
	StringInfoData bytes;
	Piece *piece;
	int count; /* pieces, at least 1 */
	int capacity;
	int32 cut_nodes; /* nodes of a subtree whose end is not there; 0: all is there */
} LineContent;

/* Prepares for the content of lines, one after the other. */
extern void InitLineContent(LineContent *content);

/* Reads what a line of a side says; if the other one is given, with its labels where they differ.
 */
extern void ReadLineContent(const MappedTrees *trees, TreeSyntax syntax, const MappedTree *side,
							const MappedTree *other, const DiffLine *line, LineContent *content);

/* The bytes of a piece. */
extern Label BytesOfPiece(const LineContent *content, int piece);

/* Whether a line ends in a comma. */
extern bool EndsInComma(const MappedTree *side, TreeSyntax syntax, const DiffLine *line);

#endif /* TED_DIFF_CONTENT_H */
