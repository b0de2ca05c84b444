/*
 * string_set.c
 *	  The distinct strings of one side of a join.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "packed.h"
#include "search.h"
#include "string_set.h"

/* The most bytes of a string that its hash covers. */
#define HASHED_BYTES (1 << 18)

/* A string by its number; one that is looked up has the number of the next string. */
typedef struct StringEntry
{
	int32 number;
	uint32 hash;
	char status;
} StringEntry;

/* Bytes of the symbols of a string. */
static inline Size
StringBytes(const LcsString *string)
{
	return (Size) string->symbol_bytes * (Size) string->length;
}

/* Hash of a string. */
static inline uint32
HashString(const LcsString *string)
{
	return hash_bytes(string->symbols, (int) Min(StringBytes(string), HASHED_BYTES));
}

/* Whether strings are equal; those that are have symbols of the same size. */
static inline bool
EqualStrings(const LcsString *a, const LcsString *b)
{
	return a->length == b->length && a->symbol_bytes == b->symbol_bytes &&
		   memcmp(a->symbols, b->symbols, StringBytes(a)) == 0;
}

#define SH_PREFIX stringtable
#define SH_ELEMENT_TYPE StringEntry
#define SH_KEY_TYPE int32
#define SH_KEY number
#define SH_HASH_KEY(table, key) HashString(&StringSetStrings((table)->private_data)[key])
#define SH_EQUAL(table, a, b)                                                                      \
	EqualStrings(&StringSetStrings((table)->private_data)[a],                                      \
				 &StringSetStrings((table)->private_data)[b])
#define SH_SCOPE static inline
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

struct StringSet
{
	MemoryContext context; /* of the strings */
	bool changing;
	LcsString *strings;
	int32 count;
	int32 capacity;
	stringtable_hash *table;
	PackedMemory packed;
};

/* Starts with no string. */
static void
ClearStringSet(StringSet *set)
{
	set->count = 0;
	set->capacity = 64;
	set->strings = MemoryContextAlloc(set->context, sizeof(LcsString) * (Size) set->capacity);
	set->table = stringtable_create(set->context, 64, set);
	set->packed = (PackedMemory){.context = set->context};
}

/* Makes an empty set. */
StringSet *
StringSetCreate(bool changing)
{
	StringSet *set = palloc0_object(StringSet);

	set->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join strings", ALLOCSET_DEFAULT_SIZES);
	set->changing = changing;
	ClearStringSet(set);
	return set;
}

/* Makes room for another string. */
static void
ReserveString(StringSet *set)
{
	if (set->count < set->capacity)
		return;
	set->capacity += set->capacity / 4;
	set->strings = repalloc_huge(set->strings, sizeof(LcsString) * (Size) set->capacity);
}

/* Bytes that each of some symbols needs. */
static int32
NeededBytes(Symbols symbols)
{
	uint32 bits = 0;

	for (int32 i = 0; i < symbols.count; i++)
		bits |= symbols.symbol[i];
	return bits <= PG_UINT8_MAX ? 1 : bits <= PG_UINT16_MAX ? 2 : sizeof(uint32);
}

/* Symbols as a string, which are written to `room` where fewer bytes do. */
static LcsString
ShortenSymbols(const StringSet *set, Symbols symbols, uint16 *room)
{
	LcsString string = {symbols.symbol, symbols.count, sizeof(uint32)};

	if (set->changing || symbols.count > LCS_MOST_FEATURES)
		return string;
	string.symbol_bytes = NeededBytes(symbols);
	if (string.symbol_bytes == sizeof(uint32))
		return string;
	string.symbols = room;
	for (int32 i = 0; i < symbols.count; i++)
		if (string.symbol_bytes == 1)
			((uint8 *) room)[i] = (uint8) symbols.symbol[i];
		else
			room[i] = (uint16) symbols.symbol[i];
	return string;
}

/* A copy of symbols in the memory of the set. */
static const void *
CopySymbols(StringSet *set, const LcsString *string)
{
	Size bytes = StringBytes(string);
	void *copy;

	if (bytes > PACKED_BLOCK)
		CheckMemoryLimit(bytes, STRING_JOIN);
	copy = PackedTake(&set->packed, bytes);
	memcpy(copy, string->symbols, bytes);
	return copy;
}

