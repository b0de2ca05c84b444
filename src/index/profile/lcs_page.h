/*
 * lcs_page.h
 *	  The pages of a profile index.
 *
 * An index has an entry for each row: counts or symbols of the string's profile, and the
 * row's TID.  Entries of about the same length are in one bucket, an unordered list of
 * pages; block 0 holds the first page of each bucket.  A page is divided by kind of data:
 * first the counts or symbols of all entries, then their lengths unless the bucket
 * determines the length, then their TIDs.
 */
#ifndef TED_LCS_PAGE_H
#define TED_LCS_PAGE_H

#include "postgres.h"

#include "access/generic_xlog.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "profile.h"

/*
 * Each length below LCS_EXACT_LENGTHS has a bucket of its own; above, there are eight buckets
 * for each power of two.
 */
#define LCS_EXACT_BITS 7
#define LCS_EXACT_LENGTHS (1 << LCS_EXACT_BITS)
#define LCS_OCTAVE_BITS 3
#define LCS_OCTAVES (31 - LCS_EXACT_BITS)

/* Entries keep all symbols of profiles that have them up to this number of powers of two. */
#define LCS_SYMBOL_OCTAVES 4
#define LCS_SYMBOL_LENGTHS (LCS_EXACT_LENGTHS << LCS_SYMBOL_OCTAVES)

/*
 * The bucket of NULLs, those of the empty string by counts and by symbols, and the number of
 * buckets.
 */
#define LCS_NULL_BUCKET 0
#define LCS_FIRST_BUCKET 1
#define LCS_FIRST_SYMBOL_BUCKET                                                                    \
	(LCS_FIRST_BUCKET + LCS_EXACT_LENGTHS + (LCS_OCTAVES << LCS_OCTAVE_BITS))
#define LCS_BUCKETS                                                                                \
	(LCS_FIRST_SYMBOL_BUCKET + LCS_EXACT_LENGTHS + (LCS_SYMBOL_OCTAVES << LCS_OCTAVE_BITS))

/* The contents of block 0.  The lowest byte of the magic number is the version of all pages. */
#define LCS_META_BLOCK 0
#define LCS_VERSION 1
#define LCS_VERSION_MASK 0xFF
#define LCS_MAGIC (0x4C435300 | LCS_VERSION)

typedef struct LcsMeta
{
	uint32 magic;
	struct
	{
		BlockNumber first;
		BlockNumber insert; /* where to look for room; invalid while the bucket has no page */
	} bucket[LCS_BUCKETS];
} LcsMeta;

/* The special space of all other pages. */
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
	bool symbols; /* entries have symbols rather than counts */
	TedPacking packing;
	int32 entry_bytes;    /* bytes of the counts or symbols of an entry */
	int32 capacity;       /* entries that fit on a page */
	int32 lengths_offset; /* in the page's contents; 0 if the bucket determines the length */
	int32 rows_offset;
} LcsBucket;

/* An entry that is not on a page. */
typedef struct LcsEntry
{
	int bucket;
	int32 length;
	uint8 counts[TED_CLASSES]; /* packed */
	const uint16 *symbols;     /* those of the profile, in place of counts; or NULL */
	ItemPointerData row;
} LcsEntry;

/* Returns the shape of the entries of a bucket. */
extern LcsBucket LcsDescribeBucket(int bucket);

/*
 * Returns the entry of a row; `profile` is NULL for a NULL.  The entry refers to the profile's
 * symbols.
 */
extern LcsEntry LcsMakeEntry(const LcsProfile *profile, ItemPointer row);

/* Initializes block 0, and a page of a bucket; both are empty. */
extern void LcsInitMeta(Page page);
extern void LcsInitPage(Page page, int bucket);

/*
 * Return the parts of a page: the counts of all entries, and the symbols, length and TID of
 * entry `i`.
 */
extern const uint8 *LcsPageCounts(Page page);
extern const uint16 *LcsPageSymbols(Page page, const LcsBucket *bucket, int i);
extern int32 LcsPageLength(Page page, const LcsBucket *bucket, int i);
extern ItemPointer LcsPageRow(Page page, const LcsBucket *bucket, int i);

/* Whether a TID can be that of a row. */
extern bool LcsIsRow(const ItemPointerData *row);

/* Adds an entry to a page; returns false if the page is full. */
extern bool LcsPageAdd(Page page, const LcsBucket *bucket, const LcsEntry *entry);

/* Removes an entry from a page, and puts the last entry in its place. */
extern void LcsPageRemove(Page page, const LcsBucket *bucket, int i);

/* Locks block 0 and checks it; the second function copies its contents. */
extern Buffer LcsLockMeta(Relation index, int mode);
extern void LcsReadMeta(Relation index, LcsMeta *meta);

/*
 * A walk along the pages of a bucket.  On a damaged index it ends with an error: no walk has
 * more steps than the index has pages.
 */
typedef struct LcsChain
{
	Relation index;
	int number; /* number of the bucket */
	LcsBucket bucket;
	BlockNumber block; /* InvalidBlockNumber after the last page */
	BlockNumber steps;
	BlockNumber blocks; /* size of the index, when the walk last asked */
} LcsChain;

/* Begins a walk at a block, and goes on to the next page. */
extern void LcsBeginChain(LcsChain *chain, Relation index, int number, BlockNumber block);
extern void LcsStep(LcsChain *chain, BlockNumber next);

/* Locks the current page of a walk to change it, and checks the page. */
extern Buffer LcsLockPage(const LcsChain *chain, BufferAccessStrategy strategy);

/*
 * Copies the current page of a walk, and checks the copy; no lock is held while its entries are
 * read.
 */
extern void LcsCopyPage(const LcsChain *chain, Page copy);

/* Raises an error about a damaged block of an index. */
extern _Noreturn void LcsDamaged(Relation index, BlockNumber block, const char *reason);

#endif /* TED_LCS_PAGE_H */
