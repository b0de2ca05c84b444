/*
 * label_tables.cu
 *	  The kernel of exact tree edit distance where costs differ by label.
 */
#include "jobs.cuh"

/* The kernel of these properties. */
const void *
label_kernel(const Kernel &kernel)
{
	return kernel_by_costs<true>(kernel);
}
