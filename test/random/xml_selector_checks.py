"""Patches of XML that a program of Python writes, with selectors of all kinds, and applies itself."""

import json
from xml.dom import Node
from xml.parsers.expat import ExpatError

from check import Check, outcome
from server import psql
from xml_patch_checks import all_nodes
from xml_patch_oracle import (
    SPACE,
    DoesNotFit,
    apply_patch,
    contents,
    filtered,
    matches,
    neighbour,
    parse,
    value_of,
)
from xml_round_trip_checks import (
    URIS,
    Document,
    element_text,
    leaf_text,
    quoted,
    random_element,
    random_leaf,
)

# What a patch does, or the SQLSTATE of its error.
APPLY = """SET client_min_messages = warning;
CREATE OR REPLACE FUNCTION patched_or_error(a xml, patch xml) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RETURN xml_patch_apply(a, patch);
EXCEPTION WHEN OTHERS THEN
  RETURN SQLSTATE;
END $$"""

# Prefixes that no name has, of declarations that operations change.
UNUSED = ["m1", "m2"]

XML_SPACE = "http://www.w3.org/XML/1998/namespace"


def literal(rng, value):
    """A string in a selector, or None where it cannot be written."""
    marks = [mark for mark in "\"'" if mark not in value]
    return marks and (mark := rng.choice(marks)) + value + mark


def gap(rng):
    """White space between the parts of a selector."""
    return rng.choice([""] * 9 + [" ", "\n "])


