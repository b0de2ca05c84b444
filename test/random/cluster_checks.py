"""Clusters of small collections, by the window functions and by pairs."""

import json

import cost_oracle
import oracle
from check import Check, outcome
from cost_checks import random_model
from joins import random_collection

COLUMNS = "ids text[], docs tree[], k int"
ROWS = "unnest(ids, docs) AS d(id, doc)"
BY_WINDOW = (
    "(SELECT json_agg(ARRAY[id, cluster::text] ORDER BY id COLLATE \"C\")"
    f" FROM (SELECT id, {{}} OVER (ORDER BY id COLLATE \"C\") AS cluster FROM {ROWS}) c)"
)
BYTES = (
    "(SELECT coalesce(string_agg(set_byte('\\x00', 0, e), '' ORDER BY n), '')"
    " FROM unnest(doc::int[]) WITH ORDINALITY AS e(e, n) WHERE doc IS NOT NULL HAVING doc IS NOT NULL)"
)
BY_PAIRS = (
    "(SELECT json_agg(ARRAY[c.id, c.cluster]) FROM"
    " (SELECT array_agg(l.id COLLATE \"C\") AS lefts, array_agg(r.id COLLATE \"C\") AS rights"
    " FROM unnest(ids, docs) AS l(id, doc) LEFT JOIN unnest(ids, docs) AS r(id, doc)"
    " ON l.id <> r.id AND tree_within(l.doc, r.doc, k)) p,"
    " ted_clusters(lefts, rights) c)"
)
SMALL_BLOCKS = (
    "SET ted.least_join_memory = '1kB'; "
)


def first_reached(ids, pairs):
    """The first id that a chain of pairs leads to, by id."""
    first = {i: i for i in ids}
    changed = True
    while changed:
        changed = False
        for i, j, _ in pairs:
            least = min(first[i], first[j])
            changed |= first[i] != first[j]
            first[i] = first[j] = least
    return first


def pairs_fault(got, ids, docs, threshold):
    """Each id with the first one of its cluster, in order."""
    pairs = oracle.join(list(zip(ids, docs)), threshold)
    expected = [list(item) for item in sorted(first_reached(ids, pairs).items())]
    return None if got == expected else f"expected {expected}"


def complete(ids, pairs, nearness):
    """The first id of each id's cluster by complete linkage; ids at distance 0 are one."""
    first = first_reached(ids, [pair for pair in pairs if nearness(pair[2]) == 0])
    near = {}
    for i, j, measure in pairs:
        if first[i] != first[j]:
            near[min(first[i], first[j]), max(first[i], first[j])] = nearness(measure)
    members = {i: {i} for i in set(first.values())}
    taken = set()
    for _, i, j in sorted((measure, *pair) for pair, measure in near.items()):
        taken |= {(i, j), (j, i)}
        a, b = ([key for key in members if x in members[key]][0] for x in (i, j))
        if all((x, y) in taken for x in members[a] for y in members[b]):
            members[min(a, b)] |= members.pop(max(a, b))
    cluster = {x: min(group) for group in members.values() for x in group}
    return {i: cluster[first[i]] for i in ids}


def window_fault(got, ids, docs, first):
    """Clusters, each named by its first id, numbered in the order of their first rows."""
    document = dict(zip(ids, docs))
    numbers = {}
    expected = []
    for i, first in sorted(first.items()):
        number = None if document[i] is None else str(numbers.setdefault(first, len(numbers) + 1))
        expected.append([i, number])
    return None if got == expected else f"expected {expected}"


def window_by(join):
    """The fault of clusters by a window function, whose pairs are those of a join."""
    return lambda got, ids, docs, *rest: window_fault(
        got, ids, docs, first_reached(ids, join(list(zip(ids, docs)), *rest)))


def complete_by(join, nearness=lambda distance: distance):
    """The same by complete linkage, where pairs have the measures of a join."""
    return lambda got, ids, docs, *rest: window_fault(
        got, ids, docs, complete(ids, join(list(zip(ids, docs)), *rest), nearness))


def model_join(collection, k, model):
    """All pairs whose distance by a model is within k in either direction."""
    def nearer(a, b):
        return min(cost_oracle.distance(a, b, model), cost_oracle.distance(b, a, model))
    return oracle.join_pairs(collection, None, nearer, lambda d: d <= k)


