"""Plans and executions under a session's changing conditions: roles, cursors, cached plans, errors."""

import itertools

from batch import Batch, first
from routes import domain
from values import SCHEMA

DOCS = f"{SCHEMA}.joined"

# Conditions that make a join of trees, with the cheapest ones first.
CONDITIONS = [
    "tree_within(a.doc, b.doc, 1)",
    "tree_edit_distance(a.doc, b.doc) <= 2",
    "2 > tree_edit_distance(b.doc, a.doc)",
    "tree_similar(a.doc, b.doc, 0.8)",
    "tree_similarity(a.doc, b.doc) >= 0.9",
    "tree_within(a.doc, b.doc, a.k)",
    "tree_within(a.doc, b.doc, b.k + a.n % 2)",
    "tree_similar(a.doc, b.doc, 'NaN')",
    "tree_within(a.doc, b.doc, NULL)",
    "tree_within(a.doc, b.doc, -1)",
    "tree_within(a.doc, b.doc, 2147483647)",
    "tree_within(a.doc, b.doc, 1 / (a.k - b.k))",
    "tree_within(a.d, b.d, 1)",
    "tree_within(a.doc, b.x::tree, 1)",
    f"tree_within({SCHEMA}.same_plpgsql(a.doc), {SCHEMA}.x_tree(b.doc), 1)",
    f"tree_within({SCHEMA}.failing(a.doc, a.n), b.doc, 1)",
    "json_within(a.doc, b.doc, 1)",
    "json_edit_distance(a.doc, b.doc) <= a.k",
    "a.doc <~ tree_range(b.doc, 1)",
    "a.doc = b.doc",
]

SHAPES = [
    "SELECT a.n, b.n FROM {t} AS a JOIN {t} AS b ON {c}",
    "SELECT a.*, b.* FROM {t} AS a JOIN {t} AS b ON {c} WHERE a.n < b.n ORDER BY a.n, b.n",
    "SELECT a.n, tree_edit_distance(a.doc, b.doc), b FROM {t} AS a JOIN {t} AS b ON {c}",
    "SELECT count(*) FROM {t} AS a LEFT JOIN {t} AS b ON {c} WHERE b.n IS NULL",
    "SELECT count(*) FROM {t} AS a FULL JOIN {t} AS b ON {c}",
    "SELECT count(*) FROM {t} AS a WHERE EXISTS (SELECT FROM {t} AS b WHERE {c})",
    "SELECT count(*) FROM {t} AS a WHERE a.n NOT IN (SELECT b.n FROM {t} AS b WHERE {c} AND b.n > 3)",
    "SELECT * FROM {t} AS a, LATERAL (SELECT b.n AS m FROM {t} AS b WHERE {c} OFFSET 0) AS b2",
    "SELECT count(*) FROM {v} AS a JOIN {v} AS b ON {c}",
    "SELECT count(*) FROM {r} AS a JOIN {r} AS b ON {c}",
    "SELECT count(*) FROM {s} AS a JOIN {s} AS b ON {c}",
    "SELECT a.ctid, b.tableoid FROM {p} AS a JOIN {p} AS b ON {c}",
    "SELECT count(*) FROM (SELECT * FROM {t} TABLESAMPLE BERNOULLI (50)) AS a JOIN {t} AS b ON {c}",
    "SELECT count(*) FROM {t} AS a JOIN {t} AS b ON {c} JOIN {t} AS e ON tree_within(b.doc, e.doc, 0)",
    "WITH RECURSIVE w(n, doc, d, k, x, depth) AS (SELECT n, doc, d, k, x, 0 FROM {t} WHERE n < 3"
    " UNION ALL SELECT b.n, b.doc, b.d, b.k, b.x, a.depth + 1 FROM w AS a JOIN {t} AS b ON {c} WHERE a.depth < 2)"
    " SELECT count(*) FROM w",
    "WITH a AS MATERIALIZED (SELECT * FROM {t}), b AS (SELECT * FROM a) SELECT count(*) FROM a JOIN b ON {c}",
    "SELECT a.n FROM {t} AS a JOIN {t} AS b ON {c} FOR UPDATE OF a",
    "SELECT a.n FROM {t} AS a JOIN {t} AS b ON {c} ORDER BY a.n FOR SHARE",
    "UPDATE {t} AS a SET k = a.k FROM {t} AS b WHERE {c}",
    "DELETE FROM {t} AS a USING {t} AS b WHERE {c} AND a.n > 1000 RETURNING a, b",
    "MERGE INTO {t} AS a USING {t} AS b ON {c} AND a.n = 2 WHEN MATCHED AND false THEN DELETE",
    "INSERT INTO {t} SELECT a.* FROM {t} AS a JOIN {t} AS b ON {c} WHERE false",
    "SELECT sum(1) OVER (ORDER BY a.n) FROM {t} AS a JOIN {t} AS b ON {c} LIMIT 5 OFFSET 2",
    "SELECT DISTINCT ON (a.k) a.k, b.doc FROM {t} AS a JOIN {t} AS b ON {c} ORDER BY a.k, b.n",
    "SELECT (SELECT count(*) FROM {t} AS b WHERE {c}) FROM {t} AS a",
    "SELECT count(*) FROM {t} AS a JOIN {t} AS b ON {c} GROUP BY GROUPING SETS ((a.k), (b.k), ())",
    "SELECT a.n FROM {t} AS a JOIN {t} AS b ON {c} UNION ALL SELECT b.n FROM {t} AS b JOIN {t} AS a ON {c}",
]

