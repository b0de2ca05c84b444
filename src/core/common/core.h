/*
 * core.h
 *	  Status codes, arenas and interrupts of all algorithms.
 *
 * The core does not depend on PostgreSQL and allocates no memory itself: the caller passes an arena
 * and, for long work, an interrupt callback.  Every function that needs memory has a companion
 * *_memory() that returns the number of bytes, so that the caller can refuse before it allocates
 * them.  Both run the same function to allocate the arrays, the companion with an arena that only
 * counts.
 */
#ifndef TED_CORE_H
#define TED_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum TedStatus
{
	TED_OK = 0,
	TED_CANCELLED,   /* the interrupt callback asked to stop */
	TED_OUT_OF_ARENA /* the arena is smaller than *_memory() asks for */
} TedStatus;

/* Returns the smaller of two numbers. */
static inline int32_t
ted_min(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

/* Returns the larger of two numbers. */
static inline int32_t
ted_max(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

/* Returns the larger of two numbers of bytes. */
static inline size_t
ted_max_bytes(size_t a, size_t b)
{
	return a > b ? a : b;
}

/*
 * Memory allocated from the front of one block and freed by restoring `used`.  An arena that is all
 * zeros has no block: every allocation is NULL, but is counted in `used`.
 */
typedef struct TedArena
{
	char *base;  /* aligned for any type */
	size_t size; /* size of the block in bytes */
	size_t used; /* bytes asked for; more than `size` where an allocation failed */
} TedArena;

/* Alignment of allocations in a block that is aligned; vectors are slower at other addresses. */
#define TED_ARENA_ALIGN ((size_t) 64)

/*
 * Returns an arena of `bytes` bytes in a block of bytes + TED_ARENA_ALIGN bytes.  The bytes before
 * the first aligned address stay unused.
 */
static inline TedArena
ted_arena_in(char *block, size_t bytes)
{
	size_t gap = -(uintptr_t) block & (TED_ARENA_ALIGN - 1);

	return (TedArena){block, bytes + TED_ARENA_ALIGN, gap};
}

/* Under AddressSanitizer, the bytes between two allocations must not be touched. */
#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define TED_CHECKED_ARENA
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(TED_CHECKED_ARENA)
#include <sanitizer/asan_interface.h>
#define TED_RED_ZONE TED_ARENA_ALIGN
#else
#define TED_RED_ZONE ((size_t) 0)
#define ASAN_POISON_MEMORY_REGION(start, bytes) ((void) 0)
#define ASAN_UNPOISON_MEMORY_REGION(start, bytes) ((void) 0)
#endif

/* Returns the bytes that an allocation takes from an arena, with alignment and red zone. */
static inline size_t
ted_arena_bytes(size_t bytes)
{
	return ((bytes + TED_ARENA_ALIGN - 1) & ~(TED_ARENA_ALIGN - 1)) + TED_RED_ZONE;
}

/* Allocates from the arena; NULL where it has no room, but the bytes are counted all the same. */
static inline void *
ted_arena_alloc(TedArena *arena, size_t bytes)
{
	size_t taken = ted_arena_bytes(bytes);
	char *p;

	arena->used += taken;
	if (arena->used > arena->size)
		return NULL;
	p = arena->base + (arena->used - taken);
	ASAN_POISON_MEMORY_REGION(p, taken);
	ASAN_UNPOISON_MEMORY_REGION(p, bytes);
	return p;
}

/* Allocates an array of 32-bit numbers. */
static inline int32_t *
ted_arena_int32(TedArena *arena, size_t count)
{
	return (int32_t *) ted_arena_alloc(arena, sizeof(int32_t) * count);
}

/* Whether some allocation has failed, and returned NULL, for lack of room. */
static inline bool
ted_arena_exceeded(const TedArena *arena)
{
	return arena->used > arena->size;
}

/*
 * Called often in long loops.  `check` returns true to stop, upon which the core returns
 * TED_CANCELLED; it may also leave by longjmp, since the core holds nothing but arena memory.  A
 * NULL `check` never stops.
 */
typedef struct TedInterrupt
{
	bool (*check)(void *arg);
	void *arg;
} TedInterrupt;

/* Steps of an inner loop between two calls of the interrupt callback. */
#define TED_STEPS_PER_CHECK 1000000

/* Counts steps and calls the callback once in TED_STEPS_PER_CHECK steps; true means stop. */
static inline bool
ted_interrupted(const TedInterrupt *interrupt, int64_t *steps, int64_t done)
{
	*steps += done;
	if (*steps < TED_STEPS_PER_CHECK)
		return false;
	*steps = 0;
	return interrupt->check != NULL && interrupt->check(interrupt->arg);
}

/*
 * Returns the end of a run of at most TED_STEPS_PER_CHECK steps that starts at `begin`.  Loops with
 * short steps are divided into such runs and call ted_interrupted() between them, not after each
 * step.
 */
static inline int32_t
ted_run_end(int32_t begin, int32_t end)
{
	return end - begin > TED_STEPS_PER_CHECK ? begin + TED_STEPS_PER_CHECK : end;
}

#endif /* TED_CORE_H */
