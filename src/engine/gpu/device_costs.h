/*
 * device_costs.h
 *	  Prepares costs by label for a device.
 *
 * These are the costs of the labels of all trees; or, if that is too much for the device, of the
 * trees that have been compared so far.
 */
#ifndef TED_DEVICE_COSTS_H
#define TED_DEVICE_COSTS_H

#include "device.h"

/* Labels with costs, and the arrays in which a device gets them. */
typedef struct TedDeviceLabels
{
	TedDeviceCosts costs;    /* refers to the arrays below */
	const TedLabelCosts *of; /* source of the costs */
	int32_t *kind;           /* kind of each label */
	int32_t label_room;
	TedDeviceKind *of_kind;
	int32_t *members; /* number of labels of each kind; -1 for a kind of one label */
	int32_t kind_room;
	uint32_t *symbol; /* symbols of all texts */
	int64_t symbol_room;
	bool by_batch; /* whether only labels of batches' trees are added */
	bool changed;  /* whether labels have been added since the device got them */
	bool *listed;  /* by tree: whether its labels have been added */
	int32_t trees;
	int32_t tree_room;
	int32_t *slot;   /* hash table of kinds that labels can share; -1 for a free slot */
	int32_t slots;   /* a power of two, or 0 */
	int32_t entered; /* slots in use */
} TedDeviceLabels;

/*
 * Adds the labels of all trees, or of the batch's trees.  Returns TED_ENGINE_OUT_OF_MEMORY if there
 * is too little memory, or if the costs have no traits and so cannot be sent.  All batches have the
 * same costs.
 */
extern TedEngineStatus ted_device_labels_add(TedDeviceLabels *labels, const TedEngineHost *host,
											 const TedTree *const *trees, int32_t count,
											 const TedBatch *batch);

/* Forgets the labels of all trees but the first `count`, whose labels have the smallest numbers. */
extern void ted_device_labels_forget(TedDeviceLabels *labels, const TedTree *const *trees,
									 int32_t count);

/* Forgets all labels, and frees their memory. */
extern void ted_device_labels_free(TedDeviceLabels *labels, const TedEngineHost *host);

#endif /* TED_DEVICE_COSTS_H */
