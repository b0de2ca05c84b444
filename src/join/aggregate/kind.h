/*
 * kind.h
 *	  A similarity join as an aggregate: of which documents, by which measure.
 */
#ifndef TED_KIND_H
#define TED_KIND_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/array.h"

#include "../../tree/distance/threshold.h"
#include "../search/pipeline.h"

typedef struct JoinKind
{
	const char *aggregate; /* its name in SQL */
	const char *clusters;  /* that of the window function */
	PGFunction final;      /* its final function */
	const char *threshold; /* what messages call the threshold */
	const char *fewer;     /* what to do about too many pairs */
	DocumentType documents;

	/* what a threshold allows, by a model of costs or none */
	DocumentThreshold (*make_threshold)(double threshold, const CostModel *model);

	/* measure of two documents at a distance; by a model, that distance in its units */
	double (*measure)(int32 distance, int32 larger_size, int32 smaller_size);
} JoinKind;

/* What a minimum similarity allows, which is an error outside of 0 to 1; it takes no model. */
extern DocumentThreshold MakeSimilarityThreshold(double min_similarity, const CostModel *model);

/* Whether documents come with a model of costs. */
static inline bool
IsByModel(const JoinKind *kind)
{
	return kind->documents == DOCUMENT_BY_MODEL;
}

/* Joins of trees and of texts, which cells (src/distributed) are joined by, too. */
extern const JoinKind TreeJoin;
extern const JoinKind TextJoin;

#endif /* TED_KIND_H */
