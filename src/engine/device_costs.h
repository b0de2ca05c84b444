/*
 * device_costs.h
 *	  Costs by label, as a device gets them.
 *
 * They are those of the labels of all trees; where that is too much for the device, of those
 * trees that have been compared so far.
 */
#ifndef TED_DEVICE_COSTS_H
#define TED_DEVICE_COSTS_H

#include "device.h"

typedef struct TedDeviceLabels
{
	TedDeviceCosts costs; /* of arrays that follow */
	const TedLabelCosts *of;
	int32_t *kind; /* by label */
	int32_t label_room;
	TedDeviceKind *of_kind;
	int32_t *members; /* by kind: labels, or -1 where there is to be one only */
	int32_t kind_room;
	uint32_t *symbol;
	int64_t symbol_room;
	bool by_batch; /* only the labels of batches' trees */
	bool changed;  /* since they were sent */
	bool *listed;  /* by tree: its labels are there */
	int32_t trees;
	int32_t tree_room;
	int32_t *slot; /* of a hash table: a kind that others can join, or -1 */
	int32_t slots; /* a power of two, or 0 */
	int32_t entered;
} TedDeviceLabels;

/*
 * Adds the labels of all trees, or of a batch's trees, unless there is too little memory, or only a
 * function knows what these costs are made of: TED_ENGINE_OUT_OF_MEMORY.  All batches have the same
 * costs.
 */
extern TedEngineStatus ted_device_labels_add(TedDeviceLabels *labels, const TedEngineHost *host,
											 const TedTree *const *trees, int32_t count,
											 const TedBatch *batch);

/* Forgets the labels of all trees but the first ones, which have the least labels. */
extern void ted_device_labels_forget(TedDeviceLabels *labels, const TedTree *const *trees,
									 int32_t count);

/* Forgets all labels, and frees what they take. */
extern void ted_device_labels_free(TedDeviceLabels *labels, const TedEngineHost *host);

#endif /* TED_DEVICE_COSTS_H */
