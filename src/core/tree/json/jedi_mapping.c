/*
 * jedi_mapping.c
 *	  A mapping of two JSON documents whose cost is their edit distance.
 *
 * Pairs of subtrees, and of the forests below their roots, are processed from the roots down.  The
 * table of jedi.c shows how each saving was reached: by the roots, by the subtree or the forest of
 * a child, or by pairs of children.  The pairs of children of two forests are computed once more as
 * when the table was filled, and ties are decided.
 *
 * Where a mapping that keeps the level of each node costs no more than the lower bound, no table is
 * needed.
 */
#include "jedi_table.h"

#include "../../common/sort.h"

/* Two nodes whose subtrees are to be mapped to each other, or the forests below them. */
typedef struct Task
{
	int32_t x;
	int32_t y;
	bool forests;
} Task;

/* State of finding the mapping. */
typedef struct Mapper
{
	const TedJsonPair *pair;
	TedJsonTable *table; /* NULL if each node keeps its level */
	const TedTree *a;
	const TedTree *b;
	int32_t *map_a;
	int32_t *map_b;
	Task *tasks;
	int32_t task_count;
	int32_t saving;  /* of the mapped nodes */
	int32_t *left_a; /* children that have not been paired, in order */
	int32_t *left_b;
	int32_t count_a;
	int32_t count_b;
	int32_t *first;     /* by subtree: index of its first unpaired child in left_b, or -1 */
	int32_t *next;      /* by index in left_b: the next unpaired child with an equal subtree, or
						 * -1 */
	int32_t *key;       /* sort keys of children, and scratch */
	int32_t *sorted[4]; /* scratch for sorting children */
	int64_t steps;
	const TedInterrupt *interrupt;
} Mapper;

/* Allocates the arrays, and those of a table unless `table` is NULL. */
static Mapper
take_mapper(const TedJsonPair *pair, TedArena *arena, TedJsonTable *table)
{
	size_t subtrees = (size_t) pair->a.size + (size_t) pair->b.size;
	size_t widest = (size_t) ted_max(pair->a.widest, pair->b.widest);
	size_t tasks = (size_t) ted_min(pair->a.size, pair->b.size) + 1;
	Mapper mapper = {.pair = pair,
					 .table = table,
					 .tasks = ted_arena_alloc(arena, sizeof(Task) * tasks),
					 .left_a = ted_arena_int32(arena, widest),
					 .left_b = ted_arena_int32(arena, widest),
					 .first = ted_arena_int32(arena, subtrees),
					 .next = ted_arena_int32(arena, widest),
					 .key = ted_arena_int32(arena, widest)};

	for (int i = 0; i < 4; i++)
		mapper.sorted[i] = ted_arena_int32(arena, widest);
	if (table != NULL)
		*table = ted_json_table(pair, TED_NO_LIMIT, arena);
	return mapper;
}

/* Bytes that ted_json_mapping() takes. */
size_t
ted_json_mapping_memory(const TedJsonPair *pair)
{
	TedArena counted = {0};
	TedJsonTable table;

	take_mapper(pair, &counted, &table);
	return counted.used;
}

/* Bytes that ted_json_simple_mapping() takes. */
size_t
ted_json_simple_mapping_memory(const TedJsonPair *pair)
{
	TedArena counted = {0};

	take_mapper(pair, &counted, NULL);
	return counted.used;
}

/* Returns the subtree of a node of a. */
static inline const TedJsonSubtree *
subtree_of_a(const Mapper *mapper, int32_t x)
{
	return &mapper->pair->subtrees[mapper->pair->a.subtree_of[x]];
}

/* Returns the subtree of a node of b. */
static inline const TedJsonSubtree *
subtree_of_b(const Mapper *mapper, int32_t y)
{
	return &mapper->pair->subtrees[mapper->pair->b.subtree_of[y]];
}

/* Returns the saving of mapping two nodes, from an array of savings. */
static inline int32_t
saving_in(const Mapper *mapper, const int32_t *savings, int32_t x, int32_t y)
{
	const TedJsonPair *pair = mapper->pair;

	return ted_json_saving(mapper->table, savings,
						   ted_json_row(mapper->table, pair->a.subtree_of[x]),
						   pair->b.subtree_of[y]);
}

