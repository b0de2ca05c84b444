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
 * operations that cost something in any case, see model_keys.h and model_trees.h.
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
#include "../core/tree/rename_bound.h"
#include "../index/keys.h"
#include "../index/model_keys.h"
#include "../tree/compared_trees.h"
#include "../tree/session_trees.h"
#include "../tree/threshold.h"
#include "../tree/tree.h"
#include "model_trees.h"
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

/* Euler strings by a model, whose labels are kept until then, are compared before a batch ends. */
#define EULER_STRINGS_PER_BATCH 256

/* Euler strings are compared where their bits take no more memory than this, in bytes. */
#define EULER_MEMORY ((Size) 4 << 20)

/* Labels are compared where this takes no more memory than this part of ted.max_memory. */
#define BOUND_SHARE 8

/* Trees that there is room for at first. */
#define FIRST_CAPACITY 64

/* No tree of the set. */
#define NONE (-1)

/* Nodes with a label that are counted at most; these may be more. */
#define MANY_NODES PG_UINT8_MAX

/* A set of spellings by their hashes, which may seem to have more. */
#define SPELLING_BITS (1 << 20)

typedef uint8 *SpellingSet;

/* What the bound of a tree takes into account besides labels. */
typedef enum Stage
{
	STAGE_LABELS,
	STAGE_EULER_STRING,
	STAGE_CHARACTERS, /* of graded labels */
	STAGE_RENAMES,    /* of these: what they cost */
	STAGE_DISTANCE /* that was computed up to a limit */
} Stage;

/* One tree of the set. */
typedef struct Document
{
	int64 position; /* in the store, without its header */
	int32 length;
	int32 size; /* nodes */
	uint32 hash;
} Document;

/* What a model says of it. */
typedef struct DocumentCosts
{
	OperationCosts least; /* of its nodes */
	int32 counted;        /* nodes that are not ignored */
	int32 graded;         /* of these */
	int64 plain;          /* what all others cost at least, unless they match */
	int64 insert_all;
} DocumentCosts;

/* A tree by its bytes. */
typedef struct DocumentEntry
{
	int32 number;
	char status;
} DocumentEntry;

/* Costs of nodes that match, in a tree of the set and the one that is searched for. */
typedef struct MatchedCosts
{
	int64 of_set;
	int64 of_searched;
} MatchedCosts;

/* What is known of the costs by a model. */
typedef struct NeighbourModel
{
	const CostModel *costs;
	bool is_graded;
	bool has_rules;
	ModelKeys *keys;
	DocumentCosts *documents; /* by number */
	SpellingSet plain;        /* of nodes of the set that are neither graded nor ignored */
	SpellingSet graded;
	int32
		*greatest_insert;  /* by list: of what one of its nodes costs at least, unless it matches */
	MatchedCosts *matched; /* by number, to begin with; NULL where all nodes cost the same */

	/* the search under way */
	ModelTrees *trees;
	ModelLabels labels; /* of the tree that is searched for; but for their arrays */
} NeighbourModel;

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
	int64 postings;
	int64 *list;         /* where the trees of a label list begin; one more entry at the end */
	int32 *posting_tree; /* NULL where there is no memory for lists */
	uint8 *posting_nodes;

	/* the search under way */
	MemoryContext search;
	MemoryContext batch;     /* of the trees whose distances are computed */
	MemoryContext step;      /* of one tree whose Euler string is compared */
	EngineSession *session;  /* NULL until a tree is compared */
	Tree *value;             /* the tree that is searched for */
	const TedTree *tree;     /* the same, decoded to be compared */
	const TedTree *filtered; /* the same for Euler strings */
	int32 size;              /* its nodes */
	PlannedFunction order;   /* the measure that trees are wanted in the order of */
	int32 equal;             /* number of an equal tree, or NONE */
	TedBoundsIndex bounds;
	TedEuler *euler;  /* or NULL where they take too much memory */
	TedArena scratch; /* for bounds */
	int64 steps;      /* of bounds, since interrupts were checked */
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

/* Starts to bound distances by a model. */
static NeighbourModel *
CreateModel(const CostModel *costs)
{
	NeighbourModel *model = palloc0_object(NeighbourModel);

	model->costs = costs;
	model->is_graded = CostModelIsGraded(costs);
	model->has_rules = costs->begin[PATTERN_KIND] < costs->count;
	model->keys = ModelKeysCreate(costs);
	model->documents = palloc_array(DocumentCosts, FIRST_CAPACITY);
	model->plain = palloc0(SPELLING_BITS / 8);
	model->graded = palloc0(SPELLING_BITS / 8);
	model->greatest_insert = palloc0_array(int32, LABEL_LISTS);
	return model;
}

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
	set->model = model == NULL ? NULL : CreateModel(model);
	set->capacity = FIRST_CAPACITY;
	set->documents = palloc_array(Document, set->capacity);
	set->table = documenttable_create(context, 64, set);
	set->list = palloc0_array(int64, LABEL_LISTS + 2);
	set->search = AllocSetContextCreate(context, "ted search", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(caller);
	return set;
}