/* Adds a string, or a copy of it, unless there is one like it; returns the number of either. */
static int32
Add(StringSet *set, LcsString string, bool copy)
{
	bool known;
	StringEntry *entry;

	ReserveString(set);
	set->strings[set->count] = string;
	entry = stringtable_insert(set->table, set->count, &known);
	if (!known)
	{
		if (copy)
			set->strings[set->count].symbols = CopySymbols(set, &string);
		set->count++;
	}
	return entry->number;
}

/* Adds a copy of a string. */
int32
StringSetAdd(StringSet *set, Symbols symbols)
{
	uint16 room[LCS_MOST_FEATURES];

	return Add(set, ShortenSymbols(set, symbols, room), true);
}

/* A string that is written; the symbols follow all of them. */
typedef struct StringImage
{
	int32 length;
	int32 symbol_bytes;
} StringImage;

/* Header of an image of strings. */
typedef struct StringsImage
{
	int32 count;
	StringImage strings[FLEXIBLE_ARRAY_MEMBER];
} StringsImage;

/* Bytes of the symbols of a string in an image. */
static Size
StringImageBytes(const LcsString *string)
{
	return INTALIGN(StringBytes(string));
}

/* Memory that the strings take when written. */
Size
StringSetExportBytes(const StringSet *set)
{
	Size bytes = offsetof(StringsImage, strings) + sizeof(StringImage) * (Size) set->count;

	for (int32 i = 0; i < set->count; i++)
		bytes += StringImageBytes(&set->strings[i]);
	return bytes;
}

/* Writes the strings. */
void
StringSetExport(const StringSet *set, char *image)
{
	StringsImage *header = (StringsImage *) image;
	char *next = (char *) &header->strings[set->count];

	header->count = set->count;
	for (int32 i = 0; i < set->count; i++)
	{
		const LcsString *string = &set->strings[i];

		CheckInterrupts();
		header->strings[i] = (StringImage){string->length, string->symbol_bytes};
		memcpy(next, string->symbols, StringBytes(string));
		next += StringImageBytes(string);
	}
}

/* A string whose symbols other numbers stand for. */
static LcsString
Translate(const LcsString *string, const int32 *ids, Symbols *room)
{
	const uint32 *symbols = string->symbols;

	Assert(string->symbol_bytes == sizeof(uint32));
	if (string->length > room->count)
	{
		room->count = string->length;
		room->symbol = palloc_extended(StringBytes(string), MCXT_ALLOC_HUGE);
	}
	for (int32 i = 0; i < string->length; i++)
		room->symbol[i] = (uint32) ids[symbols[i]];
	return (LcsString){room->symbol, string->length, sizeof(uint32)};
}

/* Adds strings that a process has written. */
int32 *
StringSetImport(StringSet *set, const char *image, const int32 *ids)
{
	const StringsImage *header = (const StringsImage *) image;
	int32 *numbers = palloc_extended(sizeof(int32) * (Size) header->count, MCXT_ALLOC_HUGE);
	const char *next = (const char *) &header->strings[header->count];
	Symbols room = {0};

	for (int32 i = 0; i < header->count; i++)
	{
		LcsString string = {next, header->strings[i].length, header->strings[i].symbol_bytes};

		CheckInterrupts();
		numbers[i] =
			ids == NULL ? Add(set, string, false) : Add(set, Translate(&string, ids, &room), true);
		next += StringImageBytes(&string);
	}
	return numbers;
}

/* Memory that is freed when adding ends. */
Size
StringSetAddingBytes(const StringSet *set)
{
	return set->table == NULL ? 0 : sizeof(StringEntry) * set->table->size;
}

/* Ends adding. */
void
StringSetFinish(StringSet *set)
{
	stringtable_destroy(set->table);
	set->table = NULL;
}

/* Number of distinct strings. */
int32
StringSetCount(const StringSet *set)
{
	return set->count;
}

/* All strings. */
const LcsString *
StringSetStrings(const StringSet *set)
{
	return set->strings;
}

/* Forgets all strings. */
void
StringSetReset(StringSet *set)
{
	MemoryContextReset(set->context);
	ClearStringSet(set);
}
