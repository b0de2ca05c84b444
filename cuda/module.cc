/*
 * module.cc
 *	  The GPU module: devices, and batches of pairs of trees on them; lcs_module.cc has the
 *	  batches of strings.
 *
 * A batch is computed in slices, one after another, so that other users of the card get
 * their turns and a slice needs little memory.  CUDA calls apply to the thread's current
 * device, so each function first makes its own device the current one.
 */
#include <algorithm>
#include <cstdio>
#include <cstring>

extern "C"
{
#include "../src/core/tree/mirror.h"
#include "../src/engine/gpu/gpu_time.h"
}
#include "common/card_tuning.h"
#include "tree/choice.h"
#include "tree/join.h"
#include "string/lcs_module.h"
#include "string/string_join.h"
#include "tree/plan.h"
#include "tree/subtrees.h"

/* A part of a batch that is computed at once. */
struct Slice
{
	cudaStream_t stream;
	cudaEvent_t done;
	int64_t first; /* pairs of the batch; none if the slice is idle */
	int64_t end;

	Block orders_staging;  /* memory of the host for `orders` */
	Block results_staging; /* memory of the host for `results` */
	Block orders;          /* arguments of kernels */
	Block distances;
	Block kept;
	Block results;

	explicit Slice(Budget *budget)
		: orders(budget), distances(budget), kept(budget), results(budget)
	{
	}
};

struct TedDevice
{
	int number;
	cudaDeviceProp card;
	cudaStream_t cancelling; /* stream for `cancel`, parallel to the kernels */
	int *cancel;             /* a word of device memory that stops the kernels if set */
	int *words;              /* memory of the host with 0 and 1, the values of `cancel` */
	Budget budget;
	cudaError_t failure;
	cudaEvent_t begun; /* start of the batch's kernels */
	double seconds;    /* time that the batch's kernels have taken */
	Block staging;     /* memory of the host for trees */
	cudaEvent_t sent;  /* end of the transfer of trees from `staging` */

	/* the batch of trees that is being computed */
	TedDeviceTrees *trees;
	TedBatch batch;
	int64_t next; /* first pair that no slice has */
	Slice slices[2]{Slice(&budget), Slice(&budget)};
	int oldest;               /* number of the slice that was started first */
	SubtreeTransfer subtrees; /* distances of the only pair, if they are wanted */
	LabelCosts *labels;       /* the costs that are being computed */
	std::unique_ptr<LabelCosts> spare_labels;

	/* or the other work that is being computed */
	StringBatch strings{&budget};
	DeviceJoin *join; /* the join whose range is being computed */
	enum
	{
		ON_TREES,
		ON_LABELS,
		ON_STRINGS,
		ON_JOIN
	} at_work;
};

/* A join and its device. */
struct TedDeviceJoin
{
	TedDevice *device;
	std::unique_ptr<DeviceJoin> join; /* NULL before documents have been added */
};

/* A set of trees and its device. */
struct TedDeviceTrees
{
	TedDevice *device;
	TreeSet set;
	std::unique_ptr<LabelCosts> labels; /* NULL without costs by label */

	explicit TedDeviceTrees(TedDevice *device) : device(device), set(&device->budget)
	{
	}
};

/* Makes a device the current one. */
static void
use(const TedDevice *device)
{
	cudaSetDevice(device->number);
}

/* Converts a status of CUDA to that of the module. */
static TedDeviceStatus
host_status(TedDevice *device, cudaError_t status)
{
	if (status == cudaSuccess)
		return TED_DEVICE_DONE;
	if (status == cudaErrorMemoryAllocation)
		return TED_DEVICE_OUT_OF_MEMORY;
	device->failure = status;
	return TED_DEVICE_FAILED;
}

/* Sets the word that stops the kernels. */
static void
set_cancel(TedDevice *device, int value)
{
	cudaMemcpyAsync(device->cancel, &device->words[value], sizeof(int), cudaMemcpyHostToDevice,
					device->cancelling);
	cudaStreamSynchronize(device->cancelling);
}

