/*
 * read.c
 *	  Reads the documents of a join, and sends them to their homes and their keys to owners.
 *
 * The home of a document is that of the hash of its id, as Citus finds the shard of a row: the
 *pairs that have it on the left go there.
 */
#include "postgres.h"

#include <sched.h>

#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/typcache.h"

#include "../catalog/identity.h"
#include "../catalog/row_type.h"
#include "../common/host.h"
#include "../compat.h"
#include "../join/search/search.h"
#include "groups.h"

/* Most bytes of keys that wait to be sent to owners, together and to one of them. */
#define MOST_BYTES_HELD (64 << 20)
#define LEAST_BYTES_SENT 8192

/* Sizes of documents are counted one by one below this, and as this one above. */
#define MOST_SIZES 65536

/* Packets of the second table have numbers from this one. */
#define SECOND_SOURCE (1 << 30)

/* Columns of the query. */
enum
{
	DOCUMENT_SIDE,
	DOCUMENT_ID, /* of any type */
	DOCUMENT_BYTES,
	DOCUMENT_COLUMNS
};

/* What a home will get. */
typedef struct Home
{
	StringInfoData documents;
	StringInfoData keys;
	int32 seq;
	StringInfoData *owned; /* keys by owner */
	int32 *owned_seq;
} Home;

/*
 * Receives the rows of a query.  The query runs to its end within the call, so that no other
 * statement comes between its rows.
 */
typedef struct Reader
{
	DestReceiver receiver;
	const ReturnSetInfo *result;
	JoinSpec spec;
	int32 *label_counts; /* NULL if documents have no keys */
	FmgrInfo id_output;
	FmgrInfo id_hash;
	Oid collation;
	int32 homes;
	const int32 *least_hash; /* of each home */
	Home *home;
	int32 owners;
	int32 first_seq; /* number of the first packet of each home */
	int most_owned;  /* bytes of keys for an owner above which they are sent */
	uint32 *sizes;   /* how many documents there are of each size */
	MemoryContext context;
	MemoryContext row; /* of one row */
} Reader;

/* Whether documents of a kind are of a type. */
static bool
IsDocumentType(const JoinKind *kind, Oid type)
{
	return AreTrees(kind->documents)
			   ? IsTreeType(type)
			   : type == (kind->documents == DOCUMENT_TEXT ? TEXTOID : BYTEAOID);
}

/* Checks the columns of the query, and looks up the functions of ids. */
static void
ReaderStart(DestReceiver *self, int operation, TupleDesc columns)
{
	Reader *reader = (Reader *) self;
	Oid output;
	bool is_varlena;
	const TypeCacheEntry *entry;

	(void) operation;
	if (columns->natts != DOCUMENT_COLUMNS ||
		TupleDescAttr(columns, DOCUMENT_SIDE)->atttypid != CHAROID ||
		!IsDocumentType(reader->spec.kind, TupleDescAttr(columns, DOCUMENT_BYTES)->atttypid))
		InvalidArgument("query");
	getTypeOutputInfo(TupleDescAttr(columns, DOCUMENT_ID)->atttypid, &output, &is_varlena);
	fmgr_info(output, &reader->id_output);
	entry = lookup_type_cache(TupleDescAttr(columns, DOCUMENT_ID)->atttypid, TYPECACHE_HASH_PROC);
	if (reader->homes > 1 && OidIsValid(entry->hash_proc))
		fmgr_info(entry->hash_proc, &reader->id_hash);
	reader->collation = TupleDescAttr(columns, DOCUMENT_ID)->attcollation;
}

/* Returns the home of a document, from the hash of its id. */
static Home *
HomeOfId(const Reader *reader, Datum id, bool isnull)
{
	int32 low = 0;
	int32 high = reader->homes - 1;
	int32 hash;

	if (isnull || !OidIsValid(reader->id_hash.fn_oid))
		return &reader->home[0];
	hash = DatumGetInt32(FunctionCall1Coll((FmgrInfo *) &reader->id_hash, reader->collation, id));
	while (low < high)
	{
		int32 middle = (low + high + 1) / 2;

		if (reader->least_hash[middle] <= hash)
			low = middle;
		else
			high = middle - 1;
	}
	return &reader->home[low];
}

