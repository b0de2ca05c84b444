"""Every function, aggregate, join and search under settings that change what a value's text is.

The results are those under the settings' defaults.  Queries and their values lie in tables, so
that no setting changes what is read.
"""

import json

from batch import BROKEN_PROPERTY, Batch, some
from routes import kept
from values import SCHEMA, quoted

# Settings, and values other than those of a new session; those of lc_monetary are the server's.
CHOICES = {
    "bytea_output": ["escape"],
    "extra_float_digits": ["-15", "-10", "-3", "0", "3"],
    "DateStyle": ["German", "SQL, DMY", "Postgres, MDY", "Postgres, DMY", "ISO, YMD"],
    "IntervalStyle": ["sql_standard", "postgres_verbose", "iso_8601"],
    "TimeZone": ["Asia/Kathmandu", "America/St_Johns", "<+03>-3"],
    "lc_monetary": ["C"],
    "standard_conforming_strings": ["off"],
    "backslash_quote": ["on", "off", "safe_encoding"],
    "escape_string_warning": ["off"],
    "transform_null_equals": ["on"],
    "xmlbinary": ["hex"],
    "xmloption": ["document"],
    "quote_all_identifiers": ["on"],
    "array_nulls": ["off"],
    "client_encoding": ["LATIN1", "SQL_ASCII", "EUC_JP"],
}

# What digests are made under.
DEFAULTS = {
    "bytea_output": "hex", "extra_float_digits": "1", "DateStyle": "ISO, MDY", "IntervalStyle": "postgres",
    "TimeZone": "UTC", "lc_monetary": "C", "client_encoding": "UTF8", "quote_all_identifiers": "off",
}

SETUP = [
    f"DROP TABLE IF EXISTS {SCHEMA}.digests",
    f"CREATE TABLE {SCHEMA}.digests (name text PRIMARY KEY, query text, digest text)",
    f"""CREATE OR REPLACE FUNCTION {SCHEMA}.digest_got() RETURNS text LANGUAGE plpgsql
{" ".join(f"SET {name} = {quoted(value)}" for name, value in DEFAULTS.items())} AS $$
DECLARE
    digest text;
BEGIN
    EXECUTE 'SELECT md5(string_agg(r::text, chr(10) ORDER BY r::text COLLATE "C")) FROM pg_temp.got r' INTO digest;
    RETURN coalesce(digest, 'no rows');
END $$""",
    # rows under the session's settings, in text under others
    f"""CREATE OR REPLACE FUNCTION {SCHEMA}.digest_of(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    digest text;
BEGIN
    EXECUTE 'CREATE TEMP TABLE got AS ' || query;
    digest := {SCHEMA}.digest_got();
    DROP TABLE pg_temp.got;
    RETURN digest;
EXCEPTION WHEN others THEN
    RETURN SQLSTATE;
END $$""",
    f"""CREATE OR REPLACE FUNCTION {SCHEMA}.same_digests(pattern text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    d record;
    digest text;
    n bigint := 0;
    changed text[];
BEGIN
    FOR d IN SELECT * FROM {SCHEMA}.digests WHERE name LIKE pattern LOOP
        digest := {SCHEMA}.digest_of(d.query);
        n := n + 1;
        IF digest <> d.digest THEN
            changed := changed || format('%s from %s to %s: %s', d.name, d.digest, digest, d.query);
        END IF;
    END LOOP;
    IF changed <> '{{}}' THEN
        RAISE EXCEPTION '% results are not those under defaults: %; by %', cardinality(changed), array_to_string(changed[:5], '; '),
            (SELECT string_agg(name || ' = ' || setting, ', ') FROM pg_settings WHERE source = 'session') USING ERRCODE = '{BROKEN_PROPERTY}';
    END IF;
    RETURN n;
END $$""",
]

TABLE = [
    f"DROP TABLE IF EXISTS {SCHEMA}.styled",
    f"CREATE TABLE {SCHEMA}.styled AS SELECT n::bigint, n / 7.0::float8 AS f, 0.3 + n / 70000.0::float8 AS s, (1001 + n) / 1000.0::float8 AS c, ('{{a{{' || repeat('b}}{{', n % 5) || n % 9 || '}}}}')::tree AS doc,"
    " 'name ' || chr(92) || chr(39) || n % 9 AS name, ('<a b=\"' || n % 9 || '\"><c/>' || n % 4 || '</a>')::xml AS x,"
    " jsonb_build_object('a', n % 9, 'b', n / 7.0) AS j FROM generate_series(1, 60) n",
    f"CREATE INDEX ON {SCHEMA}.styled USING gist (doc)",
    f"CREATE INDEX ON {SCHEMA}.styled USING profile (name)",
    f"ANALYZE {SCHEMA}.styled",
]

T = f"{SCHEMA}.styled"

