"""Random JSON documents, valid ones."""

import json

KEYS = [
    "", "a", "b", "aa", "a b", "a!", "B", "id", "é", "字", "😀", "*", "/", "a/b", "\\", "@k", ":", '"',
    "\n", "\u2028",
]
CHARACTERS = [
    *"abAB {}\\/\"'*@:,", "\x01", "\x1f", "\x7f", "\b", "\f", "\n", "\r", "\t",
    "é", "\u2028", "\uffff", "字", "😀",
]
DIGITS = ["0", "1", "7", "10", "123456789", "9" * 40, "1" + "0" * 30]
FRACTIONS = ["", "", ".0", ".5", ".50", ".000", ".123456789012345678901234567890"]
EXPONENTS = ["", "", "", "e0", "E1", "e+3", "E-2", "e-20", "e300", "e-300", "E007"]
SPACES = ["", "", "", " ", "\n", "\t", "\r\n", "  "]


def string(rng, text):
    """A spelling of a string: characters as they are, or escaped in one way or another."""

    def spelled(character):
        if rng.random() < 0.2:
            units = character.encode("utf-16-be").hex()
            units = units.upper() if rng.random() < 0.5 else units
            return "".join("\\u" + units[i : i + 4] for i in range(0, len(units), 4))
        if character == "/" and rng.random() < 0.5:
            return "\\/"
        return json.dumps(character, ensure_ascii=False)[1:-1]

    return '"' + "".join(map(spelled, text)) + '"'


def literal(rng):
    """A string, a number, or a word."""
    kind = rng.random()
    if kind < 0.4:
        return string(rng, "".join(rng.choices(CHARACTERS, k=rng.choice([0, 1, 2, 5, 20]))))
    if kind < 0.8:
        return rng.choice(["", "-"]) + "".join(map(rng.choice, (DIGITS, FRACTIONS, EXPONENTS)))
    return rng.choice(["true", "false", "null"])


def value(rng, size, keys):
    """A value of about so many nodes; objects take their keys from a list, some of them twice."""
    if size < 2 and rng.random() < 0.8:
        return literal(rng)
    parts, size = [], size - 1
    while size > 0:
        part = rng.randint(1, size)
        parts.append(value(rng, part, keys))
        size -= part

    def space():
        return rng.choice(SPACES)

    opening, closing = rng.choice(["{}", "[]"])
    if opening == "{":
        parts = [f"{string(rng, rng.choice(keys))}{space()}:{space()}{part}" for part in parts]
    inner = ",".join(f"{space()}{part}{space()}" for part in parts)
    return f"{opening}{inner or space()}{closing}"


def deep(rng):
    """One container in another."""
    text = literal(rng)
    for _ in range(rng.randint(50, 200)):
        text = rng.choice([f"[{text}]", f'{{"a": {text}}}', f'{{"b": 1, "a": {text}}}'])
    return text


def random_document(rng):
    """A document of a few values or many, of few different keys or many."""
    if rng.random() < 0.05:
        return deep(rng)
    keys = rng.sample(KEYS, rng.choice([1, 2, 4, len(KEYS)]))
    size = rng.choice([1, 2, 4, 8, 16, 40, 100])
    return rng.choice(SPACES) + value(rng, size, keys) + rng.choice(SPACES)
