"""Holds ted's SQL functions against the plain definitions of oracle.py.

Prints TAP.  psql finds the server through libpq's environment variables.
SEED (default 1) chooses the random cases and COUNT (default 1000) how many
there are; a failed test prints its smallest case as an SQL statement.

    SEED=2 COUNT=10000 python3 run.py
"""

import json
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter, namedtuple
from functools import partial

sys.dont_write_bytecode = True

import oracle
from oracle import UNIT_COSTS, depth, distance, nodes, size, write

# The server.  Rows go in and out in COPY's text format, so that every
# character survives.


class ServerError(Exception):
    """What psql wrote to standard error."""


def psql(script):
    """Standard output of a script."""
    done = subprocess.run(
        ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1"],
        input=script.encode(),
        capture_output=True,
        env={**os.environ, "PGCLIENTENCODING": "UTF8"},
        check=False,
    )
    if done.returncode != 0:
        raise ServerError(done.stderr.decode().strip())
    return done.stdout.decode()


def sql_text(value):
    """The text form of a value: a tree is a tuple, an array is a list."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return write(value)
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    if isinstance(value, list):
        return "{" + ",".join(map(array_element, value)) + "}"
    return str(value)


def array_element(value):
    """The text form of a value within an array."""
    if value is None:
        return "NULL"
    return '"' + re.sub(r'([\\"])', r"\\\1", sql_text(value)) + '"'


def copy_in(table, rows):
    """The statement that loads rows into a table."""
    escapes = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})

    def field(value):
        text = sql_text(value)
        return "\\N" if text is None else text.translate(escapes)

    lines = ["\t".join(map(field, row)) for row in rows]
    return "\n".join([f"COPY {table} FROM STDIN;", *lines, "\\.", ""])


def copy_out(query):
    """The statement that prints a query's rows."""
    return f"COPY ({query}) TO STDOUT;\n"


def copied_fields(line):
    """The fields of a line that COPY printed."""
    plain = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}

    def field(text):
        if text == "\\N":
            return None
        return re.sub(r"\\(.)", lambda match: plain.get(match[1], match[1]), text)

    return list(map(field, line.split("\t")))


def literal(value, sql_type):
    """A value as an SQL constant of its type."""
    text = sql_text(value)
    if text is None:
        return f"NULL::{sql_type}"
    text = text.replace("'", "''")
    if re.search(r"[\n\r\t]", text):
        text = text.replace("\\", "\\\\").replace("\n", "\\n")
        return "E'" + text.replace("\r", "\\r").replace("\t", "\\t") + f"'::{sql_type}"
    return f"'{text}'::{sql_type}"


# One check: an SQL expression over the columns of its cases.  `read` turns the
# answer's text into a Python value, and `fault` says what is wrong with it.

Check = namedtuple("Check", "name columns expression read fault cases settings", defaults=[""])


def statement(check, case):
    """The query of one case."""
    names, types = zip(*(column.split(" ", 1) for column in check.columns.split(", ")))
    values = ", ".join(map(literal, case, types))
    query = f"SELECT {check.expression} FROM (VALUES ({values})) AS c({', '.join(names)});"
    return check.settings + query


def answers(check, cases):
    """The server's answer to each case."""
    rows = ((i, *case) for i, case in enumerate(cases))
    output = psql(
        f"CREATE TEMP TABLE c (case_number int, {check.columns});\n"
        + copy_in("c", rows)
        + check.settings
        + copy_out(f"SELECT {check.expression} FROM c ORDER BY case_number")
    )
    texts = [copied_fields(line)[0] for line in output.split("\n")[:-1]]
    return [None if text is None else check.read(text) for text in texts]


def wait_for_server():
    """Waits for a server that is starting again."""
    for _ in range(30):
        try:
            return psql("SELECT 1;")
        except ServerError:
            time.sleep(1)
    return None


