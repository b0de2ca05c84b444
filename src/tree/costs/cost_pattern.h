/*
 * cost_pattern.h
 *	  Patterns of cost models: the nodes that a rule applies to.
 */
#ifndef TED_COST_PATTERN_H
#define TED_COST_PATTERN_H

#include "postgres.h"

#include "nodes/nodes.h"

#include "../../common/labels.h"

/* What a node is, by its label and where it stands. */
typedef enum CostKind
{
	KIND_ELEMENT, /* has children, or is none of those below */
	KIND_ATTRIBUTE,
	KIND_VALUE, /* of an attribute */
	KIND_TEXT,  /* a leaf */
	KIND_OBJECT,
	KIND_ARRAY,
	KIND_KEY,
	KIND_STRING,
	KIND_NUMBER,
	KIND_BOOLEAN,
	KIND_NULL,
	COST_KINDS
} CostKind;

/* What a pattern is, from the least specific to the most. */
typedef enum PatternForm
{
	PATTERN_ALL,
	PATTERN_KIND,
	PATTERN_PREFIX,
	PATTERN_LABEL
} PatternForm;

typedef struct CostPattern
{
	PatternForm form;
	CostKind kind; /* of a PATTERN_KIND */
	Label label;   /* of the others: a beginning, or a whole label */
} CostPattern;

/*
 * Reads a pattern: `*` (all), `name()` (a kind), `begin*`, or a label.  If `context` is not
 * NULL, an error is reported to it, and the result is false.
 */
extern bool ReadCostPattern(Label text, CostPattern *pattern, Node *context);

/* Writes a pattern. */
extern char *WriteCostPattern(const CostPattern *pattern);

/* Orders patterns from the least specific to the most: prefixes by length, labels by bytes. */
extern int CompareCostPatterns(const CostPattern *a, const CostPattern *b);

#endif /* TED_COST_PATTERN_H */
