/*
 * device_costs.c
 *	  Costs by label of a batch, as a device gets them.
 *
 * Labels get the kinds of label_kinds.h.  They are listed tree by tree, so that costs of the
 * labels of one tree are side by side.
 */
#include "device_costs.h"

#include <string.h>

#include "../core/tree/label_kinds.h"

/* The labels of a batch's trees. */
typedef struct Labels
{
	bool *wanted;   /* by tree */
	int32_t *place; /* by label: in the list, or -1 */
	int32_t *label; /* the list */
	int32_t below;  /* all labels are */
	int32_t count;
} Labels;

/* Takes the arrays. */
static void
take_labels(Labels *labels, TedArena *arena, int32_t trees)
{
	labels->wanted = ted_arena_alloc(arena, (size_t) trees);
	labels->place = ted_arena_int32(arena, (size_t) labels->below);
	labels->label = ted_arena_int32(arena, (size_t) labels->below);
}

/* A number that is greater than all labels. */
static int32_t
label_after_all(const TedTree *const *trees, int32_t count)
{
	int32_t below = 0;

	for (int32_t t = 0; t < count; t++)
		for (int32_t x = 0; x < trees[t]->size; x++)
			below = ted_max(below, trees[t]->label[x] + 1);
	return below;
}

/* Lists the labels of the trees that are compared. */
static void
list_labels(Labels *labels, const TedTree *const *trees, int32_t count, const TedBatch *batch)
{
	memset(labels->wanted, 0, (size_t) count);
	memset(labels->place, -1, sizeof(int32_t) * (size_t) labels->below);
	for (int64_t i = 0; i < batch->count; i++)
		labels->wanted[batch->pairs[i].a] = labels->wanted[batch->pairs[i].b] = true;
	for (int32_t t = 0; t < count; t++)
		for (int32_t x = 0; labels->wanted[t] && x < trees[t]->size; x++)
		{
			int32_t *place = &labels->place[trees[t]->label[x]];

			if (*place >= 0)
				continue;
			*place = labels->count;
			labels->label[labels->count++] = trees[t]->label[x];
		}
}

/* Takes a block of the host's memory for an arena of this size, within its limit. */
static void *
take_block(const TedEngineHost *host, size_t bytes, TedArena *arena)
{
	char *block = bytes > host->memory_limit
					  ? NULL
					  : host->allocate(host->arg, bytes + TED_ARENA_ALIGN);

	if (block != NULL)
		*arena = ted_arena_in(block, bytes);
	return block;
}

/* Finds the costs of the labels of a batch's trees. */
TedEngineStatus
ted_device_costs(const TedEngineHost *host, const TedTree *const *trees, int32_t count,
				 const TedBatch *batch, TedDeviceCosts *costs, void **block)
{
	Labels labels = {.below = label_after_all(trees, count)};
	TedArena arena = {0};
	TedLabelKinds kinds;
	TedStatus status = TED_OUT_OF_ARENA;
	void *lists;

	*block = NULL;
	take_labels(&labels, &arena, count);
	lists = take_block(host, arena.used, &arena);
	if (lists == NULL)
		return TED_ENGINE_DONE;
	take_labels(&labels, &arena, count);
	list_labels(&labels, trees, count, batch);
	*block = take_block(host,
						ted_label_kinds_memory(labels.count) +
							ted_arena_bytes(sizeof(int32_t) * (size_t) labels.below),
						&arena);
	if (*block != NULL)
		status = ted_label_kinds(labels.label, labels.count, &batch->costs, &arena,
								 &host->interrupt, &kinds);
	if (status == TED_OK)
	{
		int32_t *kind = ted_arena_int32(&arena, (size_t) labels.below);

		for (int32_t label = 0; label < labels.below; label++)
			kind[label] = labels.place[label] < 0 ? -1 : kinds.kind[labels.place[label]];
		*costs = (TedDeviceCosts){.labels = labels.below,
								  .kind = kind,
								  .kinds = kinds.count,
								  .insert = kinds.insert,
								  .delete_ = kinds.delete_,
								  .rename = kinds.rename};
	}
	host->release(host->arg, lists);
	return status == TED_CANCELLED ? TED_ENGINE_CANCELLED : TED_ENGINE_DONE;
}
