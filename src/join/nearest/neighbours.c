/*
 * neighbours.c
 *	  Finds the trees of a set in the order of their distances from a given tree.
 *
 * An equal tree is found by its bytes.  Every other tree of the set has a lower bound on its
 * distance, at first by size and labels.  The tree with the least bound is considered first: its
 * Euler string raises the bound; if the tree still has the least bound, its distance is computed,
 * together with those of other trees, up to the distance of the farthest result that is still
 * wanted.  A tree beyond that gets that distance as its bound.  A tree with a known distance is
 * returned if no bound is less (Hjaltason and Samet, ACM TODS 24(2), 1999; bounds from the cheapest
 * to the most expensive: Seidl and Kriegel, SIGMOD 1998).
 *
 * Other measures grow with the distance of trees of given sizes, so bounds of the distance bound
 * them, too.
 *
 * With a cost model, distances are in its units.  Labels and Euler strings bound the operations
 * that cost something in any case, see neighbour_model.h and model_trees.h.  If labels are graded,
 * their string edit distances give further bounds, once the distance of the farthest result is
 * bounded: first by characters, then by the costs of labels (rename_bound.h).
 *
 * A NeighbourMeasure has the functions that differ between unit costs and a cost model.
 */
#include "postgres.h"

#include <math.h>

#include "common/hashfn.h"
#include "lib/binaryheap.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../core/tree/bounded/bounds.h"
#include "../../core/tree/filters/euler.h"
#include "../../tree/distance/compared_trees.h"
#include "../../tree/distance/session_trees.h"
#include "../../tree/distance/threshold.h"
#include "../../tree/value/tree.h"
#include "../search/model_trees.h"
#include "neighbour_model.h"
#include "neighbours.h"

/* Trees whose distances are computed together, at first and at most. */
#define FIRST_BATCH 4
#define LARGEST_BATCH 64

/* Most nodes of these trees, give or take a tree: as many as one pass of the core takes. */
#define NODES_PER_BATCH 2048

/* The nodes of a batch are at most this part of ted.max_memory in bytes, so that any pair fits. */
#define BATCH_SHARE 128

/*
 * Most Euler strings compared in one batch with a cost model, as their labels stay until it ends.
 */
#define EULER_STRINGS_PER_BATCH 256

/* Most bytes of the bit vectors of an Euler string; beyond that it is not used. */
#define EULER_MEMORY ((Size) 4 << 20)

/* In place of the number of a tree. */
#define NONE (-1)

/* Origin of a tree's lower bound. */
typedef enum Stage
{
	STAGE_LABELS,
	STAGE_EULER_STRING,
	STAGE_CHARACTERS, /* characters of graded labels */
	STAGE_RENAMES,    /* costs of renaming graded labels */
	STAGE_DISTANCE    /* distance computed up to a limit */
} Stage;

/* One tree of the set. */
typedef struct Document
{
	int64 position; /* of the bytes in the store, which have no varlena header */
	int32 length;
	int32 size; /* nodes */
	uint32 hash;
} Document;

/* A tree in the hash table by bytes. */
typedef struct DocumentEntry
{
	int32 number;
	char status;
} DocumentEntry;

typedef struct Search Search;

/* Functions that compare trees by unit costs or by a cost model. */
typedef struct NeighbourMeasure
{
	/* returns the labels by which a tree of the set is listed */
	LabelCount *(*list_labels)(Neighbours *set, const Tree *tree, int32 number, int32 *count);

	/* adds the tree searched for to the session */
	void (*begin)(Search *search);

	/* computes lower bounds of all trees by sizes and labels, as distances */
	void (*bound_all)(Search *search, int32 *bounds);

	/* returns the measure by which trees are ordered, as a number that grows with the distance */
	float8 (*key)(const Search *search, int32 distance, int32 number);

	/* returns the greatest distance of a tree */
	int32 (*greatest)(const Search *search, int32 number);

	/* whether a tree can get another lower bound, and that bound */
	bool (*has_bound)(const Search *search, int32 number, float8 horizon);
	int32 (*bound)(Search *search, int32 number, float8 horizon, Stage *stage);

	/* decodes a tree to be compared */
	const TedTree *(*decode)(Search *search, int32 number);
} NeighbourMeasure;