/* Sends the documents of a home and their keys. */
static void
SendHome(Reader *reader, Home *home)
{
	int number = (int) (home - reader->home);

	ReturnPacket(reader->result, STEP_DOCUMENTS, number, number, home->seq, &home->documents);
	resetStringInfo(&home->documents);
	if (reader->label_counts != NULL)
	{
		ReturnPacket(reader->result, STEP_KEYS, number, number, home->seq, &home->keys);
		resetStringInfo(&home->keys);
	}
	home->seq++;
}

/* Sends the keys of a home to an owner. */
static void
SendOwned(Reader *reader, Home *home, int owner)
{
	ReturnPacket(reader->result, STEP_OWNED, owner, (int) (home - reader->home),
				 home->owned_seq[owner]++, &home->owned[owner]);
	resetStringInfo(&home->owned[owner]);
}

/* Makes the buffers of a home. */
static void
OpenHome(Reader *reader, Home *home)
{
	MemoryContext caller = MemoryContextSwitchTo(reader->context);

	initStringInfo(&home->documents);
	initStringInfo(&home->keys);
	home->owned = palloc0_array(StringInfoData, reader->owners);
	home->owned_seq = palloc_array(int32, reader->owners);
	home->seq = reader->first_seq;
	for (int i = 0; i < reader->owners; i++)
		home->owned_seq[i] = reader->first_seq;
	MemoryContextSwitchTo(caller);
}

/* Appends the keys of a document, and sends what is full. */
static void
AddKeys(Reader *reader, Home *home, Datum document, int32 size)
{
	uint64 key[MOST_KEYS];
	int count = KeysOfDocument(&reader->spec, reader->label_counts, document, size, key);

	if (home->keys.len == 0)
		BeginPacket(&home->keys, GetDatabaseEncoding());
	pq_sendbyte(&home->keys, (uint8) count);
	for (int i = 0; i < count; i++)
	{
		int owner = OwnerOfKey(key[i], reader->owners);
		StringInfo owned = &home->owned[owner];

		pq_sendint64(&home->keys, key[i]);
		if (owned->data == NULL)
		{
			MemoryContext caller = MemoryContextSwitchTo(reader->context);

			initStringInfo(owned);
			MemoryContextSwitchTo(caller);
		}
		if (owned->len == 0)
			BeginPacket(owned, GetDatabaseEncoding());
		pq_sendint64(owned, key[i]);
		if (owned->len >= reader->most_owned)
			SendOwned(reader, home, owner);
	}
}

/* Adds the document of a row to its home. */
static bool
ReadRow(TupleTableSlot *slot, DestReceiver *self)
{
	Reader *reader = (Reader *) self;
	MemoryContext caller = MemoryContextSwitchTo(reader->row);
	const Datum *values = slot->tts_values;
	const bool *nulls = slot->tts_isnull;
	Home *home;
	Datum document;
	int32 size;

	CHECK_FOR_INTERRUPTS();
	slot_getallattrs(slot);
	if (nulls[DOCUMENT_SIDE] || nulls[DOCUMENT_BYTES])
		InvalidArgument("document");
	document = PointerGetDatum(PG_DETOAST_DATUM(values[DOCUMENT_BYTES]));
	size = DocumentKindOf(reader->spec.kind->documents)->size(document);
	home = HomeOfId(reader, values[DOCUMENT_ID], nulls[DOCUMENT_ID]);
	if (home->owned == NULL)
		OpenHome(reader, home);
	if (home->documents.len == 0)
		BeginPacket(&home->documents, GetDatabaseEncoding());
	AppendDocument(&home->documents, DatumGetChar(values[DOCUMENT_SIDE]), reader->spec.kind,
				   &reader->id_output, values[DOCUMENT_ID], nulls[DOCUMENT_ID], document);
	reader->sizes[Min(size, MOST_SIZES)]++;
	if (reader->label_counts != NULL)
		AddKeys(reader, home, document, size);
	if (home->documents.len >= PACKET_BYTES)
		SendHome(reader, home);
	MemoryContextSwitchTo(caller);
	MemoryContextReset(reader->row);
	return true;
}

/* Does nothing: ted_read_documents() ends the reading. */
static void
ReaderEnd(DestReceiver *self)
{
	(void) self;
}

