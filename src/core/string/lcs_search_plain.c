/*
 * lcs_search_plain.c
 *	  The search of a block on any processor.
 */
#define TARGET
#define SEARCH lcs_search_plain

typedef unsigned long long Vec __attribute__((vector_size(32)));

#define v_empty(v) (((v)[0] | (v)[1] | (v)[2] | (v)[3]) == 0)

#include "lcs_search_template.h"
