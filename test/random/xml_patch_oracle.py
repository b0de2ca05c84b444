"""Plain definition of applying an XML patch (RFC 5261), on what Python's own parser reads."""

import re
from xml.dom import Node, minidom

SPACE = " \t\r\n"


class DoesNotFit(Exception):
    """An operation that the document does not allow."""


def merge_text(node):
    """Makes one text node of each run of text and CDATA sections below a node."""
    for child in list(node.childNodes):
        if child.nodeType == Node.CDATA_SECTION_NODE:
            node.replaceChild(node.ownerDocument.createTextNode(child.data), child)
        elif child.nodeType == Node.ELEMENT_NODE:
            merge_text(child)
    node.normalize()


def parse(text):
    """The DOM of a document; an XML declaration does not count."""
    text = re.sub(r"\A<\?xml[ \t\r\n].*?\?>", "", text, flags=re.DOTALL)
    document = minidom.parseString(text.encode())
    merge_text(document.documentElement)
    return document


def canonical(node):
    """What counts of a node and all below: not prefixes, nor declarations of namespaces."""
    if node.nodeType == Node.ELEMENT_NODE:
        attributes = sorted(
            (a.namespaceURI or "", a.localName, a.value)
            for a in node.attributes.values()
            if a.name != "xmlns" and a.prefix != "xmlns"
        )
        return node.namespaceURI or "", node.localName, attributes, contents(node)
    if node.nodeType == Node.PROCESSING_INSTRUCTION_NODE:
        return "?", node.target, node.data.lstrip(SPACE)
    return node.nodeType, node.data


def contents(node):
    """The same of all children but a document type."""
    return [canonical(c) for c in node.childNodes if c.nodeType != Node.DOCUMENT_TYPE_NODE]


def namespace(element, prefix):
    """The namespace of a prefix at an element."""
    if prefix == "xml":
        return "http://www.w3.org/XML/1998/namespace"
    while element.nodeType == Node.ELEMENT_NODE:
        if element.hasAttribute(f"xmlns:{prefix}"):
            return element.getAttribute(f"xmlns:{prefix}")
        element = element.parentNode
    raise DoesNotFit(f"prefix {prefix}")


def matches(node, test):
    """Whether a child passes the test of a step; names have no namespace."""
    kinds = {
        "text()": Node.TEXT_NODE,
        "comment()": Node.COMMENT_NODE,
        "processing-instruction()": Node.PROCESSING_INSTRUCTION_NODE,
    }
    if test in kinds:
        return node.nodeType == kinds[test]
    if node.nodeType != Node.ELEMENT_NODE:
        return False
    return test == "*" or (node.namespaceURI is None and node.localName == test)


def select(document, operation):
    """The one node that an operation selects, by steps with a name or a test and a number."""
    nodes = [document]
    _, *steps = operation.getAttribute("sel").split("/")
    for step in steps:
        if step.startswith("@"):
            prefix, _, local = step[1:].rpartition(":")
            space = namespace(operation, prefix) if prefix else None
            nodes = [found for n in nodes if (found := n.getAttributeNodeNS(space, local))]
            continue
        test, number = re.fullmatch(r"([^\[]+)(?:\[(\d+)\])?", step).groups()
        found = [[c for c in n.childNodes if matches(c, test)] for n in nodes]
        if number:
            found = [children[int(number) - 1 : int(number)] for children in found]
        nodes = sum(found, [])
    if len(nodes) != 1:
        raise DoesNotFit(operation.toxml())
    return nodes[0]


def add(document, operation):
    """Applies an addition."""
    target = select(document, operation)
    if operation.hasAttribute("type"):
        prefix, _, local = operation.getAttribute("type")[1:].rpartition(":")
        space = namespace(operation, prefix) if prefix else None
        if target.hasAttributeNS(space, local):
            raise DoesNotFit(operation.toxml())
        value = "".join(c.data for c in operation.childNodes)
        target.setAttributeNS(space, f"{prefix}:{local}" if prefix else local, value)
        return
    position = operation.getAttribute("pos")
    beside = position in ("before", "after")
    parent = target.parentNode if beside else target
    before = {
        "": lambda: None,
        "prepend": lambda: parent.firstChild,
        "before": lambda: target,
        "after": lambda: target.nextSibling,
    }[position]()
    for node in operation.childNodes:
        parent.insertBefore(document.importNode(node, True), before)
    parent.normalize()


def replace(document, operation):
    """Applies a replacement: of a node by one of its kind, of a value by text."""
    target = select(document, operation)
    if target.nodeType == Node.ATTRIBUTE_NODE:
        target.value = "".join(c.data for c in operation.childNodes)
        return
    (node,) = operation.childNodes
    if node.nodeType != target.nodeType:
        raise DoesNotFit(operation.toxml())
    target.parentNode.replaceChild(document.importNode(node, True), target)


def remove(document, operation):
    """Applies a removal."""
    target = select(document, operation)
    if target.nodeType == Node.ATTRIBUTE_NODE:
        target.ownerElement.removeAttributeNode(target)
        return
    if target is document.documentElement:
        raise DoesNotFit(operation.toxml())
    parent = target.parentNode
    parent.removeChild(target)
    parent.normalize()


def apply_patch(document, patch):
    """Applies all operations of a patch to a document."""
    operations = {"add": add, "replace": replace, "remove": remove}
    for operation in patch.documentElement.childNodes:
        operations[operation.tagName](document, operation)
    return document
