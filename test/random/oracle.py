"""Plain definitions of what ted computes, for the random tests.

Every function follows its textbook definition and nothing else: no shared
code, no cleverness, only memoisation.  A tree is a pair (label, children),
children being a tuple of trees; a forest is a tuple of trees.
"""

import functools
import json
import re
from collections import Counter, namedtuple

UNIT_COSTS = (1, 1, 1)  # insert, delete, rename

Node = namedtuple("Node", "node parent depth label path tree")


# Bracket notation


def is_json_object(text):
    """Whether a text is a JSON object that is not empty."""

    def refuse(constant):
        raise ValueError(f"{constant} is not JSON")

    try:
        return text[:1] == "{" and json.loads(text, parse_constant=refuse) != {}
    except ValueError:
        return False


def write(tree):
    """The bracket notation of a tree, with a quotation mark escaped where it would be JSON."""

    def plain(tree):
        label, children = tree
        escaped = label.replace("\\", "\\\\").replace("{", "\\{").replace("}", "\\}")
        return "{" + escaped + "".join(map(plain, children)) + "}"

    text = plain(tree)
    return text.replace('"', '\\"', 1) if is_json_object(text) else text


def parse(text):
    """The tree of a text in bracket notation."""

    def tree_at(i):
        if text[i] != "{":
            raise ValueError(f"no tree at {i}")
        label, children, i = "", (), i + 1
        while text[i] not in "{}":
            if text[i] == "\\":
                i += 1
                if text[i] not in '{}\\"':
                    raise ValueError(f"bad escape at {i}")
            label, i = label + text[i], i + 1
        while text[i] != "}":
            child, i = tree_at(i)
            children += (child,)
        return (label, children), i + 1

    tree, end = tree_at(0)
    if end != len(text):
        raise ValueError(f"text after the tree at {end}")
    return tree


# Accessors


def size(tree):
    """Number of nodes."""
    return 1 + sum(map(size, tree[1]))


def depth(tree):
    """Number of nodes on the longest path from the root."""
    return 1 + max(map(depth, tree[1]), default=0)


def nodes(tree):
    """All nodes in preorder, numbered from 1; the root has depth 1 and no parent.

    A path has a step /label for every node from the root on, with /, [, ] and
    \\ escaped by \\, and [i] after the i-th of several siblings of one label.
    In an object or array, it is a JSON Pointer, without a step for the value of a key.
    """
    found = []
    is_json = tree[0] in ("{}", "[]") and is_in_json(tree)

    def visit(subtree, parent, level, path):
        node = len(found) + 1
        found.append(Node(node, parent, level, subtree[0], path, subtree))
        labels = [label for label, _ in subtree[1]]
        for i, child in enumerate(subtree[1]):
            step = "/" + re.sub(r"([/\[\]\\])", r"\\\1", child[0])
            if labels.count(child[0]) > 1:
                step += f"[{labels[: i + 1].count(child[0])}]"
            if is_json and subtree[0] == "[]":
                step = f"/{i}"
            elif is_json and subtree[0] == "{}":
                step = "/" + key_of(child[0]).replace("~", "~0").replace("/", "~1")
            elif is_json:
                step = ""
            visit(child, node, level + 1, path + step)

    root = "" if is_json else "/" + re.sub(r"([/\[\]\\])", r"\\\1", tree[0])
    visit(tree, None, 1, root)
    return found


def key_of(label):
    """The key of a member of an object, or None."""
    try:
        key = json.loads(label[:-1]) if label.endswith(":") else None
    except ValueError:
        return None
    return key if isinstance(key, str) and json.dumps(key, ensure_ascii=False) + ":" == label else None


def is_in_json(tree):
    """Whether the nodes below a value are where they are in JSON."""
    label, children = tree
    if label == "{}":
        keys = [key_of(key) for key, _ in children]
        values = [value for _, below in children for value in below]
        if None in keys or any(len(below) > 1 for _, below in children):
            return False
        if any(key.encode() >= following.encode() for key, following in zip(keys, keys[1:])):
            return False
    else:
        values = children
        if children and label != "[]":
            return False
    return not is_member(label) and all(map(is_in_json, values))


def is_member(label):
    """Whether a label looks like that of a member."""
    return len(label) > 2 and label[0] == '"' and label[-1] == ":"


def order_key(tree):
    """Sort key of a tree: document order, a node's end before a label, labels by bytes."""
    label, children = tree
    inner = [event for child in children for event in order_key(child)]
    return [(1, label.encode()), *inner, (0, b"")]


def sort_children(tree):
    """The tree with the children of each node in that order."""
    label, children = tree
    return label, tuple(sorted(map(sort_children, children), key=order_key))


# Tree edit distance


def cost_functions(costs):
    """Costs of a label to insert, of one to delete, and of renaming one to another one.

    Costs are such functions, or three numbers.
    """
    if callable(costs[0]):
        return costs
    insert, delete, rename = costs
    return lambda _: insert, lambda _: delete, lambda v, w: 0 if v == w else rename


