/*
 * memory.h
 *	  Memory of a device within a budget, and pinned memory of the host; blocks free themselves.
 */
#ifndef TED_MEMORY_H
#define TED_MEMORY_H

#include <cstdint>
#include <utility>

#include <cuda_runtime.h>

/* Bytes that are allocated, and the most that may be. */
struct Budget
{
	int64_t used;
	int64_t limit;
};

/* A block of memory; when it grows, its contents are lost. */
class Block
{
  public:
	Block(const Block &) = delete;
	Block &operator=(const Block &) = delete;

	/* With a budget, memory of the device; otherwise pinned memory of the host. */
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

	/* Exchanges two blocks of the same budget. */
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
