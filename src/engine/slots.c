/*
 * slots.c
 *	  How many backends of the server have a GPU context: each holds a numbered slot.
 *
 * A slot is an advisory lock of the session, under a key that SQL cannot name.
 * It goes with the backend, however that ends; but pg_advisory_unlock_all() and
 * DISCARD ALL release it, so that a backend has to look before each batch.
 */
#include "postgres.h"

#include "storage/lock.h"
#include "storage/proc.h"

#include "../compat.h"
#include "slots.h"

/* In the place of the 1 and 2 of the keys that SQL has. */
#define SLOT_KEY 0x7465

int ted_gpu_max_contexts = 8;

static int own_slot = -1;

/* The lock of a slot; of no database, since all of them share the GPU. */
static LOCKTAG
SlotTag(int slot)
{
	LOCKTAG tag;

	SET_LOCKTAG_ADVISORY(tag, InvalidOid, 0, slot, SLOT_KEY);
	return tag;
}

/*
 * Whether another process of the same parallel query holds a slot just locked:
 * locks of theirs do not conflict.
 */
static bool
SharedWithGroup(const LOCKTAG *tag)
{
	int holders = 0;

	if (MyProc->lockGroupLeader != NULL)
		GetLockConflicts(tag, ExclusiveLock, &holders);
	return holders > 0;
}

/* Takes a slot. */
bool
GpuSlotTake(void)
{
	if (own_slot >= 0)
	{
		LOCKTAG tag = SlotTag(own_slot);

		if (own_slot < ted_gpu_max_contexts && HoldsLock(&tag, ExclusiveLock))
			return true;
		GpuSlotRelease();
	}
	for (int slot = 0; slot < ted_gpu_max_contexts; slot++)
	{
		LOCKTAG tag = SlotTag(slot);

		if (LockAcquire(&tag, ExclusiveLock, true, true) == LOCKACQUIRE_NOT_AVAIL)
			continue;
		if (!SharedWithGroup(&tag))
		{
			own_slot = slot;
			return true;
		}
		LockRelease(&tag, ExclusiveLock, true);
	}
	return false;
}

/* Gives the slot back. */
void
GpuSlotRelease(void)
{
	LOCKTAG tag = SlotTag(own_slot);

	if (own_slot >= 0 && HoldsLock(&tag, ExclusiveLock))
		LockRelease(&tag, ExclusiveLock, true);
	own_slot = -1;
}

/* Slots that are taken. */
int
GpuSlotsTaken(void)
{
	LockData *locks = GetLockStatusData();
	int taken = 0;

	for (int i = 0; i < locks->nelements; i++)
	{
		const LockInstanceData *lock = &locks->locks[i];

		taken += lock->locktag.locktag_type == LOCKTAG_ADVISORY &&
				 lock->locktag.locktag_field4 == SLOT_KEY && lock->holdMask != 0;
	}
	return taken;
}
