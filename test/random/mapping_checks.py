"""Edit mappings and nearest subtrees."""

import json

import oracle
from check import Check, equals, outcome
from diff_checks import edited_json, json_tree, random_documents
from json_documents import random_document as random_json
from oracle import UNIT_COSTS, distance, nodes, size
from trees import random_pairs


def label_fault(row, side, all_nodes):
    """What is wrong with label and path of a row's node on one side."""
    node = row[f"{side}_node"]
    want = (None, None)
    if node is not None:
        want = (all_nodes[node - 1].label, all_nodes[node - 1].path)
    if (row[f"{side}_label"], row[f"{side}_path"]) != want:
        return f"expected {side} label and path {want} in {row}"
    return None


def operation_and_cost(x, y, left, right, costs):
    """The operation on two mapped nodes, or on one of which the other is None, and its cost."""
    insert, delete, rename = costs
    if x is None:
        return "insert", insert
    if y is None:
        return "delete", delete
    same = left[x - 1].label == right[y - 1].label
    return ("match", 0) if same else ("rename", rename)


def listed_pairs(got, a, b, costs):
    """What is wrong with rows of a mapping, or None; mapped nodes, and what the mapping costs."""
    sides = {"left": nodes(a), "right": nodes(b)}
    pairs, cost = set(), 0
    for row in got:
        for side, all_nodes in sides.items():
            if fault := label_fault(row, side, all_nodes):
                return fault, pairs, cost
        x, y = row["left_node"], row["right_node"]
        operation, price = operation_and_cost(x, y, *sides.values(), costs)
        if row["operation"] != operation:
            return f"expected {operation} in {row}", pairs, cost
        cost += price
        if x is not None and y is not None:
            pairs.add((x, y))
    for side, all_nodes in sides.items():
        listed = sorted(row[f"{side}_node"] for row in got if row[f"{side}_node"] is not None)
        if listed != [n.node for n in all_nodes]:
            return f"{side} nodes listed: {listed}", pairs, cost
    return oracle.mapping_fault(a, b, pairs), pairs, cost


def mapping_fault(got, a, b, *costs):
    """An optimal mapping of the documented tie rule, every node listed once."""
    costs = costs or UNIT_COSTS
    fault, pairs, cost = listed_pairs(got, a, b, costs)
    if fault is None and cost != distance(a, b, costs):
        fault = f"the distance is {distance(a, b, costs)}, the mapping costs {cost}"
    if fault is None and pairs != oracle.mapping(a, b, costs):
        fault = f"the tie rule gives {sorted(oracle.mapping(a, b, costs))}, got {sorted(pairs)}"
    return fault


def approximate_fault(got, a, b, *costs):
    """A mapping, every node listed once."""
    return listed_pairs(got, a, b, costs)[0]


def places(rows, paths, sizes):
    """
    Rows (distance, node, ...) in the order of the document, but only the nearer one of two nodes
    that are one place: a key or an attribute, and its value, which have the same path.
    """
    kept = []
    for row in rows:
        node = row[1]
        if kept and kept[-1][1] == node - 1 and paths[node] == paths[node - 1] and sizes[node] == sizes[node - 1] - 1:
            kept[-1] = min(kept[-1], row)
        else:
            kept.append(row)
    return kept


def near_subtrees(a, b, max_distance, min_similarity):
    """Distance, node and path of all subtrees within the thresholds, and their similarity."""
    rows = []
    for n in nodes(b):
        d = distance(a, n.tree)
        similarity = max(1 - d / max(size(a), size(n.tree)), 0)
        if d <= max_distance and similarity >= min_similarity:
            rows.append((d, n.node, n.path, similarity))
    return places(rows, {n.node: n.path for n in nodes(b)}, {n.node: size(n.tree) for n in nodes(b)})


def nearest_subtrees(a, b, k, max_distance, min_similarity):
    """The first rows of all subtrees by distance and node."""
    ranked = sorted(near_subtrees(a, b, max_distance, min_similarity))
    return [
        {"rank": i, "node": node, "path": path, "distance": d, "similarity": similarity}
        for i, (d, node, path, similarity) in enumerate(ranked[:k], 1)
    ]


def matching_subtrees(a, b, max_distance, min_similarity):
    """All rows by node."""
    return [
        {"node": node, "path": path, "distance": d, "similarity": similarity}
        for d, node, path, similarity in near_subtrees(a, b, max_distance, min_similarity)
    ]


def threshold(rng):
    """A greatest distance and a least similarity, of which each may be none."""
    return rng.choice([1000, rng.randint(0, 10)]), rng.choice([0, rng.randint(0, 10) / 10])


def inner_queries(rng, pairs):
    """Searches for one node of a document, in it, among subtrees that may have far more nodes."""
    return [
        ((rng.choice(nodes(b)).label, ()), b, rng.randint(1, 3), threshold(rng)[0], rng.randint(1, 4) / 10)
        for _, b in pairs
    ]


def json_pairs(rng, count):
    """Pairs of small trees of JSON documents, the second one an edited copy."""
    documents = random_documents(rng, count, random_json, edited_json, json_tree)
    pairs = [(json_tree(a), json_tree(b)) for a, b in documents]
    return [pair for pair in pairs if max(map(size, pair)) <= 30]


def outcomes(rng, count):
    """Both functions on the same pairs of trees."""
    pairs = random_pairs(rng, count) + json_pairs(rng, count // 4)
    with_costs = [(*pair, *rng.choices(range(6), k=3)) for pair in pairs]
    thresholds = "max_distance int, min_similarity float8"
    mapping = "(SELECT json_agg(m) FROM tree_edit_mapping({}) AS m)"
    checks = [
        Check(
            "tree_edit_mapping", "a tree, b tree", mapping.format("a, b"),
            json.loads, mapping_fault, pairs,
        ),
        Check(
            "tree_edit_mapping with costs", "a tree, b tree, ins int, del int, ren int",
            mapping.format("a, b, tree_costs(ins, del, ren)"), json.loads, mapping_fault, with_costs,
        ),
        Check(
            "tree_edit_mapping, approximate", "a tree, b tree, ins int, del int, ren int",
            mapping.format("a, b, tree_costs(ins, del, ren), approximate => true"),
            json.loads, approximate_fault, with_costs,
        ),
        Check(
            "tree_subtree_nearest", f"a tree, b tree, k int, {thresholds}",
            "(SELECT coalesce(json_agg(s), '[]')"
            " FROM tree_subtree_nearest(a, b, k, max_distance, min_similarity) AS s)",
            json.loads, equals(nearest_subtrees),
            [(*pair, rng.randint(0, 20), *threshold(rng)) for pair in pairs] + inner_queries(rng, pairs),
        ),
        Check(
            "tree_subtree_within", f"a tree, b tree, {thresholds}",
            "(SELECT coalesce(json_agg(s), '[]')"
            " FROM tree_subtree_within(a, b, max_distance, min_similarity) AS s)",
            json.loads, equals(matching_subtrees), [(*pair, *threshold(rng)) for pair in pairs],
        ),
    ]
    return map(outcome, checks)
