/*
 * path_pattern.h
 *	  Patterns that select nodes of documents and of trees by their place.
 *
 *		pattern	= "*" | step | "/" path | "//" path
 *		path	= step { "/" step } [ "/" kind ]	| kind
 *		step	= name | beginning "*" | "*"
 *		kind	= "element()" | "attribute()" | "text()" | ... | "null()"
 *
 * A pattern leads down from the root, or from any node if it begins with "//" or has no
 * slash; "*" alone selects all nodes.  A name is a label, or the name of a JSON key.  A
 * "*" is an element, a key or an item of an array.  Objects, arrays and literals of JSON
 * that are not items are not steps: their children are below the key.  Only the last step
 * can select them, by kind.  A backslash makes the next character literal.
 */
#ifndef TED_PATH_PATTERN_H
#define TED_PATH_PATTERN_H

#include "postgres.h"

#include "nodes/nodes.h"

#include "../../common/labels.h"

/* The kinds of nodes, by their labels and places. */
typedef enum TreeKind
{
	KIND_ELEMENT, /* an inner node, or one of no other kind */
	KIND_ATTRIBUTE,
	KIND_VALUE, /* value of an attribute */
	KIND_TEXT,  /* a leaf of no other kind */
	KIND_OBJECT,
	KIND_ARRAY,
	KIND_KEY,
	KIND_STRING,
	KIND_NUMBER,
	KIND_BOOLEAN,
	KIND_NULL,
	TREE_KINDS
} TreeKind;

/* The forms of steps, from the least specific to the most specific. */
typedef enum StepForm
{
	STEP_ANY,
	STEP_KIND,
	STEP_BEGINNING,
	STEP_NAME
} StepForm;

/* A step of a pattern. */
typedef struct PathStep
{
	StepForm form;
	TreeKind kind; /* for STEP_KIND */
	Label name;    /* for STEP_BEGINNING and STEP_NAME */
	Label key;     /* the label of a key with this name, or its beginning */
} PathStep;

/* A pattern. */
typedef struct PathPattern
{
	PathStep *steps;
	int count;     /* number of steps; 0 selects all nodes */
	bool anywhere; /* the path may begin at any node, not only at the root */
	bool is_met;   /* a node that it selects has been seen, where that is looked for */
} PathPattern;

/* A node in an array of nodes that also has its ancestors. */
typedef struct PathNode
{
	Label label; /* empty if no name selects the node */
	TreeKind kind;
	bool is_step;
	int32 above; /* index of the parent, or -1 */
} PathNode;

/*
 * Whether a pattern looks like a path of another language, as $.id, .id, a.b or /items/0/id do.
 * All of these are also names.
 */
extern bool PatternLooksForeign(const PathPattern *pattern);

/* Returns an upper bound on the memory of a pattern of `length` bytes. */
extern Size PathPatternBytes(int length);

/*
 * Reads a pattern.  If it is invalid, raises an error, or reports it to `context`, if that
 * is not NULL, and returns false.
 */
extern bool ReadPathPattern(Label text, PathPattern *pattern, Node *context);

/* Writes a pattern in its canonical form. */
extern char *WritePathPattern(const PathPattern *pattern);

/*
 * Orders patterns from the least specific to the most specific: by the number of steps,
 * then patterns that begin anywhere before those from the root, then by steps from the last
 * to the first.
 */
extern int ComparePathPatterns(const PathPattern *a, const PathPattern *b);

/* Whether a node is a step, by its kind and that of its parent. */
extern bool IsPathStep(TreeKind kind, TreeKind above);

/* Whether a pattern selects a node. */
extern bool PatternSelects(const PathPattern *pattern, const PathNode *nodes, int32 node);

/* Whether the last step of a pattern is a name or a star, not a kind. */
extern bool PatternIsNamed(const PathPattern *pattern);

#endif /* TED_PATH_PATTERN_H */
