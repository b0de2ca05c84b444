/*
 * references.h
 *	  Which characters an XML document writes as references.
 */
#ifndef TED_REFERENCES_H
#define TED_REFERENCES_H

#include "lib/stringinfo.h"

#include "../../common/labels.h"

/* How a document writes some of its characters. */
typedef struct References References;

/*
 * Finds the references in the text of a document; an empty text has none.  `what` names the
 * computation in errors about memory.
 */
extern const References *FindReferences(Label document, const char *what);

/*
 * Appends bytes of a label as the document writes them, with references to the characters that
 * it writes so, and to those that must be.  The label is that of a text with its mark, or of
 * any other node.
 */
extern void AppendWithReferences(StringInfo out, const References *references, Label text,
								 bool is_text);

#endif /* TED_REFERENCES_H */
