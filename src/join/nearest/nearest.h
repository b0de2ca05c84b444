/*
 * nearest.h
 *	  The plan node TedNearest: rows in the order of the distances of their documents from another.
 */
#ifndef TED_NEAREST_H
#define TED_NEAREST_H

#include "postgres.h"

#include "nodes/extensible.h"

/* Expressions of the plan node, in the order of custom_exprs. */
enum
{
	NEAREST_DOCUMENT, /* of a row */
	NEAREST_QUERY,    /* the document that rows are ordered around */
	NEAREST_ORDER,    /* the distance, to be shown */
	NEAREST_MODEL     /* of costs; left out where there is none */
};

/* Lists of the plan node, in the order of custom_private. */
enum
{
	NEAREST_SETTINGS, /* integers, as listed below */
	NEAREST_MEASURES, /* the last columns of the scan tuple, a FunctionRole each */
	NEAREST_FUNCTION  /* the function that gives the order, by its object id */
};

/* Integers of NEAREST_SETTINGS, in their order. */
enum
{
	NEAREST_COLUMNS, /* first columns of the scan tuple, which are those of the rows */
	NEAREST_WANTED,  /* approximate number of rows that will be asked for */
	NEAREST_FROM_ROW /* 1: distances are those from a row's document to the other one */
};

/* How the node is executed. */
extern const CustomScanMethods TedNearestScanMethods;

/* Defines the setting and installs the hook that plans TedNearest. */
extern void TedNearestInit(void);

#endif /* TED_NEAREST_H */
