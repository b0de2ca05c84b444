/*
 * neighbours.c
 *	  Finds the trees of a set in the order of their distances from another one.
 *
 * A tree that is equal is looked up by its bytes.  Every other tree of the set has
 * a lower bound of its distance, at first by size and labels.  The tree with the
 * least bound is looked at first: its Euler string raises the bound, and if it
 * comes first again its distance is computed, a batch at a time, up to the distance
 * of the farthest result that is still wanted; a tree beyond that gets it as its
 * bound.  A tree whose distance is known comes next if no bound is less (Hjaltason
 * and Samet, ACM TODS 24(2), 1999; bounds from the cheapest to the dearest: Seidl
 * and Kriegel, SIGMOD 1998).
 *
 * Other measures grow with the distance of trees of given sizes, so the bounds of
 * the distance bound them as well.
 *
 * By a model of costs, distances are in its units.  Labels and Euler strings bound the
 * operations that cost something in any case, see neighbour_model.h and model_trees.h.  Where
 * labels are graded, their string edit distances are bounds besides, once it is known how far
 * the farthest result is at most: first by characters, then by what labels cost
 * (rename_bound.h).
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

/* How many trees have their distances computed together: at first, and at most. */
#define FIRST_BATCH 4
#define LARGEST_BATCH 64

/* The most nodes of these trees, give or take a tree: what one pass of the core takes. */
#define NODES_PER_BATCH 2048

/* A batch has no more nodes than this part of ted.max_memory, in bytes, so that any pair fits. */
#define BATCH_SHARE 128

/* Euler strings by a model, whose labels are kept until then, are compared before a batch ends. */
#define EULER_STRINGS_PER_BATCH 256

/* Euler strings are compared where their bits take no more memory than this, in bytes. */
#define EULER_MEMORY ((Size) 4 << 20)

/* Trees that there is room for at first. */
#define FIRST_CAPACITY 64

/* No tree of the set. */
#define NONE (-1)

/* What the bound of a tree takes into account besides labels. */
typedef enum Stage
{
	STAGE_LABELS,
	STAGE_EULER_STRING,
	STAGE_CHARACTERS, /* of graded labels */
	STAGE_RENAMES,    /* of these: what they cost */
	STAGE_DISTANCE    /* that was computed up to a limit */
} Stage;

/* One tree of the set. */
typedef struct Document
{
	int64 position; /* in the store, without its header */
	int32 length;
	int32 size; /* nodes */
	uint32 hash;
} Document;

/* A tree by its bytes. */
typedef struct DocumentEntry
{
	int32 number;
	char status;
} DocumentEntry;

struct Neighbours
{
	MemoryContext context;
	RecordStore *records;
	NeighbourCounts *counts;
	NeighbourModel *model; /* or NULL */
	Document *documents;
	int32 count;
	int32 capacity;
	struct documenttable_hash *table;
	const Tree *sought; /* the tree that is looked up in the table */
	LabelLists lists;

