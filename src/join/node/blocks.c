/*
 * blocks.c
 *	  Finds the matching documents of a TedJoin: reads the sides in blocks and chunks.
 *
 * The inner side is read in blocks that fit in memory, one block for most joins, and indexed.  The
 * outer side is looked up in chunks, which grow so that the first rows come soon.  If a table is
 * joined with itself, one side is read for both: the documents of a block are looked up in the
 * block.
 *
 * If there are several blocks, all rows except those of the first block are written to spools,
 * sorted by the sizes of their documents, so that a later block meets only rows of suitable sizes.
 * If several blocks are expected, the rows of the first block are spooled, too.  In a self-join, a
 * spooled row is read as a part of one block and as a probe of the blocks before.
 *
 * If the rows of a pair have equal keys (a.country = b.country), as in a hash join, both sides are
 * spooled and sorted by groups, which are hashes of the keys, and then by sizes.  A block has whole
 * groups, or a part of a group that does not fit, and meets only rows of its groups.
 *
 * If several blocks are expected, and the threshold allows it, all rows are divided into partitions
 * (partitions.h).  Each partition is joined as above: with one block, and a spool for rows that do
 * not fit.  A pair of trees is returned from the first partition that both trees belong to.
 *
 * Parallel workers read different parts of the outer side.  Of the inner side, each of them reads
 * all rows, or they read the first block together (shared_block.h).  If a table is joined with
 * itself, they claim documents of the first block, and rows after it, to look up.  A later block is
 * claimed by one process, and the others skip its rows.  A partition is also claimed by one
 * process.
 */
#include "postgres.h"

#include "access/detoast.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../tree/costs/cost_type.h"
#include "../search/join_memory.h"
#include "execution.h"
#include "join_progress.h"

/* Outer rows of the first chunk, the growth from one chunk to the next, and the most rows. */
#define FIRST_CHUNK 16
#define CHUNK_GROWTH 4
#define LARGEST_CHUNK 1024

/*
 * Limits of a chunk where several processes work, which should end at about the same time: rows,
 * bytes, and the sum of the squares of the sizes of the documents.
 */
#define LARGEST_PARALLEL_CHUNK 64
#define LARGEST_PARALLEL_BYTES ((Size) 64 << 10)
#define LARGEST_PARALLEL_WORK 1e6

/*
 * Portions of the remaining work per process; they are small, so that a wrong estimate does no
 * harm.  A process with a GPU, whose matches all processes deliver, gets a fixed part of the
 * remaining work.
 */
#define PORTIONS_PER_PROCESS 4
#define DEVICE_PORTION 0.5

/* The most outer rows of a chunk that is looked up on the GPU. */
#define LARGEST_GPU_CHUNK 65536

/*
 * Partitions per expected block, and the least number per process, so that all processes end at
 * about the same time.  Partition buffers get a share of the memory, but FEWEST_BUFFERS are always
 * allowed: with fewer, each partition would be read in many blocks.
 */
#define PARTITIONS_PER_BLOCK 2
#define PARTITIONS_PER_PROCESS 8
#define BUFFERS_MEMORY 0.25
#define FEWEST_BUFFERS 128

/* In place of a group, for a document of rows of several groups. */
#define SEVERAL_GROUPS PG_INT64_MAX

/* Shares of the memory for a chunk, and for a block beside one or two spools. */
#define CHUNK_SHARE (1 - JOIN_ONLY_BLOCK_MEMORY)
#define BLOCK_SHARE_BESIDE_TWO JOIN_BLOCK_MEMORY
#define BLOCK_SHARE_BESIDE_ONE (JOIN_BLOCK_MEMORY + JOIN_DOCUMENTS_MEMORY)

/* Whether a partition is being joined, rather than the large trees. */
static bool
JoinsPartition(const TedJoinState *join)
{
	return join->is_divided && join->divided.present < join->divided.count;
}

/*
 * Whether a pair of documents is found elsewhere.  In a partition: whether this is not the first
 * common partition.  Among the large trees: whether neither tree is large.
 */
static bool
IsOfOtherPartition(void *arg, DocumentsSide side, int32 probe, int32 indexed)
{
	const TedJoinState *join = arg;
	const PartitionSet *a =
		&join->divided.sets[side == JOIN_INDEXED ? BLOCK_ROWS : PROBE_ROWS][probe];
	const PartitionSet *b = &join->divided.sets[BLOCK_ROWS][indexed];

	return JoinsPartition(join) ? FirstCommonPartition(a, b) != join->divided.present
								: (a->words[0] | b->words[0]) == 0;
}

/* Records the partitions of a tree or, among the large trees, whether it is large. */
static void
KeepPartitions(TedJoinState *join, RowSet set, int32 number, const SpooledRow *row)
{
	PartitionSet **sets = &join->divided.sets[set];
	int32 *room = &join->divided.set_room[set];

	RESERVE(join->css.ss.ps.state->es_query_cxt, *sets, *room, (int64) number + 1);
	(*sets)[number] = JoinsPartition(join)
						  ? PartitionsOfRow(row)
						  : (PartitionSet){{row->size >= join->divided.large_size}};
}

/* Records the group of a row with a document. */
static void
KeepGroup(TedJoinState *join, RowSet set, int32 number, bool known, int32 group)
{
	int64 **groups = &join->groups[set];

	RESERVE(join->css.ss.ps.state->es_query_cxt, *groups, join->groups_room[set],
			(int64) number + 1);
	(*groups)[number] = known && (*groups)[number] != group ? SEVERAL_GROUPS : group;
}

/* Whether two documents have rows of one group each, which differ. */
static bool
IsOfOtherGroup(void *arg, DocumentsSide side, int32 probe, int32 indexed)
{
	const TedJoinState *join = arg;
	int64 a = join->groups[side == JOIN_INDEXED ? BLOCK_ROWS : PROBE_ROWS][probe];
	int64 b = join->groups[BLOCK_ROWS][indexed];

	return a != b && a != SEVERAL_GROUPS && b != SEVERAL_GROUPS;
}

