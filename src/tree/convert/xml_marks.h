/*
 * xml_marks.h
 *	  Marks at the beginning of labels of XML, which say what a node is.
 *
 * A tree of XML that is for a difference marks texts, see MarkedXmlTree(); one that is for a
 * patch marks all nodes, and has the namespaces of elements and attributes after their
 * names: "@lang{http://www.w3.org/XML/1998/namespace}".
 */
#ifndef TED_XML_MARKS_H
#define TED_XML_MARKS_H

/* The first byte of a text's label in a tree for a difference. */
#define MARK_TEXT '"'

/* The kind of a node in a tree for a patch, by the first byte of its label. */
#define DOCUMENT_MARK 'd'
#define ELEMENT_MARK 'e'
#define ATTRIBUTE_MARK '@'
#define VALUE_MARK 'v'
#define TEXT_MARK 't'
#define COMMENT_MARK 'c'
#define INSTRUCTION_MARK 'p'

/* The byte between the name of an element or an attribute and its namespace. */
#define NAMESPACE_MARK '{'

#endif /* TED_XML_MARKS_H */
