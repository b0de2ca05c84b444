/*
 * cell_join.c
 *	  Joins the cells of a join over several servers, and unpacks the pairs that they find.
 *
 * Pairs travel in a packet: the number of documents; their ids; and for each pair the numbers of
 *its two documents, from 0, as differences from those of the pair before, and the measure, in one
 *byte if it is a whole number below LONG_MEASURE.
 */
#include "postgres.h"

#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "executor/spi.h"
#include "executor/tstoreReceiver.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"
#include "utils/typcache.h"

#include "../catalog/row_type.h"
#include "../common/host.h"
#include "../compat.h"
#include "../core/common/components.h"
#include "../join/output/pairs.h"
#include "groups.h"

#define LONG_MEASURE 255

/* The most bytes of a pair in a packet. */
#define PAIR_BYTES 32

/* Pairs of a packet, if a home gets several. */
#define MOST_PACKET_PAIRS 1000000

/* Raises an error if the ids or pairs of a cell may take more than 1 GB with `more` bytes. */
static void
CheckCellBytes(const StringInfoData *bytes, Size more, const char *what)
{
	if ((Size) bytes->len + more > MaxAllocSize)
		ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
						errmsg("similarity join of a cell has too many %s", what),
						errdetail("They may take 1 GB."),
						errhint("Call with a larger number of \"parts\".")));
}

/* A pair of documents of a cell, by their numbers. */
typedef struct Pair
{
	int32 left;
	int32 right;
	double measure;
} Pair;

/* The pairs whose left ids have the same home. */
typedef struct HomePairs
{
	Pair *pairs;
	int32 count;
	int32 capacity;
} HomePairs;

/* The state of the join of a cell. */
typedef struct CellJoin
{
	JoinSpec spec;
	int cell;
	int32 homes;   /* that pairs are for */
	bool in_order; /* whether the smaller id of a pair goes to the left */
	int encoding;  /* of the ids; -1 before the first document */
	int64 pairs;   /* found */
	JoinDocuments *documents;
	int32 count;
	int32 capacity;
	StringInfoData ids; /* in the format of packets */
	struct CellDocument
	{
		int32 id; /* byte in `ids` */
		int32 home;
		int32 order;        /* of the id among all: equal ids have the same; -1 for NULL */
	} * of;                 /* by number */
	MemoryContext document; /* context for adding one document */
	Oid id_type;
	Oid collation;
	HomePairs *found;      /* by home; NULL if pairs are only counted */
	MemoryContext context; /* of these */
} CellJoin;

/* Raises an error unless ids can be of a type, and compared by a collation, if there is one. */
static void
CheckIdType(Oid type, Oid collation)
{
	char kind = get_typtype(type);
	HeapTuple tuple;
	int32 encoding;

	if (kind == '\0' || kind == TYPTYPE_PSEUDO)
		InvalidArgument("type of ids");
	if (!OidIsValid(collation))
		return;
	tuple = SearchSysCache1(COLLOID, ObjectIdGetDatum(collation));
	if (!HeapTupleIsValid(tuple))
		InvalidArgument("collation of ids");
	encoding = ((Form_pg_collation) GETSTRUCT(tuple))->collencoding;
	ReleaseSysCache(tuple);
	if (encoding != -1 && encoding != GetDatabaseEncoding())
		InvalidArgument("collation of ids");
}

