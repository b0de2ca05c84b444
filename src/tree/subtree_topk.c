/*
 * subtree_topk.c
 *	  SQL functions for the subtrees of a document that are near a query.
 *
 * The document is read node by node, with a stack of the open ones, and never
 * decoded: once to find the nearest subtrees, once for their ancestors, and
 * once for the siblings on the paths to them.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/bitmapset.h"
#include "utils/builtins.h"

#include "../compat.h"
#include "../core/tree/topk.h"
#include "../common/host.h"
#include "costs.h"
#include "threshold.h"
#include "tree.h"
#include "walk.h"

/* Attributes of a row of tree_subtree_topk(); one of tree_subtree_matches() has no rank. */
enum
{
	RANK,
	NODE,
	PATH,
	DISTANCE,
	SIMILARITY,
	ATTRIBUTES
};

/* A node that is open. */
typedef struct OpenNode
{
	int32 node; /* preorder number from 0 */
	int32 label;
} OpenNode;

/* A document that is being read. */
typedef struct DocumentScan
{
	TreeReader reader;
	OpenNode *open; /* by depth from 0; the node closed last is behind them */
	int32 capacity;
} DocumentScan;

/* Starts reading. */
static void
ScanInit(DocumentScan *scan, const Tree *doc)
{
	TreeReaderInit(&scan->reader, doc);
	scan->capacity = 64;
	scan->open = palloc_array(OpenNode, scan->capacity);
}

/* Moves to the next event. */
static TreeEvent
ScanNext(DocumentScan *scan)
{
	const TreeReader *reader = &scan->reader;
	TreeEvent event = TreeReaderNext(&scan->reader);

	CHECK_FOR_INTERRUPTS();
	if (event != TREE_OPEN)
		return event;
	if (reader->depth > scan->capacity)
	{
		scan->capacity *= 2;
		scan->open = repalloc_huge(scan->open, sizeof(OpenNode) * (Size) scan->capacity);
	}
	scan->open[reader->depth - 1] = (OpenNode){.node = reader->node, .label = reader->label};
	return event;
}

/* Frees what reading has taken. */
static void
ScanEnd(DocumentScan *scan)
{
	pfree(scan->open);
	pfree(scan->reader.labels);
}

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
	CheckStatus(ted_topk_rank(topk, &arena));
	pfree(arena.base);
}

/* Searches a document for the nearest subtrees, and sorts them. */
static void
Search(TedTopk *topk, const Tree *doc, const LabelTable *query_labels)
{
	DocumentScan scan;
	TreeEvent event;
	int32 *shared_id;

	ScanInit(&scan, doc);
	shared_id = MapLabels(&scan.reader, query_labels);
	while ((event = ScanNext(&scan)) != TREE_END)
	{
		OpenNode closed;

		if (event == TREE_OPEN)
			continue;
		closed = scan.open[scan.reader.depth];
		if (ted_topk_push(topk, closed.node, shared_id[closed.label],
						  scan.reader.node - closed.node + 1))
			Rank(topk);
	}
	ted_topk_end(topk);
	Rank(topk);
	CheckStatus(ted_topk_sort(topk));
	ScanEnd(&scan);
	pfree(shared_id);
}

/* Orders places in the result by the node that is there. */
static int
ComparePlaces(const void *a, const void *b, void *hits)
{
	const TedHit *left = &((const TedHit *) hits)[*(const int32 *) a];
	const TedHit *right = &((const TedHit *) hits)[*(const int32 *) b];

	CHECK_FOR_INTERRUPTS();
	return left->node < right->node ? -1 : 1;
}

/* The ancestors of the nodes found, whose places are in the order of the document. */
static Bitmapset *
FindAncestors(const TedTopk *topk, const int32 *places, const Tree *doc)
{
	Bitmapset *ancestors = NULL;
	DocumentScan scan;

	ScanInit(&scan, doc);
	for (int32 i = 0; i < topk->count; i++)
	{
		while (scan.reader.node < topk->hits[places[i]].node)
			ScanNext(&scan);

		/* from the parent up to where a node before has been */
		for (int32 depth = scan.reader.depth - 2; depth >= 0; depth--)
		{
			if (bms_is_member(scan.open[depth].node, ancestors))
				break;
			ancestors = bms_add_member(ancestors, scan.open[depth].node);
		}
	}
	ScanEnd(&scan);
	return ancestors;
}

/*
 * The document without what lies off the paths to the nodes found: the root and
 * the children of ancestors.  number[i] is what the i-th node found has become.
 */
static Tree *
PruneDocument(const TedTopk *topk, const int32 *places, const Tree *doc, int32 *number)
{
	Bitmapset *ancestors = FindAncestors(topk, places, doc);
	TreeBuilder builder;
	DocumentScan scan;
	TreeEvent event;
	int32 found = 0;

	TreeBuilderInit(&builder);
	ScanInit(&scan, doc);
	while ((event = ScanNext(&scan)) != TREE_END)
	{
		int32 depth = scan.reader.depth - (event == TREE_OPEN); /* above the node */

		if (depth > 0 && !bms_is_member(scan.open[depth - 1].node, ancestors))
			continue;
		TreeBuilderRepeat(&builder, &scan.reader, event);
		if (event == TREE_OPEN && found < topk->count &&
			scan.reader.node == topk->hits[places[found]].node)
			number[found++] = builder.size - 1;
	}
	ScanEnd(&scan);
	bms_free(ancestors);
	return TreeBuilderFinish(&builder);
}

/* The places of the nodes found, in the order of the document. */
static int32 *
SortPlaces(const TedTopk *topk)
{
	int32 *places = palloc_array(int32, topk->count);

	for (int32 i = 0; i < topk->count; i++)
		places[i] = i;
	qsort_arg(places, topk->count, sizeof(int32), ComparePlaces, topk->hits);
	return places;
}

