"""Searches of strings by indexes."""

import json
from functools import lru_cache

import oracle
from sequences import CASELESS, has_caseless
from server import ServerError, copied_fields, copy_in, copy_out, psql
from string_join_checks import random_strings
from thresholds import random_limit, random_similarity

# How a text is made into a string of each type whose symbols are its characters.
TYPES = {
    "text": "{}",
    "text[]": "string_to_array({}, NULL)",
    "integer[]": "(SELECT coalesce(array_agg(ascii(c) ORDER BY n), '{{}}') "
    "FROM string_to_table({}, NULL) WITH ORDINALITY s(c, n))",
    "bigint[]": "(SELECT coalesce(array_agg((ascii(c) - 99)::bigint << 33 ORDER BY n), '{{}}') "
    "FROM string_to_table({}, NULL) WITH ORDINALITY s(c, n))",
    "uuid[]": "(SELECT coalesce(array_agg(md5(c)::uuid ORDER BY n), '{{}}') "
    "FROM string_to_table({}, NULL) WITH ORDINALITY s(c, n))",
    "date[]": "(SELECT coalesce(array_agg('2000-01-01'::date + ascii(c) ORDER BY n), '{{}}') "
    "FROM string_to_table({}, NULL) WITH ORDINALITY s(c, n))",
    "numeric[]": "(SELECT coalesce(array_agg(round(ascii(c), ((n + id) % 3)::int) ORDER BY n), '{{}}') "
    "FROM string_to_table({}, NULL) WITH ORDINALITY s(c, n))",
    CASELESS: "(SELECT coalesce(array_agg(CASE (n + id) % 2 WHEN 0 THEN upper(md5(c)) ELSE md5(c) END ORDER BY n), '{{}}') "
    "FROM string_to_table({}, NULL) WITH ORDINALITY s(c, n))",
}

# Half of the rows come after the index is made, a third goes again.
INDEXED = """
BEGIN;
CREATE TABLE texts (id bigint, doc text);
CREATE TABLE d (id bigint, doc {type});
{rows}
INSERT INTO d SELECT id, CASE WHEN doc IS NOT NULL THEN {make} END FROM texts WHERE id % 2 = 0;
CREATE INDEX ON d USING profile (doc);
INSERT INTO d SELECT id, CASE WHEN doc IS NOT NULL THEN {make} END FROM texts WHERE id % 2 = 1;
DELETE FROM d WHERE id % 3 = 0;
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = {bitmaps};
{queries}
ROLLBACK;
"""

# Every string is looked for.
MATCHES = """SELECT json_agg(m ORDER BY id)
FROM (SELECT a.id, array(SELECT b.id FROM d b WHERE {condition} ORDER BY id + 0) AS answer
      FROM d a WHERE a.doc IS NOT NULL) m"""

NEAREST = """SELECT json_agg(m ORDER BY id)
FROM (SELECT a.id, array(SELECT b.doc {order} a.doc FROM d b ORDER BY b.doc {order} a.doc LIMIT 4) AS answer
      FROM d a WHERE a.doc IS NOT NULL) m"""


@lru_cache(maxsize=4096)
def lcs_distance(x, y):
    """Symbols to delete and to insert."""
    return len(x) + len(y) - 2 * oracle.lcs_length(x, y)


@lru_cache(maxsize=4096)
def string_similarity(x, y):
    """The measure of the other threshold."""
    return oracle.string_similarity(x, y)


def searches(k, s):
    """The queries, and functions of a string and all rows that answer them."""

    def within(doc, rows):
        return [i for i, other in rows if other is not None and lcs_distance(doc, other) <= k]

    def similar(doc, rows):
        return [i for i, other in rows if other is not None and string_similarity(doc, other) >= s]

    def nearest(measure):
        def answer(doc, rows):
            distances = sorted(measure(doc, other) for _, other in rows if other is not None)
            return (distances + [None] * len(rows))[: min(4, len(rows))]

        return answer

    return [
        (MATCHES.format(condition=f"lcs_within(b.doc, a.doc, {k})"), within),
        (MATCHES.format(condition=f"lcs_distance(a.doc, b.doc) < {k + 1}"), within),
        (MATCHES.format(condition=f"lcs_similar(b.doc, a.doc, '{s}')"), similar),
        (NEAREST.format(order="<~>"), nearest(lcs_distance)),
        (NEAREST.format(order="<%>"), nearest(lambda x, y: 1 - string_similarity(x, y))),
    ]


def fault_of(answers, expected, rows):
    """What is wrong with the answers of a query, or None."""
    docs = dict(rows)
    for row in answers or []:
        want = expected(docs[row["id"]], rows)
        if row["answer"] != want:
            return f"{docs[row['id']]!r}: expected {want}, got {row['answer']}"
    return None


def index_fault(kind, rng):
    """What an index finds amiss in a random collection, or None."""
    docs = random_strings(rng, 18, rng.choice([3, 12, 30, 80]))
    rows = list(enumerate(docs))
    pair = rng.choices([doc for doc in docs if doc is not None] or [""], k=2)
    k = random_limit(rng, lcs_distance(*pair))
    s = rng.choice([5e-324] + [random_similarity(rng, docs, string_similarity)] * 20)
    queries = searches(k, s)
    script = INDEXED.format(
        type=kind,
        make=TYPES[kind].format("doc"),
        rows=copy_in("texts", rows),
        bitmaps=rng.choice(["on", "off"]),
        queries="".join(
            f"EXPLAIN (COSTS OFF) {query};\n{copy_out(query.replace(chr(10), ' '))}"
            for query, _ in queries
        ),
    )
    try:
        lines = psql(script).split("\n")
    except ServerError as error:
        return f"got {error}"
    # what follows from a comparison is not worth while where most rows match
    if sum("d_doc_idx" in line for line in lines) < len(queries) - 1:
        return "\n".join(["the plan does not use the index", *lines, script])
    answers = [json.loads(copied_fields(line)[0]) for line in lines if line.startswith("[")]
    rest = [(i, doc) for i, doc in rows if i % 3]
    for (query, expected), got in zip(queries, answers):
        fault = fault_of(got, expected, rest)
        if fault:
            return f"{query}\n{fault}\n{script}"
    return None


def outcomes(rng, count):
    """Names and faults of the indexes of each type."""
    collections = max(count // 100, 1)
    kinds = TYPES if has_caseless() else TYPES.keys() - {CASELESS}
    for kind in kinds:
        faults = (index_fault(kind, rng) for _ in range(collections))
        yield f"lcs index of {kind}: {collections} collections", next(filter(None, faults), None)
