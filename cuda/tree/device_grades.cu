/*
 * device_grades.cu
 *	  Costs of renaming labels: a block compares one kind of labels with others.
 *
 * Texts are compared by words of 64 symbols: the Levenshtein distance after Myers (1999) and
 * Hyyro (2003), the longest common subsequence after Hyyro (2004).  The text of the row is
 * the pattern, and each thread compares it with texts of its own.  Rows are in ascending
 * order of the lengths of their texts, and each row is compared with the columns from its
 * own place on.  So the pattern is the shorter text, and threads that run together have
 * texts of about the same length.
 */
#include "../../src/core/tree/label_traits.h"
#include "device_grades.h"

/* Threads of a block. */
constexpr int GRADE_THREADS = 256;

/* Words of a table in shared memory, which is that of a pattern of one word. */
constexpr int SHORT_TABLE = WORD_SYMBOLS + 1;

/*
 * The text of the row.  Each symbol has a place: 0 if the text does not have it; else from 1
 * on, by its code or, in a text with fewer symbols than there are codes, by its last
 * occurrence.  The words at a place have a bit for each occurrence of the symbol.
 */
struct Pattern
{
	const unsigned *place; /* place by code */
	uint64_t *table;       /* [place][words] */
	int length;
	int words;
};

/* Returns the number of places in the table of a pattern. */
static __host__ __device__ int
table_places(int length, int codes)
{
	return (length < codes ? length : codes) + 1;
}

/* Returns the bytes of the table. */
static __host__ __device__ int64_t
grade_table_bytes(int length, int codes)
{
	return (int64_t) sizeof(uint64_t) * table_places(length, codes) * pattern_words(length);
}

/*
 * Returns the bytes of scratch memory that a block takes for a pattern: its table, and two
 * words for each thread and word of the pattern.
 */
int64_t
grade_scratch_bytes(int64_t length, int32_t codes)
{
	if (length <= WORD_SYMBOLS)
		return 0;
	return grade_table_bytes((int) length, codes) +
		   2 * (int64_t) sizeof(uint64_t) * GRADE_THREADS * pattern_words(length);
}

/* Makes the pattern of a text, by all threads of a block. */
static __device__ void
make_pattern(Pattern &pattern, unsigned *place, const uint16_t *text, int codes)
{
	for (int code = threadIdx.x; code < codes; code += GRADE_THREADS)
		place[code] = 0;
	for (int i = threadIdx.x; i < table_places(pattern.length, codes) * pattern.words;
		 i += GRADE_THREADS)
		pattern.table[i] = 0;
	__syncthreads();
	for (int i = threadIdx.x; i < pattern.length; i += GRADE_THREADS)
		atomicMax(&place[text[i]], (unsigned) (pattern.length < codes ? i : text[i]) + 1);
	__syncthreads();
	for (int i = threadIdx.x; i < pattern.length; i += GRADE_THREADS)
		atomicOr((unsigned long long *) &pattern
					 .table[(int64_t) place[text[i]] * pattern.words + i / WORD_SYMBOLS],
				 1ull << i % WORD_SYMBOLS);
	__syncthreads();
}

/* Returns the bit of the last symbol in the last word. */
static __device__ uint64_t
last_bit(const Pattern &pattern)
{
	return 1ull << (pattern.length - 1) % WORD_SYMBOLS;
}

/* Returns the Levenshtein distance from a pattern of one word. */
static __device__ int
short_levenshtein(const Pattern &pattern, const uint16_t *text, int length)
{
	const uint64_t last = last_bit(pattern);
	uint64_t more = ~0ull; /* rows whose cell is greater by one than the cell above; less */
	uint64_t less = 0;
	int distance = pattern.length;

	for (int i = 0; i < length; i++)
	{
		const uint64_t equal = pattern.table[pattern.place[text[i]]];
		const uint64_t diagonal = (((equal & more) + more) ^ more) | equal | less;
		const uint64_t right_more = less | ~(diagonal | more);
		const uint64_t right_less = diagonal & more;
		const uint64_t moved = right_more << 1 | 1;

		distance += ((right_more & last) != 0) - ((right_less & last) != 0);
		more = right_less << 1 | ~(diagonal | moved);
		less = moved & diagonal;
	}
	return distance;
}

