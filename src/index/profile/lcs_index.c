/*
 * lcs_index.c
 *	  The access method profile: an index of strings by their lengths and classes of symbols.
 *
 * A search reads the entries of all lengths that its threshold allows, one after the other:
 * testing an entry takes about a nanosecond, and leaves few rows to be fetched.
 */
#include "postgres.h"

#include "access/amapi.h"
#include "access/amvalidate.h"
#include "access/genam.h"
#include "access/htup_details.h"
#include "access/reloptions.h"
#include "access/tableam.h"
#include "catalog/index.h"
#include "catalog/pg_amop.h"
#include "catalog/pg_amproc.h"
#include "catalog/pg_opclass.h"
#include "catalog/pg_type.h"
#include "commands/vacuum.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/regproc.h"
#include "utils/syscache.h"

#include "../../compat.h"
#include "../../catalog/identity.h"
#include "../../catalog/row_type.h"
#include "lcs_index.h"
#include "lcs_page.h"

bool
IsReadAsText(Oid type)
{
	return type == BPCHAROID || type == NAMEOID;
}

void
LcsIndexedProfile(Relation index, Oid type, Datum value, LcsProfile *profile)
{
	Datum stored;

	if (IsReadAsText(type))
		value = DirectFunctionCall1(type == NAMEOID ? name_text : rtrim1, value);
	stored = FunctionCall1Coll(index_getprocinfo(index, 1, LCS_PROFILE_PROC),
							   index->rd_indcollation[0], value);
	ReadProfile(stored, profile);
	pfree(DatumGetPointer(stored));
}

/* Returns the entry of a row. */
static LcsEntry
EntryOf(Relation index, const Datum *values, const bool *nulls, ItemPointer row)
{
	Oid type = index->rd_opcintype[0];
	LcsProfile profile;

	if (nulls[0])
		return LcsMakeEntry(NULL, row);
	/* the class of char(n) also takes texts, whose blanks count */
	if (type == BPCHAROID)
		type = getBaseType(TupleDescAttr(RelationGetDescr(index), 0)->atttypid);
	LcsIndexedProfile(index, type, values[0], &profile);
	return LcsMakeEntry(&profile, row);
}

/* Adds a page to an index and returns it locked. */
static Buffer
ExtendIndex(Relation index)
{
	bool locked = !RELATION_IS_LOCAL(index);
	Buffer buffer;

	if (locked)
		LockRelationForExtension(index, ExclusiveLock);
	buffer = ReadBuffer(index, P_NEW);
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	if (locked)
		UnlockRelationForExtension(index, ExclusiveLock);
	return buffer;
}

/* The state of a build: the page of each bucket that is being filled. */
typedef struct LcsBuild
{
	Relation index;
	LcsMeta meta; /* `insert` is the last page of the bucket that has been written */
	Page page[LCS_BUCKETS];
	double entries;
	MemoryContext per_row;
} LcsBuild;

/* Writes the page of a bucket behind the last page of the bucket. */
static void
WritePage(LcsBuild *build, int bucket)
{
	BlockNumber last = build->meta.bucket[bucket].insert;
	Buffer buffer = ExtendIndex(build->index);
	BlockNumber block = BufferGetBlockNumber(buffer);

	memcpy(BufferGetPage(buffer), build->page[bucket], BLCKSZ);
	MarkBufferDirty(buffer);
	UnlockReleaseBuffer(buffer);
	build->meta.bucket[bucket].insert = block;
	if (!BlockNumberIsValid(last))
	{
		build->meta.bucket[bucket].first = block;
		return;
	}
	buffer = ReadBuffer(build->index, last);
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	LcsPageGetOpaque(BufferGetPage(buffer))->next = block;
	MarkBufferDirty(buffer);
	UnlockReleaseBuffer(buffer);
}

/* Adds the entry of a table's row; a callback of table_index_build_scan(). */
static void
BuildRow(Relation index, ItemPointer row, Datum *values, bool *nulls, bool alive, void *state)
{
	LcsBuild *build = state;
	MemoryContext caller = MemoryContextSwitchTo(build->per_row);
	LcsEntry entry = EntryOf(index, values, nulls, row);
	LcsBucket bucket;
	Page *page;

	(void) alive;
	MemoryContextSwitchTo(caller);
	bucket = LcsDescribeBucket(entry.bucket);
	page = &build->page[entry.bucket];
	if (*page == NULL)
	{
		*page = palloc(BLCKSZ);
		LcsInitPage(*page, entry.bucket);
	}
	if (!LcsPageAdd(*page, &bucket, &entry))
	{
		WritePage(build, entry.bucket);
		LcsInitPage(*page, entry.bucket);
		(void) LcsPageAdd(*page, &bucket, &entry);
	}
	MemoryContextReset(build->per_row);
	build->entries++;
}

