/*
 * groups.c
 *	  Groups of documents that may match: what homes and owners do with the packets of a step.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "common/hashfn.h"
#include "executor/executor.h"
#include "funcapi.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "../catalog/row_type.h"
#include "../common/host.h"
#include "../compat.h"
#include "../core/common/hash.h"
#include "../core/tree/filters/label_pairs.h"
#include "../join/search/search.h"
#include "groups.h"

/* The most rarest nodes of a tree that are keys. */
#define MOST_NODES (MOST_KEYED_OPERATIONS + 1)

StaticAssertDecl(MOST_KEYS >= MOST_NODES &&
					 MOST_KEYS >= (TED_LABEL_PAIRS_LIMIT + 2) * (TED_LABEL_PAIRS_LIMIT + 1) / 2,
				 "pairs of rarest nodes have room");

/* Nodes added to small trees: two small trees may match without a common node. */
#define SMALL_TREE_NODES 2

/* Names the computation in errors about memory. */
#define JOINING_BY_SERVERS "a join over several servers"

/*
 * A home sends the coordinator those values that this part of its documents has, per cell; less
 * than LEAST_OFTEN documents never count as many.
 */
#define OFTEN 0.01
#define LEAST_OFTEN 16

JoinSpec
JoinSpecOf(FunctionCallInfo fcinfo, int argument)
{
	JoinSpec spec = {0};

	if (PG_ARGISNULL(argument) || PG_ARGISNULL(argument + 1))
		InvalidArgument("plan");
	spec.kind = JoinKindOf(text_to_cstring(PG_GETARG_TEXT_PP(argument)));
	spec.limit = PG_GETARG_FLOAT8(argument + 1);
	spec.threshold = spec.kind->make_threshold(spec.limit, NULL);
	if (DocumentKindOf(spec.kind->documents)->list_nodes != NULL)
	{
		spec.least_keyless = LeastLargeTree(&spec.threshold, &spec.least_by_size);
		spec.by_pairs =
			DistanceAllowedAround(&spec.threshold, TREE_MAX_NODES) <= TED_LABEL_PAIRS_LIMIT;
	}
	return spec;
}

int32 *
ReadLabelCounts(bytea *value)
{
	if (VARSIZE_ANY_EXHDR(value) != LABEL_COUNTS * sizeof(int32))
		InvalidArgument("count");
	return (int32 *) VARDATA(value);
}

/* Returns a key of one node, or of the sum of two. */
static uint64
HashNodes(uint64 nodes)
{
	nodes = (nodes + 1) * TED_HASH_STEP;
	return (nodes ^ nodes >> 32) * TED_HASH_STEP;
}

int
KeysOfDocument(const JoinSpec *spec, const int32 *label_counts, Datum document, int32 size,
			   uint64 key[MOST_KEYS])
{
	TedLabelFrequencies frequencies = {.count = label_counts, .mask = LABEL_COUNTS - 1};
	int needed = DistanceAllowedAround(&spec->threshold, size) + (spec->by_pairs ? 2 : 1);
	uint32 node[MOST_NODES + 1];
	int32 *label;
	int32 *occurrence;
	int32 nodes;
	int32 count;
	int keys = 0;

	if (size >= spec->least_keyless || needed <= 0)
		return 0;
	nodes = DocumentKindOf(spec->kind->documents)->list_nodes(document, &label, &occurrence);
	CheckStatus(ted_rarest_nodes(label, occurrence, nodes, &frequencies, needed, &PgInterrupt, node,
								 &count));
	for (uint32 i = 0; i < SMALL_TREE_NODES && count < needed; i++)
		node[count++] = i;
	for (int i = 0; i < count; i++)
		if (!spec->by_pairs)
			key[keys++] = HashNodes(node[i]);
		else
			for (int j = 0; j < i; j++)
				key[keys++] = HashNodes((uint64) node[i] + node[j]);
	return keys;
}

/* The value of a group at first; 0 is that of documents without keys. */
static uint32
ValueOfKey(uint64 key)
{
	return Max((uint32) key, 1);
}

/* State of an aggregate of label counts, which may be modified; a new one at first. */
static bytea *
CountsState(FunctionCallInfo fcinfo)
{
	MemoryContext context;
	bool own = AggCheckCallContext(fcinfo, &context) != 0;
	MemoryContext caller = MemoryContextSwitchTo(own ? context : CurrentMemoryContext);
	bytea *state;

	if (PG_ARGISNULL(0))
	{
		state = palloc0(VARHDRSZ + LABEL_COUNTS * sizeof(int32));
		SET_VARSIZE(state, VARHDRSZ + LABEL_COUNTS * sizeof(int32));
	}
	else
		state = own ? PG_GETARG_BYTEA_P(0) : PG_GETARG_BYTEA_P_COPY(0);
	MemoryContextSwitchTo(caller);
	return state;
}

PG_FUNCTION_INFO_V1(ted_label_counts_transfn);

/* Adds the labels of a tree to the counts. */
Datum
ted_label_counts_transfn(PG_FUNCTION_ARGS)
{
	bytea *state = CountsState(fcinfo);

	if (!PG_ARGISNULL(1))
		CountTreeLabels(ReadLabelCounts(state), &TreeDocuments, PG_GETARG_DATUM(1));
	PG_RETURN_BYTEA_P(state);
}

PG_FUNCTION_INFO_V1(ted_label_counts_combine);