/* Stops the work of a device. */
static void
stop(TedDevice *device)
{
	use(device);
	set_cancel(device, 1);
	cudaDeviceSynchronize();
	device->subtrees.stop();
	set_cancel(device, 0);
}

/* Frees a device. */
static void
device_close(TedDevice *device)
{
	use(device);
	if (device->words != nullptr)
		stop(device);
	delete device;
	cudaDeviceReset();
}

/* Sets a slice up. */
static cudaError_t
set_up(Slice *slice)
{
	cudaError_t status = cudaStreamCreateWithFlags(&slice->stream, cudaStreamNonBlocking);

	return status == cudaSuccess ? cudaEventCreate(&slice->done) : status;
}

/* Sets a device up. */
static cudaError_t
set_up(TedDevice *device, int64_t memory_limit)
{
	size_t free;
	size_t total;
	cudaError_t status;

	if ((status = cudaSetDevice(device->number)) != cudaSuccess ||
		(status = cudaGetDeviceProperties(&device->card, device->number)) != cudaSuccess ||
		(status = cudaEventCreate(&device->begun)) != cudaSuccess ||
		(status = cudaEventCreateWithFlags(&device->sent, cudaEventDisableTiming)) != cudaSuccess ||
		(status = set_up(&device->slices[0])) != cudaSuccess ||
		(status = set_up(&device->slices[1])) != cudaSuccess ||
		(status = cudaStreamCreateWithFlags(&device->cancelling, cudaStreamNonBlocking)) !=
			cudaSuccess ||
		(status = cudaMalloc(&device->cancel, sizeof(int))) != cudaSuccess ||
		(status = cudaMemset(device->cancel, 0, sizeof(int))) != cudaSuccess ||
		(status = cudaMallocHost(&device->words, 2 * sizeof(int))) != cudaSuccess ||
		(status = device->strings.set_up(&device->card, device->cancel)) != cudaSuccess ||
		(status = cudaMemGetInfo(&free, &total)) != cudaSuccess)
		return status;
	device->words[0] = 0;
	device->words[1] = 1;
	device->budget.limit = std::min(memory_limit, (int64_t) free);
	return cudaSuccess;
}

/* Returns the number of devices; if it is 0, sets `reason`. */
static int32_t
device_count(char *reason)
{
	int count = 0;
	cudaError_t status = cudaGetDeviceCount(&count);

	if (status == cudaSuccess && count > 0)
		return count;
	snprintf(reason, 256, "%s",
			 status != cudaSuccess ? cudaGetErrorString(status) : "no device found");
	return 0;
}

/* Opens a device. */
static TedDeviceStatus
device_open(int32_t number, int64_t memory_limit, TedDevice **opened, char *reason)
{
	TedDevice *device = new TedDevice();
	cudaError_t status;

	device->number = number;
	status = set_up(device, memory_limit);
	if (status != cudaSuccess)
	{
		snprintf(reason, 256, "%s", cudaGetErrorString(status));
		device_close(device);
		return status == cudaErrorMemoryAllocation ? TED_DEVICE_OUT_OF_MEMORY : TED_DEVICE_NONE;
	}
	*opened = device;
	return TED_DEVICE_DONE;
}

/* Describes the device. */
static void
device_info(TedDevice *device, TedDeviceInfo *info)
{
	const cudaDeviceProp &properties = device->card;
	size_t free = 0;
	size_t total = 0;

	use(device);
	cudaMemGetInfo(&free, &total);
	*info = {};
	snprintf(info->name, sizeof(info->name), "%.127s", properties.name);
	info->capability = 10 * properties.major + properties.minor;
	info->processors = properties.multiProcessorCount;
	info->memory = (int64_t) total;
	info->free = (int64_t) free;
	info->used = device->budget.used;
	info->seconds =
		device->at_work == TedDevice::ON_STRINGS ? device->strings.seconds : device->seconds;
}