/* Builds an index. */
static IndexBuildResult *
LcsBuildIndex(Relation heap, Relation index, IndexInfo *info)
{
	IndexBuildResult *result = palloc0_object(IndexBuildResult);
	LcsBuild *build = palloc0_object(LcsBuild);
	PGAlignedBlock meta;
	Buffer buffer;

	if (RelationGetNumberOfBlocks(index) != 0)
		elog(ERROR, "index \"%s\" already contains data", RelationGetRelationName(index));
	LcsInitMeta((Page) meta.data);
	build->index = index;
	build->meta = *LcsPageGetMeta((Page) meta.data);
	build->per_row =
		AllocSetContextCreate(CurrentMemoryContext, "profile index build", ALLOCSET_DEFAULT_SIZES);

	UnlockReleaseBuffer(ExtendIndex(index)); /* block 0 */
	result->heap_tuples =
		table_index_build_scan(heap, index, info, true, true, BuildRow, build, NULL);
	for (int i = 0; i < LCS_BUCKETS; i++)
		if (build->page[i] != NULL)
			WritePage(build, i);
	result->index_tuples = build->entries;

	buffer = ReadBuffer(index, LCS_META_BLOCK);
	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	*LcsPageGetMeta((Page) meta.data) = build->meta;
	memcpy(BufferGetPage(buffer), meta.data, BLCKSZ);
	MarkBufferDirty(buffer);
	UnlockReleaseBuffer(buffer);
	if (RelationNeedsWAL(index))
		log_newpage_range(index, MAIN_FORKNUM, 0, RelationGetNumberOfBlocks(index), true);
	return result;
}

/* Writes the init fork of an unlogged index, which is empty. */
static void
LcsBuildEmpty(Relation index)
{
	Buffer buffer = ReadBufferExtended(index, INIT_FORKNUM, P_NEW, RBM_NORMAL, NULL);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	START_CRIT_SECTION();
	LcsInitMeta(BufferGetPage(buffer));
	MarkBufferDirty(buffer);
	log_newpage_buffer(buffer, true);
	END_CRIT_SECTION();
	UnlockReleaseBuffer(buffer);
}

/*
 * Adds an entry to the current page of a walk; returns false if the page is full.  Sets `next`
 * to the next page.
 */
static bool
InsertOnPage(const LcsChain *chain, const LcsEntry *entry, BlockNumber *next)
{
	Buffer buffer = LcsLockPage(chain, NULL);
	const LcsPageOpaque *opaque = LcsPageGetOpaque(BufferGetPage(buffer));
	bool room = opaque->count < chain->bucket.capacity;

	*next = opaque->next;
	if (room)
	{
		GenericXLogState *change = GenericXLogStart(chain->index);

		(void) LcsPageAdd(GenericXLogRegisterBuffer(change, buffer, 0), &chain->bucket, entry);
		GenericXLogFinish(change);
	}
	UnlockReleaseBuffer(buffer);
	return room;
}

/*
 * Adds a page with an entry to a bucket, behind its last page.  Sets the page where to look for
 * room, if that is still `from`: a vacuum may have found room elsewhere.  The caller has locked
 * block 0 and the last page.
 */
static void
InsertPage(Relation index, Buffer meta_buffer, Buffer last_buffer, BlockNumber from,
		   const LcsEntry *entry)
{
	LcsBucket bucket = LcsDescribeBucket(entry->bucket);
	Buffer buffer = ExtendIndex(index);
	BlockNumber block = BufferGetBlockNumber(buffer);
	GenericXLogState *change = GenericXLogStart(index);
	LcsMeta *meta;
	Page page;

	page = GenericXLogRegisterBuffer(change, buffer, GENERIC_XLOG_FULL_IMAGE);
	LcsInitPage(page, entry->bucket);
	(void) LcsPageAdd(page, &bucket, entry);
	meta = LcsPageGetMeta(GenericXLogRegisterBuffer(change, meta_buffer, 0));
	if (meta->bucket[entry->bucket].insert == from)
		meta->bucket[entry->bucket].insert = block;
	if (BufferIsValid(last_buffer))
		LcsPageGetOpaque(GenericXLogRegisterBuffer(change, last_buffer, 0))->next = block;
	else
		meta->bucket[entry->bucket].first = block;
	GenericXLogFinish(change);
	UnlockReleaseBuffer(buffer);
}

