/*
 * diff_picture.h
 *	  Common parts of the HTML and SVG pictures of differences.
 */
#ifndef TED_DIFF_PICTURE_H
#define TED_DIFF_PICTURE_H

#include "../diff/diff.h"
#include "markup.h"

/* Counts a row of a picture.  Raises an error if there are too many, not counting folded rows. */
extern void CountPictureRow(int32 *rows);

/* Returns a letter for a mark, as its class. */
extern char MarkClass(char mark);

/* Returns the sign of a row as markup. */
extern const char *RowSign(const Diff *diff, const DiffRow *row);

/* Texts above a picture, which may be empty. */
typedef struct PictureNames
{
	Label title;
	bool has_captions;
	Label captions[2]; /* for both documents */
} PictureNames;

/* Reads the arguments "title" and "captions"; `argument` is the number of the first one. */
extern PictureNames ReadPictureNames(FunctionCallInfo fcinfo, int argument);

/* Returns differences with a summary as an HTML page, or as a section for another page. */
extern text *WriteDiffPage(Diff *diff, const PictureNames *names, bool is_page);

/* Appends the content of the <title> of a picture or page. */
extern void AppendPictureTitle(StringInfo out, const PictureNames *names);

/* Appends the meanings of the marks. */
extern void AppendLegend(StringInfo out, const Diff *diff);

#endif /* TED_DIFF_PICTURE_H */