/* Adds a match to be delivered. */
static void
AddBlockMatch(TedJoinState *join, Match match)
{
	if (join->match_count == join->match_capacity)
		RESERVE(join->css.ss.ps.state->es_query_cxt, join->matches, join->match_capacity,
				(int64) join->match_count + 1);
	join->matches[join->match_count++] = match;
}

/* Adds a match and, in a self-join, the same in the other order, unless a document matches itself.
 */
static void
AddMatch(TedJoinState *join, Match match)
{
	Match swapped = match;

	swapped.outer = match.inner;
	swapped.inner = match.outer;
	swapped.outer_set = match.inner_set;
	swapped.inner_set = match.outer_set;
	AddBlockMatch(join, match);
	if (join->self && (match.outer != match.inner || match.outer_set != match.inner_set))
		AddBlockMatch(join, swapped);
}

/* Adds matches of documents of the block. */
static void
AddMatchesOfBlock(TedJoinState *join, const MatchedDocuments *pairs, int32 count)
{
	for (const MatchedDocuments *pair = pairs; pair < pairs + count; pair++)
	{
		Match match = {.outer = pair->probe, .inner = pair->indexed, .distance = pair->distance};

		if (join->measures_wanted)
		{
			int32 size = PipelineSizeOf(join->pipeline, pair->probe);
			int32 other = PipelineSizeOf(join->pipeline, pair->indexed);

			match.larger_size = Max(size, other);
			match.smaller_size = Min(size, other);
		}
		AddMatch(join, match);
	}
}

/* Passes the collected matches to all processes; those that find no room are delivered here. */
static void
PassAllOn(TedJoinState *join)
{
	if (join->passed_count > 0 &&
		!SharedMatchesPut(SharedBlockMatches(join->shared), SharedBlockTeam(join->shared),
						  join->passed, join->passed_count))
		AddMatchesOfBlock(join, join->passed, join->passed_count);
	join->passed_count = 0;
}

/* Collects a match to be passed to all processes. */
static void
PassOn(TedJoinState *join, MatchedDocuments pair)
{
	join->passed[join->passed_count++] = pair;
	if (join->passed_count == SHARED_MATCHES_CHUNK)
		PassAllOn(join);
}

/* Receives a match from the pipeline. */
static void
NoteMatch(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size,
		  int32 smaller_size)
{
	TedJoinState *join = arg;
	RowSet set = join->phase == JOIN_SEARCHES_BLOCK ? BLOCK_ROWS : PROBE_ROWS;

	if (join->passes_on)
		PassOn(join, (MatchedDocuments){probe, indexed, distance});
	else
		AddMatch(join, (Match){.outer = probe,
							   .inner = indexed,
							   .outer_set = set,
							   .inner_set = BLOCK_ROWS,
							   .distance = distance,
							   .larger_size = larger_size,
							   .smaller_size = smaller_size});
}

/* Returns the bytes that grow with the rows read. */
static Size
BlockMemoryUsed(const TedJoinState *join)
{
	return (join->pipeline == NULL ? 0 : PipelineMemory(join->pipeline)) +
		   SideMemory(&join->inner) + (join->self ? 0 : SideMemory(&join->outer));
}

/* Returns the bytes of a spool; 0 if there is none. */
static Size
SpoolMemoryUsed(const RowSpool *spool)
{
	return spool == NULL ? 0 : SpoolMemory(spool);
}

/* Updates the greatest memory of this process, for EXPLAIN. */
static void
NoteMemory(TedJoinState *join)
{
	Size bytes = BlockMemoryUsed(join) + SpoolMemoryUsed(join->rest) +
				 SpoolMemoryUsed(join->probes) + sizeof(Match) * (Size) join->match_capacity;

	if (join->pair_filter != NULL)
		bytes += PairFilterMemory(join->pair_filter);
	if (join->divided.rows != NULL)
		bytes += PartitionsMemory(join->divided.rows);
	if (join->divided.probes != NULL)
		bytes += PartitionsMemory(join->divided.probes);
	for (int set = 0; set < ROW_SETS; set++)
		bytes += sizeof(PartitionSet) * (Size) join->divided.set_room[set] +
				 sizeof(int64) * (Size) join->groups_room[set];
	if (join->shared != NULL)
		bytes += SharedBlockMemoryPart(join->shared);
	join->counts->memory = Max(join->counts->memory, (int64) bytes);
}

/* Sorts a spool after all of its rows have been added. */
static void
SortSpool(TedJoinState *join, RowSpool *spool)
{
	NoteMemory(join);
	SpoolSort(spool);
	join->counts->spooled += SpoolDiskBytes(spool);
}

/* Reads the cost model, if there is one; returns false if its value is null. */
static bool
ReadModel(TedJoinState *join)
{
	MemoryContext caller = MemoryContextSwitchTo(join->model_context);
	bool isnull = false;

	MemoryContextReset(join->model_context);
	join->model = NULL;
	if (join->model_value != NULL)
	{
		Datum value =
			ExecEvalExprSwitchContext(join->model_value, join->css.ss.ps.ps_ExprContext, &isnull);

		if (!isnull)
			join->model = DatumGetCostModel(value);
		if (!isnull && join->transposed)
			join->model = CostModelTransposed(join->model);
	}
	MemoryContextSwitchTo(caller);
	return !isnull;
}

/* Widens the threshold by that of the current row; returns false if the row can match nothing. */
static bool
ReadThreshold(TedJoinState *join)
{
	bool isnull;
	Datum value = ExecEvalExprSwitchContext(join->limit, join->css.ss.ps.ps_ExprContext, &isnull);
	DocumentThreshold threshold;
	Oid type;

	if (isnull)
		return false;
	type = exprType((Node *) join->limit->expr);
	if (join->kind == THRESHOLD_SIMILAR)
		CheckMinSimilarity(DatumGetFloat8(value));
	threshold = join->model != NULL ? ModelThreshold(join->kind, join->model, value, type)
									: ClauseThreshold(join->kind, value, type);
	if (MatchesNothing(&threshold))
		return false;
	WidenThreshold(&join->threshold, &threshold);
	return true;
}

/*
 * Reads the document of the row in the scan tuple; returns false if there is none, or if the row
 * can match nothing.
 */
