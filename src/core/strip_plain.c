/*
 * strip_plain.c
 *	  Strips with what every processor has.
 */
#include "strip.h"

#define METHODS ted_strip_plain
#define TARGET

typedef struct Vec
{
	int32_t lane[TED_STRIP_LANES];
} Vec;

#define EVERY_LANE for (int32_t i = 0; i < TED_STRIP_LANES; i++)

static inline Vec
v_load(const int32_t *p)
{
	Vec v;

	EVERY_LANE v.lane[i] = p[i];
	return v;
}

static inline void
v_store(int32_t *p, Vec v)
{
	EVERY_LANE p[i] = v.lane[i];
}

static inline Vec
v_set(int32_t number)
{
	Vec v;

	EVERY_LANE v.lane[i] = number;
	return v;
}

/* Lanes without a forest may overflow. */
static inline Vec
v_add(Vec a, Vec b)
{
	EVERY_LANE a.lane[i] = (int32_t) ((uint32_t) a.lane[i] + (uint32_t) b.lane[i]);
	return a;
}

static inline Vec
v_min(Vec a, Vec b)
{
	EVERY_LANE a.lane[i] = a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i];
	return a;
}

static inline Vec
v_count(int32_t number)
{
	Vec v;

	EVERY_LANE v.lane[i] = number + i;
	return v;
}

static inline Vec
v_from(Vec a, Vec b, Vec lanes, int32_t number)
{
	EVERY_LANE a.lane[i] = lanes.lane[i] >= number ? b.lane[i] : a.lane[i];
	return a;
}

static void
flip(const int32_t *from, int32_t *to)
{
	const int32_t last = TED_STRIP_LANES - 1;

	for (int32_t r = 0; r <= last; r++)
		EVERY_LANE to[r * TED_STRIP_LANES + i] = from[(last - i) * TED_STRIP_LANES + last - r];
}

#include "strip_template.h"
