"""Threads that read, write, vacuum and reindex at the same time."""

import random
import threading
from collections import Counter

from nodes import Hang, Lost, Session, SqlError
from tables import PLANS, ROWS, TABLES

# Errors that are part of a busy day: conflicts with recovery, deadlocks, locks that take too
# long, servers that stop or start, writes on a standby.
EXPECTED = ("40001", "40P01", "55P03", "57P01", "57P02", "57P03", "25006")


class Record:
    """Counts of all actions, and the faults."""

    def __init__(self):
        self.lock = threading.Lock()
        self.counts = Counter()
        self.faults = {}

    def count(self, name, number=1):
        """Counts what has been done."""
        with self.lock:
            self.counts[name] += number

    def fault(self, kind, text):
        """Notes a fault."""
        with self.lock:
            self.faults.setdefault(kind, []).append(text)


class Actor(threading.Thread):
    """A thread that repeats something in a session, and connects again after a crash."""

    kind = ""
    settings = "-c lock_timeout=4s"
    pause = 0.1

    def __init__(self, node, record, stop, seed):
        super().__init__(daemon=True)
        self.node = node
        self.record = record
        self.stop = stop
        self.rng = random.Random(seed)
        self.session = None

    def run(self):
        """Acts until the suite stops."""
        while not self.stop.is_set():
            self.attempt()
            self.stop.wait(self.rng.uniform(0, 2 * self.pause))
        if self.session is not None:
            self.session.close()

    def attempt(self):
        """Acts once; an error that is not expected is a fault."""
        try:
            if self.session is None:
                self.session = Session(self.node, self.settings)
            self.act()
        except SqlError as error:
            self.record.count("errors " + error.sqlstate)
            if error.sqlstate not in EXPECTED:
                self.record.fault("errors", f"{self.kind} on the {self.node.name}: {error}")
            self.leave()
        except Lost:
            self.record.count("lost sessions")
            self.session = None
            self.stop.wait(1)
        except Hang as hang:
            self.record.fault("errors", f"{self.kind} on the {self.node.name} hangs: {hang}")
            self.session = None

    def leave(self):
        """Ends a transaction that has failed, or its session."""
        try:
            self.session.execute("ROLLBACK;")
        except (SqlError, Lost, Hang):
            self.session.close()
            self.session = None

    def act(self):
        """One turn of the thread."""
        raise NotImplementedError


