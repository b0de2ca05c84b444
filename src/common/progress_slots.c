/*
 * progress_slots.c
 *	  The progress of the operations of all sessions, in shared memory.
 *
 * Each backend has a slot that only it writes.  As in PostgreSQL's own backend status, a change
 * count shows a reader that it has to read again.
 */
#include "postgres.h"

#include <limits.h>

#include "catalog/pg_authid.h"
#include "funcapi.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/acl.h"
#include "utils/backend_status.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "../compat.h"
#include "../catalog/row_type.h"
#include "progress.h"

/* The progress that a backend shows. */
typedef struct ProgressSlot
{
	int st_changecount; /* odd while the backend writes */
	int pid;            /* 0 where the backend shows nothing */
	int leader_pid;     /* of a parallel worker; 0 for other backends */
	Oid database;
	Oid user;
	char operation[NAMEDATALEN];
	char phase[NAMEDATALEN];
	Oid relation;
	ProgressCounts counts;
	double share;
	double seconds_left; /* share and seconds_left are negative where they are not known */
	TimestampTz begun;
	TimestampTz reported;
} ProgressSlot;

static ProgressSlot *slots; /* by backend number; NULL where there is no shared memory */
static bool hides_at_exit;
static shmem_request_hook_type next_shmem_request;
static shmem_startup_hook_type next_shmem_startup;

/* Returns the bytes of all slots. */
static Size
SlotsBytes(void)
{
	return mul_size(sizeof(ProgressSlot), (Size) MostBackends());
}

/* Requests the shared memory. */
static void
RequestSlots(void)
{
	if (next_shmem_request != NULL)
		next_shmem_request();
	RequestAddinShmemSpace(SlotsBytes());
}

/* Attaches to the shared memory, or initializes it. */
static void
StartSlots(void)
{
	bool found;

	if (next_shmem_startup != NULL)
		next_shmem_startup();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	slots = ShmemInitStruct("ted progress", SlotsBytes(), &found);
	if (!found)
		memset(slots, 0, SlotsBytes());
	LWLockRelease(AddinShmemInitLock);
}

void
ProgressSlotsInit(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	next_shmem_request = shmem_request_hook;
	shmem_request_hook = RequestSlots;
	RunShmemRequests();
	next_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = StartSlots;
}

bool
ProgressSlotsExist(void)
{
	return slots != NULL;
}

/* Returns the slot of this backend. */
static volatile ProgressSlot *
OwnSlot(void)
{
	return &slots[OwnBackendPlace()];
}

/* Clears the slot when the backend exits. */
static void
HideAtExit(int code, Datum arg)
{
	(void) code;
	(void) arg;
	ProgressSlotHide();
}

/* Returns the process id of this parallel worker's leader; 0 for other processes. */
static int
LeaderPid(void)
{
	const PGPROC *leader = MyProc->lockGroupLeader;

	return leader == NULL || leader == MyProc ? 0 : leader->pid;
}

void
ProgressSlotShow(const ProgressOperation *operation, const ProgressReport *report,
				 double seconds_left)
{
	volatile ProgressSlot *slot = OwnSlot();
	ProgressSlot next = {.pid = MyProcPid,
						 .leader_pid = LeaderPid(),
						 .database = MyDatabaseId,
						 .user = GetSessionUserId(),
						 .relation = operation->relation,
						 .counts = report->own,
						 .share = report->share,
						 .seconds_left = seconds_left,
						 .begun = operation->begun,
						 .reported = GetCurrentTimestamp()};

	strlcpy(next.operation, operation->name, NAMEDATALEN);
	strlcpy(next.phase, report->phase, NAMEDATALEN);
	if (!hides_at_exit)
		before_shmem_exit(HideAtExit, (Datum) 0);
	hides_at_exit = true;
	PGSTAT_BEGIN_WRITE_ACTIVITY(slot);
	next.st_changecount = slot->st_changecount;
	*slot = next;
	PGSTAT_END_WRITE_ACTIVITY(slot);
}

