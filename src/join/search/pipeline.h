/*
 * pipeline.h
 *	  Threshold join of documents: filters, candidates, verification.
 *
 * One side is indexed.  Probes, which are the indexed documents themselves or other documents in
 * chunks, are looked up in the index.  Their candidates pass the bounds, from the cheapest to the
 * most expensive; an engine computes the distance if the bounds do not settle it.  Equal documents
 * are compared once; the caller finds their rows by document number.
 */
#ifndef TED_PIPELINE_H
#define TED_PIPELINE_H

#include "postgres.h"

#include "../../engine/session.h"
#include "../../catalog/identity.h"
#include "../../tree/distance/threshold.h"
#include "team.h"

/* A join of one block of documents. */
typedef struct JoinPipeline JoinPipeline;

/* A kind of documents, see search.h. */
typedef struct DocumentKind DocumentKind;

/* Returns the kind of the documents of a type. */
extern const DocumentKind *DocumentKindOf(DocumentType type);

/* Place of a document relative to a range of sizes, in the order in which its kind is read. */
typedef enum SizePlace
{
	BEFORE_SIZES, /* it matches neither documents in the range nor later ones */
	AMONG_SIZES,  /* it may match documents in the range */
	BEHIND_SIZES  /* neither it nor any later document matches documents in the range */
} SizePlace;

/* Returns the place of a document relative to sizes from `least` to `greatest`. */
extern SizePlace PlaceAmongSizes(const DocumentKind *kind, const DocumentThreshold *threshold,
								 int32 size, int32 least, int32 greatest);

/* Sides of a join; in a self-join, all documents are on the indexed side. */
typedef enum DocumentsSide
{
	JOIN_INDEXED,
	JOIN_PROBES
} DocumentsSide;

/* Element type of arrays, and the collation by which elements are compared. */
typedef struct ArrayElements
{
	Oid type;
	Oid collation;
} ArrayElements;

/* Receives a match, by the numbers of its documents, and their sizes. */
typedef void (*JoinEmit)(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size,
						 int32 smaller_size);

/* Whether a pair of a document of `side` and an indexed document is found elsewhere. */
typedef bool (*JoinElsewhere)(void *arg, DocumentsSide side, int32 probe, int32 indexed);

/* Counts of pairs of distinct documents, by the stages that they have passed. */
typedef struct JoinCounts
{
	int64 window;   /* pairs whose sizes allow a match */
	int64 prefix;   /* pairs that share one of their rarest labels, and whose signatures allow a
					 * match */
	int64 labels;   /* pairs that share enough labels */
	int64 settled;  /* pairs whose distance the bounds determine */
	int64 verified; /* pairs whose distance was computed */
	int64 batches;  /* batches of computed distances */
	int64 found;    /* matches */
	EngineCounts engine;
} JoinCounts;

/* A run of documents of one size, in the order of sizes. */
typedef struct SizeRun
{
	int32 begin; /* place of the first document */
	double size;
	double work; /* work of looking up the documents before the run */
} SizeRun;

struct JoinPipeline
{
	/* set by the caller of PipelineOpen() */
	const DocumentKind *kind;
	ArrayElements elements;      /* of documents that are arrays */
	const CostModel *model;      /* cost model of trees; NULL for unit costs */
	DocumentThreshold threshold; /* equal documents match it; may change until PipelineIndex() */
	bool distances_wanted;       /* if not, `emit` may get any upper bound within the threshold, and
								  * no sizes */
	JoinCounts *counts;          /* to be added to */
	JoinEmit emit;
	void *arg;  /* of `emit` and `elsewhere` */
	Team *team; /* its members add documents that are indexed together; or NULL */

	/* may be set until PipelineIndex() */
	JoinElsewhere elsewhere; /* pairs to leave out; or NULL */

