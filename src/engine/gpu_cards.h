/*
 * gpu_cards.h
 *	  The GPUs of this backend, and its contexts on them.
 *
 * A backend has a context on one GPU, that with the fewest contexts of all backends, and
 * on others where much work can be shared.
 */
#ifndef TED_GPU_CARDS_H
#define TED_GPU_CARDS_H

#include "postgres.h"

#include "estimate.h"
#include "gpu_context.h"

/* Forgets all GPUs, and finds those of a module; NULL for none. */
extern void CardsFind(const TedDeviceModule *module);

/* Whether there are GPUs that may be used; how many of these have not failed. */
extern bool CardsAreThere(void);
extern int CardsUsable(void);

/* Why there are none, or what is wrong with one; "" where nothing is. */
extern const char *CardsReason(void);

/* Sets the most memory that a backend may take of each. */
extern void CardsLimitMemory(int64 bytes);

/* Opens a context and takes a slot for it, unless one is open. */
extern GpuAnswer CardsOpen(void);

/*
 * The GPU with that context, or with the one there was before; and its times, as far as
 * they are known.
 */
extern TedGpu *CardsFirst(void);
extern GpuTimes CardsTimes(void);

/* Measures that GPU, and uses the measured times from now on. */
extern TedDeviceStatus CardsMeasure(TedCalibration *measured);

/*
 * Opens more contexts where work that takes one GPU `seconds` seconds is worth it, of which
 * each further GPU takes `each` by itself; fills in the GPUs that share the work, and
 * returns their number.
 */
extern int CardsShare(double seconds, double each, TedGpu **gpus);

/* Whether any context is open; closes all. */
extern bool CardsAreOpen(void);
extern void CardsClose(void);

/* Checks what work has done to the GPUs: warns of those that have failed. */
extern void CardsAfterWork(void);

/* Describes the open contexts, but for pairs; and counts the contexts of all backends. */
extern void CardsStatus(GpuStatus *status);
extern int CardsContexts(void);

#endif /* TED_GPU_CARDS_H */