/* Returns the saving of mapping the subtrees of two nodes. */
static inline int32_t
tree_saving(const Mapper *mapper, int32_t x, int32_t y)
{
	return saving_in(mapper, mapper->table->tree, x, y);
}

/* Returns the saving of mapping the forests below two nodes. */
static inline int32_t
forest_saving(const Mapper *mapper, int32_t x, int32_t y)
{
	return saving_in(mapper, mapper->table->forest, x, y);
}

/* Counts steps; true means stop. */
static inline bool
interrupted(Mapper *mapper, int64_t steps)
{
	return ted_interrupted(mapper->interrupt, &mapper->steps, steps);
}

/* Adds a task. */
static inline void
add_task(Mapper *mapper, int32_t x, int32_t y, bool forests)
{
	mapper->tasks[mapper->task_count++] = (Task){x, y, forests};
}

/* Lists the children of a node in order; returns their number. */
static int32_t
list_children(const TedTree *tree, int32_t x, int32_t *children)
{
	int32_t before = x - tree->subtree_size[x];
	int32_t count = 0;
	int32_t end;

	for (int32_t child = x - 1; child > before; child -= tree->subtree_size[child])
		count++;
	end = count;
	for (int32_t child = x - 1; child > before; child -= tree->subtree_size[child])
		children[--end] = child;
	return count;
}

/* Removes entries of -1 from a list; returns the number of the others. */
static int32_t
compress(int32_t *list, int32_t count)
{
	int32_t kept = 0;

	for (int32_t i = 0; i < count; i++)
		if (list[i] >= 0)
			list[kept++] = list[i];
	return kept;
}

/* Pairs a child of a with a child of b, by their indices in left_a and left_b. */
static inline void
pair_places(Mapper *mapper, int32_t i, int32_t j)
{
	add_task(mapper, mapper->left_a[i], mapper->left_b[j], false);
	mapper->left_a[i] = mapper->left_b[j] = -1;
}

/* Removes the paired children from left_a and left_b. */
static void
leave_paired_out(Mapper *mapper)
{
	mapper->count_a = compress(mapper->left_a, mapper->count_a);
	mapper->count_b = compress(mapper->left_b, mapper->count_b);
}

/*
 * Pairs children with equal subtrees, all of them or only where that is optimal; returns the
 * saving.
 */
static int32_t
pair_equal_children(Mapper *mapper, bool all)
{
	const TedJsonPair *pair = mapper->pair;
	int32_t saving = 0;

	for (int32_t j = mapper->count_b - 1; j >= 0; j--)
	{
		int32_t *first = &mapper->first[pair->b.subtree_of[mapper->left_b[j]]];

		mapper->next[j] = *first;
		*first = j;
	}
	for (int32_t j = 0; j < mapper->count_b; j++)
		mapper->key[j] = pair->b.subtree_of[mapper->left_b[j]];
	for (int32_t i = 0; i < mapper->count_a; i++)
	{
		int32_t subtree = pair->a.subtree_of[mapper->left_a[i]];
		int32_t j = mapper->first[subtree];

		if (j < 0 || !(all || ted_json_keeps_equal(pair, subtree)))
			continue;
		mapper->first[subtree] = mapper->next[j];
		pair_places(mapper, i, j);
		saving += 2 * pair->subtrees[subtree].size;
	}
	for (int32_t j = 0; j < mapper->count_b; j++)
		mapper->first[mapper->key[j]] = -1;
	leave_paired_out(mapper);
	return saving;
}

/*
 * Sorts the unpaired children by label.  Labels that only one document has are -1 or -2, so keys
 * are labels plus 2.  Returns NULL if the callback asked to stop.
 */
static const int32_t *
sort_by_label(Mapper *mapper, const int32_t *subtree_of, const int32_t *left, int32_t count,
			  int32_t *sorted, int32_t *other)
{
	for (int32_t i = 0; i < count; i++)
		mapper->key[i] = mapper->pair->subtrees[subtree_of[left[i]]].label + 2;
	return ted_sort_nodes(mapper->key, count, sorted, other, mapper->interrupt);
}

