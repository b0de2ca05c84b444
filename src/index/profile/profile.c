/*
 * profile.c
 *	  Profiles of strings: their lengths, and the number of their symbols in each class.
 *
 * Every value has a profile, even an array that cannot be compared since it has NULLs or
 * several dimensions: an index refuses no row.
 */
#include "postgres.h"

#include "fmgr.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"

#include "../../compat.h"
#include "../../common/characters.h"
#include "../../string/elements.h"
#include "profile.h"

/* Bytes of a text that are read at a time. */
#define CHUNK_BYTES 1024

/* Bytes of the length and the counts, which all profiles have. */
#define COUNTS_BYTES (offsetof(LcsProfile, counts) + sizeof(uint32) * TED_CLASSES)

/* Returns the bytes of the symbols of a profile that has symbols. */
static Size
ProfileSymbolBytes(const LcsProfile *profile)
{
	return sizeof(uint16) * (Size) profile->length;
}

void
ReadProfile(Datum value, LcsProfile *profile)
{
	bytea *stored = DatumGetByteaPP(value);

	Size bytes = VARSIZE_ANY_EXHDR(stored);

	memset(profile, 0, sizeof(LcsProfile));
	if (bytes >= COUNTS_BYTES)
		memcpy(profile, VARDATA_ANY(stored), COUNTS_BYTES);
	profile->length = Max(profile->length, 0);
	if (bytes != COUNTS_BYTES && bytes != COUNTS_BYTES + ProfileSymbolBytes(profile))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid profile of a string"),
				 errdetail("Its number of bytes does not agree with the length of the string."),
				 errhint("Use what lcs_profile() returns.")));
	if (bytes == COUNTS_BYTES)
		return;
	profile->symbols = palloc(ProfileSymbolBytes(profile));
	memcpy(profile->symbols, VARDATA_ANY(stored) + COUNTS_BYTES, ProfileSymbolBytes(profile));
}

Datum
StoreProfile(const LcsProfile *profile)
{
	Size symbols = profile->symbols == NULL ? 0 : ProfileSymbolBytes(profile);
	bytea *stored = palloc(VARHDRSZ + COUNTS_BYTES + symbols);

	SET_VARSIZE(stored, VARHDRSZ + COUNTS_BYTES + symbols);
	memcpy(VARDATA(stored), profile, COUNTS_BYTES);
	if (symbols > 0)
		memcpy(VARDATA(stored) + COUNTS_BYTES, profile->symbols, symbols);
	return PointerGetDatum(stored);
}

int32
MissingSymbols(const LcsProfile *profile, const LcsProfile *other)
{
	int64 missing = 0;

	for (int i = 0; i < TED_CLASSES; i++)
		if (profile->counts[i] > other->counts[i])
			missing += profile->counts[i] - other->counts[i];
	return (int32) Min(missing, profile->length);
}

/* Adds a symbol to a profile. */
static inline void
AddSymbol(LcsProfile *profile, uint32 symbol)
{
	profile->counts[ted_class(symbol)]++;
	profile->length++;
}

/* Computes the profile of a text's characters. */
void
TextProfile(Datum value, Oid collation, LcsProfile *profile)
{
	text *string = DatumGetTextPP(value);
	const char *bytes = VARDATA_ANY(string);
	int32 left = VARSIZE_ANY_EXHDR(string);
	uint32 symbols[CHUNK_BYTES];

	(void) collation;
	memset(profile, 0, sizeof(LcsProfile));
	while (left > 0)
	{
		int32 length = left <= CHUNK_BYTES ? left : pg_mbcliplen(bytes, left, CHUNK_BYTES);
		int32 count;

		if (length == 0) /* a zero byte, which no text has */
			length = Min(left, CHUNK_BYTES);
		count = ReadCharacters(bytes, length, symbols);
		for (int32 i = 0; i < count; i++)
			AddSymbol(profile, symbols[i]);
		bytes += length;
		left -= length;
	}
	if ((Pointer) string != DatumGetPointer(value))
		pfree(string);
}

/* Computes the profile of a bytea's bytes. */
void
ByteaProfile(Datum value, Oid collation, LcsProfile *profile)
{
	bytea *string = DatumGetByteaPP(value);
	const uint8 *bytes = (const uint8 *) VARDATA_ANY(string);

	(void) collation;
	memset(profile, 0, sizeof(LcsProfile));
	for (int32 i = 0; i < (int32) VARSIZE_ANY_EXHDR(string); i++)
	{
		CHECK_FOR_INTERRUPTS();
		AddSymbol(profile, bytes[i]);
	}
	if ((Pointer) string != DatumGetPointer(value))
		pfree(string);
}

/* Computes the profile of an array; elements that are NULL count as symbol 0. */
static void
CountElements(ArrayType *array, const ElementType *type, LcsProfile *profile)
{
	ArrayIterator iterator = array_create_iterator(array, 0, NULL);
	Datum element;
	bool is_null;

	memset(profile, 0, sizeof(LcsProfile));
	while (array_iterate(iterator, &element, &is_null))
	{
		CHECK_FOR_INTERRUPTS();
		AddSymbol(profile, is_null ? 0 : HashElement(type, element));
	}
	array_free_iterator(iterator);
}

/* Computes the profile of an array, and looks up the element type. */
void
ArrayProfile(Datum value, Oid collation, LcsProfile *profile)
{
	ArrayType *array = DatumGetArrayTypeP(value);
	ElementType type = LookUpElementType(ARR_ELEMTYPE(array), collation);

	CountElements(array, &type, profile);
	if ((Pointer) array != DatumGetPointer(value))
		pfree(array);
}

/* The SQL function for a type of strings. */
#define PROFILE_FUNCTION(name, make)                                                               \
	PG_FUNCTION_INFO_V1(name);                                                                     \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		LcsProfile profile;                                                                        \
                                                                                                   \
		make(PG_GETARG_DATUM(0), PG_GET_COLLATION(), &profile);                                    \
		PG_RETURN_DATUM(StoreProfile(&profile));                                                   \
	}

PROFILE_FUNCTION(lcs_profile_text, TextProfile)
PROFILE_FUNCTION(lcs_profile_bytea, ByteaProfile)

PG_FUNCTION_INFO_V1(lcs_profile_array);

/* Returns the profile of an array, with the element type cached between calls. */
Datum
lcs_profile_array(PG_FUNCTION_ARGS)
{
	ArrayType *array = PG_GETARG_ARRAYTYPE_P(0);
	LcsProfile profile;

	CountElements(array, KnownElementType(fcinfo, ARR_ELEMTYPE(array)), &profile);
	PG_FREE_IF_COPY(array, 0);
	PG_RETURN_DATUM(StoreProfile(&profile));
}
