/*
 * labels.h
 *	  Interns byte strings: equal bytes get equal ids, counted from 0.
 */
#ifndef TED_LABELS_H
#define TED_LABELS_H

#include "postgres.h"

/* A byte string, not NUL-terminated. */
typedef struct Label
{
	const char *bytes;
	int length;
} Label;

/* Compares two labels by their bytes; the result is negative, 0 or positive. */
static inline int
CompareLabels(Label a, Label b)
{
	int order = memcmp(a.bytes, b.bytes, Min(a.length, b.length));

	return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

/* Whether a label equals a NUL-terminated text. */
static inline bool
LabelIs(Label label, const char *text)
{
	return label.length == (int) strlen(text) && memcmp(label.bytes, text, label.length) == 0;
}

/* Returns the bytes of a text, which is detoasted if need be. */
extern Label TextLabel(Datum value);

typedef struct LabelTable LabelTable;

/* The most bytes that a label takes besides its own: its entry, and capacity for growth. */
#define LABEL_MAX_OVERHEAD 96

/* Makes an empty table in a child of the current memory context. */
extern LabelTable *LabelTableCreate(void);

/*
 * Limits the memory of a context, which is the table's own or one above it, to ted.max_memory;
 * `what` names the computation in the error.
 */
extern void LabelTableLimit(LabelTable *table, MemoryContext counted, const char *what);

/*
 * Sets the functions by which an empty table compares and hashes labels; equal labels must have
 * equal hash values.  Both functions get `arg`, and labels that are aligned for any type; the
 * caller aligns labels that it looks up.  Which of several equal labels the table keeps depends on
 * their bytes alone, not on the order in which they come.
 */
typedef uint32 (*LabelHash)(const void *arg, Label label);
typedef bool (*LabelsEqual)(const void *arg, Label a, Label b);
extern void LabelTableSetEquality(LabelTable *table, LabelHash hash, LabelsEqual equal,
								  const void *arg);

/*
 * The table's view of labels: hash value, equality, whether it keeps `other` instead of the equal
 * label `kept`, and bytes rounded up to where the next label can start.
 */
extern uint32 LabelTableHash(const LabelTable *table, Label label);
extern bool LabelTableEqual(const LabelTable *table, Label a, Label b);
extern bool LabelTableKeepsOther(const LabelTable *table, Label kept, Label other);
extern Size LabelTableAlign(const LabelTable *table, Size bytes);

/* Returns the memory context of the table, which LabelTableFree() deletes. */
extern MemoryContext LabelTableContext(const LabelTable *table);

/* Returns the id of a label; a new one is copied into the table and gets the next id. */
extern int32 LabelTableIntern(LabelTable *table, const char *bytes, int length);

/* Finds the ids of many labels, as LabelTableIntern() does for one. */
extern void LabelTableInternAll(LabelTable *table, const Label *labels, int32 count, int32 *ids);

/* Returns the id of a label, or -1 if it was not interned. */
extern int32 LabelTableFind(const LabelTable *table, const char *bytes, int length);

/* Returns the number of distinct labels interned so far. */
extern int32 LabelTableCount(const LabelTable *table);

/* Returns the memory of the table in bytes. */
extern Size LabelTableBytes(const LabelTable *table);

/* Returns a label, whose bytes are valid as long as the table. */
extern Label LabelTableGet(const LabelTable *table, int32 id);

/*
 * Labels that several tables share and none changes, numbered from 0.  `find` returns the id of the
 * label that is equal to `label`, whose hash value is `hash`, or -1.
 */
typedef struct CommonLabels
{
	int32 count;
	Label (*get)(const void *arg, int32 id);
	int32 (*find)(const void *arg, Label label, uint32 hash);
	const void *arg;
} CommonLabels;

/*
 * Empties a table, and gives it the common labels; labels interned later get the ids after these.
 */
extern void LabelTableUseCommon(LabelTable *table, const CommonLabels *common);

/* Keep marks the labels interned so far; Forget removes the labels interned since then. */
extern void LabelTableKeep(LabelTable *table);
extern void LabelTableForget(LabelTable *table);

/* Frees the table and every label in it. */
extern void LabelTableFree(LabelTable *table);

#endif /* TED_LABELS_H */