/* Pairs children with equal labels. */
static TedStatus
pair_by_label(Mapper *mapper)
{
	const TedJsonPair *pair = mapper->pair;
	const int32_t *by_label_a =
		sort_by_label(mapper, pair->a.subtree_of, mapper->left_a, mapper->count_a,
					  mapper->sorted[0], mapper->sorted[1]);
	const int32_t *by_label_b =
		sort_by_label(mapper, pair->b.subtree_of, mapper->left_b, mapper->count_b,
					  mapper->sorted[2], mapper->sorted[3]);

	if (by_label_a == NULL || by_label_b == NULL)
		return TED_CANCELLED;
	for (int32_t i = 0, j = 0; i < mapper->count_a && j < mapper->count_b;)
	{
		int32_t label_a = subtree_of_a(mapper, mapper->left_a[by_label_a[i]])->label;
		int32_t label_b = subtree_of_b(mapper, mapper->left_b[by_label_b[j]])->label;

		if (label_a == label_b)
			pair_places(mapper, by_label_a[i++], by_label_b[j++]);
		else if (label_a < label_b)
			i++;
		else
			j++;
	}
	leave_paired_out(mapper);
	return TED_OK;
}

/* Pairs the unpaired children one by one. */
static void
pair_in_turn(Mapper *mapper)
{
	int32_t both = ted_min(mapper->count_a, mapper->count_b);

	for (int32_t i = 0; i < both; i++)
		pair_places(mapper, i, i);
	leave_paired_out(mapper);
}

/* Pairs equal elements at the beginnings and the ends of two arrays; returns the saving. */
static int32_t
pair_ends(Mapper *mapper)
{
	const TedJsonPair *pair = mapper->pair;
	int32_t saving = 0;
	int32_t begin = 0;
	int32_t end_a = mapper->count_a;
	int32_t end_b = mapper->count_b;

	for (; begin < ted_min(end_a, end_b); begin++)
	{
		int32_t subtree = pair->a.subtree_of[mapper->left_a[begin]];

		if (subtree != pair->b.subtree_of[mapper->left_b[begin]])
			break;
		saving += 2 * pair->subtrees[subtree].size;
		pair_places(mapper, begin, begin);
	}
	for (; begin < ted_min(end_a, end_b); end_a--, end_b--)
	{
		int32_t subtree = pair->a.subtree_of[mapper->left_a[end_a - 1]];

		if (subtree != pair->b.subtree_of[mapper->left_b[end_b - 1]])
			break;
		saving += 2 * pair->subtrees[subtree].size;
		pair_places(mapper, end_a - 1, end_b - 1);
	}
	leave_paired_out(mapper);
	return saving;
}

/* Pairs the elements of two arrays in order, and computes the saving. */
static TedStatus
pair_elements(Mapper *mapper, int32_t *saving)
{
	int32_t *aligned = mapper->table->assignment.weight; /* [count_a + 1][count_b + 1]: savings of
														  * suffixes */
	int32_t count_a;
	int32_t count_b;
	size_t width;

	*saving = mapper->pair->costs == NULL ? pair_ends(mapper) : 0;
	count_a = mapper->count_a;
	count_b = mapper->count_b;
	width = (size_t) count_b + 1;
	for (int32_t j = 0; j <= count_b; j++)
		aligned[(size_t) count_a * width + (size_t) j] = 0;
	for (int32_t i = count_a - 1; i >= 0; i--)
	{
		int32_t *row = aligned + (size_t) i * width;

		row[count_b] = 0;
		for (int32_t j = count_b - 1; j >= 0; j--)
			row[j] = ted_max(ted_max(row[j + 1], row[width + (size_t) j]),
							 row[width + (size_t) j + 1] +
								 tree_saving(mapper, mapper->left_a[i], mapper->left_b[j]));
		if (interrupted(mapper, count_b))
			return TED_CANCELLED;
	}
	*saving += aligned[0];
	for (int32_t i = 0, j = 0; i < count_a && j < count_b;)
	{
		const int32_t *here = aligned + (size_t) i * width + (size_t) j;
		int32_t both = tree_saving(mapper, mapper->left_a[i], mapper->left_b[j]);

		if (*here == here[width + 1] + both &&
			(both > 0 || mapper->pair->a.subtree_of[mapper->left_a[i]] ==
							 mapper->pair->b.subtree_of[mapper->left_b[j]]))
			pair_places(mapper, i++, j++);
		else if (*here == here[width])
			i++;
		else
			j++;
	}
	leave_paired_out(mapper);
	return TED_OK;
}