def first_error(check, cases):
    """The first case that ends in an error, and the error."""
    wait_for_server()
    half = len(cases) // 2
    for part in (cases[:half], cases[half:]) if half else (cases,):
        try:
            answers(check, part)
        except ServerError as error:
            return first_error(check, part) if half else (part[0], f"got {error}")
    return None, "got an error that did not come again"


def verdict(check):
    """None, or an SQL statement and what is wrong with its answer."""
    try:
        got = answers(check, check.cases)
    except ServerError as error:
        by_length = sorted(check.cases, key=lambda case: len(statement(check, case)))
        case, fault = first_error(check, by_length)
        return (statement(check, case), fault) if case else (f"-- {error}", fault)
    faults = (
        (statement(check, case), fault)
        for case, answer in zip(check.cases, got, strict=True)
        if (fault := check.fault(answer, *case)) is not None
    )
    return min(faults, key=lambda fault: len(fault[0]), default=None)


# What may be wrong with an answer


def equals(expected):
    """The answer is what a function of the case says."""

    def fault(got, *case):
        want = expected(*case)
        return None if got == want else f"expected {want!r}, got {got!r}"

    return fault


def close_to(expected):
    """The same for floating-point numbers."""

    def fault(got, *case):
        want = expected(*case)
        near = got is not None and abs(got - want) < 1e-12
        return None if near else f"expected {want!r}, got {got!r}"

    return fault


def bounded_fault(got, a, b, *costs_and_limit):
    """The distance where it is within the limit, and anything beyond it otherwise."""
    *costs, limit = costs_and_limit
    d = distance(a, b, tuple(costs) or UNIT_COSTS)
    if got == d if d <= limit else got > limit:
        return None
    return f"the distance is {d}, got {got}"


def mapping_fault(got, a, b, *costs):
    """An optimal mapping of the documented tie rule, every node told once."""
    costs = costs or UNIT_COSTS
    insert, delete, rename = costs
    pairs, cost = set(), 0
    left, right = nodes(a), nodes(b)
    for row in got:
        x, y = row["left_node"], row["right_node"]
        for side, node, all_nodes in (("left", x, left), ("right", y, right)):
            want = (None, None)
            if node is not None:
                want = (all_nodes[node - 1].label, all_nodes[node - 1].path)
            if (row[f"{side}_label"], row[f"{side}_path"]) != want:
                return f"expected {side} label and path {want} in {row}"
        if x is None:
            operation, price = "insert", insert
        elif y is None:
            operation, price = "delete", delete
        else:
            pairs.add((x, y))
            same = left[x - 1].label == right[y - 1].label
            operation, price = ("match", 0) if same else ("rename", rename)
        if row["operation"] != operation:
            return f"expected {operation} in {row}"
        cost += price
    for side, all_nodes in (("left", left), ("right", right)):
        told = sorted(row[f"{side}_node"] for row in got if row[f"{side}_node"] is not None)
        if told != [n.node for n in all_nodes]:
            return f"{side} nodes told: {told}"
    if cost != distance(a, b, costs):
        return f"the distance is {distance(a, b, costs)}, the mapping costs {cost}"
    fault = oracle.mapping_fault(a, b, pairs)
    if fault is None and pairs != oracle.mapping(a, b, costs):
        fault = f"the tie rule gives {sorted(oracle.mapping(a, b, costs))}, got {sorted(pairs)}"
    return fault


def nearest_subtrees(a, b, k):
    """The first rows of all subtrees by distance and node."""
    ranked = sorted((distance(a, n.tree), n.node, n.path) for n in nodes(b))
    return [
        {"rank": i, "node": node, "path": path, "distance": d}
        for i, (d, node, path) in enumerate(ranked[:k], 1)
    ]


def bounds_fault(got, a, b):
    """A lower and an upper bound, which meet where trees are equal."""
    lower, upper = got
    d = 0 if a == b else distance(a, b)
    if lower <= d <= upper and (d > 0 or upper == 0):
        return None
    return f"the distance is {d}, got {got}"


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


