/*
 * subtree_topk.c
 *	  SQL functions for the subtrees of a document that are near a query.
 *
 * With unit costs, the document is read node by node with a stack of open nodes, and never
 * decoded: once to find the nearest subtrees, once for their ancestors, and once for the
 * siblings on the paths to them.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/bitmapset.h"
#include "utils/builtins.h"

#include "../../compat.h"
#include "../../catalog/row_type.h"
#include "compared_trees.h"
#include "../../core/tree/exact/zhang_shasha.h"
#include "../../core/tree/exact/topk.h"
#include "../../engine/session.h"
#include "../../common/host.h"
#include "../costs/cost_type.h"
#include "../costs/model_costs.h"
#include "threshold.h"
#include "../value/tree.h"
#include "../convert/json_labels.h"
#include "../convert/node_paths.h"

/* Attributes of a row of tree_subtree_nearest(); a row of tree_subtree_within() has no rank. */
enum
{
	RANK,
	NODE,
	PATH,
	DISTANCE,
	SIMILARITY,
	ATTRIBUTES
};

/* The subtrees found, and the data for their similarities. */
typedef struct Found
{
	TedHit *hits; /* nearest first */
	int32 count;
	int32 wanted; /* most rows */
	int32 query_size;
	ModelCosts *costs; /* NULL for unit costs */
	int64 query_cost;  /* cost of deleting the query */
	int64 *cost;       /* by preorder number: cost of inserting all nodes before it */
} Found;

/* An open node. */
typedef struct OpenNode
{
	int32 node; /* preorder number from 0 */
	int32 label;
} OpenNode;

/* Raises an error if a search needs more memory than ted.max_memory allows. */
static void
CheckSearch(Size bytes)
{
	CheckMemoryOrHint(bytes, "searching a tree",
					  "Increase \"ted.max_memory\", or search within \"max_distance\" or "
					  "\"min_similarity\", which takes less memory.");
}

/* The state of reading a document. */
typedef struct DocumentScan
{
	TreeReader reader;
	OpenNode *open; /* by depth from 0; the node closed last is the next entry */
	int32 capacity;
} DocumentScan;

/* Starts reading a document. */
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
	RESERVE(CurrentMemoryContext, scan->open, scan->capacity, reader->depth);
	scan->open[reader->depth - 1] = (OpenNode){.node = reader->node, .label = reader->label};
	return event;
}

/* Frees the memory of reading a document. */
static void
ScanEnd(DocumentScan *scan)
{
	pfree(scan->open);
	pfree(scan->reader.labels);
}

/* Ranks the subtrees that a search has collected so far. */
static void
Rank(TedTopk *topk)
{
	Size bytes = ted_topk_rank_memory(topk);
	TedArena arena;

	CheckSearch(bytes);
	ArenaInit(&arena, bytes);
	CheckStatus(ted_topk_rank(topk, &arena));
	pfree(arena.base);
}

