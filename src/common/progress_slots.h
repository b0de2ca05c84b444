/*
 * progress_slots.h
 *	  The progress of the operations of all sessions, in shared memory.
 */
#ifndef TED_PROGRESS_SLOTS_H
#define TED_PROGRESS_SLOTS_H

#include "progress.h"

/* Requests shared memory if the library is preloaded. */
extern void ProgressSlotsInit(void);

/* Whether there is shared memory for progress. */
extern bool ProgressSlotsExist(void);

/* Shows the report of an operation of this session, and its remaining seconds, to all sessions. */
extern void ProgressSlotShow(const ProgressOperation *operation, const ProgressReport *report,
							 double seconds_left);

/* Clears this session's report. */
extern void ProgressSlotHide(void);

#endif /* TED_PROGRESS_SLOTS_H */
