/*
 * vector_tables_template.h
 *	  Fills the tables by vectors, for any kind of vector.
 *
 * The file that includes this defines FILL_TABLES (the name of the function) and the macros that
 * vectors.h requires before, and v_rename(), v_near() and v_pick() afterwards.
 */
#include <string.h>

#include "../../common/vectors.h"
#include "vector_tables.h"

/* Lanes that copy_short() copies, and of which store_path_short() stores some. */
#define SHORT_LANES (LANES < TED_SHORT_LANES ? LANES : TED_SHORT_LANES)

/* Returns `same` in lanes whose label equals `label`, else `other`. */
TARGET static inline Vec v_rename(const int32_t *labels, int32_t label, Vec same, Vec other);

/*
 * v_near() loads positions of lanes in two consecutive vectors; v_pick() selects the numbers at
 * these positions.
 */
TARGET static inline Vec v_near(const int16_t *near);
TARGET static inline Vec v_pick(Vec before, Vec own, Vec near);

/* Returns the prefix minimum: in each lane, the least number of that lane and those before it. */
TARGET static inline Vec
v_scan(Vec v)
{
	v = v_min(v, v_up(v, 0));
	v = v_min(v, v_up(v, 1));
	if (LANES > 4)
		v = v_min(v, v_up(v, 2));
	if (LANES > 8)
		v = v_min(v, v_up(v, 3));
	if (LANES > 16)
		v = v_min(v, v_up(v, 4));
	return v;
}

/* Returns the prefix minimum within each table. */
TARGET static inline Vec
v_scan_within(Vec v, const uint32_t *reach)
{
	v = v_mix(v, v_min(v, v_up(v, 0)), reach[0]);
	v = v_mix(v, v_min(v, v_up(v, 1)), reach[1]);
	if (LANES > 4)
		v = v_mix(v, v_min(v, v_up(v, 2)), reach[2]);
	if (LANES > 8)
		v = v_mix(v, v_min(v, v_up(v, 3)), reach[3]);
	if (LANES > 16)
		v = v_mix(v, v_min(v, v_up(v, 4)), reach[4]);
	return v;
}

/* Copies the numbers of a short piece. */
TARGET static inline void
copy_short(NUMBER *to, const NUMBER *from)
{
	memcpy(to, from, SHORT_LANES * sizeof(NUMBER));
}

#if VECTOR_BYTES == 64

/* Stores the lanes of a mask. */
TARGET static inline void
v_store_path(NUMBER *p, uint32_t path, Vec v)
{
	if (NUMBER_BITS == 16)
		_mm512_mask_storeu_epi16(p, path, (__m512i) v);
	else
		_mm512_mask_storeu_epi32(p, (__mmask16) path, (__m512i) v);
}

/* Stores the lanes of a mask, from a short piece in memory. */
TARGET static inline void
store_path_short(NUMBER *to, uint32_t path, const NUMBER *from)
{
	if (NUMBER_BITS == 16)
		_mm_mask_storeu_epi16(to, (__mmask8) path, _mm_loadu_si128((const __m128i_u *) from));
	else
		_mm256_mask_storeu_epi32(to, (__mmask8) path, _mm256_loadu_si256((const __m256i_u *) from));
}

#else

/* Stores the lanes of a mask. */
TARGET static inline void
v_store_path(NUMBER *p, uint32_t path, Vec v)
{
	v_store(p, v_mix(v_load(p), v, path));
}

/*
 * Stores the lanes of a mask, from a short piece in memory.  It copies number by number, as a load
 * of a vector of which a part was just stored would stall.
 */
TARGET static inline void
store_path_short(NUMBER *to, uint32_t path, const NUMBER *from)
{
	for (; path != 0; path &= path - 1)
	{
		int lane = __builtin_ctz(path);

		to[lane] = from[lane];
	}
}

#endif

/* The levels and columns of a part. */
typedef struct Part
{
	const TedLevel *from;
	const TedLevel *to;
	int32_t begin;
	int32_t end;
} Part;

/* Returns the part with this number. */
static inline Part
part_of(const TedColumns *columns, int32_t number)
{
	const TedLevel *from = &columns->levels[columns->parts[number]];
	const TedLevel *to = &columns->levels[columns->parts[number + 1]];

	return (Part){.from = from, .to = to, .begin = from->block * LANES, .end = to->block * LANES};
}

