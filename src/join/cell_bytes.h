/*
 * cell_bytes.h
 *	  How cells of a join over several servers, and their matches, are written as bytes:
 *	  numbers by 7 bits in each, and ids as differences.
 */
#ifndef TED_JOIN_CELL_BYTES_H
#define TED_JOIN_CELL_BYTES_H

#include "postgres.h"

#include "lib/stringinfo.h"

/* Refuses a value of this many bytes that could not be sent; says of what it is, and what to do. */
extern void CheckPackedSize(Size bytes, const char *what, const char *hint);

/* Appends a number, and reads one. */
extern void AppendNumber(StringInfo to, uint64 number);
extern uint64 ReadNumber(StringInfo from);

/* Reads a number as a length, the greatest one for all above. */
extern int32 ReadLength(StringInfo from);

/* Appends an integer as its difference from another one, and reads one. */
extern void AppendDifference(StringInfo to, int64 from, int64 integer);
extern int64 ReadDifference(StringInfo from, int64 other);

#endif /* TED_JOIN_CELL_BYTES_H */
