/*
 * graphemes.h
 *	  Divides a text into the characters that a reader sees.
 */
#ifndef TED_GRAPHEMES_H
#define TED_GRAPHEMES_H

#include <stdbool.h>
#include <stdint.h>

/* The code points of a text so far; all zeros before the first one. */
typedef struct TedGrapheme
{
	uint8_t before;  /* property of the last code point */
	uint8_t picture; /* how far the last code points are a picture that can be joined */
	bool is_flag;    /* the last code point is the second one of a flag */
} TedGrapheme;

/* Whether an extended grapheme cluster begins at the next code point of a text. */
extern bool ted_grapheme_begins(TedGrapheme *grapheme, uint32_t point);

#endif /* TED_GRAPHEMES_H */
