/*
 * device_trees.h
 *	  Trees that are laid out on a device when a batch first needs them.
 */
#ifndef TED_DEVICE_TREES_H
#define TED_DEVICE_TREES_H

#include <memory>
#include <vector>

#include "layout.h"
#include "../common/memory.h"

/* Purposes of views. */
enum Purpose
{
	FOR_TABLES,
	FOR_STRIPS,
	PURPOSES
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
		return trees[number];
	}

	/* Asks for a view in the next upload, unless it is there. */
	void
	want(int32_t view, Purpose purpose)
	{
		if (!there[purpose][view])
		{
			there[purpose][view] = true;
			wanted[purpose].push_back(view);
		}
	}

	/* Whether an upload would do nothing. */
	bool
	is_current() const
	{
		return current && wanted[FOR_TABLES].empty() && wanted[FOR_STRIPS].empty();
	}

	/*
	 * Lays out the wanted views and sends them from `staging`, which is free once
	 * the stream has come so far; on failure, no view is wanted any more.
	 */
	cudaError_t upload(cudaStream_t stream, Block &staging);

	const HostView *
	view(int32_t number) const
	{
		return &views[number];
	}
	const StripView &
	strip_view(int32_t number) const
	{
		return strip_views[number];
	}
	const View *
	device_views() const
	{
		return device.as<View>();
	}
	const StripView *
	device_strip_views() const
	{
		return (const StripView *) (device_views() + views.size());
	}

  private:
	/* Views that were uploaded together. */
	struct Chunk
	{
		std::unique_ptr<Block> memory;
		int32_t first; /* of the trees that have views here */
	};

	void resize();
	int64_t wanted_bytes() const;
	cudaError_t lay_out(cudaStream_t stream, char *staging, int64_t bytes);
	cudaError_t send_views(cudaStream_t stream, char *staging);

	Budget *budget;
	std::vector<TedTree> trees; /* copies: what planning reads is in one place */
	std::vector<std::vector<int32_t>> arrays;
	std::vector<HostView> views;
	std::vector<StripView> strip_views;
	std::vector<char> there[PURPOSES]; /* or wanted */
	std::vector<int32_t> wanted[PURPOSES];
	std::vector<Chunk> chunks;
	Block device;        /* all views */
	bool current = true; /* that block has room for all, and what is laid out */
};

#endif /* TED_DEVICE_TREES_H */
