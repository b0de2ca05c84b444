"""Differences, counts and patches by models: what costs nothing is in none of them."""

import json
from decimal import Decimal

import cost_oracle
import json_oracle
import oracle
from check import Check, outcome
from cost_checks import model_of_labels, pair_of_trees, random_model, random_pattern
from cost_oracle import both, distance, oracle_nodes
from diff_checks import edited_json, edited_xml, json_tree, random_documents, says_both, xml_tree
from diff_oracle import json_text, xml_text
from json_documents import random_document
from patterns import escaped, parse
from patch_checks import edited, exact, written as written_json
from xml_documents import random_document as random_xml

NO_DIFFERENCE = ">no differences"


def ignoring(rng, model, labels):
    """A model that ignores some nodes, besides what it says."""
    model = cost_oracle.read(model)
    said = {parse(rule["pattern"]) for rule in model.get("rules", [])}
    chosen = {random_pattern(rng, labels) for _ in range(rng.choice([0, 1, 1, 2]))} - {"*"}
    chosen |= {f"{kind}()" for kind in ("string", "number", "text", "element", "attribute") if rng.random() < 0.1}
    chosen = {parse(pattern): pattern for pattern in sorted(chosen)}
    rules = [{"pattern": pattern, "ignore": True} for parsed, pattern in chosen.items() if parsed not in said]
    model["rules"] = model.get("rules", []) + rules
    return json.dumps(model, default=float, ensure_ascii=False)


def labels_of(*trees):
    """The labels of trees."""
    return [node.label for tree in trees for node in oracle.nodes(tree)]


def cases_of_trees(rng, count):
    """Pairs of trees and a model that ignores some of their nodes."""
    pairs = [pair_of_trees(rng) for _ in range(count)]
    return [(*pair, ignoring(rng, random_model(rng, *pair), labels_of(*pair))) for pair in pairs]


def zero_fault(got, a, b, model):
    """Distance 0 is no difference, in each form of them."""
    d = distance(a, b, model)
    text, page, picture = got
    said = [text == "", NO_DIFFERENCE in page, NO_DIFFERENCE in picture]
    return None if said == 3 * [d == 0] else f"the distance is {d}, and there is no difference: {said}"


def counts_fault(got, a, b, model):
    """The operations of the mapping that cost something, and nodes that are not ignored."""
    counts, rows = got
    left, right = (list(oracle_nodes(tree)) for tree in both(a, b, model))
    want = dict.fromkeys(("matched", "renamed", "deleted", "inserted"), 0)
    for row in rows:
        if row["cost"]:
            name = {"delete": "deleted", "insert": "inserted"}.get(row["operation"], "renamed")
            want[name] += 1
        elif row["left_node"] and row["right_node"]:
            ignored = left[row["left_node"] - 1].label.terms.ignore
            if ignored != right[row["right_node"] - 1].label.terms.ignore:
                return f"an ignored node is mapped to another one: {row}"
            want["matched"] += not ignored
    return None if want.items() <= counts.items() else f"got {counts}, the mapping has {want}"


def shows_both(tree, text):
    """Differences that show what is ignored show both documents, where no line is shortened."""
    whole = says_both(tree, text)

    def fault(got, a, b, _ignored):
        shown, distance_without = got
        if distance_without > 0 and all(line[0] in " ." for line in shown.split("\n")):
            return f"the distance is {distance_without}, and there is no difference"
        if distance_without == 0 and any(line[0] in "-+~" for line in shown.split("\n") if line):
            return "the distance is 0, and there is a difference"
        return whole(shown, a, b)

    return fault


def ignored_cases(rng, count, random_doc, edited_doc, tree):
    """Pairs of documents, and patterns of nodes that are ignored."""
    for a, b in random_documents(rng, count, random_doc, edited_doc, tree):
        labels = labels_of(tree(a), tree(b))
        patterns = {escaped(rng.choice(labels)) for _ in range(rng.choice([1, 2, 3]))} - {""}
        patterns |= {f"{kind}()" for kind in ("string", "number", "text", "value", "attribute") if rng.random() < 0.2}
        yield a, b, json.dumps({"rules": [{"pattern": p, "ignore": True} for p in sorted(patterns)]})


def json_cases(rng, count):
    """Documents, edited copies of them, and models."""
    docs = [exact(random_document(rng)) for _ in range(count)]
    small = [doc for doc in docs if len(written_json(doc)) < 60] or docs
    others = [*rng.choices(small, k=50), None, True, {}, [], Decimal(3), "s"]
    for doc in docs:
        a, b = written_json(doc), written_json(edited(rng, doc, others))
        trees = [json_oracle.tree_from_json(text, json_oracle.Options()) for text in (a, b)]
        yield a, b, ignoring(rng, model_of_labels(rng, labels_of(*trees)), labels_of(*trees))


def patch_fault(got, _a, _b, _model):
    """The patch leads to distance 0, perhaps of other orders of members, and is empty at distance 0."""
    before, after, patch = got
    if after:
        return f"the patched document is at distance {after}: {patch}"
    return f"the distance is 0, the patch {patch}" if before == 0 and patch else None


def outcomes(rng, count):
    """Differences and counts of trees, patches of documents."""
    columns = "a tree, b tree, m tree_costs"
    cases = cases_of_trees(rng, count)
    yield outcome(Check(
        "differences by a model", columns, "json_build_array(tree_diff(a, b, m),"
        " tree_diff_html(a, b, m), tree_diff_svg(a, b, m))",
        json.loads, zero_fault, cases,
    ))
    for name, tree, text, random_doc, edited_doc in (
        ("json", json_tree, json_text, random_document, edited_json),
        ("xml", xml_tree, xml_text, random_xml, edited_xml),
    ):
        yield outcome(Check(
            f"tree_diff of {name}, with what is ignored", f"a {name}, b {name}, m tree_costs",
            "json_build_array(tree_diff(a, b, m, true), tree_edit_distance(a, b, m))",
            json.loads, shows_both(tree, text),
            list(ignored_cases(rng, count, random_doc, edited_doc, tree)),
        ))
    yield outcome(Check(
        "tree_edit_counts by a model", columns, "json_build_array((SELECT to_json(c) FROM"
        " tree_edit_counts(a, b, m) AS c), (SELECT json_agg(t) FROM tree_edit_mapping(a, b, m) AS t))",
        json.loads, counts_fault, cases,
    ))
    yield outcome(Check(
        "json_patch by a model", "a jsonb, b jsonb, m tree_costs",
        "json_build_array(tree_edit_distance(a, b, m),"
        " (SELECT least(tree_edit_distance(p, b, m), json_edit_distance(p, b, m))"
        " FROM json_patch_apply(a, json_patch(a, b, m)) AS p), json_patch(a, b, m))",
        json.loads, patch_fault, list(json_cases(rng, count)),
    ))
