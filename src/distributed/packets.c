/*
 * packets.c
 *	  What the servers of a join send each other: packets, which are values of type bytea.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/float.h"
#include "utils/guc.h"
#include "utils/memutils.h"
#include "utils/pg_locale.h"

#include "../common/host.h"
#include "../common/messages.h"
#include "../compat.h"
#include "../join/search/search.h"
#include "../tree/value/tree.h"
#include "packets.h"

#define PACKET_VERSION 2
#define NO_ID (-1) /* instead of the length, if there is no id */

void
InvalidArgument(const char *what)
{
	ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("invalid %s of a join", what),
					errhint("Call tree_within_pairs_distributed() or "
							"lcs_similar_pairs_distributed(), which call this function.")));
}

void
BeginPacket(StringInfo to, int encoding)
{
	pq_sendbyte(to, PACKET_VERSION);
	pq_sendbyte(to, (uint8) encoding);
}

int
OpenPacket(StringInfo from, Datum packed)
{
	bytea *bytes = DatumGetByteaPP(packed);
	int version;
	int encoding;

	*from = (StringInfoData){.data = VARDATA_ANY(bytes), .len = (int) VARSIZE_ANY_EXHDR(bytes)};
	version = pq_getmsgbyte(from);
	encoding = pq_getmsgbyte(from);
	if (version != PACKET_VERSION || !PG_VALID_BE_ENCODING(encoding))
		InvalidArgument("packet");
	return encoding;
}

bytea *
MakeBytes(const StringInfoData *from)
{
	return CopyToValue(from->data, (Size) from->len);
}

int32
ReadCount(StringInfo from, int32 most)
{
	int32 count = (int32) pq_getmsgint(from, 4);

	if (count < 0 || count > most)
		InvalidArgument("packet");
	return count;
}

/* Settings that an id's text depends on, and values under which that text means no other id. */
static const struct
{
	const char *name;
	const char *value;
} text_settings[] = {{"array_nulls", "on"},
					 {"datestyle", "ISO"},
					 {"extra_float_digits", "1"},
					 {"intervalstyle", "postgres"},
					 {"lc_monetary", "C"}};

int
BeginTexts(void)
{
	int level;

	if (Array_nulls && DateStyle == USE_ISO_DATES && extra_float_digits >= 1 &&
		IntervalStyle == INTSTYLE_POSTGRES && strcmp(locale_monetary, "C") == 0)
		return 0;
	level = NewGUCNestLevel();
	for (int i = 0; i < (int) lengthof(text_settings); i++)
		set_config_option(text_settings[i].name, text_settings[i].value, PGC_USERSET, PGC_S_SESSION,
						  GUC_ACTION_SAVE, true, 0, false);
	return level;
}

void
EndTexts(int level)
{
	if (level > 0)
		AtEOXact_GUC(true, level);
}

void
AppendId(StringInfo to, const char *id, int32 length)
{
	pq_sendint32(to, (uint32) (id == NULL ? NO_ID : length));
	if (id != NULL)
		appendBinaryStringInfo(to, id, length);
}

/* Returns a text that has travelled, in the server's encoding, after a check of its bytes. */
static char *
TextFromBytes(const char *bytes, int length, int encoding)
{
	char *text = palloc((Size) length + 1);

	/* all bytes, also after a zero byte, which no encoding accepts */
	memcpy(text, bytes, (Size) length);
	text[length] = '\0';
	return ValueToServer(text, length, encoding);
}

char *
ReadId(StringInfo from, int encoding)
{
	int32 length = (int32) pq_getmsgint(from, 4);

	return length == NO_ID ? NULL : TextFromBytes(pq_getmsgbytes(from, length), length, encoding);
}

void
AppendDocument(StringInfo to, char side, const JoinKind *kind, FmgrInfo *output, Datum id,
			   bool no_id, Datum document)
{
	struct varlena *bytes = PG_DETOAST_DATUM_PACKED(document);
	int length = (int) VARSIZE_ANY_EXHDR(bytes);
	const char *text = NULL;

	if (!no_id)
	{
		int level = BeginTexts();

		text = OutputFunctionCall(output, id);
		EndTexts(level);
	}
	pq_sendbyte(to, (uint8) side);
	pq_sendint32(to, (uint32) DocumentKindOf(kind->documents)->size(PointerGetDatum(bytes)));
	pq_sendint32(to, hash_bytes((const unsigned char *) VARDATA_ANY(bytes), length));
	AppendId(to, text, text == NULL ? 0 : (int32) strlen(text));
	pq_sendint32(to, (uint32) length);
	AppendBlock(to, VARDATA_ANY(bytes), length);
}

void
ReadDocumentRecord(StringInfo from, DocumentRecord *record)
{
	record->side = (char) pq_getmsgbyte(from);
	record->rest = from->data + from->cursor;
	record->size = (int32) pq_getmsgint(from, 4);
	record->hash = pq_getmsgint(from, 4);
	record->id_length = (int32) pq_getmsgint(from, 4);
	record->id = record->id_length == NO_ID ? NULL : pq_getmsgbytes(from, record->id_length);
	record->length = (int32) pq_getmsgint(from, 4);
	record->bytes = pq_getmsgbytes(from, record->length);
	record->rest_length = (int32) (from->data + from->cursor - record->rest);
}

Datum
DocumentOfRecord(const DocumentRecord *record, const JoinKind *kind, int encoding)
{
	switch (kind->documents)
	{
		case DOCUMENT_TREE:
		case DOCUMENT_BY_MODEL:
			return PointerGetDatum(TreeFromBytes(record->bytes, record->length, encoding));
		case DOCUMENT_TEXT:
			return CStringGetTextDatum(TextFromBytes(record->bytes, record->length, encoding));
		default:
			return PointerGetDatum(CopyToValue(record->bytes, (Size) record->length));
	}
}

const JoinKind *
JoinKindOf(const char *name)
{
	static const struct
	{
		const char *name;
		const JoinKind *kind;
	} kinds[] = {{"tree", &TreeJoin}, {"text", &TextJoin}};

	for (int i = 0; i < (int) lengthof(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return kinds[i].kind;
	InvalidArgument("kind");
}