struct Neighbours
{
	MemoryContext context;
	RecordStore *records;
	NeighbourCounts *counts;
	const NeighbourMeasure *measure;
	NeighbourModel *model; /* cost model, or NULL */
	Document *documents;
	int32 count;
	int32 capacity;
	struct documenttable_hash *table;
	const Tree *sought; /* the tree that is being looked up in the table */
	LabelLists lists;
	float8 *bound;    /* lower bound of each tree's measure */
	int32 *distance;  /* lower bound of each tree's distance, at the start of a search */
	Stage *stage;     /* of each tree */
	binaryheap *open; /* trees with unknown distance, by bound */
	MemoryContext search_context;
	Search *search; /* NULL where no search is under way */
};

/* A search of the set. */
struct Search
{
	Neighbours *set;
	Tree *value;        /* the tree searched for */
	int32 size;         /* number of its nodes */
	FunctionRole order; /* role of the measure by which trees are ordered */
	int32 equal;        /* number of an equal tree, or NONE */
	Neighbour *known;   /* trees with known distance, in the order of the measure */
	int32 known_capacity;
	int32 known_count;
	int32 next_known;
	int32 wanted;
	int32 delivered;

	/* members for comparing trees */
	EngineSession *session;  /* NULL until trees are compared */
	ModelTrees *model_trees; /* with a cost model only */
	const TedCosts *costs;
	const TedTree *tree;     /* the tree searched for, decoded for comparing */
	const TedTree *filtered; /* the same tree for Euler strings */
	TedBoundsIndex bounds;
	TedEuler *euler;     /* NULL where it takes too much memory */
	TedArena scratch;    /* memory for bounds */
	MemoryContext batch; /* context of the trees whose distances are computed */
	MemoryContext step;  /* context of one tree that is bounded */
	int32 batch_size;
	const int32 *in_batch; /* numbers of the trees whose distances are computed */
};

/* Reads a tree from the store. */
static Tree *
ReadNeighbour(const Neighbours *set, int32 number)
{
	const Document *document = &set->documents[number];
	Tree *tree = palloc_extended(VARHDRSZ + (Size) document->length, MCXT_ALLOC_HUGE);

	SET_VARSIZE(tree, VARHDRSZ + document->length);
	RecordsRead(set->records, document->position, VARDATA(tree), (Size) document->length);
	return tree;
}

/* In place of the number of the tree that is looked up. */
#define SOUGHT (-1)

/* Whether a tree of the set equals the tree that is looked up. */
static bool
IsSought(const Neighbours *set, int32 number)
{
	Tree *tree;
	bool same;

	if (set->documents[number].length != (int32) VARSIZE_ANY_EXHDR(set->sought))
		return false;
	tree = ReadNeighbour(set, number);
	same = memcmp(VARDATA(tree), VARDATA_ANY(set->sought), VARSIZE_ANY_EXHDR(set->sought)) == 0;
	pfree(tree);
	return same;
}

/* Returns the hash of a tree of the set, or of the tree that is looked up. */
static uint32
HashDocument(const Neighbours *set, int32 number)
{
	if (number != SOUGHT)
		return set->documents[number].hash;
	return hash_bytes((const unsigned char *) VARDATA_ANY(set->sought),
					  (int) VARSIZE_ANY_EXHDR(set->sought));
}

#define SH_PREFIX documenttable
#define SH_ELEMENT_TYPE DocumentEntry
#define SH_KEY_TYPE int32
#define SH_KEY number
#define SH_HASH_KEY(table, key) HashDocument((table)->private_data, key)
#define SH_EQUAL(table, a, b)                                                                      \
	((a) == (b) || IsSought((table)->private_data, (a) == SOUGHT ? (b) : (a)))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* Adds a tree; returns its number, which equal trees share. */