/* Starts a join of a cell, without documents. */
static CellJoin *
CellJoinCreate(FunctionCallInfo fcinfo)
{
	CellJoin *join = palloc0_object(CellJoin);

	for (int i = 3; i < 9; i++)
		if (PG_ARGISNULL(i))
			InvalidArgument("plan");
	join->spec = JoinSpecOf(fcinfo, 3);
	join->cell = PG_GETARG_INT32(5);
	join->homes = PG_GETARG_INT32(6);
	join->in_order = PG_GETARG_BOOL(7);
	join->id_type = PG_GETARG_OID(8);
	join->collation = PG_ARGISNULL(9) ? get_typcollation(join->id_type) : PG_GETARG_OID(9);
	if (join->cell < 0 || join->cell >= MOST_CELLS)
		InvalidArgument("cell");
	if (join->homes < 1 || join->homes > MOST_PLACES)
		InvalidArgument("plan");
	CheckIdType(join->id_type, join->collation);
	join->encoding = -1;
	join->documents = DocumentsCreate(join->spec.kind);
	initStringInfo(&join->ids);
	join->document =
		AllocSetContextCreate(CurrentMemoryContext, "document of a join", ALLOCSET_DEFAULT_SIZES);
	return join;
}

/* Adds a document of a home. */
static void
CellJoinAdd(CellJoin *join, StringInfo from, int32 home, MemoryContext context)
{
	DocumentRecord record;
	CellSet set = {0};
	MemoryContext caller;
	int cells;

	ReadDocumentRecord(from, &record);
	if (record.side != 0 && !DocumentsSideExists(record.side))
		InvalidArgument("side");
	cells = pq_getmsgbyte(from);
	for (int i = 0; i < cells; i++)
	{
		int cell = pq_getmsgbyte(from);

		if (cell >= MOST_CELLS)
			InvalidArgument("cell");
		CellSetAdd(&set, cell);
	}
	CheckCellBytes(&join->ids, sizeof(int32) + (Size) Max(record.id_length, 0) + PAIR_BYTES,
				   "documents");
	RESERVE(context, join->of, join->capacity, join->count + 1);
	join->of[join->count].id = join->ids.len;
	join->of[join->count].home = home;
	AppendId(&join->ids, record.id, record.id_length);
	caller = MemoryContextSwitchTo(join->document);
	DocumentsAdd(join->documents, join->count++, record.side, join->spec.limit, NULL,
				 DocumentOfRecord(&record, join->spec.kind, join->encoding), &set);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(join->document);
}

PG_FUNCTION_INFO_V1(ted_join_cell_transfn);

/*
 * Adds documents of a cell: (state, packed, home, kind, threshold, cell, homes, in order, type of
 * ids, their collation).
 */
Datum
ted_join_cell_transfn(PG_FUNCTION_ARGS)
{
	CellJoin *join = PG_ARGISNULL(0) ? NULL : (CellJoin *) PG_GETARG_POINTER(0);
	MemoryContext context;
	MemoryContext caller;

	if (AggCheckCallContext(fcinfo, &context) == 0)
		elog(ERROR, "ted_join_cell_transfn called in non-aggregate context");
	caller = MemoryContextSwitchTo(context);
	if (join == NULL)
		join = CellJoinCreate(fcinfo);
	if (!PG_ARGISNULL(1))
	{
		StringInfoData from;
		bytea *packed = PG_GETARG_BYTEA_PP(1);
		int encoding = OpenPacket(&from, PointerGetDatum(packed));
		int32 home = PG_ARGISNULL(2) ? -1 : PG_GETARG_INT32(2);

		if (join->encoding >= 0 && join->encoding != encoding)
			InvalidArgument("encoding");
		if (home < 0 || home >= MOST_PLACES)
			InvalidArgument("home");
		join->encoding = encoding;
		while (from.cursor < from.len)
		{
			CHECK_FOR_INTERRUPTS();
			CellJoinAdd(join, &from, home, context);
		}
		if ((Pointer) packed != PG_GETARG_POINTER(1))
			pfree(packed);
	}
	MemoryContextSwitchTo(caller);
	PG_RETURN_POINTER(join);
}

/* An id with the number of its document. */
typedef struct NumberedId
{
	Datum id;
	int32 number;
} NumberedId;

/* The comparison of ids. */
typedef struct IdOrder
{
	FmgrInfo compare;
	Oid collation;
} IdOrder;

/* Compares two ids. */
static int
CompareIds(const void *a, const void *b, void *arg)
{
	IdOrder *order = arg;

	return DatumGetInt32(FunctionCall2Coll(&order->compare, order->collation,
										   ((const NumberedId *) a)->id,
										   ((const NumberedId *) b)->id));
}

