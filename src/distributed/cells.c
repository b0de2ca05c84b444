/*
 * cells.c
 *	  Joins over several servers: assigns documents to cells so that two matching documents share a
 *	  cell, sends documents to the servers that join cells, and returns the matches.
 *
 * A tree belongs to the cells of the pairs of nodes that it shares with other trees
 * (label_pairs.h): in any order of nodes, two trees within k operations share two of the first k +
 * 2 nodes of either.  Each pair of nodes that several trees have is assigned to a cell, preferably
 * to one that the tree has already (streaming graph partitioning; Stanton and Kliot, KDD 2012).
 * Near copies share most of their pairs, so most trees belong to one cell; trees that share no pair
 * belong to none.  With more operations, single nodes take the place of pairs (Vernica, Carey and
 * Li, SIGMOD 2010).  Servers that have the trees count labels and list rarest nodes; one server
 * assigns pairs to cells, and sends this rule back.  Other documents, and trees whose threshold
 * allows very many operations, belong to cells by their sizes and by hashes.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "executor/spi.h"
#include "executor/tstoreReceiver.h"
#include "fmgr.h"
#include "funcapi.h"
#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "storage/buffile.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/guc.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/pg_locale.h"
#include "utils/typcache.h"

#include "../catalog/row_type.h"
#include "../common/host.h"
#include "../common/messages.h"
#include "../compat.h"
#include "../core/common/hash.h"
#include "../core/tree/filters/label_pairs.h"
#include "../join/cells/cell_rule.h"
#include "../join/output/pairs.h"
#include "../join/search/search.h"
#include "../tree/value/tree.h"

/* The most operations for which trees belong to cells by their nodes. */
#define MOST_OPERATIONS MOST_KEYED_OPERATIONS

/* The most nodes, and the most keys, of a tree; keys are nodes or pairs of nodes. */
#define MOST_NODES (MOST_OPERATIONS + 1)
#define MOST_KEYS 28

StaticAssertDecl(MOST_KEYS >= MOST_NODES &&
					 MOST_KEYS >= (TED_LABEL_PAIRS_LIMIT + 2) * (TED_LABEL_PAIRS_LIMIT + 1) / 2,
				 "pairs of rarest nodes have room");

/* Nodes added to small trees: two small trees may match without a common node. */
#define SMALL_TREE_NODES 2

/* A cell takes no new keys when it has more than this multiple of the average number of trees. */
#define LARGEST_CELL 1.1

/* The cell of each 64-bit key, in a hash table. */
typedef struct CellRule
{
	int32 cells;
	int32 max_distance;
	int32 bits;                          /* log2 of the number of slots */
	int32 loads[MOST_CELLS];             /* trees of each cell */
	int32 counts[LABEL_COUNTS];          /* trees with each label, by hash of the label */
	uint32 slots[FLEXIBLE_ARRAY_MEMBER]; /* bits of a key and its cell, from 1; 0 if free */
} CellRule;

#define SLOT_CELL_BITS 8
#define SLOT_CELL(slot) ((int) ((slot) & ((1 << SLOT_CELL_BITS) - 1)))

/* In place of a cell, while a rule is made: whether one or several trees have the key. */
enum
{
	SEEN_ONCE = 1,
	SEEN_AGAIN
};

/* The most bits of the number of slots. */
#define MOST_SLOT_BITS 31

/* Names the computation in errors about memory. */
#define PLANNING_A_JOIN "planning a join over several servers"

/* Integers that describe a cell by document sizes. */
enum
{
	CELL_LOW,   /* least size of documents in the cell */
	CELL_REACH, /* upper limit of sizes, exclusive */
	CELL_PARTS, /* number of parts into which hashes divide documents */
	CELL_PART,  /* number of one part in the cell; CELL_OTHER is that of another */
	CELL_OTHER,
	CELL_INTEGERS
};

/* Raises an error for an argument that no function of this extension passes. */
static void
InvalidArgument(const char *what)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid %s of a join", what),
					errhint("Call tree_within_pairs_distributed() or "
							"lcs_similar_pairs_distributed(), which call this function.")));
}

/* Raises an error for trees of which `what` would take more than 1 GB. */
static void
TooManyTrees(const char *what)
{
	ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
					errmsg("too many trees in a join over several servers"),
					errdetail("%s would take more than 1 GB.", what),
					errhint("Join parts of the table, by \"others\".")));
}

/* Raises an error if the ids or matches of a cell may take more than 1 GB with `more` bytes. */
static void
CheckCellBytes(const StringInfoData *bytes, Size more, const char *what)
{
	if ((Size) bytes->len + more > MaxAllocSize)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("similarity join of a cell has too many %s", what),
						errdetail("They may take 1 GB."), errhint("Use more cells.")));
}

/* Returns the integers of an array, without a copy. */
static const int32 *
ReadIntegers(ArrayType *array, int *count)
{
	if (ARR_ELEMTYPE(array) != INT4OID || array_contains_nulls(array))
		InvalidArgument("array");
	*count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	return (const int32 *) ARR_DATA_PTR(array);
}

/* Makes an array of integers. */
static Datum
MakeIntegers(const int32 *integers, int count)
{
	Datum *values = palloc_array(Datum, Max(count, 1));

	for (int i = 0; i < count; i++)
		values[i] = Int32GetDatum(integers[i]);
	return PointerGetDatum(construct_array(values, count, INT4OID, 4, true, TYPALIGN_INT));
}

/* Returns the label counts in a value. */
static int32 *
ReadCounts(bytea *value)
{
	if (VARSIZE_ANY_EXHDR(value) != LABEL_COUNTS * sizeof(int32))
		InvalidArgument("count");
	return (int32 *) VARDATA(value);
}

/* Returns the state of an aggregate of label counts, which may be modified; a new one at first. */
static bytea *
CountsState(FunctionCallInfo fcinfo)
{
	MemoryContext context;
	bool own = AggCheckCallContext(fcinfo, &context) != 0;
	MemoryContext caller = MemoryContextSwitchTo(own ? context : CurrentMemoryContext);
	bytea *state;

	if (PG_ARGISNULL(0))
	{
		state = palloc0(VARHDRSZ + LABEL_COUNTS * sizeof(int32));
		SET_VARSIZE(state, VARHDRSZ + LABEL_COUNTS * sizeof(int32));
	}
	else
		state = own ? PG_GETARG_BYTEA_P(0) : PG_GETARG_BYTEA_P_COPY(0);
	MemoryContextSwitchTo(caller);
	return state;
}

PG_FUNCTION_INFO_V1(ted_label_counts_transfn);

/* Adds the labels of a tree to the counts. */
Datum
ted_label_counts_transfn(PG_FUNCTION_ARGS)
{
	bytea *state = CountsState(fcinfo);

	if (!PG_ARGISNULL(1))
		CountTreeLabels(ReadCounts(state), &TreeDocuments, PG_GETARG_DATUM(1));
	PG_RETURN_BYTEA_P(state);
}

