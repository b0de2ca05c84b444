/*
 * card.h
 *	  Common functions of the programs that compare trees on a card.
 */
#ifndef TED_TEST_GPU_CARD_H
#define TED_TEST_GPU_CARD_H

#include "../../src/engine/gpu/device.h"

/* The module, and the device that it has opened. */
extern const TedDeviceModule *module;
extern TedDevice *device;

/* Opens the device with a limit of its memory in bytes, or ends the program. */
extern void open_device(int64_t memory_limit);
#define USUAL_MEMORY ((int64_t) 40 << 30)

/* Ends the program where a call of the module fails. */
extern void check_status(TedDeviceStatus status, const char *what);

/* Returns the number of cells of a pair. */
extern double cells_of(const TedTree *a, const TedTree *b);

/* Runs a batch on the device. */
extern void run_to_end(TedDeviceTrees *trees, const TedBatch *batch);

/* Sends costs by label of trees to the device, those of the first ones in a call before. */
extern void send_label_costs(TedDeviceTrees *set, const TedTree *const *trees, int32_t count,
							 int32_t before, const TedCosts *costs);

/* Computes pairs on the device. */
extern void compute(TedDeviceTrees *trees, const TedPair *pairs, int64_t count, TedCosts costs,
					int32_t *distances);

/* Computes all pairs by the core, in several threads. */
#define REFERENCE_THREADS 16
extern void reference(const TedTree **trees, const TedPair *pairs, int64_t count, TedCosts costs,
					  int32_t *distances);

#endif /* TED_TEST_GPU_CARD_H */