/*
 * Adds an entry on a new page behind the last page of a walk, which is InvalidBlockNumber if
 * the bucket was empty.  Returns false if another session has added a page there, and sets
 * `next` to that page.
 */
static bool
AppendEntry(Relation index, BlockNumber last, BlockNumber from, const LcsEntry *entry,
			BlockNumber *next)
{
	Buffer meta_buffer = LcsLockMeta(index, BUFFER_LOCK_EXCLUSIVE);
	Buffer last_buffer = InvalidBuffer;

	if (BlockNumberIsValid(last))
	{
		LcsChain chain;

		LcsBeginChain(&chain, index, entry->bucket, last);
		last_buffer = LcsLockPage(&chain, NULL);
		*next = LcsPageGetOpaque(BufferGetPage(last_buffer))->next;
	}
	else
		*next = LcsPageGetMeta(BufferGetPage(meta_buffer))->bucket[entry->bucket].first;
	if (!BlockNumberIsValid(*next))
		InsertPage(index, meta_buffer, last_buffer, from, entry);
	if (BufferIsValid(last_buffer))
		UnlockReleaseBuffer(last_buffer);
	UnlockReleaseBuffer(meta_buffer);
	return !BlockNumberIsValid(*next);
}

/*
 * Sets the page where to look for room in a bucket, if that is still `from`, or if `from` is
 * InvalidBlockNumber.
 */
static void
SetInsertBlock(Relation index, int bucket, BlockNumber from, BlockNumber block)
{
	Buffer buffer = LcsLockMeta(index, BUFFER_LOCK_EXCLUSIVE);
	BlockNumber now = LcsPageGetMeta(BufferGetPage(buffer))->bucket[bucket].insert;

	if (now != block && (now == from || !BlockNumberIsValid(from)))
	{
		GenericXLogState *change = GenericXLogStart(index);

		LcsPageGetMeta(GenericXLogRegisterBuffer(change, buffer, 0))->bucket[bucket].insert = block;
		GenericXLogFinish(change);
	}
	UnlockReleaseBuffer(buffer);
}

/*
 * Adds an entry to the first page of its bucket that has room.  The walk holds no lock between
 * pages, so that it can be interrupted.
 */
static void
InsertEntry(Relation index, const LcsEntry *entry)
{
	BlockNumber last = InvalidBlockNumber;
	BlockNumber next;
	LcsChain chain;
	Buffer buffer;
	BlockNumber from;

	buffer = LcsLockMeta(index, BUFFER_LOCK_SHARE);
	from = LcsPageGetMeta(BufferGetPage(buffer))->bucket[entry->bucket].insert;
	UnlockReleaseBuffer(buffer);
	LcsBeginChain(&chain, index, entry->bucket, from);
	for (;;)
	{
		CHECK_FOR_INTERRUPTS();
		if (BlockNumberIsValid(chain.block))
		{
			if (InsertOnPage(&chain, entry, &next))
				break;
			last = chain.block;
		}
		else if (AppendEntry(index, last, from, entry, &next))
			return;
		LcsStep(&chain, next);
	}
	if (chain.block != from)
		SetInsertBlock(index, entry->bucket, from, chain.block);
}

/* Adds the entry of a row. */
static bool
LcsInsert(Relation index, Datum *values, bool *nulls, ItemPointer row, Relation heap,
		  IndexUniqueCheck unique, bool unchanged, IndexInfo *info)
{
	LcsEntry entry = EntryOf(index, values, nulls, row);

	(void) heap, (void) unique, (void) unchanged, (void) info;
	InsertEntry(index, &entry);
	return false;
}

