"""The tree type: text, accessors, order and hash."""

import json
from collections import Counter

import oracle
from check import Check, boolean, equals, outcome
from joins import random_collection
from oracle import depth, nodes, size, write
from trees import random_pairs

COMPARISONS = (
    "(SELECT json_agg(json_build_array(x::text, y::text,"
    " x < y, x <= y, x = y, x <> y, x >= y, x > y) ORDER BY x, y)"
    " FROM unnest(docs) AS x, unnest(docs) AS y)"
)
HASH_JOIN = "(SELECT count(*) FROM unnest(docs) AS x JOIN unnest(docs) AS y ON x = y)"
HASH_ONLY = "SET enable_mergejoin = off; SET enable_nestloop = off; "


def order_fault(got, docs):
    """The documented order, and comparisons that agree with it."""
    texts = {write(doc): oracle.order_key(doc) for doc in docs}
    for a, b, *compared in got:
        x, y = texts[a], texts[b]
        if compared != [x < y, x <= y, x == y, x != y, x >= y, x > y]:
            return f"{a} and {b}: < <= = <> >= > are {compared}"
    ranked = [a for a, b, *_ in got if a == b]
    if sorted(ranked, key=texts.get) != ranked:
        return f"sorted as {ranked}"
    return None


def outcomes(rng, count):
    """Each function on the same trees, comparisons on the same collections."""
    trees = [(tree,) for pair in random_pairs(rng, count // 2) for tree in pair]
    collections = [([d for d in random_collection(rng, 25) if d],) for _ in range(count // 20)]
    equal = "s = s::text::tree AND tree_hash(s) = tree_hash(s::text::tree)"
    subtrees = "tree_nodes(t) AS n, tree_subtree(t, node) AS s"
    checks = [
        Check(
            "text round trip", "x text", "x::tree::text",
            str, equals(lambda x: x), [(write(t),) for (t,) in trees],
        ),
        Check("tree_size", "t tree", "tree_size(t)", int, equals(size), trees),
        Check("tree_depth", "t tree", "tree_depth(t)", int, equals(depth), trees),
        Check("tree_label", "t tree", "tree_label(t)", str, equals(lambda t: t[0]), trees),
        Check(
            "tree_label of every node", "t tree",
            "(SELECT json_agg(tree_label(t, node)) FROM tree_nodes(t))",
            json.loads, equals(lambda t: [n.label for n in nodes(t)]), trees,
        ),
        Check(
            "tree_nodes", "t tree", "(SELECT json_agg(n) FROM tree_nodes(t) AS n)",
            json.loads, equals(lambda t: [
                {"node": n.node, "parent": n.parent, "depth": n.depth, "label": n.label}
                for n in nodes(t)
            ]), trees,
        ),
        Check(
            "tree_subtree of every node", "t tree", f"(SELECT json_agg(s::text) FROM {subtrees})",
            json.loads, equals(lambda t: [write(n.tree) for n in nodes(t)]), trees,
        ),
        Check(
            "tree_sort", "t tree", "tree_sort(t)",
            str, equals(lambda t: write(oracle.sort_children(t))), trees,
        ),
        Check(
            "tree_agg of tree_nodes", "t tree",
            "(SELECT tree_agg(node, parent, label, node) FROM tree_nodes(t))",
            str, equals(write), trees,
        ),
        Check(
            "subtrees equal their text, and so does the hash", "t tree",
            f"(SELECT bool_and({equal}) FROM {subtrees})", boolean, equals(lambda t: True), trees,
        ),
        Check(
            "order and comparisons", "docs tree[]", COMPARISONS,
            json.loads, order_fault, collections,
        ),
        Check(
            "hash join of equal trees", "docs tree[]", HASH_JOIN,
            int, equals(lambda docs: sum(c * c for c in Counter(docs).values())), collections,
            HASH_ONLY,
        ),
    ]
    return map(outcome, checks)
