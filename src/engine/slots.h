/*
 * slots.h
 *	  How many backends of the server have a GPU context: each holds a numbered slot.
 */
#ifndef TED_ENGINE_SLOTS_H
#define TED_ENGINE_SLOTS_H

#include "postgres.h"

/* The most slots there can be. */
#define GPU_SLOTS_MAX 1024

/* ted.gpu_max_contexts: the slots there are. */
extern int ted_gpu_max_contexts;

/* Takes a slot, if this backend has none yet; false where all are taken. */
extern bool GpuSlotTake(void);

/* Gives the slot back, if there is one. */
extern void GpuSlotRelease(void);

/* Slots that are taken. */
extern int GpuSlotsTaken(void);

#endif /* TED_ENGINE_SLOTS_H */
