"""Joins over servers whose ids are of any type, and whose documents have SQL in them.

The servers lead back here, as a role of their own.  Both sides have settings that change what a
value's text is; the rows are those of the plain query under defaults, and nothing is created.
"""

import loopback
from batch import BROKEN_PROPERTY, FEW_CASES, HOSTILE, Batch
from settings import CHOICES, DEFAULTS, SETUP, chosen, locales
from values import SCHEMA, quoted

T = f"{SCHEMA}.identified"
ODD = f"{SCHEMA}_odd"

# Texts that end a constant, and go on with a statement; others that a setting reads in another way.
PWN = "CREATE TABLE public.pwned (); --"
TEXTS = [
    f"x'); {PWN}", f"x''); {PWN}", f"x\\'); {PWN}", f"x\\\\'); {PWN}", f"x'', ''); {PWN}", f"x$$); {PWN}", f"x\"); {PWN}", f"x'; {PWN}",
    "'", "''", "\\", "\\'", "\\\\", "\\x41", "\\047", "E'\\n'", "%s %L %1$I", "$1", "NULL", "null", "", "a\tb\nc", "é日本",
]

# By type: an id, distinct for each n, that some setting or a cast to the type's name writes in another way.
IDS = {
    "float8": "n / 7.0::float8",
    "float4": "n / 7.0::float4",
    "numeric": "n / 7.0",
    "numeric(5,2)": "n / 7.0",
    "bytea": "decode(md5(n::text), 'hex') || decode('275c2729', 'hex')",
    "date": "'2000-01-01'::date + n * 31",
    "timestamp": "'2000-01-02'::timestamp + n * interval '31 days 1.25 s'",
    "timestamptz": "'2000-01-02 UTC'::timestamptz + n * interval '31 days 1.25 s'",
    "timetz": "'00:00+00'::timetz + n * interval '1.25 s'",
    "interval": "n * interval '1 year -2 mons 3 days -4.5 s'",
    "interval(0)": "n * interval '1 year -2 mons 3 days -4 s'",
    "daterange": "daterange('2000-01-01'::date + n * 31, NULL)",
    "date[]": "ARRAY['2000-01-01'::date + n * 31, NULL]",
    "money": "(n * 1234.56)::money",
    "char": "chr(64 + n)",
    "char(5)": "'ab' || chr(64 + n)",
    "bpchar": "'ab ' || chr(64 + n)",
    '"char"': "chr(64 + n)",
    "varchar(3)": "'ab' || chr(64 + n)",
    "bit(6)": "n::bit(6)",
    "varbit": "n::bit(6)",
    "text": "texts[1 + n % cardinality(texts)] || n",
    "name": "'\"A ' || n || '''\\'",
    "uuid": "md5(n::text)::uuid",
    f'{ODD}."My Type"': "'v''' || n",
    f'{ODD}.text': "-n",
    f'{ODD}."int4[]"': "n / 7.0",
    f"{ODD}.short": "'ab' || chr(64 + n)",
    f"{ODD}.wide": "'ab' || chr(64 + n)",
    f"{ODD}.pair": f"ROW(n / 7.0, 'x' || n)::{ODD}.pair",
    f"{ODD}.bpchar": "'label ' || n",
}
LABELS = ", ".join(quoted(f"label {n}") for n in range(1, 61))

# Columns of documents, and the types that they have.
DOCS = {"doc": "tree", "d": f"{ODD}.document"}
NAMES = {"name": "text", "c": "char(40)", "v": "varchar(70)", "t": f"{ODD}.words"}

