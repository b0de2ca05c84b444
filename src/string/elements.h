/*
 * elements.h
 *	  Elements of arrays of any type, as symbols.
 *
 * Two elements are equal if the type's default operator = returns true, with the collation
 * of the function that compares them.
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
	ELEMENTS_AS_SYMBOLS, /* at most 32 bits, which are the symbol */
	ELEMENTS_BY_BYTES,   /* numbered; equal if their bytes are equal */
	ELEMENTS_BY_EQUALITY /* numbered; equal if operator = returns true */
} ElementKind;

/* A type of elements, and how its values are compared. */
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
	LabelTable *labels; /* numbers the elements; NULL for ELEMENTS_AS_SYMBOLS */
} Elements;

/* Looks a type up.  Raises an error if its values cannot be compared. */
extern ElementType LookUpElementType(Oid type, Oid collation);

/* Looks a type up for a function, and caches the result from call to call. */
extern const ElementType *KnownElementType(FunctionCallInfo fcinfo, Oid type);

/* Whether a type has an equality operator and a hash function. */
extern bool AreComparable(Oid type);

/* Whether the data of an array of this type is an array of symbols, so that no copy is needed. */
static inline bool
AreSymbolsInPlace(const ElementType *type)
{
	return type->kind == ELEMENTS_AS_SYMBOLS && type->type->typlen == sizeof(uint32) &&
		   type->type->typalign != TYPALIGN_DOUBLE;
}

/* Returns the bytes from the beginning of one element of fixed length to the next one. */
static inline Size
ElementStride(const ElementType *type)
{
	return att_align_nominal(type->type->typlen, type->type->typalign);
}

/* Returns a value of 1, 2 or 4 bytes as a symbol. */
static inline uint32
ElementSymbol(const ElementType *type, const char *element)
{
	return DatumGetUInt32(fetch_att(element, true, type->type->typlen));
}

/* Looks an element type up and makes an empty table for it, in the current memory context. */
extern Elements *CreateElements(Oid type, Oid collation);

/* Makes an empty table for elements of a type.  The table keeps the pointer to `type`. */
extern LabelTable *CreateElementLabels(const ElementType *type);

/*
 * Sets the symbols of the `count` elements of an array without nulls.  Unless `adding`, an
 * element that is not in the table gets a number that no element has.
 */
extern void NumberArrayElements(const Elements *elements, const ArrayType *array, int32 count,
								bool adding, uint32 *symbol);

/* Returns a hash value of an element, the same in all sessions. */
extern uint32 HashElement(const ElementType *type, Datum element);

/* Raises an error if two arrays have elements of different types. */
extern void CheckSameElements(Oid a, Oid b);

#endif /* TED_ELEMENTS_H */