PG_FUNCTION_INFO_V1(ted_label_counts_combine);

/* Adds two states of label counts. */
Datum
ted_label_counts_combine(PG_FUNCTION_ARGS)
{
	bytea *state = CountsState(fcinfo);
	int32 *counts = ReadCounts(state);

	if (!PG_ARGISNULL(1))
	{
		const int32 *more = ReadCounts(PG_GETARG_BYTEA_P(1));

		for (int i = 0; i < LABEL_COUNTS; i++)
			counts[i] = (int32) Min((int64) counts[i] + more[i], PG_INT32_MAX);
	}
	PG_RETURN_BYTEA_P(state);
}

/* Returns the number of rarest nodes that a tree needs for a distance. */
static int
NodesNeeded(int32 max_distance)
{
	if (max_distance < 0 || max_distance > MOST_OPERATIONS)
		InvalidArgument("distance");
	return max_distance + (max_distance <= TED_LABEL_PAIRS_LIMIT ? 2 : 1);
}

/* Finds the rarest nodes of a tree, as hashes; returns their number. */
static int
RarestNodes(const int32 *counts, int32 max_distance, Datum tree, uint32 node[MOST_NODES])
{
	TedLabelFrequencies frequencies = {.count = counts, .mask = LABEL_COUNTS - 1};
	int needed = NodesNeeded(max_distance);
	int32 *label;
	int32 *occurrence;
	int32 nodes = TreeDocuments.list_nodes(tree, &label, &occurrence);
	int32 count;

	CheckStatus(ted_rarest_nodes(label, occurrence, nodes, &frequencies, needed, &PgInterrupt, node,
								 &count));
	for (uint32 i = 0; i < SMALL_TREE_NODES && count < needed; i++)
		node[count++] = i;
	return count;
}

PG_FUNCTION_INFO_V1(ted_rare_tree_nodes);

/* Returns the rarest nodes of a tree, as hashes. */
Datum
ted_rare_tree_nodes(PG_FUNCTION_ARGS)
{
	uint32 node[MOST_NODES];
	int count =
		RarestNodes(ReadCounts(PG_GETARG_BYTEA_P(1)), PG_GETARG_INT32(2), PG_GETARG_DATUM(0), node);

	return MakeIntegers((const int32 *) node, count);
}

/* Computes the keys of a tree from its rarest nodes; returns their number. */
static int
KeysOfNodes(int32 max_distance, const uint32 *node, int nodes, uint64 key[MOST_KEYS])
{
	int count = 0;

	for (int i = 0; i < nodes; i++)
		if (max_distance > TED_LABEL_PAIRS_LIMIT)
			key[count++] = (node[i] + UINT64CONST(1)) * TED_HASH_STEP;
		else
			for (int j = 0; j < i; j++)
				key[count++] = ((uint64) node[i] + node[j] + 1) * TED_HASH_STEP;
	return count;
}

/* Returns the slot of a key, or a free slot for it; NULL if the table is full. */
static uint32 *
FindSlot(uint32 *slots, int bits, uint64 key)
{
	uint32 mask = ((uint32) 1 << bits) - 1;
	uint32 tag = (uint32) (key >> 8) >> SLOT_CELL_BITS;

	for (uint32 i = 0; i <= mask; i++)
	{
		uint32 *slot = &slots[((uint32) (key >> (64 - bits)) + i) & mask];

		if (*slot == 0 || *slot >> SLOT_CELL_BITS == tag)
			return slot;
	}
	return NULL;
}

/* Stores the cell of a key in its slot. */
static void
FillSlot(uint32 *slot, uint64 key, int cell)
{
	*slot = (uint32) (key >> 8) >> SLOT_CELL_BITS << SLOT_CELL_BITS | (uint32) cell;
}

/* Returns log2 of the number of slots for a number of keys. */
static int
SlotBits(int64 keys)
{
	int bits = 10;

	while (bits < MOST_SLOT_BITS && (INT64CONST(1) << bits) < keys + keys / 2)
		bits++;
	return bits;
}

/* The rarest nodes of all trees, which are the state of ted_assign_nodes(). */
typedef struct Assignment
{
	bytea *counts;
	int32 cells;
	int32 max_distance;
	int64 keys;
	StringInfoData nodes; /* of each tree: their number, and the nodes as uint32 */
} Assignment;

/* Makes a list without trees; keeps a pointer to the label counts. */
static Assignment *
AssignmentCreate(bytea *counts, int32 max_distance, int32 cells)
{
	Assignment *assignment = palloc0_object(Assignment);

	if (cells < 1 || cells > MOST_CELLS)
		InvalidArgument("number of cells");
	NodesNeeded(max_distance);
	ReadCounts(counts);
	*assignment = (Assignment){.counts = counts, .cells = cells, .max_distance = max_distance};
	initStringInfo(&assignment->nodes);
	return assignment;
}

/* Adds the rarest nodes of a tree to the list. */
static void
AssignmentAdd(Assignment *assignment, const uint32 *node, int32 count)
{
	uint64 key[MOST_KEYS];

	if (count > NodesNeeded(assignment->max_distance))
		InvalidArgument("list of nodes");
	if ((Size) assignment->nodes.len > MaxAllocSize - sizeof(int32) * (MOST_NODES + 2))
		TooManyTrees("Their rarest nodes");
	appendBinaryStringInfo(&assignment->nodes, (char *) &count, sizeof(int32));
	appendBinaryStringInfo(&assignment->nodes, (const char *) node, (int) sizeof(int32) * count);
	assignment->keys += KeysOfNodes(assignment->max_distance, node, count, key);
}

PG_FUNCTION_INFO_V1(ted_assign_nodes_transfn);

/* Adds the rarest nodes of a tree to the list. */
Datum
ted_assign_nodes_transfn(PG_FUNCTION_ARGS)
{
	Assignment *assignment = PG_ARGISNULL(0) ? NULL : (Assignment *) PG_GETARG_POINTER(0);
	MemoryContext context;

	if (AggCheckCallContext(fcinfo, &context) == 0)
		elog(ERROR, "ted_assign_nodes_transfn called in non-aggregate context");
	if (assignment == NULL)
	{
		MemoryContext caller = MemoryContextSwitchTo(context);

		if (PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_ARGISNULL(4))
			InvalidArgument("plan");
		assignment =
			AssignmentCreate(PG_GETARG_BYTEA_P_COPY(2), PG_GETARG_INT32(3), PG_GETARG_INT32(4));
		MemoryContextSwitchTo(caller);
	}
	if (!PG_ARGISNULL(1))
	{
		int count;
		const int32 *node = ReadIntegers(PG_GETARG_ARRAYTYPE_P(1), &count);

		AssignmentAdd(assignment, (const uint32 *) node, count);
	}
	PG_RETURN_POINTER(assignment);
}

