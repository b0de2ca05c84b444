"""Statements of a role that may execute some of the extension's functions only.

What the planner adds for an index, a join or an order needs no right beyond those on what the
statement names: a statement has the same rows, or the same error, with an index as without.
"""

from batch import FEW_CASES, Batch
from sessions import EACH_ON_ITS_OWN
from values import SCHEMA, quoted

VAULT = "granted"
T = f"{VAULT}.docs"

# Statements over a table with indexes and one without.
STATEMENTS = [
    "SELECT n FROM {t} WHERE tree_within(doc, '{{a{{b}}{{3}}}}', 1)",
    "SELECT n FROM {t} WHERE tree_edit_distance(doc, '{{a{{b}}{{3}}}}') <= 1",
    "SELECT n FROM {t} WHERE tree_edit_distance_less_equal(doc, '{{a{{b}}{{3}}}}', 2) < 2",
    "SELECT n FROM {t} WHERE tree_similar(doc, '{{a{{b}}{{3}}}}', 0.9)",
    "SELECT n FROM {t} WHERE tree_similarity(doc, '{{a{{b}}{{3}}}}') >= 0.9",
    "SELECT n FROM {t} WHERE tree_normalized_distance(doc, '{{a{{b}}{{3}}}}') <= 0.1",
    "SELECT n FROM {t} WHERE doc <-> '{{a{{b}}{{3}}}}' <= 1",
    "SELECT n FROM {t} WHERE doc <%> '{{a{{b}}{{3}}}}' <= 0.1",
    "SELECT n FROM {t} WHERE doc <=> '{{a{{b}}{{3}}}}' <= 0.1",
    "SELECT n FROM {t} WHERE doc <~ tree_range('{{a{{b}}{{3}}}}', 1)",
    "SELECT n FROM {t} WHERE tree_within(doc, '{{a{{b}}{{3}}}}', 1.5, '{{\"rename\": 1.5}}')",
    "SELECT n FROM {t} WHERE tree_similarity(doc, '{{a{{b}}{{3}}}}', '{{\"rename\": 1.5}}') > 0.9",
    "SELECT n FROM {t} WHERE json_within(doc, '{{a{{b}}{{3}}}}', 1)",
    "SELECT n FROM {t} WHERE json_edit_distance(doc, '{{a{{b}}{{3}}}}') <= 1",
    "SELECT n FROM {t} WHERE json_similar(doc, '{{a{{b}}{{3}}}}', 0.9)",
    "SELECT n FROM {t} WHERE tree_within(x, '<a><b/></a>', 1)",
    "SELECT n FROM {t} WHERE tree_similarity(j, '{{\"a\": [1]}}') >= 0.8",
    "SELECT n FROM {t} WHERE lcs_similar(s, 'name 3', 0.9)",
    "SELECT n FROM {t} WHERE lcs_within(s, 'name 3', 1)",
    "SELECT n FROM {t} WHERE lcs_similarity(s, 'name 3') > 0.9",
    "SELECT n FROM {t} WHERE lcs_distance(s, 'name 3') <= 1",
    "SELECT n FROM {t} WHERE lcs_distance_less_equal(s, 'name 3', 2) <= 1",
    "SELECT n FROM {t} WHERE lcs_length(s, 'name 3') >= 6",
    "SELECT n FROM {t} WHERE s <~> 'name 3' < 2",
    "SELECT n FROM {t} WHERE s <%> 'name 3' < 0.1",
    "SELECT n FROM {t} WHERE lcs_similar(b, 'name 3', 0.9)",
    "SELECT n FROM {t} WHERE lcs_within(a, '{{name,3}}', 1)",
    "SELECT n FROM {t} ORDER BY doc <-> '{{a{{b}}{{3}}}}', n LIMIT 5",
    "SELECT n FROM {t} ORDER BY doc <%> '{{a{{b}}{{3}}}}', n LIMIT 5",
    "SELECT n FROM {t} ORDER BY doc <=> '{{a{{b}}{{3}}}}', n LIMIT 5",
    "SELECT n FROM {t} ORDER BY doc <#> '{{a{{b}}{{3}}}}', n LIMIT 5",
    "SELECT n FROM {t} ORDER BY tree_edit_distance(doc, '{{a{{b}}{{3}}}}'), n LIMIT 5",
    "SELECT n FROM {t} ORDER BY tree_similarity(doc, '{{a{{b}}{{3}}}}') DESC, n LIMIT 5",
    "SELECT n FROM {t} ORDER BY tree_pqgram_distance(doc, '{{a{{b}}{{3}}}}'), n LIMIT 5",
    "SELECT n FROM {t} ORDER BY s <~> 'name 3', n LIMIT 5",
    "SELECT n FROM {t} ORDER BY s <%> 'name 3', n LIMIT 5",
    "SELECT n FROM {t} ORDER BY lcs_distance(s, 'name 3'), n LIMIT 5",
    "SELECT n FROM {t} ORDER BY lcs_similarity(s, 'name 3') DESC, n LIMIT 5",
    "SELECT a.n, b.n FROM {t} AS a JOIN {t} AS b ON tree_within(a.doc, b.doc, 1) WHERE a.n < 9",
    "SELECT a.n, b.n FROM {t} AS a JOIN {t} AS b ON tree_similarity(a.doc, b.doc) > 0.9 WHERE a.n < 9",
    "SELECT a.n, tree_edit_distance(a.doc, b.doc) FROM {t} AS a JOIN {t} AS b ON a.doc <-> b.doc <= 1",
    "SELECT a.n, b.n FROM {t} AS a JOIN {t} AS b ON lcs_similar(a.s, b.s, 0.9)",
    "SELECT a.n, b.n FROM {t} AS a JOIN {t} AS b ON lcs_distance(a.s, b.s) <= a.n",
    "SELECT a.n, (SELECT max(b.n) FROM {t} AS b WHERE tree_within(a.doc, b.doc, 1)) FROM {t} AS a",
    "SELECT a.n, b.n FROM {t} AS a, LATERAL (SELECT n FROM {t} AS b ORDER BY tree_edit_distance(a.doc, b.doc), n LIMIT 2) AS b",
    "SELECT n FROM {t} WHERE doc = '{{a{{b}}{{3}}}}'",
    "SELECT n FROM {t} WHERE doc > '{{a{{b}}{{3}}}}' ORDER BY doc, n",
    "SELECT n FROM {t} WHERE tree_within(doc, (SELECT doc FROM {t} WHERE n = 3), 1)",
]

