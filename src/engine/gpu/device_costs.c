/*
 * device_costs.c
 *	  Prepares costs by label for a device.
 *
 * A label with graded costs, or one that is renamed to a label of other costs for nothing, is a
 * kind by itself.  Other labels with the same costs share a kind.  When labels are forgotten, their
 * kinds stay, without labels.
 */
#include "device_costs.h"

#include <math.h>
#include <string.h>

#include "../../core/common/hash.h"
#include "../../core/tree/label_traits.h"

/* Makes room for `count` items in an array, whose room doubles; false where there is no memory. */
static bool
grow(const TedEngineHost *host, void **array, size_t item, int64_t count, int64_t *room)
{
	int64_t more = *room == 0 ? 64 : *room;
	void *grown;

	if (count <= *room)
		return true;
	while (more < count)
		more *= 2;
	grown = item * (size_t) more > host->memory_limit
				? NULL
				: host->allocate(host->arg, item * (size_t) more);
	if (grown == NULL)
		return false;
	if (*array != NULL)
	{
		memcpy(grown, *array, item * (size_t) *room);
		host->release(host->arg, *array);
	}
	*array = grown;
	*room = more;
	return true;
}

/* Does the same for an array whose room is a 32-bit number. */
static bool
grow_array(const TedEngineHost *host, void **array, size_t item, int32_t count, int32_t *room)
{
	int64_t wide = *room;
	bool grown = count < INT32_MAX / 2 && grow(host, array, item, count, &wide);

	*room = (int32_t) wide;
	return grown;
}

/* Makes room for labels below `below`; new labels have no kind. */
static bool
reserve_labels(TedDeviceLabels *labels, const TedEngineHost *host, int32_t below)
{
	if (below <= labels->costs.labels)
		return true;
	if (!grow_array(host, (void **) &labels->kind, sizeof(int32_t), below, &labels->label_room))
		return false;
	memset(labels->kind + labels->costs.labels, -1,
		   sizeof(int32_t) * (size_t) (below - labels->costs.labels));
	labels->costs.labels = below;
	return true;
}

/* Makes room for one more kind. */
static bool
reserve_kind(TedDeviceLabels *labels, const TedEngineHost *host)
{
	int32_t room = labels->kind_room;

	return grow_array(host, (void **) &labels->members, sizeof(int32_t), labels->costs.kinds + 1,
					  &room) &&
		   grow_array(host, (void **) &labels->of_kind, sizeof(TedDeviceKind),
					  labels->costs.kinds + 1, &labels->kind_room);
}

/* Returns the slot of the shared kind with the same costs, or the free slot for it. */
static int32_t
find_kind_slot(const TedDeviceLabels *labels, const TedDeviceKind *kind)
{
	uint64_t hash = (uint32_t) kind->insert;
	size_t at;

	hash = (hash * TED_HASH_STEP ^ (uint32_t) kind->delete_) * TED_HASH_STEP;
	hash = (hash ^ (uint32_t) kind->rename) * TED_HASH_STEP;
	for (at = hash >> 32;; at++)
	{
		int32_t found = labels->slot[at & (size_t) (labels->slots - 1)];

		if (found < 0 || (labels->of_kind[found].insert == kind->insert &&
						  labels->of_kind[found].delete_ == kind->delete_ &&
						  labels->of_kind[found].rename == kind->rename))
			return (int32_t) (at & (size_t) (labels->slots - 1));
	}
}

/* Makes room for one more kind in the hash table. */
static bool
reserve_slot(TedDeviceLabels *labels, const TedEngineHost *host)
{
	int32_t before = labels->slots;
	int32_t *slot = labels->slot;
	int32_t room = 0;

	if (2 * (labels->entered + 1) <= labels->slots)
		return true;
	labels->slot = NULL;
	if (!grow_array(host, (void **) &labels->slot, sizeof(int32_t), ted_max(2 * before, 64), &room))
	{
		labels->slot = slot;
		return false;
	}
	labels->slots = room;
	memset(labels->slot, -1, sizeof(int32_t) * (size_t) room);
	for (int32_t i = 0; i < before; i++)
		if (slot[i] >= 0)
			labels->slot[find_kind_slot(labels, &labels->of_kind[slot[i]])] = slot[i];
	if (slot != NULL)
		host->release(host->arg, slot);
	return true;
}

/* Adds a kind, and gives it to a label. */
static bool
add_kind(TedDeviceLabels *labels, const TedEngineHost *host, int32_t label,
		 const TedDeviceKind *kind, int32_t members)
{
	if (!reserve_kind(labels, host))
		return false;
	labels->of_kind[labels->costs.kinds] = *kind;
	labels->members[labels->costs.kinds] = members;
	labels->kind[label] = labels->costs.kinds++;
	return true;
}

/* Gives a label the shared kind of labels with the same costs; adds the kind if there is none. */
static bool
join_kind(TedDeviceLabels *labels, const TedEngineHost *host, int32_t label,
		  const TedDeviceKind *kind)
{
	int32_t *slot;

	if (!reserve_slot(labels, host))
		return false;
	slot = &labels->slot[find_kind_slot(labels, kind)];
	if (*slot >= 0 && labels->members[*slot] < TED_LABELS_PER_KIND)
	{
		labels->members[*slot]++;
		labels->kind[label] = *slot;
		return true;
	}
	if (!add_kind(labels, host, label, kind, 1))
		return false;
	labels->entered += *slot < 0;
	*slot = labels->kind[label];
	return true;
}

