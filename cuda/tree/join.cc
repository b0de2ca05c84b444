/*
 * join.cc
 *	  Threshold join of trees on a device: adding trees, and joining ranges of them.
 */
#include <algorithm>
#include <cstring>
#include <utility>

#include "../../src/engine/engine_tuning.h"
#include "../common/card_tuning.h"
#include "join.h"

/*
 * Bytes of a node of a tree that strips compare: a row, a column and a step, for the tree and
 * its mirror image.
 */
constexpr int64_t STRIP_NODE_BYTES =
	2 * (int64_t) (sizeof(StripRow) + sizeof(StripColumn) + sizeof(StripStep));

/* The room for nodes that are sent is a multiple of this number. */
constexpr int64_t SHIPMENT_STEP = 65536;

/* Bytes of a pair in all lists together. */
constexpr int64_t PAIR_BYTES = 2 * (sizeof(JoinSurvivor) + sizeof(uint64_t) + sizeof(StripJob)) +
							   sizeof(int32_t) + sizeof(TedJoinPair);

/*
 * Bytes of a node of a prefix, for a posting while postings are sorted; a part and its end take
 * less.
 */
constexpr int64_t LISTED_NODE_BYTES = 3 * (int64_t) sizeof(uint64_t);

/* Enlarges a block and keeps its first `used` bytes. */
cudaError_t
TreeJoin::grow(Block &block, int64_t used, int64_t bytes)
{
	Block larger(budget);
	cudaError_t status = larger.reserve(bytes);

	if (status == cudaSuccess && used > 0)
		status = cudaMemcpyAsync(larger.as<void>(), block.as<void>(), (size_t) used,
								 cudaMemcpyDeviceToDevice, stream);
	if (status == cudaSuccess)
		status = cudaStreamSynchronize(stream);
	if (status == cudaSuccess)
		block.swap(larger);
	return status;
}

/* Makes room for the data of each tree. */
cudaError_t
TreeJoin::reserve_trees(int32_t count)
{
	const int32_t wanted = std::max(count, 2 * capacity);
	const int64_t there = (int64_t) host_trees.size();
	cudaError_t status;

	if (count <= capacity)
		return cudaSuccess;
	if ((status = grow(trees, there * sizeof(JoinTree), wanted * sizeof(JoinTree))) ==
			cudaSuccess &&
		(status = grow(signatures, there * sizeof(Signature), wanted * sizeof(Signature))) ==
			cudaSuccess &&
		(status = grow(views, 2 * there * sizeof(StripView), 2 * wanted * sizeof(StripView))) ==
			cudaSuccess)
		capacity = wanted;
	return status;
}

/* The host's copy of trees that are sent to a device. */
struct Shipment
{
	int64_t nodes = 0;
	int64_t strip_nodes = 0;
	JoinTree *trees;
	StripView *views;
	int32_t *label;
	int32_t *subtree_size;

	explicit Shipment(const TedJoinTrees &added)
	{
		for (int32_t i = 0; i < added.count; i++)
		{
			nodes += added.trees[i]->size;
			if (added.trees[i]->size <= JOIN_STRIP_NODES)
				strip_nodes += added.trees[i]->size;
		}
	}

	/* Returns the bytes that are sent: trees, views, labels and sizes. */
	int64_t
	bytes(int32_t count) const
	{
		return count * (int64_t) (sizeof(JoinTree) + 2 * sizeof(StripView)) +
			   room() * (int64_t) (2 * sizeof(int32_t));
	}

	/*
	 * Returns the number of nodes to reserve memory for, rounded up so that later shipments can
	 * use the same memory.
	 */
	int64_t
	room() const
	{
		return (nodes / SHIPMENT_STEP + 1) * SHIPMENT_STEP;
	}

	/*
	 * Returns the bytes that stay on the device: three arrays of labels, and the nodes for
	 * strips.
	 */
	int64_t
	kept_bytes() const
	{
		return (3 * nodes * (int64_t) sizeof(int32_t) + 15) / 16 * 16 +
			   strip_nodes * STRIP_NODE_BYTES + STRIP_MARGIN * (int64_t) sizeof(StripColumn);
	}