def distance_of_forests(costs):
    """The edit distance of two ordered forests, as a memoised recursive function."""
    insert, delete, rename = cost_functions(costs)

    @functools.cache
    def d(f, g):
        ways = []
        if f:
            ways.append(delete(f[-1][0]) + d(f[:-1] + f[-1][1], g))
        if g:
            ways.append(insert(g[-1][0]) + d(f, g[:-1] + g[-1][1]))
        if f and g:
            mapped = rename(f[-1][0], g[-1][0])
            ways.append(mapped + d(f[:-1], g[:-1]) + d(f[-1][1], g[-1][1]))
        return min(ways, default=0)

    return d


@functools.cache
def distance(a, b, costs=UNIT_COSTS):
    """The tree edit distance."""
    return distance_of_forests(costs)((a,), (b,))


def similarity(a, b):
    """1 - d / max(|a|, |b|), at least 0."""
    return max(0.0, 1 - distance(a, b) / max(size(a), size(b)))


def pqgrams(tree, p, q):
    """The bag of pq-grams: a node that is not empty, with ancestors and neighbouring children.

    The tree is extended by empty nodes: p - 1 above the root, q - 1 before and behind the
    children of an inner node, and q below a leaf.
    """
    bag = Counter()

    def visit(subtree, ancestors):
        label, children = subtree
        stem = (ancestors + (label,))[-p:]
        empty = (None,) * (q - 1)
        below = empty + tuple(child[0] for child in children) + empty if children else (None,) * q
        for i in range(len(below) - q + 1):
            bag[stem + below[i : i + q]] += 1
        for child in children:
            visit(child, stem)

    visit(tree, (None,) * (p - 1))
    return bag


def pqgram_distance(a, b, p=2, q=3):
    """1 - 2 * intersection of both bags / sum of their sizes."""
    bag_a, bag_b = pqgrams(a, p, q), pqgrams(b, p, q)
    return 1 - 2 * (bag_a & bag_b).total() / (bag_a.total() + bag_b.total())


def normalized_distance(a, b):
    """2d / (|a| + |b| + d)."""
    d = distance(a, b)
    return 2 * d / (size(a) + size(b) + d)


def cells(tree):
    """Sum of the sizes of all key roots' subtrees; a key root is the root or has a left sibling."""

    def below(node):
        return sum(map(size, node[1][1:])) + sum(map(below, node[1]))

    return size(tree) + below(tree)


def mirrored(tree):
    """The tree with the children of every node in opposite order."""
    return (tree[0], tuple(map(mirrored, reversed(tree[1]))), *tree[2:])


def mapping(a, b, costs=UNIT_COSTS):
    """The optimal mapping of ted's tie rule, as a set of pairs of preorder numbers.

    Where both forests are single trees, their roots are mapped to each other if
    that is optimal; where not, their last trees are matched if that is.  Else
    the last root of a is deleted if that is, else the last root of b inserted.
    All of this holds for the mirrored trees where those have fewer cells.
    """
    _, delete, rename = cost_functions(costs)
    d = distance_of_forests(costs)

    def numbered(tree):
        counter = iter(range(1, size(tree) + 1))

        def number(subtree):
            node = next(counter)
            return (subtree[0], tuple(map(number, subtree[1])), node)

        return number(tree)

    def plain(forest):
        return tuple((label, plain(children)) for label, children, _ in forest)

    def cost(f, g):
        return d(plain(f), plain(g))

    def pairs(f, g):
        if not f or not g:
            return set()
        v, w = f[-1], g[-1]
        if len(f) == len(g) == 1:
            mapped = rename(v[0], w[0])
            if cost(f, g) == mapped + cost(v[1], w[1]):
                return {(v[2], w[2])} | pairs(v[1], w[1])
        elif cost(f, g) == cost(f[:-1], g[:-1]) + cost((v,), (w,)):
            return pairs(f[:-1], g[:-1]) | pairs((v,), (w,))
        if cost(f, g) == delete(v[0]) + cost(f[:-1] + v[1], g):
            return pairs(f[:-1] + v[1], g)
        return pairs(f, g[:-1] + w[1])

    f, g = numbered(a), numbered(b)
    if cells(mirrored(f)) * cells(mirrored(g)) < cells(f) * cells(g):
        f, g = mirrored(f), mirrored(g)
    return pairs((f,), (g,))


def mapping_fault(a, b, pairs):
    """What makes pairs of preorder numbers no ordered tree mapping, or None."""
    last_a = {n.node: n.node + size(n.tree) - 1 for n in nodes(a)}
    last_b = {n.node: n.node + size(n.tree) - 1 for n in nodes(b)}
    for v, w in pairs:
        for x, y in pairs:
            if (v == x) != (w == y):
                return f"not one to one: {v}-{w} and {x}-{y}"
            if (v < x) != (w < y):
                return f"order lost: {v}-{w} and {x}-{y}"
            if (v < x <= last_a[v]) != (w < y <= last_b[w]):
                return f"ancestor lost: {v}-{w} and {x}-{y}"
    return None


