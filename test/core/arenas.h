/*
 * arenas.h
 *	  Arenas of exact size, and interrupts, for stand-alone tests.
 */
#ifndef TED_TEST_CORE_ARENAS_H
#define TED_TEST_CORE_ARENAS_H

#include <stdlib.h>
#include <string.h>

#include "../../src/core/common/core.h"

/*
 * Returns an arena of exactly this number of bytes, so that a sanitizer sees every access beyond;
 * they must be a multiple of the alignment.  It is filled with negative numbers to spoil minima.
 */
static inline TedArena
new_arena(size_t bytes)
{
	char *base = aligned_alloc(TED_ARENA_ALIGN, bytes);

	memset(base, 0xA5, bytes);
	return (TedArena){.base = base, .size = bytes};
}

/* Asks to stop at once, as an interrupt callback. */
static inline bool
stop(void *arg)
{
	(void) arg;
	return true;
}

/* Asks to stop once it has been called this number of times. */
static inline bool
countdown(void *arg)
{
	return --*(int *) arg < 0;
}

static const TedInterrupt never = {0};
static const TedInterrupt at_once = {.check = stop};

#endif /* TED_TEST_CORE_ARENAS_H */
