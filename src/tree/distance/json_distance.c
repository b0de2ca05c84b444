/*
 * json_distance.c
 *	  SQL functions for the edit distance of JSON documents.
 *
 * Documents are trees, and the labels distinguish objects, arrays, members and literals.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "compared_trees.h"
#include "../../common/cached_argument.h"
#include "../../common/host.h"
#include "../../engine/session.h"
#include "json_distance.h"
#include "model_pair.h"
#include "threshold.h"
#include "../convert/json_labels.h"
#include "../value/tree.h"

/* A document that is cached from call to call. */
typedef struct CachedJson
{
	Size bytes; /* an upper bound on its memory */
	LabelTable *labels;
	TedTree tree;
} CachedJson;

/* The first two arguments, decoded. */
typedef struct JsonArguments
{
	TedJson a;
	TedJson b;
	Size bytes;
	TedTree other; /* the one that is not cached */
	uint8 *kind;   /* kinds of the labels of both documents */
} JsonArguments;

/* Decodes a document that is to be cached. */
static void *
DecodeCachedJson(Datum argument, Oid collation)
{
	CachedJson *cached = palloc_object(CachedJson);
	Tree *tree;

	(void) collation;
	cached->bytes = TreeDecodedBytes(argument) + (Size) TreeSize(argument);
	CheckMemoryLimit(cached->bytes, COMPARING_JSON);
	cached->labels = LabelTableCreate();
	tree = DatumGetTree(argument);
	TreeDecode(tree, cached->labels, &cached->tree);
	if ((Pointer) tree != DatumGetPointer(argument))
		pfree(tree);
	return cached;
}

/*
 * Returns the kinds of the labels in a table, followed by those of the labels of a tree
 * (TreeDecodeAgainst()).
 */
static uint8 *
KindsOfLabels(const LabelTable *labels, const Tree *tree)
{
	int32 known = LabelTableCount(labels);
	TreeReader reader;
	uint8 *kind;

	TreeReaderInit(&reader, tree);
	kind = palloc_extended((Size) known + (Size) reader.label_count, MCXT_ALLOC_HUGE);
	for (int32 id = 0; id < known + reader.label_count; id++)
	{
		CHECK_FOR_INTERRUPTS();
		kind[id] = (uint8) JsonKindOfLabel(id < known ? LabelTableGet(labels, id)
													  : reader.labels[id - known]);
	}
	pfree(reader.labels);
	return kind;
}

/* Decodes the first two arguments. */
static void
ReadArguments(FunctionCallInfo fcinfo, JsonArguments *arguments)
{
	int position;
	const CachedJson *cached = CacheArgument(fcinfo, DecodeCachedJson, &position);
	Datum value = PG_GETARG_DATUM(1 - position);
	Tree *tree;

	arguments->bytes = cached->bytes + TreeDecodedBytes(value) + (Size) TreeSize(value);
	CheckMemoryLimit(arguments->bytes, COMPARING_JSON);
	tree = DatumGetTree(value);
	TreeDecodeAgainst(tree, cached->labels, &arguments->other);
	arguments->kind = KindsOfLabels(cached->labels, tree);
	if ((Pointer) tree != DatumGetPointer(value))
		pfree(tree);
	arguments->a = (TedJson){position == 0 ? &cached->tree : &arguments->other, arguments->kind};
	arguments->b = (TedJson){position == 0 ? &arguments->other : &cached->tree, arguments->kind};
}

/* Frees the memory that was allocated for this call. */
static void
FreeArguments(const JsonArguments *arguments)
{
	TreeFreeDecoded(&arguments->other);
	pfree(arguments->kind);
}

/* A pair of documents, prepared for comparison. */
typedef struct PreparedPair
{
	TedJsonPair pair;
	TedArena arena;
	Size bytes; /* memory of the pair, including the documents */
} PreparedPair;

/*
 * Prepares two documents for comparison by costs, or by unit costs if `costs` is NULL.  The
 * documents take `taken` bytes.
 */
static void
PreparePair(const TedJson *a, const TedJson *b, const TedCosts *costs, Size taken,
			PreparedPair *prepared)
{
	Size bytes = ted_json_pair_memory(a->tree->size, b->tree->size, costs);

	prepared->bytes = taken + bytes;
	CheckMemoryLimit(prepared->bytes, COMPARING_JSON);
	ArenaInit(&prepared->arena, bytes);
	CheckStatus(ted_json_pair(a, b, costs, &prepared->arena, &PgInterrupt, &prepared->pair));
}