/* Pairs the unpaired children by an assignment, and computes the saving. */
static TedStatus
assign_children(Mapper *mapper, int32_t *saving)
{
	TedAssignment *assignment = &mapper->table->assignment;
	bool turned = mapper->count_a > mapper->count_b;
	int32_t *label_a = mapper->key;
	int32_t *label_b = mapper->sorted[0];
	int32_t sum;

	*saving = 0;
	if (mapper->count_a == 0 || mapper->count_b == 0)
		return TED_OK;
	assignment->rows = ted_min(mapper->count_a, mapper->count_b);
	assignment->columns = ted_max(mapper->count_a, mapper->count_b);
	for (int32_t i = 0; i < mapper->count_a; i++)
	{
		for (int32_t j = 0; j < mapper->count_b; j++)
			assignment->weight[turned ? (size_t) j * (size_t) mapper->count_a + (size_t) i
									  : (size_t) i * (size_t) mapper->count_b + (size_t) j] =
				tree_saving(mapper, mapper->left_a[i], mapper->left_b[j]);
		if (interrupted(mapper, mapper->count_b))
			return TED_CANCELLED;
	}
	for (int32_t i = 0; i < mapper->count_a; i++)
		label_a[i] = subtree_of_a(mapper, mapper->left_a[i])->label;
	for (int32_t j = 0; j < mapper->count_b; j++)
		label_b[j] = subtree_of_b(mapper, mapper->left_b[j])->label;
	if (ted_assignment(assignment, -1, mapper->interrupt, &mapper->steps, &sum) != TED_OK ||
		ted_assignment_prefer(assignment, turned ? label_b : label_a, turned ? label_a : label_b,
							  mapper->interrupt, &mapper->steps) != TED_OK)
		return TED_CANCELLED;
	*saving = sum;
	for (int32_t column = 0; column < assignment->columns; column++)
	{
		int32_t row = assignment->partner[column];

		if (row >= 0 &&
			assignment->weight[(size_t) row * (size_t) assignment->columns + (size_t) column] > 0)
			pair_places(mapper, turned ? column : row, turned ? row : column);
	}
	leave_paired_out(mapper);
	return TED_OK;
}

/* Pairs unordered children, and computes the saving. */
static TedStatus
pair_members(Mapper *mapper, int32_t *saving)
{
	int32_t equal = mapper->pair->costs == NULL ? pair_equal_children(mapper, false) : 0;

	if (assign_children(mapper, saving) != TED_OK)
		return TED_CANCELLED;
	*saving += equal;
	return mapper->pair->costs == NULL ? TED_OK : pair_by_label(mapper); /* saves nothing, but maps
																		  * equal labels */
}

/* Pairs the children of two nodes where each node keeps its level. */
static TedStatus
pair_simply(Mapper *mapper, bool arrays)
{
	if (arrays)
		pair_ends(mapper);
	else
	{
		pair_equal_children(mapper, true);
		if (pair_by_label(mapper) != TED_OK)
			return TED_CANCELLED;
	}
	pair_in_turn(mapper);
	return TED_OK;
}

/*
 * Adds the task of a child of either node whose tree, or forest, has the same saving; false if
 * none.
 */
static bool
go_down(Mapper *mapper, const Task *task, int32_t saving)
{
	int32_t (*saved)(const Mapper *, int32_t, int32_t) =
		task->forests ? forest_saving : tree_saving;

	for (int32_t i = 0; i < mapper->count_a; i++)
		if (saved(mapper, mapper->left_a[i], task->y) == saving)
		{
			add_task(mapper, mapper->left_a[i], task->y, task->forests);
			return true;
		}
	for (int32_t j = 0; j < mapper->count_b; j++)
		if (saved(mapper, task->x, mapper->left_b[j]) == saving)
		{
			add_task(mapper, task->x, mapper->left_b[j], task->forests);
			return true;
		}
	return false;
}

/* Lists the children of the nodes of a task. */
static void
list_both(Mapper *mapper, const Task *task)
{
	mapper->count_a = list_children(mapper->a, task->x, mapper->left_a);
	mapper->count_b = list_children(mapper->b, task->y, mapper->left_b);
}

