/*
 * identity.h
 *	  Recognises the extension's own types and functions.
 *
 * The planner's code sees expressions of all kinds, and must read a constant only if it has the
 * expected type.  A function belongs to the extension if it runs the extension's code on arguments
 * of the extension's types; a type, if its input function does.  Names, schemas and shapes prove
 * nothing, since any user can create an object with the same ones.
 */
#ifndef TED_IDENTITY_H
#define TED_IDENTITY_H

#include "postgres.h"

/*
 * Type of the documents that a function compares: trees with unit costs, or with a cost model; JSON
 * documents with unit costs, or with a cost model; or strings.
 */
typedef enum DocumentType
{
	DOCUMENT_TREE,
	DOCUMENT_BY_MODEL,
	DOCUMENT_JSON,
	DOCUMENT_JSON_BY_MODEL,
	DOCUMENT_TEXT,
	DOCUMENT_BYTEA,
	DOCUMENT_ARRAY
} DocumentType;

/* Whether documents are trees. */
static inline bool
AreTrees(DocumentType type)
{
	return type <= DOCUMENT_JSON_BY_MODEL;
}

/* Whether documents are trees whose order does not matter everywhere, as in JSON. */
static inline bool
AreJson(DocumentType type)
{
	return type == DOCUMENT_JSON || type == DOCUMENT_JSON_BY_MODEL;
}

/* Whether documents are compared by a cost model. */
static inline bool
AreByModel(DocumentType type)
{
	return type == DOCUMENT_BY_MODEL || type == DOCUMENT_JSON_BY_MODEL;
}

/*
 * Role of a function among the functions for one type of documents.  The arguments are two
 * documents, `a` and `b`, then the threshold; a cost model comes last.
 */
typedef enum FunctionRole
{
	NO_ROLE,                  /* functions that the planner's code does not know */
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
	ROLE_CONVERSION,          /* (document): returns the tree, and NULL only for NULL */
	ROLE_PQGRAM_DISTANCE      /* (a, b) */
} FunctionRole;

/* A function that the planner's code knows; there is one for each role and type of documents. */
typedef struct PlannedFunction
{
	FunctionRole role;
	DocumentType documents; /* of the arguments, or of a conversion's result */
} PlannedFunction;

/* Whether two functions are the same one. */
static inline bool
IsSameFunction(PlannedFunction a, PlannedFunction b)
{
	return a.role == b.role && a.documents == b.documents;
}

/* Whether a role is an exact distance of two documents, or a value computed from that distance. */
static inline bool
IsExactMeasure(FunctionRole role)
{
	return role >= ROLE_DISTANCE && role <= ROLE_NORMALIZED_DISTANCE;
}

/* Whether a role is a measure of two documents that can be compared with a limit. */
static inline bool
IsMeasure(FunctionRole role)
{
	return role >= ROLE_DISTANCE && role <= ROLE_DISTANCE_LESS_EQUAL;
}

/* Whether a role compares a measure of two documents with a threshold. */
static inline bool
IsThresholdTest(FunctionRole role)
{
	return role == ROLE_WITHIN || role == ROLE_SIMILAR;
}

/* Identifies a function: returns its role and its type of documents, or NO_ROLE. */
extern PlannedFunction WhichFunction(Oid function);

/*
 * Finds function `which` with argument types `types` in the schema of function `sibling`, which
 * belongs to the extension; returns InvalidOid if there is none.
 */
extern Oid FindFunction(PlannedFunction which, Oid sibling, const Oid *types, int count);

/*
 * Returns the argument type that functions declare for documents of type `actual`: anyarray for
 * arrays.
 */
extern Oid DeclaredType(DocumentType documents, Oid actual);

/* Whether a type is tree or tree_costs; false for domains. */
extern bool IsTreeType(Oid type);
extern bool IsTreeCostsType(Oid type);

/*
 * Whether a type is the one that a letter stands for; false for domains.  Of this extension: t
 * tree, m tree_costs, r tree_range, R lcs_range.  Of PostgreSQL: b boolean, c "char", i integer, l
 * bigint, d float8, o oid, s text, y bytea, X xml, J json, B jsonb, v interval, z timestamptz, I
 * integer[], D float8[], S text[], A anyarray.  * stands for all types.
 */
extern bool IsOfType(char letter, Oid type);

/* Raises an error unless the user may execute a function. */
extern void CheckExecutable(Oid function);

#endif /* TED_IDENTITY_H */
