/*
 * block_pipeline.cuh
 *	  Rows of forest tables that warps hand on to one another.
 *
 * The time of a single pair is that of the rows of the root, since each row must wait for
 * the row above.  So this file makes the time of a row short.  The warps of a block have
 * columns side by side, and each warp hands the last cell of its row on to the next warp:
 * while that warp completes the row, the first one has begun the next row, and no warp waits
 * for all others.  The cells are those of table_pass.cuh.  Where a table begins, the column of
 * the empty forest stands before it and needs no rule of its own.
 *
 * Within a table, a row never rises from left to right.  So the prefix minimum of its cells
 * is the lesser one of two numbers: the cell above plus a deletion, and the prefix minimum
 * of the sums that end with a subtree's distance.  The latter does not wait for the row
 * above, only for the row before the node's leftmost leaf.  So a row and that of an inner
 * node after it, which both need rows from before the first of them, are computed together
 * if a lane has few columns.
 *
 * The forest to the left of a subtree is a cell of an earlier row, which is kept until the
 * subtree is finished and the last warp has passed it: see Entry::slot.  Distances between
 * subtrees are fetched some rows ahead, as soon as other blocks have announced them.
 */
#ifndef TED_BLOCK_PIPELINE_CUH
#define TED_BLOCK_PIPELINE_CUH

#include <type_traits>

#include <cuda_pipeline.h>

#include "block_exchange.cuh"

/* Cells behind those of a kept row: the empty forest, and a number greater than all cells. */
constexpr int KEPT_BESIDE = 8;

/*
 * The kept rows of a block.  A row has the first columns of all threads side by side, then
 * their second ones, and so on.
 */
template <class Cell, int THREADS, int C> struct KeptRows
{
	static constexpr int STRIDE = THREADS * C + KEPT_BESIDE;
	static constexpr int EMPTY = THREADS * C;  /* place of the empty forest */
	static constexpr int GREATEST = EMPTY + 1; /* place of a number greater than all cells */
	static constexpr int GREATEST_CELL = sizeof(Cell) == 2 ? INT16_MAX : FAR;

	Cell *cells;

	/* Returns the place of a column in a row. */
	static __device__ int
	place_of(int column)
	{
		return column % C * THREADS + column / C;
	}

	/* Returns a row. */
	__device__ Cell *
	row(int slot) const
	{
		return cells + slot * STRIDE;
	}

	/* Keeps a row, of which each thread has some cells, and the cell of the empty forest. */
	__device__ void
	keep(int slot, int rank, const int (&cell)[C], int empty) const
	{
		Cell *to = row(slot);

#pragma unroll
		for (int c = 0; c < C; c++)
			to[c * THREADS + rank] = (Cell) cell[c];
		if (rank == 0)
			to[EMPTY] = (Cell) empty;
	}
};

/* Returns the least of a lane's cells. */
template <int C>
static __device__ int
least_of(const int (&cell)[C])
{
	int part[C];

#pragma unroll
	for (int c = 0; c < C; c++)
		part[c] = cell[c];
#pragma unroll
	for (int d = 1; d < C; d *= 2)
#pragma unroll
		for (int c = 0; c + d < C; c += 2 * d)
			part[c] = min(part[c], part[c + d]);
	return part[0];
}

