/*
 * mapped_trees.h
 *	  Two trees and a mapping between them, for differences and patches.
 */
#ifndef TED_MAPPED_TREES_H
#define TED_MAPPED_TREES_H

#include "../costs/cost_model.h"
#include "../costs/label_marks.h"
#include "../../core/tree/json/jedi.h"
#include "tree_mapping.h"
#include "../value/tree.h"

/* The syntax in which a tree is written.  By it, labels tell the kinds of nodes. */
typedef enum TreeSyntax
{
	SYNTAX_PLAIN,
	SYNTAX_JSON,
	SYNTAX_XML,          /* with marks for differences, see xml_marks.h */
	SYNTAX_XML_OF_PATCH, /* with marks for patches */
	SYNTAX_TEXT          /* lines of text, below a root */
} TreeSyntax;

/* The kind of a node. */
typedef enum NodeKind
{
	NODE_LITERAL = TED_JSON_LITERAL,
	NODE_OBJECT = TED_JSON_OBJECT,
	NODE_ARRAY = TED_JSON_ARRAY,
	NODE_MEMBER = TED_JSON_MEMBER,
	NODE_PLAIN,
	NODE_ELEMENT,
	NODE_ATTRIBUTE,
	NODE_VALUE, /* value of an attribute */
	NODE_TEXT,
	NODE_OTHER /* the document node of a patch, a comment, or a processing instruction */
} NodeKind;

/* What a cost model says of a node; bits. */
#define NODE_IS_IGNORED 1   /* with all nodes below it; they have no partners by names */
#define NODE_IS_NEAR 2      /* a number that may be the same as others */
#define NODE_IS_UNORDERED 4 /* its children have no order, if its partner says so, too */

/*
 * One of the two trees.  Sums are by postorder number and exclude the node itself; they
 * have one more entry for the total.
 */
typedef struct MappedTree
{
	TedTree tree;
	uint8 *kind;      /* NodeKind of each node */
	uint8 *traits;    /* what the cost model says of each node; set for the mapping by names */
	int32 *key;       /* as `traits`: keys of elements of arrays, 0 for none; or NULL */
	int32 *map;       /* partner by postorder number, or -1 */
	int32 *postorder; /* postorder number of each preorder number */
	int32 *preorder;  /* preorder number of each postorder number */
	int32 *mapped;    /* sum: nodes with a partner */
	int32 *kept;      /* sum: nodes with a partner at no cost */
	int32 *paid;      /* sum: nodes whose operation has a cost; also numbers written differently */
	int32 *exact;     /* labels with all digits of numbers, which stand in the tree after mapping */

	int32 *source; /* preorder number in the document if children were reordered; else NULL */

	/* by postorder number; set by IndexTrees() */
	int32 *parent;   /* parent, or -1 */
	int32 *ordinal;  /* position among the parent's children, from 0 */
	int32 *children; /* number of children */
	uint64 *hash;    /* hash of the subtree */

	/* elements with the same text as their partners, see tagged_text.h; NULL if none */
	bool *tagged;

	/* how the document writes characters; set by the caller for differences of XML */
	const struct References *references;
} MappedTree;

/* Two trees and a mapping between them. */
typedef struct MappedTrees
{
	LabelTable *labels;
	MappedTree a;
	MappedTree b;
	TreeSyntax syntax;  /* set by the caller */
	bool has_numbers;   /* set by the caller: labels have all digits of numbers */
	bool has_model;     /* a cost model says what is a difference */
	bool has_tolerance; /* numbers may be the same though their digits differ */
	bool is_optimal;    /* the mapping is optimal; by names, see MapByName() */
} MappedTrees;

/*
 * Allocates and sets the sums of both sides by their maps; `a` and `b` are the trees with the
 * labels for `costs`.
 */
extern void CountMappedNodes(MappedTrees *trees, const TedCosts *costs, const TedTree *a,
							 const TedTree *b);

/*
 * Makes one of the trees of leaves below a root; no node has a partner yet.  `label` has the ids of
 * their labels, and at last that of the root.
 */
extern void MakeFlatTree(MappedTree *side, const int32 *label, int32 leaves);

/* The memory of such a tree for each node, with its sums, in bytes. */
#define FLAT_TREE_NODE_BYTES (8 * sizeof(int32) + sizeof(uint8))

/*
 * Maps two trees by a cost model, or by unit costs if `model` is NULL.  `what` names the
 * computation in errors about memory.  For a mapping by names, the trees must be of JSON,
 * or of XML.  With JSON, it reorders the members of the second document's
 * objects, and elements without an order, so that partners have the same order as in the
 * first document.  Numbers with all digits are mapped without zeros at the end; without a model,
 * other digits are a difference nevertheless.
 */
extern void MapValues(MappedTrees *trees, const Tree *a, const Tree *b, const CostModel *model,
					  MappingKind kind, const char *what);

/*
 * Removes subtrees that are left alone from both trees, except roots.  The numbers of other
 * nodes change.
 */
extern void LeaveOutFreeSubtrees(MappedTrees *trees);

/* Numbers of operations that have a cost, and of nodes that keep their label. */
typedef struct OperationCounts
{
	int32 equal;
	int32 renamed;
	int32 deleted;
	int32 inserted;
} OperationCounts;

