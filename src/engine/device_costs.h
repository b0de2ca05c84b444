/*
 * device_costs.h
 *	  Costs by label of a batch, as a device gets them.
 */
#ifndef TED_ENGINE_DEVICE_COSTS_H
#define TED_ENGINE_DEVICE_COSTS_H

#include "device.h"

/*
 * Finds the costs of the labels of a batch's trees, in a block of the host's memory
 * that is the caller's to release; NULL where there is too little, or none is left to do.
 */
extern TedEngineStatus ted_device_costs(const TedEngineHost *host, const TedTree *const *trees,
										int32_t count, const TedBatch *batch,
										TedDeviceCosts *costs, void **block);

#endif /* TED_ENGINE_DEVICE_COSTS_H */
