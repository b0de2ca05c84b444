/*
 * lcs_check.c
 *	  Checks the pages of a profile index, as amcheck checks those of a btree.
 *
 * Each page except block 0 belongs to one bucket, whose list of pages leads to it.  Other
 * sessions may read and change the table meanwhile: a page never moves to another place in
 * the lists.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/relation.h"
#include "access/table.h"
#include "access/xlog.h"
#include "catalog/index.h"
#include "catalog/pg_class.h"
#include "fmgr.h"
#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "lcs_index.h"
#include "lcs_page.h"

/* A check of an index. */
typedef struct LcsCheck
{
	Relation index;
	LcsMeta meta;
	BlockNumber blocks; /* size of the index, when block 0 was read */
	bool *met;          /* for each block, whether a bucket leads to it */
	PGAlignedBlock page;
} LcsCheck;

/* Raises an error unless the pages of a relation can be checked. */
static void
CheckKind(Relation relation)
{
	if (relation->rd_rel->relkind != RELKIND_INDEX || relation->rd_indam->amgettuple != LcsGetTuple)
		ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
						errmsg("\"%s\" is not a profile index", RelationGetRelationName(relation)),
						errdetail("The relation is of another kind or access method."),
						errhint("Use the functions of amcheck for tables and btree indexes.")));
	if (RELATION_IS_OTHER_TEMP(relation))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("cannot access temporary indexes of other sessions"),
						errdetail("Their pages are in the memory of those sessions."),
						errhint("Check the index in the session that has created it.")));
	if (RecoveryInProgress() && relation->rd_rel->relpersistence != RELPERSISTENCE_PERMANENT)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("cannot access unlogged indexes during recovery"),
						errdetail("A standby does not have their pages."),
						errhint("Check the index on the primary.")));
}

/* Checks the pages of a bucket, and that the page which gets new entries is one of them. */
static void
CheckBucket(LcsCheck *check, int number)
{
	BlockNumber insert = check->meta.bucket[number].insert;
	bool insert_met = !BlockNumberIsValid(insert);
	LcsChain chain;

	LcsBeginChain(&chain, check->index, number, check->meta.bucket[number].first);
	if (BlockNumberIsValid(chain.block) != BlockNumberIsValid(insert))
		LcsDamaged(check->index, LCS_META_BLOCK, "has half of what leads to a list of pages");
	while (BlockNumberIsValid(chain.block))
	{
		Page page;

		CHECK_FOR_INTERRUPTS();
		LcsCopyPage(&chain, (Page) check->page.data);
		if (chain.block < check->blocks)
		{
			if (check->met[chain.block])
				LcsDamaged(check->index, chain.block, "is in two lists of pages");
			check->met[chain.block] = true;
		}
		page = (Page) check->page.data;
		for (int i = 0; i < LcsPageGetOpaque(page)->count; i++)
			if (!LcsIsRow(LcsPageRow(page, &chain.bucket, i)))
				LcsDamaged(check->index, chain.block, "has an entry that leads to no row");
		insert_met = insert_met || chain.block == insert;
		LcsStep(&chain, LcsPageGetOpaque((Page) check->page.data)->next);
	}
	if (!insert_met)
		LcsDamaged(check->index, insert, "gets new entries, and is not in the list of their pages");
}

/*
 * Checks that pages to which no bucket leads are empty, as a crash leaves them.  On a standby,
 * the record that adds such a page to its list may still be missing.
 */
static void
CheckOthers(const LcsCheck *check)
{
	for (BlockNumber block = LCS_META_BLOCK + 1; block < check->blocks; block++)
	{
		Buffer buffer;
		bool empty;

		CHECK_FOR_INTERRUPTS();
		if (check->met[block])
			continue;
		buffer = ReadBuffer(check->index, block);
		LockBuffer(buffer, BUFFER_LOCK_SHARE);
		empty = PageIsNew(BufferGetPage(buffer));
		UnlockReleaseBuffer(buffer);
		if (!empty && !RecoveryInProgress())
			LcsDamaged(check->index, block, "is in no list of pages");
	}
}

PG_FUNCTION_INFO_V1(profile_index_check);

/* Raises an error if a profile index has a damaged page. */
Datum
profile_index_check(PG_FUNCTION_ARGS)
{
	Oid index_id = PG_GETARG_OID(0);
	Oid table_id = IndexGetRelation(index_id, true);
	Relation table = OidIsValid(table_id) ? table_open(table_id, AccessShareLock) : NULL;
	LcsCheck *check = palloc_object(LcsCheck);
	Buffer buffer;

	check->index = relation_open(index_id, AccessShareLock);
	CheckKind(check->index);

	/* pages that are in no list at this time are beyond the number of pages, or empty */
	buffer = LcsLockMeta(check->index, BUFFER_LOCK_SHARE);
	memcpy(&check->meta, LcsPageGetMeta(BufferGetPage(buffer)), sizeof(LcsMeta));
	check->blocks = RelationGetNumberOfBlocks(check->index);
	UnlockReleaseBuffer(buffer);

	CheckMemoryLimit(check->blocks, "check of an index");
	check->met = AllocZeros(CurrentMemoryContext, check->blocks);
	for (int i = 0; i < LCS_BUCKETS; i++)
		CheckBucket(check, i);
	CheckOthers(check);
	relation_close(check->index, AccessShareLock);
	if (table != NULL)
		table_close(table, AccessShareLock);
	PG_RETURN_VOID();
}