/* Sends how many documents there are of each size. */
static void
SendSizes(const Reader *reader)
{
	StringInfoData bytes;

	initStringInfo(&bytes);
	BeginPacket(&bytes, GetDatabaseEncoding());
	for (int i = 0; i <= MOST_SIZES; i++)
		if (reader->sizes[i] > 0)
		{
			pq_sendint32(&bytes, (uint32) i);
			pq_sendint32(&bytes, reader->sizes[i]);
		}
	ReturnPacket(reader->result, STEP_SIZES, 0, 0, 0, &bytes);
}

PG_FUNCTION_INFO_V1(ted_read_documents);

/*
 * Step 1: reads the documents of a query: (query, number of the
 * source, least hash of an id of each home, label counts or
 * NULL, owners, kind, threshold).
 */
Datum
ted_read_documents(PG_FUNCTION_ARGS)
{
	Reader reader = {.receiver = {.receiveSlot = ReadRow,
								  .rStartup = ReaderStart,
								  .rShutdown = ReaderEnd,
								  .rDestroy = ReaderEnd,
								  .mydest = DestNone}};
	ArrayType *homes;
	SPIPlanPtr plan;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(2) || PG_ARGISNULL(4))
		InvalidArgument("plan");
	InitRows(fcinfo, PACKET_COLUMNS);
	homes = PG_GETARG_ARRAYTYPE_P(2);
	reader.result = (ReturnSetInfo *) fcinfo->resultinfo;
	reader.spec = JoinSpecOf(fcinfo, 5);
	reader.homes = ArrayGetNItems(ARR_NDIM(homes), ARR_DIMS(homes));
	reader.first_seq = PG_GETARG_INT32(1) == 0 ? 0 : SECOND_SOURCE;
	reader.owners = PG_GETARG_INT32(4);
	if (ARR_ELEMTYPE(homes) != INT4OID || array_contains_nulls(homes) || reader.homes < 1 ||
		reader.homes > MOST_PLACES || reader.owners < 1 || reader.owners > MOST_PLACES)
		InvalidArgument("number of servers");
	reader.least_hash = (const int32 *) ARR_DATA_PTR(homes);
	if (reader.spec.least_keyless > 0 && !PG_ARGISNULL(3))
		reader.label_counts = ReadLabelCounts(PG_GETARG_BYTEA_P(3));
	reader.most_owned = Max(MOST_BYTES_HELD / reader.homes / reader.owners, LEAST_BYTES_SENT);
	reader.home = palloc0_array(Home, reader.homes);
	reader.sizes = palloc0_array(uint32, MOST_SIZES + 1);
	reader.context = CurrentMemoryContext;
	reader.row =
		AllocSetContextCreate(CurrentMemoryContext, "document of a join", ALLOCSET_DEFAULT_SIZES);

	SPI_connect();
	plan = SPI_prepare(text_to_cstring(PG_GETARG_TEXT_PP(0)), 0, NULL);
	if (plan == NULL || !SPI_is_cursor_plan(plan))
		InvalidArgument("query");
	SPI_execute_plan_extended(plan,
							  &(SPIExecuteOptions){.read_only = true, .dest = &reader.receiver});
	SPI_finish();
	for (int i = 0; i < reader.homes; i++)
	{
		Home *home = &reader.home[i];

		if (home->documents.len > 0)
			SendHome(&reader, home);
		for (int j = 0; home->owned != NULL && j < reader.owners; j++)
			if (home->owned[j].len > 0)
				SendOwned(&reader, home, j);
	}
	SendSizes(&reader);
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(ted_first_row);

/*
 * Whether this is the first row of a scan, whatever the argument is: so a statement about a
 * distributed table does something once for each shard.
 */
Datum
ted_first_row(PG_FUNCTION_ARGS)
{
	static char called;
	bool first = fcinfo->flinfo->fn_extra == NULL;

	fcinfo->flinfo->fn_extra = &called;
	PG_RETURN_BOOL(first);
}

PG_FUNCTION_INFO_V1(ted_processors);

/* Returns the number of processors that this server may use. */
Datum
ted_processors(PG_FUNCTION_ARGS)
{
	cpu_set_t set;

	(void) fcinfo;
	PG_RETURN_INT32(sched_getaffinity(0, sizeof(set), &set) == 0 ? Max(CPU_COUNT(&set), 1) : 1);
}
