/*
 * single_path_plain.c
 *	  Blocks of lanes with the vectors that the compiler makes for every processor.
 */
#include <string.h>

#include "single_path.h"

#define METHODS ted_single_path_plain
#define TARGET

/* Vectors of 4, which every processor has that has any. */
typedef int32_t Four __attribute__((vector_size(16)));
typedef uint32_t Unsigned __attribute__((vector_size(16)));

typedef struct Vec
{
	Four a;
	Four b;
	Four c;
	Four d;
} Vec;

static inline Four
load(const int32_t *p)
{
	Four v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static inline Vec
v_load(const int32_t *p)
{
	return (Vec){load(p), load(p + 4), load(p + 8), load(p + 12)};
}

static inline void
v_store(int32_t *p, Vec v)
{
	memcpy(p, &v, sizeof(v));
}

static inline Vec
v_set(int32_t number)
{
	Four v = number - (Four){0};

	return (Vec){v, v, v, v};
}

/* Lanes without a forest may overflow. */
static inline Four
add(Four a, Four b)
{
	return (Four) ((Unsigned) a + (Unsigned) b);
}

static inline Vec
v_add(Vec v, Vec w)
{
	return (Vec){add(v.a, w.a), add(v.b, w.b), add(v.c, w.c), add(v.d, w.d)};
}

/* The first where the mask is set, else the second. */
static inline Four
mix(Four mask, Four a, Four b)
{
	return (a & mask) | (b & ~mask);
}

static inline Vec
v_min(Vec v, Vec w)
{
	return (Vec){mix(v.a < w.a, v.a, w.a), mix(v.b < w.b, v.b, w.b), mix(v.c < w.c, v.c, w.c),
				 mix(v.d < w.d, v.d, w.d)};
}

static inline Vec
v_count(int32_t number)
{
	Four v = number + (Four){0, 1, 2, 3};

	return (Vec){v, v + 4, v + 8, v + 12};
}

static inline Vec
v_from(Vec v, Vec w, Vec lanes, int32_t number)
{
	return (Vec){mix(lanes.a < number, v.a, w.a), mix(lanes.b < number, v.b, w.b),
				 mix(lanes.c < number, v.c, w.c), mix(lanes.d < number, v.d, w.d)};
}

static void
flip(const int32_t *from, int32_t *to, ptrdiff_t stride)
{
	const int32_t last = TED_PATH_LANES - 1;

	for (int32_t r = 0; r <= last; r++)
		for (int32_t i = 0; i <= last; i++)
			to[r * stride + i] = from[(last - i) * stride + last - r];
}

#include "single_path_template.h"