/* Returns the reason why the device failed. */
static const char *
device_error(const TedDevice *device)
{
	return cudaGetErrorString(device->failure);
}

/* Makes an empty set of trees. */
static TedDeviceStatus
trees_create(TedDevice *device, TedDeviceTrees **trees)
{
	*trees = new TedDeviceTrees(device);
	return TED_DEVICE_DONE;
}

/* Adds copies of trees. */
static TedDeviceStatus
trees_add(TedDeviceTrees *trees, const TedTree *const *added, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		trees->set.add(added[i]);
	return TED_DEVICE_DONE;
}

/* Forgets all trees but the first `count`. */
static void
trees_forget(TedDeviceTrees *trees, int32_t count)
{
	use(trees->device);
	trees->set.forget(count);
	if (trees->labels != nullptr)
		trees->labels->forget(count);
}

/* Frees a set of trees. */
static void
trees_free(TedDeviceTrees *trees)
{
	use(trees->device);
	if (trees->labels != nullptr && trees->labels->is_small())
		trees->device->spare_labels = std::move(trees->labels);
	delete trees;
}

/* Returns the bytes that a pair takes while it is computed; 0 if the module cannot compute it. */
static int64_t
pair_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	const bool right = ted_prefers_right(a, b);
	const TedTree seen_a = right ? ted_mirror_sums(a) : *a;
	const TedTree seen_b = right ? ted_mirror_sums(b) : *b;
	const int64_t cell = ted_subtrees_int16(a, b, costs) ? 2 : 4;

	if (std::max(a->size, b->size) > SHAPES[BY_WIDEST_BLOCK].columns() ||
		std::max(seen_a.left_nodes, seen_b.left_nodes) > INT32_MAX / 2)
		return 0;
	return view_bytes(seen_a) + view_bytes(seen_b) +
		   std::max(cell * ((int64_t) a->size + NODE_STEP) * (b->size + PIPELINE_PADDING) +
						distinct_bytes(a->size, seen_a.left_nodes, a->leaves) +
						distinct_bytes(b->size, seen_b.left_nodes, b->leaves),
					strip_bytes(*a, *b));
}

/*
 * Appends an array to the arguments of kernels in the host's memory; returns its address on the
 * device.
 */
template <class T>
static const T *
put(Slice &slice, int64_t &at, const std::vector<T> &array)
{
	const int64_t place = at;

	if (!array.empty())
		std::memcpy(slice.orders_staging.as<char>() + place, array.data(),
					sizeof(T) * array.size());
	at = (at + (int64_t) (sizeof(T) * array.size()) + 15) & ~(int64_t) 15;
	return (const T *) (slice.orders.as<char>() + place);
}

/* The launches of a slice; their kernels run one after another. */
struct Launches
{
	std::vector<StripLaunch> strips;
	Plan tables;
};

/* Returns the bytes that put() takes for an array, including alignment. */
template <class T>
static int64_t
put_bytes(const std::vector<T> &array)
{
	return (int64_t) (sizeof(T) * array.size()) + 16;
}

/* Returns the bytes of the arrays of launches. */
static int64_t
orders_bytes(const Launches &launches)
{
	int64_t bytes = 0;

	for (const StripLaunch &launch : launches.strips)
		bytes += put_bytes(launch.jobs) + 16;
	for (const SharedLaunch &launch : launches.tables.shared)
		bytes += put_bytes(launch.pairs) + put_bytes(launch.groups) + put_bytes(launch.lanes) +
				 put_bytes(launch.tasks) + 16;
	for (const Launch &launch : launches.tables.alone)
		bytes += put_bytes(launch.jobs) + 16;
	return bytes;
}

