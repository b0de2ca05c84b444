/*
 * calibrate.h
 *	  What a card's cells, rows, launches and transfers cost.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <cuda_runtime.h>

#include "../src/engine/device.h"
#include "memory.h"

/* Measures a card. */
cudaError_t calibrate(Budget *budget, cudaStream_t stream, TedCalibration *calibration);

#endif /* CALIBRATE_H */
