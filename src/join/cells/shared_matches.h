/*
 * shared_matches.h
 *	  Matches that one process of a parallel self-join finds, and all processes deliver.
 *
 * A GPU finds matches faster than its process can deliver them.  That process puts them into a
 * queue of bounded length, in chunks, and delivers those that find no room.  Each process takes
 * chunks from the queue.
 *
 * A process that has nothing else to do waits for chunks only while the process with the GPU
 * announces more.  That process withdraws the announcement before it delivers rows, so that no
 * process waits for one that delivers rows (shared_cells.h).
 */
#ifndef TED_SHARED_MATCHES_H
#define TED_SHARED_MATCHES_H

#include "postgres.h"

#include "port/atomics.h"
#include "storage/condition_variable.h"

#include "../search/team.h"

/*
 * Two matching documents of the block, or a document and itself, by numbers that all processes
 * share.
 */
typedef struct MatchedDocuments
{
	int32 probe;
	int32 indexed;
	int32 distance;
} MatchedDocuments;

/* The most pairs of a chunk. */
#define SHARED_MATCHES_CHUNK 4096

/* The queue, in shared memory. */
typedef struct SharedMatches
{
	pg_atomic_uint64 chunks; /* memory of the team; invalid until the first chunk is put */
	pg_atomic_uint64 put;    /* number of chunks put so far */
	pg_atomic_uint64 taken;  /* number of chunks taken so far */
	/* whether more chunks are announced */
	pg_atomic_uint32 expected;
	int32 room; /* number of slots */
	ConditionVariable changed;
} SharedMatches;

/* Initializes an empty queue. */
extern void SharedMatchesClear(SharedMatches *matches);

/* Puts a chunk into the queue; returns false if it is full.  Only one process may put chunks. */
extern bool SharedMatchesPut(SharedMatches *matches, Team *team, const MatchedDocuments *pairs,
							 int32 count);

/* Copies the next chunk to `pairs`; returns its number of pairs, 0 if there is no chunk. */
extern int32 SharedMatchesTake(SharedMatches *matches, const Team *team, MatchedDocuments *pairs);

/*
 * Expect announces more chunks, or withdraws that; Await waits for the next chunk, and returns
 * false if no more are expected.
 */
extern void SharedMatchesExpect(SharedMatches *matches, bool expected);
extern bool SharedMatchesAwait(SharedMatches *matches);

#endif /* TED_SHARED_MATCHES_H */
