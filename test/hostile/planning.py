"""Users' functions and operators about which the planner asks the extension.

A superuser attaches the extension's support functions and estimators; any user
may then use what has them, with arguments of all types.
"""

from batch import Batch
from routes import domain, kept, routed
from values import PSEUDO, SCHEMA

DOCS = f"{SCHEMA}.docs"
EXTENSION_SCHEMA = "public"

POLYMORPHIC = ["anyelement", "anyarray", "record", "anycompatible"]

BODIES = {
    "plpgsql": ["BEGIN RETURN NULL; END", "BEGIN RETURN {result}; END"],
    "sql": ["SELECT NULL::{type}", "SELECT {result}", "SELECT {result} OFFSET 0"],
}

# A left operand of <~ and conditions around a call.
CONDITIONS = [
    "SELECT FROM {docs} WHERE {call}",
    "SELECT * FROM {docs} WHERE {call} ORDER BY doc LIMIT 3",
    "SELECT FROM {docs} WHERE NOT ({call})",
    "SELECT FROM {docs} WHERE ({call}) IS NOT FALSE OR n < 3",
    "SELECT FROM {docs} AS o JOIN {docs} AS i ON {join}",
    "SELECT FROM {docs} AS o LEFT JOIN {docs} AS i ON {join} WHERE i.n > 3",
    "SELECT FROM {docs} AS o WHERE EXISTS (SELECT FROM {docs} AS i WHERE {join})",
    "SELECT FROM {docs} AS o WHERE NOT EXISTS (SELECT FROM {docs} AS i WHERE {join})",
    "SELECT FROM {docs} AS o, LATERAL (SELECT FROM {docs} AS i WHERE {join} LIMIT 2) AS l",
    "SELECT ({call}) FROM {docs}",
    "UPDATE {docs} SET n = n WHERE {call}",
    "SELECT count(*) FROM {docs} GROUP BY {call}",
]

SETTINGS = ["SET enable_seqscan = off", "RESET enable_seqscan", "SET enable_bitmapscan = off", "RESET enable_bitmapscan"]


def documents():
    """A table of trees with statistics and every index."""
    yield f"CREATE TABLE {DOCS} (n int, doc tree, d {domain('tree')}, k int, s float8, t text)"
    yield (
        f"INSERT INTO {DOCS} SELECT g, v, v, g % 4, 0.5, 'x' FROM generate_series(1, 60) g,"
        " LATERAL (SELECT ('{a' || repeat('{b}', g % 7) || '{' || g || '}}')::tree AS v) AS s"
    )
    yield f"INSERT INTO {DOCS} SELECT 99, NULL, NULL, NULL, NULL, NULL"
    for method in ("gin", "gist"):
        yield f"CREATE INDEX ON {DOCS} USING {method} (doc)"
        yield f"CREATE INDEX ON {DOCS} USING {method} (d)"
    yield f"ANALYZE {DOCS}"


def argument_types(values, rng):
    """Types of up to four arguments, trees more often than others."""

    def one():
        if rng.random() < 0.4:
            return "tree"
        chosen = rng.choice([*values.types, "integer", "double precision"])
        return domain(chosen) if rng.random() < 0.15 else chosen

    some = [one() for _ in range(rng.choice([0, 1, 2, 2, 2, 3, 3, 3, 4]))]
    if some and rng.random() < 0.15:
        some[0] = rng.choice(POLYMORPHIC[:1])
    return some


def function(name, args, result, values):
    """A function of a user, of any volatility."""
    rng = values.rng
    language = rng.choice(["sql", "plpgsql"])
    body = rng.choice(BODIES[language])
    body = body.format(type=result, result=values.any(result))
    traits = rng.choice(["IMMUTABLE", "STABLE", "VOLATILE", "IMMUTABLE STRICT"])
    return (
        f"CREATE FUNCTION {name}({', '.join(args)}) RETURNS {result} LANGUAGE {language}"
        f" {traits} AS $body${body}$body$"
    )


def operand(sql_type, alias, values):
    """An argument of a call in a condition: a column where there is one of the type."""
    columns = {"tree": "doc", domain("tree"): "d", "integer": "k", "double precision": "s", "text": "t"}
    if sql_type in columns and values.rng.random() < 0.6:
        return f"{values.rng.choice(alias)}{columns[sql_type]}"
    if sql_type in POLYMORPHIC:
        return values.any("tree")
    if sql_type.startswith(f"{SCHEMA}.d_"):
        return f"NULL::{sql_type}"
    return routed(values.any(sql_type), sql_type, values)


def call(name, args, alias, values):
    """A call of a function, with columns of tables."""
    return f"{name}({', '.join(operand(a, alias, values) for a in args)})"


