/*
 * json_text.h
 *	  Recognizes JSON objects among texts that could also be bracket notation.
 */
#ifndef TED_JSON_TEXT_H
#define TED_JSON_TEXT_H

#include "postgres.h"

/*
 * Whether a text is a JSON object with at least one key; {} is the tree of one node with an
 * empty label.
 */
extern bool IsJsonObjectText(const char *text, int length);

#endif /* TED_JSON_TEXT_H */
