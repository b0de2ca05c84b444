/*
 * short_strings.c
 *	  Short strings as arguments, read without a cache.
 *
 * Bytes, ASCII texts and arrays whose elements are symbols are compared in place.  Other
 * elements are numbered by their bytes, in a hash table of both arrays on the stack.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "port/pg_bswap.h"
#include "utils/array.h"

#include "../compat.h"
#include "../common/characters.h"
#include "short_strings.h"

/*
 * The largest number of elements of an array that is numbered for one call, and the slots
 * of the hash table for two of them.
 */
#define SHORT_ARRAY 64
#define TOKEN_SLOTS 256

/* Elements of up to this number of bytes are identified by key and length alone. */
#define KEY_BYTES ((int) sizeof(uint64))

/* An element of an array, as a key of the hash table. */
typedef struct Token
{
	uint64 key;
	const char *bytes;
	Size length;
} Token;

/* The hash table of the distinct elements of two arrays, numbered from 1. */
typedef struct TokenNumbers
{
	uint8 slot[TOKEN_SLOTS]; /* number, or 0 for a free slot */
	Token token[2 * SHORT_ARRAY + 1];
	int count;
} TokenNumbers;

/* Reads both arguments as bytes if they are short and neither compressed nor toasted. */
bool
TakeShortBytes(FunctionCallInfo fcinfo, StringPair *pair)
{
	const struct varlena *a = (const struct varlena *) PG_GETARG_POINTER(0);
	const struct varlena *b = (const struct varlena *) PG_GETARG_POINTER(1);

	if (VARATT_IS_EXTERNAL(a) || VARATT_IS_COMPRESSED(a) || VARATT_IS_EXTERNAL(b) ||
		VARATT_IS_COMPRESSED(b) || !AreShortStrings(VARSIZE_ANY_EXHDR(a), VARSIZE_ANY_EXHDR(b)))
		return false;
	pair->a = (LcsText){VARDATA_ANY(a), VARSIZE_ANY_EXHDR(a)};
	pair->b = (LcsText){VARDATA_ANY(b), VARSIZE_ANY_EXHDR(b)};
	pair->symbol_bytes = 1;
	return true;
}

/* Reads both arguments as characters if they are short and neither compressed nor toasted. */
bool
TakeShortTexts(FunctionCallInfo fcinfo, StringPair *pair)
{
	LcsText *a = &pair->a;
	LcsText *b = &pair->b;

	if (!TakeShortBytes(fcinfo, pair))
		return false;
	if (HasOneByteCharacters(a->symbols, a->length) && HasOneByteCharacters(b->symbols, b->length))
		return true;
	*a = (LcsText){pair->characters[0], ReadCharacters(a->symbols, a->length, pair->characters[0])};
	*b = (LcsText){pair->characters[1], ReadCharacters(b->symbols, b->length, pair->characters[1])};
	pair->symbol_bytes = sizeof(uint32);
	return true;
}

/*
 * Returns an argument as an aligned array if it is neither compressed nor toasted and has
 * at most one dimension and no nulls; else NULL.
 */
static const ArrayType *
TakeShortArray(FunctionCallInfo fcinfo, int argument, StringPair *pair)
{
	const struct varlena *value = (const struct varlena *) PG_GETARG_POINTER(argument);
	const ArrayType *array = (const ArrayType *) value;

	if (VARATT_IS_1B_E(value) || VARATT_IS_4B_C(value))
		return NULL;
	if (VARATT_IS_1B(value))
	{
		struct varlena *unpacked = (struct varlena *) pair->unpacked[argument];
		Size bytes = VARSIZE_1B(value) - VARHDRSZ_SHORT;

		SET_VARSIZE(unpacked, bytes + VARHDRSZ);
		memcpy(VARDATA(unpacked), VARDATA_1B(value), bytes);
		array = (const ArrayType *) unpacked;
	}
	return ARR_NDIM(array) > 1 || ARR_HASNULL(array) ? NULL : array;
}

