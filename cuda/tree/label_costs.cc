/*
 * label_costs.cc
 *	  Costs by label on a device.
 */
#include <algorithm>

#include "../common/tuning.h"
#include "label_costs.h"

/* Copies an array to the device. */
template <class T>
static cudaError_t
send(const std::vector<T> &array, char *to)
{
	return cudaMemcpy(to, array.data(), sizeof(T) * array.size(), cudaMemcpyHostToDevice);
}

/* Sends what kernels call labels, which are numbered within their kinds. */
cudaError_t
LabelCosts::send_labels(const TedDeviceCosts &costs)
{
	std::vector<int32_t> numbered(costs.labels);
	std::vector<int32_t> next(costs.kinds, FIRST_NUMBER);
	cudaError_t status;

	for (int32_t label = 0; label < costs.labels; label++)
		if (kind[label] >= 0)
		{
			numbered[label] = numbered_label(kind[label], next[kind[label]]++);
			if (next[kind[label]] > 1 << NUMBER_BITS)
				return cudaErrorMemoryAllocation;
		}
	status = labels.reserve((int64_t) sizeof(int32_t) * costs.labels);
	if (status == cudaSuccess)
		status = send(numbered, labels.as<char>());
	table.label = labels.as<int32_t>();
	return status;
}

/* Sends costs of mapping nodes, as rows and columns have them. */
template <class Cost>
cudaError_t
LabelCosts::send_renames(const TedDeviceCosts &costs, bool swapped)
{
	const int64_t kinds = costs.kinds;
	const int32_t *inserted = node[swapped].data();
	const int64_t at_once = std::max(LABEL_COSTS_AT_ONCE / kinds, (int64_t) 1);
	std::vector<Cost> part;
	cudaError_t status =
		renames[swapped].reserve((int64_t) sizeof(Cost) * (kinds + 1) * kinds);

	for (int64_t first = 0; first < kinds && status == cudaSuccess; first += at_once)
	{
		const int64_t end = std::min(first + at_once, kinds);

		part.resize((end - first) * kinds);
		for (int64_t i = swapped ? 0 : first; i < (swapped ? kinds : end); i++)
			for (int64_t j = swapped ? first : 0; j < (swapped ? end : kinds); j++)
			{
				const int64_t row = swapped ? j : i;
				const int64_t column = swapped ? i : j;

				part[(row - first) * kinds + column] =
					(Cost) (costs.rename[i * kinds + j] - inserted[column]);
			}
		status = send(part, renames[swapped].as<char>() + sizeof(Cost) * first * kinds);
	}
	part.resize(kinds);
	std::transform(inserted, inserted + kinds, part.begin(),
				   [](int32_t cost) { return (Cost) -cost; });
	if (status == cudaSuccess)
		status = send(part, renames[swapped].as<char>() + sizeof(Cost) * kinds * kinds);
	table.rename[swapped] = renames[swapped].as<void>();
	return status;
}

/* Sends costs to the device. */
cudaError_t
LabelCosts::set(const TedDeviceCosts &costs)
{
	cudaError_t status;

	kind.assign(costs.kind, costs.kind + costs.labels);
	node[0].assign(costs.insert, costs.insert + costs.kinds);
	node[1].assign(costs.delete_, costs.delete_ + costs.kinds);
	for (int i = 0; i < 2; i++)
		known_sum[i].clear();
	table.kinds = costs.kinds;
	table.wide = false;
	for (const std::vector<int32_t> &all : node)
		table.wide |= *std::max_element(all.begin(), all.end()) > INT16_MAX;
	if (costs.kinds >= 1 << (32 - NUMBER_BITS))
		return cudaErrorMemoryAllocation;
	status = send_labels(costs);
	if (status == cudaSuccess)
		status = removals.reserve(2 * (int64_t) sizeof(int32_t) * costs.kinds);
	for (int swapped = 0; swapped < 2 && status == cudaSuccess; swapped++)
	{
		const std::vector<int32_t> &removed = node[1 - swapped];

		table.remove[swapped] = removals.as<int32_t>() + swapped * costs.kinds;
		status = send(removed, (char *) table.remove[swapped]);
		if (status == cudaSuccess)
			status = table.wide ? send_renames<int32_t>(costs, swapped)
								: send_renames<int16_t>(costs, swapped);
	}
	if (status == cudaSuccess)
		status = cudaStreamSynchronize(nullptr); /* what was sent is there, for all streams */
	return status;
}

/* What it costs to insert, or to delete, all nodes of a tree. */
int32_t
LabelCosts::sum(const TedTree &tree, int32_t number, bool deleted)
{
	std::vector<int32_t> &known = known_sum[deleted];

	if ((size_t) number >= known.size())
		known.resize(number + 1, -1);
	if (known[number] < 0)
	{
		known[number] = 0;
		for (int32_t x = 0; x < tree.size; x++)
			known[number] += node[deleted][kind[tree.label[x]]];
	}
	return known[number];
}