/* Returns the length of a longest common subsequence with a pattern of one word. */
static __device__ int
short_common(const Pattern &pattern, const uint16_t *text, int length)
{
	uint64_t row = ~0ull;

	for (int i = 0; i < length; i++)
	{
		const uint64_t equal = row & pattern.table[pattern.place[text[i]]];

		row = (row + equal) | (row - equal);
	}
	return __popcll(~row);
}

/* The words of a thread; word i of all threads are side by side. */
struct ThreadWords
{
	uint64_t *words;

	__device__ uint64_t &
	operator[](int number) const
	{
		return words[number * GRADE_THREADS + threadIdx.x];
	}
};

/* Returns the Levenshtein distance from a pattern of several words. */
static __device__ int
long_levenshtein(const Pattern &pattern, uint64_t *scratch, const uint16_t *text, int length)
{
	const ThreadWords all_more = {scratch};
	const ThreadWords all_less = {scratch + pattern.words * GRADE_THREADS};
	const uint64_t last = last_bit(pattern);
	int distance = pattern.length;

	for (int word = 0; word < pattern.words; word++)
	{
		all_more[word] = ~0ull;
		all_less[word] = 0;
	}
	for (int i = 0; i < length; i++)
	{
		const uint64_t *equals = pattern.table + (int64_t) pattern.place[text[i]] * pattern.words;
		int step = 1; /* difference along the row above, from left to right */

		for (int word = 0; word < pattern.words; word++)
		{
			const uint64_t mark = word == pattern.words - 1 ? last : 1ull << (WORD_SYMBOLS - 1);
			const uint64_t more = all_more[word];
			const uint64_t less = all_less[word];
			const uint64_t equal = equals[word] | (uint64_t) (step < 0);
			const uint64_t vertical = equals[word] | less;
			const uint64_t diagonal = (((equal & more) + more) ^ more) | equal;
			const uint64_t right_more = less | ~(diagonal | more);
			const uint64_t right_less = diagonal & more;
			const uint64_t moved_more = right_more << 1 | (uint64_t) (step > 0);
			const uint64_t moved_less = right_less << 1 | (uint64_t) (step < 0);

			step = ((right_more & mark) != 0) - ((right_less & mark) != 0);
			all_more[word] = moved_less | ~(vertical | moved_more);
			all_less[word] = moved_more & vertical;
		}
		distance += step;
	}
	return distance;
}

/* Returns the length of a longest common subsequence with a pattern of several words. */
static __device__ int
long_common(const Pattern &pattern, uint64_t *scratch, const uint16_t *text, int length)
{
	const ThreadWords row = {scratch};
	int common = 0;

	for (int word = 0; word < pattern.words; word++)
		row[word] = ~0ull;
	for (int i = 0; i < length; i++)
	{
		const uint64_t *equals = pattern.table + (int64_t) pattern.place[text[i]] * pattern.words;
		uint64_t carry = 0;

		for (int word = 0; word < pattern.words; word++)
		{
			const uint64_t before = row[word];
			const uint64_t equal = before & equals[word];
			const uint64_t sum = before + equal;

			row[word] = (sum + carry) | (before - equal);
			carry = (uint64_t) (sum < before) | (uint64_t) (sum + carry < sum);
		}
	}
	for (int word = 0; word < pattern.words; word++)
		common += __popcll(~row[word]);
	return common;
}

static_assert(TED_TEXT_MEASURES == 3, "measured() knows all measures of texts");

/* Returns the measure of a pattern and a text. */
static __device__ int
measured(int measure, const Pattern &pattern, uint64_t *scratch, const uint16_t *text, int length)
{
	if (measure == TED_TEXTS_LCS)
	{
		if (pattern.length == 0)
			return 0;
		return pattern.words == 1 ? short_common(pattern, text, length)
								  : long_common(pattern, scratch, text, length);
	}
	if (pattern.length == 0)
		return length;
	return pattern.words == 1 ? short_levenshtein(pattern, text, length)
							  : long_levenshtein(pattern, scratch, text, length);
}

