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
    """The namespace of a prefix at an element, or the default one, which may be none."""
    if prefix == "xml":
        return "http://www.w3.org/XML/1998/namespace"
    name = f"xmlns:{prefix}" if prefix else "xmlns"
    while element.nodeType == Node.ELEMENT_NODE:
        if element.hasAttribute(name):
            return element.getAttribute(name) or None
        element = element.parentNode
    if prefix:
        raise DoesNotFit(f"prefix {prefix}")
    return None


# Parts of a selector: literals, which hide other marks, and steps of a test and predicates.
LITERAL = r"""(?:"[^"]*"|'[^']*')"""
PIECES = re.compile(rf"""(?:[^/"']|{LITERAL})+""")
PREDICATE = re.compile(rf"""\s*\[((?:[^]"']|{LITERAL})*)\]""")
STEP = re.compile(rf"""((?:[^["']|{LITERAL})+)((?:{PREDICATE.pattern})*)\s*""")
KINDS = {
    "text": Node.TEXT_NODE,
    "comment": Node.COMMENT_NODE,
    "processing-instruction": Node.PROCESSING_INSTRUCTION_NODE,
}


def value_of(node):
    """The text in a node."""
    if node.nodeType == Node.ATTRIBUTE_NODE:
        return node.value
    if node.nodeType != Node.ELEMENT_NODE:
        return node.data
    kinds = (Node.ELEMENT_NODE, Node.TEXT_NODE)
    return "".join(value_of(child) for child in node.childNodes if child.nodeType in kinds)


def expanded(operation, name, default=True):
    """Namespace and local part of a name in a selector."""
    prefix, _, local = name.rpartition(":")
    return (namespace(operation, prefix) if prefix or default else None), local


def attribute_of(operation, node, name):
    """The attribute of an element, by its name in a selector, or None."""
    if node.nodeType != Node.ELEMENT_NODE:
        return None
    return node.getAttributeNodeNS(*expanded(operation, name, False))


def matches(operation, node, test):
    """Whether a child passes the test of a step."""
    if call := re.fullmatch(r"([a-z-]+)\(\s*(.*?)\s*\)", test):
        kind, target = call.groups()
        if kind == "node":
            return node.nodeType in (Node.ELEMENT_NODE, *KINDS.values())
        return node.nodeType == KINDS[kind] and (not target or node.target == target[1:-1])
    if node.nodeType != Node.ELEMENT_NODE:
        return False
    return test == "*" or (node.namespaceURI or None, node.localName) == expanded(operation, test)


def filtered(operation, nodes, predicate):
    """Those siblings of which a predicate is true."""
    if re.fullmatch(r"\d+", predicate):
        return nodes[int(predicate) - 1 : int(predicate)] if int(predicate) else []
    name, value = (part.strip() for part in predicate.split("=", 1))
    value = value[1:-1]
    if name == ".":
        return [n for n in nodes if value_of(n) == value]
    if name.startswith("@"):
        found = ((n, attribute_of(operation, n, name[1:].strip())) for n in nodes)
        return [n for n, attribute in found if attribute and attribute.value == value]
    return [
        n for n in nodes if any(matches(operation, c, name) and value_of(c) == value for c in n.childNodes)
    ]


def selected(document, operation, selector):
    """The nodes that a selector selects; a namespace is an element and a prefix."""
    nodes = [document]
    for piece in PIECES.findall(selector):
        step, predicates = STEP.fullmatch(piece).group(1, 2)
        step = step.strip()
        if by_id := re.fullmatch(rf"id\(\s*({LITERAL})\s*\)", step):
            wanted = by_id[1][1:-1]
            elements = document.getElementsByTagName("*")
            nodes = [e for e in elements if e.getAttribute("xml:id") == wanted]
        elif step.startswith("@"):
            found = (attribute_of(operation, n, step[1:].strip()) for n in nodes)
            nodes = [attribute for attribute in found if attribute]
        elif step.startswith("namespace::"):
            nodes = [(n, step.removeprefix("namespace::")) for n in nodes]
        else:
            lists = [[c for c in n.childNodes if matches(operation, c, step)] for n in nodes]
            for predicate in PREDICATE.findall(predicates):
                lists = [filtered(operation, some, predicate.strip()) for some in lists]
            nodes = sum(lists, [])
    return nodes