# What a role that may use the extension is granted: what is documented.
DOCUMENTED = "obj_description(p.oid, 'pg_proc') !~ '^internal'"

SUPERUSER = [
    f"DROP SCHEMA IF EXISTS {VAULT} CASCADE",
    "DO $$BEGIN CREATE ROLE lesser; EXCEPTION WHEN duplicate_object THEN NULL; END$$",
    f"CREATE SCHEMA {VAULT}",
    f"GRANT USAGE ON SCHEMA {VAULT} TO lesser",
    f"CREATE TABLE {T} AS SELECT n, ('{{a{{b}}{{' || n % 20 || '}}}}')::tree AS doc, ('<a><b/>' || n % 20 || '</a>')::xml AS x,"
    " jsonb_build_object('a', ARRAY[n % 20]) AS j, 'name ' || n % 20 AS s, ('name ' || n % 20)::bytea AS b, ARRAY['name', (n % 20)::text] AS a"
    " FROM generate_series(1, 60) n",
    f"CREATE TABLE {T}_indexed AS SELECT * FROM {T}",
    *(f"CREATE INDEX ON {T}_indexed USING {method} ({column})" for method, column in (
        ("gist", "doc"), ("gin", "doc"), ("btree", "doc"), ("hash", "doc"), ("profile", "doc"), ("profile", "s"), ("profile", "b"),
        ("profile", "a"), ("gist", "tree(x)"), ("gin", "tree(j)"),
    )),
    f"ANALYZE {T}, {T}_indexed",
    f"GRANT SELECT ON {T}, {T}_indexed TO lesser",
    # rows of a statement, or its error
    f"""CREATE FUNCTION {VAULT}.outcome(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    r record;
    rows text[] := '{{}}';
BEGIN
    FOR r IN EXECUTE statement LOOP
        rows := rows || r::text;
    END LOOP;
    IF statement LIKE 'EXPLAIN%' THEN
        RETURN 'a plan';
    END IF;
    RETURN (SELECT coalesce(string_agg(e, ' ' ORDER BY e), 'no rows') FROM unnest(rows) AS e);
EXCEPTION WHEN insufficient_privilege THEN
    RETURN 'denied: ' || SQLERRM;
END $$""",
    # A cached plan may have the body of a function in SQL in place of a call, and then needs no
    # right on the function: the outcome of the statement itself is right, too.
    f"""CREATE FUNCTION {VAULT}.same(plain text, indexed text, statement text DEFAULT NULL) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    of_plain text := {VAULT}.outcome(plain);
    of_indexed text := {VAULT}.outcome(indexed);
BEGIN
    IF of_indexed <> of_plain AND statement IS NOT NULL THEN
        of_plain := {VAULT}.outcome(statement);
    END IF;
    PERFORM {SCHEMA}.holds(format('%s: with an index %s, without %s', indexed, left(of_indexed, 60), left(of_plain, 60)),
        of_indexed = of_plain OR of_indexed LIKE 'denied%' AND of_plain LIKE 'denied%');
    RETURN left(of_plain, 6);
END $$""",
    f"GRANT USAGE ON SCHEMA {SCHEMA} TO lesser",
]