	/* Sets the pointers to the parts of a block of memory. */
	void
	place(char *memory, int32_t count)
	{
		trees = (JoinTree *) memory;
		views = (StripView *) (trees + count);
		label = (int32_t *) (views + 2 * (int64_t) count);
		subtree_size = label + nodes;
	}

	void pack(const TedJoinTrees &added, int64_t prefix, char *device);
};

/* Prefetches the arrays of a tree that are sent. */
static void
prefetch(const TedTree &tree)
{
	const int64_t bytes = std::min(tree.size, PREFETCHED_NODES) * (int64_t) sizeof(int32_t);

	for (int64_t i = 0; i < bytes; i += CACHE_LINE)
	{
		__builtin_prefetch((const char *) tree.label + i);
		__builtin_prefetch((const char *) tree.subtree_size + i);
	}
}

/*
 * Fills in the trees.  The data that stays on the device will be at `device`; `prefix` is the
 * number of nodes of the prefixes of all earlier trees.
 */
void
Shipment::pack(const TedJoinTrees &added, int64_t prefix, char *device)
{
	int32_t *postorder = (int32_t *) device;
	char *strip = device + (3 * nodes * (int64_t) sizeof(int32_t) + 15) / 16 * 16;
	int64_t at = 0;

	for (int32_t i = 0; i < added.count; i++)
	{
		const TedTree &tree = *added.trees[i];
		const int32_t size = tree.size;

		trees[i] = {size,
					added.limits[i],
					0,
					tree.leaves,
					{(float) tree.left_nodes, (float) tree.right_nodes},
					prefix,
					postorder + at,
					postorder + nodes + at,
					postorder + 2 * nodes + at};
		prefix += join_prefix_nodes(size, added.limits[i]);
		if (i + 2 * PREFETCHED_TREES < added.count)
			__builtin_prefetch(added.trees[i + 2 * PREFETCHED_TREES]);
		if (i + PREFETCHED_TREES < added.count)
			prefetch(*added.trees[i + PREFETCHED_TREES]);
		std::copy_n(tree.label, size, label + at);
		std::copy_n(tree.subtree_size, size, subtree_size + at);
		at += size;
		for (int right = 0; right < 2; right++)
		{
			views[2 * i + right] = {(const StripRow *) strip, size, 0};
			if (size <= JOIN_STRIP_NODES)
				strip += size * STRIP_NODE_BYTES / 2;
		}
	}
}

/* Starts to lay out the trees that have arrived on the device. */
cudaError_t
TreeJoin::lay_out(const Shipment &shipment, int32_t count)
{
	const int64_t nodes = shipment.nodes;
	const int64_t first = (int64_t) host_trees.size() - count;
	const size_t bytes = 4 * sizeof(int32_t) * (size_t) nodes;
	JoinArrival arrival;
	cudaError_t status = scratch.reserve(shipment.room() * (int64_t) (4 * sizeof(int32_t)));

	if (status != cudaSuccess ||
		(status = cudaMemsetAsync(scratch.as<void>(), 0, bytes, stream)) != cudaSuccess)
		return status;
	arrival = {trees.as<JoinTree>() + first,
			   signatures.as<Signature>() + first,
			   views.as<StripView>() + 2 * first,
			   count,
			   shipment.trees[0].postorder,
			   arrived.as<int32_t>(),
			   scratch.as<int32_t>(),
			   scratch.as<int32_t>() + nodes,
			   {scratch.as<int32_t>() + 2 * nodes, scratch.as<int32_t>() + 3 * nodes}};
	return join_lay_out(arrival, stream);
}

/* Starts to send a shipment. */
cudaError_t
TreeJoin::send(const Shipment &shipment, int32_t count)
{
	const int64_t first = (int64_t) host_trees.size() - count;
	const size_t nodes = (size_t) shipment.nodes;
	cudaError_t status;

	if ((status = cudaMemcpyAsync(trees.as<JoinTree>() + first, shipment.trees,
								  sizeof(JoinTree) * (size_t) count, cudaMemcpyHostToDevice,
								  stream)) == cudaSuccess &&
		(status = cudaMemcpyAsync(views.as<StripView>() + 2 * first, shipment.views,
								  2 * sizeof(StripView) * (size_t) count, cudaMemcpyHostToDevice,
								  stream)) == cudaSuccess &&
		(status = cudaMemcpyAsync((void *) shipment.trees[0].postorder, shipment.label,
								  sizeof(int32_t) * nodes, cudaMemcpyHostToDevice, stream)) ==
			cudaSuccess)
		status = cudaMemcpyAsync(arrived.as<void>(), shipment.subtree_size, sizeof(int32_t) * nodes,
								 cudaMemcpyHostToDevice, stream);
	return status;
}