static bool
ReadRowDocument(TedJoinState *join, JoinSide *side, Datum *document, int32 *group)
{
	if (join->nothing || !SideReadDocument(side, &join->css.ss, document, group))
		return false;
	if (join->limit_side == NULL || (join->limit_side != side && !join->self))
		return true;
	/* in a self-join, a row without a threshold can match one that has a threshold */
	return ReadThreshold(join) || join->self;
}

/* Fills the scan tuple with a row of a side and, in a self-join, with the other side's columns. */
static void
FillScan(TedJoinState *join, JoinSide *side, TupleTableSlot *row)
{
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;

	ResetExprContext(join->css.ss.ps.ps_ExprContext);
	ExecClearTuple(scan);
	SideFill(side, side->from, row, scan);
	if (join->self)
	{
		JoinSide *other = side == &join->outer ? &join->inner : &join->outer;

		SideFill(other, other->counterpart, row, scan);
	}
	ExecStoreVirtualTuple(scan);
}

/* Whether rows of a side without a document are kept. */
static bool
KeepsWithoutDocument(const TedJoinState *join, const JoinSide *side)
{
	return join->self ? join->outer.preserved || join->inner.preserved : side->preserved;
}

/*
 * Reads the next row of a side's plan into the scan tuple; returns false at the end.  Skips rows
 * that can neither match nor be delivered.
 */
static bool
ReadSideRow(TedJoinState *join, JoinSide *side, SpooledRow *row)
{
	TupleTableSlot *slot;

	while (slot = ExecProcNode(side->plan), !TupIsNull(slot))
	{
		CheckInterrupts();
		ProgressAtWork(&join->progress);
		join->counts->documents++;
		FillScan(join, side, slot);
		row->ordinal = side->next_ordinal++;
		row->has_document = ReadRowDocument(join, side, &row->document, &row->group);
		row->size = 0;
		row->key = NULL;
		if (row->has_document || KeepsWithoutDocument(join, side))
			return true;
	}
	return false;
}

/*
 * Makes a filter for rows that are read again.  It works only if documents are compared as they are
 * stored, and with one threshold.
 */
static void
MakeRereadFilter(TedJoinState *join)
{
	if (join->documents->list_nodes != NULL && join->model == NULL && join->limit_side == NULL &&
		join->pair_filter == NULL)
		join->pair_filter = PairFilterCreate(join->documents, &join->threshold,
											 JoinMemory(BLOCK_SHARE_BESIDE_TWO, 1));
}

/* Makes a spool for the rows of a side; in a self-join, with the columns of both sides. */
static RowSpool *
MakeSpool(TedJoinState *join, const JoinSide *side)
{
	MemoryContext caller = MemoryContextSwitchTo(join->css.ss.ps.state->es_query_cxt);
	TupleDesc scan = join->css.ss.ss_ScanTupleSlot->tts_tupleDescriptor;
	AttrNumber *columns = palloc_array(AttrNumber, scan->natts);
	const JoinSide *sides[2] = {&join->outer, &join->inner};
	RowSpool *spool;
	int count = 0;

	for (int i = 0; i < 2; i++)
		for (int column = 0; (join->self || sides[i] == side) && column < sides[i]->columns;
			 column++)
			if (sides[i]->wanted[column])
				columns[count++] = sides[i]->to[column];
	if (!join->is_divided && !join->grouped)
		MakeRereadFilter(join);
	spool = SpoolCreate(scan, columns, count, join->documents, join->grouped, join->pair_filter);
	pfree(columns);
	MemoryContextSwitchTo(caller);
	return spool;
}

/* Detoasts the document of a row for a spool, and sets the size of the document. */
static void
FetchDocument(TedJoinState *join, SpooledRow *row)
{
	MemoryContext caller =
		MemoryContextSwitchTo(join->css.ss.ps.ps_ExprContext->ecxt_per_tuple_memory);

	if (row->has_document)
	{
		row->document = PointerGetDatum(
			detoast_external_attr((struct varlena *) DatumGetPointer(row->document)));
		row->size = join->documents->size(row->document);
	}
	MemoryContextSwitchTo(caller);
}

/* Adds the row in the scan tuple to a spool, with its document detoasted. */
static void
Spool(TedJoinState *join, RowSpool *spool, SpooledRow *row)
{
	FetchDocument(join, row);
	SpoolAdd(spool, row, join->css.ss.ss_ScanTupleSlot);
}

/* Adds the row in the scan tuple to the block. */
static void
AddToBlock(TedJoinState *join, const SpooledRow *row)
{
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	JoinRows *rows = &join->reader->rows[BLOCK_ROWS];
	int32 number =
		row->has_document ? PipelineAddIndexed(join->pipeline, row->document) : NO_DOCUMENT;

	if (join->grouped && number != NO_DOCUMENT)
		KeepGroup(join, BLOCK_ROWS, number, number < rows->count, row->group);
	RowsKeep(rows, number, row->ordinal, scan);
	if (join->is_divided)
		KeepPartitions(join, BLOCK_ROWS, number, row);
}

/* Adds the row in the scan tuple to the probes. */
static void
AddToProbes(TedJoinState *join, const SpooledRow *row)
{
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	JoinRows *rows = &join->outer.rows[PROBE_ROWS];
	int32 number = row->has_document && join->inner.rows[BLOCK_ROWS].count > 0
					   ? PipelineAddProbe(join->pipeline, row->document)
					   : NO_DOCUMENT;

	if (join->grouped && number != NO_DOCUMENT)
		KeepGroup(join, PROBE_ROWS, number, number < rows->count, row->group);
	RowsKeep(rows, number, row->ordinal, scan);
	if (join->is_divided && number != NO_DOCUMENT)
		KeepPartitions(join, PROBE_ROWS, number, row);
}

