"""Random sequences: text, bytes, arrays."""

from trees import ODD_LABELS

# The first 70,000 characters that a text may have.
CHARACTERS = "".join(map(chr, [*range(1, 0xD800), *range(0xE000, 70000 + 0x801)]))

LETTERS = ["a", "ab", "abcd", "abcdefghijklmnopqrstuvwxyz", "aé字😀 \t\n\\'\"", CHARACTERS, "éèê"]
BYTES = [[0], range(2), range(256)]
ENDS = [first + "x" * count for first in ("", "y", "xxxxxxxxy") for count in range(12)]
TOKENS = [["a"], ["a", "b"], ENDS, [str(i) for i in range(70000)], ODD_LABELS]
NUMBERS = [[7], [0, 1], [-(2**31), -1, 0, 1, 2**31 - 1], range(70000), range(1000)]
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
]

# The types of strings.
STRING_TYPES = ["text", "bytea", "text[]", "integer[]", "bigint[]"]


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


def string_value(sql_type, letters):
    """A string of a type, as its input function reads it."""
    if sql_type == "text":
        return "".join(letters)
    if sql_type == "bytea":
        return "\\x" + "".join(letters).encode().hex()
    if sql_type == "text[]":
        quoted = (letter.replace("\\", "\\\\").replace('"', '\\"') for letter in letters)
        return "{" + ",".join(f'"{letter}"' for letter in quoted) + "}"
    factor = 1 if sql_type == "integer[]" else 10**10
    return "{" + ",".join(str((ord(letter) - 100) * factor) for letter in letters) + "}"


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
