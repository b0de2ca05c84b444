/*
 * fake.c
 *	  A GPU module that computes on the CPU and behaves as a test sets it.
 */
#include "fake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../core/subtrees.h"
#include "plain_grade.h"

#define PUBLIC __attribute__((visibility("default")))

struct TedDeviceTrees
{
	TedDevice *device;
	TedTree *tree; /* copies, with arrays of their own */
	int32_t count;
	TedDeviceCosts costs; /* a copy; all 0 before any are known */
};

/* A short string of a join. */
typedef struct FakeString
{
	int32_t length;
	uint8_t bytes[LCS_BYTES_LENGTH];
} FakeString;

/* A join, of trees or of strings. */
struct TedDeviceJoin
{
	TedDeviceTrees *trees;
	int32_t *limit;
	FakeString *strings;
	int32_t string_count;
	int32_t least[TED_JOIN_STRING_TOTALS];
	TedJoinPair *found;
	int64_t room; /* for these */
};

struct TedDevice
{
	int32_t number;
	int64_t sets;
	bool failed;
	bool under_way;
	TedDeviceTrees *trees; /* NULL for other batches */
	TedDeviceJoin *join;   /* NULL for other batches */
	TedJoinRange *range;
	TedBatch batch;
	TedDeviceStrings strings;
	int64_t bytes; /* of the batch */
	struct timespec submitted;
};

Fake fake;

static bool is_open[FAKE_DEVICES];

/* Forgets all that a test has set. */
void
fake_reset(void)
{
	fake = (Fake){.count = 1,
				  .processors = 132,
				  .memory = INT64_C(4) << 30,
				  .room = INT64_MAX / 2,
				  .largest = INT64_MAX,
				  .range = 64,
				  .one_open_in = 5,
				  .devices = fake.devices,
				  .sets = fake.sets,
				  .used = fake.used};
}

/* Sets the defaults when the library is loaded. */
__attribute__((constructor)) static void
initialize(void)
{
	fake_reset();
}

/* Counts a call, and makes it fail if the test asks for it. */
static TedDeviceStatus
called(FakeFunction function, TedDevice *device)
{
	if (device != NULL && device->failed)
		fake.misused++;
	if (++fake.calls[function] != fake.fail_at[function])
		return TED_DEVICE_DONE;
	if (device != NULL)
		device->failed = fake.fail_with[function] != TED_DEVICE_OUT_OF_MEMORY;
	return fake.fail_with[function];
}

/* Counts devices. */
static int32_t
count_devices(char *reason)
{
	if (fake.count == 0)
		snprintf(reason, 256, "told to have none");
	return (int32_t) fake.count;
}

/* Opens a device. */
static TedDeviceStatus
open_device(int32_t number, int64_t memory_limit, TedDevice **device, char *reason)
{
	TedDeviceStatus status = called(FAKE_OPEN, NULL);

	(void) memory_limit;
	if (status != TED_DEVICE_DONE)
	{
		snprintf(reason, 256, "told to fail");
		return status;
	}
	*device = calloc(1, sizeof(TedDevice));
	(*device)->number = number;
	if (number < 0 || number >= fake.count || is_open[number])
		fake.misused++;
	is_open[number] = true;
	fake.devices++;
	return status;
}

/* Ends the batch under way. */
static void
end_batch(TedDevice *device)
{
	device->under_way = false;
	fake.used -= device->bytes;
	device->bytes = 0;
}

/* Closes a device. */
static void
close_device(TedDevice *device)
{
	end_batch(device);
	if (device->sets > 0)
		fake.misused++;
	is_open[device->number] = false;
	fake.devices--;
	free(device);
}

/* Describes the device. */
static void
info(TedDevice *device, TedDeviceInfo *info)
{
	if (device->failed)
		fake.misused++;
	*info = (TedDeviceInfo){.name = "Fake 100",
							.capability = 90,
							.processors = (int32_t) fake.processors,
							.memory = fake.memory,
							.free = fake.memory - fake.used,
							.used = fake.used};
}

/* Returns why the device failed. */
static const char *
error(const TedDevice *device)
{
	if (!device->failed)
		fake.misused++;
	return "told to fail";
}

/* Counts a set that has been created or freed. */
static void
count_set(TedDevice *device, int more)
{
	device->sets += more;
	fake.sets += more;
}

