/*
 * device_trees.h
 *	  Trees that are sent to a device when a batch first needs them.
 */
#ifndef TED_DEVICE_TREES_H
#define TED_DEVICE_TREES_H

#include <memory>
#include <vector>

#include "layout.h"
#include "../common/memory.h"

/* The kernels that read a view. */
enum Purpose
{
	FOR_TABLES,
	FOR_STRIPS,
	PURPOSES
};

/* Trees and their views: view 2 t is that of tree t, view 2 t + 1 that of its mirror image. */
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

	/* Requests a view for the next upload, unless it is on the device. */
	void
	want(int32_t view, Purpose purpose)
	{
		if (!there[purpose][view])
		{
			there[purpose][view] = true;
			wanted[purpose].push_back(view);
		}
	}

	/* Whether no upload is needed. */
	bool
	is_current() const
	{
		return current && wanted[FOR_TABLES].empty() && wanted[FOR_STRIPS].empty();
	}

	/*
	 * Lays out the wanted views and sends them from `staging`, which can be used again when the
	 * stream has executed the transfer.  After a failure, no view is wanted.
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
		int32_t first; /* the lowest number of a tree with a view here */
	};

	void resize();
	int64_t wanted_bytes() const;
	cudaError_t lay_out(cudaStream_t stream, char *staging, int64_t bytes);
	cudaError_t send_views(cudaStream_t stream, char *staging);

	Budget *budget;
	std::vector<TedTree> trees; /* copies, so that planning reads memory in one place */
	std::vector<std::vector<int32_t>> arrays;
	std::vector<HostView> views;
	std::vector<StripView> strip_views;
	std::vector<char> there[PURPOSES]; /* whether a view is on the device, or wanted */
	std::vector<int32_t> wanted[PURPOSES];
	std::vector<Chunk> chunks;
	Block device;        /* the View and StripView structs of all trees */
	bool current = true; /* `device` holds all views that have been laid out */
};

#endif /* TED_DEVICE_TREES_H */