/* Gathers the numbers of a row at the sources of all columns of a part. */
TARGET static void
gather_row(const TedColumns *columns, const Part *part, const NUMBER *row, NUMBER *gathered)
{
	Vec before = v_set(0);

	for (int32_t c = part->begin; c < part->end; c += LANES)
	{
		Vec own = v_load(row + c);

		v_store(gathered + c, v_pick(before, own, v_near(columns->near + c)));
		before = own;
	}
	for (int32_t i = part->from->far; i < part->to->far; i++)
		gathered[columns->far[i]] = row[columns->source[columns->far[i]]];
}

/* Copies distances from nodes to the columns of some levels. */
TARGET static void
scatter(const TedColumns *columns, const TedLevel *from, const TedLevel *to, const NUMBER *nodes,
		NUMBER *wide)
{
	for (const TedLevel *level = from; level < to; level++)
	{
		const TedPiece *piece = columns->scatter + level[0].scatter;
		const TedPiece *longer = columns->scatter + level[0].scatter_long;
		const TedPiece *end = columns->scatter + level[1].scatter;

		for (; piece < longer; piece++)
			copy_short(wide + piece->column, nodes + piece->node);
		for (; piece < end; piece++)
			v_store(wide + piece->column, v_load(nodes + piece->node));
	}
}

/* Copies the distances that a level has computed from columns to nodes. */
TARGET static void
gather_level(const TedColumns *columns, const TedLevel *level, const NUMBER *row, NUMBER *nodes)
{
	const TedPiece *piece = columns->gather + level[0].gather;
	const TedPiece *longer = columns->gather + level[0].gather_long;
	const TedPiece *end = columns->gather + level[1].gather;

	for (; piece < longer; piece++)
		store_path_short(nodes + piece->node, piece->path, row + piece->column);
	for (; piece < end; piece++)
		v_store_path(nodes + piece->node, piece->path, v_load(row + piece->column));
}

/* Returns the distances of a vector of columns. */
TARGET static inline Vec
column_distances(const TedBlock *block, const NUMBER *nodes, const NUMBER *wide)
{
	return v_load(block->direct == TED_MIXED ? wide : nodes + block->direct);
}

/*
 * Applies insertions, by a prefix minimum.  `carry` has, in all lanes, the least number of the last
 * lane's table before this vector, and is updated.
 */
TARGET static inline Vec
finish(const TedBlock *block, Vec best, Vec empty, Vec *carry)
{
	if (block->start == 0)
	{
		Vec scanned = v_scan(best);

		best = v_min(scanned, *carry);
		*carry = v_min(v_last(scanned), *carry);
	}
	else
	{
		uint32_t before = (block->start & -block->start) - 1;

		best = v_scan_within(v_mix(best, empty, block->start), block->reach);
		best = v_mix(best, v_min(best, *carry), before);
		*carry = v_last(best);
	}
	return best;
}

/* Returns the vector profile of a class of labels of a for a part, and fills it if necessary. */
static const NUMBER *
find_profile(TedVectorTables *tables, const Part *part, int32_t label)
{
	const TedColumns *columns = tables->columns;
	const TedLabelClasses *classes = tables->classes;
	const int32_t *rename = classes->rename + (size_t) label * (size_t) classes->count_b;
	int32_t place = label % tables->profiles;
	NUMBER *profile = (NUMBER *) tables->profile + (size_t) place * (size_t) columns->width;

	if (tables->profile_class[place] == label)
		return profile;
	tables->profile_class[place] = label;
	for (int32_t c = part->begin; c < part->end; c++)
		profile[c] = (NUMBER) rename[columns->label[c]];
	return profile;
}

/* Fills the row of a node on the leftmost path of `root`, and its distances in `nodes`. */
TARGET static void
fill_path_row(TedVectorTables *tables, const Part *part, int32_t label, NUMBER deletion,
			  NUMBER empty_forest, NUMBER *nodes)
{
	const TedColumns *columns = tables->columns;
	const NUMBER *profile = tables->classes == NULL ? NULL : find_profile(tables, part, label);
	Vec delete_ = v_set(deletion);
	Vec empty = v_set(empty_forest);
	Vec same = v_set((NUMBER) -tables->costs.insert);
	Vec other = v_set((NUMBER) (tables->costs.rename - tables->costs.insert));
	const NUMBER *above_row = tables->above;
	NUMBER *current = tables->current;
	NUMBER *wide = tables->wide;

	for (const TedLevel *level = part->from; level < part->to; level++)
	{
		Vec carry = v_set(NUMBER_MAX);

		scatter(columns, level, level + 1, nodes, wide);
		for (int32_t b = level[0].block; b < level[1].block; b++)
		{
			const TedBlock *block = &columns->blocks[b];
			int32_t c = b * LANES;
			const NUMBER *above = above_row + c;
			Vec rename = profile == NULL ? v_rename(columns->label + c, label, same, other)
										 : v_load(profile + c);
			Vec best = v_mix(column_distances(block, nodes, wide + c),
							 v_add(v_load(above - 1), rename), block->path);

			best = v_min(best, v_add(v_load(above), delete_));
			best = finish(block, best, empty, &carry);
			v_store(current + c, best);
			if (block->direct != TED_MIXED)
				v_store_path(nodes + block->direct, block->path, best);
		}
		gather_level(columns, level, current, nodes);
	}
}

