"""Rows that their reader may not see: no message, notice or plan shows a part of them.

Documents of another role have labels that begin with a marker, and sizes that no other number
has.  An ordinary role reaches them through policies, views, functions of their owner and columns
that it may update but not read, with little memory, little time and bad thresholds.
"""

import random
import re

from batch import ENOUGH_TIME, HOSTILE, Batch, some
from values import SCHEMA, quoted

MARK = "zq7"
VAULT = "vault"
T = f"{VAULT}.secrets"

# The column that has documents of a type, and texts in the place of others.
COLUMNS = {"tree": "doc", "xml": "x", "json": "j", "jsonb": "jb", "text": "s", "bytea": "b", "text[]": "a", "tree[]": "ts"}

# Columns with patches, and with documents that are refused.
BAD = {"jsonb": ["jp"], "xml": ["xp"], "json": ["twice"], "text": ["page"], "tree": ["odd"]}

# Names of arguments that are documents where they are texts.
TEXTS = ("", "a", "b", "doc", "docs", "query", "string")


def word(rng):
    """A label that nothing else has."""
    return MARK + "".join(rng.choices("abcdefghjkmnpqrstuvwxyz0123456789", k=6))


def sizes(rng):
    """Numbers of nodes: few, several, more than little memory has room for, and more than little time."""
    return [3, rng.randint(2000, 3000), rng.randint(10100, 11900), rng.randint(20100, 29900)]


def documents(rng, nodes):
    """Documents of all types with so many nodes, and with patches."""
    w = [word(rng) for _ in range(8)]
    times = f"generate_series(1, {nodes - 1}) g"
    label = f"(ARRAY[{', '.join(map(quoted, w[:4]))}])[1 + g % 4] || g % 97"
    return {
        "doc": f"(SELECT '{{{w[0]}' || string_agg('{{' || {label} || '}}', '') || '}}' FROM {times})::tree",
        "x": f"(SELECT '<{w[0]} {w[1]}=\"{w[2]}\">' || string_agg('<' || {label} || '>{w[3]}</' || {label} || '>', '') || '</{w[0]}>' FROM {times})::xml",
        "j": f"(SELECT '{{\"{w[0]}\": [' || string_agg('\"' || {label} || '\"', ',') || ']}}' FROM {times})::json",
        "jb": f"(SELECT '{{\"{w[0]}\": [' || string_agg('\"' || {label} || '\"', ',') || ']}}' FROM {times})::jsonb",
        "s": f"(SELECT string_agg({label}, ' ') FROM {times})",
        "b": f"(SELECT string_agg({label}, ' ') FROM {times})::bytea",
        "a": f"(SELECT array_agg({label}) FROM {times})",
        "ts": f"ARRAY['{{{w[0]}{{{w[1]}}}}}', '{{{w[2]}}}']::tree[]",
        "jp": f"'[{{\"op\": \"remove\", \"path\": \"/{w[0]}/{w[1]}\"}}, {{\"op\": \"{w[2]}\", \"path\": \"/{w[3]}\"}}]'::jsonb",
        "xp": f"'<diff><remove sel=\"/{w[0]}/{w[1]}[{w[2]}]\"/></diff>'::xml",
        "twice": f"'{{\"{w[0]}\": 1, \"{w[0]}\": {{\"{w[1]}\": 2}}}}'::json",
        "page": f"'<table><tr><td colspan=\"{w[0]}\">{w[1]}<td rowspan=\"2%\">{w[2]}</table>'",
        "odd": f"'{{{w[0]}{{ {w[1]}{{a<b{{\"{w[2]}}}}}}}{{1-{w[3]}}}}}'::tree",
    }


