/*
 * shared_matches.c
 *	  Matches that one process of a parallel self-join finds, and all processes deliver.
 */
#include "postgres.h"

#include "utils/wait_event.h"

#include "../../compat.h"
#include "../search/join_memory.h"
#include "shared_matches.h"

/* The most chunks of the queue; with this number, no process waits while the GPU works. */
#define MOST_CHUNKS 256

/* A slot of the queue, which holds one chunk after another. */
typedef struct Chunk
{
	pg_atomic_uint64 copied; /* number, from 1, of the last chunk that was copied from here */
	int32 count;
	MatchedDocuments pairs[SHARED_MATCHES_CHUNK];
} Chunk;

void
SharedMatchesClear(SharedMatches *matches)
{
	pg_atomic_init_u64(&matches->chunks, InvalidDsaPointer);
	pg_atomic_init_u64(&matches->put, 0);
	pg_atomic_init_u64(&matches->taken, 0);
	pg_atomic_init_u32(&matches->expected, 0);
	matches->room = 0;
	ConditionVariableInit(&matches->changed);
}

/* Returns the slot of a chunk, by its number from 0. */
static Chunk *
PlaceOf(const SharedMatches *matches, const Team *team, uint64 number)
{
	Chunk *chunks =
		TeamAddress(team, pg_atomic_read_u64(unconstify(pg_atomic_uint64 *, &matches->chunks)));

	return &chunks[number % (uint64) matches->room];
}

bool
SharedMatchesPut(SharedMatches *matches, Team *team, const MatchedDocuments *pairs, int32 count)
{
	uint64 number = pg_atomic_read_u64(&matches->put);
	Chunk *chunk;

	if (matches->room == 0)
	{
		Size room = JoinMemory(JOIN_CHUNK_MEMORY, team->members) / sizeof(Chunk);
		dsa_pointer pointer;
		Chunk *chunks;

		/* as much memory as for probes, which come later */
		matches->room = (int32) Min(Max(room, 1), MOST_CHUNKS);
		pointer = TeamTake(team, sizeof(Chunk) * (Size) matches->room);
		chunks = TeamAddress(team, pointer);
		for (int32 i = 0; i < matches->room; i++)
			pg_atomic_init_u64(&chunks[i].copied, 0);
		pg_atomic_write_u64(&matches->chunks, pointer);
	}
	chunk = PlaceOf(matches, team, number);
	if (number >= (uint64) matches->room &&
		pg_atomic_read_u64(&chunk->copied) != number + 1 - (uint64) matches->room)
		return false;
	pg_memory_barrier();
	chunk->count = count;
	memcpy(chunk->pairs, pairs, sizeof(MatchedDocuments) * (Size) count);
	pg_write_barrier();
	pg_atomic_write_u64(&matches->put, number + 1);
	ConditionVariableSignal(&matches->changed);
	return true;
}

/* Whether the queue has a chunk. */
static bool
HasChunk(SharedMatches *matches)
{
	return pg_atomic_read_u64(&matches->taken) < pg_atomic_read_u64(&matches->put);
}

int32
SharedMatchesTake(SharedMatches *matches, const Team *team, MatchedDocuments *pairs)
{
	uint64 number = pg_atomic_read_u64(&matches->taken);
	Chunk *chunk;
	int32 count;

	do
	{
		if (number >= pg_atomic_read_u64(&matches->put))
			return 0;
	} while (!pg_atomic_compare_exchange_u64(&matches->taken, &number, number + 1));
	chunk = PlaceOf(matches, team, number);
	count = chunk->count;
	memcpy(pairs, chunk->pairs, sizeof(MatchedDocuments) * (Size) count);
	pg_memory_barrier();
	pg_atomic_write_u64(&chunk->copied, number + 1);
	return count;
}

void
SharedMatchesExpect(SharedMatches *matches, bool expected)
{
	if (pg_atomic_exchange_u32(&matches->expected, expected) && !expected)
		ConditionVariableBroadcast(&matches->changed);
}

bool
SharedMatchesAwait(SharedMatches *matches)
{
	ConditionVariablePrepareToSleep(&matches->changed);
	while (!HasChunk(matches) && pg_atomic_read_u32(&matches->expected))
		ConditionVariableSleep(&matches->changed, PG_WAIT_EXTENSION);
	ConditionVariableCancelSleep();
	return HasChunk(matches);
}