def lcs_fault(got, x, y):
    """A common subsequence of the full length, by the documented tie rule."""
    common = oracle.is_subsequence(got, x) and oracle.is_subsequence(got, y)
    if not common or len(got) != oracle.lcs_length(x, y):
        return f"expected a common subsequence of length {oracle.lcs_length(x, y)}, got {got!r}"
    return equals(oracle.lcs)(got, x, y)


def scs_fault(got, x, y):
    """A common supersequence of the least length, by the documented tie rule."""
    common = oracle.is_subsequence(x, got) and oracle.is_subsequence(y, got)
    if not common or len(got) != oracle.scs_length(x, y):
        return f"expected a common supersequence of length {oracle.scs_length(x, y)}, got {got!r}"
    return equals(oracle.scs)(got, x, y)


def join_fault(got, expected):
    """The same pairs in the same order."""
    got = [tuple(row.values()) for row in got]
    missing, wrong = sorted(set(expected) - set(got)), sorted(set(got) - set(expected))
    if missing or wrong:
        return f"missing pairs (left_id, right_id, measure) {missing}, wrong pairs {wrong}"
    return None if got == expected else "pairs in wrong order, or twice"


def self_join_fault(got, ids, docs, threshold, join=oracle.join):
    """The join of one collection."""
    return join_fault(got, join(list(zip(ids, docs)), threshold))


def two_sided_join_fault(got, ids, docs, sides, threshold, join=oracle.join):
    """The join of two collections."""
    left, right = (
        [(i, doc) for i, doc, side in zip(ids, docs, sides) if side == name] for name in "lr"
    )
    return join_fault(got, join(left, threshold, right))


# Random trees: a shape is a tree without labels, the tuple of its subtrees


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


def random_limit(rng, d):
    """A threshold, often one that decides."""
    return rng.choice([d, d + 1, max(d - 1, 0), rng.randint(0, 5), rng.randint(0, d + 5)])


# Thresholds that no similarity has
ODD_SIMILARITIES = [-1.0, float("-inf"), float("inf"), float("nan"), 1 + 2**-52, 5e-324]


def random_similarity(rng, docs, measure):
    """A threshold from 0 to 1, often one that decides."""
    similarity = measure(*rng.choices([doc for doc in docs if doc is not None], k=2))
    beside = min(similarity * (1 + 2**-52), 1)
    return rng.choice([similarity, beside, similarity * (1 - 2**-53), rng.random(), 0, 1])


def random_collection(rng, count, largest=10):
    """Documents for a join: families of near-duplicates, tiny trees, NULLs."""
    label = labeller(rng.choice(LABELS), "a", rng)
    families = [random_tree(rng, rng.randint(1, largest), label) for _ in range(3)]
    docs = []
    for _ in range(count):
        doc = rng.choice(
            [
                edited(rng.choice(families), rng.randint(0, 4), label, rng),
                random_tree(rng, rng.randint(1, largest), label),
                random_tree(rng, rng.randint(1, 3), label),
            ]
        )
        docs.append(doc if rng.random() < 0.95 else None)
    return docs


def random_ids(rng, count):
    """Distinct ids, some negative, some beyond 32 bits."""
    return rng.sample(range(-count, count), count - 2) + [2**40 + 1, -(2**40)]


def random_sides(rng, count):
    """Ids of two sides, and the sides, in any order; ids repeat across the sides."""
    rows = [(i, side) for side in "lr" for i in random_ids(rng, count)]
    rng.shuffle(rows)
    return map(list, zip(*rows))


def self_join_case(rng, count, largest=10):
    """Ids, documents, threshold."""
    docs = random_collection(rng, count, largest)
    return random_ids(rng, count), docs, rng.randint(0, 6)


def similarity_join_case(rng, count, largest=10):
    """Ids, documents, least similarity."""
    docs = random_collection(rng, count, largest)
    return random_ids(rng, count), docs, random_similarity(rng, docs, oracle.similarity)


def two_sided_join_case(rng, count):
    """Ids, documents, sides, threshold."""
    docs = random_collection(rng, 2 * count)
    ids, sides = random_sides(rng, count)
    return ids, docs, sides, rng.randint(0, 6)