/* Adds copies of trees. */
cudaError_t
TreeJoin::add(const TedJoinDocuments &documents)
{
	const TedJoinTrees &added = *documents.trees;
	const int32_t before = (int32_t) host_trees.size();
	Shipment shipment(added);
	Chunk chunk = {std::make_unique<Block>(budget), before, added.count, shipment.nodes};
	cudaError_t status;

	if ((status = reserve_trees(before + added.count)) != cudaSuccess ||
		(status = staging.reserve(shipment.bytes(added.count))) != cudaSuccess ||
		(status = arrived.reserve(shipment.room() * (int64_t) sizeof(int32_t))) != cudaSuccess ||
		(status = chunk.memory->reserve(shipment.kept_bytes())) != cudaSuccess)
		return status;
	shipment.place(staging.as<char>(), added.count);
	shipment.pack(added, prefix_nodes(before), chunk.memory->as<char>());
	for (int32_t i = 0; i < added.count; i++)
	{
		host_trees.push_back(
			{shipment.trees[i].size, shipment.trees[i].limit, shipment.trees[i].prefix});
		if (added.trees[i]->size <= JOIN_STRIP_NODES)
		{
			most_nodes = std::max(most_nodes, added.trees[i]->size);
			most_height = std::max(most_height, added.trees[i]->height);
		}
	}
	labels_end = std::max(labels_end, added.labels);
	if (before == 0)
		labels_ranked = added.ranked ? added.labels : 0;
	status = send(shipment, added.count);
	if (status == cudaSuccess)
		status = lay_out(shipment, added.count);
	if (status == cudaSuccess)
		status = cudaStreamSynchronize(stream); /* so that the staging memory is free */
	if (status == cudaSuccess)
		chunks.push_back(std::move(chunk));
	else
		host_trees.resize(before);
	return status;
}

/* Forgets all trees but the first `count`, where a call of add() began. */
void
TreeJoin::forget(int32_t count)
{
	host_trees.resize(count);
	ranked = ranked <= count ? ranked : 0;
	end_planned = std::min(end_planned, count);
	while (!chunks.empty() && chunks.back().first >= count)
		chunks.pop_back();
	sorted_chunks = std::min(sorted_chunks, chunks.size());
}

/* Returns the indexed trees whose sizes may be within the limits of a probe. */
TreeJoin::Window
TreeJoin::window(int32_t probe) const
{
	const auto begin = host_trees.begin();
	const auto last = begin + std::min(probe, range->indexed);
	const Sizes own = host_trees[probe];

	return {(int32_t) (std::partition_point(begin, last,
											[=](const Sizes &other)
											{ return other.size < own.size - own.limit; }) -
					   begin),
			(int32_t) (std::partition_point(begin, last,
											[=](const Sizes &other)
											{ return other.size - other.limit <= own.size; }) -
					   begin)};
}

/* Returns the number of nodes of the prefixes of all trees before one. */
int64_t
TreeJoin::prefix_nodes(int32_t before) const
{
	if (before == 0)
		return 0;
	const Sizes last = host_trees[before - 1];

	return last.prefix + join_prefix_nodes(last.size, last.limit);
}

/*
 * Returns the number of pairs of the range whose sizes allow their limits, of probes that may
 * be compared by lists.
 */
int64_t
TreeJoin::window_pairs() const
{
	const Sizes *all = host_trees.data();
	Window columns = window(range->first);
	int64_t sum = 0;

	for (int32_t probe = range->first; probe < range->end; probe++)
	{
		if (probe > range->first)
			columns.advance(all, range->indexed, probe);
		if (!join_needs_window(all[probe].size, all[probe].limit))
			sum += columns.size();
	}
	return sum;
}