/* Returns the cost of renaming labels of one kind to another, or TED_NEVER_RENAMED. */
static __device__ int
graded_rename_cost(const GradedKind &kind, const GradedKind &other, const Pattern &pattern,
				   uint64_t *scratch, const uint16_t *texts)
{
	const int cost = max(kind.rename, other.rename);

	if (kind.like >= 0 && kind.like == other.like)
		return 0;
	if (cost == TED_NEVER_RENAMED)
		return cost;
	if (!isnan(kind.number) && !isnan(other.number))
		return ted_number_cost(kind.number, other.number, cost);
	if (kind.measure == TED_TEXTS_EXACT || kind.measure != other.measure)
		return cost;
	return ted_text_cost((TedTextMeasure) kind.measure,
						 measured(kind.measure, pattern, scratch, texts + other.text, other.length),
						 kind.length, other.length, cost);
}

/* Writes a cost to a place of both tables, that of swapped trees second. */
static __device__ void
write_cost(const GradeWork &work, int64_t place, int cost, int swapped)
{
	if (work.wide)
	{
		((int32_t *) work.rename[0])[place] = cost;
		((int32_t *) work.rename[1])[place] = swapped;
	}
	else
	{
		((int16_t *) work.rename[0])[place] = (int16_t) cost;
		((int16_t *) work.rename[1])[place] = (int16_t) swapped;
	}
}

/* Enters the cost of mapping labels of one kind to those of another, less that of an insertion. */
static __device__ void
enter_cost(const GradeWork &work, int64_t row, int64_t column, int cost)
{
	const GradedKind &from = work.kinds[row];
	const GradedKind &to = work.kinds[column];

	write_cost(work, row * work.stride + column, min(cost, from.remove + to.insert) - to.insert,
			   min(cost, to.remove + from.insert) - to.remove);
}

/* Enters the cost of mapping labels of a kind to equal ones, less that of an insertion. */
static __device__ void
enter_equal(const GradeWork &work, int64_t column)
{
	write_cost(work, (int64_t) work.stride * work.stride + column, -work.kinds[column].insert,
			   -work.kinds[column].remove);
}

/* Compares the kind of each block's row with the others. */
static __global__ void
__launch_bounds__(GRADE_THREADS) grade_rows(const GradeWork work)
{
	extern __shared__ uint64_t grade_shared[];
	unsigned *place = (unsigned *) (grade_shared + SHORT_TABLE);
	const int row = work.order[work.first + blockIdx.x];
	const GradedKind kind = work.kinds[row];
	uint64_t *scratch = (uint64_t *) (work.scratch + blockIdx.x * work.scratch_bytes);
	Pattern pattern = {place, grade_shared, kind.length, (int) pattern_words(kind.length)};

	if (pattern.words > 1)
	{
		pattern.table = scratch;
		scratch += grade_table_bytes(kind.length, work.codes) / sizeof(uint64_t);
	}
	if (kind.measure != TED_TEXTS_EXACT)
		make_pattern(pattern, place, work.texts + kind.text, work.codes);
	if (threadIdx.x == 0 && row >= work.known)
		enter_equal(work, row);
	for (int at = work.first + (int) (blockIdx.x + threadIdx.x); at < work.count;
		 at += GRADE_THREADS)
	{
		const int column = work.order[at];
		int cost = kind.rename;

		if (row < work.known && column < work.known)
			continue;
		if (pattern.words > 1 && *work.cancel)
			return;
		if (column != row)
			cost = graded_rename_cost(kind, work.kinds[column], pattern, scratch, work.texts);
		enter_cost(work, row, column, cost);
		enter_cost(work, column, row, cost);
	}
}

/* Starts the kernel. */
cudaError_t
grade_launch(const GradeWork &work, int32_t rows, cudaStream_t stream)
{
	const size_t shared = sizeof(uint64_t) * SHORT_TABLE + sizeof(unsigned) * (size_t) work.codes;
	cudaError_t status =
		cudaFuncSetAttribute(grade_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, (int) shared);

	if (status == cudaSuccess)
	{
		grade_rows<<<rows, GRADE_THREADS, shared, stream>>>(work);
		status = cudaGetLastError();
	}
	return status;
}