/* Adds a spelling to a set of these, and whether it is there. */
static inline void
AddSpelling(SpellingSet set, uint32 hash)
{
	set[hash % SPELLING_BITS / 8] |= (uint8) (1 << hash % 8);
}

static inline bool
HasSpelling(const uint8 *set, uint32 hash)
{
	return set[hash % SPELLING_BITS / 8] & 1 << hash % 8;
}

/* Notes what a model says of the labels of a tree. */
static void
NoteLabels(NeighbourModel *model, const ModelLabels *labels, DocumentCosts *document)
{
	document->counted = labels->nodes;
	document->graded = labels->graded_nodes;
	document->insert_all = labels->insert_all;
	document->least = labels->least;
	document->plain = 0;
	for (int32 i = 0; i < labels->plain_count; i++)
	{
		const ModelLabel *label = &labels->plain[i];
		int32 *greatest = &model->greatest_insert[label->hash % LABEL_LISTS];

		AddSpelling(model->plain, label->hash);
		document->plain += (int64) label->count * label->insert;
		*greatest = Max(*greatest, label->insert);
	}
	for (int32 i = 0; i < labels->graded_count; i++)
		AddSpelling(model->graded, labels->graded[i].hash);
}

/* The labels of a tree by which it is listed. */
static LabelCount *
ListedLabels(Neighbours *set, const Tree *tree, int32 number, int32 *count)
{
	ModelLabels labels;
	LabelCount *counts;

	if (set->model == NULL)
		return TreeLabelCounts(tree, count);
	ReadModelLabels(set->model->keys, tree, &labels);
	NoteLabels(set->model, &labels, &set->model->documents[number]);
	counts = palloc_array(LabelCount, labels.plain_count);
	for (int32 i = 0; i < labels.plain_count; i++)
		counts[i] = (LabelCount){labels.plain[i].hash, labels.plain[i].count};
	*count = labels.plain_count;
	FreeModelLabels(&labels);
	return counts;
}

/* Counts the labels of a tree to be indexed: list[l + 2] becomes the length of list l. */
static void
CountLabels(Neighbours *set, const Tree *tree, int32 number)
{
	int32 labels;
	LabelCount *counts = ListedLabels(set, tree, number, &labels);

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
		if (set->model != NULL)
			set->model->documents =
				repalloc_huge(set->model->documents, sizeof(DocumentCosts) * (Size) set->capacity);
	}
	document = &set->documents[set->count++];
	*document = (Document){.length = (int32) VARSIZE_ANY_EXHDR(tree),
						   .size = TreeSize(PointerGetDatum(tree)),
						   .hash = hash};
	document->position = RecordsAdd(set->records, VARDATA_ANY(tree), (Size) document->length);
	CountLabels(set, tree, set->count - 1);
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
			(sizeof(float8) + sizeof(int32) + sizeof(Stage) + sizeof(Datum)) * (Size) set->count +
			(set->model == NULL ? 0 : sizeof(MatchedCosts)) * (Size) set->count +
			(sizeof(int32) + sizeof(uint8)) * (Size) set->postings;
	return bytes;
}

/* Enters a tree in the lists of its labels; list[l + 1] is where the next one goes in list l. */
static void
ListLabels(Neighbours *set, int32 number)
{
	Tree *tree = ReadDocument(set, number);
	int32 labels;
	LabelCount *counts = ListedLabels(set, tree, number, &labels);

	for (int32 i = 0; i < labels; i++)
	{
		int64 place = set->list[counts[i].hash % LABEL_LISTS + 1]++;

		set->posting_tree[place] = number;
		set->posting_nodes[place] = (uint8) Min(counts[i].count, MANY_NODES);
	}
	pfree(counts);
	pfree(tree);
}

/* The measure that trees are ordered by with a model, as in KeyOf(). */
static inline float8
KeyByModel(const Neighbours *set, int32 distance, int32 number)
{
	int64 delete_all = set->model->labels.delete_all;
	int64 insert_all = set->model->documents[number].insert_all;

	switch (set->order)
	{
		case TREE_SIMILARITY_MODEL:
			return -ModelSimilarity(distance, Max(delete_all, insert_all));
		case TREE_NORMALIZED_DISTANCE_MODEL:
			return ModelNormalizedDistance(distance, delete_all + insert_all);
		default:
			return CostModelNumber(set->model->costs, distance);
	}
}