class Writer(Actor):
    """Changes rows, some of them in transactions that are rolled back."""

    kind = "writer"
    pause = 0.06

    def act(self):
        """Changes a table in one transaction."""
        self.session.execute("BEGIN;")
        for _ in range(self.rng.randint(1, 3)):
            self.session.execute(self.change(self.rng.choice(TABLES)) + ";")
        self.session.execute(self.rng.choice(("COMMIT;", "COMMIT;", "COMMIT;", "ROLLBACK;")))
        self.record.count("writes")

    def change(self, table):
        """A statement that changes a table, whose size stays about the same."""
        rng = self.rng
        number = rng.randrange(10**6)
        part = f"WHERE id % 23 = {rng.randrange(23)}"
        return rng.choice(
            (
                table.insertion(number, number + rng.randint(1, ROWS // 10)),
                f"DELETE FROM {table.name} {part} AND (SELECT count(*) FROM {table.name}) > {ROWS // 2}",
                f"DELETE FROM {table.name} WHERE id IN (SELECT id FROM {table.name} ORDER BY random() OFFSET {ROWS})",
                f"UPDATE {table.name} SET name = name || '{number % 10}', doc = '{{a{{{number % 40}}}}}' {part}",
                f"UPDATE {table.name} SET pad = md5(pad) {part}",
                f"SAVEPOINT s; DELETE FROM {table.name} {part}; ROLLBACK TO s; DELETE FROM {table.name} WHERE id = {number}",
            )
        )


class Keeper(Actor):
    """Vacuums, reindexes and checks."""

    kind = "keeper"
    pause = 0.1
    settings = "-c lock_timeout=2s"

    def act(self):
        """Keeps one table."""
        table = self.rng.choice(TABLES).name
        statement = self.rng.choice(
            (f"VACUUM {table};",) * 6
            + (
                f"VACUUM (INDEX_CLEANUP ON, DISABLE_PAGE_SKIPPING) {table};",
                f"VACUUM (FREEZE) {table};",
                f"VACUUM (FULL) {table};",
                f"REINDEX INDEX CONCURRENTLY {table}_index;",
                f"REINDEX INDEX CONCURRENTLY {table}_index;",
                f"REINDEX INDEX {table}_index;",
                f"ANALYZE {table};",
                "CHECKPOINT;",
            )
        )
        if "CONCURRENTLY" in statement:
            # what is left of one that did not come to its end
            self.session.execute(f"DROP INDEX IF EXISTS {table}_index_ccnew, {table}_index_ccold;")
        self.session.execute(statement)
        self.record.count(statement.split()[0].strip(";").lower())


class Checker(Actor):
    """Checks the pages of indexes while they change."""

    kind = "checker"
    pause = 0.5

    def act(self):
        """Checks one index."""
        table = self.rng.choice(readable(self.node, [t for t in TABLES if t.is_lcs]))
        self.session.execute(f"SELECT profile_index_check('{table.name}_index');")
        self.record.count("checks")


def readable(node, tables):
    """The tables that a node can read."""
    return [table for table in tables if node.name == "primary" or not table.unlogged]


class Cursor:
    """A scan that is open in a transaction."""

    def __init__(self, session, number, query, table, plan):
        self.session = session
        self.name = f"c{number}"
        self.query = query
        self.plan = plan
        session.execute(f"{PLANS[plan]} DECLARE {self.name} CURSOR FOR {query.on(table)};")
        self.rows = []

    def fetch(self, number):
        """Fetches rows: a number of them, or ALL."""
        self.rows += self.session.execute(f"FETCH {number} FROM {self.name};")


class Reader(Actor):
    """Compares scans of one snapshot, part of which happen after others have changed the table."""

    kind = "reader"
    pause = 0.05
    settings = "-c lock_timeout=10s"
    tables = TABLES

    def act(self):
        """Compares the scans of one table."""
        table = self.rng.choice(readable(self.node, self.tables))
        before = self.file_of_index(table)
        self.session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;")
        scans = self.scans(table)
        # a snapshot of a standby is none that REINDEX on the primary waits for or keeps rows for
        if self.node.name != "primary" and self.file_of_index(table) != before:
            self.record.count("scans of replaced indexes")
        else:
            self.compare(table, scans)
        self.session.execute("COMMIT;")

    def file_of_index(self, table):
        """The file of the index, another one when the index is built again."""
        return self.session.execute(f"SELECT pg_relation_filenode('{table.name}_index');")

    def scans(self, table):
        """Scans of all queries in all of their plans, in any order."""
        queries = [query for query in table.queries if query.on_standby or self.node.name == "primary"]
        cases = [(query, plan) for query in queries for plan in (*query.plans, "seqscan")]
        self.rng.shuffle(cases)
        later = self.rng.randint(0, len(cases))
        scans = [Cursor(self.session, i, query, table, plan) for i, (query, plan) in enumerate(cases[later:])]
        for scan in scans:
            scan.fetch(self.rng.choice((1, 1, 2, 50, 400)))
        self.stop.wait(self.rng.choice((0, 0.2, 0.5, 1, 3)))
        more = [Cursor(self.session, len(cases) + i, query, table, plan) for i, (query, plan) in enumerate(cases[:later])]
        for scan in self.rng.sample(scans + more, len(cases)):
            scan.fetch("ALL")
        return scans + more

    def compare(self, table, scans):
        """Compares the rows of each scan with those of a sequential one."""
        expected = {scan.query: sorted(scan.rows) for scan in scans if scan.plan == "seqscan"}
        for scan in scans:
            if scan.plan == "seqscan":
                continue
            self.record.count(f"scans on the {self.node.name}")
            self.record.count("rows", len(scan.rows))
            if sorted(scan.rows) != expected[scan.query]:
                self.record.fault(
                    f"scans on the {self.node.name}",
                    f"{table.name}, {scan.query.name}, {scan.plan}: {len(scan.rows)} rows, "
                    f"{len(expected[scan.query])} by a sequential scan",
                )