/* Removes entries of dead rows from a page; returns the number of entries that remain. */
static int
VacuumPage(const LcsChain *chain, Buffer buffer, IndexBulkDeleteCallback is_dead, void *state)
{
	GenericXLogState *change = NULL;
	Page page = BufferGetPage(buffer);
	int left = LcsPageGetOpaque(page)->count;

	for (int i = left - 1; i >= 0; i--)
	{
		ItemPointer row = LcsPageRow(page, &chain->bucket, i);

		if (!LcsIsRow(row))
			LcsDamaged(chain->index, chain->block, "has an entry that leads to no row");
		if (!is_dead(row, state))
			continue;
		if (change == NULL)
		{
			change = GenericXLogStart(chain->index);
			page = GenericXLogRegisterBuffer(change, buffer, 0);
		}
		LcsPageRemove(page, &chain->bucket, i);
		left--;
	}
	if (change != NULL)
		GenericXLogFinish(change);
	return left;
}

/* Removes entries of dead rows from a bucket; returns the first page with room. */
static BlockNumber
VacuumBucket(IndexVacuumInfo *info, IndexBulkDeleteResult *result, int number, BlockNumber block,
			 IndexBulkDeleteCallback is_dead, void *state)
{
	BlockNumber with_room = InvalidBlockNumber;
	LcsChain chain;

	LcsBeginChain(&chain, info->index, number, block);
	while (BlockNumberIsValid(chain.block))
	{
		Buffer buffer;
		BlockNumber next;
		int before;
		int left;

		DelayVacuum();
		buffer = LcsLockPage(&chain, info->strategy);
		before = LcsPageGetOpaque(BufferGetPage(buffer))->count;
		next = LcsPageGetOpaque(BufferGetPage(buffer))->next;
		left = VacuumPage(&chain, buffer, is_dead, state);
		UnlockReleaseBuffer(buffer);
		if (left < chain.bucket.capacity && !BlockNumberIsValid(with_room))
			with_room = chain.block;
		result->tuples_removed += before - left;
		result->num_index_tuples += left;
		LcsStep(&chain, next);
	}
	return with_room;
}

/* Removes all entries of dead rows from an index. */
static IndexBulkDeleteResult *
LcsBulkDelete(IndexVacuumInfo *info, IndexBulkDeleteResult *result, IndexBulkDeleteCallback is_dead,
			  void *state)
{
	LcsMeta *meta = palloc_object(LcsMeta);

	if (result == NULL)
		result = palloc0_object(IndexBulkDeleteResult);
	result->num_index_tuples = 0;
	LcsReadMeta(info->index, meta);
	for (int i = 0; i < LCS_BUCKETS; i++)
	{
		BlockNumber block = VacuumBucket(info, result, i, meta->bucket[i].first, is_dead, state);

		if (BlockNumberIsValid(block))
			SetInsertBlock(info->index, i, InvalidBlockNumber, block);
	}
	pfree(meta);
	return result;
}

/*
 * Ends a vacuum; if it called no LcsBulkDelete(), estimates the entries by the rows of the
 * table.
 */
static IndexBulkDeleteResult *
LcsVacuumCleanup(IndexVacuumInfo *info, IndexBulkDeleteResult *result)
{
	if (info->analyze_only)
		return result;
	if (result == NULL)
	{
		result = palloc0_object(IndexBulkDeleteResult);
		result->num_index_tuples = info->num_heap_tuples;
		result->estimated_count = true;
	}
	result->num_pages = RelationGetNumberOfBlocks(info->index);
	return result;
}

/* Reads options; the access method has none. */
static bytea *
LcsOptions(Datum options, bool validate)
{
	static relopt_kind none = 0;

	if (none == 0)
		none = add_reloption_kind();
	return build_reloptions(options, validate, none, 0, NULL, 0);
}

/* Whether an operator has the argument and result types of its strategy. */
static bool
IsValidOperator(int strategy, Oid operator_id, Oid left, Oid right, bool is_order)
{
	if (strategy == LCS_STRATEGY_WITHIN)
		return !is_order && IsLcsRangeType(right) &&
			   check_amop_signature(operator_id, BOOLOID, left, right);
	return (strategy == LCS_STRATEGY_DISTANCE || strategy == LCS_STRATEGY_DISSIMILARITY) &&
		   is_order && left == right && check_amop_signature(operator_id, FLOAT8OID, left, right);
}

/* Whether a function has the argument and result types of the support function. */
static bool
IsValidFunction(int number, Oid function, Oid type)
{
	return number == LCS_PROFILE_PROC &&
		   check_amproc_signature(function, BYTEAOID, true, 1, 1,
								  IsReadAsText(type) ? TEXTOID : type);
}

