"""Similarity joins of small collections of trees."""

import json
from functools import partial

import oracle
from check import Check, outcome
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
# What all cells find together, of documents that are sent to those that a rule leads to.
CELL_JOIN = (
    "(WITH d AS (SELECT {side} AS side, id, doc FROM {rows} WHERE doc IS NOT NULL), r AS MATERIALIZED ({rule}),"
    " p AS (SELECT cell, ted_pack_document(side, id, doc, cells) AS packed"
    " FROM (SELECT d.*, {cells} AS cells FROM d, r) AS d, unnest(cells) AS cell),"
    " f AS (SELECT ted_join_cell(packed, 'tree', k, cell) AS found FROM p GROUP BY cell)"
    " SELECT coalesce(json_agg(json_build_object('left_id', left_id, 'right_id', right_id, 'measure', measure)"
    " ORDER BY left_id, right_id), '[]') FROM f, ted_unpack_matches(found, NULL::bigint, {in_order}))"
)
BY_SIZE = {
    "rule": (
        "SELECT (ted_size_cells(array_agg(size ORDER BY size), array_agg(n ORDER BY size), 1, k, cells)).rule"
        " FROM (SELECT tree_size(doc) AS size, count(*) AS n FROM d GROUP BY 1) AS s"
    ),
    "cells": "ted_cells_by_size(tree_size(doc), tree_hash(doc), rule)",
}
BY_NODES = {
    "rule": (
        "SELECT ted_assign_nodes(ted_rare_tree_nodes(doc, counts, k), counts, k, cells) AS rule"
        " FROM d, (SELECT ted_label_counts(doc) AS counts FROM d) AS c"
    ),
    "cells": "ted_cells_by_nodes(doc, rule)",
}
SELF_JOIN = {"side": "''::\"char\"", "rows": "unnest(ids, docs) AS d(id, doc)", "in_order": "true"}
TWO_SIDES = {"side": 'side::"char"', "rows": "unnest(ids, docs, sides) AS d(id, doc, side)", "in_order": "false"}
TED_JOIN_ONLY = (
    "SET enable_nestloop = off; SET work_mem = '64kB'; SET ted.least_join_memory = '64kB'; "
)
SMALL_BLOCKS = (
    "SET ted.least_join_memory = '1kB'; "
)


def cell_case(rng, case):
    """The same with a number of cells."""
    return *case, rng.randint(1, 40)


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
    cells = [cell_case(rng, case) for case in small + large + words]
    by_nodes = [cell_case(rng, case) for case in small + large + many + words if case[-1] <= 24]
    two_sided_cells = [cell_case(rng, case) for case in two_sided]
    checks = [
        Check(
            "cells by sizes", columns + ", k int, cells int", CELL_JOIN.format(**SELF_JOIN, **BY_SIZE),
            json.loads, without_cells(self_join_fault), cells,
        ),
        Check(
            "cells by nodes", columns + ", k int, cells int", CELL_JOIN.format(**SELF_JOIN, **BY_NODES),
            json.loads, without_cells(self_join_fault), by_nodes,
        ),
        Check(
            "cells of two sides", columns + ", sides text[], k int, cells int",
            CELL_JOIN.format(**TWO_SIDES, **BY_SIZE), json.loads, without_cells(two_sided_join_fault), two_sided_cells,
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