/* Returns the bytes that must be 0 when blocks begin to share pairs. */
static int64_t
cleared_bytes(const SharedLaunch &launch)
{
	return launch.distance_bytes() + launch.ready_words * (int64_t) sizeof(uint32_t);
}

/* Reserves the memory of launches. */
static cudaError_t
reserve_launches(Slice &slice, const Launches &launches)
{
	const int64_t results = (slice.end - slice.first) * (int64_t) sizeof(int32_t);
	int64_t distances = 0;
	int64_t kept = 0;
	cudaError_t status;

	for (const StripLaunch &launch : launches.strips)
		distances = std::max(distances, launch.blocks * launch.block_bytes());
	for (const SharedLaunch &launch : launches.tables.shared)
	{
		distances = std::max(distances, cleared_bytes(launch));
		kept = std::max(kept, launch.kept_memory());
	}
	for (const Launch &launch : launches.tables.alone)
	{
		distances = std::max(distances, launch.distance_bytes());
		kept = std::max(kept, launch.kept_memory());
	}
	if ((status = slice.orders_staging.reserve(orders_bytes(launches))) == cudaSuccess &&
		(status = slice.orders.reserve(orders_bytes(launches))) == cudaSuccess &&
		(status = slice.distances.reserve(distances)) == cudaSuccess &&
		(status = slice.kept.reserve(kept)) == cudaSuccess &&
		(status = slice.results.reserve(results)) == cudaSuccess)
		status = slice.results_staging.reserve(results);
	return status;
}

/* Sets the arguments that all kernels have in common: the queue of work, costs and results. */
template <class AnyWork>
static void
set_queue(const TedDevice *device, Slice &slice, size_t count, int64_t &at, AnyWork &work)
{
	work.count = (int32_t) count;
	work.next = (uint32_t *) put(slice, at, std::vector<uint32_t>{0});
	work.uniform = ted_uniform_costs(&device->batch.costs);
	work.results = slice.results.as<int32_t>();
	work.cancel = device->cancel;
}

/* Returns the arguments of a kernel whose blocks share pairs. */
static PipelineWork
work_of(const TedDevice *device, Slice &slice, const SharedLaunch &launch, int64_t &at)
{
	PipelineWork work = {};

	work.views = device->trees->set.device_views();
	work.pairs = put(slice, at, launch.pairs);
	work.groups = put(slice, at, launch.groups);
	work.lanes = put(slice, at, launch.lanes);
	work.tasks = put(slice, at, launch.tasks);
	set_queue(device, slice, launch.tasks.size(), at, work);
	work.distances = slice.distances.as<void>();
	work.ready = (uint32_t *) (slice.distances.as<char>() + launch.distance_bytes());
	work.kept = slice.kept.as<void>();
	work.slots = launch.slots;
	return work;
}

/* Returns the arguments of a kernel whose workers compute a pair each. */
static Work
work_of(const TedDevice *device, Slice &slice, const Launch &launch, int64_t &at)
{
	Work work = {};

	work.views = device->trees->set.device_views();
	work.jobs = put(slice, at, launch.jobs);
	set_queue(device, slice, launch.jobs.size(), at, work);
	work.distances = slice.distances.as<void>();
	work.worker_cells = launch.worker_cells;
	work.kept = slice.kept.as<void>();
	work.kept_cells = launch.kept_cells;
	return work;
}

/* Returns the arguments of a kernel of strips. */
static StripWork
work_of(const TedDevice *device, Slice &slice, const StripLaunch &launch, int64_t &at)
{
	StripWork work = {};

	work.views = device->trees->set.device_strip_views();
	work.jobs = put(slice, at, launch.jobs);
	set_queue(device, slice, launch.jobs.size(), at, work);
	work.rows = slice.distances.as<int16_t>();
	work.group_cells = launch.group_cells();
	work.most_nodes = launch.most_nodes;
	return work;
}