SETTINGS = [
    ["SET enable_hashjoin = off", "SET enable_mergejoin = off", "SET enable_nestloop = off"],
    ["SET work_mem = '64kB'", "SET ted.least_join_memory = '64kB'", "SET enable_nestloop = off"],
    ["SET max_parallel_workers_per_gather = 2", "SET parallel_setup_cost = 0",
     "SET parallel_tuple_cost = 0", "SET min_parallel_table_scan_size = 0", "SET enable_nestloop = off"],
    ["SET force_parallel_mode = on"],
    ["SET enable_partitionwise_join = on"],
    ["SET from_collapse_limit = 1", "SET join_collapse_limit = 1"],
    ["SET geqo_threshold = 2"],
]


def tables():
    """A table of trees, and a view, a barrier, policies and partitions of the same."""
    columns = f"n int, doc tree, d {domain('tree')}, k int, x json"
    rows = (
        "SELECT g, v, v, g % 3, to_json(repeat('x', g)) FROM generate_series(1, 80) g, LATERAL (SELECT"
        " CASE WHEN g % 9 > 0 THEN ('{a' || repeat('{b}', g % 5) || '{' || g % 11 || '}}')::tree END) AS s(v)"
    )
    yield (
        f"CREATE FUNCTION {SCHEMA}.failing(t tree, n int) RETURNS tree LANGUAGE plpgsql STABLE PARALLEL SAFE"
        " AS 'BEGIN IF n % 50 = 49 THEN RAISE EXCEPTION $$no$$; END IF; RETURN t; END'"
    )
    yield f"CREATE TABLE {DOCS} ({columns}) WITH (parallel_workers = 2)"
    yield f"INSERT INTO {DOCS} {rows}"
    yield f"CREATE VIEW {DOCS}_view AS SELECT * FROM {DOCS} WHERE n > 2"
    yield f"CREATE VIEW {DOCS}_barrier WITH (security_barrier) AS SELECT * FROM {DOCS} WHERE k < 2"
    yield f"CREATE TABLE {DOCS}_rls ({columns})"
    yield f"INSERT INTO {DOCS}_rls {rows}"
    yield f"ALTER TABLE {DOCS}_rls ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY"
    yield f"CREATE POLICY few ON {DOCS}_rls USING (tree_size(doc) > 2 AND n % 2 = 0)"
    yield f"CREATE TABLE {DOCS}_parts ({columns}) PARTITION BY HASH (doc)"
    for rest in range(3):
        yield (
            f"CREATE TABLE {DOCS}_part{rest} PARTITION OF {DOCS}_parts"
            f" FOR VALUES WITH (MODULUS 3, REMAINDER {rest})"
        )
    yield f"INSERT INTO {DOCS}_parts {rows}"
    yield f"ANALYZE {DOCS}, {DOCS}_rls, {DOCS}_parts"