/* Ranks all labels by the number of nodes of indexed trees that have them. */
cudaError_t
TreeJoin::rank_labels()
{
	size_t bytes = 0;
	cudaError_t status;

	ranked = listed = 0;
	sorted_chunks = 0;
	ranks = {nullptr, labels_ranked};
	if (labels_ranked > 0)
	{
		ranked = range->indexed;
		return cudaSuccess;
	}
	ranks.count = labels_end;
	if ((status = join_rank(nullptr, bytes, nullptr, 0, ranks, stream)) != cudaSuccess ||
		(status = scratch.reserve((int64_t) bytes)) != cudaSuccess ||
		(status = ranks_memory.reserve(labels_end * (int64_t) sizeof(int32_t))) != cudaSuccess)
		return status;
	ranks.rank = ranks_memory.as<int32_t>();
	status =
		join_rank(scratch.as<void>(), bytes, trees.as<JoinTree>(), range->indexed, ranks, stream);
	if (status == cudaSuccess)
		ranked = range->indexed;
	return status;
}

/* Sorts the labels of the trees that have been added since the last call. */
cudaError_t
TreeJoin::sort_labels()
{
	cudaError_t status = ranked == range->indexed ? cudaSuccess : rank_labels();

	for (; status == cudaSuccess && sorted_chunks < chunks.size(); sorted_chunks++)
	{
		const Chunk &chunk = chunks[sorted_chunks];
		int32_t *sorted = chunk.memory->as<int32_t>() + 2 * chunk.nodes;
		size_t bytes = 0;

		status = join_sort_labels(nullptr, bytes, nullptr, chunk.count, chunk.nodes, ranks, sorted,
								  stream);
		if (status == cudaSuccess)
			status = scratch.reserve((int64_t) bytes);
		if (status == cudaSuccess)
			status = join_sort_labels(scratch.as<void>(), bytes, trees.as<JoinTree>() + chunk.first,
									  chunk.count, chunk.nodes, ranks, sorted, stream);
	}
	return status;
}

/* Makes the lists of rare labels of the indexed trees. */
cudaError_t
TreeJoin::list_trees()
{
	const int64_t count = prefix_nodes(range->indexed);
	uint64_t *unsorted;
	size_t sort_bytes = 0;
	cudaError_t status = join_sort(nullptr, sort_bytes, nullptr, nullptr, count, 0, 64, stream);

	listed = 0;
	if (status != cudaSuccess ||
		(status = scratch.reserve(count * (int64_t) sizeof(uint64_t) + (int64_t) sort_bytes)) !=
			cudaSuccess ||
		(status = postings.reserve(count * (int64_t) sizeof(uint64_t))) != cudaSuccess)
		return status;
	unsorted = scratch.as<uint64_t>();
	status = join_list_postings(trees.as<JoinTree>(), range->indexed, unsorted, stream);
	if (status == cudaSuccess)
		status = join_sort(unsorted + count, sort_bytes, unsorted, postings.as<uint64_t>(), count,
						   0, 64, stream);
	if (status != cudaSuccess)
		return status;
	lists.postings = postings.as<uint64_t>();
	lists.posting_count = count;
	listed = range->indexed;
	return cudaSuccess;
}

/* Finds the parts of lists with which the probes of the range are compared. */
cudaError_t
TreeJoin::list_probes()
{
	const int32_t count = range->end - range->first;
	const int64_t base = prefix_nodes(range->first);
	const int64_t nodes = prefix_nodes(range->end) - base;
	size_t sum_bytes = 0;
	cudaError_t status =
		join_find_parts(nullptr, sum_bytes, nullptr, 0, 0, 0, {}, nodes, nullptr, stream);

	if (status != cudaSuccess || (status = scratch.reserve((int64_t) sum_bytes)) != cudaSuccess ||
		(status = parts.reserve(nodes * (int64_t) sizeof(JoinPart))) != cudaSuccess ||
		(status = part_ends.reserve(nodes * (int64_t) sizeof(uint64_t))) != cudaSuccess ||
		(status = probe_ends.reserve(count * (int64_t) sizeof(uint64_t))) != cudaSuccess ||
		(status = host_probe_ends.reserve(count * (int64_t) sizeof(uint64_t))) != cudaSuccess)
		return status;
	lists.parts = parts.as<JoinPart>();
	lists.ends = part_ends.as<uint64_t>();
	lists.base = base;
	status =
		join_find_parts(scratch.as<void>(), sum_bytes, trees.as<JoinTree>(), range->indexed,
						range->first, range->end, lists, nodes, probe_ends.as<uint64_t>(), stream);
	if (status == cudaSuccess)
		status = cudaMemcpyAsync(host_probe_ends.as<void>(), probe_ends.as<void>(),
								 sizeof(uint64_t) * (size_t) count, cudaMemcpyDeviceToHost, stream);
	return status == cudaSuccess ? cudaStreamSynchronize(stream) : status;
}

