/*
 * agg.c
 *	  The aggregate tree_agg(): a tree from the rows of an adjacency list.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "tree.h"

/* One row. */
typedef struct Row
{
	int64 id;
	int64 parent_id;
	bool is_root;
	bool has_position;
	int64 position;
	int32 label;  /* id */
	int32 parent; /* number of the parent's row, once known */
	int32 number; /* of the row, in the order of input */
} Row;

/* All rows so far. */
typedef struct RowSet
{
	MemoryContext context;
	LabelTable *labels;
	Row *rows;
	int32 count;
	int32 capacity;
} RowSet;

typedef struct IdEntry
{
	int64 id;
	int32 number;
	char status;
} IdEntry;

#define SH_PREFIX id
#define SH_ELEMENT_TYPE IdEntry
#define SH_KEY_TYPE int64
#define SH_KEY id
#define SH_HASH_KEY(tb, key) hash_bytes((const unsigned char *) &(key), sizeof(int64))
#define SH_EQUAL(tb, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* Orders siblings by position, those without one last, and then by input. */
static int
CompareRows(const Row *a, const Row *b)
{
	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->has_position != b->has_position)
		return a->has_position ? -1 : 1;
	if (a->has_position && a->position != b->position)
		return a->position < b->position ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

#define ST_SORT SortRows
#define ST_ELEMENT_TYPE Row
#define ST_COMPARE(a, b) CompareRows(a, b)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Starts the state of a group, in little memory: there may be many groups. */
static RowSet *
CreateState(MemoryContext aggregate_context)
{
	MemoryContext context =
		AllocSetContextCreate(aggregate_context, "tree_agg", ALLOCSET_SMALL_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	RowSet *state = palloc0_object(RowSet);

	state->context = context;
	state->labels = LabelTableCreate();
	state->capacity = 8;
	state->rows = palloc_array(Row, state->capacity);
	MemoryContextSwitchTo(caller);
	return state;
}

PG_FUNCTION_INFO_V1(tree_agg_transfn);

/* Adds a row: id, parent_id, label and, if given, position. */
Datum
tree_agg_transfn(PG_FUNCTION_ARGS)
{
	MemoryContext aggregate_context;
	RowSet *state;
	text *label;
	Row *row;

	if (!AggCheckCallContext(fcinfo, &aggregate_context))
		elog(ERROR, "tree_agg_transfn called outside of an aggregate");
	state = PG_ARGISNULL(0) ? CreateState(aggregate_context) : (RowSet *) PG_GETARG_POINTER(0);

	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("id of a node must not be null"),
				 errdetail("The parent id is null for the root only, the id never."),
				 errhint("Leave out such rows with a FILTER clause.")));
	if (PG_ARGISNULL(3))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("label of a node must not be null"),
						errdetail("Node " INT64_FORMAT " has no label.", PG_GETARG_INT64(1)),
						errhint("Use coalesce() to give it one; it may be empty.")));
	if (state->count == TREE_MAX_NODES)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("tree has too many nodes"),
						errdetail("A tree can have at most %d nodes.", TREE_MAX_NODES),
						errhint("Use GROUP BY to build smaller trees.")));

	if (state->count == state->capacity)
	{
		state->capacity *= 2;
		state->rows = repalloc_huge(state->rows, sizeof(Row) * (Size) state->capacity);
	}
	label = PG_GETARG_TEXT_PP(3);
	CheckLabelLength((int) VARSIZE_ANY_EXHDR(label));

	row = &state->rows[state->count];
	*row = (Row){.id = PG_GETARG_INT64(1),
				 .is_root = PG_ARGISNULL(2),
				 .parent_id = PG_ARGISNULL(2) ? 0 : PG_GETARG_INT64(2),
				 .has_position = PG_NARGS() == 5 && !PG_ARGISNULL(4),
				 .label = LabelTableIntern(state->labels, VARDATA_ANY(label),
										   (int) VARSIZE_ANY_EXHDR(label)),
				 .number = state->count};
	if (row->has_position)
		row->position = PG_GETARG_INT64(4);
	state->count++;
	PG_RETURN_POINTER(state);
}

