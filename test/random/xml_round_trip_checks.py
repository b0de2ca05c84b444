"""Patches of XML in round trips, over all that documents may have, by their canonical XML.

Documents are made as trees of expanded names, changed, and written with prefixes that
are chosen at random each time; Python's own parser and canonical XML say which are equal.
"""

import copy
import json
from xml.etree import ElementTree

from check import Check, outcome

URIS = [None, None, "u", "urn:v", "a&b", "a<b>c", 'q"r', "s't", "\"&'<", "é:日本", "l\ni\tn", "?x=1&y=2"]
PREFIXES = ["", "", "p", "q", "é", "ns1", "ns2"]
NAMES = ["a", "b", "c", "é", "ñame", "名前", "Ω-1", "_x", "a.b", "text", "comment", "node", "id", "namespace"]
TEXTS = ["x", "y", " ", "\n  ", "1 2", "&<>", "]]>", "\r", "\u00a0", "😀é", "\"'"]

# Names of elements that have attributes by default, which are known by names without a namespace.
DEFAULTED = ["d", "ð"]

# Entities; libxml2 puts elements of one into the namespace of the first place that names it.
ENTITIES = ["e", "f", "m", "q"]
ENTITY_DECLARATIONS = (
    """<!ENTITY e "x"><!ENTITY f '&#38;#38;lt;&#38;#38;amp;é'>"""
    """<!ENTITY m "t&#60;b/>&e;"><!ENTITY q "]>&#34;'&#37;">"""
)
DEFAULTS = """<!ATTLIST d x CDATA "a&amp;&lt;'&quot;" é NMTOKENS " x  y " xml:lang NMTOKEN 'de'>
<!ATTLIST ð y (u|v) "u" id ID #IMPLIED z CDATA #FIXED '"&#10;]>'>"""

# Document types, of which the last one decides about attributes.
DOCTYPES = ["", f"<!DOCTYPE a [{ENTITY_DECLARATIONS}]>", f"<!DOCTYPE é [\n{ENTITY_DECLARATIONS}{DEFAULTS} ]\n>"]


