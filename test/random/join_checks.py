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
# Cells of a self-join and of a grid, cut out of all documents, and what they find together.
CELLS = (
    "(SELECT array_agg(c) FROM (SELECT array_agg(size ORDER BY size) AS sizes, array_agg(n ORDER BY size) AS counts"
    " FROM (SELECT tree_size(doc) AS size, count(*) AS n FROM unnest(docs) AS doc WHERE doc IS NOT NULL GROUP BY 1) AS s"
    ") AS h, ted_plan_cells(sizes, counts, 1, k, cells) AS c)"
)
GRID = "(SELECT array_agg(c) FROM ted_grid_cells(cardinality(docs), cardinality(docs) / 2, cells) AS c)"
CELL_JOIN = (
    "(SELECT coalesce(json_agg(json_build_object('left_id', {left}, 'right_id', {right}, 'measure', measure)"
    " ORDER BY {left}, {right}), '[]')"
    " FROM (SELECT ted_pack_cell(id, doc, {side}) AS packed FROM {rows}) AS p,"
    " ted_cut_cells(packed, {cells}, least) AS cell, ted_unpack_matches(tree_join_cell(cell, k)) AS m)"
)
SELF_JOIN_IN_CELLS = CELL_JOIN.format(
    left="least(left_id, right_id)", right="greatest(left_id, right_id)", side="'o'",
    rows="unnest(ids, docs) AS d(id, doc)", cells=CELLS,
)
TWO_SIDED_JOIN_IN_CELLS = CELL_JOIN.format(
    left="left_id", right="right_id", side='side::"char"',
    rows="unnest(ids, docs, sides) AS d(id, doc, side)", cells=GRID,
)
# Cells by labels, cut out of several parts.
LABEL_JOIN = (
    "(WITH p AS (SELECT ted_pack_part(id, doc, 'o') AS part FROM unnest(ids, docs) AS d(id, doc) GROUP BY id % parts),"
    " c AS (SELECT ted_count_labels(part) AS counts FROM p),"
    " u AS (SELECT cell, array_agg(cut) AS cuts FROM p, c, ted_cut_by_labels(part, counts, cells, k) GROUP BY cell)"
    " SELECT coalesce(json_agg(json_build_object('left_id', left_id, 'right_id', right_id, 'measure', measure)"
    " ORDER BY left_id, right_id), '[]') FROM u, ted_unpack_matches(tree_join_parts(cuts, cell, cells, k)))"
)
TED_JOIN_ONLY = (
    "SET enable_nestloop = off; SET work_mem = '64kB'; SET ted.least_join_memory = '64kB'; "
)
SMALL_BLOCKS = (
    "SET work_mem = '64kB'; SET hash_mem_multiplier = 1; SET ted.least_join_memory = '64kB'; "
)


def cell_case(rng, case):
    """The same with a number of cells, and the threshold of their filter, or NULL."""
    return *case, rng.randint(1, 12), rng.choice([case[-1], case[-1] + 1, 9, None])


def label_case(rng, case):
    """The same with a number of cells, and of parts."""
    return *case, rng.randint(1, 40), rng.randint(1, 4)


def without_cells(fault):
    """What is wrong with pairs that cells have found."""
    return lambda got, *case: fault(got, *case[:-2])


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
    by_labels = [label_case(rng, case) for case in small + large + many + words if case[-1] <= 6]
    two_sided_cells = [cell_case(rng, case) for case in two_sided]
    checks = [
        Check(
            "cells of a self-join", columns + ", k int, cells int, least int", SELF_JOIN_IN_CELLS,
            json.loads, without_cells(self_join_fault), cells,
        ),
        Check(
            "cells by labels", columns + ", k int, cells int, parts int", LABEL_JOIN,
            json.loads, without_cells(self_join_fault), by_labels,
        ),
        Check(
            "cells of a join of two sides", columns + ", sides text[], k int, cells int, least int",
            TWO_SIDED_JOIN_IN_CELLS, json.loads, without_cells(two_sided_join_fault), two_sided_cells,
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