/* The columns of a lane in a group, which do not change along the rows. */
template <class Cell, int WARPS, int C> struct LaneColumns
{
	using Kept = KeptRows<Cell, WARPS * WARP, C>;
	static constexpr bool HOLDS_LABELS = C <= 16; /* there are enough registers for labels */

	unsigned source[C]; /* offset in a kept row of the forest left of the subtree, in bytes */
	int label[HOLDS_LABELS ? C : 1];
	const Entry *entries; /* entries of the columns */
	char *distances;      /* the columns' distances of node 0 of a */
	unsigned row_bytes;   /* bytes from the distances of a node to those of the next one */
	unsigned nodes;       /* bits of the columns that are nodes */
	unsigned paths;       /* bits of the columns on the leftmost path of their table */
	int head_lane;        /* first lane of the lane's table, or of the warp */
	int least_left;       /* FAR if no cell is taken from the lane to the left */
	int least_carry;      /* FAR if no cell is taken from the warp to the left */

	/* Reads the columns. */
	__device__
	LaneColumns(const SharedProblem<Cell> &p, const Thread &thread, const Group &group,
				const Lane *lanes)
		: nodes(0), paths(0)
	{
		const bool used = thread.rank < group.lanes;
		const Lane mine = used ? lanes[group.first_lane + thread.rank] : Lane{0, 0, 0, 0, 1};

		entries = p.columns + mine.entry;
		distances = (char *) (p.distance + mine.chunk * C);
		row_bytes = (unsigned) p.stride * (unsigned) sizeof(Cell);
#pragma unroll
		for (int c = 0; c < C; c++)
		{
			source[c] = Kept::GREATEST * sizeof(Cell); /* the column is no node */
			label[HOLDS_LABELS ? c : 0] = 0;
			if (c >= mine.begin && c < mine.end)
			{
				const Entry entry = unpack(((const uint4 *) entries)[c]);
				const int left = thread.rank * C + c - entry.size;

				nodes |= 1u << c;
				paths |= (unsigned) on_left_path(entry) << c;
				if constexpr (HOLDS_LABELS)
					label[c] = entry.label;
				source[c] =
					(on_left_path(entry) ? Kept::EMPTY : Kept::place_of(left)) * sizeof(Cell);
			}
		}

		const unsigned heads = __ballot_sync(ALL, mine.head) & (ALL >> (WARP - 1 - thread.lane));

		head_lane = heads == 0 ? 0 : 31 - __clz(heads);
		least_left = mine.head || thread.lane == 0 ? FAR : INT_MIN;
		least_carry = heads != 0 || thread.warp == 0 ? FAR : INT_MIN;
	}

	/* Returns the label of a column. */
	__device__ int
	label_of(int c) const
	{
		if constexpr (HOLDS_LABELS)
			return label[c];
		else
			return entries[c].label;
	}

	/* Returns the columns' distances of a node of a. */
	__device__ char *
	distances_of(unsigned node) const
	{
		return distances + (uint64_t) node * row_bytes;
	}

	/*
	 * Computes the prefix minimum of the cells of rows within each lane, and returns in `left`
	 * the least cells of the lanes to the left in the warp.
	 */
	template <int ROWS>
	__device__ void
	prefix_minimum(int (&cell)[ROWS][C], int (&left)[ROWS]) const
	{
#pragma unroll
		for (int r = 0; r < ROWS; r++)
			left[r] = least_of(cell[r]);
#pragma unroll
		for (int d = 1; d < WARP; d *= 2)
#pragma unroll
			for (int r = 0; r < ROWS; r++)
				left[r] = min(left[r], shuffle_up(left[r], d, head_lane));
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			left[r] = max(shuffle_up(left[r], 1, 0), least_left);
#pragma unroll
			for (int c = 1; c < C; c++)
				cell[r][c] = min(cell[r][c], cell[r][c - 1]);
		}
	}
};

/* Shared memory for the rows that warps fetch. */
template <class Cell, int WARPS, int C> struct RowBuffers
{
	static constexpr unsigned BATCH = C <= 8 ? 32 / C : 2; /* rows fetched at once */
	static constexpr unsigned FETCHED = 2 * BATCH;         /* these, and those of the last batch */
	static constexpr int BYTES = C * (int) sizeof(Cell);   /* bytes of a lane's distances */
	using Word = std::conditional_t<BYTES % 16 == 0, uint4, uint2>;
	static constexpr int WORDS = BYTES / (int) sizeof(Word);
	static constexpr unsigned ENTRIES = 2 * WARP; /* entries of a warp */

	Word distances[FETCHED][WORDS][WARPS * WARP];
	uint4 entries[WARPS][ENTRIES];
};

/*
 * Starts to copy some bytes to shared memory if they are wanted; an `if` would be compiled to a
 * jump.
 */
