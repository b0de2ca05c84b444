/*
 * string_statistics.c
 *	  Estimates from PostgreSQL's own statistics of a column of strings.
 *
 * The most common values and the bounds of the histogram are a sample of the
 * column.  Common values are compared with the string, or with one another where it
 * is not known.  Of the others, a sample of a hundred has next to none that is within
 * a threshold of interest, so their similarities are taken to have a normal
 * distribution, whose mean and variance the sample tells, but a longer tail.  On top of that, there
 *are variants of the same string, of which a sample knows nothing.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/selfuncs.h"

#include "../compat.h"
#include "../string/lcs_threshold.h"
#include "../string/strings.h"
#include "string_statistics.h"

/* Values that are looked at, of either kind, and strings that stand for one that is not known. */
#define MOST_COMMON 100
#define MOST_BOUNDS 40
#define MOST_QUERIES 6

/* Bytes of a sample of long values, of which there are fewer then; symbols of a string that is
 * compared. */
#define SAMPLE_BYTES 10000
#define LEAST_SAMPLE 8
#define MOST_SYMBOLS 4096

/* Share of a column that are variants of a string, for each part of its symbols that may change. */
#define VARIANTS_SHARE 5e-5

/* By how much the tail of similarities is longer than that of a normal distribution. */
#define LONGER_TAIL 1.25

/* Least number of histogram bounds within a threshold from which a share is told. */
#define ENOUGH_BOUNDS 2

/* A value of the sample. */
typedef struct SampleString
{
	Symbols symbols;
	double share; /* of the column that it stands for */
} SampleString;

/* What statistics tell of a column. */
typedef struct StringSample
{
	const StringType *type;
	LabelTable *tokens;
	SampleString *common;
	int common_count;
	SampleString *bound;
	int bound_count;
	double uncommon; /* share of what is not NULL that is not a common value */
	double distinct; /* number of distinct values */
} StringSample;

/* How strings of a type are read; NULL if it is not one of strings. */
static const StringType *
StringTypeOf(Oid type)
{
	switch (getBaseType(type))
	{
		case TEXTOID:
		case VARCHAROID:
			return &StringOfText;
		case BYTEAOID:
			return &StringOfBytea;
		case TEXTARRAYOID:
			return &StringOfTextArray;
		case INT4ARRAYOID:
			return &StringOfIntArray;
		case INT8ARRAYOID:
			return &StringOfBigintArray;
		default:
			return NULL;
	}
}

/* Reads a value; false if it is an array that cannot be compared. */
static bool
ReadString(const StringSample *sample, Datum value, Symbols *symbols)
{
	if (sample->type != &StringOfText && sample->type != &StringOfBytea)
	{
		ArrayType *array = DatumGetArrayTypeP(value);

		if (ARR_NDIM(array) > 1 || array_contains_nulls(array))
			return false;
	}
	*symbols = sample->type->read(value, sample->tokens, true);
	return true;
}

/* Reads values of one kind, evenly spread, up to a number. */
static SampleString *
ReadValues(const StringSample *sample, HeapTuple statistics, int kind, int most, int *count,
		   double *total)
{
	AttStatsSlot slot;
	SampleString *strings;

	*count = 0;
	if (!get_attstatsslot(&slot, statistics, kind, InvalidOid,
						  kind == STATISTIC_KIND_MCV ? ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS
													 : ATTSTATSSLOT_VALUES))
		return NULL;
	strings = palloc_array(SampleString, most);
	for (int i = 0; i < slot.nnumbers; i++)
		*total += slot.numbers[i];
	for (int i = 0; i < Min(slot.nvalues, most) && StringTypeOf(slot.valuetype) == sample->type;
		 i++)
	{
		int chosen = (int) ((int64) i * slot.nvalues / Min(slot.nvalues, most));
		SampleString *string = &strings[*count];

		if (!ReadString(sample, slot.values[chosen], &string->symbols))
			continue;
		string->share = chosen < slot.nnumbers ? slot.numbers[chosen] : 0;
		(*count)++;
	}
	free_attstatsslot(&slot);
	return strings;
}

/* Reads the sample that statistics of an expression are; false if there are none. */
static bool
ReadSample(PlannerInfo *root, Node *expression, StringSample *sample)
{
	VariableStatData variable;
	double common = 0;
	bool is_default;

	sample->type = StringTypeOf(exprType(expression));
	sample->common_count = sample->bound_count = 0;
	examine_variable(root, expression, 0, &variable);
	if (sample->type != NULL && HeapTupleIsValid(variable.statsTuple) && variable.acl_ok)
	{
		Form_pg_statistic statistics = (Form_pg_statistic) GETSTRUCT(variable.statsTuple);
		double filled = 1 - statistics->stanullfrac;
		int most = Max(SAMPLE_BYTES / Max(statistics->stawidth, 1), LEAST_SAMPLE);
		double none = 0;

		sample->tokens = sample->type->numbered ? LabelTableCreate() : NULL;
		sample->common = ReadValues(sample, variable.statsTuple, STATISTIC_KIND_MCV,
									Min(most, MOST_COMMON), &sample->common_count, &common);
		sample->bound = ReadValues(sample, variable.statsTuple, STATISTIC_KIND_HISTOGRAM,
								   Min(most, MOST_BOUNDS), &sample->bound_count, &none);
		for (int i = 0; i < sample->common_count && filled > 0; i++)
			sample->common[i].share /= filled;
		sample->uncommon = filled > 0 ? Max(1 - common / filled, 0) : 0;
		for (int i = 0; i < sample->bound_count; i++)
			sample->bound[i].share = sample->uncommon / sample->bound_count;
		sample->distinct = get_variable_numdistinct(&variable, &is_default);
	}
	ReleaseVariableStats(variable);
	return sample->common_count + sample->bound_count > 0;
}