class Element:
    """An element by its expanded name, with attributes by theirs, and children."""

    def __init__(self, uri, name):
        self.uri, self.name = (None if name in DEFAULTED else uri), name
        self.attributes, self.children = {}, []

    def elements(self):
        """The element and all below."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.elements()


def random_leaf(rng, around=False):
    """A comment, an instruction or, inside of the root, text or an entity."""
    kind = rng.choice("!?" if around else "!?tttt&c")
    if kind == "!":
        return "!", rng.choice(["", "c", " <d> & ", "é", "]]>"])
    if kind == "?":
        return "?", rng.choice(["p", "né", "b"]), rng.choice(["", "x", "y='&<'", "é "])
    if kind == "&":
        return "&", rng.choice(ENTITIES)
    return kind, rng.choice(TEXTS)


def random_element(rng, size, uris):
    """An element with about so many nodes below."""
    element = Element(rng.choice(uris), rng.choice(NAMES + DEFAULTED))
    for _ in range(rng.choice([0, 0, 1, 2, 3])):
        set_attribute(rng, element, uris)
    while size > 0:
        part = rng.randint(1, size)
        size -= part
        leaf = part == 1 and rng.random() < 0.7
        element.children.append(random_leaf(rng) if leaf else random_element(rng, part - 1, uris))
    return element


def set_attribute(rng, element, uris):
    """Gives an element an attribute, or another value of it."""
    uri, name = rng.choice([*uris, "xml"]), rng.choice(["x", "y", "é", "k", "a"])
    if uri == "xml":
        name = rng.choice(["lang", "space"])
    values = ["", "1", "a&b<c", "\n\t", "\"'", "é"]
    element.attributes[uri, name] = "default" if name == "space" else rng.choice(values)


def random_around(rng):
    """Comments and instructions on a side of the root."""
    return [random_leaf(rng, True) for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 3]))]


class Document:
    """A root, and what stands around it."""

    def __init__(self, rng):
        uris = [None, *rng.sample(URIS, rng.randint(1, 4))]
        self.root = random_element(rng, rng.choice([0, 2, 5, 10, 25]), uris)
        self.around = [random_around(rng), random_around(rng)]
        self.uris = uris

    def change(self, rng):
        """Makes one change."""
        elements = list(self.root.elements())
        element = rng.choice(elements)
        children = element.children
        at = rng.randrange(len(children) + 1)
        some = rng.choice(self.around)
        kind = rng.choice(["remove", "add", "element", "set", "drop", "space", "name", "wrap", "unwrap", "copy", "turn", "around", "cross"])
        if kind == "remove":
            del children[at : at + 1]
        elif kind == "add":
            children.insert(at, random_leaf(rng))
        elif kind == "element":
            children.insert(at, random_element(rng, rng.choice([0, 1, 4]), self.uris))
        elif kind == "set":
            set_attribute(rng, element, self.uris)
        elif kind == "drop" and element.attributes:
            del element.attributes[rng.choice(list(element.attributes))]
        elif kind == "space" and element.name not in DEFAULTED:
            element.uri = rng.choice(self.uris)
        elif kind == "name" and element.name not in DEFAULTED:
            element.name = rng.choice(NAMES)
        elif kind == "wrap":
            end = rng.randint(at, len(children))
            around = Element(rng.choice(self.uris), rng.choice(NAMES))
            around.children, children[at:end] = children[at:end], [around]
        elif kind == "unwrap" and at < len(children) and isinstance(children[at], Element):
            children[at : at + 1] = children[at].children
        elif kind == "copy":
            children.insert(at, copy.deepcopy(rng.choice(elements)))
        elif kind == "turn":
            rng.choice([children, some]).reverse()
        elif kind == "around":
            some.insert(rng.randrange(len(some) + 1), random_leaf(rng, True))
        elif kind == "cross":
            self.around.reverse()

    def written(self, rng, doctype):
        """The text of the document."""
        before, after = ("".join(map(leaf_text, some)) for some in self.around)
        declaration = rng.choice(["", "", '<?xml version="1.0"?>'])
        root = element_text(rng, self.root, {"": ""}, bool(doctype))
        parts = [before, doctype] if rng.random() < 0.5 else [doctype, before]
        return "".join([declaration, *parts, root, after])


def quoted(rng, value):
    """The value of an attribute in quotation marks."""
    mark = rng.choice("\"'")
    for plain, reference in (("&", "&amp;"), ("<", "&lt;"), ("\n", "&#10;"), ("\t", "&#x9;"), ("\r", "&#13;"), (mark, f"&#{ord(mark)};")):
        value = value.replace(plain, reference)
    return mark + value + mark


def leaf_text(leaf):
    """What is written for a node that is no element."""
    kind, value = leaf[:2]
    if kind == "!":
        return f"<!--{value}-->"
    if kind == "?":
        return f"<?{value} {leaf[2]}?>"
    if kind == "c" and "]]>" not in value and "\r" not in value:
        return f"<![CDATA[{value}]]>"
    if kind == "&":
        return f"&{value};"
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def qualified(rng, uri, name, scope, declared, used, is_attribute):
    """A name with a prefix in scope, or with one that is declared for it."""
    if uri == "xml":
        return "xml:" + name
    if is_attribute and uri is None:
        return name
    uri = uri or ""
    known = [p for p, u in scope.items() if u == uri and (p or not is_attribute)]
    prefix = rng.choice(known) if known and rng.random() < 0.7 else rng.choice(PREFIXES)
    if not uri:
        prefix = ""
    if scope.get(prefix) != uri or (is_attribute and not prefix):
        while prefix in used or (is_attribute and not prefix):
            prefix = rng.choice([*PREFIXES, f"z{len(used)}"])
        declared[prefix] = scope[prefix] = uri
    used.add(prefix)
    return f"{prefix}:{name}" if prefix else name


def element_text(rng, element, scope, entities):
    """What is written for an element in the scope of some prefixes."""
    scope, declared, used = dict(scope), {}, set()
    names = [qualified(rng, element.uri, element.name, scope, declared, used, False)]
    names += [qualified(rng, *name, scope, declared, used, True) for name in element.attributes]
    if rng.random() < 0.1 and (extra := rng.choice(PREFIXES)) not in used:
        declared[extra] = scope[extra] = rng.choice(URIS[2:])
    attributes = [f'{"xmlns:" + p if p else "xmlns"}={quoted(rng, u)}' for p, u in declared.items()]
    attributes += [f"{n}={quoted(rng, v)}" for n, v in zip(names[1:], element.attributes.values(), strict=True)]
    rng.shuffle(attributes)
    inside = []
    for child in element.children:
        if isinstance(child, Element):
            inside.append(element_text(rng, child, scope, entities))
        elif child[0] != "&" or (entities and not scope[""]):
            inside.append(leaf_text(child))
    tag = " ".join([names[0], *attributes])
    return f"<{tag}>{''.join(inside)}</{names[0]}>" if inside else f"<{tag}/>"


def random_pairs(rng, count):
    """Documents and changed copies, written with other prefixes; a few are of two documents."""
    for _ in range(count):
        first = Document(rng)
        second = Document(rng) if rng.random() < 0.05 else copy.deepcopy(first)
        for _ in range(rng.choice([0, 1, 1, 2, 3, 6])):
            second.change(rng)
        both = rng.random() < 0.3
        doctypes = [DOCTYPES[2]] * 2 if both else rng.choices(DOCTYPES[:2], k=2)
        yield first.written(rng, doctypes[0]), second.written(rng, doctypes[1])


def canonical(text):
    """A document in canonical XML, in which prefixes do not count."""
    return ElementTree.canonicalize(text, with_comments=True, rewrite_prefixes=True)


def round_trip_fault(got, _, b):
    """What is wrong with a patch, with what it makes, and with a second patch, which is empty."""
    patch, applied, rest = json.loads(got)
    try:
        ElementTree.fromstring(patch)
        if canonical(applied) != canonical(b):
            return f"ted gives {applied} by {patch}"
    except ElementTree.ParseError as error:
        return f"{error}: {applied} by {patch}"
    return None if rest == "<diff/>" else f"{rest} remains of {applied} by {patch}"


def outcomes(rng, count):
    """Patches applied to the documents that they were made of."""
    yield outcome(Check(
        "xml_patch_apply of xml_patch", "a text, b text",
        "(SELECT json_build_array(p::text, d::text, xml_patch(d, b::xml)::text)"
        " FROM xml_patch(a::xml, b::xml) AS p, xml_patch_apply(a::xml, p) AS d)",
        str, round_trip_fault, list(random_pairs(rng, count)),
    ))
