/*
 * tap.h
 *	  The test anything protocol for the core's stand-alone tests.
 */
#ifndef TED_TEST_CORE_TAP_H
#define TED_TEST_CORE_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_tests;
static int tap_failures;

/* Reports one test by its description, and returns whether it passed. */
__attribute__((format(printf, 2, 3))) static inline bool
ok(bool passed, const char *format, ...)
{
	va_list args;

	printf("%sok %d - ", passed ? "" : "not ", ++tap_tests);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
	fflush(stdout);
	if (!passed)
		tap_failures++;
	return passed;
}

/* Prints the plan; its result is the exit status of the program. */
static inline int
done_testing(void)
{
	printf("1..%d\n", tap_tests);
	return tap_failures != 0;
}

#endif /* TED_TEST_CORE_TAP_H */
