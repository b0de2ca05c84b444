"""Runs hostile SQL against the extension, as an ordinary user, and looks for crashes.

Prints TAP.  psql finds the server through libpq's environment variables; its
log is $PGHOST/log.  SEED (default 1) chooses the random cases.

    python3 run.py              every generator once; quickly where SCALE is less than 1, more so where it is at most 0.1
    python3 run.py SECONDS      again with further seeds, for so long
"""

import os
import random
import sys
import time
from itertools import groupby
from operator import attrgetter

sys.dont_write_bytecode = True

import aggregates
import calls
import clusters
import connections
import damage
import ids
import leaks
import mutations
import opclasses
import overloads
import packets
import pages
import patches
import planning
import rebinding
import rights
import sessions
import settings
import sizes
from batch import HOSTILE, Runner
from catalogue import Catalogue
from routes import preparation
from server import Server, SessionError
from values import SCHEMA, Values

INSTALLER = "installer"

# Faults of one test that are printed.
MOST_FAULTS = 10

GENERATORS = [
    calls.batches,
    aggregates.batches,
    clusters.batches,
    planning.batches,
    mutations.batches,
    packets.batches,
    pages.batches,
    patches.batches,
    opclasses.batches,
    damage.batches,
    sessions.batches,
    rebinding.batches,
    settings.batches,
    ids.batches,
    leaks.batches,
    rights.batches,
    connections.batches,
    overloads.batches,
    sizes.batches,
]

# Statement timeouts and numbers of random cases in the short form, in a quick run, where every generator runs once, and in a
# long one.
SHORT = ("100ms", 1)
QUICK = ("100ms", 2)
ONCE = ("400ms", 8)
LONG = ("5s", 40)


def set_up(server):
    """Roles, and the extensions installed by one of them that is no superuser."""
    server.query("ALTER SYSTEM SET log_min_messages = log;")
    server.query(
        f"""SELECT pg_reload_conf();
        CREATE ROLE {INSTALLER} LOGIN;
        CREATE ROLE {HOSTILE} LOGIN;
        DO 'BEGIN EXECUTE format($$GRANT CREATE ON DATABASE %I TO {INSTALLER}$$, current_database()); END';
        GRANT CREATE ON SCHEMA public TO {INSTALLER};
        CREATE SCHEMA {SCHEMA} AUTHORIZATION {HOSTILE};
        ALTER ROLE {HOSTILE} SET search_path = {SCHEMA}, public;"""
    )
    server.query("CREATE EXTENSION ted; CREATE EXTENSION ted_distributed;", INSTALLER)
    server.query(f"GRANT EXECUTE ON FUNCTION profile_index_check(regclass) TO {HOSTILE};")


def make_values(server, catalogue, seed):
    """The pools of values, and the objects through which they pass."""
    values = Values(catalogue, random.Random(f"{seed} values"))
    server.query(
        f"DROP SCHEMA IF EXISTS {SCHEMA} CASCADE; DROP OWNED BY {HOSTILE} CASCADE;"
        f"CREATE SCHEMA {SCHEMA} AUTHORIZATION {HOSTILE};"
    )
    made = server.session(list(preparation(values)), HOSTILE)
    for outcome in made:
        if outcome.sqlstate is None or outcome.sqlstate[:2] in ("42", "XX"):
            raise SessionError(f"set-up: {outcome.message}: {outcome.statement}")
    return values


def outcomes(runner, catalogue, seed, count):
    """Names and faults of all batches of a seed, and at last the coverage."""
    values = make_values(runner.server, catalogue, seed)
    covered = set()
    for batches in GENERATORS:
        values.rng = random.Random(f"{seed} {batches.__module__}")
        for name, group in groupby(batches(catalogue, values, count), attrgetter("name")):
            faults = []
            for batch in group:
                covered |= batch.covers
                faults += runner.run(batch)
            yield name, faults
    missing = sorted(catalogue.in_c - covered)
    yield "every C function is covered", [f"no generator covers {f}" for f in missing]


def report(results):
    """Prints results as TAP; whether all is well."""
    failed = number = 0
    for number, (name, faults) in enumerate(results, 1):
        print(f"{'not ' if faults else ''}ok {number} - {name}", flush=True)
        failed += bool(faults)
        for fault in faults[:MOST_FAULTS]:
            print("\n".join("# " + line for line in fault.split("\n")), flush=True)
    print(f"1..{number}")
    return number > 0 and not failed


def rounds(runner, catalogue, seed, seconds, count):
    """Results of a short run, or of as many as fit in the time."""
    if not seconds:
        yield from outcomes(runner, catalogue, seed, count)
        return
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, faults in outcomes(runner, catalogue, seed, count):
            yield f"{name}, seed {seed}", faults
            if time.monotonic() > end:
                return
        seed += 1


def main(arguments):
    """Runs everything."""
    seed = int(os.environ.get("SEED", "1"))
    seconds = int(arguments[0]) if arguments else 0
    scale = float(os.environ.get("SCALE", "1"))
    timeout, count = LONG if seconds else SHORT if scale <= 0.1 else QUICK if scale < 1 else ONCE
    server = Server(os.environ["PGHOST"], timeout)
    set_up(server)
    catalogue = Catalogue(server)
    runner = Runner(server)
    print(f"# SEED={seed}")
    good = report(rounds(runner, catalogue, seed, seconds, count))
    for line in runner.tally.lines():
        print(f"# {line}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
