/*
 * subtree_topk.c
 *	  The SQL function tree_subtree_topk(): the subtrees of a document nearest to a query.
 *
 * The document is read node by node, with a stack of the open ones; it is
 * unfolded only to write the paths of what was found.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/builtins.h"

#include "compat.h"
#include "core/topk.h"
#include "tree/host.h"
#include "tree/tree.h"
#include "tree/walk.h"

/* Attributes of a row. */
enum
{
	RANK,
	NODE,
	PATH,
	DISTANCE,
	ATTRIBUTES
};

/* A node that is open. */
typedef struct OpenNode
{
	int32 node; /* preorder number from 0 */
	int32 label;
} OpenNode;

/* Ids of the document's labels by their ids in it; those that the query lacks have the next one. */
static int32 *
MapLabels(const TreeReader *reader, const LabelTable *query_labels)
{
	int32 *shared_id = palloc_array(int32, reader->label_count);

	for (int32 id = 0; id < reader->label_count; id++)
	{
		int32 found =
			LabelTableFind(query_labels, reader->labels[id].bytes, reader->labels[id].length);

		CHECK_FOR_INTERRUPTS();
		shared_id[id] = found >= 0 ? found : LabelTableCount(query_labels);
	}
	return shared_id;
}

/* Ranks what a search has gathered. */
static void
Rank(TedTopk *topk)
{
	Size bytes = ted_topk_rank_memory(topk);
	TedArena arena;

	CheckMemoryLimit(bytes, "searching a tree");
	ArenaInit(&arena, bytes);
	CheckStatus(ted_topk_rank(topk, &arena, &PgInterrupt));
	pfree(arena.base);
}

/* Searches a document for the nearest subtrees, and sorts them. */
static void
Search(TedTopk *topk, const Tree *doc, const LabelTable *query_labels)
{
	TreeReader reader;
	TreeEvent event;
	int32 *shared_id;
	int32 capacity = 64;
	OpenNode *open = palloc_array(OpenNode, capacity);

	TreeReaderInit(&reader, doc);
	shared_id = MapLabels(&reader, query_labels);
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		if (event == TREE_OPEN)
		{
			if (reader.depth > capacity)
			{
				capacity *= 2;
				open = repalloc_huge(open, sizeof(OpenNode) * (Size) capacity);
			}
			open[reader.depth - 1] =
				(OpenNode){.node = reader.node, .label = shared_id[reader.label]};
		}
		else
		{
			OpenNode closed = open[reader.depth];

			if (ted_topk_push(topk, closed.node, closed.label, reader.node - closed.node + 1))
				Rank(topk);
		}
	}
	ted_topk_end(topk);
	Rank(topk);
	ted_topk_sort(topk);
	pfree(open);
	pfree(shared_id);
	pfree(reader.labels);
}

/* Orders places in the result by the node that is there. */
static int
ComparePlaces(const void *a, const void *b, void *hits)
{
	const TedHit *left = &((const TedHit *) hits)[*(const int32 *) a];
	const TedHit *right = &((const TedHit *) hits)[*(const int32 *) b];

	return left->node < right->node ? -1 : 1;
}

/* The paths of the nodes found, by rank. */
static Datum *
WritePaths(const TedTopk *topk, const Tree *doc)
{
	LabelTable *labels = LabelTableCreate();
	Datum *paths = palloc_array(Datum, topk->count);
	int32 *places = palloc_array(int32, topk->count);
	Walk walk;

	for (int32 i = 0; i < topk->count; i++)
		places[i] = i;
	qsort_arg(places, topk->count, sizeof(int32), ComparePlaces, topk->hits);

	WalkInit(&walk, doc, labels);
	for (int32 i = 0; i < topk->count; i++)
	{
		while (walk.next <= topk->hits[places[i]].node)
		{
			CHECK_FOR_INTERRUPTS();
			WalkStep(&walk, labels);
		}
		paths[places[i]] = PointerGetDatum(cstring_to_text_with_len(walk.path.data, walk.path.len));
	}
	return paths;
}

/* Writes the rows. */
static void
EmitHits(ReturnSetInfo *result, const TedTopk *topk, const Datum *paths)
{
	for (int32 i = 0; i < topk->count; i++)
	{
		Datum values[ATTRIBUTES] = {[RANK] = Int32GetDatum(i + 1),
									[NODE] = Int32GetDatum(topk->hits[i].node + 1),
									[PATH] = paths[i],
									[DISTANCE] = Int32GetDatum(topk->hits[i].distance)};
		bool nulls[ATTRIBUTES] = {false};

		CHECK_FOR_INTERRUPTS();
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

PG_FUNCTION_INFO_V1(tree_subtree_topk);

/* The k subtrees of a document nearest to a query. */
Datum
tree_subtree_topk(PG_FUNCTION_ARGS)
{
	int32 k = PG_GETARG_INT32(2);
	Size unfolded = TreeUnfoldedBytes(PG_GETARG_DATUM(0)) + TreeUnfoldedBytes(PG_GETARG_DATUM(1));
	LabelTable *query_labels = LabelTableCreate();
	const Tree *doc;
	TedTree query;
	TedArena arena;
	TedTopk topk;
	Size bytes;

	if (k < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("k must not be negative"),
						errdetail("The value is %d.", k)));
	InitMaterializedSRF(fcinfo, 0);
	if (k == 0)
		return (Datum) 0;

	k = Min(k, TreeSize(PG_GETARG_DATUM(1)));
	CheckMemoryLimit(unfolded, "searching a tree");
	TreeUnfold(PG_GETARG_TREE(0), query_labels, &query);
	bytes = ted_topk_memory(&query, k);
	CheckMemoryLimit(unfolded + bytes, "searching a tree");
	ArenaInit(&arena, bytes);
	CheckStatus(ted_topk_init(&topk, &query, k, &arena));

	doc = PG_GETARG_TREE(1);
	Search(&topk, doc, query_labels);
	EmitHits((ReturnSetInfo *) fcinfo->resultinfo, &topk, WritePaths(&topk, doc));
	return (Datum) 0;
}
