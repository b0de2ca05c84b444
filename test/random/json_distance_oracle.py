"""Plain definition of the edit distance of JSON documents.

A pair of forests is mapped in the cheapest of all ways: one of them into the forest
below a tree of the other, or tree by tree; in their order where both are elements of
arrays that have one, else in any.  All ways to pair trees are tried.
"""

import functools
from collections import namedtuple

import oracle

# What nodes cost, as functions of their labels, and whether elements of arrays have an order.
Costs = namedtuple("Costs", "insert delete rename ordered")

UNIT = Costs(lambda _: 1, lambda _: 1, lambda a, b: int(a != b), True)
UNIT_UNORDERED = UNIT._replace(ordered=False)


def kind(node):
    """What a label says that its node is; a label is a text, or has one by a model of costs."""
    label = getattr(node, "label", node)
    if label == "[]" and node is not label and node.terms.unordered:
        return "bag"
    if label in ("{}", "[]"):
        return label
    return "member" if len(label) > 2 and label[0] == '"' and label[-1] == ":" else "literal"


def rename_cost(a, b, costs):
    """Cost of mapping a node to another one; nodes of two kinds are deleted and inserted."""
    both = costs.delete(a) + costs.insert(b)
    return both if kind(a) != kind(b) else min(both, costs.rename(a, b))


@functools.lru_cache(maxsize=None)
def whole(forest, cost):
    """Cost of an operation on all nodes of a forest."""
    return sum(cost(label) + whole(children, cost) for label, children in forest)


@functools.lru_cache(maxsize=None)
def in_order(a, b, costs):
    """Cost of mapping two forests tree by tree, in their order."""
    if not a or not b:
        return whole(a, costs.delete) + whole(b, costs.insert)
    return min(
        in_order(a[1:], b, costs) + whole(a[:1], costs.delete),
        in_order(a, b[1:], costs) + whole(b[:1], costs.insert),
        in_order(a[1:], b[1:], costs) + distance(a[0], b[0], costs),
    )


@functools.lru_cache(maxsize=None)
def in_any_order(a, b, costs):
    """The same in any order."""
    if not a or not b:
        return whole(a, costs.delete) + whole(b, costs.insert)
    return min(
        in_any_order(a[1:], b, costs) + whole(a[:1], costs.delete),
        *(
            in_any_order(a[1:], b[:i] + b[i + 1 :], costs) + distance(a[0], tree, costs)
            for i, tree in enumerate(b)
        ),
    )


@functools.lru_cache(maxsize=None)
def forest_distance(a, b, costs):
    """Distance of the forests below the roots of two trees."""
    ordered = costs.ordered and kind(a[0]) == kind(b[0]) == "[]"
    delete, insert = whole(a[1], costs.delete), whole(b[1], costs.insert)
    return min(
        (in_order if ordered else in_any_order)(a[1], b[1], costs),
        *(forest_distance(t, b, costs) + delete - whole(t[1], costs.delete) for t in a[1]),
        *(forest_distance(a, t, costs) + insert - whole(t[1], costs.insert) for t in b[1]),
        delete + insert,
    )


@functools.lru_cache(maxsize=None)
def distance(a, b, costs=UNIT):
    """Distance of two trees."""
    delete, insert = whole((a,), costs.delete), whole((b,), costs.insert)
    return min(
        forest_distance(a, b, costs) + rename_cost(a[0], b[0], costs),
        *(distance(tree, b, costs) + delete - whole((tree,), costs.delete) for tree in a[1]),
        *(distance(a, tree, costs) + insert - whole((tree,), costs.insert) for tree in b[1]),
        delete + insert,
    )


class Side:
    """The nodes of a tree, and those of them that are mapped, by bits of their pairs."""

    def __init__(self, tree, mapped, labels):
        found = oracle.nodes(tree)
        self.label = labels or {n.node: n.label for n in found}
        self.ancestors = {}
        self.below = dict.fromkeys(self.label, 0)
        for n in found:
            self.ancestors[n.node] = [n.node, *self.ancestors.get(n.parent, [])]
        for bit, node in enumerate(mapped):
            for above in self.ancestors[node][1:]:
                self.below[above] |= 1 << bit

    def common_ancestor(self, x, y):
        """The lowest node that is above two nodes, or one of them."""
        return next(node for node in self.ancestors[x] if node in self.ancestors[y])

    def child_above(self, node, x):
        """The child of a node that is above another one."""
        return self.ancestors[x][self.ancestors[x].index(node) - 1]


def mapping_fault(a, b, pairs, ordered, labels=(None, None)):
    """What makes pairs of preorder numbers no mapping of two documents, or None; labels may be by node."""
    pairs = sorted(pairs)
    mapped = zip(*pairs) if pairs else ((), ())
    left, right = (Side(*side) for side in zip((a, b), mapped, labels))
    other = dict(pairs)
    if len(other) < len(pairs) or len(set(other.values())) < len(pairs):
        return "not one to one"
    for x, y in pairs:
        if kind(left.label[x]) != kind(right.label[y]):
            return f"kinds differ: {x}-{y}"
        if left.below[x] != right.below[y]:
            return f"ancestor lost: {x}-{y}"
    for i, (x, y) in enumerate(pairs):
        for v, w in pairs[:i]:
            above = left.common_ancestor(x, v), right.common_ancestor(y, w)
            if left.below[above[0]] != right.below[above[1]]:
                return f"subtrees are not kept apart: {x}-{y} and {v}-{w}"
            if not ordered or kind(left.label[above[0]]) != "[]" or other.get(above[0]) != above[1]:
                continue
            if above[0] in (x, v):
                continue
            element = left.child_above(above[0], x), left.child_above(above[0], v)
            partner = right.child_above(above[1], y), right.child_above(above[1], w)
            if (element[0] < element[1]) != (partner[0] < partner[1]):
                return f"order lost: {x}-{y} and {v}-{w}"
    return None