def select(document, operation):
    """The one node that an operation selects."""
    nodes = selected(document, operation, operation.getAttribute("sel"))
    if len(nodes) != 1:
        raise DoesNotFit(operation.toxml())
    return nodes[0]


def neighbour(node, step):
    """The child before a node, by -1, or behind it, by 1; minidom's own links go astray."""
    children = node.parentNode.childNodes
    at = children.index(node) + step
    return children[at] if 0 <= at < len(children) else None


def text_of(operation):
    """The text in an operation."""
    return "".join(c.data for c in operation.childNodes)


def add(document, operation):
    """Applies an addition."""
    target = select(document, operation)
    kind = operation.getAttribute("type")
    if kind.startswith("namespace::"):
        name = kind.replace("namespace::", "xmlns:")
        if target.hasAttribute(name):
            raise DoesNotFit(operation.toxml())
        target.setAttributeNS("http://www.w3.org/2000/xmlns/", name, text_of(operation))
        return
    if kind:
        space, local = expanded(operation, kind[1:], False)
        if target.nodeType != Node.ELEMENT_NODE or target.hasAttributeNS(space, local):
            raise DoesNotFit(operation.toxml())
        # minidom keeps attributes by their names as written: here by one that no other has
        name = kind[1:] if not space or kind.startswith("@xml:") else f"{len(target.attributes)}:{local}"
        target.setAttributeNS(space, name, text_of(operation))
        return
    position = operation.getAttribute("pos")
    beside = position in ("before", "after")
    parent = target.parentNode if beside else target
    outside = (Node.COMMENT_NODE, Node.PROCESSING_INSTRUCTION_NODE)
    top = parent is document and any(c.nodeType not in outside for c in operation.childNodes)
    if target.nodeType == Node.ATTRIBUTE_NODE or not (beside or target.nodeType == Node.ELEMENT_NODE) or top:
        raise DoesNotFit(operation.toxml())
    before = {
        "": lambda: None,
        "prepend": lambda: parent.childNodes[0] if parent.childNodes else None,
        "before": lambda: target,
        "after": lambda: neighbour(target, 1),
    }[position]()
    for node in operation.childNodes:
        parent.insertBefore(document.importNode(node, True), before)
    parent.normalize()


def replace(document, operation):
    """Applies a replacement: of a node by one of its kind, of a value by text."""
    target = select(document, operation)
    if isinstance(target, tuple):
        name = "xmlns:" + target[1]
        if not target[0].hasAttribute(name):
            raise DoesNotFit(operation.toxml())
        target[0].setAttribute(name, text_of(operation))
        return
    if target.nodeType == Node.ATTRIBUTE_NODE:
        target.value = text_of(operation)
        return
    if target.nodeType == Node.TEXT_NODE:
        target.data = text_of(operation)
        target.parentNode.normalize()
        return
    nodes = [c for c in operation.childNodes if c.nodeType != Node.TEXT_NODE or c.data.strip(SPACE)]
    if len(nodes) != 1 or nodes[0].nodeType != target.nodeType:
        raise DoesNotFit(operation.toxml())
    target.parentNode.replaceChild(document.importNode(nodes[0], True), target)


def remove(document, operation):
    """Applies a removal."""
    target = select(document, operation)
    if isinstance(target, tuple):
        name = "xmlns:" + target[1]
        if not target[0].hasAttribute(name):
            raise DoesNotFit(operation.toxml())
        target[0].removeAttribute(name)
        return
    if target.nodeType == Node.ATTRIBUTE_NODE:
        target.ownerElement.removeAttributeNode(target)
        return
    if target is document.documentElement:
        raise DoesNotFit(operation.toxml())
    parent = target.parentNode
    space = operation.getAttribute("ws")
    beside = [neighbour(target, -1)] * (space in ("before", "both"))
    beside += [neighbour(target, 1)] * (space in ("after", "both"))
    for node in beside:
        if node is None or node.nodeType != Node.TEXT_NODE or node.data.strip(SPACE):
            raise DoesNotFit(operation.toxml())
    for node in [target, *beside]:
        parent.removeChild(node)
    parent.normalize()


def apply_patch(document, patch):
    """Applies all operations of a patch to a document."""
    operations = {"add": add, "replace": replace, "remove": remove}
    for operation in patch.documentElement.childNodes:
        operations[operation.tagName](document, operation)
    return document