/* Reads the first block of the join or of a partition; rows that do not fit are spooled. */
static void
ReadFirstBlock(TedJoinState *join)
{
	Size limit = join->empty_memory + JoinMemory(JOIN_ONLY_BLOCK_MEMORY, 1);
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	SpooledRow row;

	if (JoinsPartition(join))
		PartitionsTurnTo(join->divided.rows, join->divided.present);
	while (JoinsPartition(join) ? PartitionsNext(join->divided.rows, &row, scan)
								: ReadSideRow(join, join->reader, &row))
	{
		CheckInterrupts();
		if (BlockMemoryUsed(join) < limit)
		{
			AddToBlock(join, &row);
			continue;
		}
		if (join->rest == NULL)
			join->rest = MakeSpool(join, join->reader);
		Spool(join, join->rest, &row);
	}
}

/* Puts the row in the scan tuple, with a detoasted document, aside for all processes. */
static void
PutAside(TedJoinState *join, const SpooledRow *row)
{
	MinimalTuple tuple = SpoolForm(join->is_divided ? join->divided.large : join->rest, row,
								   join->css.ss.ss_ScanTupleSlot);

	SharedBlockPutAside(join->shared, tuple);
	join->counts->spooled += tuple->t_len;
	heap_free_minimal_tuple(tuple);
}

/* Reads this process's part of the inner side; rows that do not fit are put aside. */
static void
ReadShare(TedJoinState *join)
{
	Size limit = JoinMemory(JOIN_ONLY_BLOCK_MEMORY, SharedBlockParticipants(join->shared));
	Size counted = join->empty_memory;
	SpooledRow row;

	while (ReadSideRow(join, &join->inner, &row))
	{
		Size used = BlockMemoryUsed(join);

		if (SharedBlockGrow(join->shared, used - counted) < limit)
			AddToBlock(join, &row);
		else
		{
			FetchDocument(join, &row);
			row.ordinal = SharedBlockOrdinal(join->shared, row.ordinal);
			PutAside(join, &row);
		}
		counted = used;
	}
}

/* Adds the rows that all processes have put aside to a spool. */
static void
SpoolAside(TedJoinState *join, RowSpool *spool)
{
	MinimalTuple tuple;

	while (tuple = SharedBlockNextAside(join->shared), tuple != NULL)
	{
		CheckInterrupts();
		SpoolAddFormed(spool, tuple);
	}
}

/* Reads the next row of the outer side's plan, and spools it if it is read again later. */
static bool
ReadOuterRow(TedJoinState *join, SpooledRow *row)
{
	if (!ReadSideRow(join, &join->outer, row))
	{
		if (join->probes != NULL)
			SortSpool(join, join->probes);
		join->probes_stored = join->probes != NULL;
		return false;
	}
	if (join->probes != NULL)
		Spool(join, join->probes, row);
	return true;
}

/* Reads and spools all of the outer side, to know the thresholds of its rows. */
static void
StoreOuter(TedJoinState *join)
{
	SpooledRow row;

	join->probes = MakeSpool(join, &join->outer);
	while (ReadOuterRow(join, &row))
		CheckInterrupts();
}

/*
 * Reads the first block together with other processes.  Each process spools all rows that were put
 * aside.
 */
static void
ReadTogether(TedJoinState *join)
{
	JoinRows *rows = &join->inner.rows[BLOCK_ROWS];
	bool reads;

	join->rest = MakeSpool(join, &join->inner);
	RowsUseTeam(rows, SharedBlockTeam(join->shared));
	reads = SharedBlockBegin(join->shared, join->css.ss.ps.state->es_query_dsa);
	if (!join->self && join->limit_side == &join->outer)
	{
		/* the others wait for these thresholds; a process that begins later finds no rows */
		StoreOuter(join);
		PipelineSetThreshold(join->pipeline, &join->threshold);
	}
	if (reads)
	{
		ReadShare(join);
		SharedBlockPublish(join->shared, &join->threshold, join->pipeline);
	}
	SharedBlockBuild(join->shared, &join->threshold, join->pipeline, rows);
	SpoolAside(join, join->rest);
}

/*
 * Estimates the bytes of a spooled row in a block.  Unlike the memory in use, the estimate is the
 * same in all processes, whose blocks must be equal.
 */
static Size
KeptBytes(const TedJoinState *join, const SpooledRow *row)
{
	return sizeof(JoinRow *) + RowBytes(join->reader->kept, join->css.ss.ss_ScanTupleSlot) +
		   PipelineDocumentBytes(join->pipeline, row->size);
}

/*
 * Reads the next row of a block from the spool; returns false at the end of the block, which is
 * before the next group if it has enough rows.
 */
static bool
NextBlockRow(TedJoinState *join, SpooledRow *row)
{
	bool complete = join->grouped && join->spooled_rows - join->block_begin >= LEAST_GROUPED_ROWS;

	if (complete)
		SpoolMark(join->rest);
	join->reader_done = !SpoolNext(join->rest, row, join->css.ss.ss_ScanTupleSlot);
	if (join->reader_done)
		return false;
	if (complete && row->has_document && row->group != join->last_group)
	{
		SpoolReturn(join->rest);
		return false;
	}
	return true;
}

/*
 * Reads a later block from the spool; skips the rows of a block that another process has claimed.
 */
static void
ReadSpooledBlock(TedJoinState *join)
{
	bool shared = JoinSharesWork(join) && !JoinsPartition(join);
	Size share = JoinMemory(join->self ? BLOCK_SHARE_BESIDE_ONE : BLOCK_SHARE_BESIDE_TWO, 1);
	Size limit = share + (shared ? 0 : join->empty_memory);
	bool passed = shared && !SharedBlockClaimWhole(join->shared, join->block);
	Size bytes = 0;
	bool first = true;
	SpooledRow row;

	if (join->pair_filter != NULL)
		PairFilterStart(join->pair_filter);
	while ((shared ? bytes : BlockMemoryUsed(join)) < limit)
	{
		CheckInterrupts();
		if (!NextBlockRow(join, &row))
			break;
		join->spooled_rows++;
		if (!passed)
			AddToBlock(join, &row);
		if (!row.has_document)
			continue;
		if (join->pair_filter != NULL && !passed)
			PairFilterAdd(join->pair_filter, row.document, row.size, row.key);
		bytes += KeptBytes(join, &row);
		join->first_group = first ? row.group : join->first_group;
		join->last_group = row.group;
		join->least_size = first ? row.size : Min(join->least_size, row.size);
		join->greatest_size = first ? row.size : Max(join->greatest_size, row.size);
		first = false;
	}
	join->probes_done = passed;
}

