/*
 * near_trees.c
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
 *
 * Trees of a group have consecutive numbers.  A NULL is a document of its group that is found last.
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

/* In place of the number of a tree, and of the length of a NULL. */
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

/* One tree of the set, or a NULL. */
typedef struct Document
{
	int64 position; /* of the bytes in the store, which have no varlena header */
	int64 first_row;
	int32 length;
	int32 size; /* nodes */
	uint32 hash;
	int32 group;
} Document;

/* A tree in the hash table by bytes. */
typedef struct DocumentEntry
{
	int32 number;
	char status;
} DocumentEntry;

typedef struct Neighbours Neighbours;
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
	FunctionRole order; /* role of the measure by which trees are ordered */
	int32 count;
	int32 capacity;
	int32 group_start; /* number of the first document of the last group */
	int32 largest;     /* documents of the largest group */
	struct documenttable_hash *table;
	const Tree *sought; /* the tree that is being looked up in the table; NULL for a NULL */
	int32 sought_group;
	LabelLists lists;
	TreeRange range;  /* documents that are searched; the arrays below are those of them */
	float8 *bound;    /* lower bound of each tree's measure */
	int32 *distance;  /* lower bound of each tree's distance, at the start of a search */
	Stage *stage;     /* of each tree */
	binaryheap *open; /* trees with unknown distance, by bound */
	MemoryContext search_context;
	Search *search; /* NULL where no search is under way */
};

/* A tree with known distance. */
typedef struct KnownTree
{
	int32 number;
	int32 distance;
	float8 key; /* the measure; a similarity is negated */
} KnownTree;

