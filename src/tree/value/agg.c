/*
 * agg.c
 *	  The aggregate tree_agg(), which makes a tree of the rows of an adjacency list.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "tree.h"

/* One input row, a node. */
typedef struct Row
{
	int64 id;
	int64 parent_id;
	int64 position;
	int32 label;  /* label id */
	int32 parent; /* number of the parent's row, or -1; set by LinkParents() */
	bool is_root;
	bool has_position;
} Row;

/*
 * The state of a group: all rows so far, by number, and their labels.  All memory is in the
 * context of the label table.
 */
typedef struct RowSet
{
	MemoryContext context;
	LabelTable *labels;
	Row *rows;
	int32 count;
	int32 capacity;
} RowSet;

/* An entry of the hash table from node ids to row numbers. */
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
#define SH_USE_NONDEFAULT_ALLOCATOR
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* Allocates the entries of the hash table; they count as memory of a builder. */
static inline void *
id_allocate(id_hash *hash, Size bytes)
{
	TreeBuilderReserve(hash->private_data, bytes);
	return AllocZeros(hash->ctx, bytes);
}

/* Frees the entries of the hash table. */
static inline void
id_free(id_hash *hash, void *entries)
{
	(void) hash;
	pfree(entries);
}

/* Orders siblings by position, then by input.  Siblings without a position come last. */
static int
CompareRowSiblings(const RowSet *state, int32 a, int32 b)
{
	const Row *x = &state->rows[a];
	const Row *y = &state->rows[b];

	if (x->has_position != y->has_position)
		return x->has_position ? -1 : 1;
	if (x->has_position && x->position != y->position)
		return x->position < y->position ? -1 : 1;
	return a < b ? -1 : 1;
}

#define ST_SORT SortRowSiblings
#define ST_ELEMENT_TYPE int32
#define ST_COMPARE(a, b, state) CompareRowSiblings(state, *a, *b)
#define ST_COMPARE_ARG_TYPE const RowSet
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DECLARE
#define ST_DEFINE
#include "lib/sort_template.h"

/* Makes the state of a group.  It is small at first, since there may be many groups. */
static RowSet *
CreateRowSet(MemoryContext aggregate_context)
{
	MemoryContext caller = MemoryContextSwitchTo(aggregate_context);
	LabelTable *labels = LabelTableCreate();
	RowSet *state;

	MemoryContextSwitchTo(LabelTableContext(labels));
	state = palloc0_object(RowSet);
	state->context = CurrentMemoryContext;
	state->labels = labels;
	state->capacity = 8;
	state->rows = palloc_array(Row, state->capacity);
	LabelTableLimit(labels, state->context, BUILDING_A_TREE);
	MemoryContextSwitchTo(caller);
	return state;
}

PG_FUNCTION_INFO_V1(tree_agg_transfn);

/* Adds a row: id, parent id, label and optionally position. */
Datum
tree_agg_transfn(PG_FUNCTION_ARGS)
{
	MemoryContext aggregate_context;
	RowSet *state;
	text *label;
	Row *row;

	if (!AggCheckCallContext(fcinfo, &aggregate_context))
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("support function of tree_agg() called outside of an aggregate"),
						errdetail("It keeps its state in the memory of an aggregate."),
						errhint("Use the aggregate tree_agg().")));
	state = PG_ARGISNULL(0) ? CreateRowSet(aggregate_context) : (RowSet *) PG_GETARG_POINTER(0);

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

	RESERVE_COUNTED(state->context, state->rows, state->capacity, state->count + 1,
					BUILDING_A_TREE);
	label = PG_GETARG_TEXT_PP(3);
	CheckLabelLength((int) VARSIZE_ANY_EXHDR(label));

	row = &state->rows[state->count];
	*row = (Row){.id = PG_GETARG_INT64(1),
				 .is_root = PG_ARGISNULL(2),
				 .parent_id = PG_ARGISNULL(2) ? 0 : PG_GETARG_INT64(2),
				 .has_position = PG_NARGS() == 5 && !PG_ARGISNULL(4),
				 .label = LabelTableIntern(state->labels, VARDATA_ANY(label),
										   (int) VARSIZE_ANY_EXHDR(label))};
	if (row->has_position)
		row->position = PG_GETARG_INT64(4);
	state->count++;
	PG_RETURN_POINTER(state);
}

