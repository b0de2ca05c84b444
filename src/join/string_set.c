/*
 * string_set.c
 *	  The distinct strings of one side of a join.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/host.h"
#include "packed.h"
#include "search.h"
#include "string_set.h"

/* Symbols that a hash is made of, at most. */
#define HASHED_SYMBOLS (1 << 16)

/* A string by its symbols. */
typedef struct StringEntry
{
	Symbols symbols;
	uint32 hash;
	int32 number;
	char status;
} StringEntry;

/* Bytes of symbols. */
static inline Size
SymbolBytes(Symbols symbols)
{
	return sizeof(uint32) * (Size) symbols.count;
}

/* Hash of a string. */
static inline uint32
HashSymbols(Symbols symbols)
{
	return hash_bytes((const unsigned char *) symbols.symbol,
					  (int) sizeof(uint32) * Min(symbols.count, HASHED_SYMBOLS));
}

#define SH_PREFIX stringtable
#define SH_ELEMENT_TYPE StringEntry
#define SH_KEY_TYPE Symbols
#define SH_KEY symbols
#define SH_HASH_KEY(table, key) HashSymbols(key)
#define SH_EQUAL(table, a, b)                                                                      \
	((a).count == (b).count && memcmp((a).symbol, (b).symbol, SymbolBytes(a)) == 0)
#define SH_SCOPE static inline
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

struct StringSet
{
	MemoryContext context; /* of the strings */
	JoinString *strings;
	int32 count;
	int32 capacity;
	stringtable_hash *table;
	PackedMemory packed;
};

/* Starts with no string. */
static void
Clear(StringSet *set)
{
	set->count = 0;
	set->capacity = 64;
	set->strings = MemoryContextAlloc(set->context, sizeof(JoinString) * (Size) set->capacity);
	set->table = stringtable_create(set->context, 64, NULL);
	set->packed = (PackedMemory){.context = set->context};
}

/* Makes an empty set. */
StringSet *
StringSetCreate(void)
{
	StringSet *set = palloc0_object(StringSet);

	set->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join strings", ALLOCSET_DEFAULT_SIZES);
	Clear(set);
	return set;
}

/* Makes room for another string. */
static void
Reserve(StringSet *set)
{
	if (set->count < set->capacity)
		return;
	set->capacity *= 2;
	CheckMemoryGrowth(set->context, STRING_SET_BYTES * (Size) set->capacity, STRING_JOIN);
	set->strings = repalloc_huge(set->strings, sizeof(JoinString) * (Size) set->capacity);
}

/* A copy of symbols in the memory of the set. */
static Symbols
CopySymbols(StringSet *set, Symbols symbols)
{
	Size bytes = SymbolBytes(symbols);
	Symbols copy = {.count = symbols.count};

	if (bytes > PACKED_BLOCK)
		CheckMemoryGrowth(set->context, bytes, STRING_JOIN);
	copy.symbol = PackedTake(&set->packed, bytes);
	memcpy(copy.symbol, symbols.symbol, bytes);
	return copy;
}

/* Adds a string, or a copy of it, unless there is one like it; returns the number of either. */
static int32
Add(StringSet *set, Symbols symbols, bool copy)
{
	bool known;
	StringEntry *entry;

	Reserve(set);
	entry = stringtable_insert(set->table, symbols, &known);
	if (!known)
	{
		if (copy)
			entry->symbols = CopySymbols(set, symbols);
		entry->number = set->count++;
		set->strings[entry->number] = (JoinString){
			.symbols = entry->symbols, .order = DocumentOrder(ParallelWorkerNumber, entry->number)};
	}
	return entry->number;
}

/* Adds a copy of a string. */
int32
StringSetAdd(StringSet *set, Symbols symbols)
{
	return Add(set, symbols, true);
}

/* Header of an image of strings.  There follow their lengths, and the symbols of all. */
typedef struct StringsImage
{
	int32 count;
} StringsImage;

/* Where the lengths in an image begin. */
static int32 *
ImageLengths(const char *image)
{
	return (int32 *) (image + sizeof(StringsImage));
}

/* Where the symbols in an image begin. */
static uint32 *
ImageSymbols(const char *image)
{
	return (uint32 *) (ImageLengths(image) + ((const StringsImage *) image)->count);
}

/* Memory that the strings take when written. */
Size
StringSetExportBytes(const StringSet *set)
{
	Size bytes = sizeof(StringsImage) + sizeof(int32) * (Size) set->count;

	for (int32 i = 0; i < set->count; i++)
		bytes += SymbolBytes(set->strings[i].symbols);
	return bytes;
}

/* Writes the strings. */
void
StringSetExport(const StringSet *set, char *image)
{
	uint32 *next;

	((StringsImage *) image)->count = set->count;
	next = ImageSymbols(image);
	for (int32 i = 0; i < set->count; i++)
	{
		Symbols symbols = set->strings[i].symbols;

		CHECK_FOR_INTERRUPTS();
		ImageLengths(image)[i] = symbols.count;
		memcpy(next, symbols.symbol, SymbolBytes(symbols));
		next += symbols.count;
	}
}

/* Symbols that other numbers stand for. */
static Symbols
Translate(Symbols symbols, const int32 *ids, Symbols *room)
{
	if (symbols.count > room->count)
	{
		room->count = symbols.count;
		room->symbol = palloc_extended(SymbolBytes(symbols), MCXT_ALLOC_HUGE);
	}
	for (int32 i = 0; i < symbols.count; i++)
		room->symbol[i] = (uint32) ids[symbols.symbol[i]];
	return (Symbols){room->symbol, symbols.count};
}

/* Adds strings that another process has written. */
int32 *
StringSetImport(StringSet *set, const char *image, int worker, const int32 *ids)
{
	int32 count = ((const StringsImage *) image)->count;
	int32 *numbers = palloc_extended(sizeof(int32) * (Size) count, MCXT_ALLOC_HUGE);
	Symbols symbols = {.symbol = ImageSymbols(image)};
	Symbols room = {0};

	for (int32 i = 0; i < count; i++)
	{
		int32 known = set->count;
		int64 order = DocumentOrder(worker, i);
		JoinString *string;

		CHECK_FOR_INTERRUPTS();
		symbols.count = ImageLengths(image)[i];
		numbers[i] =
			ids == NULL ? Add(set, symbols, false) : Add(set, Translate(symbols, ids, &room), true);
		string = &set->strings[numbers[i]];
		string->order = numbers[i] == known ? order : Min(string->order, order);
		symbols.symbol += symbols.count;
	}
	return numbers;
}

/* Ends adding; symbols may become others. */
void
StringSetFinish(StringSet *set, const int32 *ids)
{
	stringtable_destroy(set->table);
	set->table = NULL;
	for (int32 i = 0; ids != NULL && i < set->count; i++)
	{
		Symbols symbols = set->strings[i].symbols;

		CHECK_FOR_INTERRUPTS();
		for (int32 j = 0; j < symbols.count; j++)
			symbols.symbol[j] = (uint32) ids[symbols.symbol[j]];
	}
}

/* Number of distinct strings. */
int32
StringSetCount(const StringSet *set)
{
	return set->count;
}

/* One string. */
const JoinString *
StringSetGet(const StringSet *set, int32 number)
{
	return &set->strings[number];
}

/* Forgets all strings. */
void
StringSetReset(StringSet *set)
{
	MemoryContextReset(set->context);
	Clear(set);
}
