/*
 * neighbour_model.c
 *	  Bounds by a cost model for the search of the nearest trees of a set.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../tree/costs/model_costs.h"
#include "neighbour_model.h"

/* Bits of a set of spellings, which are hashed: the set may seem to have more spellings. */
#define SPELLING_BITS (1 << 20)

NeighbourModel *
NeighbourModelCreate(const CostModel *costs)
{
	NeighbourModel *model = palloc0_object(NeighbourModel);

	model->costs = costs;
	model->is_graded = CostModelIsGraded(costs);
	model->has_rules = costs->begin[RULE_ANY] < costs->count;
	model->keys = ModelKeysCreate(costs);
	model->context = CurrentMemoryContext;
	model->plain = palloc0(SPELLING_BITS / 8);
	model->graded = palloc0(SPELLING_BITS / 8);
	model->greatest_insert = palloc0_array(int32, LABEL_LISTS);
	return model;
}

/* Adds a spelling to a set. */
static inline void
AddSpelling(uint8 *set, uint32 hash)
{
	set[hash % SPELLING_BITS / 8] |= (uint8) (1 << hash % 8);
}

/* Whether a set may have a spelling. */
static inline bool
HasSpelling(const uint8 *set, uint32 hash)
{
	return set[hash % SPELLING_BITS / 8] & 1 << hash % 8;
}

LabelCount *
NeighbourModelAdd(NeighbourModel *model, const Tree *tree, int32 number, int32 *labels)
{
	ModelLabels read;
	DocumentCosts *costs;
	LabelCount *counts;

	RESERVE(model->context, model->documents, model->capacity, number + 1);
	ReadModelLabels(model->keys, tree, &read);
	costs = &model->documents[number];
	costs->counted = read.nodes;
	costs->graded = read.graded_nodes;
	costs->insert_all = read.insert_all;
	costs->least = read.least;
	costs->plain = 0;
	for (int32 i = 0; i < read.plain_count; i++)
	{
		const ModelLabel *label = &read.plain[i];
		int32 *greatest = &model->greatest_insert[label->hash % LABEL_LISTS];

		AddSpelling(model->plain, label->hash);
		costs->plain += (int64) label->count * label->insert;
		*greatest = Max(*greatest, label->insert);
	}
	for (int32 i = 0; i < read.graded_count; i++)
		AddSpelling(model->graded, read.graded[i].hash);
	counts = palloc_array(LabelCount, read.plain_count);
	for (int32 i = 0; i < read.plain_count; i++)
		counts[i] = (LabelCount){read.plain[i].hash, read.plain[i].count};
	*labels = read.plain_count;
	pfree(read.plain);
	return counts;
}

Size
NeighbourModelSearchBytes(const NeighbourModel *model, int32 count)
{
	return model->has_rules ? sizeof(MatchedCosts) * (Size) count : 0;
}

/* Allocates the memory of searches. */
void
NeighbourModelIndex(NeighbourModel *model, int32 count)
{
	if (model->has_rules)
		model->matched = palloc_extended(NeighbourModelSearchBytes(model, count), MCXT_ALLOC_HUGE);
}

/*
 * Adds upper bounds on the nodes that share a label, and on their least costs, for each tree that
 * is searched.
 */
static void
CountLabel(NeighbourModel *model, const LabelLists *lists, const ModelLabel *label, int64 cost,
		   int32 *shared)
{
	uint32 list = label->hash % LABEL_LISTS;
	int64 cost_of_set = model->greatest_insert[list];

	CHECK_FOR_INTERRUPTS();
	for (int64 place = LabelListFrom(lists, list, model->range.first);
		 place < lists->begin[list + 1] && lists->tree[place] < model->range.end; place++)
	{
		int32 tree = lists->tree[place] - model->range.first;
		int32 nodes = SharedNodes(lists, place, label->count);

		shared[tree] += nodes;
		if (model->matched != NULL)
		{
			model->matched[tree].of_set += nodes * cost_of_set;
			model->matched[tree].of_searched += nodes * cost;
		}
	}
}

/*
 * Counts all labels of a tree, for nodes that match at no cost though at most one of the two nodes
 * is graded.  Graded nodes of the set are in no list: if some tree has a graded node with
 * a spelling, any tree may have one.
 */
