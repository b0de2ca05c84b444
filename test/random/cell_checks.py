"""Joins in many cells and in several processes, compared with the same joins in one cell.

Joins within groups have several blocks even there, and are compared with plain plans.
"""

import random
from collections import Counter, namedtuple

from joins import random_collection
from server import ServerError, copy_in, psql
from trees import edited, labeller, random_tree

WORLDS_PER_THOUSAND = 10
JOINS_PER_THOUSAND = 50
# Blocks of whole groups have more rows than this.
GROUPED_ROWS = 1024

TABLE = (
    "CREATE TABLE {name} (id int, grp int, doc tree) "
    "WITH (fillfactor = {fill}, parallel_workers = 2);\n{rows}"
)
BEFORE = (
    "\\pset format unaligned\n\\pset tuples_only on\nBEGIN;\nSET LOCAL jit = off;\n"
    "SET LOCAL statement_timeout = '60s';\nSET LOCAL enable_nestloop = off;\n"
    "SET LOCAL enable_hashjoin = off;\nSET LOCAL enable_mergejoin = off;\n"
    "SET LOCAL plan_cache_mode = force_generic_plan;\n"
)
EXPLAIN = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) EXECUTE p;"

# What a join is planned with, and what it is executed with: one cell; cells that the planner expects
# or not, whose blocks have a document or some; and processes that share them.
Way = namedtuple("Way", "name planned executed")
AMPLE = ["ted.least_join_memory = '1MB'", "max_parallel_workers_per_gather = 0"]
TINY = ["ted.least_join_memory = '1kB'"]
SMALL = ["work_mem = '64kB'", "hash_mem_multiplier = 1", "ted.least_join_memory = '128kB'"]
PARALLEL = [
    "max_parallel_workers_per_gather = 2", "parallel_setup_cost = 0", "parallel_tuple_cost = 0",
    "min_parallel_table_scan_size = 0",
]
WORKERS = ["parallel_leader_participation = off"]
ONE = Way("one cell", AMPLE, [])
PLAIN = Way("plain plan", [*AMPLE, "ted.enable_join = off", "enable_hashjoin = on"], [])
WAYS = [
    Way("tiny blocks", [*AMPLE, *TINY], []),
    Way("tiny blocks that nobody expected", AMPLE, TINY),
    Way("small blocks", [*AMPLE, *SMALL], []),
    Way("small blocks that nobody expected", AMPLE, SMALL),
    Way("tiny blocks of processes", [*AMPLE, *TINY, *PARALLEL], []),
    Way("tiny blocks of workers", [*AMPLE, *TINY, *PARALLEL, *WORKERS], []),
    Way("tiny blocks of processes that nobody expected", [*AMPLE, *PARALLEL], TINY),
    Way("small blocks of workers", [*AMPLE, *SMALL, *PARALLEL, *WORKERS], []),
]

IN_GROUP = " AND a.grp = b.grp"

# What is joined; {on} is the clause.
FORMS = {
    "inner": "SELECT a.id, b.id, {m} FROM {a} a JOIN {b} b ON {on}",
    "ordered": "SELECT a.id, b.id FROM {a} a JOIN {b} b ON {on} AND a.id < b.id",
    "left": "SELECT a.id, b.id, {m} FROM {a} a LEFT JOIN {b} b ON {on}",
    "right": "SELECT a.id, b.id FROM {a} a RIGHT JOIN {b} b ON {on}",
    "full": "SELECT a.id, b.id, b.grp FROM {a} a FULL JOIN {b} b ON {on}",
    "filtered": "SELECT a.id, b.id FROM {a} a FULL JOIN {b} b ON {on} AND a.id < b.id",
    "semi": "SELECT a.id, a.grp FROM {a} a WHERE EXISTS (SELECT FROM {b} b WHERE {on} AND a.id <> b.id)",
    "anti": "SELECT a.id, a.grp FROM {a} a WHERE NOT EXISTS (SELECT FROM {b} b WHERE {on} AND a.id <> b.id)",
}


def near_copies(rng, count, sizes, edits, kind, families):
    """Documents of a few families."""
    label = labeller(kind, "a", rng)
    roots = [random_tree(rng, rng.choice(sizes), label) for _ in range(families)]
    docs = [edited(rng.choice(roots), rng.randint(0, edits), label, rng) for _ in range(count)]
    return [doc if rng.random() < 0.95 else None for doc in docs]


def mixed(rng, count):
    """Families, tiny trees, NULLs."""
    return random_collection(rng, count, 10, ["five", "rare", "distinct"])


def alike(rng, count):
    """Near copies, with labels of which most are rare."""
    return near_copies(rng, count, range(4, 12), 3, rng.choice(["rare", "distinct"]), 12)


def equal(rng, count):
    """Many equal documents."""
    return near_copies(rng, count, range(1, 7), 1, "five", 5)