/* Sorts the rows after a first block; for later blocks, the outer side needs a spool, too. */
static void
EndFirstBlock(TedJoinState *join)
{
	join->reader_done = join->rest == NULL || SpoolRows(join->rest) == 0;
	if (join->reader_done)
		return;
	SortSpool(join, join->rest);
	if (!join->self && join->probes == NULL)
		join->probes = MakeSpool(join, &join->outer);
}

/* Advances to the next partition that no other process joins, and finally to the large trees. */
static bool
TurnToPartition(TedJoinState *join)
{
	JoinPartitions *divided = &join->divided;

	if (join->rest != NULL)
		SpoolFree(join->rest);
	join->rest = NULL;
	while (++divided->place < divided->count)
	{
		divided->present = divided->order[divided->place];
		if (PartitionsHave(divided->rows, divided->present) &&
			(join->self || PartitionsHave(divided->probes, divided->present)) &&
			(!JoinSharesWork(join) || SharedBlockClaimWhole(join->shared, divided->place + 1)))
			return true;
	}
	divided->present = divided->count;
	if (divided->place > divided->count || SpoolRows(divided->large) == 0)
		return false;
	join->rest = divided->large;
	divided->large = NULL;
	join->reader_done = false;
	join->block = divided->count + 1;
	join->spooled_rows = 0;
	return true;
}

/* Reads and indexes the next block; returns false if there is none. */
static bool
OpenBlock(TedJoinState *join)
{
	if (join->reader_done && !(join->is_divided && TurnToPartition(join)))
		return false;
	join->phase = JOIN_READS_BLOCK;
	join->block_begin = join->spooled_rows;
	join->pipeline = PipelineOpen(
		join->documents, join->elements, join->model, &join->threshold, join->measures_wanted,
		&join->counts->pairs, NoteMatch, join,
		join->first_block && join->shared != NULL ? SharedBlockTeam(join->shared) : NULL);
	join->empty_memory = BlockMemoryUsed(join);
	join->probes_done = false;
	join->unsorted = join->first_block || (JoinsPartition(join) && join->rest == NULL);
	if (!join->unsorted)
		ReadSpooledBlock(join);
	else
	{
		if (join->first_block && join->shared != NULL)
			ReadTogether(join);
		else
			ReadFirstBlock(join);
		EndFirstBlock(join);
	}
	if (join->inner.rows[BLOCK_ROWS].count > 0)
	{
		PipelineSetThreshold(join->pipeline, &join->threshold);
		if (join->is_divided)
			PipelineLeaveOut(join->pipeline, IsOfOtherPartition);
		else if (join->grouped && join->first_group != join->last_group)
			PipelineLeaveOut(join->pipeline, IsOfOtherGroup);
		PipelineIndex(join->pipeline);
		join->counts->blocks++;
	}
	NoteMemory(join);
	join->next_place = join->end_place = 0;
	join->first_row = join->next_row = join->end_row = 0;
	join->probe_size = join->greatest_size;
	if (JoinsPartition(join) && !join->self)
		PartitionsTurnTo(join->divided.probes, join->divided.present);
	else if (join->probes_stored)
		SpoolReturn(join->probes);
	if (join->self && join->rest != NULL)
		SpoolMark(join->rest);
	ProgressCompares(&join->progress);
	join->phase = join->self ? JOIN_SEARCHES_BLOCK : JOIN_READS_PROBES;
	return true;
}

/* Whether other processes look up other rows in this block, and all should end together. */
static bool
SharesBlock(const TedJoinState *join)
{
	return join->css.ss.ps.plan->parallel_aware && (join->first_block || !JoinSharesWork(join));
}

/* Returns the number of rows or documents to look up next. */
static int
NextChunkRows(TedJoinState *join)
{
	int rows = join->chunk_rows;
	int largest = PipelineTakesAll(join->pipeline) ? LARGEST_GPU_CHUNK
				  : SharesBlock(join)              ? LARGEST_PARALLEL_CHUNK
												   : LARGEST_CHUNK;

	join->chunk_rows = Min(rows * CHUNK_GROWTH, largest);
	return rows;
}

/*
 * Sets the range of documents of the first block to look up next, of which `claimed` have been
 * claimed.  A few of the smallest documents come first, so that the first rows come early; then
 * come the most expensive ones, in ever smaller portions.
 */
static void
TurnToShare(TedJoinState *join, int32 claimed, int32 most)
{
	int participants = SharedBlockParticipants(join->shared);
	int32 documents = PipelineDocuments(join->pipeline);
	int32 smallest = Min(participants * FIRST_CHUNK, documents / 4);
	double portion = PipelineTakesAll(join->pipeline) ? DEVICE_PORTION
													  : 1.0 / (PORTIONS_PER_PROCESS * participants);

	if (claimed < smallest)
	{
		join->next_place = claimed;
		join->end_place = Min(claimed + FIRST_CHUNK, smallest);
		return;
	}
	join->end_place = documents - (claimed - smallest);
	join->next_place = PipelinePortion(join->pipeline, join->end_place, portion);
	join->next_place = Max(join->next_place, Max(join->end_place - most, smallest));
}

/* Claims documents of the block that no other process looks up; returns false if there are none. */
static bool
ClaimSharedDocuments(TedJoinState *join, int32 most)
{
	int64 claimed = SharedBlockClaimed(join->shared);

	do
	{
		if (claimed < 0 || claimed >= PipelineDocuments(join->pipeline))
			return false;
		TurnToShare(join, (int32) claimed, most);
	} while (!SharedBlockClaim(join->shared, &claimed, join->end_place - join->next_place));
	return true;
}

/* Advances to the next documents of the block to look up in it; returns false if there are none. */
static bool
ClaimDocuments(TedJoinState *join)
{
	int32 documents = PipelineDocuments(join->pipeline);
	int32 wanted = PipelineTakesAll(join->pipeline) ? documents : NextChunkRows(join);

	if (JoinSharesWork(join) && join->first_block)
		return ClaimSharedDocuments(join, wanted);
	join->next_place = join->end_place;
	join->end_place = Min(join->next_place + wanted, documents);
	return join->next_place < documents;
}

