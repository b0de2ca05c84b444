/*
 * jedi_table.h
 *	  The table of the edit distance of two JSON documents (jedi.c).
 *
 * It has a row for each subtree of a and a column for each of b, in the order of
 * TedJsonSide.  A cell holds what mapping two subtrees saves, and what mapping the
 * forests below their roots saves.
 */
#ifndef TED_JEDI_TABLE_H
#define TED_JEDI_TABLE_H

#include "assignment.h"
#include "jedi.h"

/* Columns of the table that a row has. */
typedef struct TedJsonRow
{
	int32_t first;
	int32_t end;
	size_t cells; /* in the rows before */
} TedJsonRow;

typedef struct TedJsonTable
{
	const TedJsonPair *pair;
	int32_t limit;
	TedJsonRow *rows; /* by place of a subtree of a */
	int32_t *tree;    /* savings of subtrees, row by row */
	int32_t *forest;  /* savings of the forests below */
	int32_t *left_a;  /* children that have no equal partner */
	int32_t *left_b;
	int32_t *aligned; /* savings of the first elements of one array and all so far of another */
	TedAssignment assignment;
	int64_t steps;
	const TedInterrupt *interrupt;
} TedJsonTable;

/* Takes the arrays for the pairs of subtrees that a limit, or the upper bound, allows. */
extern TedJsonTable ted_json_table(const TedJsonPair *pair, int32_t limit, TedArena *arena);

/* Fills the table. */
extern TedStatus ted_json_fill(TedJsonTable *table, const TedInterrupt *interrupt);

/* The row of a subtree. */
static inline const TedJsonRow *
ted_json_row(const TedJsonTable *table, int32_t subtree)
{
	return &table->rows[table->pair->a.place[subtree]];
}

/* Of savings, those of the subtree of a row and another one; 0 outside the row. */
static inline int32_t
ted_json_saving(const TedJsonTable *table, const int32_t *savings, const TedJsonRow *row,
				int32_t subtree)
{
	int32_t column = table->pair->b.place[subtree];

	return column >= row->first && column < row->end
			   ? savings[row->cells + (size_t) (column - row->first)]
			   : 0;
}

/*
 * Whether it is best to map this subtree to one that is equal to it, among unordered
 * ones.  It is where operations cost 1, unless other partners x and y of the two are
 * farther from each other than both are from them together.  That can be where x and y
 * have arrays of the same elements in different orders, and the subtree an object with
 * these as its members.
 */
static inline bool
ted_json_keeps_equal(const TedJsonPair *pair, int32_t subtree)
{
	return pair->costs == NULL && (!pair->reorders || pair->subtrees[subtree].in_order);
}

#endif /* TED_JEDI_TABLE_H */
