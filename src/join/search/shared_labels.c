/*
 * shared_labels.c
 *	  Common numbers for the labels of the trees, or the elements of the arrays, that the members of
 *	  a team have read.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "port/pg_bitutils.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../common/progress.h"
#include "shared_labels.h"

/* Classes of label frequencies: 8 for each power of two. */
#define FREQUENCIES 240

/* A label that a member has published. */
typedef struct MemberLabel
{
	dsa_pointer bytes;
	int32 length;
	uint32 hash;
	int32 nodes;
	int32 place; /* place among the labels of its part, after that is merged */
} MemberLabel;

/* The labels that a member has published; followed by arrays, see PartsOfMember(). */
typedef struct MemberLabels
{
	int32 count;
	int32 parts;
	MemberLabel labels[FLEXIBLE_ARRAY_MEMBER];
} MemberLabels;

/* A label of a part, merged from all members. */
typedef struct PartLabel
{
	dsa_pointer bytes;
	int32 length;
	uint32 hash;
} PartLabel;

/* The labels of a part by frequency, followed by the hash table in which they are found. */
typedef struct LabelPart
{
	int32 count;
	uint32 mask;                  /* for the index of a table entry */
	int32 begin[FREQUENCIES + 1]; /* first label of each frequency */
	PartLabel labels[FLEXIBLE_ARRAY_MEMBER];
} LabelPart;

struct SharedLabels
{
	const Team *team;
	const LabelTable *table; /* decides which labels are equal */
	int parts;
	LabelPart **part;
	int32 *begin; /* first number by frequency and part, and the end */
};

/* Returns the frequency class of a label with this number of nodes. */
static inline int
FrequencyOf(int64 nodes)
{
	uint32 counted = (uint32) Min(nodes, PG_INT32_MAX);
	int power;

	if (counted < 8)
		return (int) counted;
	power = pg_leftmost_one_pos32(counted);
	return (power - 3) * 8 + (int) (counted >> (power - 3));
}

/* Returns the array after a member's labels: where each part begins in IdsByPart(). */
static int32 *
PartsOfMember(MemberLabels *labels)
{
	return (int32 *) (labels->labels + labels->count);
}

/* Returns the array of the ids of a member's labels, ordered by part. */
static int32 *
IdsByPart(MemberLabels *labels)
{
	return PartsOfMember(labels) + labels->parts + 1;
}

/* Returns the hash table of a part: an entry is 0, or the place of a label + 1. */
static int32 *
TableOf(LabelPart *part)
{
	return (int32 *) (part->labels + part->count);
}

void
SharedLabelsPublish(Team *team, const LabelTable *table, const int32 *nodes)
{
	int32 count = LabelTableCount(table);
	int parts = team->parts;
	Size bytes = 0;
	MemberLabels *labels =
		TeamPublish(team, TEAM_LABELS, team->member,
					offsetof(MemberLabels, labels) + sizeof(MemberLabel) * (Size) count +
						sizeof(int32) * ((Size) count + (Size) parts + 1));
	dsa_pointer next;
	int32 *begin;
	int32 *ids;

	labels->count = count;
	labels->parts = parts;
	begin = PartsOfMember(labels);
	ids = IdsByPart(labels);
	memset(begin, 0, sizeof(int32) * ((Size) parts + 1));
	for (int32 id = 0; id < count; id++)
		bytes += LabelTableAlign(table, (Size) LabelTableGet(table, id).length);
	next = TeamTake(team, bytes);
	for (int32 id = 0; id < count; id++)
	{
		Label label = LabelTableGet(table, id);
		uint32 hash = LabelTableHash(table, label);

		CheckInterrupts();
		labels->labels[id] = (MemberLabel){.bytes = next,
										   .length = label.length,
										   .hash = hash,
										   .nodes = nodes == NULL ? 0 : nodes[id]};
		memcpy(TeamAddress(team, next), label.bytes, (Size) label.length);
		next += LabelTableAlign(table, (Size) label.length);
		begin[hash % (uint32) parts]++;
	}
	for (int part = 0, sum = 0; part <= parts; part++)
	{
		sum += begin[part];
		begin[part] = sum;
	}
	for (int32 id = count - 1; id >= 0; id--)
		ids[--begin[labels->labels[id].hash % (uint32) parts]] = id;
}