/* Computes the keys of the tree at byte `*at` of the list, and advances `*at`. */
static int
NextKeys(const Assignment *assignment, int *at, uint64 key[MOST_KEYS])
{
	const int32 *nodes = (const int32 *) (assignment->nodes.data + *at);

	CHECK_FOR_INTERRUPTS();
	*at += (int) sizeof(int32) * (1 + *nodes);
	return KeysOfNodes(assignment->max_distance, (const uint32 *) (nodes + 1), *nodes, key);
}

/* Marks in a table which keys one or several trees have; returns the number of the latter. */
static int64
FindSharedKeys(const Assignment *assignment, uint32 *slots, int bits)
{
	uint64 key[MOST_KEYS];
	int64 shared = 0;

	for (int at = 0; at < assignment->nodes.len;)
	{
		int count = NextKeys(assignment, &at, key);

		for (int i = 0; i < count; i++)
		{
			uint32 *slot = FindSlot(slots, bits, key[i]);

			if (*slot == 0)
				FillSlot(slot, key[i], SEEN_ONCE);
			else if (SLOT_CELL(*slot) == SEEN_ONCE)
			{
				FillSlot(slot, key[i], SEEN_AGAIN);
				shared++;
			}
		}
	}
	return shared;
}

/* Assigns the keys of a tree that have no cell to one cell; lists the tree's cells, from 1. */
static int
AssignKeys(CellRule *rule, int64 *all, const uint64 *key, int count, int32 numbers[MOST_CELLS])
{
	uint8 keys[MOST_CELLS] = {0};
	uint32 *unassigned[MOST_KEYS];
	uint64 unassigned_key[MOST_KEYS];
	int unassigned_count = 0;
	int best = -1;
	double most = LARGEST_CELL * (double) *all / rule->cells + 100;

	for (int i = 0; i < count; i++)
	{
		uint32 *slot = FindSlot(rule->slots, rule->bits, key[i]);

		if (*slot != 0)
			keys[SLOT_CELL(*slot) - 1]++;
		else
		{
			unassigned_key[unassigned_count] = key[i];
			unassigned[unassigned_count++] = slot;
		}
	}
	for (int i = 0; i < rule->cells && unassigned_count > 0; i++)
		if ((double) rule->loads[i] <= most &&
			(best < 0 || keys[i] > keys[best] ||
			 (keys[i] == keys[best] && rule->loads[i] < rule->loads[best])))
			best = i;
	for (int i = 0; i < unassigned_count; i++)
	{
		/* a key assigned in this loop may have taken the slot */
		unassigned[i] = FindSlot(rule->slots, rule->bits, unassigned_key[i]);
		FillSlot(unassigned[i], unassigned_key[i], best + 1);
		keys[best]++;
	}
	count = 0;
	for (int i = 0; i < rule->cells; i++)
		if (keys[i] > 0)
		{
			rule->loads[i]++;
			numbers[count++] = i + 1;
		}
	*all += count;
	return count;
}

/* A rule in the making. */
typedef struct RuleMaker
{
	const Assignment *assignment;
	uint32 *seen; /* a table of keys, with SEEN_ONCE or SEEN_AGAIN */
	int seen_bits;
	bytea *value; /* varlena value that contains the rule */
	CellRule *rule;
	int64 loads; /* sum of the trees of all cells */
	int at;      /* position of the next tree in the list */
} RuleMaker;

/* Starts a rule in which no key has a cell yet. */
static RuleMaker *
RuleMakerCreate(const Assignment *assignment)
{
	RuleMaker *maker = palloc0_object(RuleMaker);
	int bits;
	Size bytes;

	maker->assignment = assignment;
	maker->seen_bits = SlotBits(assignment->keys);
	CheckMemoryLimit(sizeof(uint32) << maker->seen_bits, PLANNING_A_JOIN);
	maker->seen = AllocZeros(CurrentMemoryContext, sizeof(uint32) << maker->seen_bits);
	bits = SlotBits(FindSharedKeys(assignment, maker->seen, maker->seen_bits));
	bytes = VARHDRSZ + offsetof(CellRule, slots) + (sizeof(uint32) << bits);
	if (!AllocSizeIsValid(bytes))
		TooManyTrees("What several of them share");
	maker->value = AllocZeros(CurrentMemoryContext, bytes);
	SET_VARSIZE(maker->value, bytes);
	maker->rule = (CellRule *) VARDATA(maker->value);
	maker->rule->cells = assignment->cells;
	maker->rule->max_distance = assignment->max_distance;
	maker->rule->bits = bits;
	memcpy(maker->rule->counts, ReadCounts(assignment->counts), sizeof(maker->rule->counts));
	return maker;
}

/* Assigns those keys of the next tree that other trees share; lists the tree's cells, from 1. */
static int
AssignNextTree(RuleMaker *maker, int32 numbers[MOST_CELLS])
{
	uint64 key[MOST_KEYS];
	int count = NextKeys(maker->assignment, &maker->at, key);
	int shared = 0;

	for (int i = 0; i < count; i++)
		if (SLOT_CELL(*FindSlot(maker->seen, maker->seen_bits, key[i])) == SEEN_AGAIN)
			key[shared++] = key[i];
	return AssignKeys(maker->rule, &maker->loads, key, shared, numbers);
}

PG_FUNCTION_INFO_V1(ted_assign_nodes_finalfn);

/* Assigns the keys that several trees share to cells; returns the rule. */
Datum
ted_assign_nodes_finalfn(PG_FUNCTION_ARGS)
{
	const Assignment *assignment;
	RuleMaker *maker;
	int32 numbers[MOST_CELLS];

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	assignment = (const Assignment *) PG_GETARG_POINTER(0);
	maker = RuleMakerCreate(assignment);
	while (maker->at < assignment->nodes.len)
		AssignNextTree(maker, numbers);
	pfree(maker->seen);
	PG_RETURN_BYTEA_P(maker->value);
}

/* Returns the rule in a value, after checks of its sizes. */
static CellRule *
ReadRule(bytea *value)
{
	Size bytes = VARSIZE(value) - VARHDRSZ;
	CellRule *rule = (CellRule *) VARDATA(value);

	if (bytes < offsetof(CellRule, slots) || rule->bits < 1 || rule->bits > MOST_SLOT_BITS ||
		bytes != offsetof(CellRule, slots) + (sizeof(uint32) << rule->bits) || rule->cells < 1 ||
		rule->cells > MOST_CELLS)
		InvalidArgument("rule");
	return rule;
}

PG_FUNCTION_INFO_V1(ted_rule_loads);