/* Starts the kernels of a slice.  Before, all results are set to a distance beyond any limit. */
static cudaError_t
start_kernels(const TedDevice *device, Slice &slice, const Launches &launches)
{
	std::vector<StripWork> strips;
	std::vector<PipelineWork> shared;
	std::vector<Work> alone;
	const Plan &tables = launches.tables;
	const LabelTable labels =
		device->trees->labels == nullptr ? LabelTable() : device->trees->labels->device_table();
	int64_t at = 0;
	cudaError_t status;

	for (const StripLaunch &launch : launches.strips)
		strips.push_back(work_of(device, slice, launch, at));
	for (const SharedLaunch &launch : tables.shared)
		shared.push_back(work_of(device, slice, launch, at));
	for (const Launch &launch : tables.alone)
		alone.push_back(work_of(device, slice, launch, at));
	status = cudaMemcpyAsync(slice.orders.as<void>(), slice.orders_staging.as<void>(), (size_t) at,
							 cudaMemcpyHostToDevice, slice.stream);
	if (status == cudaSuccess)
		status =
			cudaMemsetAsync(slice.results.as<void>(), 0x7f,
							(size_t) (slice.end - slice.first) * sizeof(int32_t), slice.stream);
	if (status == cudaSuccess && slice.first == 0)
		status = cudaEventRecord(device->begun, slice.stream);
	for (size_t i = 0; i < strips.size() && status == cudaSuccess; i++)
		status = strip_launch(launches.strips[i].width, strips[i], launches.strips[i].blocks,
							  slice.stream);
	for (size_t i = 0; i < shared.size() && status == cudaSuccess; i++)
	{
		const SharedLaunch &launch = tables.shared[i];

		status = cudaMemsetAsync(slice.distances.as<void>(), 0, (size_t) cleared_bytes(launch),
								 slice.stream);
		if (status == cudaSuccess)
			status = pipeline_launch(launch.kernel, shared[i], launch.blocks, slice.stream);
	}
	for (size_t i = 0; i < alone.size() && status == cudaSuccess; i++)
		status = launch(tables.alone[i].kernel, alone[i], labels, tables.alone[i].blocks,
						tables.alone[i].kept_bytes, slice.stream);
	return status;
}

/* Starts to copy the distances between subtrees to the host when they have been computed. */
static cudaError_t
start_transfer(TedDevice *device, const Slice &slice, const SharedLaunch &launch)
{
	const TedPair &pair = device->batch.pairs[0];
	const int32_t rows = device->trees->set.tree(pair.a).size;
	const int32_t columns = device->trees->set.tree(pair.b).size;
	const int64_t cell = cell_bytes(launch.kernel.wide_cells);

	/* node 0 of b is in column 1 */
	return device->subtrees.begin(slice.distances.as<char>() + cell, launch.pairs[0].stride * cell,
								  columns * cell, rows, static_cast<char *>(device->batch.subtrees),
								  slice.stream);
}

/* Starts the kernels of a slice and the transfer of its results. */
static cudaError_t
launch_slice(TedDevice *device, Slice &slice, const Launches &launches)
{
	cudaError_t status = reserve_launches(slice, launches);

	if (status == cudaSuccess)
		status = start_kernels(device, slice, launches);
	if (status == cudaSuccess)
		status = cudaEventRecord(slice.done, slice.stream);
	if (status == cudaSuccess)
		status = cudaMemcpyAsync(slice.results_staging.as<void>(), slice.results.as<void>(),
								 (size_t) (slice.end - slice.first) * sizeof(int32_t),
								 cudaMemcpyDeviceToHost, slice.stream);
	if (status == cudaSuccess && device->batch.subtrees != nullptr)
		status = start_transfer(device, slice, launches.tables.shared[0]);
	return status;
}

