/*
 * table_pass.cuh
 *	  Rows of forest tables: the inner loop of exact tree edit distance.
 *
 * A worker, which is a warp or a block, goes down the rows of key roots of a.  Each of its
 * threads has some columns of a group of tables, which are side by side.  A cell is the
 * least of three: the cell above plus a deletion; the cell to the left of the two nodes'
 * subtrees plus the distance of these subtrees; and the cell to the left plus an insertion.
 * The last of these is a prefix minimum along the row: within a thread's columns, by
 * shuffles within a warp, through shared memory within a block.
 *
 * All distances are less the cost of inserting the forest of b, so that an insertion is
 * free: the prefix minimum is one of plain numbers, and the row of the empty forest is 0.
 *
 * The forest to the left of a subtree is a cell of an earlier row.  Of all rows, only those
 * are kept that an unfinished subtree needs.  These are one for each key root whose subtree
 * contains the node, except the key root whose rows are being computed, so the place of a
 * kept row is the depth of its key root.
 *
 * On the leftmost path of its key root, a row needs distances that the same row yields in
 * tables of lower levels.  So it is computed once for each level of the warp's columns.
 *
 * A thread looks up both kinds of rows in as many places as it has columns, and neighbouring
 * threads look up neighbouring places.  So a kept row has the first columns of all threads
 * side by side, then the second ones, and so on, and a row of distances every eighth node.
 */
#ifndef TED_TABLE_PASS_CUH
#define TED_TABLE_PASS_CUH

#include "device.cuh"
#include "device_tables.h"

/* A worker checks for cancellation after this number of rows. */
constexpr int ROWS_PER_CHECK = 256;

/* The costs of operations of a pair, with a specialization for costs that differ by label. */
template <class Cell, bool BY_LABEL> struct Costs;

template <class Cell> struct Costs<Cell, false>
{
	int insert;
	int remove;
	int rename;

	/*
	 * Loads data for the cost of deleting a row's node ahead of the row; and returns the cost
	 * from it.
	 */
	__device__ int
	fetch_removal(int) const
	{
		return 0;
	}
	__device__ int
	removal(int) const
	{
		return remove;
	}

	/* Returns the cell of the empty forest in a row; `before` is that of the row above. */
	__device__ int
	border(const Entry &entry, int, int) const
	{
		return (entry.place + 1) * remove;
	}

	/* Returns the cost of inserting all `size` nodes of b. */
	__device__ int
	insertion(const Job &, int size) const
	{
		return insert * size;
	}
};

template <class Cell> struct Costs<Cell, true>
{
	const int32_t *remove; /* cost of deletion by kind */
	const void *rename;    /* see LabelTable */
	int kinds;
	bool wide; /* costs of mappings have 32 bits */

	__device__ int
	fetch_removal(int label) const
	{
		return remove[kind_of(label)];
	}
	__device__ int
	removal(int fetched) const
	{
		return fetched;
	}

	__device__ int
	border(const Entry &entry, int before, int removal) const
	{
		return (entry.place == 0 ? 0 : before) + removal;
	}

	__device__ int
	insertion(const Job &job, int) const
	{
		return job.inserted;
	}

	/* Returns the place of the costs of mapping a row's label. */
	__device__ unsigned
	row(int label) const
	{
		return (unsigned) kind_of(label) * (unsigned) kinds;
	}

	/* Returns the cost of mapping a row's node to a column's, less that of inserting the latter. */
	__device__ int
	mapping(unsigned row, int label, int column_label) const
	{
		const unsigned place = (label == column_label ? (unsigned) kinds * (unsigned) kinds : row) +
							   (unsigned) kind_of(column_label);

		if (sizeof(Cell) > sizeof(int16_t) && wide)
			return ((const int32_t *) rename)[place];
		return ((const int16_t *) rename)[place];
	}
};

/* The arguments of a pair that is being computed. */
template <class Cell, bool BY_LABEL> struct Problem
{
	const Entry *rows;    /* entries of a */
	const Entry *columns; /* entries of b */
	const Table *tables;  /* tables of b */
	Costs<Cell, BY_LABEL> costs;
	Cell *distance; /* [node of a][stride], at places of nodes of b; less insertions */
	int stride;
	const volatile int *cancel; /* set by the host to stop */
};