	/* the search under way */
	MemoryContext search;
	MemoryContext batch;     /* of the trees whose distances are computed */
	MemoryContext step;      /* of one tree whose Euler string is compared */
	EngineSession *session;  /* NULL until a tree is compared */
	ModelTrees *model_trees; /* by the model */
	Tree *value;             /* the tree that is searched for */
	const TedTree *tree;     /* the same, decoded to be compared */
	const TedTree *filtered; /* the same for Euler strings */
	int32 size;              /* its nodes */
	FunctionRole order;      /* the measure that trees are wanted in the order of */
	int32 equal;             /* number of an equal tree, or NONE */
	TedBoundsIndex bounds;
	TedEuler *euler;  /* or NULL where they take too much memory */
	TedArena scratch; /* for bounds */
	float8 *bound;    /* by number: lower bound of the measure */
	int32 *shared;    /* by number: nodes that share labels, to begin with */
	Stage *stage;     /* by number */
	binaryheap *open; /* trees whose distance is not known, by bound */
	Neighbour *known; /* trees whose distance is known, in the order wanted */
	int32 next_known;
	int32 known_count;
	int32 wanted;
	int32 delivered;
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

/* The number of the tree that is looked up, while it has no other. */
#define SOUGHT (-1)

/* Whether the tree looked up is one of the set. */
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

/* Hash of a tree of the set, or of the one looked up. */
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
	set->model = model == NULL ? NULL : NeighbourModelCreate(model, FIRST_CAPACITY);
	set->capacity = FIRST_CAPACITY;
	set->documents = palloc_array(Document, set->capacity);
	set->table = documenttable_create(context, 64, set);
	LabelListsInit(&set->lists);
	set->search = AllocSetContextCreate(context, "ted search", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(caller);
	return set;
}

/* The labels of a tree by which it is listed. */
static LabelCount *
ListedLabels(Neighbours *set, const Tree *tree, int32 number, int32 *labels)
{
	return set->model == NULL ? TreeLabelCounts(tree, labels)
							  : NeighbourModelAdd(set->model, tree, number, labels);
}

/* Counts the labels of a tree to be indexed. */
static void
CountNeighbourLabels(Neighbours *set, const Tree *tree, int32 number)
{
	int32 labels;
	LabelCount *counts = ListedLabels(set, tree, number, &labels);

	LabelListsCount(&set->lists, counts, labels);
	pfree(counts);
}

/* Notes a tree that is new to the set. */
static void
AddNewTree(Neighbours *set, const Tree *tree, uint32 hash)
{
	Document *document;

	if (set->count == set->capacity)
	{
		set->capacity *= 2;
		set->documents = repalloc_huge(set->documents, sizeof(Document) * (Size) set->capacity);
		if (set->model != NULL)
			NeighbourModelReserve(set->model, set->capacity);
	}
	document = &set->documents[set->count++];
	*document = (Document){.length = (int32) VARSIZE_ANY_EXHDR(tree),
						   .size = TreeSize(PointerGetDatum(tree)),
						   .hash = hash};
	document->position = RecordsAdd(set->records, VARDATA_ANY(tree), (Size) document->length);
	CountNeighbourLabels(set, tree, set->count - 1);
	set->counts->trees++;
}

/* Adds a tree. */
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
		entry->number = set->count;
		AddNewTree(set, value, hash);
	}
	number = entry->number;
	if ((Pointer) value != DatumGetPointer(tree))
		pfree(value);
	return number;
}

/* Memory that the set takes besides the store. */
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

/* Enters a tree in the lists of its labels. */
static void
EnterDocument(Neighbours *set, int32 number)
{
	Tree *tree = ReadNeighbour(set, number);
	int32 labels;
	LabelCount *counts = ListedLabels(set, tree, number, &labels);

	LabelListsEnter(&set->lists, number, counts, labels);
	pfree(counts);
	pfree(tree);
}

/* The measure that trees are ordered by, as a number that grows with the distance. */
static inline float8
NeighbourKey(const Neighbours *set, int32 distance, int32 number)
{
	int32 size = set->documents[number].size;

	if (set->model != NULL)
		return NeighbourModelKey(set->model, set->order, distance, number);
	switch (set->order)
	{
		case ROLE_SIMILARITY:
		case ROLE_DISSIMILARITY:
			return TreeDissimilarity(distance, Max(set->size, size));
		case ROLE_NORMALIZED_DISTANCE:
			return TreeNormalizedDistance(distance, (int64) set->size + size);
		default:
			return distance;
	}
}

/* Orders trees by their bounds, the least first. */
static int
CompareBounds(Datum a, Datum b, void *set)
{
	const float8 *bound = ((const Neighbours *) set)->bound;
	float8 bound_a = bound[DatumGetInt32(a)];
	float8 bound_b = bound[DatumGetInt32(b)];

	return (bound_a < bound_b) - (bound_a > bound_b);
}

/* Makes the label lists of the trees. */
static void
MakeLists(Neighbours *set)
{
	LabelListsMake(&set->lists);
	for (int32 number = 0; number < set->count; number++)
		EnterDocument(set, number);
}