/* Sends the views of trees that are wanted; the stream waits for all transfers of trees. */
static cudaError_t
send_wanted_trees(TedDevice *device, cudaStream_t stream)
{
	TreeSet &set = device->trees->set;
	cudaError_t status = cudaSuccess;

	if (!set.is_current())
	{
		cudaEventSynchronize(device->sent); /* so that the staging memory is free */
		status = set.upload(stream, device->staging);
		if (status == cudaSuccess)
			status = cudaEventRecord(device->sent, stream);
	}
	return status == cudaSuccess ? cudaStreamWaitEvent(stream, device->sent) : status;
}

/* Starts the next pairs of the batch on an idle slice, if there are any. */
static cudaError_t
start_slice(TedDevice *device, Slice &slice)
{
	TreeSet &set = device->trees->set;
	const int64_t memory = device->budget.limit / 2;
	Choices choices;
	Launches launches;
	cudaError_t status;

	slice.first = slice.end = device->next;
	if (slice.first == device->batch.count)
		return cudaSuccess;
	choices = choose_kernels(set, device->trees->labels.get(), device->batch, slice.first);
	slice.end = device->next = choices.end;
	status = send_wanted_trees(device, slice.stream);
	if (status == cudaSuccess)
		status = plan_strips(device->card, choices.strips, set, memory, launches.strips);
	if (status == cudaSuccess)
		status = plan_launches(device->card, choices.tables, choices.wide_cells,
							   ted_costs_by_label(&device->batch.costs), memory,
							   choices.others / CELLS_PER_SECOND, launches.tables);
	return status == cudaSuccess ? launch_slice(device, slice, launches) : status;
}

/* Sets the costs by label. */
static TedDeviceStatus
label_costs(TedDeviceTrees *trees, const TedDeviceCosts *costs)
{
	TedDevice *device = trees->device;
	cudaError_t status;

	use(device);
	if (trees->labels == nullptr && device->spare_labels != nullptr)
		trees->labels = std::move(device->spare_labels);
	else if (trees->labels == nullptr)
		trees->labels = std::make_unique<LabelCosts>(&device->budget);
	device->at_work = TedDevice::ON_LABELS;
	device->labels = trees->labels.get();
	status = trees->labels->set(*costs, device->cancel, device->slices[0].stream);
	if (status != cudaSuccess)
		stop(device);
	return status == cudaSuccess ? TED_DEVICE_BUSY : host_status(device, status);
}

/* Submits a batch. */
static TedDeviceStatus
submit(TedDeviceTrees *trees, const TedBatch *batch)
{
	TedDevice *device = trees->device;
	cudaError_t status;

	use(device);
	device->at_work = TedDevice::ON_TREES;
	device->trees = trees;
	device->batch = *batch;
	device->next = 0;
	device->oldest = 0;
	device->seconds = 0;
	for (Slice &slice : device->slices)
		slice.first = slice.end = 0;
	if (batch->count == 0)
		return TED_DEVICE_DONE;
	status = cudaSuccess;
	for (Slice &slice : device->slices)
		if (status == cudaSuccess)
			status = start_slice(device, slice);
	if (status != cudaSuccess)
		stop(device);
	return status == cudaSuccess ? TED_DEVICE_BUSY : host_status(device, status);
}

/* Copies the distances of a slice to the batch. */
static void
collect_distances(TedDevice *device, const Slice &slice)
{
	const int32_t *results = slice.results_staging.as<int32_t>();
	float milliseconds = 0;

	cudaEventElapsedTime(&milliseconds, device->begun, slice.done);
	device->seconds = 1e-3 * milliseconds;
	for (int64_t i = slice.first; i < slice.end; i++)
	{
		const int32_t distance = results[i - slice.first];

		device->batch.distances[i] =
			distance <= device->batch.pairs[i].limit ? distance : TED_BEYOND;
	}
}

/* Submits a batch of strings. */
static TedDeviceStatus
strings_submit(TedDevice *device, const TedDeviceStrings *strings)
{
	cudaError_t status;

	use(device);
	status = device->strings.submit(*strings);
	device->at_work = TedDevice::ON_STRINGS;
	if (status != cudaSuccess)
		stop(device);
	return status == cudaSuccess ? TED_DEVICE_BUSY : host_status(device, status);
}

