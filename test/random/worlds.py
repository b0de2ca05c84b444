"""Random tables of documents, for statements: docs, others and third."""

import json
from collections import namedtuple

from joins import random_collection
from sequences import STRING_TYPES, random_string_collection, string_value
from server import copy_in
from trees import LABELS

# What makes the tables, the type of their documents, whether these have an index,
# and whether the tables are large enough to be joined by TedJoin.
World = namedtuple("World", "script type indexed large")

COLUMNS = "id int, grp int, k int, s float8, n numeric, doc"

TABLE = """CREATE TABLE {name} ({columns} {type}) WITH (parallel_workers = 2);
"""
PARTITIONED = """CREATE TABLE {name} ({columns} {type}) PARTITION BY HASH (id);
CREATE TABLE {name}_0 PARTITION OF {name} FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE {name}_1 PARTITION OF {name} FOR VALUES WITH (MODULUS 2, REMAINDER 1);
"""
BARRIER = """CREATE VIEW {name}_barrier WITH (security_barrier)
  AS SELECT * FROM {name} WHERE grp IS DISTINCT FROM 4;
"""

# Nodes of the largest tree, and rows of each table.
SIZES = [
    (10, 50, 40, 8),
    (10, 50, 40, 8),
    (30, 70, 50, 6),
    (30, 70, 50, 6),
    (4, 160, 120, 5),
    (70, 40, 30, 4),
    (5, 4, 0, 3),
]


def xml_text(tree):
    """An XML document with the nodes of a tree."""
    label, children = tree
    return f"<{label}>{''.join(map(xml_text, children))}</{label}>" if children else f"<{label}/>"


def json_value(tree):
    """A JSON value with the nodes of a tree: children of different labels are members."""
    label, children = tree
    if not children:
        return label
    names = [name for name, _ in children]
    if len(children) > 1 and len(set(names)) == len(names):
        return {name: json_value((label, below)) for name, below in children}
    return {label: list(map(json_value, children))}


def reordered(rng, tree):
    """A tree with the children of some nodes in another order."""
    if tree is None or rng.random() < 0.4:
        return tree
    label, children = tree
    return label, tuple(rng.sample([reordered(rng, child) for child in children], len(children)))


def writer(sql_type):
    """What writes strings of a type."""
    return lambda doc: string_value(sql_type, doc)


WRITERS = {
    **{sql_type: writer(sql_type) for sql_type in STRING_TYPES},
    "tree": lambda doc: doc,
    "xml": xml_text,
    "json": lambda doc: json.dumps(json_value(doc)),
    "jsonb": lambda doc: json.dumps(json_value(doc)),
}


def table(rng, name, first_id, doc_type, docs):
    """The statements that make a table of some documents, and a view of it."""

    def maybe(value):
        return value if rng.random() < 0.85 else None

    rows = [
        (
            first_id + i,
            maybe(rng.randint(0, 6)),
            maybe(rng.randint(0, 3)),
            maybe(rng.choice([0.5, 0.75, 0.8, 0.9, 1.0, rng.random()])),
            maybe(rng.choice(["0", "1", "2.5", "1.99999999999999999999", "3"])),
            None if doc is None else WRITERS[doc_type](doc),
        )
        for i, doc in enumerate(docs)
    ]
    made = PARTITIONED if rng.random() < 0.15 else TABLE
    made = made.format(name=name, columns=COLUMNS, type=doc_type)
    return made + copy_in(name, rows) + BARRIER.format(name=name)


def random_world(rng):
    """Tables of a size and with documents of a type, perhaps with indexes."""
    doc_type = rng.choice(["tree", "tree", "tree", "xml", "json", "jsonb", "text", *STRING_TYPES])
    largest, *counts = rng.choice(SIZES)
    labels = ["two", "five"] if doc_type == "xml" else LABELS
    if doc_type in STRING_TYPES:
        docs = random_string_collection(rng, sum(counts), largest)
    else:
        docs = random_collection(rng, sum(counts), largest, labels)
    if doc_type in ("json", "jsonb"):
        docs = [reordered(rng, doc) for doc in docs]
    script, first = "", 0
    for name, count in zip(("docs", "others", "third"), counts):
        script += table(rng, name, first, doc_type, docs[first : first + count])
        first += count
    script += "CREATE TABLE sink (r text);\n"
    method = rng.choice(["", "", "gist", "gin"]) if doc_type not in STRING_TYPES else ""
    for name in ("docs", "others") if method else ():
        script += f"CREATE INDEX ON {name} USING {method} ((doc::tree));\n"
    return World(script + "ANALYZE docs, others, third;\n", doc_type, method != "", counts[1] > 0)
