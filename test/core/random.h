/*
 * random.h
 *	  Repeatable random numbers for the core's stand-alone tests.
 */
#ifndef TED_TEST_CORE_RANDOM_H
#define TED_TEST_CORE_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

static uint64_t random_state;

/* Returns a pseudo-random number below `bound` (splitmix64). */
static inline uint32_t
random_below(uint32_t bound)
{
	uint64_t z = (random_state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return (uint32_t) ((z ^ (z >> 31)) % bound);
}

/* Returns a number from the environment, or its default. */
static inline uint64_t
setting(const char *name, uint64_t value)
{
	const char *text = getenv(name);

	return text == NULL ? value : strtoull(text, NULL, 10);
}

/*
 * Returns how often a random case is tried: `count` times SCALE of the environment (1), but at
 * least once.
 */
static inline uint64_t
rounds(uint64_t count)
{
	const char *scale = getenv("SCALE");
	uint64_t scaled = scale == NULL ? count : (uint64_t) (strtod(scale, NULL) * (double) count);

	return scaled > 0 ? scaled : 1;
}

#endif /* TED_TEST_CORE_RANDOM_H */
