/*
 * slots.h
 *	  Slots that limit how many backends have a context on a GPU.
 */
#ifndef TED_SLOTS_H
#define TED_SLOTS_H

#include "postgres.h"

/* The most slots that a GPU can have. */
#define GPU_SLOTS_MAX 1024

/* ted.gpu_max_contexts: the number of slots of each GPU. */
extern int ted_gpu_max_contexts;

/* Takes a slot of a GPU, unless this backend has one; returns false if all are taken. */
extern bool GpuSlotTake(int gpu);

/* Releases the slot of a GPU, if this backend has one. */
extern void GpuSlotRelease(int gpu);

/* Returns the number of slots of a GPU that backends hold. */
extern int GpuSlotsTaken(int gpu);

#endif /* TED_SLOTS_H */
