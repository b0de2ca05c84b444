/*
 * vector_tables.c
 *	  Calls the kernel for the vectors that columns are laid out for.
 */
#include "vector_tables.h"

#if defined(__x86_64__)

/* Fills the distances of all pairs of subtrees with the vectors that the columns are made for. */
TedStatus
ted_vector_tables(TedVectorTables *tables, const TedInterrupt *interrupt)
{
	bool wide = tables->columns->lanes * tables->bytes == ted_vector_bytes[TED_SIMD_AVX512];

	if (tables->bytes == sizeof(int16_t))
		return wide ? ted_int16_tables_avx512(tables, interrupt)
					: ted_int16_tables_avx2(tables, interrupt);
	return wide ? ted_int32_tables_avx512(tables, interrupt)
				: ted_int32_tables_avx2(tables, interrupt);
}

#elif defined(TED_NEON)

/* Fills the distances of all pairs of subtrees. */
TedStatus
ted_vector_tables(TedVectorTables *tables, const TedInterrupt *interrupt)
{
	return tables->bytes == sizeof(int16_t) ? ted_int16_tables_neon(tables, interrupt)
											: ted_int32_tables_neon(tables, interrupt);
}

#else

/* Without vectors, ted_vectors() chooses none, and this function is not called. */
TedStatus
ted_vector_tables(TedVectorTables *tables, const TedInterrupt *interrupt)
{
	(void) tables;
	(void) interrupt;
	return TED_CANCELLED;
}

#endif
