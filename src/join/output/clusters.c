/*
 * clusters.c
 *	  ted_clusters(): connected components of pairs of ids of any type.
 *
 * Ids are numbered as they occur, by a hash table that uses the operators of their type, and the
 * numbers are connected.  The first id of a component, in the order of the type, represents it.
 */
#include "postgres.h"

#include "funcapi.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/arrayaccess.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"
#include "utils/typcache.h"

#include "../../compat.h"
#include "../../catalog/row_type.h"
#include "../../common/host.h"
#include "../../core/common/components.h"

PG_FUNCTION_INFO_V1(ted_clusters);

/* Type and collation of ids. */
typedef struct IdType
{
	TypeCacheEntry *type;
	Oid collation;
} IdType;

/* An id and its number. */
typedef struct IdEntry
{
	Datum id;
	int32 number;
	uint32 hash;
	char status;
} IdEntry;

/* Hashes an id. */
static uint32
HashId(const IdType *type, Datum id)
{
	return DatumGetUInt32(FunctionCall1Coll(&type->type->hash_proc_finfo, type->collation, id));
}

/* Whether two ids are equal. */
static bool
SameIds(const IdType *type, Datum a, Datum b)
{
	return DatumGetBool(FunctionCall2Coll(&type->type->eq_opr_finfo, type->collation, a, b));
}

#define SH_PREFIX ids
#define SH_ELEMENT_TYPE IdEntry
#define SH_KEY_TYPE Datum
#define SH_KEY id
#define SH_HASH_KEY(table, key) HashId((table)->private_data, key)
#define SH_EQUAL(table, a, b) SameIds((table)->private_data, a, b)
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry) (entry)->hash
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* The ids found so far, and their components. */
typedef struct Clusters
{
	IdType type;
	ids_hash *numbers;
	Datum *ids;    /* by number */
	int32 *parent; /* by number, see components.h */
	int32 count;
	int32 capacity;
} Clusters;

/* An id and its number, for sorting. */
typedef struct OrderedId
{
	Datum id;
	int32 number;
} OrderedId;

/* Looks up the functions that hash and compare ids of a type. */
static IdType
FindIdType(Oid element, Oid collation)
{
	TypeCacheEntry *type = lookup_type_cache(
		element, TYPECACHE_HASH_PROC_FINFO | TYPECACHE_EQ_OPR_FINFO | TYPECACHE_CMP_PROC_FINFO);

	if (!OidIsValid(type->hash_proc_finfo.fn_oid) || !OidIsValid(type->eq_opr_finfo.fn_oid) ||
		!OidIsValid(type->cmp_proc_finfo.fn_oid))
		ereport(
			ERROR,
			(errcode(ERRCODE_UNDEFINED_FUNCTION),
			 errmsg("ids of type %s cannot be compared", format_type_be(element)),
			 errdetail("A type of ids has default operator classes for hash and btree indexes."),
			 errhint("Use ids of another type.")));
	return (IdType){type, collation};
}

/* Returns the number of an id; a new id gets the next number. */
static int32
NumberOfId(Clusters *clusters, Datum id)
{
	bool found;
	IdEntry *entry = ids_insert(clusters->numbers, id, &found);

	if (!found)
	{
		if (clusters->count == clusters->capacity)
		{
			Size each = sizeof(Datum) + sizeof(int32);

			if (clusters->capacity > INT_MAX / 2)
				ereport(ERROR,
						(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("too many ids"),
						 errdetail("There are more than %d different ones.", clusters->capacity),
						 errhint("Find the clusters of parts of the pairs.")));
			/* the hash table doubles, too, and exists twice meanwhile */
			CheckMemoryGrowth(CurrentMemoryContext,
							  (each + 4 * sizeof(IdEntry)) * (Size) clusters->capacity,
							  "finding clusters");
			clusters->capacity *= 2;
			clusters->ids = repalloc_huge(clusters->ids, sizeof(Datum) * (Size) clusters->capacity);
			clusters->parent =
				repalloc_huge(clusters->parent, sizeof(int32) * (Size) clusters->capacity);
		}
		entry->number = clusters->count++;
		clusters->ids[entry->number] = id;
		clusters->parent[entry->number] = entry->number;
	}
	return entry->number;
}