/* A label of a part while it is merged; several members may have it. */
typedef struct MergedLabel
{
	const MemberLabel *kept;
	Label label;
	int64 nodes;
	int32 place;
} MergedLabel;

/* Returns the table entry of a label, or the free entry for it. */
static int32 *
FindMerged(const SharedLabels *all, const MergedLabel *merged, int32 *table, uint32 mask,
		   uint32 hash, Label label)
{
	uint32 i = hash / (uint32) all->parts & mask;

	while (table[i] != 0)
	{
		const MergedLabel *other = &merged[table[i] - 1];

		if (other->kept->hash == hash && LabelTableEqual(all->table, other->label, label))
			break;
		i = (i + 1) & mask;
	}
	return &table[i];
}

/* Collects the labels of a part from all members; returns them and sets their number. */
static MemberLabel **
LabelsOfPart(const Team *team, int part, Size *count)
{
	MemberLabel **all = NULL;

	/* the first pass counts them */
	for (int pass = 0; pass < 2; pass++)
	{
		*count = 0;
		for (int member = 0; member < team->members; member++)
		{
			MemberLabels *labels = TeamFind(team, TEAM_LABELS, member);
			const int32 *begin = labels == NULL ? NULL : PartsOfMember(labels) + part;

			for (int32 i = 0; begin != NULL && i < begin[1] - begin[0]; i++, ++*count)
				if (all != NULL)
					all[*count] = &labels->labels[IdsByPart(labels)[begin[0] + i]];
		}
		if (pass == 0)
			all = palloc_extended(sizeof(MemberLabel *) * *count, MCXT_ALLOC_HUGE);
	}
	return all;
}

/* Merges the labels of a part: finds equal ones, and orders them by frequency. */
static void
MergeLabels(const SharedLabels *shared, Team *team, int part)
{
	Size all_count;
	MemberLabel **all = LabelsOfPart(team, part, &all_count);
	uint32 mask = pg_nextpower2_32((uint32) Max(all_count * 2, 2)) - 1;
	MergedLabel *merged = palloc_extended(sizeof(MergedLabel) * all_count, MCXT_ALLOC_HUGE);
	int32 *table =
		palloc_extended(sizeof(int32) * ((Size) mask + 1), MCXT_ALLOC_HUGE | MCXT_ALLOC_ZERO);
	int32 next[FREQUENCIES + 1] = {0};
	int32 count = 0;
	LabelPart *made;

	for (Size i = 0; i < all_count; i++)
	{
		Label label = {TeamAddress(team, all[i]->bytes), all[i]->length};
		int32 *entry = FindMerged(shared, merged, table, mask, all[i]->hash, label);
		MergedLabel *found;

		CheckInterrupts();
		if (*entry == 0)
		{
			merged[count++] = (MergedLabel){.kept = all[i], .label = label};
			*entry = count;
		}
		found = &merged[*entry - 1];
		if (LabelTableKeepsOther(shared->table, found->label, label))
		{
			found->kept = all[i];
			found->label = label;
		}
		found->nodes += all[i]->nodes;
		all[i]->place = *entry - 1;
	}

	made = TeamPublish(team, TEAM_LABEL_PARTS, part,
					   offsetof(LabelPart, labels) + sizeof(PartLabel) * (Size) count +
						   sizeof(int32) * ((Size) mask + 1));
	made->count = count;
	made->mask = mask;
	for (int32 i = 0; i < count; i++)
		next[FrequencyOf(merged[i].nodes) + 1]++;
	for (int frequency = 0; frequency < FREQUENCIES; frequency++)
		next[frequency + 1] += next[frequency];
	memcpy(made->begin, next, sizeof(next));
	for (int32 i = 0; i < count; i++)
	{
		const MemberLabel *kept = merged[i].kept;

		merged[i].place = next[FrequencyOf(merged[i].nodes)]++;
		made->labels[merged[i].place] = (PartLabel){kept->bytes, kept->length, kept->hash};
	}
	for (uint32 i = 0; i <= mask; i++)
		TableOf(made)[i] = table[i] == 0 ? 0 : merged[table[i] - 1].place + 1;
	for (Size i = 0; i < all_count; i++)
	{
		CheckInterrupts();
		all[i]->place = merged[all[i]->place].place;
	}
	pfree(all);
	pfree(merged);
	pfree(table);
}

