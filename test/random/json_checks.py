"""Conversion from JSON, of valid documents and of mutated ones."""

from conversion_checks import Conversion, conversion_outcomes, mutant, random_options
from json_documents import KEYS, random_document
from json_oracle import Options, tree_from_json

JSON = Conversion(
    function="tree_from_json",
    sql_type="json",
    types={
        "sort_keys": "boolean",
        "duplicate_keys": "text",
        "content": "text",
        "fold_case": "boolean",
        "exclude_paths": "text[]",
        "include_paths": "text[]",
        "sort_arrays": "boolean",
    },
    definition=lambda doc, **options: tree_from_json(doc, Options(**options)),
    invalid=ValueError,
    # not JSON, \u0000, a duplicate key, a number out of range, no node
    errors=["22P02", "22P05", "22030", "22003", "22000"],
)
JSONB = JSON._replace(
    sql_type="jsonb",
    types={name: sql_type for name, sql_type in JSON.types.items() if name != "duplicate_keys"},
    definition=lambda doc, **options: tree_from_json(doc, Options(**options), binary=True),
)
CHOICES = {
    "sort_keys": [True, False],
    "duplicate_keys": ["last", "error"],
    "content": ["full", "structure", "keys"],
    "fold_case": [True, False],
    "sort_arrays": [True, False],
}
PATH_NAMES = [key for key in KEYS if key]

# What breaks a document, or makes it another one.
TOKENS = [
    "{", "}", "[", "]", ",", ":", '"', "'", '"a":', "//", "/**/", '{"a":' * 300, "[" * 300,
    "\\", "\\x", "\\u", "\\u0000", "\\ud800", "\\udc00", "\\ud83d\\ude00",
    "null", "nul", "True", "NaN", "-", "-0", "+1", "01", ".5", "1.", "1e", "1e999999", "1e-99999",
    "0" * 1000, "\x01", "\n", "\u2028", "\ufeff",
]


def outcomes(rng, count):
    """Both types with the same documents and options."""
    docs = [random_document(rng) for _ in range(count)]
    mutants = [mutant(rng, doc, rng.choice(docs), TOKENS) for doc in docs]
    options = [Options(**random_options(rng, CHOICES, PATH_NAMES, "include_paths")) for _ in docs]
    for conversion in (JSON, JSONB):
        yield from conversion_outcomes(conversion, docs, mutants, options)