/* The measure that trees are ordered by, as a number that grows with the distance. */
static inline float8
KeyOf(const Neighbours *set, int32 distance, int32 number)
{
	int32 size = set->documents[number].size;

	if (set->model != NULL)
		return KeyByModel(set, distance, number);
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
	set->stage = palloc_extended(sizeof(Stage) * (Size) set->count, MCXT_ALLOC_HUGE);
	if (lists && set->model != NULL && set->model->has_rules)
		set->model->matched =
			palloc_extended(sizeof(MatchedCosts) * (Size) set->count, MCXT_ALLOC_HUGE);
	set->open = binaryheap_allocate(set->count, CompareBounds, set);
	MemoryContextSwitchTo(caller);
}

/* Nodes of a tree that share a label with this number of nodes, at most. */
static inline int32
SharedNodes(const Neighbours *set, int64 place, int32 count)
{
	int32 nodes = set->posting_nodes[place];

	return nodes == MANY_NODES ? count : Min(nodes, count);
}

/* Counts, by tree of the set, nodes that share a label with the tree searched for, at most. */
static void
CountShared(Neighbours *set)
{
	int32 labels;
	LabelCount *counts = TreeLabelCounts(set->value, &labels);

	for (int32 i = 0; i < labels; i++)
	{
		uint32 list = counts[i].hash % LABEL_LISTS;

		CheckInterrupts();
		for (int64 place = set->list[list]; place < set->list[list + 1]; place++)
			set->shared[set->posting_tree[place]] += SharedNodes(set, place, counts[i].count);
	}
	pfree(counts);
}

/* The same for one label by a model, and what nodes with it cost at least. */
static void
CountModelLabel(Neighbours *set, const ModelLabel *label, int64 cost)
{
	const NeighbourModel *model = set->model;
	uint32 list = label->hash % LABEL_LISTS;
	int64 cost_of_set = model->greatest_insert[list];

	CHECK_FOR_INTERRUPTS();
	for (int64 place = set->list[list]; place < set->list[list + 1]; place++)
	{
		int32 number = set->posting_tree[place];
		int32 nodes = SharedNodes(set, place, label->count);

		set->shared[number] += nodes;
		if (model->matched != NULL)
		{
			model->matched[number].of_set += nodes * cost_of_set;
			model->matched[number].of_searched += nodes * cost;
		}
	}
}

/* Nodes that match at no cost in any tree of the set, for all that is known of it. */
typedef struct MatchedAnywhere
{
	bool any; /* some spellings are graded in one tree, and are not in another */
	int64 nodes;
	int64 cost; /* of these at least, unless they match */
} MatchedAnywhere;

/*
 * The same for all labels, for nodes that match at no cost though one of the two at most
 * is graded.  Graded nodes of the set are in no list: any tree may have those with a
 * spelling that some have.
 */
static MatchedAnywhere
CountSharedByModel(Neighbours *set, const ModelLabels *labels)
{
	const NeighbourModel *model = set->model;
	MatchedAnywhere anywhere = {0};

	for (int32 i = 0; i < labels->plain_count; i++)
	{
		const ModelLabel *label = &labels->plain[i];

		CountModelLabel(set, label, label->delete_);
		if (HasSpelling(model->graded, label->hash))
		{
			anywhere.any = true;
			anywhere.nodes += label->count;
			anywhere.cost += (int64) label->count * label->delete_;
		}
	}
	for (int32 i = 0; i < labels->graded_count; i++)
		if (HasSpelling(model->plain, labels->graded[i].hash))
		{
			anywhere.any = true;
			CountModelLabel(set, &labels->graded[i], 0);
		}
	return anywhere;
}

/* Gives every tree of the set a lower bound by size and, where there are lists of them, labels. */
static void
BoundByUnits(Neighbours *set, bool lists)
{
	if (lists)
		CountShared(set);
	for (int32 number = 0; number < set->count; number++)
	{
		int32 other = set->documents[number].size;
		int32 unshared = lists ? Max(set->size, other) - set->shared[number] : 0;
		int32 bound = Max(Max(abs(set->size - other), unshared), 1);

		set->bound[number] = KeyOf(set, bound, number);
	}
}