SharedLabels *
SharedLabelsBuild(Team *team, const LabelTable *table)
{
	SharedLabels *all = palloc_object(SharedLabels);
	int32 sum = 0;
	int claimed;

	all->team = team;
	all->table = table;
	all->parts = team->parts;
	while (claimed = TeamClaim(team, all->parts), claimed >= 0)
		MergeLabels(all, team, claimed);
	TeamMeet(team);
	all->part = palloc_array(LabelPart *, all->parts);
	all->begin = palloc_array(int32, FREQUENCIES * all->parts + 1);
	for (int part = 0; part < all->parts; part++)
		all->part[part] = TeamFind(team, TEAM_LABEL_PARTS, part);
	for (int frequency = 0; frequency < FREQUENCIES; frequency++)
		for (int part = 0; part < all->parts; part++)
		{
			const int32 *begin = all->part[part]->begin;

			all->begin[frequency * all->parts + part] = sum;
			sum += begin[frequency + 1] - begin[frequency];
		}
	all->begin[FREQUENCIES * all->parts] = sum;
	return all;
}

/* Returns the number of the label at a place in a part. */
static int32
NumberOf(const SharedLabels *all, int part, int32 place)
{
	const int32 *begin = all->part[part]->begin;
	int low = 0;
	int high = FREQUENCIES - 1;

	while (low < high)
	{
		int middle = (low + high + 1) / 2;

		if (begin[middle] <= place)
			low = middle;
		else
			high = middle - 1;
	}
	return all->begin[low * all->parts + part] + place - begin[low];
}

/* Returns a label of a part, with the address of its bytes. */
static Label
BytesOf(const SharedLabels *all, const PartLabel *label)
{
	return (Label){TeamAddress(all->team, label->bytes), label->length};
}

/* Returns the label with a number. */
static Label
GetShared(const void *arg, int32 id)
{
	const SharedLabels *all = arg;
	int32 low = 0;
	int32 high = FREQUENCIES * all->parts - 1;
	LabelPart *part;

	while (low < high)
	{
		int32 middle = (low + high + 1) / 2;

		if (all->begin[middle] <= id)
			low = middle;
		else
			high = middle - 1;
	}
	part = all->part[low % all->parts];
	return BytesOf(all, &part->labels[part->begin[low / all->parts] + id - all->begin[low]]);
}

/* Returns the number of a label, or -1. */
static int32
FindShared(const void *arg, Label label, uint32 hash)
{
	const SharedLabels *all = arg;
	int number = (int) (hash % (uint32) all->parts);
	LabelPart *part = all->part[number];
	const int32 *table = TableOf(part);

	for (uint32 i = hash / (uint32) all->parts & part->mask; table[i] != 0;
		 i = (i + 1) & part->mask)
	{
		const PartLabel *other = &part->labels[table[i] - 1];

		if (other->hash == hash && LabelTableEqual(all->table, BytesOf(all, other), label))
			return NumberOf(all, number, table[i] - 1);
	}
	return -1;
}

CommonLabels
SharedLabelsCommon(const SharedLabels *all)
{
	return (CommonLabels){.count = all->begin[FREQUENCIES * all->parts],
						  .get = GetShared,
						  .find = FindShared,
						  .arg = all};
}

int32 *
SharedLabelIds(const SharedLabels *all, int member)
{
	const MemberLabels *labels = TeamFind(all->team, TEAM_LABELS, member);
	int32 *ids = palloc_extended(sizeof(int32) * (Size) labels->count, MCXT_ALLOC_HUGE);

	for (int32 id = 0; id < labels->count; id++)
	{
		CheckInterrupts();
		ids[id] = NumberOf(all, (int) (labels->labels[id].hash % (uint32) all->parts),
						   labels->labels[id].place);
	}
	return ids;
}
