/*
 * subtrees.h
 *	  Distances between subtrees, on their way to the host.
 */
#ifndef TED_SUBTREES_H
#define TED_SUBTREES_H

#include "../common/memory.h"

/*
 * The distances of a pair, transferred some rows at a time, since staging all of them
 * would take as much memory again.
 */
class SubtreeTransfer
{
  public:
	/*
	 * Begins the transfer of a matrix that the stream is about to compute; rows are
	 * packed on the host.
	 */
	cudaError_t begin(const char *device, size_t pitch, size_t row_bytes, int32_t rows, char *host,
					  cudaStream_t stream);

	/* Goes on once the stream is done; sets whether there is more to come. */
	cudaError_t go_on(cudaStream_t stream, bool &more);

	/* Drops what is under way; the stream must not work on it any more. */
	void
	stop()
	{
		rows = 0;
	}

  private:
	cudaError_t fetch(cudaStream_t stream);

	const char *device;
	size_t pitch;
	size_t row_bytes;
	char *host;
	int32_t rows = 0;  /* that the host does not have yet */
	int32_t count = 0; /* of them, under way */
	Block staging;
};

#endif /* TED_SUBTREES_H */
