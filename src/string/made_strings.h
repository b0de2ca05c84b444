/*
 * made_strings.h
 *	  Strings made of symbols: what strings.c does, backwards.
 */
#ifndef TED_STRING_MADE_STRINGS_H
#define TED_STRING_MADE_STRINGS_H

#include "postgres.h"

#include "../common/labels.h"

/* The text that consists of these characters; no table. */
extern Datum MakeText(const uint32 *character, Size count, const LabelTable *tokens);

/* The bytea that consists of these bytes; no table. */
extern Datum MakeBytea(const uint32 *byte, Size count, const LabelTable *tokens);

/* The array of these elements of the table. */
extern Datum MakeTextArray(const uint32 *token, Size count, const LabelTable *tokens);
extern Datum MakeBigintArray(const uint32 *token, Size count, const LabelTable *tokens);

/* The array of these elements; no table. */
extern Datum MakeIntArray(const uint32 *element, Size count, const LabelTable *tokens);

#endif /* TED_STRING_MADE_STRINGS_H */