template <int BYTES>
static __device__ void
fetch_piece(void *to, const void *from, bool wanted)
{
	if constexpr (BYTES == 16)
		asm volatile("{\n\t"
					 ".reg .pred wanted;\n\t"
					 "setp.ne.b32 wanted, %2, 0;\n\t"
					 "@wanted cp.async.cg.shared.global [%0], [%1], 16;\n\t"
					 "}"
					 :
					 : "r"(shared_address(to)), "l"(from), "r"((int) wanted)
					 : "memory");
	else
		asm volatile("{\n\t"
					 ".reg .pred wanted;\n\t"
					 "setp.ne.b32 wanted, %2, 0;\n\t"
					 "@wanted cp.async.ca.shared.global [%0], [%1], %3;\n\t"
					 "}"
					 :
					 : "r"(shared_address(to)), "l"(from), "r"((int) wanted), "n"(BYTES)
					 : "memory");
}

/* The rows of a that a warp fetches ahead: their entries, and each lane's distances. */
template <class Cell, int WARPS, int C> struct FetchedRows
{
	using Buffers = RowBuffers<Cell, WARPS, C>;
	using Word = typename Buffers::Word;
	static constexpr int BATCH = (int) Buffers::BATCH;

	Buffers &buffers;
	const BlockExchange<WARPS> &exchange;
	const SharedProblem<Cell> &p;
	const Thread &thread;
	const LaneColumns<Cell, WARPS, C> &columns;
	int end;         /* end of the rows */
	int entries_end; /* entries before this row have been fetched or are on their way */
	int fetched;     /* distances before this row have been fetched or are on their way */
	int fetchable;   /* last value seen of exchange.fetchable */

	/* Starts to fetch the next entries, one for each lane. */
	__device__ void
	fetch_entries()
	{
		const int row = entries_end + thread.lane;

		/* the sum of two offsets, `row`, would make the compiler spill more registers */
		if (row < end)
			__pipeline_memcpy_async(
				&buffers.entries[thread.warp][(unsigned) row % Buffers::ENTRIES],
				(const uint4 *) p.rows + entries_end + thread.lane, sizeof(uint4));
		entries_end += WARP;
	}

	/*
	 * Returns the end of the rows whose distances may be fetched next; those from `used` on
	 * are still needed.
	 */
	__device__ int
	fetch_end(int used)
	{
		const int next_end = min(min(fetched + BATCH, used + (int) Buffers::FETCHED), end);

		if (fetchable < next_end) /* lanes may see different values */
			fetchable = __reduce_min_sync(ALL, (int) load_shared(&exchange.fetchable));
		return min(next_end, fetchable);
	}

	/* Starts to fetch the next distances, of no more rows than a batch. */
	__device__ void
	fetch_distances(int next_end)
	{
		unsigned node[BATCH];

#pragma unroll
		for (int i = 0; i < BATCH; i++)
			node[i] = unpack(entry_of(fetched + i)).node;
#pragma unroll
		for (int i = 0; i < BATCH; i++)
		{
			const char *from = columns.distances_of(node[i]);
			const unsigned row = (unsigned) (fetched + i);

#pragma unroll
			for (int w = 0; w < Buffers::WORDS; w++)
				fetch_piece<sizeof(Word)>(
					&buffers.distances[row % Buffers::FETCHED][w][thread.rank],
					from + w * sizeof(Word), fetched + i < next_end);
		}
		__pipeline_commit();
		fetched = next_end;
	}

	/* Fetches the first entries. */
	__device__ void
	begin(int row, int end_row)
	{
		end = end_row;
		entries_end = fetched = row;
		fetchable = 0;
		fetch_entries();
		fetch_entries();
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncwarp();
	}

	/*
	 * Waits for the rows that are on their way, and starts to fetch the next ones if there is
	 * room; those from `used` on are still needed.  Returns the end of the rows that have come.
	 */
	__device__ int
	fetch_next(int used)
	{
		const int there = fetched;
		const int next_end = fetch_end(used);

		__pipeline_wait_prior(0);
		__syncwarp();
		if (next_end > fetched)
		{
			if (entries_end <= used + WARP)
				fetch_entries();
			fetch_distances(next_end);
		}
		return there;
	}

	/* Returns the entry of a row that has been fetched. */
	__device__ const uint4 &
	entry_of(int row) const
	{
		return buffers.entries[thread.warp][(unsigned) row % Buffers::ENTRIES];
	}

	/* Reads the distances of a row, which have been fetched. */
	__device__ void
	take_distances(int row, int (&subtree)[C]) const
	{
#pragma unroll
		for (int w = 0; w < Buffers::WORDS; w++)
		{
			constexpr int PARTS = sizeof(Word) / 4;
			const Word word = buffers.distances[(unsigned) row % Buffers::FETCHED][w][thread.rank];
			const int *part = (const int *) &word;

#pragma unroll
			for (int i = 0; i < PARTS; i++)
				if constexpr (sizeof(Cell) == 2)
				{
					subtree[2 * (PARTS * w + i)] = (int16_t) part[i];
					subtree[2 * (PARTS * w + i) + 1] = part[i] >> 16;
				}
				else
					subtree[PARTS * w + i] = part[i];
		}
	}
};

