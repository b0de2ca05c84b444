"""Random statements that change a table of documents by a join, with it or of others."""

from statements import Statement, select

# Both the table and what the statement returns are compared.
STATE = ["SELECT id, grp, k, s, doc::text FROM docs", "TABLE sink"]


def by_query(rng, joins, right):
    """A change of the rows that a query finds: its text, and whether it can be served."""
    join = rng.choice([joins.two, joins.half])(right)
    while join.parts or "a" not in join.tables:
        join = rng.choice([joins.two, joins.half])(right)
    query = select("a.id", join)[0]
    change = rng.choice(["UPDATE docs d SET grp = d.grp + 100 WHERE", "DELETE FROM docs d WHERE"])
    where = " AND ".join([*join.where, "d.id = a.id"])
    text = rng.choice(
        [
            f"{change} d.id IN ({query})",
            f"{change} d.id NOT IN ({query})",
            f"{change} d.id = ANY (ARRAY({query}))",
            f"UPDATE docs d SET grp = d.grp + 100 FROM ({query}) q WHERE q.id = d.id",
            f"UPDATE docs d SET grp = -1 FROM {join.source} WHERE {where}",
            f"DELETE FROM docs d USING {join.source} WHERE {where}",
            "UPDATE docs d SET grp = q.n"
            f" FROM (SELECT id, count(*) AS n FROM ({query}) q GROUP BY id) q WHERE q.id = d.id",
            f"UPDATE docs d SET k = (SELECT count(*) FROM ({query}) q WHERE q.id <= d.id)",
            f"WITH gone AS (DELETE FROM docs d WHERE id IN ({query}) RETURNING d.id)"
            " INSERT INTO sink SELECT id FROM gone",
        ]
    )
    return text, join.served


def by_join(rng, joins, right):
    """A change of a table that is joined itself: its text, and whether it can be served."""
    clause, on = joins.on()
    joined = f"{joins.table(right)} b"
    exists = f"{rng.choice(['', 'NOT '])}EXISTS (SELECT FROM {joined} WHERE {on})"
    third = rng.choice(["JOIN third c ON c.grp = b.grp", "LEFT JOIN third c ON c.id = b.id"])
    text = rng.choice(
        [
            f"UPDATE docs a SET grp = a.grp + 100 FROM {joined} WHERE {on}",
            f"UPDATE docs a SET k = -k WHERE {exists}",
            f"DELETE FROM docs a USING {joined} WHERE {on}",
            f"DELETE FROM docs a WHERE {exists}",
            f"UPDATE docs a SET doc = NULL FROM {joined} {third} WHERE {on}",
        ]
    )
    if rng.random() < 0.4:
        text += " RETURNING a.id, a.grp"
    return text, clause.served and "a.grp = b.grp" not in on


def by_merge(rng, joins, right):
    """MERGE, which may fail on changing a row twice: its text, and whether it can be served."""
    clause, on = joins.on(0.3)
    few = rng.choice([right, f"(SELECT * FROM {right} WHERE id % {rng.choice([5, 19])} = 0)"])
    matched = rng.choice(["UPDATE SET grp = a.grp + 100", "DELETE", "DO NOTHING", "DO NOTHING"])
    condition = rng.choice(["", "", " AND a.grp > 3"])
    insert = " WHEN NOT MATCHED THEN INSERT (id, doc) VALUES (b.id + 5000, b.doc)"
    text = f"MERGE INTO docs a USING {few} b ON {on} WHEN MATCHED{condition} THEN {matched}"
    return text + rng.choice(["", insert]), clause.served and "a.grp = b.grp" not in on


def changing_statement(rng, joins, right):
    """A statement that changes docs."""
    kinds = [by_query, by_query, by_join, by_join] + [by_merge] * joins.has_merge
    text, served = rng.choice(kinds)(rng, joins, right)
    commands = [text, *STATE]
    kind = text.split()[0].replace("WITH", "DELETE")
    return Statement(kind, commands, commands, [f"EXPLAIN_ {text}"], False, served)
