/*
 * path_pattern.h
 *	  Patterns, which select nodes of documents and of trees by where they are.
 *
 *		pattern	= "*" | step | "/" path | "//" path
 *		path	= step { "/" step } [ "/" kind ]	| kind
 *		step	= name | beginning "*" | "*"
 *		kind	= "element()" | "attribute()" | "text()" | ... | "null()"
 *
 * A pattern leads down from the root, or from anywhere if it begins with "//" or has
 * no slash; "*" alone selects all nodes.  A name is a label, or the key that a label of
 * JSON is for.  A "*" is an element, a key or an item of an array.  The objects, arrays and
 * literals of JSON that are no items are no steps: what is in them is below the key.  Only
 * a last step can select them.  A backslash takes the next character literally.
 */
#ifndef TED_PATH_PATTERN_H
#define TED_PATH_PATTERN_H

#include "postgres.h"

#include "nodes/nodes.h"

#include "../../common/labels.h"

/* The kinds of nodes, by their labels and where they are. */
typedef enum TreeKind
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
	TREE_KINDS
} TreeKind;

/* Steps, from the least specific to the most. */
typedef enum StepForm
{
	STEP_ANY,
	STEP_KIND,
	STEP_BEGINNING,
	STEP_NAME
} StepForm;

typedef struct PathStep
{
	StepForm form;
	TreeKind kind; /* of a STEP_KIND */
	Label name;    /* of a STEP_BEGINNING or a STEP_NAME */
	Label key;     /* the same as the label of a key begins or is */
} PathStep;

typedef struct PathPattern
{
	PathStep *steps;
	int count;     /* 0: all nodes */
	bool anywhere; /* rather than from the root */
} PathPattern;

/* A node in an array of nodes, in which it finds the node above it. */
typedef struct PathNode
{
	Label label; /* of no bytes where names do not select it */
	TreeKind kind;
	bool is_step;
	int32 above; /* -1: none */
} PathNode;

/* An upper bound on the memory that a pattern of this number of bytes takes. */
extern Size PathPatternBytes(int length);

/* Reads a pattern; reports errors to `context`, and returns false, unless that is NULL. */
extern bool ReadPathPattern(Label text, PathPattern *pattern, Node *context);

/* Writes a pattern, always in the same way. */
extern char *WritePathPattern(const PathPattern *pattern);

/*
 * Orders patterns from the least specific to the most: by the number of steps, then those
 * from anywhere before those from the root, then by steps from the last one to the first.
 */
extern int ComparePathPatterns(const PathPattern *a, const PathPattern *b);

/* Whether a node of a kind below one of another kind is a step. */
extern bool IsPathStep(TreeKind kind, TreeKind above);

/* Whether a pattern selects a node. */
extern bool PatternSelects(const PathPattern *pattern, const PathNode *nodes, int32 node);

/* Whether a pattern selects nodes by their names or by a star, rather than by their kinds. */
extern bool PatternIsNamed(const PathPattern *pattern);

#endif /* TED_PATH_PATTERN_H */
