/*
 * elements.c
 *	  Elements of arrays of any type, as symbols.
 *
 * Support function 4 of a type's btree operator class, which also permits deduplication in
 * a btree, says whether equal values have equal bytes.  Elements of other types are
 * numbered by the type's hash function and operator =.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "../compat.h"
#include "../common/cached_argument.h"
#include "elements.h"

/* The parts of a type cache entry that this file uses. */
#define TYPE_CACHE_FLAGS                                                                           \
	(TYPECACHE_BTREE_OPFAMILY | TYPECACHE_EQ_OPR_FINFO | TYPECACHE_HASH_PROC_FINFO)

/*
 * Whether equal values have equal bytes.  Support function 4 of bpchar says so, since all
 * values of a column have one length; here their trailing blanks can differ.
 */
static bool
AreEqualByBytes(const TypeCacheEntry *type, Oid collation)
{
	Oid function;

	if (!OidIsValid(type->btree_opf) || type->btree_opintype == BPCHAROID || type->typlen < -1)
		return false;
	function = get_opfamily_proc(type->btree_opf, type->btree_opintype, type->btree_opintype,
								 BTEQUALIMAGE_PROC);
	return function == F_BTEQUALIMAGE ||
		   (OidIsValid(function) &&
			DatumGetBool(
				OidFunctionCall1Coll(function, collation, ObjectIdGetDatum(type->btree_opintype))));
}

/* Raises an error for a type that lacks an operator or function for comparing its values. */
static void
RefuseElementType(Oid type, const char *lacking)
{
	ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
					errmsg("could not identify %s for type %s", lacking, format_type_be(type)),
					errdetail("Elements of arrays are compared by the operator = of their type."),
					errhint("Cast the array to one of another type, such as text[].")));
}

/* Looks a type up.  Raises an error if its values cannot be compared. */
ElementType
LookUpElementType(Oid type, Oid collation)
{
	ElementType result = {lookup_type_cache(type, TYPE_CACHE_FLAGS), collation,
						  ELEMENTS_BY_EQUALITY};

	if (!OidIsValid(result.type->eq_opr_finfo.fn_oid))
		RefuseElementType(type, "an equality operator");
	if (AreEqualByBytes(result.type, collation))
		result.kind = result.type->typbyval && result.type->typlen <= (int) sizeof(uint32)
						  ? ELEMENTS_AS_SYMBOLS
						  : ELEMENTS_BY_BYTES;
	else if (!OidIsValid(result.type->hash_proc_finfo.fn_oid))
		RefuseElementType(type, "a hash function");
	return result;
}

/* Looks a type up for a function, and caches the result from call to call. */
const ElementType *
KnownElementType(FunctionCallInfo fcinfo, Oid type)
{
	ElementType *known = CachedMemory(fcinfo, sizeof(ElementType));

	if (known->type == NULL || known->type->type_id != type ||
		known->collation != PG_GET_COLLATION())
		*known = LookUpElementType(type, PG_GET_COLLATION());
	return known;
}

/* Whether a type has an equality operator and a hash function. */
bool
AreComparable(Oid type)
{
	const TypeCacheEntry *entry = lookup_type_cache(type, TYPE_CACHE_FLAGS);

	return OidIsValid(entry->eq_opr_finfo.fn_oid) && OidIsValid(entry->hash_proc_finfo.fn_oid);
}

/* Returns the value whose bytes are a label; labels are aligned. */
static Datum
LabelValue(const ElementType *type, Label label)
{
	return fetch_att(label.bytes, type->type->typbyval, type->type->typlen);
}

/* Returns the hash value of a value by the hash function of its type. */
static uint32
HashValue(const ElementType *type, Datum value)
{
	return DatumGetUInt32(FunctionCall1Coll(&type->type->hash_proc_finfo, type->collation, value));
}

/* Returns the hash value of a label by the hash function of its type. */
static uint32
HashLabel(const void *type, Label label)
{
	return HashValue(type, LabelValue(type, label));
}

/*
 * Whether two labels are equal by the operator = of their type.  If it returns NULL, they
 * are not.
 */
static bool
AreLabelsEqual(const void *arg, Label a, Label b)
{
	const ElementType *type = arg;
	LOCAL_FCINFO(call, 2);
	bool equal;

	InitFunctionCallInfoData(*call, &type->type->eq_opr_finfo, 2, type->collation, NULL, NULL);
	call->args[0] = (NullableDatum){LabelValue(type, a), false};
	call->args[1] = (NullableDatum){LabelValue(type, b), false};
	equal = DatumGetBool(FunctionCallInvoke(call));
	return equal && !call->isnull;
}

