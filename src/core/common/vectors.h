/*
 * vectors.h
 *	  Operations on vectors of numbers, the same for all processors.
 *
 * The file that includes this defines TARGET (the attribute of all functions), NUMBER_BITS (16 or
 * 32), and LANES, the number of numbers in a vector.  A vector has 64 bytes for AVX-512, 32 for
 * AVX2, and 16 for NEON, SSE2, and processors without vectors.
 *
 * Vectors are vector types of the compiler (vector_size).  Intrinsics are used where the compiler
 * generates more instructions for the same expression in C. One case is the minimum, for which gcc
 * 12 compares and blends.  Another one is masks, for which AVX-512 has registers.
 */
#ifndef TED_VECTORS_H
#define TED_VECTORS_H

#include "simd.h"

#ifdef __SSE2__
#include <immintrin.h>
#elif defined(TED_NEON)
#include <arm_neon.h>
#endif

#if NUMBER_BITS == 16
#define NUMBER int16_t
#define UNSIGNED uint16_t
#define NUMBER_MAX INT16_MAX
#else
#define NUMBER int32_t
#define UNSIGNED uint32_t
#define NUMBER_MAX INT32_MAX
#endif

#define VECTOR_BYTES (LANES * NUMBER_BITS / 8)

typedef NUMBER Vec __attribute__((vector_size(VECTOR_BYTES)));
typedef UNSIGNED UnsignedVec __attribute__((vector_size(VECTOR_BYTES)));
typedef NUMBER Unaligned
	__attribute__((vector_size(VECTOR_BYTES), aligned(NUMBER_BITS / 8), may_alias));

/* Loads a vector from an address that need not be aligned. */
TARGET static inline Vec
v_load(const NUMBER *p)
{
	return *(const Unaligned *) p;
}

/* Stores a vector to an address that need not be aligned. */
TARGET static inline void
v_store(NUMBER *p, Vec v)
{
	*(Unaligned *) p = v;
}

/* Returns a vector with one number in all lanes. */
TARGET static inline Vec
v_set(NUMBER number)
{
	return number - (Vec){0};
}

/* Adds two vectors; sums that overflow wrap around. */
TARGET static inline Vec
v_add(Vec a, Vec b)
{
	return (Vec) ((UnsignedVec) a + (UnsignedVec) b);
}

/* Returns, lane by lane, b where the condition, a comparison of vectors, is true, else a. */
TARGET static inline Vec
v_choose(Vec a, Vec b, Vec condition)
{
	return (a & ~condition) | (b & condition);
}

/* Bytes between a lane and the lane 2^step after it. */
#define V_DISTANCE(step) ((NUMBER_BITS / 8) << (step))

/*
 * Operations by intrinsics:
 *	v_min		the smaller numbers of two vectors
 *	v_mix		the second vector in lanes whose bit in the mask is set, else the first
 *	v_up		all numbers moved up by 2^step lanes; the lowest 2^step lanes become large,
 *				or stay as they are
 *	v_last		the last number in all lanes
 */
#if VECTOR_BYTES == 64 && NUMBER_BITS == 16

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return (Vec) _mm512_min_epi16((__m512i) a, (__m512i) b);
}

TARGET static inline Vec
v_mix(Vec a, Vec b, uint32_t mask)
{
	return (Vec) _mm512_mask_mov_epi16((__m512i) a, mask, (__m512i) b);
}

/* The lane 2^step to the left of a lane, or the lane itself where there is none. */
#define LEFT_OF(step, lane) ((lane) >= 1 << (step) ? (lane) - (1 << (step)) : (lane))
#define LEFT_OF_4(step, lane)                                                                      \
	LEFT_OF(step, lane), LEFT_OF(step, (lane) + 1), LEFT_OF(step, (lane) + 2),                     \
		LEFT_OF(step, (lane) + 3)
#define LEFT_OF_ALL(step)                                                                          \
	{                                                                                              \
		LEFT_OF_4(step, 0), LEFT_OF_4(step, 4), LEFT_OF_4(step, 8), LEFT_OF_4(step, 12),           \
			LEFT_OF_4(step, 16), LEFT_OF_4(step, 20), LEFT_OF_4(step, 24), LEFT_OF_4(step, 28)     \
	}

static const int16_t left_of[5][LANES] = {LEFT_OF_ALL(0), LEFT_OF_ALL(1), LEFT_OF_ALL(2),
										  LEFT_OF_ALL(3), LEFT_OF_ALL(4)};

TARGET static inline Vec
v_up(Vec v, int step)
{
	return (Vec) _mm512_permutexvar_epi16((__m512i) v_load(left_of[step]), (__m512i) v);
}

TARGET static inline Vec
v_last(Vec v)
{
	return (Vec) _mm512_permutexvar_epi16((__m512i) v_set(LANES - 1), (__m512i) v);
}

#elif VECTOR_BYTES == 64

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return (Vec) _mm512_min_epi32((__m512i) a, (__m512i) b);
}

