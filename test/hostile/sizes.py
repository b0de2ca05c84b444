"""Large values for every function: what a session takes in all is bounded by ted.max_memory.

Each call runs in a session of its own, at a limit of 64 MB.  The most memory that the session
has had then is at most the limit, some copies of the arguments, and what the server itself takes
and keeps.
"""

import json
import os
from itertools import groupby

from batch import BROKEN_PROPERTY, ENOUGH_TIME, Batch, first
from values import SCHEMA

# Kilobytes: the limit, and what a session may take besides it.
LIMIT = 64 * 1024
BESIDES = 96 * 1024

# Copies of the arguments: toasted, read, as the functions of their types take them, and the result.
COPIES = 4

NUMBERS = "(SELECT {}_agg(n) FROM generate_series(1, {}) n)"
RULES = "(SELECT jsonb_agg(jsonb_build_object('pattern', md5(n::text), 'insert', 2)) FROM generate_series(1, 200000) n)"
ROOM = "('{\"a\": [' || repeat('1,', 1000000) || '1]}')"


def operations(count, operation):
    """A patch of JSON: an operation, {n} being its number."""
    text = json.dumps(operation).replace("'", "''")
    return f"(SELECT ('[' || string_agg(replace('{text}', '{{n}}', n::text), ',') || ']') FROM generate_series(1, {count}) n)"


# By type: values for the first argument of it, each with the one for the others.
DOCUMENTS = [
    (ROOM, operations(20, {"op": "copy", "from": "/a", "path": "/{n}"})),
    (ROOM, operations(20, {"op": "copy", "from": "/a", "path": "/a/0"})),
    (ROOM, operations(300_000, {"op": "add", "path": "/{n}", "value": [{}]})),
    (ROOM, operations(300_000, {"op": "replace", "path": "/a/{n}", "value": "{n}"})),
    (ROOM, "('[{\"op\": \"remove\", \"path\": \"' || repeat('/', 20000000) || '\"}]')"),
    (ROOM, "('[{\"op\": \"test\", \"path\": \"/a\", \"value\": [' || repeat('2,', 1000000) || '1]}]')"),
    ("('[' || repeat('[],', 1000000) || '1]')", "('[' || repeat('{},', 1000000) || '1]')"),
    (NUMBERS.format("json", 1_000_000), RULES),
    ("(SELECT json_object_agg(n, n) FROM generate_series(1, 300000) n)", RULES),
    (RULES, RULES),
    ("('\"' || repeat('x', 16000000) || '\"')", "('\"' || repeat('y', 16000000) || '\"')"),
]
PAGES = [
    ("('<a>' || repeat('<b/>', 300000) || '</a>')", "('<a>' || repeat('<c d=\"1\"/>', 300000) || '</a>')"),
    ("('<a>' || repeat('<b/>', 100000) || '</a>')", "('<diff>' || repeat('<remove sel=\"/a/b[1]\"/>', 100000) || '</diff>')"),
    ("('<a>' || repeat('x', 9000000) || '</a>')", "('<a>' || repeat('y ', 4500000) || '</a>')"),
    ("(SELECT '<a ' || string_agg(format('a%s=\"1\"', n), ' ') || '/>' FROM generate_series(1, 30000) n)", "'<a/>'"),
]
LARGE = {
    "json": DOCUMENTS,
    "jsonb": DOCUMENTS,
    "xml": PAGES,
    "tree": [
        ("('{r' || repeat('{s}', 2000000) || '}')", "('{r' || repeat('{t}', 2000000) || '}')"),
        ("('{r' || (SELECT string_agg('{' || n || '}', '') FROM generate_series(1, 500000) n) || '}')", "'{a}'"),
        ("('{' || repeat('x', 16000000) || '}')", "('{' || repeat('y', 16000000) || '}')"),
        ("('{r{a}' || repeat('{s{t{u}}}', 2000) || '}')", "('{r{b}' || repeat('{s{t{v}}}', 2000) || '}')"),
    ],
    "text": [
        ("repeat('x', 16000000)", "repeat('y', 16000000)"),
        ("(SELECT string_agg(md5(n::text), ' ') FROM generate_series(1, 300000) n)",
         "(SELECT string_agg(md5(n::text), ' ') FROM generate_series(2, 300000) n)"),
        ("repeat('<p>x', 500000)", "repeat('<b>', 200)"),
        ("('<table>' || repeat('<tr><td>x', 300000))", "('<table>' || repeat('<tr><td>y', 300000))"),
        ("repeat('/', 16000000)", "repeat('{', 1000000)"),
    ],
    "bytea": [("decode(repeat('00ff', 8000000), 'hex')", "decode(repeat('ff01', 8000000), 'hex')")],
    "text[]": [
        ("array_fill('x'::text, '{2000000}')", "array_fill('y'::text, '{2000000}')"),
        ("(SELECT array_agg(n::text) FROM generate_series(1, 1000000) n)",
         "(SELECT array_agg(n::text) FROM generate_series(2, 1000001) n)"),
    ],
    "integer[]": [(NUMBERS.format("array", 4_000_000), "array_fill(1, '{4000000}')")],
    "bigint[]": [("(SELECT array_agg(n::bigint) FROM generate_series(1, 2000000) n)", "array_fill(1::bigint, '{2000000}')")],
    "smallint[]": [("(SELECT array_agg((n % 60000 - 30000)::smallint) FROM generate_series(1, 4000000) n)",
                    "array_fill(1::smallint, '{4000000}')")],
    "numeric[]": [("(SELECT array_agg(n::numeric) FROM generate_series(1, 1000000) n)", "array_fill(1.00, '{1000000}')")],
    "anycompatiblearray": [("(SELECT array_agg(n::bigint) FROM generate_series(1, 2000000) n)",
                  "(SELECT array_agg(n::bigint) FROM generate_series(2, 2000001) n)")],
    "tree[]": [
        ("(SELECT array_agg(format('{a{%s}}', n)::tree) FROM generate_series(1, 300000) n)",) * 2,
        ("(SELECT array_agg(('{r' || repeat('{s}', 200000) || '}')::tree) FROM generate_series(1, 20) n)",) * 2,
    ],
    "tree_costs": [
        ("jsonb_build_object('rules', " + RULES + ")::text",) * 2,
        ("jsonb_build_object('rules', " + RULES.replace("200000", "30000") + ")::text",) * 2,
        ("jsonb_build_object('rules', " + RULES.replace("md5(n::text)", "'//a/' || n") + ")::text",) * 2,
    ],
}
OTHERS = {
    "integer": "3", "bigint": "3", "smallint": "3", "double precision": "0.5", "boolean": "true", '"char"': "'l'",
    "oid": "0",
}
STORED = {"anycompatiblearray": "bigint[]"}