def tables(rng, some_sizes):
    """A superuser's statements: the owner's table with rows that all may see and others, and ways to it."""
    yield f"DROP SCHEMA IF EXISTS {VAULT} CASCADE"
    yield "DO $$BEGIN CREATE ROLE keeper; EXCEPTION WHEN duplicate_object THEN NULL; END$$"
    yield f"CREATE SCHEMA {VAULT} AUTHORIZATION keeper"
    yield f"GRANT USAGE ON SCHEMA {VAULT} TO {HOSTILE}"
    yield "SET ROLE keeper"
    yield (
        f"CREATE TABLE {T} (n serial, hidden boolean, doc tree, x xml, j json, jb jsonb, s text, b bytea, a text[], ts tree[],"
        " jp jsonb, xp xml, twice json, page text, odd tree)"
    )
    for size in [*some_sizes, 3, 9, *some_sizes[:2]]:
        made = documents(rng, size)
        yield f"INSERT INTO {T} (hidden, {', '.join(made)}) SELECT true, {', '.join(made.values())}"
    made = {name: value.replace(MARK, "open") for name, value in documents(rng, 5).items()}
    yield f"INSERT INTO {T} (hidden, {', '.join(made)}) SELECT false, {', '.join(made.values())} FROM generate_series(1, 3)"
    for method, name in ("gist", "doc"), ("gin", "doc"), ("profile", "s"), ("profile", "b"), ("profile", "a"), ("profile", "doc"):
        yield f"CREATE INDEX ON {T} USING {method} ({name})"
    yield f"ANALYZE {T}"
    yield f"ALTER TABLE {T} ENABLE ROW LEVEL SECURITY"
    yield f"CREATE POLICY visible ON {T} USING (NOT hidden)"
    yield f"CREATE VIEW {VAULT}.barred WITH (security_barrier) AS SELECT * FROM {T} WHERE NOT hidden"
    yield (
        f"CREATE TABLE {VAULT}.columns (n int, doc tree, j json, x xml, s text,"
        " t tree GENERATED ALWAYS AS (tree_from_json(j)) STORED)"
    )
    yield f"INSERT INTO {VAULT}.columns SELECT n, doc, j, x, s FROM {T} WHERE n % 4 > 1"
    for expression in "n", "doc", "(tree_from_json(j, duplicate_keys => 'error'))", "(tree(x))":
        yield f"CREATE INDEX ON {VAULT}.columns USING {'btree' if expression == 'n' else 'gist'} ({expression})"
    for n, query in enumerate(VIEWS):
        yield f"CREATE VIEW {VAULT}.view_{n} AS {query}"
        yield f"GRANT SELECT ON {VAULT}.view_{n} TO {HOSTILE}"
    yield f"CREATE TABLE {VAULT}.visible AS SELECT * FROM {T} WHERE NOT hidden"
    yield f"CREATE TABLE {VAULT}.statements (n int PRIMARY KEY, query text)"
    # what a function of the owner's computes of all rows
    yield (
        f"CREATE FUNCTION {VAULT}.computed(which int) RETURNS text LANGUAGE plpgsql SECURITY DEFINER AS"
        f" 'DECLARE r text; BEGIN EXECUTE (SELECT query FROM {VAULT}.statements WHERE n = which) INTO r; RETURN r IS NULL; END'"
    )
    yield f"GRANT SELECT ON {T}, {VAULT}.visible, {VAULT}.barred TO {HOSTILE}"
    yield f"GRANT SELECT (n), UPDATE (n) ON {VAULT}.columns TO {HOSTILE}"
    yield "RESET ROLE"


def argument(sql_type, name, table, values):
    """An argument of a call: a column of the table where it is a document."""
    columns = [COLUMNS.get(sql_type)] * 3 + BAD.get(sql_type, [])
    if sql_type not in COLUMNS or sql_type.startswith("text") and name not in TEXTS:
        return values.any(sql_type)
    return f"{table}.{values.rng.choice(columns)}"


def computed(function, values):
    """What the owner computes by a function, whatever the result."""
    rng = values.rng
    names = [*function.names, *[""] * len(function.args)]
    args = [argument(sql_type, name, rng.choice("ab"), values) for sql_type, name in zip(function.args, names)]
    call = f"{function.name}({', '.join(args)})"
    rows = f"a.n {rng.choice(['=', '=', '>='])} {rng.randint(1, 9)} AND b.n {rng.choice(['=', '<='])} {rng.randint(1, 9)}"
    if function.returns_set:
        return f"SELECT count(*) FROM {T} AS a CROSS JOIN {T} AS b CROSS JOIN LATERAL {call} AS f WHERE {rows}"
    return f"SELECT count(v) FROM (SELECT {call} AS v FROM {T} AS a, {T} AS b WHERE {rows} OFFSET 0) AS s"