/* Appends the symbols of a label's text. */
static bool
add_text(TedDeviceLabels *labels, const TedEngineHost *host, const TedLabelTraits *traits,
		 TedDeviceKind *kind)
{
	kind->length = traits->length;
	kind->text = labels->costs.symbols;
	if (!grow(host, (void **) &labels->symbol, sizeof(uint32_t),
			  labels->costs.symbols + traits->length, &labels->symbol_room))
		return false;
	if (traits->length > 0)
		memcpy(labels->symbol + labels->costs.symbols, traits->text,
			   sizeof(uint32_t) * (size_t) traits->length);
	labels->costs.symbols += traits->length;
	return true;
}

/*
 * Gives a label a kind; `like` identifies labels that are renamed to each other for nothing, -1 for
 * none.  Numbers with a tolerance are for the CPU.
 */
static bool
add_label(TedDeviceLabels *labels, const TedEngineHost *host, int32_t label, int32_t like)
{
	TedLabelTraits traits;
	TedDeviceKind kind;

	labels->of->traits(labels->of->context, label, &traits);
	if (traits.has_tolerance)
		return false;
	kind = (TedDeviceKind){.insert = labels->of->insert[label],
						   .delete_ = labels->of->delete_[label],
						   .rename = traits.rename,
						   .like = like,
						   .measure = (int32_t) traits.measure,
						   .number = traits.is_number ? traits.number : (double) NAN};
	if (traits.measure == TED_TEXTS_EXACT && !traits.is_number && like < 0)
		return join_kind(labels, host, label, &kind);
	if (traits.measure != TED_TEXTS_EXACT && !add_text(labels, host, &traits, &kind))
		return false;
	return add_kind(labels, host, label, &kind, -1);
}

/* Whether a label has a kind of its own with this number in `like`. */
static bool
is_like(const TedDeviceLabels *labels, int32_t label, int32_t like)
{
	return labels->kind[label] >= 0 && labels->of_kind[labels->kind[label]].like == like;
}

/* Gives kinds to a label and to all labels to which it is renamed for nothing. */
static bool
add_new_label(TedDeviceLabels *labels, const TedEngineHost *host, int32_t label)
{
	TedLabelTraits traits;
	int32_t first = label;

	for (;;)
	{
		labels->of->traits(labels->of->context, first, &traits);
		if (traits.like < 0)
			break;
		first = traits.like;
	}
	if (first == label)
		return add_label(labels, host, label, -1);
	while (label >= 0)
	{
		if (!is_like(labels, label, first) && !add_label(labels, host, label, first))
			return false;
		labels->of->traits(labels->of->context, label, &traits);
		label = traits.like;
	}
	return true;
}

/* Adds the labels of a tree, unless that has been done. */
static bool
add_tree(TedDeviceLabels *labels, const TedEngineHost *host, const TedTree *const *trees,
		 int32_t number)
{
	const TedTree *tree = trees[number];
	int32_t below = 0;

	if (number >= labels->trees)
	{
		if (!grow_array(host, (void **) &labels->listed, sizeof(bool), number + 1,
						&labels->tree_room))
			return false;
		memset(labels->listed + labels->trees, 0, (size_t) (number + 1 - labels->trees));
		labels->trees = number + 1;
	}
	if (labels->listed[number])
		return true;
	for (int32_t x = 0; x < tree->size; x++)
		below = ted_max(below, tree->label[x] + 1);
	if (!reserve_labels(labels, host, below))
		return false;
	for (int32_t x = 0; x < tree->size; x++)
		if (labels->kind[tree->label[x]] < 0 && !add_new_label(labels, host, tree->label[x]))
			return false;
	labels->listed[number] = labels->changed = true;
	return true;
}

/* Adds the labels of all trees, or of the batch's trees. */
TedEngineStatus
ted_device_labels_add(TedDeviceLabels *labels, const TedEngineHost *host,
					  const TedTree *const *trees, int32_t count, const TedBatch *batch)
{
	const TedInterrupt *interrupt = &host->interrupt;
	int64_t steps = labels->by_batch ? 2 * batch->count : count;

	labels->of = batch->costs.labels;
	if (labels->of->traits == NULL)
		return TED_ENGINE_OUT_OF_MEMORY;
	for (int64_t i = labels->by_batch ? 0 : labels->trees; i < steps; i++)
	{
		int32_t number = (int32_t) i;

		if (labels->by_batch)
			number = i % 2 == 0 ? batch->pairs[i / 2].a : batch->pairs[i / 2].b;
		if (!add_tree(labels, host, trees, number))
			return TED_ENGINE_OUT_OF_MEMORY;
		if (interrupt->check != NULL && interrupt->check(interrupt->arg))
			return TED_ENGINE_CANCELLED;
	}
	labels->costs.kind = labels->kind;
	labels->costs.of_kind = labels->of_kind;
	labels->costs.symbol = labels->symbol;
	return TED_ENGINE_DONE;
}

/* Forgets the labels of all trees but the first `count`. */
void
ted_device_labels_forget(TedDeviceLabels *labels, const TedTree *const *trees, int32_t count)
{
	int32_t below = 0;

	if (labels->trees <= count)
		return;
	labels->trees = count;
	for (int32_t t = 0; t < count; t++)
		for (int32_t x = 0; x < trees[t]->size; x++)
			below = ted_max(below, trees[t]->label[x] + 1);
	labels->costs.labels = ted_min(labels->costs.labels, below);
}

/* Forgets all labels, and frees their memory. */
void
ted_device_labels_free(TedDeviceLabels *labels, const TedEngineHost *host)
{
	void *arrays[] = {labels->kind,   labels->of_kind, labels->members,
					  labels->symbol, labels->listed,  labels->slot};

	for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
		if (arrays[i] != NULL)
			host->release(host->arg, arrays[i]);
	*labels = (TedDeviceLabels){.by_batch = labels->by_batch};
}