# Calls of the short form: copies of a large value, long pointers, many rules, many ids.
ALWAYS = [
    "json_patch_apply(jsonb_0_first.x, jsonb_0_other.x)",
    "json_patch_apply(jsonb_4_first.x, jsonb_4_other.x)",
    "tree_costs(rules => jsonb_9_first.x)",
    "tree_costs_symmetric(tree_costs_1_first.x)",
    "ted_clusters(anycompatiblearray_0_first.x",
]

ARGUMENTS = """
SELECT coalesce(json_agg(a), '[]') FROM (
    SELECT p.oid::regprocedure::text AS signature, pronargs - pronargdefaults AS needed,
           coalesce(proargnames, '{}') AS names
    FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
    WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e' AND d.refclassid = 'pg_extension'::regclass
      AND d.refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('ted', 'ted_distributed'))) AS a;
"""

PEAK = f"""
CREATE SCHEMA IF NOT EXISTS {SCHEMA};
CREATE FUNCTION {SCHEMA}.peak() RETURNS bigint LANGUAGE sql AS
$$SELECT substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\\s+([0-9]+)')::bigint$$;
CREATE FUNCTION {SCHEMA}.check_peak(before bigint, most bigint) RETURNS bigint LANGUAGE plpgsql AS
$$DECLARE grown bigint := {SCHEMA}.peak() - before;
BEGIN
  IF grown > most THEN
    RAISE EXCEPTION 'the session has grown by % kB, more than % kB', grown, most USING ERRCODE = '{BROKEN_PROPERTY}';
  END IF;
  RETURN grown;
END$$;
"""


def value_name(sql_type, number, place):
    """The column that has a value."""
    return "".join(c if c.isalnum() else "_" for c in f"{sql_type}_{number}_{'first' if place == 0 else 'other'}")