/* Adds matches that another process has found; returns false if there are none. */
static bool
TakeMatches(TedJoinState *join)
{
	int32 count = SharedMatchesTake(SharedBlockMatches(join->shared), SharedBlockTeam(join->shared),
									join->passed);

	AddMatchesOfBlock(join, join->passed, count);
	return count > 0;
}

/*
 * Finds the matches of some of the current documents with others of the block and with themselves.
 */
static void
SearchDocuments(TedJoinState *join)
{
	int32 place = join->next_place;

	join->next_place = PipelineRunSelf(join->pipeline, place, join->end_place);
	for (; place < join->next_place; place++)
	{
		int32 number = PipelineDocumentAt(join->pipeline, place);
		MatchedDocuments match = {number, number, 0};

		if (join->passes_on)
			PassOn(join, match);
		else if (!join->is_divided || !IsOfOtherPartition(join, JOIN_INDEXED, number, number))
			AddMatchesOfBlock(join, &match, 1);
	}
}

/*
 * Does the same in a process with a GPU, which passes matches to all processes.  Others are told to
 * expect more, unless this process has matches to deliver itself, or has found all.
 */
static void
SearchForAll(TedJoinState *join)
{
	SharedMatches *matches = SharedBlockMatches(join->shared);
	bool more;

	SharedMatchesExpect(matches, true);
	join->passes_on = true;
	SearchDocuments(join);
	join->passes_on = false;
	more = join->next_place < join->end_place && PipelineTakesAll(join->pipeline);
	if (!more)
		PassAllOn(join);
	SharedMatchesExpect(matches, more && join->match_count == 0);
}

/*
 * Takes matches of the block after all of its documents have been claimed.  Waits for them if there
 * is nothing else to do.  Returns false if no more will come.
 */
static bool
MoreMatchesCome(TedJoinState *join)
{
	bool more = join->reader_done && SharedMatchesAwait(SharedBlockMatches(join->shared));

	return TakeMatches(join) || more;
}

/*
 * Finds the matches of some documents of the block, or takes matches that another process has
 * found.
 */
static bool
SearchBlock(TedJoinState *join)
{
	bool together = JoinSharesWork(join) && join->first_block;
	bool device = together && PipelineTakesAll(join->pipeline);

	if (join->phase != JOIN_SEARCHES_BLOCK)
		return false;
	if (together && !device && TakeMatches(join))
		return true;
	if (join->next_place < join->end_place || ClaimDocuments(join))
	{
		if (device)
			SearchForAll(join);
		else
			SearchDocuments(join);
		return true;
	}
	join->next_place = join->end_place;
	if (together && MoreMatchesCome(join))
		return true;
	join->phase = JOIN_READS_PROBES;
	join->probes_done = join->probes_done || join->reader_done;
	return false;
}

/* Returns the place of a spooled row among those that may match rows of the block. */
static SizePlace
PlaceOfRow(const TedJoinState *join, const SpooledRow *row)
{
	if (join->grouped && row->group < join->first_group)
		return BEFORE_SIZES;
	if (join->grouped && row->group > join->last_group)
		return BEHIND_SIZES;
	/* in a block of several groups, sizes begin anew with each */
	if (join->unsorted || (join->grouped && join->first_group != join->last_group))
		return AMONG_SIZES;
	return PlaceAmongSizes(join->documents, &join->threshold, row->size, join->least_size,
						   join->greatest_size);
}

/*
 * Reads the next spooled probe into the scan tuple; returns false if there is none for the block.
 */
static bool
ReadSpooledProbe(TedJoinState *join, RowSpool *spool, SpooledRow *row)
{
	while (SpoolNext(spool, row, join->css.ss.ss_ScanTupleSlot) && row->has_document)
	{
		CheckInterrupts();
		switch (PlaceOfRow(join, row))
		{
			case AMONG_SIZES:
				return true;
			case BEHIND_SIZES:
				return false;
			case BEFORE_SIZES:
				/*
				 * later blocks are even farther in size and do not need it; in a self-join there
				 * are none
				 */
				SpoolMark(spool);
		}
	}
	return false;
}

/* Reads the next probe of the block into the scan tuple; returns false if there is none. */
static bool
ReadProbe(TedJoinState *join, SpooledRow *row)
{
	if (join->self)
		return ReadSpooledProbe(join, join->rest, row);
	if (JoinsPartition(join))
		return PartitionsNext(join->divided.probes, row, join->css.ss.ss_ScanTupleSlot);
	if (join->probes_stored)
		return ReadSpooledProbe(join, join->probes, row);
	return ReadOuterRow(join, row);
}

/*
 * Claims rows after the block that no other process looks up in it, and skips the rows before them;
 * returns false if there are none.
 */
static bool
ClaimSharedRows(TedJoinState *join, int most)
{
	double size = Max(join->probe_size, 1);
	int rows = (int) Max(Min(LARGEST_PARALLEL_WORK / (size * size), most), 1);
	int64 claimed = SharedBlockClaimed(join->shared);
	SpooledRow row;

	do
	{
		if (claimed < 0)
			return false;
		/* the documents of the block are claimed first, and all of them have been */
		join->end_row = claimed - PipelineDocuments(join->pipeline) + rows;
	} while (!SharedBlockClaim(join->shared, &claimed, rows));
	for (; join->next_row < join->end_row - rows; join->next_row++)
		if (!ReadProbe(join, &row))
			return false;
	return true;
}

/* Whether a row may have a match in the block, according to the filter. */
static bool
RowMayMatch(TedJoinState *join, const SpooledRow *row)
{
	return !row->has_document || join->pair_filter == NULL ||
		   PairFilterMayMatch(join->pair_filter, row->document, row->size, row->key);
}

