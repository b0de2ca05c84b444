/*
 * layout.h
 *	  Trees as the kernels read them.
 *
 * A pair is computed by rows and columns.  A row is a node of a within the subtree of a key
 * root, a column a node of b within the subtree of a key root, so that the cells are those
 * of all forest tables of Zhang and Shasha (SICOMP 1989).  The tables of one key root of a
 * with all key roots of b have the same rows and are filled side by side, as one wide table.
 */
#ifndef TED_LAYOUT_H
#define TED_LAYOUT_H

#include <cstdint>
#include <vector>

#include "../../src/core/tree/ted.h"

/* The most nodes of a tree in the module: node numbers take 16 bits. */
constexpr int32_t MAX_NODES = 65535;

#ifdef __CUDACC__
#define LAYOUT_INLINE __host__ __device__
#else
#define LAYOUT_INLINE
#endif

/*
 * The row before a leaf is kept for the nodes whose leftmost leaf it is; the last of these is
 * the leaf's key root.  If several warps go down the rows, the last warp may be this number of
 * rows behind the first, so a slot is used again only after that.
 */
constexpr int LAYOUT_LAG = 12;

/* A node within the subtree of a key root: a row where the tree is a, a column where it is b. */
struct alignas(16) Entry
{
	int32_t label;
	uint16_t node;
	uint16_t size;  /* of its subtree */
	uint16_t place; /* nodes of the key root's subtree before it */
	uint16_t depth; /* key roots above its own one */
	uint16_t table; /* table of the key root */
	uint16_t slot;  /* slot of the row before the leftmost leaf, see LAYOUT_LAG */
};

/* Whether a node is on the leftmost path of the key root. */
static inline LAYOUT_INLINE bool
on_left_path(const Entry &entry)
{
	return entry.place + 1 == entry.size;
}

/* A key root: consecutive entries, which are columns of its forest tables. */
struct Table
{
	int32_t end;   /* end of its entries */
	int32_t level; /* its height in the tree of key roots */
	int32_t first; /* node of its first entry */
};

/*
 * Returns the first slot to search for a label in a hash table with this number of slots, a
 * power of two.
 */
static inline LAYOUT_INLINE uint32_t
label_slot(int32_t label, uint32_t slots)
{
	const uint32_t mixed = (uint32_t) label * 0x9E3779B9u;

	return (mixed ^ mixed >> 16) & (slots - 1);
}

/* Marks an empty slot. */
constexpr int32_t NO_LABEL = -1;

/*
 * A tree, or its mirror image, on the device.  Key roots are in ascending order of their
 * levels, since tables need only those of lower levels (X-TED, PVLDB 17(7), 2024, section 4).
 */
struct View
{
	int32_t size;
	int32_t entries; /* total size of the key roots' subtrees */
	int32_t tables;  /* number of key roots */
	int32_t height;  /* the greatest level */
	int32_t slots;   /* number of slots for kept rows, see LAYOUT_LAG */
	uint32_t label_slots;
	const Entry *entry;
	const Table *table;
	const int32_t *label; /* a hash table of all labels */

	/* Returns the nodes in postorder: the entries of the root, whose table is the last one. */
	LAYOUT_INLINE const Entry *
	nodes() const
	{
		return entry + entries - size;
	}
};

/* The host's copy of a view. */
struct HostView
{
	View view; /* its pointers are addresses of the device */
	std::vector<Table> tables;
};

/* A node as a row of forest tables, in postorder. */
struct StripRow
{
	int32_t label;
	uint16_t size;  /* of its subtree */
	uint16_t depth; /* key roots above its own one */
};

/* A node as a column, in postorder. */
struct StripColumn
{
	int32_t label;
	uint16_t size;
	uint16_t depth; /* edges to the root */
};

/*
 * A node on its leftmost path.  Paths are in descending order of their leaves, each from its
 * leaf up to its key root, which is the reverse of preorder.
 */
struct StripStep
{
	uint16_t node;
	uint16_t size;
	uint16_t depth; /* edges to the root */
	uint16_t last;  /* whether the node is the key root */
};

/* Readable columns behind those of a tree. */
constexpr int32_t STRIP_MARGIN = 32;

/* A tree, or its mirror image, on the device: `size` rows, columns and steps, and a margin. */
struct alignas(16) StripView
{
	const StripRow *rows;
	int32_t size;
	int32_t height; /* the greatest depth of a row */

	LAYOUT_INLINE const StripColumn *
	columns() const
	{
		return (const StripColumn *) (rows + size);
	}
	LAYOUT_INLINE const StripStep *
	steps() const
	{
		return (const StripStep *) (columns() + size);
	}
};

/* Returns the bytes of a view on the device. */
int64_t view_bytes(const TedTree &tree);
int64_t strip_view_bytes(const TedTree &tree);

/*
 * Writes a view to `host`, with pointers that are valid when its bytes are at `device`; both
 * are aligned to 16 bytes.  The tree has no more than MAX_NODES nodes.
 */
HostView view_write(const TedTree &tree, char *host, const char *device);
StripView strip_view_write(const TedTree &tree, char *host, const char *device);

#endif /* TED_LAYOUT_H */
