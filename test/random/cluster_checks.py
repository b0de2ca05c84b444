"""Clusters of small collections of trees, by the window function and by pairs."""

import json

import oracle
from check import Check, outcome
from joins import random_collection

COLUMNS = "ids text[], docs tree[], k int"
ROWS = "unnest(ids, docs) AS d(id, doc)"
BY_WINDOW = (
    "(SELECT json_agg(ARRAY[id, cluster::text] ORDER BY id COLLATE \"C\")"
    f" FROM (SELECT id, tree_within_cluster(doc, k) OVER (ORDER BY id COLLATE \"C\") AS cluster FROM {ROWS}) c)"
)
BY_PAIRS = (
    "(SELECT json_agg(ARRAY[c.id, c.cluster]) FROM"
    " (SELECT array_agg(l.id COLLATE \"C\") AS lefts, array_agg(r.id COLLATE \"C\") AS rights"
    " FROM unnest(ids, docs) AS l(id, doc) LEFT JOIN unnest(ids, docs) AS r(id, doc)"
    " ON l.id <> r.id AND tree_within(l.doc, r.doc, k)) p,"
    " ted_clusters(lefts, rights) c)"
)
SMALL_BLOCKS = "SET ted.max_memory = '64kB'; "


def first_reached(ids, docs, threshold):
    """The first id that a chain of pairs leads to, by id."""
    first = {i: i for i in ids}
    pairs = [(i, j) for i, j, _ in oracle.join(list(zip(ids, docs)), threshold)]
    changed = True
    while changed:
        changed = False
        for i, j in pairs:
            least = min(first[i], first[j])
            changed |= first[i] != first[j]
            first[i] = first[j] = least
    return first


def pairs_fault(got, ids, docs, threshold):
    """Each id with the first one of its cluster, in order."""
    expected = [list(item) for item in sorted(first_reached(ids, docs, threshold).items())]
    return None if got == expected else f"expected {expected}"


def window_fault(got, ids, docs, threshold):
    """Clusters numbered in the order of their first rows."""
    document = dict(zip(ids, docs))
    numbers = {}
    expected = []
    for i, first in sorted(first_reached(ids, docs, threshold).items()):
        number = None if document[i] is None else str(numbers.setdefault(first, len(numbers) + 1))
        expected.append([i, number])
    return None if got == expected else f"expected {expected}"


def case(rng, count, largest=10):
    """Ids, documents, threshold."""
    ids = [f"{number:x}" for number in rng.sample(range(1000), count)]
    return ids, random_collection(rng, count, largest), rng.randint(0, 4)


def outcomes(rng, count):
    """Clusters by both ways, also in blocks."""
    small = [case(rng, rng.randint(1, 20)) for _ in range(count // 20)]
    blocks = [case(rng, 50) for _ in range(count // 100)]
    checks = [
        Check("tree_within_cluster", COLUMNS, BY_WINDOW, json.loads, window_fault, small),
        Check("tree_within_cluster in blocks", COLUMNS, BY_WINDOW, json.loads, window_fault, blocks, SMALL_BLOCKS),
        Check("ted_clusters", COLUMNS, BY_PAIRS, json.loads, pairs_fault, small),
    ]
    return map(outcome, checks)
