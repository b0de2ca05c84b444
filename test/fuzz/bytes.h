/*
 * bytes.h
 *	  What the fuzzers share: taking bytes, exact arenas, and failing.
 *
 * A fuzzer decodes any bytes to a valid test: where they run out, 0 follows.
 */
#ifndef TED_TEST_FUZZ_BYTES_H
#define TED_TEST_FUZZ_BYTES_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/tree/ted.h"

/* The test; returns 0, or aborts where something is wrong. */
extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Bytes
{
	const uint8_t *next;
	size_t left;
} Bytes;

/* Takes the next byte. */
static inline uint8_t
take(Bytes *bytes)
{
	if (bytes->left == 0)
		return 0;
	bytes->left--;
	return *bytes->next++;
}

/* Prints what is wrong and aborts, unless `right`. */
__attribute__((format(printf, 2, 3))) static inline void
require(bool right, const char *format, ...)
{
	va_list args;

	if (right)
		return;
	fputs("DIFFERENCE: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	abort();
}

/* An arena of exactly so many bytes; what it holds wins any minimum that it gets into. */
static inline TedArena
new_arena(size_t bytes)
{
	TedArena arena = {.size = bytes};

	if (bytes > 0)
	{
		arena.base = aligned_alloc(TED_ARENA_ALIGN, bytes);
		require(arena.base != NULL, "no memory for an arena of %zu bytes", bytes);
		memset(arena.base, 0xA5, bytes);
	}
	return arena;
}

#endif /* TED_TEST_FUZZ_BYTES_H */
