/*
 * subtrees.h
 *	  Transfers distances between subtrees to the host.
 */
#ifndef TED_SUBTREES_H
#define TED_SUBTREES_H

#include "../common/memory.h"

/*
 * The transfer of the distances of a pair, some rows at a time, since staging all of them would
 * take as much memory again.
 */
class SubtreeTransfer
{
  public:
	/* Begins the transfer of a matrix that the stream will compute; rows are packed on the host. */
	cudaError_t begin(const char *device, size_t pitch, size_t row_bytes, int32_t rows, char *host,
					  cudaStream_t stream);

	/* Continues once the stream is idle; sets `more` if there are more rows. */
	cudaError_t go_on(cudaStream_t stream, bool &more);

	/* Drops the transfer; the stream must not work on it any more. */
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
	int32_t rows = 0;  /* rows that the host does not have yet */
	int32_t count = 0; /* rows that are being transferred */
	Block staging;
};

#endif /* TED_SUBTREES_H */
