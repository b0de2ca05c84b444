"""Statements around joins, compared with the same without TedJoin and indexes."""

import random
import re
from collections import Counter, defaultdict, namedtuple

from changes import changing_statement
from clauses import Limits
from nearest import nearest_statement
from random_joins import Joins
from server import ServerError, psql, wait_for_server
from statements import READING
from worlds import random_world

STATEMENTS_PER_WORLD = 20

# At least this part of the statements that a node may serve has to be planned with it.
SERVED = {"TedJoin": 0.8, "TedNearest": 0.5}

PARALLEL = [
    "parallel_setup_cost = 0",
    "parallel_tuple_cost = 0",
    "min_parallel_table_scan_size = 0",
    "max_parallel_workers_per_gather = 2",
]
MEMORY = [
    ["work_mem = '64kB'", "hash_mem_multiplier = 1", "ted.least_join_memory = '64kB'"],
    ["work_mem = '64kB'", "hash_mem_multiplier = 1", "ted.least_join_memory = '64kB'"],
    ["work_mem = '1MB'"],
    ["work_mem = '64MB'"],
    # blocks then have one or two documents
    ["ted.least_join_memory = '1kB'"],
    ["ted.least_join_memory = '1kB'"],
]
PLAIN = [
    "ted.enable_join = off",
    "ted.enable_nearest = off",
    "enable_indexscan = off",
    "enable_bitmapscan = off",
    "max_parallel_workers_per_gather = 0",
]
EXPLAIN = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "

BEFORE = """\\set ON_ERROR_STOP off
\\pset null (null)
\\pset format unaligned
\\pset tuples_only on
BEGIN;
SET LOCAL statement_timeout = '30s';
SET LOCAL jit = off;
"""

# Errors are marked in the output; what follows one in its transaction fails with it.
COMMAND = """{command};
\\if :ERROR
\\echo @@error :SQLSTATE
\\endif
"""

REFUSED, INVALID, TIMEOUT = "0A000", "22023", "57014"

# A statement, the settings that it runs with, and whether it should be planned with a node of ours.
Case = namedtuple("Case", "statement settings expected")

# What became of a case: its plan, its rows, and those of the plain statement.
Result = namedtuple("Result", "plan own plain")


def random_case(rng, world, has_merge):
    """A statement in a world."""
    joins = Joins(rng, Limits(rng, "mixed"), world.type, has_merge)
    maker = rng.choice([*READING, *[changing_statement] * 3, *[nearest_statement] * 3])
    statement = maker(rng, joins, rng.choice(["docs", "others", "others"]))
    settings = list(rng.choice(MEMORY))
    if rng.random() < 0.3:
        settings += PARALLEL
    if statement.kind == "nearest":
        settings.append("enable_sort = off")
    by_index = world.indexed and rng.random() < 0.6
    if by_index:
        settings += ["enable_seqscan = off"] + ["ted.enable_join = off"] * rng.randint(0, 1)
    return Case(statement, settings, statement.served and world.large and not by_index)


def part(name, settings, commands):
    """The script of a case's statement, which leaves nothing behind."""
    return "".join(
        [
            f"\\echo @@{name}\nSAVEPOINT s;\n",
            *(f"SET LOCAL {setting};\n" for setting in settings),
            *(COMMAND.format(command=c.replace("EXPLAIN_ ", EXPLAIN)) for c in commands),
            "ROLLBACK TO s;\nDEALLOCATE ALL;\n",
        ]
    )


def case_script(case):
    """The script of a case."""
    statement = case.statement
    return (
        part("plan", case.settings, statement.explained)
        + part("own", case.settings, statement.commands)
        + part("plain", PLAIN, statement.plain)
    )


def results(world, cases):
    """What became of each case."""
    output = psql(BEFORE + world.script + "".join(map(case_script, cases)) + "ROLLBACK;\n")
    found = []
    for line in output.split("\n")[:-1]:
        if line == "@@plan":
            found.append(Result([], [], []))
        if line in ("@@plan", "@@own", "@@plain"):
            lines = getattr(found[-1], line[2:])
        elif found:
            lines.append(line)
    return found


def first_error(lines):
    """The SQLSTATE of the first command that failed, or None."""
    return next((line.split()[1] for line in lines if line.startswith("@@error")), None)


