"""Patterns in models and conversions, on trees from which Python takes what they select."""

import json

import json_oracle
import oracle
from check import Check, equals, outcome
from cost_checks import pair_of_trees, random_pattern
from cost_oracle import kind_of
from json_documents import random_document
from patterns import ALL, escaped, parse, place_below, selects


def walk(tree, above=None):
    """The place of a node below another place, and its children."""
    label, children = tree
    return place_below(label, kind_of(label, above and above.kind, not children), above), children


def pruned(tree, patterns, above=None, known=lambda place: place):
    """The tree without the nodes that patterns select, and all below them, in a list."""
    place, children = walk(tree, above)
    if any(selects(pattern, known(place)) for pattern in patterns):
        return []
    return [(tree[0], tuple(sum((pruned(child, patterns, place, known) for child in children), [])))]


def remaining_distance(a, b, patterns):
    """The distance without the nodes that patterns select, a root of its own above all."""
    parsed = [parse(pattern) for pattern in patterns]
    return oracle.distance(*(("root", tuple(pruned(tree, parsed))) for tree in (a, b)))


def as_read(place):
    """A place as a conversion from JSON knows it: names are those of keys."""

    def read(node):
        return node if node.kind == "key" else node._replace(label="")

    return read(place)._replace(above=tuple(map(read, place.above)))


def without_excluded(doc, patterns):
    """The tree of a document without what paths exclude, or None where nothing is left."""
    tree = json_oracle.tree_from_json(doc, json_oracle.Options(), binary=True)
    left = pruned(tree, [parse(pattern) for pattern in patterns], known=as_read)
    return left[0] if left else None


def key_of(tree, above, pattern, element, below):
    """The first node of a subtree that a pattern selects this many steps below an element, or None."""
    place, children = walk(tree, above)
    if selects(pattern, place) and len(place.above) - len(element.above) == below:
        return tree
    return next(filter(None, (key_of(child, place, pattern, element, below) for child in children)), None)


def sorted_by_keys(tree, pattern, above=None):
    """The tree with the elements of arrays sorted by the keys that a pattern selects."""
    place, children = walk(tree, above)
    children = tuple(sorted_by_keys(child, pattern, place) for child in children)
    if place.kind == "array":
        last = max(i for i, step in enumerate(pattern.steps) if step[0] == "any")
        below = len(pattern.steps) - 1 - last
        keys = [key_of(child, place, pattern, walk(child, place)[0], below) for child in children]
        if any(keys):
            ranks = [(key is None, oracle.order_key(key or child), oracle.order_key(child))
                     for key, child in zip(keys, children)]
            children = tuple(child for _, child in sorted(zip(ranks, children), key=lambda pair: pair[0]))
    return tree[0], children


def keyed(doc, pattern):
    """The tree of a document with sorted elements."""
    return sorted_by_keys(json_oracle.tree_from_json(doc, json_oracle.Options(), binary=True), parse(pattern))


def labels_of(*trees):
    """The labels of trees."""
    return [node.label for tree in trees for node in oracle.nodes(tree)]


def some_patterns(rng, labels):
    """Patterns that do not select all nodes."""
    chosen = {random_pattern(rng, labels) for _ in range(rng.choice([1, 1, 2, 3]))}
    by_meaning = {parse(pattern): pattern for pattern in sorted(chosen)}
    by_meaning.pop(ALL, None)
    return list(by_meaning.values())


def keyed_document(rng):
    """A document with arrays of objects that have keys."""
    def element():
        members = {key: rng.choice([1, 2, "x", {"id": rng.choice([1, 2])}, [2, 1]])
                   for key in ("id", "a", "b") if rng.random() < 0.6}
        return rng.choice([members, members, members, 7, [members]])

    def elements():
        return [element() for _ in range(rng.randint(0, 5))]

    return json.dumps(rng.choice([elements(), {"a": elements(), "b": {"id": elements()}}]))


def keyed_pattern(rng):
    """A pattern for keys of elements."""
    before = [rng.choice(["a", "b", "*"]) for _ in range(rng.choice([0, 0, 1]))]
    after = [escaped(rng.choice(["id", "a", "b"])) for _ in range(rng.choice([1, 1, 2]))]
    return rng.choice(["/", "//"]) + "/".join([*before, "*", *after])


def outcomes(rng, count):
    """Ignored nodes, excluded ones, and elements of arrays."""
    pairs = [pair_of_trees(rng) for _ in range(count)]
    ignored = [(*pair, some_patterns(rng, labels_of(*pair))) for pair in pairs]
    documents = [random_document(rng) for _ in range(count)]
    excluded = [
        (doc, some_patterns(rng, labels_of(json_oracle.tree_from_json(doc, json_oracle.Options(), binary=True))))
        for doc in documents
    ]
    arrays = [(keyed_document(rng), keyed_pattern(rng)) for _ in range(count)]
    return map(outcome, [
        Check(
            "nodes that patterns ignore", "a tree, b tree, p text[]",
            "tree_edit_distance(a, b, tree_costs(ignore => p))", float, equals(remaining_distance), ignored,
        ),
        Check(
            "nodes that patterns exclude", "doc jsonb, p text[]",
            "tree_from_json(doc, exclude_paths => p, on_error => 'null')", oracle.parse, equals(without_excluded),
            excluded,
        ),
        Check(
            "elements of arrays by keys", "doc jsonb, p text",
            "tree_from_json(doc, array_keys => ARRAY[p])", oracle.parse, equals(keyed), arrays,
        ),
    ])
