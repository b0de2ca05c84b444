/*
 * team.c
 *	  Processes that build data together, in phases, in memory that they share.
 */
#include "postgres.h"

#include "port/atomics.h"
#include "storage/barrier.h"
#include "utils/wait_event.h"

#include "../../compat.h"
#include "team.h"

/* State in shared memory; each slot has an address for each number. */
struct TeamState
{
	int members;
	Barrier barrier;
	pg_atomic_uint64 taken; /* bytes allocated */
	pg_atomic_uint64 last;  /* last allocation; its header leads to the previous one */
	pg_atomic_uint32 claimed[TEAM_PHASES];
	pg_atomic_uint64 slots[FLEXIBLE_ARRAY_MEMBER];
};

/* Header of an allocation. */
typedef union Taken
{
	uint64 previous; /* the previous allocation */
	char aligned[MAXIMUM_ALIGNOF];
} Taken;

Size
TeamBytes(int members)
{
	return MAXALIGN(offsetof(TeamState, slots) +
					sizeof(pg_atomic_uint64) * TEAM_SLOTS * TEAM_PARTS_PER_MEMBER * (Size) members);
}

/* Initializes the state of a team without results. */
static void
ClearTeam(const Team *team)
{
	TeamState *state = team->state;

	BarrierInit(&state->barrier, 0);
	pg_atomic_init_u64(&state->taken, 0);
	pg_atomic_init_u64(&state->last, InvalidDsaPointer);
	for (int phase = 0; phase < TEAM_PHASES; phase++)
		pg_atomic_init_u32(&state->claimed[phase], 0);
	for (int i = 0; i < TEAM_SLOTS * team->parts; i++)
		pg_atomic_init_u64(&state->slots[i], InvalidDsaPointer);
}

Team *
TeamCreate(void *place, int members)
{
	Team *team;

	((TeamState *) place)->members = members;
	team = TeamAttach(place, 0);
	ClearTeam(team);
	return team;
}

Team *
TeamAttach(void *place, int member)
{
	Team *team = palloc0_object(Team);

	team->state = place;
	team->members = team->state->members;
	team->member = member;
	team->parts = team->members * TEAM_PARTS_PER_MEMBER;
	return team;
}

void
TeamReset(Team *team)
{
	dsa_pointer last = pg_atomic_read_u64(&team->state->last);

	while (DsaPointerIsValid(last))
	{
		dsa_pointer previous = ((Taken *) dsa_get_address(team->area, last))->previous;

		dsa_free(team->area, last);
		last = previous;
	}
	ClearTeam(team);
}

bool
TeamBegin(Team *team)
{
	team->phase = 0;
	team->joined = BarrierAttach(&team->state->barrier);
	return team->joined == 0;
}

int
TeamClaim(Team *team, int parts)
{
	uint32 claimed;

	if (team->phase < team->joined)
		return -1;
	claimed = pg_atomic_fetch_add_u32(&team->state->claimed[team->phase], 1);
	return claimed < (uint32) parts ? (int) claimed : -1;
}

void
TeamMeet(Team *team)
{
	if (team->phase >= team->joined)
		BarrierArriveAndWait(&team->state->barrier, PG_WAIT_EXTENSION);
	team->phase++;
}

void
TeamEnd(Team *team)
{
	BarrierDetach(&team->state->barrier);
}

dsa_pointer
TeamTake(Team *team, Size bytes)
{
	TeamState *state = team->state;
	Size taken = sizeof(Taken) + bytes;
	dsa_pointer pointer = dsa_allocate_extended(team->area, taken, DSA_ALLOC_HUGE);
	Taken *header = dsa_get_address(team->area, pointer);

	header->previous = pg_atomic_read_u64(&state->last);
	while (!pg_atomic_compare_exchange_u64(&state->last, &header->previous, pointer))
		;
	pg_atomic_fetch_add_u64(&state->taken, (int64) taken);
	return pointer + sizeof(Taken);
}

void *
TeamAddress(const Team *team, dsa_pointer pointer)
{
	return dsa_get_address(team->area, pointer);
}

/* Returns the slot entry with a number. */
static pg_atomic_uint64 *
SlotOf(const Team *team, int slot, int number)
{
	return &team->state->slots[slot * team->parts + number];
}

void *
TeamPublish(Team *team, int slot, int number, Size bytes)
{
	dsa_pointer pointer = TeamTake(team, bytes);

	pg_atomic_write_u64(SlotOf(team, slot, number), pointer);
	return TeamAddress(team, pointer);
}

void *
TeamFind(const Team *team, int slot, int number)
{
	dsa_pointer pointer = pg_atomic_read_u64(SlotOf(team, slot, number));

	return DsaPointerIsValid(pointer) ? TeamAddress(team, pointer) : NULL;
}

Size
TeamMemory(const Team *team)
{
	return pg_atomic_read_u64(&team->state->taken);
}
