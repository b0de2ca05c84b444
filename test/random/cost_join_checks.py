"""Joins of small collections of trees by models of costs, and the nearest of these, by the nodes
TedJoin and TedNearest and by aggregates."""

import json
from functools import partial

import cost_oracle
import oracle
from check import Check, outcome
from cost_checks import json_tree, mixed_tree, random_model, xml_tree
from joins import join_fault, random_collection, random_ids, random_sides
from thresholds import random_similarity
from trees import edited

COLUMNS = "ids bigint[], docs tree[]"
SELF_JOIN = "(SELECT to_json(tree_within_pairs(id, doc, k, model)) FROM unnest(ids, docs) AS d(id, doc))"
TWO_SIDED_JOIN = (
    '(SELECT to_json(tree_within_pairs(id, doc, k, side::"char", model))'
    " FROM unnest(ids, docs, sides) AS d(id, doc, side))"
)
PLAIN_JOIN = (
    "(SELECT coalesce(json_agg(json_build_object("
    "'left_id', l.id, 'right_id', r.id, 'measure', {measure}(l.doc, r.doc, model))"
    " ORDER BY l.id, r.id), '[]')"
    " FROM unnest(ids, docs) AS l(id, doc) JOIN unnest(ids, docs) AS r(id, doc)"
    " ON l.id < r.id AND {clause})"
)
NEAREST = (
    "(SELECT json_agg(m) FROM (SELECT {measure}(c.doc, other.doc, c.model) AS m FROM c AS other"
    " ORDER BY {measure}(c.doc, other.doc, c.model){order} LIMIT 4) AS nearest)"
)
TED_JOIN_ONLY = (
    "SET enable_nestloop = off; SET work_mem = '64kB'; SET ted.least_join_memory = '64kB'; "
)
SMALL_BLOCKS = (
    "SET ted.least_join_memory = '1kB'; "
)

# Clauses of a plain join, by what they compare.
CLAUSES = {
    "tree_edit_distance": ["tree_within(l.doc, r.doc, k, model)"],
    "tree_similarity": [
        "tree_similar(l.doc, r.doc, k, model)",
        "tree_similarity(l.doc, r.doc, model) >= k",
    ],
    "tree_normalized_distance": ["tree_normalized_distance(l.doc, r.doc, model) <= k"],
}
MEASURES = {
    "tree_edit_distance": cost_oracle.distance,
    "tree_similarity": cost_oracle.similarity,
    "tree_normalized_distance": cost_oracle.normalized_distance,
}


def collection(rng, count, largest):
    """Documents of which many are alike; some have labels of which a model says something."""
    make = rng.choice([xml_tree, json_tree, mixed_tree, None])
    if make is None:
        return random_collection(rng, count, largest)
    families = [make(rng, rng.randint(1, largest)) for _ in range(3)]
    labels = [node.label for tree in families for node in oracle.nodes(tree)]
    docs = []
    for _ in range(count):
        doc = make(rng, rng.randint(1, largest))
        if rng.random() < 0.7:
            doc = edited(rng.choice(families), rng.randint(0, 3), lambda: rng.choice(labels), rng)
        docs.append(doc if rng.random() < 0.95 else None)
    return docs


def model_of(rng, docs):
    """A model for the labels of some documents."""
    return random_model(rng, *[doc for doc in docs if doc is not None])


def some_measure(rng, docs, model, measure):
    """The measure of two of the documents, which a threshold can equal."""
    pair = [rng.choice([doc for doc in docs if doc is not None] or [("a", ())]) for _ in range(2)]
    return measure(*pair, model)


def random_threshold(rng, docs, model, name):
    """A threshold of a measure."""
    if name == "tree_similarity":
        return random_similarity(rng, docs, lambda a, b: cost_oracle.similarity(a, b, model))
    return rng.choice([
        0, 0.25, 0.5, 1, 1.5, 2, 3.5, some_measure(rng, docs, model, MEASURES[name]),
        some_measure(rng, docs, model, MEASURES[name]),
    ])


def self_case(rng, count, name, largest=8):
    """Ids, documents, threshold, model."""
    docs = collection(rng, count, largest)
    model = model_of(rng, docs)
    return random_ids(rng, count), docs, random_threshold(rng, docs, model, name), model


def block_case(rng, count):
    """The same, with a model that compares no labels, which would take too much memory."""
    case = self_case(rng, count, "tree_edit_distance", 5)
    graded = '"texts"' in case[-1] or '"numbers"' in case[-1]
    return block_case(rng, count) if graded else case


