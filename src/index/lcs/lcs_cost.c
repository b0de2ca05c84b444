/*
 * lcs_cost.c
 *	  What a search of a profile index costs.
 *
 * A search by a threshold reads the entries of about half of all lengths, one by the
 * order of distances those of all.  Both read all before they return the first row.
 *
 * PostgreSQL plans an index-only scan wherever an index returns all columns that a query
 * needs, which any index does where it needs none, such as for count(*).  A profile index
 * holds no pins on its pages, so that a vacuum beside such a scan would have it return
 * deleted rows.  PostgreSQL asks an access method about each path by amcostestimate alone,
 * so this is where an index-only scan becomes a plain one.
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
#include "lcs_cost.h"

/* Share of the entries that a search by a threshold reads. */
#define SHARE_READ 0.6

/* The cost of testing an entry, as a part of cpu_operator_cost. */
#define ENTRY_COST 0.2

/* Rows that a search finds for each one that is within the threshold, by experience. */
#define FOUND_FOR_EACH 10

/* The cost of reading pages of the index, for one of several searches. */
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
 * Makes a plain scan of an index-only one; returns what fetching the rows costs in addition.
 * A bitmap scan that shares the path is charged for that, too, about twice what it takes.
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

/* The cost of a search of a profile index. */
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
