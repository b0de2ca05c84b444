/*
 * records.h
 *	  Byte strings with random access, in memory or, if there are many, in a file.
 */
#ifndef TED_RECORDS_H
#define TED_RECORDS_H

#include "postgres.h"

typedef struct RecordStore RecordStore;

/* Makes an empty store in the current memory context. */
extern RecordStore *RecordsCreate(void);

/* Adds a record; returns its position. */
extern int64 RecordsAdd(RecordStore *store, const char *bytes, Size size);

/* Reads a record, or its first bytes. */
extern void RecordsRead(RecordStore *store, int64 position, char *bytes, Size size);

/* Returns the bytes of the store in memory. */
extern Size RecordsMemory(const RecordStore *store);

/* Moves all records to a temporary file, where later records will go, too. */
extern void RecordsMoveToFile(RecordStore *store);

/* Frees the store. */
extern void RecordsFree(RecordStore *store);

#endif /* TED_RECORDS_H */
