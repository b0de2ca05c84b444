/*
 * tree.h
 *	  The type `tree`: an ordered labelled tree in one varlena.
 *
 * All other code reads and writes trees with the reader and the builder below; only
 * format.c knows the stored form.
 */
#ifndef TED_TREE_H
#define TED_TREE_H

#include "postgres.h"

#include "fmgr.h"
#include "lib/stringinfo.h"

#include "../../core/tree/ted.h"
#include "../../common/labels.h"

/* Limits of one value; exceeding them raises ERRCODE_PROGRAM_LIMIT_EXCEEDED. */
#define TREE_MAX_NODES (1 << 24)
#define TREE_MAX_LABEL_BYTES (1 << 24)

/* The name of the computation in errors about memory. */
#define BUILDING_A_TREE "building a tree"

/* A tree as stored.  Its varlena header may be short, and it has no alignment. */
typedef struct varlena Tree;

#define DatumGetTree(d) ((Tree *) PG_DETOAST_DATUM_PACKED(d))
#define PG_GETARG_TREE(n) DatumGetTree(PG_GETARG_DATUM(n))
#define PG_RETURN_TREE(t) PG_RETURN_POINTER(t)

/*
 * Builds a tree from opening and closing events.  Labels are bytes in the server encoding,
 * already verified, without NUL.
 *
 * The builder raises an error if it would exceed ted.max_memory.  All memory in its context
 * counts, a child of the context that was current at TreeBuilderInit().  A caller that
 * takes memory to produce the events takes it there, too, and calls TreeBuilderReserve()
 * before large allocations.  The finished tree does not count.
 */
typedef struct TreeBuilder
{
	MemoryContext context; /* has all memory of the builder; freed by TreeBuilderFinish() */
	MemoryContext counted; /* `context` or an ancestor of it; the limit applies to it */
	LabelTable *labels;
	StringInfoData events;         /* bits, see format.c; the last byte is in `partial` */
	StringInfoData ids;            /* ids of known labels in preorder, as stored */
	StringInfoData dumped_lengths; /* int32 by label id: bytes of a node in a dump */
	int id_width;                  /* bytes of an id, by the number of labels so far */
	int64 dumped_bytes;            /* bytes of the tree in a dump so far */
	uint8 partial;
	int partial_bits;
	int32 size;  /* nodes opened so far */
	int32 depth; /* nodes open now */
} TreeBuilder;

/* Builds a tree, see format.c. */
extern void TreeBuilderInit(TreeBuilder *builder);
extern void TreeBuilderCount(TreeBuilder *builder, MemoryContext counted);
extern void TreeBuilderReserve(const TreeBuilder *builder, Size bytes);
extern void TreeBuilderOpen(TreeBuilder *builder, const char *label, int length);
extern void TreeBuilderClose(TreeBuilder *builder);
extern Tree *TreeBuilderFinish(TreeBuilder *builder);

/* An event of a reader: a node begins, the innermost open node ends, or the tree has ended. */
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
	Label *labels;     /* by label id; the bytes are those of the stored tree */

	int32 node;  /* preorder number, from 0, of the node begun last */
	int32 depth; /* number of open nodes */
	int32 label; /* label id of the node begun last */

	/* private to format.c */
	const uint8 *events;
	const uint8 *ids;
	const uint8 *ids_end;
	int id_width;
	int64 bit;
	int32 fresh; /* distinct labels read so far */
} TreeReader;

/* Reading bytes that are not a tree raises an error and is otherwise harmless. */
extern void TreeReaderInit(TreeReader *reader, const Tree *tree);
extern TreeEvent TreeReaderNext(TreeReader *reader);

/* Repeats an event of a reader, other than TREE_END, in a builder. */
extern void TreeBuilderRepeat(TreeBuilder *builder, const TreeReader *reader, TreeEvent event);

/* Raises an error for a label that is too long. */
extern void CheckLabelLength(int length);

/*
 * Return the number of nodes and an upper bound on the memory of the decoded tree in
 * bytes.  They detoast only the header.
 */
extern int32 TreeSize(Datum tree);
extern Size TreeDecodedBytes(Datum tree);

/* Raises an error for bytes that a builder would not write, with labels in `encoding`. */
extern void TreeValidate(const Tree *tree, int encoding);

/*
 * Decodes a tree into the arrays that the algorithms work on, in one block.  Its labels are
 * added to `labels`, so trees decoded with the same table can be compared.
 */
extern void TreeDecode(const Tree *tree, LabelTable *labels, TedTree *decoded);

/* Sets the preorder number of each node of a decoded tree, and the postorder number by preorder. */
extern void TreeOrders(const TedTree *decoded, int32 *preorder, int32 *postorder);

/* Frees the arrays of a decoded tree. */
extern void TreeFreeDecoded(const TedTree *decoded);

/*
 * Decodes a tree without changing the label table: labels that are not in it get ids beyond
 * it.  The tree can be compared only with trees whose labels are all in the table.
 */
extern void TreeDecodeAgainst(const Tree *tree, const LabelTable *labels, TedTree *decoded);

/*
 * Returns the Euler string (core/tree/euler.h) of a tree with ids as from
 * TreeDecodeAgainst(), in less time and memory than decoding takes.
 */
extern int32 *TreeEulerString(const Tree *tree, const LabelTable *labels);

/* Makes a tree from its stored form, with labels in `encoding`; raises an error for other bytes. */
extern Tree *TreeFromBytes(const char *bytes, int length, int encoding);

/*
 * Whether a text that could also be bracket notation is a JSON object with at least one key; {} is the
 * tree of one node with an empty label.  In json_text.c.
 */
extern bool IsJsonObjectText(const char *text, int length);

#endif /* TED_TREE_H */
