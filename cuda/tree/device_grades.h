/*
 * device_grades.h
 *	  Costs of renaming labels, computed on a device.
 */
#ifndef TED_DEVICE_GRADES_H
#define TED_DEVICE_GRADES_H

#include <cuda_runtime.h>

#include <cstdint>

#include "layout.h"

/* A kind of labels; see TedDeviceKind. */
struct alignas(8) GradedKind
{
	int32_t insert;
	int32_t remove;
	int32_t rename;
	int32_t like;
	int32_t measure;
	int32_t length;
	int64_t text; /* index of the first code of the text */
	double number;
};

/* Symbols of a text in one word. */
constexpr int WORD_SYMBOLS = 64;

/* Returns the number of words of a pattern. */
static inline LAYOUT_INLINE constexpr int64_t
pattern_words(int64_t length)
{
	return (length + WORD_SYMBOLS - 1) / WORD_SYMBOLS;
}

/*
 * Arguments of the kernel, which has a block for each row.  A block compares the kind of its
 * row with those after it in the order, unless the costs of both are known.
 */
struct GradeWork
{
	const GradedKind *kinds;
	const uint16_t *texts; /* codes of symbols, less than `codes` */
	int32_t codes;
	int32_t count;
	int32_t known;
	const int32_t *order; /* kinds in ascending order of the lengths of their texts */
	int32_t first;        /* place in the order of the first block's row */
	int32_t stride;       /* of a row of the table of costs */
	int32_t wide;         /* costs have 32 bits, not 16 */
	void *rename[2];      /* see LabelTable; the same if insertions cost what deletions cost */
	char *scratch;        /* scratch memory of each block, for patterns of several words */
	int64_t scratch_bytes;
	const volatile int *cancel;
};

/*
 * Returns the bytes of scratch memory that a block takes for a pattern, with this number of
 * codes.
 */
int64_t grade_scratch_bytes(int64_t length, int32_t codes);

/* The greatest number of codes: shared memory has a place for each. */
constexpr int32_t MOST_CODES = 24000;

/* Starts the kernel for this number of rows. */
cudaError_t grade_launch(const GradeWork &work, int32_t rows, cudaStream_t stream);

#endif /* TED_DEVICE_GRADES_H */
