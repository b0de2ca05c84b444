/*
 * string_statistics.c
 *	  Estimates from PostgreSQL's own statistics of a column of strings.
 *
 * The most common values and the bounds of the histogram are a sample of the column.  Common
 * values are compared with the string, or with one another if the string is not known.  Of
 * the other values, hardly any of a sample of a hundred is within a threshold of interest.
 * But the sample shows how fast the number of strings decreases with their similarity: among
 * the tenth that misses the threshold least, the margins by which strings miss it are
 * assumed to have an exponential distribution.  Variants of the same string are estimated in
 * addition, since a sample does not contain any.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_statistic.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "nodes/nodeFuncs.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/selfuncs.h"

#include "../../compat.h"
#include "../../string/lcs_threshold.h"
#include "../../string/strings.h"
#include "string_statistics.h"

/*
 * The most common values and bounds that are read, and the most bounds and common values that
 * are compared with one another.
 */
#define MOST_COMMON 100
#define MOST_BOUNDS 100
#define MOST_PAIRED 40
#define MOST_QUERIES 6

/*
 * The most bytes of a sample, which has fewer values if these are long, and of the bounds that
 * are compared with one another; the least number of values; and the most symbols of a string
 * that is compared.
 */
#define SAMPLE_BYTES 10000
#define PAIRED_BYTES 6000
#define LEAST_SAMPLE 8
#define MOST_SYMBOLS 4096

/*
 * The number of variants of a string for each distinct value, times the share of symbols that
 * may change.
 */
#define VARIANTS 5.0

/*
 * Share of the pairs of a sample from which the tail is estimated, and the least number of
 * these pairs.
 */
#define TAIL_SHARE 0.1
#define LEAST_TAIL 4

/* A value of the sample. */
typedef struct SampleString
{
	Symbols symbols;
	double share; /* share of the column that is equal to a common value */
} SampleString;

/* Statistics of a column. */
typedef struct StringSample
{
	const StringType *type;
	Elements *elements; /* how elements of arrays are compared */
	SampleString *common;
	int common_count;
	SampleString *bound;
	int bound_count;
	double uncommon; /* share of the values other than NULL that are not common values */
	double distinct; /* number of distinct values */
	int most_paired; /* number of bounds that are compared with one another */
} StringSample;

/* Reads a value; returns false if it is an array that cannot be compared. */
static bool
ReadString(const StringSample *sample, Datum value, Symbols *symbols)
{
	if (sample->type->is_array)
	{
		ArrayType *array = DatumGetArrayTypeP(value);

		if (ARR_NDIM(array) > 1 || array_contains_nulls(array) ||
			ARR_ELEMTYPE(array) != sample->elements->type.type->type_id)
			return false;
	}
	*symbols = sample->type->read(value, sample->elements, true);
	return true;
}

/*
 * Reads up to `most` values of one kind of statistics, evenly spread, and adds the shares of
 * all values to `total`.
 */
static SampleString *
ReadValues(const StringSample *sample, HeapTuple statistics, int kind, int most, int *count,
		   double *total)
{
	AttStatsSlot slot;
	SampleString *strings;
	int chosen_count;

	*count = 0;
	if (!get_attstatsslot(&slot, statistics, kind, InvalidOid,
						  kind == STATISTIC_KIND_MCV ? ATTSTATSSLOT_VALUES | ATTSTATSSLOT_NUMBERS
													 : ATTSTATSSLOT_VALUES))
		return NULL;
	strings = palloc_array(SampleString, most);
	for (int i = 0; i < slot.nnumbers; i++)
		*total += slot.numbers[i];
	chosen_count = StringTypeOf(slot.valuetype) == sample->type ? Min(slot.nvalues, most) : 0;
	for (int i = 0; i < chosen_count; i++)
	{
		int chosen = (int) ((int64) i * slot.nvalues / chosen_count);
		SampleString *string = &strings[*count];

		if (!ReadString(sample, slot.values[chosen], &string->symbols))
			continue;
		string->share = chosen < slot.nnumbers ? slot.numbers[chosen] : 0;
		(*count)++;
	}
	free_attstatsslot(&slot);
	return strings;
}

/* Reads the sample from the statistics of an expression; returns false if there are none. */
static bool
ReadStringSample(PlannerInfo *root, Node *expression, StringSample *sample)
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
		int width = Max(statistics->stawidth, 1);
		int most = Max(SAMPLE_BYTES / width, LEAST_SAMPLE);
		double none = 0;
		Oid collation = exprCollation(expression);

		if (sample->type->is_array)
			sample->elements =
				CreateElements(get_element_type(getBaseType(exprType(expression))),
							   (OidIsValid(collation) ? collation : DEFAULT_COLLATION_OID));
		sample->common = ReadValues(sample, variable.statsTuple, STATISTIC_KIND_MCV,
									Min(most, MOST_COMMON), &sample->common_count, &common);
		sample->bound = ReadValues(sample, variable.statsTuple, STATISTIC_KIND_HISTOGRAM,
								   Min(most, MOST_BOUNDS), &sample->bound_count, &none);
		for (int i = 0; i < sample->common_count && filled > 0; i++)
			sample->common[i].share /= filled;
		sample->uncommon = filled > 0 ? Max(1 - common / filled, 0) : 0;
		sample->distinct = get_variable_numdistinct(&variable, &is_default);
		sample->most_paired = Min(Max(PAIRED_BYTES / width, LEAST_SAMPLE), MOST_PAIRED);
	}
	ReleaseVariableStats(variable);
	return sample->common_count + sample->bound_count > 0;
}

