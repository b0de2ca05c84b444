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
 */
#include "postgres.h"

#include <math.h>

#include "common/hashfn.h"
#include "lib/binaryheap.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "../common/host.h"
#include "../common/progress.h"
#include "../core/tree/bounds.h"
#include "../core/tree/euler.h"
#include "../index/keys.h"
#include "../tree/session_trees.h"
#include "../tree/threshold.h"
#include "../tree/tree.h"
#include "neighbours.h"

/* Lists of trees by their labels, which are hashed to them. */
#define LABEL_LISTS 8192

/* Trees whose distances are computed together, at first and at most. */
#define FIRST_BATCH 4
#define LARGEST_BATCH 64

/* Nodes of these trees at most, give or take a tree: what one pass of the core takes. */
#define NODES_PER_BATCH 2048

/* A batch has no more nodes than this part of ted.max_memory, in bytes, so that any pair fits. */
#define BATCH_SHARE 128

/* Euler strings are compared where their bits take no more memory than this, in bytes. */
#define EULER_MEMORY ((Size) 4 << 20)

/* No tree of the set. */
#define NONE (-1)

/* Nodes with a label that are counted at most; these may be more. */
#define MANY_NODES PG_UINT8_MAX

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
	Document *documents;
	int32 count;
	int32 capacity;
	struct documenttable_hash *table;
	const Tree *sought; /* the tree that is looked up in the table */
	int64 postings;
	int64 *list;         /* where the trees of a label list begin; one more entry at the end */
	int32 *posting_tree; /* NULL where there is no memory for lists */
	uint8 *posting_nodes;

	/* the search under way */
	MemoryContext search;
	MemoryContext batch;    /* of the trees whose distances are computed */
	MemoryContext step;     /* of one tree whose Euler string is compared */
	EngineSession *session; /* NULL until a tree is compared */
	Tree *value;            /* the tree that is searched for */
	const TedTree *tree;    /* the same, decoded to be compared */
	int32 size;             /* its nodes */
	PlannedFunction order;  /* the measure that trees are wanted in the order of */
	int32 equal;            /* number of an equal tree, or NONE */
	TedBoundsIndex bounds;
	TedEuler *euler;  /* or NULL where they take too much memory */
	TedArena scratch; /* for bounds */
	float8 *bound;    /* by number: lower bound of the measure */
	int32 *shared;    /* by number: nodes that share labels, to begin with */
	bool *compared;   /* by number: does it take Euler strings into account? */
	binaryheap *open; /* trees whose distance is not known, by bound */
	Neighbour *known; /* trees whose distance is known, in the order wanted */
	int32 next_known;
	int32 known_count;
	int32 wanted;
	int32 delivered;
	int32 batch_size;
};

/* Reads a tree from the store. */
static Tree *
ReadDocument(const Neighbours *set, int32 number)
{
	const Document *document = &set->documents[number];
	Tree *tree = palloc_extended(VARHDRSZ + (Size) document->length, MCXT_ALLOC_HUGE);

	SET_VARSIZE(tree, VARHDRSZ + document->length);
	RecordsRead(set->records, document->position, VARDATA(tree), (Size) document->length);
	return tree;
}

/* The number that the tree looked up has meanwhile. */
#define SOUGHT (-1)

