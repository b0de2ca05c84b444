/*
 * join.h
 *	  Threshold joins of sorted documents of any kind.
 *
 * One side is indexed, in blocks of as many documents as fit in memory, from
 * small to large; the other side, or in a self-join what comes after the block,
 * is looked up as far as sizes allow.  Documents are numbered, so that equal ones
 * share a number and take part once; a pair of numbers stands for all pairs of
 * their documents.
 */
#ifndef TED_JOIN_JOIN_H
#define TED_JOIN_JOIN_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/array.h"

/* A join under way. */
typedef struct Join Join;

/* A kind of documents, and how they are joined. */
typedef struct JoinKind
{
	const char *aggregate; /* its name in SQL */
	PGFunction final;      /* its final function */
	const char *threshold; /* what messages call the threshold */
	const char *fewer;     /* what to do about too many pairs */
	double equal;          /* measure of equal documents */

	/* refuses a threshold that makes no sense */
	void (*check_threshold)(double threshold);

	/* size of a document, and whether sizes allow two documents to be within a threshold */
	int32 (*size)(Datum doc);
	bool (*sizes_match)(double threshold, int32 a, int32 b);

	/* opens the join of a block in the current memory context, and frees it */
	void *(*open)(Join *join, double threshold);
	void (*close)(void *block);

	/* memory that a block takes, and will take to be indexed */
	Size (*memory)(const void *block);

	/* numbers a document to be indexed, then indexes all, then adds all pairs of these */
	int32 (*add_indexed)(void *block, Datum doc);
	void (*index)(void *block);
	void (*run_self)(void *block);

	/* numbers a probe, then adds all pairs of probes and indexed documents and forgets the probes
	 */
	int32 (*add_probe)(void *block, Datum doc);
	void (*run_probes)(void *block);
} JoinKind;

typedef struct JoinDocuments JoinDocuments;

/* Adds all pairs of documents that two numbers stand for; in run_self, both are indexed. */
extern void JoinAddPairs(Join *join, int32 probe, int32 indexed, double measure);

/*
 * Finds all pairs of documents within the threshold, as an array of matches,
 * ordered by ids, in the current memory context.  A self-join yields every
 * unordered pair once, the smaller id on the left; with sides, a pair has one
 * document of each.
 */
extern ArrayType *SimilarityJoin(const JoinKind *kind, JoinDocuments *documents,
								 TupleDesc match_type);

#endif /* TED_JOIN_JOIN_H */
