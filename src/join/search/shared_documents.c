/*
 * shared_documents.c
 *	  The distinct documents that the members of a team have read.
 */
#include "postgres.h"

#include "../../compat.h"
#include "../../common/progress.h"
#include "shared_documents.h"

/* Keys of each member that are sampled to divide the order into parts. */
#define SAMPLES 64

/* Distance in documents at which a document is prefetched. */
#define FETCHED 16

/* The documents that a member has published. */
typedef struct MemberDocuments
{
	int32 count;
	dsa_pointer documents[FLEXIBLE_ARRAY_MEMBER]; /* by number */
} MemberDocuments;

/* The documents of a member in sorted order, followed by an array of their places, by number. */
typedef struct MemberOrder
{
	int32 count;
	DocumentKey keys[FLEXIBLE_ARRAY_MEMBER];
} MemberOrder;

/* The documents of a part of the order. */
typedef struct DocumentPart
{
	int32 distinct;
	int32 count;
	struct
	{
		DocumentKey key;
		int32 index; /* number among the distinct documents of the part */
	} documents[FLEXIBLE_ARRAY_MEMBER];
} DocumentPart;

/* Compares two keys by size and hash only. */
static inline int
CompareKinds(const DocumentKey *a, const DocumentKey *b)
{
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return (a->hash > b->hash) - (a->hash < b->hash);
}

/* Compares two keys by size and hash, then by member and number. */
static inline int
CompareKeys(const DocumentKey *a, const DocumentKey *b)
{
	int order = CompareKinds(a, b);

	if (order == 0)
		order = a->member - b->member;
	return order != 0 ? order : a->number - b->number;
}

#define ST_SORT SortDocumentKeys
#define ST_ELEMENT_TYPE DocumentKey
#define ST_COMPARE(a, b) CompareKeys(a, b)
#define ST_SCOPE static
#define ST_DEFINE
#define ST_CHECK_FOR_INTERRUPTS
#include "lib/sort_template.h"

void
SharedDocumentsPublish(Team *team, const dsa_pointer *documents, int32 count)
{
	MemberDocuments *published =
		TeamPublish(team, TEAM_DOCUMENTS, team->member,
					offsetof(MemberDocuments, documents) + sizeof(dsa_pointer) * (Size) count);

	published->count = count;
	if (count > 0) /* else there may be no array */
		memcpy(published->documents, documents, sizeof(dsa_pointer) * (Size) count);
}

Size
SharedDocumentsPublished(const Team *team)
{
	Size count = 0;

	for (int member = 0; member < team->members; member++)
	{
		const MemberDocuments *published = TeamFind(team, TEAM_DOCUMENTS, member);

		count += published == NULL ? 0 : (Size) published->count;
	}
	return count;
}

/* Returns the array of places of a member's documents. */
static int32 *
PlacesOf(MemberOrder *order)
{
	return (int32 *) (order->keys + order->count);
}

