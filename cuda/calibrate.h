/*
 * calibrate.h
 *	  What a card's rows, cells, launches and transfers cost.
 */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include <cuda_runtime.h>

#include "../src/engine/device.h"

/* What is assumed of a card that has not been measured: an H100. */
constexpr TedCalibration USUAL_CALIBRATION = {6e-9, 30e-9, 150e-9, 250e-9, 400e-9, 10e-6, 1e-10};

/* Measures a card. */
cudaError_t calibrate(const cudaDeviceProp &properties, cudaStream_t stream,
					  TedCalibration *calibration);

#endif /* CALIBRATE_H */
