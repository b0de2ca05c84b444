"""Cursors that are open while other SQL changes what they may hold between two fetches.

Whatever it does, closes, declares anew, drops or alters, the cursor goes on with an error or
with rows that its query returns when nothing happens.
"""

from batch import BROKEN_PROPERTY, ENOUGH_TIME, Batch
from sessions import EACH_ON_ITS_OWN
from values import SCHEMA

T = f"{SCHEMA}.held"

SETUP = [
    ENOUGH_TIME,
    f"DROP TABLE IF EXISTS {T}, {T}_right, {T}_packets CASCADE",
    f"DROP TYPE IF EXISTS {T}_id CASCADE",
    # rows of 4 kB, so that a packet is sent after some hundred
    f"CREATE TABLE {T} AS SELECT n, n % 3 AS k, ('{{a{{' || repeat('b}}{{', n % 7) || n || '}}}}')::tree AS doc,"
    " repeat(n || ' held ', 500) AS s FROM generate_series(1, 300) n",
    f"CREATE INDEX held_gist ON {T} USING gist (doc)",
    f"CREATE INDEX held_gin ON {T} USING gin (doc)",
    f"CREATE INDEX held_profile ON {T} USING profile (s)",
    f"ANALYZE {T}",
    f"CREATE DOMAIN {T}_id AS text",
    f"CREATE OR REPLACE FUNCTION {T}_doc(t tree) RETURNS tree LANGUAGE plpgsql STABLE AS 'BEGIN RETURN t; END'",
    f"CREATE TABLE {T}_right (query int, hash text)",
    f"CREATE INDEX ON {T}_right (query, hash)",
    f"CREATE TABLE {T}_packets AS WITH r AS MATERIALIZED (SELECT * FROM public.ted_read_documents('SELECT ''''::\"char\", n, doc FROM {T} WHERE n < 40', 0, '{{0}}',"
    " NULL, 2, 'tree', 600)) SELECT b.* FROM (SELECT public.ted_plan_cells(step, 0, sender, seq, packed, 2, 'tree', 600) AS plan FROM r WHERE step = 'z') AS p,"
    " r AS d, public.ted_send_documents(d.packed, NULL, plan, d.number, d.seq) AS b WHERE d.step = 'd'",
    f"GRANT SELECT ON {T}, {T}_right, {T}_packets TO public",
    # the rows that are left are those of the query
    f"""CREATE OR REPLACE FUNCTION {T}_rest(c refcursor, number int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
    r record;
    n int := 0;
BEGIN
    LOOP
        FETCH c INTO r;
        EXIT WHEN NOT FOUND;
        n := n + 1;
        IF NOT EXISTS (SELECT FROM {T}_right WHERE query = number AND hash = md5(record_send(r))) THEN
            RAISE EXCEPTION 'query % returns a row that it does not have: %', number, left(r::text, 200)
                USING ERRCODE = '{BROKEN_PROPERTY}';
        END IF;
    END LOOP;
    RETURN n;
END $$""",
    # what holds rows by name is closed, and declared for another query
    f"""CREATE OR REPLACE FUNCTION {T}_rebind(query text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    portal text;
BEGIN
    FOREACH portal IN ARRAY array(SELECT name FROM pg_cursors WHERE name <> 'c') LOOP
        BEGIN
            EXECUTE format('CLOSE %I', portal);
            IF query IS NOT NULL THEN
                EXECUTE format('DECLARE %I CURSOR FOR %s', portal, query);
            END IF;
        EXCEPTION WHEN others THEN
            NULL;
        END;
    END LOOP;
END $$""",
]

DOCUMENTS = "''::\"char\" AS side, n::text AS id, {doc} AS doc FROM {t}"


# PostgreSQL's words on what a plan calls and another statement has dropped.
EXCUSED = (r"^cache lookup failed for (function|type) \d+$",)


def read(doc, kind, counts="NULL", rest=""):
    """Documents of a query, for their homes."""
    query = DOCUMENTS.format(doc=doc, t=T) + rest
    return f"SELECT public.ted_read_documents($q$SELECT {query}$q$, 0, '{{-2147483648,-900000000,0,900000000}}', {counts}, 9, '{kind}', 1) AS r"