# Random sequences


def random_sequences(rng, symbols, longest):
    """Two sequences, unrelated or nearly the same."""
    x = rng.choices(symbols, k=rng.randint(0, longest))
    if rng.random() < 0.5:
        y = [rng.choice(symbols) if rng.random() < 0.1 else s for s in x if rng.random() < 0.9]
    else:
        y = rng.choices(symbols, k=rng.randint(0, longest))
    return rng.choice([(x, y), (y, x)])


def sequence_cases(rng, count, alphabets, build):
    """Pairs of sequences, some of them many machine words long, two of them longer still."""
    longest = [600 if i % 50 == 0 else 140 if i % 10 == 0 else 12 for i in range(count)]
    pairs = [random_sequences(rng, rng.choice(alphabets), n) for n in longest]
    for m, n in ((400, 5000), (5000, 300)):
        pairs.append([rng.choices(alphabets[-1], k=length) for length in (m, n)])
    return [(build(x), build(y)) for x, y in pairs]


def random_strings(rng, count, longest):
    """Strings for a join: families of near-duplicates, NULLs."""
    symbols = rng.choice(LETTERS)
    docs = ["".join(doc) for _ in range(count) for doc in random_sequences(rng, symbols, longest)]
    return [doc if rng.random() < 0.95 else None for doc in rng.sample(docs + docs[:3], count)]


def string_join_case(rng, count, longest):
    """Ids, strings, threshold."""
    docs = random_strings(rng, count, longest)
    return random_ids(rng, count), docs, random_similarity(rng, docs, oracle.string_similarity)


def two_sided_string_join_case(rng, count, longest):
    """Ids, strings, sides, threshold."""
    docs = random_strings(rng, 2 * count, longest)
    ids, sides = random_sides(rng, count)
    return ids, docs, sides, random_similarity(rng, docs, oracle.string_similarity)


LETTERS = ["a", "ab", "abcd", "abcdefghijklmnopqrstuvwxyz", "aé字😀 \t\n\\'\"", "éèê"]
TOKENS = [["a", "b"], ODD_LABELS]
NUMBERS = [[0, 1], [-(2**31), -1, 0, 1, 2**31 - 1], range(1000)]


# The table of checks

JOIN = "(SELECT to_json({}_similarity_join(id, doc, k)) FROM unnest(ids, docs) AS d(id, doc))"
TWO_SIDED_JOIN = (
    '(SELECT to_json({}_similarity_join(id, doc, k, side::"char"))'
    " FROM unnest(ids, docs, sides) AS d(id, doc, side))"
)
PLAIN_JOIN = (
    "(SELECT coalesce(json_agg(json_build_object("
    "'left_id', l.id, 'right_id', r.id, 'measure', {measure}(l.doc, r.doc))"
    " ORDER BY l.id, r.id), '[]')"
    " FROM unnest(ids, docs) AS l(id, doc) JOIN unnest(ids, docs) AS r(id, doc)"
    " ON l.id < r.id AND {measure}(r.doc, l.doc) {operator} k)"
)
PLAIN_DISTANCE_JOIN = PLAIN_JOIN.format(measure="tree_edit_distance", operator="<=")
PLAIN_SIMILARITY_JOIN = PLAIN_JOIN.format(measure="tree_similarity", operator=">=")
TED_JOIN_ONLY = "SET enable_nestloop = off; SET work_mem = '64kB'; "
SMALL_BLOCKS = "SET ted.max_memory = '64kB'; "
COMPARISONS = (
    "(SELECT json_agg(json_build_array(x::text, y::text,"
    " x < y, x <= y, x = y, x <> y, x >= y, x > y) ORDER BY x, y)"
    " FROM unnest(docs) AS x, unnest(docs) AS y)"
)
HASH_JOIN = "(SELECT count(*) FROM unnest(docs) AS x JOIN unnest(docs) AS y ON x = y)"
HASH_ONLY = "SET enable_mergejoin = off; SET enable_nestloop = off; "


