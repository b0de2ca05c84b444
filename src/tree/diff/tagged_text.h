/*
 * tagged_text.h
 *	  Elements of XML whose text stays the same while tags within it come or go.
 *
 * Such an element is one line of both documents, in which only the tags are marked.
 */
#ifndef TED_TAGGED_TEXT_H
#define TED_TAGGED_TEXT_H

#include "lib/stringinfo.h"

#include "diff_lines.h"

/* Finds these elements; sets `tagged` of both trees.  Moved nodes are in none of them. */
extern void FindTaggedTexts(MappedTrees *trees, const int32 *moved_a, const int32 *moved_b,
							const char *what);

/* Whether a node is such an element, or in one. */
static inline bool
IsTagged(const MappedTree *side, int32 node)
{
	return side->tagged != NULL && side->tagged[node];
}

/* The tags of an element. */
typedef enum TagKind
{
	TAG_START,
	TAG_END,
	TAG_EMPTY /* both in one */
} TagKind;

/* A tag in the text of one document, or the tags of partners in the same place of both. */
typedef struct Tag
{
	TagKind kind;
	int32 x; /* element of the first document, or -1 */
	int32 y; /* element of the second document, or -1 */
	int at;  /* bytes of the text before it */
} Tag;

/*
 * Reads the text of such an element and of its partner, without marks, and the tags within it,
 * as they stand from left to right.  Returns their number.
 */
extern int ReadTaggedText(const MappedTrees *trees, int32 x, int32 y, StringInfo text, Tag **tags);

#endif /* TED_TAGGED_TEXT_H */