class Writer:
    """Writes operations for a document in the scope of prefixes that the patch declares."""

    def __init__(self, rng, document):
        self.rng, self.document = rng, document
        uris = [uri for uri in URIS if uri]
        self.scope = {prefix: rng.choice(uris) for prefix in ["p", "q", "é", "r"]}
        self.scope[""] = rng.choice([*uris, "", "", "", ""])
        declarations = (
            f'{"xmlns:" + p if p else "xmlns"}={quoted(rng, uri)}' for p, uri in self.scope.items()
        )
        self.header = f"<diff {' '.join(declarations)}>"
        self.operation = self.parsed("<remove/>")

    def parsed(self, operation):
        """The element of an operation, in a patch of its own."""
        return parse(f"{self.header}{operation}</diff>").documentElement.firstChild

    def name(self, node):
        """The name of an element or an attribute, or None where no prefix leads there."""
        uri = node.namespaceURI or ""
        if uri == XML_SPACE:
            return node.name
        if node.nodeType == Node.ATTRIBUTE_NODE and not uri:
            return node.localName
        prefixes = [p for p, u in self.scope.items() if u == uri and (p or node.nodeType == Node.ELEMENT_NODE)]
        if not prefixes:
            return None
        prefix = self.rng.choice(prefixes)
        return f"{prefix}:{node.localName}" if prefix else node.localName

    def test(self, node):
        """A test that a node passes."""
        rng = self.rng
        if rng.random() < 0.1:
            return "node()"
        if node.nodeType == Node.TEXT_NODE:
            return "text()"
        if node.nodeType == Node.COMMENT_NODE:
            return "comment()"
        if node.nodeType == Node.PROCESSING_INSTRUCTION_NODE:
            return f"processing-instruction({rng.choice(['', literal(rng, node.target)])})"
        return rng.choice(["*", self.name(node) or "*"])

    def condition(self, node):
        """A predicate with a value that a node has, or none."""
        rng = self.rng
        pairs = [(".", value_of(node))]
        if node.nodeType == Node.ELEMENT_NODE:
            attributes = [a for a in node.attributes.values() if not a.name.startswith("xmlns")]
            pairs += [("@" + (self.name(a) or ""), a.value) for a in attributes]
            children = [c for c in node.childNodes if c.nodeType == Node.ELEMENT_NODE]
            pairs += [(self.name(c) or "*", value_of(c)) for c in children]
        name, value = rng.choice(pairs)
        text = literal(rng, value)
        return text and not name.endswith(("@", "*")) and f"{gap(rng)}{name}{gap(rng)}={gap(rng)}{text}{gap(rng)}"

    def step(self, node):
        """A step to a node from its parent."""
        rng, test, predicates = self.rng, self.test(node), []
        found = [c for c in node.parentNode.childNodes if matches(self.operation, c, test)]
        for _ in range(rng.choice([0, 0, 0, 1, 2])):
            if condition := self.condition(node):
                predicates.append(condition)
                found = filtered(self.operation, found, condition.strip())
        if len(found) > 1 or rng.random() < 0.3:
            predicates.append(str(found.index(node) + 1))
            if rng.random() < 0.03:
                predicates.append(rng.choice(["0", "2", "4294967297", ".='no'", "@no=''"]))
        return gap(rng) + test + "".join(f"{gap(rng)}[{p}]" for p in predicates)

    def selector(self, node):
        """A selector of a node."""
        rng, steps = self.rng, []
        while node is not self.document:
            by_id = node.nodeType == Node.ELEMENT_NODE and node.getAttribute("xml:id")
            if by_id and rng.random() < 0.3:
                return "/".join([f"id({literal(rng, by_id)})", *steps])
            steps.insert(0, self.step(node))
            node = node.parentNode
        return rng.choice(["", "/"]) + "/".join(steps)

    def element(self):
        """An element to be added."""
        size = self.rng.choice([0, 1, 4])
        return element_text(self.rng, random_element(self.rng, size, URIS), self.scope, False)

    def content(self, outside):
        """Nodes to be added, perhaps outside of the root."""
        rng, parts = self.rng, []
        for _ in range(rng.choice([1, 1, 2, 3])):
            leaf = random_leaf(rng, outside and rng.random() < 0.9)
            if leaf[0] not in "!?" and rng.random() < 0.5:
                parts.append(self.element())
            elif leaf[0] != "&":
                parts.append(leaf_text(leaf))
        return "".join(parts)

    def like(self, node):
        """What can replace a node, perhaps in white space."""
        space = self.rng.choice(["", "", "\n "])
        if node.nodeType == Node.ELEMENT_NODE:
            return space + self.element() + space
        mark = "!" if node.nodeType == Node.COMMENT_NODE else "?"
        return space + leaf_text((mark, *self.rng.choice([("c", "d"), ("é", "")]))) + space

    def text(self):
        """A value."""
        return leaf_text(("t", self.rng.choice(["", "1", "a&b<c", " x ", "é\r"])))

    def write(self):
        """A random operation."""
        rng = self.rng
        nodes = list(all_nodes(self.document))
        nodes = [n for n in nodes if n is not self.document.documentElement] * 3 + [self.document.documentElement]
        node = rng.choice(nodes)
        selector, kind = self.selector(node), rng.choice(["add", "replace", "remove"])
        attributes = []
        if node.nodeType == Node.ELEMENT_NODE:
            attributes = [a for a in node.attributes.values() if not a.name.startswith("xmlns")]
            if rng.random() < 0.1:
                return self.namespace(node, selector, kind)
        if kind == "add" and rng.random() < 0.3:
            name = rng.choice(["x", "ñ", "p:x", "q:y", "é:é", "xml:lang"])
            return f"<add sel={quoted(rng, selector)} type='@{name}'>{self.text()}</add>"
        if kind == "add":
            inside = ["", "pos='prepend'"] * (node.nodeType == Node.ELEMENT_NODE or rng.random() < 0.1)
            position = rng.choice(["pos='before'", "pos='after'", *inside])
            outside = node.parentNode is self.document and position not in inside
            return f"<add sel={quoted(rng, selector)} {position}>{self.content(outside)}</add>"
        if attributes and rng.random() < 0.4 and (name := self.name(rng.choice(attributes))):
            end = f">{self.text()}</replace>" if kind == "replace" else "/>"
            return f"<{kind} sel={quoted(rng, f'{selector}/@{name}')}{end}"
        if kind == "remove":
            blank = [n is not None and n.nodeType == Node.TEXT_NODE and not n.data.strip(SPACE)
                     for n in (neighbour(node, -1), neighbour(node, 1))]
            spaces = ["ws='before'", "ws='after'", "ws='both'"]
            possible = [space for space, b in zip(spaces, [*blank, all(blank)], strict=True) if b]
            space = rng.choice(["", *possible]) if rng.random() < 0.95 else rng.choice(spaces)
            return f"<remove sel={quoted(rng, selector)} {space}/>"
        if node.nodeType == Node.TEXT_NODE:
            new = self.text()
        else:
            new = self.like(node) if rng.random() < 0.9 else self.content(False)
        return f"<replace sel={quoted(rng, selector)}>{new}</replace>"

    def namespace(self, node, selector, kind):
        """An operation on the declaration of a prefix that no name has."""
        prefix, uri = self.rng.choice(UNUSED), leaf_text(("t", self.rng.choice(URIS[2:])))
        if self.rng.random() < 0.9 and not node.hasAttribute(f"xmlns:{prefix}"):
            kind = "add"
        if kind == "add":
            return f"<add sel={quoted(self.rng, selector)} type='namespace::{prefix}'>{uri}</add>"
        end = f">{uri}</replace>" if kind == "replace" else "/>"
        return f"<{kind} sel={quoted(self.rng, f'{selector}/namespace::{prefix}')}{end}"


