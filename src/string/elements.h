/*
 * elements.h
 *	  Elements of arrays of any type, as symbols.
 *
 * Two elements are equal where the type's default operator = says so, by the collation of
 * the function that compares them.
 */
#ifndef TED_ELEMENTS_H
#define TED_ELEMENTS_H

#include "postgres.h"

#include "access/tupmacs.h"
#include "fmgr.h"
#include "utils/array.h"
#include "utils/typcache.h"

#include "../common/labels.h"

/* How elements become symbols. */
typedef enum ElementKind
{
	ELEMENTS_AS_SYMBOLS, /* they have 32 bits or less, by which they are equal or not */
	ELEMENTS_BY_BYTES,   /* numbered, and equal where their bytes are */
	ELEMENTS_BY_EQUALITY /* numbered, and equal where an operator says so */
} ElementKind;

/* A type of elements. */
typedef struct ElementType
{
	TypeCacheEntry *type;
	Oid collation;
	ElementKind kind;
} ElementType;

/* Elements of arrays that are compared with one another. */
typedef struct Elements
{
	ElementType type;
	LabelTable *labels; /* by number; NULL where elements are symbols */
} Elements;

/* Looks a type up; an error if its values cannot be compared. */
extern ElementType LookUpElementType(Oid type, Oid collation);

/* The same for a function, which has it from call to call. */
extern const ElementType *KnownElementType(FunctionCallInfo fcinfo, Oid type);

/* Whether values of a type can be compared. */
extern bool AreComparable(Oid type);

/* Whether the elements of arrays are symbols in place, without a copy. */
static inline bool
AreSymbolsInPlace(const ElementType *type)
{
	return type->kind == ELEMENTS_AS_SYMBOLS && type->type->typlen == sizeof(uint32) &&
		   type->type->typalign != TYPALIGN_DOUBLE;
}

/* Bytes from an element of fixed length to the next one. */
static inline Size
ElementStride(const ElementType *type)
{
	return att_align_nominal(type->type->typlen, type->type->typalign);
}

/* A value of 1, 2 or 4 bytes as a symbol. */
static inline uint32
ElementSymbol(const ElementType *type, const char *element)
{
	return DatumGetUInt32(fetch_att(element, true, type->type->typlen));
}

/* Makes a table for elements of a type, in the current memory context. */
extern Elements *CreateElements(Oid type, Oid collation);

/* An empty table for the same elements. */
extern LabelTable *CreateElementLabels(const ElementType *type);

/*
 * Reads `count` elements of an array without nulls as their numbers.  Unless `adding`, an
 * element that is not in the table gets a number that no element has.
 */
extern void NumberArrayElements(const Elements *elements, const ArrayType *array, int32 count,
								bool adding, uint32 *symbol);

/* A hash value of an element, which is the same in all sessions. */
extern uint32 HashElement(const ElementType *type, Datum element);

/* Refuses to compare arrays whose elements are of different types. */
extern void CheckSameElements(Oid a, Oid b);

#endif /* TED_ELEMENTS_H */