/* Reads both arguments if they are short arrays of one element type. */
static bool
TakeArrays(FunctionCallInfo fcinfo, const ArrayType *array[2], StringPair *pair)
{
	LcsText *side[2] = {&pair->a, &pair->b};

	for (int i = 0; i < 2; i++)
	{
		array[i] = TakeShortArray(fcinfo, i, pair);
		if (array[i] == NULL)
			return false;
		side[i]->length = ARR_NDIM(array[i]) == 0 ? 0 : ARR_DIMS(array[i])[0];
		side[i]->symbols = pair->characters[i];
		if (side[i]->length > SHORT_STRING)
			return false;
	}
	pair->symbol_bytes = sizeof(uint32);
	return ARR_ELEMTYPE(array[0]) == ARR_ELEMTYPE(array[1]) &&
		   AreShortStrings(pair->a.length, pair->b.length);
}

/* Empties a hash table. */
static inline void
NumbersBegin(TokenNumbers *numbers)
{
	memset(numbers->slot, 0, sizeof(numbers->slot));
	numbers->count = 0;
}

/* Returns the number of an element.  A new element gets the next number. */
static uint32
NumberToken(TokenNumbers *numbers, Token token)
{
	uint32 i = (token.key * UINT64CONST(0x9E3779B97F4A7C15)) >> 56;

	for (; numbers->slot[i] != 0; i = (i + 1) % TOKEN_SLOTS)
	{
		const Token *other = &numbers->token[numbers->slot[i]];

		if (other->key == token.key && other->length == token.length &&
			(token.length <= KEY_BYTES || memcmp(other->bytes, token.bytes, token.length) == 0))
			return numbers->slot[i];
	}
	numbers->token[++numbers->count] = token;
	numbers->slot[i] = (uint8) numbers->count;
	return numbers->slot[i];
}

/*
 * Makes the token of an element.  Its key is the bytes themselves, or a hash value if there
 * are more than KEY_BYTES.
 */
static inline Token
MakeToken(const char *bytes, Size length)
{
	Token token = {0, bytes, length};
	uint64 last;

	if (length > KEY_BYTES)
		token.key = hash_bytes_extended((const unsigned char *) bytes, (int) length, 0);
	else if (length > 0)
	{
		/* the bytes before a short element belong to the array as well */
		memcpy(&last, bytes + length - KEY_BYTES, KEY_BYTES);
		token.key = pg_ntoh64(last) << BITS_PER_BYTE * (KEY_BYTES - length);
	}
	return token;
}

/* Sets the symbols of elements of up to 32 bits. */
static void
TakeSymbols(const ElementType *type, const ArrayType *array, int32 count, uint32 *symbol)
{
	const char *element = ARR_DATA_PTR(array);

	for (int32 i = 0; i < count; i++, element += ElementStride(type))
		symbol[i] = ElementSymbol(type, element);
}

/* Sets the symbols of elements of 64 bits.  Returns false if one needs more than 32 bits. */
static bool
TakeWords(const ArrayType *array, int32 count, uint32 *symbol)
{
	const int64 *element = (const int64 *) ARR_DATA_PTR(array);
	int64 beyond = 0;

	for (int32 i = 0; i < count; i++)
	{
		symbol[i] = (uint32) element[i];
		beyond |= element[i] ^ (int32) element[i];
	}
	return beyond == 0;
}

/* Numbers elements of 64 bits. */
static void
NumberWords(TokenNumbers *numbers, const ArrayType *array, int32 count, uint32 *symbol)
{
	const int64 *element = (const int64 *) ARR_DATA_PTR(array);

	for (int32 i = 0; i < count; i++)
		symbol[i] = NumberToken(numbers, (Token){element[i], NULL, sizeof(int64)});
}

