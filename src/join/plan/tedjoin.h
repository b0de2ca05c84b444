/*
 * tedjoin.h
 *	  The plan node TedJoin: a join by a threshold on the distance or similarity of documents.
 */
#ifndef TED_TEDJOIN_H
#define TED_TEDJOIN_H

#include "postgres.h"

#include "nodes/extensible.h"

/* Expressions of the plan node, in the order of custom_exprs. */
enum
{
	TEDJOIN_OUTER_DOCUMENT,
	TEDJOIN_INNER_DOCUMENT,
	TEDJOIN_THRESHOLD,
	TEDJOIN_CLAUSE,     /* the whole threshold clause, for EXPLAIN */
	TEDJOIN_FILTER,     /* list of the join's other clauses */
	TEDJOIN_MODEL,      /* cost model, or NULL */
	TEDJOIN_OUTER_KEYS, /* lists of the keys that are equal in both rows of a pair; NIL if rows are
						 * not joined by groups */
	TEDJOIN_INNER_KEYS
};

/* Lists of the plan node, in the order of custom_private. */
enum
{
	TEDJOIN_SETTINGS, /* integers, as listed below */
	TEDJOIN_COLUMNS,  /* source of each column of the scan tuple, see below */
	TEDJOIN_MEASURES,
	TEDJOIN_COUNTERPARTS, /* see below; empty unless one side is read for both */
	TEDJOIN_OUTER_HASHES, /* OIDs of the hash functions of each side's keys, and their collations */
	TEDJOIN_INNER_HASHES,
	TEDJOIN_KEY_COLLATIONS
};

/* Integers of TEDJOIN_SETTINGS, in their order. */
enum
{
	TEDJOIN_DOCUMENTS,       /* a DocumentType */
	TEDJOIN_KIND,            /* a ThresholdKind */
	TEDJOIN_TYPE,            /* a JoinType */
	TEDJOIN_THRESHOLD_SIDE,  /* side whose columns the threshold has, a TedJoinSide */
	TEDJOIN_SELF,            /* side that is read for both sides, a TedJoinSide */
	TEDJOIN_EXPECTED_BLOCKS, /* of the inner side, if all its rows are stored first; otherwise 0 */
	TEDJOIN_DIVIDED,         /* whether the rows are divided into cells by a rule */
	TEDJOIN_PARTIAL_INNER,   /* whether each process reads a part of the inner side */
	TEDJOIN_TRANSPOSED,      /* whether the measure takes the inner document first */
	TEDJOIN_ELEMENTS,        /* element type of arrays; otherwise InvalidOid */
	TEDJOIN_COLLATION        /* collation by which elements are compared */
};

/* Returns a setting of the plan node. */
static inline int
ScanSetting(const CustomScan *scan, int which)
{
	return list_nth_int(list_nth(scan->custom_private, TEDJOIN_SETTINGS), which);
}

/* A side of the join. */
typedef enum TedJoinSide
{
	NEITHER_SIDE,
	OUTER_SIDE,
	INNER_SIDE
} TedJoinSide;

/*
 * Source of a column of the scan tuple: n is column n of the outer plan, -n column n of the inner
 * plan.  The last columns are measures of the pair; TEDJOIN_MEASURES lists the FunctionRole of
 * each.
 */
#define TEDJOIN_MEASURE 0

/*
 * If one side is read for both, each row can be one of either side.  TEDJOIN_COUNTERPARTS then has,
 * for each column of the scan tuple that belongs to the side not read, the column of the other
 * side's plan with the same value; and 0 for other columns.
 */

/* Methods of the plan node for execution; registered, as parallel workers find it by name. */
extern const CustomScanMethods TedJoinScanMethods;

/* Defines the settings, and installs the planner hooks. */
extern void TedJoinInit(void);

#endif /* TED_TEDJOIN_H */