SUPERUSER = [
    f"DROP SCHEMA IF EXISTS {ODD} CASCADE",
    "DROP TABLE IF EXISTS public.pwned",
    f"CREATE SCHEMA {ODD}",
    "DO $$BEGIN CREATE ROLE remote LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END$$",
    "ALTER ROLE remote RESET ALL",
    "GRANT CREATE ON SCHEMA public TO remote",
    *loopback.server("away", "remote"),
    f"CREATE DOMAIN {ODD}.\"My Type\" AS varchar(20)",
    f"CREATE DOMAIN {ODD}.text AS integer",
    f"CREATE DOMAIN {ODD}.\"int4[]\" AS float8",
    f"CREATE DOMAIN {ODD}.short AS char(5)",
    f"CREATE DOMAIN {ODD}.wide AS {ODD}.short",
    f"CREATE TYPE {ODD}.pair AS (f float8, \"a b\" text)",
    f"CREATE TYPE {ODD}.bpchar AS ENUM ({LABELS})",
    f"CREATE DOMAIN {ODD}.document AS tree",
    f"CREATE DOMAIN {ODD}.words AS varchar(70)",
    f"GRANT USAGE ON SCHEMA {ODD} TO {HOSTILE}",
    f"""CREATE OR REPLACE FUNCTION {SCHEMA}.objects() RETURNS bigint LANGUAGE sql AS
    'SELECT sum(hashtext(oid::text)) FROM (SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname !~ ''^pg_(toast_)?temp''
     UNION ALL SELECT oid FROM pg_proc UNION ALL SELECT oid FROM pg_roles UNION ALL SELECT oid FROM pg_namespace WHERE nspname !~ ''^pg_(toast_)?temp'') o'""",
    f"""CREATE OR REPLACE FUNCTION {SCHEMA}.nothing_made(before bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF to_regclass('public.pwned') IS NOT NULL OR before <> {SCHEMA}.objects() THEN
        RAISE EXCEPTION 'a join over servers has created something: %', to_regclass('public.pwned') USING ERRCODE = '{BROKEN_PROPERTY}';
    END IF;
END $$""",
]


def tables():
    """A table of documents, a third of which are near to each other, with ids of all types."""
    columns = ", ".join(f"({value})::{sql_type} AS {column(sql_type)}" for sql_type, value in IDS.items())
    texts = f"ARRAY[{', '.join(map(quoted, TEXTS))}]"
    # a label's backslash is one of the bracket notation, too
    label = "regexp_replace(texts[1 + n % cardinality(texts)], '([\\\\{}])', '\\\\\\1', 'g')"
    name = "left(repeat(texts[1 + n % cardinality(texts)] || ' ', 5), 36) || n % 2"
    yield from SETUP
    yield f"DROP TABLE IF EXISTS {T}"
    yield (
        f"CREATE TABLE {T} AS SELECT n, {columns}, doc, doc::{DOCS['d']} AS d, name, name::{NAMES['c']} AS c, name::{NAMES['v']} AS v,"
        f" name::{NAMES['t']} AS t FROM (SELECT n, texts, ('{{a{{' || {label} || '}}{{' || n % 2 || '}}}}')::tree AS doc, {name} AS name"
        f" FROM generate_series(1, {2 * len(TEXTS)}) AS n, (SELECT {texts} AS texts) AS t) AS s"
    )
    yield f"ANALYZE {T}"


def column(sql_type):
    """The column that has ids of a type."""
    return '"id ' + sql_type.replace('"', '""') + '"'


def plain(sql_type, kind, doc):
    """The pairs by a plain query."""
    measure, condition = ("tree_edit_distance", "tree_within(a.{0}, b.{0}, 1)") if kind == "tree" else ("lcs_similarity", "lcs_similar(a.{0}::text, b.{0}::text, 0.9)")
    cast = "" if kind == "tree" else "::text"
    this = column(sql_type)
    return (
        f"SELECT a.{this} AS l, b.{this} AS r, {measure}(a.{doc}{cast}, b.{doc}{cast}) AS m FROM {T} AS a JOIN {T} AS b"
        f" ON {condition.format(doc)} AND a.{this} < b.{this}"
    )


def joined(sql_type, kind, doc, cells):
    """The same by servers, or by this one."""
    function, threshold = ("tree_within_pairs_distributed", "1") if kind == "tree" else ("lcs_similar_pairs_distributed", "0.9")
    name = quoted(column(sql_type)[1:-1].replace('""', '"'))
    return (
        f"SELECT * FROM {function}(NULL::{sql_type}, {quoted(T)}, {threshold}, '{{away,away}}', {name}, {quoted(doc)}, {cells}) AS f(l, r, m)"
    )