/* Finds the order of all documents' ids. */
static void
OrderIds(CellJoin *join)
{
	NumberedId *ids = palloc_array(NumberedId, Max(join->count, 1));
	TypeCacheEntry *entry = lookup_type_cache(join->id_type, TYPECACHE_CMP_PROC);
	StringInfoData from = {.data = join->ids.data, .len = join->ids.len};
	IdOrder order = {.collation = join->collation};
	Oid function;
	Oid argument;
	FmgrInfo input;
	int32 count = 0;
	int level;

	if (!OidIsValid(entry->cmp_proc))
		ereport(ERROR, (errcode(ERRCODE_UNDEFINED_FUNCTION),
						errmsg("ids of type %s have no order", format_type_be(join->id_type)),
						errdetail("A pair has the smaller id on the left."),
						errhint("Use ids of a type with a btree operator class.")));
	fmgr_info(entry->cmp_proc, &order.compare);
	getTypeInputInfo(join->id_type, &function, &argument);
	fmgr_info(function, &input);
	level = BeginTexts();
	for (int32 i = 0; i < join->count; i++)
	{
		char *id = ReadId(&from, join->encoding);

		CHECK_FOR_INTERRUPTS();
		join->of[i].order = -1;
		if (id != NULL)
			ids[count++] =
				(NumberedId){.id = InputFunctionCall(&input, id, argument, -1), .number = i};
	}
	EndTexts(level);
	if (count > 1)
		qsort_arg(ids, (size_t) count, sizeof(NumberedId), CompareIds, &order);
	for (int32 i = 0; i < count; i++)
		join->of[ids[i].number].order = i > 0 && CompareIds(&ids[i - 1], &ids[i], &order) == 0
											? join->of[ids[i - 1].number].order
											: i;
	pfree(ids);
}

/* Keeps a pair for the home of its left id. */
static void
KeepPair(CellJoin *join, int64 left, int64 right, double measure)
{
	HomePairs *pairs = &join->found[join->homes == 1 ? 0 : join->of[left].home];

	if (pairs->count == PG_INT32_MAX)
		InvalidArgument("number of pairs");
	RESERVE(join->context, pairs->pairs, pairs->capacity, (int64) pairs->count + 1);
	pairs->pairs[pairs->count++] = (Pair){(int32) left, (int32) right, measure};
}

/* Receives a pair; leaves out pairs of equal or null ids of one table. */
static void
AddPair(void *arg, int64 left, int64 right, double measure)
{
	CellJoin *join = arg;

	if (join->in_order)
	{
		int32 left_order = join->of[left].order;
		int32 right_order = join->of[right].order;

		if (left_order < 0 || right_order < 0 || left_order == right_order)
			return;
		if (left_order > right_order)
		{
			int64 swapped = left;

			left = right;
			right = swapped;
		}
	}
	join->pairs++;
	if (join->found != NULL)
		KeepPair(join, left, right, measure);
}

/* Connects the documents of the cell; keeps each connected one with the one of the least id. */
static void
ConnectCell(CellJoin *join)
{
	int32 *parent = palloc_array(int32, Max(join->count, 1));
	int32 *least = palloc_array(int32, Max(join->count, 1));
	int32 *size = palloc0_array(int32, Max(join->count, 1));

	for (int32 i = 0; i < join->count; i++)
		parent[i] = least[i] = i;
	ConnectSimilar(join->documents, join->cell, (ArrayElements){0}, parent);
	for (int32 i = 0; i < join->count; i++)
	{
		int32 root = ted_component(parent, i);

		size[root]++;
		if (join->of[i].order < join->of[least[root]].order)
			least[root] = i;
	}
	for (int32 i = 0; i < join->count; i++)
	{
		int32 root = ted_component(parent, i);

		CHECK_FOR_INTERRUPTS();
		if (size[root] > 1)
			KeepPair(join, i, least[root], 0);
	}
}

