/*
 * order.c
 *	  Order and hash of trees, for btree and hash indexes, sorting and grouping.
 *
 * A tree is compared and hashed as the sequence of its events, with the bytes of the
 * labels.  In the order, the end of a node comes before the beginning of another node, and
 * labels are ordered by their bytes.  Neither the stored form nor byte order nor collation
 * matters.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "../../compat.h"
#include "tree.h"

/* Compares two trees; the result is negative, 0 or positive. */
static int
CompareTrees(const Tree *a, const Tree *b)
{
	TreeReader reader_a;
	TreeReader reader_b;
	int order = 0;

	/* equal trees have equal stored forms */
	if (VARSIZE_ANY_EXHDR(a) == VARSIZE_ANY_EXHDR(b) &&
		memcmp(VARDATA_ANY(a), VARDATA_ANY(b), VARSIZE_ANY_EXHDR(a)) == 0)
		return 0;

	TreeReaderInit(&reader_a, a);
	TreeReaderInit(&reader_b, b);
	while (order == 0)
	{
		TreeEvent event_a = TreeReaderNext(&reader_a);
		TreeEvent event_b = TreeReaderNext(&reader_b);

		CHECK_FOR_INTERRUPTS();
		if (event_a != event_b)
			order = event_a == TREE_OPEN ? 1 : -1;
		else if (event_a == TREE_END)
			break;
		else if (event_a == TREE_OPEN)
			order = CompareLabels(reader_a.labels[reader_a.label], reader_b.labels[reader_b.label]);
	}
	pfree(reader_a.labels);
	pfree(reader_b.labels);
	return order;
}

/* Compares the first two arguments of a function, and frees detoasted copies. */
static int
CompareArguments(FunctionCallInfo fcinfo)
{
	Tree *a = PG_GETARG_TREE(0);
	Tree *b = PG_GETARG_TREE(1);
	int order = CompareTrees(a, b);

	PG_FREE_IF_COPY(a, 0);
	PG_FREE_IF_COPY(b, 1);
	return order;
}

/* Defines a comparison operator. */
#define COMPARISON(name, relation)                                                                 \
	PG_FUNCTION_INFO_V1(name);                                                                     \
	Datum name(PG_FUNCTION_ARGS)                                                                   \
	{                                                                                              \
		PG_RETURN_BOOL(CompareArguments(fcinfo) relation 0);                                       \
	}                                                                                              \
	extern Datum name(PG_FUNCTION_ARGS)

COMPARISON(tree_lt, <);
COMPARISON(tree_le, <=);
COMPARISON(tree_eq, ==);
COMPARISON(tree_ne, !=);
COMPARISON(tree_ge, >=);
COMPARISON(tree_gt, >);

PG_FUNCTION_INFO_V1(tree_cmp);

/* Compares two trees, as btree support function. */
Datum
tree_cmp(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT32(CompareArguments(fcinfo));
}

/* Adds bytes to a 64-bit FNV-1a hash. */
static uint64
HashBytes(uint64 hash, const char *bytes, int length)
{
	for (int i = 0; i < length; i++)
		hash = (hash ^ (unsigned char) bytes[i]) * UINT64CONST(0x100000001b3);
	return hash;
}

/* Hashes a tree.  A label ends with 0xff and a node with 0xfe, bytes that UTF-8 does not have. */
static uint64
HashTreeValue(const Tree *tree, uint64 seed)
{
	uint64 hash = UINT64CONST(0xcbf29ce484222325) ^ seed;
	TreeReader reader;
	TreeEvent event;

	TreeReaderInit(&reader, tree);
	while ((event = TreeReaderNext(&reader)) != TREE_END)
	{
		CHECK_FOR_INTERRUPTS();
		if (event == TREE_OPEN)
		{
			Label label = reader.labels[reader.label];

			hash = HashBytes(hash, label.bytes, label.length);
			hash = HashBytes(hash, "\xff", 1);
		}
		else
			hash = HashBytes(hash, "\xfe", 1);
	}
	pfree(reader.labels);

	/* mixes the high bits, which FNV mixes poorly */
	hash ^= hash >> 32;
	hash *= UINT64CONST(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

PG_FUNCTION_INFO_V1(tree_hash);

/* Returns a 32-bit hash, as hash support function. */
Datum
tree_hash(PG_FUNCTION_ARGS)
{
	Tree *tree = PG_GETARG_TREE(0);
	uint64 hash = HashTreeValue(tree, 0);

	PG_FREE_IF_COPY(tree, 0);
	PG_RETURN_INT32((int32) hash);
}

PG_FUNCTION_INFO_V1(tree_hash_extended);

/* Returns a 64-bit hash with a seed.  With seed 0, its low half is the 32-bit hash. */
Datum
tree_hash_extended(PG_FUNCTION_ARGS)
{
	Tree *tree = PG_GETARG_TREE(0);
	uint64 hash = HashTreeValue(tree, (uint64) PG_GETARG_INT64(1));

	PG_FREE_IF_COPY(tree, 0);
	PG_RETURN_INT64((int64) hash);
}
