/*
 * distinct.cuh
 *	  The distinct tables of a tree, as the tree that it is compared with sees them.
 *
 * Labels that only one of two trees has may count as one label, since only equality of
 * labels matters (see shared_labels.h of the core).  Where costs differ by label, this holds
 * for all labels of one kind, since these cost the same.  Then key roots with equal subtrees
 * have equal tables.  Only the table of the first of them is computed, and its distances are
 * read wherever a node of another one occurs.
 */
#ifndef TED_DISTINCT_CUH
#define TED_DISTINCT_CUH

#include "device.cuh"
#include "device_tables.h"

/* Factors of hashes. */
constexpr unsigned HASH_STEP = 0x9E3779B1u;
constexpr unsigned HASH_LABEL = 0x85EBCA77u;
constexpr unsigned HASH_SIZE = 0xC2B2AE3Du;

/*
 * Rounds in which equal key roots are searched for, each with other slots.  Equal key roots are
 * found if no others share their slot in one of the rounds.
 */
constexpr int EQUAL_ROUNDS = 2;

/* Returns a power of the factor of hashes. */
static __device__ unsigned
hash_power(int exponent)
{
	unsigned power = 1;

	for (unsigned factor = HASH_STEP; exponent > 0; exponent >>= 1, factor *= factor)
		if (exponent & 1)
			power *= factor;
	return power;
}