/* Threads that compute rows together. */
template <class Cell, int WIDTH> struct Worker
{
	static constexpr int WARPS = WIDTH / WARP;

	int rank;    /* number of the thread in the worker */
	Cell *kept;  /* kept rows, from depth 1 on */
	int *totals; /* [2][WARPS]: the last cells of the warps */
	int *heads;  /* [WARPS]: whether a table begins in the warp's columns */
	int *labels; /* [C][WIDTH]: labels of the threads' columns */
	Cell *row;   /* distances that a row on a leftmost path yields, at places of b */

	/* Waits for all threads of the worker, whose writes are then visible. */
	__device__ void
	sync() const
	{
		sync_worker<WIDTH>();
	}

	/* Waits for all threads, and returns whether any thread passes true. */
	__device__ bool
	sync_any(bool said) const
	{
		if constexpr (WIDTH == WARP)
		{
			__syncwarp();
			return __any_sync(~0u, said);
		}
		else
			return __syncthreads_or(said);
	}
};

/* Number of a thread's cells that are side by side in a kept row, as a word. */
template <class Cell, int C>
constexpr int KEPT_AT_ONCE = C * sizeof(Cell) % 4 == 0 ? 4 / sizeof(Cell) : 1;

/* Returns the place of a column in a kept row, where those of all threads are side by side. */
template <class Cell, int WIDTH, int C>
static __device__ constexpr int
kept_place(int column)
{
	constexpr int AT_ONCE = KEPT_AT_ONCE<Cell, C>;
	const int c = column % C;

	return (c - c % AT_ONCE) * WIDTH + column / C * AT_ONCE + c % AT_ONCE;
}

/* Writes a thread's cells to a kept row. */
template <class Cell, int WIDTH, int C>
static __device__ void
keep_cells(Cell *kept, int rank, const int (&cell)[C])
{
	constexpr int AT_ONCE = KEPT_AT_ONCE<Cell, C>;
	struct alignas(AT_ONCE * sizeof(Cell)) Cells
	{
		Cell cell[AT_ONCE];
	};

#pragma unroll
	for (int c = 0; c < C; c += AT_ONCE)
	{
		Cells cells;

#pragma unroll
		for (int i = 0; i < AT_ONCE; i++)
			cells.cell[i] = (Cell) cell[c + i];
		*(Cells *) (kept + kept_place<Cell, WIDTH, C>(rank * C + c)) = cells;
	}
}

