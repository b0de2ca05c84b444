/*
 * shared_strings.c
 *	  The distinct strings that the members of a team have read, and the index in which a threshold
 *	  join finds them; all members build it together.
 */
#include "postgres.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "shared_strings.h"

/* Returns a string in the memory of the team. */
static LcsString
ViewString(const StoredString *stored)
{
	return (LcsString){stored + 1, stored->length, stored->symbol_bytes};
}

/* The strings that a member has published, for the core. */
typedef struct MemberStrings
{
	const Team *team;
	const dsa_pointer *strings;
} MemberStrings;

/* Returns a string of a member, by its number. */
static LcsString
MemberString(const void *arg, int32_t number)
{
	const MemberStrings *member = arg;

	return ViewString(TeamAddress(member->team, member->strings[number]));
}

/* Numbers the elements of a member's strings, and sets the strings' sort keys. */
static void
DescribeStrings(void *arg, int member, const dsa_pointer *strings, int32 count, DocumentKey *keys)
{
	const SharedStrings *shared = arg;

	if (shared->labels != NULL)
	{
		int32 *ids = SharedLabelIds(shared->labels, member);

		/* replace the symbols by the common numbers of elements */
		for (int32 i = 0; i < count; i++)
		{
			StoredString *string = TeamAddress(shared->team, strings[i]);
			uint32 *symbol = (uint32 *) (string + 1);

			CheckInterrupts();
			Assert(string->symbol_bytes == sizeof(uint32));
			for (int32 x = 0; x < string->length; x++)
				symbol[x] = (uint32) ids[symbol[x]];
		}
		pfree(ids);
	}
	for (int32 i = 0; i < count; i++)
	{
		LcsString string = ViewString(TeamAddress(shared->team, strings[i]));

		CheckInterrupts();
		keys[i].size = string.length;
		keys[i].hash = HashString(&string);
	}
	if (SharedDocumentsPublished(shared->team) >= LCS_LEAST_BLOCK_STRINGS)
	{
		MemberStrings of_member = {shared->team, strings};
		int32 *cells = TeamPublish(shared->team, TEAM_CELLS, member, sizeof(int32) * LCS_CELLS);
		TedArena arena;

		/* count, for each feature cell, the strings that have it */
		memset(cells, 0, sizeof(int32) * LCS_CELLS);
		ArenaInit(&arena, lcs_feature_sets_memory());
		CheckStatus(lcs_count_cells(lcs_take_feature_sets(&arena),
									&(LcsStrings){MemberString, &of_member}, count, cells,
									&PgInterrupt));
		pfree(arena.base);
	}
}

/* Whether two strings are equal. */
static bool
AreEqualStrings(const void *a, const void *b)
{
	LcsString string_a = ViewString(a);
	LcsString string_b = ViewString(b);

	return EqualStrings(&string_a, &string_b);
}

/* Counts a string of this length for the index. */
static void
CountString(void *counted, int32 length)
{
	lcs_count_string(counted, length);
}

/* Returns the string at a place, for the core. */
static LcsString
StringAtPlace(const void *shared, int32_t place)
{
	return SharedString(shared, place);
}

/* Makes this process's feature sets from the counts of all members. */
static LcsFeatureSets *
MakeFeatureSets(const Team *team)
{
	int32 *cells = AllocZeros(CurrentMemoryContext, sizeof(int32) * LCS_CELLS);
	TedArena arena;
	TedArena scratch;
	LcsFeatureSets *sets;

	for (int member = 0; member < team->members; member++)
	{
		const int32 *counted = TeamFind(team, TEAM_CELLS, member);

		for (int32 i = 0; counted != NULL && i < LCS_CELLS; i++)
			cells[i] = (int32) Min((int64) cells[i] + counted[i], PG_INT32_MAX);
	}
	ArenaInit(&arena, lcs_feature_sets_memory());
	ArenaInit(&scratch, lcs_deal_cells_memory());
	sets = lcs_take_feature_sets(&arena);
	CheckStatus(lcs_deal_cells(sets, cells, &scratch, &PgInterrupt));
	pfree(scratch.base);
	pfree(cells);
	return sets;
}