/* Makes a set of trees. */
static TedDeviceStatus
trees_create(TedDevice *device, TedDeviceTrees **trees)
{
	TedDeviceStatus status = called(FAKE_TREES_CREATE, device);

	if (status != TED_DEVICE_DONE)
		return status;
	*trees = calloc(1, sizeof(TedDeviceTrees));
	(*trees)->device = device;
	count_set(device, 1);
	return status;
}

/* Returns the bytes that a tree takes. */
static int64_t
tree_bytes(const TedTree *tree)
{
	return 16 * (int64_t) tree->size;
}

/* Copies an array of numbers. */
static const int32_t *
copy(const int32_t *array, int32_t count)
{
	int32_t *copied = malloc(sizeof(int32_t) * (size_t) count);

	return memcpy(copied, array, sizeof(int32_t) * (size_t) count);
}

/* Adds trees to a set, if there is room. */
static TedDeviceStatus
add(TedDeviceTrees *trees, const TedTree *const *added, int32_t count)
{
	int64_t bytes = 0;

	for (int32_t i = 0; i < count; i++)
		bytes += tree_bytes(added[i]);
	if (fake.used + bytes > fake.room)
		return TED_DEVICE_OUT_OF_MEMORY;
	trees->tree = realloc(trees->tree, sizeof(TedTree) * (size_t) (trees->count + count));
	for (int32_t i = 0; i < count; i++)
	{
		TedTree *tree = &trees->tree[trees->count++];

		*tree = *added[i];
		tree->label = copy(tree->label, tree->size);
		tree->subtree_size = copy(tree->subtree_size, tree->size);
		tree->depth = copy(tree->depth, tree->size);
		tree->key_root = copy(tree->key_root, tree->size);
	}
	fake.trees += count;
	fake.used += bytes;
	return TED_DEVICE_DONE;
}

/* Adds trees to a set. */
static TedDeviceStatus
trees_add(TedDeviceTrees *trees, const TedTree *const *added, int32_t count)
{
	TedDeviceStatus status = called(FAKE_TREES_ADD, trees->device);

	return status == TED_DEVICE_DONE ? add(trees, added, count) : status;
}

/* Forgets the last trees of a set. */
static void
trees_forget(TedDeviceTrees *trees, int32_t count)
{
	while (trees->count > count)
	{
		TedTree *tree = &trees->tree[--trees->count];

		fake.used -= tree_bytes(tree);
		free((void *) tree->label);
		free((void *) tree->subtree_size);
		free((void *) tree->depth);
		free((void *) tree->key_root);
	}
}

/* Makes a set for a join. */
static TedDeviceStatus
join_create(TedDevice *device, TedDeviceJoin **join)
{
	TedDeviceStatus status = called(FAKE_JOIN_CREATE, device);

	if (status != TED_DEVICE_DONE)
		return status;
	*join = calloc(1, sizeof(TedDeviceJoin));
	(*join)->trees = calloc(1, sizeof(TedDeviceTrees));
	(*join)->trees->device = device;
	count_set(device, 1);
	return status;
}

/* Forgets costs by label. */
static void
free_costs(TedDeviceTrees *trees)
{
	free((void *) trees->costs.kind);
	free((void *) trees->costs.of_kind);
	free((void *) trees->costs.symbol);
	trees->costs = (TedDeviceCosts){0};
}

/* Frees a set of trees. */
static void
trees_free(TedDeviceTrees *trees)
{
	if (trees->device->under_way && trees->device->trees == trees)
		fake.misused++;
	trees_forget(trees, 0);
	count_set(trees->device, -1);
	free_costs(trees);
	free(trees->tree);
	free(trees);
}

/* Adds trees to a join. */
static TedDeviceStatus
join_add_trees(TedDeviceJoin *join, const TedJoinTrees *added)
{
	int32_t before = join->trees->count;
	TedDeviceStatus status = add(join->trees, added->trees, added->count);

	if (status != TED_DEVICE_DONE)
		return status;
	join->limit = realloc(join->limit, sizeof(int32_t) * (size_t) (join->trees->count + 1));
	for (int32_t i = 0; i < added->count; i++)
		join->limit[before + i] = added->limits[i];
	return status;
}

/* Adds strings to a join. */
static void
join_add_strings(TedDeviceJoin *join, const TedJoinStrings *added)
{
	const LcsCandidateIndex *index = added->index;

	join->strings =
		realloc(join->strings, sizeof(FakeString) * (size_t) (join->string_count + index->shorter));
	for (int32_t rank = 0; rank < index->shorter; rank++)
	{
		FakeString *string = &join->strings[join->string_count++];

		string->length = index->length[rank];
		memcpy(string->bytes, lcs_rank_bytes(index, rank), (size_t) string->length);
	}
	memcpy(join->least, added->least, sizeof(join->least));
}