static MatchedAnywhere
CountSharedByModel(NeighbourModel *model, const LabelLists *lists, const ModelLabels *labels,
				   int32 *shared)
{
	MatchedAnywhere anywhere = {0};

	for (int32 i = 0; i < labels->plain_count; i++)
	{
		const ModelLabel *label = &labels->plain[i];

		CountLabel(model, lists, label, label->delete_, shared);
		if (HasSpelling(model->graded, label->hash))
		{
			anywhere.any = true;
			anywhere.nodes += label->count;
			anywhere.cost += (int64) label->count * label->delete_;
		}
	}
	for (int32 i = 0; i < labels->graded_count; i++)
		if (HasSpelling(model->plain, labels->graded[i].hash))
		{
			anywhere.any = true;
			CountLabel(model, lists, &labels->graded[i], 0, shared);
		}
	return anywhere;
}

void
NeighbourModelSearch(NeighbourModel *model, const Tree *searched, const LabelLists *lists,
					 TreeRange range, int32 *shared)
{
	ModelLabels *labels = &model->labels;
	int64 cost;

	ReadModelLabels(model->keys, searched, labels);
	model->range = range;
	if (model->matched != NULL)
		memset(model->matched, 0, sizeof(MatchedCosts) * (Size) (range.end - range.first));
	model->anywhere = (MatchedAnywhere){0};
	if (lists->tree != NULL)
		model->anywhere = CountSharedByModel(model, lists, labels, shared);
	/* the least cost of the ungraded nodes of the tree, if none of them matches */
	cost = 0;
	for (int32 i = 0; i < labels->plain_count; i++)
		cost += (int64) labels->plain[i].count * labels->plain[i].delete_;
	model->searched_plain = cost;
	pfree(labels->plain);
}

/*
 * Returns a lower bound by the costs of nodes that do not match: nodes of one tree, which are
 * deleted or renamed, and insertions for the difference of the sizes.  Graded nodes count only
 * where one tree has more of them, and if they match no other nodes.
 */
static int64
BoundByCosts(const NeighbourModel *model, int32 number, const OperationCosts *least)
{
	const DocumentCosts *document = &model->documents[number];
	const MatchedCosts *matched = &model->matched[number - model->range.first];
	int64 more = model->labels.nodes - document->counted;
	int64 more_graded = model->anywhere.any ? 0 : model->labels.graded_nodes - document->graded;
	int64 of_searched = model->searched_plain - matched->of_searched - model->anywhere.cost +
						Max(more_graded, 0) * Min(least->delete_, least->rename) +
						Max(-more, 0) * least->insert;
	int64 of_set = document->plain - matched->of_set +
				   Max(-more_graded, 0) * Min(least->insert, least->rename) +
				   Max(more, 0) * least->delete_;

	return Max(of_searched, of_set);
}

int32
NeighbourModelBound(const NeighbourModel *model, const LabelLists *lists, int32 number,
					int32 shared_nodes)
{
	const ModelLabels *labels = &model->labels;
	const DocumentCosts *document = &model->documents[number];
	OperationCosts least = LesserCosts(&labels->least, &document->least);
	int64 shared = lists->tree != NULL ? shared_nodes + model->anywhere.nodes +
											 Min(labels->graded_nodes, document->graded)
									   : labels->nodes;
	int64 bound = ModelBound(&least, labels->nodes, document->counted, shared);

	if (model->matched != NULL)
		bound = Max(bound, BoundByCosts(model, number, &least));
	return (int32) Min(bound, TED_MAX_DISTANCE);
}

int32
NeighbourModelOperations(const NeighbourModel *model, int32 number, int32 operations)
{
	const DocumentCosts *document = &model->documents[number];
	OperationCosts least = LesserCosts(&model->labels.least, &document->least);
	int64 cost = OperationsBound(&least, model->labels.nodes, document->counted, operations);

	return (int32) Min(cost, TED_MAX_DISTANCE);
}

int32
NeighbourModelGreatest(const NeighbourModel *model, int32 number)
{
	return (int32) Min(model->labels.delete_all + model->documents[number].insert_all,
					   TED_MAX_DISTANCE);
}

float8
NeighbourModelKey(const NeighbourModel *model, FunctionRole order, int32 distance, int32 number)
{
	int64 delete_all = model->labels.delete_all;
	int64 insert_all = model->documents[number].insert_all;

	switch (order)
	{
		case ROLE_SIMILARITY:
			return -ModelSimilarity(distance, Max(delete_all, insert_all));
		case ROLE_NORMALIZED_DISTANCE:
			return ModelNormalizedDistance(distance, delete_all + insert_all);
		default:
			return CostModelNumber(model->costs, distance);
	}
}