def two_sided_case(rng, count):
    """Ids, documents, sides, threshold, model; the right side may make pairs of its own."""
    docs = collection(rng, 2 * count, 8)
    model = model_of(rng, docs)
    ids, sides = random_sides(rng, count)
    if rng.random() < 0.5:
        ids, sides = random_ids(rng, 2 * count), ["o" if s == "r" else s for s in sides]
    return ids, docs, sides, random_threshold(rng, docs, model, "tree_edit_distance"), model


def nearest_case(rng, doc, docs):
    """A document that is searched for, and a model, often one that grades."""
    model = json.loads(model_of(rng, docs))
    if rng.random() < 0.5:
        model["texts"] = rng.choice([*cost_oracle.TEXT_PARTS])
    return doc, json.dumps(model)


def nearest_fault(got, doc, model, docs, name):
    """The measures of the nearest documents."""
    measures = (MEASURES[name](doc, other, model) for other in docs)
    expected = sorted(measures, reverse=name == "tree_similarity")[:4]
    if len(got) != len(expected) or any(abs(g - e) > 1e-9 for g, e in zip(got, expected)):
        return f"expected {expected}, got {got}"
    return None


def nearest_documents(rng, count):
    """The nearest documents of the table of all cases, by all measures."""
    for name in MEASURES:
        docs = [doc for doc in collection(rng, max(count // 20, 2), 8) if doc is not None]
        order = " DESC NULLS LAST" if name == "tree_similarity" else ""
        yield Check(
            f"nearest documents by {name}", "doc tree, model tree_costs",
            NEAREST.format(measure=name, order=order), json.loads,
            partial(nearest_fault, docs=docs, name=name),
            [nearest_case(rng, doc, docs) for doc in docs], "SET enable_sort = off; ",
        )


def pairs_of(name, rows, others, threshold, model):
    """The pairs of a join by a measure."""
    measure = MEASURES[name]
    return oracle.join_pairs(
        rows, others, lambda a, b: measure(a, b, model),
        lambda m: m >= threshold if name == "tree_similarity" else m <= threshold,
    )


def self_fault(got, ids, docs, threshold, model, name="tree_edit_distance"):
    """The join of one collection."""
    return join_fault(got, pairs_of(name, list(zip(ids, docs)), None, threshold, model))


def two_sided_fault(got, ids, docs, sides, threshold, model):
    """The join of two collections, and of the right one with itself if that is marked so."""
    left, right = (
        [(i, doc) for i, doc, side in zip(ids, docs, sides) if side in names]
        for names in ("l", "ro")
    )
    expected = pairs_of("tree_edit_distance", left, right, threshold, model)
    if "o" in sides:
        expected = sorted(expected + pairs_of("tree_edit_distance", right, None, threshold, model))
    return join_fault(got, expected)


def plain_joins(rng, count):
    """Plain joins by all measures."""
    for name, clauses in CLAUSES.items():
        for clause in clauses:
            yield Check(
                f"plain join by {clause}", COLUMNS + ", k float8, model tree_costs",
                PLAIN_JOIN.format(measure=name, clause=clause), json.loads,
                partial(self_fault, name=name),
                [self_case(rng, 15, name) for _ in range(max(count // 50, 1))], TED_JOIN_ONLY,
            )


def outcomes(rng, count):
    """Joins of one collection and of two, also in blocks, and the nearest."""
    distance = "tree_edit_distance"
    checks = [
        *plain_joins(rng, count),
        *nearest_documents(rng, count),
        Check(
            "tree_within_pairs by a model", COLUMNS + ", k float8, model tree_costs", SELF_JOIN,
            json.loads, self_fault, [self_case(rng, 15, distance) for _ in range(count // 25)],
        ),
        Check(
            "tree_within_pairs by a model in blocks", COLUMNS + ", k float8, model tree_costs",
            SELF_JOIN, json.loads, self_fault,
            [block_case(rng, 40) for _ in range(count // 100)], SMALL_BLOCKS,
        ),
        Check(
            "tree_within_pairs of two sides by a model",
            COLUMNS + ", sides text[], k float8, model tree_costs", TWO_SIDED_JOIN,
            json.loads, two_sided_fault,
            [two_sided_case(rng, 8) for _ in range(count // 25)],
        ),
    ]
    return map(outcome, checks)