# Queries whose functions return a row at a time, or whose plans hold something.
QUERIES = [
    read("s", "text"),
    read("s", "text", rest=" ORDER BY n DESC"),
    read(f"{T}_doc(doc)", "tree"),
    read("doc", "tree", f"(SELECT public.ted_label_counts(doc) FROM {T})"),
    f"SELECT r FROM (SELECT unnest(public.ted_join_cell(packed, sender, 'tree', 4, number, 2,"
    f" false, '{T}_id', NULL)) AS f FROM {T}_packets GROUP BY number) AS f,"
    f" public.ted_unpack_pairs((f).packed) AS r(left_id {T}_id, right_id {T}_id, measure float8)",
    f"SELECT n, public.tree_nodes({T}_doc(doc)) AS r FROM {T}",
    f"SELECT n, public.tree_edit_mapping(doc, '{{a{{b}}{{c}}}}') AS r FROM {T}",
    f"SELECT n, public.tree_subtree_nearest(doc, '{{b}}', 3) AS r FROM {T}",
    f"SELECT n, public.lcs_opcodes(s, 'held 7') AS r FROM {T}",
    f"SELECT public.lcs_nearest('12 held', array_agg(left(s, 9)), 20) AS r FROM {T}",
    f"SELECT public.ted_clusters(array_agg(n), array_agg(n / 2)) AS r FROM {T}",
    f"SELECT a.n, b.n AS m FROM {T} AS a JOIN {T} AS b ON public.tree_within(a.doc, {T}_doc(b.doc), 1) WHERE a.n < 30",
    f"SELECT a.n, b.n AS m FROM {T} AS a LEFT JOIN {T} AS b ON public.lcs_similar(left(a.s, 12), left(b.s, 12), 0.9)",
    f"SELECT n FROM {T} ORDER BY doc OPERATOR(public.<->) '{{a{{b}}}}'",
    f"SELECT n FROM {T} ORDER BY s OPERATOR(public.<~>) '7 held'",
    f"SELECT n FROM {T} WHERE public.tree_within(doc, '{{a{{b}}{{7}}}}', 2)",
    f"SELECT n, public.tree_within_cluster(doc, 1) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS r FROM {T}",
    f"SELECT k, (SELECT array_agg(m) FROM unnest(public.tree_within_pairs(n, {T}_doc(doc), 1)) AS m) AS r FROM {T} GROUP BY k",
]

# Queries in place of those that were there: of other types, with fewer and more columns, with other rows.
OTHERS = [
    "SELECT ''a''::\"char\", interval ''0.262160 s'', ''doc''::text FROM generate_series(1, 4)",
    f"SELECT {', '.join(['n::int8 * 8'] * 600)} FROM generate_series(1, 300) n",
    "SELECT 1",
    "SELECT ''x''::\"char\", ''foreign'', ''foreign''::text FROM generate_series(1, 5)",
    "SELECT ''''::\"char\", n, n::bit(9) FROM generate_series(1, 500) n",
]

CHANGES = [
    *(f"SELECT {T}_rebind('{other}')" for other in OTHERS),
    f"SELECT {T}_rebind(NULL)",
    "CLOSE \"<unnamed portal 1>\"",
    f"DROP TABLE {T}",
    f"TRUNCATE {T}",
    f"DELETE FROM {T}",
    f"UPDATE {T} SET doc = '{{x}}', s = 'other'",
    f"ALTER TABLE {T} DROP s, ADD s int",
    f"ALTER TABLE {T} ALTER doc TYPE text",
    "DROP INDEX held_gist, held_gin, held_profile",
    "REINDEX INDEX held_profile",
    f"DROP FUNCTION {T}_doc CASCADE",
    f"CREATE OR REPLACE FUNCTION {T}_doc(t tree) RETURNS tree LANGUAGE sql STABLE AS 'SELECT t'",
    f"DROP TYPE {T}_id CASCADE",
    f"ALTER DOMAIN {T}_id ADD CHECK (VALUE <> '17')",
    "DEALLOCATE ALL",
    "DISCARD PLANS",
    "DISCARD TEMP",
    "SET LOCAL search_path = ''",
    "SET LOCAL ted.max_memory = '64kB'",
    "SET LOCAL work_mem = '64kB'",
    "SET LOCAL client_encoding = LATIN1",
    "SELECT 1 / 0",
]


def interrupted(number, query, rng):
    """A cursor, fetched from in parts, with changes between them."""
    yield "BEGIN"
    yield f"DECLARE c NO SCROLL CURSOR FOR {query}"
    in_savepoint = rng.random() < 0.3
    if in_savepoint:
        yield "SAVEPOINT fetched"
    yield f"MOVE {rng.choice([1, 1, 2, 5])} FROM c"
    yield from rng.sample(CHANGES, rng.choice([1, 1, 2, 4]))
    if in_savepoint:
        yield "ROLLBACK TO fetched"
    yield "MOVE 1 FROM c"
    if rng.random() < 0.3:
        yield rng.choice(CHANGES)
    yield f"SELECT {T}_rest('c', {number})"
    yield "ROLLBACK"


def batches(catalogue, values, count):
    """Every query with random changes, and every other query in place of one whose documents are read."""
    del catalogue
    rng = values.rng
    rows = [f"INSERT INTO {T}_right SELECT {n}, md5(record_send(q)) FROM ({query}) AS q" for n, query in enumerate(QUERIES)]
    check = f"SELECT {SCHEMA}.holds('queries have rows', count(DISTINCT query) = {len(QUERIES)}) FROM {T}_right"
    yield Batch("rebinding: tables", [*SETUP, *rows, check])
    steps = []
    for change in CHANGES[: len(OTHERS) + 1]:
        steps += ["BEGIN", f"DECLARE c NO SCROLL CURSOR FOR {QUERIES[0]}", "MOVE 1 FROM c", change, f"SELECT {T}_rest('c', 0)", "ROLLBACK"]
    for _ in range(max(count // 2, 1)):
        for number, query in enumerate(QUERIES):
            steps += interrupted(number, query, rng)
        yield Batch("rebinding: what cursors hold", steps, setup=[ENOUGH_TIME, EACH_ON_ITS_OWN], excused=EXCUSED)
        steps = []
