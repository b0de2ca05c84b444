/*
 * module.cc
 *	  The GPU module: a device, and batches of pairs of trees on it.
 *
 * A batch is computed in slices, one after another, so that other users of the
 * card get their turns and a slice's memory stays small.
 */
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <new>

extern "C"
{
#include "../src/core/zhang_shasha.h"
}
#include "calibrate.h"
#include "plan.h"
#include "trees.h"

/* Cells of a slice: about 50 ms of a card's work. */
constexpr double CELLS_PER_SLICE = 15e9;

/* Pairs of a slice, at most. */
constexpr int64_t PAIRS_PER_SLICE = 262144;

struct TedDevice
{
	Card card;
	cudaStream_t stream;
	cudaEvent_t begun;
	cudaEvent_t done;
	double seconds; /* of kernels of the batch */
	Budget budget;
	cudaStream_t cancelling; /* beside the kernels */
	int *cancel;             /* word of the device: set to have kernels stop */
	int *words;              /* of the host: 0 and 1, to be written there */
	cudaError_t failure;

	Block staging;         /* of the host, for trees */
	Block orders_staging;  /* of the host, for what kernels get */
	Block results_staging; /* of the host */
	Block orders{&budget}; /* what kernels get */
	Block distances{&budget};
	Block kept{&budget};
	Block ready{&budget};
	Block results{&budget};

	/* the batch under way */
	TedDeviceTrees *trees;
	TedBatch batch;
	int64_t first; /* pair of the slice under way */
	int64_t end;
};

struct TedDeviceTrees
{
	TedDevice *device;
	TreeSet set;

	explicit TedDeviceTrees(TedDevice *device) : device(device), set(&device->budget)
	{
	}
};

/* What a status of CUDA means to the host. */
static TedDeviceStatus
status_of(TedDevice *device, cudaError_t status)
{
	if (status == cudaSuccess)
		return TED_DEVICE_DONE;
	if (status == cudaErrorMemoryAllocation)
		return TED_DEVICE_OUT_OF_MEMORY;
	device->failure = status;
	return TED_DEVICE_FAILED;
}

/* Writes the word that has kernels stop. */
static void
set_cancel(TedDevice *device, int value)
{
	cudaMemcpyAsync(device->cancel, &device->words[value], sizeof(int), cudaMemcpyHostToDevice,
					device->cancelling);
	cudaStreamSynchronize(device->cancelling);
}

/* Stops the batch under way. */
static void
stop(TedDevice *device)
{
	set_cancel(device, 1);
	cudaStreamSynchronize(device->stream);
	set_cancel(device, 0);
}

/* Gives the device's own things back. */
static void
device_close(TedDevice *device)
{
	if (device->words != nullptr)
		stop(device);
	delete device;
	cudaDeviceReset();
}

/* Sets a device up. */
static cudaError_t
set_up(TedDevice *device, int64_t memory_limit)
{
	size_t free;
	size_t total;
	cudaError_t status;

	if ((status = cudaSetDevice(0)) != cudaSuccess ||
		(status = cudaGetDeviceProperties(&device->card.properties, 0)) != cudaSuccess ||
		(status = cudaStreamCreateWithFlags(&device->stream, cudaStreamNonBlocking)) !=
			cudaSuccess ||
		(status = cudaEventCreate(&device->begun)) != cudaSuccess ||
		(status = cudaEventCreate(&device->done)) != cudaSuccess ||
		(status = cudaStreamCreateWithFlags(&device->cancelling, cudaStreamNonBlocking)) !=
			cudaSuccess ||
		(status = cudaMalloc(&device->cancel, sizeof(int))) != cudaSuccess ||
		(status = cudaMemset(device->cancel, 0, sizeof(int))) != cudaSuccess ||
		(status = cudaMallocHost(&device->words, 2 * sizeof(int))) != cudaSuccess ||
		(status = cudaMemGetInfo(&free, &total)) != cudaSuccess)
		return status;
	device->words[0] = 0;
	device->words[1] = 1;
	device->budget.limit = std::min(memory_limit, (int64_t) free);
	device->card.calibration = USUAL_CALIBRATION;
	return cudaSuccess;
}

