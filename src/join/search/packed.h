/*
 * packed.h
 *	  Memory for many small objects, which are allocated without gaps and freed together.
 */
#ifndef TED_PACKED_H
#define TED_PACKED_H

#include "postgres.h"

#include "team.h"

/* Bytes of the first block; a larger object gets a block of its own. */
#define PACKED_BLOCK ((Size) 8 << 10)

/*
 * Memory in a context, or in the shared memory of a team.  All members except these two are 0 at
 * first, and after the memory has been reset.
 */
typedef struct PackedMemory
{
	MemoryContext context;
	Team *team;          /* NULL for memory in the context */
	dsa_pointer pointer; /* address of the last object in the team's memory */
	dsa_pointer block;   /* address of the next object */
	char *next;
	Size left;
	Size taken; /* bytes of all blocks */
} PackedMemory;

/* Allocates memory, aligned for any type. */
extern void *PackedTake(PackedMemory *memory, Size bytes);

#endif /* TED_PACKED_H */
