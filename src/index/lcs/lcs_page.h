/*
 * lcs_page.h
 *	  The pages of a profile index.
 *
 * An index has an entry for each row: what its profile says of the string, and where
 * the row is.  Entries of about the same length are in one bucket, a list of pages,
 * in no order; block 0 knows the first page of each bucket.  On a page, what entries
 * have in common stands together: first all counts or symbols, then the lengths where
 * the bucket does not determine them, then where the rows are.
 */
#ifndef TED_LCS_PAGE_H
#define TED_LCS_PAGE_H

#include "postgres.h"

#include "access/generic_xlog.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "profile.h"

/* Lengths below this have a bucket each, longer ones eight for each power of two. */
#define LCS_EXACT_BITS 7
#define LCS_EXACT_LENGTHS (1 << LCS_EXACT_BITS)
#define LCS_OCTAVE_BITS 3
#define LCS_OCTAVES (31 - LCS_EXACT_BITS)

/* Powers of two up to which all symbols are kept, where a profile has them. */
#define LCS_SYMBOL_OCTAVES 4
#define LCS_SYMBOL_LENGTHS (LCS_EXACT_LENGTHS << LCS_SYMBOL_OCTAVES)

/* The bucket of NULLs, those of the empty string by counts and by symbols, and the number of all.
 */
#define LCS_NULL_BUCKET 0
#define LCS_FIRST_BUCKET 1
#define LCS_FIRST_SYMBOL_BUCKET                                                                    \
	(LCS_FIRST_BUCKET + LCS_EXACT_LENGTHS + (LCS_OCTAVES << LCS_OCTAVE_BITS))
#define LCS_BUCKETS                                                                                \
	(LCS_FIRST_SYMBOL_BUCKET + LCS_EXACT_LENGTHS + (LCS_SYMBOL_OCTAVES << LCS_OCTAVE_BITS))

/* The contents of the page of block 0. */
#define LCS_META_BLOCK 0
#define LCS_MAGIC 0x4C435332

typedef struct LcsMeta
{
	uint32 magic;
	struct
	{
		BlockNumber first;
		BlockNumber insert; /* where to look for room, none before it has any */
	} bucket[LCS_BUCKETS];
} LcsMeta;

/* The end of every other page. */
typedef struct LcsPageOpaque
{
	BlockNumber next;
	uint16 bucket;
	uint16 count; /* entries */
} LcsPageOpaque;

#define LcsPageGetMeta(page) ((LcsMeta *) PageGetContents(page))
#define LcsPageGetOpaque(page) ((LcsPageOpaque *) PageGetSpecialPointer(page))

/* The shape of the entries of a bucket. */
typedef struct LcsBucket
{
	int32 least_length;
	int32 greatest_length;
	bool symbols; /* entries have these, rather than counts */
	TedPacking packing;
	int32 entry_bytes;    /* of counts or symbols */
	int32 capacity;       /* entries of a page */
	int32 lengths_offset; /* in the page; 0 if the bucket determines the length */
	int32 rows_offset;
} LcsBucket;

/* An entry by itself. */
typedef struct LcsEntry
{
	int bucket;
	int32 length;
	uint8 counts[TED_CLASSES]; /* packed */
	const uint16 *symbols;     /* of the profile, in place of counts; or NULL */
	ItemPointerData row;
} LcsEntry;

/* The bucket of a length, among those of counts or of symbols, and what it is like. */
extern int LcsBucketOf(int32 length, bool symbols);
extern LcsBucket LcsDescribeBucket(int bucket);

/* The entry of a row whose string has a profile, which is NULL for a NULL. */
extern LcsEntry LcsMakeEntry(const LcsProfile *profile, ItemPointer row);

/* Makes an empty page: that of block 0, or one of a bucket. */
extern void LcsInitMeta(Page page);
extern void LcsInitPage(Page page, int bucket);

/* The parts of a page. */
extern const uint8 *LcsPageCounts(Page page);
extern const uint16 *LcsPageSymbols(Page page, const LcsBucket *bucket, int i);
extern int32 LcsPageLength(Page page, const LcsBucket *bucket, int i);
extern ItemPointer LcsPageRow(Page page, const LcsBucket *bucket, int i);

/* Whether a row can be where an entry says. */
extern bool LcsIsRow(const ItemPointerData *row);

/* Adds an entry; false if the page is full. */
extern bool LcsPageAdd(Page page, const LcsBucket *bucket, const LcsEntry *entry);

/* Removes an entry, and puts the last one in its place. */
extern void LcsPageRemove(Page page, const LcsBucket *bucket, int i);

/* Locks block 0, checks it, and copies what it says. */
extern Buffer LcsLockMeta(Relation index, int mode);
extern void LcsReadMeta(Relation index, LcsMeta *meta);

/*
 * A walk along the pages of a bucket.  A walk along a damaged index ends with an error: no
 * walk has more steps than the index has pages.
 */
typedef struct LcsChain
{
	Relation index;
	int number; /* of the bucket */
	LcsBucket bucket;
	BlockNumber block; /* InvalidBlockNumber after the last page */
	BlockNumber steps;
	BlockNumber blocks; /* of the index, when the walk last asked */
} LcsChain;

/* Begins a walk at a block, and takes the next step. */
extern void LcsBeginChain(LcsChain *chain, Relation index, int number, BlockNumber block);
extern void LcsStep(LcsChain *chain, BlockNumber next);

/* Locks the page of a walk to change it, and checks the page. */
extern Buffer LcsLockPage(const LcsChain *chain, BufferAccessStrategy strategy);

/* Copies the page of a walk, and checks the copy: no lock is held while its entries are read. */
extern void LcsCopyPage(const LcsChain *chain, Page copy);

/* Raises the error of an index with a damaged block. */
extern _Noreturn void LcsDamaged(Relation index, BlockNumber block, const char *reason);

#endif /* TED_LCS_PAGE_H */
