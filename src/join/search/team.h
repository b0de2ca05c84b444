/*
 * team.h
 *	  Processes that build data together, in phases, in memory that they share.
 *
 * A phase has parts, each of which one process claims and does.  When all parts are done, the
 * processes meet; then each can use the results of the others.  A process that comes late only
 * takes part in the remaining phases.
 *
 * Results are found by a slot and a number.  As in a parallel hash join, no process may wait for
 * one that delivers rows: no member delivers rows before the last phase has ended.
 */
#ifndef TED_TEAM_H
#define TED_TEAM_H

#include "postgres.h"

#include "utils/dsa.h"

/* State in shared memory, see team.c. */
typedef struct TeamState TeamState;

/* A process's handle of its team. */
typedef struct Team
{
	TeamState *state;
	int members;    /* the most members; they are numbered from 0, which is the leader */
	int member;     /* the number of this one */
	int parts;      /* the usual number of parts of a phase */
	dsa_area *area; /* where this process allocates memory; to be set before TeamBegin() */
	int phase;
	int joined; /* first phase in which this process takes part */
} Team;

/* The most phases; the number of slots, whose meaning is defined by the data that are built. */
#define TEAM_PHASES 12
#define TEAM_SLOTS 16

/* Parts of a phase for each member; with this number, no member waits long for another. */
#define TEAM_PARTS_PER_MEMBER 4

/*
 * Bytes returns the size of the shared memory of a team; the leader creates the team there, and
 * others attach to it.
 */
extern Size TeamBytes(int members);
extern Team *TeamCreate(void *place, int members);
extern Team *TeamAttach(void *place, int member);

/* Frees all memory for another run, while this process is alone. */
extern void TeamReset(Team *team);

/* Joins the team; returns whether the first phase is still under way. */
extern bool TeamBegin(Team *team);

/* Claims the next of `parts` parts of the phase; returns -1 if none is left. */
extern int TeamClaim(Team *team, int parts);

/*
 * Meet ends the phase: it waits until all parts are done.  End leaves the team after the last
 * phase.
 */
extern void TeamMeet(Team *team);
extern void TeamEnd(Team *team);

/* Allocates memory that all members share, aligned for any type; returns its address here. */
extern dsa_pointer TeamTake(Team *team, Size bytes);
extern void *TeamAddress(const Team *team, dsa_pointer pointer);

/* Allocates the memory of a slot and a number; finds it, or returns NULL if there is none. */
extern void *TeamPublish(Team *team, int slot, int number, Size bytes);
extern void *TeamFind(const Team *team, int slot, int number);

/* Returns the bytes that all members have allocated. */
extern Size TeamMemory(const Team *team);

#endif /* TED_TEAM_H */