/* Returns the distance of a prepared pair if it is at most `limit`, else TED_BEYOND. */
static int32
PreparedDistance(const PreparedPair *prepared, int32 limit)
{
	Size bytes = ted_json_distance_memory(&prepared->pair, limit);
	TedArena arena;
	int32 distance;

	CheckMemoryLimit(prepared->bytes + bytes, COMPARING_JSON);
	ArenaInit(&arena, bytes);
	CheckStatus(ted_json_distance(&prepared->pair, limit, &arena, &PgInterrupt, &distance));
	pfree(arena.base);
	return distance;
}

int32
JsonDistance(const TedJson *a, const TedJson *b, const TedCosts *costs, int32 limit, Size taken)
{
	PreparedPair prepared;
	int32 distance;

	PreparePair(a, b, costs, taken, &prepared);
	distance = PreparedDistance(&prepared, limit);
	pfree(prepared.arena.base);
	return distance;
}

/*
 * Maps two documents by costs.  First tries a method that takes less memory but does not
 * always find an optimal mapping.
 */
void
JsonMapping(const TedJson *a, const TedJson *b, const TedCosts *costs, Size taken, int32 *map_a,
			int32 *map_b)
{
	PreparedPair prepared;
	TedArena arena;
	Size bytes;
	bool is_optimal;

	PreparePair(a, b, costs, taken, &prepared);
	bytes = ted_json_simple_mapping_memory(&prepared.pair);
	CheckMemoryLimit(prepared.bytes + bytes, COMPARING_JSON);
	ArenaInit(&arena, bytes);
	CheckStatus(ted_json_simple_mapping(&prepared.pair, a->tree, b->tree, &arena, &PgInterrupt,
										map_a, map_b, &is_optimal));
	pfree(arena.base);
	if (!is_optimal)
	{
		bytes = ted_json_mapping_memory(&prepared.pair);
		CheckMemoryLimit(prepared.bytes + bytes, COMPARING_JSON);
		ArenaInit(&arena, bytes);
		CheckStatus(
			ted_json_mapping(&prepared.pair, a->tree, b->tree, &arena, &PgInterrupt, map_a, map_b));
		pfree(arena.base);
	}
	pfree(prepared.arena.base);
}

bool
JsonWithin(const TedJson *a, const TedJson *b, const TedCosts *costs, int32 limit, Size taken)
{
	PreparedPair prepared;
	bool within;

	PreparePair(a, b, costs, taken, &prepared);
	within = prepared.pair.upper <= limit ||
			 (prepared.pair.lower <= limit && PreparedDistance(&prepared, limit) != TED_BEYOND);
	pfree(prepared.arena.base);
	return within;
}