def join_pairs(collection, others, measure, within):
    """All pairs (left id, right id, measure) whose measure is within, ordered by ids.

    A collection is a list of (id, document or None).  With `others` every pair
    is one of each collection; where that is None, each unordered pair counts
    once, the smaller id first.
    """
    measured = (
        (i, j, measure(a, b))
        for i, a in collection
        for j, b in (collection if others is None else others)
        if a is not None and b is not None
        if others is not None or i < j
    )
    return sorted(row for row in measured if within(row[2]))


def join(collection, k, others=None):
    """All pairs of trees within the distance k."""
    return join_pairs(collection, others, distance, lambda d: d <= k)


def similarity_join(collection, s, others=None):
    """All pairs of trees that are at least as similar as s."""
    return join_pairs(collection, others, similarity, lambda measured: measured >= s)


# Subsequences


def lcs_table(x, y):
    """table[i][j] is the length of the longest common subsequence of x[:i] and y[:j]."""
    table = [[0] * (len(y) + 1)]
    for p in x:
        above, row = table[-1], [0]
        for j, q in enumerate(y):
            row.append(above[j] + 1 if p == q else max(above[j + 1], row[j]))
        table.append(row)
    return table


@functools.cache
def length_of_tuples(x, y):
    """Length of the longest common subsequence of tuples."""
    return lcs_table(x, y)[-1][-1]


def lcs_length(x, y):
    """Length of the longest common subsequence."""
    return length_of_tuples(tuple(x), tuple(y))


def string_distance(x, y):
    """Symbols that are deleted and inserted."""
    return len(x) + len(y) - 2 * lcs_length(x, y)


def string_similarity(x, y):
    """The share of characters in a longest common subsequence; 1 for two empty strings."""
    return 2.0 * lcs_length(x, y) / (len(x) + len(y)) if x or y else 1.0


def string_join(collection, s, others=None):
    """All pairs of strings that are at least as similar as s."""
    return join_pairs(collection, others, string_similarity, lambda similarity: similarity >= s)


def scs_length(x, y):
    """Length of the shortest common supersequence, by its own recursion."""
    row = list(range(len(y) + 1))
    for i, p in enumerate(x, 1):
        above, row = row, [i]
        for j, q in enumerate(y):
            row.append(1 + (above[j] if p == q else min(above[j + 1], row[j])))
    return row[-1]


@functools.lru_cache(maxsize=1)
def alignment_of_tuples(x, y):
    """Pairs of positions of a longest common subsequence of tuples, by ted's tie rule.

    From the ends, two equal symbols are taken; else the last symbol of x is
    dropped where that keeps the length, and the last symbol of y otherwise.
    """
    table = lcs_table(x, y)
    i, j, pairs = len(x), len(y), []
    while i > 0 and j > 0:
        if x[i - 1] == y[j - 1]:
            i, j = i - 1, j - 1
            pairs.append((i, j))
        elif table[i - 1][j] == table[i][j]:
            i -= 1
        else:
            j -= 1
    return pairs[::-1]


def alignment(x, y):
    """The same for any sequences."""
    return alignment_of_tuples(tuple(x), tuple(y))


def opcodes(x, y):
    """Runs that lead from x to y by that subsequence: (operation, part of x, part of y).

    A part is (from, to), counted from 1; an empty one ends before it begins.
    """
    runs, start_i, start_j = [], 0, 0

    def gap(i, j):
        if start_i < i or start_j < j:
            operation = "insert" if start_i == i else "delete" if start_j == j else "replace"
            runs.append((operation, (start_i + 1, i), (start_j + 1, j)))

    for i, j in alignment(x, y):
        gap(i, j)
        if runs and runs[-1][0] == "equal":
            (_, (first_i, _), (first_j, _)) = runs.pop()
        else:
            first_i, first_j = i + 1, j + 1
        start_i, start_j = i + 1, j + 1
        runs.append(("equal", (first_i, start_i), (first_j, start_j)))
    gap(len(x), len(y))
    return runs


def lcs(x, y):
    """The longest common subsequence of that rule, as a list."""
    return [x[i] for i, _ in alignment(x, y)]


def scs(x, y):
    """The shortest common supersequence: between the common symbols x's, then y's, as a list."""
    parts, start_i, start_j = [], 0, 0
    for i, j in alignment(x, y):
        parts += [*x[start_i:i], *y[start_j : j + 1]]
        start_i, start_j = i + 1, j + 1
    return [*parts, *x[start_i:], *y[start_j:]]


def nearest_strings(query, docs, k, s):
    """The k strings most similar to a query: (number, similarity, string), None left out."""
    measured = [(n, string_similarity(query, d), d) for n, d in enumerate(docs, 1) if d is not None]
    found = [row for row in measured if row[1] >= s]
    return sorted(found, key=lambda row: (-row[1], row[0]))[:k]


def is_subsequence(x, y):
    """Whether x is left of y when some symbols are deleted."""
    rest = iter(y)
    return all(symbol in rest for symbol in x)
