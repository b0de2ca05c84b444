/*
 * tree_set.c
 *	  The distinct trees of one side of a join, with what the filters need of them.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "common/hashfn.h"
#include "utils/memutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "../../index/tree/keys.h"
#include "../../tree/distance/session_trees.h"
#include "../../tree/value/tree.h"
#include "packed.h"
#include "search.h"
#include "tree_set.h"

/* A tree by its contents. */
typedef struct TreeEntry
{
	const TedTree *tree;
	uint32 hash;
	int32 number;
	char status;
} TreeEntry;

/* Whether two trees are equal. */
static inline bool
EqualTrees(const TedTree *a, const TedTree *b)
{
	Size bytes = sizeof(int32) * (Size) a->size;

	return a->size == b->size && memcmp(a->label, b->label, bytes) == 0 &&
		   memcmp(a->subtree_size, b->subtree_size, bytes) == 0;
}

/* Hash of a tree's labels and shape. */
static uint32
HashJoinTree(const TedTree *tree)
{
	int bytes = (int) sizeof(int32) * tree->size;

	return hash_combine(hash_bytes((const unsigned char *) tree->label, bytes),
						hash_bytes((const unsigned char *) tree->subtree_size, bytes));
}

#define SH_PREFIX treetable
#define SH_ELEMENT_TYPE TreeEntry
#define SH_KEY_TYPE const TedTree *
#define SH_KEY tree
#define SH_HASH_KEY(table, key) HashJoinTree(key)
#define SH_EQUAL(table, a, b) EqualTrees(a, b)
#define SH_SCOPE static inline
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

struct JoinTrees
{
	MemoryContext context; /* of the trees */
	EngineSession *session;
	TreeDecoder decode;
	ModelTrees *model;       /* or NULL */
	const JoinTrees *others; /* a set whose trees need no work again; or NULL */
	JoinTree *trees;
	int32 count;
	int32 capacity;
	treetable_hash *table;
	PackedMemory packed;
};

/* Starts with no tree. */
static void
ClearJoinTrees(JoinTrees *trees)
{
	MemoryContext caller = MemoryContextSwitchTo(trees->context);

	trees->count = 0;
	trees->capacity = 64;
	trees->trees = palloc_array(JoinTree, trees->capacity);
	trees->table = treetable_create(trees->context, 64, NULL);
	trees->packed = (PackedMemory){.context = trees->context};
	MemoryContextSwitchTo(caller);
}

/* Makes an empty set. */
JoinTrees *
JoinTreesCreate(EngineSession *session, TreeDecoder decode, ModelTrees *model,
				const JoinTrees *others)
{
	JoinTrees *trees = palloc0_object(JoinTrees);

	trees->context =
		AllocSetContextCreate(CurrentMemoryContext, "ted join trees", ALLOCSET_DEFAULT_SIZES);
	trees->session = session;
	trees->decode = decode;
	trees->model = model;
	trees->others = others;
	ClearJoinTrees(trees);
	return trees;
}

/* Bytes of a tree with all or some of its arrays. */
static Size
JoinTreeBytes(const TedTree *tree, int arrays)
{
	return sizeof(TedTree) + sizeof(int32) * (Size) arrays * (Size) tree->size;
}

/* Points a tree to its arrays, which follow one another. */
static void
SetArrays(TedTree *tree, const int32 *arrays)
{
	tree->label = arrays;
	tree->subtree_size = tree->label + tree->size;
	tree->depth = tree->subtree_size + tree->size;
	tree->key_root = tree->depth + tree->size;
}

/* Whether a decoded tree moves to packed memory. */
static inline bool
IsPacked(const TedTree *tree)
{
	return JoinTreeBytes(tree, 4) <= PACKED_BLOCK;
}

/* Decodes a tree. */
static TedTree *
DecodeTree(JoinTrees *trees, Datum tree)
{
	TedTree *decoded = trees->decode(trees->session, tree);
	TedTree *kept;

	if (!IsPacked(decoded))
		return decoded;
	kept = PackedTake(&trees->packed, JoinTreeBytes(decoded, 4));
	*kept = *decoded;
	memcpy(kept + 1, decoded->label, JoinTreeBytes(decoded, 4) - sizeof(TedTree));
	SetArrays(kept, (int32 *) (kept + 1));
	SessionFreeTree(decoded);
	return kept;
}

/* Frees the tree that was decoded last. */
static void
FreeTree(JoinTrees *trees, TedTree *decoded)
{
	if (IsPacked(decoded))
		PackedReturn(&trees->packed, decoded, JoinTreeBytes(decoded, 4));
	else
		SessionFreeTree(decoded);
}