/* What the nodes of a tree that are not graded cost at least, unless they match. */
static int64
PlainCost(const ModelLabels *labels)
{
	int64 cost = 0;

	for (int32 i = 0; i < labels->plain_count; i++)
		cost += (int64) labels->plain[i].count * labels->plain[i].delete_;
	return cost;
}

/*
 * Lower bound by what the nodes of either tree cost that do not match: those of one of
 * them, be they deleted or renamed, and insertions for what the other one has more.
 * Graded nodes count where one tree has more of them, and none match others.
 */
static int64
BoundByCosts(const NeighbourModel *model, int32 number, const OperationCosts *least, int64 plain,
			 const MatchedAnywhere *anywhere)
{
	const DocumentCosts *document = &model->documents[number];
	const MatchedCosts *matched = &model->matched[number];
	int64 more = model->labels.nodes - document->counted;
	int64 more_graded = anywhere->any ? 0 : model->labels.graded_nodes - document->graded;
	int64 of_searched = plain - matched->of_searched - anywhere->cost +
						Max(more_graded, 0) * Min(least->delete_, least->rename) +
						Max(-more, 0) * least->insert;
	int64 of_set = document->plain - matched->of_set +
				   Max(-more_graded, 0) * Min(least->insert, least->rename) +
				   Max(more, 0) * least->delete_;

	return Max(of_searched, of_set);
}

/* The same by a model. */
static void
BoundByModel(Neighbours *set, bool lists)
{
	NeighbourModel *model = set->model;
	ModelLabels *labels = &model->labels;
	MatchedAnywhere anywhere = {0};
	int64 plain;

	ReadModelLabels(model->keys, set->value, labels);
	if (model->matched != NULL)
		memset(model->matched, 0, sizeof(MatchedCosts) * (Size) set->count);
	if (lists)
		anywhere = CountSharedByModel(set, labels);
	plain = PlainCost(labels);
	FreeModelLabels(labels);
	for (int32 number = 0; number < set->count; number++)
	{
		const DocumentCosts *document = &model->documents[number];
		OperationCosts least = LesserCosts(&labels->least, &document->least);
		int64 shared = lists ? set->shared[number] + anywhere.nodes +
								   Min(labels->graded_nodes, document->graded)
							 : labels->nodes;
		int64 bound = ModelBound(&least, labels->nodes, document->counted, shared);

		if (model->matched != NULL)
			bound = Max(bound, BoundByCosts(model, number, &least, plain, &anywhere));
		set->bound[number] = KeyOf(set, (int32) Min(bound, TED_MAX_DISTANCE), number);
	}
}

/* Bounds all trees, but for the one that is equal to that searched for: no other is. */
static void
BoundByLabels(Neighbours *set)
{
	bool lists = set->posting_tree != NULL;

	memset(set->shared, 0, sizeof(int32) * (Size) set->count);
	memset(set->stage, 0, sizeof(Stage) * (Size) set->count);
	if (set->model == NULL)
		BoundByUnits(set, lists);
	else
		BoundByModel(set, lists);
	binaryheap_reset(set->open);
	for (int32 number = 0; number < set->count; number++)
		if (number != set->equal)
			binaryheap_add_unordered(set->open, Int32GetDatum(number));
	binaryheap_build(set->open);
}

/* Describes a tree of the session: the one that is searched for, or one of a batch. */
static void
DescribeTree(void *arg, int32 number, StringInfo text)
{
	const Neighbours *set = arg;
	const Tree *tree = number == 0 ? set->value : ReadDocument(set, set->in_batch[number - 1]);

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
	SessionCheckTree(set->session, ModelTreeBytes(decoded->size) + RelabelBytes(decoded->size));
	return ModelTreesAdd(set->model->trees, decoded);
}

