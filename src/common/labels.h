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

/* Order of two labels by their bytes: negative, 0 or positive. */
static inline int
CompareLabels(Label a, Label b)
{
	int order = memcmp(a.bytes, b.bytes, Min(a.length, b.length));

	return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

/* Whether a label is a certain text. */
static inline bool
LabelIs(Label label, const char *text)
{
	return label.length == (int) strlen(text) && memcmp(label.bytes, text, label.length) == 0;
}

typedef struct LabelTable LabelTable;

/* The most memory that a label takes besides its bytes: its entry, and capacity for growth. */
#define LABEL_MAX_OVERHEAD 96

/* Makes an empty table in the current memory context. */
extern LabelTable *LabelTableCreate(void);

/*
 * Makes the table refuse to grow where a context, its own or one above it, would
 * take more than ted.max_memory; `what` names the computation in the error.
 */
extern void LabelTableLimit(LabelTable *table, MemoryContext counted, const char *what);

/*
 * Sets the functions by which an empty table decides which labels are equal, and hashes them:
 * equal labels have equal hash values.  Both get `arg`, and labels that are aligned for any
 * type; the caller aligns those that are looked up.  Which one of equal labels the table keeps
 * depends on their bytes alone, not on their order.
 */
typedef uint32 (*LabelHash)(const void *arg, Label label);
typedef bool (*LabelsEqual)(const void *arg, Label a, Label b);
extern void LabelTableSetEquality(LabelTable *table, LabelHash hash, LabelsEqual equal,
								  const void *arg);

/*
 * Labels as a table sees them: the hash, whether two are equal, which one of equal labels it
 * keeps, and the bytes up to where a label can follow others.
 */
extern uint32 LabelTableHash(const LabelTable *table, Label label);
extern bool LabelTableEqual(const LabelTable *table, Label a, Label b);
extern bool LabelTableKeepsOther(const LabelTable *table, Label kept, Label other);
extern Size LabelTableAlign(const LabelTable *table, Size bytes);

/* The context of the table, which is freed with it. */
extern MemoryContext LabelTableContext(const LabelTable *table);

/* Id of a label; a new one is copied into the table and gets the next id. */
extern int32 LabelTableIntern(LabelTable *table, const char *bytes, int length);

/* Ids of many labels, in turn. */
extern void LabelTableInternAll(LabelTable *table, const Label *labels, int32 count, int32 *ids);

/* Id of a label, or -1 where it was not interned. */
extern int32 LabelTableFind(const LabelTable *table, const char *bytes, int length);

/* Number of distinct labels interned so far. */
extern int32 LabelTableCount(const LabelTable *table);

/* Memory that the table takes. */
extern Size LabelTableBytes(const LabelTable *table);

/* Bytes of a label, valid as long as the table. */
extern Label LabelTableGet(const LabelTable *table, int32 id);

/*
 * Labels that several tables have in common and none changes, numbered from 0; finds one by
 * what it is equal to and the hash of that, or returns -1.
 */
typedef struct CommonLabels
{
	int32 count;
	Label (*get)(const void *arg, int32 id);
	int32 (*find)(const void *arg, Label label, uint32 hash);
	const void *arg;
} CommonLabels;

/* Empties a table, whose labels then are the common ones, and others that are interned later. */
extern void LabelTableUseCommon(LabelTable *table, const CommonLabels *common);

/* Keeps the labels interned so far, and forgets those interned since then. */
extern void LabelTableKeep(LabelTable *table);
extern void LabelTableForget(LabelTable *table);

/* Frees the table and every label in it. */
extern void LabelTableFree(LabelTable *table);

#endif /* TED_LABELS_H */
