/*
 * host.h
 *	  Memory for engines in stand-alone tests.
 */
#ifndef TED_TEST_CORE_HOST_H
#define TED_TEST_CORE_HOST_H

#include <stdlib.h>

/* Takes memory for an engine. */
static inline void *
allocate(void *arg, size_t bytes)
{
	(void) arg;
	return malloc(bytes);
}

/* Frees memory of an engine. */
static inline void
release(void *arg, void *block)
{
	(void) arg;
	free(block);
}

#endif /* TED_TEST_CORE_HOST_H */