/* Adds documents to a join. */
static TedDeviceStatus
join_add(TedDeviceJoin *join, const TedJoinDocuments *added)
{
	TedDeviceStatus status = called(FAKE_JOIN_ADD, join->trees->device);

	if (status == TED_DEVICE_DONE && added->trees != NULL)
		status = join_add_trees(join, added->trees);
	else if (status == TED_DEVICE_DONE)
		join_add_strings(join, added->strings);
	return status;
}

/* Returns the number of documents of a join. */
static int32_t
join_count(const TedDeviceJoin *join)
{
	return join->trees->count + join->string_count;
}

/* Forgets the last documents of a join. */
static void
join_forget(TedDeviceJoin *join, int32_t count)
{
	trees_forget(join->trees, ted_min(count, join->trees->count));
	join->string_count = ted_min(count, join->string_count);
}

/* Frees a join. */
static void
join_free(TedDeviceJoin *join)
{
	if (join->trees->device->under_way && join->trees->device->join == join)
		fake.misused++;
	trees_free(join->trees);
	free(join->limit);
	free(join->strings);
	free(join->found);
	free(join);
}

/* Returns the bytes of device memory that a pair takes. */
static int64_t
pair_memory(const TedTree *a, const TedTree *b, const TedCosts *costs)
{
	(void) costs;
	if (a->size > fake.largest || b->size > fake.largest)
		return 0;
	return 4 * (int64_t) a->size * b->size;
}

/* Starts a batch that takes `bytes` bytes. */
static TedDeviceStatus
start(TedDevice *device, TedDeviceStatus status, int64_t bytes)
{
	if (status != TED_DEVICE_DONE || fake.used + bytes > fake.room)
		return status != TED_DEVICE_DONE ? status : TED_DEVICE_OUT_OF_MEMORY;
	device->bytes = bytes;
	device->under_way = true;
	fake.used += bytes;
	timespec_get(&device->submitted, TIME_UTC);
	return status;
}

/* Copies any array. */
static void *
copy_bytes(const void *array, size_t bytes)
{
	void *copied = malloc(bytes + 1);

	return bytes > 0 ? memcpy(copied, array, bytes) : copied;
}

/* Keeps costs by label, which come at once or when polled. */
static TedDeviceStatus
label_costs(TedDeviceTrees *trees, const TedDeviceCosts *costs)
{
	TedDevice *device = trees->device;
	TedDeviceStatus status = called(FAKE_LABEL_COSTS, device);
	size_t bytes = sizeof(TedDeviceKind) * (size_t) costs->kinds;

	if (device->under_way || costs->known > trees->costs.kinds ||
		(costs->known > 0 && memcmp(costs->of_kind, trees->costs.of_kind,
									sizeof(TedDeviceKind) * (size_t) costs->known) != 0))
		fake.misused++;
	if (status != TED_DEVICE_DONE)
		return status;
	free_costs(trees);
	trees->costs = *costs;
	trees->costs.kind = copy(costs->kind, costs->labels);
	trees->costs.of_kind = copy_bytes(costs->of_kind, bytes);
	trees->costs.symbol = copy_bytes(costs->symbol, sizeof(uint32_t) * (size_t) costs->symbols);
	if (costs->labels % 2 == 0)
		return status;
	device->trees = NULL;
	device->join = NULL;
	device->strings.count = 0;
	return start(device, status, 0) == TED_DEVICE_DONE ? TED_DEVICE_BUSY : TED_DEVICE_OUT_OF_MEMORY;
}

/* Submits a batch. */
static TedDeviceStatus
submit(TedDeviceTrees *trees, const TedBatch *batch)
{
	TedDevice *device = trees->device;
	TedDeviceStatus status = called(FAKE_SUBMIT, device);
	int64_t bytes = 0;

	if (device->under_way || batch->count == 0 || (batch->subtrees != NULL && batch->count != 1) ||
		(ted_costs_by_label(&batch->costs) &&
		 (trees->costs.labels == 0 || batch->subtrees != NULL)))
		fake.misused++;
	for (int64_t i = 0; i < batch->count; i++)
		bytes += pair_memory(&trees->tree[batch->pairs[i].a], &trees->tree[batch->pairs[i].b],
							 &batch->costs);
	device->trees = trees;
	device->join = NULL;
	device->batch = *batch;
	fake.batches[device->number]++;
	return start(device, status, bytes);
}