	MemoryContext context;
	void *search;      /* state of the kind of documents */
	int32 *components; /* of indexed documents, then probes (components.h), if pairs that others
						* connect are left out; or NULL */
	int32 component_room;
	int32 *by_size; /* numbers of the indexed documents in the order of their sizes, which is the
					 * same in all processes with these documents; NULL before PipelineIndex() */
	SizeRun *runs;  /* runs of equal sizes in `by_size`; NULL until they are needed */
	int32 run_count;
	int32 *probes_by_size; /* the same for probes, if all are looked up at once; otherwise NULL */
	DocumentsSide side;    /* of the documents that are being looked up */
	int32 next_probe;      /* first probe that has not been looked up */
	int32 place;           /* place of the document that is being looked up */
	int32 settled_place;   /* documents before this place have no waiting candidates */
	int64 settled_pairs;   /* counts->window when settled_place was set */
	int64 begun_pairs;     /* counts->window when the documents had been indexed */
	double similar_pairs;  /* pairs of similar size among the indexed documents; 0 until they are
							* counted */
};

/* Opens a join, of which the caller has set the first members, in the current memory context. */
extern JoinPipeline *PipelineOpen(const JoinPipeline *wanted);

/* Adds a document to be indexed; returns its number, which equal documents share. */
extern int32 PipelineAddIndexed(JoinPipeline *join, Datum document);

/*
 * Publish makes the added documents available to the members of the team, before they meet.  Build
 * then combines the documents of all members, which have the same numbers in each of them
 * afterwards.
 */
extern void PipelinePublish(JoinPipeline *join);
extern void PipelineBuild(JoinPipeline *join);

/*
 * Returns the new numbers of the documents that a member has published, by their old numbers; NULL
 * if it has published none.
 */
extern const int32 *PipelineNumbers(const JoinPipeline *join, int member);

/*
 * Makes a join leave out the pairs of documents that other matches connect, so that the matches
 * found have the same components as all matches.  Must be called before the documents are indexed.
 */
extern void PipelineConnect(JoinPipeline *join);

/* Indexes the documents added; afterwards only probes can be added. */
extern void PipelineIndex(JoinPipeline *join);

/* Returns the number of distinct indexed documents, and the size of one. */
extern int32 PipelineDocuments(const JoinPipeline *join);
extern int32 PipelineSizeOf(const JoinPipeline *join, int32 number);

/*
 * Whether all available documents should be looked up at once, because the GPU does so; valid after
 * they have been indexed.
 */
extern bool PipelineTakesAll(const JoinPipeline *join);

/*
 * Returns the place where a portion of the work of looking up the documents before `end` begins.
 * The portion has at least one document and, if possible, no more than `part` of the work, as
 * estimated from the sizes.
 */
extern int32 PipelinePortion(JoinPipeline *join, int32 end, double part);

/*
 * Finds pairs of distinct indexed documents, each pair once: of the documents from place `first` to
 * before `end`, each with the documents on one side of it.  Stops early if it has found many;
 * returns the place where to continue.
 */
extern int32 PipelineRunSelf(JoinPipeline *join, int32 first, int32 end);

/*
 * Progress of the functions that find pairs.  The first returns the part of all pairs of similar
 * size that has been compared or excluded, including `others` pairs of other processes; the second,
 * the number of probes that PipelineRunProbes() has looked up, with a fraction for the last ones.
 */
extern double PipelineOwnPart(JoinPipeline *join, int64 others);
extern double PipelineLookedUp(const JoinPipeline *join);

/* Adds a probe; returns its number, which equal probes share until they are run. */
extern int32 PipelineAddProbe(JoinPipeline *join, Datum document);

/*
 * Finds the indexed documents that match the probes added, and then forgets the probes.  Stops
 * early if it has found many; returns true if it has to be called again.
 */
extern bool PipelineRunProbes(JoinPipeline *join);

/* Returns the bytes of the join, including those needed to index the documents added. */
extern Size PipelineMemory(const JoinPipeline *join);

/* Estimates the bytes of a document of this size in the index. */
extern Size PipelineDocumentBytes(const JoinPipeline *join, int32 size);

/* Closes the join, and frees its memory. */
extern void PipelineClose(JoinPipeline *join);

#endif /* TED_PIPELINE_H */