/* Finds the parents of all rows and checks that no two of them are roots. */
static void
LinkParents(RowSet *state)
{
	id_hash *ids = id_create(CurrentMemoryContext, (uint32) state->count, NULL);
	int32 root = -1;

	for (int32 i = 0; i < state->count; i++)
	{
		bool found;
		IdEntry *entry = id_insert(ids, state->rows[i].id, &found);

		CHECK_FOR_INTERRUPTS();
		if (found)
			ereport(ERROR, (errcode(ERRCODE_CARDINALITY_VIOLATION),
							errmsg("node " INT64_FORMAT " occurs twice", state->rows[i].id),
							errdetail("An id names one node of a tree."),
							errhint("Use GROUP BY where the rows belong to several trees.")));
		entry->number = i;
	}
	for (int32 i = 0; i < state->count; i++)
	{
		Row *row = &state->rows[i];
		IdEntry *entry;

		CHECK_FOR_INTERRUPTS();
		if (row->is_root)
		{
			if (root >= 0)
				ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("tree has two roots"),
								errdetail("Nodes " INT64_FORMAT " and " INT64_FORMAT
										  " both have no parent.",
										  state->rows[root].id, row->id),
								errhint("Use GROUP BY where the rows belong to several trees.")));
			root = i;
			row->parent = -1;
			continue;
		}
		entry = id_lookup(ids, row->parent_id);
		if (entry == NULL)
			ereport(ERROR,
					(errcode(ERRCODE_DATA_EXCEPTION),
					 errmsg("node " INT64_FORMAT " is an orphan", row->id),
					 errdetail("There is no node " INT64_FORMAT ", its parent.", row->parent_id),
					 errhint("Add the parent, or set the parent id of the root to null.")));
		row->parent = entry->number;
	}
	id_destroy(ids);
}

/*
 * Builds the tree from rows sorted by parent.  first[i] is where the children
 * of row number i begin among them, first[i + 1] where they end.
 */
static void
BuildTree(const RowSet *state, const Row *sorted, int32 *first, TreeBuilder *builder)
{
	int32 *path = palloc_array(int32, state->count); /* numbers of the open nodes */
	int32 *next = palloc_array(int32, state->count); /* their next children in sorted */
	int32 child = 0;                                 /* the root is the first of all */

	for (;;)
	{
		const Row *row = &sorted[child];
		Label label = LabelTableGet(state->labels, row->label);

		CHECK_FOR_INTERRUPTS();
		TreeBuilderOpen(builder, label.bytes, label.length);
		path[builder->depth - 1] = row->number;
		next[builder->depth - 1] = first[row->number];
		while (builder->depth > 0 &&
			   next[builder->depth - 1] == first[path[builder->depth - 1] + 1])
			TreeBuilderClose(builder);
		if (builder->depth == 0)
			break;
		child = next[builder->depth - 1]++;
	}
}

/* Names a node of a cycle, which there is, by walking up until a node comes again. */
static void
ReportCycle(const RowSet *state)
{
	char *seen = palloc0(state->count);

	for (int32 i = 0; i < state->count; i++)
	{
		int32 number = i;

		/* mark the path upwards with 1 while walking, with 2 once it is known to end at the root */
		while (number >= 0 && seen[number] == 0)
		{
			CHECK_FOR_INTERRUPTS();
			seen[number] = 1;
			number = state->rows[number].parent;
		}
		if (number >= 0 && seen[number] == 1)
			ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("tree has a cycle"),
							errdetail("Node " INT64_FORMAT " is its own ancestor.",
									  state->rows[number].id),
							errhint("Correct the parent id of one of the nodes of the cycle.")));
		for (number = i; number >= 0 && seen[number] == 1; number = state->rows[number].parent)
			seen[number] = 2;
	}
}

PG_FUNCTION_INFO_V1(tree_agg_finalfn);

/* Makes the tree of all rows. */
Datum
tree_agg_finalfn(PG_FUNCTION_ARGS)
{
	RowSet *state;
	TreeBuilder builder;
	Row *sorted;
	int32 *first;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (RowSet *) PG_GETARG_POINTER(0);
	LinkParents(state);
	sorted = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(Row) * (Size) state->count);
	memcpy(sorted, state->rows, sizeof(Row) * (Size) state->count);
	SortRows(sorted, (size_t) state->count);
	if (sorted[0].parent >= 0)
		ReportCycle(state);

	first = palloc0_array(int32, state->count + 1);
	for (int32 i = 0, child = 1; i <= state->count; i++)
	{
		while (child < state->count && sorted[child].parent < i)
			child++;
		first[i] = child;
	}

	TreeBuilderInit(&builder);
	BuildTree(state, sorted, first, &builder);
	if (builder.size < state->count)
		ReportCycle(state);
	PG_RETURN_TREE(TreeBuilderFinish(&builder));
}
