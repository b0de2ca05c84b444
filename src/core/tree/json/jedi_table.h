/*
 * jedi_table.h
 *	  The table for the edit distance of two JSON documents (jedi.c).
 *
 * It has a row for each subtree of a and a column for each of b, in the order of TedJsonSide.  A
 * cell holds the saving of mapping two subtrees to each other, and that of mapping the forests
 * below their roots.
 */
#ifndef TED_JEDI_TABLE_H
#define TED_JEDI_TABLE_H

#include "assignment.h"
#include "jedi.h"

/* The columns of a row. */
typedef struct TedJsonRow
{
	int32_t first;
	int32_t end;
	size_t cells; /* number of cells in the rows before */
} TedJsonRow;

/* The table, and scratch memory. */
typedef struct TedJsonTable
{
	const TedJsonPair *pair;
	int32_t limit;
	TedJsonRow *rows; /* by index in pair->a.subtrees */
	int32_t *tree;    /* savings of subtrees, row by row */
	int32_t *forest;  /* savings of the forests below their roots */
	int32_t *left_a;  /* unordered children without an equal partner */
	int32_t *left_b;
	int32_t *aligned; /* by number of elements of b: saving of aligning them with the elements of a
					   * so far */
	TedAssignment assignment;
	int64_t steps;
	const TedInterrupt *interrupt;
} TedJsonTable;

/* Allocates the arrays for the pairs of subtrees that a limit, or the upper bound, allows. */
extern TedJsonTable ted_json_table(const TedJsonPair *pair, int32_t limit, TedArena *arena);

/* Fills the table. */
extern TedStatus ted_json_fill(TedJsonTable *table, const TedInterrupt *interrupt);

/* Returns the row of a subtree of a. */
static inline const TedJsonRow *
ted_json_row(const TedJsonTable *table, int32_t subtree)
{
	return &table->rows[table->pair->a.place[subtree]];
}

/*
 * Returns the saving, in an array of savings, of the subtree of a row and a subtree of b; 0 outside
 * the row.
 */
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
 * Whether it is optimal to map this unordered child to an equal one.  With operations of cost 1 it
 * is, except in one case: other partners x and y of the two children are farther from each other
 * than from both children together.  This can be where x and y have arrays of the same elements in
 * different orders, and the child is an object with these elements as its members.
 */
static inline bool
ted_json_keeps_equal(const TedJsonPair *pair, int32_t subtree)
{
	return pair->costs == NULL && (!pair->reorders || pair->subtrees[subtree].in_order);
}

#endif /* TED_JEDI_TABLE_H */
