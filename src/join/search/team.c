/*
 * team.c
 *	  Processes that build something together, in phases, in memory that all of them see.
 */
#include "postgres.h"

#include "port/atomics.h"
#include "storage/barrier.h"
#include "utils/wait_event.h"

#include "../../compat.h"
#include "team.h"

/* In shared memory; the slots follow, each with a pointer by number. */
typedef struct TeamState
{
	int members;
	Barrier barrier;
	pg_atomic_uint64 taken; /* bytes */
	pg_atomic_uint64 last;  /* the memory taken last, each of which leads to the one before */
	pg_atomic_uint32 claimed[TEAM_PHASES];
	pg_atomic_uint64 slots[FLEXIBLE_ARRAY_MEMBER];
} TeamState;

/* Before memory that was taken. */
typedef union Taken
{
	uint64 previous; /* the memory that was taken before it */
	char aligned[MAXIMUM_ALIGNOF];
} Taken;

struct Team
{
	TeamState *state;
	int member;
	dsa_area *area;
	int phase;
	int joined; /* the phase from which on this process takes part */
};

/* Parts of a phase in a team of some members. */
static int
PartsOf(int members)
{
	return members * TEAM_PARTS_PER_MEMBER;
}

/* Bytes of shared memory for a team. */
Size
TeamBytes(int members)
{
	return MAXALIGN(offsetof(TeamState, slots) +
					sizeof(pg_atomic_uint64) * TEAM_SLOTS * (Size) PartsOf(members));
}

/* Starts with nothing made. */
static void
ClearTeam(TeamState *state)
{
	BarrierInit(&state->barrier, 0);
	pg_atomic_init_u64(&state->taken, 0);
	pg_atomic_init_u64(&state->last, InvalidDsaPointer);
	for (int phase = 0; phase < TEAM_PHASES; phase++)
		pg_atomic_init_u32(&state->claimed[phase], 0);
	for (int i = 0; i < TEAM_SLOTS * PartsOf(state->members); i++)
		pg_atomic_init_u64(&state->slots[i], InvalidDsaPointer);
}

/* Prepares the shared memory. */
Team *
TeamCreate(void *place, int members)
{
	Team *team = TeamAttach(place, 0);

	team->state->members = members;
	ClearTeam(team->state);
	return team;
}

/* Attaches to it. */
Team *
TeamAttach(void *place, int member)
{
	Team *team = palloc0_object(Team);

	team->state = place;
	team->member = member;
	return team;
}

/* Lets a process take memory. */
void
TeamUse(Team *team, dsa_area *area)
{
	team->area = area;
}

/* Gives all memory back. */
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
	ClearTeam(team->state);
}

/* The most members. */
int
TeamMembers(const Team *team)
{
	return team->state->members;
}

/* The number of this one. */
int
TeamMember(const Team *team)
{
	return team->member;
}

/* The usual number of parts of a phase. */
int
TeamParts(const Team *team)
{
	return PartsOf(team->state->members);
}

/* Joins the others. */
bool
TeamBegin(Team *team)
{
	team->phase = 0;
	team->joined = BarrierAttach(&team->state->barrier);
	return team->joined == 0;
}

/* The next part of the phase. */
int
TeamClaim(Team *team, int parts)
{
	uint32 claimed;

	if (team->phase < team->joined)
		return -1;
	claimed = pg_atomic_fetch_add_u32(&team->state->claimed[team->phase], 1);
	return claimed < (uint32) parts ? (int) claimed : -1;
}

/* Ends the phase. */
void
TeamMeet(Team *team)
{
	if (team->phase >= team->joined)
		BarrierArriveAndWait(&team->state->barrier, PG_WAIT_EXTENSION);
	team->phase++;
}

/* Leaves the team. */
void
TeamEnd(Team *team)
{
	BarrierDetach(&team->state->barrier);
}

/* Takes memory that all members see. */
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

/* The address of such memory. */
void *
TeamAddress(const Team *team, dsa_pointer pointer)
{
	return dsa_get_address(team->area, pointer);
}

/* The pointer of a slot and a number. */
static pg_atomic_uint64 *
SlotOf(const Team *team, int slot, int number)
{
	return &team->state->slots[slot * PartsOf(team->state->members) + number];
}

/* Takes memory of a slot and a number. */
void *
TeamPublish(Team *team, int slot, int number, Size bytes)
{
	dsa_pointer pointer = TeamTake(team, bytes);

	pg_atomic_write_u64(SlotOf(team, slot, number), pointer);
	return TeamAddress(team, pointer);
}

/* Finds it. */
void *
TeamFind(const Team *team, int slot, int number)
{
	dsa_pointer pointer = pg_atomic_read_u64(SlotOf(team, slot, number));

	return DsaPointerIsValid(pointer) ? TeamAddress(team, pointer) : NULL;
}

/* Memory that all members have taken. */
Size
TeamMemory(const Team *team)
{
	return pg_atomic_read_u64(&team->state->taken);
}