/* Returns the numbers of operations that have a cost, and of nodes that keep their label. */
extern OperationCounts CountOperations(const MappedTrees *trees);

/*
 * Whether the mapping turns one subtree into another at no cost.  Then a patch leaves the
 * first one as it is.
 */
extern bool CostsNothing(const MappedTrees *trees, int32 x, int32 y);

/* Sets the members from `parent` to `hash` of both trees. */
extern void IndexTrees(MappedTrees *trees, const char *what);

/* Whether the subtrees of two nodes are equal; needs IndexTrees(). */
extern bool SubtreesEqual(const MappedTrees *trees, int32 x, int32 y);

/* Returns the children of a node from left to right, in an array in the current memory context. */
extern int32 *ListChildren(const MappedTree *side, int32 node);

/* Returns the children of a node that are not left alone, from left to right, and their number. */
extern int32 *ListPatchedChildren(const MappedTree *side, int32 node, int32 *count);

/*
 * Compares the names of two nodes of the same kind, which are labels, in the order of members and
 * attributes in all documents.
 */
extern int CompareNodeNames(const MappedTrees *trees, int32 name, int32 other);

/* Returns how similar two different names are, from 0 to EQUAL_NAMES. */
extern int LikenessOfNodeNames(const MappedTrees *trees, int32 name, int32 other);
#define EQUAL_NAMES 16

/*
 * Pairs maximal subtrees of the first tree without partners with equal subtrees of the
 * second tree; both need at least two nodes.  Sets, by postorder number of the root, the
 * number of the pair, from 1 in preorder of the first tree, or 0.  Returns the number of
 * pairs.  `what` names the computation in errors about memory.
 */
extern int32 FindMovedSubtrees(const MappedTrees *trees, int32 *moved_a, int32 *moved_b,
							   const char *what);

/* Returns the bytes of a node's label. */
static inline Label
NodeLabel(const MappedTrees *trees, const MappedTree *side, int32 node)
{
	return LabelTableGet(trees->labels, side->tree.label[node]);
}

/* Returns the node that comes a number of nodes after another one in preorder. */
static inline int32
NodeAfter(const MappedTree *side, int32 node, int32 count)
{
	return side->postorder[side->preorder[node] + count];
}

/* Returns the preorder number that a node has in its document. */
static inline int32
PlaceInDocument(const MappedTree *side, int32 node)
{
	return side->source == NULL ? side->preorder[node] : side->source[node];
}

/* Returns a sum over the subtree of a node. */
static inline int32
SumOfSubtree(const MappedTree *side, const int32 *sums, int32 node)
{
	return sums[node + 1] - sums[node + 1 - side->tree.subtree_size[node]];
}

/* Whether no node in the subtree of a node has a partner. */
static inline bool
IsUnmapped(const MappedTree *side, int32 node)
{
	return SumOfSubtree(side, side->mapped, node) == 0;
}

/*
 * Whether a subtree is left alone: no node has a partner, and deleting or inserting it
 * costs nothing.
 */
static inline bool
IsLeftAlone(const MappedTree *side, int32 node)
{
	return IsUnmapped(side, node) && SumOfSubtree(side, side->paid, node) == 0;
}

/* Whether a node has a partner and renaming it costs nothing. */
static inline bool
KeepsLabel(const MappedTree *side, int32 node)
{
	return side->kept[node + 1] > side->kept[node];
}

/* Whether a node is deleted or inserted at no cost. */
static inline bool
IsFree(const MappedTree *side, int32 node)
{
	return side->map[node] < 0 && side->paid[node + 1] == side->paid[node];
}

/* Returns the number of nodes in a subtree that are deleted or inserted at no cost. */
static inline int32
FreeNodes(const MappedTree *side, int32 node)
{
	return side->tree.subtree_size[node] - SumOfSubtree(side, side->paid, node) -
		   SumOfSubtree(side, side->kept, node);
}

/* Whether a subtree turns into the subtree of its root's partner at no cost. */
static inline bool
IsUnchanged(const MappedTree *side, const MappedTree *other, int32 node)
{
	int32 size = side->tree.subtree_size[node];

	return side->map[node] >= 0 && other->tree.subtree_size[side->map[node]] == size &&
		   SumOfSubtree(side, side->kept, node) == size;
}

/* Returns the number of edit operations in the subtrees of two nodes that have a cost. */
static inline int32
EditOperations(const MappedTrees *trees, int32 x, int32 y)
{
	return SumOfSubtree(&trees->a, trees->a.paid, x) + SumOfSubtree(&trees->b, trees->b.paid, y) +
		   SumOfSubtree(&trees->b, trees->b.kept, y) - SumOfSubtree(&trees->b, trees->b.mapped, y);
}

/* Returns the number of nodes of the second tree below a node that have a partner at no cost. */
static inline int32
KeptBelow(const MappedTrees *trees, int32 y)
{
	const int32 *kept = trees->b.kept;

	return SumOfSubtree(&trees->b, kept, y) - (kept[y + 1] - kept[y]);
}

/* Whether one node is in the subtree of another one. */
static inline bool
InSubtree(const MappedTree *side, int32 node, int32 root)
{
	return node <= root && node > root - side->tree.subtree_size[root];
}

#endif /* TED_MAPPED_TREES_H */
