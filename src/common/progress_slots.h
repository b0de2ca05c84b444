/*
 * progress_slots.h
 *	  What the operations of all sessions say of their progress, in shared memory.
 */
#ifndef TED_PROGRESS_SLOTS_H
#define TED_PROGRESS_SLOTS_H

#include "progress.h"

/* Asks for shared memory, which there is if the library is preloaded. */
extern void ProgressSlotsInit(void);

/* Whether there is shared memory. */
extern bool ProgressSlotsExist(void);

/* Shows what an operation of this session has said, with the seconds that it may still take. */
extern void ProgressSlotShow(const ProgressOperation *operation, const ProgressReport *report,
							 double seconds_left);

/* Stops showing an operation. */
extern void ProgressSlotHide(void);

#endif /* TED_PROGRESS_SLOTS_H */
