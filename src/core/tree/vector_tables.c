/*
 * vector_tables.c
 *	  Chooses the vectors that columns are laid out for.
 */
#include "vector_tables.h"

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
