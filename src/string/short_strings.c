/*
 * short_strings.c
 *	  Arguments that are short strings, taken without caching anything.
 *
 * Bytes, ASCII texts and arrays whose elements are symbols are compared where they lie.
 * Other elements are numbered by their bytes, in a hash table of both arrays on the stack.
 */
#include "postgres.h"

#include "access/tupmacs.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "port/pg_bswap.h"
#include "utils/array.h"

#include "../compat.h"
#include "../common/characters.h"
#include "short_strings.h"

/* The most elements of an array that are numbered for one call, and slots for those of two. */
#define SHORT_ARRAY 64
#define TOKEN_SLOTS 256

/* Elements of at most this number of bytes are identified by their keys and lengths. */
#define KEY_BYTES ((int) sizeof(uint64))

/* An element of an array. */
typedef struct Token
{
	uint64 key;
	const char *bytes;
	Size length;
} Token;

/* The distinct elements of two arrays, counted from 1. */
typedef struct TokenNumbers
{
	uint8 slot[TOKEN_SLOTS]; /* number, or 0 for a free slot */
	Token token[2 * SHORT_ARRAY + 1];
	int count;
} TokenNumbers;

/* Takes the bytes of both arguments where they are at hand and short. */
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

/* Takes the characters of both arguments where they are at hand and few. */
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

/* An array that is one sequence of known elements and at hand, in memory that is aligned; or NULL.
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

/* Takes both arguments where they are short arrays of elements of one type. */
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

/* Makes an empty table. */
static inline void
NumbersBegin(TokenNumbers *numbers)
{
	memset(numbers->slot, 0, sizeof(numbers->slot));
	numbers->count = 0;
}

/* The number of an element, which is the next one for a new element. */
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

/* An element as a token, whose key has its bytes, or a hash value of more of them. */
static inline Token
MakeToken(const char *bytes, Size length)
{
	Token token = {0, bytes, length};
	uint64 last;

	if (length > KEY_BYTES)
		token.key = hash_bytes_extended((const unsigned char *) bytes, (int) length, 0);
	else if (length > 0)
	{
		/* whatever is before them belongs to the array, too */
		memcpy(&last, bytes + length - KEY_BYTES, KEY_BYTES);
		token.key = pg_ntoh64(last) << BITS_PER_BYTE * (KEY_BYTES - length);
	}
	return token;
}

/* Takes elements of at most 32 bits as they are. */
static void
TakeSymbols(const ElementType *type, const ArrayType *array, int32 count, uint32 *symbol)
{
	const char *element = ARR_DATA_PTR(array);

	for (int32 i = 0; i < count; i++, element += ElementStride(type))
		symbol[i] = ElementSymbol(type, element);
}

/* Takes elements of 64 bits as they are; false where one has more than 32 bits. */
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

/* Numbers elements of another fixed length. */
static void
NumberFixed(TokenNumbers *numbers, const ElementType *type, const ArrayType *array, int32 count,
			uint32 *symbol)
{
	const char *element = ARR_DATA_PTR(array);

	for (int32 i = 0; i < count; i++, element += ElementStride(type))
		symbol[i] = NumberToken(numbers, MakeToken(element, type->type->typlen));
}

/* Numbers elements such as texts; false where one of them is not at hand. */
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

/* Takes the elements of both arrays where they are of 64 bits, and few. */
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

/* The same where they are equal if their bytes are. */
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

/* Takes elements that are symbols just where they lie. */
static bool
TakeInPlace(const ArrayType *const array[2], StringPair *pair)
{
	pair->a.symbols = ARR_DATA_PTR(array[0]);
	pair->b.symbols = ARR_DATA_PTR(array[1]);
	return true;
}

/* Takes the elements of both arguments where they are few. */
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
