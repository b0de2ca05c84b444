/*
 * search.h
 *	  Interface of the kinds of documents, each of which stores documents and finds pairs of them.
 */
#ifndef TED_SEARCH_H
#define TED_SEARCH_H

#include "postgres.h"

#include "../../catalog/identity.h"
#include "../../core/common/components.h"
#include "pipeline.h"

/* Functions of a kind of documents. */
struct DocumentKind
{
	/* returns the size of a document; whether two sizes allow a match within a threshold */
	int32 (*size)(Datum document);
	bool (*sizes_match)(const DocumentThreshold *threshold, int32 a, int32 b);

	/*
	 * Lists the nodes of a stored document, in any order, for the rule that makes cells
	 * (cell_rule.h); returns their number.  Each has a label, as a number, and an occurrence, which
	 * counts the nodes with this label from 1.  NULL if there is no rule for the kind.
	 */
	int32 (*list_nodes)(Datum document, int32 **label, int32 **occurrence);

	/*
	 * whether documents are looked up faster among larger ones, so that large ones are indexed
	 * first
	 */
	bool largest_first;

	/* names of the filters in EXPLAIN, in their order; NULL for no filter */
	const char *rarest_filter;
	const char *labels_filter;
	const char *bounds;

	/* opens a search for a join in the current memory context; closes what is outside of it, or
	 * NULL */
	void *(*open)(JoinPipeline *join);
	void (*close)(void *search);

	/* returns the number of a document of a side, from 0; equal documents share a number */
	int32 (*add)(void *search, DocumentsSide side, Datum document);
	int32 (*count)(const void *search, DocumentsSide side);
	int32 (*size_of)(const void *search, DocumentsSide side, int32 number);

	/*
	 * Publishes the documents to be indexed for the members of the team; replaces them by the
	 * documents of all members; returns the new numbers of a member's documents, by their old
	 * numbers, or NULL if it has published none.
	 */
	void (*publish)(void *search);
	void (*build)(void *search);
	const int32 *(*numbers)(const void *search, int member);

	/*
	 * Returns the numbers of the documents to be indexed in the order of their sizes, if the
	 * members of a team have sorted them, or NULL.  The function is NULL if they never do.
	 */
	int32 *(*order)(void *search);

	/* builds the index */
	void (*index)(void *search);

	/*
	 * returns the bytes that index() will take; the bytes of a document of this size in the index
	 */
	Size (*index_memory)(const void *search);
	Size (*document_memory)(const void *search, int32 size);

	/*
	 * Finds the matches of the documents from place `first` to before `end`: for indexed documents,
	 * each pair once; for probes, all pairs.  Stops early if it has found many; returns the place
	 * where to continue.
	 */
	int32 (*find)(void *search, DocumentsSide side, int32 first, int32 end);

	/*
	 * Returns the part of the candidates since `settled_place` that waits to be compared; NULL if
	 * none ever waits.
	 */
	double (*waiting)(const void *search);

	/* whether to look up all available documents at once, as a GPU does; NULL for never */
	bool (*takes_all)(const void *search);

	/* frees the probes, to make room for others */
	void (*forget_probes)(void *search);
};

/* Records that no candidates of the documents looked up so far wait to be compared. */
extern void NoteSettled(JoinPipeline *join);

/* Converts the size of a document to its sort key, and back. */
static inline int32
DocumentSizeKey(const DocumentKind *kind, int32 size)
{
	return kind->largest_first ? -size : size;
}

/* Returns the number of a document that is being looked up in `components`. */
static inline int32
ComponentNode(const JoinPipeline *join, int32 number)
{
	return join->side == JOIN_INDEXED ? number
									  : join->kind->count(join->search, JOIN_INDEXED) + number;
}

/* Whether a pair of a document that is being looked up and an indexed one is to be left out. */
static inline bool
IsLeftOut(const JoinPipeline *join, int32 number, int32 indexed)
{
	if (join->components != NULL &&
		ted_component(join->components, indexed) ==
			ted_component(join->components, ComponentNode(join, number)))
		return true;
	return join->elsewhere != NULL && join->elsewhere(join->arg, join->side, number, indexed);
}

/*
 * Passes a match to the caller of the pipeline, with the sizes of its documents; with a cost model,
 * with the costs of deleting the probe and of inserting the indexed document in place of sizes.
 */
static inline void
PairFound(const JoinPipeline *join, int32 probe, int32 indexed, int32 distance, int32 larger_size,
		  int32 smaller_size)
{
	join->counts->found++;
	if (join->components != NULL)
		ted_connect(join->components, ComponentNode(join, probe), indexed);
	join->emit(join->arg, probe, indexed, distance, larger_size, smaller_size);
}

/* Matches after which a search stops, so that the caller can fetch them. */
#define MATCHES_PER_RUN 16384

/* The kinds of documents; the last function returns the kind of strings of a type. */
extern const DocumentKind TreeDocuments;
extern const DocumentKind JsonDocuments;
extern const DocumentKind *StringDocuments(DocumentType type);

#endif /* TED_SEARCH_H */
