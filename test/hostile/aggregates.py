"""Users' aggregates of the extension's functions, over states of every shape."""

from dataclasses import dataclass, field
from itertools import product

from batch import Batch, some
from routes import kept, routed
from values import PSEUDO, SCHEMA, element_type, mangled, quoted
from trees import random_tree

SOURCE = f"{SCHEMA}.source"
AGGREGATE = f"{SCHEMA}.a"
TWIN = f"{SCHEMA}.b"

# Functions of PostgreSQL that take a state of any array type, with their arguments after it.
ARRAY_STEPS = {"array_append": "{element}", "array_cat": "{array}", "array_larger": "{array}"}

PARALLEL = [
    "SET parallel_setup_cost = 0",
    "SET parallel_tuple_cost = 0",
    "SET min_parallel_table_scan_size = 0",
    "SET max_parallel_workers_per_gather = 2",
    "SET enable_indexonlyscan = off",
]

USES = [
    "SELECT {a}({args}) FROM {source}",
    "SELECT {a}({args}) FROM {source} WHERE false",
    "SELECT {a}(DISTINCT {args}) FROM {source}",
    "SELECT {a}({args} ORDER BY n DESC) FROM {source}",
    "SELECT {a}({args}) FILTER (WHERE n % 3 = 0), {b}({args}) FROM {source}",
    "SELECT {a}({args}), {b}({args}), {a}({args}) FROM {source}",
    "SELECT g, {a}({args}) FROM {source} GROUP BY g",
    "SELECT g, {a}({args}) FROM (SELECT * FROM {source} ORDER BY g OFFSET 0) AS s GROUP BY g",
    "SELECT {a}({args}) FROM {source} GROUP BY GROUPING SETS ((g), (g, n % 2), ())",
    "SELECT {a}({args}) FROM {source} GROUP BY ROLLUP (g, n % 2)",
    "SELECT {a}({args}) OVER (ORDER BY n) FROM {source}",
    "SELECT {a}({args}) OVER w, {b}({args}) OVER w FROM {source}"
    " WINDOW w AS (ORDER BY n ROWS BETWEEN 2 PRECEDING AND 1 FOLLOWING)",
    "SELECT {a}({args}) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 1 FOLLOWING AND 3 FOLLOWING"
    " EXCLUDE TIES) FROM {source}",
    "SELECT (SELECT {a}({args}) FROM {source} AS i WHERE i.g = o.g) FROM {source} AS o",
    "CREATE TEMP TABLE IF NOT EXISTS t AS SELECT {a}({args}) FROM {source} GROUP BY g",
]

SETTINGS = [
    *PARALLEL,
    "SET enable_hashagg = off",
    "SET enable_sort = off",
    "SET parallel_leader_participation = off",
    "SET enable_partitionwise_aggregate = on",
    "SET force_parallel_mode = on",
    "SET enable_indexscan = off",
]

LARGE = [
    "SET work_mem = '64kB'",
    "SELECT {a}({args}) FROM {source}, generate_series(1, 40)",
    "SELECT g, {a}({args}) FROM {source}, generate_series(1, 40) GROUP BY g",
    "SELECT {a}({args}), {b}({args}) FROM {source}, generate_series(1, 40)",
]

# What PostgreSQL says when an aggregate of a VOLATILE function in PL/pgSQL is declared PARALLEL SAFE.
WRONGLY_SAFE = r"cannot start commands during a parallel operation"


@dataclass
class Recipe:
    """What an aggregate is made of."""

    state: str
    step: str
    args: tuple
    final: str = ""
    combine: str = ""
    initial: str = ""
    extra: str = ""
    direct: tuple = ()
    functions: set = field(default_factory=set)

    def creation(self):
        """Statements that make the aggregate and its twin."""
        if self.initial:
            yield f"SELECT ({self.initial})::text AS initial \\gset"
        yield f"DROP ROUTINE IF EXISTS {AGGREGATE}"
        yield f"DROP ROUTINE IF EXISTS {TWIN}"
        yield self._create(AGGREGATE)
        yield self._create(TWIN, is_twin=True)

    def _create(self, name, is_twin=False):
        """The statement that makes the aggregate; a twin shares its transition state."""
        parts = [f"SFUNC = {self.step}", f"STYPE = {self.state}"]
        if self.final and not is_twin:
            parts.append(f"FINALFUNC = {self.final}")
        if self.combine:
            parts += [f"COMBINEFUNC = {self.combine}", "PARALLEL = SAFE"]
        if self.initial:
            parts.append("INITCOND = :'initial'")
        if self.extra and not is_twin:
            parts.append(self.extra)
        args = ", ".join(self.args)
        if self.direct:
            args = f"{', '.join(self.direct)} ORDER BY {args}"
        return f"CREATE AGGREGATE {name}({args}) ({', '.join(parts)})"


