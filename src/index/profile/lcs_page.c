/*
 * lcs_page.c
 *	  The pages of a profile index.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "port/pg_bitutils.h"

#include "../../compat.h"
#include "lcs_page.h"

/*
 * Counts have 8 bits from this length on, and 4 bits below it: there, more than 15 symbols of a
 * class are rare.
 */
#define LONG_LENGTH 64

/*
 * Counts of 8 bits suffice for lengths of this number of bits, by experience with natural
 * languages.
 */
#define UNSHIFTED_BITS 11

StaticAssertDecl(MAXALIGN(SizeOfPageHeaderData) + sizeof(LcsMeta) <= BLCKSZ,
				 "buckets do not fit into a page");
StaticAssertDecl(MAXALIGN(SizeOfPageHeaderData) + sizeof(uint16) * LCS_SYMBOL_LENGTHS +
						 sizeof(int32) + sizeof(ItemPointerData) +
						 MAXALIGN(sizeof(LcsPageOpaque)) <=
					 BLCKSZ,
				 "symbols do not fit into a page");

/* Returns the bucket of a length, among those of counts or of symbols. */
static int
BucketOf(int32 length, bool symbols)
{
	int first = symbols ? LCS_FIRST_SYMBOL_BUCKET : LCS_FIRST_BUCKET;
	int octave;

	if (length < LCS_EXACT_LENGTHS)
		return first + length;
	octave = pg_leftmost_one_pos32((uint32) length);
	return first + LCS_EXACT_LENGTHS + ((octave - LCS_EXACT_BITS) << LCS_OCTAVE_BITS) +
		   ((length >> (octave - LCS_OCTAVE_BITS)) & ((1 << LCS_OCTAVE_BITS) - 1));
}

/* Sets the least and the greatest length of a bucket. */
static void
BucketLengths(int bucket, LcsBucket *result)
{
	int first = bucket < LCS_FIRST_SYMBOL_BUCKET ? LCS_FIRST_BUCKET : LCS_FIRST_SYMBOL_BUCKET;
	int number = bucket - first;
	int octave = LCS_EXACT_BITS + ((number - LCS_EXACT_LENGTHS) >> LCS_OCTAVE_BITS);
	int part = (1 << LCS_OCTAVE_BITS) + (number & ((1 << LCS_OCTAVE_BITS) - 1));

	if (number < LCS_EXACT_LENGTHS)
	{
		result->least_length = result->greatest_length = Max(number, 0);
		return;
	}
	result->least_length = part << (octave - LCS_OCTAVE_BITS);
	result->greatest_length = (int32) (((uint32) (part + 1) << (octave - LCS_OCTAVE_BITS)) - 1);
}

LcsBucket
LcsDescribeBucket(int bucket)
{
	LcsBucket result = {.symbols = bucket >= LCS_FIRST_SYMBOL_BUCKET};
	int space =
		BLCKSZ - (int) MAXALIGN(SizeOfPageHeaderData) - (int) MAXALIGN(sizeof(LcsPageOpaque));
	int lengths;

	BucketLengths(bucket, &result);
	if (result.symbols)
		result.entry_bytes = (int32) INTALIGN(sizeof(uint16) * result.greatest_length);
	else if (bucket != LCS_NULL_BUCKET)
	{
		TedPacking packing = {.bits = result.least_length < LONG_LENGTH ? 4 : 8};

		if (result.least_length >= 1 << UNSHIFTED_BITS)
			packing.shift =
				pg_leftmost_one_pos32((uint32) result.least_length) - UNSHIFTED_BITS + 1;
		result.packing = packing;
		result.entry_bytes = ted_packed_bytes(&result.packing);
	}
	lengths = result.least_length < result.greatest_length ? sizeof(int32) : 0;
	result.capacity = space / (result.entry_bytes + lengths + (int) sizeof(ItemPointerData));
	if (lengths > 0)
		result.lengths_offset = result.capacity * result.entry_bytes;
	result.rows_offset = result.capacity * (result.entry_bytes + lengths);
	return result;
}

LcsEntry
LcsMakeEntry(const LcsProfile *profile, ItemPointer row)
{
	LcsEntry entry = {.bucket = LCS_NULL_BUCKET, .row = *row};
	TedPacking packing;

	if (profile == NULL)
		return entry;
	if (profile->length < LCS_SYMBOL_LENGTHS)
		entry.symbols = profile->symbols;
	entry.bucket = BucketOf(profile->length, entry.symbols != NULL);
	entry.length = profile->length;
	if (entry.symbols != NULL)
		return entry;
	packing = LcsDescribeBucket(entry.bucket).packing;
	ted_pack_counts(&packing, profile->counts, entry.counts);
	return entry;
}