/* Prepares the set to be searched. */
void
NeighboursIndex(Neighbours *set, Size memory)
{
	MemoryContext caller = MemoryContextSwitchTo(set->context);
	bool lists = NeighboursMemory(set) <= memory;

	if (lists)
		MakeLists(set);
	set->bound = palloc_extended(sizeof(float8) * (Size) set->count, MCXT_ALLOC_HUGE);
	set->shared = palloc_extended(sizeof(int32) * (Size) set->count, MCXT_ALLOC_HUGE);
	set->stage = palloc_extended(sizeof(Stage) * (Size) set->count, MCXT_ALLOC_HUGE);
	if (lists && set->model != NULL)
		NeighbourModelIndex(set->model, set->count);
	set->open = binaryheap_allocate(set->count, CompareBounds, set);
	MemoryContextSwitchTo(caller);
}

/* Bounds, for each tree of the set, the nodes that share a label with the tree searched for. */
static void
CountSharedNodes(Neighbours *set)
{
	const LabelLists *lists = &set->lists;
	int32 labels;
	LabelCount *counts = TreeLabelCounts(set->value, &labels);

	for (int32 i = 0; i < labels; i++)
	{
		uint32 list = counts[i].hash % LABEL_LISTS;

		CheckInterrupts();
		for (int64 place = lists->begin[list]; place < lists->begin[list + 1]; place++)
			set->shared[lists->tree[place]] += SharedNodes(lists, place, counts[i].count);
	}
	pfree(counts);
}

/* Gives every tree of the set a lower bound by size and, where there are lists of them, labels. */
static void
BoundByUnits(Neighbours *set)
{
	bool lists = set->lists.tree != NULL;

	if (lists)
		CountSharedNodes(set);
	for (int32 number = 0; number < set->count; number++)
	{
		int32 other = set->documents[number].size;
		int32 unshared = lists ? Max(set->size, other) - set->shared[number] : 0;
		int32 bound = Max(Max(abs(set->size - other), unshared), 1);

		set->bound[number] = NeighbourKey(set, bound, number);
	}
}

/* The same by a model. */
static void
BoundByModel(Neighbours *set)
{
	NeighbourModel *model = set->model;

	NeighbourModelSearch(model, set->value, &set->lists, set->count, set->shared);
	for (int32 number = 0; number < set->count; number++)
	{
		int32 bound = NeighbourModelBound(model, &set->lists, number, set->shared[number]);

		set->bound[number] = NeighbourKey(set, bound, number);
	}
}

/* Bounds all trees, but for the one that is equal to that searched for: no other is. */
static void
BoundByLabels(Neighbours *set)
{
	memset(set->shared, 0, sizeof(int32) * (Size) set->count);
	memset(set->stage, 0, sizeof(Stage) * (Size) set->count);
	if (set->model == NULL)
		BoundByUnits(set);
	else
		BoundByModel(set);
	binaryheap_reset(set->open);
	for (int32 number = 0; number < set->count; number++)
		if (number != set->equal)
			binaryheap_add_unordered(set->open, Int32GetDatum(number));
	binaryheap_build(set->open);
}

/* Describes a tree of the session: the one that is searched for, or one of a batch. */
static void
DescribeNeighbour(void *arg, int32 number, StringInfo text)
{
	const Neighbours *set = arg;
	const Tree *tree = number == 0 ? set->value : ReadNeighbour(set, set->in_batch[number - 1]);

	AppendTreeStart(text, PointerGetDatum(tree));
}

/* Prepares the tree that is searched for to be compared. */
static void
IndexSearched(Neighbours *set)
{
	int32 labels = LabelTableCount(SessionLabels(set->session)) + (set->model != NULL);
	Size bytes = ted_euler_memory(set->filtered->size, labels);
	TedArena arena;

	ArenaInit(&arena, ted_bounds_index_memory(set->tree->size));
	CheckStatus(ted_bounds_index(set->tree, &arena, &PgInterrupt, &set->bounds));
	set->euler = NULL;
	if (bytes > EULER_MEMORY || (set->model != NULL && set->model->labels.nodes == 0))
		return;
	ArenaInit(&arena, bytes);
	CheckStatus(ted_euler(set->filtered, labels, &arena, &PgInterrupt, &set->euler));
}

/* Makes of a decoded tree one to be compared by the model and one to be filtered. */
static ModelTree *
MakeByModel(Neighbours *set, const TedTree *decoded)
{
	SessionCheckTree(set->session, ModelTreeBytes(decoded->size) +
									   RelabelBytes(set->model->costs, decoded->size));
	return ModelTreesAdd(set->model_trees, decoded);
}