int32
NeighboursAdd(Neighbours *set, Datum tree)
{
	Tree *value = DatumGetTree(tree);
	uint32 hash;
	DocumentEntry *entry;
	bool known;
	int32 number;

	set->sought = value;
	hash = HashDocument(set, SOUGHT);
	entry = documenttable_insert_hash(set->table, SOUGHT, hash, &known);
	if (!known)
	{
		int32 length = (int32) VARSIZE_ANY_EXHDR(value);
		LabelCount *counts;
		int32 labels;

		entry->number = set->count;
		RESERVE(set->context, set->documents, set->capacity, set->count + 1);
		set->documents[set->count++] =
			(Document){.position = RecordsAdd(set->records, VARDATA_ANY(value), (Size) length),
					   .length = length,
					   .size = TreeSize(PointerGetDatum(value)),
					   .hash = hash};
		counts = set->measure->list_labels(set, value, entry->number, &labels);
		LabelListsCount(&set->lists, counts, labels);
		pfree(counts);
		set->counts->trees++;
	}
	number = entry->number;
	if ((Pointer) value != DatumGetPointer(tree))
		pfree(value);
	return number;
}

/* Returns the bytes of the set, besides the store, including those needed for a search. */
Size
NeighboursMemory(const Neighbours *set)
{
	Size bytes = MemoryContextMemAllocated(set->context, true);

	if (set->bound == NULL)
		bytes +=
			(sizeof(float8) + sizeof(int32) + sizeof(Stage) + sizeof(Datum)) * (Size) set->count +
			(set->model == NULL ? 0 : NeighbourModelSearchBytes(set->model, set->count)) +
			LabelListsBytes(&set->lists);
	return bytes;
}

/* Compares trees by their bounds; the heap has the least bound first. */
static int
CompareBounds(Datum a, Datum b, void *set)
{
	const float8 *bound = ((const Neighbours *) set)->bound;
	float8 bound_a = bound[DatumGetInt32(a)];
	float8 bound_b = bound[DatumGetInt32(b)];

	return (bound_a < bound_b) - (bound_a > bound_b);
}

/* Makes the lists of labels, if they fit in memory, and the arrays of a search. */
void
NeighboursIndex(Neighbours *set, Size memory)
{
	MemoryContext caller = MemoryContextSwitchTo(set->context);

	if (NeighboursMemory(set) <= memory)
	{
		LabelListsMake(&set->lists);
		for (int32 number = 0; number < set->count; number++)
		{
			Tree *tree = ReadNeighbour(set, number);
			int32 labels;
			LabelCount *counts = set->measure->list_labels(set, tree, number, &labels);

			LabelListsEnter(&set->lists, number, counts, labels);
			pfree(counts);
			pfree(tree);
		}
		if (set->model != NULL)
			NeighbourModelIndex(set->model, set->count);
	}
	set->bound = palloc_extended(sizeof(float8) * (Size) set->count, MCXT_ALLOC_HUGE);
	set->distance = palloc_extended(sizeof(int32) * (Size) set->count, MCXT_ALLOC_HUGE);
	set->stage = palloc_extended(sizeof(Stage) * (Size) set->count, MCXT_ALLOC_HUGE);
	set->open = binaryheap_allocate(set->count, CompareBounds, set);
	MemoryContextSwitchTo(caller);
}

/* Returns a lower bound on the operations between two trees, by their Euler strings. */
static int32
CountEulerOperations(Search *search, const int32 *string, int32 size)
{
	int32 operations = 0;

	ArenaReserve(&search->scratch, search->set->search_context,
				 ted_euler_bound_memory(search->filtered->size));
	CheckStatus(
		ted_euler_bound(search->euler, string, size, &search->scratch, &PgInterrupt, &operations));
	return operations;
}

/* Functions of NeighbourMeasure for unit costs. */

/* Returns the labels of a tree by hash. */
static LabelCount *
ListLabels(Neighbours *set, const Tree *tree, int32 number, int32 *count)
{
	(void) set;
	(void) number;
	return TreeLabelCounts(tree, count);
}

/* Adds the tree searched for to the session. */
static void
BeginByUnits(Search *search)
{
	static const TedCosts unit = {1, 1, 1, NULL};

	search->costs = &unit;
	search->tree = search->filtered =
		SessionAddTree(search->session, PointerGetDatum(search->value));
}