/* Marks all of a page as used, so that full-page images include all of it. */
static void
FillPage(Page page)
{
	((PageHeader) page)->pd_lower = ((PageHeader) page)->pd_upper;
}

void
LcsInitMeta(Page page)
{
	LcsMeta *meta;

	PageInit(page, BLCKSZ, 0);
	FillPage(page);
	meta = LcsPageGetMeta(page);
	meta->magic = LCS_MAGIC;
	for (int i = 0; i < LCS_BUCKETS; i++)
		meta->bucket[i].first = meta->bucket[i].insert = InvalidBlockNumber;
}

void
LcsInitPage(Page page, int bucket)
{
	PageInit(page, BLCKSZ, sizeof(LcsPageOpaque));
	FillPage(page);
	LcsPageGetOpaque(page)->next = InvalidBlockNumber;
	LcsPageGetOpaque(page)->bucket = (uint16) bucket;
	LcsPageGetOpaque(page)->count = 0;
}

const uint8 *
LcsPageCounts(Page page)
{
	return (const uint8 *) PageGetContents(page);
}

const uint16 *
LcsPageSymbols(Page page, const LcsBucket *bucket, int i)
{
	return (const uint16 *) (PageGetContents(page) + i * bucket->entry_bytes);
}

int32
LcsPageLength(Page page, const LcsBucket *bucket, int i)
{
	if (bucket->lengths_offset == 0)
		return bucket->least_length;
	return ((const int32 *) (PageGetContents(page) + bucket->lengths_offset))[i];
}

/* Returns the TID of an entry, which can be changed in place. */
ItemPointer
LcsPageRow(Page page, const LcsBucket *bucket, int i)
{
	return (ItemPointer) (PageGetContents(page) + bucket->rows_offset) + i;
}

bool
LcsIsRow(const ItemPointerData *row)
{
	return ItemPointerIsValid(row) && BlockNumberIsValid(ItemPointerGetBlockNumber(row)) &&
		   ItemPointerGetOffsetNumber(row) <= MaxHeapTuplesPerPage;
}

bool
LcsPageAdd(Page page, const LcsBucket *bucket, const LcsEntry *entry)
{
	LcsPageOpaque *opaque = LcsPageGetOpaque(page);
	int i = opaque->count;
	char *place = PageGetContents(page) + i * bucket->entry_bytes;

	if (i >= bucket->capacity)
		return false;
	if (bucket->symbols)
		memcpy(place, entry->symbols, sizeof(uint16) * entry->length);
	else
		memcpy(place, entry->counts, bucket->entry_bytes);
	if (bucket->lengths_offset > 0)
		((int32 *) (PageGetContents(page) + bucket->lengths_offset))[i] = entry->length;
	*LcsPageRow(page, bucket, i) = entry->row;
	opaque->count++;
	return true;
}

void
LcsPageRemove(Page page, const LcsBucket *bucket, int i)
{
	LcsPageOpaque *opaque = LcsPageGetOpaque(page);
	int bytes = bucket->entry_bytes;
	int last = opaque->count - 1;

	memmove(PageGetContents(page) + i * bytes, PageGetContents(page) + last * bytes, bytes);
	if (bucket->lengths_offset > 0)
	{
		int32 *lengths = (int32 *) (PageGetContents(page) + bucket->lengths_offset);

		lengths[i] = lengths[last];
	}
	*LcsPageRow(page, bucket, i) = *LcsPageRow(page, bucket, last);
	opaque->count--;
}

void
LcsDamaged(Relation index, BlockNumber block, const char *reason)
{
	ereport(ERROR,
			(errcode(ERRCODE_INDEX_CORRUPTED),
			 errmsg("index \"%s\" has a damaged page", RelationGetRelationName(index)),
			 errdetail("Block %u %s.", block, reason), errhint("Use REINDEX to build it again.")));
}

