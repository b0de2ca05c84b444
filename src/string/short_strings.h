/*
 * short_strings.h
 *	  Arguments that are short strings, taken without caching anything.
 */
#ifndef TED_SHORT_STRINGS_H
#define TED_SHORT_STRINGS_H

#include "strings.h"

/* Take the first two arguments of a function where both are at hand and short. */
extern bool TakeShortBytes(FunctionCallInfo fcinfo, StringPair *pair);
extern bool TakeShortTexts(FunctionCallInfo fcinfo, StringPair *pair);
extern bool TakeShortArrays(FunctionCallInfo fcinfo, StringPair *pair);

#endif /* TED_SHORT_STRINGS_H */
