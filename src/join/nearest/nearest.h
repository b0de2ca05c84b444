/*
 * nearest.h
 *	  The plan node TedNearest: rows ordered by the distance of their documents from a given one.
 */
#ifndef TED_NEAREST_H
#define TED_NEAREST_H

#include "postgres.h"

#include "nodes/extensible.h"

/* Expressions of the plan node, in the order of custom_exprs. */
enum
{
	NEAREST_DOCUMENT, /* document of a row */
	NEAREST_QUERY,    /* document from which distances are measured */
	NEAREST_ORDER,    /* the distance, for EXPLAIN */
	NEAREST_ROW_KEYS, /* list of keys of a row, by which rows are divided into groups */
	NEAREST_KEYS,     /* list of expressions that equal them in the rows wanted */
	NEAREST_MODEL     /* cost model; left out where there is none */
};

/* Lists of the plan node, in the order of custom_private. */
enum
{
	NEAREST_SETTINGS, /* integers, as listed below */
	NEAREST_MEASURES, /* FunctionRole of each measure in the last columns */
	NEAREST_FUNCTION, /* object id of the function that gives the order */

	/* object ids: hash functions of NEAREST_ROW_KEYS and of NEAREST_KEYS, and collations of both */
	NEAREST_ROW_HASHES,
	NEAREST_HASHES,
	NEAREST_COLLATIONS
};

/* Integers of NEAREST_SETTINGS, in their order. */
enum
{
	NEAREST_COLUMNS,   /* number of columns of the rows, which come first in the scan tuple */
	NEAREST_WANTED,    /* approximate number of rows that will be asked for */
	NEAREST_FROM_ROW,  /* 1 for distances from a row's document to the given one */
	NEAREST_DOCUMENTS, /* a DocumentType */
	NEAREST_ELEMENTS,  /* type of the elements of documents that are arrays; else InvalidOid */
	NEAREST_COLLATION  /* input collation of the function that gives the order */
};

/* Methods of the plan node for execution. */
extern const CustomScanMethods TedNearestScanMethods;

/* Defines the setting, and installs the planner hook. */
extern void TedNearestInit(void);

#endif /* TED_NEAREST_H */
