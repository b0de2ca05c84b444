"""Patches of XML: made, and applied by ted and by their plain definition in Python."""

import json
from xml.dom import Node
from xml.parsers.expat import ExpatError

from check import Check, outcome
from cost_checks import model_of_labels
from cost_diff_checks import ignoring
from xml_documents import random_document
from xml_patch_oracle import DoesNotFit, apply_patch, contents, parse

# Labels that models say something of.
MODEL_LABELS = ["a", "b", "x", "w", "@a", "@b", "@x-1", "1", "2", "né"]

ROOT = '<w xmlns:p="urn:u" xmlns:q="urn:v">{}</w>'


def document(rng):
    """A random document with bound prefixes, with names that no text is."""
    while True:
        text = random_document(rng)
        text = text[text.index("?>") + 2 :] if text.startswith("<?xml") else text
        text = text.replace("unbound:", "").replace("<é", "<né").replace("</é", "</né")
        text = ROOT.format(text.replace(":é", ":né"))
        if rng.random() < 0.2:
            text = f"<!-- c -->{text}<?a b?>"
        try:
            return parse(text)
        except ExpatError:
            continue


def all_nodes(node):
    """All nodes below a node."""
    for child in list(node.childNodes):
        yield child
        yield from all_nodes(child)


def change(rng, doc, other):
    """Makes one change in a document."""
    nodes = list(all_nodes(doc.documentElement)) or [doc.documentElement]
    node = rng.choice(nodes)
    elements = [n for n in [doc.documentElement, *nodes] if n.nodeType == Node.ELEMENT_NODE]
    element, parent = rng.choice(elements), node.parentNode
    new = rng.choice(list(all_nodes(other.documentElement)) or [other.documentElement])
    new = doc.importNode(new, True)
    kind = rng.choice(
        ["remove", "add", "replace", "text", "set", "drop", "wrap", "unwrap", "copy", "outside"]
    )
    if kind == "remove" and node is not doc.documentElement:
        parent.removeChild(node)
    elif kind == "add":
        element.insertBefore(new, rng.choice([None, *element.childNodes]))
    elif kind == "replace" and node is not doc.documentElement:
        parent.replaceChild(new, node)
    elif kind == "text":
        element.insertBefore(doc.createTextNode(rng.choice(["x", " ", "1 2"])), element.firstChild)
    elif kind == "set":
        element.setAttribute(rng.choice(["a", "b", "p:a", "q:x-1", "xml:lang"]), rng.choice("12<"))
    elif kind == "drop" and element.attributes and element is not doc.documentElement:
        element.removeAttribute(rng.choice(list(element.attributes.keys())))
    elif kind == "wrap" and node is not doc.documentElement:
        around = doc.createElement(rng.choice(["a", "b"]))
        parent.replaceChild(around, node)
        around.appendChild(node)
    elif kind == "unwrap" and element is not doc.documentElement:
        for child in list(element.childNodes):
            element.parentNode.insertBefore(child, element)
        element.parentNode.removeChild(element)
    elif kind == "copy" and node is not doc.documentElement:
        element.appendChild(node.cloneNode(True))
    elif kind == "outside":
        doc.insertBefore(doc.createComment("new"), rng.choice([None, *doc.childNodes]))


def written(doc):
    """The text of a document."""
    return "".join(node.toxml() for node in doc.childNodes)


def edited(rng, doc, other):
    """The text of a copy with a few changes."""
    while True:
        copy = parse(written(doc))
        for _ in range(rng.choice([0, 1, 1, 2, 3, 5])):
            change(rng, copy, other)
        try:
            return written(parse(written(copy)))
        except ExpatError:
            continue


def random_pairs(rng, count):
    """Documents and edited copies, some of them of another document."""
    docs = [document(rng) for _ in range(count)]
    for doc in docs:
        other = rng.choice(docs)
        yield written(doc), edited(rng, doc if rng.random() < 0.95 else other, other)


def patch_fault(got, a, b):
    """What is wrong with a patch and what it makes."""
    patch, applied = json.loads(got)
    want = contents(parse(b))
    if contents(parse(applied)) != want:
        return f"ted gives {applied} by {patch}"
    patch = parse(patch)
    try:
        if contents(apply_patch(parse(a), patch)) != want:
            return f"another document by {patch.toxml()}"
    except DoesNotFit as error:
        return f"{error} does not fit in {patch.toxml()}"
    return None


