/*
 * slots.c
 *	  How many backends of the server have a GPU context: each holds a numbered slot.
 *
 * A slot is a lock on one byte of a file that all backends open.  The operating
 * system keeps it as long as the backend lives and drops it however that ends;
 * unlike PostgreSQL's advisory locks, no SQL statement can let go of it.
 */
#include "postgres.h"

#include <fcntl.h>
#include <unistd.h>

#include "miscadmin.h"
#include "pgstat.h"
#include "storage/fd.h"

#include "slots.h"

/* The file, in the data directory; it stays empty, and backups leave it out. */
#define SLOTS_FILE PG_STAT_TMP_DIR "/ted_gpu_slots"

/*
 * Locks of an open file, where there are such, rather than of a process, which
 * loses its own when it closes the file for whatever reason it has read it.
 */
#ifdef F_OFD_SETLK
#define SET_LOCK F_OFD_SETLK
#define GET_LOCK F_OFD_GETLK
#else
#define SET_LOCK F_SETLK
#define GET_LOCK F_GETLK
#endif

int ted_gpu_max_contexts = 8;

static int slots_file = -1;
static int own_slot = -1;

/* Opens the file, once in a backend; false where that fails. */
static bool
OpenSlots(void)
{
	if (slots_file >= 0)
		return true;
	if (!AcquireExternalFD())
		return false;
	slots_file = BasicOpenFile(SLOTS_FILE, O_RDWR | O_CREAT | O_CLOEXEC | PG_BINARY);
	if (slots_file >= 0)
		return true;
	ReleaseExternalFD();
	ereport(LOG, (errcode_for_file_access(), errmsg("could not open file \"%s\": %m", SLOTS_FILE)));
	return false;
}

/* Asks the operating system for something about the lock of a slot; false where it says no. */
static bool
AskForLock(int slot, int command, short *type)
{
	struct flock lock = {
		.l_type = *type, .l_whence = SEEK_SET, .l_start = slot, .l_len = 1, .l_pid = 0};
	int result;

	do
		result = fcntl(slots_file, command, &lock);
	while (result < 0 && errno == EINTR);
	*type = lock.l_type;
	return result == 0;
}

/* Locks or unlocks a slot; false where another backend holds it. */
static bool
SetLock(int slot, short type)
{
	return AskForLock(slot, SET_LOCK, &type);
}

/* Whether another backend holds a slot. */
static bool
IsTakenByAnother(int slot)
{
	short type = F_WRLCK;

	return AskForLock(slot, GET_LOCK, &type) && type != F_UNLCK;
}

/* Takes a slot. */
bool
GpuSlotTake(void)
{
	if (own_slot >= 0 && own_slot < ted_gpu_max_contexts)
		return true;
	GpuSlotRelease();
	if (!OpenSlots())
		return false;
	for (int slot = 0; slot < ted_gpu_max_contexts; slot++)
		if (SetLock(slot, F_WRLCK))
		{
			own_slot = slot;
			return true;
		}
	return false;
}

/* Gives the slot back. */
void
GpuSlotRelease(void)
{
	if (own_slot >= 0)
		SetLock(own_slot, F_UNLCK);
	own_slot = -1;
}

/* Slots that are taken. */
int
GpuSlotsTaken(void)
{
	int taken = own_slot >= 0;

	if (!OpenSlots())
		return taken;
	for (int slot = 0; slot < GPU_SLOTS_MAX; slot++)
		taken += slot != own_slot && IsTakenByAnother(slot);
	return taken;
}
