/*
 * calibration.h
 *	  Times measured on GPUs, as the table ted_gpu_calibration keeps them.
 */
#ifndef TED_CALIBRATION_H
#define TED_CALIBRATION_H

#include "postgres.h"

#include "model.h"

/* Looks up the times of a device; false where it has not been measured. */
extern bool ReadCalibration(const char *device, TedCalibration *calibration);

/* An array of all times of tiles, as the table has it. */
extern Datum TilesArray(const LcsTileModel *tiles);

#endif /* TED_CALIBRATION_H */