def query(shape, condition):
    """A query of a shape, over the tables."""
    names = {"t": DOCS, "v": f"{DOCS}_view", "s": f"{DOCS}_barrier", "r": f"{DOCS}_rls", "p": f"{DOCS}_parts"}
    return shape.format(c=condition, **names)


def executions(text, rng):
    """Ways to run a query: plain, explained, prepared, by cursors, in subtransactions, interrupted."""
    is_select = text.startswith(("SELECT", "WITH"))
    yield [text]
    yield [f"EXPLAIN (ANALYZE, VERBOSE, BUFFERS, FORMAT {rng.choice(['TEXT', 'JSON', 'XML'])}) {text}"]
    yield [
        "DEALLOCATE ALL", f"PREPARE p AS {text}", "SET plan_cache_mode = force_generic_plan",
        "EXECUTE p", f"ANALYZE {DOCS}", "EXECUTE p", "DISCARD PLANS", "EXECUTE p", "DISCARD ALL",
    ]
    yield [f"SET statement_timeout = '{rng.randint(1, 4)}ms'", text, text, "RESET statement_timeout"]
    yield [
        "BEGIN", "SAVEPOINT s", text, "SELECT 1 / 0", "ROLLBACK TO s", text, "RELEASE s",
        "SET LOCAL work_mem = '64kB'", text, "ROLLBACK",
    ]
    if is_select:
        scroll = rng.choice(["SCROLL", "NO SCROLL", "SCROLL", ""])
        yield [
            "BEGIN", f"DECLARE c {scroll} CURSOR FOR {text}", "FETCH 3 FROM c", "SAVEPOINT s",
            "FETCH BACKWARD 2 FROM c", "ROLLBACK TO s", "FETCH ABSOLUTE 1 FROM c", "SAVEPOINT s",
            "FETCH LAST FROM c", "ROLLBACK TO s", "MOVE BACKWARD ALL FROM c", "FETCH ALL FROM c", "COMMIT",
        ]
        yield [f"DECLARE h SCROLL CURSOR WITH HOLD FOR {text}", "FETCH 2 FROM h", "FETCH PRIOR FROM h", "CLOSE ALL"]
        yield [
            f"CREATE OR REPLACE FUNCTION {SCHEMA}.looping() RETURNS int LANGUAGE plpgsql AS $body$"
            f" DECLARE r record; i int := 0; BEGIN FOR r IN {text} LOOP BEGIN i := i + 1; PERFORM 1 / (i % 3);"
            " EXCEPTION WHEN division_by_zero THEN NULL; END; EXIT WHEN i > 5; END LOOP; RETURN i; END $body$",
            f"SELECT {SCHEMA}.looping()", f"SELECT {SCHEMA}.looping()",
        ]
        yield [f"CREATE TEMP TABLE made AS {text}", "DROP TABLE IF EXISTS made"]
        yield [f"COPY ({text}) TO STDOUT"]


# psql's own way to go on in a transaction after an error.
EACH_ON_ITS_OWN = "\\set ON_ERROR_ROLLBACK on"

SHADOWED = [
    f"CREATE TABLE {SCHEMA}.tree_range (doc int, max_distance text)",
    f"CREATE DOMAIN {SCHEMA}.tree AS text",
    f"CREATE TYPE {SCHEMA}.tree_join_row AS (id text)",
    f"CREATE TABLE {SCHEMA}.ted_gpu_calibration (device int)",
    f"CREATE FUNCTION {SCHEMA}.tree_within(public.tree, public.tree, float8) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    f"CREATE FUNCTION {SCHEMA}.tree_range(public.tree, float8) RETURNS int LANGUAGE sql AS 'SELECT 1'",
    f"CREATE FUNCTION {SCHEMA}.tree_size(public.tree) RETURNS text LANGUAGE sql AS 'SELECT NULL::text'",
    f"CREATE FUNCTION {SCHEMA}.op(public.tree, int) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
    f"CREATE OPERATOR {SCHEMA}.<~ (LEFTARG = public.tree, RIGHTARG = int, FUNCTION = {SCHEMA}.op)",
]


