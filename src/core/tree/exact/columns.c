/*
 * columns.c
 *	  The tables of one key root of a with all key roots of b, side by side.
 */
#include "columns.h"

#include <string.h>

#include "../../common/hash.h"
#include "../../common/processor_tuning.h"

/* Odd multiplier for hashing a node's label and size. */
#define HASH_NODE UINT64_C(0xBF58476D1CE4E5B9)

/* Groups of the tables of a level, by the length of their pieces. */
typedef enum Group
{
	SHORT,
	LONG,
	GROUPS
} Group;

/* State of building a layout. */
typedef struct Builder
{
	const TedTree *tree;
	TedColumns *columns;
	int32_t *first;   /* by key root: the first key root with an equal subtree */
	int32_t *level;   /* by key root that is first; by node while the levels are being computed */
	int32_t *column;  /* by key root that is first: where its table begins */
	int32_t *order;   /* all key roots, sorted by level, group and number */
	int32_t *highest; /* by depth, see find_levels() */
	int32_t *bin;     /* by level and group: end of its key roots in `order` */
	int block_shift;  /* log2 of the lanes */
	int32_t far_count;
	int32_t scatter_count;
	int32_t gather_count;
	const TedInterrupt *interrupt;
	int64_t steps;
} Builder;

/* Whether the subtree of x, which has this size, equals the subtree of y. */
static bool
equal_subtrees(const TedTree *tree, int32_t x, int32_t y, int32_t size)
{
	size_t bytes = sizeof(int32_t) * (size_t) size;

	return tree->subtree_size[y] == size &&
		   memcmp(tree->label + x - size + 1, tree->label + y - size + 1, bytes) == 0 &&
		   memcmp(tree->subtree_size + x - size + 1, tree->subtree_size + y - size + 1, bytes) == 0;
}

/* Arrays of the search for equal subtrees. */
typedef struct Equal
{
	int32_t *first;
	int32_t *slot;    /* hash table of key roots; -1 in free slots */
	uint64_t *prefix; /* by node: hash of all nodes before it */
	uint64_t *power;
} Equal;

/* Allocates the arrays. */
static Equal
take_equal(TedArena *arena, int32_t size)
{
	size_t prefixes = (size_t) size + 1;

	return (Equal){.first = ted_arena_int32(arena, (size_t) size),
				   .slot = ted_arena_int32(arena, ted_hash_slots(size)),
				   .prefix = ted_arena_alloc(arena, sizeof(uint64_t) * prefixes),
				   .power = ted_arena_alloc(arena, sizeof(uint64_t) * prefixes)};
}

/* Bytes that ted_equal_key_roots() takes. */
size_t
ted_equal_key_roots_memory(int32_t size)
{
	TedArena counted = {0};

	take_equal(&counted, size);
	return counted.used;
}

/* Finds key roots with equal subtrees, by a polynomial hash of labels and sizes. */
TedStatus
ted_equal_key_roots(const TedTree *tree, TedArena *arena, const TedInterrupt *interrupt,
					int32_t **first)
{
	size_t slots = ted_hash_slots(tree->size);
	Equal equal = take_equal(arena, tree->size);
	int32_t *slot = equal.slot;
	uint64_t *prefix = equal.prefix;
	uint64_t *power = equal.power;
	int64_t steps = 0;

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	for (size_t i = 0; i < slots; i++)
		slot[i] = -1;
	prefix[0] = 0;
	power[0] = 1;
	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		for (int32_t x = begin; x < end; x++)
		{
			uint64_t node =
				(uint64_t) (uint32_t) tree->label[x] << 32 | (uint32_t) tree->subtree_size[x];

			prefix[x + 1] = prefix[x] * TED_HASH_STEP + node * HASH_NODE + 1;
			power[x + 1] = power[x] * TED_HASH_STEP;
		}
		if (ted_interrupted(interrupt, &steps, end - begin))
			return TED_CANCELLED;
	}
	for (int32_t x = 0; x < tree->size; x++)
	{
		int32_t size = tree->subtree_size[x];
		uint64_t hash;
		size_t i;

		if (tree->key_root[x] != x)
			continue;
		hash = prefix[x + 1] - prefix[x + 1 - size] * power[size];
		for (i = (size_t) (hash >> 32) & (slots - 1);
			 slot[i] >= 0 && !equal_subtrees(tree, x, slot[i], size); i = (i + 1) & (slots - 1))
			;
		if (slot[i] < 0)
			slot[i] = x;
		equal.first[x] = slot[i];
		if (ted_interrupted(interrupt, &steps, 1))
			return TED_CANCELLED;
	}
	*first = equal.first;
	return TED_OK;
}

