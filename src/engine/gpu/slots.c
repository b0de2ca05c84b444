/*
 * slots.c
 *	  Slots that limit how many backends have a context on a GPU.
 *
 * A slot is a lock on one byte of a file that all backends open; the slots of each GPU follow those
 * of the previous one.  The operating system keeps the lock as long as the backend lives, and
 * releases it however the backend ends.  Unlike an advisory lock of PostgreSQL, no SQL statement
 * can release it.
 */
#include "postgres.h"

#include <fcntl.h>
#include <unistd.h>

#include "miscadmin.h"
#include "pgstat.h"
#include "storage/fd.h"

#include "gpu.h"
#include "slots.h"

/* The file, in the data directory; it stays empty, and backups leave it out. */
#define SLOTS_FILE PG_STAT_TMP_DIR "/ted_gpu_slots"

/*
 * Locks of an open file, where the system has them, rather than locks of a process: a process loses
 * these when it closes the file anywhere, even if it opened it only to read.
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
static int own_slots[TED_GPUS]; /* slot held on each GPU, from 1; 0 for none */

/* Opens the file, once in a backend; returns false if that fails. */
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

/* Sets or queries the locks of some bytes; returns false if the system call fails. */
static bool
AskForLock(int first, int count, int command, short *type)
{
	struct flock lock = {
		.l_type = *type, .l_whence = SEEK_SET, .l_start = first, .l_len = count, .l_pid = 0};
	int result;

	do
		result = fcntl(slots_file, command, &lock);
	while (result < 0 && errno == EINTR);
	*type = lock.l_type;
	return result == 0;
}

/* Returns the byte of a slot, numbered from 1. */
static int
SlotByte(int gpu, int slot)
{
	return gpu * GPU_SLOTS_MAX + slot - 1;
}

/* Locks or unlocks a slot; returns false if another backend holds it. */
static bool
SetLock(int gpu, int slot, short type)
{
	return AskForLock(SlotByte(gpu, slot), 1, SET_LOCK, &type);
}

/* Counts the bytes in a range that other backends have locked. */
static int
CountOthers(int first, int count)
{
	short type = F_WRLCK;

	if (!AskForLock(first, count, GET_LOCK, &type) || type == F_UNLCK)
		return 0;
	if (count == 1)
		return 1;
	return CountOthers(first, count / 2) + CountOthers(first + count / 2, count - count / 2);
}

/* Takes a slot of a GPU, unless this backend has one. */
bool
GpuSlotTake(int gpu)
{
	if (own_slots[gpu] > 0 && own_slots[gpu] <= ted_gpu_max_contexts)
		return true;
	GpuSlotRelease(gpu);
	if (!OpenSlots())
		return false;
	for (int slot = 1; slot <= ted_gpu_max_contexts; slot++)
		if (SetLock(gpu, slot, F_WRLCK))
		{
			own_slots[gpu] = slot;
			return true;
		}
	return false;
}

/* Releases the slot of a GPU, if this backend has one. */
void
GpuSlotRelease(int gpu)
{
	if (own_slots[gpu] > 0)
		SetLock(gpu, own_slots[gpu], F_UNLCK);
	own_slots[gpu] = 0;
}

/* Returns the number of slots of a GPU that backends hold. */
int
GpuSlotsTaken(int gpu)
{
	return (own_slots[gpu] > 0) + (OpenSlots() ? CountOthers(SlotByte(gpu, 1), GPU_SLOTS_MAX) : 0);
}