/* Maps the forests below two nodes. */
static TedStatus
map_forests(Mapper *mapper, const Task *task)
{
	bool arrays = subtree_of_a(mapper, task->x)->kind == TED_JSON_ARRAY &&
				  subtree_of_b(mapper, task->y)->kind == TED_JSON_ARRAY;
	int32_t tasks = mapper->task_count;
	int32_t wanted;
	int32_t saving;

	if (mapper->table == NULL)
		return pair_simply(mapper, arrays);
	wanted = forest_saving(mapper, task->x, task->y);
	if (wanted == 0 && mapper->pair->costs == NULL)
		return TED_OK;
	if ((arrays ? pair_elements(mapper, &saving) : pair_members(mapper, &saving)) != TED_OK)
		return TED_CANCELLED;
	if (saving == wanted)
		return TED_OK;
	mapper->task_count = tasks;
	list_both(mapper, task);
	go_down(mapper, &(Task){task->x, task->y, true}, wanted);
	return TED_OK;
}

/* Maps two nodes to each other. */
static void
map_roots(Mapper *mapper, const Task *task, int32_t saving)
{
	mapper->map_a[task->x] = task->y;
	mapper->map_b[task->y] = task->x;
	mapper->saving += saving;
}

/* Maps two subtrees. */
static TedStatus
map_trees(Mapper *mapper, const Task *task)
{
	const TedJsonSubtree *a = subtree_of_a(mapper, task->x);
	const TedJsonSubtree *b = subtree_of_b(mapper, task->y);
	int32_t roots = ted_json_root_saving(mapper->pair, a, b);
	bool maps = roots > 0 || a->label == b->label;

	if (a == b)
	{
		map_roots(mapper, task, roots);
		pair_equal_children(mapper, true);
		return TED_OK;
	}
	if (mapper->table != NULL)
	{
		int32_t saving = tree_saving(mapper, task->x, task->y);

		if (maps && saving != forest_saving(mapper, task->x, task->y) + roots)
			maps = false;
		if (!maps && (saving == 0 || go_down(mapper, task, saving)))
			return TED_OK;
	}
	if (maps)
		map_roots(mapper, task, roots);
	return map_forests(mapper, task);
}

/* Maps all nodes of two documents. */
static TedStatus
map_documents(Mapper *mapper, const TedInterrupt *interrupt)
{
	const TedJsonPair *pair = mapper->pair;

	mapper->interrupt = interrupt;
	for (int32_t x = 0; x < pair->a.size; x++)
		mapper->map_a[x] = -1;
	for (int32_t y = 0; y < pair->b.size; y++)
		mapper->map_b[y] = -1;
	for (int32_t i = 0; i < pair->a.size + pair->b.size; i++)
		mapper->first[i] = -1;
	add_task(mapper, pair->a.size - 1, pair->b.size - 1, false);
	while (mapper->task_count > 0)
	{
		Task task = mapper->tasks[--mapper->task_count];

		list_both(mapper, &task);
		if (interrupted(mapper, 1 + mapper->count_a + mapper->count_b) ||
			(task.forests ? map_forests : map_trees)(mapper, &task) != TED_OK)
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Computes a mapping whose cost is the distance. */
TedStatus
ted_json_mapping(const TedJsonPair *pair, const TedTree *a, const TedTree *b, TedArena *arena,
				 const TedInterrupt *interrupt, int32_t *map_a, int32_t *map_b)
{
	TedJsonTable table;
	Mapper mapper = take_mapper(pair, arena, &table);

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	mapper.a = a;
	mapper.b = b;
	mapper.map_a = map_a;
	mapper.map_b = map_b;
	if (ted_json_fill(&table, interrupt) != TED_OK)
		return TED_CANCELLED;
	return map_documents(&mapper, interrupt);
}

/* Computes a mapping in which each node keeps its level, and whether it costs the lower bound. */
TedStatus
ted_json_simple_mapping(const TedJsonPair *pair, const TedTree *a, const TedTree *b,
						TedArena *arena, const TedInterrupt *interrupt, int32_t *map_a,
						int32_t *map_b, bool *is_optimal)
{
	Mapper mapper = take_mapper(pair, arena, NULL);

	if (ted_arena_exceeded(arena))
		return TED_OUT_OF_ARENA;
	mapper.a = a;
	mapper.b = b;
	mapper.map_a = map_a;
	mapper.map_b = map_b;
	if (map_documents(&mapper, interrupt) != TED_OK)
		return TED_CANCELLED;
	*is_optimal = pair->total - mapper.saving == pair->lower;
	return TED_OK;
}
