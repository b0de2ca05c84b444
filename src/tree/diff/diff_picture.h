/*
 * diff_picture.h
 *	  What the pictures of differences, HTML and SVG, share.
 */
#ifndef TED_DIFF_PICTURE_H
#define TED_DIFF_PICTURE_H

#include "diff.h"
#include "markup.h"

/* Refuses one row more than a picture may have, besides those that are folded. */
extern void CountPictureRow(int32 *rows);

/* A letter for a mark, and what the reader sees for it, as markup. */
extern char MarkClass(char mark);
extern const char *MarkSign(char mark);

/* Writes in one line how many nodes differ. */
extern void AppendDiffSummary(StringInfo out, const Diff *diff);

#endif /* TED_DIFF_PICTURE_H */
