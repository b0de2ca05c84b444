/*
 * lcs_cost.c
 *	  What a search of an lcs index costs.
 *
 * A search by a threshold reads the entries of about half of all lengths, one by the
 * order of distances those of all.  Both read all before they return the first row.
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "utils/selfuncs.h"
#include "utils/spccache.h"

#include "../compat.h"
#include "lcs_cost.h"

/* Share of the entries that a search by a threshold reads. */
#define SHARE_READ 0.6

/* What testing an entry costs, as a part of cpu_operator_cost. */
#define ENTRY_COST 0.2

/* Rows that a search finds for each one that is within the threshold, by experience. */
#define FOUND_FOR_EACH 10

/* What reading pages of the index costs, by one of several searches. */
static Cost
PagesCost(PlannerInfo *root, const IndexOptInfo *index, double pages, double loops)
{
	double random_page_cost;

	get_tablespace_page_costs(index->reltablespace, &random_page_cost, NULL);
	if (loops > 1)
		pages =
			index_pages_fetched(pages * loops, index->pages, (double) index->pages, root) / loops;
	return pages * random_page_cost;
}

/* What a search of an lcs index costs. */
void
LcsCostEstimate(PlannerInfo *root, IndexPath *path, double loops, Cost *startup, Cost *total,
				Selectivity *selectivity, double *correlation, double *pages)
{
	IndexOptInfo *index = path->indexinfo;
	List *quals = get_quals_from_indexclauses(path->indexclauses);
	double share = quals != NIL ? SHARE_READ : 1;

	*selectivity = clauselist_selectivity(root, add_predicate_to_index_quals(index, quals),
										  (int) index->rel->relid, JOIN_INNER, NULL);
	*selectivity = Min(*selectivity * (quals != NIL ? FOUND_FOR_EACH : 1), 1);
	*pages = ceil(share * index->pages);
	*startup = PagesCost(root, index, *pages, loops) +
			   share * index->tuples * ENTRY_COST * cpu_operator_cost;
	*total = *startup + *selectivity * index->tuples * cpu_index_tuple_cost;
	*correlation = 0;
}
