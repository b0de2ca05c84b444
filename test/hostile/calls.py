"""Direct calls of every function with every kind of value."""

from batch import Batch, some
from routes import routed

# Statements that one session runs.
BATCH = 400

# Values of a pool that a quick run takes.
EDGES = 8


def arguments(function, values):
    """Random arguments, by random routes."""
    return [routed(values.any(arg), arg, values) for arg in function.args]


def edge_arguments(function, values, count):
    """Arguments such that values of each pool are used once."""
    for position, sql_type in enumerate(function.args):
        for edge in some(values.rng, values.pool(sql_type), EDGES, count):
            args = arguments(function, values)
            args[position] = edge
            yield args


def over_rows(function, values):
    """A call whose arguments change from row to row."""
    rows = ", ".join(f"({', '.join(arguments(function, values))})" for _ in range(4))
    columns = ", ".join(f"c{i}" for i in range(len(function.args)))
    call = f"{function.name}({columns})"
    if function.returns_set:
        return f"SELECT * FROM (VALUES {rows}) AS s({columns}), LATERAL {call}"
    return f"SELECT {call}, {call} IS NULL FROM (VALUES {rows}) AS s({columns})"


def prepared(function, values):
    """Calls with parameters, planned for any."""
    numbers = ", ".join(f"${i}" for i in range(1, len(function.args) + 1))
    yield "DEALLOCATE ALL"
    yield f"PREPARE p({', '.join(function.args)}) AS SELECT {function.name}({numbers})"
    for mode in ("force_generic_plan", "force_custom_plan"):
        yield f"SET plan_cache_mode = {mode}"
        for _ in range(3):
            yield f"EXECUTE p({', '.join(values.any(arg) for arg in function.args)})"


def call(function, args, rng):
    """A call in some place of a query."""
    text = f"{function.name}({', '.join(args)})"
    forms = [f"SELECT {text}", f"SELECT * FROM {text} AS f", f"EXPLAIN VERBOSE SELECT {text}"]
    if not function.returns_set:
        forms += [f"SELECT 1 WHERE {text} IS NOT NULL", f"SELECT {text}, count(*) GROUP BY 1"]
    return rng.choice([forms[0], *forms])


def statements(function, values, count):
    """Calls of a function: with edges, and random ones."""
    if function.takes_internal:
        yield call(function, arguments(function, values), values.rng)
        return
    for args in edge_arguments(function, values, count):
        yield call(function, args, values.rng)
    for _ in range(count):
        yield call(function, arguments(function, values), values.rng)
    if function.args and "cstring" not in function.args:
        for _ in range(max(count // 4, 1)):
            yield over_rows(function, values)
        yield from prepared(function, values)


def batches(catalogue, values, count):
    """Calls of all functions; those that take internal can be called with NULL for it."""
    for function in catalogue.plain:
        if not all(map(values.knows, function.args)):
            continue
        todo = list(statements(function, values, count))
        for start in range(0, len(todo), BATCH):
            yield Batch(
                f"calls of {function.signature}",
                todo[start : start + BATCH],
                covers=set() if function.takes_internal else {function.signature},
            )
