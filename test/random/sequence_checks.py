"""Common subsequences and supersequences."""

import json

import oracle
from check import Check, equals, outcome
from sequences import LETTERS, NUMBERS, TOKENS, sequence_cases


def lcs_fault(got, x, y):
    """A common subsequence of the full length, by the documented tie rule."""
    common = oracle.is_subsequence(got, x) and oracle.is_subsequence(got, y)
    if not common or len(got) != oracle.lcs_length(x, y):
        return f"expected a common subsequence of length {oracle.lcs_length(x, y)}, got {got!r}"
    return equals(oracle.lcs)(got, x, y)


def scs_fault(got, x, y):
    """A common supersequence of the least length, by the documented tie rule."""
    common = oracle.is_subsequence(x, got) and oracle.is_subsequence(y, got)
    if not common or len(got) != oracle.scs_length(x, y):
        return f"expected a common supersequence of length {oracle.scs_length(x, y)}, got {got!r}"
    return equals(oracle.scs)(got, x, y)


def outcomes(rng, count):
    """Lengths of all types, subsequences and supersequences of text."""
    sorts = {
        "text": sequence_cases(rng, count, LETTERS, "".join),
        "bytea": sequence_cases(rng, count, [range(2), range(256)], bytes),
        "text[]": sequence_cases(rng, count, TOKENS, list),
        "int[]": sequence_cases(rng, count, NUMBERS, list),
    }
    one_to_many = [
        (sorts["text"][i][0], [text for pair in sorts["text"][i : i + 5] for text in pair])
        for i in range(0, count, 5)
    ]
    lengths = [
        Check(
            f"{name} on {sort}", f"x {sort}, y {sort}", f"{name}(x, y)",
            int, equals(getattr(oracle, name)), cases,
        )
        for sort, cases in sorts.items()
        for name in ("lcs_length", "scs_length")
    ]
    checks = [
        *lengths,
        Check("lcs", "x text, y text", "lcs(x, y)", str, lcs_fault, sorts["text"]),
        Check("scs", "x text, y text", "scs(x, y)", str, scs_fault, sorts["text"]),
        Check(
            "lcs_lengths", "x text, ys text[]", "to_json(lcs_lengths(x, ys))",
            json.loads, equals(lambda x, ys: [oracle.lcs_length(x, y) for y in ys]), one_to_many,
        ),
    ]
    return map(outcome, checks)