/* Adds two states of label counts. */
Datum
ted_label_counts_combine(PG_FUNCTION_ARGS)
{
	bytea *state = CountsState(fcinfo);
	int32 *counts = ReadLabelCounts(state);

	if (!PG_ARGISNULL(1))
	{
		const int32 *more = ReadLabelCounts(PG_GETARG_BYTEA_P(1));

		for (int i = 0; i < LABEL_COUNTS; i++)
			counts[i] = (int32) Min((int64) counts[i] + more[i], PG_INT32_MAX);
	}
	PG_RETURN_BYTEA_P(state);
}

/* A packet in the state of an aggregate. */
typedef struct Packet
{
	Step step;
	int32 sender;
	int32 seq;
	StringInfoData bytes; /* behind the beginning */
} Packet;

/* The packets that a home or an owner has got. */
typedef struct Mail
{
	Packet *packets;
	int32 count;
	int32 capacity;
	int32 number;    /* of the home or owner */
	int32 receivers; /* that answers are for */
	double bytes;
	JoinSpec spec; /* if cells are planned */
} Mail;

PG_FUNCTION_INFO_V1(ted_mail_transfn);

/* Adds a packet: (state, step, number, sender, seq, packed, receivers [, kind, threshold]). */
Datum
ted_mail_transfn(PG_FUNCTION_ARGS)
{
	Mail *mail = PG_ARGISNULL(0) ? NULL : (Mail *) PG_GETARG_POINTER(0);
	MemoryContext context;
	MemoryContext caller;
	Packet *packet;

	if (AggCheckCallContext(fcinfo, &context) == 0)
		elog(ERROR, "ted_mail_transfn called in non-aggregate context");
	for (int i = 1; i < 7; i++)
		if (PG_ARGISNULL(i))
			InvalidArgument("packet");
	caller = MemoryContextSwitchTo(context);
	if (mail == NULL)
	{
		mail = palloc0_object(Mail);
		mail->number = PG_GETARG_INT32(2);
		mail->receivers = PG_GETARG_INT32(6);
		if (mail->receivers < 1 || mail->receivers > MOST_PLACES)
			InvalidArgument("number of receivers");
		if (PG_NARGS() > 7)
			mail->spec = JoinSpecOf(fcinfo, 7);
	}
	RESERVE(context, mail->packets, mail->capacity, mail->count + 1);
	packet = &mail->packets[mail->count++];
	*packet = (Packet){
		.step = (Step) PG_GETARG_CHAR(1), .sender = PG_GETARG_INT32(3), .seq = PG_GETARG_INT32(4)};
	OpenPacket(&packet->bytes, PointerGetDatum(PG_GETARG_BYTEA_P_COPY(5)));
	mail->bytes += packet->bytes.len;
	/* what is found from the packets takes about as much again */
	CheckMemoryLimit((Size) (2 * mail->bytes), JOINING_BY_SERVERS);
	MemoryContextSwitchTo(caller);
	PG_RETURN_POINTER(mail);
}

/* Orders packets by steps, senders and numbers. */
static int
ComparePackets(const void *a, const void *b)
{
	const Packet *x = a;
	const Packet *y = b;

	if (x->step != y->step)
		return x->step < y->step ? -1 : 1;
	if (x->sender != y->sender)
		return x->sender < y->sender ? -1 : 1;
	return (x->seq > y->seq) - (x->seq < y->seq);
}

/* Begins to answer mail; returns false if there is none. */
static bool
OpenMail(FunctionCallInfo fcinfo, Mail **mail)
{
	if (PG_ARGISNULL(0))
		return false;
	*mail = (Mail *) PG_GETARG_POINTER(0);
	qsort((*mail)->packets, (size_t) (*mail)->count, sizeof(Packet), ComparePackets);
	/* a final function may be called again */
	for (int32 i = 0; i < (*mail)->count; i++)
		(*mail)->packets[i].bytes.cursor = 2;
	return true;
}

/* Returns the only packet of a step and a sender, which may be missing; NULL then. */
static StringInfo
PacketOf(const Mail *mail, Step step, int32 sender)
{
	for (int32 i = 0; i < mail->count; i++)
		if (mail->packets[i].step == step && mail->packets[i].sender == sender)
			return &mail->packets[i].bytes;
	return NULL;
}

Answers
BeginAnswers(FunctionCallInfo fcinfo)
{
	Oid array = get_fn_expr_rettype(fcinfo->flinfo);
	Oid type = get_element_type(array);

	if (!OidIsValid(type))
		InvalidArgument("result");
	return (Answers){.row = BlessTupleDesc(CopyRowType(type, PACKET_COLUMNS)),
					 .rows = initArrayResult(type, CurrentMemoryContext, false)};
}

void
Answer(Answers *answers, Step step, int32 number, int32 sender, int32 seq,
	   const StringInfoData *bytes)
{
	Datum values[] = {CharGetDatum((char) step), Int32GetDatum(number), Int32GetDatum(sender),
					  Int32GetDatum(seq), PointerGetDatum(MakeBytes(bytes))};

	accumArrayResult(answers->rows,
					 HeapTupleGetDatum(heap_form_tuple(answers->row, values, (bool[5]){false})),
					 false, answers->rows->element_type, CurrentMemoryContext);
	pfree(DatumGetPointer(values[4]));
}

Datum
EndAnswers(const Answers *answers)
{
	return makeArrayResult((ArrayBuildState *) answers->rows, CurrentMemoryContext);
}

