/*
 * model_keys.c
 *	  A tree's labels as numbers, as a cost model sees them.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../tree/costs/model_costs.h"
#include "model_keys.h"

/* A reader keeps the labels of trees for later trees up to this number of labels. */
#define MOST_LABELS 4096

/* The entry of a label that has not yet occurred in the tree that is being read. */
#define NO_ENTRY (-1)

struct ModelKeys
{
	MemoryContext parent;
	MemoryContext context; /* of labels and costs; NULL before the first tree */
	MemoryContext tree;    /* of the tree that is being read, decoded */
	const CostModel *model;
	LabelTable *labels;
	ModelCosts *costs;
	int32 *entry; /* index of the label in ModelLabels by EntryPlace(), or NO_ENTRY */
	int32 capacity;
	bool is_whole; /* false while a tree is being read, and after an error */
};

ModelKeys *
ModelKeysCreate(const CostModel *model)
{
	ModelKeys *keys = palloc0_object(ModelKeys);

	keys->parent = CurrentMemoryContext;
	keys->model = model;
	return keys;
}

/* Returns the place in `entry` of a spelling, without and with a grade. */
static inline int32
EntryPlace(LabelTraits traits)
{
	return 2 * traits.spelling + traits.is_graded;
}

OperationCosts
LesserCosts(const OperationCosts *a, const OperationCosts *b)
{
	return (OperationCosts){.insert = Min(a->insert, b->insert),
							.delete_ = Min(a->delete_, b->delete_),
							.rename = Min(a->rename, b->rename)};
}

/* Counts a node that the cost model does not ignore. */
static void
CountNode(ModelKeys *keys, int32 node_label, LabelTraits traits, int32 size, ModelLabels *labels)
{
	const TedCosts *costs = ModelTedCosts(keys->costs);
	OperationCosts own = {ted_insert_cost(costs, node_label), ted_delete_cost(costs, node_label),
						  traits.rename};
	int32 *entry = &keys->entry[EntryPlace(traits)];
	ModelLabel *label;

	if (*entry == NO_ENTRY)
	{
		/* plain spellings come from the front, graded ones from the end */
		Label spelling = LabelTableGet(keys->labels, traits.spelling);
		int32 added = traits.is_graded ? size - ++labels->graded_count : labels->plain_count++;

		labels->plain[added] = (ModelLabel){
			.hash = hash_bytes((const unsigned char *) spelling.bytes, spelling.length),
			.count = 0,
			.delete_ = PG_INT32_MAX,
			.insert = PG_INT32_MAX};
		*entry = added;
	}
	label = &labels->plain[*entry];
	label->count++;
	label->delete_ = Min(label->delete_, Min(own.delete_, own.rename));
	label->insert = Min(label->insert, Min(own.insert, own.rename));
	labels->nodes++;
	labels->graded_nodes += traits.is_graded;
	labels->delete_all += own.delete_;
	labels->insert_all += own.insert;
	labels->least = LesserCosts(&labels->least, &own);
}

