"""Random statements around random joins.

A statement is a list of commands, and the list of those that do the same without
TedJoin; these are the same but for a full join.
"""

from collections import namedtuple

from clauses import Limits

# The commands, those of the plain statement, the commands that explain the first
# ones, whether rows come in an order, and whether the statement can be served.
Statement = namedtuple("Statement", "kind commands plain explained ordered served")

# A query: its text, that of the plain one, whether its rows come in an order, its join.
Query = namedtuple("Query", "text plain ordered join")

def select(rows, join, suffix=""):
    """A query of a join."""

    def text(source, where):
        return f"SELECT {rows} FROM {source}" + (f" WHERE {' AND '.join(where)}" if where else "")

    plain = " UNION ALL ".join(text(*part) for part in join.parts or [(join.source, join.where)])
    return text(join.source, join.where) + suffix, plain + suffix


def columns(rng, join):
    """The columns of a query's rows, which have the tables' ids first."""
    found = [f"{table}.id AS {table}" for table in join.tables]
    if "b" in join.tables and rng.random() < 0.7:
        found.append(f"{join.clause.measure} AS measure")
        if rng.random() < 0.2:
            found.append(f"coalesce({join.clause.measure}, -1) AS or_none")
    if rng.random() < 0.4:
        found.append(f"{rng.choice(join.tables)}.doc")
    if rng.random() < 0.4:
        found.append(f"{rng.choice(join.tables)}.grp")
    if rng.random() < 0.1:
        table = rng.choice(join.tables)
        found.append(f"({table}).n AS n, {table} IS NULL AS missing")
    return ", ".join(found)


def rows_query(rng, joins, right):
    """A query of rows."""
    join = joins.join(right)
    return Query(*select(columns(rng, join), join), False, join)


def ordered_query(rng, joins, right):
    """A query of rows in an order, perhaps of the first ones only."""
    join = joins.join(right)
    ids = ", ".join(join.tables)
    keys = [ids, ids, f"{join.tables[-1]} DESC NULLS LAST, {ids}"]
    rows = columns(rng, join)
    if " AS measure" in rows:
        keys += [f"measure, {ids}", f"measure DESC, {ids}"]
    suffix = f" ORDER BY {rng.choice(keys)}"
    if rng.random() < 0.6:
        suffix += f" LIMIT {rng.choice([1, 3, 20])}" + rng.choice(["", "", " OFFSET 2"])
    if rng.random() < 0.05:
        suffix = f" ORDER BY {ids} FETCH FIRST 5 ROWS ONLY"
    return Query(*select(rows, join, suffix), True, join)


def aggregated_query(rng, joins, right):
    """A query of groups, of distinct rows, or of one row."""
    join = joins.join(right)
    while join.parts:
        join = joins.join(right)
    measure = join.clause.measure if "b" in join.tables else "a.k"
    last = join.tables[-1]
    rows, suffix = rng.choice(
        [
            (f"count(*), min({measure}), max({measure})", ""),
            (f"count(*) AS n, count({last}.id), sum({last}.id), min({last}.doc::text)", ""),
            (f"{last}.grp, count(*), min({measure})", f" GROUP BY {last}.grp"),
            (f"a.id, min({measure}), array_agg({last}.id ORDER BY {last}.id)", " GROUP BY a.id"),
            (f"a.grp, {measure} AS m, count(*)", f" GROUP BY a.grp, {measure}"),
            (f"{measure} AS m, count(*)", f" GROUP BY {measure} HAVING count(*) > 1"),
            (f"DISTINCT {measure} AS m, {last}.grp", ""),
            (f"DISTINCT ON (a.id) a.id, {measure} AS m, {last}.id AS other",
             f" ORDER BY a.id, {measure}, {last}.id"),
            (f"{last}.id, rank() OVER (PARTITION BY {last}.grp ORDER BY {measure})", ""),
        ]
    )
    return Query(*select(rows, join, suffix), False, join)


def any_query(rng, joins, right):
    """A query of any form."""
    return rng.choice([rows_query, rows_query, ordered_query, aggregated_query])(rng, joins, right)


def statement(kind, query, commands, explained=None, ordered=False):
    """A statement around a query, which stands in its commands as {q}."""
    own, plain = ([c.replace("{q}", text) for c in commands] for text in (query.text, query.plain))
    explained = [c.replace("{q}", query.text) for c in explained or ["EXPLAIN_ {q}"]]
    return Statement(kind, own, plain, explained, ordered, query.join.served)


def select_statement(rng, joins, right):
    """A query alone, in a CTE or a view, or for the first of its rows."""
    query = any_query(rng, joins, right)
    kind, commands, explained = rng.choice(
        [
            ("select", ["{q}"], None),
            ("select", ["{q}"], None),
            ("first rows", ["SELECT count(*) FROM ({q} LIMIT 7) q"], ["EXPLAIN_ {q} LIMIT 7"]),
            ("first rows", ["SELECT EXISTS ({q})"], ["EXPLAIN_ SELECT EXISTS ({q})"]),
            ("CTE", ["WITH q AS ({q}) SELECT * FROM q"], None),
            ("CTE", ["WITH q AS MATERIALIZED ({q}) TABLE q UNION ALL TABLE q"], None),
            ("view", ["CREATE VIEW v AS {q}", "SELECT * FROM v"],
             ["CREATE VIEW v AS {q}", "EXPLAIN_ SELECT * FROM v"]),
            ("view", ["CREATE MATERIALIZED VIEW v AS {q}", "TABLE v"], None),
        ]
    )
    if kind == "first rows" and " LIMIT " in query.text + " ":
        commands, explained = ["SELECT count(*) FROM ({q}) q"], None
    ordered = query.ordered and commands == ["{q}"]
    return statement(kind, query, commands, explained, ordered)


