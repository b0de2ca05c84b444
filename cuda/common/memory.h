/*
 * memory.h
 *	  Memory of a device and of the host, freed by itself, within a limit.
 */
#ifndef TED_MEMORY_H
#define TED_MEMORY_H

#include <cstdint>
#include <utility>

#include <cuda_runtime.h>

/* Bytes that have been taken, and the most that may be. */
struct Budget
{
	int64_t used;
	int64_t limit;
};

/* A block that grows by being replaced: what it held is lost. */
class Block
{
  public:
	Block(const Block &) = delete;
	Block &operator=(const Block &) = delete;

	/* Of the device where there is a budget for it, else pinned memory of the host. */
	explicit Block(Budget *budget = nullptr) : budget(budget)
	{
	}
	~Block()
	{
		free();
	}

	/* Makes room for at least this number of bytes. */
	cudaError_t reserve(int64_t bytes);
	void free();

	/* Exchanges two blocks of one kind. */
	void
	swap(Block &other)
	{
		std::swap(memory, other.memory);
		std::swap(size, other.size);
	}

	template <class T>
	T *
	as() const
	{
		return static_cast<T *>(memory);
	}

  private:
	Budget *budget;
	void *memory = nullptr;
	int64_t size = 0;
};

#endif /* TED_MEMORY_H */
