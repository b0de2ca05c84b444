/*
 * pipeline.h
 *	  Threshold join of documents: filter, candidates, verification.
 *
 * One side is indexed.  Probes, which are the indexed documents themselves or others
 * that come in chunks, are looked up in the index, and what they find passes
 * the bounds from the cheapest to the dearest; an engine computes the distance
 * where these leave it open.  Equal documents take part once; the caller finds the
 * rows that they stand for by their numbers.
 */
#ifndef TED_PIPELINE_H
#define TED_PIPELINE_H

#include "postgres.h"

#include "../../engine/session.h"
#include "../../catalog/identity.h"
#include "../../tree/distance/threshold.h"
#include "team.h"

typedef struct JoinPipeline JoinPipeline;

/* A kind of documents, see search.h. */
typedef struct DocumentKind DocumentKind;

/* The kind of the documents of a type. */
extern const DocumentKind *DocumentKindOf(DocumentType type);

/* Where a document is in relation to others, in the order in which its kind is read. */
typedef enum SizePlace
{
	BEFORE_SIZES, /* it matches none of them, and none of those that follow them */
	AMONG_SIZES,  /* the threshold allows it to match some */
	BEHIND_SIZES  /* it matches none of them, and none of those that follow it does */
} SizePlace;

/* The place among documents that are of sizes between two. */

extern SizePlace PlaceAmongSizes(const DocumentKind *kind, const DocumentThreshold *threshold,
								 int32 size, int32 least, int32 greatest);

/* The sides; documents of a self-join are of the indexed one. */
typedef enum DocumentsSide
{
	JOIN_INDEXED,
	JOIN_PROBES
} DocumentsSide;

/* Of arrays, the type of their elements, and the collation that these are compared by. */
typedef struct ArrayElements
{
	Oid type;
	Oid collation;
} ArrayElements;

/* Receives two documents that are within the threshold, by their numbers, and their sizes. */
typedef void (*JoinEmit)(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size,
						 int32 smaller_size);

/* Says whether a pair of a document of a side and an indexed one is found elsewhere. */
typedef bool (*JoinElsewhere)(void *arg, DocumentsSide side, int32 probe, int32 indexed);

/* How many pairs of distinct documents came how far. */
typedef struct JoinCounts
{
	int64 window;   /* sizes allow the threshold */
	int64 prefix;   /* share one of their rarest labels, and signatures allow it */
	int64 labels;   /* share enough labels */
	int64 settled;  /* distance known from the bounds alone */
	int64 verified; /* distance computed */
	int64 batches;  /* of computed distances */
	int64 found;    /* within the threshold */
	EngineCounts engine;
} JoinCounts;

/*
 * Opens a join in the current memory context, for unit costs and a threshold
 * that equal documents match; adds to the counts what it does.  Where distances are
 * not wanted, what is passed on as such may be any upper bound within the threshold,
 * and sizes are not passed on.  With a team, which may be NULL, all members add documents
 * that are indexed together.
 */
extern JoinPipeline *PipelineOpen(const DocumentKind *kind, ArrayElements elements,
								  const CostModel *model, const DocumentThreshold *threshold,
								  bool distances_wanted, JoinCounts *counts, JoinEmit emit,
								  void *arg, Team *team);

/* Adds a document to be indexed; returns its number, which equal documents share. */
extern int32 PipelineAddIndexed(JoinPipeline *join, Datum document);

/*
 * Publishes the documents added for the members of the team, before they meet; then builds
 * with them what all have added, after which documents have the same numbers in all of them.
 */
extern void PipelinePublish(JoinPipeline *join);
extern void PipelineBuild(JoinPipeline *join);

/*
 * The numbers of the documents that a member has published, by the numbers that they had; NULL
 * where there are none.
 */
extern const int32 *PipelineNumbers(const JoinPipeline *join, int member);

/* Sets another threshold, before the documents are indexed. */
extern void PipelineSetThreshold(JoinPipeline *join, const DocumentThreshold *threshold);

/*
 * Makes a join of trees leave out the pairs that are found elsewhere, with the argument of
 * PipelineOpen(); before the trees are indexed.
 */
extern void PipelineLeaveOut(JoinPipeline *join, JoinElsewhere elsewhere);

/* Indexes the documents added, after which there are only probes. */
extern void PipelineIndex(JoinPipeline *join);

/* Whether they are indexed, or are being so. */
extern bool PipelineIsIndexed(const JoinPipeline *join);

/*
 * How many different documents are indexed, and the numbers of these in an order that
 * is the same in all processes that have them.
 */
extern int32 PipelineDocuments(const JoinPipeline *join);
extern int32 PipelineDocumentAt(const JoinPipeline *join, int32 place);

/* Size of an indexed document. */
extern int32 PipelineSizeOf(const JoinPipeline *join, int32 number);

/*
 * Whether as many documents as there are should be looked up at once, once they are
 * indexed, since the GPU does so.
 */
extern bool PipelineTakesAll(const JoinPipeline *join);

/*
 * Where to begin with the documents up to before place `end` for a portion of the work of
 * looking up all documents before `end`: at least one document, and if possible no
 * more than this part of the work, by the sizes of the documents.
 */
extern int32 PipelinePortion(JoinPipeline *join, int32 end, double part);

/*
 * Finds the pairs of different indexed documents, each once: of those from place
 * `first` to before `end` in that order, with those on one side of each.  Stops early
 * where it has found many: returns where to go on.
 */
extern int32 PipelineRunSelf(JoinPipeline *join, int32 first, int32 end);

/*
 * The progress of that: the part of all pairs of similar size that has been compared or
 * ruled out, including `others` pairs of other processes; and how many probes
 * PipelineRunProbes() has looked up, the last of them in part.
 */
extern double PipelineOwnPart(JoinPipeline *join, int64 others);
extern double PipelineLookedUp(const JoinPipeline *join);

/* Counts a probe of a size that is known to match nothing. */
extern void PipelinePassOver(JoinPipeline *join, int32 size);

/* Adds a probe; returns its number, which equal probes share until they are run. */
extern int32 PipelineAddProbe(JoinPipeline *join, Datum document);

/*
 * Finds the indexed documents of the probes added, which are then forgotten.  Stops
 * early where it has found many: returns true to be called again.
 */
extern bool PipelineRunProbes(JoinPipeline *join);

/* Memory that the join takes, and will take to index the documents added. */
extern Size PipelineMemory(const JoinPipeline *join);

/* Approximate memory that a document of a size takes with the index. */
extern Size PipelineDocumentBytes(const JoinPipeline *join, int32 size);

/* Frees everything. */
extern void PipelineClose(JoinPipeline *join);

#endif /* TED_PIPELINE_H */