/* Makes an empty table for elements of a type.  The table keeps the pointer to `type`. */
LabelTable *
CreateElementLabels(const ElementType *type)
{
	LabelTable *labels = LabelTableCreate();

	if (type->kind == ELEMENTS_BY_EQUALITY)
		LabelTableSetEquality(labels, HashLabel, AreLabelsEqual, type);
	return labels;
}

/* Looks an element type up and makes an empty table for it. */
Elements *
CreateElements(Oid type, Oid collation)
{
	Elements *elements = palloc_object(Elements);

	if (!OidIsValid(type))
		ereport(ERROR, (errcode(ERRCODE_INDETERMINATE_DATATYPE),
						errmsg("could not determine the type of the elements of an array"),
						errdetail("The array is of the pseudo-type anyarray."),
						errhint("Cast it to a type of arrays.")));
	elements->type = LookUpElementType(type, collation);
	elements->labels =
		elements->type.kind == ELEMENTS_AS_SYMBOLS ? NULL : CreateElementLabels(&elements->type);
	return elements;
}

/* Returns the label of an element of variable length. */
static Label
VariableLabel(const ElementType *type, const char *element)
{
	struct varlena *value;

	if (type->type->typlen != -1)
		return (Label){element, (int) strlen(element) + 1};
	if (type->kind == ELEMENTS_BY_BYTES)
		return TextLabel(PointerGetDatum(element));
	value = pg_detoast_datum((struct varlena *) element);
	return (Label){(const char *) value, (int) VARSIZE(value)};
}

/* Returns the number of an element in the table.  If `adding`, a new element is added. */
static inline uint32
ElementNumber(LabelTable *labels, const char *bytes, int length, bool adding)
{
	CHECK_FOR_INTERRUPTS();
	return adding ? LabelTableIntern(labels, bytes, length) : LabelTableFind(labels, bytes, length);
}

/* Sets the symbols of the elements of an array. */
void
NumberArrayElements(const Elements *elements, const ArrayType *array, int32 count, bool adding,
					uint32 *symbol)
{
	const ElementType *type = &elements->type;
	LabelTable *labels = elements->labels;
	int length = type->type->typlen;
	const char *element = ARR_DATA_PTR(array);
	Size stride = ElementStride(type);

	if (type->kind == ELEMENTS_AS_SYMBOLS)
		for (int32 i = 0; i < count; i++, element += stride)
			symbol[i] = ElementSymbol(type, element);
	else if (length > 0 && adding)
		for (const char *end = element + count * stride; element < end; element += stride)
			*symbol++ = ElementNumber(labels, element, length, true);
	else if (length > 0)
		for (const char *end = element + count * stride; element < end; element += stride)
			*symbol++ = ElementNumber(labels, element, length, false);
	else
		for (int32 i = 0; i < count; i++)
		{
			Label label = VariableLabel(type, element);

			symbol[i] = ElementNumber(labels, label.bytes, label.length, adding);
			element = att_addlength_pointer(element, length, element);
			element = (const char *) att_align_nominal((uintptr_t) element, type->type->typalign);
		}
}

/*
 * Returns a hash value of an element.  Hash functions of types are stable, as hash indexes
 * require.
 */
uint32
HashElement(const ElementType *type, Datum element)
{
	int length = type->type->typlen;
	Label label;

	if (type->kind == ELEMENTS_AS_SYMBOLS)
		return murmurhash32(DatumGetUInt32(element));
	if (type->kind == ELEMENTS_BY_EQUALITY)
		return HashValue(type, element);
	if (type->type->typbyval)
		return murmurhash32((uint32) element ^ murmurhash32((uint32) ((uint64) element >> 32)));
	if (length > 0)
		label = (Label){DatumGetPointer(element), length};
	else
		label = VariableLabel(type, DatumGetPointer(element));
	return hash_bytes((const unsigned char *) label.bytes, label.length);
}

/* Raises an error if two arrays have elements of different types. */
void
CheckSameElements(Oid a, Oid b)
{
	if (a != b)
		ereport(ERROR, (errcode(ERRCODE_DATATYPE_MISMATCH),
						errmsg("cannot compare arrays of different element types"),
						errdetail("Their elements are of type %s and of type %s.",
								  format_type_be(a), format_type_be(b)),
						errhint("Cast one of the arrays to the type of the other one.")));
}