/* Writes the row of a node found. */
static void
EmitHit(ReturnSetInfo *result, const TedTopk *topk, int32 place, Datum path, bool ranked)
{
	const TedHit *hit = &topk->hits[place];
	float8 similarity = TreeSimilarity(hit->distance, Max(hit->size, topk->query->size));
	Datum values[ATTRIBUTES] = {[RANK] = Int32GetDatum(place + 1),
								[NODE] = Int32GetDatum(hit->node + 1),
								[PATH] = path,
								[DISTANCE] = Int32GetDatum(hit->distance),
								[SIMILARITY] = Float8GetDatum(similarity)};
	bool nulls[ATTRIBUTES] = {false};
	int first = ranked ? RANK : NODE;

	CHECK_FOR_INTERRUPTS();
	tuplestore_putvalues(result->setResult, result->setDesc, values + first, nulls + first);
}

/*
 * Writes the rows of the nodes found: in the order of the document as they come, or by
 * rank, for which all paths are kept.
 */
static void
EmitHits(ReturnSetInfo *result, const TedTopk *topk, const Tree *doc, bool ranked)
{
	Size bytes = (Size) topk->count * (sizeof(Datum) + 2 * sizeof(int32));
	LabelTable *labels = LabelTableCreate();
	int32 *places;
	Datum *paths;
	int32 *number;
	Tree *pruned;
	Walk walk;

	CheckMemoryLimit(bytes, "searching a tree");
	places = SortPlaces(topk);
	paths = palloc_array(Datum, topk->count);
	number = palloc_array(int32, topk->count);
	pruned = PruneDocument(topk, places, doc, number);
	CheckMemoryLimit(bytes + WalkBytes(PointerGetDatum(pruned)), "searching a tree");
	WalkInit(&walk, pruned, labels);
	for (int32 i = 0; i < topk->count; i++)
	{
		Datum path;

		while (walk.next <= number[i])
		{
			CHECK_FOR_INTERRUPTS();
			WalkStep(&walk, labels);
		}
		if (ranked)
		{
			bytes += VARHDRSZ + walk.path.len;
			CheckMemoryLimit(bytes, "searching a tree");
		}
		path = PointerGetDatum(cstring_to_text_with_len(walk.path.data, walk.path.len));
		if (ranked)
			paths[places[i]] = path;
		else
		{
			EmitHit(result, topk, places[i], path, false);
			pfree(DatumGetPointer(path));
		}
	}
	for (int32 place = 0; ranked && place < topk->count; place++)
		EmitHit(result, topk, place, paths[place], true);
}

/* What is wanted of a query's neighbours. */
typedef struct Wanted
{
	DocumentThreshold threshold;
	int32 size; /* of the query */
} Wanted;

/* The greatest distance of a subtree that is wanted. */
static int32
AllowedDistance(const void *arg, int32 size)
{
	const Wanted *wanted = arg;

	return DistanceAllowed(&wanted->threshold, Max(size, wanted->size));
}

/*
 * Returns the k subtrees nearest to a query that are within the thresholds in the
 * arguments from this one on; by rank, or in the order of the document.
 */
static Datum
FindSubtrees(FunctionCallInfo fcinfo, int32 k, int thresholds, bool ranked)
{
	ReturnSetInfo *result;
	Size decoded = TreeDecodedBytes(PG_GETARG_DATUM(0));
	LabelTable *query_labels = LabelTableCreate();
	Wanted wanted = {SimilarityThreshold(PG_GETARG_FLOAT8(thresholds + 1)),
					 TreeSize(PG_GETARG_DATUM(0))};
	TedTopkLimit limit = {.allowed = AllowedDistance, .arg = &wanted};
	const Tree *doc;
	TedTree query;
	TedArena arena;
	TedTopk topk;
	Size bytes;

	wanted.threshold.max_distance =
		Min(wanted.threshold.max_distance, GetMaxDistance(fcinfo, thresholds));
	limit.most = DistanceAllowedAround(&wanted.threshold, wanted.size);
	InitMaterializedSRF(fcinfo, 0);
	result = (ReturnSetInfo *) fcinfo->resultinfo;
	if (k == 0 || limit.most < 0)
		return (Datum) 0;

	CheckMemoryLimit(decoded, "searching a tree");
	TreeDecode(PG_GETARG_TREE(0), query_labels, &query);
	bytes = ted_topk_memory(&query, k, &limit);
	CheckMemoryLimit(decoded + bytes, "searching a tree");
	ArenaInit(&arena, bytes);
	CheckStatus(ted_topk_init(&topk, &query, k, &limit, &arena, &PgInterrupt));

	doc = PG_GETARG_TREE(1);
	Search(&topk, doc, query_labels);
	EmitHits(result, &topk, doc, ranked);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(tree_subtree_topk);

/* The k subtrees of a document nearest to a query. */
Datum
tree_subtree_topk(PG_FUNCTION_ARGS)
{
	int32 k = PG_GETARG_INT32(2);

	if (k < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("k must not be negative"),
						errdetail("The value is %d.", k), errhint("Use a k of at least 0.")));
	return FindSubtrees(fcinfo, Min(k, TreeSize(PG_GETARG_DATUM(1))), 3, true);
}

PG_FUNCTION_INFO_V1(tree_subtree_matches);

/* All subtrees of a document that are within a distance from a query, and as similar. */
Datum
tree_subtree_matches(PG_FUNCTION_ARGS)
{
	return FindSubtrees(fcinfo, TreeSize(PG_GETARG_DATUM(1)), 2, false);
}
