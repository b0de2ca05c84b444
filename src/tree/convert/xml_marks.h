/*
 * xml_marks.h
 *	  Marks at the beginning of labels of XML, by kind of node.
 *
 * A tree of XML for a difference has marks only on texts, see MarkedXmlTree().  A tree for
 * a patch has marks on all nodes, and elements and attributes have their namespace after
 * their name: "@lang{http://www.w3.org/XML/1998/namespace}".
 */
#ifndef TED_XML_MARKS_H
#define TED_XML_MARKS_H

/* The first byte of a text's label in a tree for a difference. */
#define MARK_TEXT '"'

/*
 * The first byte of a reference to an entity that is not known, such as "&name;", in a tree for a
 * difference.  Documents do not have this character, so the reference differs from the same text.
 */
#define MARK_REFERENCE '\1'

/* First bytes of labels in a tree for a patch, by kind of node. */
#define DOCUMENT_MARK 'd'
#define ELEMENT_MARK 'e'
#define ATTRIBUTE_MARK '@'
#define VALUE_MARK 'v'
#define TEXT_MARK 't'
#define COMMENT_MARK 'c'
#define INSTRUCTION_MARK 'p'

/* The byte between the name and the namespace of an element or an attribute. */
#define NAMESPACE_MARK '{'

#endif /* TED_XML_MARKS_H */
