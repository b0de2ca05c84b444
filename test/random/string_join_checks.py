"""Similarity joins of small collections of strings."""

import json
from functools import partial

import oracle
from check import Check, outcome
from joins import (
    JOIN,
    TWO_SIDED_JOIN,
    random_ids,
    random_sides,
    self_join_fault,
    two_sided_join_fault,
)
from sequences import LETTERS, random_sequences
from thresholds import random_similarity


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


def outcomes(rng, count):
    """Joins of one collection and of two."""
    columns = "ids bigint[], docs text[]"
    cases = [string_join_case(rng, 20, rng.choice([3, 12, 80])) for _ in range(count // 10)]
    many = [string_join_case(rng, 300, 8) for _ in range(2)]
    long = [string_join_case(rng, 6, 1500)]
    two_sided = [
        two_sided_string_join_case(rng, 10, rng.choice([3, 12, 80])) for _ in range(count // 10)
    ]
    self_fault = partial(self_join_fault, join=oracle.string_join)
    checks = [
        Check(
            "lcs_similar_pairs", columns + ", k float8", JOIN.format("lcs"),
            json.loads, self_fault, cases + many + long,
        ),
        Check(
            "lcs_similar_pairs of two sides", columns + ", sides text[], k float8",
            TWO_SIDED_JOIN.format("lcs"), json.loads,
            partial(two_sided_join_fault, join=oracle.string_join), two_sided,
        ),
    ]
    return map(outcome, checks)
