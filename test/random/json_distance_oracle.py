"""Plain definition of the edit distance of JSON documents.

A pair of forests is mapped in the cheapest of all ways: one of them into the forest
below a tree of the other, or tree by tree; in their order where both are elements of
arrays, else in any.  All ways to pair trees are tried.
"""

import functools

from oracle import size


def kind(label):
    """What a label says that its node is."""
    if label in ("{}", "[]"):
        return label
    return "member" if len(label) > 2 and label[0] == '"' and label[-1] == ":" else "literal"


def rename_cost(a, b):
    """Cost of mapping a node to another one: nodes of two kinds are deleted and inserted."""
    return 2 if kind(a) != kind(b) else int(a != b)


def forest_size(forest):
    """Number of nodes."""
    return sum(map(size, forest))


@functools.lru_cache(maxsize=None)
def in_order(a, b):
    """Cost of mapping two forests tree by tree, in their order."""
    if not a or not b:
        return forest_size(a) + forest_size(b)
    return min(
        in_order(a[1:], b) + size(a[0]),
        in_order(a, b[1:]) + size(b[0]),
        in_order(a[1:], b[1:]) + distance(a[0], b[0]),
    )


@functools.lru_cache(maxsize=None)
def in_any_order(a, b):
    """The same in any order."""
    if not a or not b:
        return forest_size(a) + forest_size(b)
    return min(
        in_any_order(a[1:], b) + size(a[0]),
        *(
            in_any_order(a[1:], b[:i] + b[i + 1 :]) + distance(a[0], tree)
            for i, tree in enumerate(b)
        ),
    )


@functools.lru_cache(maxsize=None)
def forest_distance(a, b):
    """Distance of the forests below the roots of two trees."""
    ordered = a[0] == "[]" and b[0] == "[]"
    size_a, size_b = size(a) - 1, size(b) - 1
    return min(
        (in_order if ordered else in_any_order)(a[1], b[1]),
        *(forest_distance(tree, b) + size_a - size(tree) + 1 for tree in a[1]),
        *(forest_distance(a, tree) + size_b - size(tree) + 1 for tree in b[1]),
        size_a + size_b,
    )


@functools.lru_cache(maxsize=None)
def distance(a, b):
    """Distance of two trees."""
    return min(
        forest_distance(a, b) + rename_cost(a[0], b[0]),
        *(distance(tree, b) + size(a) - size(tree) for tree in a[1]),
        *(distance(a, tree) + size(b) - size(tree) for tree in b[1]),
        size(a) + size(b),
    )