/* Opens the first device. */
static TedDeviceStatus
device_open(int64_t memory_limit, TedDevice **opened, char *reason)
{
	int count = 0;
	cudaError_t status = cudaGetDeviceCount(&count);
	TedDevice *device;

	if (status != cudaSuccess || count == 0)
	{
		snprintf(reason, 256, "%s",
				 status != cudaSuccess ? cudaGetErrorString(status) : "no device found");
		return TED_DEVICE_NONE;
	}
	device = new TedDevice();
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

/* Tells what the device is. */
static void
device_info(TedDevice *device, TedDeviceInfo *info)
{
	const cudaDeviceProp &properties = device->card.properties;
	size_t free = 0;
	size_t total = 0;

	cudaMemGetInfo(&free, &total);
	*info = {};
	snprintf(info->name, sizeof(info->name), "%s", properties.name);
	info->capability = 10 * properties.major + properties.minor;
	info->processors = properties.multiProcessorCount;
	info->memory = (int64_t) total;
	info->free = (int64_t) free;
	info->used = device->budget.used;
	info->seconds = device->seconds;
}

/* Why the device failed. */
static const char *
device_error(const TedDevice *device)
{
	return cudaGetErrorString(device->failure);
}

/* Measures the device. */
static TedDeviceStatus
device_calibrate(TedDevice *device, TedCalibration *calibration)
{
	cudaError_t status = calibrate(device->card.properties, device->stream, calibration);

	if (status == cudaSuccess)
		device->card.calibration = *calibration;
	return status_of(device, status);
}

/* Tells what was measured before. */
static void
device_set_calibration(TedDevice *device, const TedCalibration *calibration)
{
	device->card.calibration = *calibration;
}

/* Makes an empty set of trees. */
static TedDeviceStatus
trees_create(TedDevice *device, TedDeviceTrees **trees)
{
	*trees = new TedDeviceTrees(device);
	return TED_DEVICE_DONE;
}

/* Adds trees, of which copies are kept. */
static TedDeviceStatus
trees_add(TedDeviceTrees *trees, const TedTree *const *added, int32_t count)
{
	for (int32_t i = 0; i < count; i++)
		trees->set.add(added[i]);
	return TED_DEVICE_DONE;
}

/* Forgets all trees but the first ones. */
static void
trees_forget(TedDeviceTrees *trees, int32_t count)
{
	trees->set.forget(count);
}

/* Frees a set of trees. */
static void
trees_free(TedDeviceTrees *trees)
{
	delete trees;
}

/* Whether cells of 16 bits hold all distances of two trees, less or plus insertions. */
static bool
narrow_fits(const TedTree &a, const TedTree &b, const TedCosts &costs)
{
	const int64_t most = std::max(a.size, b.size);

	return most * std::max(costs.insert, costs.delete_) <= INT16_MAX && costs.rename <= INT16_MAX;
}

/* Bytes that a pair takes while it is computed. */
static int64_t
pair_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	const bool right = ted_prefers_right(a, b);
	const TedTree seen_a = right ? ted_mirror_sums(a) : *a;
	const TedTree seen_b = right ? ted_mirror_sums(b) : *b;
	const int64_t cell = narrow_fits(*a, *b, *costs) ? 2 : 4;

	if (std::max(a->size, b->size) > SHARED_SHAPES[BY_WIDE_BLOCK].columns() ||
		std::max(seen_a.left_nodes, seen_b.left_nodes) > INT32_MAX / 2)
		return 0;
	return view_bytes(seen_a) + view_bytes(seen_b) + cell * (int64_t) a->size * (b->size + 64);
}

/* Views of a pair: that with fewer entries has the rows. */
static Job
job_of(const TreeSet &set, const TedPair &pair, int32_t result)
{
	const TedTree &a = set.tree(pair.a);
	const TedTree &b = set.tree(pair.b);
	const int32_t mirrored = ted_prefers_right(&a, &b);
	const bool swapped = mirrored ? a.right_nodes > b.right_nodes : a.left_nodes > b.left_nodes;
	const int32_t view_a = 2 * pair.a + mirrored;
	const int32_t view_b = 2 * pair.b + mirrored;

	return {swapped ? view_b : view_a, swapped ? view_a : view_b, swapped, result};
}

