/*
 * row_keys.h
 *	  Keys by which rows are divided into groups, as in a hash join.
 */
#ifndef TED_ROW_KEYS_H
#define TED_ROW_KEYS_H

#include "postgres.h"

#include "nodes/execnodes.h"

/* A key, and how its values are hashed. */
typedef struct RowKey
{
	ExprState *value;
	FmgrInfo hash;
	Oid collation;
} RowKey;

/* The keys of a row; none if rows are not in groups. */
typedef struct RowKeys
{
	RowKey *keys;
	int count;
} RowKeys;

/* Makes keys of expressions of a plan node, and of OIDs of hash functions and collations. */
extern RowKeys RowKeysInit(List *values, List *hashes, List *collations, PlanState *parent);

/*
 * Evaluates the keys of a row, and sets the group of the row, which is their hash; returns false if
 * a key is null, so that no row has an equal one.
 */
extern bool RowKeysGroup(const RowKeys *keys, ExprContext *econtext, int32 *group);

#endif /* TED_ROW_KEYS_H */
