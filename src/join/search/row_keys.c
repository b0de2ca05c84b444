/*
 * row_keys.c
 *	  Keys by which rows are divided into groups, as in a hash join.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "executor/executor.h"

#include "../../compat.h"
#include "row_keys.h"

RowKeys
RowKeysInit(List *values, List *hashes, List *collations, PlanState *parent)
{
	RowKeys keys = {palloc_array(RowKey, list_length(values)), 0};
	ListCell *cell;

	foreach (cell, values)
	{
		RowKey *key = &keys.keys[keys.count];

		key->value = ExecInitExpr(lfirst(cell), parent);
		fmgr_info(list_nth_oid(hashes, keys.count), &key->hash);
		key->collation = list_nth_oid(collations, keys.count);
		keys.count++;
	}
	return keys;
}

bool
RowKeysGroup(const RowKeys *keys, ExprContext *econtext, int32 *group)
{
	uint32 hash = 0;

	for (RowKey *key = keys->keys; key < keys->keys + keys->count; key++)
	{
		bool isnull;
		Datum value = ExecEvalExpr(key->value, econtext, &isnull);

		if (isnull)
			return false;
		hash = hash_combine(hash,
							DatumGetUInt32(FunctionCall1Coll(&key->hash, key->collation, value)));
	}
	*group = (int32) hash;
	return true;
}
