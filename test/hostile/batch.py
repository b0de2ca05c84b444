"""Runs batches of hostile statements and judges what becomes of them."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from server import terminated

# SQLSTATE of a property that the suite's own functions find broken.
BROKEN_PROPERTY = "HF000"

# Crashes in a batch from which on the rest of it is given up.
MOST_CRASHES = 5

# A run with fewer random cases is a quick one.
FEW_CASES = 8

# Internal errors that are no fault, by their messages, with the reasons.
EXCUSED = {
    r"called in non-aggregate context":
        "PostgreSQL's own aggregates answer a direct call so",
    r"missing operator \d+\(\d+,\d+\) in opfamily":
        "PostgreSQL's words on an operator class that a superuser has left incomplete",
    r"could not find hash function for hash operator":
        "what is declared to hash has to be in an operator family, says CREATE OPERATOR",
    r"cache lookup failed for type 0$":
        "what PL/pgSQL of some versions says when a function returns a NULL of a domain over a composite type",
}

# At least a second for each statement: large values take longer than a quick run allows.
ENOUGH_TIME = """SELECT set_config('statement_timeout', greatest(setting::int, 1000)::text, false)
FROM pg_settings WHERE name = 'statement_timeout'"""

HOSTILE = "hostile"


@dataclass
class Batch:
    """Statements for one session, none of which depends on another one's success.

    `superuser` and `setup` come first, in sessions of a superuser and in the
    same one, `meanwhile` in another one at the same time; `covers` has the
    signatures of the C functions that are reached, `excused` messages of
    internal errors that are no fault here, `secret` a pattern of what the client
    must not get.
    """

    name: str
    statements: list
    setup: list = field(default_factory=list)
    superuser: list = field(default_factory=list)
    meanwhile: list = field(default_factory=list)
    covers: set = field(default_factory=set)
    role: str = HOSTILE
    excused: tuple = ()
    secret: re.Pattern = None


@dataclass
class Tally:
    """What has been counted."""

    accepted: int = 0
    refused: Counter = field(default_factory=Counter)
    crashes: int = 0
    received: Counter = field(default_factory=Counter)

    def add(self, outcome):
        """Counts the outcome of a statement."""
        if outcome.statement.startswith("\\copy"):
            self.received[outcome.sqlstate == "00000"] += 1
        if outcome.sqlstate is None:
            self.crashes += 1
        elif outcome.sqlstate == "00000":
            self.accepted += 1
        else:
            self.refused[outcome.sqlstate[:2]] += 1

    def lines(self):
        """The counts as text."""
        statements = self.accepted + self.refused.total() + self.crashes
        yield f"{statements} statements: {self.accepted} accepted, {self.crashes} crashes"
        yield "refused by SQLSTATE class: " + (
            ", ".join(f"{name} {count}" for name, count in sorted(self.refused.items())) or "none"
        )
        yield f"mutated values: {self.received[True]} accepted, {self.received[False]} refused"


def is_internal_error(outcome, batch):
    """Whether a statement ended as no statement should."""
    if outcome.sqlstate is None or outcome.sqlstate[:2] not in ("XX", BROKEN_PROPERTY[:2]):
        return False
    return not any(re.search(pattern, outcome.message) for pattern in (*EXCUSED, *batch.excused))


def signature(report):
    """Where a crash happened, as far as the log tells: a failed assertion or functions."""
    frames = re.findall(r"#\d+ \S+ in (\w+) \S*/src/", report)[:3]
    if frames:
        return " < ".join(frames)
    trap = re.search(r"TRAP: \w+\((.*), PID", report)
    frames = re.findall(r"ted\.so\((\w+)", report)[:2]
    return " < ".join([trap[1], *frames]) if trap else None


def internal_error(outcome, batch):
    """A report of an internal error."""
    statements = [*batch.setup, outcome.statement]
    return f"{outcome.sqlstate}: {outcome.message}\n{script(statements)}"


def faults_of(outcome, batch):
    """Reports of what is wrong with the outcome of a statement, but for a crash."""
    if is_internal_error(outcome, batch):
        yield internal_error(outcome, batch)
    secret = batch.secret and batch.secret.search(outcome.output)
    if secret:
        lines = outcome.output.strip()
        yield f"{BROKEN_PROPERTY}: the client gets {secret[0]}\n{lines}\n{script([*batch.setup, outcome.statement])}"


def script(statements):
    """Statements as one may paste them."""
    return "".join(map(terminated, statements))


def some(rng, values, most, count):
    """All values; in a quick run, of few random cases, `most` of them by chance, and in the short form half as many."""
    if count < 2:
        most = max(most // 2, 1)
    return rng.sample(values, most) if count < FEW_CASES and most < len(values) else values


def first(rng, values, most, count):
    """All values; in the short form, `most` of them by chance."""
    return rng.sample(values, min(most, len(values))) if count < 2 else values


class Runner:
    """Runs batches on a server and counts."""

    def __init__(self, server):
        self.server = server
        self.tally = Tally()
        self.known = set()
        self.started = server.started()

    def _session(self, statements, role):
        """Outcomes of a session, and what the log says of a crash or None."""
        outcomes = self.server.session(statements, role)
        if outcomes and outcomes[-1].sqlstate is None:
            self.server.wait()
        return outcomes, self.server.crash_report()

    def _reproduction(self, batch, before, statement):
        """The fewest statements found that lead to the crash once more."""
        for context in (batch.setup, batch.setup + before):
            outcomes, _ = self._session([*context, statement], batch.role)
            if outcomes[-1].sqlstate is None:
                return script([*context, statement])
        return "-- not again, but before:\n" + script([*batch.setup, *before, statement])

    def _crash(self, cause, batch, before, statement):
        """A report of a crash, short where the same place has crashed before."""
        place = signature(cause) or f"somewhere in {batch.name}"
        if place in self.known:
            return f"again: {place}\n{statement};"
        self.known.add(place)
        return f"{cause}\n{self._reproduction(batch, before, statement)}"

    def run(self, batch):
        """Faults of a batch, each with the statements that lead to it."""
        if not batch.statements:
            return
        for outcome in self._session(batch.superuser, "postgres")[0]:
            if outcome.sqlstate is None:
                yield f"superuser's session lost\n{script(batch.superuser)}"
        with ThreadPoolExecutor() as pool:
            other = pool.submit(self.server.session, batch.meanwhile, batch.role)
            yield from self._own_faults(batch)
            for outcome in other.result():
                self.tally.add(outcome)
                yield from faults_of(outcome, batch)
        if self.server.started() != self.started:
            yield "the server was started anew"

    def _own_faults(self, batch):
        """Faults of the batch's own session."""
        todo = batch.statements
        for _ in range(MOST_CRASHES):
            outcomes, report = self._session(batch.setup + todo, batch.role)
            own = outcomes[len(batch.setup) :]
            for outcome in outcomes if todo is batch.statements else own:
                self.tally.add(outcome)
                yield from faults_of(outcome, batch)
            if outcomes[-1].sqlstate is not None:
                if report:
                    yield f"no session was lost, but the log says\n{report}\n{script(todo)}"
                break
            before = [outcome.statement for outcome in own[:-1]]
            lost = outcomes[-1].statement
            cause = report or "the session gave no answer"
            yield self._crash(cause, batch, before, lost)
            todo = todo[len(own) :]
            if not own or not todo:
                break
        else:
            yield f"given up after {MOST_CRASHES} crashes, with {len(todo)} statements to go"
