/*
 * packed.h
 *	  Memory without gaps for many small objects, which are freed together.
 */
#ifndef TED_PACKED_H
#define TED_PACKED_H

#include "postgres.h"

#include "team.h"

/* Bytes of the first block; what takes more gets memory of its own. */
#define PACKED_BLOCK ((Size) 8 << 10)

/*
 * Memory of a context, or of a team that all members see; all 0 but for that when nothing has
 * been taken since it was reset.
 */
typedef struct PackedMemory
{
	MemoryContext context;
	Team *team;          /* or NULL */
	dsa_pointer pointer; /* of what was taken last from a team */
	dsa_pointer block;   /* what follows it */
	char *next;
	Size left;
	Size taken; /* bytes of all blocks */
} PackedMemory;

/* Takes memory, aligned for any type. */
extern void *PackedTake(PackedMemory *memory, Size bytes);

#endif /* TED_PACKED_H */