/* Returns the number of trees in each cell of a rule. */
Datum
ted_rule_loads(PG_FUNCTION_ARGS)
{
	const CellRule *rule = ReadRule(PG_GETARG_BYTEA_P(0));
	Datum loads[MOST_CELLS];

	for (int i = 0; i < rule->cells; i++)
		loads[i] = Int64GetDatum(rule->loads[i]);
	return PointerGetDatum(
		construct_array(loads, rule->cells, INT8OID, 8, FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}

PG_FUNCTION_INFO_V1(ted_cells_by_nodes);

/* Returns the cells of a tree by its rarest nodes, from 1, in ascending order. */
Datum
ted_cells_by_nodes(PG_FUNCTION_ARGS)
{
	CellRule *rule = ReadRule(PG_GETARG_BYTEA_P(1));
	uint32 node[MOST_NODES];
	uint64 key[MOST_KEYS];
	bool has[MOST_CELLS] = {false};
	int32 numbers[MOST_CELLS];
	int count;

	count = RarestNodes(rule->counts, rule->max_distance, PG_GETARG_DATUM(0), node);
	count = KeysOfNodes(rule->max_distance, node, count, key);
	for (int i = 0; i < count; i++)
	{
		const uint32 *slot = FindSlot(rule->slots, rule->bits, key[i]);

		if (slot != NULL && *slot != 0 && SLOT_CELL(*slot) >= 1 && SLOT_CELL(*slot) <= rule->cells)
			has[SLOT_CELL(*slot) - 1] = true;
	}
	count = 0;
	for (int i = 0; i < rule->cells; i++)
		if (has[i])
			numbers[count++] = i + 1;
	return MakeIntegers(numbers, count);
}

PG_FUNCTION_INFO_V1(ted_cells_by_size);

/* Returns the cells of a document by its size and a hash, from 1, in ascending order. */
Datum
ted_cells_by_size(PG_FUNCTION_ARGS)
{
	int32 size = PG_GETARG_INT32(0);
	uint32 hash = (uint32) PG_GETARG_INT32(1);
	int integers;
	const int32 *cell = ReadIntegers(PG_GETARG_ARRAYTYPE_P(2), &integers);
	int32 *numbers = palloc_array(int32, integers / CELL_INTEGERS + 1);
	int count = 0;

	for (int i = 0; i < integers / CELL_INTEGERS; i++, cell += CELL_INTEGERS)
	{
		int32 part;

		if (cell[CELL_PARTS] < 1)
			InvalidArgument("cell");
		part = (int32) (hash % (uint32) cell[CELL_PARTS]);
		if (size >= cell[CELL_LOW] && size < cell[CELL_REACH] &&
			(part == cell[CELL_PART] || part == cell[CELL_OTHER]))
			numbers[count++] = i + 1;
	}
	return MakeIntegers(numbers, count);
}

/*
 * Transfer formats.  Documents of a cell, and its matches, begin with PACKET_VERSION and the
 * encoding of their texts.  A document of a cell: the side, or 0 in a join of a table with itself;
 * the number of the document's cells; these cells, from 0, one byte each; the id in its type's text
 * form, after its length; the document as stored, after its length.  The matches of a cell: the
 * number of documents; their ids; and for each match the numbers of its two documents, from 0, as
 * differences from those of the previous match, and the measure, in one byte if it is a whole
 * number below LONG_MEASURE.
 */
#define PACKET_VERSION 1
#define NO_ID (-1) /* instead of the length, if there is no id */
#define LONG_MEASURE 255

/* The most bytes of a match, with the header of the value and the terminating zero. */
#define MATCH_BYTES 32

/* Most bytes of documents that wait to be sent, of all cells together and of one cell. */
#define MOST_BYTES_HELD (64 << 20)
#define MOST_BYTES_SENT (1 << 20)

/* Columns of the query of ted_cut_cells(). */
enum
{
	DOCUMENT_SIDE,
	DOCUMENT_ID, /* of any type */
	DOCUMENT_BYTES,
	DOCUMENT_CELLS,
	DOCUMENT_COLUMNS
};

/* Begins a packet whose texts are in an encoding. */
static void
BeginPacket(StringInfo to, int encoding)
{
	pq_sendbyte(to, PACKET_VERSION);
	pq_sendbyte(to, (uint8) encoding);
}

/* Reads the beginning of a packet; returns the encoding of its texts. */
static int
OpenPacket(StringInfo from)
{
	int version = pq_getmsgbyte(from);
	int encoding = pq_getmsgbyte(from);

	if (version != PACKET_VERSION || !PG_VALID_BE_ENCODING(encoding))
		InvalidArgument("packet");
	return encoding;
}

/* Settings that an id's text depends on, and values under which that text means no other id. */
static const struct
{
	const char *name;
	const char *value;
} text_settings[] = {{"array_nulls", "on"},
					 {"datestyle", "ISO"},
					 {"extra_float_digits", "1"},
					 {"intervalstyle", "postgres"},
					 {"lc_monetary", "C"}};

/*
 * Sets these settings for a call of an input or output function, if some have other values.
 * Returns what EndTexts() takes.
 */
static int
BeginTexts(void)
{
	int level;

	if (Array_nulls && DateStyle == USE_ISO_DATES && extra_float_digits >= 1 &&
		IntervalStyle == INTSTYLE_POSTGRES && strcmp(locale_monetary, "C") == 0)
		return 0;
	level = NewGUCNestLevel();
	for (int i = 0; i < (int) lengthof(text_settings); i++)
		set_config_option(text_settings[i].name, text_settings[i].value, PGC_USERSET, PGC_S_SESSION,
						  GUC_ACTION_SAVE, true, 0, false);
	return level;
}

/* Restores the settings. */
static void
EndTexts(int level)
{
	if (level > 0)
		AtEOXact_GUC(true, level);
}

/* Appends an id as a text, after its length. */
static void
AppendId(StringInfo to, FmgrInfo *output, Datum id)
{
	int level = BeginTexts();
	const char *text = OutputFunctionCall(output, id);

	EndTexts(level);
	pq_sendint32(to, (uint32) strlen(text));
	appendStringInfoString(to, text);
}

/* Appends a value without its header, after its length. */
static void
AppendBytes(StringInfo to, Datum value)
{
	struct varlena *bytes = PG_DETOAST_DATUM_PACKED(value);

	pq_sendint32(to, VARSIZE_ANY_EXHDR(bytes));
	appendBinaryStringInfo(to, VARDATA_ANY(bytes), (int) VARSIZE_ANY_EXHDR(bytes));
}

/* Appends the side of a document and its cells. */
static void
AppendCells(StringInfo to, char side, const int32 *cells, int count)
{
	pq_sendbyte(to, (uint8) side);
	pq_sendbyte(to, (uint8) count);
	for (int i = 0; i < count; i++)
		pq_sendbyte(to, (uint8) (cells[i] - 1));
}

/* Appends the id of a document, or NO_ID, and the document. */
static void
AppendDocument(StringInfo to, FmgrInfo *output, Datum id, bool no_id, Datum document)
{
	if (no_id)
		pq_sendint32(to, (uint32) NO_ID);
	else
		AppendId(to, output, id);
	AppendBytes(to, document);
}

/* Returns the bytes of a buffer as a value. */
static bytea *
MakeBytes(const StringInfoData *from)
{
	bytea *bytes = palloc(VARHDRSZ + (Size) from->len);

	SET_VARSIZE(bytes, VARHDRSZ + (Size) from->len);
	memcpy(VARDATA(bytes), from->data, (Size) from->len);
	return bytes;
}

/*
 * Receives the rows of the query of ted_cut_cells().  The query runs to its end within the call, so
 * that no other statement comes between its rows.
 */
typedef struct Cut
{
	DestReceiver receiver;
	const ReturnSetInfo *result;
	FmgrInfo id_output;
	int cells;
	int most_bytes;         /* bytes of one cell above which they become a row of the result */
	StringInfoData *bytes;  /* documents that are not in the result yet, by cell */
	MemoryContext row;      /* context for one row */
	Assignment *assignment; /* NULL where the query returns cells */
	BufFile *kept;          /* with an assignment: documents, each after its length */
} Cut;

/* Checks the columns of the query, and looks up the output function of ids. */
static void
CutStart(DestReceiver *self, int operation, TupleDesc columns)
{
	Cut *cut = (Cut *) self;
	Oid output;
	bool is_varlena;

	(void) operation;
	if (columns->natts != DOCUMENT_COLUMNS ||
		TupleDescAttr(columns, DOCUMENT_SIDE)->atttypid != CHAROID ||
		TupleDescAttr(columns, DOCUMENT_BYTES)->attlen != -1 ||
		TupleDescAttr(columns, DOCUMENT_CELLS)->atttypid != INT4ARRAYOID)
		InvalidArgument("query");
	getTypeOutputInfo(TupleDescAttr(columns, DOCUMENT_ID)->atttypid, &output, &is_varlena);
	fmgr_info(output, &cut->id_output);
}

/* Moves the documents of a cell to the result. */
static void
ReturnCell(Cut *cut, int cell)
{
	StringInfo bytes = &cut->bytes[cell];
	bytea *packed = MakeBytes(bytes);
	Datum values[2] = {Int32GetDatum(cell + 1), PointerGetDatum(packed)};

	tuplestore_putvalues(cut->result->setResult, cut->result->setDesc, values, (bool[2]){false});
	pfree(packed);
	resetStringInfo(bytes);
}

/* Appends a document to each of its cells. */
static void
CutDocument(Cut *cut, char side, const int32 *cells, int count, const char *document, int length)
{
	if (count > MOST_CELLS)
		InvalidArgument("cell");
	for (int i = 0; i < count; i++)
	{
		StringInfo bytes;

		if (cells[i] < 1 || cells[i] > cut->cells)
			InvalidArgument("cell");
		bytes = &cut->bytes[cells[i] - 1];
		if (bytes->len == 0)
			BeginPacket(bytes, GetDatabaseEncoding());
		AppendCells(bytes, side, cells, count);
		appendBinaryStringInfo(bytes, document, length);
		if (bytes->len > cut->most_bytes)
			ReturnCell(cut, cells[i] - 1);
	}
}

/* Appends the document of a row to its cells, or keeps it in a file until the cells are known. */
static bool
CutRow(TupleTableSlot *slot, DestReceiver *self)
{
	Cut *cut = (Cut *) self;
	MemoryContext caller = MemoryContextSwitchTo(cut->row);
	const Datum *values = slot->tts_values;
	const bool *nulls = slot->tts_isnull;
	StringInfoData document;

	CHECK_FOR_INTERRUPTS();
	slot_getallattrs(slot);
	if (nulls[DOCUMENT_SIDE] || nulls[DOCUMENT_BYTES])
		InvalidArgument("document");
	initStringInfo(&document);
	if (cut->assignment != NULL)
	{
		uint32 node[MOST_NODES];
		int count = RarestNodes(ReadCounts(cut->assignment->counts), cut->assignment->max_distance,
								values[DOCUMENT_BYTES], node);

		AssignmentAdd(cut->assignment, node, count);
		pq_sendbyte(&document, (uint8) DatumGetChar(values[DOCUMENT_SIDE]));
	}
	AppendDocument(&document, &cut->id_output, values[DOCUMENT_ID], nulls[DOCUMENT_ID],
				   values[DOCUMENT_BYTES]);
	if (cut->assignment != NULL)
	{
		BufFileWrite(cut->kept, &document.len, sizeof(document.len));
		BufFileWrite(cut->kept, document.data, (size_t) document.len);
	}
	else if (!nulls[DOCUMENT_CELLS])
	{
		int count;
		const int32 *cells = ReadIntegers(DatumGetArrayTypeP(values[DOCUMENT_CELLS]), &count);

		CutDocument(cut, DatumGetChar(values[DOCUMENT_SIDE]), cells, count, document.data,
					document.len);
	}
	MemoryContextSwitchTo(caller);
	MemoryContextReset(cut->row);
	return true;
}

/* Does nothing: ted_cut_cells() ends the cut. */
static void
CutEnd(DestReceiver *self)
{
	(void) self;
}

/* Reads bytes from the temporary file of documents. */
static void
ReadKept(Cut *cut, void *to, int length)
{
	if (BufFileRead(cut->kept, to, (size_t) length) != (size_t) length)
		ereport(ERROR, (errcode_for_file_access(),
						errmsg("could not read documents of a join from a temporary file")));
}

/* Makes the rule of all trees, and appends the kept documents to their cells by it. */
static void
CutKept(Cut *cut)
{
	RuleMaker *maker = RuleMakerCreate(cut->assignment);
	StringInfoData document;

	if (BufFileSeek(cut->kept, 0, 0, SEEK_SET) != 0)
		ereport(ERROR, (errcode_for_file_access(),
						errmsg("could not read documents of a join from a temporary file")));
	initStringInfo(&document);
	while (maker->at < cut->assignment->nodes.len)
	{
		int32 numbers[MOST_CELLS];
		int count = AssignNextTree(maker, numbers);
		int length;

		ReadKept(cut, &length, sizeof(length));
		resetStringInfo(&document);
		enlargeStringInfo(&document, length);
		ReadKept(cut, document.data, length);
		CutDocument(cut, document.data[0], numbers, count, document.data + 1, length - 1);
	}
	BufFileClose(cut->kept);
}

PG_FUNCTION_INFO_V1(ted_cut_cells);

/*
 * Cuts the documents of a query into cells: returns numbers of cells, from 1, each with some of the
 * cell's documents.  The query returns the cells of each document; or, if label counts are given,
 * the documents are trees, which belong to cells by their nodes.
 */
Datum
ted_cut_cells(PG_FUNCTION_ARGS)
{
	Cut cut = {.receiver = {.receiveSlot = CutRow,
							.rStartup = CutStart,
							.rShutdown = CutEnd,
							.rDestroy = CutEnd,
							.mydest = DestNone}};
	SPIPlanPtr plan;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || (!PG_ARGISNULL(2) && PG_ARGISNULL(3)))
		InvalidArgument("plan");
	cut.cells = PG_GETARG_INT32(1);
	if (cut.cells < 1 || cut.cells > MOST_CELLS)
		InvalidArgument("number of cells");
	InitRows(fcinfo, "iy");
	cut.result = (ReturnSetInfo *) fcinfo->resultinfo;
	cut.most_bytes = Min(MOST_BYTES_SENT, MOST_BYTES_HELD / cut.cells);
	cut.bytes = palloc_array(StringInfoData, cut.cells);
	for (int i = 0; i < cut.cells; i++)
		initStringInfo(&cut.bytes[i]);
	cut.row =
		AllocSetContextCreate(CurrentMemoryContext, "document of a join", ALLOCSET_DEFAULT_SIZES);
	if (!PG_ARGISNULL(2))
	{
		cut.assignment = AssignmentCreate(PG_GETARG_BYTEA_P(2), PG_GETARG_INT32(3), cut.cells);
		cut.kept = BufFileCreateTemp(false);
	}

	SPI_connect();
	plan = SPI_prepare(text_to_cstring(PG_GETARG_TEXT_PP(0)), 0, NULL);
	if (plan == NULL || !SPI_is_cursor_plan(plan))
		InvalidArgument("query");
	SPI_execute_plan_extended(plan, &(SPIExecuteOptions){.read_only = true, .dest = &cut.receiver});
	SPI_finish();
	if (cut.assignment != NULL)
		CutKept(&cut);
	for (int i = 0; i < cut.cells; i++)
		if (cut.bytes[i].len > 0)
			ReturnCell(&cut, i);
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(ted_pack_document);

/* Returns a document in its transfer format. */
Datum
ted_pack_document(PG_FUNCTION_ARGS)
{
	Oid id_type = get_fn_expr_argtype(fcinfo->flinfo, 1);
	Oid type = get_fn_expr_argtype(fcinfo->flinfo, 2);
	Oid output;
	bool is_varlena;
	FmgrInfo id_output;
	StringInfoData packed;
	const int32 *cells;
	int count;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(2) || PG_ARGISNULL(3) || !OidIsValid(id_type) ||
		!OidIsValid(type) || get_typlen(type) != -1)
		InvalidArgument("document");
	cells = ReadIntegers(PG_GETARG_ARRAYTYPE_P(3), &count);
	if (count > MOST_CELLS)
		InvalidArgument("cell");
	initStringInfo(&packed);
	BeginPacket(&packed, GetDatabaseEncoding());
	AppendCells(&packed, PG_GETARG_CHAR(0), cells, count);
	getTypeOutputInfo(id_type, &output, &is_varlena);
	fmgr_info(output, &id_output);
	AppendDocument(&packed, &id_output, PG_GETARG_DATUM(1), PG_ARGISNULL(1), PG_GETARG_DATUM(2));
	PG_RETURN_BYTEA_P(MakeBytes(&packed));
}

/* Returns a text that has travelled, in the server's encoding, after a check of its bytes. */
static char *
TextFromBytes(const char *bytes, int length, int encoding)
{
	char *text = palloc((Size) length + 1);

	/* all bytes, also after a zero byte, which no encoding accepts */
	memcpy(text, bytes, (Size) length);
	text[length] = '\0';
	return ValueToServer(text, length, encoding);
}

/* The state of ted_join_cell(). */
typedef struct CellJoin
{
	const JoinKind *kind;
	double threshold;
	int cell;     /* from 0 */
	int encoding; /* of the ids; -1 before the first document */
	JoinDocuments *documents;
	int32 count;
	StringInfoData ids;     /* ids of documents in the transfer format, in the order of their
							 * numbers */
	MemoryContext document; /* context for adding one document */
	StringInfo found;       /* matches in the transfer format */
	int32 left;             /* number of the left document of the last match */
	int32 right;
} CellJoin;

/* Starts a join of a cell, without documents. */
static CellJoin *
CellJoinCreate(FunctionCallInfo fcinfo)
{
	CellJoin *join = palloc0_object(CellJoin);
	char *kind;

	if (PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_ARGISNULL(4))
		InvalidArgument("plan");
	kind = text_to_cstring(PG_GETARG_TEXT_PP(2));
	join->kind = strcmp(kind, "tree") == 0 ? &TreeJoin : &TextJoin;
	join->threshold = PG_GETARG_FLOAT8(3);
	join->cell = PG_GETARG_INT32(4) - 1;
	if (join->cell < 0 || join->cell >= MOST_CELLS)
		InvalidArgument("cell");
	join->encoding = -1;
	join->documents = DocumentsCreate(join->kind);
	initStringInfo(&join->ids);
	join->document =
		AllocSetContextCreate(CurrentMemoryContext, "document of a join", ALLOCSET_DEFAULT_SIZES);
	return join;
}

/* Adds a document in its transfer format; `encoding` is that of its texts. */
static void
CellJoinAdd(CellJoin *join, StringInfo from, int encoding)
{
	char side = (char) pq_getmsgbyte(from);
	int cells = pq_getmsgbyte(from);
	CellSet set = {0};
	MemoryContext caller;
	const char *bytes;
	int32 length;

	if (side != 0 && !DocumentsSideExists(side))
		InvalidArgument("side");
	for (int i = 0; i < cells; i++)
	{
		int cell = pq_getmsgbyte(from);

		if (cell >= MOST_CELLS)
			InvalidArgument("cell");
		CellSetAdd(&set, cell);
	}
	length = (int32) pq_getmsgint(from, 4);
	CheckCellBytes(&join->ids, sizeof(int32) + (Size) Max(length, 0) + MATCH_BYTES, "documents");
	pq_sendint32(&join->ids, (uint32) length);
	if (length != NO_ID)
		appendBinaryStringInfo(&join->ids, pq_getmsgbytes(from, length), length);
	length = (int32) pq_getmsgint(from, 4);
	bytes = pq_getmsgbytes(from, length);
	caller = MemoryContextSwitchTo(join->document);
	DocumentsAdd(join->documents, join->count++, side, join->threshold, NULL,
				 join->kind == &TreeJoin
					 ? PointerGetDatum(TreeFromBytes(bytes, length, encoding))
					 : CStringGetTextDatum(TextFromBytes(bytes, length, encoding)),
				 &set);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(join->document);
}

PG_FUNCTION_INFO_V1(ted_join_cell_transfn);

/* Adds documents of a cell. */
Datum
ted_join_cell_transfn(PG_FUNCTION_ARGS)
{
	CellJoin *join = PG_ARGISNULL(0) ? NULL : (CellJoin *) PG_GETARG_POINTER(0);
	MemoryContext context;
	MemoryContext caller;

	if (AggCheckCallContext(fcinfo, &context) == 0)
		elog(ERROR, "ted_join_cell_transfn called in non-aggregate context");
	caller = MemoryContextSwitchTo(context);
	if (join == NULL)
		join = CellJoinCreate(fcinfo);
	if (!PG_ARGISNULL(1))
	{
		bytea *packed = PG_GETARG_BYTEA_PP(1);
		StringInfoData from = {.data = VARDATA_ANY(packed), .len = (int) VARSIZE_ANY_EXHDR(packed)};
		int encoding = OpenPacket(&from);

		if (join->encoding >= 0 && join->encoding != encoding)
			InvalidArgument("encoding");
		join->encoding = encoding;
		while (from.cursor < from.len)
		{
			CHECK_FOR_INTERRUPTS();
			CellJoinAdd(join, &from, encoding);
		}
		if ((Pointer) packed != PG_GETARG_POINTER(1))
			pfree(packed);
	}
	MemoryContextSwitchTo(caller);
	PG_RETURN_POINTER(join);
}

/*
 * Appends the difference between `number` and `*before` as a variable-length integer: seven bits in
 * a byte, with the sign in the lowest bit; sets `*before`.
 */
static void
AppendDifference(StringInfo to, int32 *before, int32 number)
{
	int64 difference = (int64) number - *before;
	uint64 rest = difference < 0 ? (uint64) -difference << 1 | 1 : (uint64) difference << 1;

	for (; rest > 0x7F; rest >>= 7)
		appendStringInfoCharMacro(to, (char) (rest | 0x80));
	appendStringInfoCharMacro(to, (char) rest);
	*before = number;
}

/* Reads a number written by AppendDifference(); raises an error unless it is below `count`. */
static int32
ReadNumber(StringInfo from, int32 *before, int32 count)
{
	uint64 rest = 0;
	int64 number;
	int byte;
	int shift = 0;

	do
	{
		byte = pq_getmsgbyte(from);
		rest |= (uint64) (byte & 0x7F) << shift;
		shift += 7;
	} while (byte > 0x7F && shift < 42);
	number = *before + ((rest & 1) != 0 ? -(int64) (rest >> 1) : (int64) (rest >> 1));
	if (number < 0 || number >= count)
		InvalidArgument("match");
	*before = (int32) number;
	return *before;
}

/* Appends a match in the transfer format. */
static void
AppendMatch(void *arg, int64 left, int64 right, double measure)
{
	CellJoin *join = arg;
	StringInfo found = join->found;

	CheckCellBytes(found, MATCH_BYTES, "results");
	AppendDifference(found, &join->left, (int32) left);
	AppendDifference(found, &join->right, (int32) right);
	if (measure >= 0 && measure < LONG_MEASURE && measure == (uint8) measure)
		pq_sendbyte(found, (uint8) measure);
	else
	{
		pq_sendbyte(found, LONG_MEASURE);
		pq_sendfloat8(found, measure);
	}
}

PG_FUNCTION_INFO_V1(ted_join_cell_finalfn);

/* Returns the ids and matches of a cell, without matches that another cell returns. */
Datum
ted_join_cell_finalfn(PG_FUNCTION_ARGS)
{
	CellJoin *join;
	StringInfoData found;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	join = (CellJoin *) PG_GETARG_POINTER(0);
	initStringInfo(&found);
	join->found = &found;
	BeginPacket(&found, join->encoding >= 0 ? join->encoding : GetDatabaseEncoding());
	pq_sendint32(&found, (uint32) join->count);
	appendBinaryStringInfo(&found, join->ids.data, join->ids.len);
	FindPairs(join->documents, join->cell, AppendMatch, join);
	DocumentsClose(join->documents);
	PG_RETURN_BYTEA_P(MakeBytes(&found));
}

/* The state of ted_unpack_matches(). */
typedef struct UnpackedMatches
{
	StringInfoData from;
	Datum *ids; /* by document number */
	bool *nulls;
	int32 count;
	int32 left; /* number of the left document of the last match read */
	int32 right;
	bool in_order;    /* whether the smaller id of a match goes to the left */
	FmgrInfo compare; /* by this comparison */
	Oid collation;
} UnpackedMatches;

/*
 * Reads the ids of a cell's documents.  With `in_order`, each match will have the smaller id on the
 * left.
 */
static UnpackedMatches *
UnpackIds(bytea *packed, Oid type, bool in_order, Oid collation)
{
	UnpackedMatches *matches = palloc0_object(UnpackedMatches);
	Oid function;
	Oid argument;
	FmgrInfo input;
	int encoding;
	int level;

	initStringInfo(&matches->from);
	appendBinaryStringInfo(&matches->from, VARDATA_ANY(packed), (int) VARSIZE_ANY_EXHDR(packed));
	encoding = OpenPacket(&matches->from);
	matches->count = (int32) pq_getmsgint(&matches->from, 4);
	if (!OidIsValid(type) || matches->count < 0 || matches->count > matches->from.len / 4)
		InvalidArgument("list of matches");
	matches->ids = palloc_array(Datum, matches->count);
	matches->nulls = palloc_array(bool, matches->count);
	getTypeInputInfo(type, &function, &argument);
	fmgr_info(function, &input);
	level = BeginTexts();
	for (int32 i = 0; i < matches->count; i++)
	{
		int32 length = (int32) pq_getmsgint(&matches->from, 4);

		CHECK_FOR_INTERRUPTS();
		matches->nulls[i] = length == NO_ID;
		if (!matches->nulls[i])
			matches->ids[i] = InputFunctionCall(
				&input, TextFromBytes(pq_getmsgbytes(&matches->from, length), length, encoding),
				argument, -1);
	}
	EndTexts(level);
	matches->in_order = in_order;
	if (in_order)
	{
		TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_CMP_PROC);

		if (!OidIsValid(entry->cmp_proc))
			ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
							errmsg("ids of type %s have no order", format_type_be(type)),
							errdetail("A pair has the smaller id on the left."),
							errhint("Use ids of a type with a btree operator class.")));
		fmgr_info(entry->cmp_proc, &matches->compare);
		matches->collation = collation;
	}
	return matches;
}