/* A search of the set. */
struct Search
{
	Neighbours *set;
	Tree *value;      /* the tree searched for; NULL for a NULL */
	int32 next;       /* next document of a search for a NULL */
	int32 null;       /* number of the NULL of the group, or NONE */
	int32 size;       /* number of nodes of the tree searched for */
	int32 equal;      /* number of an equal tree, or NONE */
	KnownTree *known; /* trees with known distance, in the order of the measure */
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

/* Whether a document of the set equals the one that is looked up. */
static bool
IsSought(const Neighbours *set, int32 number)
{
	const Document *document = &set->documents[number];
	Tree *tree;
	bool same;

	if (document->group != set->sought_group)
		return false;
	if (set->sought == NULL || document->length == NONE)
		return set->sought == NULL && document->length == NONE;
	if (document->length != (int32) VARSIZE_ANY_EXHDR(set->sought))
		return false;
	tree = ReadNeighbour(set, number);
	same = memcmp(VARDATA(tree), VARDATA_ANY(set->sought), VARSIZE_ANY_EXHDR(set->sought)) == 0;
	pfree(tree);
	return same;
}

/* Returns the hash of a document of the set, or of the one that is looked up. */
static uint32
HashDocument(const Neighbours *set, int32 number)
{
	uint32 hash = 0;

	if (number != SOUGHT)
		return set->documents[number].hash;
	if (set->sought != NULL)
		hash = hash_bytes((const unsigned char *) VARDATA_ANY(set->sought),
						  (int) VARSIZE_ANY_EXHDR(set->sought));
	return hash_combine(hash, (uint32) set->sought_group);
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

/* Adds a document of a group; equal ones share a number. */
static int64 *
AddTree(void *arg, int32 group, const Datum *document)
{
	Neighbours *set = arg;
	Tree *value = document == NULL ? NULL : DatumGetTree(*document);
	uint32 hash;
	DocumentEntry *entry;
	bool known;
	int32 number;

	set->sought = value;
	set->sought_group = group;
	hash = HashDocument(set, SOUGHT);
	entry = documenttable_insert_hash(set->table, SOUGHT, hash, &known);
	if (!known)
	{
		Document added = {
			.first_row = NO_ROW, .length = NONE, .size = 0, .hash = hash, .group = group};

		entry->number = set->count;
		if (value != NULL)
		{
			int32 labels;
			LabelCount *counts = set->measure->list_labels(set, value, entry->number, &labels);

			LabelListsCount(&set->lists, counts, labels);
			pfree(counts);
			added.length = (int32) VARSIZE_ANY_EXHDR(value);
			added.size = TreeSize(PointerGetDatum(value));
			added.position = RecordsAdd(set->records, VARDATA_ANY(value), (Size) added.length);
			set->counts->documents++;
		}
		if (set->count > 0 && set->documents[set->count - 1].group != group)
			set->group_start = set->count;
		RESERVE(set->context, set->documents, set->capacity, set->count + 1);
		set->documents[set->count++] = added;
		set->largest = Max(set->largest, set->count - set->group_start);
	}
	number = entry->number;
	if (value != NULL && (Pointer) value != DatumGetPointer(*document))
		pfree(value);
	return &set->documents[number].first_row;
}

/* Returns the bytes of the set, besides the store, including those needed for a search. */
static Size
TreesMemory(const void *arg)
{
	const Neighbours *set = arg;
	Size bytes = MemoryContextMemAllocated(set->context, true);

	if (set->bound == NULL)
		bytes +=
			(sizeof(float8) + sizeof(int32) + sizeof(Stage) + sizeof(Datum)) * (Size) set->largest +
			(set->model == NULL ? 0 : NeighbourModelSearchBytes(set->model, set->largest)) +
			LabelListsBytes(&set->lists);
	return bytes;
}

/* Moves the trees to a file. */
static void
SpillTrees(void *arg)
{
	RecordsMoveToFile(((Neighbours *) arg)->records);
}

/* Returns the place of a document in the arrays of the search. */
static inline int32
PlaceOf(const Neighbours *set, int32 number)
{
	return number - set->range.first;
}

/* Compares trees by their bounds; the heap has the least bound first. */
static int
CompareBounds(Datum a, Datum b, void *set)
{
	const float8 *bound = ((const Neighbours *) set)->bound;
	float8 bound_a = bound[PlaceOf(set, DatumGetInt32(a))];
	float8 bound_b = bound[PlaceOf(set, DatumGetInt32(b))];

	return (bound_a < bound_b) - (bound_a > bound_b);
}

/* Makes the lists of labels, if they fit in memory, and the arrays of a search. */
static void
IndexTrees(void *arg, Size memory)
{
	Neighbours *set = arg;
	MemoryContext caller = MemoryContextSwitchTo(set->context);

	if (TreesMemory(set) <= memory)
	{
		LabelListsMake(&set->lists);
		for (int32 number = 0; number < set->count; number++)
		{
			Tree *tree;
			int32 labels;
			LabelCount *counts;

			CHECK_FOR_INTERRUPTS();
			if (set->documents[number].length == NONE)
				continue;
			tree = ReadNeighbour(set, number);
			counts = set->measure->list_labels(set, tree, number, &labels);
			LabelListsEnter(&set->lists, number, counts, labels);
			pfree(counts);
			pfree(tree);
		}
		if (set->model != NULL)
			NeighbourModelIndex(set->model, set->largest);
	}
	set->bound = palloc_extended(sizeof(float8) * (Size) set->largest, MCXT_ALLOC_HUGE);
	set->distance = palloc_extended(sizeof(int32) * (Size) set->largest, MCXT_ALLOC_HUGE);
	set->stage = palloc_extended(sizeof(Stage) * (Size) set->largest, MCXT_ALLOC_HUGE);
	set->open = binaryheap_allocate(set->largest, CompareBounds, set);
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
			for (int64 place = LabelListFrom(lists, list, set->range.first);
				 place < lists->begin[list + 1] && lists->tree[place] < set->range.end; place++)
				bounds[PlaceOf(set, lists->tree[place])] +=
					SharedNodes(lists, place, counts[i].count);
		}
		pfree(counts);
	}
	for (int32 number = set->range.first; number < set->range.end; number++, bounds++)
	{
		int32 other = set->documents[number].size;
		int32 unshared = lists->tree != NULL ? Max(search->size, other) - *bounds : 0;

		*bounds = Max(Max(abs(search->size - other), unshared), 1);
	}
}