/* Returns an upper bound on the parts of a tree, or of several in a row. */
static int64_t
part_bound(const TedTree *tree)
{
	return (tree->left_nodes + tree->leaves) / ted_tuning.part_columns + 1;
}

/* Returns an upper bound on the levels of all parts together. */
static int64_t
level_bound(const TedTree *tree)
{
	int64_t levels = part_bound(tree) * ((int64_t) tree->height + 1);

	return tree->leaves <= levels ? tree->leaves : levels;
}

/* Returns an upper bound on the columns of a tree, padding included. */
int64_t
ted_columns_bound(const TedTree *tree, int32_t lanes)
{
	return tree->left_nodes + tree->leaves + level_bound(tree) * lanes;
}

/* Returns an upper bound on the vectors of these columns. */
static size_t
block_bound(const TedTree *tree, int32_t lanes)
{
	return (size_t) (ted_columns_bound(tree, lanes) / lanes) + 1;
}

/* Allocates the arrays of the layout and of its builder, each as large as it can get. */
static void
take_column_arrays(TedArena *arena, const TedTree *tree, int32_t lanes, Builder *builder,
				   TedColumns *columns)
{
	size_t size = (size_t) tree->size;
	size_t width = (size_t) ted_columns_bound(tree, lanes);
	size_t levels = (size_t) level_bound(tree) + 1;
	/* to scatter, and to gather */
	size_t pieces = (size_t) (tree->left_nodes / lanes) + 3 * (size_t) tree->leaves;

	builder->level = ted_arena_int32(arena, size);
	builder->column = ted_arena_int32(arena, size);
	builder->order = ted_arena_int32(arena, size);
	builder->highest = ted_arena_int32(arena, (size_t) tree->height + 2);
	builder->bin = ted_arena_int32(arena, GROUPS * levels + 1);
	columns->levels = ted_arena_alloc(arena, sizeof(TedLevel) * levels);
	columns->parts = ted_arena_int32(arena, (size_t) part_bound(tree) + 1);
	columns->blocks = ted_arena_alloc(arena, sizeof(TedBlock) * block_bound(tree, lanes));
	columns->label = ted_arena_int32(arena, width);
	columns->source = ted_arena_int32(arena, width);
	columns->near = ted_arena_alloc(arena, sizeof(int16_t) * width);
	columns->far = ted_arena_int32(arena, width);
	columns->scatter = ted_arena_alloc(arena, sizeof(TedPiece) * pieces);
	columns->gather = ted_arena_alloc(arena, sizeof(TedPiece) * pieces);
}

/* Bytes that ted_columns_build() takes. */
size_t
ted_columns_memory(const TedTree *tree, int32_t lanes)
{
	TedArena counted = {0};
	Builder builder;
	TedColumns columns;

	take_column_arrays(&counted, tree, lanes, &builder, &columns);
	return ted_equal_key_roots_memory(tree->size) + counted.used;
}

/* A part while its trees are added. */
typedef struct Part
{
	int32_t first; /* node */
	int32_t columns;
	int32_t levels;
} Part;

/* Ends a part at a node, unless the part has no columns, and begins the next one. */
static void
end_part(Builder *builder, int32_t node, Part *part)
{
	TedColumns *columns = builder->columns;

	for (int32_t x = part->first; x <= node; x++)
		builder->level[x] += columns->level_count;
	if (part->levels > 0)
		columns->part_count++;
	columns->level_count += part->levels;
	columns->parts[columns->part_count] = columns->level_count;
	*part = (Part){.first = node + 1};
}

/* Adds the next node to a part, and computes its level within the part. */
static void
add_to_part(Builder *builder, int32_t x, Part *part)
{
	const TedTree *tree = builder->tree;
	bool root = tree->key_root[x] == x;
	int32_t *here = &builder->highest[tree->depth[x]];
	int32_t *below = here + 1;
	int32_t above = *below + root;

	builder->level[x] = *below;
	if (root && builder->first[x] == x)
	{
		part->columns += tree->subtree_size[x] + 1;
		part->levels = ted_max(part->levels, above);
	}
	else if (root && builder->first[x] < part->first)
		above = 0;
	*below = 0;
	*here = ted_max(*here, above);
}

/*
 * Computes the level of every key root: the height, in key roots, of the tree below it apart from
 * its leftmost path, where key roots with columns in earlier parts do not count. highest[d] is the
 * greatest height among the nodes of depth d that await their parent.
 */