void
ReadModelLabels(ModelKeys *keys, const Tree *tree, ModelLabels *labels)
{
	Datum value = PointerGetDatum(tree);
	int32 size = TreeSize(value);
	TedTree decoded;
	TedTree relabelled;
	MemoryContext caller;

	CheckMemoryLimit(TreeDecodedBytes(value) + RelabelBytes(keys->model, size) +
						 sizeof(ModelLabel) * (Size) size,
					 "reading the labels of a tree");
	*labels =
		(ModelLabels){.plain = palloc_extended(sizeof(ModelLabel) * (Size) size, MCXT_ALLOC_HUGE),
					  .least = {PG_INT32_MAX, PG_INT32_MAX, PG_INT32_MAX}};
	if (!keys->is_whole || LabelTableCount(keys->labels) > MOST_LABELS)
	{
		MemoryContext outer;

		/* make the table of labels anew */
		if (keys->context != NULL)
			MemoryContextDelete(keys->context);
		keys->context = NULL;
		keys->context =
			AllocSetContextCreate(keys->parent, "labels by a model", ALLOCSET_DEFAULT_SIZES);
		outer = MemoryContextSwitchTo(keys->context);
		keys->tree =
			AllocSetContextCreate(keys->context, "tree by a model", ALLOCSET_DEFAULT_SIZES);
		keys->labels = LabelTableCreate();
		keys->costs = ModelCostsCreate(keys->model, keys->labels, false);
		keys->entry = NULL;
		keys->capacity = 0;
		MemoryContextSwitchTo(outer);
	}
	keys->is_whole = false; /* in case of an error */
	caller = MemoryContextSwitchTo(keys->tree);
	TreeDecode(tree, keys->labels, &decoded);
	RelabelTree(keys->costs, &decoded, &relabelled);
	for (int32 x = 0; x < relabelled.size; x++)
	{
		LabelTraits traits = TraitsOfLabel(keys->costs, relabelled.label[x]);
		int32 known = keys->capacity;

		CHECK_FOR_INTERRUPTS();
		RESERVE(keys->context, keys->entry, keys->capacity, EntryPlace(traits) + 1);
		for (int32 i = known; i < keys->capacity; i++)
			keys->entry[i] = NO_ENTRY;
		if (!traits.is_ignored)
			CountNode(keys, relabelled.label[x], traits, relabelled.size, labels);
	}
	for (int32 x = 0; x < relabelled.size; x++)
		keys->entry[EntryPlace(TraitsOfLabel(keys->costs, relabelled.label[x]))] = NO_ENTRY;
	labels->graded = labels->plain + relabelled.size - labels->graded_count;
	MemoryContextSwitchTo(caller);
	MemoryContextReset(keys->tree);
	keys->is_whole = true;
}

int32 *
ModelLabelKeys(const ModelLabels *labels)
{
	int32 *keys = palloc_extended(sizeof(int32) * (Size) (labels->nodes - labels->graded_nodes),
								  MCXT_ALLOC_HUGE);
	int32 *key = keys;

	for (int32 i = 0; i < labels->plain_count; i++)
		for (int32 before = 0; before < labels->plain[i].count; before++)
		{
			CHECK_FOR_INTERRUPTS();
			*key++ = NodeKey(labels->plain[i].hash, before);
		}
	return keys;
}

/* Returns a lower bound on the cost of the nodes by which one tree is larger than the other. */
static int64
SizeBound(const OperationCosts *least, int32 nodes, int32 other_nodes)
{
	return nodes > other_nodes ? (int64) (nodes - other_nodes) * least->delete_
							   : (int64) (other_nodes - nodes) * least->insert;
}

/* Returns the least cost of replacing a node by another one. */
static int64
ChangeCost(const OperationCosts *least)
{
	return Min(least->rename, (int64) least->insert + least->delete_);
}

/* Returns a lower bound by the nodes of the smaller tree that do not match. */
int64
ModelBound(const OperationCosts *least, int32 nodes, int32 other_nodes, int64 shared)
{
	return SizeBound(least, nodes, other_nodes) +
		   Max(Min(nodes, other_nodes) - shared, 0) * ChangeCost(least);
}

/*
 * Returns a lower bound by the number of operations.  Beyond the difference of the sizes, an
 * operation is a rename, or half of a deletion and an insertion.
 */
int64
OperationsBound(const OperationCosts *least, int32 nodes, int32 other_nodes, int32 operations)
{
	int64 changes = Max(operations - abs(nodes - other_nodes), 0);
	int64 both = (int64) least->insert + least->delete_;
	int64 cost = 2 * (int64) least->rename <= both
					 ? changes * least->rename
					 : changes / 2 * both + changes % 2 * ChangeCost(least);

	return SizeBound(least, nodes, other_nodes) + cost;
}
