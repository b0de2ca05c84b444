/*
 * bytes.h
 *	  Shared parts of the fuzzers: reading bytes, failing.
 *
 * Any bytes decode to a valid test: behind their end, zeros are read.
 */
#ifndef TED_TEST_FUZZ_BYTES_H
#define TED_TEST_FUZZ_BYTES_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/core/tree/ted.h"
#include "../core/arenas.h"

/* Runs the test that bytes decode to; returns 0, or aborts if a check fails. */
extern int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct Bytes
{
	const uint8_t *next;
	size_t left;
} Bytes;

/* Reads the next byte. */
static inline uint8_t
take(Bytes *bytes)
{
	if (bytes->left == 0)
		return 0;
	bytes->left--;
	return *bytes->next++;
}

/* Prints a message and aborts unless a condition holds. */
__attribute__((format(printf, 2, 3))) static inline void
require(bool holds, const char *format, ...)
{
	va_list args;

	if (holds)
		return;
	fputs("DIFFERENCE: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	abort();
}

#endif /* TED_TEST_FUZZ_BYTES_H */
