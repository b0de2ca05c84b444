/*
 * calibration.h
 *	  Reads the times measured on GPUs from the table ted_gpu_calibration.
 */
#ifndef TED_CALIBRATION_H
#define TED_CALIBRATION_H

#include "postgres.h"

#include "gpu_time.h"

/* Looks up the times of a device; returns false if it has not been measured. */
extern bool ReadCalibration(const char *device, TedCalibration *calibration);

/* Returns the times of tiles as an array, as the table stores it. */
extern Datum TilesArray(const LcsTileModel *tiles);

#endif /* TED_CALIBRATION_H */
