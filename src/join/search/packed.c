/*
 * packed.c
 *	  Memory without gaps for many small objects, which are freed together.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "packed.h"

/* The most bytes of a block. */
#define LARGEST_BLOCK ((Size) 1 << 20)

/* Takes memory. */
void *
PackedTake(PackedMemory *memory, Size bytes)
{
	Size taken = MAXALIGN(bytes);

	if (taken > PACKED_BLOCK)
		return MemoryContextAllocHuge(memory->context, taken);
	/* what is empty has a place, too */
	if (memory->next == NULL || taken > memory->left)
	{
		/* little of which is unused at any time */
		memory->left = Min(Max(memory->taken / 8, PACKED_BLOCK), LARGEST_BLOCK);
		memory->next = MemoryContextAlloc(memory->context, memory->left);
		memory->taken += memory->left;
	}
	memory->left -= taken;
	memory->next += taken;
	return memory->next - taken;
}

/* Gives back what was taken last. */
void
PackedReturn(PackedMemory *memory, void *taken, Size bytes)
{
	Size given = MAXALIGN(bytes);

	if (given > PACKED_BLOCK)
	{
		pfree(taken);
		return;
	}
	Assert((char *) taken + given == memory->next);
	memory->left += given;
	memory->next -= given;
}
