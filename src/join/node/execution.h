/*
 * execution.h
 *	  The execution state of a TedJoin.
 *
 * blocks.c reads the sides and finds matching documents, step by step; scan.c forms rows from the
 * matches.
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

/* What a join does, or where it continues when what it has found has been delivered. */
typedef enum JoinPhase
{
	JOIN_BEGINS,
	JOIN_READS_BLOCK,
	JOIN_SEARCHES_BLOCK, /* for pairs of documents of the block */
	JOIN_READS_PROBES,
	JOIN_SEARCHES_PROBES,
	JOIN_CLOSES_BLOCK,
	JOIN_READS_UNMATCHED /* rows without a match, from the spool of the outer side */
} JoinPhase;

/* Two documents within the threshold, by their numbers in a row set of each side. */
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

/* A join that is divided into partitions, which are joined one after the other. */
typedef struct JoinPartitions
{
	Partitions *rows;           /* of the side that blocks are read from */
	Partitions *probes;         /* of the other side; NULL in a self-join */
	RowSpool *large;            /* large trees of that side, and trees that may match these */
	int count;                  /* number of partitions */
	int order[MOST_PARTITIONS]; /* in which partitions are joined */
	int place;                  /* position in `order`; the large trees follow the last one */
	int present;                /* the partition being joined; `count` for the large trees */
	int32 large_size;           /* least size of a large tree */
	int32 near_large_size;      /* least size of a tree that may match a large one */

	/* partitions of each document of the block and of the probes, by number */
	PartitionSet *sets[ROW_SETS];
	int32 set_room[ROW_SETS];
} JoinPartitions;

/* State of the plan node. */
typedef struct TedJoinState
{
	CustomScanState css;
	JoinType type;
	JoinSide outer;
	JoinSide inner;
	const DocumentKind *documents;
	ArrayElements elements; /* of documents that are arrays */
	ThresholdKind kind;
	ExprState *limit;
	const JoinSide *limit_side; /* side whose columns the limit has; NULL for none */
	bool self;                  /* whether one side is read for both */
	JoinSide *reader;           /* side that blocks are read from */
	ExprState *model_value;     /* cost model; NULL for none */
	MemoryContext model_context;
	bool transposed;     /* cost model is for inner to outer documents */
	int expected_blocks; /* of the inner side; 0 if it is expected to fit in one */
	bool is_divided;     /* whether the rows are divided into partitions */
	bool grouped;        /* whether blocks are read in the order of groups */
	Comparison comparisons[MOST_COMPARISONS]; /* tests among the join's other clauses */
	int comparison_count;
	ExprState *filter;    /* the remaining clauses */
	List *measures;       /* FunctionRole of each measure in the last columns */
	bool measures_wanted; /* whether any measure is used */

	/* members since the start or the last rescan */
	JoinPhase phase;
	const CostModel *model; /* for distances from outer to inner documents, or NULL */
	DocumentThreshold threshold;
	bool nothing; /* whether no pair can match */
	bool first_block;
	bool unsorted;          /* whether the block has documents in no order of sizes */
	bool reader_done;       /* whether there is no further block */
	int chunk_rows;         /* rows of the next chunk */
	JoinPipeline *pipeline; /* pipeline of the block; NULL between blocks */
	Size empty_memory;      /* bytes of an empty block */
	int32 first_group;      /* groups of the block, if rows are joined by groups */
	int32 last_group;
	int64 *groups[ROW_SETS]; /* of each document of the block and of the probes, by number; or
							  * SEVERAL_GROUPS */
	int32 groups_room[ROW_SETS];
	int32 least_size;    /* least size of a document in the block */
	int32 greatest_size; /* and greatest size */
	int32 block;         /* number of the block */
	int32 next_place;    /* next document to look up, in the pipeline's order */
	int32 end_place;     /* end of the documents to look up now */
	bool probes_done;    /* whether the block has no more probes */
	int64 first_row;     /* first probe of the chunk that is being looked up */
	int64 next_row;      /* first probe after the chunk */
	int64 end_row;    /* end of the probes that this process has claimed, if the block is shared */
	int32 probe_size; /* size of the last probe, or of the block's largest document */
	RowSpool *rest;   /* rows of the reader that do not fit in one block */
	JoinPartitions divided;
	int64 first_block_rows;  /* rows of the first block */
	int64 block_begin;       /* first row of a later block in `rest` */
	int64 spooled_rows;      /* rows of `rest` in this block and in those before */
	PairFilter *pair_filter; /* filter of rows that are read again; NULL for none */
	RowSpool *probes;        /* rows of the outer side, if it is read more than once */
	bool probes_stored;      /* whether `probes` has all rows */

	/* matches found and not yet delivered */
	Match *matches;
	int32 match_count;
	int32 match_capacity;
	int32 next_match;
	const Match *match;       /* the match whose rows are being delivered */
	bool passes_on;           /* whether matches found in the block go to all processes */
	MatchedDocuments *passed; /* matches to be passed on, or taken from another process */
	int32 passed_count;

	/* iterators over rows to be delivered if they have no match */
	JoinRowIterator unmatched_outer;
	JoinRowIterator unmatched_inner;

	SharedBlock *shared; /* the first block, if each process reads a part of the inner side */
	TedJoinCounts own_counts;
	TedJoinCounts *counts; /* &own_counts, or a worker's counts in shared memory */
	void *shared_counts;   /* counts of all processes while there are workers; otherwise NULL */
	ProgressOperation progress;
} TedJoinState;

/*
 * Continues the join until there may be matches or rows without one to deliver; returns false at
 * the end.
 */
extern bool JoinAdvance(TedJoinState *join);

/* Whether processes look up different documents of the first block, and claim later blocks. */
static inline bool
JoinSharesWork(const TedJoinState *join)
{
	return join->self && join->shared != NULL;
}

/* Frees everything that execution has allocated, to end or to start over. */
extern void JoinReset(TedJoinState *join);

/* Returns the columns of the scan tuple that a plan node's target list and filter use. */
extern Bitmapset *UsedColumns(const CustomScan *scan);

/*
 * The last columns of the scan tuple are measures, each with a FunctionRole.  Checks the
 * permissions on the measures that are used; stores the measures of a match, or nulls for NULL. The
 * match's distance is in units of 1 / scale.
 */
extern void CheckMeasures(const CustomScan *scan, const List *measures, const Bitmapset *used);
extern void StoreMeasures(const List *measures, const Match *match, DocumentType documents,
						  int32 scale, TupleTableSlot *scan);

#endif /* TED_EXECUTION_H */
