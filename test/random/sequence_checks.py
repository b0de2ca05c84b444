"""Common subsequences and supersequences, and the measures that follow from them."""

import json
import math

import oracle
from check import Check, equals, outcome
from sequences import LETTERS, sequence_cases, sorts

# Every measure of a pair, by a minimum similarity s and a maximum distance k.
MEASURES = (
    "json_build_array(lcs_length(x, y), scs_length(x, y), lcs_distance(x, y), lcs_similarity(x, y),"
    " lcs_similar(x, y, s), lcs_within(x, y, k), least(lcs_distance_less_equal(x, y, k), k::bigint + 1))"
)

# The strings themselves, and what differs.
ALIGNMENT = (
    "json_build_array(lcs(x, y), scs(x, y), ARRAY(SELECT json_build_array(operation, a_from, a_to,"
    " b_from, b_to, a_part, b_part) FROM lcs_opcodes(x, y)))"
)

# The same measures, one string staying the same from call to call: the first or the second.
KEPT = (
    "to_json(ARRAY(SELECT ARRAY[lcs_length(x, y), lcs_distance(y, x), lcs_within(x, y, k)::int,"
    " lcs_similar(y, x, s)::int, least(lcs_distance_less_equal(y, x, k), k + 1)]"
    " FROM unnest(ys) WITH ORDINALITY AS u(y, i) ORDER BY i))"
)

NEAREST = (
    "to_json(ARRAY(SELECT json_build_array(n, similarity, doc) FROM lcs_nearest(x, ys, k, s)))"
)


def measures(x, y, s, k):
    """What MEASURES gives."""
    distance, similarity = oracle.string_distance(x, y), oracle.string_similarity(x, y)
    return [
        oracle.lcs_length(x, y), oracle.scs_length(x, y), distance, similarity,
        similarity >= s, distance <= k, min(distance, k + 1),
    ]


def kept_measures(x, ys, s, k):
    """What KEPT gives."""
    rows = [measures(x, y, s, k) for y in ys]
    return [[row[0], row[2], int(row[5]), int(row[4]), row[6]] for row in rows]


def alignment_fault(read):
    """What is wrong with an alignment, whose strings `read` reads."""

    def fault(got, x, y):
        subsequence, supersequence = list(read(got[0])), list(read(got[1]))
        length = oracle.lcs_length(x, y)
        if not oracle.is_subsequence(subsequence, x) or not oracle.is_subsequence(subsequence, y):
            return f"{subsequence!r} is no common subsequence"
        if not oracle.is_subsequence(x, supersequence) or not oracle.is_subsequence(y, supersequence):
            return f"{supersequence!r} is no common supersequence"
        if len(subsequence) != length or len(supersequence) != len(x) + len(y) - length:
            return f"expected a subsequence of {length} symbols, got {got!r}"
        runs = [(row[0], tuple(row[1:3]), tuple(row[3:5]), read(row[5]), read(row[6])) for row in got[2]]
        expected = [
            (operation, a, b, x[a[0] - 1 : a[1]], y[b[0] - 1 : b[1]])
            for operation, a, b in oracle.opcodes(x, y)
        ]
        return equals(lambda x, y: (oracle.lcs(x, y), oracle.scs(x, y), expected))(
            (subsequence, supersequence, runs), x, y
        )

    return fault


def thresholds(rng, x, y):
    """A minimum similarity and a maximum distance, near those of a pair as often as not."""
    similarity, distance = oracle.string_similarity(x, y), oracle.string_distance(x, y)
    near = [similarity, math.nextafter(similarity, 1), math.nextafter(similarity, 0)]
    far = [0.0, 1.0, rng.random(), 5e-324]
    return (
        rng.choice(rng.choice([near, far])),
        max(0, rng.choice([distance, distance - 1, distance + 1, 0, rng.randint(0, 20), 2**31 - 2])),
    )


def one_to_many(rng, count, texts):
    """A text and many, some of which are NULL; with how many are wanted, and how similar."""
    for i in range(0, count, 5):
        ys = [text for pair in texts[i : i + 5] for text in pair]
        yield texts[i][0], rng.choices([*ys, None], k=rng.randint(0, 20))
    for letters in LETTERS[:4]:
        few = ["".join(rng.choices(letters, k=rng.randint(0, 7))) for _ in range(3 * count)]
        yield few[0], few


def outcomes(rng, count):
    """Measures and strings of all types, and one text against many."""
    pairs_of = {}
    checks = []
    for name, alphabets, build, read in sorts():
        pairs_of[name] = sequence_cases(rng, count, alphabets, build)
        cases = [(x, y, *thresholds(rng, x, y)) for x, y in pairs_of[name]]
        columns = f"x {name}, y {name}"
        checks += [
            Check(
                f"measures of {name}", f"{columns}, s float8, k int", MEASURES,
                json.loads, equals(measures), cases,
            ),
            Check(
                f"lcs, scs and lcs_opcodes of {name}", columns, ALIGNMENT,
                json.loads, alignment_fault(read), pairs_of[name],
            ),
        ]
    many = list(one_to_many(rng, count, pairs_of["text"]))
    nearest = [
        (x, ys, rng.choice([0, 1, 2, 5, 100, 10000]), rng.choice([0.0, 0.0, rng.random(), 1.0]))
        for x, ys in many
    ]
    kept = [
        (x, [y for y in ys if y is not None], rng.choice([0.0, rng.random(), 1.0]), rng.randint(0, 9))
        for x, ys in many
    ]

    def each(measure):
        return equals(lambda x, ys: [None if y is None else measure(x, y) for y in ys])

    checks += [
        Check(
            "lcs_lengths", "x text, ys text[]", "to_json(lcs_lengths(x, ys))",
            json.loads, each(oracle.lcs_length), many,
        ),
        Check(
            "lcs_similarities", "x text, ys text[]", "to_json(lcs_similarities(x, ys))",
            json.loads, each(oracle.string_similarity), many,
        ),
        Check(
            "lcs_nearest", "x text, ys text[], k int, s float8", NEAREST,
            json.loads, equals(lambda *case: [list(row) for row in oracle.nearest_strings(*case)]),
            nearest,
        ),
        Check(
            "measures of a text that stays the same", "x text, ys text[], s float8, k int", KEPT,
            json.loads, equals(kept_measures), kept,
        ),
    ]
    return map(outcome, checks)
