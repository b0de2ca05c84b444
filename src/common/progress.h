/*
 * progress.h
 *	  How far long operations are: joins, aggregates and searches of indexes.
 *
 * An operation has a function that reports its progress, and says whenever it goes to
 * work.  A timer makes CheckInterrupts() call that of the operation at work, and pass the
 * report on: to the client by a notice, and to all sessions by the view ted_progress
 * (progress_slots.h).  Between two reports, progress costs only the check of a flag.
 */
#ifndef TED_PROGRESS_H
#define TED_PROGRESS_H

#include "postgres.h"

#include <signal.h>

#include "datatype/timestamp.h"
#include "miscadmin.h"
#include "port/atomics.h"

/* Counts of an operation's work. */
typedef struct ProgressCounts
{
	int64 documents; /* read */
	int64 pairs;     /* of similar size, or looked at */
	int64 verified;  /* of these: compared */
	int64 results;
} ProgressCounts;

/* The report of an operation. */
typedef struct ProgressReport
{
	const char *phase;
	ProgressCounts own;
	ProgressCounts all; /* of all processes that share its work */
	double share;       /* of their work that is done; negative where that is not known */
} ProgressReport;

typedef struct ProgressOperation
{
	const char *name;
	Oid relation; /* the index that is searched, or InvalidOid */
	void (*report)(void *arg, ProgressReport *report);
	void *arg;
	pg_atomic_uint64
		*noticed; /* when any process had its last notice, where several share the work */
	bool open;
	TimestampTz begun;
	TimestampTz compares_since; /* when its first comparison began, or 0 */
	MemoryContextCallback end;
} ProgressOperation;

/* The operation that is at work, or was at last; NULL for none. */
extern ProgressOperation *progress_at_work;

/* Whether a report of that operation is due. */
extern volatile sig_atomic_t progress_due;

/* Defines the setting, and asks for shared memory where the library is preloaded. */
extern void ProgressInit(void);

/*
 * Begins an operation, which lives in the current memory context, and ends with that
 * context at the latest.  It must be filled up to `noticed`.  From then on `report` may be
 * called, even where locks are held; it must neither take memory nor fail.
 */
extern void ProgressBegin(ProgressOperation *operation);
extern void ProgressEnd(ProgressOperation *operation);

/* Notes that an operation compares documents from now on, if it has not done so before. */
extern void ProgressCompares(ProgressOperation *operation);

/* Asks the operation at work for its progress, and passes it on. */
extern void ReportProgress(void);

/* Notes that an operation is at work. */
static inline void
ProgressAtWork(ProgressOperation *operation)
{
	if (operation->open)
		progress_at_work = operation;
}

/* Checks for interrupts in a loop of an operation that may take long. */
static inline void
CheckInterrupts(void)
{
	CHECK_FOR_INTERRUPTS();
	if (unlikely(progress_due))
		ReportProgress();
}

#endif /* TED_PROGRESS_H */