void
ProgressSlotHide(void)
{
	volatile ProgressSlot *slot = OwnSlot();

	PGSTAT_BEGIN_WRITE_ACTIVITY(slot);
	slot->pid = 0;
	PGSTAT_END_WRITE_ACTIVITY(slot);
}

/* Copies a slot consistently; returns false if its backend shows nothing. */
static bool
ReadProgressSlot(int place, ProgressSlot *copy)
{
	volatile ProgressSlot *slot = &slots[place];
	int before;
	int after;

	for (;;)
	{
		pgstat_begin_read_activity(slot, before);
		*copy = *slot;
		pgstat_end_read_activity(slot, after);
		if (pgstat_read_activity_complete(before, after))
			return copy->pid != 0;
		CHECK_FOR_INTERRUPTS();
	}
}

/* Columns of the view. */
enum
{
	PID,
	LEADER_PID,
	DATABASE,
	OPERATION, /* from here on, columns need privileges */
	RELATION,
	PHASE,
	DOCUMENTS,
	PAIRS,
	VERIFIED,
	RESULTS,
	SHARE,
	TIME_LEFT,
	BEGUN,
	REPORTED,
	COLUMNS
};

/* Adds the row of a backend; without privileges, most columns are null. */
static void
AddProgressRow(ReturnSetInfo *result, const ProgressSlot *slot)
{
	Datum values[COLUMNS] = {0};
	bool nulls[COLUMNS] = {false};

	values[PID] = Int32GetDatum(slot->pid);
	values[LEADER_PID] = Int32GetDatum(slot->leader_pid);
	nulls[LEADER_PID] = slot->leader_pid == 0;
	values[DATABASE] = ObjectIdGetDatum(slot->database);
	if (has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS) ||
		has_privs_of_role(GetUserId(), slot->user))
	{
		Interval *interval;

		values[OPERATION] = CStringGetTextDatum(slot->operation);
		values[RELATION] = ObjectIdGetDatum(slot->relation);
		nulls[RELATION] = !OidIsValid(slot->relation);
		values[PHASE] = CStringGetTextDatum(slot->phase);
		values[DOCUMENTS] = Int64GetDatum(slot->counts.documents);
		values[PAIRS] = Int64GetDatum(slot->counts.pairs);
		values[VERIFIED] = Int64GetDatum(slot->counts.verified);
		values[RESULTS] = Int64GetDatum(slot->counts.results);
		values[SHARE] = Float8GetDatum(slot->share);
		nulls[SHARE] = slot->share < 0;
		interval = palloc0_object(Interval);
		interval->time = (TimeOffset) (Min(slot->seconds_left, INT_MAX) * USECS_PER_SEC);
		values[TIME_LEFT] = IntervalPGetDatum(interval);
		nulls[TIME_LEFT] = slot->seconds_left < 0;
		values[BEGUN] = TimestampTzGetDatum(slot->begun);
		values[REPORTED] = TimestampTzGetDatum(slot->reported);
	}
	else
		memset(nulls + OPERATION, true, sizeof(bool) * (COLUMNS - OPERATION));
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

PG_FUNCTION_INFO_V1(ted_get_progress);

/* Returns the progress of the operations of all sessions. */
Datum
ted_get_progress(PG_FUNCTION_ARGS)
{
	ProgressSlot slot;

	if (!ProgressSlotsExist())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("progress of other sessions is not known"),
				 errdetail("Sessions report it in shared memory, for which the library \"ted\" "
						   "must be loaded when the server starts."),
				 errhint("Add \"ted\" to \"shared_preload_libraries\" and restart the "
						 "server, or set \"ted.progress_interval\" in a session of your "
						 "own.")));
	InitRows(fcinfo, "iiososlllldvzz");
	for (int place = 0; place < MostBackends(); place++)
		if (ReadProgressSlot(place, &slot))
			AddProgressRow((ReturnSetInfo *) fcinfo->resultinfo, &slot);
	return (Datum) 0;
}
