/*
 * lcs_cost.c
 *	  The cost of searching a profile index.
 *
 * A search by a threshold reads the entries of about half of all lengths; an ordered search
 * reads the entries of all lengths.  Both read all entries before they return the first row.
 *
 * PostgreSQL plans an index-only scan wherever an index returns all columns that a query
 * needs, as any index does for a query that needs none, such as count(*).  A profile index
 * holds no pins on its pages, so that a concurrent vacuum would make such a scan return
 * deleted rows.  The only function of an access method that PostgreSQL calls for each path
 * is amcostestimate, so this function turns index-only scans into plain scans.
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

#include "../../compat.h"
#include "lcs_index.h"

/* Share of the entries that a search by a threshold reads. */
#define SHARE_READ 0.6

/* The cost of testing an entry, as a part of cpu_operator_cost. */
#define ENTRY_COST 0.2

/* Rows that a search returns for each row within the threshold, by experience. */
#define FOUND_FOR_EACH 10

/* Returns the cost of reading pages of the index in each of `loops` searches. */
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

/*
 * Turns an index-only scan into a plain scan; returns the additional cost of fetching the rows.
 * A bitmap scan that shares the path is charged for that, too, which is about twice what it
 * takes.
 */
static Cost
FetchRows(PlannerInfo *root, IndexPath *path, double tuples, double loops)
{
	const RelOptInfo *table = path->indexinfo->rel;
	double random_page_cost;
	double pages;

	if (path->path.pathtype != T_IndexOnlyScan)
		return 0;
	path->path.pathtype = T_IndexScan;
	get_tablespace_page_costs(table->reltablespace, &random_page_cost, NULL);
	pages =
		index_pages_fetched(tuples * loops, table->pages, (double) path->indexinfo->pages, root);
	return pages / loops * table->allvisfrac * random_page_cost;
}

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
	*total = *startup + *selectivity * index->tuples * cpu_index_tuple_cost +
			 FetchRows(root, path, *selectivity * index->rel->tuples, loops);
	*correlation = 0;
}
