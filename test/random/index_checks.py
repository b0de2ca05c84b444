"""Searches by indexes."""

import json

import oracle
from joins import self_join_case, self_join_fault
from oracle import distance, write
from server import ServerError, copied_fields, copy_in, copy_out, psql
from thresholds import random_similarity

# Half of the rows come after the index is made, a third goes again.
INDEXED = """
BEGIN;
CREATE TABLE d (id bigint, doc tree);
{first_rows}
CREATE INDEX ON d USING {method} (doc);
{second_rows}
DELETE FROM d WHERE id IN ({deleted});
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = {bitmaps};
{queries}
ROLLBACK;
"""

# As many documents as most collections have.
NEAREST_BY_PQGRAMS = 25

# Every document is looked for among the others.
MATCHES = """SELECT coalesce(json_agg(m ORDER BY left_id, right_id), '[]')
FROM (SELECT a.id AS left_id, b.id AS right_id, {measure}(a.doc, b.doc) AS measure
      FROM d a, LATERAL (SELECT * FROM d b WHERE {predicate}(b.doc, a.doc, {k}) OFFSET 0) b
      WHERE a.id < b.id) m"""

NEAREST = """SELECT json_agg(n ORDER BY id)
FROM (SELECT a.id,
             array(SELECT b.doc {operator} a.doc FROM d b ORDER BY b.doc {operator} a.doc LIMIT {k}) AS distances
      FROM d a WHERE a.doc IS NOT NULL) n"""


def nearest_fault(got, rows, measure, k):
    """The distances of the nearest k documents, NULL where there are none."""
    docs = dict(rows)
    for row in got:
        doc = docs[row["id"]]
        distances = sorted(measure(doc, other) for other in docs.values() if other)
        expected = (distances + [None] * len(docs))[: min(k, len(docs))]
        if not all(
            a is b is None or None not in (a, b) and abs(a - b) < 1e-9
            for a, b in zip(row["distances"], expected, strict=True)
        ):
            return f"nearest to {write(doc)}: expected {expected}, got {row['distances']}"
    return None


def queries_of(method, k, s):
    """Queries that an index serves."""
    if method == "profile":
        return [NEAREST.format(operator="<#>", k=NEAREST_BY_PQGRAMS)]
    matches = [
        MATCHES.format(measure="tree_edit_distance", predicate="tree_within", k=k),
        MATCHES.format(measure="tree_similarity", predicate="tree_similar", k=s),
    ]
    return matches + ([NEAREST.format(operator="<->", k=4)] if method == "gist" else [])


def answers_fault(method, answers, rest, k, s):
    """What is wrong with the answers to these queries."""
    if method == "profile":
        return nearest_fault(answers[0], rest, oracle.pqgram_distance, NEAREST_BY_PQGRAMS)
    fault = self_join_fault(answers[0], *zip(*rest), k)
    fault = fault or self_join_fault(answers[1], *zip(*rest), s, oracle.similarity_join)
    if not fault and method == "gist":
        fault = nearest_fault(answers[2], rest, distance, 4)
    return fault


def index_fault(method, rng):
    """What an index finds amiss in a random collection, or None."""
    ids, docs, k = self_join_case(rng, 40)
    rows = list(zip(ids, docs))
    deleted = set(rng.sample(ids, len(ids) // 3))
    s = random_similarity(rng, docs, oracle.similarity)
    queries = queries_of(method, k, s)
    script = INDEXED.format(
        method=method,
        first_rows=copy_in("d", rows[::2]),
        second_rows=copy_in("d", rows[1::2]),
        deleted=", ".join(map(str, deleted)),
        bitmaps="on" if method == "gin" else "off",
        queries="".join(
            f"EXPLAIN (COSTS OFF) {query};\n{copy_out(query.replace(chr(10), ' '))}"
            for query in queries
        ),
    )
    try:
        lines = psql(script).split("\n")
    except ServerError as error:
        return f"got {error}"
    if sum("d_doc_idx" in line for line in lines) < len(queries):
        return "\n".join(["the plan does not use the index", *lines])
    answers_got = [json.loads(copied_fields(line)[0]) for line in lines if line.startswith("[")]
    rest = [(i, doc) for i, doc in rows if i not in deleted]
    fault = answers_fault(method, answers_got, rest, k, s)
    return fault and f"{fault}\n{script}"


def outcomes(rng, count):
    """Names and faults of all index methods."""
    collections = max(count // 100, 1)
    for method in ("gin", "gist", "profile"):
        faults = (index_fault(method, rng) for _ in range(collections))
        yield f"{method}: {collections} collections", next(filter(None, faults), None)