def may_differ(statement, own, plain):
    """Whether a statement and the plain one may end in different errors, or one of them in none."""
    if own == REFUSED:
        # a full join that TedJoin cannot serve either
        return statement.plain != statement.commands
    # whether a threshold out of range is met depends on the order in which clauses are looked at
    text = " ".join(statement.commands)
    out_of_range = {own, plain} == {INVALID, None} and re.search(r"-1\b|\.s - 0\.2", text)
    return plain == TIMEOUT or bool(out_of_range)


def difference(case, result):
    """What is wrong with a case's rows, or None."""
    own, plain = first_error(result.own), first_error(result.plain)
    if own or plain:
        expected = own == plain or may_differ(case.statement, own, plain)
        return None if expected else f"error {own}, expected {plain}"
    if not case.statement.ordered:
        result = Result(result.plan, sorted(result.own), sorted(result.plain))
    if result.own == result.plain:
        return None
    surplus, missing = Counter(result.own), Counter(result.plain)
    surplus, missing = surplus - missing, missing - surplus
    if not surplus and not missing:
        return "rows in another order"
    return "\n".join(
        [f"{len(result.plain)} lines expected, {len(result.own)} got"]
        + [f"- {line}" for line in list(missing.elements())[:5]]
        + [f"+ {line}" for line in list(surplus.elements())[:5]]
    )


def described(case, fault, result):
    """A failed case in full."""
    settings = "".join(f"SET LOCAL {setting}; " for setting in case.settings)
    commands = "".join(f"{command};\n" for command in case.statement.commands)
    return f"{settings}\n{commands}{fault}\n" + "\n".join(result.plan if result else [])


def crashed(world, cases):
    """The cases that end the session, with the error."""
    for case in cases:
        wait_for_server()
        try:
            results(world, [case])
        except ServerError as error:
            yield case, f"got {error}"
    wait_for_server()


class Tally:
    """What has been found in all worlds."""

    def __init__(self):
        self.number, self.faults = Counter(), defaultdict(list)
        self.expected, self.planned = Counter(), Counter()
        self.in_blocks = 0

    def run(self, world, cases):
        """Runs the cases of a world and takes account of them."""
        self.number.update(case.statement.kind for case in cases)
        try:
            found = results(world, cases)
        except ServerError:
            faults = [(c, described(c, f, None)) for c, f in crashed(world, cases)]
        else:
            found = list(zip(cases, found, strict=True))
            differences = ((c, r, difference(c, r)) for c, r in found)
            faults = [(c, described(c, f, r)) for c, r, f in differences if f]
            for case, result in found:
                self.take_plan(case, result.plan)
        for i, (case, fault) in enumerate(faults):
            self.faults[case.statement.kind].append(fault if i else f"{world.script}{fault}")

    def take_plan(self, case, plan):
        """Counts plans with nodes of ours, and with several blocks."""
        text = "\n".join(plan)
        if case.expected and "@@error" not in text and "One-Time Filter: false" not in text:
            node = "TedNearest" if case.statement.kind == "nearest" else "TedJoin"
            self.expected[node] += 1
            self.planned[node] += f"({node})" in text
        self.in_blocks += any(n > 1 for n in numbers(text, "Blocks"))


def numbers(plan, label):
    """The numbers in a plan that have a label."""
    return (int(line.split()[-1]) for line in plan.split("\n") if line.strip().startswith(f"{label}: "))


def outcomes(rng, count):
    """Names and faults of the statements, by their kinds, and of their plans."""
    tally = Tally()
    has_merge = int(psql("\\pset tuples_only on\nSHOW server_version_num;")) >= 150000
    for _ in range(max(count // 4 // STATEMENTS_PER_WORLD, 1)):
        own = random.Random(rng.random())
        world = random_world(own)
        tally.run(world, [random_case(own, world, has_merge) for _ in range(STATEMENTS_PER_WORLD)])
    for kind, number in sorted(tally.number.items()):
        yield f"{kind}: {number} statements", "\n\n".join(tally.faults[kind]) or None
    for node, share in SERVED.items():
        planned, expected = tally.planned[node], tally.expected[node]
        # few statements may be by chance further below the share of many: by three standard deviations
        least = share * expected - 3 * (expected * share * (1 - share)) ** 0.5
        yield f"{node} in {planned} of {expected} statements that it may serve", None if planned >= least else "too few"
    # cell_checks sees to cells, which few statements have
    yield f"several blocks in {tally.in_blocks} statements", None if tally.in_blocks else "too few"