def large(rng, count):
    """Trees of about a size from which thresholds allow many operations, after small ones."""
    small = near_copies(rng, count // 2, range(3, 9), 2, "rare", 6)
    return small + near_copies(rng, count // 4, range(58, 75), 8, "rare", 3)


def tiny(rng, count):
    """Thousands of trees of one to three nodes."""
    return near_copies(rng, max(count, 2 * GROUPED_ROWS + count), [1, 2, 3], 1, "five", 8)


KINDS = [mixed, alike, equal, large, tiny]

World = namedtuple("World", "script clauses kind")


def table(rng, name, first_id, docs, groups):
    """A table of documents, of which some are in no group."""
    rows = [
        (first_id + i, rng.randrange(groups) if rng.random() < 0.95 else None, doc)
        for i, doc in enumerate(docs)
    ]
    # of a table of one page, one process reads all rows
    return TABLE.format(name=name, fill=rng.choice([10, 100]), rows=copy_in(name, rows))


def random_world(rng, number):
    """Two tables."""
    kind = KINDS[number % len(KINDS)]
    docs = kind(rng, rng.randint(50, 90))
    others = rng.choice([kind, mixed])(rng, rng.randint(30, 60))
    # copies in the other table, and in the same one
    others += rng.sample(docs, 10)
    groups = 60 if kind is tiny else rng.choice([1, 3, 9])
    script = table(rng, "docs", 0, docs, groups) + table(rng, "others", 10000, others, groups)
    clauses = [("tree_edit_distance", "<=", k) for k in (0, 1, 2, 3)] if kind is not large else []
    clauses += [("tree_similarity", ">=", s) for s in (0.75, 0.8, 0.9)]
    return World(script + "ANALYZE docs, others;\n", clauses, kind.__name__)


def random_query(rng, world):
    """A join of two tables, or of one with itself, perhaps within groups."""
    function, operator, limit = rng.choice(world.clauses)
    measure = f"{function}(a.doc, b.doc)"
    on = f"{measure} {operator} {limit}"
    if world.kind == "tiny" or rng.random() < 0.2:
        on += IN_GROUP
    a, b = rng.choice([("docs", "docs"), ("docs", "docs"), ("docs", "others"), ("others", "docs")])
    form = rng.choice(list(FORMS))
    return FORMS[form].format(a=a, b=b, on=on, m=measure)


def way_script(way, query):
    """The rows of a query that is planned and executed in a way, and the plan of few of them."""
    # one in four is run again for its plan
    explain = EXPLAIN if len(query) % 4 == 0 and way in WAYS else ""
    return "".join(
        [
            f"\\echo @@rows\nSAVEPOINT s;\nPREPARE p AS {query};\n",
            *(f"SET LOCAL {setting};\n" for setting in way.planned),
            "EXPLAIN EXECUTE p \\g /dev/null\n",
            *(f"SET LOCAL {setting};\n" for setting in way.executed),
            f"EXECUTE p;\n\\echo @@plan\n{explain}\nROLLBACK TO s;\nDEALLOCATE p;\n",
        ]
    )


def parts(output):
    """The rows, sorted, and the plan of each way."""
    for text in output.split("@@rows\n")[1:]:
        rows, plan = text.split("@@plan\n")
        yield sorted(rows.splitlines()), plan


def difference(rows, expected):
    """What is wrong with the rows of a way, or None."""
    missing, surplus = Counter(expected), Counter(rows)
    missing, surplus = missing - surplus, surplus - missing
    if not missing and not surplus:
        return None
    return f"{len(expected)} rows expected, missing {list(missing.items())[:5]}, surplus {list(surplus.items())[:5]}"


def count_above(plan, label):
    """Whether a plan says that there were several of something."""
    found = [line.split()[-1] for line in plan.split("\n") if line.strip().startswith(f"{label}: ")]
    return any(int(number) > 1 for number in found)


def ways_of(rng, query):
    """The ways in which a join is run, of which the first one is right."""
    return [PLAIN, ONE, *rng.sample(WAYS, 3)] if IN_GROUP in query else [ONE, *rng.sample(WAYS, 4)]


def compare(rng, world, queries, tally):
    """What is wrong with the joins of a world, or None."""
    cases = [(query, number, way) for query in queries for number, way in enumerate(ways_of(rng, query))]
    script = "".join(way_script(way, query) for query, _, way in cases)
    try:
        found = list(parts(psql(BEFORE + world.script + script + "ROLLBACK;\n")))
    except ServerError as error:
        return f"{BEFORE}{world.script}{script}got {error}"
    for (query, number, way), (rows, plan) in zip(cases, found, strict=True):
        if number == 0:
            expected = rows
            continue
        fault = difference(rows, expected)
        if fault:
            return f"{BEFORE}{world.script}{way_script(way, query)}{way.name}: {fault}"
        if plan:
            tally["joins"] += 1
            tally["joins by TedJoin"] += "(TedJoin)" in plan
            tally["several cells"] += count_above(plan, "Cells")
            tally["several blocks"] += count_above(plan, "Blocks")
    return None


def outcomes(rng, count):
    """Names and faults of the joins, by world."""
    tally = Counter()
    worlds = max(count * WORLDS_PER_THOUSAND // 1000, len(KINDS))
    joins = max(count * JOINS_PER_THOUSAND // 1000 // worlds, 1)
    for number in range(worlds):
        own = random.Random(rng.random())
        world = random_world(own, number)
        queries = [random_query(own, world) for _ in range(joins)]
        yield f"joins in cells {number + 1}: {world.kind}", compare(own, world, queries, tally)
    for what in ("joins by TedJoin", "several cells", "several blocks"):
        few = tally["joins"] < 20
        yield f"{what} in {tally[what]} of {tally['joins']} plans", None if few or tally[what] else "none"