/* Searches a document for the nearest subtrees, and sorts them. */
static void
SearchSubtrees(TedTopk *topk, const Tree *doc, const LabelTable *query_labels)
{
	DocumentScan scan;
	TreeEvent event;
	int32 *shared_id;

	ScanInit(&scan, doc);

	/* labels that the query lacks all get the next free id */
	shared_id = palloc_array(int32, scan.reader.label_count);
	for (int32 id = 0; id < scan.reader.label_count; id++)
	{
		int32 found = LabelTableFind(query_labels, scan.reader.labels[id].bytes,
									 scan.reader.labels[id].length);

		CHECK_FOR_INTERRUPTS();
		shared_id[id] = found >= 0 ? found : LabelTableCount(query_labels);
	}

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

/* Orders places in the result by the preorder numbers of the nodes. */
static int
ComparePlaces(const void *a, const void *b, void *hits)
{
	const TedHit *left = &((const TedHit *) hits)[*(const int32 *) a];
	const TedHit *right = &((const TedHit *) hits)[*(const int32 *) b];

	CHECK_FOR_INTERRUPTS();
	return left->node < right->node ? -1 : 1;
}

/*
 * Returns the ancestors of the nodes found.  `places` has the nodes in the order of the
 * document.
 */
static Bitmapset *
FindAncestors(const Found *found, const int32 *places, const Tree *doc)
{
	Bitmapset *ancestors = NULL;
	DocumentScan scan;

	ScanInit(&scan, doc);
	for (int32 i = 0; i < found->count; i++)
	{
		while (scan.reader.node < found->hits[places[i]].node)
			ScanNext(&scan);

		/* from the parent up to the first node that has been added */
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
 * Returns the document with only the root and the children of the found nodes' ancestors.
 * Sets number[i] to the preorder number of the i-th found node in it.
 */
static Tree *
PruneDocument(const Found *found, const int32 *places, const Tree *doc, int32 *number)
{
	Bitmapset *ancestors = FindAncestors(found, places, doc);
	TreeBuilder builder;
	DocumentScan scan;
	TreeEvent event;
	int32 next = 0;

	TreeBuilderInit(&builder);
	ScanInit(&scan, doc);
	while ((event = ScanNext(&scan)) != TREE_END)
	{
		int32 depth = scan.reader.depth - (event == TREE_OPEN); /* number of ancestors */

		if (depth > 0 && !bms_is_member(scan.open[depth - 1].node, ancestors))
			continue;
		TreeBuilderRepeat(&builder, &scan.reader, event);
		if (event == TREE_OPEN && next < found->count &&
			scan.reader.node == found->hits[places[next]].node)
			number[next++] = builder.size - 1;
	}
	ScanEnd(&scan);
	bms_free(ancestors);
	return TreeBuilderFinish(&builder);
}

/* Returns the similarity of a node found. */
static float8
HitSimilarity(const Found *found, const TedHit *hit)
{
	if (found->costs == NULL)
		return TreeSimilarity(hit->distance, Max(hit->size, found->query_size));
	return ModelSimilarity(
		hit->distance,
		Max(found->cost[hit->node + hit->size] - found->cost[hit->node], found->query_cost));
}

/* Writes the row of a node found, with its rank, or 0 for a row without one. */
static void
EmitHit(ReturnSetInfo *result, const Found *found, int32 place, Datum path, int32 rank)
{
	const TedHit *hit = &found->hits[place];
	float8 distance =
		found->costs == NULL ? hit->distance : CostInModel(found->costs, hit->distance);
	Datum values[ATTRIBUTES] = {[RANK] = Int32GetDatum(rank),
								[NODE] = Int32GetDatum(hit->node + 1),
								[PATH] = path,
								[DISTANCE] = Float8GetDatum(distance),
								[SIMILARITY] = Float8GetDatum(HitSimilarity(found, hit))};
	bool nulls[ATTRIBUTES] = {false};
	int first = rank > 0 ? RANK : NODE;

	CHECK_FOR_INTERRUPTS();
	tuplestore_putvalues(result->setResult, result->setDesc, values + first, nulls + first);
}

/*
 * Whether two nodes found are the same place in a document: a key or an attribute, and its value,
 * which have one path.
 */
static bool
IsSamePlace(const TedHit *key, const TedHit *value, Datum key_path, Datum value_path)
{
	const text *a = (const text *) DatumGetPointer(key_path);
	const text *b = (const text *) DatumGetPointer(value_path);

	return value->node == key->node + 1 && value->size == key->size - 1 &&
		   VARSIZE(a) == VARSIZE(b) && memcmp(a, b, VARSIZE(a)) == 0;
}

/*
 * Writes the rows of the nodes found, of one place only the nearest: by rank, which takes memory
 * for all paths, or in the order of the document.
 */
static void
EmitHits(ReturnSetInfo *result, const Found *found, const Tree *doc, bool ranked)
{
	Size bytes = (Size) found->count * (sizeof(Datum) + 2 * sizeof(int32));
	LabelTable *labels = LabelTableCreate();
	int32 *places;
	Datum *path; /* by place; 0 where the row is left out */
	int32 *number;
	int32 before = -1; /* place of the node before */
	int32 rank = 0;
	Tree *pruned;
	NodePaths paths;

	CheckSearch(bytes);
	/* the places of the nodes found, in the order of the document */
	places = palloc_array(int32, found->count);
	for (int32 i = 0; i < found->count; i++)
		places[i] = i;
	qsort_arg(places, found->count, sizeof(int32), ComparePlaces, found->hits);
	path = palloc_array(Datum, found->count);
	number = palloc_array(int32, found->count);
	pruned = PruneDocument(found, places, doc, number);
	CheckSearch(bytes + NodePathsBytes(PointerGetDatum(pruned)));
	NodePathsInit(&paths, IsJsonTree(doc) ? PATHS_OF_JSON : PATHS_BY_LABEL, pruned, labels, NULL);
	for (int32 i = 0; i < found->count; i++)
	{
		int32 place = places[i];

		WritePath(&paths, paths.postorder[number[i]]);
		bytes += ranked ? VARHDRSZ + paths.path.len : 0;
		CheckSearch(bytes);
		path[place] = PointerGetDatum(cstring_to_text_with_len(paths.path.data, paths.path.len));
		if (before >= 0 &&
			IsSamePlace(&found->hits[before], &found->hits[place], path[before], path[place]))
		{
			int32 farther = Max(before, place);

			pfree(DatumGetPointer(path[farther]));
			path[farther] = (Datum) 0;
			before = Min(before, place);
			continue;
		}
		if (!ranked && before >= 0)
		{
			EmitHit(result, found, before, path[before], 0);
			pfree(DatumGetPointer(path[before]));
		}
		before = place;
	}
	if (!ranked && before >= 0)
		EmitHit(result, found, before, path[before], 0);
	for (int32 place = 0; ranked && place < found->count && rank < found->wanted; place++)
		if (path[place] != (Datum) 0)
			EmitHit(result, found, place, path[place], ++rank);
}

/* Returns the number of nodes to find for k places, each of which may be found twice. */
static int32
NodesToFind(int32 k, Datum doc)
{
	return (int32) Min(2 * (int64) k, TreeSize(doc));
}

/* The bounds on a subtree that a search with unit costs is to find. */
typedef struct Wanted
{
	DocumentThreshold threshold;
	int32 size; /* of the query */
} Wanted;

/* Returns the greatest distance of a wanted subtree of a size. */
static int32
AllowedDistance(const void *arg, int32 size)
{
	const Wanted *wanted = arg;

	return DistanceAllowed(&wanted->threshold, Max(size, wanted->size));
}

/* Writes the k subtrees nearest to a query by unit costs, among those within both thresholds. */
static void
FindByUnitCosts(FunctionCallInfo fcinfo, int32 k, float8 max_distance, float8 min_similarity,
				bool ranked)
{
	Size decoded = TreeDecodedBytes(PG_GETARG_DATUM(0));
	LabelTable *query_labels = LabelTableCreate();
	Wanted wanted = {SimilarityThreshold(min_similarity), TreeSize(PG_GETARG_DATUM(0))};
	TedTopkLimit limit = {.allowed = AllowedDistance, .arg = &wanted};
	const Tree *doc;
	ComparedTrees compared;
	TedTree query;
	TedArena arena;
	TedTopk topk;
	Found found;
	Size bytes;
	int32 nodes;

	wanted.threshold.max_distance = DistanceThreshold(max_distance).max_distance;
	limit.most = Min(DistanceAllowedAround(&wanted.threshold, wanted.size),
					 wanted.size + TreeSize(PG_GETARG_DATUM(1)));
	if (k == 0 || limit.most < 0)
		return;

	BeginComparison(&compared, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
	CheckSearch(decoded);
	TreeDecode(PG_GETARG_TREE(0), query_labels, &query);
	nodes = NodesToFind(k, PG_GETARG_DATUM(1));
	bytes = ted_topk_memory(&query, nodes, &limit);
	CheckSearch(decoded + bytes);
	ArenaInit(&arena, bytes);
	CheckStatus(ted_topk_init(&topk, &query, nodes, &limit, &arena, &PgInterrupt));

	doc = PG_GETARG_TREE(1);
	SearchSubtrees(&topk, doc, query_labels);
	found = (Found){.hits = topk.hits, .count = topk.count, .wanted = k, .query_size = query.size};
	EmitHits((ReturnSetInfo *) fcinfo->resultinfo, &found, doc, ranked);
	EndComparison(&compared);
}

/* Orders subtrees by distance, then by position. */
static int
CompareHits(const void *a, const void *b)
{
	const TedHit *left = a;
	const TedHit *right = b;

	CHECK_FOR_INTERRUPTS();
	if (left->distance != right->distance)
		return left->distance < right->distance ? -1 : 1;
	return left->node < right->node ? -1 : 1;
}

/*
 * Computes the distances of all subtrees of a document, and keeps those within the
 * thresholds whose roots are not ignored.
 */
static void
SearchByModel(Found *found, const TedTree *query, const TedTree *doc, int32 limit,
			  float8 min_similarity)
{
	const TedCosts *costs = ModelTedCosts(found->costs);
	TedTablesPlan plan = ted_plan_tables(query, doc, costs);
	int32 *distances;
	TedArena arena;
	int64 *cost;

	CheckCostsFit(costs, query, doc);
	CheckMemoryLimit(plan.bytes +
						 (sizeof(int32) + sizeof(int64) + sizeof(TedHit)) * (Size) doc->size,
					 "searching a tree");
	distances = palloc_array(int32, doc->size);
	ArenaInit(&arena, plan.bytes);
	CheckStatus(ted_subtree_distances(query, doc, costs, &plan, &arena, &PgInterrupt, distances));
	pfree(arena.base);

	/* the cost of inserting the nodes before each preorder number, and all nodes */
	cost = palloc_extended(sizeof(int64) * ((Size) doc->size + 1), MCXT_ALLOC_HUGE);
	cost[0] = 0;
	for (int32 x = 0; x < doc->size; x++)
	{
		CHECK_FOR_INTERRUPTS();
		cost[x - doc->subtree_size[x] + 1 + doc->depth[x] + 1] =
			ted_insert_cost(costs, doc->label[x]);
	}
	for (int32 i = 0; i < doc->size; i++)
		cost[i + 1] += cost[i];
	found->cost = cost;

	found->query_cost = DeletionCost(found->costs, query);
	found->hits = palloc_extended(sizeof(TedHit) * (Size) doc->size, MCXT_ALLOC_HUGE);
	for (int32 x = 0; x < doc->size; x++)
	{
		TedHit hit = {.distance = distances[x],
					  .node = x - doc->subtree_size[x] + 1 + doc->depth[x],
					  .size = doc->subtree_size[x]};

		CHECK_FOR_INTERRUPTS();
		if (hit.distance <= limit && HitSimilarity(found, &hit) >= min_similarity &&
			!TraitsOfLabel(found->costs, doc->label[x]).is_ignored)
			found->hits[found->count++] = hit;
	}
	pfree(distances);
}

/* Writes the k subtrees nearest to a query by a cost model, among those within both thresholds. */
static void
FindByModel(FunctionCallInfo fcinfo, const CostModel *model, int32 k, float8 max_distance,
			float8 min_similarity, bool ranked)
{
	LabelTable *labels = LabelTableCreate();
	Found found = {.wanted = k, .costs = ModelCostsCreate(model, labels, NO_MARKS)};
	ComparedTrees compared;
	TedTree decoded[2];
	TedTree tree[2];
	Size bytes = 0;

	if (k == 0 || max_distance < 0)
		return;
	BeginComparison(&compared, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
	for (int i = 0; i < 2; i++)
	{
		bytes += TreeDecodedBytes(PG_GETARG_DATUM(i)) +
				 RelabelBytes(model, TreeSize(PG_GETARG_DATUM(i)));
		CheckMemoryLimit(bytes, "searching a tree");
		TreeDecode(PG_GETARG_TREE(i), labels, &decoded[i]);
		RelabelTree(found.costs, &decoded[i], &tree[i]);
	}
	SearchByModel(&found, &tree[0], &tree[1], LimitOfModel(found.costs, max_distance),
				  min_similarity);
	qsort(found.hits, found.count, sizeof(TedHit), CompareHits);
	found.count = Min(found.count, NodesToFind(k, PG_GETARG_DATUM(1)));
	EmitHits((ReturnSetInfo *) fcinfo->resultinfo, &found, PG_GETARG_TREE(1), ranked);
	EndComparison(&compared);
}

/*
 * Returns the k subtrees nearest to a query, by rank or in the order of the document.
 * `thresholds` is the number of the argument with the greatest distance; the least
 * similarity and the costs follow it.
 */
static Datum
FindSubtrees(FunctionCallInfo fcinfo, int32 k, int thresholds, bool ranked)
{
	float8 max_distance = PG_GETARG_FLOAT8(thresholds);
	float8 min_similarity = MinSimilarityArgument(fcinfo, thresholds + 1);
	const CostModel *model = ArgumentModelUnlessUnit(fcinfo, thresholds + 2);

	InitRows(fcinfo, ranked ? "iisdd" : "isdd");
	if (model == NULL)
		FindByUnitCosts(fcinfo, k, max_distance, min_similarity, ranked);
	else
		FindByModel(fcinfo, model, k, max_distance, min_similarity, ranked);
	return (Datum) 0;
}

/* Returns the number of wanted subtrees, at most the size of the document. */
static int32
GetCount(FunctionCallInfo fcinfo)
{
	int32 k = PG_GETARG_INT32(2);

	if (k < 0)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("k must not be negative"),
						errdetail("It is the number of subtrees to return."),
						errhint("Use a k of at least 0.")));
	return Min(k, TreeSize(PG_GETARG_DATUM(1)));
}

PG_FUNCTION_INFO_V1(tree_subtree_nearest);

/* Returns the k subtrees of a document that are nearest to a query. */
Datum
tree_subtree_nearest(PG_FUNCTION_ARGS)
{
	return FindSubtrees(fcinfo, GetCount(fcinfo), 3, true);
}

PG_FUNCTION_INFO_V1(tree_subtree_within);

/* Returns all subtrees of a document within a distance from a query and with a least similarity. */
Datum
tree_subtree_within(PG_FUNCTION_ARGS)
{
	return FindSubtrees(fcinfo, TreeSize(PG_GETARG_DATUM(1)), 2, false);
}