/* Frees the last chunk of probes, and reads the next one; returns false if there is none. */
static bool
ReadProbes(TedJoinState *join)
{
	int rows = NextChunkRows(join);
	Size limit = JoinMemory(join->first_block ? CHUNK_SHARE : JOIN_CHUNK_MEMORY, 1);
	bool claims = JoinSharesWork(join) && join->first_block;

	NoteMemory(join);
	SideForgetRows(&join->outer, PROBE_ROWS);
	SideForgetRows(&join->inner, PROBE_ROWS);
	if (claims && join->next_row == join->end_row && !ClaimSharedRows(join, rows))
		join->probes_done = true;
	if (join->probes_done)
		return false;
	if (SharesBlock(join))
		limit = Min(limit, LARGEST_PARALLEL_BYTES);
	limit += BlockMemoryUsed(join);
	if (claims)
		rows = (int) (join->end_row - join->next_row);
	join->first_row = join->next_row;
	for (int count = 0; count < rows && BlockMemoryUsed(join) <= limit; count++)
	{
		SpooledRow row;

		join->probes_done = !ReadProbe(join, &row);
		if (join->probes_done)
			break;
		if (RowMayMatch(join, &row))
			AddToProbes(join, &row);
		else
			PipelinePassOver(join->pipeline, row.size);
		join->next_row++;
		join->probe_size = row.size;
	}
	return true;
}

/*
 * Finds matches of the probes, chunk by chunk; returns false after the last one.  If there is one
 * block only, outer rows of a chunk without a match are known then.
 */
static bool
SearchProbes(TedJoinState *join)
{
	if (join->phase == JOIN_CLOSES_BLOCK || (join->phase == JOIN_READS_PROBES && !ReadProbes(join)))
		return false;
	join->phase = JOIN_SEARCHES_PROBES;
	if (join->inner.rows[BLOCK_ROWS].count > 0 && join->outer.rows[PROBE_ROWS].count > 0 &&
		PipelineRunProbes(join->pipeline))
		return true;
	if (join->outer.preserved && join->probes == NULL && !join->self)
		join->unmatched_outer = RowsIterate(&join->outer.rows[PROBE_ROWS]);
	join->counts->probes += join->next_row - join->first_row;
	join->first_row = join->next_row;
	join->phase = JOIN_READS_PROBES;
	return true;
}

/* Prepares to deliver the rows of the block without a match; returns false if they have been. */
static bool
CloseBlock(TedJoinState *join)
{
	if (join->phase == JOIN_CLOSES_BLOCK)
		return false;
	join->phase = JOIN_CLOSES_BLOCK;
	if (join->inner.preserved)
		join->unmatched_inner = RowsIterate(&join->inner.rows[BLOCK_ROWS]);
	if (join->self && join->outer.preserved)
		join->unmatched_outer = RowsIterate(&join->outer.rows[BLOCK_ROWS]);
	return true;
}

/* Frees the block. */
static void
FreeBlock(TedJoinState *join)
{
	NoteMemory(join);
	PipelineClose(join->pipeline);
	join->pipeline = NULL;
	if (join->first_block)
		join->first_block_rows = join->reader->rows[BLOCK_ROWS].kept_rows;
	SideForgetRows(&join->inner, BLOCK_ROWS);
	SideForgetRows(&join->outer, BLOCK_ROWS);
	if (join->self && join->rest != NULL)
		SpoolReturn(join->rest);
	join->first_block = false;
	join->block++;
}

/*
 * Reads rows of the outer side again, and keeps those without a match for delivery; returns false
 * if there are no more rows.
 */
static bool
ReadUnmatched(TedJoinState *join)
{
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	int count = 0;
	SpooledRow row;

	if (join->probes == NULL || !join->outer.preserved || join->self)
		return false;
	if (join->phase != JOIN_READS_UNMATCHED)
		SpoolRewind(join->probes);
	join->phase = JOIN_READS_UNMATCHED;
	SideForgetRows(&join->outer, PROBE_ROWS);
	for (; count < LARGEST_CHUNK && SpoolNext(join->probes, &row, scan); count++)
		if (!SideIsMatched(&join->outer, row.ordinal))
			RowsKeep(&join->outer.rows[PROBE_ROWS], NO_DOCUMENT, row.ordinal, scan);
	join->unmatched_outer = RowsIterate(&join->outer.rows[PROBE_ROWS]);
	return count > 0;
}

/*
 * Reads and spools all of the side that blocks are read from.  Processes that each read a part of
 * it put their rows aside, and each spools all of these.
 */
static void
StoreReader(TedJoinState *join)
{
	SharedBlock *shared = join->shared;
	bool reads = shared == NULL || SharedBlockBegin(shared, join->css.ss.ps.state->es_query_dsa);
	SpooledRow row;

	join->rest = MakeSpool(join, join->reader);
	while (reads && ReadSideRow(join, join->reader, &row))
	{
		if (shared == NULL)
		{
			Spool(join, join->rest, &row);
			continue;
		}
		FetchDocument(join, &row);
		row.ordinal = SharedBlockOrdinal(shared, row.ordinal);
		PutAside(join, &row);
	}
	if (shared != NULL)
	{
		SharedBlockEndAside(shared);
		SpoolAside(join, join->rest);
		join->block = 1;
	}
	SortSpool(join, join->rest);
	join->first_block = false;
}

/*
 * Adds the row in the scan tuple to the partitions of its document.  Returns whether the row is
 * also to be joined with large trees.
 */
static bool
Divide(TedJoinState *join, Partitions *partitions, SpooledRow *row)
{
	FetchDocument(join, row);
	if (row->size < join->divided.large_size)
		PartitionsAdd(partitions, row, join->css.ss.ss_ScanTupleSlot);
	return row->size >= join->divided.near_large_size;
}

