/*
 * distance.c
 *	  SQL functions for distances between trees.
 */
#include "postgres.h"

#include "../../compat.h"
#include "../../engine/session.h"
#include "threshold.h"
#include "../../common/cached_argument.h"
#include "../../common/host.h"
#include "compared_pair.h"
#include "compared_trees.h"
#include "../value/tree.h"

/* A tree that is cached from call to call. */
typedef struct CachedTree
{
	Size bytes; /* an upper bound on its memory */
	LabelTable *labels;
	TedTree tree;
	ComparedPair *pair; /* the last pair that includes this tree */
} CachedTree;

/* Decodes a tree that is to be cached. */
static void *
DecodeCachedTree(Datum argument, Oid collation)
{
	CachedTree *cached = palloc_object(CachedTree);
	Tree *tree;

	(void) collation;
	cached->bytes = TreeDecodedBytes(argument) + ComparedBytes(argument);
	CheckMemoryLimit(cached->bytes, "comparing trees");
	cached->labels = LabelTableCreate();
	tree = DatumGetTree(argument);
	TreeDecode(tree, cached->labels, &cached->tree);
	if ((Pointer) tree != DatumGetPointer(argument))
		pfree(tree);
	cached->pair = ComparedPairCreate();
	return cached;
}

/*
 * Computes the distance between the first two arguments, and records it; TED_BEYOND above
 * the limit.
 */
static int32
ComputeDistance(FunctionCallInfo fcinfo, int32 limit)
{
	int position;
	const CachedTree *cached = CacheArgument(fcinfo, DecodeCachedTree, &position);
	Datum other = PG_GETARG_DATUM(1 - position);
	EngineSession *session;
	ComparedTrees compared;
	TedTree decoded;
	int32 distance;

	BeginComparison(&compared, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
	CheckMemoryLimit(cached->bytes + TreeDecodedBytes(other) + ComparedBytes(other),
					 "comparing trees");
	TreeDecodeAgainst(DatumGetTree(other), cached->labels, &decoded);
	session = SessionOpen(&TED_UNIT_COSTS);
	SessionUploadTree(session, position == 0 ? &cached->tree : &decoded);
	SessionUploadTree(session, position == 0 ? &decoded : &cached->tree);
	distance = SessionComputePair(session, limit);
	SessionClose(session);
	EndComparison(&compared);
	if (distance != TED_BEYOND)
		NoteCompared(cached->pair, fcinfo, distance);
	return distance;
}

/* Returns the distance between the first two arguments; TED_BEYOND above the limit. */
static int32
TreeArgumentDistance(FunctionCallInfo fcinfo, int32 limit)
{
	int32 distance = ComparedDistance(fcinfo);

	if (distance == TED_BEYOND)
		return ComputeDistance(fcinfo, limit);
	return distance <= limit ? distance : TED_BEYOND;
}

/* Returns the distance between the first two arguments. */
static int32
UnitDistance(FunctionCallInfo fcinfo)
{
	return TreeArgumentDistance(fcinfo, TED_NO_LIMIT);
}

PG_FUNCTION_INFO_V1(tree_edit_distance);

/* Returns the tree edit distance with unit costs. */
Datum
tree_edit_distance(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(UnitDistance(fcinfo));
}

PG_FUNCTION_INFO_V1(tree_edit_distance_less_equal);

/* Returns the tree edit distance if it is at most the threshold, else a larger number. */
Datum
tree_edit_distance_less_equal(PG_FUNCTION_ARGS)
{
	int32 limit = Max(MaxDistanceArgument(fcinfo, 2), 0);
	int32 distance = TreeArgumentDistance(fcinfo, limit);

	PG_RETURN_INT32(distance == TED_BEYOND ? limit + 1 : distance);
}

PG_FUNCTION_INFO_V1(tree_within);

/* Whether the tree edit distance is at most the threshold. */
Datum
tree_within(PG_FUNCTION_ARGS)
{
	int32 max_distance = MaxDistanceArgument(fcinfo, 2);

	if (abs(TreeSize(PG_GETARG_DATUM(0)) - TreeSize(PG_GETARG_DATUM(1))) > max_distance)
		PG_RETURN_BOOL(false);
	PG_RETURN_BOOL(TreeArgumentDistance(fcinfo, max_distance) <= max_distance);
}

PG_FUNCTION_INFO_V1(tree_distance_op);

/* Returns the tree edit distance as float8, as index ordering requires. */
Datum
tree_distance_op(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(UnitDistance(fcinfo));
}

PG_FUNCTION_INFO_V1(tree_similarity);

/* Returns the similarity of two trees. */
Datum
tree_similarity(PG_FUNCTION_ARGS)
{
	int32 size_a = TreeSize(PG_GETARG_DATUM(0));
	int32 size_b = TreeSize(PG_GETARG_DATUM(1));

	PG_RETURN_FLOAT8(TreeSimilarity(UnitDistance(fcinfo), Max(size_a, size_b)));
}

PG_FUNCTION_INFO_V1(tree_dissimilarity);

/* Returns 1 - similarity of two trees, for index ordering. */
Datum
tree_dissimilarity(PG_FUNCTION_ARGS)
{
	int32 size_a = TreeSize(PG_GETARG_DATUM(0));
	int32 size_b = TreeSize(PG_GETARG_DATUM(1));

	PG_RETURN_FLOAT8(TreeDissimilarity(UnitDistance(fcinfo), Max(size_a, size_b)));
}

PG_FUNCTION_INFO_V1(tree_similar);

/* Whether the similarity is at least the threshold. */
Datum
tree_similar(PG_FUNCTION_ARGS)
{
	int32 size_a = TreeSize(PG_GETARG_DATUM(0));
	int32 size_b = TreeSize(PG_GETARG_DATUM(1));
	DocumentThreshold threshold = SimilarityThreshold(MinSimilarityArgument(fcinfo, 2));
	int32 max_distance = DistanceAllowed(&threshold, Max(size_a, size_b));

	if (abs(size_a - size_b) > max_distance)
		PG_RETURN_BOOL(false);
	if (size_a + size_b <= max_distance)
		PG_RETURN_BOOL(true);
	PG_RETURN_BOOL(TreeArgumentDistance(fcinfo, max_distance) <= max_distance);
}

PG_FUNCTION_INFO_V1(tree_normalized_distance);

/* Returns 2 d / (|a| + |b| + d), a metric between 0 and 1 (Li and Zhang, 2011). */
Datum
tree_normalized_distance(PG_FUNCTION_ARGS)
{
	int64 sizes = (int64) TreeSize(PG_GETARG_DATUM(0)) + TreeSize(PG_GETARG_DATUM(1));

	PG_RETURN_FLOAT8(TreeNormalizedDistance(UnitDistance(fcinfo), sizes));
}
