/*
 * shared_matches.h
 *	  Matches that one process of a parallel self-join finds, and all processes deliver.
 *
 * A device finds matches faster than its process can deliver them.  That process puts them
 * into a queue of bounded length, chunk by chunk, and delivers itself what has no room there;
 * every process takes chunks from the queue.
 *
 * A process that has nothing else to do waits for chunks only while the one with the device
 * says that more are to come.  That one takes it back before it delivers rows, so that nobody
 * waits for a process that does so (shared_block.h).
 */
#ifndef TED_SHARED_MATCHES_H
#define TED_SHARED_MATCHES_H

#include "postgres.h"

#include "port/atomics.h"
#include "storage/condition_variable.h"

#include "../search/team.h"

/* Two trees of the block that match, or a tree and itself, by numbers that all processes know. */
typedef struct MatchedTrees
{
	int32 probe;
	int32 indexed;
	int32 distance;
} MatchedTrees;

/* The most pairs of a chunk. */
#define SHARED_MATCHES_CHUNK 4096

/* The queue, in shared memory. */
typedef struct SharedMatches
{
	pg_atomic_uint64 chunks; /* memory of the team; invalid until the first one is put */
	pg_atomic_uint64 put;    /* number of chunks put so far */
	pg_atomic_uint64 taken;  /* and of those taken */
	pg_atomic_uint32 expected;
	int32 room; /* chunks that the queue holds */
	ConditionVariable changed;
} SharedMatches;

/* Starts with an empty queue. */
extern void SharedMatchesClear(SharedMatches *matches);

/* Puts a chunk, while this process alone does so; false where there is no room. */
extern bool SharedMatchesPut(SharedMatches *matches, Team *team, const MatchedTrees *pairs,
							 int32 count);

/* Copies the next chunk to `pairs`; returns its number of pairs, 0 where there is none. */
extern int32 SharedMatchesTake(SharedMatches *matches, const Team *team, MatchedTrees *pairs);

/* Says whether more chunks are to come; then waits for the next one, false for none. */
extern void SharedMatchesExpect(SharedMatches *matches, bool expected);
extern bool SharedMatchesAwait(SharedMatches *matches);

#endif /* TED_SHARED_MATCHES_H */
