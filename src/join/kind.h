/*
 * kind.h
 *	  A kind of documents, and how they are joined.
 */
#ifndef TED_JOIN_KIND_H
#define TED_JOIN_KIND_H

#include "postgres.h"

#include "access/tupdesc.h"
#include "fmgr.h"
#include "utils/array.h"

/* A join under way. */
typedef struct Join Join;

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

#endif /* TED_JOIN_KIND_H */
