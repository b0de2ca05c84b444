/*
 * label_tables.cu
 *	  The kernel of exact tree edit distance where costs differ by label.
 */
#include "jobs.cuh"

/* Returns the kernel with these properties. */
const void *
label_kernel(const Kernel &kernel)
{
	return kernel_by_costs<true>(kernel);
}
