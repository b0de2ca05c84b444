"""Random sequences: text, bytes, arrays."""

import datetime
from decimal import Decimal

from server import psql
from trees import ODD_LABELS

# The first 70,000 characters that a text may have.
CHARACTERS = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 70000 + 0x801)]))

LETTERS = ["a", "ab", "abcd", "abcdefghijklmnopqrstuvwxyz", "aé字😀 \t\n\\'\"", CHARACTERS, "éèê"]
BYTES = [[0], range(2), range(256)]
ENDS = [first + "x" * count for first in ("", "y", "xxxxxxxxy") for count in range(12)]
TOKENS = [["a"], ["a", "b"], ENDS, [str(i) for i in range(70000)], ODD_LABELS]
NUMBERS = [[7], [0, 1], [-(2**31), -1, 0, 1, 2**31 - 1], range(70000), range(1000)]
SHORT_NUMBERS = [[7], [0, 1], [-(2**15), -1, 0, 1, 2**15 - 1], range(-30000, 30000), range(1000)]
UUIDS = [[f"{n:08x}-0000-0000-0000-{m:012x}" for n, m in pairs] for pairs in (
    [(0, 0)], [(0, 0), (0, 1), (1, 0)], [(n * n % 2**32, n) for n in range(70000)],
)]
DATES = [[str(datetime.date.fromordinal(700000 + n)) for n in range(count)] for count in (1, 2, 100, 70000)]

# Numbers that are equal, though they are not written in the same way.
DECIMALS = [[Decimal(text) for text in texts] for texts in (
    ["1"], ["1.0", "1.00"], ["0", "0.0", "0.5", "0.50", "-0.5", "2", "2.000"],
    [f"{n / 4:.{2 + n % 3}f}" for n in range(1000)] * 2,
)]


class Caseless(str):
    """A text that is equal to others in upper or lower case."""

    def __eq__(self, other):
        return isinstance(other, str) and self.lower() == other.lower()

    def __hash__(self):
        return hash(self.lower())


WORDS = [[Caseless(text) for text in texts] for texts in (
    ["a", "A"], ["a", "B", "b", "aB", "Ab", ""], [f"{'aA'[n % 2]}{n % 70}" for n in range(1000)],
)]

LONG_NUMBERS = [[7], [0, 1], [-(2**63), -1, 0, 1, 2**31, 2**63 - 1], range(70000), range(1000)]


def json_bytes(text):
    """The bytes of a bytea within JSON."""
    return bytes.fromhex(text[2:])


# A type of strings: its name in SQL, alphabets, how a string is made of symbols, and
# how a string within JSON is read.
SORTS = [
    ("text", LETTERS, "".join, str),
    ("bytea", BYTES, bytes, json_bytes),
    ("text[]", TOKENS, list, list),
    ("int[]", NUMBERS, list, list),
    ("bigint[]", LONG_NUMBERS, list, list),
    ("smallint[]", SHORT_NUMBERS, list, list),
    ("uuid[]", UUIDS, list, list),
    ("date[]", DATES, list, list),
    ("numeric[]", DECIMALS, list, list),
]

# Texts by a collation that takes no notice of case.
CASELESS = "text[] COLLATE caseless"
MAKE_CASELESS = "CREATE COLLATION IF NOT EXISTS caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);"


def sorts():
    """All of them; texts by that collation where PostgreSQL has ICU."""
    if not has_caseless():
        return SORTS
    return [*SORTS, (CASELESS, WORDS, list, lambda texts: list(map(Caseless, texts)))]


def has_caseless():
    """Makes the collation; false where it cannot be made."""
    if psql("COPY (SELECT count(*) FROM pg_collation WHERE collprovider = 'i') TO STDOUT;").strip() == "0":
        return False
    psql("SET client_min_messages = warning; " + MAKE_CASELESS)
    return True


# The types of strings.
STRING_TYPES = ["text", "bytea", "text[]", "integer[]", "bigint[]", "smallint[]", "uuid[]", "date[]", "numeric[]"]


def random_sequences(rng, symbols, longest):
    """Two sequences, unrelated or nearly the same."""
    x = rng.choices(symbols, k=rng.randint(0, longest))
    if rng.random() < 0.5:
        y = [rng.choice(symbols) if rng.random() < 0.1 else s for s in x if rng.random() < 0.9]
    else:
        y = rng.choices(symbols, k=rng.randint(0, longest))
    return rng.choice([(x, y), (y, x)])


def sequence_cases(rng, count, alphabets, build):
    """Pairs of sequences, some of them many machine words long, two of them longer still."""
    longest = [600 if i % 50 == 0 else 140 if i % 10 == 0 else 12 for i in range(count)]
    pairs = [random_sequences(rng, rng.choice(alphabets), n) for n in longest]
    for m, n in ((400, 5000), (5000, 300)):
        pairs.append([rng.choices(alphabets[-1], k=length) for length in (m, n)])
    return [(build(x), build(y)) for x, y in pairs]


# The text of an element that stands for a character at some place of an array.
ELEMENTS = {
    "integer[]": lambda n, _: str(n - 100),
    "bigint[]": lambda n, _: str((n - 100) * 10**10),
    "smallint[]": lambda n, _: str(n % 60000 - 30000),
    "uuid[]": lambda n, _: f"{n * n:032x}",
    "date[]": lambda n, _: str(datetime.date.fromordinal(700000 + n)),
    "numeric[]": lambda n, i: f"{n - 100}.{'0' * (1 + i % 3)}",
}


def string_value(sql_type, letters):
    """A string of a type, as its input function reads it."""
    if sql_type == "text":
        return "".join(letters)
    if sql_type == "bytea":
        return "\\x" + "".join(letters).encode().hex()
    if sql_type == "text[]":
        quoted = (letter.replace("\\", "\\\\").replace('"', '\\"') for letter in letters)
        return "{" + ",".join(f'"{letter}"' for letter in quoted) + "}"
    element = ELEMENTS[sql_type]
    return "{" + ",".join(element(ord(letter), i) for i, letter in enumerate(letters)) + "}"


def random_string_collection(rng, count, longest):
    """Lists of letters for a join: families of near-duplicates, tiny ones, NULLs."""
    symbols = rng.choice(LETTERS)
    families = [rng.choices(symbols, k=rng.randint(1, longest)) for _ in range(3)]
    docs = []
    for _ in range(count):
        family = rng.choice(families)
        doc = rng.choice(
            [
                [rng.choice(symbols) if rng.random() < 0.1 else s for s in family],
                [s for s in family if rng.random() < 0.9],
                list(family),
                rng.choices(symbols, k=rng.randint(0, longest)),
                rng.choices(symbols, k=rng.randint(0, 3)),
            ]
        )
        docs.append(doc if rng.random() < 0.95 else None)
    return docs
