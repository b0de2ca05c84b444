/*
 * grade_bound.h
 *	  A lower bound of the distance by the characters of labels, for graded costs.
 *
 * Renaming a label to another one that is graded in the same way costs a part of
 * what renaming costs otherwise: by how much their characters differ.  Before any two
 * labels are compared, the lengths of both and how often they have which characters
 * say how little that can be.
 */
#ifndef TED_CORE_TREE_GRADE_BOUND_H
#define TED_CORE_TREE_GRADE_BOUND_H

#include "ted.h"

/* How labels are compared. */
typedef enum TedGrade
{
	TED_NOT_GRADED,
	TED_GRADED_BY_LCS,         /* deleted and inserted characters, by the sum of the lengths */
	TED_GRADED_BY_LEVENSHTEIN, /* the Levenshtein distance, by the larger length */
	TED_GRADED_IN_NO_WAY       /* renaming it, or to it, may cost nothing */
} TedGrade;

/* Classes of characters. */
#define TED_CHARACTER_CLASSES 16

/* What is known of a label. */
typedef struct TedLabelProfile
{
	uint8_t count[TED_CHARACTER_CLASSES]; /* characters by class, up to 255 */
	int32_t length;
	int32_t rename; /* the cost that is graded; that of two labels is the larger one of theirs,
					 * and INT32_MAX more than deleting and inserting them */
	uint8_t grade;  /* a TedGrade */
	bool is_number; /* two of these are graded by a function that is fast */
	int32_t nodes;  /* that have it, of those that say what is rare */
} TedLabelProfile;

/* Counts the characters of a label. */
extern void ted_profile_characters(const uint32_t *character, int32_t length,
								   TedLabelProfile *profile);

/* A node and its label. */
typedef struct TedGradedNode
{
	int32_t node;
	int32_t label;
} TedGradedNode;

/* The nodes of a tree that are graded. */
typedef struct TedGradedNodes
{
	int32_t size; /* of the tree */
	int32_t count;
	int32_t rare;                 /* how many have a label that few nodes have */
	const TedGradedNode *graded;  /* in their order */
	const TedGradedNode *by_rank; /* those with rare labels in their order, then the others */
} TedGradedNodes;

/*
 * Whether the distance is above a limit for sure, by what the graded nodes of the smaller
 * tree cost at least, rare ones first: to be deleted or inserted, or renamed to one of the
 * nodes of the other tree whose postorder number differs by no more than the limit pays for
 * (Touzet, CPM 2005); and by the difference of sizes.  Requires ted_costs_fit() and
 * limit >= 0.
 */
extern TedStatus ted_grades_exceed(const TedGradedNodes *a, const TedGradedNodes *b,
								   const TedCosts *costs, const TedLabelProfile *profiles,
								   int32_t limit, const TedInterrupt *interrupt, int64_t *steps,
								   bool *exceed);

#endif /* TED_CORE_TREE_GRADE_BOUND_H */
