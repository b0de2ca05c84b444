/*
 * tree.h
 *	  The `tree` type: an ordered labelled tree in one varlena.
 *
 * Everything that reads or writes a tree goes through the reader and the
 * builder below; only format.c knows the bytes.
 */
#ifndef TED_TREE_H
#define TED_TREE_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"

#include "../../core/tree/ted.h"
#include "../../common/labels.h"

/* Limits of one value; going beyond them is ERRCODE_PROGRAM_LIMIT_EXCEEDED. */
#define TREE_MAX_NODES (1 << 24)
#define TREE_MAX_LABEL_BYTES (1 << 24)

/* Name of the computation in errors about memory. */
#define BUILDING_A_TREE "building a tree"

/* A tree as stored; may have a short varlena header, and no alignment. */
typedef struct varlena Tree;

#define DatumGetTree(d) ((Tree *) PG_DETOAST_DATUM_PACKED(d))
#define PG_GETARG_TREE(n) DatumGetTree(PG_GETARG_DATUM(n))
#define PG_RETURN_TREE(t) PG_RETURN_POINTER(t)

/*
 * Builds a tree from opening and closing events.  Labels are bytes in the
 * server encoding, already verified, without NUL.
 *
 * A builder refuses to grow beyond ted.max_memory.  What counts is its context,
 * a child of the one that was current at TreeBuilderInit(); a caller that makes events
 * takes memory there, too, and asks TreeBuilderReserve() before it is much.  The
 * finished tree does not count.
 */
typedef struct TreeBuilder
{
	MemoryContext context; /* of all memory of the builder, which goes with the tree finished */
	MemoryContext counted; /* that context or one above it */
	LabelTable *labels;
	StringInfoData events;         /* see format.c; bits, the last byte in `partial` */
	StringInfoData ids;            /* ids of labels seen before, in preorder, as they are stored */
	StringInfoData dumped_lengths; /* int32, by label id: bytes of a node in a dump */
	int id_width;                  /* bytes of an id, as of the labels so far */
	int64 dumped_bytes;            /* bytes of the tree in a dump so far */
	uint8 partial;
	int partial_bits;
	int32 size;  /* nodes opened so far */
	int32 depth; /* nodes open now */
} TreeBuilder;

extern void TreeBuilderInit(TreeBuilder *builder);
extern void TreeBuilderCount(TreeBuilder *builder, MemoryContext counted);
extern void TreeBuilderReserve(const TreeBuilder *builder, Size bytes);
extern void TreeBuilderOpen(TreeBuilder *builder, const char *label, int length);
extern void TreeBuilderClose(TreeBuilder *builder);
extern Tree *TreeBuilderFinish(TreeBuilder *builder);

/* Event of a reader: a node opens, the node opened last closes, or the tree has ended. */
typedef enum TreeEvent
{
	TREE_OPEN,
	TREE_CLOSE,
	TREE_END
} TreeEvent;

/* Reads a tree as events in document order. */
typedef struct TreeReader
{
	int32 size;        /* nodes in the tree */
	int32 label_count; /* distinct labels */
	Label *labels;     /* by label id; refers to the tree's own bytes */

	int32 node;  /* preorder number from 0 of the node opened last */
	int32 depth; /* nodes open now */
	int32 label; /* label id of the node opened last */

	/* private to format.c */
	const uint8 *events;
	const uint8 *ids;
	const uint8 *ids_end;
	int id_width;
	int64 bit;
	int32 fresh; /* labels met so far */
} TreeReader;

/* Bytes that are not a tree raise an error when they are read, and nothing worse. */
extern void TreeReaderInit(TreeReader *reader, const Tree *tree);
extern TreeEvent TreeReaderNext(TreeReader *reader);

/* Repeats an event of a reader in a builder; it must not be the end. */
extern void TreeBuilderRepeat(TreeBuilder *builder, const TreeReader *reader, TreeEvent event);

/* Refuses a label that is too long to be one of a tree. */
extern void CheckLabelLength(int length);

/* Nodes in a tree, and a bound on its memory when decoded; the value is not detoasted. */
extern int32 TreeSize(Datum tree);
extern Size TreeDecodedBytes(Datum tree);

/* Refuses bytes that no builder would have written, with labels in `encoding`. */
extern void TreeValidate(const Tree *tree, int encoding);

/*
 * Decodes a tree into the arrays that the algorithms work on, with label ids
 * taken from `labels`, so that all trees decoded with one table compare.
 */
extern void TreeDecode(const Tree *tree, LabelTable *labels, TedTree *decoded);

/* Frees the arrays of a decoded tree. */
extern void TreeFreeDecoded(const TedTree *decoded);

/*
 * The same for a tree that is compared only with trees whose labels are all in
 * the table, which does not change: other labels get ids beyond it.
 */
extern void TreeDecodeAgainst(const Tree *tree, const LabelTable *labels, TedTree *decoded);

/* The Euler string (core/tree/euler.h) of such a tree, in less time; it takes less memory, too. */
extern int32 *TreeEulerString(const Tree *tree, const LabelTable *labels);

/* Reads the stored form from a StringInfo, with labels in the client's encoding, and checks it. */
extern Datum tree_recv(PG_FUNCTION_ARGS);

#endif /* TED_TREE_H */
