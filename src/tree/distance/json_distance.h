/*
 * json_distance.h
 *	  Edit distance of JSON documents, whose labels identify the kinds of nodes.
 */
#ifndef TED_JSON_DISTANCE_H
#define TED_JSON_DISTANCE_H

#include "postgres.h"

#include "../../common/labels.h"
#include "../convert/json_labels.h"
#include "../costs/model_costs.h"

/* The name of these computations in errors about memory. */
#define COMPARING_JSON "comparing JSON documents"

/*
 * Returns the kinds of the labels of two trees that were relabelled by `costs`, by label
 * id.  `labels` is the label table of the original trees.
 */
extern uint8 *JsonKinds(const TedTree *a, const TedTree *b, const LabelTable *labels,
						const ModelCosts *costs, ArrayOrder arrays);

/*
 * Maps two documents by costs, or by unit costs if `costs` is NULL: sets the partner of
 * each node by postorder number, or -1.  The documents take `taken` bytes of memory.
 */
extern void JsonMapping(const TedJson *a, const TedJson *b, const TedCosts *costs, Size taken,
						int32 *map_a, int32 *map_b);

/*
 * Returns the distance of two documents, which take `taken` bytes, by costs, or by unit costs if
 * `costs` is NULL, if it is at most `limit`, else TED_BEYOND.
 */
extern int32 JsonDistance(const TedJson *a, const TedJson *b, const TedCosts *costs, int32 limit,
						  Size taken);

/* Whether the distance is at most `limit`; faster than JsonDistance(). */
extern bool JsonWithin(const TedJson *a, const TedJson *b, const TedCosts *costs, int32 limit,
					   Size taken);

/* Two documents that were relabelled by a cost model; `labels` is that of the original trees. */
typedef struct RelabelledPair
{
	const TedTree *a;
	const TedTree *b;
	const LabelTable *labels;
	const ModelCosts *costs;
	const CostModel *model;
	Size bytes; /* that the trees take */
} RelabelledPair;

/*
 * Returns the distance of two documents by a cost model, in its units, if it is at most `limit`,
 * else TED_BEYOND.  If the distance is not wanted, it may be any number within the limit.
 */
extern int32 JsonDistanceByModel(const RelabelledPair *pair, int32 limit, bool wanted);

#endif /* TED_JSON_DISTANCE_H */