/* Submits a batch of strings. */
static TedDeviceStatus
strings_submit(TedDevice *device, const TedDeviceStrings *strings)
{
	TedDeviceStatus status = called(FAKE_STRINGS_SUBMIT, device);
	int64_t bytes = 0;

	if (device->under_way || strings->count == 0)
		fake.misused++;
	for (int64_t i = 0; i < strings->count; i++)
		bytes += (int64_t) strings->symbol_bytes * strings->texts[i].length;
	device->trees = NULL;
	device->join = NULL;
	device->strings = *strings;
	return start(device, status, bytes);
}

/* Submits a range of a join. */
static TedDeviceStatus
join_submit(TedDeviceJoin *join, TedJoinRange *range)
{
	TedDevice *device = join->trees->device;
	TedDeviceStatus status = called(FAKE_JOIN_SUBMIT, device);

	if (device->under_way || range->first >= range->end || range->end > join_count(join) ||
		range->indexed > join_count(join))
		fake.misused++;
	device->trees = NULL;
	device->join = join;
	device->range = range;
	range->done = range->first + ted_min(range->end - range->first, (int32_t) fake.range);
	fake.ranges[device->number]++;
	return start(device, status, sizeof(TedJoinPair) * (int64_t) range->indexed);
}

/* Returns the distance of two trees up to a limit. */
static int32_t
distance_of(const TedTree *a, const TedTree *b, int32_t limit, const TedCosts *costs)
{
	TedPairPlan plan = ted_plan_pair(a, b, costs, limit);
	char *block = malloc(plan.bytes + TED_ARENA_ALIGN);
	TedArena arena = ted_arena_in(block, plan.bytes);
	int32_t distance;

	ted_pair_distance(&plan, &arena, &(TedInterrupt){0}, &distance);
	free(block);
	return distance;
}

/* Returns the traits of a kind of labels. */
static TedLabelTraits
traits_of(const TedDeviceCosts *costs, const TedDeviceKind *kind)
{
	return (TedLabelTraits){.rename = kind->rename,
							.measure = (TedTextMeasure) kind->measure,
							.is_number = !isnan(kind->number),
							.number = kind->number,
							.text = costs->symbol + kind->text,
							.length = kind->length};
}

/* Returns the cost of a rename by the costs that the device knows. */
static int32_t
known_rename(void *context, int32_t from, int32_t to)
{
	const TedDeviceCosts *costs = context;
	const TedDeviceKind *a = &costs->of_kind[costs->kind[from]];
	const TedDeviceKind *b = &costs->of_kind[costs->kind[to]];
	TedLabelTraits traits_a = traits_of(costs, a);
	TedLabelTraits traits_b = traits_of(costs, b);

	if (a->like >= 0 && a->like == b->like)
		return 0;
	return plain_rename(&traits_a, &traits_b, a->delete_ + b->insert + 1);
}

/* Returns the distance of two trees by the costs by label that the device knows. */
static int32_t
distance_by_label(const TedDeviceTrees *trees, const TedTree *a, const TedTree *b, int32_t limit)
{
	const TedDeviceCosts *known = &trees->costs;
	int32_t *insert = malloc(2 * sizeof(int32_t) * (size_t) known->labels);
	int32_t *delete_ = insert + known->labels;
	TedLabelCosts labels = *trees->device->batch.costs.labels;
	int32_t distance;

	for (int32_t label = 0; label < known->labels; label++)
		if (known->kind[label] >= 0)
		{
			insert[label] = known->of_kind[known->kind[label]].insert;
			delete_[label] = known->of_kind[known->kind[label]].delete_;
		}
	labels.insert = insert;
	labels.delete_ = delete_;
	labels.rename = known_rename;
	labels.context = (void *) known;
	labels.cache = NULL;
	distance = distance_of(a, b, limit, &(TedCosts){.labels = &labels});
	free(insert);
	return distance;
}

/* Whether a pair of documents is left open. */
static bool
is_left_open(int32_t probe, int32_t indexed)
{
	return (probe + indexed) % fake.one_open_in == 0;
}

/* Adds a pair to the results. */
static void
add_found(TedDeviceJoin *join, TedJoinRange *range, const TedJoinPair *pair)
{
	if (range->count == join->room)
	{
		join->room = 2 * join->room + 64;
		join->found = realloc(join->found, sizeof(TedJoinPair) * (size_t) join->room);
	}
	join->found[range->count++] = *pair;
}

