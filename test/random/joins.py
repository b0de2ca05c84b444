"""Joins: random collections, queries, and what is wrong with an answer."""

import oracle
from thresholds import random_similarity
from trees import LABELS, edited, labeller, random_tree

JOIN = "(SELECT to_json({}_pairs(id, doc, k)) FROM unnest(ids, docs) AS d(id, doc))"
TWO_SIDED_JOIN = (
    '(SELECT to_json({}_pairs(id, doc, k, side::"char"))'
    " FROM unnest(ids, docs, sides) AS d(id, doc, side))"
)


def random_collection(rng, count, largest=10, labels=LABELS):
    """Documents for a join: families of near-duplicates, tiny trees, NULLs."""
    label = labeller(rng.choice(labels), "a", rng)
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


def self_join_case(rng, count, largest=10, labels=LABELS):
    """Ids, documents, threshold."""
    docs = random_collection(rng, count, largest, labels)
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
