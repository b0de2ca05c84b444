/*
 * lcs.h
 *	  Longest common subsequence of two strings of 32-bit symbols.
 *
 * A shortest common supersequence of strings of m and n symbols has m + n - LCS symbols.
 *
 * Memory and interrupts work as in ted.h.  Lengths are in symbols and may be 0.  A comparison frees
 * its arena memory before it returns, so that one arena serves many texts.
 */
#ifndef TED_LCS_H
#define TED_LCS_H

#include "lcs_batch.h"
#include "lcs_length.h"
#include "lcs_pattern.h"
#include "lcs_positions.h"
#include "lcs_runs.h"

#endif /* TED_LCS_H */