def states(catalogue):
    """Types that some function in C of the extension can have as a state."""
    in_c = (f for f in catalogue.plain if f.args and f.signature in catalogue.in_c)
    return sorted({f.args[0] for f in in_c} - {"cstring", "anycompatiblearray"})


def parts(catalogue, state):
    """Functions that take a state first.

    To whom a pointer of type internal may be handed is a superuser's matter: only
    the functions that the extension's own aggregates name get one, that of their own.
    """
    for f in catalogue.plain:
        if f.args and f.args[0] == state and not f.returns_set:
            if state != "internal" or f.signature in catalogue.roles["aggregate"]:
                yield f


def steps(catalogue, state):
    """Transition functions for a state: names, further arguments, functions covered."""
    for f in parts(catalogue, state):
        if f.result == state and not set(PSEUDO) & set(f.args[1:]):
            yield f.name, f.args[1:], {f.signature}
    if state == "internal":
        return
    yield f"{SCHEMA}.step_{mangled(state)}", (state,), set()
    if element_type(state):
        for name, argument in ARRAY_STEPS.items():
            yield name, (argument.format(element=element_type(state), array=state),), set()


def finals(catalogue, state):
    """Final functions for a state: names, their further arguments, strictness, functions covered."""
    yield "", (), False, set()
    for f in parts(catalogue, state):
        if f.result not in PSEUDO:
            yield f.name, f.args[1:], f.strict, {f.signature}
    if state != "internal":
        yield f"{SCHEMA}.same_query", (), False, set()
        yield f"{SCHEMA}.x_{mangled(state)}", (), False, set()


def combines(catalogue, state):
    """Combine functions for a state: names, functions covered."""
    for f in parts(catalogue, state):
        if f.args == (state, state) and f.result == state:
            yield f.name, {f.signature}
    if element_type(state):
        yield "array_cat", set()
    if state != "internal":
        yield f"{SCHEMA}.step_{mangled(state)}", set()


def moving(step, final, initial):
    """The part of an aggregate that moves with its window."""
    parts = [f"MSFUNC = {step}", f"MINVFUNC = {step}", "MSTYPE = {state}"]
    if final:
        parts.append(f"MFINALFUNC = {final}")
    if initial:
        parts.append("MINITCOND = :'initial'")
    return ", ".join(parts)


def belong(catalogue, state, step, final):
    """Whether a final function may get what a step makes: a pointer is only for the same aggregate."""
    if state != "internal" or not final:
        return True
    return any((a, b) in catalogue.aggregated for a in step for b in final)


def recipes(catalogue, values, state):
    """Aggregates over a state: each function in each part."""
    rng = values.rng
    initials = list(values.initial_states(state))
    all_combines = [("", set()), *combines(catalogue, state)]
    all_steps = list(steps(catalogue, state))
    for (step, args, step_covers), (final, more, strict, final_covers) in product(
        all_steps, finals(catalogue, state)
    ):
        if not belong(catalogue, state, step_covers, final_covers):
            continue
        combine, combine_covers = rng.choice(all_combines)
        recipe = Recipe(state, step, args, final, combine, rng.choice(initials))
        recipe.functions = step_covers | final_covers | combine_covers
        if more and more == args and not strict:
            recipe.extra = "FINALFUNC_EXTRA"
        elif more:
            recipe.direct = more
            recipe.combine = ""
        else:
            modify = rng.choice(["READ_ONLY", "SHAREABLE", "READ_WRITE"])
            recipe.extra = rng.choice(
                ["", f"FINALFUNC_MODIFY = {modify}", moving(step, final, recipe.initial)]
            ).format(state=state)
        yield recipe
    plain_finals = [(name, of) for name, more, _, of in finals(catalogue, state) if not more]
    for step, args, step_covers in all_steps:
        if not step_covers:
            continue
        fitting = [(name, of) for name, of in plain_finals if belong(catalogue, state, step_covers, of)]
        for initial in initials:
            final, covers = rng.choice(fitting)
            yield Recipe(state, step, args, final, initial=initial, functions=step_covers | covers)
        for combine, combine_covers in all_combines:
            for final, covers in fitting:
                functions = step_covers | combine_covers | covers
                yield Recipe(state, step, args, final, combine, functions=functions)


def mild(sql_type, values):
    """A value that most functions accept."""
    rng = values.rng
    texts = {
        "tree": lambda: quoted(random_tree(rng, rng.randint(1, 6))),
        "integer": lambda: str(rng.choice([0, 1, 2, 2, 2])),
        "bigint": lambda: str(rng.randint(-5, 30)),
        "double precision": lambda: str(rng.choice([0.5, 0.5, 0.25, 1])),
        '"char"': lambda: rng.choice(["'l'", "'r'"]),
        "text": lambda: rng.choice(["'abc'", "'abd'", "'é'", "repeat('xy', 40)"]),
    }
    if sql_type not in texts:
        return values.any(sql_type)
    if sql_type in ("tree", "text") and rng.random() < 0.05:
        return f"NULL::{sql_type}"
    return f"{texts[sql_type]()}::{sql_type}"