/* Raises an error for members of an operator class with which searches could fail. */
static void
LcsAdjustMembers(Oid family, Oid class, List *operators, List *functions)
{
	ListCell *cell;

	(void) family, (void) class;
	foreach (cell, operators)
	{
		const OpFamilyMember *member = lfirst(cell);

		if (!IsValidOperator(member->number, member->object, member->lefttype, member->righttype,
							 OidIsValid(member->sortfamily)))
			ereport(ERROR, (errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
							errmsg("operator %s does not fit strategy %d of access method profile",
								   format_operator(member->object), member->number),
							errdetail("Strategy 1 tests whether a string is in an lcs_range, 15 "
									  "and 16 order by a float8 of two strings."),
							errhint("Use the operators <~, <~> and <%%> of this extension.")));
	}
	foreach (cell, functions)
	{
		const OpFamilyMember *member = lfirst(cell);

		if (!IsValidFunction(member->number, member->object, member->lefttype))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
					 errmsg("function %s does not fit support number %d of access method profile",
							format_procedure(member->object), member->number),
					 errdetail("Support number 1 makes a bytea of a string."),
					 errhint("Use the function lcs_profile() of the type.")));
	}
}

/* Reports an invalid member of an operator class, and returns false. */
static bool
Invalid(const char *class, const char *kind, Oid object)
{
	ereport(INFO, (errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
				   errmsg("operator class \"%s\" of access method profile has an invalid %s: %u",
						  class, kind, object)));
	return false;
}

/* Checks the operators and the support function of an operator class. */
static bool
LcsValidate(Oid class)
{
	HeapTuple tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(class));
	Form_pg_opclass form;
	CatCList *list;
	bool valid = true;
	bool has_profile = false;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for operator class %u", class);
	form = (Form_pg_opclass) GETSTRUCT(tuple);
	list = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(form->opcfamily));
	for (int i = 0; i < list->n_members; i++)
	{
		Form_pg_amop operator=(Form_pg_amop) GETSTRUCT(&list->members[i]->tuple);

		if (!IsValidOperator(operator->amopstrategy, operator->amopopr, operator->amoplefttype,
																		operator->amoprighttype,
																		operator->amoppurpose ==
																		AMOP_ORDER))
			valid = Invalid(NameStr(form->opcname), "operator", operator->amopopr);
	}
	ReleaseCatCacheList(list);

	list = SearchSysCacheList1(AMPROCNUM, ObjectIdGetDatum(form->opcfamily));
	for (int i = 0; i < list->n_members; i++)
	{
		Form_pg_amproc function = (Form_pg_amproc) GETSTRUCT(&list->members[i]->tuple);

		if (!IsValidFunction(function->amprocnum, function->amproc, function->amproclefttype))
			valid = Invalid(NameStr(form->opcname), "function", function->amproc);
		has_profile = has_profile || function->amproclefttype == form->opcintype;
	}
	ReleaseCatCacheList(list);
	if (!has_profile)
		valid = Invalid(NameStr(form->opcname), "number of functions", class);
	ReleaseSysCache(tuple);
	return valid;
}

PG_FUNCTION_INFO_V1(profile_handler);

/* Returns the functions and properties of the access method. */
Datum
profile_handler(PG_FUNCTION_ARGS)
{
	static const IndexAmRoutine method = {
		.type = T_IndexAmRoutine,
		.amstrategies = 0,
		.amsupport = LCS_PROFILE_PROC,
		.amcanorderbyop = true,
		.amoptionalkey = true,
		.amparallelvacuumoptions = VACUUM_OPTION_PARALLEL_BULKDEL,
		.amkeytype = InvalidOid,
		.ambuild = LcsBuildIndex,
		.ambuildempty = LcsBuildEmpty,
		.aminsert = LcsInsert,
		.ambulkdelete = LcsBulkDelete,
		.amvacuumcleanup = LcsVacuumCleanup,
		.amcostestimate = LcsCostEstimate,
		.amoptions = LcsOptions,
		.amvalidate = LcsValidate,
		.amadjustmembers = LcsAdjustMembers,
		.ambeginscan = LcsBeginScan,
		.amrescan = LcsRescan,
		.amgettuple = LcsGetTuple,
		.amgetbitmap = LcsGetBitmap,
		.amendscan = LcsEndScan,
	};

	(void) fcinfo;
	PG_RETURN_POINTER(IndexMethod(&method));
}