/*
 * The margins, in similarity, by which pairs of a sample miss a threshold; 0 or less if they
 * are within it.
 */
typedef struct Margins
{
	double *margin;
	int count;
} Margins;

/*
 * Returns the similarity that two strings with this total number of symbols need to be within a
 * threshold.
 */
static double
NeededSimilarity(const DocumentThreshold *threshold, int64 total)
{
	double by_distance = total == 0 ? 0 : 1 - threshold->max_distance / (double) total;

	return Max(threshold->min_similarity, by_distance);
}

/* Adds the margins between a string and the bounds of the histogram from `first` on. */
static void
AddMargins(Margins *margins, const StringSample *sample, int first, Symbols query,
		   const DocumentThreshold *threshold)
{
	for (int i = first; i < sample->bound_count; i++)
	{
		Symbols bound = sample->bound[i].symbols;
		int64 total = (int64) query.count + bound.count;
		int32 common;

		CHECK_FOR_INTERRUPTS();
		common = StringsLengthByCpu(query, bound, 0);
		if (2 * (int64) common < total) /* equal strings are counted elsewhere */
			margins->margin[margins->count++] =
				NeededSimilarity(threshold, total) - LcsSimilarity(common, total);
	}
}

/* Compares two margins for sorting in ascending order. */
static int
CompareMargins(const void *a, const void *b)
{
	double x = *(const double *) a;
	double y = *(const double *) b;

	return (x > y) - (x < y);
}

/* Estimates the share of pairs within the threshold from the margins of a sample. */
static double
TailShare(const Margins *margins)
{
	int count = margins->count;
	int tail = Min(Max((int) (TAIL_SHARE * count), LEAST_TAIL), count - 1);
	double edge;
	double below = 0;
	int within = 0;

	if (count == 0)
		return 0;
	qsort(margins->margin, count, sizeof(double), CompareMargins);
	edge = margins->margin[tail];
	while (within < count && margins->margin[within] <= 0)
		within++;
	for (int i = 0; i < tail; i++)
		below += edge - margins->margin[i];
	if (edge <= 0 || below <= 0)
		return (double) within / count;
	return (double) tail / count * exp(-edge * tail / below);
}

/* Returns the share of a column that is equal to common values within a threshold of a string. */
static double
CommonShare(const StringSample *sample, Symbols query, const DocumentThreshold *threshold)
{
	double share = 0;

	for (int i = 0; i < sample->common_count; i++)
	{
		Symbols common = sample->common[i].symbols;
		int64 least = LeastCommon(threshold, (int64) query.count + common.count);

		CHECK_FOR_INTERRUPTS();
		if (least <= Min(query.count, common.count) &&
			StringsLengthByCpu(query, common, (int32) least) != LCS_BELOW)
			share += sample->common[i].share;
	}
	return share;
}

/*
 * Estimates the share of the values that are not common and are equal to a string or variants
 * of it.
 */
static double
VariantShare(const StringSample *sample, Symbols query, const DocumentThreshold *threshold)
{
	double change = 1 - NeededSimilarity(threshold, 2 * (int64) query.count);

	return (1 + VARIANTS * Min(Max(change, 0), 1)) / Max(sample->distinct, 1);
}

/* Estimates the share of a column that is within a threshold of a string. */
static double
StringShareWithin(const StringSample *sample, Symbols query, const DocumentThreshold *threshold)
{
	Margins margins = {.margin = palloc_array(double, Max(sample->bound_count, 1))};

	AddMargins(&margins, sample, 0, query, threshold);
	return CommonShare(sample, query, threshold) +
		   sample->uncommon * (TailShare(&margins) + VariantShare(sample, query, threshold));
}

/* Keeps no more than `most_paired` bounds of the histogram, evenly spread. */
static void
ThinBounds(StringSample *sample)
{
	int count = sample->bound_count;
	int kept = Min(count, sample->most_paired);

	for (int i = 0; i < kept; i++)
		sample->bound[i] = sample->bound[(int64) i * count / kept];
	sample->bound_count = kept;
}

/*
 * Estimates the share of a column that is within a threshold of one of its values that are not
 * common.
 */
