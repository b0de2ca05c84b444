"""Plain definition of TEDS on the pieces of two tables.

X. Zhong, E. ShafieiBavani and A. Jimeno Yepes, Image-based table recognition: data, model,
and evaluation, ECCV 2020.
"""

from functools import lru_cache


def tokens(cell):
    """The characters and tags in a cell."""
    for piece in cell.content:
        if piece.kind == "text":
            yield from piece.content
        else:
            yield f"<{piece.name}>"
            yield from tokens(piece)
            if piece.name != "unk":
                yield f"</{piece.name}>"


def node(piece, structure_only):
    """An element as (name, spans and content of a cell, children)."""
    if piece.name == "td":
        spans = tuple(int(piece.attributes.get(name, "1")) for name in ("colspan", "rowspan"))
        return "td", (spans, () if structure_only else tuple(tokens(piece))), ()
    children = [node(p, structure_only) for p in piece.content if p.kind == "element"]
    return piece.name, None, tuple(children)


def elements(piece):
    """Number of elements in an element."""
    return sum(1 + elements(p) for p in piece.content if p.kind == "element")


@lru_cache(maxsize=None)
def levenshtein(a, b):
    """Levenshtein distance of two strings of tokens."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a):
        last, row[0] = row[0], i + 1
        for j, y in enumerate(b):
            last, row[j + 1] = row[j + 1], min(last + (x != y), row[j] + 1, row[j + 1] + 1)
    return row[-1]


def rename(x, y):
    """Cost of making one node of another."""
    if x[0] != y[0] or (x[0] == "td" and x[1][0] != y[1][0]):
        return 1
    if x[0] != "td" or not (x[1][1] or y[1][1]):
        return 0
    return levenshtein(x[1][1], y[1][1]) / max(len(x[1][1]), len(y[1][1]))


def forest_size(forest):
    """Number of nodes in a forest."""
    return sum(1 + forest_size(tree[2]) for tree in forest)


@lru_cache(maxsize=None)
def forest_distance(a, b):
    """Distance of two forests, by their last trees."""
    if not a or not b:
        return forest_size(a) + forest_size(b)
    x, y = a[-1], b[-1]
    return min(
        forest_distance(a[:-1] + x[2], b) + 1,
        forest_distance(a, b[:-1] + y[2]) + 1,
        forest_distance(a[:-1], b[:-1]) + forest_distance(x[2], y[2]) + rename(x, y),
    )


def teds(a, b, structure_only):
    """Similarity of two tables."""
    most = max(elements(a), elements(b))
    if most == 0:
        return 1
    return 1 - forest_distance((node(a, structure_only),), (node(b, structure_only),)) / most
