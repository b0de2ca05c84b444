/*
 * cost_model.h
 *	  Costs of edit operations by label: cost models, the values of the type tree_costs.
 *
 * A cost model has terms for all nodes, and rules for the nodes that a pattern selects.  A
 * pattern that selects a key, an attribute or an element by a name or a star also reaches
 * its value: the literal, the value or the texts directly below it.  The rule's measures of
 * texts and numbers apply there and not to the node itself.  Each term of a node comes from
 * the most specific rule with this term that applies to it.
 */
#ifndef TED_COST_MODEL_H
#define TED_COST_MODEL_H

#include "postgres.h"

#include "../../core/tree/label_traits.h"
#include "../convert/path_pattern.h"

/* How two labels that are numbers are compared: as labels, by value, or by their difference. */
typedef enum NumberMeasure
{
	NUMBERS_EXACT,
	NUMBERS_VALUE,
	NUMBERS_RELATIVE
} NumberMeasure;

/* Whether elements of arrays have an order. */
typedef enum ArrayOrder
{
	ARRAYS_ORDERED,
	ARRAYS_UNORDERED
} ArrayOrder;

/* The value of a term that a rule does not set. */
#define NO_TERM (-1)

/* Costs in cost models are in thousandths. */
#define COST_SCALE 1000

/* The greatest cost, in units of 1, except for TED_NEVER_RENAMED. */
#define GREATEST_COST 100000

/* The terms of a cost model or a rule. */
typedef struct CostTerms
{
	int32 insert;
	int32 delete_;
	int32 rename;
	int texts;        /* a TedTextMeasure */
	int numbers;      /* a NumberMeasure */
	int ignored;      /* 1: the selected nodes and all nodes below them cost nothing */
	float8 tolerance; /* numbers that differ by no more than this are the same */
	float8 relative;  /* the same, as a part of the larger absolute value */
	int unordered;    /* 1: the children of arrays and elements have no order */
} CostTerms;

#define NO_TERMS                                                                                   \
	((CostTerms){NO_TERM, NO_TERM, NO_TERM, NO_TERM, NO_TERM, NO_TERM, NO_TERM, NO_TERM, NO_TERM})

/* A rule: terms for the nodes that a pattern selects, and that match an expression. */
typedef struct CostRule
{
	PathPattern pattern;
	text *matches; /* regular expression, of values and texts; NULL for nodes of any kind */
	CostTerms terms;
	bool is_key; /* the selected nodes are the keys of elements of arrays, see ElementOfKey() */
} CostRule;

/* The forms of rules by their patterns, in the order in which a cost model keeps rules. */
typedef enum RuleForm
{
	RULE_ALL,
	RULE_ANY,       /* one step from anywhere: a star; all values that match an expression */
	RULE_KIND,      /* one step from anywhere: a kind */
	RULE_BEGINNING, /* one step from anywhere: the beginning of a name */
	RULE_NAME,      /* one step from anywhere: a name */
	RULE_PATH,      /* all other patterns */
	RULE_FORMS
} RuleForm;

/*
 * A cost model.  If some nodes are compared as numbers, all labels that are equal numbers
 * are equal, wherever they are.  Otherwise equality would not be transitive.
 */
typedef struct CostModel
{
	CostTerms terms; /* terms of all nodes */
	CostRule *rules; /* in the order of their patterns */
	int count;
	int capacity;
	Size bytes;                /* memory of the rules' patterns */
	int begin[RULE_FORMS + 1]; /* index of the first rule of each form */
	bool by_path;              /* costs depend on ancestors, not only on labels and kinds */
	bool equates_numbers;      /* labels that are equal numbers are equal */
	int32 scale;               /* units per cost of 1; all costs are whole numbers of units */
	int arrays;                /* an ArrayOrder */
	bool has_keys;             /* some rules select keys of elements of arrays */
	bool has_unordered;        /* children of some nodes have no order */
	bool is_checked;           /* WarnOfUnusedPatterns() has checked it */
	bool looks_foreign;        /* some pattern does, see path_pattern.h */
	int trees_read;            /* by CheckForeignPatterns() */
	bool is_shown;             /* messages may have its patterns, see messages.h */
} CostModel;

/* Makes a cost model of unit costs, in the current memory context. */
extern CostModel *CostModelCreate(void);

/*
 * Reads a regular expression for the `matches` of a rule.  If it is invalid, raises an error, or
 * reports it to `context`, if that is not NULL, and returns false.
 */
extern bool ReadCostExpression(Label expression, text **matches, Node *context);

/*
 * Adds a rule.  The model keeps references to the rule's pattern and expression, which take `bytes`
 * of memory.
 */
extern void CostModelAdd(CostModel *model, const CostRule *rule, Size bytes);

/*
 * Sorts the rules, once all have been added.  Two rules with the same pattern are an error,
 * as are rules that ignore all nodes; it is reported to `context`, if that is not NULL, and
 * then the result is false.
 */
extern bool CostModelFinish(CostModel *model, Node *context);

/*
 * Returns the terms that apply to a node.  Unless the cost model is by path, the node's
 * ancestors need not be in `nodes`.
 */
extern CostTerms CostModelTerms(const CostModel *model, const PathNode *nodes, int32 node);

/*
 * Returns the element of an array whose key a node is by a rule, or -1.  The steps of the pattern
 * after the last star lead from an element to its key.
 */
extern int32 ElementOfKey(const CostRule *rule, const PathNode *nodes, int32 node);

/* Whether insertions and deletions cost the same, so that distances are symmetric. */
extern bool CostModelIsSymmetric(const CostModel *model);

/* Whether some nodes cost more to rename than to delete and insert; sets a rule for such nodes. */
extern bool CostModelHasIdleRenames(const CostModel *model, CostRule *rule);

/* Costs of inserting and of deleting a node, in units. */
typedef struct NodeCosts
{
	int32 insert;
	int32 delete_;
} NodeCosts;

/* Sets lower and upper bounds on the costs of a node. */
extern void CostModelBounds(const CostModel *model, NodeCosts *least, NodeCosts *most);

/* Whether numbers of some nodes are the same if they differ little. */
static inline bool
HasTolerance(const CostTerms *terms)
{
	return terms->tolerance > 0 || terms->relative > 0;
}

/* Whether some numbers are the same if they differ little. */
extern bool CostModelHasTolerance(const CostModel *model);

/* Whether some labels are compared as texts or as numbers. */
extern bool CostModelIsGraded(const CostModel *model);

/* Lower bounds on the costs of operations on a node that is not ignored, in units. */
typedef struct OperationCosts
{
	int32 insert;
	int32 delete_;
	int32 rename; /* without graded labels */
} OperationCosts;

/* Returns lower bounds on the costs of operations on a node that is not ignored. */
extern OperationCosts CostModelLeastCosts(const CostModel *model);

/* Returns the least cost of all operations on nodes that are not ignored, in units. */
extern int32 CostModelLeastCost(const CostModel *model);

/* Whether all nodes have the same costs, and whether these costs are also 1. */
extern bool CostModelIsUniform(const CostModel *model);
extern bool CostModelIsUnit(const CostModel *model);

/* Whether some nodes are ignored. */
extern bool CostModelIgnores(const CostModel *model);

/*
 * Returns the cost model with the costs of insertion and deletion exchanged: its distance
 * from b to a is the distance from a to b of the original.
 */
extern CostModel *CostModelTransposed(const CostModel *model);

#endif /* TED_COST_MODEL_H */
