/*
 * cost_model.h
 *	  What edit operations cost by label: the type tree_costs.
 *
 * A model has terms for all nodes, and rules for those that a pattern selects.  A
 * pattern that selects a key, an attribute or an element by a name or a star reaches
 * its value, too: the literal, the value or the texts directly below it; there, and
 * not above, the rule's texts and numbers are compared.  Of what applies to a node, each
 * term is taken from the rule that is the most specific of those that have it.
 */
#ifndef TED_COST_MODEL_H
#define TED_COST_MODEL_H

#include "postgres.h"

#include "utils/jsonb.h"

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

/* A term that a rule does not have. */
#define NO_TERM (-1)

/* Costs are in thousandths. */
#define COST_SCALE 1000

/* The greatest cost, but for TED_NEVER_RENAMED. */
#define GREATEST_COST 100000

/* The terms of a model or a rule. */
typedef struct CostTerms
{
	int32 insert;
	int32 delete_;
	int32 rename;
	int texts;   /* a TedTextMeasure */
	int numbers; /* a NumberMeasure */
	int ignored; /* 1: nodes and all that is below them cost nothing */
} CostTerms;

#define NO_TERMS ((CostTerms){NO_TERM, NO_TERM, NO_TERM, NO_TERM, NO_TERM, NO_TERM})

typedef struct CostRule
{
	PathPattern pattern;
	CostTerms terms;
} CostRule;

/* The forms of rules by their patterns, in the order in which rules are kept. */
typedef enum RuleForm
{
	RULE_ALL,
	RULE_ANY,       /* one step from anywhere: a star */
	RULE_KIND,      /* the same with a kind */
	RULE_BEGINNING, /* the same with the beginning of a name */
	RULE_NAME,      /* the same with a name */
	RULE_PATH,      /* others */
	RULE_FORMS
} RuleForm;

/*
 * A model.  Labels that are equal numbers are equal, wherever they are, as soon as some nodes
 * are compared as numbers, since a label that equals two others makes these equal.
 */
typedef struct CostModel
{
	CostTerms terms; /* of all nodes */
	CostRule *rules; /* in the order of their patterns */
	int count;
	int capacity;
	Size bytes;                /* of the rules' patterns */
	int begin[RULE_FORMS + 1]; /* by form: its first rule */
	bool by_path;              /* more counts than labels and kinds: what is above a node */
	bool equates_numbers;      /* labels that are equal numbers are equal */
	int32 scale;               /* units in 1: costs are whole numbers of units */
	int arrays;                /* an ArrayOrder */
	bool is_checked;           /* WarnOfUnusedPatterns() has looked at it */
} CostModel;

/* A model of unit costs, in the current memory context. */
extern CostModel *CostModelCreate(void);

/* Takes a rule; its pattern, of this number of bytes in memory, stays the caller's. */
extern void CostModelAdd(CostModel *model, const CostRule *rule, Size bytes);

/*
 * Puts the rules in order, once all are there.  Two of the same pattern are an error,
 * which is reported to `context` if it is there: then the result is false.
 */
extern bool CostModelFinish(CostModel *model, Node *context);

/*
 * The terms that apply to a node.  If the model is not by path, the nodes above need not be
 * there.
 */
extern CostTerms CostModelTerms(const CostModel *model, const PathNode *nodes, int32 node);

/* Whether insertions and deletions cost the same, so that distances are the same both ways. */
extern bool CostModelIsSymmetric(const CostModel *model);

/* Whether renaming some nodes costs more than deleting and inserting them; a rule of these. */
extern bool CostModelHasIdleRenames(const CostModel *model, CostRule *rule);

/* Costs of inserting and of deleting a node, in units. */
typedef struct NodeCosts
{
	int32 insert;
	int32 delete_;
} NodeCosts;

/* Lower and upper bounds on the costs of a node. */
extern void CostModelBounds(const CostModel *model, NodeCosts *least, NodeCosts *most);

/* Lower bounds on the costs of a node that is not ignored. */
extern NodeCosts CostModelLeastNode(const CostModel *model);

/* Whether the texts or numbers of some labels are compared. */
extern bool CostModelIsGraded(const CostModel *model);

/* Lower bounds on the costs of operations on a node that is not ignored, in units. */
typedef struct OperationCosts
{
	int32 insert;
	int32 delete_;
	int32 rename; /* but for graded labels */
} OperationCosts;

extern OperationCosts CostModelLeastCosts(const CostModel *model);

/* The least of these. */
extern int32 CostModelLeastCost(const CostModel *model);

/* Whether the same costs hold for all nodes, and whether these are 1. */
extern bool CostModelIsUniform(const CostModel *model);
extern bool CostModelIsUnit(const CostModel *model);

/* Whether some nodes are ignored. */
extern bool CostModelIgnores(const CostModel *model);

/* The model by which the distance from b to a is the one from a to b by this one. */
extern CostModel *CostModelTransposed(const CostModel *model);

#endif /* TED_COST_MODEL_H */
