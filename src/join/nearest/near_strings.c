/*
 * near_strings.c
 *	  Finds the strings of a set in the order of their distances from a given string.
 *
 * The strings of a group are stored in the order of their lengths, in blocks.  A search reads the
 * blocks from the length of its string on to both sides, as long as lengths alone allow a result.
 * Strings are compared in batches, one against many; once enough of them are kept, the worst one
 * sets the least number of common symbols of further ones.
 *
 * When all results of a search have been returned, but more are wanted, the strings are compared
 * again, for the next ones.
 */
#include "postgres.h"

#include <math.h>

#include "common/hashfn.h"
#include "lib/binaryheap.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../compat.h"
#include "../../engine/string_session.h"
#include "../../string/lcs_threshold.h"
#include "../../string/strings.h"
#include "neighbours.h"

/* Most strings of a block, and bytes of their symbols unless one string alone has more. */
#define BLOCK_STRINGS 1024
#define BLOCK_BYTES 65536

/* Strings that are compared together, at first and at most. */
#define FIRST_BATCH 64

/* How many times as many strings are kept when more are wanted. */
#define MORE_WANTED 4

/* The least memory for the strings that are kept, whatever work_mem. */
#define LEAST_MEMORY ((Size) 1 << 20)

/* Rows that are found besides those wanted, as conditions may refuse some, and their part. */
#define SPARE 3
#define SPARE_PART 4

/* A string of a block. */
typedef struct StoredString
{
	int64 first_row;
	int32 length;
	int32 symbol_bytes; /* of each symbol: 1, 2 or 4 */
} StoredString;

/* Where a block is, in the order of groups and lengths. */
typedef struct Block
{
	int64 position; /* in the store: strings, then their symbols */
	Size bytes;     /* of both */
	int32 group;
	int32 strings;
	int32 shortest; /* NULL_LENGTH if the block consists of a NULL */
	int32 longest;
} Block;

#define NULL_LENGTH (-1)

/* A string that a search keeps. */
typedef struct KeptString
{
	float8 key;
	int64 place; /* number that puts the strings of a group in an order */
	int64 first_row;
	int32 length;
	int32 common;
} KeptString;

typedef struct StringNeighbours
{
	MemoryContext context;
	const StringType *type;
	Elements *elements; /* of arrays; otherwise NULL */
	FunctionRole order;
	NeighbourCounts *counts;
	RecordStore *records;
	RecordStore *directory; /* of blocks */
	bool spilled;           /* whether the strings are in a file */
	int32 block_count;

	/* the block to which strings are added, or that a search has read */
	Block block;
	StoredString *strings;
	char *symbols;
	Size symbol_bytes;
	Size symbol_capacity;
	MemoryContext reading; /* context of one string that is being read */

	/* the search under way */
	bool searching;
	bool measured; /* whether the string searched for is not NULL */
	Symbols query;
	StringSession *session;
	MemoryContext search_context;
	Block *blocks; /* of the group, without that of a NULL */
	int32 first_block;
	int32 end_block;
	int64 null_row; /* first row of the NULL of the group, or NO_ROW */
	int64 group_strings;
	int32 next_string; /* next string of a search for a NULL, in the block that has been read */

	/* the strings kept: a heap with the worst one first, then sorted */
	KeptString *kept;
	int32 kept_count;
	int32 wanted;
	binaryheap *worst;
	int32 *sorted;
	int32 delivered; /* of these */
	int64 returned;  /* in the whole search */
	KeptString last; /* the last string of the strings delivered before */
	bool has_last;

	/* the batch */
	LcsText texts[BLOCK_STRINGS];
	int32 text_string[BLOCK_STRINGS];
	int32 least[BLOCK_STRINGS];
	int32 lengths[BLOCK_STRINGS];
	int32 batched;
	int32 together; /* strings in a full batch */
	uint32 *wide;
	Size wide_used;
	Size wide_capacity;
} StringNeighbours;

