"""Pictures of differences and of trees: what they show is what the documents are."""

import json
import re
from xml.etree import ElementTree

from check import Check, outcome
from diff_checks import edited_json, edited_xml, json_tree, random_documents, xml_tree
from diff_oracle import json_text, one_line, sides, xml_text
from json_documents import random_document as random_json
from oracle import nodes
from trees import random_pairs
from xml_documents import random_document as random_xml

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"


def shown(text):
    """A text as pictures show it."""
    text = re.sub("[\0-\x08\n-\x1f]", lambda c: chr(0x2400 + ord(c[0])), text)
    return re.sub("[\x80-\x9f\ufffe\uffff]", "\ufffd", text.replace("\x7f", "\u2421"))


def shown_tree(tree):
    """A tree whose labels are as pictures show them."""
    return shown(tree[0]), tuple(map(shown_tree, tree[1]))


def page(text):
    """A page or picture as elements; it is ASCII."""
    text.encode("ascii")
    return ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))


def line_of(cell):
    """The text of a cell without remarks, and with what is folded, but not its number of characters."""
    remarks = ["".join(remark.itertext()) for remark in cell.findall(f"{HTML}i")]
    for summary in cell.iter(f"{HTML}summary"):
        summary.text = ""
    text = "".join(cell.itertext())
    for remark in remarks:
        text = text.removesuffix(f" {remark}")
    return text


def cells(html):
    """For each column of a page: depths and texts of its lines, all folds opened."""
    rows = [row for row in html.iter(f"{HTML}div") if row.get("class", "").startswith("r ")]
    for column in (0, 2):
        row_cells = [(row[column], row.get("class")[-1]) for row in rows]
        yield [
            (int((cell.get("style") or "--i:0").split(":")[1]), line_of(cell))
            for cell, mark in row_cells
            if mark not in "i-d"[column]
        ]


def html_of_trees(got, *docs):
    """Both columns have all nodes in preorder."""
    for doc, column in zip(docs, cells(page(got)), strict=True):
        expected = [(n.depth - 1, shown(one_line(n.label))) for n in nodes(doc)]
        if column != expected:
            return f"{column} instead of {expected}"
    return None


def html_of_documents(tree, text):
    """Both columns are the documents."""

    def fault(got, *docs):
        for doc, column in zip(docs, cells(page(got)), strict=True):
            content = text(line for _, line in column)
            if tree(content) != shown_tree(tree(doc)):
                return f"{content!r} is not {doc!r}"
        return None

    return fault


def label_of(element):
    """What a text of a picture stands for, in full."""
    title = element.find(f"{SVG}title")
    return "".join((element if title is None else title).itertext())


def svg_of_trees(got, *_):
    """Both columns have the lines of tree_diff(), with a line between those in both."""
    diff, picture = got
    left, links, right = page(picture).findall(f"{SVG}svg")
    if diff == "":
        return None if len(links) == 1 else "more than a fold"
    for column, lines in zip((left, right), map(list, sides(diff)), strict=True):
        texts = [label_of(t).strip(" ") for t in column.findall(f"{SVG}text") if t.get("x") != "8"]
        expected = [
            shown(re.sub(r"(^|(?<= ))\.\.\. (?=\d+ nodes?$)", "\u2026 ", line)).strip(" ")
            for line in lines
        ]
        folded = [" characters ..." in line for line in lines]
        texts, expected = ([t for t, is_folded in zip(side, folded) if not is_folded] for side in (texts, expected))
        if texts != expected:
            return f"{texts} instead of {expected}"
    marks = [line[0] for line in diff.split("\n")]
    if len(links) != marks.count(" ") + marks.count("~"):
        return f"{len(links)} lines between matches"
    return None


def postorder(tree, depth=0):
    """Labels and depths, children first, and whether it is a leaf."""
    for child in tree[1]:
        yield from postorder(child, depth + 1)
    yield tree[0], depth, not tree[1]


def svg_of_tree(got, tree):
    """All nodes, by depth from left to right, the leaves one below the other."""
    texts = page(got).findall(f"{SVG}text")
    expected = list(postorder(tree))
    if list(map(label_of, texts)) != [shown(label) for label, _, _ in expected]:
        return "other labels"
    places = [(int(t.get("x")), int(t.get("y"))) for t in texts]
    by_depth = dict(sorted((depth, x) for (x, _), (_, depth, _) in zip(places, expected)))
    if any(by_depth[depth] != x for (x, _), (_, depth, _) in zip(places, expected)):
        return "nodes of a depth in several places"
    if list(by_depth.values()) != sorted(set(by_depth.values())):
        return "a depth left of one that is less"
    rows = [y for (_, y), (_, _, is_leaf) in zip(places, expected) if is_leaf]
    if rows != sorted(set(rows)) or len(set(places)) < len(places):
        return "nodes in the same place"
    return None


def outcomes(rng, count):
    """Pages and pictures of random pairs."""
    pairs = random_pairs(rng, count)
    documents = {
        "json": list(random_documents(rng, count, random_json, edited_json, json_tree)),
        "xml": list(random_documents(rng, count, random_xml, edited_xml, xml_tree)),
    }
    checks = [
        Check("tree_diff_html", "a tree, b tree", "tree_diff_html(a, b)", str, html_of_trees, pairs),
        Check(
            "tree_diff_html of json", "a json, b json", "tree_diff_html(a, b)", str,
            html_of_documents(json_tree, json_text), documents["json"],
        ),
        Check(
            "tree_diff_html of xml", "a xml, b xml", "tree_diff_html(a, b)", str,
            html_of_documents(xml_tree, xml_text), documents["xml"],
        ),
        Check(
            "tree_diff_svg", "a tree, b tree", "json_build_array(tree_diff(a, b), tree_diff_svg(a, b))",
            json.loads, svg_of_trees, pairs,
        ),
        Check("tree_svg", "a tree", "tree_svg(a)", str, svg_of_tree, [(a,) for a, _ in pairs]),
    ]
    return map(outcome, checks)