def array_join(collection, s):
    """All pairs of arrays, as text, that are at least as similar as s."""
    def similarity(a, b):
        return oracle.string_similarity(a[1:-1].split(",") if a != "{}" else [], b[1:-1].split(",") if b != "{}" else [])
    return oracle.join_pairs(collection, None, similarity, lambda measured: measured >= s)


def random_array(rng):
    """An array as text, or None."""
    if rng.random() < 0.1:
        return None
    return "{" + ",".join(str(rng.randint(1, 4)) for _ in range(rng.randint(0, 6))) + "}"


def case(rng, count, largest=10):
    """Ids, documents, threshold."""
    ids = [f"{number:x}" for number in rng.sample(range(1000), count)]
    return ids, random_collection(rng, count, largest), rng.randint(0, 4)


def outcomes(rng, count):
    """Clusters by both ways, also in blocks."""
    small = [case(rng, rng.randint(1, 20)) for _ in range(count // 20)]
    blocks = [case(rng, 50) for _ in range(count // 100)]
    similar = [(*c[:2], rng.choice([0, 0.5, 2 / 3, 0.75, rng.random(), 1])) for c in small]
    models = [
        (ids, docs, rng.choice([0.5, k]), random_model(rng, *[doc for doc in docs if doc is not None]))
        for ids, docs, k in small
    ]
    crowds = [(ids, [rng.choice(docs[:8]) for _ in docs], k) for ids, docs, k in blocks]
    symmetric = [case for case in models if cost_oracle.symmetric(case[3])]
    arrays = [(ids, [random_array(rng) for _ in ids], s) for ids, _, s in similar]
    within = BY_WINDOW.format("tree_within_cluster(doc, k)")
    checks = [
        Check("tree_within_cluster", COLUMNS, within, json.loads, window_by(oracle.join), small),
        Check("tree_within_cluster in blocks", COLUMNS, within, json.loads, window_by(oracle.join), blocks, SMALL_BLOCKS),
        Check("tree_within_cluster in crowds", COLUMNS, within, json.loads, window_by(oracle.join), crowds, SMALL_BLOCKS),
        *[
            Check(
                f"complete tree_within_cluster {name}", COLUMNS, BY_WINDOW.format("tree_within_cluster(doc, k, 'complete')"),
                json.loads, complete_by(oracle.join), cases, before,
            )
            for name, cases, before in [("of few", small, ""), ("in blocks", blocks, SMALL_BLOCKS), ("in crowds", crowds, SMALL_BLOCKS)]
        ],
        Check(
            "complete tree_within_cluster by a model", "ids text[], docs tree[], k float8, m tree_costs",
            BY_WINDOW.format("tree_within_cluster(doc, k, 'complete', m)"), json.loads, complete_by(model_join), symmetric,
        ),
        Check(
            "complete tree_similar_cluster", "ids text[], docs tree[], s float8",
            BY_WINDOW.format("tree_similar_cluster(doc, s, 'complete')"), json.loads,
            complete_by(oracle.similarity_join, lambda s: 1 - s), similar,
        ),
        Check(
            "complete lcs_similar_cluster", "ids text[], docs text[], s float8",
            BY_WINDOW.format("lcs_similar_cluster(doc::int[], s, 'complete')"), json.loads,
            complete_by(array_join, lambda s: 1 - s), arrays,
        ),
        Check(
            "tree_within_cluster by a model", "ids text[], docs tree[], k float8, m tree_costs",
            BY_WINDOW.format("tree_within_cluster(doc, k, costs => m)"), json.loads, window_by(model_join), models,
        ),
        Check(
            "tree_similar_cluster", "ids text[], docs tree[], s float8",
            BY_WINDOW.format("tree_similar_cluster(doc, s)"), json.loads, window_by(oracle.similarity_join), similar,
        ),
        *[
            Check(
                f"lcs_similar_cluster of {name}", "ids text[], docs text[], s float8",
                BY_WINDOW.format(f"lcs_similar_cluster({doc}, s)"), json.loads, window_by(array_join), arrays,
            )
            for name, doc in [("integers", "doc::int[]"), ("texts", "doc::text[]"), ("numbers", "doc::numeric[]"), ("bytes", BYTES)]
        ],
        Check("ted_clusters", COLUMNS, BY_PAIRS, json.loads, pairs_fault, small),
    ]
    return map(outcome, checks)