void
ReturnPacket(const ReturnSetInfo *result, Step step, int number, int sender, int seq,
			 const StringInfoData *bytes)
{
	bytea *packed = MakeBytes(bytes);
	Datum values[] = {CharGetDatum((char) step), Int32GetDatum(number), Int32GetDatum(sender),
					  Int32GetDatum(seq), PointerGetDatum(packed)};

	tuplestore_putvalues(result->setResult, result->setDesc, values, (bool[5]){false});
	pfree(packed);
}

/* Makes empty packets, one for each receiver. */
static StringInfoData *
BeginPackets(int count)
{
	StringInfoData *packets = palloc_array(StringInfoData, count);

	for (int i = 0; i < count; i++)
	{
		initStringInfo(&packets[i]);
		BeginPacket(&packets[i], GetDatabaseEncoding());
	}
	return packets;
}

/* A table of numbers of 64 bits, with a count and a number for each. */
typedef struct Counted
{
	uint64 key;
	uint32 count;
	uint32 number;
	char status;
} Counted;

#define SH_PREFIX counted
#define SH_ELEMENT_TYPE Counted
#define SH_KEY_TYPE uint64
#define SH_KEY key
#define SH_HASH_KEY(table, key) murmurhash32((uint32) (key) ^ murmurhash32((uint32) ((key) >> 32)))
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* Counts a number; returns its entry. */
static Counted *
CountNumber(counted_hash *table, uint64 key)
{
	bool found;
	Counted *entry;

	/* numbers of any origin may have the same hash */
	CHECK_FOR_INTERRUPTS();
	if (table->members >= table->grow_threshold)
		CheckMemoryLimit(3 * (Size) table->size * sizeof(Counted), JOINING_BY_SERVERS);
	entry = counted_insert(table, key, &found);
	if (!found)
		entry->count = entry->number = 0;
	entry->count++;
	return entry;
}

/* A list of bits. */
typedef struct Bits
{
	StringInfoData bytes;
	int64 count;
} Bits;

/* Appends a bit. */
static void
AppendBit(Bits *bits, bool bit)
{
	if (bits->count % 8 == 0)
		pq_sendbyte(&bits->bytes, 0);
	if (bit)
		bits->bytes.data[bits->bytes.len - 1] |= (char) (1 << bits->count % 8);
	bits->count++;
}

/* Reads the next bit of a packet, which may be missing. */
static bool
ReadBit(StringInfo from, int64 *count)
{
	bool bit;

	if (from == NULL || from->cursor + *count / 8 >= from->len)
		InvalidArgument("packet");
	bit = (from->data[from->cursor + *count / 8] >> *count % 8 & 1) != 0;
	(*count)++;
	return bit;
}

PG_FUNCTION_INFO_V1(ted_find_shared_finalfn);

/* Step 2, at an owner: answers to each home which of its keys other documents have. */
Datum
ted_find_shared_finalfn(PG_FUNCTION_ARGS)
{
	Mail *mail;
	Answers answers;
	counted_hash *table;
	uint32 groups = 0;
	int32 packet = 0;
	StringInfoData group;

	if (!OpenMail(fcinfo, &mail))
		PG_RETURN_NULL();
	answers = BeginAnswers(fcinfo);
	table = counted_create(CurrentMemoryContext, 1024, NULL);
	for (int32 i = 0; i < mail->count; i++)
	{
		StringInfo from = &mail->packets[i].bytes;

		if (mail->packets[i].step != STEP_OWNED)
			InvalidArgument("step");
		while (from->cursor < from->len)
			CountNumber(table, (uint64) pq_getmsgint64(from));
	}
	initStringInfo(&group);
	BeginPacket(&group, GetDatabaseEncoding());
	while (packet < mail->count)
	{
		int32 home = mail->packets[packet].sender;
		Bits shared = {0};
		uint32 entries = 0;
		int place = group.len + 4;

		initStringInfo(&shared.bytes);
		BeginPacket(&shared.bytes, GetDatabaseEncoding());
		pq_sendint32(&group, (uint32) home);
		pq_sendint32(&group, 0); /* number of entries */
		for (; packet < mail->count && mail->packets[packet].sender == home; packet++)
		{
			StringInfo from = &mail->packets[packet].bytes;

			from->cursor = 2;
			while (from->cursor < from->len)
			{
				Counted *entry = counted_lookup(table, (uint64) pq_getmsgint64(from));

				CHECK_FOR_INTERRUPTS();
				AppendBit(&shared, entry->count > 1);
				if (entry->count == 1)
					continue;
				if (entry->number == 0)
					entry->number = ++groups;
				pq_sendint32(&group, entry->number - 1);
				entries++;
			}
		}
		entries = pg_hton32(entries);
		memcpy(group.data + place, &entries, sizeof(entries));
		Answer(&answers, STEP_SHARED, home, mail->number, 0, &shared.bytes);
		pfree(shared.bytes.data);
	}
	pq_sendint32(&group, groups);
	Answer(&answers, STEP_GROUPS, mail->number, mail->number, 0, &group);
	PG_RETURN_DATUM(EndAnswers(&answers));
}

/* Reads the keys of the documents of a home, of which owners have said whether others share them.
 */
typedef struct SharedKeys
{
	const Mail *mail;
	StringInfo *shared; /* packets by owner */
	int64 *bits;        /* read from these */
	StringInfo keys;    /* packet that is read */
} SharedKeys;