/* Compares a tree of a join with those before it. */
static void
compare_tree(TedDeviceJoin *join, TedJoinRange *range, int32_t probe)
{
	const TedTree *a = &join->trees->tree[probe];

	for (int32_t i = 0; i < range->indexed && i < probe; i++)
	{
		const TedTree *b = &join->trees->tree[i];
		int32_t limit = ted_max(join->limit[probe], join->limit[i]);
		TedJoinPair pair = {probe, i, TED_NO_DISTANCE};

		if (abs(a->size - b->size) > limit)
			continue;
		range->window++;
		range->similar++;
		range->labels++;
		if (!is_left_open(probe, i) && a->size <= fake.largest)
		{
			range->computed++;
			pair.distance = distance_of(a, b, limit, &TED_UNIT_COSTS);
		}
		if (pair.distance != TED_BEYOND)
			add_found(join, range, &pair);
	}
}

/*
 * Returns the length of a longest common subsequence of bytes, where any two symbols with the
 * shared byte may be equal; sets `shared` if both strings have that byte.
 */
static int32_t
common_bytes(const FakeString *a, const FakeString *b, bool *shared)
{
	int32_t row[LCS_BYTES_LENGTH + 1] = {0};

	*shared = memchr(a->bytes, LCS_SHARED_BYTE, (size_t) a->length) != NULL &&
			  memchr(b->bytes, LCS_SHARED_BYTE, (size_t) b->length) != NULL;
	for (int32_t i = 0; i < a->length; i++)
	{
		int32_t diagonal = 0;

		for (int32_t j = 0; j < b->length; j++)
		{
			int32_t above = row[j + 1];

			row[j + 1] = a->bytes[i] == b->bytes[j] ? diagonal + 1 : ted_max(above, row[j]);
			diagonal = above;
		}
	}
	return row[b->length];
}

/* Compares a string of a join with indexed ones. */
static void
compare_string(TedDeviceJoin *join, TedJoinRange *range, int32_t probe)
{
	const FakeString *a = &join->strings[probe];

	for (int32_t i = probe < range->indexed ? probe + 1 : 0; i < range->indexed; i++)
	{
		const FakeString *b = &join->strings[i];
		int32_t least = join->least[a->length + b->length];
		TedJoinPair pair = {probe, i, TED_NO_DISTANCE};
		bool shared;
		int32_t common;

		if (least > ted_min(a->length, b->length))
			continue;
		range->window++;
		range->similar++;
		common = common_bytes(a, b, &shared);
		if (common < least)
			continue;
		range->labels++;
		if (!shared && !is_left_open(probe, i))
		{
			range->computed++;
			pair.distance = common;
		}
		add_found(join, range, &pair);
	}
}

/* Computes a range of a join, and leaves some pairs open. */
static void
compute_range(TedDeviceJoin *join, TedJoinRange *range)
{
	range->window = range->similar = range->labels = range->computed = range->count = 0;
	if (fake.one_short_in > 0 && range->done % fake.one_short_in == 0)
		range->done = range->first + (range->done - range->first + 1) / 2;
	for (int32_t probe = range->first; probe < range->done; probe++)
		if (join->strings != NULL)
			compare_string(join, range, probe);
		else
			compare_tree(join, range, probe);
	range->pairs = join->found;
	fake.pairs += range->computed;
}

/* Computes a pair. */
static void
compute(const TedDeviceTrees *trees, const TedBatch *batch, int64_t i)
{
	const TedPair *pair = &batch->pairs[i];
	const TedTree *a = &trees->tree[pair->a];
	const TedTree *b = &trees->tree[pair->b];

	if (pair->a >= trees->count || pair->b >= trees->count)
		fake.misused++;
	batch->distances[i] = ted_costs_by_label(&batch->costs)
							  ? distance_by_label(trees, a, b, pair->limit)
							  : distance_of(a, b, pair->limit, &batch->costs);
	if (batch->subtrees != NULL)
		fill_subtrees(a, b, &batch->costs, batch->subtrees);
}

/* Returns symbols as the core reads them; all must be less than `codes`. */
static uint32_t *
symbols_of(const void *symbols, int32_t count, const TedDeviceStrings *strings, int32_t bytes)
{
	uint32_t *result = malloc(sizeof(uint32_t) * (size_t) count + 1);

	for (int32_t i = 0; i < count; i++)
	{
		result[i] = bytes == 1 ? ((const uint8_t *) symbols)[i] : ((const uint32_t *) symbols)[i];
		if (result[i] >= (uint32_t) strings->codes)
			fake.misused++;
	}
	return result;
}