/*
 * Chooses between windows and lists for the probes of the range, unless this has been done for
 * a range that includes them.
 */
cudaError_t
TreeJoin::plan_probes()
{
	const int64_t nodes =
		prefix_nodes(range->indexed) + prefix_nodes(range->end) - prefix_nodes(range->first);
	cudaError_t status = cudaSuccess;
	double window;

	if (planned_indexed == range->indexed && first_planned <= range->first &&
		range->end <= end_planned)
		return cudaSuccess;
	planned_indexed = range->indexed;
	first_planned = range->first;
	end_planned = range->end;
	lists_pay = false;
	window = (double) window_pairs() * ted_gpu_list_preference;
	if (!(window > JOIN_LEAST_WINDOW) ||
		nodes * LISTED_NODE_BYTES > budget->limit / JOIN_MEMORY_PART)
		return cudaSuccess;
	if (listed != range->indexed)
		status = list_trees();
	if (status == cudaSuccess)
		status = list_probes();
	if (status == cudaSuccess)
		lists_pay = (double) listed_pairs(range->end) * TED_JOIN_LISTED_PAIR < window;
	return status == cudaErrorMemoryAllocation ? cudaSuccess : status;
}

/* Whether a probe is compared with the trees of lists. */
bool
TreeJoin::is_listed(int32_t probe) const
{
	return lists_pay && !join_needs_window(host_trees[probe].size, host_trees[probe].limit);
}

/* Returns the number of pairs of lists of all planned probes before one. */
uint64_t
TreeJoin::listed_pairs(int32_t before) const
{
	return before > first_planned ? host_probe_ends.as<uint64_t>()[before - first_planned - 1] : 0;
}

/*
 * Chooses the next probes: one at least, and more that are compared in the same way until there
 * are `pairs_at_once` pairs.
 */
void
TreeJoin::choose_probes()
{
	const Sizes *all = host_trees.data();
	const int32_t indexed = range->indexed;
	const bool by_lists = is_listed(first);
	const uint64_t before = by_lists ? listed_pairs(first) : 0;
	Window columns = window(first);
	int32_t probe = first;

	pairs = compared = 0;
	most_edits = 0;
	work.first_column = columns.begin;
	do
	{
		if (probe > first)
			columns.advance(all, indexed, probe);
		pairs += columns.size();
		compared = by_lists ? (int64_t) (listed_pairs(probe + 1) - before) : pairs;
		/* the limit of a pair is that of the larger tree */
		most_edits = std::max(most_edits, all[probe].limit);
		if (columns.size() > 0)
			most_edits = std::max(most_edits, all[columns.end - 1].limit);
		probe++;
	} while (probe < range->end && probe - first < JOIN_MOST_PROBES && compared < pairs_at_once &&
			 is_listed(probe) == by_lists);
	end = probe;
	work.listed = by_lists;
	work.end_column = std::max(columns.end, work.first_column);
}

/*
 * Makes room for lists of pairs: for all possible pairs as far as memory allows, and in any
 * case for those of one probe.
 */
cudaError_t
TreeJoin::reserve_lists()
{
	const int64_t affordable = budget->limit / JOIN_MEMORY_PART / PAIR_BYTES;
	const int64_t possible = (int64_t) (range->end - range->first) * range->indexed;
	const int64_t wanted =
		std::max(std::min({JOIN_LIST_PAIRS, affordable, possible}), (int64_t) range->indexed);
	cudaError_t status;

	if (wanted <= list_capacity)
		return cudaSuccess;
	list_capacity = 0;
	if ((status = similar.reserve(wanted * sizeof(JoinSurvivor))) == cudaSuccess &&
		(status = labels.reserve(wanted * sizeof(JoinSurvivor))) == cudaSuccess &&
		(status = orders.reserve(2 * wanted * sizeof(uint64_t))) == cudaSuccess &&
		(status = jobs.reserve(2 * wanted * sizeof(StripJob))) == cudaSuccess &&
		(status = distances.reserve(wanted * sizeof(int32_t))) == cudaSuccess &&
		(status = found.reserve(wanted * sizeof(TedJoinPair))) == cudaSuccess &&
		(status = counters.reserve(sizeof(JoinCounters))) == cudaSuccess &&
		(status = host_counters.reserve(sizeof(JoinCounters))) == cudaSuccess)
		list_capacity = wanted;
	return status;
}

