/*
 * vector_tables.c
 *	  Chooses the vectors that columns are laid out for.
 */
#include "vector_tables.h"

/* The profile of a class of labels of a, in the place that it has. */
const int16_t *
ted_vector_profile(TedVectorTables *tables, int32_t label)
{
	const TedColumns *columns = tables->columns;
	const TedLabelClasses *classes = tables->classes;
	const int32_t *rename = classes->rename + (size_t) label * (size_t) classes->count_b;
	int32_t place = label % tables->profiles;
	int16_t *profile = tables->profile + (size_t) place * (size_t) columns->width;

	if (tables->profile_class[place] == label)
		return profile;
	tables->profile_class[place] = label;
	for (int32_t c = 0; c < columns->width; c++)
		profile[c] = (int16_t) (columns->label[c] < 0 ? 0 : rename[columns->label[c]]);
	return profile;
}

#ifdef __x86_64__

/* Fills the distances of all subtrees with vectors of this number of lanes. */
TedStatus
ted_vector_tables(TedVectorTables *tables, const TedInterrupt *interrupt)
{
	return tables->columns->lanes == TED_AVX512_LANES ? ted_vector_tables_avx512(tables, interrupt)
													  : ted_vector_tables_avx2(tables, interrupt);
}

#else

/* Is never asked where there are no vectors. */
TedStatus
ted_vector_tables(TedVectorTables *tables, const TedInterrupt *interrupt)
{
	(void) tables;
	(void) interrupt;
	return TED_CANCELLED;
}

#endif