/* The similarities of a string and the bounds of a histogram, and which of these it needs. */
typedef struct Similarities
{
	double actual[MOST_BOUNDS];
	double least[MOST_BOUNDS]; /* above 1 where none will do */
	int within;
	double mean;
	double deviation;
} Similarities;

/* Compares a string with the bounds of a histogram. */
static void
CompareBounds(const StringSample *sample, Symbols query, const DocumentThreshold *threshold,
			  Similarities *result)
{
	double sum = 0;
	double squares = 0;

	result->within = 0;
	for (int i = 0; i < sample->bound_count; i++)
	{
		Symbols bound = sample->bound[i].symbols;
		int64 total = (int64) query.count + bound.count;
		int64 least = LeastCommon(threshold, total);
		int32 common = StringsLength(query, bound, 0);

		result->actual[i] = LcsSimilarity(common, total);
		result->least[i] = least > Min(query.count, bound.count) ? 2 : LcsSimilarity(least, total);
		result->within += common >= least;
		sum += result->actual[i];
		squares += result->actual[i] * result->actual[i];
	}
	result->mean = sum / sample->bound_count;
	result->deviation =
		sqrt(Max(squares / sample->bound_count - result->mean * result->mean, 1e-4));
}

/* Share of the values that are not common that are within a threshold of a string. */
static double
UncommonShare(const StringSample *sample, Symbols query, const DocumentThreshold *threshold)
{
	Similarities similarities;
	double share = 0;

	if (sample->bound_count == 0)
		return 0;
	CompareBounds(sample, query, threshold, &similarities);
	for (int i = 0; i < sample->bound_count; i++)
	{
		double least = similarities.least[i];
		double tail = 0.5 * erfc((least - similarities.mean) /
								 (LONGER_TAIL * similarities.deviation) / sqrt(2.0));

		if (least <= 1)
			share += tail;
	}
	share /= sample->bound_count;
	if (similarities.within >= ENOUGH_BOUNDS)
		share = Max(share, (double) similarities.within / sample->bound_count);
	return share;
}

/* Share of a column that is within a threshold of a string. */
static double
ShareWithin(const StringSample *sample, Symbols query, const DocumentThreshold *threshold)
{
	double change =
		1 - LcsSimilarity(LeastCommon(threshold, 2 * (int64) query.count), 2 * (int64) query.count);
	double share = sample->uncommon * UncommonShare(sample, query, threshold);

	for (int i = 0; i < sample->common_count; i++)
	{
		Symbols common = sample->common[i].symbols;
		int64 least = LeastCommon(threshold, (int64) query.count + common.count);

		CHECK_FOR_INTERRUPTS();
		if (least <= Min(query.count, common.count) &&
			StringsLength(query, common, (int32) least) != LCS_BELOW)
			share += sample->common[i].share;
	}
	/* equal strings and variants */
	share += sample->uncommon * (1 / Max(sample->distinct, 1) + VARIANTS_SHARE * Max(change, 0));
	return Min(share, 1);
}

/* Share of a column that is within a threshold of strings like those of a sample. */
static double
ShareWithinAny(const StringSample *sample, const StringSample *queries,
			   const DocumentThreshold *threshold)
{
	double weight = 0;
	double sum = 0;

	for (int kind = 0; kind < 2; kind++)
	{
		const SampleString *strings = kind == 0 ? queries->common : queries->bound;
		int count = kind == 0 ? queries->common_count : queries->bound_count;
		int chosen = Min(count, MOST_QUERIES);
		double of_kind = 0;
		double own_weight = 0;

		for (int i = 0; i < chosen; i++)
		{
			const SampleString *query = &strings[(int64) i * count / chosen];

			of_kind += query->share * ShareWithin(sample, query->symbols, threshold);
			own_weight += query->share;
		}
		if (own_weight == 0)
			continue;
		weight += kind == 0 ? 1 - queries->uncommon : queries->uncommon;
		sum += of_kind / own_weight * (kind == 0 ? 1 - queries->uncommon : queries->uncommon);
	}
	return weight > 0 ? sum / weight : -1;
}

/* Share of pairs by the statistics of one of the two expressions. */
static double
EstimateBySide(PlannerInfo *root, Node *expression, Node *other, const DocumentThreshold *threshold)
{
	Node *value = estimate_expression_value(root, other);
	StringSample sample;
	Symbols query;

	if (!ReadSample(root, expression, &sample))
		return -1;
	if (!IsA(value, Const))
		return ShareWithinAny(&sample, &sample, threshold);
	if (((Const *) value)->constisnull ||
		!ReadString(&sample, ((Const *) value)->constvalue, &query))
		return 0;
	return query.count <= MOST_SYMBOLS ? ShareWithin(&sample, query, threshold) : -1;
}

/* Share of pairs by the statistics of one of the expressions that are compared. */
double
EstimateFromStatistics(PlannerInfo *root, Node *a, Node *b, const DocumentThreshold *threshold)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context =
		AllocSetContextCreate(caller, "statistics of strings", ALLOCSET_DEFAULT_SIZES);
	double share;
	double other;

	MemoryContextSwitchTo(context);
	share = EstimateBySide(root, a, b, threshold);
	other = EstimateBySide(root, b, a, threshold);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return share < 0 ? other : other < 0 ? share : Min(share, other);
}
