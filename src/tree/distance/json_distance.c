/*
 * json_distance.c
 *	  SQL functions for the edit distance of JSON documents.
 *
 * Documents are trees, in which labels distinguish objects, arrays, members and
 * literals.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "compared_trees.h"
#include "../../common/cached_argument.h"
#include "../../common/host.h"
#include "json_distance.h"
#include "threshold.h"
#include "../convert/json_writer.h"
#include "../value/tree.h"

/* Name of the computation in errors about memory. */
#define COMPARING_JSON "comparing JSON documents"

/* A document that is cached from call to call. */
typedef struct CachedJson
{
	Size bytes; /* an upper bound on its memory */
	LabelTable *labels;
	TedTree tree;
} CachedJson;

/* The first two arguments decoded. */
typedef struct JsonArguments
{
	TedJson a;
	TedJson b;
	Size bytes;
	TedTree other; /* the one that is not cached */
	uint8 *kind;   /* by label, of both */
} JsonArguments;

/* What a label says that its node is. */
TedJsonKind
JsonKindOfLabel(Label label)
{
	return IsJsonObject(label)   ? TED_JSON_OBJECT
		   : IsJsonArray(label)  ? TED_JSON_ARRAY
		   : IsJsonMember(label) ? TED_JSON_MEMBER
								 : TED_JSON_LITERAL;
}

/* Decodes the argument to cache. */
static void *
DecodeCached(Datum argument, Oid collation)
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

/* Kinds of the labels in a table, then of those that only a tree has (TreeDecodeAgainst()). */
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
	const CachedJson *cached = CacheArgument(fcinfo, DecodeCached, &position);
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

/* Frees what was decoded for this call. */
static void
FreeArguments(const JsonArguments *arguments)
{
	TreeFreeDecoded(&arguments->other);
	pfree(arguments->kind);
}

/* A pair of documents prepared to be compared. */
typedef struct PreparedPair
{
	TedJsonPair pair;
	TedArena arena;
	Size bytes; /* of the documents, too */
} PreparedPair;

/* Prepares two documents, which take this number of bytes. */
static void
PreparePair(const TedJson *a, const TedJson *b, Size taken, PreparedPair *prepared)
{
	Size bytes = ted_json_pair_memory(a->tree->size, b->tree->size);

	prepared->bytes = taken + bytes;
	CheckMemoryLimit(prepared->bytes, COMPARING_JSON);
	ArenaInit(&prepared->arena, bytes);
	CheckStatus(ted_json_pair(a, b, &prepared->arena, &PgInterrupt, &prepared->pair));
}

/* The distance of a prepared pair if it is at most `limit`, else TED_BEYOND. */
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

/* The distance of two documents if it is at most `limit`, else TED_BEYOND. */
int32
JsonDistance(const TedJson *a, const TedJson *b, int32 limit, Size taken)
{
	PreparedPair prepared;
	int32 distance;

	PreparePair(a, b, taken, &prepared);
	distance = PreparedDistance(&prepared, limit);
	pfree(prepared.arena.base);
	return distance;
}

/* Whether it is at most `limit`. */
bool
JsonWithin(const TedJson *a, const TedJson *b, int32 limit, Size taken)
{
	PreparedPair prepared;
	bool within;

	PreparePair(a, b, taken, &prepared);
	within = prepared.pair.upper <= limit ||
			 (prepared.pair.lower <= limit && PreparedDistance(&prepared, limit) != TED_BEYOND);
	pfree(prepared.arena.base);
	return within;
}

/* The distance of the first two arguments, TED_BEYOND above the limit. */
static int32
ArgumentDistance(FunctionCallInfo fcinfo, int32 limit)
{
	JsonArguments arguments;
	ComparedTrees compared;
	int32 distance;

	BeginComparison(&compared, PG_GETARG_DATUM(0), PG_GETARG_DATUM(1));
	ReadArguments(fcinfo, &arguments);
	distance = JsonDistance(&arguments.a, &arguments.b, limit, arguments.bytes);
	EndComparison(&compared);
	FreeArguments(&arguments);
	return distance;
}

PG_FUNCTION_INFO_V1(json_edit_distance);

/* Edit distance of two JSON documents. */
Datum
json_edit_distance(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(ArgumentDistance(fcinfo, TED_NO_LIMIT));
}

PG_FUNCTION_INFO_V1(json_edit_distance_less_equal);

/* Edit distance of two JSON documents where it is at most the threshold, else a larger number. */
Datum
json_edit_distance_less_equal(PG_FUNCTION_ARGS)
{
	int32 limit = Max(PG_GETARG_INT32(2), 0);
	int32 distance = ArgumentDistance(fcinfo, limit);

	PG_RETURN_INT32(distance == TED_BEYOND ? limit + 1 : distance);
}

/* The size of the larger one of the first two arguments. */
static int32
LargerSize(FunctionCallInfo fcinfo)
{
	return Max(TreeSize(PG_GETARG_DATUM(0)), TreeSize(PG_GETARG_DATUM(1)));
}

PG_FUNCTION_INFO_V1(json_similarity);

/* Similarity of two JSON documents. */
Datum
json_similarity(PG_FUNCTION_ARGS)
{
	PG_RETURN_FLOAT8(TreeSimilarity(ArgumentDistance(fcinfo, TED_NO_LIMIT), LargerSize(fcinfo)));
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
	within = JsonWithin(&arguments.a, &arguments.b, limit, arguments.bytes);
	EndComparison(&compared);
	FreeArguments(&arguments);
	return within;
}

PG_FUNCTION_INFO_V1(json_within);

/* Whether the edit distance of two JSON documents is at most the threshold. */
Datum
json_within(PG_FUNCTION_ARGS)
{
	PG_RETURN_BOOL(ArgumentsWithin(fcinfo, PG_GETARG_INT32(2)));
}

PG_FUNCTION_INFO_V1(json_similar);

/* Whether the similarity of two JSON documents is at least the threshold. */
Datum
json_similar(PG_FUNCTION_ARGS)
{
	DocumentThreshold threshold = SimilarityThreshold(MinSimilarityArgument(fcinfo, 2));

	PG_RETURN_BOOL(ArgumentsWithin(fcinfo, DistanceAllowed(&threshold, LargerSize(fcinfo))));
}
