/*
 * progress.c
 *	  Reports the progress of long operations: joins, aggregates and index searches.
 */
#include "postgres.h"

#include <limits.h>

#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"

#include "messages.h"
#include "progress.h"

/* Milliseconds between two updates of the progress that other sessions see. */
#define SLOT_INTERVAL 1000

ProgressOperation *progress_at_work;
volatile sig_atomic_t progress_due;

/* ted.progress_interval: milliseconds between two notices, or 0 for no notices. */
static int notice_interval;

static TimeoutId timer = MAX_TIMEOUTS;    /* of this session; MAX_TIMEOUTS until it is registered */
static volatile sig_atomic_t timer_rings; /* since it was set last */
static int open_operations;
static const ProgressOperation *shown; /* operation that other sessions see; NULL for none */
static TimestampTz own_notice;         /* time of this session's last notice */

void
ProgressInit(void)
{
	DefineCustomIntVariable("ted.progress_interval",
							"Sets how often joins, aggregates and searches of indexes tell by a "
							"notice how far they are.",
							"0 has them tell nothing.", &notice_interval, notice_interval, 0,
							INT_MAX, PGC_USERSET, GUC_UNIT_MS, NULL, NULL, NULL);
	ProgressSlotsInit();
}

/* Returns the milliseconds between two reports of an operation; 0 for no reports. */
static int
AskInterval(void)
{
	if (!ProgressSlotsExist())
		return notice_interval;
	return notice_interval > 0 ? Min(notice_interval, SLOT_INTERVAL) : SLOT_INTERVAL;
}

/* Records that a report is due; called by the timer's signal handler. */
static void
Ring(void)
{
	timer_rings = true;
	progress_due = true;
}

/* Sets the timer, if it is not set. */
static void
SetTimer(int interval)
{
	if (timer == MAX_TIMEOUTS)
		timer = RegisterTimeout(USER_TIMEOUT, Ring);
	if (!get_timeout_active(timer))
		enable_timeout_after(timer, interval);
}

/* Ends an operation whose memory context is reset. */
static void
EndWithMemory(void *operation)
{
	ProgressEnd(operation);
}

void
ProgressBegin(ProgressOperation *operation)
{
	int interval = AskInterval();

	if (interval == 0)
		return;
	operation->open = true;
	open_operations++;
	operation->begun = GetCurrentTimestamp();
	operation->compares_since = 0;
	operation->share = 0;
	if (operation->end.func == NULL)
	{
		operation->end.func = EndWithMemory;
		operation->end.arg = operation;
		MemoryContextRegisterResetCallback(CurrentMemoryContext, &operation->end);
	}
	progress_at_work = operation;
	SetTimer(interval);
}

/* Reports the counts of an index search. */
static void
ReportSearch(void *counts, ProgressReport *report)
{
	report->phase = "searching";
	report->own = report->all = *(const ProgressCounts *) counts;
}

void
ProgressBeginSearch(ProgressOperation *operation, Oid index, ProgressCounts *counts)
{
	*operation = (ProgressOperation){
		.name = "index search", .relation = index, .report = ReportSearch, .arg = counts};
	ProgressBegin(operation);
}

void
ProgressEnd(ProgressOperation *operation)
{
	if (!operation->open)
		return;
	operation->open = false;
	open_operations--;
	if (progress_at_work == operation)
		progress_at_work = NULL;
	if (shown == operation)
	{
		ProgressSlotHide();
		shown = NULL;
	}
}

void
ProgressCompares(ProgressOperation *operation)
{
	if (operation->open && operation->compares_since == 0)
		operation->compares_since = GetCurrentTimestamp();
}

/* Estimates the remaining seconds of an operation; negative where they are not known. */
static double
SecondsLeft(const ProgressOperation *operation, double share, TimestampTz now)
{
	if (share <= 0 || operation->compares_since == 0)
		return -1;
	return (double) (now - operation->compares_since) / USECS_PER_SEC * (1 - share) / share;
}

/* Whether a notice is due; if so, records its time, so that no other process sends one now. */
static bool
NoticeIsDue(ProgressOperation *operation, TimestampTz now)
{
	int64 interval = (int64) notice_interval * 1000;
	uint64 last;

	if (notice_interval == 0)
		return false;
	/* the timer may ring a little early by this clock */
	if (now - Max(operation->begun, own_notice) < interval - interval / 8)
		return false;
	own_notice = now;
	if (operation->noticed == NULL)
		return true;
	last = pg_atomic_read_u64(operation->noticed);
	return now - (TimestampTz) last >= interval - interval / 8 &&
		   pg_atomic_compare_exchange_u64(operation->noticed, &last, (uint64) now);
}

/* Gets the progress of an operation, and shows it to other sessions and to the client. */
static void
Ask(ProgressOperation *operation, bool notice_allowed)
{
	ProgressReport report = {.share = -1};
	TimestampTz now = GetCurrentTimestamp();
	double seconds_left;

	operation->report(operation->arg, &report);
	if (report.share >= 0)
		report.share = operation->share = Max(report.share, operation->share);
	seconds_left = SecondsLeft(operation, report.share, now);
	if (ProgressSlotsExist())
	{
		ProgressSlotShow(operation, &report, seconds_left);
		shown = operation;
	}
	if (notice_allowed && WorkIsOfClient() && NoticeIsDue(operation, now))
	{
		const ProgressCounts *all = &report.all;
		char estimate[100] = "";

		if (seconds_left >= 0)
			snprintf(estimate, sizeof(estimate), ", %.1f %% done, about %.*f s left",
					 100 * report.share, seconds_left < 10 ? 1 : 0, seconds_left);
		ereport(NOTICE, (errmsg("progress of %s: %s, documents %lld, pairs %lld, verified %lld, "
								"results %lld%s",
								operation->name, report.phase, (long long) all->documents,
								(long long) all->pairs, (long long) all->verified,
								(long long) all->results, estimate)));
	}
}

void
ReportProgress(void)
{
	/* a notice may wait for the client, which is not allowed under a lock: it is sent later */
	bool held = InterruptHoldoffCount > 0 || CritSectionCount > 0;
	int interval = AskInterval();

	if (held && !timer_rings)
		return;
	progress_due = held && notice_interval > 0;
	if (timer_rings)
	{
		timer_rings = false;
		if (open_operations > 0 && interval > 0)
			SetTimer(interval);
	}
	if (progress_at_work != NULL && interval > 0)
		Ask(progress_at_work, !held);
}