def model_fault(got, a, _b, model):
    """What is wrong with a patch by a model, which leaves nothing to do but what costs nothing.

    White space and comments, which conversions leave out, make an element of a text and are renamed for nothing.
    """
    patch, applied, rest, distance = json.loads(got)
    is_plain = not any(said in model for said in ("element()", "text()", '": 0,', '": 0}'))
    if distance and is_plain and not parse(patch).documentElement.childNodes:
        return f"the distance is {distance}, the patch is empty"
    if parse(rest).documentElement.childNodes:
        return f"ted gives {applied} by {patch}, to which it does {rest}"
    try:
        if contents(apply_patch(parse(a), parse(patch))) != contents(parse(applied)):
            return f"not {applied} by {patch}"
    except DoesNotFit as error:
        return f"{error} does not fit in {patch}"
    return None


def shuffled(rng, text):
    """A document with the children of its elements in another order, where there is no text."""
    doc = parse(text)
    for element in [doc.documentElement, *all_nodes(doc.documentElement)]:
        children = list(element.childNodes)
        if all(child.nodeType == Node.ELEMENT_NODE for child in children):
            rng.shuffle(children)
            for child in children:
                element.appendChild(child)
    return written(doc)


def without_order(rng, pairs):
    """Pairs, some with another order, and patterns of elements whose children have no order."""
    for a, b in pairs:
        patterns = [p for p in ["element()", "a", "//b", "/w", "//w/*"] if rng.random() < 0.4]
        yield a, rng.choice([b, shuffled(rng, b), shuffled(rng, a)]), patterns


def order_fault(got, a, b, patterns):
    """A patch leads to the second document but for the order of children, and so do differences."""
    patch, rest, same, differs = json.loads(got)
    if not same:
        return f"another document by {patch}"
    if parse(rest).documentElement.childNodes:
        return f"{patch} leaves {rest}"
    # trees leave out comments, instructions and the white space that xml:space preserves
    left_out = any(mark in a + b for mark in ("<!--", "<?", "preserve"))
    if patterns == ["element()"] and not left_out and not differs and patch != "<diff/>":
        return f"there is no difference, but {patch}"
    return None


def outcomes(rng, count):
    """Patches of random documents."""
    patch = "xml_patch(a::xml, b::xml)"
    yield outcome(Check(
        "xml_patch", "a text, b text",
        f"json_build_array({patch}::text, xml_patch_apply(a::xml, {patch})::text)",
        str, patch_fault, list(random_pairs(rng, count)),
    ))
    yield outcome(Check(
        "xml_patch_invert", "a text, b text",
        f"xml_patch_apply(b::xml, xml_patch_invert(a::xml, {patch}))::text",
        str, lambda got, a, _: None if contents(parse(got)) == contents(parse(a)) else f"got {got}",
        list(random_pairs(rng, count // 2)),
    ))
    patch = "xml_patch(a::xml, b::xml, model)"
    applied = f"xml_patch_apply(a::xml, {patch})"
    yield outcome(Check(
        "xml_patch by a model of costs", "a text, b text, model tree_costs",
        f"json_build_array({patch}::text, {applied}::text, xml_patch({applied}, b::xml, model)::text,"
        " tree_edit_distance(a::xml, b::xml, model))",
        str, model_fault,
        [(*pair, ignoring(rng, model_of_labels(rng, MODEL_LABELS), MODEL_LABELS))
         for pair in random_pairs(rng, count)],
    ))
    patch = "xml_patch(a::xml, b::xml, tree_costs(unordered => patterns))"
    applied = f"xml_patch_apply(a::xml, {patch})"
    sort = "tree_from_xml({}, unordered => '{{element()}}')"
    yield outcome(Check(
        "xml_patch without an order of children", "a text, b text, patterns text[]",
        f"json_build_array({patch}::text, xml_patch({applied}, b::xml, tree_costs(unordered => patterns))::text,"
        f" {sort.format(applied)} = {sort.format('b::xml')},"
        " tree_diff(a::xml, b::xml, tree_costs(unordered => patterns)) <> '')",
        str, order_fault, list(without_order(rng, random_pairs(rng, count))),
    ))
