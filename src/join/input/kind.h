/*
 * kind.h
 *	  The kinds of similarity joins as aggregates: the documents and their measure.
 */
#ifndef TED_KIND_H
#define TED_KIND_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/array.h"

#include "../../tree/distance/threshold.h"
#include "../search/pipeline.h"

/* A kind of similarity join. */
typedef struct JoinKind
{
	const char *aggregate; /* name of the aggregate in SQL */
	const char *clusters;  /* name of the window function in SQL */
	PGFunction final;      /* final function of the aggregate */
	const char *threshold; /* name of the threshold in messages */
	const char *fewer;     /* hint for an error about too many pairs */
	DocumentType documents;
	const char *row;   /* types of the columns of the aggregate's state, see row_type.h */
	const char *match; /* types of the columns of the aggregate's result */

	/* makes the threshold, by a cost model or NULL */
	DocumentThreshold (*make_threshold)(double threshold, const CostModel *model);

	/*
	 * Measure of two documents from their distance; with a cost model, the distance in its units.
	 * The measures of similar documents are greater if `by_similarity`.
	 */
	bool by_similarity;
	double (*measure)(int32 distance, int32 larger_size, int32 smaller_size);
} JoinKind;

/* Makes the threshold of a minimum similarity; raises an error unless it is from 0 to 1. */
extern DocumentThreshold MakeSimilarityThreshold(double min_similarity, const CostModel *model);

/* Whether documents come with a cost model. */
static inline bool
IsByModel(const JoinKind *kind)
{
	return kind->documents == DOCUMENT_BY_MODEL;
}

/* Joins of trees and of texts, which src/distributed also uses to join cells. */
extern const JoinKind TreeJoin;
extern const JoinKind TextJoin;

#endif /* TED_KIND_H */