/* Returns the measure by which trees are ordered; similarities as dissimilarities. */
static float8
KeyByUnits(const Search *search, int32 distance, int32 number)
{
	int32 size = search->set->documents[number].size;

	switch (search->set->order)
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
	return search->euler != NULL &&
		   search->set->stage[PlaceOf(search->set, number)] == STAGE_LABELS;
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
	search->costs = ModelTedCosts(trees->costs);
	search->session->costs = *search->costs;
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

	NeighbourModelSearch(set->model, search->value, &set->lists, set->range, bounds);
	for (int32 number = set->range.first; number < set->range.end; number++, bounds++)
		if (set->documents[number].length != NONE)
			*bounds = NeighbourModelBound(set->model, &set->lists, number, *bounds);
}

/* Returns the measure by which trees are ordered. */
static float8
KeyByModel(const Search *search, int32 distance, int32 number)
{
	return NeighbourModelKey(search->set->model, search->set->order, distance, number);
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
			search->set->stage[PlaceOf(search->set, number)] < STAGE_RENAMES);
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
static void *
CreateTrees(const NeighbourSetup *setup)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted neighbours", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Neighbours *set = palloc0_object(Neighbours);

	set->context = context;
	set->records = setup->records;
	set->counts = setup->counts;
	set->order = setup->order;
	set->measure = setup->model == NULL ? &by_units : &by_model;
	set->model = setup->model == NULL ? NULL : NeighbourModelCreate(setup->model);
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
	int32 documents = set->range.end - set->range.first;
	int32 labels;
	Size bytes;
	TedArena arena;

	search->batch = AllocSetContextCreate(set->search_context, "ted batch", ALLOCSET_DEFAULT_SIZES);
	search->step = AllocSetContextCreate(set->search_context, "ted step", ALLOCSET_DEFAULT_SIZES);
	search->session = SessionOpen(&TED_UNIT_COSTS);
	search->session->counts = &set->counts->engine;
	set->measure->begin(search);
	SessionKeepTrees(search->session);

	memset(set->distance, 0, sizeof(int32) * (Size) documents);
	memset(set->stage, 0, sizeof(Stage) * (Size) documents);
	set->measure->bound_all(search, set->distance);
	binaryheap_reset(set->open);
	for (int32 number = set->range.first; number < set->range.end; number++)
	{
		int32 place = PlaceOf(set, number);

		if (set->documents[number].length == NONE)
		{
			search->null = number;
			documents--;
			continue;
		}
		set->bound[place] = set->measure->key(search, set->distance[place], number);
		if (number != search->equal)
			binaryheap_add_unordered(set->open, Int32GetDatum(number));
	}
	binaryheap_build(set->open);
	search->session->describe = DescribeNeighbour;
	search->session->describe_arg = search;

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
	set->counts->pairs += documents;
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
	search->known[place] = (KnownTree){number, distance, key};
	search->known_count++;
}

