/*
 * calibrate.h
 *	  Measures the times of cells, rows, launches and transfers on a card.
 */
#ifndef TED_CALIBRATE_H
#define TED_CALIBRATE_H

#include <cuda_runtime.h>

#include "../../src/engine/gpu/device.h"
#include "../common/memory.h"

/* Measures the times of a card. */
cudaError_t calibrate(Budget *budget, cudaStream_t stream, TedCalibration *calibration);

#endif /* TED_CALIBRATE_H */
