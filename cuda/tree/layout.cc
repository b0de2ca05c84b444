/*
 * layout.cc
 *	  Lays a tree out for the kernels.
 */
#include <algorithm>
#include <deque>
#include <vector>

extern "C"
{
#include "../../src/core/common/hash.h"
}
#include "layout.h"

/* Returns the bytes of a view on the device. */
int64_t
view_bytes(const TedTree &tree)
{
	int64_t bytes = (int64_t) sizeof(Entry) * tree.left_nodes +
					(int64_t) sizeof(Table) * tree.leaves +
					(int64_t) (sizeof(int32_t) * ted_hash_slots(tree.size));

	return (bytes + 15) & ~(int64_t) 15;
}

/* Returns the bytes of a view for strips on the device. */
int64_t
strip_view_bytes(const TedTree &tree)
{
	int64_t bytes =
		(int64_t) (sizeof(StripRow) + sizeof(StripColumn) + sizeof(StripStep)) * tree.size +
		(int64_t) sizeof(StripColumn) * STRIP_MARGIN;

	return (bytes + 15) & ~(int64_t) 15;
}

/* Returns the number of key roots above the key root of each node. */
static std::vector<uint16_t>
key_root_depths(const TedTree &tree)
{
	std::vector<uint16_t> depth(tree.size);
	std::vector<int32_t> open; /* key roots whose subtrees contain the node */

	for (int32_t x = tree.size - 1; x >= 0; x--)
	{
		while (!open.empty() && open.back() - tree.subtree_size[open.back()] >= x)
			open.pop_back();
		if (tree.key_root[x] == x)
		{
			depth[x] = (uint16_t) open.size();
			open.push_back(x);
		}
		else
			depth[x] = depth[tree.key_root[x]];
	}
	return depth;
}

/* A key root and its height in the tree of key roots. */
struct KeyRoot
{
	int32_t root;
	int32_t level;
};

/* Returns the key roots in ascending order of their levels. */
static std::vector<KeyRoot>
key_roots(const TedTree &tree)
{
	std::vector<KeyRoot> all;
	std::vector<KeyRoot> pending; /* key roots that no later key root contains so far */

	for (int32_t x = 0; x < tree.size; x++)
	{
		KeyRoot key_root = {x, 0};

		if (tree.key_root[x] != x)
			continue;
		while (!pending.empty() && pending.back().root > x - tree.subtree_size[x])
		{
			key_root.level = std::max(key_root.level, pending.back().level + 1);
			pending.pop_back();
		}
		pending.push_back(key_root);
		all.push_back(key_root);
	}
	std::stable_sort(all.begin(), all.end(),
					 [](const KeyRoot &a, const KeyRoot &b) { return a.level < b.level; });
	return all;
}

/* Assigns the slots of kept rows to entries. */
class Slots
{
  public:
	explicit Slots(int32_t nodes) : slot(nodes)
	{
	}

	/* Returns the slot of a node at entry number `at`; 0 on the leftmost path, which needs none. */
	uint16_t
	of(const TedTree &tree, int32_t first, int32_t node, int32_t at)
	{
		const int32_t leaf = node - tree.subtree_size[node] + 1;

		if (leaf == first)
			return 0;
		if (node == leaf)
			slot[leaf] = take(at - 1);
		if (tree.key_root[leaf] == node)
			free.push_back({slot[leaf], at});
		return slot[leaf];
	}

	uint16_t taken = 0;

  private:
	/* A free slot, and the last entry that needs it. */
	struct Free
	{
		uint16_t slot;
		int32_t since;
	};

	/* Returns a slot to keep a row in. */
	uint16_t
	take(int32_t row)
	{
		if (free.empty() || free.front().since > row - LAYOUT_LAG)
			return taken++;

		const uint16_t first = free.front().slot;

		free.pop_front();
		return first;
	}

	std::vector<uint16_t> slot; /* slot of the row before each leaf */
	std::deque<Free> free;
};

/* Inserts the labels of a tree into a hash table with this number of slots. */
static void
enter_labels(const TedTree &tree, int32_t *label, uint32_t slots)
{
	std::fill_n(label, slots, NO_LABEL);
	for (int32_t x = 0; x < tree.size; x++)
	{
		uint32_t slot = label_slot(tree.label[x], slots);

		while (label[slot] != NO_LABEL && label[slot] != tree.label[x])
			slot = (slot + 1) & (slots - 1);
		label[slot] = tree.label[x];
	}
}

/* Writes a view to `host`, with pointers that are valid when its bytes are at `device`. */
HostView
view_write(const TedTree &tree, char *host, const char *device)
{
	const int64_t tables_at = (int64_t) sizeof(Entry) * tree.left_nodes;
	const int64_t labels_at = tables_at + (int64_t) sizeof(Table) * tree.leaves;
	const uint32_t label_slots = (uint32_t) ted_hash_slots(tree.size);
	std::vector<uint16_t> depth = key_root_depths(tree);
	std::vector<KeyRoot> all = key_roots(tree);
	Entry *entry = (Entry *) host;
	Table *table = (Table *) (host + tables_at);
	Slots slots(tree.size);

	for (const KeyRoot &key_root : all)
	{
		int32_t first = key_root.root - tree.subtree_size[key_root.root] + 1;

		for (int32_t y = first; y <= key_root.root; y++, entry++)
			*entry = {tree.label[y],
					  (uint16_t) y,
					  (uint16_t) tree.subtree_size[y],
					  (uint16_t) (y - first),
					  depth[y],
					  (uint16_t) (table - (Table *) (host + tables_at)),
					  slots.of(tree, first, y, (int32_t) (entry - (Entry *) host))};
		*table++ = {(int32_t) (entry - (Entry *) host), key_root.level, first};
	}
	table -= all.size();
	enter_labels(tree, (int32_t *) (host + labels_at), label_slots);
	return {{tree.size, (int32_t) tree.left_nodes, tree.leaves, all.back().level, slots.taken,
			 label_slots, (const Entry *) device, (const Table *) (device + tables_at),
			 (const int32_t *) (device + labels_at)},
			std::vector<Table>(table, table + all.size())};
}

/*
 * Writes a view for strips to `host`, with pointers that are valid when its bytes are at
 * `device`.
 */
StripView
strip_view_write(const TedTree &tree, char *host, const char *device)
{
	const std::vector<uint16_t> depth = key_root_depths(tree);
	const StripView written = {(const StripRow *) host, tree.size, 0};
	StripRow *row = (StripRow *) host;
	StripColumn *column = (StripColumn *) written.columns();
	StripStep *step = (StripStep *) written.steps();

	for (int32_t x = 0; x < tree.size; x++)
	{
		const int32_t preorder = x - tree.subtree_size[x] + 1 + tree.depth[x];
		const uint16_t size = (uint16_t) tree.subtree_size[x];

		row[x] = {tree.label[x], size, depth[x]};
		column[x] = {tree.label[x], size, (uint16_t) tree.depth[x]};
		step[tree.size - 1 - preorder] = {(uint16_t) x, size, (uint16_t) tree.depth[x],
										  (uint16_t) (tree.key_root[x] == x)};
	}
	return {(const StripRow *) device, tree.size, *std::max_element(depth.begin(), depth.end())};
}