/* A tree that is new to the set, with the labels of the model. */
static JoinTree
CompleteByModel(JoinTrees *trees, const TedTree *decoded)
{
	ModelTree *made = ModelTreesAdd(trees->model, decoded);

	return (JoinTree){.tree = &made->filtered,
					  .compared = &made->compared,
					  .stored = decoded,
					  .by_model = made,
					  .totals = trees->others == NULL
									? (TreeTotals){0}
									: ModelTreesTotals(trees->model, &made->compared),
					  .number = SessionUploadTree(trees->session, &made->compared)};
}

/* Fills in a tree that is new to the set; returns whether it is the one that others have. */
static bool
Complete(JoinTrees *trees, JoinTree *added, const TedTree *decoded)
{
	TreeEntry *other =
		trees->others == NULL ? NULL : treetable_lookup(trees->others->table, decoded);

	if (other != NULL)
		*added = trees->others->trees[other->number];
	else if (trees->model != NULL)
		*added = CompleteByModel(trees, decoded);
	else
		*added = (JoinTree){.tree = decoded,
							.compared = decoded,
							.stored = decoded,
							.number = SessionUploadTree(trees->session, decoded)};
	return other != NULL;
}

/*
 * Adds a tree that is decoded, unless there is one like it; returns the number of
 * either.  `*used` says whether the tree has come into use.
 */
static int32
AddDecoded(JoinTrees *trees, const TedTree *decoded, bool *used)
{
	bool known;
	TreeEntry *entry = treetable_insert(trees->table, decoded, &known);

	*used = false;
	if (!known)
	{
		JoinTree *added;

		if (trees->count == trees->capacity)
		{
			trees->capacity *= 2;
			trees->trees = repalloc_huge(trees->trees, sizeof(JoinTree) * (Size) trees->capacity);
		}
		entry->number = trees->count++;
		added = &trees->trees[entry->number];
		*used = !Complete(trees, added, decoded);
		added->order = DocumentOrder(ParallelWorkerNumber, entry->number);
		entry->tree = added->stored;
	}
	return entry->number;
}

/* Adds a tree; returns its number, which equal trees share. */
int32
JoinTreesAdd(JoinTrees *trees, Datum tree)
{
	MemoryContext caller = MemoryContextSwitchTo(trees->context);
	TedTree *decoded = DecodeTree(trees, tree);
	bool used;
	int32 number = AddDecoded(trees, decoded, &used);

	if (!used)
		FreeTree(trees, decoded);
	MemoryContextSwitchTo(caller);
	return number;
}

/*
 * Header of an image of trees.  There follow the trees, for each tree its labels,
 * subtree sizes, depths and key roots, and the image of the labels.
 */
typedef struct TreesImage
{
	int32 count;
	Size integers;
} TreesImage;

/* Where the trees of an image begin. */
static TedTree *
ImageTrees(const char *image)
{
	return (TedTree *) (image + MAXALIGN(sizeof(TreesImage)));
}

/* Where the integers of an image begin. */
static int32 *
ImageIntegers(const char *image)
{
	return (int32 *) (ImageTrees(image) + ((const TreesImage *) image)->count);
}

/* Where the image of the labels begins. */
static char *
ImageLabels(const char *image)
{
	return (char *) (ImageIntegers(image) + ((const TreesImage *) image)->integers);
}

/* Makes the header of an image of the trees. */
static TreesImage
DescribeImage(const JoinTrees *trees)
{
	TreesImage image = {.count = trees->count};

	for (int32 i = 0; i < trees->count; i++)
		image.integers += 4 * (Size) trees->trees[i].stored->size;
	return image;
}

/* Memory that the trees take when written. */
Size
JoinTreesExportBytes(const JoinTrees *trees)
{
	TreesImage image = DescribeImage(trees);

	return MAXALIGN(sizeof(TreesImage)) + sizeof(TedTree) * (Size) image.count +
		   sizeof(int32) * image.integers + LabelTableExportBytes(SessionLabels(trees->session));
}

/* Copies some integers; returns where the next ones go. */
static int32 *
AppendIntegers(int32 *to, const int32 *from, int32 count)
{
	memcpy(to, from, sizeof(int32) * (Size) count);
	return to + count;
}

/* Writes the trees. */
void
JoinTreesExport(const JoinTrees *trees, char *image)
{
	TreesImage contents = DescribeImage(trees);
	int32 *next;

	memcpy(image, &contents, sizeof(contents));
	next = ImageIntegers(image);
	LabelTableExport(SessionLabels(trees->session), ImageLabels(image));
	for (int32 i = 0; i < contents.count; i++)
	{
		const TedTree *decoded = trees->trees[i].stored;

		CheckInterrupts();
		ImageTrees(image)[i] = *decoded;
		next = AppendIntegers(next, decoded->label, decoded->size);
		next = AppendIntegers(next, decoded->subtree_size, decoded->size);
		next = AppendIntegers(next, decoded->depth, decoded->size);
		next = AppendIntegers(next, decoded->key_root, decoded->size);
	}
}

