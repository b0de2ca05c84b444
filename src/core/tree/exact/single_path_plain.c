/*
 * single_path_plain.c
 *	  Blocks of lanes by vectors of 4 numbers, which every processor with vectors supports.
 */
#include "single_path.h"

#define METHODS ted_single_path_plain
#define TARGET
#define LANES 4

#include "single_path_template.h"

#ifdef TED_NEON

/* Transposes a square of 4 rows and lanes, both in reverse order. */
static void
flip_square(const int32_t *from, int32_t *to, ptrdiff_t stride)
{
	int64x2_t pair[4];

	for (int i = 0; i < 4; i += 2)
	{
		int32x4_t a = vld1q_s32(from + (3 - i) * stride);
		int32x4_t b = vld1q_s32(from + (2 - i) * stride);

		pair[i] = vreinterpretq_s64_s32(vzip1q_s32(a, b));
		pair[i + 1] = vreinterpretq_s64_s32(vzip2q_s32(a, b));
	}
	for (int i = 0; i < 2; i++)
	{
		vst1q_s32(to + (3 - 2 * i) * stride,
				  vreinterpretq_s32_s64(vzip1q_s64(pair[i], pair[i + 2])));
		vst1q_s32(to + (2 - 2 * i) * stride,
				  vreinterpretq_s32_s64(vzip2q_s64(pair[i], pair[i + 2])));
	}
}

/* Transposes a block square by square. */
static void
flip(const int32_t *from, int32_t *to, ptrdiff_t stride)
{
	for (int i = 0; i < TED_PATH_LANES; i += 4)
		for (int j = 0; j < TED_PATH_LANES; j += 4)
			flip_square(from + i * stride + j,
						to + (TED_PATH_LANES - 4 - j) * stride + TED_PATH_LANES - 4 - i, stride);
}

#else

/* Transposes a block number by number. */
static void
flip(const int32_t *from, int32_t *to, ptrdiff_t stride)
{
	const int32_t last = TED_PATH_LANES - 1;

	for (int32_t r = 0; r <= last; r++)
		for (int32_t i = 0; i <= last; i++)
			to[r * stride + i] = from[(last - i) * stride + last - r];
}

#endif
