/*
 * device_trees.cc
 *	  Trees that are sent to a device when a batch first needs them.
 */
#include <algorithm>
#include <cstring>

extern "C"
{
#include "../../src/core/tree/mirror.h"
}
#include "device_trees.h"

/* Adds a copy of a tree. */
void
TreeSet::add(const TedTree *tree)
{
	const size_t size = (size_t) tree->size;
	std::vector<int32_t> array(4 * size);
	TedTree copy = *tree;

	copy.label = std::copy_n(tree->label, size, array.data()) - size;
	copy.subtree_size = std::copy_n(tree->subtree_size, size, array.data() + size) - size;
	copy.depth = std::copy_n(tree->depth, size, array.data() + 2 * size) - size;
	copy.key_root = std::copy_n(tree->key_root, size, array.data() + 3 * size) - size;
	trees.push_back(copy);
	arrays.push_back(std::move(array));
	resize();
	current = false;
}

/* Forgets all trees but the first `count`. */
void
TreeSet::forget(int32_t count)
{
	trees.resize(count);
	arrays.resize(count);
	resize();
	current = false; /* on the device, the views for strips follow all other views */
	chunks.erase(std::remove_if(chunks.begin(), chunks.end(),
								[&](const Chunk &chunk) { return chunk.first >= count; }),
				 chunks.end());
}

/* Makes room for the views of all trees. */
void
TreeSet::resize()
{
	views.resize(2 * trees.size());
	strip_views.resize(2 * trees.size());
	for (std::vector<char> &there : this->there)
		there.resize(2 * trees.size());
}

/* Returns the tree of a view; the arrays of a mirror image are in `memory`. */
static TedTree
tree_of_view(const TedTree &tree, int32_t view, std::vector<char> &memory)
{
	const TedInterrupt never = {};
	TedTree mirrored;
	int32_t *number;
	TedArena arena;

	if (view % 2 == 0)
		return tree;
	memory.resize(ted_mirror_memory(tree.size) + TED_ARENA_ALIGN);
	arena = ted_arena_in(memory.data(), memory.size() - TED_ARENA_ALIGN);
	ted_mirror(&tree, &arena, &never, &mirrored, &number);
	return mirrored;
}

/* Returns the bytes of the views that are wanted. */
int64_t
TreeSet::wanted_bytes() const
{
	int64_t bytes = 0;

	for (int32_t view : wanted[FOR_TABLES])
	{
		const TedTree &tree = this->tree(view / 2);

		bytes += view_bytes(view % 2 == 0 ? tree : ted_mirror_sums(&tree));
	}
	for (int32_t view : wanted[FOR_STRIPS])
		bytes += strip_view_bytes(tree(view / 2));
	return bytes;
}

/* Lays out the wanted views in one chunk. */
cudaError_t
TreeSet::lay_out(cudaStream_t stream, char *staging, int64_t bytes)
{
	Chunk chunk = {std::make_unique<Block>(budget), INT32_MAX};
	cudaError_t status = chunk.memory->reserve(bytes);
	std::vector<char> memory;
	int64_t at = 0;

	if (status != cudaSuccess)
		return status;
	for (int purpose = 0; purpose < PURPOSES; purpose++)
		for (int32_t view : wanted[purpose])
		{
			TedTree tree = tree_of_view(trees[view / 2], view, memory);
			char *place = chunk.memory->as<char>() + at;

			if (purpose == FOR_TABLES)
			{
				views[view] = view_write(tree, staging + at, place);
				at += view_bytes(tree);
			}
			else
			{
				strip_views[view] = strip_view_write(tree, staging + at, place);
				at += strip_view_bytes(tree);
			}
			chunk.first = std::min(chunk.first, view / 2);
		}
	chunks.push_back(std::move(chunk));
	return cudaMemcpyAsync(chunks.back().memory->as<void>(), staging, (size_t) bytes,
						   cudaMemcpyHostToDevice, stream);
}

/*
 * Sends the views of all trees.  Kernels of earlier slices may read some of them meanwhile:
 * these do not change, and only the first slice of a batch makes the block larger.
 */
cudaError_t
TreeSet::send_views(cudaStream_t stream, char *staging)
{
	const size_t views_bytes = sizeof(View) * views.size();
	const size_t strips_bytes = sizeof(StripView) * strip_views.size();
	cudaError_t status;

	status = device.reserve((int64_t) (views_bytes + strips_bytes));
	if (status != cudaSuccess)
		return status;
	for (size_t i = 0; i < views.size(); i++)
		std::memcpy(staging + i * sizeof(View), &views[i].view, sizeof(View));
	std::memcpy(staging + views_bytes, strip_views.data(), strips_bytes);
	return cudaMemcpyAsync(device.as<void>(), staging, views_bytes + strips_bytes,
						   cudaMemcpyHostToDevice, stream);
}

/* Lays out the wanted views and sends them. */
cudaError_t
TreeSet::upload(cudaStream_t stream, Block &staging)
{
	const int64_t bytes = wanted_bytes();
	cudaError_t status;

	if (is_current())
		return cudaSuccess;
	status = staging.reserve(bytes + (int64_t) ((sizeof(View) + sizeof(StripView)) * views.size()));
	if (status == cudaSuccess && bytes > 0)
		status = lay_out(stream, staging.as<char>(), bytes);
	if (status == cudaSuccess)
		status = send_views(stream, staging.as<char>() + bytes);
	current = status == cudaSuccess;
	for (int purpose = 0; purpose < PURPOSES; purpose++)
	{
		if (!current)
			for (int32_t view : wanted[purpose])
				there[purpose][view] = false;
		wanted[purpose].clear();
	}
	return status;
}
