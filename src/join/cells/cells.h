/*
 * cells.h
 *	  A threshold join as a set of cells: what joins of all callers have in common.
 *
 * Documents that can match meet in a cell.  There is one cell if everything fits in memory;
 * otherwise rows go to temporary files, and as many cells as memory asks for are joined one after
 * the other.  A cell has a block, whose documents are indexed, and probes, which are looked up in
 * it.  There are three ways to make cells:
 *
 * - The first block, which belongs to no numbered cell, is read directly from the input.  When
 *   memory is full, the other rows are stored; they are all probes of this block.
 * - Trees are divided by their rarest nodes (cell_rule.h), into files (cell_files.h).  Two matching
 *   trees have a cell in common, and the one with the least number finds the pair.
 * - Rows are sorted by groups and sizes (row_spool.h).  A cell is a run of these rows that fits in
 *   memory, and of whole groups of LEAST_GROUPED_ROWS rows or more.  Its probes are the rows of
 *   these groups and of similar sizes; where rows of one side meet each other, the rows behind it.
 *
 * What does not fit in memory of a cell of the first two kinds is sorted, and joined by further
 * blocks of the same cell.
 *
 * Processes join cells together (shared_cells.h): each reads a part of the input, and claims whole
 * cells, or documents of a first block that all have built in shared memory.
 *
 * The caller provides rows, and takes matches.
 */
#ifndef TED_CELLS_H
#define TED_CELLS_H

#include "postgres.h"

#include "../../common/progress.h"
#include "cell_files.h"
#include "counts.h"
#include "kept_rows.h"
#include "row_spool.h"
#include "shared_cells.h"

/*
 * A block of groups has whole groups of at least this number of rows, if they fit in memory: an
 * index of a few documents does not pay.
 */
#define LEAST_GROUPED_ROWS 1024

/* A set of rows in memory: those of the block, or the probes. */
typedef enum RowSet
{
	BLOCK_ROWS,
	PROBE_ROWS,
	ROW_SETS
} RowSet;

/*
 * Two documents within the threshold, by their numbers in a set of rows; the outer one is looked up
 * in a block that has the inner one.  Sizes are set if distances are wanted.
 */
typedef struct Match
{
	int32 outer;
	int32 inner;
	RowSet outer_set;
	RowSet inner_set;
	int32 distance;
	int32 larger_size;
	int32 smaller_size;
} Match;

/* The rows of one side, as the caller describes them. */
typedef struct JoinedSide
{
	KeptColumns *kept;         /* columns that are kept in memory */
	const AttrNumber *columns; /* columns of the scan tuple that are stored */
	int column_count;
	bool keeps_all;       /* whether rows without a document are kept */
	double expected_rows; /* that this process will read, for progress */
} JoinedSide;

/* Reads the next row of a side, with its columns in the scan tuple; returns false at the end. */
typedef bool (*ReadJoinedRow)(void *arg, DocumentsSide side, JoinedRow *row);

/* What is joined, set by the caller.  A join has an indexed side, and probes or none. */
typedef struct CellsPlan
{
	const DocumentKind *kind;
	ArrayElements elements; /* of documents that are arrays */
	const CostModel *model; /* of trees, from probe to indexed document; or NULL */
	bool distances_wanted;
	bool connects;   /* whether matches that others connect are left out */
	bool within;     /* whether documents of the indexed side meet each other */
	bool has_probes; /* whether they meet documents of the other side */
	bool mirrored;   /* whether two documents that meet within a side match in both orders */
	JoinedSide sides[2];
	ReadJoinedRow read;
	void *arg; /* of `read` */
	TupleTableSlot *scan;
	MemoryContext context; /* of the join */
	MemoryContext row;     /* of one row */
	int expected;        /* expected number of blocks, if all rows are stored first; otherwise 0 */
	bool grouped;        /* whether rows have groups */
	bool by_rule;        /* whether the stored trees are divided by their nodes */
	bool may_divide;     /* whether trees that turn out not to fit may be */
	bool probes_first;   /* whether probes are read first, to widen the threshold */
	int cell;            /* the cell of all rows, which have sets of cells; or -1 */
	SharedCells *shared; /* of processes that each read a part of the indexed side; or NULL */
	dsa_area *area;      /* for these */
	bool parallel;       /* whether processes each read a part of the probes */
} CellsPlan;

/* What the join does next. */
typedef enum CellsPhase
{
	CELLS_BEGIN,
	CELLS_OPEN_BLOCK,
	CELLS_SEARCH_BLOCK, /* for pairs of documents of the block */
	CELLS_READ_PROBES,
	CELLS_SEARCH_PROBES,
	CELLS_CLOSE_BLOCK,
	CELLS_READ_UNSEEN, /* stored probes, which may have met no block */
	CELLS_END
} CellsPhase;

/* What CellsNext() has found: matches, and maybe a set of rows that have met all others. */
typedef enum CellsResult
{
	CELLS_NOTHING_LEFT,
	CELLS_MATCHES,
	CELLS_PROBES_DONE,
	CELLS_BLOCK_DONE
} CellsResult;

