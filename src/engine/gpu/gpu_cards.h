/*
 * gpu_cards.h
 *	  The GPUs of this backend, and its contexts on them.
 *
 * A backend has a context on one GPU, the one on which all backends have the fewest contexts; it
 * opens more where GPUs can share much work.
 */
#ifndef TED_GPU_CARDS_H
#define TED_GPU_CARDS_H

#include "postgres.h"

#include "estimate.h"
#include "gpu_context.h"

/* Forgets all GPUs, and finds the GPUs of a module; NULL for none. */
extern void CardsFind(const TedDeviceModule *module);

/* Whether any GPU exists that may be used; the number of these that have not failed. */
extern bool CardsAreThere(void);
extern int CardsUsable(void);

/* Returns why there is no GPU, or why one has failed; "" for neither. */
extern const char *CardsReason(void);

/* Sets the memory in bytes that a backend may take of each GPU. */
extern void CardsLimitMemory(int64 bytes);

/* Opens a context and takes a slot for it, unless a context is open. */
extern GpuAnswer CardsOpen(void);

/*
 * The first GPU: the one with the context that CardsOpen() returned last; and its times, which are
 * defaults until they are measured.
 */
extern TedGpu *CardsFirst(void);
extern GpuTimes CardsTimes(void);

/* Uses rates that have been measured on the first GPU. */
extern void CardsCalibrate(const TedRate *rates);

/*
 * Collects the GPUs that share some work, the first GPU among them, and returns their number.  One
 * GPU would take `seconds`; each further GPU adds `each` seconds.  Opens contexts on more GPUs
 * while that saves time.
 */
extern int CardsShare(double seconds, double each, TedGpu **gpus);

/* Whether any context is open. */
extern bool CardsAreOpen(void);
extern void CardsClose(void);

/* Releases the slots of GPUs that work has closed, and warns of failures. */
extern void CardsAfterWork(void);

/* Describes the open contexts, except for counts of pairs. */
extern void CardsStatus(GpuStatus *status);
extern int CardsContexts(void);

#endif /* TED_GPU_CARDS_H */