/* Whether the tree looked up is one of the set. */
static bool
IsSought(const Neighbours *set, int32 number)
{
	Tree *tree;
	bool same;

	if (set->documents[number].length != (int32) VARSIZE_ANY_EXHDR(set->sought))
		return false;
	tree = ReadDocument(set, number);
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
NeighboursCreate(RecordStore *records, NeighbourCounts *counts)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted neighbours", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	Neighbours *set = palloc0_object(Neighbours);

	set->context = context;
	set->records = records;
	set->counts = counts;
	set->capacity = 64;
	set->documents = palloc_array(Document, set->capacity);
	set->table = documenttable_create(context, 64, set);
	set->list = palloc0_array(int64, LABEL_LISTS + 2);
	set->search = AllocSetContextCreate(context, "ted search", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(caller);
	return set;
}

/* Counts the labels of a tree to be indexed: list[l + 2] becomes the length of list l. */
static void
CountLabels(Neighbours *set, const Tree *tree)
{
	int32 labels;
	LabelCount *counts = TreeLabelCounts(tree, &labels);

	for (int32 i = 0; i < labels; i++)
		set->list[counts[i].hash % LABEL_LISTS + 2]++;
	set->postings += labels;
	pfree(counts);
}

/* Notes a tree that is new to the set. */
static void
AddDocument(Neighbours *set, const Tree *tree, uint32 hash)
{
	Document *document;

	if (set->count == set->capacity)
	{
		set->capacity *= 2;
		set->documents = repalloc_huge(set->documents, sizeof(Document) * (Size) set->capacity);
	}
	document = &set->documents[set->count++];
	*document = (Document){.length = (int32) VARSIZE_ANY_EXHDR(tree),
						   .size = TreeSize(PointerGetDatum(tree)),
						   .hash = hash};
	document->position = RecordsAdd(set->records, VARDATA_ANY(tree), (Size) document->length);
	CountLabels(set, tree);
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
		AddDocument(set, value, hash);
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
			(sizeof(float8) + sizeof(int32) + sizeof(bool) + sizeof(Datum)) * (Size) set->count +
			(sizeof(int32) + sizeof(uint8)) * (Size) set->postings;
	return bytes;
}

/* Enters a tree in the lists of its labels; list[l + 1] is where the next one goes in list l. */
static void
ListLabels(Neighbours *set, int32 number)
{
	Tree *tree = ReadDocument(set, number);
	int32 labels;
	LabelCount *counts = TreeLabelCounts(tree, &labels);

	for (int32 i = 0; i < labels; i++)
	{
		int64 place = set->list[counts[i].hash % LABEL_LISTS + 1]++;

		set->posting_tree[place] = number;
		set->posting_nodes[place] = (uint8) Min(counts[i].count, MANY_NODES);
	}
	pfree(counts);
	pfree(tree);
}

/* The measure that trees are ordered by, as a number that grows with the distance. */
static inline float8
KeyOf(const Neighbours *set, int32 distance, int32 size)
{
	switch (set->order)
	{
		case TREE_SIMILARITY:
		case TREE_DISSIMILARITY:
			return TreeDissimilarity(distance, Max(set->size, size));
		case TREE_NORMALIZED_DISTANCE:
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
	for (int list = 0; list < LABEL_LISTS; list++)
		set->list[list + 2] += set->list[list + 1];
	set->posting_tree = palloc_extended(sizeof(int32) * (Size) set->postings, MCXT_ALLOC_HUGE);
	set->posting_nodes = palloc_extended((Size) set->postings, MCXT_ALLOC_HUGE);
	for (int32 number = 0; number < set->count; number++)
		ListLabels(set, number);
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
	set->compared = palloc_extended(sizeof(bool) * (Size) set->count, MCXT_ALLOC_HUGE);
	set->open = binaryheap_allocate(set->count, CompareBounds, set);
	MemoryContextSwitchTo(caller);
}

/* Counts, by tree of the set, nodes that share a label with the tree searched for, at most. */
static void
CountShared(Neighbours *set)
{
	int32 labels;
	LabelCount *counts = TreeLabelCounts(set->value, &labels);
	int32 *shared = set->shared;

	for (int32 i = 0; i < labels; i++)
	{
		uint32 list = counts[i].hash % LABEL_LISTS;

		CheckInterrupts();
		for (int64 place = set->list[list]; place < set->list[list + 1]; place++)
		{
			int32 nodes = set->posting_nodes[place];

			shared[set->posting_tree[place]] +=
				nodes == MANY_NODES ? counts[i].count : Min(nodes, counts[i].count);
		}
	}
	pfree(counts);
}

/*
 * Gives every tree of the set a lower bound by size and, where there are lists of
 * them, labels, but for the one that is equal to that searched for: no other is.
 */
static void
BoundByLabels(Neighbours *set)
{
	bool lists = set->posting_tree != NULL;

	memset(set->shared, 0, sizeof(int32) * (Size) set->count);
	if (lists)
		CountShared(set);
	binaryheap_reset(set->open);
	for (int32 number = 0; number < set->count; number++)
	{
		int32 other = set->documents[number].size;
		int32 unshared = lists ? Max(set->size, other) - set->shared[number] : 0;
		int32 bound = Max(Max(abs(set->size - other), unshared), 1);

		set->bound[number] = KeyOf(set, bound, other);
		if (number != set->equal)
			binaryheap_add_unordered(set->open, Int32GetDatum(number));
	}
	binaryheap_build(set->open);
}

/* Prepares the tree that is searched for to be compared. */
static void
IndexSearched(Neighbours *set)
{
	int32 labels = LabelTableCount(SessionLabels(set->session));
	Size bytes = ted_euler_memory(set->size, labels);
	TedArena arena;

	ArenaInit(&arena, ted_bounds_index_memory(set->size));
	CheckStatus(ted_bounds_index(set->tree, &arena, &PgInterrupt, &set->bounds));
	set->euler = NULL;
	if (bytes > EULER_MEMORY)
		return;
	ArenaInit(&arena, bytes);
	CheckStatus(ted_euler(set->tree, labels, &arena, &PgInterrupt, &set->euler));
	memset(set->compared, 0, sizeof(bool) * (Size) set->count);
}

/* Begins to compare trees. */
static void
OpenSearch(Neighbours *set)
{
	MemoryContext caller = MemoryContextSwitchTo(set->search);

	set->batch = AllocSetContextCreate(set->search, "ted batch", ALLOCSET_DEFAULT_SIZES);
	set->step = AllocSetContextCreate(set->search, "ted step", ALLOCSET_DEFAULT_SIZES);
	set->session = SessionOpen(&TED_UNIT_COSTS);
	SessionCount(set->session, &set->counts->engine);
	set->tree = SessionAddTree(set->session, PointerGetDatum(set->value));
	SessionKeepTrees(set->session);
	IndexSearched(set);
	set->scratch = (TedArena){0};
	set->batch_size = FIRST_BATCH;
	BoundByLabels(set);
	set->counts->pairs += set->count;
	MemoryContextSwitchTo(caller);
}

/* Notes the distance of a tree. */
static void
AddKnown(Neighbours *set, int32 number, int32 distance)
{
	int32 place = set->known_count;
	int32 size = set->documents[number].size;
	float8 key = KeyOf(set, distance, size);

	if (set->known_count >= LARGEST_BATCH && (set->known_count & (set->known_count - 1)) == 0)
		set->known = repalloc_huge(set->known, 2 * sizeof(Neighbour) * (Size) set->known_count);
	for (; place > set->next_known && set->known[place - 1].key > key; place--)
		set->known[place] = set->known[place - 1];
	set->known[place] =
		(Neighbour){.number = number, .distance = distance, .size = size, .key = key};
	set->known_count++;
}

/* Begins with a search: a tree that is equal is found at once. */
void
NeighboursSearch(Neighbours *set, Datum tree, PlannedFunction order, int32 wanted)
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
 * The measure below which trees are worth finding: that of the farthest result
 * that is still wanted, as far as is known.  What is wanted beyond the number
 * announced is a part of what has been delivered, so that trees are not examined
 * again for each result.
 */
static float8
Horizon(const Neighbours *set)
{
	int32 more = Max(set->wanted - set->delivered, 1 + set->delivered / 2);

	return more <= set->known_count - set->next_known ? set->known[set->next_known + more - 1].key
													  : INFINITY;
}

/* Notes that the distance of a tree is at least this. */
static void
RaiseBound(Neighbours *set, int32 number, int32 distance)
{
	float8 bound = KeyOf(set, distance, set->documents[number].size);

	set->bound[number] = Max(bound, set->bound[number]);
	binaryheap_add(set->open, Int32GetDatum(number));
}

/* Decodes a tree of the set for a batch. */
static TedTree *
DecodeDocument(Neighbours *set, int32 number)
{
	Tree *tree = ReadDocument(set, number);
	TedTree *decoded = palloc_object(TedTree);

	CheckInterrupts();
	SessionCheckTree(set->session, TreeDecodedBytes(PointerGetDatum(tree)));
	TreeDecodeAgainst(tree, SessionLabels(set->session), decoded);
	pfree(tree);
	return decoded;
}

/* Makes room for the bounds of a pair. */
static void
ReserveScratch(Neighbours *set, Size bytes)
{
	MemoryContext caller = MemoryContextSwitchTo(set->search);

	if (bytes > set->scratch.size)
	{
		if (set->scratch.base != NULL)
			pfree(set->scratch.base);
		ArenaInit(&set->scratch, bytes);
	}
	set->scratch.used = 0;
	MemoryContextSwitchTo(caller);
}

/* Takes the Euler string of a tree into account in its bound. */
static void
BoundByEulerString(Neighbours *set, int32 number)
{
	MemoryContext caller = MemoryContextSwitchTo(set->step);
	const Tree *tree = ReadDocument(set, number);
	const int32 *string;
	int32 bound;

	SessionCheckTree(set->session, TreeDecodedBytes(PointerGetDatum(tree)));
	string = TreeEulerString(tree, SessionLabels(set->session));
	ReserveScratch(set, ted_euler_bound_memory(set->size));
	CheckStatus(ted_euler_bound(set->euler, string, set->documents[number].size, &set->scratch,
								&PgInterrupt, &bound));
	set->compared[number] = true;
	set->counts->labels++;
	RaiseBound(set, number, bound);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(set->step);
}

/* A distance that a tree is within, for sure. */
static int32
UpperBound(Neighbours *set, const TedTree *decoded)
{
	int32 larger = Max(set->size, decoded->size);
	int32 *map_a = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
	int32 *map_b = palloc_extended(sizeof(int32) * (Size) larger, MCXT_ALLOC_HUGE);
	TedBoundsIndex index;
	TedArena arena;
	int32 bound;

	ArenaInit(&arena, ted_bounds_index_memory(decoded->size));
	CheckStatus(ted_bounds_index(decoded, &arena, &PgInterrupt, &index));
	ReserveScratch(set, ted_greedy_mapping_memory(set->size, decoded->size));
	CheckStatus(ted_upper_bound(&set->bounds, &index, &TED_UNIT_COSTS, larger, &set->scratch,
								&PgInterrupt, map_a, map_b, &bound));
	return bound;
}

/* The greatest distance at which a tree is nearer than the horizon, which is not the nearest. */
static int32
DistanceBelow(const Neighbours *set, float8 horizon, int32 number)
{
	int32 size = set->documents[number].size;
	int32 low = 0;
	int32 high = set->size + size;

	while (low < high)
	{
		int32 middle = low + (high - low + 1) / 2;

		if (KeyOf(set, middle, size) < horizon)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Computes the distances of some trees, which may turn out to be beyond their limits. */
static void
Compute(Neighbours *set, const int32 *numbers, const TedPair *pairs, int32 count)
{
	int32 distances[LARGEST_BATCH];

	SessionCompute(set->session, pairs, count, distances);
	for (int32 i = 0; i < count; i++)
		if (distances[i] == TED_BEYOND)
			RaiseBound(set, numbers[i], pairs[i].limit + 1);
		else
			AddKnown(set, numbers[i], distances[i]);
	set->counts->computed += count;
	set->counts->batches++;
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
	int32 numbers[LARGEST_BATCH];
	TedPair pairs[LARGEST_BATCH];
	int64 most = Min(NODES_PER_BATCH, (int64) ted_max_memory * 1024 / BATCH_SHARE);
	int64 nodes = 0;
	int32 count = 0;

	while (count < set->batch_size && nodes < most && LeastBound(set) < horizon)
	{
		int32 number = DatumGetInt32(binaryheap_remove_first(set->open));

		if (set->euler != NULL && !set->compared[number])
			BoundByEulerString(set, number);
		else
		{
			TedTree *decoded = DecodeDocument(set, number);

			numbers[count] = number;
			pairs[count].a = 0;
			pairs[count].b = SessionUploadTree(set->session, decoded);
			pairs[count++].limit =
				isinf(horizon) ? UpperBound(set, decoded) : DistanceBelow(set, horizon, number);
			nodes += decoded->size;
		}
	}
	if (count > 0)
		Compute(set, numbers, pairs, count);
	SessionForgetTrees(set->session);
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
			OpenSearch(set);
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