def type_batch():
    """Types of the user's over tree: ranges with our distance as their measure, and casts."""
    span, own = f"{SCHEMA}.tree_span", f"{SCHEMA}.own"
    return Batch(
        "ranges of trees, and types that become trees",
        [
            f"DROP TABLE IF EXISTS {SCHEMA}.spans",
            f"DROP TYPE IF EXISTS {span}, {own} CASCADE",
            f"CREATE TYPE {span} AS RANGE (SUBTYPE = tree, SUBTYPE_DIFF = ted_distance_op)",
            f"CREATE TABLE {SCHEMA}.spans AS SELECT n, {span}(least(doc, '{{b}}'), greatest(doc, '{{b}}'), '[]') AS s"
            f" FROM {DOCS}, generate_series(1, 20)",
            f"CREATE INDEX ON {SCHEMA}.spans USING gist (s)",
            f"CREATE INDEX ON {SCHEMA}.spans USING spgist (s)",
            f"ANALYZE {SCHEMA}.spans",
            "SET enable_seqscan = off",
            f"SELECT count(*) FROM {SCHEMA}.spans WHERE s @> '{{a{{b}}}}'::tree",
            f"SELECT count(*) FROM {SCHEMA}.spans AS a JOIN {SCHEMA}.spans AS b ON a.s && b.s",
            f"SELECT range_agg(s), lower(range_merge(s, s)) <-> '{{a}}' FROM {SCHEMA}.spans GROUP BY s",
            f"CREATE TYPE {own} AS (a text, b int)",
            f"CREATE FUNCTION {SCHEMA}.own_tree({own}) RETURNS tree LANGUAGE sql IMMUTABLE"
            " AS $$SELECT CASE WHEN $1.b > 0 THEN ('{' || $1.b || '}')::tree END$$",
            f"CREATE CAST ({own} AS tree) WITH FUNCTION {SCHEMA}.own_tree({own}) AS IMPLICIT",
            f"SELECT tree_within(ROW('x', n)::{own}, doc, 1), ROW('x', -n)::{own} <-> doc FROM {DOCS}",
            f"SELECT count(*) FROM {DOCS} AS a JOIN {DOCS} AS b ON tree_within(ROW('x', a.n)::{own}, b.doc, 1)",
            f"SELECT tree_within_pairs(n, ROW('x', n)::{own}, 1) FROM {DOCS}",
            f"SELECT n FROM {DOCS} WHERE doc <~ tree_range(ROW('x', 1)::{own}, 1)",
        ],
    )


def shadowing_batch():
    """Names of the user's like the extension's, earlier on the path."""
    tests = [
        f"SELECT n FROM {DOCS} WHERE public.tree_within(doc, '{{a{{b}}}}', 2)",
        f"SELECT n FROM {DOCS} WHERE tree_within(doc, '{{a{{b}}}}', 2)",
        f"SELECT n FROM {DOCS} WHERE public.tree_similar(doc, '{{a{{b}}}}', 0.5)",
        f"SELECT n FROM {DOCS} WHERE doc <~ public.tree_range(doc, 1)",
        f"SELECT public.tree_within_pairs(n, doc, 1) FROM {DOCS}",
        "SELECT * FROM ted_engine_info()",
        f"SELECT count(*) FROM {DOCS} AS a JOIN {DOCS} AS b ON public.tree_within(a.doc, b.doc, 1)",
    ]
    statements = [t for made in SHADOWED for t in (made, *tests)]
    return Batch("names that shadow the extension's", [EACH_ON_ITS_OWN, "BEGIN", *statements, "ROLLBACK"])