/*
 * Appends the difference between `number` and `*before` as a variable-length integer: seven bits in
 * a byte, with the sign in the lowest bit; sets `*before`.
 */
static void
AppendDifference(StringInfo to, int32 *before, int32 number)
{
	int64 difference = (int64) number - *before;
	uint64 rest = difference < 0 ? (uint64) -difference << 1 | 1 : (uint64) difference << 1;

	for (; rest > 0x7F; rest >>= 7)
		appendStringInfoCharMacro(to, (char) (rest | 0x80));
	appendStringInfoCharMacro(to, (char) rest);
	*before = number;
}

/* Reads a number written by AppendDifference(); raises an error unless it is below `count`. */
static int32
ReadNumber(StringInfo from, int32 *before, int32 count)
{
	uint64 rest = 0;
	int64 number;
	int byte;
	int shift = 0;

	do
	{
		byte = pq_getmsgbyte(from);
		rest |= (uint64) (byte & 0x7F) << shift;
		shift += 7;
	} while (byte > 0x7F && shift < 42);
	number = *before + ((rest & 1) != 0 ? -(int64) (rest >> 1) : (int64) (rest >> 1));
	if (number < 0 || number >= count)
		InvalidArgument("match");
	*before = (int32) number;
	return *before;
}

/*
 * Packs pairs, with the ids of their documents.  `number` has an entry for each document of the
 * cell, which is 0 before and after.
 */
static void
PackPairs(const CellJoin *join, StringInfo to, const Pair *pairs, int32 count, int32 *number)
{
	int32 *document = palloc_array(int32, Max(Min((int64) count * 2, join->count), 1));
	int32 documents = 0;
	int32 left = 0;
	int32 right = 0;

	for (int32 i = 0; i < count; i++)
		for (int side = 0; side < 2; side++)
		{
			int32 of = side == 0 ? pairs[i].left : pairs[i].right;

			if (number[of] == 0)
			{
				document[documents++] = of;
				number[of] = documents;
			}
		}
	BeginPacket(to, join->encoding);
	pq_sendint32(to, (uint32) documents);
	for (int32 i = 0; i < documents; i++)
	{
		int32 begin = join->of[document[i]].id;
		int32 end = document[i] + 1 < join->count ? join->of[document[i] + 1].id : join->ids.len;

		CheckCellBytes(to, (Size) (end - begin), "ids");
		appendBinaryStringInfo(to, join->ids.data + begin, end - begin);
	}
	for (int32 i = 0; i < count; i++)
	{
		double measure = pairs[i].measure;

		CHECK_FOR_INTERRUPTS();
		CheckCellBytes(to, PAIR_BYTES, "pairs");
		AppendDifference(to, &left, number[pairs[i].left] - 1);
		AppendDifference(to, &right, number[pairs[i].right] - 1);
		if (measure >= 0 && measure < LONG_MEASURE && measure == (uint8) measure)
			pq_sendbyte(to, (uint8) measure);
		else
		{
			pq_sendbyte(to, LONG_MEASURE);
			pq_sendfloat8(to, measure);
		}
	}
	for (int32 i = 0; i < documents; i++)
		number[document[i]] = 0;
	pfree(document);
}

/* What a cell finds. */
typedef enum CellResult
{
	CELL_PAIRS,
	CELL_COUNT,
	CELL_CLUSTERS
} CellResult;

