/*
 * lcs.h
 *	  Longest common subsequence of two strings of 32-bit symbols.
 *
 * The shortest common supersequence follows from it: for strings of m and n
 * symbols it has m + n - LCS symbols.
 *
 * Memory and interrupts work as in ted.h.  Lengths are counted in symbols and
 * may be 0.  What a comparison takes from the arena it has given back when it
 * returns, so that one arena serves many texts.
 */
#ifndef TED_LCS_H
#define TED_LCS_H

#include "lcs_batch.h"
#include "lcs_length.h"
#include "lcs_pair.h"
#include "lcs_pattern.h"
#include "lcs_positions.h"
#include "lcs_runs.h"

#endif /* TED_LCS_H */