/* The part of a row's entry that a warp reads ahead. */
struct Step
{
	int size;
	int place;
	int slot;

	__device__ explicit Step(const uint4 &packed)
		: size((int) (packed.y >> 16)), place((int) (packed.z & 0xffff)),
		  slot((int) (packed.w >> 16))
	{
	}
	__device__ bool
	on_path() const
	{
		return place + 1 == size;
	}
	/* Whether the row before is kept for this row and others. */
	__device__ bool
	begins() const
	{
		return size == 1 && place > 0;
	}
};

/* Shared memory of a block, apart from kept rows. */
template <class Cell, int WARPS, int C> struct BlockMemory
{
	RowBuffers<Cell, WARPS, C> buffers;
	BlockExchange<WARPS> exchange;
};

/*
 * A warp that computes rows of a in its columns of a group, C for each lane.  The parts that
 * refer to one another are variables of their own: with a pointer to itself in it, a struct
 * would not be kept in registers.
 */
template <class Cell, int WARPS, int C> struct Consumer
{
	static constexpr bool PAIRS_ROWS = C <= 16; /* there are enough registers for two rows */

	const SharedProblem<Cell> &p;
	const KeptRows<Cell, WARPS * WARP, C> &kept;
	Thread &thread;
	LaneColumns<Cell, WARPS, C> &columns;
	FetchedRows<Cell, WARPS, C> &rows;
	WarpLink<WARPS> &link;
	int remove;
	int above[C]; /* cells of the last row */
	int handed;   /* the last row's cell left of the warp */

	/* Whether the thread is the one that reports complete rows. */
	__device__ bool
	is_last() const
	{
		return link.last && thread.lane == 0;
	}

	/*
	 * Computes the cells of a row of a node on a leftmost path, before their prefix minimum.  A
	 * cell on a leftmost path is the distance of two subtrees.
	 */
	__device__ void
	map_path(int row, const Entry &entry, int (&cell)[C]) const
	{
		int subtree[C];
		int left = shuffle_up(above[C - 1], 1, 0);

		if (thread.lane == 0)
			left = handed;
		rows.take_distances(row, subtree);
#pragma unroll
		for (int c = 0; c < C; c++)
		{
			cell[c] = columns.nodes >> c & 1 ? subtree[c] : FAR;
			if (columns.paths >> c & 1)
				cell[c] = (c > 0 ? above[c > 0 ? c - 1 : 0] : left) +
						  (columns.label_of(c) == entry.label ? 0 : p.rename) - p.insert;
		}
	}

	/* Computes the cells of any other row, before their prefix minimum. */
	__device__ void
	map_forest(int row, int slot, int (&cell)[C]) const
	{
		const Cell *beside = kept.row(slot);
		int subtree[C];

		rows.take_distances(row, subtree);
#pragma unroll
		for (int c = 0; c < C; c++)
			cell[c] = cell_at<Cell>(beside, columns.source[c]) + subtree[c];
	}

	/* Writes the distances of a row on a leftmost path. */
	__device__ void
	write_distances(const Entry &entry) const
	{
		Cell *to = (Cell *) columns.distances_of(entry.node);

#pragma unroll
		for (int c = 0; c < C; c++)
			if (columns.paths >> c & 1)
				to[c] = (Cell) above[c];
	}

	/*
	 * Completes rows, of which `last` is the last one, by the cells above and those to the
	 * left.  Keeps the last row for the next one if `keeps` is set, and hands all rows on.  By
	 * then all lanes have read the kept rows that these needed, since prefix_minimum()
	 * synchronizes them.
	 */
	template <int ROWS>
	__device__ void
	complete(int row, int (&cell)[ROWS][C], const Step &last, const Step &next, bool keeps)
	{
		int left[ROWS];
		int carried[ROWS];
		int last_cell[ROWS];

		columns.prefix_minimum(cell, left);
		link.receive(row, carried);
#pragma unroll
		for (int r = 0; r < ROWS; r++)
		{
			const int before = min(left[r], max(carried[r], columns.least_carry));

#pragma unroll
			for (int c = 0; c < C; c++)
				above[c] = min(min(cell[r][c], before), above[c] + remove);
			last_cell[r] = above[C - 1];
		}
		handed = carried[ROWS - 1];
		if (keeps)
		{
			kept.keep(next.slot, thread.rank, above, (last.place + 1) * remove);
			__syncwarp();
			fence();
		}
		link.hand_on(row, last_cell);
	}

	/* Computes one row. */
	__device__ void
	run_row(int row, const Step &step, const Step &next)
	{
		const bool keeps = next.begins() && row + 1 < rows.end;
		int cell[1][C];

		if (step.place == 0)
		{
#pragma unroll
			for (int c = 0; c < C; c++)
				above[c] = 0;
			handed = 0;
		}
		if (step.on_path())
			map_path(row, unpack(rows.entry_of(row)), cell[0]);
		else
			map_forest(row, step.slot, cell[0]);
		complete(row, cell, step, next, keeps);
		if (step.on_path())
		{
			write_distances(unpack(rows.entry_of(row)));
			link.report_written(row);
		}
	}

	/* Whether two rows need only rows before the first of them, besides the cells above each. */
	__device__ bool
	are_apart(int row, const Step &step, const Step &next) const
	{
		return PAIRS_ROWS && row + 1 < rows.end && !step.on_path() && !next.on_path() &&
			   next.size > 1;
	}

	/* Computes two rows together; are_apart() must be true for them. */
	__device__ void
	run_two_rows(int row, const Step &step, const Step &second, const Step &next)
	{
		const bool keeps = next.begins() && row + 2 < rows.end;
		int cell[2][C];

		map_forest(row, step.slot, cell[0]);
		map_forest(row + 1, second.slot, cell[1]);
		complete(row, cell, second, next, keeps);
	}

	/* Computes the next rows; returns whether the two rows after them can be computed together. */
	template <int ROWS>
	__device__ bool
	advance(int &row, Step (&ahead)[3])
	{
		const Step after[] = {ahead[ROWS], ROWS == 1 ? ahead[2] : Step(rows.entry_of(row + 3)),
							  Step(rows.entry_of(row + ROWS + 2))};
		const bool apart = are_apart(row + ROWS, after[0], after[1]);

		if constexpr (ROWS == 1)
			run_row(row, ahead[0], ahead[1]);
		else
			run_two_rows(row, ahead[0], ahead[1], ahead[2]);
#pragma unroll
		for (int r = 0; r < 3; r++)
			ahead[r] = after[r];
		row += ROWS;
		return apart;
	}

	/* Computes the rows of whole key roots; returns false if the work is stopped. */
	__device__ bool
	run(int first_row, int end_row)
	{
		int row = first_row;

		rows.begin(row, end_row);

		Step ahead[] = {Step(rows.entry_of(row)), Step(rows.entry_of(row + 1)),
						Step(rows.entry_of(row + 2))};
		bool two = are_apart(row, ahead[0], ahead[1]);

		while (row < end_row)
		{
			const int before = row;
			const int there = rows.fetch_next(row);

			/*
			 * all warps pair the same rows: a row whose second one has not been fetched waits
			 * for it
			 */
			while (row + two < there)
			{
				/* hide that these never change, or the compiler would compute them again */
				asm volatile(""
							 : "+r"(thread.rank), "+r"(thread.lane), "+r"(columns.head_lane),
							   "+r"(remove));
				two = two ? advance<2>(row, ahead) : advance<1>(row, ahead);
			}
			if (__any_sync(ALL, link.gave_up || (row == before && link.stopped())))
				return false;
		}
		return true;
	}
};

#endif /* TED_BLOCK_PIPELINE_CUH */