/* Whether a text consists of symbols only. */
static bool
has_length(const TedDeviceStrings *strings, int64_t i)
{
	const LcsText *text = &strings->texts[i];

	for (int32_t j = 0; strings->ascii && j < text->length; j++)
		if (((const uint8_t *) text->symbols)[j] >= 128)
			return false;
	return true;
}

/* Computes a pair of strings. */
static void
compute_strings(const TedDeviceStrings *strings, int64_t i)
{
	const LcsText *text = &strings->texts[i];
	uint32_t *a = symbols_of(strings->pattern, strings->m, strings, sizeof(int32_t));
	uint32_t *b = symbols_of(text->symbols, text->length, strings, strings->symbol_bytes);
	size_t bytes = lcs_pattern_memory(a, strings->m) +
				   (strings->in_pattern != NULL ? lcs_positions_memory(strings->m, text->length)
												: lcs_length_memory(strings->m, text->length));
	char *block = malloc(bytes + TED_ARENA_ALIGN);
	TedArena arena = ted_arena_in(block, bytes);
	const LcsPattern *pattern;

	lcs_prepare(a, strings->m, &arena, &(TedInterrupt){0}, &pattern);
	if (strings->in_pattern != NULL)
		lcs_positions(pattern, b, text->length, &arena, &(TedInterrupt){0}, strings->in_pattern,
					  strings->in_text, &strings->lengths[i]);
	else
		lcs_length(pattern, b, text->length, &arena, &(TedInterrupt){0}, &strings->lengths[i]);
	free(block);
	free(a);
	free(b);
}

/* Returns the milliseconds since the batch under way was submitted. */
static int64_t
elapsed(const TedDevice *device)
{
	struct timespec now;

	timespec_get(&now, TIME_UTC);
	return (now.tv_sec - device->submitted.tv_sec) * 1000 +
		   (now.tv_nsec - device->submitted.tv_nsec) / 1000000;
}

/* Computes the batch under way, or some wrong results. */
static void
compute_batch(TedDevice *device, bool right)
{
	bool of_strings = device->trees == NULL;
	int64_t count = of_strings ? device->strings.count : device->batch.count;
	int32_t *results = of_strings ? device->strings.lengths : device->batch.distances;

	for (int64_t i = 0; i < count; i++)
		if (!right)
			results[i] = 12345;
		else if (of_strings && has_length(&device->strings, i))
			compute_strings(&device->strings, i);
		else if (of_strings)
			results[i] = TED_NO_LENGTH;
		else
			compute(device->trees, &device->batch, i);
	fake.pairs += right ? count : 0;
}

/* Polls the batch under way; when it fails, some results are wrong. */
static TedDeviceStatus
poll_device(TedDevice *device)
{
	TedDeviceStatus status;

	if (!device->under_way)
		fake.misused++;
	status = called(FAKE_POLL, device);
	if (status == TED_DEVICE_DONE && elapsed(device) < fake.milliseconds)
		return TED_DEVICE_BUSY;
	if (device->join == NULL)
		compute_batch(device, status == TED_DEVICE_DONE);
	else if (status == TED_DEVICE_DONE)
		compute_range(device->join, device->range);
	end_batch(device);
	return status;
}

/* Stops the batch under way. */
static void
cancel(TedDevice *device)
{
	if (!device->under_way)
		fake.misused++;
	fake.cancelled++;
	end_batch(device);
}

/* Returns the functions of the module. */
PUBLIC const TedDeviceModule *
ted_device_module(void)
{
	static const TedDeviceModule module = {.abi = TED_DEVICE_ABI,
										   .name = "fake",
										   .count = count_devices,
										   .open = open_device,
										   .close = close_device,
										   .info = info,
										   .error = error,
										   .trees_create = trees_create,
										   .trees_add = trees_add,
										   .trees_forget = trees_forget,
										   .trees_free = trees_free,
										   .pair_memory = pair_memory,
										   .label_costs = label_costs,
										   .submit = submit,
										   .strings_submit = strings_submit,
										   .join_create = join_create,
										   .join_add = join_add,
										   .join_forget = join_forget,
										   .join_free = join_free,
										   .join_submit = join_submit,
										   .poll = poll_device,
										   .cancel = cancel};

	return &module;
}
