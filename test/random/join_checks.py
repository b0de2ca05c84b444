"""Similarity joins of small collections of trees."""

import json
from functools import partial

import oracle
from check import Check, outcome
from cluster_checks import first_reached
from joins import (
    JOIN,
    TWO_SIDED_JOIN,
    random_collection,
    random_ids,
    self_join_case,
    self_join_fault,
    similarity_join_case,
    two_sided_join_case,
    two_sided_join_fault,
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
# What all cells find together, after all steps of homes and owners.
ANSWERS = "SELECT a.* FROM (SELECT ted_{step}(step, number, sender, seq, packed, {receivers}) AS answers FROM ({packets}) AS p GROUP BY number) AS g, unnest(answers) AS a"
FIND_SHARED = ANSWERS.format(step="find_shared", receivers="homes", packets="SELECT * FROM p1 WHERE step = 'o'")
LEAST_KEYS = ANSWERS.format(step="least_keys", receivers="owners", packets="SELECT * FROM p1 WHERE step = 'k' UNION ALL SELECT * FROM p2 WHERE step = 's'")
VALUES = ANSWERS.format(step="values", receivers="homes", packets="SELECT * FROM p2 WHERE step = 'g' UNION ALL SELECT * FROM p3")
DOCUMENT_VALUES = ANSWERS.format(
    step="document_values", receivers="owners",
    packets="SELECT * FROM p1 WHERE step = 'k' UNION ALL SELECT * FROM p2 WHERE step = 's' UNION ALL SELECT * FROM p4",
)
CELL_JOIN = (
    "(WITH s AS (SELECT owners, 1 + owners % 4 AS homes), p1 AS MATERIALIZED (SELECT p.* FROM s, ted_read_documents("
    "{query}, 0, array(SELECT -2147483648 + i * (4294967296 / homes) FROM generate_series(0, homes - 1) AS i)::int[],"
    " (SELECT ted_label_counts(doc) FROM unnest(docs) AS d(doc)), owners, 'tree', k) AS p),"
    f" p2 AS MATERIALIZED ({FIND_SHARED}), p3 AS MATERIALIZED ({LEAST_KEYS}), p4 AS MATERIALIZED ({VALUES}), p5 AS MATERIALIZED ({DOCUMENT_VALUES}),"
    " c AS MATERIALIZED (SELECT ted_plan_cells(step, {two_sided}, sender, seq, packed, owners, 'tree', k) AS plan"
    " FROM (SELECT * FROM p1 WHERE step = 'z' UNION ALL SELECT * FROM p5 WHERE step = 'h') AS p),"
    " p6 AS MATERIALIZED (SELECT p.* FROM c, (SELECT * FROM p1 WHERE step = 'd') AS d LEFT JOIN (SELECT number, seq, packed AS valued FROM p5"
    " WHERE step = 'c') AS v USING (number, seq), ted_send_documents(packed, valued, plan, number, seq) AS p),"
    " f AS (SELECT ted_join_cell(packed, sender, 'tree', k, number, homes, {in_order}, 'bigint', NULL) AS answers FROM p6, s GROUP BY number, homes)"
    " SELECT coalesce(json_agg(json_build_object('left_id', left_id, 'right_id', right_id, 'measure', measure)"
    " ORDER BY left_id, right_id), '[]') FROM f, unnest(answers) AS a, ted_unpack_pairs(a.packed) AS p(left_id bigint, right_id bigint, measure float8))"
).replace("packed, homes)", "packed, (SELECT homes FROM s))")
# The documents that cells connect, with the least ids of their clusters.
CELL_CLUSTERS = (
    CELL_JOIN[:CELL_JOIN.index(" SELECT coalesce(json_agg(json_build_object(")].replace("ted_join_cell", "ted_connect_cell")
    + " SELECT coalesce(json_agg(ARRAY[c.id, c.cluster] ORDER BY c.id), '[]') FROM (SELECT array_agg(left_id) AS l, array_agg(right_id) AS r"
    " FROM f, unnest(answers) AS a, ted_unpack_pairs(a.packed) AS p(left_id bigint, right_id bigint, measure float8)) AS p, ted_clusters(l, r) AS c)"
)
SELF_JOIN = {
    "query": "format('SELECT ''''::\"char\", id, doc FROM unnest(%L::bigint[], %L::tree[]) AS d(id, doc) WHERE doc IS NOT NULL', ids, docs)",
    "two_sided": "0", "in_order": "true",
}
TWO_SIDES = {
    "query": (
        "format('SELECT side::\"char\", id, doc FROM unnest(%L::bigint[], %L::tree[], %L::text[]) AS d(id, doc, side)"
        " WHERE doc IS NOT NULL', ids, docs, sides)"
    ),
    "two_sided": "1", "in_order": "false",
}
TED_JOIN_ONLY = (
    "SET enable_nestloop = off; SET work_mem = '64kB'; SET ted.least_join_memory = '64kB'; "
)
SMALL_BLOCKS = (
    "SET ted.least_join_memory = '1kB'; "
)


def cell_case(rng, case):
    """The same with a number of owners of keys."""
    return *case, rng.randint(1, 40)


def cell_clusters_fault(got, ids, docs, threshold, _):
    """Each id that a pair has, with the first one of its cluster."""
    pairs = oracle.join(list(zip(ids, docs)), threshold)
    first = first_reached({i for pair in pairs for i in pair[:2]}, pairs)
    expected = [list(item) for item in sorted(first.items())]
    return None if got == expected else f"expected {expected}"


def without_cells(fault):
    """What is wrong with pairs that cells have found."""
    return lambda got, *case: fault(got, *case[:-1])


def outcomes(rng, count):
    """Joins of one collection and of two, by the aggregate, in cells and by TedJoin, also in blocks."""
    columns = "ids bigint[], docs tree[]"
    small = [self_join_case(rng, 20) for _ in range(count // 20)]
    large = [self_join_case(rng, 15, 40) for _ in range(count // 200)]
    many = [(random_ids(rng, 250), random_collection(rng, 250, 4), 3)]
    similar = [similarity_join_case(rng, 20) for _ in range(count // 20)]
    similar += [similarity_join_case(rng, 15, 40) for _ in range(count // 200)]
    two_sided = [two_sided_join_case(rng, 10) for _ in range(count // 20)]
    blocks = [self_join_case(rng, 50) for _ in range(count // 100)]
    two_sided_blocks = [two_sided_join_case(rng, 35) for _ in range(count // 100)]
    words = [self_join_case(rng, 30, 12, ["rare"]) for _ in range(count // 20)]
    cells = [cell_case(rng, case) for case in small + large + many + words]
    two_sided_cells = [cell_case(rng, case) for case in two_sided]
    checks = [
        Check(
            "cells", columns + ", k int, owners int", CELL_JOIN.format(**SELF_JOIN),
            json.loads, without_cells(self_join_fault), cells,
        ),
        Check(
            "cells of two sides", columns + ", sides text[], k int, owners int",
            CELL_JOIN.format(**TWO_SIDES), json.loads, without_cells(two_sided_join_fault), two_sided_cells,
        ),
        Check(
            "clusters of cells", columns + ", k int, owners int", CELL_CLUSTERS.format(**SELF_JOIN), json.loads, cell_clusters_fault,
            [case for case in cells if len(set(case[0])) == len(case[0]) and None not in case[0]],
        ),
        Check(
            "tree_within_pairs", columns + ", k int", JOIN.format("tree_within"),
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
            "tree_within_pairs of 250 tiny trees", columns + ", k int", JOIN.format("tree_within"),
            json.loads, self_join_fault, many,
        ),
        Check(
            "tree_within_pairs in blocks", columns + ", k int", JOIN.format("tree_within"),
            json.loads, self_join_fault, blocks, SMALL_BLOCKS,
        ),
        Check(
            "tree_within_pairs of two sides", columns + ", sides text[], k int",
            TWO_SIDED_JOIN.format("tree_within"), json.loads, two_sided_join_fault, two_sided,
        ),
        Check(
            "tree_within_pairs of two sides in blocks", columns + ", sides text[], k int",
            TWO_SIDED_JOIN.format("tree_within"), json.loads, two_sided_join_fault, two_sided_blocks,
            SMALL_BLOCKS,
        ),
    ]
    return map(outcome, checks)