def stored_statement(rng, joins, right):
    """INSERT and CREATE TABLE AS of a query's rows."""
    return statement(
        *rng.choice(
            [
                ("INSERT", any_query(rng, joins, right),
                 ["INSERT INTO sink SELECT q::text FROM ({q}) q", "TABLE sink"]),
                ("INSERT", any_query(rng, joins, right),
                 ["WITH i AS (INSERT INTO sink SELECT q::text FROM ({q}) q RETURNING r)"
                  " SELECT count(*) FROM i", "TABLE sink"]),
                ("CREATE TABLE AS", any_query(rng, joins, right),
                 ["CREATE TABLE made AS {q}", "TABLE made"]),
            ]
        )
    )


def cursor_statement(rng, joins, right):
    """A cursor, fetched in pieces; backwards where rows come in an order."""
    fetches = [f"FETCH {rng.choice([1, 3, 10])} FROM c", "FETCH 5 FROM c", "FETCH ALL FROM c"]
    if rng.random() < 0.5:
        query, scroll = rows_query(rng, joins, right), ""
    else:
        query, scroll = ordered_query(rng, joins, right), "SCROLL "
        fetches += ["FETCH BACKWARD 3 FROM c", "FETCH ABSOLUTE 2 FROM c", "MOVE FIRST IN c"]
        fetches += ["FETCH ALL FROM c"]
    commands = [f"DECLARE c {scroll}CURSOR FOR {{q}}", *fetches, "CLOSE c"]
    return statement("cursor", query, commands, None, query.ordered)


def prepared_statement(rng, joins, right):
    """A prepared statement, executed with several values."""
    joins.limits = Limits(rng, "parameter")
    query = any_query(rng, joins, right)
    types, values = zip(*joins.limits.parameters)
    prepare = [
        f"SET LOCAL plan_cache_mode = force_{rng.choice(['generic', 'custom'])}_plan",
        f"PREPARE p ({', '.join(types)}) AS {{q}}",
    ]
    execute = [f"EXECUTE p ({', '.join(arguments)})" for arguments in zip(*values)]
    explained = [*prepare, f"EXPLAIN_ {execute[0]}"]
    return statement("prepared", query, prepare + execute, explained, query.ordered)


def rescanned_statement(rng, joins, right):
    """A query that is run again for each row of another one, whose value is the limit."""
    joins.limits = Limits(rng, "outer")
    query = any_query(rng, joins, right)
    numbers = rng.choice(["generate_series(0, 3) g", "(SELECT DISTINCT k AS g FROM docs) g"])
    fence = "" if " LIMIT " in query.text else rng.choice([" OFFSET 0", " OFFSET 0", ""])
    text = rng.choice(
        [
            f"SELECT g.g, q.* FROM {numbers}, LATERAL ({{q}}{fence}) q",
            f"SELECT g.g, q.* FROM {numbers} LEFT JOIN LATERAL ({{q}}{fence}) q ON true",
            f"SELECT g.g, (SELECT count(*) FROM ({{q}}) q) FROM {numbers}",
            f"SELECT g.g FROM {numbers} WHERE EXISTS ({{q}}{fence})",
        ]
    )
    made = statement("rescanned", query, [text], [f"EXPLAIN_ {text}"])
    return made._replace(served=made.served and " OFFSET 0" in text)


def locking_statement(rng, joins, right):
    """A query that locks rows."""
    joins.derived = False
    query = rng.choice([rows_query, ordered_query])(rng, joins, right)
    while not query.join.lockable:
        query = rng.choice([rows_query, ordered_query])(rng, joins, right)
    strength = rng.choice(["UPDATE", "SHARE", "NO KEY UPDATE", "KEY SHARE"])
    locked = rng.choice([[table] for table in query.join.lockable] + [query.join.lockable])
    lock = f" FOR {strength} OF {', '.join(locked)}" + rng.choice(["", "", " SKIP LOCKED"])
    commands = ["{q}" + lock]
    if query.ordered and "a" in locked and rng.random() < 0.3:
        change = rng.choice(["UPDATE docs SET grp = -5", "DELETE FROM docs"])
        commands = ["DECLARE c CURSOR FOR {q}" + lock, "FETCH 2 FROM c"]
        commands += [f"{change} WHERE CURRENT OF c", "SELECT id, grp FROM docs ORDER BY id"]
    return statement("locking", query, commands, ["EXPLAIN_ {q}" + lock], query.ordered)


READING = [
    *[select_statement] * 4,
    *[stored_statement] * 2,
    cursor_statement,
    prepared_statement,
    prepared_statement,
    rescanned_statement,
    locking_statement,
]