/* Makes a tree of an image with other label ids; all else stays where it is, from `block` on. */
static TedTree *
ImportTree(JoinTrees *trees, const TedTree *tree, const int32 *block, const int32 *ids)
{
	TedTree *decoded = PackedTake(&trees->packed, JoinTreeBytes(tree, 1));
	int32 *label = (int32 *) (decoded + 1);

	*decoded = *tree;
	SetArrays(decoded, block);
	for (int32 x = 0; x < decoded->size; x++)
		label[x] = ids[block[x]];
	decoded->label = label;
	return decoded;
}

/* Adds trees that another process has written. */
int32 *
JoinTreesImport(JoinTrees *trees, const char *image, int worker)
{
	const TreesImage *contents = (const TreesImage *) image;
	const int32 *block = ImageIntegers(image);
	int32 *numbers = palloc_extended(sizeof(int32) * (Size) contents->count, MCXT_ALLOC_HUGE);
	int32 *ids = LabelTableImport(SessionLabels(trees->session), ImageLabels(image));
	MemoryContext caller = MemoryContextSwitchTo(trees->context);

	for (int32 i = 0; i < contents->count; i++)
	{
		TedTree *decoded = ImportTree(trees, &ImageTrees(image)[i], block, ids);
		JoinTree *tree;
		bool used;

		CheckInterrupts();
		block += 4 * (Size) decoded->size;
		numbers[i] = AddDecoded(trees, decoded, &used);
		tree = &trees->trees[numbers[i]];
		tree->order = used ? DocumentOrder(worker, i) : Min(tree->order, DocumentOrder(worker, i));
		if (!used)
			PackedReturn(&trees->packed, decoded, JoinTreeBytes(decoded, 1));
	}
	MemoryContextSwitchTo(caller);
	pfree(ids);
	return numbers;
}

/* Number of distinct trees. */
int32
JoinTreesCount(const JoinTrees *trees)
{
	return trees->count;
}

/* One tree. */
JoinTree *
JoinTreesGet(const JoinTrees *trees, int32 number)
{
	return &trees->trees[number];
}

/* Memory that the index of a tree for the bounds takes. */
Size
JoinTreesBoundsBytes(int32 size)
{
	return sizeof(TedBoundsIndex) + MAXALIGN(2 * sizeof(int32) * (Size) size);
}

/* Index of a tree for the bounds. */
const TedBoundsIndex *
JoinTreesBounds(JoinTrees *trees, int32 number)
{
	JoinTree *tree = &trees->trees[number];

	if (tree->bounds == NULL)
	{
		int32 size = tree->tree->size;
		TedBoundsIndex *bounds = PackedTake(&trees->packed, JoinTreesBoundsBytes(size));
		int32 *arrays = (int32 *) (bounds + 1);

		CheckStatus(ted_bounds_index_in(tree->tree, arrays, arrays + size, &PgInterrupt, bounds));
		tree->bounds = bounds;
	}
	return tree->bounds;
}

/* Forgets all trees. */
void
JoinTreesReset(JoinTrees *trees)
{
	SessionForgetTrees(trees->session);
	MemoryContextReset(trees->context);
	ClearJoinTrees(trees);
}

/* The nodes of a tree, by hashes of their labels. */
int32
ListTreeNodes(Datum tree, int32 **label, int32 **occurrence)
{
	int32 labels;
	const LabelCount *counts = TreeLabelCounts(DatumGetTree(tree), &labels);
	int32 size = 0;

	for (int32 i = 0; i < labels; i++)
		size += counts[i].count;
	*label = palloc_array(int32, size);
	*occurrence = palloc_array(int32, size);
	for (int32 i = 0, x = 0; i < labels; i++)
		for (int32 n = 1; n <= counts[i].count; n++, x++)
		{
			(*label)[x] = (int32) counts[i].hash;
			(*occurrence)[x] = n;
		}
	return size;
}

/* The nodes of a numbered tree. */
int32
ListNumberedNodes(Datum tree, int32 **label, int32 **occurrence)
{
	NumberedNodes nodes = {0};

	TreeNumberedNodes(VARDATA_ANY(DatumGetPointer(tree)),
					  (int) VARSIZE_ANY_EXHDR(DatumGetPointer(tree)), PG_UINT32_MAX, &nodes);
	*label = nodes.label;
	*occurrence = nodes.occurrence;
	return nodes.size;
}
