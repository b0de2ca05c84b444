/*
 * team.h
 *	  Processes that build something together, in phases, in memory that all of them see.
 *
 * A phase has parts, each of which is claimed and done by one process.  When all parts are
 * done, the processes meet; then each can use what the others have made.  A process that
 * comes late takes part in the remaining phases only.
 *
 * What is made is found by a slot and a number.  As in a parallel hash join, no process may
 * wait for one that delivers rows: no member delivers any before the last phase has ended.
 */
#ifndef TED_TEAM_H
#define TED_TEAM_H

#include "postgres.h"

#include "utils/dsa.h"

/* A process's hold on its team. */
typedef struct Team Team;

/* The most phases, and the slots, whose meaning is up to who builds. */
#define TEAM_PHASES 12
#define TEAM_SLOTS 16

/* Parts of a phase for each member: enough of them that no member waits long for another. */
#define TEAM_PARTS_PER_MEMBER 4

/*
 * Bytes of shared memory for a team of some processes; the leader prepares it, others attach
 * to it.  Members have numbers from 0, and the leader is the first one.
 */
extern Size TeamBytes(int members);
extern Team *TeamCreate(void *place, int members);
extern Team *TeamAttach(void *place, int member);

/* Sets the area from which a process takes memory, before all that follows. */
extern void TeamUse(Team *team, dsa_area *area);

/* Gives all memory back, for another run, while this process is alone. */
extern void TeamReset(Team *team);

/* The most members, the number of this one, and the usual number of parts of a phase. */
extern int TeamMembers(const Team *team);
extern int TeamMember(const Team *team);
extern int TeamParts(const Team *team);

/* Joins the others; returns whether the first phase is still under way. */
extern bool TeamBegin(Team *team);

/* The next part of the phase, of this number of parts; -1 where none is left. */
extern int TeamClaim(Team *team, int parts);

/* Ends the phase: waits until all parts are done.  After the last one, leaves the team. */
extern void TeamMeet(Team *team);
extern void TeamEnd(Team *team);

/* Takes memory that all members see, aligned for any type; finds the address of such memory. */
extern dsa_pointer TeamTake(Team *team, Size bytes);
extern void *TeamAddress(const Team *team, dsa_pointer pointer);

/* Memory of a slot and a number: takes it, or finds it; NULL where there is none. */
extern void *TeamPublish(Team *team, int slot, int number, Size bytes);
extern void *TeamFind(const Team *team, int slot, int number);

/* Memory that all members have taken. */
extern Size TeamMemory(const Team *team);

#endif /* TED_TEAM_H */
