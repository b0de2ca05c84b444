"""Random trees: shapes, labels, edits, pairs.

A shape is a tree without labels, the tuple of its subtrees.
"""

from oracle import size


def path(n):
    """Each node has one child."""
    return () if n == 1 else (path(n - 1),)


def star(n):
    """All leaves hang from the root."""
    return ((),) * (n - 1)


def comb(n, spine_first):
    """A path, each of whose nodes has a leaf beside the rest of it."""
    if n < 3:
        return path(n)
    rest = comb(n - 2, spine_first[1:] + spine_first[:1])
    return (rest, ()) if spine_first[0] else ((), rest)


def recursive(n, rng):
    """Every node hangs from a random earlier one, anywhere among its children."""
    children = [[] for _ in range(n)]
    for node in range(1, n):
        siblings = children[rng.randrange(node)]
        siblings.insert(rng.randint(0, len(siblings)), node)

    def shape(node):
        return tuple(map(shape, children[node]))

    return shape(0)


def binary(n, rng):
    """At most two children, the nodes split among them at random."""
    left = rng.randint(0, n - 1)
    return tuple(binary(part, rng) for part in (left, n - 1 - left) if part > 0)


SHAPES = [
    lambda n, rng: path(n),
    lambda n, rng: star(n),
    lambda n, rng: comb(n, [True]),
    lambda n, rng: comb(n, [False]),
    lambda n, rng: comb(n, [True, False]),
    recursive,
    recursive,
    binary,
]

ODD_LABELS = [
    "", " ", "  a ", "\t", "\n", "\r", "a", "b", "{", "}", "\\", "\\\\{", "{}", "\\n", "\\N", '"',
    "'", ",", "NULL", "é", "e\u0301", "字", "😀", "\u00a0", "\u202e", "\x01", "x" * 200,
]


def labeller(kind, side, rng):
    """An endless source of labels for the left or the right tree of a pair."""
    if kind == "distinct":
        return iter(rng.sample(range(10000), 10000)).__next__
    choices = {
        "one": ["a"],
        "two": ["a", "b"],
        "five": list("abcde"),
        "disjoint": [side + label for label in "abc"],
        "odd": ODD_LABELS,
        "rare": [f"é{number}" for number in range(60)],
    }[kind]
    return lambda: rng.choice(choices)


LABELS = ["one", "two", "two", "five", "distinct", "disjoint", "odd"]


def label_shape(shape, label):
    """A tree of a shape."""
    return (str(label()), tuple(label_shape(child, label) for child in shape))


def random_tree(rng, n, label):
    """A tree of n nodes."""
    return label_shape(rng.choice(SHAPES)(n, rng), label)


def changed(tree, node, change):
    """The forest that is left when change() maps a node's subtree to a forest."""
    if node == 1:
        return change(tree)
    label, children = tree
    first = 2
    for i, child in enumerate(children):
        if node < first + size(child):
            rest = changed(child, node - first + 1, change)
            return ((label, children[:i] + rest + children[i + 1 :]),)
        first += size(child)
    raise ValueError(f"no node {node}")


def edited(tree, edits, label, rng):
    """The tree after a few random edit operations."""

    def rename(t):
        return ((str(label()), t[1]),)

    def delete(t):
        return t[1]

    def insert(t):
        i, j = sorted(rng.choices(range(len(t[1]) + 1), k=2))
        return ((t[0], t[1][:i] + ((str(label()), t[1][i:j]),) + t[1][j:]),)

    for _ in range(edits):
        operation = rng.choice([rename, delete, insert])
        forest = changed(tree, rng.randint(1, size(tree)), operation)
        if len(forest) == 1:
            (tree,) = forest
    return tree


def random_pair(rng, largest):
    """Two trees, unrelated or nearly the same."""
    kind = rng.choice(LABELS)
    a = random_tree(rng, rng.randint(1, largest), labeller(kind, "a", rng))
    label = labeller(kind, "b", rng)
    if rng.random() < 0.5:
        b = edited(a, rng.randint(0, 5), label, rng)
    else:
        b = random_tree(rng, rng.randint(1, largest), label)
    return rng.choice([(a, b), (b, a)])


def random_pairs(rng, count):
    """Pairs of trees, one in twenty of them large."""
    return [random_pair(rng, 40 if i % 20 == 0 else 14) for i in range(count)]