/* Reads the next match, skipping matches of equal or null ids of one table; false at the end. */
static bool
ReadMatch(UnpackedMatches *matches, Datum values[3], bool nulls[3])
{
	while (matches->from.cursor < matches->from.len)
	{
		int32 left = ReadNumber(&matches->from, &matches->left, matches->count);
		int32 right = ReadNumber(&matches->from, &matches->right, matches->count);
		int measure = pq_getmsgbyte(&matches->from);
		int order;

		values[2] =
			Float8GetDatum(measure < LONG_MEASURE ? measure : pq_getmsgfloat8(&matches->from));
		if (matches->in_order)
		{
			if (matches->nulls[left] || matches->nulls[right])
				continue;
			order = DatumGetInt32(FunctionCall2Coll(&matches->compare, matches->collation,
													matches->ids[left], matches->ids[right]));
			if (order == 0)
				continue;
			if (order > 0)
			{
				int32 swapped = left;

				left = right;
				right = swapped;
			}
		}
		values[0] = matches->ids[left];
		values[1] = matches->ids[right];
		nulls[0] = matches->nulls[left];
		nulls[1] = matches->nulls[right];
		return true;
	}
	return false;
}

/* Raises an error unless the first two columns of a result are of the type of ids. */
static void
CheckIdColumns(TupleDesc row, Oid type)
{
	if (TupleDescAttr(row, 0)->atttypid != type || TupleDescAttr(row, 1)->atttypid != type)
		InvalidArgument("type of ids");
}