def declared(document):
    """The declarations of prefixes that no name has."""
    elements = document.getElementsByTagName("*")
    return [
        (n, prefix, element.getAttribute(f"xmlns:{prefix}"))
        for n, element in enumerate(elements)
        for prefix in UNUSED
        if element.hasAttribute(f"xmlns:{prefix}")
    ]


def random_text(rng):
    """A document."""
    model = Document(rng)
    for number, element in enumerate(model.root.elements()):
        if rng.random() < 0.3:
            element.attributes["xml", "id"] = f"i{number}"
    return model.written(rng, "")


def long_text(rng):
    """A document with many siblings of all kinds."""
    kinds = ["<a/>", "<b x='1'/>", "<b>1</b>", "<p:b/>", "<q:c/>", "<!--d-->", "<!--e-->", "<?f g?>", "<?h?>", "t", " "]
    children = rng.choices(kinds, k=rng.choice([70, 200, 600]))
    p, q = (quoted(rng, rng.choice(URIS[2:])) for _ in range(2))
    return f"<w xmlns:p={p} xmlns:q={q}>{''.join(children)}</w>"


def random_case(rng, text, lengths):
    """A document, a patch, and what this makes of that as JSON, or the SQLSTATE of its error."""
    document, operations = parse(text), []
    writer = Writer(rng, document)
    for _ in range(rng.choice(lengths)):
        operations.append(writer.write())
        try:
            apply_patch(document, parse(f"{writer.header}{operations[-1]}</diff>"))
        except DoesNotFit:
            return text, f"{writer.header}{''.join(operations)}</diff>", "22000"
    return text, f"{writer.header}{''.join(operations)}</diff>", json.dumps([contents(document), declared(document)])


def patch_fault(got, _, patch, want):
    """What is wrong with a document that was patched."""
    if got == want:
        return None
    if want == "22000" or not got.startswith("<"):
        return f"ted gives {got} instead of {want}"
    try:
        document = parse(got)
    except ExpatError as error:
        return f"{error}: {got}"
    made = json.dumps([contents(document), declared(document)])
    return None if made == want else f"ted gives {got} instead of {want}"


def outcomes(rng, count):
    """Patches that were written here."""
    psql(APPLY)
    yield outcome(Check(
        "xml_patch_apply of patches by Python", "a text, patch text, want text",
        "patched_or_error(a::xml, patch::xml)", str, patch_fault,
        [random_case(rng, random_text(rng), [1, 2, 4]) for _ in range(count)],
    ))
    yield outcome(Check(
        "xml_patch_apply to documents with many siblings", "a text, patch text, want text",
        "patched_or_error(a::xml, patch::xml)", str, patch_fault,
        [random_case(rng, long_text(rng), [5, 20, 40]) for _ in range(count // 20 + 1)],
    ))