/* Makes an empty set. */
static void *
CreateStrings(const NeighbourSetup *setup)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted near strings", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	StringNeighbours *set = palloc0_object(StringNeighbours);

	set->context = context;
	set->type = setup->documents == DOCUMENT_TEXT    ? &StringOfText
				: setup->documents == DOCUMENT_BYTEA ? &StringOfBytea
													 : &StringOfArray;
	if (set->type->is_array)
		set->elements = CreateElements(setup->elements.type, setup->elements.collation);
	set->order = setup->order;
	set->counts = setup->counts;
	set->records = setup->records;
	set->directory = RecordsCreate();
	set->strings = palloc_array(StoredString, BLOCK_STRINGS);
	set->symbol_capacity = BLOCK_BYTES;
	set->symbols = palloc(set->symbol_capacity);
	set->reading = AllocSetContextCreate(context, "ted near string", ALLOCSET_DEFAULT_SIZES);
	set->search_context = AllocSetContextCreate(context, "ted search", ALLOCSET_DEFAULT_SIZES);
	set->session = StringSessionOpen(context);
	set->session->what = "search for the nearest strings";
	set->session->counts = &set->counts->engine;
	MemoryContextSwitchTo(caller);
	return set;
}

/* Sorts strings by length; equal ones by a hash, so that they are next to each other. */
static void
SortString(const void *set, Datum document, int32 *size, int32 *hash)
{
	struct varlena *value = PG_DETOAST_DATUM_PACKED(document);

	*size = ((const StringNeighbours *) set)->type->length(PointerGetDatum(value));
	*hash =
		(int32) hash_bytes((const unsigned char *) VARDATA_ANY(value), VARSIZE_ANY_EXHDR(value));
}

/* Writes the block to the store. */
static void
FinishBlock(StringNeighbours *set)
{
	Block *block = &set->block;
	Size header = sizeof(StoredString) * (Size) block->strings;

	if (block->strings == 0)
		return;
	block->position = RecordsAdd(set->records, (const char *) set->strings, header);
	RecordsAdd(set->records, set->symbols, set->symbol_bytes);
	block->bytes = header + set->symbol_bytes;
	RecordsAdd(set->directory, (const char *) block, sizeof(Block));
	set->block_count++;
	block->strings = 0;
	set->symbol_bytes = 0;
}

/* Makes room for the symbols of a block. */
static void
ReserveBlock(StringNeighbours *set, Size bytes)
{
	if (bytes <= set->symbol_capacity)
		return;
	CheckStringMemory(bytes);
	pfree(set->symbols);
	set->symbols = MemoryContextAllocHuge(set->context, bytes);
	set->symbol_capacity = bytes;
}

/* Reads symbols that PackSymbols() has written. */
static void
UnpackSymbols(const char *packed, int32 symbol_bytes, int32 count, uint32 *symbol)
{
	if (symbol_bytes == sizeof(uint8))
		for (int32 i = 0; i < count; i++)
			symbol[i] = ((const uint8 *) packed)[i];
	else if (symbol_bytes == sizeof(uint16))
		for (int32 i = 0; i < count; i++)
			symbol[i] = ((const uint16 *) packed)[i];
	else
		memcpy(symbol, packed, sizeof(uint32) * (Size) count);
}

/* Returns the bytes of a string's symbols, aligned for those of the next one. */
static inline Size
PackedBytes(int32 length, int32 symbol_bytes)
{
	return INTALIGN((Size) length * (Size) symbol_bytes);
}