def make_values(query, tables):
    """Stores the values of some tables, and says how many kilobytes the texts of them have."""
    query(f"DROP TABLE IF EXISTS {SCHEMA}.large; CREATE TABLE {SCHEMA}.large (name text PRIMARY KEY, bytes bigint);" + PEAK)
    for sql_type, pairs in LARGE.items():
        for number, pair in enumerate(pairs):
            for place, value in enumerate(pair):
                name = value_name(sql_type, number, place)
                if name not in tables:
                    continue
                query(
                    f"CREATE TABLE {SCHEMA}.{name} AS SELECT ({value})::{STORED.get(sql_type, sql_type)} AS x;"
                    f"INSERT INTO {SCHEMA}.large SELECT '{name}', octet_length(x::text) FROM {SCHEMA}.{name};"
                )
    return json.loads(query(f"SELECT json_object_agg(name, bytes / 1024) FROM {SCHEMA}.large;"))


def arguments(types, number):
    """Arguments of a call, and the tables that have them; None where there is no large one."""
    args, tables = [], []
    for sql_type in types:
        stored = "text" if sql_type == "cstring" else sql_type
        pairs = LARGE.get(stored)
        if pairs is None:
            if sql_type not in OTHERS:
                return None
            args.append(OTHERS[sql_type])
            continue
        place = min(sum(t == sql_type for t in types[: len(args)]), 1)
        name = value_name(stored, number % len(pairs), place)
        tables.append(name)
        args.append(f"textout({name}.x)" if sql_type == "cstring" else f"{name}.x")
    return (args, tables) if tables else None


def statement(function, args, tables):
    """A call whose result is not sent."""
    of = ", ".join(f"{SCHEMA}.{name}" for name in sorted(set(tables)))
    call = f"{function.name}({', '.join(args)})"
    if function.returns_set:
        return f"SELECT count(*) FROM {of}, LATERAL {call} AS f"
    return f"SELECT count(f) FROM (SELECT {call} AS f FROM {of} OFFSET 0) AS s"


def signatures(function, needed, names):
    """Types and names of arguments: as few as there can be, these and another one, all."""
    yield function.args[:needed], [""] * needed
    for i in range(needed, len(function.args)):
        if i < len(names) and names[i]:
            yield (*function.args[:needed], function.args[i]), [""] * needed + [f"{names[i]} => "]
    yield function.args, [""] * len(function.args)


def calls(function, needed, names):
    """Calls by all signatures."""
    for types, labels in signatures(function, needed, names):
        for number in range(max((len(LARGE.get("text" if t == "cstring" else t, [])) for t in types), default=0)):
            found = arguments(types, number)
            if found:
                args, tables = found
                yield statement(function, map("".join, zip(labels, args)), tables), tables


def chosen(calls_of, rng, count):
    """Some of the calls; those of the short form have always been too large once."""
    known = [call for call in calls_of if any(text in call[0] for text in ALWAYS)]
    return first(rng, known, 1, count) + rng.sample(calls_of, min(count // 8, len(calls_of)))


def batches(catalogue, values, count):
    """Calls of functions that take large values, some for each name."""
    if "LD_PRELOAD" in os.environ:
        print("# sizes: not measured, as a sanitizer takes memory of its own")
        return
    known = {row["signature"]: (row["needed"], row["names"]) for row in json.loads(catalogue.query(ARGUMENTS))}
    functions = [f for f in catalogue.plain if not f.takes_internal and f.result != "trigger"]
    todo = {}
    for name, group in groupby(functions, lambda f: f.name):
        calls_of = [call for function in group for call in calls(function, *known[function.signature])]
        todo[name] = chosen(calls_of, values.rng, count)
    sizes = make_values(catalogue.query, {table for some in todo.values() for _, tables in some for table in tables})
    for name, some in todo.items():
        for call, tables in some:
            most = LIMIT + BESIDES + COPIES * sum(sizes[table] for table in tables)
            yield Batch(
                f"sizes: {name}",
                [ENOUGH_TIME, f"SET ted.max_memory = '{LIMIT}kB'", f"SELECT {SCHEMA}.peak() AS before \\gset", call,
                 f"SELECT {SCHEMA}.check_peak(:before, {most})"],
                role="postgres",
            )