/* Begins to read. */
static SharedKeys
OpenSharedKeys(const Mail *mail)
{
	SharedKeys keys = {.mail = mail,
					   .shared = palloc_array(StringInfo, mail->receivers),
					   .bits = palloc0_array(int64, mail->receivers)};

	for (int i = 0; i < mail->receivers; i++)
		keys.shared[i] = PacketOf(mail, STEP_SHARED, i);
	return keys;
}

/* Reads the keys of the next document that others share; returns their number, or -1 at the end. */
static int
NextSharedKeys(SharedKeys *keys, uint64 key[MOST_KEYS])
{
	int shared = 0;
	int count;

	if (keys->keys->cursor >= keys->keys->len)
		return -1;
	count = pq_getmsgbyte(keys->keys);
	if (count > MOST_KEYS)
		InvalidArgument("packet");
	for (int i = 0; i < count; i++)
	{
		int owner;

		key[shared] = (uint64) pq_getmsgint64(keys->keys);
		owner = OwnerOfKey(key[shared], keys->mail->receivers);
		if (ReadBit(keys->shared[owner], &keys->bits[owner]))
			shared++;
	}
	return shared;
}

PG_FUNCTION_INFO_V1(ted_least_keys_finalfn);

/* Step 3, at a home: sends, for each shared key of a document, the least one of the document. */
Datum
ted_least_keys_finalfn(PG_FUNCTION_ARGS)
{
	Mail *mail;
	Answers answers;
	StringInfoData *least;
	SharedKeys keys;
	uint64 key[MOST_KEYS];

	if (!OpenMail(fcinfo, &mail))
		PG_RETURN_NULL();
	answers = BeginAnswers(fcinfo);
	keys = OpenSharedKeys(mail);
	least = BeginPackets(mail->receivers);
	for (int32 i = 0; i < mail->count; i++)
	{
		int count;

		if (mail->packets[i].step != STEP_KEYS)
			continue;
		CHECK_FOR_INTERRUPTS();
		keys.keys = &mail->packets[i].bytes;
		while ((count = NextSharedKeys(&keys, key)) >= 0)
		{
			uint32 value = PG_UINT32_MAX;

			for (int j = 0; j < count; j++)
				value = Min(value, ValueOfKey(key[j]));
			for (int j = 0; j < count; j++)
				pq_sendint32(&least[OwnerOfKey(key[j], mail->receivers)], value);
		}
	}
	/* an owner without shared keys has no groups */
	for (int i = 0; i < mail->receivers; i++)
		if (keys.bits[i] > 0)
			Answer(&answers, STEP_LEAST, i, mail->number, 0, &least[i]);
	PG_RETURN_DATUM(EndAnswers(&answers));
}

PG_FUNCTION_INFO_V1(ted_values_finalfn);

/* Step 4, at an owner: answers, for each shared key, with the least value of the key's documents.
 */
Datum
ted_values_finalfn(PG_FUNCTION_ARGS)
{
	Mail *mail;
	Answers answers;
	StringInfo groups;
	uint32 count;
	uint32 *value;

	if (!OpenMail(fcinfo, &mail))
		PG_RETURN_NULL();
	answers = BeginAnswers(fcinfo);
	groups = PacketOf(mail, STEP_GROUPS, mail->number);
	if (groups == NULL || groups->len < 6)
		InvalidArgument("packet");
	groups->cursor = groups->len - 4;
	count = pq_getmsgint(groups, 4);
	if (count > (uint32) groups->len / 4)
		InvalidArgument("packet");
	value = palloc_array(uint32, Max(count, 1));
	for (uint32 i = 0; i < count; i++)
		value[i] = PG_UINT32_MAX;
	/* the least values of all homes first, then the answers */
	for (int answering = 0; answering < 2; answering++)
	{
		groups->cursor = 2;
		while (groups->cursor < groups->len - 4)
		{
			int32 home = ReadCount(groups, MOST_PLACES);
			int32 entries = ReadCount(groups, groups->len / 4);
			StringInfo least = PacketOf(mail, STEP_LEAST, home);
			StringInfoData values;

			CHECK_FOR_INTERRUPTS();
			if (least == NULL)
				InvalidArgument("packet");
			if (answering)
			{
				initStringInfo(&values);
				BeginPacket(&values, GetDatabaseEncoding());
			}
			for (int32 i = 0; i < entries; i++)
			{
				uint32 group = pq_getmsgint(groups, 4);

				if (group >= count)
					InvalidArgument("packet");
				if (answering)
					pq_sendint32(&values, value[group]);
				else
				{
					uint32 sent = pq_getmsgint(least, 4);

					value[group] = Min(value[group], sent);
				}
			}
			if (answering)
				Answer(&answers, STEP_VALUES, home, mail->number, 0, &values);
		}
	}
	PG_RETURN_DATUM(EndAnswers(&answers));
}

PG_FUNCTION_INFO_V1(ted_document_values_finalfn);

/*
 * Step 5, at a home: lists the values of each document, for the home itself, and the values that
 * many of its documents have, for the coordinator.
 */