/* Finds the distinct tables of a tree. */
template <int WIDTH, bool BY_LABEL> class Distinct
{
  public:
	__device__
	Distinct(const View &tree, const View &other, const int32_t *labels, char *memory, int rank)
		: tree(tree), other(other), labels(labels), room(tree, memory), rank(rank)
	{
	}

	/*
	 * Returns the tree with its distinct tables only; labels that only this tree has become
	 * those of its side.
	 */
	__device__ View
	find(Side side)
	{
		for (int x = rank; x < tree.size; x += WIDTH)
			room.label[x] = seen(tree.nodes()[x].label, side);
		for (int t = rank; t < tree.tables; t += WIDTH)
			room.first[t] = t;
		sync_worker<WIDTH>();
		if (rank < WARP)
			hash_nodes();
		sync_worker<WIDTH>();
		for (int round = 0; round < EQUAL_ROUNDS; round++)
			find_equal(round);
		if (rank < WARP)
			number_tables();
		number_nodes();
		sync_worker<WIDTH>();
		write_entries();
		sync_worker<WIDTH>();

		View found = tree;

		found.tables = *room.tables;
		found.entries = room.table[found.tables - 1].end;
		found.entry = room.entry;
		found.table = room.table;
		return found;
	}

  private:
	/* Returns a label as the kernel sees it. */
	__device__ int
	seen(int label, Side side) const
	{
		const bool shared = other_has(label);

		if constexpr (BY_LABEL)
		{
			const int numbered = labels[label];

			return shared ? numbered : private_label(kind_of(numbered), side);
		}
		else
			return shared ? label : NO_LABEL - side;
	}

	/* Whether the other tree has a label. */
	__device__ bool
	other_has(int label) const
	{
		uint32_t slot = label_slot(label, other.label_slots);
		int32_t found;

		while ((found = other.label[slot]) != label && found != NO_LABEL)
			slot = (slot + 1) & (other.label_slots - 1);
		return found == label;
	}

	/* Computes for each node the hash of all nodes before it, by one warp. */
	__device__ void
	hash_nodes()
	{
		const unsigned power = hash_power(rank + 1);
		unsigned before = 0;

		if (rank == 0)
			room.hash[0] = 0;
		for (int base = 0; base < tree.size; base += WARP)
		{
			const int x = base + rank;
			unsigned step = HASH_STEP;
			unsigned hash = x < tree.size ? (unsigned) room.label[x] * HASH_LABEL +
												tree.nodes()[x].size * HASH_SIZE + 1
										  : 0;

			hash ^= hash >> 15;
#pragma unroll
			for (int d = 1; d < WARP; d *= 2, step *= step)
			{
				const unsigned left = __shfl_up_sync(ALL, hash, d);

				if (rank >= d)
					hash += left * step;
			}
			hash += before * power;
			before = __shfl_sync(ALL, hash, WARP - 1);
			if (x < tree.size)
				room.hash[x + 1] = hash;
		}
	}

	/* Returns the number of nodes of a key root's subtree. */
	__device__ int
	size_of(int table) const
	{
		return tree.table[table].end - (table == 0 ? 0 : tree.table[table - 1].end);
	}

	/* Returns the hash of a key root's subtree. */
	__device__ unsigned
	hash_of(int table) const
	{
		const int first = tree.table[table].first;
		const int size = size_of(table);

		return room.hash[first + size] - room.hash[first] * hash_power(size);
	}

	/* Whether the subtrees of two key roots are equal. */
	__device__ bool
	are_equal(int table, int other_table) const
	{
		const int size = size_of(table);
		const int first = tree.table[table].first;
		const int other_first = tree.table[other_table].first;
		const Entry *nodes = tree.nodes();
		int i = 0;

		if (size_of(other_table) != size || hash_of(table) != hash_of(other_table))
			return false;
		while (i < size && room.label[first + i] == room.label[other_first + i] &&
			   nodes[first + i].size == nodes[other_first + i].size)
			i++;
		return i == size;
	}

	/*
	 * Finds the first one of equal key roots, unless a key root with another subtree has taken
	 * its slot.
	 */
	__device__ void
	find_equal(int round)
	{
		const int slots = room.slots;

		for (int slot = rank; slot < slots; slot += WIDTH)
			room.slot[slot] = tree.tables;
		sync_worker<WIDTH>();
		for (int t = rank; t < tree.tables; t += WIDTH)
			if (room.first[t] == t)
				atomicMin(&room.slot[slot_of(t, round)], t);
		sync_worker<WIDTH>();
		for (int t = rank; t < tree.tables; t += WIDTH)
			if (room.first[t] == t)
			{
				const int first = room.slot[slot_of(t, round)];

				if (first < t && are_equal(t, first))
					room.first[t] = first;
			}
		sync_worker<WIDTH>();
	}

	/* Returns the slot of a key root in a round. */
	__device__ int
	slot_of(int table, int round) const
	{
		const unsigned hash = hash_of(table);

		return (int) ((round == 0 ? hash ^ hash >> 16 : hash * HASH_STEP >> 15) &
					  (unsigned) (room.slots - 1));
	}

	/* Assigns the distinct tables their new numbers and places, by one warp. */
	__device__ void
	number_tables()
	{
		int tables = 0;
		int entries = 0;

		for (int base = 0; base < tree.tables; base += WARP)
		{
			const int t = base + rank;
			const bool kept = t < tree.tables && room.first[t] == t;
			const unsigned all_kept = __ballot_sync(ALL, kept);
			const int number = tables + __popc(all_kept & ((1u << rank) - 1));
			int end = kept ? size_of(t) : 0;

#pragma unroll
			for (int d = 1; d < WARP; d *= 2)
			{
				const int left = __shfl_up_sync(ALL, end, d);

				if (rank >= d)
					end += left;
			}
			end += entries;
			if (kept)
			{
				room.table[number] = {end, tree.table[t].level, tree.table[t].first};
				room.number[t] = number;
			}
			tables += __popc(all_kept);
			entries = __shfl_sync(ALL, end, WARP - 1);
		}
		if (rank == 0)
			*room.tables = tables;
	}

	/* Finds for each node the node at whose place its distances are. */
	__device__ void
	number_nodes()
	{
		for (int e = rank; e < tree.entries; e += WIDTH)
		{
			const Entry entry = unpack(((const uint4 *) tree.entry)[e]);

			if (on_left_path(entry))
				room.node[entry.node] =
					(uint16_t) (tree.table[room.first[entry.table]].first + entry.place);
		}
	}

	/* Writes the entries of distinct tables. */
	__device__ void
	write_entries()
	{
		for (int e = rank; e < tree.entries; e += WIDTH)
		{
			Entry entry = unpack(((const uint4 *) tree.entry)[e]);

			if (room.first[entry.table] == entry.table)
			{
				const int number = room.number[entry.table];

				entry.label = room.label[entry.node];
				entry.node = room.node[entry.node];
				entry.table = (uint16_t) number;
				room.entry[(number == 0 ? 0 : room.table[number - 1].end) + entry.place] = entry;
			}
		}
	}

	/* The results, and the memory to find them with. */
	struct Room
	{
		Entry *entry;
		Table *table;
		int32_t *tables; /* number of distinct tables */
		int32_t *label;  /* label of each node as the kernel sees it */
		uint32_t *hash;  /* hash of the nodes before each node */
		int32_t *first;  /* first key root that is equal to each one */
		int32_t *number; /* number among the distinct key roots */
		int32_t *slot;
		int32_t slots;
		uint16_t *node; /* for each node, the node at whose place its distances are */

		__device__
		Room(const View &tree, char *memory)
			: entry((Entry *) memory), table((Table *) (entry + tree.entries)),
			  tables((int32_t *) (table + tree.tables)), label(tables + 1),
			  hash((uint32_t *) (label + tree.size)), first((int32_t *) (hash + tree.size + 1)),
			  number(first + tree.tables), slot(number + tree.tables),
			  slots(distinct_slots(tree.tables)), node((uint16_t *) (slot + slots))
		{
		}
	};

	const View &tree;
	const View &other;
	const int32_t *labels; /* kinds and numbers of labels, see LabelTable */
	const Room room;
	const int rank;
};

#endif /* TED_DISTINCT_CUH */