# Aggregates, joins and searches, with thresholds, costs and ids that come from columns.
QUERIES = [
    f"SELECT tree_within_pairs(n, doc, 1) FROM {T}",
    f"SELECT tree_within_pairs(n, doc, 2 * min_s, tree_costs(rename => min_c)) FROM {T}, (SELECT min(s) AS min_s, min(c) AS min_c FROM {T}) AS m GROUP BY min_s, min_c",
    f"SELECT tree_within_pairs(n, doc, 1, (CASE n % 2 WHEN 0 THEN 'l' ELSE 'r' END)::\"char\") FROM {T}",
    f"SELECT lcs_similar_pairs(n, name, 0.1 + 0.8 / 3) FROM {T}",
    f"SELECT tree_costs_agg('//a/b' || n, c, 2 * c, c)::text FROM {T}",
    f"SELECT tree_costs(rename => c, insert => 2 * c, delete => c)::text FROM {T}",
    f"SELECT tree_agg(n, nullif(n / 2, 0), name ORDER BY n) FROM {T}",
    f"SELECT c.* FROM (SELECT array_agg(f) AS l, array_agg(f * 0 + 1 / 7.0::float8) AS r FROM {T}) AS s, ted_clusters(l, r) AS c",
    f"SELECT n, tree_within_cluster(doc, 1) OVER (ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM {T}",
    f"SELECT a.n, b.n AS m, tree_edit_distance(a.doc, b.doc, tree_costs(rename => a.c)) AS d FROM {T} AS a, {T} AS b",
    f"SELECT a.n, b.n AS m FROM {T} AS a JOIN {T} AS b ON tree_similar(a.doc, b.doc, a.s)",
    f"SELECT a.n, b.n AS m FROM {T} AS a JOIN {T} AS b ON tree_within(a.doc, b.doc, a.f, '{{\"rename\": 1.5}}')",
    f"SELECT a.n, b.n AS m FROM {T} AS a JOIN {T} AS b ON tree_within(a.x, b.x, 1) AND a.n < b.n",
    f"SELECT a.n, b.n AS m FROM {T} AS a JOIN {T} AS b ON tree_similarity(a.j, b.j) >= b.s",
    f"SELECT a.n, b.n AS m FROM {T} AS a JOIN {T} AS b ON lcs_similar(a.name, b.name, a.s + 0.3)",
    f"SELECT n, m FROM {T}, LATERAL (SELECT b.n FROM {T} AS b ORDER BY b.doc <-> styled.doc, b.n LIMIT 3) AS b(m)",
    f"SELECT n, m FROM {T}, LATERAL (SELECT b.n FROM {T} AS b WHERE lcs_similar(b.name, styled.name, 0.7)) AS b(m)",
    f"SELECT n, tree(x) AS t, tree(j) AS u, tree_to_xml(tree(x)) AS v, tree_to_jsonb(tree(j)) AS w FROM {T}",
    f"SELECT a.n, xml_patch_apply(a.x, xml_patch(a.x, b.x)) AS p, json_patch_apply(a.j, json_patch(a.j, b.j)) AS q FROM {T} AS a, {T} AS b WHERE b.n < 5",
    f"SELECT a.n, tree_diff(a.x, b.x) AS p, tree_diff_summary(a.j, b.j) AS q FROM {T} AS a, {T} AS b WHERE b.n < 5",
]


def chosen(rng, choices):
    """Statements that set most of the settings to one of their values, and the rest to their defaults."""
    yield "RESET ALL"
    yield "SET statement_timeout = '20s'"
    for name, values in choices.items():
        if rng.random() < 0.8:
            yield f"SET {name} = {quoted(rng.choice(values))}"


def small_values(catalogue, values):
    """By type, the numbers of the small values that its table keeps."""
    queries = [f"SELECT {quoted(t)} AS type, n FROM {kept(t)} WHERE pg_column_size(extended) < 400" for t in values.types]
    return json.loads(catalogue.query(
        f"SELECT json_object_agg(type, ns) FROM (SELECT type, json_agg(n) AS ns FROM ({' UNION ALL '.join(queries)}) AS v GROUP BY 1) AS s;"
    ))


def function_calls(catalogue, values, count):
    """Calls of all functions with values from tables."""
    small = small_values(catalogue, values)
    for function in catalogue.plain:
        known = not function.takes_internal and all(map(values.knows, function.args))
        # what makes SQL is called over servers, in ids.py
        makes_sql = function.name.startswith("ted_") and function.language != "c"
        if not known or makes_sql or {"cstring", "internal", "trigger", "void"} & {*function.args, function.result}:
            continue
        for number in range(max(count // 8, 1)):
            args = [f"(SELECT extended FROM {kept(t)} WHERE n = {values.rng.choice(small[t])})" for t in function.args]
            call = f"{function.name}({', '.join(args)})"
            query = f"SELECT * FROM {call} AS f" if function.returns_set or function.result == "record" else f"SELECT {call} AS f"
            yield f"{function.name}({', '.join(function.args)}) {number}", query


def locales(catalogue):
    """Locales of the server."""
    return catalogue.query("SELECT DISTINCT collcollate FROM pg_collation WHERE collprovider = 'c' AND collcollate ~ '_';").split()


def batches(catalogue, values, count):
    """All queries under some random settings."""
    calls = [*((f"query {n}", query) for n, query in enumerate(QUERIES)), *some(values.rng, list(function_calls(catalogue, values, count)), 60, count)]
    choices = {**CHOICES, "lc_monetary": locales(catalogue) or CHOICES["lc_monetary"]}
    statements = [
        "SET statement_timeout = '20s'",
        *(f"INSERT INTO {SCHEMA}.digests VALUES ({quoted(name)}, {quoted(query)}, {SCHEMA}.digest_of({quoted(query)}))" for name, query in calls),
        # what changes by itself
        f"DELETE FROM {SCHEMA}.digests WHERE digest <> {SCHEMA}.digest_of(query)",
        f"SELECT {SCHEMA}.holds(name || ' succeeds', length(digest) > 5) FROM {SCHEMA}.digests WHERE name LIKE 'query %'",
    ]
    for _ in range(max(count // 8, 3)):
        statements += [*chosen(values.rng, choices), f"SELECT {SCHEMA}.same_digests('%')"]
    yield Batch("settings: tables", [*SETUP, *TABLE])
    yield Batch("settings", statements)