/* Whether the header of a page is as LcsInitMeta() or LcsInitPage() made it. */
static bool
IsHeaderOf(Page page, Size special_size)
{
	const PageHeaderData *header = (PageHeader) page;

	return !PageIsNew(page) && PageGetPageSize(page) == BLCKSZ &&
		   header->pd_special == BLCKSZ - MAXALIGN(special_size) &&
		   header->pd_upper == header->pd_special && header->pd_lower == header->pd_upper;
}

/* Raises an error unless a page is block 0 of an index, of the version that this release reads. */
static void
CheckMeta(Relation index, Page page)
{
	uint32 magic = IsHeaderOf(page, 0) ? LcsPageGetMeta(page)->magic : 0;

	if (magic == LCS_MAGIC)
		return;
	if ((magic & ~LCS_VERSION_MASK) == (LCS_MAGIC & ~LCS_VERSION_MASK))
		ereport(ERROR, (errcode(ERRCODE_INDEX_CORRUPTED),
						errmsg("index \"%s\" was written by another release of ted",
							   RelationGetRelationName(index)),
						errdetail("Its pages are of version %u, and this release reads version %d.",
								  magic & LCS_VERSION_MASK, LCS_VERSION),
						errhint("Use REINDEX to build it again.")));
	LcsDamaged(index, LCS_META_BLOCK, "is not the first page of a profile index");
}

Buffer
LcsLockMeta(Relation index, int mode)
{
	Buffer buffer = ReadBuffer(index, LCS_META_BLOCK);

	LockBuffer(buffer, mode);
	CheckMeta(index, BufferGetPage(buffer));
	return buffer;
}

void
LcsReadMeta(Relation index, LcsMeta *meta)
{
	Buffer buffer = LcsLockMeta(index, BUFFER_LOCK_SHARE);

	memcpy(meta, LcsPageGetMeta(BufferGetPage(buffer)), sizeof(LcsMeta));
	UnlockReleaseBuffer(buffer);
}

/* Begins a walk along a bucket at a block. */
void
LcsBeginChain(LcsChain *chain, Relation index, int number, BlockNumber block)
{
	chain->index = index;
	chain->number = number;
	chain->bucket = LcsDescribeBucket(number);
	chain->steps = chain->blocks = 0;
	LcsStep(chain, block);
}

void
LcsStep(LcsChain *chain, BlockNumber next)
{
	chain->block = next;
	if (!BlockNumberIsValid(next))
		return;
	chain->steps++;
	/* the index may have grown since the walk last asked for its size */
	if (chain->block >= chain->blocks || chain->steps >= chain->blocks)
		chain->blocks = RelationGetNumberOfBlocks(chain->index);
	if (chain->block == LCS_META_BLOCK || chain->block >= chain->blocks)
		LcsDamaged(chain->index, chain->block, "follows a page, and is none of the entries");
	if (chain->steps >= chain->blocks)
		LcsDamaged(chain->index, chain->block, "follows itself");
}

/* Raises an error unless a page belongs to the walk's bucket. */
static void
CheckPage(const LcsChain *chain, Page page)
{
	const LcsBucket *bucket = &chain->bucket;
	bool fits = true;

	if (!IsHeaderOf(page, sizeof(LcsPageOpaque)) ||
		LcsPageGetOpaque(page)->bucket != chain->number ||
		LcsPageGetOpaque(page)->count > bucket->capacity)
		LcsDamaged(chain->index, chain->block, "is not one of the entries that lead there");
	for (int i = 0; bucket->lengths_offset > 0 && i < LcsPageGetOpaque(page)->count; i++)
		fits &= LcsPageLength(page, bucket, i) >= bucket->least_length &&
				LcsPageLength(page, bucket, i) <= bucket->greatest_length;
	if (!fits)
		LcsDamaged(chain->index, chain->block, "has entries of lengths that do not lead there");
}

Buffer
LcsLockPage(const LcsChain *chain, BufferAccessStrategy strategy)
{
	Buffer buffer =
		ReadBufferExtended(chain->index, MAIN_FORKNUM, chain->block, RBM_NORMAL, strategy);

	LockBuffer(buffer, BUFFER_LOCK_EXCLUSIVE);
	CheckPage(chain, BufferGetPage(buffer));
	return buffer;
}

void
LcsCopyPage(const LcsChain *chain, Page copy)
{
	Buffer buffer = ReadBuffer(chain->index, chain->block);

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	memcpy(copy, BufferGetPage(buffer), BLCKSZ);
	UnlockReleaseBuffer(buffer);
	CheckPage(chain, copy);
}
