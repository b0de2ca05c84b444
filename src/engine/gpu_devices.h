/*
 * gpu_devices.h
 *	  Which of the server's GPUs a backend may use: the setting ted.gpu_devices.
 */
#ifndef TED_GPU_DEVICES_H
#define TED_GPU_DEVICES_H

#include "postgres.h"

/* Defines the setting. */
extern void GpuDevicesInit(void);

/* Whether the GPU with this number may be used. */
extern bool GpuIsAllowed(int number);

#endif /* TED_GPU_DEVICES_H */