/*
 * Finds the parents of all rows.  Returns the number of the root's row, or -1 without one.
 * Two roots, duplicate ids and orphans raise errors.
 */
static int32
LinkParents(RowSet *state, TreeBuilder *builder)
{
	id_hash *ids = id_create(builder->context, (uint32) state->count, builder);
	int32 root = -1;

	for (int32 i = 0; i < state->count; i++)
	{
		bool found;
		IdEntry *entry = id_insert(ids, state->rows[i].id, &found);

		CHECK_FOR_INTERRUPTS();
		if (found)
			ereport(ERROR, (errcode(ERRCODE_CARDINALITY_VIOLATION),
							errmsg("duplicate node id " INT64_FORMAT, state->rows[i].id),
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
	return root;
}

/*
 * Groups the rows by parent with a counting sort, and sorts siblings.  Sets `rows`: the children of
 * row i are rows[first[i]] to rows[first[i + 1] - 1].  Returns `first`.
 */
static int32 *
SortRowChildren(const RowSet *state, int32 *rows)
{
	int32 *first = AllocZeros(CurrentMemoryContext, sizeof(int32) * ((Size) state->count + 2));

	for (int32 i = 0; i < state->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (state->rows[i].parent >= 0)
			first[state->rows[i].parent + 2]++;
	}
	for (int32 i = 0; i <= state->count; i++)
		first[i + 1] += first[i];

	/* until all children of row i are placed, first[i + 1] is where its next child goes */
	for (int32 i = 0; i < state->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (state->rows[i].parent >= 0)
			rows[first[state->rows[i].parent + 1]++] = i;
	}
	for (int32 i = 0; i < state->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (first[i + 1] - first[i] > 1)
			SortRowSiblings(rows + first[i], (size_t) (first[i + 1] - first[i]), state);
	}
	return first;
}

/* Builds the tree in preorder. */
static void
BuildRowTree(const RowSet *state, int32 root, TreeBuilder *builder)
{
	int32 *rows = palloc_array(int32, state->count);
	int32 *first = SortRowChildren(state, rows);
	int32 *path = palloc_array(int32, state->count); /* row numbers of the open nodes */
	int32 *next = palloc_array(int32, state->count); /* place in `rows` of each node's next child */
	int32 number = root;

	for (;;)
	{
		Label label = LabelTableGet(state->labels, state->rows[number].label);

		CHECK_FOR_INTERRUPTS();
		TreeBuilderOpen(builder, label.bytes, label.length);
		path[builder->depth - 1] = number;
		next[builder->depth - 1] = first[number];
		while (builder->depth > 0 &&
			   next[builder->depth - 1] == first[path[builder->depth - 1] + 1])
			TreeBuilderClose(builder);
		if (builder->depth == 0)
			break;
		number = rows[next[builder->depth - 1]++];
	}
}

/* Raises an error that names a node of a cycle.  The caller knows that there is a cycle. */
static void
ReportCycle(const RowSet *state)
{
	char *seen = palloc0(state->count);

	for (int32 i = 0; i < state->count; i++)
	{
		int32 number = i;

		/* marks a node 1 while walking up from it, 2 once its path is known to end at the root */
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

/* Returns the tree of all rows; NULL without rows. */
Datum
tree_agg_finalfn(PG_FUNCTION_ARGS)
{
	RowSet *state;
	TreeBuilder builder;
	MemoryContext caller;
	int32 root;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (RowSet *) PG_GETARG_POINTER(0);
	caller = MemoryContextSwitchTo(state->context);
	TreeBuilderInit(&builder);
	TreeBuilderCount(&builder, state->context);
	MemoryContextSwitchTo(builder.context);
	root = LinkParents(state, &builder);
	if (root < 0)
		ReportCycle(state);

	/* the arrays of BuildRowTree() */
	TreeBuilderReserve(&builder, 4 * sizeof(int32) * ((Size) state->count + 1));
	BuildRowTree(state, root, &builder);
	if (builder.size < state->count)
		ReportCycle(state);
	MemoryContextSwitchTo(caller);
	PG_RETURN_TREE(TreeBuilderFinish(&builder));
}
