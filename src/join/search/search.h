/*
 * search.h
 *	  A kind of documents, and how a join finds pairs of them: what pipeline.c leaves to each kind.
 */
#ifndef TED_SEARCH_H
#define TED_SEARCH_H

#include "postgres.h"

#include "../../catalog/identity.h"
#include "../../tree/distance/threshold.h"
#include "pipeline.h"

/* Documents of one size, one after another in the order of sizes. */
typedef struct SizeRun
{
	int32 begin;
	double size;
	double work; /* of looking up the documents before these */
} SizeRun;

struct JoinPipeline
{
	const DocumentKind *kind;
	ArrayElements elements; /* of arrays */
	const CostModel *model; /* by which trees are compared; NULL for unit costs */
	void *search;           /* of the kind */
	Team *team;             /* whose members add documents together; or NULL */
	MemoryContext context;
	JoinEmit emit;
	JoinElsewhere elsewhere; /* or NULL */
	void *arg;
	DocumentThreshold threshold;
	bool distances_wanted;
	JoinCounts *counts;
	int32 *by_size; /* numbers of the indexed documents in the order of their sizes */
	SizeRun *runs;  /* of these in that order; NULL until the first is asked for */
	int32 run_count;
	int32 *probes_by_size; /* the same of probes, where all are looked up at once; else NULL */
	int32 next_probe;      /* the first one that has not been looked up */
	int32 place;           /* in their order, of the document that is being looked up */
	int32 settled_place;   /* before which no document has candidates that wait to be compared */
	int64 settled_pairs;   /* pairs of similar size when it was passed, and */
	int64 begun_pairs;     /* when all documents were indexed */
	int32 passed_size;     /* of the last probe that was passed over, or 0 */
	int32 passed_pairs;    /* of such a probe, whose sizes allow a match */
	double similar_pairs;  /* among the indexed documents; 0 until they are counted */
};

struct DocumentKind
{
	/* size of a document, and whether sizes allow two documents to be within a threshold */
	int32 (*size)(Datum document);
	bool (*sizes_match)(const DocumentThreshold *threshold, int32 a, int32 b);

	/*
	 * the nodes of a stored document, for the filter of pairs (pair_filter.h), in any order: how
	 * many there are, of each the label as a number, and which one with that label it is, from
	 * 1; NULL where there is no such filter
	 */
	int32 (*list_nodes)(Datum document, int32 **label, int32 **occurrence);

	/* whether documents are looked up faster among larger ones: these are indexed first then */
	bool largest_first;

	/* what EXPLAIN calls the pairs that the filters remove, in their order; NULL for no filter */
	const char *rarest_filter;
	const char *labels_filter;
	const char *bounds;

	/* opens a search in the current memory context, for a join, and closes it */
	void *(*open)(JoinPipeline *join);
	void (*close)(void *search);

	/* numbers a document of a side, counted from 0; equal ones share a number */
	int32 (*add)(void *search, DocumentsSide side, Datum document);
	int32 (*count)(const void *search, DocumentsSide side);
	int32 (*size_of)(const void *search, DocumentsSide side, int32 number);

	/*
	 * publishes the documents to be indexed for the members of the team; replaces them by those
	 * of all members; and says which numbers those of a member have got, by those that they
	 * had, or NULL where it published none
	 */
	void (*publish)(void *search);
	void (*build)(void *search);
	const int32 *(*numbers)(const void *search, int member);

	/*
	 * the numbers of the documents to be indexed in the order of their sizes, as the members of
	 * a team have put them, or NULL; NULL where they do not
	 */
	int32 *(*order)(void *search);

	/* indexes the documents to be indexed */
	void (*index)(void *search);

	/* memory that this will take, and that a document of a size takes with the index */
	Size (*index_memory)(const void *search);
	Size (*document_memory)(const void *search, int32 size);

	/*
	 * Finds the matches of documents from place `first` to before `end`: of indexed
	 * ones each pair once, of probes all.  Stops early where it has found many: returns
	 * where to go on.
	 */
	int32 (*find)(void *search, DocumentsSide side, int32 first, int32 end);

	/*
	 * which part of the candidates of documents from `settled_place` on waits to be
	 * compared; NULL where none ever waits
	 */
	double (*waiting)(const void *search);

	/* whether to look up all documents at once that there are, as a device does; NULL for never */
	bool (*takes_all)(const void *search);

	/* makes room for other probes */
	void (*forget_probes)(void *search);
};

/* Notes that no candidate of a document that has been looked up waits to be compared. */
extern void NoteSettled(JoinPipeline *join);

/* What documents are sorted by, made of their sizes, and sizes made of that. */
static inline int32
DocumentSizeKey(const DocumentKind *kind, int32 size)
{
	return kind->largest_first ? -size : size;
}

/*
 * Passes a pair on to the caller of the pipeline, with the sizes of its documents; by a model
 * of costs, with what it costs to delete the probe and to insert the other one.
 */
static inline void
PairFound(const JoinPipeline *join, int32 probe, int32 indexed, int32 distance, int32 larger_size,
		  int32 smaller_size)
{
	join->counts->found++;
	join->emit(join->arg, probe, indexed, distance, larger_size, smaller_size);
}

/* Matches after which a search stops, so that they are fetched. */
#define MATCHES_PER_RUN 16384

extern const DocumentKind TreeDocuments;
extern const DocumentKind JsonDocuments;
extern const DocumentKind *StringDocuments(DocumentType type);

#endif /* TED_SEARCH_H */
