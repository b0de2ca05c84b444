/*
 * slots.h
 *	  How many backends of the server have a context on a GPU: each holds a numbered slot.
 */
#ifndef TED_SLOTS_H
#define TED_SLOTS_H

#include "postgres.h"

/* The most slots that a GPU can have. */
#define GPU_SLOTS_MAX 1024

/* ted.gpu_max_contexts: the slots that each has. */
extern int ted_gpu_max_contexts;

/* Takes a slot of a GPU, if this backend has none yet; false where all are taken. */
extern bool GpuSlotTake(int gpu);

/* Releases the slot, if there is one. */
extern void GpuSlotRelease(int gpu);

/* Slots of a GPU that are taken. */
extern int GpuSlotsTaken(int gpu);

#endif /* TED_SLOTS_H */