/* Connects the ids at the same places of two arrays; an id next to a null is only added. */
static void
ConnectPairs(Clusters *clusters, AnyArrayType *left, AnyArrayType *right, int count)
{
	const TypeCacheEntry *type = clusters->type.type;
	array_iter left_ids;
	array_iter right_ids;

	ArrayIterSetup(&left_ids, left, type->typlen, type->typbyval, type->typalign);
	ArrayIterSetup(&right_ids, right, type->typlen, type->typbyval, type->typalign);
	for (int i = 0; i < count; i++)
	{
		bool no_left;
		bool no_right;
		Datum left_id =
			ArrayIterNext(&left_ids, &no_left, i, type->typlen, type->typbyval, type->typalign);
		Datum right_id =
			ArrayIterNext(&right_ids, &no_right, i, type->typlen, type->typbyval, type->typalign);
		int32 a = no_left ? -1 : NumberOfId(clusters, left_id);
		int32 b = no_right ? -1 : NumberOfId(clusters, right_id);

		CHECK_FOR_INTERRUPTS();
		if (a >= 0 && b >= 0)
			ted_connect(clusters->parent, a, b);
	}
}

/* Compares two ids by the order of their type. */
static int
CompareClusterIds(const void *a, const void *b, void *arg)
{
	const IdType *type = arg;

	CHECK_FOR_INTERRUPTS();
	return DatumGetInt32(FunctionCall2Coll(&type->type->cmp_proc_finfo, type->collation,
										   ((const OrderedId *) a)->id,
										   ((const OrderedId *) b)->id));
}

/* Returns each id with the first id of its cluster, in the order of the ids. */
static void
EmitClusters(ReturnSetInfo *result, Clusters *clusters)
{
	Size count = (Size) clusters->count;
	OrderedId *ordered;
	int32 *first; /* position of the first id of each component */
	bool nulls[2] = {false};

	CheckMemoryGrowth(CurrentMemoryContext, (sizeof(OrderedId) + sizeof(int32)) * count,
					  "finding clusters");
	ordered = palloc_extended(sizeof(OrderedId) * count, MCXT_ALLOC_HUGE);
	first = palloc_extended(sizeof(int32) * count, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < clusters->count; i++)
	{
		ordered[i] = (OrderedId){clusters->ids[i], i};
		first[i] = -1;
	}
	qsort_arg(ordered, count, sizeof(OrderedId), CompareClusterIds, &clusters->type);
	for (int32 i = 0; i < clusters->count; i++)
	{
		int32 component = ted_component(clusters->parent, ordered[i].number);
		Datum values[2] = {ordered[i].id};

		CHECK_FOR_INTERRUPTS();
		if (first[component] < 0)
			first[component] = i;
		values[1] = ordered[first[component]].id;
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* Returns each id of the pairs with the first id of its cluster. */
Datum
ted_clusters(PG_FUNCTION_ARGS)
{
	AnyArrayType *left = PG_GETARG_ANY_ARRAY_P(0);
	AnyArrayType *right = PG_GETARG_ANY_ARRAY_P(1);
	int count = ArrayGetNItems(AARR_NDIM(left), AARR_DIMS(left));
	int right_count = ArrayGetNItems(AARR_NDIM(right), AARR_DIMS(right));
	MemoryContext caller = CurrentMemoryContext;
	MemoryContext context;
	Clusters clusters = {.capacity = 64};

	if (count != right_count)
		ereport(ERROR,
				(errcode(ERRCODE_ARRAY_SUBSCRIPT_ERROR),
				 errmsg("arrays of left and right ids must have the same number of elements"),
				 errdetail("Each left id has a right id at the same position."),
				 errhint("Aggregate both over the same rows by array_agg().")));
	InitRows(fcinfo, "**");
	context = AllocSetContextCreate(caller, "ted clusters", ALLOCSET_DEFAULT_SIZES);
	MemoryContextSwitchTo(context);
	clusters.type = FindIdType(AARR_ELEMTYPE(left), PG_GET_COLLATION());
	clusters.numbers = ids_create(context, (uint32) clusters.capacity, &clusters.type);
	clusters.ids = palloc_array(Datum, clusters.capacity);
	clusters.parent = palloc_array(int32, clusters.capacity);
	ConnectPairs(&clusters, left, right, count);
	EmitClusters((ReturnSetInfo *) fcinfo->resultinfo, &clusters);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return (Datum) 0;
}
