/*
 * execution.h
 *	  The state of a TedJoin that is executed.
 *
 * blocks.c reads the sides and finds trees that match, a step at a time; scan.c
 * makes rows of them.
 */
#ifndef TED_EXECUTION_H
#define TED_EXECUTION_H

#include "postgres.h"

#include "nodes/execnodes.h"

#include "../../common/progress.h"
#include "../../catalog/identity.h"
#include "comparison.h"
#include "counts.h"
#include "../search/search.h"
#include "shared_block.h"
#include "side.h"
#include "spool.h"
#include "tedjoin.h"

/* What comes next. */
typedef enum JoinPhase
{
	JOIN_BEGINS,
	JOIN_OPENS_BLOCK,
	JOIN_SEARCHES_BLOCK, /* for pairs of its own trees */
	JOIN_READS_PROBES,
	JOIN_SEARCHES_PROBES,
	JOIN_FORGETS_PROBES,
	JOIN_CLOSES_BLOCK,
	JOIN_FREES_BLOCK,
	JOIN_READS_UNMATCHED, /* of the outer side, from its spool */
	JOIN_ENDS
} JoinPhase;

/* Two trees that are within the threshold, by their numbers among the rows of either side. */
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

/* The sides of a join that is divided into partitions, which are joined one after the other. */
typedef struct JoinPartitions
{
	Partitions *rows;   /* of the reader */
	Partitions *probes; /* of the other side; NULL in a self-join */
	RowSpool *large;    /* the reader's large trees, and those that may match these */
	int count;
	int order[MOST_PARTITIONS]; /* in which they are joined */
	int place;                  /* in this order; the large trees follow the last one */
	int present;                /* the partition whose rows are joined, or `count` */
	bool begun;                 /* has a block of the present one been read? */
	int32 large_size;
	int32 near_large_size;

	/* by the numbers of the trees of the block and of the probes, what partitions they belong to */
	PartitionSet *sets[ROW_SETS];
	int32 set_room[ROW_SETS];
} JoinPartitions;

typedef struct TedJoinState
{
	CustomScanState css;
	JoinType type;
	JoinSide outer;
	JoinSide inner;
	const DocumentKind *documents;
	ArrayElements elements; /* of arrays */
	ThresholdKind kind;
	ExprState *limit;
	const JoinSide *limit_side; /* whose columns it has; NULL for none */
	bool self;                  /* either side has the rows of the other one */
	JoinSide *reader;           /* the side that blocks are read from */
	ExprState *model_value;     /* NULL for none */
	bool transposed;            /* the model is for distances from inner to outer documents */
	int expected_blocks;        /* of the inner side; 0 where it is expected to fit in one */
	bool is_divided;            /* are its rows divided into partitions? */
	Comparison comparisons[MOST_COMPARISONS]; /* of the join's other clauses */
	int comparison_count;
	ExprState *filter;    /* the rest of them */
	List *measures;       /* in the last columns of the scan tuple, a FunctionRole each */
	bool measures_wanted; /* is any of them used? */

	/* since the start or a rescan */
	JoinPhase phase;
	const CostModel *model; /* for distances from outer to inner documents, or NULL */
	DocumentThreshold threshold;
	bool nothing; /* no pair can match */
	bool first_block;
	bool unsorted; /* has the block trees of any size? */
	bool reader_done;
	int chunk_rows;
	JoinPipeline *pipeline; /* of the block; NULL between blocks */
	Size unused;            /* bytes that it took while empty */
	int32 least_size;       /* of the block's trees */
	int32 greatest_size;
	int32 claimed;    /* trees of the block looked up in a self-join, without workers */
	int32 block;      /* its number */
	int32 next_place; /* of those that are looked up now, in the pipeline's order */
	int32 end_place;
	bool probes_done; /* for this block */
	int64 first_row;  /* of the chunk that is looked up, among the probes of the block */
	int64 next_row;   /* after that chunk */
	int64 end_row;    /* of those that this process has claimed, where blocks are shared */
	int32 probe_size; /* of the last one read, or of the block's largest tree */
	RowSpool *rest;   /* of the reader's rows, where they are more than a block */
	JoinPartitions divided;
	int64 first_block_rows;
	int64 block_begin;       /* of a further block, among the rows of `rest` */
	int64 spooled_rows;      /* of `rest` in this block, and in those before it */
	PairFilter *pair_filter; /* of rows that are read again; NULL for none */
	RowSpool *probes;        /* the outer side, where it is read more than once */
	bool probes_stored;      /* all of it */

	/* matches found and not delivered yet */
	Match *matches;
	int32 match_count;
	int32 match_capacity;
	int32 next_match;
	const Match *match;   /* that rows are delivered of */
	bool passes_on;       /* matches of the block that are found go to all processes */
	MatchedTrees *passed; /* those that have not gone yet, or that have come from there */
	int32 passed_count;

	/* rows to be delivered if they have no match: of the outer and the inner side */
	JoinRowIterator unmatched_outer;
	JoinRowIterator unmatched_inner;

	SharedBlock *shared; /* the first block, where the inner side is a part in each process */
	TedJoinCounts own_counts;
	TedJoinCounts *counts; /* the same, or a worker's shared ones */
	void *shared_counts;   /* those of all processes, while there are workers; else NULL */
	ProgressOperation progress;
} TedJoinState;

/* Goes one step further in finding matches, if any; false where all have been found. */
extern bool JoinAdvance(TedJoinState *join);

/* Whether processes look up different trees of the first block; each takes others for itself. */
static inline bool
JoinSharesWork(const TedJoinState *join)
{
	return join->self && join->shared != NULL;
}

/* Gives back all that execution has taken, to end or to start over. */
extern void JoinReset(TedJoinState *join);

/* Columns of the scan tuple that the target list and the filter of a plan node use. */
extern Bitmapset *UsedColumns(const CustomScan *scan);

/*
 * The last columns of the scan tuple are measures, a FunctionRole each: checks the
 * permissions on those that are used, and writes those of a match, NULL for none, whose
 * distance is in units of 1 / scale.
 */
extern void CheckMeasures(const CustomScan *scan, const List *measures, const Bitmapset *used);
extern void StoreMeasures(const List *measures, const Match *match, DocumentType documents,
						  int32 scale, TupleTableSlot *scan);

#endif /* TED_EXECUTION_H */