def move_batches():
    """The extension moved to another schema under cached plans, dropped and made again."""
    tests = ["EXECUTE p1", "EXECUTE p2", "EXECUTE p3", "SELECT tree_size('{a}')", "EXECUTE p4", "FETCH 1 FROM c"]
    prepared = [
        f"PREPARE p1 AS SELECT n FROM {DOCS} WHERE tree_within(doc, '{{a{{b}}}}', 2)",
        f"PREPARE p2 AS SELECT count(*) FROM {DOCS} AS a JOIN {DOCS} AS b ON tree_within(a.doc, b.doc, 1)",
        f"PREPARE p3 AS SELECT tree_within_pairs(n, doc, 1) FROM {DOCS}",
        f"PREPARE p4 AS SELECT count(*) FROM public.ted_read_documents('SELECT ''''::\"char\", n, doc FROM {DOCS}', 0, '{{0}}', NULL, 3, 'tree', 1)",
        "SET plan_cache_mode = force_generic_plan",
    ]
    moves = [
        ["BEGIN", f"DECLARE c CURSOR FOR SELECT n FROM {DOCS} ORDER BY doc <-> '{{a}}'"],
        ["CREATE SCHEMA elsewhere", "ALTER EXTENSION ted SET SCHEMA elsewhere"],
        ["ALTER EXTENSION ted_distributed SET SCHEMA elsewhere"],
        [f"SET search_path = elsewhere, {SCHEMA}, public"],
        ["ALTER EXTENSION ted SET SCHEMA public"],
        ["ALTER EXTENSION ted_distributed SET SCHEMA public"],
        ["ROLLBACK"],
        ["BEGIN", "DROP EXTENSION ted CASCADE"],
        ["ROLLBACK"],
    ]
    steps = [EACH_ON_ITS_OWN, *prepared, *tests]
    for move in moves:
        steps += [*move, *tests]
    yield Batch("the extension moves", steps, role="postgres")


def concurrent_batches(rng):
    """Rows locked and changed by one session while another one changes them, too."""
    changes = [
        "SET lock_timeout = '20ms'",
        f"UPDATE {DOCS} SET doc = '{{a{{z}}}}', k = k + 1 WHERE n % 3 = 0",
        f"DELETE FROM {DOCS} WHERE n = 7",
        f"INSERT INTO {DOCS} SELECT * FROM {DOCS} WHERE n = 8 LIMIT 1",
        f"UPDATE {DOCS} SET doc = NULL WHERE n % 5 = 1",
        f"VACUUM {DOCS}",
    ]
    for condition in CONDITIONS:
        queries = [query(shape, condition) for shape in SHAPES if "FOR " in shape or shape.startswith("UPDATE")]
        level = rng.choice(["READ COMMITTED", "REPEATABLE READ", "SERIALIZABLE"])
        steps = [s for q in queries for s in (f"BEGIN ISOLATION LEVEL {level}", q, q, "COMMIT")]
        yield Batch("rows that change meanwhile", changes[:1] + steps, meanwhile=changes * 4)


def role_batch():
    """Cached plans that outlive a change of role."""
    text = query(SHAPES[9], CONDITIONS[0])
    return Batch(
        "roles change",
        [
            "SET plan_cache_mode = force_generic_plan", f"PREPARE p AS {text}", "EXECUTE p", "SET ROLE installer",
            "EXECUTE p", f"SET search_path = {SCHEMA}, public", text, "SET ROLE hostile", "EXECUTE p",
            "SET row_security = off", "EXECUTE p", "RESET ROLE", "EXECUTE p", "DISCARD ALL", text,
        ],
        role="postgres",
    )


def batches(catalogue, values, count):
    """All shapes with random conditions, and the reverse, in every way to run a query."""
    del catalogue
    rng = values.rng
    yield Batch("tables to join", list(tables()))
    pairs = [(shape, rng.choice(CONDITIONS)) for shape in SHAPES]
    pairs += [(rng.choice(SHAPES), condition) for condition in CONDITIONS]
    pairs += [(rng.choice(SHAPES), rng.choice(CONDITIONS)) for _ in range(count)]
    for shape, condition in first(rng, pairs, 16, count):
        ways = itertools.chain.from_iterable(executions(query(shape, condition), rng))
        settings = rng.choice([[], *SETTINGS])
        yield Batch("joins in every way", [*settings, *ways])
    yield type_batch()
    yield shadowing_batch()
    yield from concurrent_batches(rng)
    yield role_batch()
    yield from move_batches()