/* Returns the number of the first document of a group that is not less than this one. */
static int32
FirstOfGroup(const Neighbours *set, int64 group)
{
	int32 low = 0;
	int32 high = set->count;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (set->documents[middle].group < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Begins a search, and finds an equal tree at once. */
static void
SearchTrees(void *arg, int32 group, const Datum *document, int32 wanted)
{
	Neighbours *set = arg;
	MemoryContext caller = MemoryContextSwitchTo(set->search_context);
	Search *search = palloc0_object(Search);
	const DocumentEntry *equal;

	set->search = search;
	set->range = (TreeRange){FirstOfGroup(set, group), FirstOfGroup(set, (int64) group + 1)};
	search->set = set;
	search->next = set->range.first;
	search->null = search->equal = NONE;
	search->wanted = wanted;
	if (document != NULL)
	{
		search->value = (Tree *) PG_DETOAST_DATUM_COPY(*document);
		search->size = TreeSize(PointerGetDatum(search->value));
		set->sought = search->value;
		set->sought_group = group;
		equal = documenttable_lookup(set->table, SOUGHT);
		if (equal != NULL)
		{
			search->equal = equal->number;
			AddKnown(search, search->equal, 0);
		}
		set->counts->searches++;
	}
	MemoryContextSwitchTo(caller);
}

/* Returns a lower bound on the measures of all trees with unknown distance. */
static float8
LeastBound(const Search *search)
{
	const Neighbours *set = search->set;

	if (search->session == NULL)
		return 0;
	return binaryheap_empty(set->open)
			   ? INFINITY
			   : set->bound[PlaceOf(set, DatumGetInt32(binaryheap_first(set->open)))];
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
	Stage *present = &set->stage[PlaceOf(set, number)];

	set->counts->bounded += *present == STAGE_LABELS;
	set->counts->computed += stage == STAGE_DISTANCE && *present != STAGE_DISTANCE;
	*present = stage;
}

/* Raises the bound of a tree with at least this distance, and puts it back into the heap. */
static void
RaiseBound(Search *search, int32 number, int32 distance)
{
	Neighbours *set = search->set;
	float8 *bound = &set->bound[PlaceOf(set, number)];

	*bound = Max(*bound, set->measure->key(search, distance, number));
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
			Stage stage = set->stage[PlaceOf(set, number)];
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

/* Returns a document without a distance. */
static Neighbour
Unmeasured(const Neighbours *set, int32 number)
{
	return (Neighbour){.first_row = set->documents[number].first_row};
}

/* Finds the next tree in the order of the measure, and at last the NULL of the group. */
static bool
NextTree(void *arg, Neighbour *neighbour)
{
	Neighbours *set = arg;
	Search *search = set->search;
	const KnownTree *known;
	const Document *document;

	if (search->value == NULL || set->range.first == set->range.end)
	{
		if (search->next == set->range.end)
			return false;
		*neighbour = Unmeasured(set, search->next++);
		return true;
	}
	while (search->next_known == search->known_count ||
		   search->known[search->next_known].key > LeastBound(search))
	{
		CheckInterrupts();
		if (search->session == NULL)
			BeginComparing(search);
		else if (!binaryheap_empty(set->open))
			ComputeBatch(search);
		else if (search->null == NONE)
			return false;
		else
		{
			*neighbour = Unmeasured(set, search->null);
			search->null = NONE;
			return true;
		}
	}
	known = &search->known[search->next_known++];
	document = &search->set->documents[known->number];
	*neighbour = (Neighbour){.first_row = document->first_row,
							 .measured = true,
							 .distance = known->distance,
							 .larger_size = Max(search->size, document->size),
							 .smaller_size = Min(search->size, document->size),
							 .key = known->key};
	search->delivered++;
	set->counts->found++;
	return true;
}

/* Ends a search, if one is under way. */
static void
EndTreeSearch(void *arg)
{
	Neighbours *set = arg;

	if (set->search != NULL && set->search->session != NULL)
		SessionClose(set->search->session);
	set->search = NULL;
	MemoryContextReset(set->search_context);
}

/* Frees the set. */
static void
FreeTrees(void *set)
{
	EndTreeSearch(set);
	MemoryContextDelete(((Neighbours *) set)->context);
}

const NeighbourKind NeighbourTrees = {.create = CreateTrees,
									  .add = AddTree,
									  .memory = TreesMemory,
									  .spill = SpillTrees,
									  .index = IndexTrees,
									  .search = SearchTrees,
									  .next = NextTree,
									  .end_search = EndTreeSearch,
									  .free = FreeTrees};