def queries(condition, values, count):
    """Queries with a condition, planned and run, by plain and by prepared statements.

    `condition` makes one of a choice of prefixes of columns.
    """
    rng = values.rng
    for template in rng.sample(CONDITIONS, min(count, len(CONDITIONS))):
        query = template.format(docs=DOCS, call=condition([""]), join=condition(["i.", "o."]))
        yield rng.choice(SETTINGS)
        yield "EXPLAIN " + query
        yield query
        yield "DEALLOCATE ALL"
        yield f"SET plan_cache_mode = {rng.choice(['force_generic_plan', 'auto'])}"
        yield f"PREPARE p AS {query}"
        yield "EXECUTE p"


def range_batches(values, count):
    """Anything that yields a range, on the right of <~."""
    for number in range(3 * count):
        args = argument_types(values, values.rng)
        name = f"{SCHEMA}.r{number}" if number % 4 else f"{SCHEMA}.tree_range"
        maker = function(name, args, "tree_range", values)

        def condition(alias, name=name, args=args):
            return f"{values.rng.choice(alias)}doc OPERATOR(public.<~) {call(name, args, alias, values)}"

        yield Batch(
            "ranges of users' functions",
            list(queries(condition, values, 3)),
            setup=[f"DROP ROUTINE IF EXISTS {name}", maker],
        )
    yield Batch("ranges of two constants", list(constant_ranges(values)))
    yield Batch("ranges of all kinds", [q for _ in range(count) for q in range_queries(values)])


def constant_ranges(values):
    """Functions of a constant of each type and a threshold, called when the query runs."""
    for first in values.types:
        for second in ("integer", "double precision", "tree"):
            yield (
                f"CREATE OR REPLACE FUNCTION {SCHEMA}.c({first}, {second}) RETURNS tree_range"
                " LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN NULL; END'"
            )
            for value in values.pool(first)[:3]:
                right = f"{SCHEMA}.c({value}, {values.any(second)})"
                yield f"EXPLAIN SELECT FROM {DOCS} WHERE doc <~ {right}"


def range_queries(values):
    """Ranges that are constants, parameters, rows and columns."""
    some = values.any("tree_range")
    for right in (
        some,
        "NULL",
        f"(SELECT {some})",
        f"ROW({values.any('tree')}, {values.any('double precision')}, {values.any('tree_costs')})::public.tree_range",
        f"ROW(doc, {values.any('double precision')}, {values.any('tree_costs')})::public.tree_range",
        f"(CASE WHEN n > 3 THEN {some} END)",
        f"(ARRAY[{some}])[k]",
        f"public.tree_range(doc, {values.any('integer')})",
        f"public.tree_similarity_range(doc, {values.any('double precision')})",
        f"public.tree_similarity_range({values.any('tree')}, s)",
        f"({some})::{domain('tree_range')}",
        f"{SCHEMA}.x_tree_range({some})",
        f"{SCHEMA}.same_plpgsql({some})",
    ):
        yield f"EXPLAIN SELECT FROM {DOCS} WHERE doc <~ {right}"
        yield f"SELECT FROM {DOCS} WHERE d <~ {right}"
        yield f"SELECT FROM {DOCS} AS a WHERE EXISTS (SELECT FROM {DOCS} WHERE a.doc <~ {right})"
    yield "DEALLOCATE ALL"
    yield f"PREPARE p(tree_range) AS SELECT FROM {DOCS} WHERE doc <~ $1"
    for mode in ("force_generic_plan", "force_custom_plan"):
        yield f"SET plan_cache_mode = {mode}"
        yield f"EXECUTE p({values.any('tree_range')})"
        yield f"EXPLAIN EXECUTE p({values.any('tree_range')})"


def support_batches(catalogue, values, count):
    """Functions of any arguments with the extension's support functions."""
    for support in sorted(catalogue.roles["support"]):
        support_name = support.split("(")[0]
        for number in range(3 * count):
            args = argument_types(values, values.rng)
            schema = values.rng.choice([SCHEMA, EXTENSION_SCHEMA])
            name = f"{schema}.supported"
            result = values.rng.choice(["boolean"] * 5 + ["integer", "double precision", "tree"])
            signature = f"{name}({', '.join(args)})"

            def condition(alias, name=name, args=args, result=result):
                text = call(name, args, alias, values)
                return text if result == "boolean" else f"({text}) IS NOT NULL"

            yield Batch(
                f"functions with {support_name}",
                list(queries(condition, values, 4)),
                superuser=[
                    f"DROP ROUTINE IF EXISTS {SCHEMA}.supported, {EXTENSION_SCHEMA}.supported",
                    f"SET search_path = {SCHEMA}, public",
                    function(name, args, result, values),
                    f"ALTER FUNCTION {signature} SUPPORT {support_name}",
                ],
                covers={support},
            )


