/*
 * trees.cc
 *	  Trees that are laid out on a device when a batch first needs them.
 */
#include <algorithm>
#include <cstring>

extern "C"
{
#include "../src/core/zhang_shasha.h"
}
#include "trees.h"

/* Copies a tree. */
TreeCopy::TreeCopy(const TedTree *from) : tree(*from), arrays(4 * (size_t) from->size)
{
	const size_t size = (size_t) from->size;

	tree.label = std::copy_n(from->label, size, arrays.data()) - size;
	tree.subtree_size = std::copy_n(from->subtree_size, size, arrays.data() + size) - size;
	tree.depth = std::copy_n(from->depth, size, arrays.data() + 2 * size) - size;
	tree.key_root = std::copy_n(from->key_root, size, arrays.data() + 3 * size) - size;
}

/* Adds a tree. */
void
TreeSet::add(const TedTree *tree)
{
	trees.push_back(std::make_unique<TreeCopy>(tree));
	views.resize(2 * trees.size());
}

/* Forgets all trees but the first `count`. */
void
TreeSet::forget(int32_t count)
{
	trees.resize(count);
	views.resize(2 * (size_t) count);
	chunks.erase(std::remove_if(chunks.begin(), chunks.end(),
								[&](const Chunk &chunk) { return chunk.first >= count; }),
				 chunks.end());
}

/* Wants a view in the next upload. */
void
TreeSet::want(int32_t view)
{
	if (views[view].tables.empty())
		wanted.push_back(view);
}

/* The tree of a view, whose arrays are in `memory` if it is a mirror image. */
static TedTree
tree_of_view(const TedTree &tree, int32_t view, std::vector<char> &memory)
{
	TedTree mirrored;
	int32_t *number;
	TedArena arena;

	if (view % 2 == 0)
		return tree;
	memory.resize(ted_mirror_memory(tree.size) + TED_ARENA_ALIGN);
	arena = ted_arena_in(memory.data(), memory.size() - TED_ARENA_ALIGN);
	ted_mirror(&tree, &arena, &mirrored, &number);
	return mirrored;
}

/* Lays out what is wanted in one chunk. */
cudaError_t
TreeSet::lay_out(cudaStream_t stream, char *staging, int64_t bytes)
{
	Chunk chunk = {std::make_unique<Block>(budget), wanted.front() / 2};
	cudaError_t status = chunk.memory->reserve(bytes);
	std::vector<HostView> laid_out;
	std::vector<char> memory;
	int64_t at = 0;

	if (status != cudaSuccess)
		return status;
	for (int32_t view : wanted)
	{
		TedTree tree = tree_of_view(trees[view / 2]->tree, view, memory);

		laid_out.push_back(view_write(tree, staging + at, chunk.memory->as<char>() + at));
		at += view_bytes(tree);
	}
	status = cudaMemcpyAsync(chunk.memory->as<void>(), staging, (size_t) bytes,
							 cudaMemcpyHostToDevice, stream);
	if (status != cudaSuccess)
		return status;
	for (size_t i = 0; i < wanted.size(); i++)
		views[wanted[i]] = std::move(laid_out[i]);
	chunks.push_back(std::move(chunk));
	return cudaSuccess;
}

/* Sends all views. */
cudaError_t
TreeSet::send_views(cudaStream_t stream, char *staging)
{
	const size_t bytes = sizeof(View) * views.size();
	cudaError_t status = device.reserve((int64_t) bytes);

	if (status != cudaSuccess)
		return status;
	for (size_t i = 0; i < views.size(); i++)
		std::memcpy(staging + i * sizeof(View), &views[i].view, sizeof(View));
	return cudaMemcpyAsync(device.as<void>(), staging, bytes, cudaMemcpyHostToDevice, stream);
}

/* Lays out and uploads what is wanted. */
cudaError_t
TreeSet::upload(cudaStream_t stream, Block &staging)
{
	int64_t bytes = 0;
	cudaError_t status;

	std::sort(wanted.begin(), wanted.end());
	wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
	for (int32_t view : wanted)
	{
		const TedTree &tree = trees[view / 2]->tree;

		bytes += view_bytes(view % 2 == 0 ? tree : ted_mirror_sums(&tree));
	}
	current = current && wanted.empty();
	if (current)
		return cudaSuccess;
	status = staging.reserve(bytes + (int64_t) (sizeof(View) * views.size()));
	if (status == cudaSuccess && !wanted.empty())
		status = lay_out(stream, staging.as<char>(), bytes);
	if (status == cudaSuccess)
		status = send_views(stream, staging.as<char>() + bytes);
	current = status == cudaSuccess;
	wanted.clear();
	return status;
}
