/*
 * trees.h
 *	  Trees that are laid out on a device when a batch first needs them.
 */
#ifndef TREES_H
#define TREES_H

#include <memory>
#include <vector>

#include "layout.h"
#include "memory.h"

/* A copy of a tree. */
class TreeCopy
{
  public:
	explicit TreeCopy(const TedTree *from);
	TreeCopy(const TreeCopy &) = delete;
	TreeCopy &operator=(const TreeCopy &) = delete;

	TedTree tree;

  private:
	std::vector<int32_t> arrays;
};

/* Trees and their views: number 2 t is tree t, 2 t + 1 its mirror image. */
class TreeSet
{
  public:
	explicit TreeSet(Budget *budget) : budget(budget), device(budget)
	{
	}

	void add(const TedTree *tree);
	void forget(int32_t count);
	const TedTree &
	tree(int32_t number) const
	{
		return trees[number]->tree;
	}

	/* Wants a view in the next upload. */
	void want(int32_t view);

	/* Lays out and uploads what is wanted; on failure, nothing is wanted any more. */
	cudaError_t upload(cudaStream_t stream, Block &staging);

	const HostView *
	view(int32_t number) const
	{
		return &views[number];
	}
	const View *
	device_views() const
	{
		return device.as<View>();
	}

  private:
	/* Views that were uploaded together. */
	struct Chunk
	{
		std::unique_ptr<Block> memory;
		int32_t first; /* of the trees that have views here */
	};

	cudaError_t lay_out(cudaStream_t stream, char *staging, int64_t bytes);
	cudaError_t send_views(cudaStream_t stream, char *staging);

	Budget *budget;
	std::vector<std::unique_ptr<TreeCopy>> trees;
	std::vector<HostView> views;
	std::vector<int32_t> wanted;
	std::vector<Chunk> chunks;
	Block device;        /* all views */
	bool current = true; /* that block has all that are laid out */
};

#endif /* TREES_H */