def estimator_batches(catalogue, values, count):
    """Operators of any operands with the extension's estimators."""
    names = {len(s.split(",")): s.split("(")[0] for s in catalogue.roles["estimator"]}
    for number in range(6 * count):
        args = [a for a in (argument_types(values, values.rng) + ["tree", "integer"])][:2]
        if number % 3 == 0:
            args[1] = "tree_range"
        test = function(f"{SCHEMA}.tested", args, "boolean", values)
        commutator = f", COMMUTATOR = OPERATOR({SCHEMA}.<<~)" if args[0] == args[1] else ""

        def condition(alias, args=args):
            left, right = (operand(a, alias, values) for a in args)
            return f"{left} OPERATOR({SCHEMA}.<<~) {right}"

        yield Batch(
            "operators with the estimators",
            list(queries(condition, values, 4)) + over_kept(args, values),
            superuser=[
                f"SET search_path = {SCHEMA}, public",
                f"DROP FUNCTION IF EXISTS {SCHEMA}.tested CASCADE",
                test,
                f"CREATE OPERATOR {SCHEMA}.<<~ (LEFTARG = {args[0]}, RIGHTARG = {args[1]},"
                f" FUNCTION = {SCHEMA}.tested, RESTRICT = {names[4]}, JOIN = {names[5]}{commutator})",
            ],
            covers=set(catalogue.roles["estimator"]),
        )


def over_kept(args, values):
    """Queries of an operator over analyzed columns of its operands' types."""
    if any(a in POLYMORPHIC or a.startswith(f"{SCHEMA}.d_") or a.endswith("[]") for a in args):
        return []
    left, right = map(kept, args)
    constant = routed(values.any(args[1]), args[1], values)
    return [
        f"EXPLAIN SELECT FROM {left} WHERE extended OPERATOR({SCHEMA}.<<~) {constant}",
        f"EXPLAIN SELECT FROM {left} AS a JOIN {right} AS b ON a.main OPERATOR({SCHEMA}.<<~) b.main",
        f"EXPLAIN SELECT FROM {left} WHERE NULL::{args[0]} OPERATOR({SCHEMA}.<<~) {constant}",
    ]


def function_operators(catalogue, values):
    """Operators that ordinary users make of the extension's own functions."""
    for f in catalogue.plain:
        if len(f.args) not in (1, 2) or f.returns_set or set(PSEUDO) & {*f.args, f.result}:
            continue
        if not all(map(values.knows, f.args)):
            continue
        parts = [f"FUNCTION = {f.name}", f"RIGHTARG = {f.args[-1]}"]
        parts += [f"LEFTARG = {f.args[0]}"] * (len(f.args) == 2)
        if len(f.args) == 2 and f.args[0] == f.args[1]:
            parts.append(f"COMMUTATOR = OPERATOR({SCHEMA}.@@@)")
            if f.result == "boolean":
                parts.append("RESTRICT = eqsel, JOIN = eqjoinsel, HASHES, MERGES")
        boolean = ["boolean"] if f.result == "boolean" else []
        args = [values.any(a) for a in f.args]
        columns = ["a.extended", "b.main"][-len(f.args) :]
        applied = " ".join([*args[:-1], f"OPERATOR({SCHEMA}.@@@)", args[-1]])
        to_columns = " ".join([*columns[:-1], f"OPERATOR({SCHEMA}.@@@)", columns[-1]])
        tables = f"{kept(f.args[0])} AS a, {kept(f.args[-1])} AS b"
        yield Batch(
            f"operator of {f.signature}",
            [
                f"SELECT {applied}",
                f"EXPLAIN SELECT FROM {tables} WHERE ({to_columns}) IS NOT NULL",
                f"SELECT {to_columns} FROM {tables} LIMIT 200",
                *(f"SELECT FROM {tables} WHERE {to_columns}" for _ in boolean),
                *(f"SELECT {args[0]} OPERATOR({SCHEMA}.@@@) ANY (ARRAY[{args[-1]}, NULL])" for _ in boolean),
            ],
            setup=[
                f"DROP OPERATOR IF EXISTS {SCHEMA}.@@@ ({f.args[0] if len(f.args) == 2 else 'NONE'}, {f.args[-1]})",
                f"CREATE OPERATOR {SCHEMA}.@@@ ({', '.join(parts)})",
            ],
            covers={f.signature},
        )


def batches(catalogue, values, count):
    """All of them; `GRANT` lets the user put names beside the extension's."""
    yield Batch(
        "documents with indexes",
        [*documents(), *(f"ANALYZE {kept(t)}" for t in values.types)],
        superuser=[f"GRANT CREATE ON SCHEMA {EXTENSION_SCHEMA} TO PUBLIC"],
    )
    yield from range_batches(values, count)
    yield from support_batches(catalogue, values, count)
    yield from estimator_batches(catalogue, values, count)
    yield from function_operators(catalogue, values)