/* Fills the row of a node off the path; `beside` is the gathered row from before its subtree. */
TARGET static void
fill_other_row(TedVectorTables *tables, const Part *part, NUMBER deletion, NUMBER empty_forest,
			   const NUMBER *beside, const NUMBER *nodes)
{
	const TedColumns *columns = tables->columns;
	Vec delete_ = v_set(deletion);
	Vec empty = v_set(empty_forest);
	Vec carry = v_set(NUMBER_MAX);
	const NUMBER *above = tables->above;
	NUMBER *current = tables->current;
	NUMBER *wide = tables->wide;

	scatter(columns, part->from, part->to, nodes, wide);
	for (int32_t c = part->begin; c < part->end; c += LANES)
	{
		const TedBlock *block = &columns->blocks[c / LANES];
		Vec best = v_add(v_load(beside + c), column_distances(block, nodes, wide + c));

		best = v_min(best, v_add(v_load(above + c), delete_));
		v_store(current + c, finish(block, best, empty, &carry));
	}
}

/* Fills the tables of one key root of a with the key roots of a part of b. */
TARGET static TedStatus
fill_key_root(TedVectorTables *tables, const Part *part, int32_t root,
			  const TedInterrupt *interrupt, int64_t *steps)
{
	const TedTree *a = tables->a;
	size_t width = (size_t) tables->columns->width;
	int32_t columns = part->end - part->begin;
	int32_t rows = a->subtree_size[root];
	NUMBER *beside = tables->beside; /* the free place on top of the stack of gathered rows */
	NUMBER empty = 0;

	memset((NUMBER *) tables->above + part->begin, 0, sizeof(NUMBER) * (size_t) columns);
	for (int32_t i = 1; i <= rows; i++)
	{
		int32_t x = root - rows + i;
		int32_t label = a->label[x];
		NUMBER deletion = tables->classes == NULL ? (NUMBER) tables->costs.delete_
												  : (NUMBER) tables->classes->delete_[label];
		NUMBER *nodes = (NUMBER *) tables->distance + (size_t) tables->row[x] * tables->stride;
		NUMBER *above = tables->above;

		empty = (NUMBER) (empty + deletion);
		if (a->key_root[x] == root)
			fill_path_row(tables, part, label, deletion, empty, nodes);
		else
		{
			if (a->subtree_size[x] == 1)
			{
				gather_row(tables->columns, part, tables->above, beside);
				beside += width;
			}
			fill_other_row(tables, part, deletion, empty, beside - width, nodes);
			if (a->key_root[x] == x)
				beside -= width;
		}
		tables->above = tables->current;
		tables->current = above;
		if (ted_interrupted(interrupt, steps, columns))
			return TED_CANCELLED;
	}
	return TED_OK;
}

/* Fills the tables of all key roots of a with a part of b. */
TARGET static TedStatus
fill_part(TedVectorTables *tables, const Part *part, const TedInterrupt *interrupt, int64_t *steps)
{
	for (int32_t i = 0; i < tables->profiles; i++)
		tables->profile_class[i] = -1;
	for (int32_t x = 0; x < tables->a->size; x++)
		if (tables->a->key_root[x] == x && tables->first[x] == x &&
			fill_key_root(tables, part, x, interrupt, steps) != TED_OK)
			return TED_CANCELLED;
	return TED_OK;
}

/* Fills the distances of all pairs of subtrees. */
TARGET TedStatus
FILL_TABLES(TedVectorTables *tables, const TedInterrupt *interrupt)
{
	int64_t steps = 0;

	for (int32_t i = 0; i < tables->columns->part_count; i++)
	{
		Part part = part_of(tables->columns, i);

		if (fill_part(tables, &part, interrupt, &steps) != TED_OK)
			return TED_CANCELLED;
	}
	return TED_OK;
}
