/*
 * calibration.h
 *	  Measures the rates of GPUs, and reads them from the table ted_gpu_calibration.
 */
#ifndef TED_CALIBRATION_H
#define TED_CALIBRATION_H

#include "postgres.h"

#include "gpu.h"
#include "gpu_time.h"

/* Names of the families that are measured, in the table. */
extern const char *const ted_family_names[TED_MEASURED_FAMILIES];

/* Looks up the rates of a device; returns false if it has not been measured. */
extern bool ReadCalibration(const char *device, TedRate *rates);

/*
 * Measures the rates of an open GPU, in seconds of a processor that is as fast as the core predicts;
 * raises an error if the GPU does not compute what is asked of it.
 */
extern void MeasureRates(TedGpu *gpu, TedRate *rates);

#endif /* TED_CALIBRATION_H */