/* Puts an array into what kernels get. */
template <class T>
static const T *
put(TedDevice *device, int64_t &at, const std::vector<T> &array)
{
	const int64_t place = at;

	if (!array.empty())
		std::memcpy(device->orders_staging.as<char>() + place, array.data(),
					sizeof(T) * array.size());
	at = (at + (int64_t) (sizeof(T) * array.size()) + 15) & ~(int64_t) 15;
	return (const T *) (device->orders.as<char>() + place);
}

/* Bytes that launches get. */
static int64_t
orders_bytes(const std::vector<Launch> &launches)
{
	int64_t bytes = 0;

	for (const Launch &launch : launches)
		bytes +=
			(int64_t) (sizeof(Job) * launch.jobs.size() + sizeof(SharedPair) * launch.pairs.size() +
					   sizeof(Group) * launch.groups.size() + sizeof(Task) * launch.tasks.size() +
					   6 * 16);
	return bytes;
}

/* Has memory for launches, which follow one another. */
static cudaError_t
reserve(TedDevice *device, const std::vector<Launch> &launches, int64_t pairs)
{
	int64_t distances = 0;
	int64_t kept = 0;
	int64_t ready = 0;
	cudaError_t status;

	for (const Launch &launch : launches)
	{
		distances = std::max(distances, launch.distance_bytes());
		kept = std::max(kept, launch.kept_memory());
		ready = std::max(ready, launch.ready_words * (int64_t) sizeof(uint32_t));
	}
	if ((status = device->orders_staging.reserve(orders_bytes(launches))) == cudaSuccess &&
		(status = device->orders.reserve(orders_bytes(launches))) == cudaSuccess &&
		(status = device->distances.reserve(distances)) == cudaSuccess &&
		(status = device->kept.reserve(kept)) == cudaSuccess &&
		(status = device->ready.reserve(ready)) == cudaSuccess &&
		(status = device->results.reserve(pairs * (int64_t) sizeof(int32_t))) == cudaSuccess)
		status = device->results_staging.reserve(pairs * (int64_t) sizeof(int32_t));
	return status;
}

/* Starts the kernels of a slice and the transfer of its results. */
static cudaError_t
start(TedDevice *device, const std::vector<Launch> &launches, int64_t pairs)
{
	std::vector<Work> works;
	int64_t at = 0;
	cudaError_t status = reserve(device, launches, pairs);

	if (status != cudaSuccess)
		return status;
	for (const Launch &launch : launches)
	{
		Work work = {};

		work.views = device->trees->set.device_views();
		work.jobs = put(device, at, launch.jobs);
		work.pairs = put(device, at, launch.pairs);
		work.groups = put(device, at, launch.groups);
		work.tasks = put(device, at, launch.tasks);
		work.count = (int32_t) std::max(launch.jobs.size(), launch.tasks.size());
		work.next = (uint32_t *) put(device, at, std::vector<uint32_t>{0});
		work.costs = device->batch.costs;
		work.distances = device->distances.as<void>();
		work.worker_cells = launch.worker_cells;
		work.ready = device->ready.as<uint32_t>();
		work.kept = device->kept.as<void>();
		work.kept_cells = launch.kept_cells;
		work.results = device->results.as<int32_t>();
		work.cancel = device->cancel;
		works.push_back(work);
	}
	status = cudaMemcpyAsync(device->orders.as<void>(), device->orders_staging.as<void>(),
							 (size_t) at, cudaMemcpyHostToDevice, device->stream);
	if (status == cudaSuccess)
		status = cudaEventRecord(device->begun, device->stream);
	for (size_t i = 0; i < launches.size() && status == cudaSuccess; i++)
	{
		if (launches[i].ready_words > 0)
			status = cudaMemsetAsync(device->ready.as<void>(), 0,
									 (size_t) launches[i].ready_words * sizeof(uint32_t),
									 device->stream);
		if (status == cudaSuccess)
			status = launch(launches[i].kernel, works[i], launches[i].blocks,
							launches[i].kept_bytes, device->stream);
	}
	if (status == cudaSuccess)
		status = cudaEventRecord(device->done, device->stream);
	if (status == cudaSuccess)
		status = cudaMemcpyAsync(device->results_staging.as<void>(), device->results.as<void>(),
								 (size_t) pairs * sizeof(int32_t), cudaMemcpyDeviceToHost,
								 device->stream);
	return status;
}