static double
ShareWithinUncommon(const StringSample *sample, const DocumentThreshold *threshold)
{
	int count = sample->bound_count;
	int chosen = Min(count, MOST_QUERIES);
	Margins margins = {.margin = palloc_array(double, Max(count * (count - 1) / 2, 1))};
	double sum = 0;

	for (int i = 0; i < count; i++)
		AddMargins(&margins, sample, i + 1, sample->bound[i].symbols, threshold);
	for (int i = 0; i < chosen; i++)
	{
		Symbols query = sample->bound[(int64) i * count / chosen].symbols;

		sum += CommonShare(sample, query, threshold) +
			   sample->uncommon * VariantShare(sample, query, threshold);
	}
	return (chosen > 0 ? sum / chosen : 0) + sample->uncommon * TailShare(&margins);
}

/*
 * Estimates the share of pairs of a column's values that are within a threshold; thins the
 * bounds.
 */
static double
ShareWithinAny(StringSample *sample, const DocumentThreshold *threshold)
{
	int chosen;
	double sum;
	double weight;

	ThinBounds(sample);
	/* the share within the threshold of a common value */
	chosen = Min(sample->common_count, MOST_QUERIES);
	sum = 0;
	weight = 0;
	for (int i = 0; i < chosen; i++)
	{
		const SampleString *query = &sample->common[(int64) i * sample->common_count / chosen];

		sum += query->share * StringShareWithin(sample, query->symbols, threshold);
		weight += query->share;
	}
	return (1 - sample->uncommon) * (weight > 0 ? sum / weight : 0) +
		   sample->uncommon * ShareWithinUncommon(sample, threshold);
}

/*
 * Estimates the share of pairs from the statistics of one of the two expressions; -1 without
 * statistics, or if the string on the other side is too long.
 */
static double
EstimateBySide(PlannerInfo *root, Node *expression, Node *other, const DocumentThreshold *threshold)
{
	Node *value = estimate_expression_value(root, other);
	StringSample sample;
	Symbols query;

	if (!ReadStringSample(root, expression, &sample))
		return -1;
	if (!IsA(value, Const))
		return Min(ShareWithinAny(&sample, threshold), 1);
	/* a range can be of another type of strings, which match nothing */
	if (((Const *) value)->constisnull ||
		StringTypeOf(((Const *) value)->consttype) != sample.type ||
		!ReadString(&sample, ((Const *) value)->constvalue, &query))
		return 0;
	return query.count <= MOST_SYMBOLS ? Min(StringShareWithin(&sample, query, threshold), 1) : -1;
}

/* Whether two expressions are the same column of a table, perhaps of different rows. */
static bool
AreSameColumn(PlannerInfo *root, Node *a, Node *b)
{
	Var *x = (Var *) a;
	Var *y = (Var *) b;

	return IsA(a, Var) && IsA(b, Var) && x->varlevelsup == 0 && y->varlevelsup == 0 &&
		   x->varattno == y->varattno &&
		   planner_rt_fetch(x->varno, root)->rtekind == RTE_RELATION &&
		   planner_rt_fetch(x->varno, root)->relid == planner_rt_fetch(y->varno, root)->relid;
}

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
	other = AreSameColumn(root, a, b) ? share : EstimateBySide(root, b, a, threshold);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return share < 0 ? other : other < 0 ? share : Min(share, other);
}

/* Compares two symbols for sorting. */
static int
CompareSymbols(const void *a, const void *b)
{
	uint32 x = *(const uint32 *) a;
	uint32 y = *(const uint32 *) b;

	return (x > y) - (x < y);
}

/* Counts the symbols that two strings of sorted symbols have in common. */
static int64
CountCommon(Symbols a, Symbols b)
{
	int64 common = 0;

	for (int32 i = 0, j = 0; i < a.count && j < b.count;)
		if (a.symbol[i] == b.symbol[j])
		{
			common++;
			i++;
			j++;
		}
		else if (a.symbol[i] < b.symbol[j])
			i++;
		else
			j++;
	return common;
}

double
EstimateAlike(PlannerInfo *root, Node *expression, const DocumentThreshold *threshold)
{
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context =
		AllocSetContextCreate(caller, "statistics of strings", ALLOCSET_DEFAULT_SIZES);
	StringSample sample;
	double pairs = 0;
	double alike = 0;

	MemoryContextSwitchTo(context);
	if (ReadStringSample(root, expression, &sample))
	{
		ThinBounds(&sample);
		for (int i = 0; i < sample.bound_count; i++)
		{
			Symbols a = sample.bound[i].symbols;

			CHECK_FOR_INTERRUPTS();
			qsort(a.symbol, (size_t) a.count, sizeof(uint32), CompareSymbols);
			for (int j = 0; j < i; j++)
			{
				Symbols b = sample.bound[j].symbols;

				pairs++;
				alike += CountCommon(a, b) >= LeastCommon(threshold, (int64) a.count + b.count);
			}
		}
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return pairs == 0 ? -1 : alike / pairs;
}