/* Makes an empty join. */
static TedDeviceStatus
join_create(TedDevice *device, TedDeviceJoin **join)
{
	*join = new TedDeviceJoin{device, nullptr};
	return TED_DEVICE_DONE;
}

/* Adds copies of documents to a join; the first documents determine its kind. */
static TedDeviceStatus
join_add(TedDeviceJoin *join, const TedJoinDocuments *added)
{
	TedDevice *device = join->device;
	const cudaStream_t stream = device->slices[0].stream;

	use(device);
	if (join->join == nullptr && added->trees != nullptr)
		join->join =
			std::make_unique<TreeJoin>(&device->budget, &device->card, device->cancel, stream);
	else if (join->join == nullptr)
		join->join = std::make_unique<StringJoin>(&device->budget, stream);
	return host_status(device, join->join->add(*added));
}

/* Forgets all documents but the first `count`. */
static void
join_forget(TedDeviceJoin *join, int32_t count)
{
	use(join->device);
	join->join->forget(count);
}

/* Frees a join. */
static void
join_free(TedDeviceJoin *join)
{
	use(join->device);
	delete join;
}

/* Submits a range of a join. */
static TedDeviceStatus
join_submit(TedDeviceJoin *join, TedJoinRange *range)
{
	TedDevice *device = join->device;
	cudaError_t status;

	use(device);
	status = join->join->submit(range);
	device->at_work = TedDevice::ON_JOIN;
	device->join = join->join.get();
	if (status != cudaSuccess)
		stop(device);
	return status == cudaSuccess ? TED_DEVICE_BUSY : host_status(device, status);
}

/* Returns the module's status after a poll of anything but a batch of trees. */
static TedDeviceStatus
after_poll(TedDevice *device, cudaError_t status)
{
	if (status == cudaErrorNotReady)
		return TED_DEVICE_BUSY;
	if (status != cudaSuccess)
		stop(device);
	return host_status(device, status);
}

/* Polls a batch of pairs of trees. */
static TedDeviceStatus
trees_poll(TedDevice *device)
{
	Slice &slice = device->slices[device->oldest];
	cudaError_t status = cudaStreamQuery(slice.stream);
	bool more = false;

	if (status == cudaSuccess)
		status = device->subtrees.go_on(slice.stream, more);
	if (status == cudaErrorNotReady || (status == cudaSuccess && more))
		return TED_DEVICE_BUSY;
	if (status == cudaSuccess)
	{
		collect_distances(device, slice);
		status = start_slice(device, slice);
		device->oldest = 1 - device->oldest;
	}
	if (status != cudaSuccess)
	{
		stop(device);
		return host_status(device, status);
	}
	return device->slices[device->oldest].end > device->slices[device->oldest].first
			   ? TED_DEVICE_BUSY
			   : TED_DEVICE_DONE;
}

/* Polls the work of a device. */
static TedDeviceStatus
poll(TedDevice *device)
{
	use(device);
	switch (device->at_work)
	{
		case TedDevice::ON_STRINGS:
			return after_poll(device, device->strings.poll());
		case TedDevice::ON_JOIN:
			return after_poll(device, device->join->poll());
		case TedDevice::ON_LABELS:
			return after_poll(device, device->labels->poll());
		default:
			return trees_poll(device);
	}
}

static const TedDeviceModule module = {
	TED_DEVICE_ABI, "cuda",       device_count,   device_open,  device_close, device_info,
	device_error,   trees_create, trees_add,      trees_forget, trees_free,   pair_memory,
	label_costs,    submit,       strings_submit, join_create,  join_add,     join_forget,
	join_free,      join_submit,  poll,           stop,
};

/* Returns the functions of the module. */
extern "C" const TedDeviceModule *
ted_device_module(void)
{
	return &module;
}
