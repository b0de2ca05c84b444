"""Scans of one snapshot, by indexes of every method and by sequential scans, compared while
others write, vacuum and reindex, servers crash, and a standby follows, which is promoted halfway.

    python3 run.py MINUTES

Prints TAP, and at last a line of counts.  SEED (default 1) chooses what happens; when it
happens is up to the machine.  PG_CONFIG names the server, to which the extension is installed.
"""

import os
import random
import shutil
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True

from actors import Checker, Keeper, Reader, Record, Writer, readable
from nodes import Hang, Lost, Node, Session, SqlError
from tables import PLANS, TABLES

HERE = os.path.dirname(os.path.abspath(__file__))
AS_USER = os.path.join(os.path.dirname(HERE), "as-user.sh")

# Faults of one test that are printed.
MOST_FAULTS = 10

# Who acts where, and how many of each kind there are; together they take less than half a core.
CAST = (
    ("primary", Writer, 3),
    ("primary", Keeper, 1),
    ("primary", Checker, 1),
    ("primary", Reader, 10),
    ("standby", Checker, 1),
    ("standby", Reader, 8),
)

# Seconds between crashes.
BETWEEN_CRASHES = (15, 40)


def make_nodes(directory, rng):
    """A primary with the tables, and its standby."""
    bindir = subprocess.run(
        [os.environ.get("PG_CONFIG", "pg_config"), "--bindir"], check=True, capture_output=True, text=True
    ).stdout.strip()
    primary = Node("primary", directory, bindir, AS_USER)
    standby = Node("standby", directory, bindir, AS_USER)
    primary.init("")
    primary.start()
    session = Session(primary)
    session.execute("CREATE EXTENSION ted;")
    for table in TABLES:
        session.execute(table.creation())
    session.close()
    make_standby(primary, standby, rng)
    return primary, standby


def make_standby(primary, standby, rng):
    """Makes and starts a standby; by chance, it keeps rows on the primary."""
    standby.init_standby(primary, f"hot_standby_feedback = {rng.choice(('on', 'off'))}")
    standby.start()


def check_plans(node, record):
    """Each query is served by the index in each of its plans."""
    session = Session(node)
    for table in TABLES:
        for query in table.queries:
            for plan in query.plans:
                session.execute("BEGIN;")
                lines = session.execute(f"{PLANS[plan]} EXPLAIN {query.on(table)};")
                session.execute("ROLLBACK;")
                if f"{table.name}_index" not in "\n".join(lines):
                    record.fault("plans", f"{table.name}, {query.name}, {plan}: {lines}")
                record.count("plans")
    session.close()


def look_over(node, record):
    """Checks the pages of all indexes."""
    session = Session(node)
    for table in readable(node, TABLES):
        try:
            if table.is_lcs:
                session.execute(f"SELECT profile_index_check('{table.name}_index');")
                record.count("checks")
        except SqlError as error:
            record.fault("errors", f"check of {table.name} on the {node.name}: {error}")
    session.close()


def crash(node, record, rng):
    """Stops a server, mostly without warning, starts it again, and looks it over."""
    node.stop(rng.choice(("immediate", "immediate", "immediate", "fast")))
    time.sleep(rng.uniform(0, 1))
    node.start()
    record.count(f"crashes of the {node.name}")
    for _ in range(30):
        try:
            look_over(node, record)
            return
        except Lost:
            time.sleep(1)
    record.fault("errors", f"the {node.name} takes no session after a crash")


def promote(primary, standby, record, rng):
    """Crashes the primary, lets the standby take its place, and makes another standby."""
    primary.stop("immediate")
    standby.promote()
    primary.trade_places(standby)
    standby.remove()
    make_standby(primary, standby, rng)
    look_over(primary, record)
    record.count("promotions")