def grants(rng, which):
    """Rights to execute the documented functions, or most functions at random."""
    chosen = DOCUMENTED if which == "documented" else f"random() < {rng.choice([0.5, 0.8, 0.95])}"
    yield f"SELECT setseed({rng.random()})"
    yield (
        "DO $$DECLARE f record; BEGIN FOR f IN SELECT p.oid::regprocedure AS name, " + chosen + " AS granted FROM pg_proc p JOIN pg_depend d"
        " ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e' WHERE d.refclassid = 'pg_extension'::regclass"
        " AND d.refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('ted', 'ted_distributed')) LOOP"
        " EXECUTE format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', f.name);"
        " IF f.granted THEN EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO lesser', f.name); END IF; END LOOP; END$$"
    )


def compared(statement):
    """A statement over both tables, and its plans."""
    plain, indexed = statement.format(t=T), statement.format(t=f"{T}_indexed")
    for before in "", "EXPLAIN ":
        yield f"SELECT {VAULT}.same({quoted(before + plain)}, {quoted(before + indexed)})"


def prepared(statement, number):
    """Plans that one role has made and another one runs, in both orders."""
    plain, indexed = f"plain_{number}", f"indexed_{number}"
    for first, second in ("postgres", "lesser"), ("lesser", "postgres"):
        yield f"SET LOCAL ROLE {first}"
        yield f"PREPARE {plain} AS {statement.format(t=T)}"
        yield f"PREPARE {indexed} AS {statement.format(t=f'{T}_indexed')}"
        for role in first, second, first:
            yield f"SET LOCAL ROLE {role}"
            yield f"SELECT {VAULT}.same('EXECUTE {plain}', 'EXECUTE {indexed}', {quoted(statement.format(t=T))})"
        yield "DEALLOCATE ALL"


def batches(catalogue, values, count):
    """All statements, in both orders of the tables, with the rights of some functions."""
    del catalogue
    rng = values.rng
    for which in ["documented", *["some"] * max(count // 4, 1)]:
        # Memoize compares by =, with an index and without
        statements = ["BEGIN", *grants(rng, which), "SET LOCAL plan_cache_mode = force_generic_plan", "SET LOCAL enable_memoize = off"]
        statements += ["SET LOCAL ROLE lesser", *(f"SELECT {SCHEMA}.holds('rows are there', count(*) = 60) FROM {table}" for table in (T, f"{T}_indexed"))]
        for number, statement in enumerate(STATEMENTS):
            statements += [f"SET LOCAL {name} = {rng.choice(['off', 'on'])}" for name in ("enable_seqscan", "enable_bitmapscan")]
            statements += ["SET LOCAL ROLE lesser"]
            statements += compared(statement)
            statements += prepared(statement, number) if rng.random() < 0.3 or count > FEW_CASES else []
        yield Batch(
            f"rights: {which} functions",
            [*statements, "ROLLBACK"],
            setup=["SET statement_timeout = '10s'", EACH_ON_ITS_OWN],
            superuser=SUPERUSER,
            role="postgres",
        )
