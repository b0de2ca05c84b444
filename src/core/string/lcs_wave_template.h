/*
 * lcs_wave_template.h
 *	  A skewed wavefront over the words of a stripe, for any kind of vector.
 *
 * A word needs the carry of the preceding word for the same column.  So the words of a stripe,
 * which are lanes of up to four registers, work on different columns: in step t, word w is at
 * column t - w and uses the carry of word w - 1 from step t - 1.
 *
 * A word has 63 rows; bit 63 receives the carry.  As V + (V & M) is 2 V - (V & ~M), a carry is
 * added when 2 V is computed by a shift: the bit shifted in is bit 63 of the preceding lane.  Bit
 * 63 of a match word is always set, which clears the last carry.
 *
 * The match vector of a column is a row in memory, but each lane of a register needs the row of
 * another column.  Blends with the rows one, two and four columns before yield such a diagonal.
 *
 * The file that includes this defines LANES, TARGET (the attribute of all functions),
 * TARGET_INLINE, Vec, Lanes (a register `v` and what its diagonals need from earlier steps),
 * v_load, v_store, v_set, v_twice (each lane shifted left by 1), v_push (the same, with the highest
 * bits of another vector coming in), lanes_begin, and lanes_step.
 */

/* The registers of a stripe, and the carries of a group of steps, the first in the highest bit. */
typedef struct Wave
{
	Lanes lanes[LCS_WAVES];
	Vec carry_in;
	Vec carry_out;
	uint64_t *history; /* where the registers are stored after the next step, or NULL */
} Wave;

/* Stores the registers. */
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

/* Makes one step; match[0] is the row of the column of the lowest register. */
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

/*
 * Returns the carries into the columns of a group, the first in the highest bit; none after the
 * last column.
 */
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

/* Computes a stripe for the columns of a tile; `registers` must be a constant. */
TARGET_INLINE void
wave_scan(uint64_t *v, const LcsTile *tile, int registers, uint64_t *history)
{
	size_t words = (size_t) registers * LANES;
	int lag = registers * LANES - 1;
	int32_t groups = (tile->columns + lag + LCS_GROUP - 1) / LCS_GROUP;
	const uint64_t *match[LCS_WAVES * LANES + LCS_GROUP]; /* rows of the columns of a group, and of
														   * columns before */
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

/* Computes a stripe of one register for the columns of a tile. */
TARGET static void
wave_scan_1(uint64_t *v, const LcsTile *tile)
{
	if (tile->history == NULL)
		wave_scan(v, tile, 1, NULL);
	else
		wave_scan(v, tile, 1, tile->history);
}

/* Computes a stripe of two registers for the columns of a tile. */
TARGET static void
wave_scan_2(uint64_t *v, const LcsTile *tile)
{
	if (tile->history == NULL)
		wave_scan(v, tile, 2, NULL);
	else
		wave_scan(v, tile, 2, tile->history);
}

/* Computes a stripe of three registers for the columns of a tile. */
TARGET static void
wave_scan_3(uint64_t *v, const LcsTile *tile)
{
	if (tile->history == NULL)
		wave_scan(v, tile, 3, NULL);
	else
		wave_scan(v, tile, 3, tile->history);
}

/* Computes a stripe of four registers for the columns of a tile. */
TARGET static void
wave_scan_4(uint64_t *v, const LcsTile *tile)
{
	if (tile->history == NULL)
		wave_scan(v, tile, 4, NULL);
	else
		wave_scan(v, tile, 4, tile->history);
}
