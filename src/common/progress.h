/*
 * progress.h
 *	  Reports the progress of long operations: joins, aggregates and index searches.
 *
 * An operation has a function that reports its progress, and calls ProgressAtWork() whenever it
 * starts to work.  A timer makes CheckInterrupts() call the function of the operation at work, and
 * pass the report on: to the client by a notice, and to all sessions by the view ted_progress
 * (progress_slots.c).  Between two reports, progress costs only the check of a flag.
 */
#ifndef TED_PROGRESS_H
#define TED_PROGRESS_H

#include "postgres.h"

#include <signal.h>

#include "datatype/timestamp.h"
#include "miscadmin.h"
#include "port/atomics.h"

/* Counts of the work of an operation. */
typedef struct ProgressCounts
{
	int64 documents; /* rows or documents read */
	int64 pairs;     /* pairs of similar size, or considered */
	int64 verified;  /* pairs compared */
	int64 results;
} ProgressCounts;

/* The report of an operation. */
typedef struct ProgressReport
{
	const char *phase;
	ProgressCounts own;
	ProgressCounts all; /* of all processes that share its work */
	double share;       /* of the work of all processes that is done; negative where not known */
} ProgressReport;

typedef struct ProgressOperation
{
	const char *name;
	Oid relation; /* the index that is searched, or InvalidOid */
	void (*report)(void *arg, ProgressReport *report);
	void *arg;
	pg_atomic_uint64
		*noticed; /* time of the last notice of any process; NULL where one process does all work */
	bool open;
	TimestampTz begun;
	TimestampTz compares_since; /* time of the first comparison, or 0 */
	double share; /* greatest one that was shown: an estimate may fall, what is done does not */
	MemoryContextCallback end;
} ProgressOperation;

/* The operation that is at work, or was at work last; NULL for none. */
extern ProgressOperation *progress_at_work;

/* Whether a report of progress_at_work is due. */
extern volatile sig_atomic_t progress_due;

/* Defines the setting, and requests shared memory if the library is preloaded. */
extern void ProgressInit(void);

/*
 * Begins an operation, which lives in the current memory context, and ends with that context at the
 * latest.  The caller fills the members up to `noticed`.  From then on `report` may be called, even
 * while locks are held; it must neither allocate memory nor fail.
 */
extern void ProgressBegin(ProgressOperation *operation);
extern void ProgressEnd(ProgressOperation *operation);

/*
 * Begins the search of an index, or of InvalidOid if it is not known, as an operation.  Its report
 * is `counts`; the total number of entries is not known.
 */
extern void ProgressBeginSearch(ProgressOperation *operation, Oid index, ProgressCounts *counts);

/* Records the time of an operation's first comparison; later calls do nothing. */
extern void ProgressCompares(ProgressOperation *operation);

/* Reports the progress of the operation at work. */
extern void ReportProgress(void);

/* Makes an operation the one whose progress is reported. */
static inline void
ProgressAtWork(ProgressOperation *operation)
{
	if (operation->open)
		progress_at_work = operation;
}

/* Checks for interrupts, and reports progress if that is due; for loops that may take long. */
static inline void
CheckInterrupts(void)
{
	CHECK_FOR_INTERRUPTS();
	if (unlikely(progress_due))
		ReportProgress();
}

/*
 * Progress in shared memory, in progress_slots.c.  Init requests the memory if the library is
 * preloaded; Exist says whether there is any.
 */
extern void ProgressSlotsInit(void);
extern bool ProgressSlotsExist(void);

/* Shows the report of an operation of this session, and its remaining seconds, to all sessions. */
extern void ProgressSlotShow(const ProgressOperation *operation, const ProgressReport *report,
							 double seconds_left);

/* Clears this session's report. */
extern void ProgressSlotHide(void);

#endif /* TED_PROGRESS_H */
