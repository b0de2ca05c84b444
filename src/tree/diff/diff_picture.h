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

/* Texts above a picture; each may be empty. */
typedef struct PictureNames
{
	Label title;
	bool has_captions;
	Label captions[2]; /* of the documents */
} PictureNames;

/* Reads the arguments "title" and "captions", the first of which has this number. */
extern PictureNames ReadPictureNames(FunctionCallInfo fcinfo, int argument);

/* Writes differences with a summary as a page of HTML, or as a section for another one. */
extern text *WriteDiffPage(Diff *diff, const PictureNames *names, bool is_page);

/* Writes the text of the <title> of a picture or page. */
extern void AppendPictureTitle(StringInfo out, const PictureNames *names);

/* Writes the meanings of the marks. */
extern void AppendLegend(StringInfo out, const Diff *diff);

#endif /* TED_DIFF_PICTURE_H */