def unpacked(sql_type):
    """Ids that a cell of all documents returns, and those that go there."""
    this = column(sql_type)
    query = quoted(f"SELECT ''::\"char\", {this}, 'a'::text FROM {T} WHERE n < 4")
    read = f"SELECT * FROM ted_read_documents({query}, 0, '{{-2147483648,0}}', NULL, 1, 'text', 1)"
    plan = "SELECT ted_plan_cells(step, 0, sender, seq, packed, 1, 'text', 1) AS plan FROM d WHERE step = 'z'"
    sent = "SELECT b.* FROM d, p, ted_send_documents(packed, NULL, plan, number, seq) AS b WHERE d.step = 'd'"
    joined = f"SELECT ted_join_cell(packed, sender, 'text', 1, number, 2, true, {quoted(sql_type)}, NULL) AS found FROM b GROUP BY number"
    return (
        f"WITH d AS MATERIALIZED ({read}), p AS ({plan}), b AS ({sent}), f AS ({joined})"
        f" SELECT u.left_id AS l, u.right_id AS r FROM f, unnest(found) AS a, ted_unpack_pairs(a.packed) AS u(left_id {sql_type}, right_id {sql_type}, measure float8)",
        f"SELECT a.{this} AS l, b.{this} AS r FROM {T} AS a, {T} AS b WHERE a.n < 4 AND b.n < 4 AND a.{this} < b.{this}",
    )


def expected(name, query, right):
    """Keeps a query with the digest of another one."""
    return f"INSERT INTO {SCHEMA}.digests VALUES ({quoted(name)}, {quoted(query)}, {SCHEMA}.digest_of({quoted(right)}))"


def batches(catalogue, values, count):
    """Ids of all types, some of them under each of some settings here and there."""
    rng = values.rng
    choices = {**CHOICES, "lc_monetary": locales(catalogue) or CHOICES["lc_monetary"]}
    statements = [
        "SET statement_timeout = '30s'",
        *(f"SET {name} = {quoted(value)}" for name, value in DEFAULTS.items()),
        f"SELECT {SCHEMA}.objects() AS before \\gset",
    ]
    for sql_type in IDS:
        for kind, docs in ("tree", DOCS), ("text", NAMES):
            doc = rng.choice(list(docs))
            for cells in rng.choice([1, 2, 5]), "NULL":
                statements.append(expected(f"{cells} cells of {kind} {sql_type}", joined(sql_type, kind, doc, cells), plain(sql_type, kind, doc)))
        statements.append(expected(f"matches of {sql_type}", *unpacked(sql_type)))
    # what cells have is the same for all settings here
    statements += [f"SELECT {SCHEMA}.holds(name || ' succeeds', length(digest) > 5) FROM {SCHEMA}.digests", f"SELECT {SCHEMA}.same_digests('matches of %')", f"SELECT {SCHEMA}.same_digests('NULL cells of tree %')"]
    for _ in range(max(count // 2, 3)):
        there = {name: rng.choice(some) for name, some in choices.items() if rng.random() < 0.7 and name != "client_encoding"}
        statements += [
            "RESET ALL",
            "ALTER ROLE remote RESET ALL",
            *(f"ALTER ROLE remote SET {name} = {quoted(value)}" for name, value in there.items()),
            *chosen(rng, choices),
        ]
        for sql_type in rng.sample(list(IDS), 4 if count < FEW_CASES else 8):
            statements.append(f"SELECT {SCHEMA}.same_digests({quoted('% cells of % ' + sql_type.replace('_', chr(92) + '_'))})")
        statements.append(f"SELECT {SCHEMA}.nothing_made(:before)")
    statements += ["RESET ALL", "ALTER ROLE remote RESET ALL", "DROP TABLE IF EXISTS public.pwned"]
    yield Batch("ids over servers: tables", list(tables()), superuser=SUPERUSER)
    yield Batch("ids over servers", statements, role="postgres")
