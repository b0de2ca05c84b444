/*
 * json_distance.h
 *	  Edit distance of JSON documents, whose labels identify the kinds of nodes.
 */
#ifndef TED_JSON_DISTANCE_H
#define TED_JSON_DISTANCE_H

#include "postgres.h"

#include "../../common/labels.h"
#include "../../core/tree/json/jedi.h"

/* What a label says that its node is; any label but those that conversions make is a literal. */
extern TedJsonKind JsonKindOfLabel(Label label);

/* The distance of two documents, of `taken` bytes, if it is at most `limit`, else TED_BEYOND. */
extern int32 JsonDistance(const TedJson *a, const TedJson *b, int32 limit, Size taken);

/* Whether it is at most `limit`; in less time. */
extern bool JsonWithin(const TedJson *a, const TedJson *b, int32 limit, Size taken);

#endif /* TED_JSON_DISTANCE_H */