/* Computes lower bounds of all trees by sizes and, where there are lists, labels. */
static void
BoundAllByUnits(Search *search, int32 *bounds)
{
	const Neighbours *set = search->set;
	const LabelLists *lists = &set->lists;

	if (lists->tree != NULL)
	{
		/*
		 * until the loop below, bounds[] counts the nodes that share labels with the searched tree
		 */
		int32 labels;
		LabelCount *counts = TreeLabelCounts(search->value, &labels);

		for (int32 i = 0; i < labels; i++)
		{
			uint32 list = counts[i].hash % LABEL_LISTS;

			CheckInterrupts();
			for (int64 place = lists->begin[list]; place < lists->begin[list + 1]; place++)
				bounds[lists->tree[place]] += SharedNodes(lists, place, counts[i].count);
		}
		pfree(counts);
	}
	for (int32 number = 0; number < set->count; number++)
	{
		int32 other = set->documents[number].size;
		int32 unshared = lists->tree != NULL ? Max(search->size, other) - bounds[number] : 0;

		bounds[number] = Max(Max(abs(search->size - other), unshared), 1);
	}
}

/* Returns the measure by which trees are ordered; similarities as dissimilarities. */
static float8
KeyByUnits(const Search *search, int32 distance, int32 number)
{
	int32 size = search->set->documents[number].size;

	switch (search->order)
	{
		case ROLE_SIMILARITY:
		case ROLE_DISSIMILARITY:
			return TreeDissimilarity(distance, Max(search->size, size));
		case ROLE_NORMALIZED_DISTANCE:
			return TreeNormalizedDistance(distance, (int64) search->size + size);
		default:
			return distance;
	}
}

/* Returns the greatest distance of a tree: all nodes are deleted or inserted. */
static int32
GreatestByUnits(const Search *search, int32 number)
{
	return search->size + search->set->documents[number].size;
}

/* Whether the Euler string of a tree can still raise its bound. */
static bool
HasEulerBound(const Search *search, int32 number, float8 horizon)
{
	(void) horizon;
	return search->euler != NULL && search->set->stage[number] == STAGE_LABELS;
}

/* Returns a lower bound by the Euler string of a tree. */
static int32
EulerBound(Search *search, int32 number, float8 horizon, Stage *stage)
{
	const Tree *tree = ReadNeighbour(search->set, number);

	(void) horizon;
	SessionCheckTree(search->session, TreeDecodedBytes(PointerGetDatum(tree)));
	*stage = STAGE_EULER_STRING;
	return CountEulerOperations(search, TreeEulerString(tree, SessionLabels(search->session)),
								search->set->documents[number].size);
}

/* Decodes a tree to be compared. */
static const TedTree *
DecodeByUnits(Search *search, int32 number)
{
	Tree *tree = ReadNeighbour(search->set, number);
	TedTree *decoded = palloc_object(TedTree);

	CheckInterrupts();
	SessionCheckTree(search->session, TreeDecodedBytes(PointerGetDatum(tree)));
	TreeDecodeAgainst(tree, SessionLabels(search->session), decoded);
	pfree(tree);
	return decoded;
}

static const NeighbourMeasure by_units = {.list_labels = ListLabels,
										  .begin = BeginByUnits,
										  .bound_all = BoundAllByUnits,
										  .key = KeyByUnits,
										  .greatest = GreatestByUnits,
										  .has_bound = HasEulerBound,
										  .bound = EulerBound,
										  .decode = DecodeByUnits};