/* The block that is open. */
typedef struct OpenBlock
{
	JoinPipeline *pipeline; /* NULL between blocks */
	Size empty_memory;      /* bytes of an empty block */
	bool unsorted;          /* whether its rows are in no order */
	int32 first_group;      /* groups of its rows */
	int32 last_group;
	int32 least_size; /* sizes of its documents */
	int32 greatest_size;
	int64 begin; /* place of its first row among the sorted rows */

	/* documents of the block that are looked up, in the pipeline's order */
	int32 next_place;
	int32 end_place;

	/* probes */
	DocumentsSide source; /* side that they are read from */
	int source_cell;      /* cell of these rows that is being read, if all are read */
	bool probes_done;     /* whether there are no more */
	int chunk_rows;       /* rows of the next chunk */
	int64 first_row;      /* first probe of the chunk that is being looked up */
	int64 next_row;       /* first probe after the chunk */
	int64 end_row;        /* end of the probes that this process has claimed */
	int32 probe_size;     /* size of the last probe, or of the block's largest document */
} OpenBlock;

/* The join under way. */
typedef struct JoinCells
{
	CellsPlan plan;
	DocumentThreshold threshold; /* wide enough for all rows read so far */
	CellsPhase phase;
	JoinRows rows[ROW_SETS];
	CellSet *sets[ROW_SETS]; /* cells of each document, by number, while cells are joined */
	int32 sets_room[ROW_SETS];
	int64 *groups[ROW_SETS]; /* group of each document, by number, or SEVERAL_GROUPS */
	int32 groups_room[ROW_SETS];

	/* stored rows */
	RowForm *forms[2];
	CellFiles *files[2]; /* rows in files, by side; NULL if there are none */
	RowSpool *rest;      /* sorted rows of the indexed side that are not in a block yet; or NULL */
	RowSpool *probes;    /* sorted rows of the other side */
	bool probes_stored;  /* whether all probes have been stored */
	bool reader_done;    /* whether no rows are left of the input, the cell, or `rest` */
	int64 rows_read[2];  /* rows read of each side */
	int64 spooled_rows;  /* rows of `rest` in the open block and in those before */

	/* cells of a rule, in the order in which they are joined after the first block */
	int order[MOST_CELLS];
	int cell_count;
	int place;        /* position in `order`; -1 before the first one */
	int present;      /* the cell that is joined; -1 if documents have no sets of cells */
	bool first_block; /* whether the block was read from the input */
	int64 first_block_rows;
	int32 block; /* number of the block */
	OpenBlock open;

	/* matches found */
	Match *matches;
	int32 match_count;
	int32 match_capacity;
	bool passes_on;           /* whether matches found in the block go to all processes */
	MatchedDocuments *passed; /* matches to be passed on, or taken from another process */
	int32 passed_count;

	JoinedCounts *counts;
	SharedCounts *shared_counts; /* counts of all processes while there are workers; or NULL */
	ProgressOperation progress;
} JoinCells;

/* Prepares a join, whose plan, counts and progress' name have been set. */
extern void CellsInit(JoinCells *join);

/*
 * Finds more matches, in `matches`.  The first call reads the input; the threshold must have been
 * set, and is widened by `read`.
 */
extern CellsResult CellsNext(JoinCells *join);

/*
 * Whether a document of a set that is done meets no others any more: it has no cells that are yet
 * to be joined, in which its rows occur again.
 */
extern bool CellsAreDone(const JoinCells *join, RowSet set, int32 number);

/* Frees everything, to end or to start over. */
extern void CellsReset(JoinCells *join);

/* Parts of the join, for cells.c, lookup.c and cell_progress.c. */

/* In place of a group, for a document of rows of several groups. */
#define SEVERAL_GROUPS PG_INT64_MAX

/* Whether processes look up different documents of the first block, and claim other cells. */
static inline bool
SharesWork(const JoinCells *join)
{
	return !join->plan.has_probes && join->plan.shared != NULL;
}

/* Whether a numbered cell is joined, whose documents have sets that say where a pair is found. */
static inline bool
HasSets(const JoinCells *join)
{
	return join->present >= 0;
}

/* Whether the cell that is joined is the first common one of two documents, which finds their pair.
 */
static inline bool
AreFoundHere(const JoinCells *join, const CellSet *a, const CellSet *b)
{
	return FirstCommonCell(a, b) == join->present;
}

/* Returns the bytes that grow with the rows in memory. */
extern Size CellsMemoryUsed(const JoinCells *join);

/* Updates the greatest memory of this process, for EXPLAIN. */
extern void NoteCellsMemory(JoinCells *join);

/* Reads the next row of a side from the input, also into the scan tuple; false at the end. */
extern bool ReadInputRow(JoinCells *join, DocumentsSide side, JoinedRow *row);

/* Stores a row of a side, whose columns are in the scan tuple. */
extern void StoreRow(JoinCells *join, DocumentsSide side, JoinedRow *row);

/* Ends storing rows of a side. */
extern void EndStore(JoinCells *join, DocumentsSide side);

/* Adds the row in the scan tuple to a set, with the number of its document or NO_DOCUMENT. */
extern void KeepJoinedRow(JoinCells *join, RowSet set, int32 number, const JoinedRow *row);

/* Receives a match from the pipeline. */
extern void NoteMatch(void *arg, int32 probe, int32 indexed, int32 distance, int32 larger_size,
					  int32 smaller_size);

/* Starts looking up in the block, after it has been read. */
extern void StartLookup(JoinCells *join);

/* Finds the matches of some documents of the block; returns false if all have been looked up. */
extern bool SearchBlock(JoinCells *join);

/* Reads the next probes of the block; returns false if there are none. */
extern bool ReadProbes(JoinCells *join);

/* Begins to report the progress of a join, if that is enabled; in cell_progress.c. */
extern void BeginCellProgress(JoinCells *join);

#endif /* TED_CELLS_H */
