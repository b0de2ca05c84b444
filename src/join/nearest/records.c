/*
 * records.c
 *	  Byte strings with random access, in memory or, if there are many, in a file.
 */
#include "postgres.h"

#include "storage/buffile.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "records.h"

/* The least number of bytes by which the memory of a store grows. */
#define LEAST_GROWTH ((Size) 64 << 10)

struct RecordStore
{
	char *bytes; /* NULL where the records are in a file */
	Size capacity;
	int64 size; /* bytes of all records */
	BufFile *file;
};

RecordStore *
RecordsCreate(void)
{
	RecordStore *store = palloc0_object(RecordStore);

	store->capacity = LEAST_GROWTH;
	store->bytes = palloc(store->capacity);
	return store;
}

/* Seeks in the file, whose segments BufFile addresses as one file. */
static void
Seek(RecordStore *store, int64 position)
{
	if (BufFileSeek(store->file, 0, (off_t) position, SEEK_SET) != 0)
		ereport(ERROR, (errcode_for_file_access(),
						errmsg("could not seek in temporary file of documents")));
}

int64
RecordsAdd(RecordStore *store, const char *bytes, Size size)
{
	int64 position = store->size;

	if (store->file == NULL)
	{
		Size needed = (Size) store->size + size;

		if (needed > store->capacity)
		{
			store->capacity =
				Max(needed, store->capacity + Max(store->capacity / 16, LEAST_GROWTH));
			store->bytes = repalloc_huge(store->bytes, store->capacity);
		}
		memcpy(store->bytes + position, bytes, size);
	}
	else
	{
		Seek(store, position);
		BufFileWrite(store->file, unconstify(char *, bytes), size);
	}
	store->size += (int64) size;
	return position;
}

void
RecordsRead(RecordStore *store, int64 position, char *bytes, Size size)
{
	Assert(position + (int64) size <= store->size);
	if (store->file == NULL)
	{
		memcpy(bytes, store->bytes + position, size);
		return;
	}
	Seek(store, position);
	BufFileReadExact(store->file, bytes, size);
}

Size
RecordsMemory(const RecordStore *store)
{
	return store->file == NULL ? store->capacity : BLCKSZ;
}

void
RecordsMoveToFile(RecordStore *store)
{
	if (store->file != NULL)
		return;
	store->file = BufFileCreateTemp(false);
	BufFileWrite(store->file, store->bytes, (Size) store->size);
	pfree(store->bytes);
	store->bytes = NULL;
}

void
RecordsFree(RecordStore *store)
{
	if (store->file != NULL)
		BufFileClose(store->file);
	else
		pfree(store->bytes);
	pfree(store);
}
