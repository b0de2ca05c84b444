/*
 * device_grades.h
 *	  Costs of renaming labels, as a device computes them.
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
	int64_t text; /* the first of its codes */
	double number;
};

/* Symbols of a text that one word has. */
constexpr int WORD_SYMBOLS = 64;

/* Words of a pattern. */
static inline LAYOUT_INLINE constexpr int64_t
pattern_words(int64_t length)
{
	return (length + WORD_SYMBOLS - 1) / WORD_SYMBOLS;
}

/*
 * Arguments of the kernel, which has a block for each row: it compares the kind of the row with
 * those that come after it, unless both are known.
 */
struct GradeWork
{
	const GradedKind *kinds;
	const uint16_t *texts; /* codes, below `codes` */
	int32_t codes;
	int32_t count;
	int32_t known;
	const int32_t *order; /* kinds by the lengths of their texts */
	int32_t first;        /* the first block's row is the kind at this place */
	int32_t stride;       /* of the table of costs */
	int32_t wide;         /* these are of 32 bits, not 16 */
	void *rename[2]; /* see LabelTable; both are the same where insertions cost what deletions do */
	char *scratch;   /* of each block: for patterns of several words */
	int64_t scratch_bytes;
	const volatile int *cancel;
};

/* Bytes of scratch memory that a block takes for a pattern, where there are `codes` codes. */
int64_t grade_scratch_bytes(int64_t length, int32_t codes);

/* Codes that there may be: shared memory has a place for each. */
constexpr int32_t MOST_CODES = 24000;

/* Starts the kernel for this number of rows. */
cudaError_t grade_launch(const GradeWork &work, int32_t rows, cudaStream_t stream);

#endif /* TED_DEVICE_GRADES_H */