static TedStatus
find_levels(Builder *builder)
{
	const TedTree *tree = builder->tree;
	Part part = {0};

	builder->columns->parts[0] = 0;
	for (int32_t d = 0; d <= tree->height + 1; d++)
		builder->highest[d] = 0;
	for (int32_t begin = 0, end; begin < tree->size; begin = end)
	{
		end = ted_run_end(begin, tree->size);
		for (int32_t x = begin; x < end; x++)
		{
			add_to_part(builder, x, &part);
			if (x == tree->size - 1 ||
				(tree->depth[x] == 0 && part.columns >= ted_tuning.part_columns))
				end_part(builder, x, &part);
		}
		if (ted_interrupted(builder->interrupt, &builder->steps, end - begin))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Returns the bin of a key root; without columns, it has the level of its first equal key root. */
static int32_t
bin_of(const Builder *builder, int32_t x)
{
	Group group = builder->tree->subtree_size[x] <= TED_SHORT_LANES ? SHORT : LONG;

	return builder->level[builder->first[x]] * GROUPS + (int32_t) group;
}

/* Sorts the key roots by level, group and number, and sets the ends of bins. */
static TedStatus
sort_key_roots(Builder *builder)
{
	const TedTree *tree = builder->tree;
	int32_t bins = builder->columns->level_count * GROUPS;
	int32_t *key_root = builder->column; /* scratch; `column` is not used before the tables are laid
										  * out */
	int32_t count = 0;

	for (int32_t x = 0; x < tree->size; x++)
	{
		key_root[count] = x;
		count += tree->key_root[x] == x;
	}
	memset(builder->bin, 0, sizeof(int32_t) * ((size_t) bins + 1));
	for (int32_t i = 0; i < count; i++)
		builder->bin[bin_of(builder, key_root[i]) + 1]++;
	for (int32_t bin = 0; bin < bins; bin++)
		builder->bin[bin + 1] += builder->bin[bin];
	for (int32_t begin = 0, end; begin < count; begin = end)
	{
		end = ted_run_end(begin, count);
		for (int32_t i = begin; i < end; i++)
			builder->order[builder->bin[bin_of(builder, key_root[i])]++] = key_root[i];
		if (ted_interrupted(builder->interrupt, &builder->steps, end - begin))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Returns the index in `order` of the first key root of a group of a level. */
static int32_t
group_begin(const Builder *builder, int32_t level, Group group)
{
	int32_t bin = level * GROUPS + group;

	return bin == 0 ? 0 : builder->bin[bin - 1];
}

/* Fills the entries of a column without a node. */
static void
lay_empty(TedColumns *columns, int32_t c)
{
	columns->label[c] = -1;
	columns->source[c] = c;
	columns->near[c] = (int16_t) ((c & (columns->lanes - 1)) + columns->lanes);
}

/* Fills the entries of the columns of a key root's table. */
static void
lay_table(Builder *builder, int32_t root, int32_t column)
{
	const TedTree *tree = builder->tree;
	TedColumns *columns = builder->columns;
	int32_t lanes = columns->lanes;
	int shift = builder->block_shift;
	int32_t size = tree->subtree_size[root];

	builder->column[root] = column;
	columns->blocks[column >> shift].start |= UINT32_C(1) << (column & (lanes - 1));
	lay_empty(columns, column);
	for (int32_t j = 1; j <= size; j++)
	{
		int32_t y = root - size + j;
		int32_t c = column + j;
		int32_t source = c - tree->subtree_size[y];
		int32_t near = source - (c & -lanes) + lanes;

		columns->label[c] = tree->label[y];
		columns->source[c] = source;
		columns->near[c] = (int16_t) (near >= 0 ? near : 0);
		columns->far[builder->far_count] = c;
		builder->far_count += near < 0;
		columns->blocks[c >> shift].path |= (uint32_t) (tree->subtree_size[y] == j)
											<< (c & (lanes - 1));
	}
	for (int32_t c = (column + lanes - 1) & -lanes; c + lanes <= column + size + 1; c += lanes)
		columns->blocks[c >> shift].direct = root - size + c - column;
}

/* Adds the pieces of columns `first` to end - 1 of a key root's table. */
static void
add_run(Builder *builder, int32_t root, int32_t first, int32_t end)
{
	TedColumns *columns = builder->columns;
	int32_t lanes = columns->lanes;
	int32_t size = builder->tree->subtree_size[root];
	int32_t column = builder->column[builder->first[root]];

	for (int32_t j = first; j < end; j += lanes)
	{
		TedPiece piece = {.column = column + j, .node = root - size + j};

		/* the nodes that are on the leftmost path of the root */
		for (int32_t i = 0; i < ted_min(end - j, lanes); i++)
			piece.path |= (uint32_t) (builder->tree->key_root[piece.node + i] == root) << i;
		if (builder->first[root] == root)
			columns->scatter[builder->scatter_count++] = piece;
		if (piece.path != 0)
			columns->gather[builder->gather_count++] = piece;
	}
}

/* Adds the pieces of one key root's table; nodes in vectors inside the table need none. */
static void
add_pieces(Builder *builder, int32_t root)
{
	int32_t lanes = builder->columns->lanes;
	int32_t size = builder->tree->subtree_size[root];
	int32_t column = builder->column[builder->first[root]];
	int32_t inside = (column + lanes - 1) & -lanes;
	int32_t behind = (column + size + 1) & -lanes;

	if (builder->first[root] != root || inside >= behind)
		add_run(builder, root, 1, size + 1);
	else
	{
		add_run(builder, root, 1, inside - column);
		add_run(builder, root, behind - column, size + 1);
	}
}

/* Adds the pieces of a group of a level. */
static TedStatus
add_group_pieces(Builder *builder, int32_t level, Group group)
{
	int32_t end = builder->bin[level * GROUPS + group];

	for (int32_t i = group_begin(builder, level, group); i < end; i++)
	{
		int32_t root = builder->order[i];

		add_pieces(builder, root);
		if (ted_interrupted(builder->interrupt, &builder->steps, builder->tree->subtree_size[root]))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Lays out all tables, level by level. */
static TedStatus
lay_tables(Builder *builder)
{
	TedColumns *columns = builder->columns;
	int32_t lanes = columns->lanes;
	int32_t column = 0;

	for (int32_t level = 0; level <= columns->level_count; level++)
	{
		TedLevel *at = &columns->levels[level];

		at->block = column >> builder->block_shift;
		at->scatter = builder->scatter_count;
		at->gather = builder->gather_count;
		at->far = builder->far_count;
		if (level == columns->level_count)
			break;
		for (int32_t i = group_begin(builder, level, SHORT);
			 i < group_begin(builder, level + 1, SHORT); i++)
		{
			int32_t x = builder->order[i];

			if (builder->first[x] != x)
				continue;
			lay_table(builder, x, column);
			column += builder->tree->subtree_size[x] + 1;
			if (ted_interrupted(builder->interrupt, &builder->steps,
								builder->tree->subtree_size[x]))
				return TED_CANCELLED;
		}
		for (; (column & (lanes - 1)) != 0; column++)
			lay_empty(columns, column);
		if (add_group_pieces(builder, level, SHORT) != TED_OK)
			return TED_CANCELLED;
		at->scatter_long = builder->scatter_count;
		at->gather_long = builder->gather_count;
		if (add_group_pieces(builder, level, LONG) != TED_OK)
			return TED_CANCELLED;
	}
	columns->width = column;
	for (int32_t i = 0; i < column >> builder->block_shift; i++)
	{
		TedBlock *block = &columns->blocks[i];

		block->reach[0] = ~block->start & ~UINT32_C(1);
		for (int step = 1; step < TED_SCAN_STEPS; step++)
			block->reach[step] = block->reach[step - 1] & block->reach[step - 1]
															  << (1 << (step - 1));
	}
	return TED_OK;
}

/* Lays out a tree, or several in a row. */
TedStatus
ted_columns_build(const TedTree *tree, int32_t lanes, TedArena *arena,
				  const TedInterrupt *interrupt, TedColumns *columns)
{
	Builder builder = {.tree = tree,
					   .columns = columns,
					   .block_shift = __builtin_ctz((unsigned) lanes),
					   .interrupt = interrupt};
	TedStatus status = ted_equal_key_roots(tree, arena, interrupt, &builder.first);
	size_t blocks = block_bound(tree, lanes);

	if (status != TED_OK)
		return status;
	*columns = (TedColumns){.lanes = lanes};
	take_column_arrays(arena, tree, lanes, &builder, columns);
	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	if (find_levels(&builder) != TED_OK || sort_key_roots(&builder) != TED_OK)
		return TED_CANCELLED;
	memset(columns->levels, 0, sizeof(TedLevel) * ((size_t) columns->level_count + 1));
	memset(columns->blocks, 0, sizeof(TedBlock) * blocks);
	for (size_t block = 0; block < blocks; block++)
		columns->blocks[block].direct = TED_MIXED;
	return lay_tables(&builder);
}