/* Divides the rows of the side that blocks are read from, together with other processes, if any. */
static void
DivideReader(TedJoinState *join)
{
	JoinPartitions *divided = &join->divided;
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	SharedBlock *shared = join->shared;
	int processes = shared == NULL ? 1 : SharedBlockParticipants(shared);
	int most = Max((int) (JoinMemory(BUFFERS_MEMORY, 1) / BLCKSZ), FEWEST_BUFFERS);
	double count = PARTITIONS_PER_BLOCK * (double) join->expected_blocks * processes;
	bool reads = shared == NULL || SharedBlockBegin(shared, join->css.ss.ps.state->es_query_dsa);
	SharedPartitions common;
	SpooledRow row;

	if (shared != NULL)
		common = SharedBlockPartitions(shared);
	divided->large = MakeSpool(join, join->reader);
	divided->rows = PartitionsCreate(
		divided->large, join->documents, &join->threshold,
		(int) Min(Max(count, PARTITIONS_PER_PROCESS * processes), Min(most, MOST_PARTITIONS)),
		shared == NULL ? NULL : &common, NULL);
	while (reads && ReadSideRow(join, join->reader, &row))
	{
		if (shared != NULL)
			row.ordinal = SharedBlockOrdinal(shared, row.ordinal);
		if (!Divide(join, divided->rows, &row))
			continue;
		if (shared != NULL)
			PutAside(join, &row);
		else
			SpoolAdd(divided->large, &row, scan);
	}
	PartitionsEnd(divided->rows, scan);
	join->counts->spooled += PartitionsDiskBytes(divided->rows);
	if (shared != NULL)
	{
		SharedBlockEndAside(shared);
		SpoolAside(join, divided->large);
	}
	SortSpool(join, divided->large);
	if (PartitionsRule(divided->rows) != NULL)
		divided->count = PartitionCount(PartitionsRule(divided->rows));
}

/* Divides the rows of the other side, all of which this process joins. */
static void
DivideProbes(TedJoinState *join)
{
	JoinPartitions *divided = &join->divided;
	TupleTableSlot *scan = join->css.ss.ss_ScanTupleSlot;
	SpooledRow row;

	join->probes = MakeSpool(join, &join->outer);
	divided->probes = PartitionsCreate(join->probes, join->documents, &join->threshold,
									   divided->count, NULL, PartitionsRule(divided->rows));
	while (ReadSideRow(join, &join->outer, &row))
		if (Divide(join, divided->probes, &row))
			SpoolAdd(join->probes, &row, scan);
	PartitionsEnd(divided->probes, scan);
	join->counts->spooled += PartitionsDiskBytes(divided->probes);
	SortSpool(join, join->probes);
	join->probes_stored = true;
}

/* Divides both sides into partitions. */
static void
BeginPartitions(TedJoinState *join)
{
	join->divided.large_size = LargeTreeSize(&join->threshold);
	join->divided.near_large_size = NearLargeSize(&join->threshold);
	DivideReader(join);
	if (!join->self)
		DivideProbes(join);
	join->first_block = false;
	join->reader_done = true;
	PartitionsOrder(join->divided.rows, join->divided.count, join->divided.order);
	join->divided.place = -1;
}

/* Begins the join; reads the threshold, if all pairs have the same one. */
static void
Begin(TedJoinState *join)
{
	join->phase = JOIN_READS_BLOCK;
	join->threshold = DistanceThreshold(-1);
	join->nothing = !ReadModel(join) || (join->limit_side == NULL && !ReadThreshold(join));
	join->first_block = true;
	join->greatest_size = 0;
	join->reader_done = join->nothing && !join->outer.preserved && !join->inner.preserved;
	join->probes_stored = false;
	join->chunk_rows = FIRST_CHUNK;
	join->block = 0;
	join->first_block_rows = join->spooled_rows = 0;
	JoinProgressBegin(join);
	join->passes_on = false;
	join->passed_count = 0;
	if (join->passed == NULL && JoinSharesWork(join))
		join->passed = MemoryContextAlloc(join->css.ss.ps.state->es_query_cxt,
										  sizeof(MatchedDocuments) * SHARED_MATCHES_CHUNK);
	if (join->reader_done)
		return;
	if (join->is_divided)
	{
		BeginPartitions(join);
		return;
	}
	if (join->expected_blocks > 0)
		StoreReader(join);
	if (!join->self &&
		(join->expected_blocks > 0 || (join->limit_side == &join->outer && join->shared == NULL)))
		StoreOuter(join);
}

/* Finds more matches, or more rows without one. */
bool
JoinAdvance(TedJoinState *join)
{
	join->match_count = join->next_match = 0;
	ProgressAtWork(&join->progress);
	if (join->phase == JOIN_BEGINS)
		Begin(join);
	while (join->pipeline != NULL || OpenBlock(join))
	{
		if (SearchBlock(join) || SearchProbes(join) || CloseBlock(join))
			return true;
		FreeBlock(join);
	}
	if (ReadUnmatched(join))
		return true;
	ProgressEnd(&join->progress);
	return false;
}

/* Frees a spool, if there is one. */
static void
FreeSpool(RowSpool **spool)
{
	if (*spool != NULL)
		SpoolFree(*spool);
	*spool = NULL;
}

/* Frees the partitions of both sides. */
static void
FreePartitions(TedJoinState *join)
{
	JoinPartitions *divided = &join->divided;

	FreeSpool(&divided->large);
	if (divided->rows != NULL)
		PartitionsFree(divided->rows);
	if (divided->probes != NULL)
		PartitionsFree(divided->probes);
	for (int set = 0; set < ROW_SETS; set++)
		if (divided->sets[set] != NULL)
			pfree(divided->sets[set]);
	*divided = (JoinPartitions){0};
}

/* Frees everything that execution has allocated. */
void
JoinReset(TedJoinState *join)
{
	if (join->pipeline != NULL)
		PipelineClose(join->pipeline);
	join->pipeline = NULL;
	FreeSpool(&join->rest);
	FreeSpool(&join->probes);
	FreePartitions(join);
	if (join->pair_filter != NULL)
		PairFilterFree(join->pair_filter);
	join->pair_filter = NULL;
	for (int set = 0; set < ROW_SETS; set++)
	{
		if (join->groups[set] != NULL)
			pfree(join->groups[set]);
		join->groups[set] = NULL;
		join->groups_room[set] = 0;
	}
	SideReset(&join->outer);
	SideReset(&join->inner);
	join->match_count = join->next_match = 0;
	join->unmatched_outer = join->unmatched_inner = (JoinRowIterator){0};
	if (join->shared != NULL)
		SharedBlockEndReading(join->shared);
	ProgressEnd(&join->progress);
	join->phase = JOIN_BEGINS;
}
