/*
 * string_set.c
 *	  The distinct strings of one side of a join.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../compat.h"
#include "../../string/strings.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "search.h"
#include "string_set.h"

/* An entry of the hash table; the string that is looked up has number `count`. */
typedef struct StringEntry
{
	int32 number;
	uint32 hash;
	char status;
} StringEntry;

static inline const LcsString *AddedString(const StringSet *set, int32 number);

#define SH_PREFIX stringtable
#define SH_ELEMENT_TYPE StringEntry
#define SH_KEY_TYPE int32
#define SH_KEY number
#define SH_HASH_KEY(table, key) HashString(AddedString((table)->private_data, key))
#define SH_EQUAL(table, a, b)                                                                      \
	EqualStrings(AddedString((table)->private_data, a), AddedString((table)->private_data, b))
#define SH_SCOPE static inline
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* Returns a string that has been added. */
static inline const LcsString *
AddedString(const StringSet *set, int32 number)
{
	return &set->strings[number];
}

/* Initializes an empty set, after its memory has been freed. */
static void
ClearStringSet(StringSet *set, Team *team)
{
	set->count = 0;
	set->capacity = 64;
	set->strings = MemoryContextAlloc(set->context, sizeof(LcsString) * (Size) set->capacity);
	set->table = stringtable_create(set->context, 64, set);
	set->packed = (PackedMemory){.context = set->context, .team = team};
	set->stored =
		team == NULL ? NULL
					 : MemoryContextAlloc(set->context, sizeof(dsa_pointer) * (Size) set->capacity);
	set->all = NULL;
}

StringSet *
StringSetCreate(bool changing, Team *team)
{
	StringSet *set = palloc0_object(StringSet);

	set->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join strings", ALLOCSET_DEFAULT_SIZES);
	set->changing = changing;
	ClearStringSet(set, team);
	return set;
}

/* Returns symbols as a string; writes short ones to `room` if fewer bytes hold them. */
static LcsString
ShortenSymbols(const StringSet *set, Symbols symbols, uint16 *room)
{
	LcsString string = {symbols.symbol, symbols.count, sizeof(uint32)};

	if (set->changing || symbols.count > LCS_MOST_FEATURES)
		return string;
	string.symbol_bytes = SymbolBytes(symbols);
	if (string.symbol_bytes == sizeof(uint32))
		return string;
	string.symbols = room;
	PackSymbols(symbols, string.symbol_bytes, room);
	return string;
}

/* Copies symbols into the memory of the set, or of the team. */
static const void *
CopySymbols(StringSet *set, const LcsString *string)
{
	Size bytes = StringBytes(string);
	StoredString *stored;

	if (bytes > PACKED_BLOCK)
		CheckMemoryLimit(bytes, STRING_JOIN);
	if (set->stored == NULL)
		return memcpy(PackedTake(&set->packed, bytes), string->symbols, bytes);
	stored = PackedTake(&set->packed, sizeof(StoredString) + bytes);
	set->stored[set->count] = set->packed.pointer;
	*stored = (StoredString){string->length, string->symbol_bytes};
	return memcpy(stored + 1, string->symbols, bytes);
}

int32
StringSetAdd(StringSet *set, Symbols symbols)
{
	uint16 room[LCS_MOST_FEATURES];
	LcsString string = ShortenSymbols(set, symbols, room);
	bool known;
	StringEntry *entry;

	if (set->count >= set->capacity)
	{
		set->capacity += set->capacity / 4;
		set->strings = repalloc_huge(set->strings, sizeof(LcsString) * (Size) set->capacity);
		if (set->stored != NULL)
			set->stored = repalloc_huge(set->stored, sizeof(dsa_pointer) * (Size) set->capacity);
	}
	set->strings[set->count] = string;
	entry = stringtable_insert(set->table, set->count, &known);
	if (!known)
	{
		set->strings[set->count].symbols = CopySymbols(set, &string);
		set->count++;
	}
	return entry->number;
}

void
StringSetTakeAll(StringSet *set, const SharedStrings *all)
{
	StringSetReset(set);
	set->all = all;
	set->count = all->count;
}

Size
StringSetAddingBytes(const StringSet *set)
{
	Size team = set->stored == NULL ? 0 : sizeof(LcsString) + sizeof(dsa_pointer);

	return set->table == NULL
			   ? 0
			   : sizeof(StringEntry) * set->table->size + team * (Size) set->capacity;
}

void
StringSetFinish(StringSet *set)
{
	stringtable_destroy(set->table);
	set->table = NULL;
}

LcsString
StringSetGet(const StringSet *set, int32 number)
{
	return set->all == NULL ? set->strings[number] : SharedString(set->all, number);
}

int32
StringSetLength(const StringSet *set, int32 number)
{
	return set->all == NULL ? set->strings[number].length : set->all->strings[number].string.length;
}

void
StringSetReset(StringSet *set)
{
	MemoryContextReset(set->context);
	ClearStringSet(set, NULL);
}