TARGET static inline Vec
v_mix(Vec a, Vec b, uint32_t mask)
{
	return (Vec) _mm512_mask_mov_epi32((__m512i) a, (__mmask16) mask, (__m512i) b);
}

TARGET static inline Vec
v_up(Vec v, int step)
{
	__m512i none = (__m512i) v_set(NUMBER_MAX);

	switch (step)
	{
		case 0:
			return (Vec) _mm512_alignr_epi32((__m512i) v, none, 15);
		case 1:
			return (Vec) _mm512_alignr_epi32((__m512i) v, none, 14);
		case 2:
			return (Vec) _mm512_alignr_epi32((__m512i) v, none, 12);
		default:
			return (Vec) _mm512_alignr_epi32((__m512i) v, none, 8);
	}
}

TARGET static inline Vec
v_last(Vec v)
{
	return (Vec) _mm512_permutexvar_epi32((__m512i) v_set(LANES - 1), (__m512i) v);
}

#elif VECTOR_BYTES == 32

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return NUMBER_BITS == 16 ? (Vec) _mm256_min_epi16((__m256i) a, (__m256i) b)
							 : (Vec) _mm256_min_epi32((__m256i) a, (__m256i) b);
}

TARGET static inline Vec
v_up(Vec v, int step)
{
	__m256i lower = _mm256_permute2x128_si256((__m256i) v_set(NUMBER_MAX), (__m256i) v, 0x20);

	switch (V_DISTANCE(step))
	{
		case 2:
			return (Vec) _mm256_alignr_epi8((__m256i) v, lower, 14);
		case 4:
			return (Vec) _mm256_alignr_epi8((__m256i) v, lower, 12);
		case 8:
			return (Vec) _mm256_alignr_epi8((__m256i) v, lower, 8);
		default:
			return (Vec) lower;
	}
}

TARGET static inline Vec
v_last(Vec v)
{
	return NUMBER_BITS == 16
			   ? (Vec) _mm256_shuffle_epi8(_mm256_permute4x64_epi64((__m256i) v, 0xff),
										   _mm256_set1_epi16(0x0706))
			   : (Vec) _mm256_permutevar8x32_epi32((__m256i) v, _mm256_set1_epi32(LANES - 1));
}

#elif defined(TED_NEON)

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return NUMBER_BITS == 16 ? (Vec) vminq_s16((int16x8_t) a, (int16x8_t) b)
							 : (Vec) vminq_s32((int32x4_t) a, (int32x4_t) b);
}

TARGET static inline Vec
v_up(Vec v, int step)
{
	int8x16_t large = (int8x16_t) v_set(NUMBER_MAX);

	switch (V_DISTANCE(step))
	{
		case 2:
			return (Vec) vextq_s8(large, (int8x16_t) v, 14);
		case 4:
			return (Vec) vextq_s8(large, (int8x16_t) v, 12);
		default:
			return (Vec) vextq_s8(large, (int8x16_t) v, 8);
	}
}

TARGET static inline Vec
v_last(Vec v)
{
	return NUMBER_BITS == 16 ? (Vec) vdupq_laneq_s16((int16x8_t) v, 7)
							 : (Vec) vdupq_laneq_s32((int32x4_t) v, 3);
}

#elif defined(__SSE2__) && NUMBER_BITS == 16

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return (Vec) _mm_min_epi16((__m128i) a, (__m128i) b);
}

TARGET static inline Vec
v_up(Vec v, int step)
{
	__m128i large = (__m128i) v_set(NUMBER_MAX);

	switch (V_DISTANCE(step))
	{
		case 2:
			return (Vec) _mm_or_si128(_mm_slli_si128((__m128i) v, 2), _mm_srli_si128(large, 14));
		case 4:
			return (Vec) _mm_or_si128(_mm_slli_si128((__m128i) v, 4), _mm_srli_si128(large, 12));
		default:
			return (Vec) _mm_or_si128(_mm_slli_si128((__m128i) v, 8), _mm_srli_si128(large, 8));
	}
}

TARGET static inline Vec
v_last(Vec v)
{
	__m128i last = _mm_shufflehi_epi16((__m128i) v, 0xFF);

	return (Vec) _mm_unpackhi_epi64(last, last);
}

#else

TARGET static inline Vec
v_min(Vec a, Vec b)
{
	return v_choose(b, a, a < b);
}

#endif

#if VECTOR_BYTES < 64

/* The bit of each lane in a mask. */
static const NUMBER lane_bits[] = {
	1 << 0, 1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
	1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, (NUMBER) (1 << 15)};

TARGET static inline Vec
v_mix(Vec a, Vec b, uint32_t mask)
{
	Vec bits = v_load(lane_bits);

#ifdef TED_NEON
	return v_choose(a, b,
					NUMBER_BITS == 16
						? (Vec) vtstq_s16((int16x8_t) v_set((NUMBER) mask), (int16x8_t) bits)
						: (Vec) vtstq_s32((int32x4_t) v_set((NUMBER) mask), (int32x4_t) bits));
#else
	return v_choose(a, b, (v_set((NUMBER) mask) & bits) == bits);
#endif
}

#endif

#endif /* TED_VECTORS_H */