/* Computes the addresses of the array of all strings, and of their index. */
static void
ViewReserved(SharedStrings *shared, LcsLeast least)
{
	Team *team = shared->team;
	LcsIndexedStrings *counted = TeamFind(team, TEAM_STRING_INDEX, 0);
	TedArena arena = ted_arena_in((char *) (counted + 1), lcs_index_arrays_memory(counted));

	shared->count = SharedDocumentsFirst(team, team->parts);
	shared->strings = TeamFind(team, TEAM_STRINGS, 0);
	shared->order = TeamFind(team, TEAM_STRING_ORDER, 0);
	shared->counted = *counted;
	shared->index = (LcsCandidateIndex){
		.strings = {StringAtPlace, shared}, .number = shared->order, .least = least};
	CheckStatus(lcs_index_arrays(&shared->index, counted, &arena));
	if (shared->index.shorter > 0)
		shared->index.sets = MakeFeatureSets(team);
}

/* Puts a string at its place, which is also its initial rank. */
static void
PlaceString(void *arg, int32 place, dsa_pointer string)
{
	const SharedStrings *shared = arg;

	shared->strings[place] = (PlacedString){
		*(const StoredString *) TeamAddress(shared->team, string), string + sizeof(StoredString)};
	shared->order[place] = place;
}

/*
 * Divides the strings of each length; strings of one frequent length are shared by the processes.
 */
static void
DivideAll(SharedStrings *shared)
{
	Team *team = shared->team;
	int32 most = shared->index.shorter / team->members + 1;
	int claimed = TeamClaim(team, PG_INT32_MAX);
	int32 end;

	for (int32 first = 0, number = 0; claimed >= 0 && first < shared->index.shorter;
		 first = end, number++)
	{
		int32 rest = lcs_length_end(&shared->index, first) - first;
		int32 pieces = (rest - 1) / most + 1;

		end = first + (rest - 1) / pieces + 1;
		if (number != claimed)
			continue;
		CheckStatus(lcs_divide(&shared->index, first, end, &PgInterrupt));
		claimed = TeamClaim(team, PG_INT32_MAX);
	}
	TeamMeet(team);
}

SharedStrings *
SharedStringsBuild(Team *team, const LabelTable *labels, LcsLeast least)
{
	static const SharedKind kind = {DescribeStrings, AreEqualStrings};
	SharedStrings *shared = palloc0_object(SharedStrings);
	int claimed;
	int blocks;
	LcsBlock *scratch;

	shared->team = team;
	if (labels != NULL)
		shared->labels = SharedLabelsBuild(team, labels);
	SharedDocumentsMerge(team, &kind, shared);
	if (TeamClaim(team, 1) == 0)
	{
		Size count = (Size) SharedDocumentsFirst(team, team->parts);
		LcsIndexedStrings counted = {0};
		LcsIndexedStrings *published;

		/* allocate the array of all strings, and their index */
		for (int part = 0; part < team->parts; part++)
			SharedDocumentsSizes(team, part, CountString, &counted);
		TeamPublish(team, TEAM_STRINGS, 0, sizeof(PlacedString) * count);
		TeamPublish(team, TEAM_STRING_ORDER, 0, sizeof(int32) * count);
		published = TeamPublish(team, TEAM_STRING_INDEX, 0,
								sizeof(LcsIndexedStrings) + lcs_index_arrays_memory(&counted) +
									TED_ARENA_ALIGN);
		*published = counted;
	}
	TeamMeet(team);
	ViewReserved(shared, least);

	/* describe the strings of the parts that this process claims */
	while (claimed = TeamClaim(team, team->parts), claimed >= 0)
	{
		SharedDocumentsPlace(team, claimed, PlaceString, shared);
		CheckStatus(lcs_describe(&shared->index, SharedDocumentsFirst(team, claimed),
								 SharedDocumentsFirst(team, claimed + 1), &PgInterrupt));
	}
	TeamMeet(team);

	DivideAll(shared);
	if (TeamClaim(team, 1) == 0)
		lcs_lay_out(&shared->index, NULL);
	TeamMeet(team);

	/* complete the blocks that this process claims */
	blocks = (int) lcs_block_count(shared->index.shorter);
	scratch = palloc(sizeof(LcsBlock));
	while (claimed = TeamClaim(team, blocks), claimed >= 0)
		CheckStatus(
			lcs_complete_blocks(&shared->index, claimed, claimed + 1, scratch, &PgInterrupt));
	pfree(scratch);
	TeamMeet(team);
	return shared;
}
