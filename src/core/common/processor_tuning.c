/*
 * processor_tuning.c
 *	  Measured constants of processors, and the settings by which tests choose an algorithm.
 */
#include "processor_tuning.h"

TedTuning ted_tuning = {.simd_limit = TED_SIMD_WIDEST,
						.cells_for_vectors = 1500,
						.path_preference = 1,
						.stages_share = 0.03,
						.part_columns = 4096,
						.local_pairs = 1000000};

const double ted_cell_time[] = {
	[TED_SIMD_NONE] = 2.2, [TED_SIMD_NEON] = 0.6, [TED_SIMD_AVX2] = 0.42, [TED_SIMD_AVX512] = 0.21};

const double ted_heavy_row_time[] = {
	[TED_SIMD_NONE] = 10, [TED_SIMD_NEON] = 4.5, [TED_SIMD_AVX2] = 4.5, [TED_SIMD_AVX512] = 4.5};

const TedPathTimes ted_path_times[] = {
	[TED_SIMD_NONE] = {.step = 7, .phase = 13, .node = 1.5F, .tree = 1, .path = 150, .empty = 4},
	[TED_SIMD_NEON] =
		{.step = 3.4F, .phase = 7.5F, .node = 1.5F, .tree = 1, .path = 150, .empty = 1.9F},
	[TED_SIMD_AVX2] =
		{.step = 3, .phase = 6.5F, .node = 1.5F, .tree = 1, .path = 150, .empty = 1.7F},
	[TED_SIMD_AVX512] = {
		.step = 3, .phase = 6.5F, .node = 1.5F, .tree = 1, .path = 150, .empty = 1.7F}};