# What views of the owner's compute of all rows.
VIEWS = [
    f"SELECT max(tree_edit_distance(a.doc, b.doc)) FROM {T} AS a, {T} AS b",
    f"SELECT max(tree_similarity(a.x, b.x)) FROM {T} AS a, {T} AS b",
    f"SELECT max(json_edit_distance(a.jb, b.j::jsonb)) FROM {T} AS a, {T} AS b",
    f"SELECT max(lcs_similarity(a.s, b.s)) FROM {T} AS a, {T} AS b",
    f"SELECT count(*) FROM {T} AS a JOIN {T} AS b ON tree_within(a.doc, b.doc, 5000)",
    f"SELECT cardinality(tree_within_pairs(n, doc, 5000)) FROM {T}",
    f"SELECT count(tree_from_json(j)) + count(tree(x)) FROM {T}",
    f"SELECT max(teds(a.page, b.page)) FROM {T} AS a, {T} AS b",
]

# Ordered scans of a table whose rows are not all visible.
SCANS = [
    "SELECT n FROM {t} ORDER BY doc <-> '{{a{{b}}}}' LIMIT 5",
    "SELECT n FROM {t} ORDER BY doc <%> '{{a{{b}}}}'",
    "SELECT n FROM {t} ORDER BY doc <=> '{{a{{b}}}}' LIMIT 3",
    "SELECT n FROM {t} ORDER BY doc <#> '{{a{{b}}}}'",
    "SELECT n, doc <-> '{{a{{b}}}}' FROM {t} ORDER BY 2 LIMIT 5",
    "SELECT n FROM {t} ORDER BY tree_edit_distance(doc, '{{a{{b}}}}')",
    "SELECT n FROM {t} ORDER BY s <~> 'open' LIMIT 5",
    "SELECT n FROM {t} ORDER BY s <%> 'open'",
    "SELECT n FROM {t} ORDER BY b <~> 'open'",
    "SELECT n FROM {t} ORDER BY a <~> '{{open}}'",
]

# Queries of rows that are visible, over tables with others.
QUERIES = [
    *SCANS,
    "SELECT n FROM {t} ORDER BY doc <-> (SELECT (repeat('{{a', 3000) || repeat('}}', 3000))::tree)",
    "SELECT n FROM {t} WHERE tree_within(doc, '{{a{{b}}}}', 20000)",
    "SELECT n FROM {t} WHERE tree_edit_distance(doc, '{{a{{b}}}}') < 20000",
    "SELECT n FROM {t} WHERE tree_similar(doc, '{{a{{b}}}}', 0)",
    "SELECT n FROM {t} WHERE tree_similarity(x, '<a/>') > 0",
    "SELECT n FROM {t} WHERE tree_within(j, '[1]', 9)",
    "SELECT n FROM {t} WHERE lcs_similar(s, 'open', 0.01)",
    "SELECT n FROM {t} WHERE lcs_within(s, 'open', 100000)",
    "SELECT n FROM {t} WHERE doc <~ tree_range('{{a}}', 60000)",
    "SELECT n FROM {t} WHERE vault_peek(doc) AND tree_within(doc, '{{a}}', 60000)",
    "SELECT n FROM {t} WHERE vault_peek(doc) ORDER BY doc <-> '{{a}}'",
    "SELECT a.n FROM {t} AS a JOIN {t} AS b ON tree_within(a.doc, b.doc, 5000)",
    "SELECT a.n FROM {t} AS a JOIN {t} AS b ON tree_within(a.doc, b.doc, 5000) AND vault_peek(a.doc) AND vault_peek(b.doc)",
    "SELECT a.n FROM {t} AS a JOIN {t} AS b ON tree_similarity(a.x, b.x) >= 0.1",
    "SELECT a.n FROM {t} AS a JOIN {t} AS b ON lcs_similar(a.s, b.s, 0.1)",
    "SELECT tree_within_pairs(n, doc, 60000) FROM {t}",
    "SELECT lcs_similar_pairs(n, s, 0.01) FROM {t}",
    "SELECT n, tree_within_cluster(doc, 50000) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM {t}",
    "SELECT max(tree_edit_distance(doc, '{{a{{b}}}}')) FROM {t}",
    "SELECT count(tree_from_json(j)), count(tree(x)), count(tree(jb)) FROM {t}",
    "SELECT count(*) FROM {t} WHERE doc IN (SELECT doc FROM {t} WHERE n > 2)",
]

