/*
 * identity.h
 *	  Recognises the extension's own types and functions.
 *
 * The planner's code is handed expressions of all kinds, whose constants must be
 * of the types that it takes them for.  An object is ours if it runs our code on
 * arguments of our types: names, schemas and shapes can be anybody's.
 */
#ifndef TED_IDENTITY_H
#define TED_IDENTITY_H

#include "postgres.h"

/* The functions that planning knows. */
typedef enum PlannedFunction
{
	OTHER_FUNCTION,
	TREE_EDIT_DISTANCE,                  /* (tree, tree) */
	TREE_SIMILARITY,                     /* (tree, tree) */
	TREE_DISTANCE_OP,                    /* (tree, tree) */
	TREE_NORMALIZED_DISTANCE,            /* (tree, tree) */
	TREE_DISSIMILARITY,                  /* (tree, tree) */
	TREE_WITHIN,                         /* (tree, tree, integer) */
	TREE_SIMILAR,                        /* (tree, tree, float8) */
	TREE_EDIT_DISTANCE_LESS_EQUAL,       /* (tree, tree, integer) */
	TREE_RANGE,                          /* (tree, integer) */
	TREE_RANGE_MODEL,                    /* (tree, float8, tree_costs) */
	TREE_SIMILARITY_RANGE,               /* (tree, float8) */
	TREE_MAY_BE_WITHIN,                  /* (tree, tree_range) */
	TREE_EDIT_DISTANCE_MODEL,            /* (tree, tree, tree_costs) */
	TREE_SIMILARITY_MODEL,               /* (tree, tree, tree_costs) */
	TREE_NORMALIZED_DISTANCE_MODEL,      /* (tree, tree, tree_costs) */
	TREE_WITHIN_MODEL,                   /* (tree, tree, float8, tree_costs) */
	TREE_SIMILAR_MODEL,                  /* (tree, tree, float8, tree_costs) */
	TREE_EDIT_DISTANCE_LESS_EQUAL_MODEL, /* (tree, tree, float8, tree_costs) */
	JSON_EDIT_DISTANCE,                  /* (tree, tree) */
	JSON_SIMILARITY,                     /* (tree, tree) */
	JSON_WITHIN,                         /* (tree, tree, integer) */
	JSON_SIMILAR,                        /* (tree, tree, float8) */
	JSON_EDIT_DISTANCE_LESS_EQUAL,       /* (tree, tree, integer) */
	XML_TREE,                            /* (xml) */
	JSON_TREE,                           /* (json) */
	JSONB_TREE,                          /* (jsonb) */
	LCS_LENGTH,                          /* (string, string), of a type of strings */
	LCS_DISTANCE,                        /* (string, string) */
	LCS_SIMILARITY,                      /* (string, string) */
	LCS_WITHIN,                          /* (string, string, integer) */
	LCS_SIMILAR,                         /* (string, string, float8) */
	LCS_DISTANCE_LESS_EQUAL,             /* (string, string, integer) */
	LCS_DISTANCE_OP,                     /* (string, string) */
	LCS_DISSIMILARITY,                   /* (string, string) */
	LCS_RANGE,                           /* (string, integer) */
	LCS_SIMILARITY_RANGE,                /* (string, float8) */
	LCS_MAY_BE_WITHIN                    /* (string, lcs_range) */
} PlannedFunction;

/*
 * What is compared: trees, as they are, by a model of costs or as JSON documents, or strings.
 */
typedef enum DocumentType
{
	DOCUMENT_TREE,
	DOCUMENT_BY_MODEL,
	DOCUMENT_JSON,
	DOCUMENT_TEXT,
	DOCUMENT_BYTEA,
	DOCUMENT_ARRAY
} DocumentType;

/* Whether documents are trees. */
static inline bool
AreTrees(DocumentType type)
{
	return type <= DOCUMENT_JSON;
}

/* Which of them a function is. */
extern PlannedFunction WhichFunction(Oid function);

/*
 * Finds a function that has the name of its code, and these arguments, in the
 * schema of another one of ours; InvalidOid if there is none.
 */
extern Oid FindFunction(PlannedFunction which, Oid sibling, const Oid *types, int count);

/* What a function of ours that measures or tests two documents compares. */
extern DocumentType DocumentsOf(Oid function);

/* The type that functions declare documents to be of, which are of this one: arrays are of any. */
extern Oid DeclaredType(DocumentType documents, Oid actual);

/* Whether a function is an exact distance, or bounded by a threshold, of two trees. */
extern bool IsExactDistance(PlannedFunction function);
extern bool IsBoundedDistance(PlannedFunction function);

/* Whether a function tests whether two documents are within a threshold, its third argument; by a
 * model of costs, that follows. */
extern bool IsThresholdTest(PlannedFunction function);

/* Whether a function takes a model of costs, its last argument. */
extern bool TakesModel(PlannedFunction function);

/* Whether a function is an exact distance of two trees by a model, or follows from one. */
extern bool IsExactDistanceByModel(PlannedFunction function);

/* Whether a function gives a number of two documents that a limit can be set on. */
extern bool IsMeasure(PlannedFunction function);

/* Whether a function makes a tree of a document, of which a NULL is the only one that has none. */
extern bool IsConversion(Oid function);

/* Whether a type is tree, or the row type tree_range or lcs_range; domains are none of these. */
extern bool IsTreeType(Oid type);
extern bool IsTreeRangeType(Oid type);
extern bool IsLcsRangeType(Oid type);

/* Raises an error unless the user may execute a function. */
extern void CheckExecutable(Oid function);

#endif /* TED_IDENTITY_H */