/* Returns the greatest distance at which a tree is nearer than the horizon, or 0. */
static int32
DistanceBelow(const Search *search, float8 horizon, int32 number)
{
	const NeighbourMeasure *measure = search->set->measure;
	int32 low = 0;
	int32 high = measure->greatest(search, number);

	while (low < high)
	{
		int32 middle = low + (high - low + 1) / 2;

		if (measure->key(search, middle, number) < horizon)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Functions of NeighbourMeasure for a cost model. */

/* Adds the costs of a tree to the model; returns the labels by which the tree is listed. */
static LabelCount *
ListLabelsByModel(Neighbours *set, const Tree *tree, int32 number, int32 *count)
{
	return NeighbourModelAdd(set->model, tree, number, count);
}

/* Decodes a tree, and makes from it one tree for comparing and one for filtering. */
static ModelTree *
MakeByModel(Search *search, const Tree *tree)
{
	TedTree *decoded = SessionDecodeTree(search->session, PointerGetDatum(tree));

	SessionCheckTree(search->session, ModelTreeBytes(decoded->size) +
										  RelabelBytes(search->set->model->costs, decoded->size));
	return ModelTreesAdd(search->model_trees, decoded);
}

/* Adds the tree searched for to the session, with the labels of the cost model. */
static void
BeginByModel(Search *search)
{
	ModelTrees *trees = ModelTreesCreate(search->set->model->costs, SessionLabels(search->session));
	ModelTree *made;

	search->model_trees = trees;
	search->costs = ModelTreesCosts(trees);
	SessionSetCosts(search->session, search->costs);
	made = MakeByModel(search, search->value);
	ModelTreesKeep(trees);
	ModelTreesFinish(trees, made);
	SessionUploadTree(search->session, &made->compared);
	search->tree = &made->compared;
	search->filtered = &made->filtered;
}

/* Computes lower bounds of all trees by sizes, costs and, where there are lists, labels. */
static void
BoundAllByModel(Search *search, int32 *bounds)
{
	const Neighbours *set = search->set;

	NeighbourModelSearch(set->model, search->value, &set->lists, set->count, bounds);
	for (int32 number = 0; number < set->count; number++)
		bounds[number] = NeighbourModelBound(set->model, &set->lists, number, bounds[number]);
}

/* Returns the measure by which trees are ordered. */
static float8
KeyByModel(const Search *search, int32 distance, int32 number)
{
	return NeighbourModelKey(search->set->model, search->order, distance, number);
}

/* Returns the greatest distance of a tree: all nodes are deleted or inserted. */
static int32
GreatestByModel(const Search *search, int32 number)
{
	return NeighbourModelGreatest(search->set->model, number);
}

/* Whether the Euler string or the graded labels of a tree can still raise its bound. */
static bool
HasBoundByModel(const Search *search, int32 number, float8 horizon)
{
	return HasEulerBound(search, number, horizon) ||
		   (search->set->model->is_graded && !isinf(horizon) &&
			search->set->stage[number] < STAGE_RENAMES);
}

/* Returns a bound by a tree's Euler string or, once there is a horizon, by its graded labels. */
static int32
BoundByModel(Search *search, int32 number, float8 horizon, Stage *stage)
{
	const NeighbourModel *model = search->set->model;
	const ModelTree *made = MakeByModel(search, ReadNeighbour(search->set, number));
	int32 limit = DistanceBelow(search, horizon, number);
	int32 bound = 0;

	if (*stage == STAGE_LABELS)
	{
		int32 operations = 0;

		if (search->euler != NULL && model->documents[number].counted > 0 && !made->unfiltered)
		{
			int32 *string =
				palloc_extended(2 * sizeof(int32) * (Size) made->filtered.size, MCXT_ALLOC_HUGE);

			CheckStatus(ted_euler_string(&made->filtered, &PgInterrupt, string));
			operations = CountEulerOperations(search, string, made->filtered.size);
		}
		bound = NeighbourModelOperations(model, number, operations);
		*stage = STAGE_EULER_STRING;
	}
	if (model->is_graded && !isinf(horizon) && bound <= limit)
	{
		bool by_costs = *stage == STAGE_CHARACTERS;
		int32 by_labels =
			ModelTreesBound(search->model_trees, by_costs ? ted_rename_bound : ted_character_bound,
							search->tree, &made->compared, limit);

		bound = Max(bound, by_labels);
		*stage = by_costs ? STAGE_RENAMES : STAGE_CHARACTERS;
	}
	return bound;
}

/* Decodes a tree to be compared by the cost model. */
static const TedTree *
DecodeByModel(Search *search, int32 number)
{
	Tree *tree = ReadNeighbour(search->set, number);
	const ModelTree *made = MakeByModel(search, tree);

	pfree(tree);
	return &made->compared;
}

static const NeighbourMeasure by_model = {.list_labels = ListLabelsByModel,
										  .begin = BeginByModel,
										  .bound_all = BoundAllByModel,
										  .key = KeyByModel,
										  .greatest = GreatestByModel,
										  .has_bound = HasBoundByModel,
										  .bound = BoundByModel,
										  .decode = DecodeByModel};

/* Makes an empty set. */
Neighbours *
NeighboursCreate(RecordStore *records, const CostModel *model, NeighbourCounts *counts)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted neighbours", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Neighbours *set = palloc0_object(Neighbours);

	set->context = context;
	set->records = records;
	set->counts = counts;
	set->measure = model == NULL ? &by_units : &by_model;
	set->model = model == NULL ? NULL : NeighbourModelCreate(model);
	set->table = documenttable_create(context, 64, set);
	LabelListsInit(&set->lists);
	set->search_context = AllocSetContextCreate(context, "ted search", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(caller);
	return set;
}

/* Describes a tree of the session: the one searched for, or one of the batch. */
static void
DescribeNeighbour(void *arg, int32 number, StringInfo text)
{
	const Search *search = arg;
	const Tree *tree =
		number == 0 ? search->value : ReadNeighbour(search->set, search->in_batch[number - 1]);

	AppendTreeStart(text, PointerGetDatum(tree));
}

/* Starts comparing trees: computes the first bounds of all trees except an equal one. */
static void
BeginComparing(Search *search)
{
	Neighbours *set = search->set;
	MemoryContext caller = MemoryContextSwitchTo(set->search_context);
	int32 labels;
	Size bytes;
	TedArena arena;

	search->batch = AllocSetContextCreate(set->search_context, "ted batch", ALLOCSET_DEFAULT_SIZES);
	search->step = AllocSetContextCreate(set->search_context, "ted step", ALLOCSET_DEFAULT_SIZES);
	search->session = SessionOpen(&TED_UNIT_COSTS);
	SessionCount(search->session, &set->counts->engine);
	set->measure->begin(search);
	SessionKeepTrees(search->session);

	memset(set->distance, 0, sizeof(int32) * (Size) set->count);
	memset(set->stage, 0, sizeof(Stage) * (Size) set->count);
	set->measure->bound_all(search, set->distance);
	binaryheap_reset(set->open);
	for (int32 number = 0; number < set->count; number++)
	{
		set->bound[number] = set->measure->key(search, set->distance[number], number);
		if (number != search->equal)
			binaryheap_add_unordered(set->open, Int32GetDatum(number));
	}
	binaryheap_build(set->open);
	SessionDescribeTrees(search->session, DescribeNeighbour, search);

	ArenaInit(&arena, ted_bounds_index_memory(search->tree->size));
	CheckStatus(ted_bounds_index(search->tree, &arena, &PgInterrupt, &search->bounds));
	labels = LabelTableCount(SessionLabels(search->session)) + (set->model != NULL);
	bytes = ted_euler_memory(search->filtered->size, labels);
	if (bytes <= EULER_MEMORY && (set->model == NULL || set->model->labels.nodes > 0))
	{
		ArenaInit(&arena, bytes);
		CheckStatus(ted_euler(search->filtered, labels, &arena, &PgInterrupt, &search->euler));
	}
	search->batch_size = FIRST_BATCH;
	set->counts->pairs += set->count;
	MemoryContextSwitchTo(caller);
}

/* Inserts a tree with known distance among the results. */
static void
AddKnown(Search *search, int32 number, int32 distance)
{
	int32 place = search->known_count;
	float8 key = search->set->measure->key(search, distance, number);

	RESERVE(search->set->search_context, search->known, search->known_capacity, place + 1);
	for (; place > search->next_known && search->known[place - 1].key > key; place--)
		search->known[place] = search->known[place - 1];
	search->known[place] = (Neighbour){.number = number,
									   .distance = distance,
									   .size = search->set->documents[number].size,
									   .key = key};
	search->known_count++;
}

/* Begins a search, and finds an equal tree at once. */
void
NeighboursSearch(Neighbours *set, Datum tree, FunctionRole order, int32 wanted)
{
	MemoryContext caller = MemoryContextSwitchTo(set->search_context);
	Search *search = palloc0_object(Search);
	const DocumentEntry *equal;

	set->search = search;
	search->set = set;
	search->value = (Tree *) PG_DETOAST_DATUM_COPY(tree);
	search->size = TreeSize(PointerGetDatum(search->value));
	search->order = order;
	search->wanted = wanted;
	set->sought = search->value;
	equal = documenttable_lookup(set->table, SOUGHT);
	search->equal = equal == NULL ? NONE : equal->number;
	if (equal != NULL)
		AddKnown(search, search->equal, 0);
	set->counts->searches++;
	MemoryContextSwitchTo(caller);
}

/* Returns the number of nodes of the tree searched for. */
int32
NeighboursSearchedSize(const Neighbours *set)
{
	return set->search->size;
}

/* Returns a lower bound on the measures of all trees with unknown distance. */
static float8
LeastBound(const Search *search)
{
	const Neighbours *set = search->set;

	if (search->session == NULL)
		return 0;
	return binaryheap_empty(set->open) ? INFINITY
									   : set->bound[DatumGetInt32(binaryheap_first(set->open))];
}

/*
 * Returns the number of results still wanted.  Beyond the announced number, it grows with the
 * results delivered, so that bounds are not raised again for each single result.
 */
static int32
StillWanted(const Search *search)
{
	return Max(search->wanted - search->delivered, 1 + search->delivered / 2);
}

/*
 * Returns the measure below which trees are worth finding: that of the farthest result still
 * wanted; infinity where it is not known.
 */
static float8
Horizon(const Search *search)
{
	int32 more = StillWanted(search);

	return more <= search->known_count - search->next_known
			   ? search->known[search->next_known + more - 1].key
			   : INFINITY;
}

/*
 * Returns the horizon by known measures and by upper bounds on others.  Inserts `bound` into
 * bounds[], which has `count` upper bounds in ascending order.
 */
static float8
HorizonByBounds(const Search *search, float8 *bounds, int32 count, float8 bound)
{
	int32 known = search->known_count - search->next_known;
	int32 missing = Max(1, StillWanted(search) - known);
	int32 place = count;

	for (; place > 0 && bounds[place - 1] > bound; place--)
		bounds[place] = bounds[place - 1];
	bounds[place] = bound;
	if (missing > count + 1)
		return INFINITY;
	return known > 0 ? Max(bounds[missing - 1], search->known[search->known_count - 1].key)
					 : bounds[missing - 1];
}

/* Sets the stage of a tree, and counts when the tree first passes labels and is first compared. */
static void
EnterStage(Neighbours *set, int32 number, Stage stage)
{
	set->counts->labels += set->stage[number] == STAGE_LABELS;
	set->counts->computed += stage == STAGE_DISTANCE && set->stage[number] != STAGE_DISTANCE;
	set->stage[number] = stage;
}

/* Raises the bound of a tree with at least this distance, and puts it back into the heap. */
static void
RaiseBound(Search *search, int32 number, int32 distance)
{
	Neighbours *set = search->set;
	float8 bound = set->measure->key(search, distance, number);

	set->bound[number] = Max(bound, set->bound[number]);
	binaryheap_add(set->open, Int32GetDatum(number));
}

/* Returns an upper bound on the distance of a tree. */
static int32
NeighbourUpperBound(Search *search, const TedTree *decoded)
{
	int32 larger = Max(search->tree->size, decoded->size);
	int32 *map_a = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
	int32 *map_b = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
	TedBoundsIndex index;
	TedArena arena;
	int32 bound;

	CheckCostsFit(search->costs, search->tree, decoded);
	ArenaInit(&arena, ted_bounds_index_memory(decoded->size));
	CheckStatus(ted_bounds_index(decoded, &arena, &PgInterrupt, &index));
	ArenaReserve(&search->scratch, search->set->search_context,
				 ted_greedy_mapping_memory(search->tree->size, decoded->size));
	CheckStatus(ted_upper_bound(&search->bounds, &index, search->costs, larger, &search->scratch,
								&PgInterrupt, map_a, map_b, &bound));
	return bound;
}

/*
 * Computes the distances of the trees with the least bounds: as many as the engine computes
 * together, but only a few at first, to find the horizon.
 */
static void
ComputeBatch(Search *search)
{
	Neighbours *set = search->set;
	MemoryContext caller = MemoryContextSwitchTo(search->batch);
	float8 horizon = Horizon(search);
	bool bounded = !isinf(horizon);
	float8 bounds[LARGEST_BATCH];
	int32 numbers[LARGEST_BATCH];
	TedPair pairs[LARGEST_BATCH];
	int32 distances[LARGEST_BATCH];
	int64 most = Min(NODES_PER_BATCH, (int64) ted_max_memory * 1024 / BATCH_SHARE);
	int64 nodes = 0;
	int32 strings = 0;
	int32 count = 0;

	while (count < search->batch_size && nodes < most && LeastBound(search) < horizon &&
		   (set->model == NULL || strings < EULER_STRINGS_PER_BATCH))
	{
		int32 number = DatumGetInt32(binaryheap_remove_first(set->open));
		const TedTree *tree;
		int32 limit;

		if (set->measure->has_bound(search, number, horizon))
		{
			Stage stage = set->stage[number];
			int32 bound;

			MemoryContextSwitchTo(search->step);
			bound = set->measure->bound(search, number, horizon, &stage);
			EnterStage(set, number, stage);
			RaiseBound(search, number, bound);
			MemoryContextSwitchTo(search->batch);
			MemoryContextReset(search->step);
			strings++;
			continue;
		}
		tree = set->measure->decode(search, number);
		if (bounded)
			limit = DistanceBelow(search, horizon, number);
		else
		{
			/* there is no horizon yet, so upper bounds of the batch set one */
			limit = NeighbourUpperBound(search, tree);
			horizon =
				HorizonByBounds(search, bounds, count, set->measure->key(search, limit, number));
		}
		pairs[count] =
			(TedPair){.a = 0, .b = SessionUploadTree(search->session, tree), .limit = limit};
		numbers[count++] = number;
		nodes += tree->size;
	}
	if (count > 0)
	{
		search->in_batch = numbers;
		SessionCompute(search->session, pairs, count, distances);
		set->counts->batches++;
	}
	for (int32 i = 0; i < count; i++)
	{
		EnterStage(set, numbers[i], STAGE_DISTANCE);
		if (distances[i] == TED_BEYOND)
			RaiseBound(search, numbers[i], pairs[i].limit + 1);
		else
			AddKnown(search, numbers[i], distances[i]);
	}
	SessionForgetTrees(search->session);
	if (search->model_trees != NULL)
		ModelTreesForget(search->model_trees);
	search->batch_size = Min(2 * search->batch_size, LARGEST_BATCH);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(search->batch);
}

/* Finds the next tree in the order of the measure. */
bool
NeighboursNext(Neighbours *set, Neighbour *neighbour)
{
	Search *search = set->search;

	while (search->next_known == search->known_count ||
		   search->known[search->next_known].key > LeastBound(search))
	{
		CheckInterrupts();
		if (search->session == NULL)
			BeginComparing(search);
		else if (binaryheap_empty(set->open))
			return false;
		else
			ComputeBatch(search);
	}
	*neighbour = search->known[search->next_known++];
	search->delivered++;
	set->counts->found++;
	return true;
}

/* Ends a search, if one is under way. */
void
NeighboursEndSearch(Neighbours *set)
{
	if (set->search != NULL && set->search->session != NULL)
		SessionClose(set->search->session);
	set->search = NULL;
	MemoryContextReset(set->search_context);
}

/* Frees the set. */
void
NeighboursFree(Neighbours *set)
{
	NeighboursEndSearch(set);
	MemoryContextDelete(set->context);
}
