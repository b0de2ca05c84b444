/*
 * markup.h
 *	  Texts of any content in HTML and SVG.
 */
#ifndef TED_MARKUP_H
#define TED_MARKUP_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../../common/labels.h"

/* Name of the computation in errors about memory. */
#define DRAWING_A_PICTURE "drawing a picture"

/* The most bytes of markup that may be appended after MarkupReserve(). */
#define MARKUP_BYTES 4096

/* Begins a picture: switches to a new context, all of whose memory counts. */
extern void MarkupBegin(void);

/* Ends a picture: switches back, and returns what is in a string of the context that goes. */
extern text *MarkupFinish(const StringInfoData *out);

/* Makes room for some markup in a string of the context, unless that is too much memory. */
extern void MarkupReserve(StringInfo out);

/*
 * Writes a text as markup of ASCII only: what has a meaning in markup, and all beyond
 * ASCII, as references, what XML forbids as pictures of control characters or U+FFFD.
 */
extern void MarkupText(StringInfo out, Label text);

/* Bytes of the characters of a text that fit in `*columns`, from which it takes their width. */
extern int MarkupFit(Label text, int *columns);

/* Writes what is in another string. */
extern void MarkupAppend(StringInfo out, const StringInfoData *other);

#endif /* TED_MARKUP_H */
