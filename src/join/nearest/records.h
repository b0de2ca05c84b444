/*
 * records.h
 *	  Byte strings that are read in any order, in memory or, where they are many, in a file.
 */
#ifndef TED_RECORDS_H
#define TED_RECORDS_H

#include "postgres.h"

typedef struct RecordStore RecordStore;

/* Makes an empty store in the current memory context. */
extern RecordStore *RecordsCreate(void);

/* Adds a record; returns where it is. */
extern int64 RecordsAdd(RecordStore *store, const char *bytes, Size size);

/* Reads a record, or the beginning of one. */
extern void RecordsRead(RecordStore *store, int64 position, char *bytes, Size size);

/* Memory that the store takes. */
extern Size RecordsMemory(const RecordStore *store);

/* Moves all records, also those to come, to a temporary file. */
extern void RecordsMoveToFile(RecordStore *store);

/* Frees everything. */
extern void RecordsFree(RecordStore *store);

#endif /* TED_RECORDS_H */
