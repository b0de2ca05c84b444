/*
 * short_strings.h
 *	  Short strings as arguments, read without a cache.
 */
#ifndef TED_SHORT_STRINGS_H
#define TED_SHORT_STRINGS_H

#include "strings.h"

/*
 * Read the first two arguments of a function if both are short and neither compressed nor
 * toasted; else return false.
 */
extern bool TakeShortBytes(FunctionCallInfo fcinfo, StringPair *pair);
extern bool TakeShortTexts(FunctionCallInfo fcinfo, StringPair *pair);
extern bool TakeShortArrays(FunctionCallInfo fcinfo, StringPair *pair);

#endif /* TED_SHORT_STRINGS_H */