/* Numbers elements of any other fixed length. */
static void
NumberFixed(TokenNumbers *numbers, const ElementType *type, const ArrayType *array, int32 count,
			uint32 *symbol)
{
	const char *element = ARR_DATA_PTR(array);

	for (int32 i = 0; i < count; i++, element += ElementStride(type))
		symbol[i] = NumberToken(numbers, MakeToken(element, type->type->typlen));
}

/* Numbers varlena elements.  Returns false if one is compressed, toasted or has a short header. */
static bool
NumberVariable(TokenNumbers *numbers, const ElementType *type, const ArrayType *array, int32 count,
			   uint32 *symbol)
{
	const char *element = ARR_DATA_PTR(array);
	Size alignment = type->type->typalign == TYPALIGN_DOUBLE ? ALIGNOF_DOUBLE : ALIGNOF_INT;

	for (int32 i = 0; i < count; i++)
	{
		if (!VARATT_IS_4B_U(element))
			return false;
		symbol[i] = NumberToken(numbers, MakeToken(VARDATA(element), VARSIZE(element) - VARHDRSZ));
		element += TYPEALIGN(alignment, VARSIZE(element));
	}
	return true;
}

/* Sets the symbols of the elements of both arrays, which have 64 bits each. */
static bool
TakeFewWords(const ArrayType *const array[2], StringPair *pair)
{
	TokenNumbers numbers;

	if (TakeWords(array[0], pair->a.length, pair->characters[0]) &&
		TakeWords(array[1], pair->b.length, pair->characters[1]))
		return true;
	NumbersBegin(&numbers);
	NumberWords(&numbers, array[0], pair->a.length, pair->characters[0]);
	NumberWords(&numbers, array[1], pair->b.length, pair->characters[1]);
	return true;
}

/* Sets the symbols of the elements of both arrays, which are equal if their bytes are. */
static bool
TakeFewBytes(const ElementType *type, const ArrayType *const array[2], StringPair *pair)
{
	TokenNumbers numbers;

	if (type->type->typbyval && type->type->typlen == sizeof(int64))
		return TakeFewWords(array, pair);
	NumbersBegin(&numbers);
	if (type->type->typlen < 0)
		return NumberVariable(&numbers, type, array[0], pair->a.length, pair->characters[0]) &&
			   NumberVariable(&numbers, type, array[1], pair->b.length, pair->characters[1]);
	NumberFixed(&numbers, type, array[0], pair->a.length, pair->characters[0]);
	NumberFixed(&numbers, type, array[1], pair->b.length, pair->characters[1]);
	return true;
}

/* Takes the elements of both arrays as symbols, without a copy. */
static bool
TakeInPlace(const ArrayType *const array[2], StringPair *pair)
{
	pair->a.symbols = ARR_DATA_PTR(array[0]);
	pair->b.symbols = ARR_DATA_PTR(array[1]);
	return true;
}

/* Reads both arguments as arrays if they are short and neither compressed nor toasted. */
bool
TakeShortArrays(FunctionCallInfo fcinfo, StringPair *pair)
{
	const ArrayType *array[2];
	const ElementType *type;
	bool few;

	if (!TakeArrays(fcinfo, array, pair))
		return false;
	few = Max(pair->a.length, pair->b.length) <= SHORT_ARRAY;
	if (ARR_ELEMTYPE(array[0]) == INT4OID)
		return TakeInPlace(array, pair);
	if (ARR_ELEMTYPE(array[0]) == INT8OID)
		return few && TakeFewWords(array, pair);
	type = KnownElementType(fcinfo, ARR_ELEMTYPE(array[0]));
	if (AreSymbolsInPlace(type))
		return TakeInPlace(array, pair);
	if (type->kind == ELEMENTS_AS_SYMBOLS)
	{
		TakeSymbols(type, array[0], pair->a.length, pair->characters[0]);
		TakeSymbols(type, array[1], pair->b.length, pair->characters[1]);
		return true;
	}
	return few && type->kind == ELEMENTS_BY_BYTES && TakeFewBytes(type, array, pair);
}