/* Returns the distance of the first two arguments; TED_BEYOND above the limit. */
static int32
JsonArgumentDistance(FunctionCallInfo fcinfo, int32 limit)
{
	JsonArguments arguments;
	ComparedTrees compared;
	int32 distance;

	BeginComparison(&compared, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
	ReadArguments(fcinfo, &arguments);
	distance = JsonDistance(&arguments.a, &arguments.b, NULL, limit, arguments.bytes);
	EndComparison(&compared);
	FreeArguments(&arguments);
	return distance;
}

PG_FUNCTION_INFO_V1(json_edit_distance);

/* Returns the edit distance of two JSON documents. */
Datum
json_edit_distance(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(JsonArgumentDistance(fcinfo, TED_NO_LIMIT));
}

uint8 *
JsonKinds(const TedTree *a, const TedTree *b, const LabelTable *labels, const ModelCosts *costs,
		  ArrayOrder arrays)
{
	const TedTree *trees[] = {a, b};
	int32 most = 0;
	uint8 *kind;

	for (int i = 0; i < 2; i++)
		for (int32 x = 0; x < trees[i]->size; x++)
			most = Max(most, trees[i]->label[x]);
	kind = palloc_extended((Size) most + 1, MCXT_ALLOC_HUGE);
	for (int i = 0; i < 2; i++)
		for (int32 x = 0; x < trees[i]->size; x++)
		{
			int32 label = trees[i]->label[x];
			LabelTraits traits = TraitsOfLabel(costs, label);
			TedJsonKind known = JsonKindOfLabel(LabelTableGet(labels, traits.spelling));

			CHECK_FOR_INTERRUPTS();
			if (known == TED_JSON_ARRAY && (arrays == ARRAYS_UNORDERED || traits.is_unordered))
				known = TED_JSON_BAG;
			kind[label] = (uint8) known;
		}
	return kind;
}

int32
JsonDistanceByModel(const RelabelledPair *pair, int32 limit, bool wanted)
{
	const TedCosts *costs = ModelTedCosts(pair->costs);
	uint8 *kind;
	TedJson a;
	TedJson b;
	int32 distance;

	CheckCostsFit(costs, pair->a, pair->b);
	kind = JsonKinds(pair->a, pair->b, pair->labels, pair->costs, (ArrayOrder) pair->model->arrays);
	a = (TedJson){pair->a, kind};
	b = (TedJson){pair->b, kind};
	if (CostModelIsUnit(pair->model))
		costs = NULL;
	if (wanted)
		distance = JsonDistance(&a, &b, costs, limit, pair->bytes);
	else
		distance = JsonWithin(&a, &b, costs, limit, pair->bytes) ? limit : TED_BEYOND;
	pfree(kind);
	return distance;
}

/* Decodes the arguments and compares them, see JsonDistanceByModel(). */
static int32
ModelArgumentDistance(FunctionCallInfo fcinfo, ModelPair *pair, int32 limit, bool wanted)
{
	ComparedTrees compared;
	int32 distance;

	BeginComparison(&compared, pair->value[0], pair->value[1]);
	DecodeModelPair(fcinfo, pair);
	distance = JsonDistanceByModel(&(RelabelledPair){.a = pair->tree[0],
													 .b = pair->tree[1],
													 .labels = pair->labels,
													 .costs = pair->costs,
													 .model = pair->model,
													 .bytes = pair->bytes},
								   limit, wanted);
	EndComparison(&compared);
	return distance;
}

PG_FUNCTION_INFO_V1(json_edit_distance_model);

/* Returns the edit distance of two JSON documents by a cost model. */
Datum
json_edit_distance_model(PG_FUNCTION_ARGS)
{
	ModelPair pair;
	int32 distance;

	OpenJsonModelPair(fcinfo, 2, &pair);
	distance = ModelArgumentDistance(fcinfo, &pair, TED_NO_LIMIT, true);
	PG_RETURN_FLOAT8(CostInModel(pair.costs, distance));
}

PG_FUNCTION_INFO_V1(json_within_model);

/* Whether the edit distance of two JSON documents by a cost model is at most the threshold. */
Datum
json_within_model(PG_FUNCTION_ARGS)
{
	ModelPair pair;
	int32 limit;

	OpenJsonModelPair(fcinfo, 3, &pair);
	limit = LimitOfModel(pair.costs, PG_GETARG_FLOAT8(2));
	PG_RETURN_BOOL(pair.least <= limit &&
				   ModelArgumentDistance(fcinfo, &pair, limit, false) != TED_BEYOND);
}

PG_FUNCTION_INFO_V1(json_edit_distance_less_equal);

/*
 * Returns the edit distance of two JSON documents if it is at most the threshold, else a
 * larger number.
 */
Datum
json_edit_distance_less_equal(PG_FUNCTION_ARGS)
{
	int32 limit = Max(MaxDistanceArgument(fcinfo, 2), 0);
	int32 distance = JsonArgumentDistance(fcinfo, limit);

	PG_RETURN_INT32(distance == TED_BEYOND ? limit + 1 : distance);
}

/* Returns the size of the larger one of the first two arguments. */
static int32
LargerSize(FunctionCallInfo fcinfo)
{
	return Max(TreeSize(PG_GETARG_DATUM(0)), TreeSize(PG_GETARG_DATUM(1)));
}

PG_FUNCTION_INFO_V1(json_similarity);

/* Returns the similarity of two JSON documents. */
Datum
json_similarity(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(
		TreeSimilarity(JsonArgumentDistance(fcinfo, TED_NO_LIMIT), LargerSize(fcinfo)));
}

/* Whether the edit distance of the first two arguments is at most a limit. */
static bool
ArgumentsWithin(FunctionCallInfo fcinfo, int32 limit)
{
	JsonArguments arguments;
	ComparedTrees compared;
	bool within;

	if (abs(TreeSize(PG_GETARG_DATUM(0)) - TreeSize(PG_GETARG_DATUM(1))) > limit)
		return false;
	BeginComparison(&compared, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
	ReadArguments(fcinfo, &arguments);
	within = JsonWithin(&arguments.a, &arguments.b, NULL, limit, arguments.bytes);
	EndComparison(&compared);
	FreeArguments(&arguments);
	return within;
}

PG_FUNCTION_INFO_V1(json_within);

/* Whether the edit distance of two JSON documents is at most the threshold. */
Datum
json_within(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(ArgumentsWithin(fcinfo, MaxDistanceArgument(fcinfo, 2)));
}

PG_FUNCTION_INFO_V1(json_similar);

/* Whether the similarity of two JSON documents is at least the threshold. */
Datum
json_similar(PG_FUNCTION_ARGS)
{
	DocumentThreshold threshold = SimilarityThreshold(MinSimilarityArgument(fcinfo, 2));

	PG_RETURN_BOOL(ArgumentsWithin(fcinfo, DistanceAllowed(&threshold, LargerSize(fcinfo))));
}