/* A worker's columns, C for each thread: their constant data, and the last row. */
template <class Cell, bool BY_LABEL, int WIDTH, int C> struct Columns
{
	static constexpr int KEPT_STRIDE = kept_row_cells(WIDTH * C);
	static_assert(KEPT_STRIDE * sizeof(Cell) <= 1 << 16, "a place takes 16 bits");

	const Worker<Cell, WIDTH> &worker;
	const Problem<Cell, BY_LABEL> &p;
	const int lane;
	const int warp;
	unsigned place[C]; /* offsets in kept rows and in rows of distances: source(), node() */
	unsigned starts;   /* bits of the columns that begin a table */
	unsigned paths;    /* bits of the nodes on the leftmost path of their table's key root */
	unsigned yielded;  /* bits of other nodes on the leftmost path of another table here */
	unsigned opens;    /* bits of the columns before the first start */
	int head;          /* first lane whose cells the thread's last one depends on */
	int head_warp;     /* first warp whose cells the warp's first column depends on */
	bool open;         /* no table begins left of the thread in the warp */
	int first_level;   /* lowest level of the warp's tables, less that of the group */
	int last_level;    /* greatest level of the warp's tables, less that of the group */
	int above[C];      /* cells of the last row */
	int left;          /* the last row's cell left of the thread's */
	int parity;

	/* Reads the columns of a group. */
	__device__
	Columns(const Worker<Cell, WIDTH> &worker, const Problem<Cell, BY_LABEL> &p, const Span &group)
		: worker(worker), p(p), lane(worker.rank % WARP), warp(worker.rank / WARP), starts(0),
		  paths(0), yielded(0), head_warp(0), first_level(group.levels), last_level(0), left(0),
		  parity(0)
	{
		const int base = worker.rank * C;
		const int width = group.end - group.begin;

#pragma unroll
		for (int c = 0; c < C; c++)
		{
			place[c] = WIDTH * C * sizeof(Cell); /* the empty forest */
			above[c] = 0;
			if (base + c < width)
			{
				const Entry entry = p.columns[group.begin + base + c];

				worker.labels[c * WIDTH + worker.rank] = entry.label;
				if (!on_left_path(entry))
					place[c] = kept_place<Cell, WIDTH, C>(base + c - entry.size) * sizeof(Cell);
				place[c] |= (unsigned) (distance_place(entry.node, p.stride) * sizeof(Cell)) << 16;
				paths |= (unsigned) on_left_path(entry) << c;
				starts |= (unsigned) (entry.place == 0) << c;
				last_level = p.tables[entry.table].level - group.level;
				first_level = min(first_level, last_level);
			}
			else
				starts |= 1u << c;
		}
		find_yielded(width - base);
		last_level = __reduce_max_sync(ALL, last_level);
		first_level = min((int) __reduce_min_sync(ALL, first_level), last_level);
		opens = (starts & -starts) - 1;

		const unsigned heads = __ballot_sync(ALL, starts != 0);
		const unsigned up_to_lane = ALL >> (WARP - 1 - lane);

		head = heads & up_to_lane ? 31 - __clz(heads & up_to_lane) : 0;
		open = (heads & (up_to_lane >> 1)) == 0;
		if constexpr (WIDTH > WARP)
		{
			worker.sync(); /* the heads of the last group are not needed any more */
			if (lane == 0)
				worker.heads[warp] = heads != 0;
			worker.sync();
			for (int w = 0; w < warp; w++)
				if (worker.heads[w])
					head_warp = w;
		}
	}

	/* Returns the offset in a kept row of the forest left of a column's subtree, in bytes. */
	__device__ unsigned
	source(int c) const
	{
		return place[c] & 0xffff;
	}

	/* Returns the offset in a row of distances of a column's node, in bytes. */
	__device__ unsigned
	node(int c) const
	{
		return place[c] >> 16;
	}

	/*
	 * Finds the nodes among the first `count` columns whose distances the rows of this group
	 * yield.
	 */
	__device__ void
	find_yielded(int count)
	{
		for (const bool mark : {false, true})
		{
			worker.sync(); /* no thread reads the row any more, or all have cleared it */
#pragma unroll
			for (int c = 0; c < C; c++)
				if (c < count && (!mark || paths >> c & 1))
					cell_at<Cell>(worker.row, node(c)) = mark;
		}
		worker.sync();
#pragma unroll
		for (int c = 0; c < C; c++)
			if (c < count && !(paths >> c & 1))
				yielded |= (unsigned) cell_at<Cell>(worker.row, node(c)) << c;
	}

	/*
	 * Fetches the distances between the subtree of a row's node and those of the columns.  If
	 * both are on a leftmost path, the distance is not known yet, and costs by label are
	 * fetched in its place.
	 */
	__device__ void
	fetch(const Entry &entry, int (&subtree)[C]) const
	{
		const Cell *distances = p.distance + (size_t) entry.node * p.stride;

		if constexpr (BY_LABEL)
			if (on_left_path(entry))
			{
				const unsigned renames = p.costs.row(entry.label);

#pragma unroll
				for (int c = 0; c < C; c++)
					subtree[c] = paths >> c & 1
									 ? p.costs.mapping(renames, entry.label,
													   worker.labels[c * WIDTH + worker.rank])
									 : cell_at<Cell>(distances, node(c));
				return;
			}
#pragma unroll
		for (int c = 0; c < C; c++)
			subtree[c] = cell_at<Cell>(distances, node(c));
	}

	/*
	 * Completes cells by those above, then by those to the left: a prefix minimum over the
	 * thread's cells, over the last cells of threads, and over those of warps.  If `changes` is
	 * false, the cells stay as they are, and `least` is that of the last call.
	 */
	__device__ void
	complete(int (&cell)[C], int border, int fetched, bool changes, int &least, int &new_left)
	{
		if (changes)
		{
#pragma unroll
			for (int c = 0; c < C; c++)
			{
				cell[c] = min(cell[c], above[c] + p.costs.removal(fetched));
				if (starts >> c & 1)
					cell[c] = min(cell[c], border);
				else if (c > 0)
					cell[c] = min(cell[c], cell[c > 0 ? c - 1 : 0]);
			}
			least = cell[C - 1];
#pragma unroll
			for (int d = 1; d < WARP; d *= 2)
				least = min(least, shuffle_up(least, d, head));
			new_left = __shfl_up_sync(ALL, least, 1);
		}
		if constexpr (WIDTH == WARP)
			worker.sync(); /* all threads have read the memory that is written next */
		else
		{
			int *totals = worker.totals + (parity ^= 1) * worker.WARPS;
			int before = FAR;

			if (lane == WARP - 1)
				totals[warp] = least;
			worker.sync();
			if (changes)
			{
				if (lane >= head_warp && lane < warp)
					before = totals[lane];
				before = __reduce_min_sync(ALL, before);
				if (lane == 0)
					new_left = before;
				else if (open)
					new_left = min(new_left, before);
			}
		}
		if (changes)
		{
#pragma unroll
			for (int c = 0; c < C; c++)
				if (opens >> c & 1)
					cell[c] = min(cell[c], new_left);
		}
	}

	/* Computes the row of a node that is not on its key root's leftmost path. */
	__device__ void
	forest_row(const Entry &entry, int border, int fetched, const int (&subtree)[C])
	{
		const Cell *beside = worker.kept + (entry.depth - 1) * KEPT_STRIDE;
		int cell[C];
		int least;
		int new_left;

#pragma unroll
		for (int c = 0; c < C; c++)
			cell[c] = cell_at<Cell>(beside, source(c)) + subtree[c];
		complete(cell, border, fetched, true, least, new_left);
#pragma unroll
		for (int c = 0; c < C; c++)
			above[c] = cell[c];
		left = new_left;
	}

	/* Returns the cost of mapping a row's node to a column's, less that of inserting the latter. */
	__device__ int
	mapping(int c, int label, int fetched) const
	{
		if constexpr (BY_LABEL)
			return fetched;
		else
		{
			const bool equal = worker.labels[c * WIDTH + worker.rank] == label;

			return (equal ? 0 : p.costs.rename) - p.costs.insert;
		}
	}

	/*
	 * Computes the row of a node that is on its key root's leftmost path, which yields
	 * distances of the node's subtree.  The row is computed once for each level of the warp's
	 * columns, since `subtree` is valid only where lower levels yield no distance.
	 */
	__device__ void
	path_row(const Entry &entry, int border, int fetched, int levels, int (&subtree)[C])
	{
		Cell *distances = p.distance + (size_t) entry.node * p.stride;
		int cell[C];
		int least = 0;
		int new_left = 0;

		for (int level = 0; level < levels; level++)
		{
			const bool changes = level >= first_level && level <= last_level;

			if (changes)
			{
#pragma unroll
				for (int c = 0; c < C; c++)
				{
					cell[c] = subtree[c];
					if (paths >> c & 1)
					{
						const int corner = starts >> c & 1 ? border - p.costs.removal(fetched)
										   : c > 0         ? above[c > 0 ? c - 1 : 0]
														   : left;

						cell[c] = corner + mapping(c, entry.label, subtree[c]);
					}
				}
			}
			complete(cell, border, fetched, changes, least, new_left);
			if (changes)
			{
#pragma unroll
				for (int c = 0; c < C; c++)
					if (paths >> c & 1)
						cell_at<Cell>(distances, node(c)) = cell_at<Cell>(worker.row, node(c)) =
							(Cell) cell[c];
			}
			if (level + 1 < levels)
			{
				worker.sync();
				if (level < last_level)
#pragma unroll
					for (int c = 0; c < C; c++)
						if (yielded >> c & 1)
							subtree[c] = cell_at<Cell>(worker.row, node(c));
			}
		}
#pragma unroll
		for (int c = 0; c < C; c++)
			above[c] = cell[c];
		left = new_left;
	}

	/* Begins the rows of a key root. */
	__device__ void
	begin()
	{
#pragma unroll
		for (int c = 0; c < C; c++)
			above[c] = 0;
		left = 0;
	}

	/* Computes the next row, which may be the first one of a key root. */
	__device__ __forceinline__ void
	row(const Entry &entry, int border, int fetched, int levels, int (&subtree)[C])
	{
		if (entry.place == 0)
			begin();
		if (on_left_path(entry))
			path_row(entry, border, fetched, levels, subtree);
		else
			forest_row(entry, border, fetched, subtree);
	}

	/* Keeps the last row for a key root of this depth. */
	__device__ void
	keep(int depth, int border)
	{
		Cell *kept = worker.kept + (depth - 1) * KEPT_STRIDE;

		keep_cells<Cell, WIDTH, C>(kept, worker.rank, above);
		if (worker.rank == 0)
			kept[WIDTH * C] = (Cell) border;
	}
};