/* Starts to read the counters, after the kernels that have been started. */
cudaError_t
TreeJoin::read_counters()
{
	return cudaMemcpyAsync(host_counters.as<void>(), counters.as<void>(), sizeof(JoinCounters),
						   cudaMemcpyDeviceToHost, stream);
}

/* Starts the filters on the next probes. */
cudaError_t
TreeJoin::start_filters()
{
	cudaError_t status = cudaMemsetAsync(counters.as<void>(), 0, sizeof(JoinCounters), stream);

	work = {};
	choose_probes();
	work.trees = trees.as<JoinTree>();
	work.signatures = signatures.as<Signature>();
	work.indexed = range->indexed;
	work.first = first;
	work.end = end;
	if (work.listed)
	{
		work.lists = lists;
		work.first_part = prefix_nodes(first) - lists.base;
		work.end_part = prefix_nodes(end) - lists.base;
		work.first_pair = listed_pairs(first);
		work.end_pair = listed_pairs(end);
	}
	std::copy_n(STRIP_ROW_CELLS, (int) STRIP_WIDTHS, work.row_cells);
	work.capacity = (uint32_t) list_capacity;
	work.similar = similar.as<JoinSurvivor>();
	work.labels = labels.as<JoinSurvivor>();
	work.jobs = jobs.as<StripJob>();
	work.orders = orders.as<uint64_t>();
	work.found = found.as<TedJoinPair>();
	work.counters = counters.as<JoinCounters>();
	started = std::chrono::steady_clock::now();
	if (status == cudaSuccess)
		status = join_filter(work, most_edits, properties->multiProcessorCount, stream);
	range->done = end;
	phase = Phase::FILTERS;
	return status == cudaSuccess ? read_counters() : status;
}

/* Returns the greatest number of bytes for the rows of strips. */
int64_t
TreeJoin::strip_memory() const
{
	return std::min(STRIP_MEMORY, budget->limit / JOIN_MEMORY_PART);
}

/* Starts the kernel of the strips of one width. */
cudaError_t
TreeJoin::start_width(StripLanes width, int64_t first_job, int64_t count)
{
	StripLaunch launch = {width, {}, 0, most_nodes, most_height};
	const int groups = STRIP_BLOCK / strip_lanes(width);
	StripWork strips = {};
	cudaError_t status = strip_resident_blocks(width, *properties, &launch.blocks);

	if (status != cudaSuccess || count == 0)
		return status;
	launch.blocks = (int) std::min({(int64_t) launch.blocks,
									std::max(strip_memory() / launch.block_bytes(), (int64_t) 1),
									(count + groups - 1) / groups});
	status = rows.reserve(launch.blocks * launch.block_bytes());
	if (status != cudaSuccess)
		return status;
	strips.views = views.as<StripView>();
	strips.jobs = jobs.as<StripJob>() + list_capacity + first_job;
	strips.count = (int32_t) count;
	strips.next = &work.counters->next[width];
	strips.uniform = {1, 1, 1};
	strips.rows = rows.as<int16_t>();
	strips.group_cells = launch.group_cells();
	strips.most_nodes = most_nodes;
	strips.results = distances.as<int32_t>();
	strips.cancel = cancel;
	return strip_launch(width, strips, launch.blocks, stream);
}

/*
 * Starts the strips, those of each width in descending order of their work, and collects the
 * pairs within their limits.
 */
