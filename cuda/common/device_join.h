/*
 * device_join.h
 *	  A threshold join on a device, of documents of some kind.
 */
#ifndef TED_DEVICE_JOIN_H
#define TED_DEVICE_JOIN_H

#include <cuda_runtime.h>

#include "../../src/engine/gpu/device.h"

/* Documents of a join on a device. */
class DeviceJoin
{
  public:
	virtual ~DeviceJoin() = default;

	/* Adds copies of documents; after a failure, none of them has been added. */
	virtual cudaError_t add(const TedJoinDocuments &added) = 0;

	/* Forgets all documents but the first `count`. */
	virtual void forget(int32_t count) = 0;

	/* Starts to join a range, which must stay valid until it is done. */
	virtual cudaError_t submit(TedJoinRange *submitted) = 0;

	/* Polls the range; returns cudaErrorNotReady until it is done. */
	virtual cudaError_t poll() = 0;
};

#endif /* TED_DEVICE_JOIN_H */