def source(types, values):
    """Statements that make the table that aggregates read."""
    columns = ", ".join(f"c_{mangled(t)} {t}" for t in types)
    yield f"CREATE TABLE {SOURCE} (n int, g int, {columns}) WITH (parallel_workers = 2, fillfactor = 10)"
    for number in range(40):
        row = ", ".join(mild(t, values) for t in types)
        yield f"INSERT INTO {SOURCE} SELECT {number}, {number % 4}, {row}"


def step_function(state):
    """A transition function that makes its argument the state."""
    return (
        f"CREATE FUNCTION {SCHEMA}.step_{mangled(state)}(s {state}, v {state}) RETURNS {state}"
        f" LANGUAGE plpgsql STABLE PARALLEL SAFE AS 'DECLARE r {state}; BEGIN r := v; RETURN coalesce(r, s); END'"
    )


def argument(sql_type, values):
    """An argument of an aggregate: a column, mostly."""
    if values.rng.random() < 0.8:
        return f"c_{mangled(sql_type)}"
    return routed(values.any(sql_type), sql_type, values)


def uses(recipe, values, count):
    """Queries with an aggregate."""
    rng = values.rng

    columns = ", ".join(f"c_{mangled(t)}" for t in recipe.args)

    def query(template):
        args = ", ".join(argument(t, values) for t in recipe.args)
        if "GROUPING SETS" in template or "ROLLUP" in template:
            # PL/pgSQL takes over a writable argument, which PostgreSQL hands to each set
            args = columns
        call = {"a": AGGREGATE, "b": TWIN, "args": args, "source": SOURCE}
        if recipe.direct:
            direct = ", ".join(values.any(t) for t in recipe.direct)
            return f"SELECT {AGGREGATE}({direct}) WITHIN GROUP (ORDER BY {args}) FROM {SOURCE} GROUP BY g"
        return template.format(**call)

    if recipe.direct:
        return [query("") for _ in range(3)]
    settings = PARALLEL if recipe.combine else rng.sample(SETTINGS, 3)
    plain = f"SELECT {AGGREGATE}({columns}) FROM {SOURCE}"
    used = [query(template) for template in some(rng, rng.sample(USES, 6), 2, count)]
    return [plain, *settings, *used, plain, *map(query, some(rng, LARGE, 1, count))]


def states_from_tables(recipe):
    """Queries whose states are all that a table keeps."""
    if recipe.args == (recipe.state,):
        for storage in ("plain", "external", "extended"):
            yield f"SELECT n, {AGGREGATE}({storage}) FROM {kept(recipe.state)} GROUP BY n"


def chosen(all_recipes, count, rng):
    """Recipes in random order: those with a function in a part where it has not been yet, and others.

    In the short form, those with a function that has been in no part yet.
    """
    all_recipes = [recipe for recipe in all_recipes if recipe.functions]
    rng.shuffle(all_recipes)
    seen = set()
    others = 4 * count if count > 1 else 0
    for recipe in all_recipes:
        uses_of = {("step", recipe.step), ("final", recipe.final), ("combine", recipe.combine)}
        if count < 2:
            uses_of = recipe.functions
        others -= uses_of <= seen
        if not uses_of <= seen or others >= 0:
            seen |= uses_of
            yield recipe


def batches(catalogue, values, count):
    """Aggregates over all states."""
    own = states(catalogue)
    procedural = {f.signature for f in catalogue.plain if f.language == "plpgsql"}
    types = sorted({t for s in own for _, args, _ in steps(catalogue, s) for t in args})
    yield Batch(
        "aggregates' source",
        [*source(types, values), *(step_function(s) for s in own if s != "internal"), f"ANALYZE {SOURCE}"],
    )
    for aggregate in catalogue.aggregates:
        recipe = Recipe("", "", aggregate.args)
        queries = [
            q.replace(AGGREGATE, aggregate.name).replace(TWIN, aggregate.name)
            for _ in some(values.rng, range(4), 1, count) for q in uses(recipe, values, count)
        ]
        yield Batch(f"aggregate {aggregate.signature}", queries)
    for state in own:
        for recipe in chosen(recipes(catalogue, values, state), count, values.rng):
            creation = list(recipe.creation())
            yield Batch(
                f"aggregates over {state}",
                [*uses(recipe, values, count), *states_from_tables(recipe)],
                setup=[] if state == "internal" else creation,
                superuser=creation if state == "internal" else [],
                covers=recipe.functions,
                excused=(WRONGLY_SAFE,) if recipe.functions & procedural else (),
            )
