"""Distances, limits, bounds, similarities."""

import json

import oracle
from check import Check, boolean, close_to, equals, outcome
from oracle import UNIT_COSTS, distance
from thresholds import ODD_SIMILARITIES, random_limit, random_similarity
from trees import random_pairs

COSTS = "a tree, b tree, ins int, del int, ren int"


def bounded_fault(got, a, b, *costs_and_limit):
    """The distance where it is within the limit, and anything beyond it otherwise."""
    *costs, limit = costs_and_limit
    d = distance(a, b, tuple(costs) or UNIT_COSTS)
    if got == d if d <= limit else got > limit:
        return None
    return f"the distance is {d}, got {got}"


def bounds_fault(got, a, b):
    """A lower and an upper bound, which meet where trees are equal."""
    lower, upper = got
    d = 0 if a == b else distance(a, b)
    if lower <= d <= upper and (d > 0 or upper == 0):
        return None
    return f"the distance is {d}, got {got}"


def exact_checks(pairs, with_costs):
    """The distance itself."""
    return [
        Check(
            "tree_edit_distance", "a tree, b tree", "tree_edit_distance(a, b)",
            int, equals(distance), pairs,
        ),
        Check(
            "tree_edit_distance with costs", COSTS, "tree_edit_distance(a, b, tree_costs(ins, del, ren))",
            int, equals(lambda a, b, *costs: distance(a, b, costs)), with_costs,
        ),
        Check("<->", "a tree, b tree", "a <-> b", float, equals(distance), pairs),
    ]


def bounded_checks(rng, pairs, with_costs):
    """The distance up to a limit, and bounds."""
    limits = [(*pair, random_limit(rng, distance(*pair))) for pair in pairs]
    limits_with_costs = [
        (a, b, *costs, random_limit(rng, distance(a, b, tuple(costs))))
        for a, b, *costs in with_costs
    ]
    return [
        Check(
            "tree_edit_distance_less_equal", "a tree, b tree, k int",
            "tree_edit_distance_less_equal(a, b, k)", int, bounded_fault, limits,
        ),
        Check(
            "tree_edit_distance_less_equal with costs", COSTS + ", k int",
            "tree_edit_distance_less_equal(a, b, k, tree_costs(ins, del, ren))",
            int, bounded_fault, limits_with_costs,
        ),
        Check(
            "tree_within", "a tree, b tree, k int", "tree_within(a, b, k)",
            boolean, equals(lambda a, b, k: distance(a, b) <= k), limits,
        ),
        Check(
            "bounds", "a tree, b tree", "json_build_array("
            "tree_edit_distance_lower_bound(a, b), tree_edit_distance_approximate(a, b))",
            json.loads, bounds_fault, pairs + [(a, a) for a, _ in pairs[::10]],
        ),
    ]


def similarity_checks(rng, pairs):
    """Measures made of the distance, and distances of one tree to many."""
    similarities = [(*pair, random_similarity(rng, pair, oracle.similarity)) for pair in pairs]
    compared = [
        (*pair, rng.choice([random_similarity(rng, pair, oracle.similarity), *ODD_SIMILARITIES]))
        for pair in pairs
    ]
    one_to_many = [
        (pairs[i][0], [tree for pair in pairs[i + 1 : i + 4] for tree in pair])
        for i in range(0, len(pairs), 10)
    ]
    return [
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
            "tree_similarity, compared", "a tree, b tree, s float8", "tree_similarity(a, b) >= s",
            boolean, equals(lambda a, b, s: oracle.similarity(a, b) >= s), compared,
        ),
        Check(
            "tree_normalized_distance", "a tree, b tree", "tree_normalized_distance(a, b)",
            float, close_to(oracle.normalized_distance), pairs,
        ),
        Check(
            "tree_pqgram_distance", "a tree, b tree, p int, q int", "tree_pqgram_distance(a, b, p, q)",
            float, close_to(oracle.pqgram_distance),
            [(*pair, rng.randint(1, 5), rng.randint(1, 5)) for pair in pairs],
        ),
        Check("<#>", "a tree, b tree", "a <#> b", float, close_to(oracle.pqgram_distance), pairs),
        Check(
            "tree_edit_distances", "a tree, docs tree[]", "to_json(tree_edit_distances(a, docs))",
            json.loads, equals(lambda a, docs: [distance(a, b) for b in docs]), one_to_many,
        ),
    ]


# What may be asked of a pair, with costs and a limit.
QUESTIONS = [
    ("tree_edit_distance(a, b)", lambda a, b, k, *costs: distance(a, b)),
    ("tree_edit_distance(b, a)", lambda a, b, k, *costs: distance(b, a)),
    ("a <-> b", lambda a, b, k, *costs: distance(a, b)),
    ("tree_edit_distance(a, b, tree_costs(ins, del, ren))", lambda a, b, k, *costs: distance(a, b, costs)),
    ("tree_edit_distance(a, b, tree_costs(ren, ins, del))",
     lambda a, b, k, *costs: distance(a, b, costs[2:] + costs[:2])),
    ("tree_edit_distance_less_equal(a, b, k, tree_costs(ins, del, ren)) <= k",
     lambda a, b, k, *costs: distance(a, b, costs) <= k),
    ("tree_within(a, b, k)", lambda a, b, k, *costs: distance(a, b) <= k),
    ("tree_within(b, a, k)", lambda a, b, k, *costs: distance(a, b) <= k),
    ("tree_edit_distance(a, b, tree_costs(delete => del))",
     lambda a, b, k, *costs: distance(a, b, (1, costs[1], 1))),
    ("tree_edit_distance(a, b, tree_costs(rename => ren))",
     lambda a, b, k, *costs: distance(a, b, (1, 1, costs[2]))),
    ("tree_edit_distance(a, b, tree_costs(insert => ins, rename => ren))",
     lambda a, b, k, *costs: distance(a, b, (costs[0], 1, costs[2]))),
    ("tree_within(a, b, 1000)", lambda a, b, k, *costs: distance(a, b) <= 1000),
    ("tree_similarity(a, b)", lambda a, b, k, *costs: oracle.similarity(a, b)),
]


def together_checks(rng, pairs):
    """Several of these of the same pair in one row, of which each may know the one before."""
    cases = [(*pair, random_limit(rng, distance(*pair)), *rng.choices(range(6), k=3)) for pair in pairs]
    cases += cases[: len(cases) // 10]
    for _ in range(4):
        asked = rng.choices(QUESTIONS, k=8)
        yield Check(
            "questions in a row", "a tree, b tree, k int, ins int, del int, ren int",
            f"json_build_array({', '.join(question for question, _ in asked)})", json.loads,
            equals(lambda *case, asked=asked: [answer(*case) for _, answer in asked]),
            rng.sample(cases, len(cases) // 2),
        )


def outcomes(rng, count):
    """All functions on the same pairs of trees."""
    pairs = random_pairs(rng, count)
    with_costs = [(*pair, *rng.choices(range(6), k=3)) for pair in pairs]
    checks = [
        *exact_checks(pairs, with_costs),
        *bounded_checks(rng, pairs, with_costs),
        *similarity_checks(rng, pairs),
        *together_checks(rng, pairs),
    ]
    return map(outcome, checks)