/* Joins the documents of a cell; returns packets of pairs for each home, or their number. */
static Datum
JoinCell(FunctionCallInfo fcinfo, CellResult result)
{
	CellJoin *join;
	Answers answers;
	int32 *number;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	join = (CellJoin *) PG_GETARG_POINTER(0);
	join->context = CurrentMemoryContext;
	if (result != CELL_COUNT)
	{
		answers = BeginAnswers(fcinfo);
		join->found = palloc0_array(HomePairs, MOST_PLACES);
	}
	if (join->in_order || result == CELL_CLUSTERS)
		OrderIds(join);
	if (result == CELL_CLUSTERS)
		ConnectCell(join);
	else
		FindPairs(join->documents, join->cell, AddPair, join);
	DocumentsClose(join->documents);
	if (result == CELL_COUNT)
		PG_RETURN_INT64(join->pairs);
	number = palloc0_array(int32, Max(join->count, 1));
	for (int home = 0; home < MOST_PLACES; home++)
	{
		HomePairs *pairs = &join->found[home];

		for (int32 first = 0; first < pairs->count; first += MOST_PACKET_PAIRS)
		{
			StringInfoData packed;

			initStringInfo(&packed);
			PackPairs(join, &packed, pairs->pairs + first,
					  Min(pairs->count - first, MOST_PACKET_PAIRS), number);
			Answer(&answers, STEP_FOUND, home, join->cell, first / MOST_PACKET_PAIRS, &packed);
			pfree(packed.data);
		}
	}
	PG_RETURN_DATUM(EndAnswers(&answers));
}

PG_FUNCTION_INFO_V1(ted_join_cell_finalfn);

/* Step 7: returns the pairs of the cell, without those that another cell returns. */
Datum
ted_join_cell_finalfn(PG_FUNCTION_ARGS)
{
	return JoinCell(fcinfo, CELL_PAIRS);
}

PG_FUNCTION_INFO_V1(ted_count_cell_finalfn);

/* Step 7: returns the number of these pairs. */
Datum
ted_count_cell_finalfn(PG_FUNCTION_ARGS)
{
	return JoinCell(fcinfo, CELL_COUNT);
}

PG_FUNCTION_INFO_V1(ted_connect_cell_finalfn);

/*
 * Step 7: returns each document that pairs of the cell connect with others, with the least id of
 * these, as pairs.  Other cells may connect the same documents.
 */
Datum
ted_connect_cell_finalfn(PG_FUNCTION_ARGS)
{
	return JoinCell(fcinfo, CELL_CLUSTERS);
}

/* The state of ted_unpack_pairs(). */
typedef struct UnpackedPairs
{
	StringInfoData from;
	Datum *ids; /* by document number */
	bool *nulls;
	int32 count;
	int32 left; /* number of the left document of the last pair read */
	int32 right;
} UnpackedPairs;

/* Reads the ids of a packet of pairs. */
static UnpackedPairs *
UnpackIds(bytea *packed, Oid type)
{
	UnpackedPairs *pairs = palloc0_object(UnpackedPairs);
	Oid function;
	Oid argument;
	FmgrInfo input;
	int encoding = OpenPacket(&pairs->from, PointerGetDatum(packed));
	int level;

	pairs->count = ReadCount(&pairs->from, pairs->from.len / 4);
	pairs->ids = palloc_array(Datum, Max(pairs->count, 1));
	pairs->nulls = palloc_array(bool, Max(pairs->count, 1));
	getTypeInputInfo(type, &function, &argument);
	fmgr_info(function, &input);
	level = BeginTexts();
	for (int32 i = 0; i < pairs->count; i++)
	{
		char *id = ReadId(&pairs->from, encoding);

		CHECK_FOR_INTERRUPTS();
		pairs->nulls[i] = id == NULL;
		if (id != NULL)
			pairs->ids[i] = InputFunctionCall(&input, id, argument, -1);
	}
	EndTexts(level);
	return pairs;
}

PG_FUNCTION_INFO_V1(ted_first_id);

/*
 * Returns the left id of the first pair of a packet, which is the first of its ids, as a text of
 * the server's encoding.
 */
Datum
ted_first_id(PG_FUNCTION_ARGS)
{
	StringInfoData from;
	int encoding = OpenPacket(&from, PG_GETARG_DATUM(0));
	char *id;

	if (ReadCount(&from, from.len / 4) == 0 || (id = ReadId(&from, encoding)) == NULL)
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(id));
}

