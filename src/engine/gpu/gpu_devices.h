/*
 * gpu_devices.h
 *	  The setting ted.gpu_devices, which lists the server's GPUs that backends may use.
 */
#ifndef TED_GPU_DEVICES_H
#define TED_GPU_DEVICES_H

#include "postgres.h"

/* Defines the setting. */
extern void GpuDevicesInit(void);

/* Whether the GPU with this number may be used. */
extern bool GpuIsAllowed(int number);

#endif /* TED_GPU_DEVICES_H */