/* Adds the tree that is searched for to a session by the model. */
static void
AddSearchedByModel(Neighbours *set)
{
	ModelTrees *trees = ModelTreesCreate(set->model->costs, SessionLabels(set->session));
	ModelTree *made;

	set->model->trees = trees;
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
OpenSearch(Neighbours *set)
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
	SessionDescribeTrees(set->session, DescribeTree, set);
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
	float8 key = KeyOf(set, distance, number);

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

/* Notes what becomes of a tree, and counts what has not become of it before. */
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

/* Notes that the distance of a tree is at least this. */
static void
RaiseBound(Neighbours *set, int32 number, int32 distance)
{
	float8 bound = KeyOf(set, distance, number);

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

/* The same by a model, as a tree to be compared and one to be filtered. */
static ModelTree *
DecodeByModel(Neighbours *set, int32 number)
{
	Tree *tree = ReadDocument(set, number);
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

/* The Euler string of a tree. */
static const int32 *
EulerString(Neighbours *set, int32 number, int32 *size)
{
	const Tree *tree = ReadDocument(set, number);

	*size = set->documents[number].size;
	SessionCheckTree(set->session, TreeDecodedBytes(PointerGetDatum(tree)));
	return TreeEulerString(tree, SessionLabels(set->session));
}

/* The same of a tree by a model; NULL where it tells nothing. */
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

/* What operations cost at least. */
static int32
CostOfOperations(const Neighbours *set, int32 number, int32 operations)
{
	const DocumentCosts *document;
	OperationCosts least;
	int64 cost;

	if (set->model == NULL)
		return operations;
	document = &set->model->documents[number];
	least = LesserCosts(&set->model->labels.least, &document->least);
	cost = OperationsBound(&least, set->model->labels.nodes, document->counted, operations);
	return (int32) Min(cost, TED_MAX_DISTANCE);
}

/* The costs that trees are compared with. */
static const TedCosts *
Costs(const Neighbours *set)
{
	static const TedCosts unit = {1, 1, 1, NULL};

	return set->model == NULL ? &unit : ModelTreesCosts(set->model->trees);
}

/* A distance that a tree is within, for sure. */
static int32
UpperBound(Neighbours *set, const TedTree *decoded)
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
	ReserveScratch(set, ted_greedy_mapping_memory(set->tree->size, decoded->size));
	CheckStatus(ted_upper_bound(&set->bounds, &index, Costs(set), larger, &set->scratch,
								&PgInterrupt, map_a, map_b, &bound));
	return bound;
}

/* No distance from the tree that is searched for is greater than this. */
static int32
GreatestDistance(const Neighbours *set, int32 number)
{
	const NeighbourModel *model = set->model;

	if (model == NULL)
		return set->size + set->documents[number].size;
	return (int32) Min(model->labels.delete_all + model->documents[number].insert_all,
					   TED_MAX_DISTANCE);
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

		if (KeyOf(set, middle, number) < horizon)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* A lower bound of the distance by the labels of both trees, such as ted_rename_bound(). */
typedef TedStatus (*LabelBound)(const TedProfiledPair *pair, int32_t limit, TedArena *arena,
								const TedInterrupt *interrupt, int64_t *steps, int32_t *bound);

/* Such a bound up to a limit, or one more; 0 where it takes too much memory. */
static int32
BoundByLabelStrings(Neighbours *set, const ModelTree *made, LabelBound function, int32 limit)
{
	TedProfiledPair pair = {.a = set->tree,
							.b = &made->compared,
							.costs = Costs(set),
							.profiles = ModelTreesProfiles(set->model->trees)};
	Size bytes = ted_rename_bound_memory(&pair, limit);
	int32 bound;

	if (bytes > (Size) ted_max_memory * 1024 / BOUND_SHARE)
		return 0;
	CheckCostsFit(pair.costs, pair.a, pair.b);
	ReserveScratch(set, bytes);
	CheckStatus(function(&pair, limit, &set->scratch, &PgInterrupt, &set->steps, &bound));
	return Min(bound, limit + 1);
}

/* Lower bound of the operations between trees by their Euler strings. */
static int32
CountOperations(Neighbours *set, const int32 *string, int32 size)
{
	int32 operations = 0;

	if (string == NULL)
		return 0;
	ReserveScratch(set, ted_euler_bound_memory(set->filtered->size));
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
	RaiseBound(set, number, CountOperations(set, string, size));
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
		int32 operations = CountOperations(set, string, made->filtered.size);

		bound = CostOfOperations(set, number, operations);
		stage = STAGE_EULER_STRING;
	}
	if (set->model->is_graded && !isinf(horizon) && bound <= limit)
	{
		bool by_costs = stage == STAGE_CHARACTERS;
		int32 by_labels = BoundByLabelStrings(
			set, made, by_costs ? ted_rename_bound : ted_character_bound, limit);

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

/* The same where there is no horizon yet: upper bounds of the batch tell how far it is at most. */
static int32
AddPair(Neighbours *set, int32 number, float8 *horizon, float8 *bounds, TedPair *pairs,
		int32 *count)
{
	TedTree *decoded = ComparedDocument(set, number);
	int32 limit = UpperBound(set, decoded);

	*horizon = HorizonByBounds(set, bounds, *count, KeyOf(set, limit, number));
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
							 : AddPair(set, number, &horizon, bounds, pairs, &count);
		}
	}
	if (count > 0)
		Compute(set, numbers, pairs, count);
	SessionForgetTrees(set->session);
	if (set->model != NULL)
		ModelTreesForget(set->model->trees);
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