/* Adds a string of a group; equal ones that follow one another are one string. */
static int64 *
AddString(void *arg, int32 group, const Datum *document)
{
	StringNeighbours *set = arg;
	MemoryContext caller = MemoryContextSwitchTo(set->reading);
	Symbols symbols =
		document == NULL ? (Symbols){NULL, 0} : set->type->read(*document, set->elements, true);
	int32 length = document == NULL ? NULL_LENGTH : symbols.count;
	int32 symbol_bytes = SymbolBytes(symbols);
	Size bytes = PackedBytes(symbols.count, symbol_bytes);
	char *packed =
		MemoryContextAllocExtended(set->reading, bytes, MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	StoredString *string = set->block.strings == 0 ? NULL : &set->strings[set->block.strings - 1];

	PackSymbols(symbols, symbol_bytes, packed);
	if (string == NULL || set->block.group != group || set->block.longest != length ||
		string->symbol_bytes != symbol_bytes ||
		memcmp(set->symbols + set->symbol_bytes - bytes, packed, bytes) != 0)
	{
		Block *block = &set->block;

		/* the string may belong to a new block */
		if (block->group != group || block->strings == BLOCK_STRINGS ||
			block->longest == NULL_LENGTH || length == NULL_LENGTH ||
			set->symbol_bytes + bytes > BLOCK_BYTES)
			FinishBlock(set);
		if (block->strings == 0)
		{
			ReserveBlock(set, bytes);
			block->group = group;
			block->shortest = length;
		}
		block->longest = length;
		string = &set->strings[block->strings++];
		*string = (StoredString){NO_ROW, length, symbol_bytes};
		memcpy(set->symbols + set->symbol_bytes, packed, bytes);
		set->symbol_bytes += bytes;
		set->counts->documents += document != NULL;
	}
	MemoryContextSwitchTo(caller);
	MemoryContextReset(set->reading);
	return &string->first_row;
}

/* Returns the bytes of the set, besides the store; a search takes no more that grows with it. */
static Size
StringsMemory(const void *arg)
{
	const StringNeighbours *set = arg;

	return MemoryContextMemAllocated(set->context, true);
}

/* Moves the strings to a file; if that does not suffice, the directory of blocks. */
static void
SpillStrings(void *arg)
{
	StringNeighbours *set = arg;

	RecordsMoveToFile(set->spilled ? set->directory : set->records);
	set->spilled = true;
}

/* Ends adding strings. */
static void
IndexStrings(void *arg, Size memory)
{
	(void) memory;
	FinishBlock(arg);
}

/* Reads the place of a block. */
static Block
ReadBlockPlace(const StringNeighbours *set, int32 number)
{
	Block block;

	RecordsRead(set->directory, (int64) sizeof(Block) * number, (char *) &block, sizeof(Block));
	return block;
}

/* Reads a block. */
static void
ReadBlock(StringNeighbours *set, const Block *block)
{
	Size header = sizeof(StoredString) * (Size) block->strings;

	set->block = *block;
	ReserveBlock(set, block->bytes - header);
	RecordsRead(set->records, block->position, (char *) set->strings, header);
	RecordsRead(set->records, block->position + (int64) header, set->symbols,
				block->bytes - header);
}

/* Returns the number of the first block of a group, or of a greater one. */
static int32
FirstBlockOf(const StringNeighbours *set, int32 group)
{
	int32 low = 0;
	int32 high = set->block_count;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (ReadBlockPlace(set, middle).group < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Finds the blocks of a group. */
static void
FindGroup(StringNeighbours *set, int32 group)
{
	int32 capacity = 8;

	set->blocks = palloc_array(Block, capacity);
	set->end_block = 0;
	set->group_strings = 0;
	set->null_row = NO_ROW;
	for (int32 number = FirstBlockOf(set, group); number < set->block_count; number++)
	{
		Block block = ReadBlockPlace(set, number);

		CheckInterrupts();
		if (block.group != group)
			break;
		if (block.shortest == NULL_LENGTH)
		{
			ReadBlock(set, &block);
			set->null_row = set->strings[0].first_row;
			continue;
		}
		RESERVE(set->search_context, set->blocks, capacity, set->end_block + 1);
		set->blocks[set->end_block++] = block;
		set->group_strings += block.strings;
	}
}

/* Returns the measure of a string by which strings are ordered; similarities are negated. */
static float8
StringKey(const StringNeighbours *set, int32 length, int32 common)
{
	int64 total = (int64) set->query.count + length;

	if (set->order == ROLE_DISTANCE || set->order == ROLE_DISTANCE_OP)
		return (float8) (total - 2 * (int64) common);
	return -LcsSimilarity(common, total);
}

/* Returns the least measure that a string of this length can have. */
static float8
LeastKey(const StringNeighbours *set, int32 length)
{
	return StringKey(set, length, Min(length, set->query.count));
}

/* Compares two kept strings: negative if the first is better. */
static int
CompareKeptStrings(const KeptString *a, const KeptString *b)
{
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Compares strings by their places in `kept`; the heap has the worst first. */
static int
CompareInHeap(Datum a, Datum b, void *arg)
{
	const KeptString *kept = ((const StringNeighbours *) arg)->kept;

	return CompareKeptStrings(&kept[DatumGetInt32(a)], &kept[DatumGetInt32(b)]);
}

/* Returns the worst string kept. */
static KeptString *
WorstKept(const StringNeighbours *set)
{
	return &set->kept[DatumGetInt32(binaryheap_first(set->worst))];
}

/* Returns the greatest measure with which a string may still be kept. */
static float8
Horizon(const StringNeighbours *set)
{
	return set->kept_count < set->wanted ? INFINITY : WorstKept(set)->key;
}

/* Returns the least common symbols of a string with which it may still be kept. */
static int64
LeastCommonSymbols(const StringNeighbours *set, int32 length, float8 horizon)
{
	int64 total = (int64) set->query.count + length;

	if (isinf(horizon))
		return 0;
	if (set->order == ROLE_DISTANCE || set->order == ROLE_DISTANCE_OP)
		return LeastCommonWithin((int32) Min(horizon, PG_INT32_MAX), total);
	return LeastCommonSimilar(-horizon, total);
}

/* Keeps a string if it is one of the best after those delivered. */
static void
KeepString(StringNeighbours *set, const KeptString *string)
{
	if (set->has_last && CompareKeptStrings(string, &set->last) <= 0)
		return;
	if (set->kept_count < set->wanted)
	{
		set->kept[set->kept_count] = *string;
		binaryheap_add(set->worst, Int32GetDatum(set->kept_count++));
	}
	else if (CompareKeptStrings(string, WorstKept(set)) < 0)
	{
		*WorstKept(set) = *string;
		binaryheap_replace_first(set->worst, binaryheap_first(set->worst));
	}
}

/* Compares the strings of the batch. */
static void
CompareBatch(StringNeighbours *set)
{
	if (set->batched == 0)
		return;
	StringSessionCompute(set->session, set->texts, set->batched, set->least, set->lengths);
	set->counts->batches++;
	set->counts->bounded += set->batched;
	set->counts->computed += set->batched;
	for (int32 i = 0; i < set->batched; i++)
	{
		const StoredString *string = &set->strings[set->text_string[i]];

		if (set->lengths[i] == LCS_BELOW)
			continue;
		KeepString(set, &(KeptString){.key = StringKey(set, string->length, set->lengths[i]),
									  .place = set->block.position + set->text_string[i],
									  .first_row = string->first_row,
									  .length = string->length,
									  .common = set->lengths[i]});
	}
	set->together = Min(2 * set->together, BLOCK_STRINGS);
	set->batched = 0;
	set->wide_used = 0;
}

/* Adds a string of the block to the batch; compares the batch if there is no room for its symbols.
 */
static void
AddToBatch(StringNeighbours *set, int32 number, const char *packed, int32 least)
{
	const StoredString *string = &set->strings[number];
	Size symbols = (Size) string->length;
	uint32 *symbol;

	if (set->wide_used + symbols > set->wide_capacity)
	{
		CompareBatch(set);
		if (symbols > set->wide_capacity)
		{
			CheckStringMemory(symbols * sizeof(uint32));
			set->wide_capacity = Max(symbols, BLOCK_BYTES);
			if (set->wide != NULL)
				pfree(set->wide);
			set->wide = MemoryContextAllocHuge(set->context, sizeof(uint32) * set->wide_capacity);
		}
	}
	symbol = set->wide + set->wide_used;
	UnpackSymbols(packed, string->symbol_bytes, string->length, symbol);
	set->wide_used += symbols;
	set->text_string[set->batched] = number;
	set->least[set->batched] = least;
	set->texts[set->batched++] = (LcsText){symbol, string->length};
	if (set->batched == set->together)
		CompareBatch(set);
}

/* Compares the strings of a block whose lengths allow that they are kept. */
static void
SearchBlock(StringNeighbours *set, const Block *block)
{
	const char *packed;
	float8 horizon = Horizon(set);
	int32 length = -1;
	int64 least = 0;

	CheckInterrupts();
	ReadBlock(set, block);
	packed = set->symbols;
	for (int32 number = 0; number < set->block.strings; number++)
	{
		const StoredString *string = &set->strings[number];

		if (set->batched == 0)
		{
			horizon = Horizon(set);
			length = -1;
		}
		if (string->length != length)
		{
			length = string->length;
			least = LeastCommonSymbols(set, length, horizon);
		}
		if (least <= Min(length, set->query.count))
			AddToBatch(set, number, packed, (int32) least);
		packed += PackedBytes(length, string->symbol_bytes);
	}
	CompareBatch(set);
}

/* Returns the number of the first block whose strings are longer than the one searched for. */
static int32
FirstLonger(const StringNeighbours *set)
{
	int32 number = 0;

	while (number < set->end_block && set->blocks[number].longest < set->query.count)
		number++;
	return number;
}

/* Finds the best strings after those delivered, nearest lengths first. */
static void
FindStrings(StringNeighbours *set)
{
	int32 longer = FirstLonger(set);
	int32 shorter = longer - 1;

	set->kept_count = 0;
	binaryheap_reset(set->worst);
	set->counts->pairs += set->group_strings;
	while (shorter >= 0 || longer < set->end_block)
	{
		float8 left = shorter < 0 ? INFINITY : LeastKey(set, set->blocks[shorter].longest);
		float8 right = longer == set->end_block
						   ? INFINITY
						   : LeastKey(set, Max(set->blocks[longer].shortest, set->query.count));

		if (Min(left, right) > Horizon(set))
			break;
		SearchBlock(set, &set->blocks[left < right ? shorter-- : longer++]);
	}
	/* sort the strings kept, the best one first */
	for (int32 i = set->kept_count; i > 0; i--)
	{
		CheckInterrupts();
		set->sorted[i - 1] = DatumGetInt32(binaryheap_remove_first(set->worst));
	}
	set->delivered = 0;
}

/* Makes room for the strings that a search keeps; if they do not fit, it finds some at a time. */
static void
KeepAtMost(StringNeighbours *set, int64 wanted)
{
	Size memory = Max(get_hash_memory_limit(), LEAST_MEMORY) / 2;
	int64 most = (int64) (memory / (sizeof(KeptString) + sizeof(int32) + sizeof(Datum)));

	most = Min(most, (int64) ((MaxAllocSize - sizeof(binaryheap)) / sizeof(Datum)));
	set->wanted = (int32) Min(Min(wanted, set->group_strings), most);
	set->kept =
		MemoryContextAllocHuge(set->search_context, sizeof(KeptString) * (Size) set->wanted);
	set->sorted = MemoryContextAllocHuge(set->search_context, sizeof(int32) * (Size) set->wanted);
	set->worst = binaryheap_allocate(set->wanted, CompareInHeap, set);
}

/* Begins a search. */
static void
SearchStrings(void *arg, int32 group, const Datum *document, int32 wanted)
{
	StringNeighbours *set = arg;
	MemoryContext caller = MemoryContextSwitchTo(set->search_context);

	set->searching = true;
	set->measured = document != NULL;
	set->has_last = false;
	set->delivered = set->kept_count = 0;
	set->returned = 0;
	set->together = FIRST_BATCH;
	FindGroup(set, group);
	set->first_block = set->next_string = 0;
	set->block.strings = 0;
	if (document != NULL && set->group_strings > 0)
	{
		set->query = set->type->read(*document, set->elements, false);
		StringSessionSetPattern(set->session, set->query);
		KeepAtMost(set, (int64) wanted + wanted / SPARE_PART + SPARE);
		FindStrings(set);
	}
	set->counts->searches += document != NULL;
	MemoryContextSwitchTo(caller);
}

/* Finds the strings after those kept, if there may be any. */
static bool
FindMore(StringNeighbours *set)
{
	int64 wanted = (int64) set->wanted * MORE_WANTED;
	MemoryContext caller;

	if (set->kept_count < set->wanted || set->returned == set->group_strings)
		return false;
	caller = MemoryContextSwitchTo(set->search_context);
	set->last = set->kept[set->sorted[set->kept_count - 1]];
	set->has_last = true;
	pfree(set->kept);
	pfree(set->sorted);
	binaryheap_free(set->worst);
	KeepAtMost(set, wanted);
	FindStrings(set);
	MemoryContextSwitchTo(caller);
	return set->kept_count > 0;
}

/* Returns the next string of a search for a NULL. */
static bool
NextUnmeasured(StringNeighbours *set, Neighbour *neighbour)
{
	while (set->next_string == set->block.strings)
	{
		if (set->first_block == set->end_block)
			return false;
		ReadBlock(set, &set->blocks[set->first_block++]);
		set->next_string = 0;
	}
	*neighbour = (Neighbour){.first_row = set->strings[set->next_string++].first_row};
	return true;
}

/* Returns the next string with a measure. */
static bool
NextMeasured(StringNeighbours *set, Neighbour *neighbour)
{
	const KeptString *string;

	if (set->group_strings == 0 || (set->delivered == set->kept_count && !FindMore(set)))
		return false;
	string = &set->kept[set->sorted[set->delivered++]];
	*neighbour = (Neighbour){.first_row = string->first_row,
							 .measured = true,
							 .distance = (int32) ((int64) set->query.count + string->length -
												  2 * (int64) string->common),
							 .larger_size = Max(set->query.count, string->length),
							 .smaller_size = Min(set->query.count, string->length),
							 .key = string->key};
	set->returned++;
	set->counts->found++;
	return true;
}

/* Finds the next string in the order of the measure, and at last the NULL of the group. */
static bool
NextString(void *arg, Neighbour *neighbour)
{
	StringNeighbours *set = arg;

	if (set->measured ? NextMeasured(set, neighbour) : NextUnmeasured(set, neighbour))
		return true;
	if (set->null_row == NO_ROW)
		return false;
	*neighbour = (Neighbour){.first_row = set->null_row};
	set->null_row = NO_ROW;
	return true;
}

/* Ends a search, if one is under way. */
static void
EndStringSearch(void *arg)
{
	StringNeighbours *set = arg;

	if (set->searching)
		MemoryContextReset(set->search_context);
	set->searching = false;
}

/* Frees the set. */
static void
FreeStrings(void *arg)
{
	StringNeighbours *set = arg;

	RecordsFree(set->directory);
	MemoryContextDelete(set->context);
}

const NeighbourKind NeighbourStrings = {.create = CreateStrings,
										.sort = SortString,
										.add = AddString,
										.memory = StringsMemory,
										.spill = SpillStrings,
										.index = IndexStrings,
										.search = SearchStrings,
										.next = NextString,
										.end_search = EndStringSearch,
										.free = FreeStrings};