Datum
ted_document_values_finalfn(PG_FUNCTION_ARGS)
{
	Mail *mail;
	Answers answers;
	SharedKeys keys;
	StringInfo *values;
	uint64 key[MOST_KEYS];
	counted_hash *table;
	counted_iterator iterator;
	Counted *entry;
	StringInfoData large;
	int64 documents = 0;

	if (!OpenMail(fcinfo, &mail))
		PG_RETURN_NULL();
	answers = BeginAnswers(fcinfo);
	keys = OpenSharedKeys(mail);
	values = palloc_array(StringInfo, mail->receivers);
	for (int i = 0; i < mail->receivers; i++)
		values[i] = PacketOf(mail, STEP_VALUES, i);
	table = counted_create(CurrentMemoryContext, 1024, NULL);
	for (int32 i = 0; i < mail->count; i++)
	{
		StringInfoData valued;
		int count;

		if (mail->packets[i].step != STEP_KEYS)
			continue;
		CHECK_FOR_INTERRUPTS();
		keys.keys = &mail->packets[i].bytes;
		initStringInfo(&valued);
		BeginPacket(&valued, GetDatabaseEncoding());
		while ((count = NextSharedKeys(&keys, key)) >= 0)
		{
			uint32 value[MOST_KEYS];
			int distinct = 0;

			for (int j = 0; j < count; j++)
			{
				StringInfo from = values[OwnerOfKey(key[j], mail->receivers)];
				uint32 next;
				int k = 0;

				if (from == NULL)
					InvalidArgument("packet");
				next = pq_getmsgint(from, 4);
				while (k < distinct && value[k] != next)
					k++;
				if (k == distinct)
					value[distinct++] = next;
			}
			pq_sendbyte(&valued, (uint8) distinct);
			for (int j = 0; j < distinct; j++)
			{
				pq_sendint32(&valued, value[j]);
				CountNumber(table, value[j]);
			}
			documents++;
		}
		Answer(&answers, STEP_VALUED, mail->number, mail->number, mail->packets[i].seq, &valued);
		pfree(valued.data);
	}
	initStringInfo(&large);
	BeginPacket(&large, GetDatabaseEncoding());
	counted_start_iterate(table, &iterator);
	while ((entry = counted_iterate(table, &iterator)) != NULL)
		if (entry->count >= LEAST_OFTEN &&
			entry->count >= OFTEN * (double) documents / mail->receivers)
		{
			pq_sendint32(&large, (uint32) entry->key);
			pq_sendint32(&large, entry->count);
		}
	Answer(&answers, STEP_LARGE, mail->number, mail->number, 0, &large);
	PG_RETURN_DATUM(EndAnswers(&answers));
}

/* A group whose documents are cut into blocks. */
typedef struct LargeGroup
{
	uint32 value;  /* 0 for documents by sizes */
	int32 blocks;  /* of these */
	uint64 *begin; /* least place of a document in each block, see PlaceOfDocument() */
	int16 *cells;  /* [block of left documents][block of right documents], -1 for none */
	double documents;
} LargeGroup;

/* The cells of all values, which the coordinator plans. */
typedef struct CellsOfValues
{
	bool two_sided;      /* whether documents of two tables meet */
	int32 bases;         /* the first cells, which have all other values */
	int32 least_by_size; /* documents of this size or more are blocks by sizes */
	int32 cells;
	int32 *place; /* of each cell */
	int32 groups; /* in the order of their values */
	LargeGroup *group;
} CellsOfValues;

/* The place of a document in the order by which the documents of a group are cut into blocks. */
static uint64
PlaceOfDocument(const LargeGroup *group, int32 size, uint32 hash)
{
	return (group->value == 0 ? (uint64) size << 32 : 0) | hash;
}

/* Reads a plan, and checks it. */
static CellsOfValues *
ReadCellsOfValues(bytea *plan)
{
	CellsOfValues *cells = palloc0_object(CellsOfValues);
	StringInfoData from;

	OpenPacket(&from, PointerGetDatum(plan));
	cells->two_sided = pq_getmsgbyte(&from) != 0;
	cells->bases = ReadCount(&from, MOST_CELLS);
	cells->least_by_size = ReadCount(&from, PG_INT32_MAX);
	cells->cells = ReadCount(&from, MOST_CELLS);
	if (cells->bases < 1 || cells->cells < cells->bases)
		InvalidArgument("plan");
	cells->place = palloc_array(int32, cells->cells);
	for (int32 i = 0; i < cells->cells; i++)
		cells->place[i] = ReadCount(&from, MOST_PLACES - 1);
	cells->groups = ReadCount(&from, MOST_CELLS);
	cells->group = palloc0_array(LargeGroup, Max(cells->groups, 1));
	for (int32 i = 0; i < cells->groups; i++)
	{
		LargeGroup *group = &cells->group[i];

		group->value = pq_getmsgint(&from, 4);
		group->blocks = ReadCount(&from, MOST_CELLS);
		if (group->blocks < 1)
			InvalidArgument("plan");
		group->begin = palloc_array(uint64, group->blocks);
		for (int32 j = 0; j < group->blocks; j++)
			group->begin[j] = (uint64) pq_getmsgint64(&from);
		group->cells = palloc_array(int16, group->blocks * group->blocks);
		for (int32 j = 0; j < group->blocks * group->blocks; j++)
		{
			group->cells[j] = (int16) pq_getmsgint(&from, 2);
			if (group->cells[j] < -1 || group->cells[j] >= cells->cells)
				InvalidArgument("plan");
		}
	}
	return cells;
}

