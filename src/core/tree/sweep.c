/*
 * sweep.c
 *	  Chooses the sweep for the vectors that columns are laid out for.
 */
#include "sweep.h"

#ifdef __x86_64__

/* Fills the distances of all subtrees with vectors of so many lanes. */
TedStatus
ted_sweep(TedSweep *sweep, const TedInterrupt *interrupt)
{
	return sweep->columns->lanes == TED_AVX512_LANES ? ted_sweep_avx512(sweep, interrupt)
													 : ted_sweep_avx2(sweep, interrupt);
}

#else

/* Is never asked where there are no vectors. */
TedStatus
ted_sweep(TedSweep *sweep, const TedInterrupt *interrupt)
{
	(void) sweep;
	(void) interrupt;
	return TED_CANCELLED;
}

#endif