/* Adds the tree that is searched for to a session by the model. */
static void
AddSearchedByModel(Neighbours *set)
{
	ModelTrees *trees = ModelTreesCreate(set->model->costs, SessionLabels(set->session));
	ModelTree *made;

	set->model_trees = trees;
	SessionSetCosts(set->session, ModelTreesCosts(trees));
	made = MakeByModel(set, SessionDecodeTree(set->session, PointerGetDatum(set->value)));
	ModelTreesKeep(trees);
	ModelTreesFinish(trees, made);
	SessionUploadTree(set->session, &made->compared);
	set->tree = &made->compared;
	set->filtered = &made->filtered;
}

/* Begins to compare trees. */
static void
BeginComparing(Neighbours *set)
{
	MemoryContext caller = MemoryContextSwitchTo(set->search);

	set->batch = AllocSetContextCreate(set->search, "ted batch", ALLOCSET_DEFAULT_SIZES);
	set->step = AllocSetContextCreate(set->search, "ted step", ALLOCSET_DEFAULT_SIZES);
	set->session = SessionOpen(&TED_UNIT_COSTS);
	SessionCount(set->session, &set->counts->engine);
	if (set->model != NULL)
		AddSearchedByModel(set);
	else
		set->tree = set->filtered = SessionAddTree(set->session, PointerGetDatum(set->value));
	SessionKeepTrees(set->session);
	BoundByLabels(set);
	SessionDescribeTrees(set->session, DescribeNeighbour, set);
	IndexSearched(set);
	set->scratch = (TedArena){0};
	set->batch_size = FIRST_BATCH;
	set->counts->pairs += set->count;
	MemoryContextSwitchTo(caller);
}

/* Notes the distance of a tree. */
static void
AddKnown(Neighbours *set, int32 number, int32 distance)
{
	int32 place = set->known_count;
	int32 size = set->documents[number].size;
	float8 key = NeighbourKey(set, distance, number);

	if (set->known_count >= LARGEST_BATCH && (set->known_count & (set->known_count - 1)) == 0)
		set->known = repalloc_huge(set->known, 2 * sizeof(Neighbour) * (Size) set->known_count);
	for (; place > set->next_known && set->known[place - 1].key > key; place--)
		set->known[place] = set->known[place - 1];
	set->known[place] =
		(Neighbour){.number = number, .distance = distance, .size = size, .key = key};
	set->known_count++;
}

/* Begins a search: a tree that is equal is found at once. */
void
NeighboursSearch(Neighbours *set, Datum tree, FunctionRole order, int32 wanted)
{
	MemoryContext caller = MemoryContextSwitchTo(set->search);
	const DocumentEntry *equal;

	set->value = (Tree *) PG_DETOAST_DATUM_COPY(tree);
	set->sought = set->value;
	set->size = TreeSize(PointerGetDatum(set->value));
	set->order = order;
	set->wanted = wanted;
	set->delivered = 0;
	set->known = palloc_array(Neighbour, LARGEST_BATCH);
	set->next_known = set->known_count = 0;
	set->session = NULL;
	equal = documenttable_lookup(set->table, SOUGHT);
	set->equal = equal == NULL ? NONE : equal->number;
	if (equal != NULL)
		AddKnown(set, set->equal, 0);
	set->counts->searches++;
	MemoryContextSwitchTo(caller);
}

/* Nodes of the tree that is searched for. */
int32
NeighboursSearchedSize(const Neighbours *set)
{
	return set->size;
}

/* Lower bound of the measures of all trees whose distance is not known. */
static float8
LeastBound(const Neighbours *set)
{
	if (set->session == NULL)
		return 0;
	return binaryheap_empty(set->open) ? INFINITY
									   : set->bound[DatumGetInt32(binaryheap_first(set->open))];
}

/*
 * How many results are still wanted.  What is wanted beyond the number announced is a
 * part of what has been delivered, so that trees are not examined again for each result.
 */
static int32
StillWanted(const Neighbours *set)
{
	return Max(set->wanted - set->delivered, 1 + set->delivered / 2);
}