PG_FUNCTION_INFO_V1(ted_unpack_matches);

/* Returns the matches of a cell; the type of the second argument is that of the ids. */
Datum
ted_unpack_matches(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	Datum values[3];
	bool nulls[3] = {false};

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext caller;

		context = SRF_FIRSTCALL_INIT();
		caller = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		if (!PG_ARGISNULL(0) && !PG_ARGISNULL(2))
			context->user_fctx =
				UnpackIds(PG_GETARG_BYTEA_PP(0), get_fn_expr_argtype(fcinfo->flinfo, 1),
						  PG_GETARG_BOOL(2), PG_GET_COLLATION());
		MemoryContextSwitchTo(caller);
		caller = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = ResultRowType(fcinfo, "**d");
		CheckIdColumns(context->tuple_desc, get_fn_expr_argtype(fcinfo->flinfo, 1));
		MemoryContextSwitchTo(caller);
	}
	context = SRF_PERCALL_SETUP();
	if (context->user_fctx != NULL && ReadMatch(context->user_fctx, values, nulls))
		SRF_RETURN_NEXT(context,
						HeapTupleGetDatum(heap_form_tuple(context->tuple_desc, values, nulls)));
	SRF_RETURN_DONE(context);
}

/* Adds the matches of a cell to a result. */
static void
ReturnMatches(const ReturnSetInfo *result, UnpackedMatches *matches, bool by_distance)
{
	Datum values[3];
	bool nulls[3] = {false};

	while (ReadMatch(matches, values, nulls))
	{
		CHECK_FOR_INTERRUPTS();
		if (by_distance)
		{
			double distance = DatumGetFloat8(values[2]);

			if (!FLOAT8_FITS_IN_INT32(distance) || distance != (int32) distance)
				InvalidArgument("match");
			values[2] = Int32GetDatum((int32) distance);
		}
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* Adds the rows of a query, whose columns have the types of the result's, to a result. */
static void
ReturnRows(const ReturnSetInfo *result, const char *query)
{
	DestReceiver *receiver = CreateDestReceiver(DestTuplestore);

	SetTuplestoreDestReceiverParams(receiver, result->setResult,
									result->econtext->ecxt_per_query_memory, false, result->setDesc,
									"pairs have other types");
	SPI_execute_extended(
		query,
		&(SPIExecuteOptions){.read_only = true, .must_return_tuples = true, .dest = receiver});
}

/* Columns of the rows of ted_pairs(): a cell's matches with a collation, or a query. */
enum
{
	PAIRS_MATCHES = 1, /* matches of a cell */
	PAIRS_COLLATION,
	PAIRS_QUERY /* query of a join on this server */
};

/*
 * Returns the pairs that ted_pairs() finds.  That function is in the same schema as the calling SQL
 * function, and takes the same arguments, plus the kind of documents and the type of ids; a first
 * argument that only gives the type of ids is left out.
 */
static Datum
FindPairsByServers(FunctionCallInfo fcinfo, const char *kind)
{
	static Oid types[] = {REGCLASSOID, TEXTOID, TEXTOID,    NAMEARRAYOID,
						  NAMEOID,     NAMEOID, INT4OID,    NAMEOID,
						  REGCLASSOID, BOOLOID, REGTYPEOID, NAMEARRAYOID};
	const int own = 10; /* arguments besides that of the id type */
	const NullableDatum *arg = &fcinfo->args[PG_NARGS() - own];
	Oid id_type = PG_NARGS() > own ? get_fn_expr_argtype(fcinfo->flinfo, 0) : INT8OID;
	bool by_distance = strcmp(kind, "tree") == 0;
	char threshold[DOUBLE_SHORTEST_DECIMAL_LEN];
	Datum values[lengthof(types)];
	char nulls[lengthof(types) + 1];
	const ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SPITupleTable *found;
	const char *function = quote_qualified_identifier(
		get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid)), "ted_pairs");

	InitRows(fcinfo, by_distance ? "**i" : "**d");
	CheckIdColumns(result->setDesc, id_type);
	memset(nulls, ' ', lengthof(nulls));
	for (int i = 0; i < own; i++)
	{
		/* the kind of documents goes to 1, the type of ids to own */
		int to = i == 0 ? 0 : i == own - 1 ? i + 2 : i + 1;

		values[to] = arg[i].value;
		nulls[to] = arg[i].isnull ? 'n' : ' ';
	}
	values[1] = CStringGetTextDatum(kind);
	if (!arg[1].isnull)
	{
		if (by_distance)
			pg_ltoa(DatumGetInt32(arg[1].value), threshold);
		else
			/* the shortest digits that give this number, whatever the settings */
			double_to_shortest_decimal_buf(DatumGetFloat8(arg[1].value), threshold);
		values[2] = CStringGetTextDatum(threshold);
	}
	values[own] = ObjectIdGetDatum(id_type);
	SPI_connect();
	SPI_execute_with_args(
		psprintf("SELECT matches, collated, query FROM %s($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, "
				 "$11, $12)",
				 function),
		lengthof(types), types, values, nulls, false, 0);
	found = SPI_tuptable;
	if (found == NULL || !HasColumns(found->tupdesc, "yos"))
		InvalidArgument("result");
	for (uint64 i = 0, rows = SPI_processed; i < rows; i++)
	{
		bool isnull;
		Oid collation = DatumGetObjectId(
			SPI_getbinval(found->vals[i], found->tupdesc, PAIRS_COLLATION, &isnull));
		Datum matches = SPI_getbinval(found->vals[i], found->tupdesc, PAIRS_MATCHES, &isnull);
		char *query = SPI_getvalue(found->vals[i], found->tupdesc, PAIRS_QUERY);

		if (!isnull)
			ReturnMatches(result,
						  UnpackIds(DatumGetByteaPP(matches), id_type, arg[7].isnull, collation),
						  by_distance);
		if (query != NULL)
			ReturnRows(result, query);
	}
	SPI_finish();
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(tree_within_pairs_distributed);

/* Returns all pairs of trees of one or two tables within a distance, found by several servers. */
Datum
tree_within_pairs_distributed(PG_FUNCTION_ARGS)
{
	return FindPairsByServers(fcinfo, "tree");
}

PG_FUNCTION_INFO_V1(lcs_similar_pairs_distributed);

/* Returns all pairs of texts of one or two tables with a similarity, found by several servers. */
Datum
lcs_similar_pairs_distributed(PG_FUNCTION_ARGS)
{
	return FindPairsByServers(fcinfo, "text");
}
