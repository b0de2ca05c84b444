/*
 * position_list.h
 *	  A list of entries of one size, in which an entry is found, inserted and removed by its
 *	  position in logarithmic time.
 */
#ifndef TED_POSITION_LIST_H
#define TED_POSITION_LIST_H

#include "postgres.h"

typedef struct PositionNode PositionNode;

/* A list. */
typedef struct PositionList
{
	PositionNode *root;
	int32 height; /* levels above the leaves */
	int32 count;  /* number of entries */
	int32 entry_size;
	MemoryContext context;
	const char *what; /* names the computation in errors about memory */
} PositionList;

/* Makes an empty list in a memory context, with room for `capacity` entries at first. */
extern PositionList *PositionListCreate(MemoryContext context, Size entry_size, int32 capacity,
										const char *what);

/*
 * Returns the entry at a position, and the number of entries that follow it in memory, including
 * itself.  The next insertion or removal can move entries.
 */
extern void *PositionListRun(const PositionList *list, int32 position, int32 *length);

/* Returns the entry at a position. */
extern void *PositionListGet(const PositionList *list, int32 position);

/* Inserts an entry, which is not initialized, at a position.  Returns the entry. */
extern void *PositionListInsert(PositionList *list, int32 position);

/* Removes the entry at a position. */
extern void PositionListRemove(PositionList *list, int32 position);

#endif /* TED_POSITION_LIST_H */
