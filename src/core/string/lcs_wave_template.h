/*
 * lcs_wave_template.h
 *	  The body of a skewed wavefront over the words of a stripe, for any kind of vector.
 *
 * A word needs the carry of the word below for the same column.  So the words
 * of a stripe, lanes of up to four registers, work on different columns: in
 * step t word w is at column t - w and finds the carry of word w - 1 from
 * step t - 1.
 *
 * A word has 63 rows; bit 63 receives the carry.  As V + (V & M) is
 * 2 V - (V & ~M), a carry comes in where 2 V is shifted: the bit that enters is
 * bit 63 of the lane below.  Bit 63 of a match word is always set, which
 * clears the last carry.
 *
 * The match vectors of a column are rows in memory, but a register needs those
 * of as many columns as it has lanes.  Blends with the rows one, two and four
 * columns ago make such a diagonal.
 *
 * The file that includes this defines LANES, TARGET (the attribute of all
 * functions), TARGET_INLINE, Vec, Lanes (a register `v` and what its diagonals
 * need of the steps before), v_load, v_store, v_set, v_twice (each lane
 * shifted left by 1), v_push (the same, with the highest bits of another vector
 * coming in), lanes_begin, and lanes_step.
 */

/* The registers of a stripe, and the carries of a group of steps, the first in the highest bit. */
typedef struct Wave
{
	Lanes lanes[LCS_WAVES];
	Vec carry_in;
	Vec carry_out;
	uint64_t *history; /* takes the registers after the next step, where not NULL */
} Wave;

/* Keeps the registers. */
TARGET_INLINE void
wave_store(const Wave *wave, int registers, uint64_t *v)
{
	v_store(v, wave->lanes[0].v);
	if (registers > 1)
		v_store(v + LANES, wave->lanes[1].v);
	if (registers > 2)
		v_store(v + 2 * LANES, wave->lanes[2].v);
	if (registers > 3)
		v_store(v + 3 * LANES, wave->lanes[3].v);
}

/* One step; match[0] is the row of the column that the lowest register is at. */
TARGET_INLINE void
wave_step(Wave *wave, int registers, const uint64_t *const *match, int phase)
{
	Lanes *lanes = wave->lanes;

	if (registers > 3)
		lanes_step(&lanes[3], lanes[2].v, match[-3 * LANES] + 3 * LANES, phase);
	if (registers > 2)
		lanes_step(&lanes[2], lanes[1].v, match[-2 * LANES] + 2 * LANES, phase);
	if (registers > 1)
		lanes_step(&lanes[1], lanes[0].v, match[-LANES] + LANES, phase);
	lanes_step(&lanes[0], wave->carry_in, match[0], phase);
	wave->carry_in = v_twice(wave->carry_in);
	wave->carry_out = v_push(wave->carry_out, lanes[registers - 1].v);
	if (wave->history != NULL)
	{
		wave_store(wave, registers, wave->history);
		wave->history += registers * LANES;
	}
}

/* Carries into the columns of a group: 1 in the highest bit for the first; none beyond the last. */
TARGET_INLINE uint64_t
carries_in(const LcsTile *tile, int32_t group, int lag)
{
	const uint64_t *carry = &tile->carry[group];
	uint64_t carries = carry[0] << lag | carry[1] >> (LCS_GROUP - lag);
	int32_t columns = tile->columns - group * LCS_GROUP;

	if (columns >= LCS_GROUP)
		return carries;
	return columns <= 0 ? 0 : carries & ~(~UINT64_C(0) >> columns);
}

/* Takes a stripe through a tile; its registers are a constant. */
TARGET_INLINE void
wave_scan(uint64_t *v, const LcsTile *tile, int registers, uint64_t *history)
{
	size_t words = (size_t) registers * LANES;
	int lag = registers * LANES - 1;
	int32_t groups = (tile->columns + lag + LCS_GROUP - 1) / LCS_GROUP;
	const uint64_t *match[LCS_WAVES * LANES + LCS_GROUP]; /* of the group, and of columns before */
	const uint64_t **current = match + LCS_WAVES * LANES;
	Vec clear = v_set(~LCS_BLANK);
	Vec blank = v_set(LCS_BLANK);
	Wave wave;

	for (int i = 0; i < registers; i++)
		wave.lanes[i] = lanes_begin(v_load(v + i * LANES), clear, blank);
	wave.carry_out = blank;
	wave.history = history;
	for (int i = 1; i <= registers * LANES; i++)
		current[LCS_GROUP - i] = tile->match;

	for (int32_t group = 0; group < groups; group++)
	{
		const int32_t *code = tile->code + (ptrdiff_t) group * LCS_GROUP;
		int32_t columns = tile->columns - group * LCS_GROUP;
		uint64_t lane[LANES];

		for (int i = 1; i <= registers * LANES; i++)
			current[-i] = current[LCS_GROUP - i];
		if (columns >= LCS_GROUP)
			for (int i = 0; i < LCS_GROUP; i++)
				current[i] = tile->match + tile->row[code[i]] * words;
		else
			for (int i = 0; i < LCS_GROUP; i++)
				current[i] = tile->match + (i < columns ? tile->row[code[i]] : 0) * words;
		wave.carry_in = v_set(carries_in(tile, group, lag));
		for (int i = 0; i < LCS_GROUP; i += 4)
		{
			wave_step(&wave, registers, &current[i], 0);
			wave_step(&wave, registers, &current[i + 1], 1);
			wave_step(&wave, registers, &current[i + 2], 2);
			wave_step(&wave, registers, &current[i + 3], 3);
		}
		v_store(lane, wave.carry_out);
		tile->carry[group] = lane[LANES - 1];
	}
	wave_store(&wave, registers, v);
}

/* Takes a stripe of one register through a tile. */
TARGET static void
wave_scan_1(uint64_t *v, const LcsTile *tile)
{
	if (tile->history == NULL)
		wave_scan(v, tile, 1, NULL);
	else
		wave_scan(v, tile, 1, tile->history);
}

/* Takes a stripe of two registers through a tile. */
TARGET static void
wave_scan_2(uint64_t *v, const LcsTile *tile)
{
	if (tile->history == NULL)
		wave_scan(v, tile, 2, NULL);
	else
		wave_scan(v, tile, 2, tile->history);
}

/* Takes a stripe of three registers through a tile. */
TARGET static void
wave_scan_3(uint64_t *v, const LcsTile *tile)
{
	if (tile->history == NULL)
		wave_scan(v, tile, 3, NULL);
	else
		wave_scan(v, tile, 3, tile->history);
}

/* Takes a stripe of four registers through a tile. */
TARGET static void
wave_scan_4(uint64_t *v, const LcsTile *tile)
{
	if (tile->history == NULL)
		wave_scan(v, tile, 4, NULL);
	else
		wave_scan(v, tile, 4, tile->history);
}