/*
 * The measure below which trees are worth finding: that of the farthest result
 * that is still wanted, as far as is known.
 */
static float8
Horizon(const Neighbours *set)
{
	int32 more = StillWanted(set);

	return more <= set->known_count - set->next_known ? set->known[set->next_known + more - 1].key
													  : INFINITY;
}

/* Moves a tree to a stage, and counts it where it had not come so far before. */
static void
EnterStage(Neighbours *set, int32 number, Stage stage)
{
	set->counts->labels += set->stage[number] == STAGE_LABELS;
	set->counts->computed += stage == STAGE_DISTANCE && set->stage[number] != STAGE_DISTANCE;
	set->stage[number] = stage;
}

/*
 * The same where upper bounds of some measures are known besides, of which one more is
 * put among the others, in order.
 */
static float8
HorizonByBounds(const Neighbours *set, float8 *bounds, int32 count, float8 bound)
{
	int32 known = set->known_count - set->next_known;
	int32 missing = Max(1, StillWanted(set) - known);
	int32 place = count;

	for (; place > 0 && bounds[place - 1] > bound; place--)
		bounds[place] = bounds[place - 1];
	bounds[place] = bound;
	if (missing > count + 1)
		return INFINITY;
	return known > 0 ? Max(bounds[missing - 1], set->known[set->known_count - 1].key)
					 : bounds[missing - 1];
}

/* Raises the bound of a tree, whose distance is at least this. */
static void
RaiseBound(Neighbours *set, int32 number, int32 distance)
{
	float8 bound = NeighbourKey(set, distance, number);

	set->bound[number] = Max(bound, set->bound[number]);
	binaryheap_add(set->open, Int32GetDatum(number));
}

/* Decodes a tree of the set for a batch. */
static TedTree *
DecodeDocument(Neighbours *set, int32 number)
{
	Tree *tree = ReadNeighbour(set, number);
	TedTree *decoded = palloc_object(TedTree);

	CheckInterrupts();
	SessionCheckTree(set->session, TreeDecodedBytes(PointerGetDatum(tree)));
	TreeDecodeAgainst(tree, SessionLabels(set->session), decoded);
	pfree(tree);
	return decoded;
}

/* The same by a model, as a tree to be compared and one to be filtered. */
static ModelTree *
DecodeByModel(Neighbours *set, int32 number)
{
	Tree *tree = ReadNeighbour(set, number);
	TedTree *decoded = SessionDecodeTree(set->session, PointerGetDatum(tree));

	pfree(tree);
	return MakeByModel(set, decoded);
}

/* The tree to be compared. */
static TedTree *
ComparedDocument(Neighbours *set, int32 number)
{
	return set->model == NULL ? DecodeDocument(set, number) : &DecodeByModel(set, number)->compared;
}

/* The Euler string of a tree. */
static const int32 *
EulerString(Neighbours *set, int32 number, int32 *size)
{
	const Tree *tree = ReadNeighbour(set, number);

	*size = set->documents[number].size;
	SessionCheckTree(set->session, TreeDecodedBytes(PointerGetDatum(tree)));
	return TreeEulerString(tree, SessionLabels(set->session));
}

/* The same of a tree by a model; NULL where it bounds nothing. */
static const int32 *
EulerStringByModel(Neighbours *set, int32 number, const ModelTree *made)
{
	int32 *string;

	if (set->euler == NULL || set->model->documents[number].counted == 0 || made->unfiltered)
		return NULL;
	string = palloc_extended(2 * sizeof(int32) * (Size) made->filtered.size, MCXT_ALLOC_HUGE);
	CheckStatus(ted_euler_string(&made->filtered, &PgInterrupt, string));
	return string;
}

/* The costs that trees are compared with. */
static const TedCosts *
Costs(const Neighbours *set)
{
	static const TedCosts unit = {1, 1, 1, NULL};

	return set->model == NULL ? &unit : ModelTreesCosts(set->model_trees);
}

