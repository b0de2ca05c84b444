"""Differences of trees and of documents."""

import json
from xml.etree import ElementTree

import json_oracle
import xml_oracle
from check import Check, equals, outcome
from conversion import NoTree
from diff_oracle import counts, json_text, plain_diff, sides, summary, xml_text
from html_checks import tree_of as tree_of_page
from html_documents import random_page
from json_documents import random_document as random_json
from oracle import write
from trees import random_pairs
from xml_documents import random_document as random_xml


def tree_of(definition, options):
    """The tree of a document, or None."""

    def tree(doc):
        try:
            return definition(doc, options)
        except Exception:
            return None

    return tree


json_tree = tree_of(json_oracle.tree_from_json, json_oracle.Options())
xml_tree = tree_of(xml_oracle.tree_from_xml, xml_oracle.Options())


def edited_value(rng, value):
    """A JSON value with some of its parts left out, doubled or changed."""
    if rng.random() < 0.1:
        return rng.choice([1, "new", None, [], {}, ["x", value], {"new": value}])
    if isinstance(value, list):
        parts = [edited_value(rng, part) for part in value if rng.random() < 0.9]
        return parts + parts[: rng.random() < 0.2]
    if isinstance(value, dict):
        return {
            key + "x" * (rng.random() < 0.1): edited_value(rng, part)
            for key, part in value.items()
            if rng.random() < 0.9
        }
    return value


def edited_json(rng, doc):
    """An edited copy of a document."""
    return json.dumps(edited_value(rng, json.loads(doc, parse_float=len)))


def edited_xml(rng, doc):
    """An edited copy of a document; another document where Python has no such tree."""
    try:
        root = ElementTree.fromstring(doc.replace("unbound:", ""))
    except (ElementTree.ParseError, ValueError):
        return "<a k='1'>one</a>"
    for element in list(root.iter()):
        for change in rng.sample(range(20), 2):
            if change == 0:
                element.tag = "new"
            elif change == 1:
                element.text = "some text"
            elif change == 2:
                element.set("k", rng.choice(["1", '"', "&<>"]))
            elif change == 3:
                ElementTree.SubElement(element, "added").tail = "and more"
            elif change == 4 and len(element):
                element.remove(element[0])
    return ElementTree.tostring(root, encoding="unicode")


def says_both(tree, text):
    """The differences tell both documents, where no line is shortened."""

    def fault(got, *docs):
        if (got == "") != (tree(docs[0]) == tree(docs[1])):
            return f"got {got!r}"
        if got == "" or "..." in got:
            return None
        for doc, content in zip(docs, sides(got, text is json_text), strict=True):
            if tree(text(content)) != tree(doc):
                return f"{text(content)} is not {doc}, by\n{got}"
        return None

    return fault


def has_twins(tree):
    """Whether attributes have the same name without their prefixes, so that it is no XML."""
    names = [label for label, _ in tree[1] if label.startswith("@")]
    return len(set(names)) < len(names) or any(map(has_twins, tree[1]))


def random_documents(rng, count, random_document, edited, tree):
    """Pairs of documents that have a tree, the second one an edited copy."""
    for _ in range(count):
        doc = random_document(rng)
        if tree(doc) is not None and not has_twins(tree(doc)):
            changed = edited(rng, doc)
            if tree(changed) is not None and not has_twins(tree(changed)):
                yield rng.choice([(doc, changed), (changed, doc)])


def edited_page(rng, tree):
    """The tree of a page with some of its texts and elements changed."""
    label, children = tree
    if not children:
        return (label + rng.choice(["", "", "", " new"]) if " " in label else label, ())
    if label in ("b", "i", "p") and rng.random() < 0.2:
        label = rng.choice("bip")
    return label, tuple(edited_page(rng, child) for child in children)


# Names that are no XML, text that XML has not, and empty elements that HTML 4 does not know.
UNREADABLE = ["xlink:", "\u00a0", "{section}", "{x-a}"]


def random_pages(rng, count):
    """Pairs of trees of pages that have a root, and that can be read as XML."""
    for _ in range(count):
        try:
            tree = tree_of_page(random_page(rng)[1], {"fragment_root": ""})
        except NoTree:
            continue
        if not has_twins(tree) and not any(text in write(tree) for text in UNREADABLE):
            yield tree, edited_page(rng, tree)


def page_tree(page):
    """The tree of a page, which is one already, or of the lines of one."""
    return page if isinstance(page, tuple) else xml_tree(page)


def outcomes(rng, count):
    """Numbers and lines of random pairs."""
    pairs = random_pairs(rng, count)
    short = [(a, b) for a, b in pairs if max(len(write(a)), len(write(b))) < 100]
    checks = [
        Check(
            "tree_edit_counts", "a tree, b tree", "to_json(tree_edit_counts(a, b))", json.loads,
            equals(counts), pairs,
        ),
        Check("tree_diff", "a tree, b tree", "tree_diff(a, b)", str, equals(plain_diff), short),
        Check(
            "tree_diff_summary", "a tree, b tree", "tree_diff_summary(a, b)", str, equals(summary), pairs,
        ),
        Check(
            "tree_diff of json", "a json, b json", "tree_diff(a, b)", str,
            says_both(json_tree, json_text),
            list(random_documents(rng, count, random_json, edited_json, json_tree)),
        ),
        Check(
            "tree_diff of xml", "a xml, b xml", "tree_diff(a, b)", str,
            says_both(xml_tree, xml_text),
            list(random_documents(rng, count, random_xml, edited_xml, xml_tree)),
        ),
        Check(
            "tree_diff of pages", "a tree, b tree", "tree_diff(a, b)", str,
            says_both(page_tree, xml_text), list(random_pages(rng, count)),
        ),
    ]
    return map(outcome, checks)