# What is not about a table, or changes one.
OTHERS = [
    f"UPDATE {VAULT}.columns SET n = n",
    f"UPDATE {VAULT}.columns SET n = -n WHERE n > 2",
    f"SELECT * FROM pg_stats WHERE schemaname = '{VAULT}'",
    "SELECT * FROM ted_progress",
    f"SELECT profile_index_check(indexrelid) FROM pg_index WHERE indrelid = '{T}'::regclass",
]

SAME_OUTCOME = f"""CREATE OR REPLACE FUNCTION {SCHEMA}.same_outcome(one text, other text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    found text[];
    query text;
BEGIN
    FOREACH query IN ARRAY ARRAY[one, other] LOOP
        BEGIN
            EXECUTE query;
            found := found || 'success'::text;
        EXCEPTION WHEN others THEN
            found := found || SQLERRM;
        END;
    END LOOP;
    PERFORM {SCHEMA}.holds(found[1] || ' is ' || found[2], found[1] = found[2]);
    RETURN found[1];
END $$"""


def conditions(rng):
    """Settings under which a statement fails."""
    yield "RESET ALL"
    yield "SET client_min_messages = debug1"
    yield rng.choice(["RESET ted.max_memory", "SET ted.max_memory = '64kB'", "SET ted.max_memory = '64kB'", "SET ted.max_memory = '1MB'"])
    yield f"SET statement_timeout = '{rng.choice([1, 2, 4, 8, 20, 40, 100])}ms'"
    yield rng.choice(["RESET client_encoding", "SET client_encoding = LATIN1", "RESET client_encoding"])
    yield f"SET enable_seqscan = {rng.choice(['on', 'off', 'off'])}"
    yield f"SET enable_bitmapscan = {rng.choice(['on', 'off'])}"
    yield f"SET enable_nestloop = {rng.choice(['on', 'off'])}"
    yield "SET ted.explain_rejected = on"


def batches(catalogue, values, count):
    """Calls of all functions by the owner's function, statements of visible rows, and others."""
    rng = values.rng
    some_sizes = sizes(rng)
    secret = re.compile(MARK + r"\w*|\b(?:" + "|".join(str(n) for n in some_sizes[1:]) + r")\b(?! kB)")
    known = [f for f in catalogue.plain if not f.takes_internal and "cstring" not in (*f.args, f.result) and all(map(values.knows, f.args))]
    # what runs a query prints it, as PostgreSQL does
    known = [f for f in known if {*f.args} & {*COLUMNS} and not (f.name.startswith("ted_") and "query" in f.names)]
    queries = [computed(f, values) for f in some(rng, known, 60, count) for _ in range(max(count // 4, 1))]
    numbered = [f"INSERT INTO {VAULT}.statements VALUES ({n}, {quoted(q)})" for n, q in enumerate(queries)]
    peek = (
        "CREATE OR REPLACE FUNCTION vault_peek(t tree) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS"
        " 'BEGIN RAISE NOTICE ''%'', t; RETURN true; END'"
    )
    yield Batch(
        "leaks: tables",
        [f"SELECT {SCHEMA}.holds('rows are visible', count(*) = 3) FROM {table}" for table in (T, f"{VAULT}.barred", f"{VAULT}.visible")],
        superuser=["SET statement_timeout = 0", *tables(random.Random(rng.random()), some_sizes), *numbered],
    )
    statements = []
    for n in range(len(queries)):
        statements += [*conditions(rng), f"SELECT {VAULT}.computed({n})"]
    for n in range(len(VIEWS)):
        for _ in range(2):
            statements += [*conditions(rng), "SET ted.max_memory = '64kB'", f"SELECT * FROM {VAULT}.view_{n}"]
    for query in [*QUERIES, *OTHERS] * max(count // 4, 1):
        text = query.format(t=rng.choice([T, T, f"{VAULT}.barred"]))
        statements += [*conditions(rng), rng.choice(["", "", "EXPLAIN (ANALYZE, VERBOSE) "]) + text]
    yield Batch("leaks", statements, setup=["\\o /dev/stderr", f"SET search_path = {SCHEMA}, public", peek], secret=secret)
    scans = [f"SELECT {SCHEMA}.same_outcome({quoted(q.format(t=T))}, {quoted(q.format(t=f'{VAULT}.visible'))})" for q in SCANS]
    yield Batch(
        "leaks: rows that are not visible do not count",
        ["SET ted.max_memory = '64kB'", "SET enable_seqscan = off", *scans],
        setup=[ENOUGH_TIME, SAME_OUTCOME],
        secret=secret,
    )
