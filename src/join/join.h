/*
 * join.h
 *	  What threshold joins of documents that are all at hand have in common.
 *
 * Documents are numbered, each side from 0, so that equal ones share a number
 * and take part once; a pair of numbers stands for all pairs of their documents.
 */
#ifndef JOIN_H
#define JOIN_H

#include "postgres.h"

/* One document that takes part. */
typedef struct JoinDocument
{
	int64 id;
	char side; /* 'l' or 'r'; 0 in a self-join */
	Datum doc;
} JoinDocument;

/* One pair within the threshold. */
typedef struct JoinMatch
{
	int64 left_id;
	int64 right_id;
	double measure; /* distance or similarity */
} JoinMatch;

typedef struct JoinResult
{
	JoinMatch *matches; /* ordered by left_id, then right_id */
	int64 count;
} JoinResult;

/* A join under way. */
typedef struct Join Join;

/* Gives a document its number. */
typedef int32 (*JoinNumbering)(void *arg, Datum doc);

/* What documents are, and how they are joined. */
typedef struct JoinKind
{
	const char *aggregate; /* its name in SQL */
	const char *threshold; /* what messages call the threshold */
	const char *fewer;     /* what to do for fewer pairs */
	double equal;          /* measure of equal documents */

	/* refuses a threshold that makes no sense */
	void (*check_threshold)(double threshold);

	/*
	 * numbers the documents, those that are indexed first and probes only where
	 * the join has two sides, and adds all pairs of different numbers
	 */
	void (*run)(Join *join, double threshold);
} JoinKind;

/* Whether a join has one side only, each pair of which counts once. */
extern bool JoinIsSelf(const Join *join);

/* Numbers the documents that are indexed: the right ones, or all of a self-join. */
extern void JoinNumberIndexed(Join *join, JoinNumbering numbering, void *arg);

/* Numbers the documents of the left side. */
extern void JoinNumberProbes(Join *join, JoinNumbering numbering, void *arg);

/* Adds all pairs of documents that two numbers stand for; in a self-join, both are indexed. */
extern void JoinAddPairs(Join *join, int32 probe, int32 indexed, double measure);

/*
 * Finds all pairs of documents within the threshold.  A self-join yields every
 * unordered pair once, the smaller id on the left; with sides, a pair has one
 * document of each.  Sorts the documents; an id that occurs twice on a side,
 * and more matches than max_matches, or than memory allows, are errors.
 */
extern JoinResult SimilarityJoin(const JoinKind *kind, JoinDocument *documents, int32 count,
								 double threshold, int64 max_matches);

#endif /* JOIN_H */