/* Reads the next pair; false at the end. */
static bool
ReadPair(UnpackedPairs *pairs, Datum values[3], bool nulls[3])
{
	int32 left;
	int32 right;
	int measure;

	if (pairs->from.cursor >= pairs->from.len)
		return false;
	left = ReadNumber(&pairs->from, &pairs->left, pairs->count);
	right = ReadNumber(&pairs->from, &pairs->right, pairs->count);
	measure = pq_getmsgbyte(&pairs->from);
	values[0] = pairs->ids[left];
	values[1] = pairs->ids[right];
	values[2] = Float8GetDatum(measure < LONG_MEASURE ? measure : pq_getmsgfloat8(&pairs->from));
	nulls[0] = pairs->nulls[left];
	nulls[1] = pairs->nulls[right];
	nulls[2] = false;
	return true;
}

/* Raises an error unless the first two columns of a result are of the type of ids. */
static void
CheckIdColumns(TupleDesc row, Oid type)
{
	if (TupleDescAttr(row, 0)->atttypid != type || TupleDescAttr(row, 1)->atttypid != type)
		InvalidArgument("type of ids");
}

PG_FUNCTION_INFO_V1(ted_unpack_pairs);

/* Returns the pairs of a packet; the first two columns of the result are of the type of the ids. */
Datum
ted_unpack_pairs(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	Datum values[3];
	bool nulls[3];

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext caller;
		Oid type;

		context = SRF_FIRSTCALL_INIT();
		caller = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		context->tuple_desc = ResultRowType(fcinfo, "**d");
		type = TupleDescAttr(context->tuple_desc, 0)->atttypid;
		CheckIdColumns(context->tuple_desc, type);
		if (!PG_ARGISNULL(0))
			context->user_fctx = UnpackIds(PG_GETARG_BYTEA_P_COPY(0), type);
		MemoryContextSwitchTo(caller);
	}
	context = SRF_PERCALL_SETUP();
	if (context->user_fctx != NULL && ReadPair(context->user_fctx, values, nulls))
		SRF_RETURN_NEXT(context,
						HeapTupleGetDatum(heap_form_tuple(context->tuple_desc, values, nulls)));
	SRF_RETURN_DONE(context);
}