/* Returns a plan as a value. */
static bytea *
WriteCellsOfValues(const CellsOfValues *cells)
{
	StringInfoData to;

	initStringInfo(&to);
	BeginPacket(&to, GetDatabaseEncoding());
	pq_sendbyte(&to, cells->two_sided);
	pq_sendint32(&to, (uint32) cells->bases);
	pq_sendint32(&to, (uint32) cells->least_by_size);
	pq_sendint32(&to, (uint32) cells->cells);
	for (int32 i = 0; i < cells->cells; i++)
		pq_sendint32(&to, (uint32) cells->place[i]);
	pq_sendint32(&to, (uint32) cells->groups);
	for (int32 i = 0; i < cells->groups; i++)
	{
		const LargeGroup *group = &cells->group[i];

		pq_sendint32(&to, group->value);
		pq_sendint32(&to, (uint32) group->blocks);
		for (int32 j = 0; j < group->blocks; j++)
			pq_sendint64(&to, group->begin[j]);
		for (int32 j = 0; j < group->blocks * group->blocks; j++)
			pq_sendint16(&to, (uint16) group->cells[j]);
	}
	return MakeBytes(&to);
}

/* Returns the large group of a value, or NULL. */
static const LargeGroup *
FindLargeGroup(const CellsOfValues *cells, uint32 value)
{
	int32 low = 0;
	int32 high = cells->groups;

	while (low < high)
	{
		int32 middle = (low + high) / 2;

		if (cells->group[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cells->groups && cells->group[low].value == value ? &cells->group[low] : NULL;
}

/* Adds the cells of a document in a large group to a set. */
static void
AddBlockCells(const CellsOfValues *cells, const LargeGroup *group, const DocumentRecord *record,
			  CellSet *set, char sides[MOST_CELLS])
{
	uint64 place = PlaceOfDocument(group, record->size, record->hash);
	int32 block = 0;

	while (block + 1 < group->blocks && group->begin[block + 1] <= place)
		block++;
	for (int32 other = 0; other < group->blocks; other++)
	{
		bool left = cells->two_sided ? record->side == 'l' : block <= other;
		int16 cell =
			group->cells[left ? block * group->blocks + other : other * group->blocks + block];

		if (cell < 0)
			continue;
		CellSetAdd(set, cell);
		sides[cell] = cells->two_sided ? record->side : block == other ? 0 : left ? 'l' : 'r';
	}
}

/*
 * Finds the cells of a document from its values; returns their number.  `sides` has the document's
 * side in each of these cells, or 0.
 */
static int
CellsOfDocument(const CellsOfValues *cells, const DocumentRecord *record, const uint32 *values,
				int count, int32 cell[MOST_CELLS], char sides[MOST_CELLS])
{
	CellSet set = {0};
	int found = 0;

	for (int i = 0; i < count; i++)
	{
		const LargeGroup *group = values[i] == 0 ? NULL : FindLargeGroup(cells, values[i]);

		if (group != NULL)
			AddBlockCells(cells, group, record, &set, sides);
		else
		{
			int32 first = (int32) (murmurhash32(values[i]) % (uint32) cells->bases);

			CellSetAdd(&set, first);
			sides[first] = cells->two_sided ? record->side : 0;
		}
	}
	if (record->size >= cells->least_by_size)
	{
		const LargeGroup *group = FindLargeGroup(cells, 0);

		if (group == NULL)
			InvalidArgument("plan");
		AddBlockCells(cells, group, record, &set, sides);
	}
	for (int32 i = 0; i < cells->cells; i++)
		if (CellSetHas(&set, i))
			cell[found++] = i;
	return found;
}

/* How many documents have a size, or a value. */
typedef struct Share
{
	uint32 of;
	double documents;
} Share;

/* Orders shares by what they are of. */
static int
CompareShares(const void *a, const void *b)
{
	const Share *x = a;
	const Share *y = b;

	return (x->of > y->of) - (x->of < y->of);
}

/* Adds up the shares of all homes in packets of a step, in order; returns their number. */
static int32
AddShares(const Mail *mail, Step step, Share **shares)
{
	int32 capacity = 0;
	int32 all = 0;
	int32 count = 0;
	Share *share = NULL;

	for (int32 i = 0; i < mail->count; i++)
	{
		StringInfo from = &mail->packets[i].bytes;

		while (mail->packets[i].step == step && from->cursor < from->len)
		{
			RESERVE(CurrentMemoryContext, share, capacity, all + 1);
			share[all].of = pq_getmsgint(from, 4);
			share[all++].documents = pq_getmsgint(from, 4);
		}
	}
	if (all > 0)
		qsort(share, (size_t) all, sizeof(Share), CompareShares);
	for (int32 i = 0; i < all; i++)
		if (count > 0 && share[count - 1].of == share[i].of)
			share[count - 1].documents += share[i].documents;
		else
			share[count++] = share[i];
	*shares = share;
	return count;
}

/* A cell of two blocks, before it has a place. */
typedef struct BlockCell
{
	int16 *number; /* in the matrix of its group */
	bool within;   /* whether a block meets itself */
	double work;
} BlockCell;

/* Orders cells: those of one block first, then those with much work. */
static int
CompareBlockCells(const void *a, const void *b)
{
	const BlockCell *x = a;
	const BlockCell *y = b;

	if (x->within != y->within)
		return x->within ? -1 : 1;
	return (x->work < y->work) - (x->work > y->work);
}

/* Plans the cells of all values. */
typedef struct CellPlanner
{
	CellsOfValues cells;
	const JoinSpec *spec;
	int32 places;
	BlockCell *found;
	int32 count;
	int32 capacity;
} CellPlanner;

/*
 * Cuts the documents by sizes into a number of blocks of about the same number of documents.
 * Returns how many pairs of blocks meet; with `planner`, these become cells.
 */
static int32
CutBySizes(CellPlanner *planner, LargeGroup *group, const Share *sizes, int32 count, bool final)
{
	const DocumentKind *kind = DocumentKindOf(planner->spec->kind->documents);
	double all = 0;
	double before = 0;
	int32 block = 0;
	int32 pairs = 0;
	int32 *least = palloc_array(int32, group->blocks);
	int32 *most = palloc_array(int32, group->blocks);

	for (int32 i = 0; i < count; i++)
		all += sizes[i].documents;
	group->begin = palloc0_array(uint64, group->blocks);
	group->cells = palloc_array(int16, group->blocks * group->blocks);
	memset(group->cells, -1, sizeof(int16) * (size_t) (group->blocks * group->blocks));
	least[0] = 0;
	for (int32 i = 0; i < count; i++)
	{
		for (; block + 1 < group->blocks &&
			   before + sizes[i].documents >= all * (block + 1) / group->blocks;
			 block++)
		{
			double part = (all * (block + 1) / group->blocks - before) / sizes[i].documents;

			group->begin[block + 1] =
				(uint64) sizes[i].of << 32 | (uint32) Min(part * 4294967296.0, 4294967295.0);
			most[block] = least[block + 1] = (int32) sizes[i].of;
		}
		before += sizes[i].documents;
	}
	for (; block < group->blocks; block++)
	{
		most[block] = PG_INT32_MAX;
		if (block + 1 < group->blocks)
		{
			group->begin[block + 1] = PG_UINT64_MAX;
			least[block + 1] = PG_INT32_MAX;
		}
	}
	for (int32 i = 0; i < group->blocks; i++)
		for (int32 j = planner->cells.two_sided ? 0 : i; j < group->blocks; j++)
		{
			int32 low = Min(i, j);
			int32 high = Max(i, j);

			if (low < high && most[low] < least[high] &&
				!kind->sizes_match(&planner->spec->threshold, most[low], least[high]))
				continue;
			pairs++;
			if (!final)
				continue;
			RESERVE(CurrentMemoryContext, planner->found, planner->capacity, planner->count + 1);
			planner->found[planner->count++] =
				(BlockCell){.number = &group->cells[i * group->blocks + j],
							.within = i == j && !planner->cells.two_sided,
							.work = (i == j ? 1 : 2) * ((double) least[i] + least[j] + 1)};
		}
	return pairs;
}

/* Cuts the documents of a value into blocks by their hashes. */
static void
CutByHashes(CellPlanner *planner, LargeGroup *group)
{
	double block = group->documents / group->blocks;

	group->begin = palloc0_array(uint64, group->blocks);
	group->cells = palloc_array(int16, group->blocks * group->blocks);
	memset(group->cells, -1, sizeof(int16) * (size_t) (group->blocks * group->blocks));
	for (int32 i = 0; i < group->blocks; i++)
	{
		group->begin[i] = (UINT64CONST(1) << 32) * (uint64) i / (uint64) group->blocks;
		for (int32 j = planner->cells.two_sided ? 0 : i; j < group->blocks; j++)
		{
			RESERVE(CurrentMemoryContext, planner->found, planner->capacity, planner->count + 1);
			planner->found[planner->count++] =
				(BlockCell){.number = &group->cells[i * group->blocks + j],
							.within = i == j && !planner->cells.two_sided,
							.work = (i == j ? 1 : 2) * block * block / 2};
		}
	}
}

/* Gives all cells of blocks numbers and places: the next one to the place with the least work. */
static void
PlaceBlockCells(CellPlanner *planner)
{
	CellsOfValues *cells = &planner->cells;
	double *work = palloc0_array(double, planner->places);

	cells->cells = cells->bases + planner->count;
	cells->place = palloc_array(int32, cells->cells);
	for (int32 i = 0; i < cells->bases; i++)
		cells->place[i] = i;
	if (planner->count > 0)
		qsort(planner->found, (size_t) planner->count, sizeof(BlockCell), CompareBlockCells);
	/* cells of one block come first, so that two documents of a block always meet in the first
	 * cell that they have in common */
	for (int32 i = 0; i < planner->count; i++)
	{
		int32 least = 0;

		for (int32 j = 1; j < planner->places; j++)
			if (work[j] < work[least])
				least = j;
		work[least] += planner->found[i].work;
		*planner->found[i].number = (int16) (cells->bases + i);
		cells->place[cells->bases + i] = least;
	}
}

/*
 * A group is cut if its pairs are more than 1 / LARGE_GROUP of what a place has, where a document
 * counts as PAIRS_OF_DOCUMENT pairs.  Two blocks then have about half of that.
 */
#define LARGE_GROUP 8
#define PAIRS_OF_DOCUMENT 30

PG_FUNCTION_INFO_V1(ted_plan_cells_finalfn);

/* Step 5, at the coordinator: plans the cells. */
Datum
ted_plan_cells_finalfn(PG_FUNCTION_ARGS)
{
	CellPlanner planner = {0};
	CellsOfValues *cells = &planner.cells;
	Mail *mail;
	Share *sizes;
	Share *values;
	int32 size_count;
	int32 value_count;
	int32 first = 0;
	double documents = 0;
	double pairs = 0;
	double most;

	if (!OpenMail(fcinfo, &mail))
		PG_RETURN_NULL();
	planner.spec = &mail->spec;
	cells->two_sided = mail->number != 0;
	planner.places = mail->receivers;
	/* half of the numbers of cells are for those of blocks */
	cells->bases = planner.spec->least_keyless == 0 ? 1 : Min(planner.places, MOST_CELLS / 2);
	cells->least_by_size = planner.spec->least_by_size;
	size_count = AddShares(mail, STEP_SIZES, &sizes);
	value_count = AddShares(mail, STEP_LARGE, &values);
	cells->group = palloc0_array(LargeGroup, value_count + 1);
	for (int32 i = 0; i < size_count; i++)
		documents += sizes[i].documents;
	for (int32 i = 0; i < value_count; i++)
		pairs += values[i].documents * values[i].documents / 2;

	while (first < size_count && (int32) sizes[first].of < planner.spec->least_by_size)
		first++;
	if (first < size_count)
	{
		LargeGroup *group = &cells->group[cells->groups++];

		/* as few blocks as give each place a cell: a document goes to all cells of its block */
		group->blocks = 1;
		while (planner.places > 1 && group->blocks * 8 < MOST_CELLS &&
			   CutBySizes(&planner, group, sizes + first, size_count - first, false) <
				   Min(planner.places, MOST_CELLS / 2))
			group->blocks++;
		while (CutBySizes(&planner, group, sizes + first, size_count - first, false) >
			   MOST_CELLS - cells->bases)
			group->blocks--;
		CutBySizes(&planner, group, sizes + first, size_count - first, true);
	}
	else
		cells->least_by_size = PG_INT32_MAX;
	most = (pairs + PAIRS_OF_DOCUMENT * documents) / planner.places / LARGE_GROUP;
	for (int32 i = 0; i < value_count && planner.places > 1; i++)
	{
		LargeGroup group = {.value = values[i].of, .documents = values[i].documents};
		int64 block_cells;

		if (group.documents * group.documents / 2 < most)
			continue;
		group.blocks = (int32) Min(ceil(group.documents / sqrt(most)), 30);
		block_cells =
			cells->two_sided ? group.blocks * group.blocks : group.blocks * (group.blocks + 1) / 2;
		if (group.blocks < 2 || block_cells + planner.count > MOST_CELLS - cells->bases)
			continue;
		cells->group[cells->groups] = group;
		CutByHashes(&planner, &cells->group[cells->groups++]);
	}
	PlaceBlockCells(&planner);
	PG_RETURN_BYTEA_P(WriteCellsOfValues(cells));
}

PG_FUNCTION_INFO_V1(ted_places_of_cells);

/* Returns the place of each cell of a plan, from 0. */
Datum
ted_places_of_cells(PG_FUNCTION_ARGS)
{
	const CellsOfValues *cells = ReadCellsOfValues(PG_GETARG_BYTEA_PP(0));
	Datum places[MOST_CELLS];

	for (int32 i = 0; i < cells->cells; i++)
		places[i] = Int32GetDatum(cells->place[i]);
	PG_RETURN_ARRAYTYPE_P(construct_array(places, cells->cells, INT4OID, 4, true, TYPALIGN_INT));
}

PG_FUNCTION_INFO_V1(ted_send_documents);

/*
 * Step 6, at a home: sends the documents of a packet to their cells, by their values, or NULL if
 * no keys were sent: (packed, values, plan, home, seq).
 */
Datum
ted_send_documents(PG_FUNCTION_ARGS)
{
	CellsOfValues *cells;
	StringInfoData from;
	StringInfoData valued = {0};
	StringInfoData *to;
	int encoding;
	const ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(2) || PG_ARGISNULL(3) || PG_ARGISNULL(4))
		InvalidArgument("packet");
	InitRows(fcinfo, PACKET_COLUMNS);
	cells = ReadCellsOfValues(PG_GETARG_BYTEA_PP(2));
	encoding = OpenPacket(&from, PG_GETARG_DATUM(0));
	if (!PG_ARGISNULL(1))
		OpenPacket(&valued, PG_GETARG_DATUM(1));
	to = palloc0_array(StringInfoData, cells->cells);
	while (from.cursor < from.len)
	{
		DocumentRecord record;
		uint32 values[MOST_KEYS];
		int32 cell[MOST_CELLS];
		char sides[MOST_CELLS];
		int count;

		CHECK_FOR_INTERRUPTS();
		ReadDocumentRecord(&from, &record);
		/* without keys, documents that are not blocks by sizes have the same value */
		count = !PG_ARGISNULL(1) ? pq_getmsgbyte(&valued) : cells->least_by_size > 0 ? 1 : 0;
		if (count > MOST_KEYS)
			InvalidArgument("packet");
		for (int i = 0; i < count; i++)
			values[i] = PG_ARGISNULL(1) ? 0 : pq_getmsgint(&valued, 4);
		count = CellsOfDocument(cells, &record, values, count, cell, sides);
		for (int i = 0; i < count; i++)
		{
			StringInfo bytes = &to[cell[i]];

			if (bytes->data == NULL)
			{
				initStringInfo(bytes);
				BeginPacket(bytes, encoding);
			}
			pq_sendbyte(bytes, (uint8) sides[cell[i]]);
			appendBinaryStringInfo(bytes, record.rest, record.rest_length);
			pq_sendbyte(bytes, (uint8) count);
			for (int j = 0; j < count; j++)
				pq_sendbyte(bytes, (uint8) cell[j]);
		}
	}
	for (int32 i = 0; i < cells->cells; i++)
		if (to[i].data != NULL)
			ReturnPacket(result, STEP_CELL, i, PG_GETARG_INT32(3), PG_GETARG_INT32(4), &to[i]);
	PG_RETURN_VOID();
}
