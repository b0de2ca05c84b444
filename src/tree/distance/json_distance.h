/*
 * json_distance.h
 *	  Edit distance of JSON documents, whose labels identify the kinds of nodes.
 */
#ifndef TED_JSON_DISTANCE_H
#define TED_JSON_DISTANCE_H

#include "postgres.h"

#include "../../common/labels.h"
#include "../../core/tree/json/jedi.h"
#include "../costs/model_costs.h"

/* Name of these computations in errors about memory. */
#define COMPARING_JSON "comparing JSON documents"

/* The kind of a node by its label; any label but those that conversions make is a literal. */
extern TedJsonKind JsonKindOfLabel(Label label);

/*
 * Kinds by label of two trees that were relabelled by costs, with the table of their labels.
 */
extern uint8 *JsonKinds(const TedTree *a, const TedTree *b, const LabelTable *labels,
						const ModelCosts *costs, ArrayOrder arrays);

/*
 * Maps two documents, of `taken` bytes, to each other by costs, or by unit costs where these
 * are NULL: writes the partner of each node by postorder number, or -1.
 */
extern void JsonMapping(const TedJson *a, const TedJson *b, const TedCosts *costs, Size taken,
						int32 *map_a, int32 *map_b);

/* The distance of two documents, of `taken` bytes, if it is at most `limit`, else TED_BEYOND. */
extern int32 JsonDistance(const TedJson *a, const TedJson *b, int32 limit, Size taken);

/* Whether it is at most `limit`; in less time. */
extern bool JsonWithin(const TedJson *a, const TedJson *b, int32 limit, Size taken);

#endif /* TED_JSON_DISTANCE_H */