/* Chooses the pairs of the next slice, and lays out their trees. */
static cudaError_t
choose_slice(TedDevice *device, std::vector<Job> &jobs)
{
	TreeSet &set = device->trees->set;
	double cells = 0;

	device->first = device->end;
	while (device->end < device->batch.count && device->end - device->first < PAIRS_PER_SLICE &&
		   cells < CELLS_PER_SLICE)
	{
		const TedPair &pair = device->batch.pairs[device->end];
		const TedTree &a = set.tree(pair.a);
		const TedTree &b = set.tree(pair.b);

		jobs.push_back(job_of(set, pair, (int32_t) (device->end - device->first)));
		set.want(jobs.back().a);
		set.want(jobs.back().b);
		cells += std::min((double) a.left_nodes * (double) b.left_nodes,
						  (double) a.right_nodes * (double) b.right_nodes);
		device->end++;
	}
	return set.upload(device->stream, device->staging);
}

/* Starts the next slice. */
static cudaError_t
start_slice(TedDevice *device)
{
	const TreeSet &set = device->trees->set;
	std::vector<Job> jobs;
	std::vector<PlannedPair> planned;
	std::vector<Launch> launches;
	bool wide_cells = false;
	cudaError_t status = choose_slice(device, jobs);

	if (status != cudaSuccess)
		return status;
	for (const Job &job : jobs)
	{
		planned.push_back({set.view(job.a), set.view(job.b), job});
		wide_cells |= !narrow_fits(set.tree(job.a / 2), set.tree(job.b / 2), device->batch.costs);
	}
	status = plan_launches(device->card, planned, wide_cells, device->budget.limit / 2, launches);
	return status == cudaSuccess ? start(device, launches, (int64_t) jobs.size()) : status;
}

/* Submits a batch. */
static TedDeviceStatus
submit(TedDeviceTrees *trees, const TedBatch *batch)
{
	TedDevice *device = trees->device;
	cudaError_t status;

	device->trees = trees;
	device->batch = *batch;
	device->first = device->end = 0;
	device->seconds = 0;
	if (batch->count == 0)
		return TED_DEVICE_DONE;
	status = start_slice(device);
	return status == cudaSuccess ? TED_DEVICE_BUSY : status_of(device, status);
}

/* Looks after the batch under way. */
static TedDeviceStatus
poll(TedDevice *device)
{
	cudaError_t status = cudaStreamQuery(device->stream);
	float milliseconds = 0;

	if (status == cudaErrorNotReady)
		return TED_DEVICE_BUSY;
	if (status != cudaSuccess)
		return status_of(device, status);
	cudaEventElapsedTime(&milliseconds, device->begun, device->done);
	device->seconds += 1e-3 * milliseconds;
	for (int64_t i = device->first; i < device->end; i++)
	{
		int32_t distance = device->results_staging.as<int32_t>()[i - device->first];

		device->batch.distances[i] =
			distance <= device->batch.pairs[i].limit ? distance : TED_BEYOND;
	}
	if (device->end == device->batch.count)
		return TED_DEVICE_DONE;
	status = start_slice(device);
	return status == cudaSuccess ? TED_DEVICE_BUSY : status_of(device, status);
}

static const TedDeviceModule module = {
	TED_DEVICE_ABI,
	"cuda",
	device_open,
	device_close,
	device_info,
	device_error,
	device_calibrate,
	device_set_calibration,
	trees_create,
	trees_add,
	trees_forget,
	trees_free,
	pair_memory,
	submit,
	poll,
	stop,
};

/* The functions of the module. */
extern "C" const TedDeviceModule *
ted_device_module(void)
{
	return &module;
}