/* The data fetched for a row. */
template <int C> struct Fetched
{
	uint4 entry; /* packed as in memory: unpacking would wait for it */
	int subtree[C];
};

/*
 * Fills all rows of a in a group of tables of b that has no more than C columns for each
 * thread.  Returns false if the work is stopped.
 */
template <class Cell, bool BY_LABEL, int WIDTH, int C>
static __device__ __forceinline__ bool
fill_rows(const Worker<Cell, WIDTH> &worker, const Problem<Cell, BY_LABEL> &p, int end_row,
		  const Span &group)
{
	Columns<Cell, BY_LABEL, WIDTH, C> columns(worker, p, group);
	Fetched<C> fetched[2];
	int removal[2];
	int until_check = ROWS_PER_CHECK;
	int row = 0;
	int border = 0; /* the cell of the empty forest */
	const uint4 *packed = (const uint4 *) p.rows;

	fetched[0].entry = packed[0];
	fetched[1].entry = packed[min(1, end_row - 1)];
	columns.fetch(unpack(fetched[0].entry), fetched[0].subtree);
	removal[0] = p.costs.fetch_removal(unpack(fetched[0].entry).label);

	/* two rows a turn, so that fetched data need not be moved */
	for (;;)
	{
#pragma unroll
		for (int turn = 0; turn < 2; turn++)
		{
			Fetched<C> &now = fetched[turn];
			Fetched<C> &next = fetched[1 - turn];
			const Entry entry = unpack(now.entry);
			const Entry next_entry = unpack(next.entry);
			const bool more = row + 1 < end_row;
			const bool last_row = !more || next_entry.place == 0; /* last row of its key root */

			border = p.costs.border(entry, border, removal[turn]);

			/* hide that these never change: values derived from them would take registers */
			asm volatile("" : "+r"(columns.starts), "+r"(columns.paths), "+r"(columns.opens));
#pragma unroll
			for (int c = 0; c < C; c++)
				asm volatile("" : "+r"(columns.place[c]));

			if (more)
			{
				now.entry = packed[min(row + 2, end_row - 1)];
				columns.fetch(next_entry, next.subtree);
				removal[1 - turn] = p.costs.fetch_removal(next_entry.label);
			}
			if (--until_check == 0)
			{
				until_check = ROWS_PER_CHECK;
				if (worker.sync_any(worker.rank == 0 && *p.cancel))
					return false;
			}

			columns.row(entry, border, removal[turn], group.levels, now.subtree);

			/* a subtree that begins after this row needs the row */
			const bool keeps = !last_row && next_entry.size == 1;

			if (keeps)
				columns.keep(next_entry.depth, border);
			if (keeps || last_row)
				worker.sync();
			if (!more)
				return true;
			row++;
		}
	}
}

/*
 * Fills all rows in a group with no more than MOST columns for each thread, by a kernel with
 * the fewest columns that suffice.
 */
template <class Cell, bool BY_LABEL, int WIDTH, int MOST>
static __device__ __forceinline__ bool
fill_group(const Worker<Cell, WIDTH> &worker, const Problem<Cell, BY_LABEL> &p, int end_row,
		   const Span &group)
{
	if constexpr (MOST > 1)
		if (group.end - group.begin <= fewer_columns(MOST) * WIDTH)
			return fill_group<Cell, BY_LABEL, WIDTH, fewer_columns(MOST)>(worker, p, end_row,
																		  group);
	return fill_rows<Cell, BY_LABEL, WIDTH, MOST>(worker, p, end_row, group);
}

#endif /* TED_TABLE_PASS_CUH */