def tree_checks(rng, count):
    """Text, accessors, order and hash."""
    trees = [(tree,) for pair in random_pairs(rng, count // 2) for tree in pair]
    collections = [([d for d in random_collection(rng, 25) if d],) for _ in range(count // 20)]
    equal = "s = s::text::tree AND tree_hash(s) = tree_hash(s::text::tree)"
    subtrees = "tree_nodes(t) AS n, tree_subtree(t, node) AS s"
    boolean = {"t": True, "f": False}.get
    return [
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


def distance_checks(rng, count):
    """Distances, bounded distances and mappings."""
    pairs = random_pairs(rng, count)
    with_costs = [(*pair, *rng.choices(range(6), k=3)) for pair in pairs]
    limits = [(*pair, random_limit(rng, distance(*pair))) for pair in pairs]
    limits_with_costs = [
        (a, b, *costs, random_limit(rng, distance(a, b, tuple(costs))))
        for a, b, *costs in with_costs
    ]
    against_many = [
        (pairs[i][0], [tree for pair in pairs[i + 1 : i + 4] for tree in pair])
        for i in range(0, count, 10)
    ]
    similarities = [
        (*pair, rng.choice([random_similarity(rng, pair, oracle.similarity), *ODD_SIMILARITIES]))
        for pair in pairs
    ]
    boolean = {"t": True, "f": False}.get
    costs = "a tree, b tree, ins int, del int, ren int"
    return [
        Check(
            "tree_edit_distance", "a tree, b tree", "tree_edit_distance(a, b)",
            int, equals(distance), pairs,
        ),
        Check(
            "tree_edit_distance with costs", costs, "tree_edit_distance(a, b, ins, del, ren)",
            int, equals(lambda a, b, *costs: distance(a, b, costs)), with_costs,
        ),
        Check("<->", "a tree, b tree", "a <-> b", float, equals(distance), pairs),
        Check(
            "tree_edit_distance_less_equal", "a tree, b tree, k int",
            "tree_edit_distance_less_equal(a, b, k)", int, bounded_fault, limits,
        ),
        Check(
            "tree_edit_distance_less_equal with costs", costs + ", k int",
            "tree_edit_distance_less_equal(a, b, ins, del, ren, k)",
            int, bounded_fault, limits_with_costs,
        ),
        Check(
            "tree_within", "a tree, b tree, k int", "tree_within(a, b, k)",
            boolean, equals(lambda a, b, k: distance(a, b) <= k), limits,
        ),
        Check(
            "bounds", "a tree, b tree", "json_build_array("
            "tree_edit_distance_lower_bound(a, b), tree_edit_distance_upper_bound(a, b))",
            json.loads, bounds_fault, pairs + [(a, a) for a, _ in pairs[::10]],
        ),
        Check(
            "tree_similarity", "a tree, b tree", "tree_similarity(a, b)",
            float, equals(oracle.similarity), pairs,
        ),
        Check(
            "tree_similar", "a tree, b tree, s float8",
            "to_json(ARRAY[tree_similar(a, b, s), tree_similarity(a, b) >= s])",
            json.loads, equals(lambda a, b, s: 2 * [oracle.similarity(a, b) >= s]), similarities,
        ),
        Check(
            "tree_normalized_distance", "a tree, b tree", "tree_normalized_distance(a, b)",
            float, close_to(oracle.normalized_distance), pairs,
        ),
        Check(
            "tree_edit_distances", "a tree, docs tree[]", "to_json(tree_edit_distances(a, docs))",
            json.loads, equals(lambda a, docs: [distance(a, b) for b in docs]), against_many,
        ),
        Check(
            "tree_edit_mapping", "a tree, b tree",
            "(SELECT json_agg(m) FROM tree_edit_mapping(a, b) AS m)",
            json.loads, mapping_fault, pairs,
        ),
        Check(
            "tree_edit_mapping with costs", costs,
            "(SELECT json_agg(m) FROM tree_edit_mapping(a, b, ins, del, ren) AS m)",
            json.loads, mapping_fault, with_costs,
        ),
        Check(
            "tree_subtree_topk", "a tree, b tree, k int",
            "(SELECT coalesce(json_agg(s), '[]') FROM tree_subtree_topk(a, b, k) AS s)",
            json.loads, equals(nearest_subtrees), [(*pair, rng.randint(0, 20)) for pair in pairs],
        ),
    ]


def sequence_checks(rng, count):
    """Common subsequences and supersequences."""
    sorts = {
        "text": sequence_cases(rng, count, LETTERS, "".join),
        "bytea": sequence_cases(rng, count, [range(2), range(256)], bytes),
        "text[]": sequence_cases(rng, count, TOKENS, list),
        "int[]": sequence_cases(rng, count, NUMBERS, list),
    }
    against_many = [
        (sorts["text"][i][0], [text for pair in sorts["text"][i : i + 5] for text in pair])
        for i in range(0, count, 5)
    ]
    lengths = [
        Check(
            f"{name} on {sort}", f"x {sort}, y {sort}", f"{name}(x, y)",
            int, equals(getattr(oracle, name)), cases,
        )
        for sort, cases in sorts.items()
        for name in ("lcs_length", "scs_length")
    ]
    return lengths + [
        Check("lcs", "x text, y text", "lcs(x, y)", str, lcs_fault, sorts["text"]),
        Check("scs", "x text, y text", "scs(x, y)", str, scs_fault, sorts["text"]),
        Check(
            "lcs_lengths", "x text, ys text[]", "to_json(lcs_lengths(x, ys))",
            json.loads, equals(lambda x, ys: [oracle.lcs_length(x, y) for y in ys]), against_many,
        ),
    ]


def join_checks(rng, count):
    """Similarity joins over small collections."""
    columns = "ids bigint[], docs tree[]"
    small = [self_join_case(rng, 20) for _ in range(count // 20)]
    large = [self_join_case(rng, 15, 40) for _ in range(count // 200)]
    many = [(random_ids(rng, 250), random_collection(rng, 250, 4), 3)]
    similar = [similarity_join_case(rng, 20) for _ in range(count // 20)]
    similar += [similarity_join_case(rng, 15, 40) for _ in range(count // 200)]
    two_sided = [two_sided_join_case(rng, 10) for _ in range(count // 20)]
    blocks = [self_join_case(rng, 50) for _ in range(count // 100)]
    two_sided_blocks = [two_sided_join_case(rng, 35) for _ in range(count // 100)]
    return [
        Check(
            "tree_similarity_join", columns + ", k int", JOIN.format("tree"),
            json.loads, self_join_fault, small + large,
        ),
        Check(
            "plain join", columns + ", k int", PLAIN_DISTANCE_JOIN,
            json.loads, self_join_fault, small + large, TED_JOIN_ONLY,
        ),
        Check(
            "plain join by similarity", columns + ", k float8", PLAIN_SIMILARITY_JOIN,
            json.loads, partial(self_join_fault, join=oracle.similarity_join), similar,
            TED_JOIN_ONLY,
        ),
        Check(
            "plain join of 250 tiny trees", columns + ", k int", PLAIN_DISTANCE_JOIN,
            json.loads, self_join_fault, many, TED_JOIN_ONLY,
        ),
        Check(
            "tree_similarity_join of 250 tiny trees", columns + ", k int", JOIN.format("tree"),
            json.loads, self_join_fault, many,
        ),
        Check(
            "tree_similarity_join in blocks", columns + ", k int", JOIN.format("tree"),
            json.loads, self_join_fault, blocks, SMALL_BLOCKS,
        ),
        Check(
            "tree_similarity_join of two sides", columns + ", sides text[], k int",
            TWO_SIDED_JOIN.format("tree"), json.loads, two_sided_join_fault, two_sided,
        ),
        Check(
            "tree_similarity_join of two sides in blocks", columns + ", sides text[], k int",
            TWO_SIDED_JOIN.format("tree"), json.loads, two_sided_join_fault, two_sided_blocks,
            SMALL_BLOCKS,
        ),
    ]


def string_join_checks(rng, count):
    """Similarity joins over small collections of strings."""
    columns = "ids bigint[], docs text[]"
    cases = [string_join_case(rng, 20, rng.choice([3, 12, 80])) for _ in range(count // 10)]
    many = [string_join_case(rng, 300, 8) for _ in range(2)]
    long = [string_join_case(rng, 6, 1500)]
    two_sided = [
        two_sided_string_join_case(rng, 10, rng.choice([3, 12, 80])) for _ in range(count // 10)
    ]
    self_fault = partial(self_join_fault, join=oracle.string_join)
    return [
        Check(
            "lcs_similarity_join", columns + ", k float8", JOIN.format("lcs"),
            json.loads, self_fault, cases + many + long,
        ),
        Check(
            "lcs_similarity_join of two sides", columns + ", sides text[], k float8",
            TWO_SIDED_JOIN.format("lcs"), json.loads,
            partial(two_sided_join_fault, join=oracle.string_join), two_sided,
        ),
    ]


# Joins by parallel workers: a table of several pages, dropped by rollback.  The
# final function costs the same in every plan: counted, it would hide what
# workers save.

PARALLEL = """
BEGIN;
CREATE TABLE d (id bigint, doc tree, side "char") WITH (fillfactor = 10, parallel_workers = 2);
{rows}
SET LOCAL parallel_setup_cost = 0;
SET LOCAL cpu_operator_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL parallel_leader_participation = {leader};
EXPLAIN (COSTS OFF) {query};
{answer}
ROLLBACK;
"""


def parallel_fault(arguments, leader, rows, fault):
    """What is wrong with a join that workers take part in, or None; `fault` judges its rows."""
    query = f"SELECT to_json(tree_similarity_join({arguments})) FROM d"
    script = PARALLEL.format(
        rows=copy_in("d", rows), leader=leader, query=query, answer=copy_out(query)
    )
    try:
        *plan, answer, _ = psql(script).split("\n")
    except ServerError as error:
        return f"got {error}"
    if not any("Partial Aggregate" in line for line in plan):
        return "\n".join(["the plan is not parallel", *plan])
    found = fault(json.loads(copied_fields(answer)[0]))
    return found and f"{found}\n{script}"


def parallel_checks(rng):
    """Names and faults of the parallel joins."""
    case = ids, docs, k = self_join_case(rng, 60)
    rows = [(i, doc, "l") for i, doc in zip(ids, docs)]
    for leader in ("on", "off"):
        name = f"parallel tree_similarity_join, leader {leader}: {len(rows)} documents"
        fault = parallel_fault(
            f"id, doc, {k}", leader, rows, lambda got: self_join_fault(got, *case)
        )
        yield name, fault
    case = ids, docs, sides, k = two_sided_join_case(rng, 30)
    rows = list(zip(ids, docs, sides))
    yield f"parallel tree_similarity_join of two sides: {len(rows)} documents", parallel_fault(
        f"id, doc, {k}, side", "on", rows, lambda got: two_sided_join_fault(got, *case)
    )


# Indexes: half of the rows come after the index is made, a third goes again.
# Every document is looked for among the others.

INDEXED = """
BEGIN;
CREATE TABLE d (id bigint, doc tree);
{first_rows}
CREATE INDEX ON d USING {method} (doc);
{second_rows}
DELETE FROM d WHERE id IN ({deleted});
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = {bitmaps};
{queries}
ROLLBACK;
"""

MATCHES = """SELECT coalesce(json_agg(m ORDER BY left_id, right_id), '[]')
FROM (SELECT a.id AS left_id, b.id AS right_id, {measure}(a.doc, b.doc) AS measure
      FROM d a, LATERAL (SELECT * FROM d b WHERE {predicate}(b.doc, a.doc, {k}) OFFSET 0) b
      WHERE a.id < b.id) m"""

NEAREST = """SELECT json_agg(n ORDER BY id)
FROM (SELECT a.id,
             array(SELECT b.doc <-> a.doc FROM d b ORDER BY b.doc <-> a.doc LIMIT 4) AS distances
      FROM d a WHERE a.doc IS NOT NULL) n"""


def nearest_fault(got, rows):
    """The distances of the nearest four documents, NULL where there are none."""
    docs = dict(rows)
    for row in got:
        doc = docs[row["id"]]
        distances = sorted(distance(doc, other, UNIT_COSTS) for other in docs.values() if other)
        expected = (distances + [None] * len(docs))[: min(4, len(docs))]
        if row["distances"] != expected:
            return f"nearest to {write(doc)}: expected {expected}, got {row['distances']}"
    return None


def index_fault(method, rng):
    """What an index finds amiss in a random collection, or None."""
    ids, docs, k = self_join_case(rng, 40)
    rows = list(zip(ids, docs))
    deleted = set(rng.sample(ids, len(ids) // 3))
    s = random_similarity(rng, docs, oracle.similarity)
    queries = [
        MATCHES.format(measure="tree_edit_distance", predicate="tree_within", k=k),
        MATCHES.format(measure="tree_similarity", predicate="tree_similar", k=s),
    ] + ([NEAREST] if method == "gist" else [])
    script = INDEXED.format(
        method=method,
        first_rows=copy_in("d", rows[::2]),
        second_rows=copy_in("d", rows[1::2]),
        deleted=", ".join(map(str, deleted)),
        bitmaps="on" if method == "gin" else "off",
        queries="".join(
            f"EXPLAIN (COSTS OFF) {query};\n{copy_out(query.replace(chr(10), ' '))}"
            for query in queries
        ),
    )
    try:
        lines = psql(script).split("\n")
    except ServerError as error:
        return f"got {error}"
    if sum("d_doc_idx" in line for line in lines) < len(queries):
        return "\n".join(["the plan does not use the index", *lines])
    answers_got = [json.loads(copied_fields(line)[0]) for line in lines if line.startswith("[")]
    rest = [(i, doc) for i, doc in rows if i not in deleted]
    fault = self_join_fault(answers_got[0], *zip(*rest), k)
    fault = fault or self_join_fault(answers_got[1], *zip(*rest), s, oracle.similarity_join)
    if not fault and method == "gist":
        fault = nearest_fault(answers_got[2], rest)
    return fault and f"{fault}\n{script}"


def index_checks(rng, count):
    """Names and faults of searches by indexes."""
    for method in ("gin", "gist"):
        faults = (index_fault(method, rng) for _ in range(max(count // 100, 1)))
        yield f"{method}: {max(count // 100, 1)} collections", next(filter(None, faults), None)


# TAP


def report(outcomes):
    """Prints outcomes, pairs of name and fault or None, as TAP; the exit status."""
    failed = number = 0
    for number, (name, fault) in enumerate(outcomes, 1):
        print(f"{'not ' if fault else ''}ok {number} - {name}", flush=True)
        if fault:
            failed += 1
            print("\n".join("# " + line for line in fault.split("\n")), flush=True)
    print(f"1..{number}")
    return 1 if failed or not number else 0


def results(seed, count):
    """Names and faults of all tests."""
    groups = (tree_checks, distance_checks, sequence_checks, join_checks, string_join_checks)
    for group in groups:
        for check in group(random.Random(f"{seed} {group.__name__}"), count):
            fault = verdict(check)
            yield f"{check.name}: {len(check.cases)} cases", fault and "\n".join(fault)
    yield from parallel_checks(random.Random(f"{seed} parallel"))
    yield from index_checks(random.Random(f"{seed} index"), count)


def main():
    """Runs everything."""
    seed, count = os.environ.get("SEED", "1"), int(os.environ.get("COUNT", "1000"))
    print(f"# SEED={seed} COUNT={count}")
    psql("SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS ted;")
    return report(results(seed, count))


if __name__ == "__main__":
    sys.exit(main())
