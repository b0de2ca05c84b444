/*
 * labels.c
 *	  Interns byte strings: equal bytes get equal ids, counted from 0.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "host.h"
#include "labels.h"

Label
TextLabel(Datum value)
{
	struct varlena *bytes = PG_DETOAST_DATUM_PACKED(value);

	return (Label){VARDATA_ANY(bytes), (int) VARSIZE_ANY_EXHDR(bytes)};
}

typedef struct LabelEntry
{
	Label label;
	int32 id;
	uint32 hash;
	char status;
} LabelEntry;

#define SH_PREFIX label
#define SH_ELEMENT_TYPE LabelEntry
#define SH_KEY_TYPE Label
#define SH_KEY label
#define SH_HASH_KEY(tb, key) LabelTableHash((tb)->private_data, key)
#define SH_EQUAL(tb, a, b) LabelTableEqual((tb)->private_data, a, b)
#define SH_STORE_HASH
#define SH_GET_HASH(tb, entry) (entry)->hash
#define SH_USE_NONDEFAULT_ALLOCATOR
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

struct LabelTable
{
	MemoryContext context;
	MemoryContext counted; /* its memory is limited to ted.max_memory; NULL for no limit */
	const char *what;      /* name of the computation in the error */
	label_hash *hash;
	CommonLabels common; /* labels with the first ids; none where common.count is 0 */
	Label *labels;       /* by id, without the common labels */
	int32 count;         /* of all labels */
	int32 capacity;
	int32 kept;                 /* labels that LabelTableForget() keeps */
	MemoryContext byte_context; /* of the bytes of labels that are not kept */
	char *free_bytes;           /* free part of the last chunk of label bytes */
	int free_length;
	LabelHash hash_label; /* NULL where labels are equal if their bytes are */
	LabelsEqual labels_equal;
	const void *equality_arg;
};

#define LABEL_CHUNK 8192

uint32
LabelTableHash(const LabelTable *table, Label label)
{
	if (unlikely(table->hash_label != NULL))
		return table->hash_label(table->equality_arg, label);
	return hash_bytes((const unsigned char *) label.bytes, label.length);
}

bool
LabelTableEqual(const LabelTable *table, Label a, Label b)
{
	if (unlikely(table->labels_equal != NULL))
		return table->labels_equal(table->equality_arg, a, b);
	return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

bool
LabelTableKeepsOther(const LabelTable *table, Label kept, Label other)
{
	return table->labels_equal != NULL && CompareLabels(other, kept) < 0;
}

/* Raises an error if the table is limited and may not grow by this number of bytes. */
static void
CheckGrowth(const LabelTable *table, Size bytes)
{
	if (table->counted != NULL)
		CheckMemoryGrowth(table->counted, bytes, table->what);
}

/* Allocates the entries of the hash table; the table doubles each time that it grows. */
static inline void *
label_allocate(label_hash *hash, Size bytes)
{
	CheckGrowth(hash->private_data, bytes);
	return AllocZeros(hash->ctx, bytes);
}

/* Frees the entries of the hash table. */
static inline void
label_free(label_hash *hash, void *entries)
{
	(void) hash;
	pfree(entries);
}

LabelTable *
LabelTableCreate(void)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "label table", ALLOCSET_SMALL_SIZES);
	LabelTable *table = MemoryContextAllocZero(context, sizeof(LabelTable));

	table->context = context;
	table->byte_context = context;
	table->hash = label_create(context, 32, table);
	table->capacity = 64;
	table->labels = MemoryContextAlloc(context, sizeof(Label) * table->capacity);
	return table;
}

void
LabelTableLimit(LabelTable *table, MemoryContext counted, const char *what)
{
	table->counted = counted;
	table->what = what;
}

/* Sets the functions by which an empty table compares and hashes labels. */
void
LabelTableSetEquality(LabelTable *table, LabelHash hash, LabelsEqual equal, const void *arg)
{
	table->hash_label = hash;
	table->labels_equal = equal;
	table->equality_arg = arg;
}

Size
LabelTableAlign(const LabelTable *table, Size bytes)
{
	return table->labels_equal == NULL ? bytes : MAXALIGN(bytes);
}

MemoryContext
LabelTableContext(const LabelTable *table)
{
	return table->context;
}