/* An upper bound on the distance of a tree. */
static int32
NeighbourUpperBound(Neighbours *set, const TedTree *decoded)
{
	int32 larger = Max(set->tree->size, decoded->size);
	int32 *map_a = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
	int32 *map_b = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
	TedBoundsIndex index;
	TedArena arena;
	int32 bound;

	CheckCostsFit(Costs(set), set->tree, decoded);
	ArenaInit(&arena, ted_bounds_index_memory(decoded->size));
	CheckStatus(ted_bounds_index(decoded, &arena, &PgInterrupt, &index));
	ArenaReserve(&set->scratch, set->search,
				 ted_greedy_mapping_memory(set->tree->size, decoded->size));
	CheckStatus(ted_upper_bound(&set->bounds, &index, Costs(set), larger, &set->scratch,
								&PgInterrupt, map_a, map_b, &bound));
	return bound;
}

/* The greatest distance that a tree can have from the one that is searched for. */
static int32
GreatestDistance(const Neighbours *set, int32 number)
{
	return set->model == NULL ? set->size + set->documents[number].size
							  : NeighbourModelGreatest(set->model, number);
}

/* The greatest distance at which a tree is nearer than the horizon, which is not the nearest. */
static int32
DistanceBelow(const Neighbours *set, float8 horizon, int32 number)
{
	int32 low = 0;
	int32 high = GreatestDistance(set, number);

	while (low < high)
	{
		int32 middle = low + (high - low + 1) / 2;

		if (NeighbourKey(set, middle, number) < horizon)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Lower bound of the operations between trees by their Euler strings. */
static int32
CountEulerOperations(Neighbours *set, const int32 *string, int32 size)
{
	int32 operations = 0;

	if (string == NULL)
		return 0;
	ArenaReserve(&set->scratch, set->search, ted_euler_bound_memory(set->filtered->size));
	CheckStatus(
		ted_euler_bound(set->euler, string, size, &set->scratch, &PgInterrupt, &operations));
	return operations;
}

/* Raises the bound of a tree by its Euler string. */
static void
BoundByEulerString(Neighbours *set, int32 number)
{
	int32 size;
	const int32 *string = EulerString(set, number, &size);

	EnterStage(set, number, STAGE_EULER_STRING);
	RaiseBound(set, number, CountEulerOperations(set, string, size));
}

/* The same by a model, or by the graded labels of the tree once there is a horizon. */
static void
BoundByModelStrings(Neighbours *set, int32 number, float8 horizon)
{
	const ModelTree *made = DecodeByModel(set, number);
	Stage stage = set->stage[number];
	int32 limit = DistanceBelow(set, horizon, number);
	int32 bound = 0;

	if (stage == STAGE_LABELS)
	{
		const int32 *string = EulerStringByModel(set, number, made);
		int32 operations = CountEulerOperations(set, string, made->filtered.size);

		bound = NeighbourModelOperations(set->model, number, operations);
		stage = STAGE_EULER_STRING;
	}
	if (set->model->is_graded && !isinf(horizon) && bound <= limit)
	{
		bool by_costs = stage == STAGE_CHARACTERS;
		int32 by_labels =
			ModelTreesBound(set->model_trees, by_costs ? ted_rename_bound : ted_character_bound,
							set->tree, &made->compared, limit);

		bound = Max(bound, by_labels);
		stage = by_costs ? STAGE_RENAMES : STAGE_CHARACTERS;
	}
	EnterStage(set, number, stage);
	RaiseBound(set, number, bound);
}

/* Whether there is more to be known of a tree before its distance is computed. */
static bool
HasBound(const Neighbours *set, int32 number, float8 horizon)
{
	if (set->euler != NULL && set->stage[number] == STAGE_LABELS)
		return true;
	return set->model != NULL && set->model->is_graded && !isinf(horizon) &&
		   set->stage[number] < STAGE_RENAMES;
}

/* Raises the bound of a tree by what is cheaper than its distance. */
static void
BoundByStrings(Neighbours *set, int32 number, float8 horizon)
{
	MemoryContext caller = MemoryContextSwitchTo(set->step);

	if (set->model == NULL)
		BoundByEulerString(set, number);
	else
		BoundByModelStrings(set, number, horizon);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(set->step);
}

/* Computes the distances of some trees, which may turn out to be beyond their limits. */
static void
Compute(Neighbours *set, const int32 *numbers, const TedPair *pairs, int32 count)
{
	int32 distances[LARGEST_BATCH];

	set->in_batch = numbers;
	SessionCompute(set->session, pairs, count, distances);
	for (int32 i = 0; i < count; i++)
	{
		EnterStage(set, numbers[i], STAGE_DISTANCE);
		if (distances[i] == TED_BEYOND)
			RaiseBound(set, numbers[i], pairs[i].limit + 1);
		else
			AddKnown(set, numbers[i], distances[i]);
	}
	set->counts->batches++;
}

/* Takes up the distance of a tree, unless it is not below the horizon; the size of the tree. */
static int32
AddBoundedPair(Neighbours *set, int32 number, float8 horizon, TedPair *pairs, int32 *count)
{
	TedTree *decoded = ComparedDocument(set, number);
	int32 limit = DistanceBelow(set, horizon, number);

	pairs[(*count)++] =
		(TedPair){.a = 0, .b = SessionUploadTree(set->session, decoded), .limit = limit};
	return decoded->size;
}

/* The same where there is no horizon yet: the upper bounds of the batch set one. */
static int32
AddUnboundedPair(Neighbours *set, int32 number, float8 *horizon, float8 *bounds, TedPair *pairs,
				 int32 *count)
{
	TedTree *decoded = ComparedDocument(set, number);
	int32 limit = NeighbourUpperBound(set, decoded);

	*horizon = HorizonByBounds(set, bounds, *count, NeighbourKey(set, limit, number));
	pairs[(*count)++] =
		(TedPair){.a = 0, .b = SessionUploadTree(set->session, decoded), .limit = limit};
	return decoded->size;
}

/*
 * Computes the distances of the trees with the least bounds: as many as the
 * engine computes together, and a few at first, to know how far to go.
 */
static void
ComputeBatch(Neighbours *set)
{
	MemoryContext caller = MemoryContextSwitchTo(set->batch);
	float8 horizon = Horizon(set);
	bool bounded = !isinf(horizon);
	float8 bounds[LARGEST_BATCH];
	int32 numbers[LARGEST_BATCH];
	TedPair pairs[LARGEST_BATCH];
	int64 most = Min(NODES_PER_BATCH, (int64) ted_max_memory * 1024 / BATCH_SHARE);
	int64 nodes = 0;
	int32 strings = 0;
	int32 count = 0;

	while (count < set->batch_size && nodes < most && LeastBound(set) < horizon &&
		   (set->model == NULL || strings < EULER_STRINGS_PER_BATCH))
	{
		int32 number = DatumGetInt32(binaryheap_remove_first(set->open));

		if (HasBound(set, number, horizon))
		{
			BoundByStrings(set, number, horizon);
			strings++;
		}
		else
		{
			numbers[count] = number;
			nodes += bounded ? AddBoundedPair(set, number, horizon, pairs, &count)
							 : AddUnboundedPair(set, number, &horizon, bounds, pairs, &count);
		}
	}
	if (count > 0)
		Compute(set, numbers, pairs, count);
	SessionForgetTrees(set->session);
	if (set->model != NULL)
		ModelTreesForget(set->model_trees);
	set->batch_size = Min(2 * set->batch_size, LARGEST_BATCH);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(set->batch);
}

/* Finds one of the trees that are left with the least measure. */
bool
NeighboursNext(Neighbours *set, Neighbour *neighbour)
{
	while (set->next_known == set->known_count || set->known[set->next_known].key > LeastBound(set))
	{
		CheckInterrupts();
		if (set->session == NULL)
			BeginComparing(set);
		else if (binaryheap_empty(set->open))
			return false;
		else
			ComputeBatch(set);
	}
	*neighbour = set->known[set->next_known++];
	set->delivered++;
	set->counts->found++;
	return true;
}

/* Ends a search, if one is under way. */
void
NeighboursEndSearch(Neighbours *set)
{
	if (set->session != NULL)
		SessionClose(set->session);
	set->session = NULL;
	MemoryContextReset(set->search);
}

/* Frees everything. */
void
NeighboursFree(Neighbours *set)
{
	NeighboursEndSearch(set);
	MemoryContextDelete(set->context);
}