cudaError_t
TreeJoin::start_strips()
{
	const JoinCounters &counted = *host_counters.as<JoinCounters>();
	StripJob *arranged = work.jobs + list_capacity;
	uint64_t *sorted = work.orders + list_capacity;
	const uint32_t count = counted.jobs;
	size_t sort_bytes = 0;
	int64_t first_job = 0;
	cudaError_t status;

	phase = Phase::STRIPS;
	if (count == 0)
		return cudaSuccess;
	if ((status = join_sort(nullptr, sort_bytes, nullptr, nullptr, count, JOIN_ORDER_SHIFT,
							JOIN_ORDER_SHIFT + JOIN_ORDER_BITS, stream)) != cudaSuccess ||
		(status = scratch.reserve((int64_t) sort_bytes)) != cudaSuccess ||
		(status = join_sort(scratch.as<void>(), sort_bytes, work.orders, sorted, count,
							JOIN_ORDER_SHIFT, JOIN_ORDER_SHIFT + JOIN_ORDER_BITS, stream)) !=
			cudaSuccess ||
		(status = join_arrange(sorted, count, work.jobs, arranged, stream)) != cudaSuccess ||
		(status = cudaMemsetAsync(distances.as<void>(), 0x7f, count * sizeof(int32_t), stream)) !=
			cudaSuccess)
		return status;
	for (int width = 0; width < STRIP_WIDTHS && status == cudaSuccess; width++)
	{
		status = start_width((StripLanes) width, first_job, counted.width[width]);
		first_job += counted.width[width];
	}
	if (status == cudaSuccess)
		status = join_collect(arranged, distances.as<int32_t>(), count, work, stream);
	return status == cudaSuccess ? read_counters() : status;
}

/* Starts the transfer of the results. */
cudaError_t
TreeJoin::start_transfer()
{
	const uint32_t count = host_counters.as<JoinCounters>()->found;
	const int64_t bytes = count * (int64_t) sizeof(TedJoinPair);
	cudaError_t status = cudaSuccess;

	phase = Phase::TRANSFER;
	if (bytes > host_found_bytes)
	{
		host_found_bytes = std::min(2 * bytes, list_capacity * (int64_t) sizeof(TedJoinPair));
		status = host_found.reserve(host_found_bytes);
	}
	if (status != cudaSuccess)
		host_found_bytes = 0;
	else if (count > 0)
		status = cudaMemcpyAsync(host_found.as<void>(), work.found, (size_t) bytes,
								 cudaMemcpyDeviceToHost, stream);
	return status;
}

/*
 * Sets the results of the range, and adapts the number of pairs that are compared next to the
 * time taken.
 */
void
TreeJoin::finish()
{
	const JoinCounters &counted = *host_counters.as<JoinCounters>();
	const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - started;

	range->done = end;
	range->window = pairs;
	range->similar = counted.similar;
	range->labels = counted.labels;
	range->computed = counted.jobs;
	range->pairs = host_found.as<TedJoinPair>();
	range->count = counted.found;
	if (elapsed.count() < JOIN_RANGE_SECONDS / 2 && counted.similar < list_capacity / 2)
		pairs_at_once = std::min(2 * pairs_at_once, JOIN_MOST_PAIRS);
	else if (elapsed.count() > 2 * JOIN_RANGE_SECONDS)
		pairs_at_once /= 2;
}

/* Starts to join a range. */
cudaError_t
TreeJoin::submit(TedJoinRange *submitted)
{
	cudaError_t status;

	range = submitted;
	first = range->first;
	range->window = range->similar = range->labels = range->computed = range->count = 0;
	status = reserve_lists();
	if (status == cudaSuccess)
		status = sort_labels();
	if (status == cudaSuccess)
		status = plan_probes();
	return status == cudaSuccess ? start_filters() : status;
}

/* Polls the range: starts the next phase if the device has completed the last one. */
cudaError_t
TreeJoin::poll()
{
	const JoinCounters &counted = *host_counters.as<JoinCounters>();
	cudaError_t status = cudaStreamQuery(stream);

	if (status != cudaSuccess)
		return status;
	switch (phase)
	{
		case Phase::FILTERS:
			if (counted.similar > list_capacity)
			{
				pairs_at_once = std::max(compared / 2, (int64_t) 1);
				status = start_filters();
			}
			else
				status = start_strips();
			break;
		case Phase::STRIPS:
			status = start_transfer();
			break;
		case Phase::TRANSFER:
			finish();
			return cudaSuccess;
	}
	return status == cudaSuccess ? cudaErrorNotReady : status;
}
