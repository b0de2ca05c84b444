/*
 * packed.c
 *	  Memory for many small objects, which are allocated without gaps and freed together.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../common/host.h"
#include "packed.h"

/* The most bytes of a block, which are several large pages. */
#define LARGEST_BLOCK ((Size) 8 << 20)

/* Allocates a block in the context or the team. */
static char *
TakeBlock(PackedMemory *memory, Size bytes, dsa_pointer *pointer)
{
	if (memory->team == NULL)
	{
		char *block = MemoryContextAllocHuge(memory->context, bytes);

		UseLargePages(block, bytes);
		return block;
	}
	*pointer = TeamTake(memory->team, bytes);
	return TeamAddress(memory->team, *pointer);
}

void *
PackedTake(PackedMemory *memory, Size bytes)
{
	Size taken = MAXALIGN(bytes);

	if (taken > PACKED_BLOCK)
		return TakeBlock(memory, taken, &memory->pointer);
	/* an allocation of 0 bytes needs an address, too */
	if (memory->next == NULL || taken > memory->left)
	{
		/* blocks grow slowly, so that little memory is unused */
		memory->left = Min(Max(memory->taken / 8, PACKED_BLOCK), LARGEST_BLOCK);
		memory->next = TakeBlock(memory, memory->left, &memory->block);
		memory->taken += memory->left;
	}
	memory->pointer = memory->block;
	memory->left -= taken;
	memory->next += taken;
	memory->block += taken;
	return memory->next - taken;
}