def wait_for_standby(primary, standby, record):
    """Waits until the standby has what the primary has."""
    session = Session(primary)
    position = session.execute("SELECT pg_current_wal_lsn();")[0]
    session.close()
    session = Session(standby)
    for _ in range(120):
        if session.execute(f"SELECT pg_last_wal_replay_lsn() >= '{position}';") == ["t"]:
            break
        time.sleep(1)
    else:
        record.fault("errors", "the standby does not follow the primary")
    session.close()


def act(primary, standby, record, seed, seconds):
    """Lets everybody act for some seconds, while servers crash, and the standby is promoted."""
    rng = random.Random(f"{seed} crashes")
    stop = threading.Event()
    cast = [(node, kind) for node, kind, number in CAST for _ in range(number)]
    actors = [
        kind({"primary": primary, "standby": standby}[node], record, stop, f"{seed} {number}")
        for number, (node, kind) in enumerate(cast)
    ]
    end = time.monotonic() + seconds
    middle = end - seconds / 2
    for actor in actors:
        actor.start()
    while time.monotonic() < end:
        time.sleep(max(min(rng.uniform(*BETWEEN_CRASHES), end - time.monotonic()), 0))
        if time.monotonic() > middle and not record.counts["promotions"]:
            promote(primary, standby, record, rng)
        else:
            crash(rng.choice((primary, standby)), record, rng)
    stop.set()
    for actor in actors:
        actor.join(200)
        if actor.is_alive():
            record.fault("errors", f"a {actor.kind} on the {actor.node.name} does not end")
    wait_for_standby(primary, standby, record)


def last_look(nodes, record):
    """Compares the scans of all tables once more, when all is quiet."""
    stop = threading.Event()
    stop.set()
    for node in nodes:
        look_over(node, record)
        for table in readable(node, TABLES):
            reader = Reader(node, record, stop, 0)
            reader.tables = (table,)
            reader.attempt()
            reader.session.close()


def report(record, minutes):
    """Prints TAP and the closing line; whether all is well."""
    counts = record.counts
    tests = {
        "plans": f"{counts['plans']} plans have their indexes",
        "scans on the primary": f"{counts['scans on the primary']} scans of snapshots on the primary find their rows",
        "scans on the standby": f"{counts['scans on the standby']} scans of snapshots on the standby find their rows",
        "errors": f"{counts['checks']} checks of indexes and all statements end without an unexpected error",
    }
    failed = 0
    for number, (kind, name) in enumerate(tests.items(), 1):
        faults = record.faults.get(kind, [])
        done = counts[kind] > 0 or kind == "errors" and counts["checks"] > 0
        failed += bool(faults) or not done
        print(f"{'ok' if done and not faults else 'not ok'} {number} - {name}")
        for fault in faults[:MOST_FAULTS]:
            print(f"# {fault}")
        if len(faults) > MOST_FAULTS:
            print(f"# and {len(faults) - MOST_FAULTS} more")
    print(f"1..{len(tests)}")
    print("# " + ", ".join(f"{name} {number}" for name, number in sorted(counts.items())))
    print(f"{len(tests) - failed} passed, {failed} failed, in {minutes:g} minutes")
    return not failed


def main(arguments):
    """Runs everything."""
    minutes = float(arguments[0])
    seed = int(os.environ.get("SEED", "1"))
    record = Record()
    directory = subprocess.run([AS_USER, "mktemp", "-d", "--tmpdir=/tmp", "--suffix=.ted"], check=True, capture_output=True, text=True).stdout.strip()
    print(f"# SEED={seed}", flush=True)
    nodes = ()
    try:
        nodes = make_nodes(directory, random.Random(f"{seed} nodes"))
        check_plans(nodes[0], record)
        act(*nodes, record, seed, 60 * minutes)
        last_look(nodes, record)
        good = report(record, minutes)
    except (SqlError, Lost, Hang) as error:
        print(f"Bail out! {type(error).__name__}: {error}")
        good = False
    finally:
        for node in nodes:
            if node.is_running():
                node.stop("immediate")
    if good:
        shutil.rmtree(directory, ignore_errors=True)
    else:
        print(f"# logs and data: {directory}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