/* Returns the first document of a member that does not come before a key. */
static int32
FirstFrom(const MemberOrder *order, const DocumentKey *key)
{
	int32 low = 0;
	int32 high = order->count;

	while (low < high)
	{
		int32 middle = low + (high - low) / 2;

		if (CompareKinds(&order->keys[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Samples keys of all members at equal distances, and sorts them; returns their number. */
static int
SampleKeys(const Team *team, DocumentKey *samples)
{
	int count = 0;

	for (int member = 0; member < team->members; member++)
	{
		const MemberOrder *order = TeamFind(team, TEAM_DOCUMENT_ORDER, member);

		for (int64 i = 0; order != NULL && order->count > 0 && i < SAMPLES; i++)
			samples[count++] = order->keys[i * order->count / SAMPLES];
	}
	SortDocumentKeys(samples, (size_t) count);
	return count;
}

/* Returns the address of a document that a member has published. */
static dsa_pointer
DocumentOf(const Team *team, const DocumentKey *key)
{
	const MemberDocuments *published = TeamFind(team, TEAM_DOCUMENTS, key->member);

	return published->documents[key->number];
}

/* Merges a part of the order, and finds equal documents in it. */
static void
MergeDocuments(Team *team, const SharedKind *kind, int number)
{
	int members = team->members;
	int parts = team->parts;
	DocumentKey *samples = palloc_array(DocumentKey, (Size) members * SAMPLES);
	int sampled = SampleKeys(team, samples);
	const DocumentKey *from = &samples[(int64) number * sampled / parts];
	const DocumentKey *to = &samples[(int64) (number + 1) * sampled / parts];
	int32 *first = palloc_array(int32, members);
	int32 *end = palloc_array(int32, members);
	Size count = 0;
	DocumentKey *keys;
	DocumentPart *part;

	for (int member = 0; member < members; member++)
	{
		const MemberOrder *order = TeamFind(team, TEAM_DOCUMENT_ORDER, member);

		first[member] = end[member] = 0;
		if (order == NULL || sampled == 0)
			continue;
		first[member] = number == 0 ? 0 : FirstFrom(order, from);
		end[member] = number == parts - 1 ? order->count : FirstFrom(order, to);
		count += (Size) (end[member] - first[member]);
	}
	keys = palloc_extended(sizeof(DocumentKey) * count, MCXT_ALLOC_HUGE);
	count = 0;
	for (int member = 0; member < members; member++)
		if (end[member] > first[member])
		{
			const MemberOrder *order = TeamFind(team, TEAM_DOCUMENT_ORDER, member);

			memcpy(&keys[count], &order->keys[first[member]],
				   sizeof(DocumentKey) * (Size) (end[member] - first[member]));
			count += (Size) (end[member] - first[member]);
		}
	SortDocumentKeys(keys, count);

	part = TeamPublish(team, TEAM_DOCUMENT_PARTS, number,
					   offsetof(DocumentPart, documents) + sizeof(part->documents[0]) * count);
	part->count = (int32) count;
	part->distinct = 0;
	for (int32 i = 0, like = 0; i < part->count; i++)
	{
		int32 equal = like;

		CheckInterrupts();
		/* documents with the same hash, which begin at `like`, may differ */
		if (i > 0 && CompareKinds(&keys[i - 1], &keys[i]) != 0)
			equal = like = i;
		while (equal < i && !kind->equal(TeamAddress(team, DocumentOf(team, &keys[equal])),
										 TeamAddress(team, DocumentOf(team, &keys[i]))))
			equal++;
		part->documents[i].key = keys[i];
		part->documents[i].index = equal < i ? part->documents[equal].index : part->distinct++;
	}
	pfree(keys);
	pfree(samples);
	pfree(first);
	pfree(end);
}

int32
SharedDocumentsFirst(const Team *team, int part)
{
	int32 place = 0;

	for (int i = 0; i < part; i++)
		place += ((const DocumentPart *) TeamFind(team, TEAM_DOCUMENT_PARTS, i))->distinct;
	return place;
}

void
SharedDocumentsMerge(Team *team, const SharedKind *kind, void *arg)
{
	int claimed;

	while (claimed = TeamClaim(team, team->members), claimed >= 0)
	{
		const MemberDocuments *published = TeamFind(team, TEAM_DOCUMENTS, claimed);
		MemberOrder *order;

		/* by member: documents are made comparable, and their keys sorted */
		if (published == NULL)
			continue;
		order = TeamPublish(team, TEAM_DOCUMENT_ORDER, claimed,
							offsetof(MemberOrder, keys) +
								(sizeof(DocumentKey) + sizeof(int32)) * (Size) published->count);
		order->count = published->count;
		for (int32 i = 0; i < published->count; i++)
			order->keys[i] = (DocumentKey){.member = claimed, .number = i};
		kind->describe(arg, claimed, published->documents, published->count, order->keys);
		SortDocumentKeys(order->keys, (size_t) order->count);
	}
	TeamMeet(team);
	while (claimed = TeamClaim(team, team->parts), claimed >= 0)
		MergeDocuments(team, kind, claimed);
	TeamMeet(team);
}

void
SharedDocumentsSizes(const Team *team, int part, void (*take)(void *arg, int32 size), void *arg)
{
	const DocumentPart *documents = TeamFind(team, TEAM_DOCUMENT_PARTS, part);

	for (int32 i = 0, passed = 0; i < documents->count; i++)
		if (documents->documents[i].index == passed)
		{
			passed++;
			take(arg, documents->documents[i].key.size);
		}
}

void
SharedDocumentsPlace(Team *team, int part,
					 void (*take)(void *arg, int32 place, dsa_pointer document), void *arg)
{
	const DocumentPart *documents = TeamFind(team, TEAM_DOCUMENT_PARTS, part);
	int32 first = SharedDocumentsFirst(team, part);

	for (int32 i = 0, placed = 0; i < documents->count; i++)
	{
		const DocumentKey *key = &documents->documents[i].key;
		int32 index = documents->documents[i].index;

		CheckInterrupts();
		if (i + FETCHED < documents->count)
			__builtin_prefetch(
				TeamAddress(team, DocumentOf(team, &documents->documents[i + FETCHED].key)));
		PlacesOf(TeamFind(team, TEAM_DOCUMENT_ORDER, key->member))[key->number] = first + index;
		if (index < placed)
			continue;
		placed++;
		take(arg, first + index, DocumentOf(team, key));
	}
}

const int32 *
SharedDocumentsPlaces(const Team *team, int member)
{
	MemberOrder *order = TeamFind(team, TEAM_DOCUMENT_ORDER, member);

	return order == NULL ? NULL : PlacesOf(order);
}
