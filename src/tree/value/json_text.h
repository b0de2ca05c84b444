/*
 * json_text.h
 *	  Texts that are JSON objects, although they can be read as bracket notation, too.
 */
#ifndef TED_JSON_TEXT_H
#define TED_JSON_TEXT_H

#include "postgres.h"

/* Whether a text is a JSON object with a key; {} is the tree of a node with an empty label. */
extern bool IsJsonObjectText(const char *text, int length);

#endif /* TED_JSON_TEXT_H */