/* Adds the pairs of a packet to a result. */
static void
ReturnPairs(const ReturnSetInfo *result, UnpackedPairs *pairs, bool by_distance)
{
	Datum values[3];
	bool nulls[3];

	while (ReadPair(pairs, values, nulls))
	{
		CHECK_FOR_INTERRUPTS();
		if (by_distance)
		{
			double distance = DatumGetFloat8(values[2]);

			if (!FLOAT8_FITS_IN_INT32(distance) || distance != (int32) distance)
				InvalidArgument("match");
			values[2] = Int32GetDatum((int32) distance);
		}
		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
}

/* Adds the rows of a query, whose columns have the types of the result's, to a result. */
static void
ReturnRows(const ReturnSetInfo *result, const char *query)
{
	DestReceiver *receiver = CreateDestReceiver(DestTuplestore);

	SetTuplestoreDestReceiverParams(receiver, result->setResult,
									result->econtext->ecxt_per_query_memory, false, result->setDesc,
									"pairs have other types");
	SPI_execute_extended(
		query,
		&(SPIExecuteOptions){.read_only = true, .must_return_tuples = true, .dest = receiver});
}

/* Columns of the rows of ted_pairs(), one of which is not null. */
enum
{
	PAIRS_PACKED = 1,
	PAIRS_QUERY, /* query of a join on this server */
	PAIRS_COUNT
};

/* The arguments of ted_pairs(). */
enum
{
	PAIRS_DOCS,
	PAIRS_KIND,
	PAIRS_THRESHOLD,
	PAIRS_SERVERS,
	PAIRS_ID,
	PAIRS_DOC,
	PAIRS_CELLS,
	PAIRS_RESULT,
	PAIRS_OTHERS,
	PAIRS_EXPLAIN,
	PAIRS_ID_TYPE,
	PAIRS_SCHEMAS,
	PAIRS_FIND,
	PAIRS_ARGUMENTS
};

/*
 * Calls ted_pairs(), which is in the same schema as the calling SQL function, for a kind of
 * documents; `find` is what it finds.  The arguments of the calling function from the one numbered
 * `first` are `to` ted_pairs(), of which there are `count`; `id_type` may be invalid.  Returns its
 * rows, in an open SPI connection.
 */
static SPITupleTable *
CallPairs(FunctionCallInfo fcinfo, const char *kind, const char *find, int first, const int *to,
		  int count, Oid id_type)
{
	static Oid types[PAIRS_ARGUMENTS] = {REGCLASSOID, TEXTOID,      TEXTOID, NAMEARRAYOID, NAMEOID,
										 NAMEOID,     INT4OID,      NAMEOID, REGCLASSOID,  BOOLOID,
										 REGTYPEOID,  NAMEARRAYOID, TEXTOID};
	Datum values[PAIRS_ARGUMENTS] = {0};
	char nulls[PAIRS_ARGUMENTS];
	char threshold[DOUBLE_SHORTEST_DECIMAL_LEN];
	const char *function = quote_qualified_identifier(
		get_namespace_name(get_func_namespace(fcinfo->flinfo->fn_oid)), "ted_pairs");

	memset(nulls, 'n', lengthof(nulls));
	for (int i = 0; i < count; i++)
		if (!PG_ARGISNULL(first + i))
		{
			values[to[i]] = PG_GETARG_DATUM(first + i);
			nulls[to[i]] = ' ';
		}
	if (nulls[PAIRS_THRESHOLD] == ' ')
	{
		/* the shortest digits that give this number, whatever the settings */
		double_to_shortest_decimal_buf(DatumGetFloat8(values[PAIRS_THRESHOLD]), threshold);
		values[PAIRS_THRESHOLD] = CStringGetTextDatum(threshold);
	}
	values[PAIRS_KIND] = CStringGetTextDatum(kind);
	values[PAIRS_FIND] = CStringGetTextDatum(find);
	nulls[PAIRS_KIND] = nulls[PAIRS_FIND] = ' ';
	if (OidIsValid(id_type))
	{
		values[PAIRS_ID_TYPE] = ObjectIdGetDatum(id_type);
		nulls[PAIRS_ID_TYPE] = ' ';
	}
	SPI_connect();
	SPI_execute_with_args(psprintf("SELECT packed, query, pairs FROM %s($1, $2, $3, $4, $5, $6, "
								   "$7, $8, $9, $10, $11, $12, $13)",
								   function),
						  PAIRS_ARGUMENTS, types, values, nulls, false, 0);
	if (SPI_tuptable == NULL || !HasColumns(SPI_tuptable->tupdesc, "ysl"))
		InvalidArgument("result");
	return SPI_tuptable;
}

/* Returns the pairs of documents of a kind. */
static Datum
FindPairsByServers(FunctionCallInfo fcinfo, const char *kind)
{
	static const int to[] = {PAIRS_DOCS,    PAIRS_THRESHOLD, PAIRS_SERVERS, PAIRS_ID,
							 PAIRS_DOC,     PAIRS_CELLS,     PAIRS_RESULT,  PAIRS_OTHERS,
							 PAIRS_EXPLAIN, PAIRS_SCHEMAS};
	/* a first argument that only gives the type of ids */
	int first = PG_NARGS() - lengthof(to);
	Oid id_type = first > 0 ? get_fn_expr_argtype(fcinfo->flinfo, 0) : INT8OID;
	bool by_distance = strcmp(kind, "tree") == 0;
	const ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SPITupleTable *found;

	InitRows(fcinfo, by_distance ? "**i" : "**d");
	CheckIdColumns(result->setDesc, id_type);
	found = CallPairs(fcinfo, kind, "pairs", first, to, lengthof(to), id_type);
	for (uint64 i = 0, rows = SPI_processed; i < rows; i++)
	{
		bool isnull;
		Datum packed = SPI_getbinval(found->vals[i], found->tupdesc, PAIRS_PACKED, &isnull);
		char *query = SPI_getvalue(found->vals[i], found->tupdesc, PAIRS_QUERY);

		if (!isnull)
			ReturnPairs(result, UnpackIds(DatumGetByteaPP(packed), id_type), by_distance);
		if (query != NULL)
			ReturnRows(result, query);
	}
	SPI_finish();
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(tree_within_pairs_distributed);

/* Returns all pairs of trees of one or two tables within a distance, found by several servers. */
Datum
tree_within_pairs_distributed(PG_FUNCTION_ARGS)
{
	return FindPairsByServers(fcinfo, "tree");
}

PG_FUNCTION_INFO_V1(lcs_similar_pairs_distributed);

/* Returns all pairs of texts of one or two tables with a similarity, found by several servers. */
Datum
lcs_similar_pairs_distributed(PG_FUNCTION_ARGS)
{
	return FindPairsByServers(fcinfo, "text");
}

/* Returns the number of pairs of documents of a kind. */
static Datum
CountPairsByServers(FunctionCallInfo fcinfo, const char *kind)
{
	static const int to[] = {PAIRS_DOCS, PAIRS_THRESHOLD, PAIRS_SERVERS, PAIRS_ID,
							 PAIRS_DOC,  PAIRS_CELLS,     PAIRS_OTHERS,  PAIRS_SCHEMAS};
	SPITupleTable *found = CallPairs(fcinfo, kind, "count", 0, to, lengthof(to), InvalidOid);
	int64 count = 0;

	/* without documents, there is no row */
	if (SPI_processed > 0)
	{
		bool isnull;
		Datum pairs = SPI_getbinval(found->vals[0], found->tupdesc, PAIRS_COUNT, &isnull);

		if (isnull)
			InvalidArgument("result");
		count = DatumGetInt64(pairs);
	}
	SPI_finish();
	PG_RETURN_INT64(count);
}

PG_FUNCTION_INFO_V1(tree_within_count_distributed);

/* Returns the number of pairs of trees within a distance, found by several servers. */
Datum
tree_within_count_distributed(PG_FUNCTION_ARGS)
{
	return CountPairsByServers(fcinfo, "tree");
}

PG_FUNCTION_INFO_V1(lcs_similar_count_distributed);

/* Returns the number of pairs of texts with a similarity, found by several servers. */
Datum
lcs_similar_count_distributed(PG_FUNCTION_ARGS)
{
	return CountPairsByServers(fcinfo, "text");
}

/* Makes a table of the clusters of documents of a kind. */
static Datum
KeepClustersByServers(FunctionCallInfo fcinfo, const char *kind)
{
	static const int to[] = {PAIRS_DOCS, PAIRS_THRESHOLD, PAIRS_RESULT, PAIRS_ID,
							 PAIRS_DOC,  PAIRS_CELLS,     PAIRS_SCHEMAS};

	if (PG_ARGISNULL(2))
		ereport(ERROR, (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						errmsg("name of a table of clusters must not be null"),
						errdetail("The workers of Citus keep the clusters in a new table."),
						errhint("Name the table with the argument \"result\".")));
	CallPairs(fcinfo, kind, "clusters", 0, to, lengthof(to), InvalidOid);
	SPI_finish();
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(tree_within_cluster_distributed);

/* Makes a table of the clusters of trees within a distance. */
Datum
tree_within_cluster_distributed(PG_FUNCTION_ARGS)
{
	return KeepClustersByServers(fcinfo, "tree");
}

PG_FUNCTION_INFO_V1(lcs_similar_cluster_distributed);

/* Makes a table of the clusters of texts with a similarity. */
Datum
lcs_similar_cluster_distributed(PG_FUNCTION_ARGS)
{
	return KeepClustersByServers(fcinfo, "text");
}
