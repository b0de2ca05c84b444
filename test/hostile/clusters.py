"""Clusters of ids of any type, and of the rows of any window."""

from aggregates import mild
from batch import Batch
from routes import routed
from values import SCHEMA

OPERATOR = f"{SCHEMA}.%%%"

WINDOWS = [
    "()",
    "(ORDER BY n DESC)",
    "(PARTITION BY n % 3)",
    "(PARTITION BY n % 2 ORDER BY n ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES)",
]


def pairs(values, count):
    """Calls with arrays of any type, also of different ones and of domains."""
    arrays = [t for t in values.types if t.endswith("[]")]
    for array in arrays:
        for edge in values.pool(array):
            for other in (edge, values.any(array)):
                yield f"SELECT * FROM ted_clusters({edge}, {other})"
        for _ in range(count):
            left, right = (routed(values.any(array), array, values) for _ in range(2))
            yield f"SELECT * FROM ted_clusters({left}, {right})"
    for _ in range(count):
        left, right = (values.any(values.rng.choice(arrays)) for _ in range(2))
        yield f"SELECT ted_clusters({left}, {right})"


def rows(function, values, some):
    """Rows with arguments of a window function."""
    lines = (f"({n}, {', '.join(some(t, values) for t in function.args)})" for n in range(12))
    columns = ", ".join(f"c{i}" for i in range(len(function.args)))
    return f"(VALUES {', '.join(lines)}) AS r(n, {columns})"


def anything(sql_type, values):
    """Any value by any route."""
    return routed(values.any(sql_type), sql_type, values)


def windows(function, values, count):
    """Calls over windows, with one threshold, and one model of costs where it takes one, or many."""
    doc, *others = function.args
    columns = [f"c{i}" for i in range(1, len(function.args))]
    for i, other in enumerate(others):
        for edge in values.pool(other):
            source = rows(function, values, mild)
            arguments = ", ".join(["c0", *columns[:i], edge, *columns[i + 1 :]])
            yield f"SELECT {function.name}({arguments}) OVER () FROM {source}"
    for _ in range(4 * count):
        source = rows(function, values, values.rng.choice([mild, anything]))
        rest = [values.rng.choice([column, mild(t, values)]) for column, t in zip(columns, others)]
        window = values.rng.choice(WINDOWS)
        yield f"SELECT n, {function.name}({', '.join(['c0', *rest])}) OVER {window} FROM {source}"
    for edge in values.pool(doc):
        constants = ", ".join([edge, *(mild(t, values) for t in others)])
        yield f"SELECT {function.name}({constants}) OVER () FROM generate_series(1, 3)"


def operators(function, values):
    """An operator, which has no window."""
    doc, threshold = function.args
    call = f"OPERATOR({OPERATOR})"
    setup = [f"CREATE OPERATOR {OPERATOR} (LEFTARG = {doc}, RIGHTARG = {threshold}, FUNCTION = {function.name})"]
    some = f"{mild(doc, values)} {call} {mild(threshold, values)}"
    drop = f"DROP OPERATOR {OPERATOR} ({doc}, {threshold})"
    return Batch(f"{function.signature} as an operator", [*setup, f"SELECT {some}", f"SELECT 1 WHERE ({some}) = 1", drop])


def batches(catalogue, values, count):
    """Clusters of both kinds."""
    function = next(f for f in catalogue.plain if f.name == "ted_clusters")
    yield Batch("clusters of pairs", list(pairs(values, count)), covers={function.signature})
    for function in catalogue.windows:
        yield Batch(
            f"windows of {function.signature}",
            list(windows(function, values, count)),
            covers={function.signature},
        )
        if len(function.args) == 2:
            yield operators(function, values)
