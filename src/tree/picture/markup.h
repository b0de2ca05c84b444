/*
 * markup.h
 *	  Writes texts of any content into HTML and SVG.
 */
#ifndef TED_MARKUP_H
#define TED_MARKUP_H

#include "postgres.h"

#include "lib/stringinfo.h"

#include "../../common/labels.h"

/* The name of the computation in errors about memory. */
#define DRAWING_A_PICTURE "drawing a picture"

/* The most bytes of markup that can be appended after MarkupReserve(). */
#define MARKUP_BYTES 4096

/*
 * Begins a picture: switches to a new memory context, whose memory counts towards
 * ted.max_memory.
 */
extern void MarkupBegin(void);

/* Ends a picture: switches back, returns `out` as a text, and deletes the context. */
extern text *MarkupFinish(const StringInfoData *out);

/*
 * Makes room for MARKUP_BYTES of markup in a string of the context, or raises an error
 * about memory.
 */
extern void MarkupReserve(StringInfo out);

/*
 * Appends a text as ASCII markup.  Special characters of markup and characters beyond ASCII
 * become references; characters that XML forbids become symbols for control characters or
 * U+FFFD.
 */
extern void MarkupText(StringInfo out, Label text);

/*
 * Returns the bytes of the characters of a text that fit in `*columns`, and subtracts their
 * width.
 */
extern int MarkupFit(Label text, int *columns);

/* Appends another string. */
extern void MarkupAppend(StringInfo out, const StringInfoData *other);

#endif /* TED_MARKUP_H */
