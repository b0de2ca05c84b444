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

/*
 * The role that a function has among those of its documents.  Two documents, `a` and `b`, come
 * first, then the threshold; a model of costs is the last argument.
 */
typedef enum FunctionRole
{
	NO_ROLE,                  /* of functions that planning does not know */
	ROLE_DISTANCE,            /* (a, b) */
	ROLE_DISTANCE_OP,         /* (a, b), as a float8 */
	ROLE_SIMILARITY,          /* (a, b) */
	ROLE_DISSIMILARITY,       /* (a, b) */
	ROLE_NORMALIZED_DISTANCE, /* (a, b) */
	ROLE_DISTANCE_LESS_EQUAL, /* (a, b, distance), exact up to that distance */
	ROLE_COMMON_LENGTH,       /* (a, b) */
	ROLE_WITHIN,              /* (a, b, distance) */
	ROLE_SIMILAR,             /* (a, b, similarity) */
	ROLE_RANGE,               /* (a, distance) */
	ROLE_SIMILARITY_RANGE,    /* (a, similarity) */
	ROLE_MAY_BE_WITHIN,       /* (a, range) */
	ROLE_CONVERSION           /* (document): its tree, NULL for a NULL only */
} FunctionRole;

/* A function that planning knows: one of each role and type of documents. */
typedef struct PlannedFunction
{
	FunctionRole role;
	DocumentType documents; /* that it takes, or returns if it is a conversion */
} PlannedFunction;

/* Whether two functions are the same one. */
static inline bool
IsSameFunction(PlannedFunction a, PlannedFunction b)
{
	return a.role == b.role && a.documents == b.documents;
}

/* Whether a role is an exact distance of two documents, or a number that follows from it. */
static inline bool
IsExactMeasure(FunctionRole role)
{
	return role >= ROLE_DISTANCE && role <= ROLE_NORMALIZED_DISTANCE;
}

/* Whether a role is a number of two documents on which a limit can be set. */
static inline bool
IsMeasure(FunctionRole role)
{
	return role >= ROLE_DISTANCE && role <= ROLE_DISTANCE_LESS_EQUAL;
}

/* Whether a role is a test of two documents by a threshold. */
static inline bool
IsThresholdTest(FunctionRole role)
{
	return role == ROLE_WITHIN || role == ROLE_SIMILAR;
}

/* Which of our functions a function is. */
extern PlannedFunction WhichFunction(Oid function);

/*
 * Finds a function that has the name of its code, and these arguments, in the
 * schema of another one of ours; InvalidOid if there is none.
 */
extern Oid FindFunction(PlannedFunction which, Oid sibling, const Oid *types, int count);

/* The type that functions declare documents to be of, which are of this one: arrays are of any. */
extern Oid DeclaredType(DocumentType documents, Oid actual);

/* Whether a type is tree, or the row type tree_range or lcs_range; domains are none of these. */
extern bool IsTreeType(Oid type);
extern bool IsTreeRangeType(Oid type);
extern bool IsLcsRangeType(Oid type);

/* Raises an error unless the user may execute a function. */
extern void CheckExecutable(Oid function);

#endif /* TED_IDENTITY_H */