/* Copies label bytes into memory of the table. */
static const char *
CopyBytes(LabelTable *table, const char *bytes, int length)
{
	int space = (int) LabelTableAlign(table, (Size) length);
	char *copy;

	if (length == 0)
		return "";
	if (length > LABEL_CHUNK / 8)
	{
		CheckGrowth(table, (Size) length);
		copy = MemoryContextAlloc(table->byte_context, length);
		CopyBlock(copy, bytes, (Size) length);
		return copy;
	}
	if (space > table->free_length)
	{
		CheckGrowth(table, LABEL_CHUNK);
		table->free_bytes = MemoryContextAlloc(table->byte_context, LABEL_CHUNK);
		table->free_length = LABEL_CHUNK;
	}
	copy = table->free_bytes;
	table->free_bytes += space;
	table->free_length -= space;
	return memcpy(copy, bytes, length);
}

/* Returns the id of a label among the common labels, or -1. */
static inline int32
FindCommon(const LabelTable *table, Label label, uint32 hash)
{
	return table->common.count == 0 ? -1 : table->common.find(table->common.arg, label, hash);
}

/* Returns the id of a label with a hash value; a new label gets the next id. */
static int32
InternHashed(LabelTable *table, Label label, uint32 hash)
{
	bool found;
	int32 common = FindCommon(table, label, hash);
	LabelEntry *entry;

	if (common >= 0)
		return common;
	entry = label_insert_hash(table->hash, label, hash, &found);
	if (found)
	{
		/* a label that stays is never replaced */
		if (entry->id >= table->kept && LabelTableKeepsOther(table, entry->label, label))
		{
			entry->label = (Label){CopyBytes(table, label.bytes, label.length), label.length};
			table->labels[entry->id - table->common.count] = entry->label;
		}
		return entry->id;
	}

	entry->label.bytes = CopyBytes(table, label.bytes, label.length);
	entry->id = table->count;
	if (table->count - table->common.count == table->capacity)
	{
		CheckGrowth(table, sizeof(Label) * (Size) table->capacity);
		table->capacity *= 2;
		table->labels = repalloc_huge(table->labels, sizeof(Label) * (Size) table->capacity);
	}
	table->labels[table->count - table->common.count] = entry->label;
	return table->count++;
}

int32
LabelTableIntern(LabelTable *table, const char *bytes, int length)
{
	Label label = {bytes, length};

	return InternHashed(table, label, LabelTableHash(table, label));
}

/* Finds the ids of many labels; prefetches the entries and bytes of all labels first. */
void
LabelTableInternAll(LabelTable *table, const Label *labels, int32 count, int32 *ids)
{
	for (int32 i = 0; i < count; i++)
	{
		/* ids[i] holds the hash value until the id is known */
		ids[i] = (int32) LabelTableHash(table, labels[i]);
		__builtin_prefetch(&table->hash->data[(uint32) ids[i] & table->hash->sizemask]);
	}
	for (int32 i = 0; i < count; i++)
	{
		const LabelEntry *entry = &table->hash->data[(uint32) ids[i] & table->hash->sizemask];

		if (entry->status == label_SH_IN_USE)
			__builtin_prefetch(entry->label.bytes);
	}
	for (int32 i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ids[i] = InternHashed(table, labels[i], (uint32) ids[i]);
	}
}

int32
LabelTableFind(const LabelTable *table, const char *bytes, int length)
{
	Label label = {bytes, length};
	uint32 hash = LabelTableHash(table, label);
	const LabelEntry *entry = label_lookup_hash(table->hash, label, hash);

	return entry == NULL ? FindCommon(table, label, hash) : entry->id;
}

int32
LabelTableCount(const LabelTable *table)
{
	return table->count;
}

Size
LabelTableBytes(const LabelTable *table)
{
	return MemoryContextMemAllocated(table->context, true);
}

Label
LabelTableGet(const LabelTable *table, int32 id)
{
	return id < table->common.count ? table->common.get(table->common.arg, id)
									: table->labels[id - table->common.count];
}

void
LabelTableUseCommon(LabelTable *table, const CommonLabels *common)
{
	label_destroy(table->hash);
	table->hash = label_create(table->context, 32, table);
	table->common = *common;
	table->count = common->count;
}

void
LabelTableKeep(LabelTable *table)
{
	table->kept = table->count;
	table->byte_context =
		AllocSetContextCreate(table->context, "later labels", ALLOCSET_DEFAULT_SIZES);
	table->free_length = 0;
}

void
LabelTableForget(LabelTable *table)
{
	while (table->count > table->kept)
		label_delete(table->hash, table->labels[--table->count - table->common.count]);
	MemoryContextReset(table->byte_context);
	table->free_length = 0;
}

void
LabelTableFree(LabelTable *table)
{
	MemoryContextDelete(table->context);
}
