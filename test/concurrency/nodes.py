"""Servers of the suite, a primary and its standby, and sessions of psql that stay open."""

import os
import re
import select
import subprocess
import time

ERROR = re.compile(r"^(?:ERROR|FATAL|PANIC):  (\w{5}): (.*)$", re.MULTILINE)
MARK = "@end of statement@"

# Longest time that a statement takes, in seconds; sessions give up by themselves before.
STATEMENT_SECONDS = 120

CONFIGURATION = """
listen_addresses = ''
fsync = off
autovacuum_naptime = 3
wal_keep_size = 1GB
max_wal_size = 256MB
hot_standby = on
max_standby_streaming_delay = 3s
log_min_messages = warning
jit = off
"""


class SqlError(Exception):
    """A statement that failed; its session goes on."""

    def __init__(self, sqlstate, message):
        super().__init__(f"{sqlstate}: {message}")
        self.sqlstate = sqlstate


class Lost(Exception):
    """A session whose server has gone."""


class Hang(Exception):
    """A statement that does not end."""


class Node:
    """A server in a directory of its own, in which its socket lies, too."""

    def __init__(self, name, directory, bindir, as_user):
        self.name = name
        self.directory = os.path.join(directory, name)
        self.data = os.path.join(self.directory, "data")
        self.log = os.path.join(self.directory, "log")
        self.bindir = bindir
        self.as_user = as_user

    def program(self, program, *arguments):
        """Runs a program of the server as its user."""
        subprocess.run(
            [self.as_user, os.path.join(self.bindir, program), *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
        )

    def init(self, settings):
        """Makes an empty primary."""
        subprocess.run([self.as_user, "mkdir", self.directory], check=True)
        self.program("initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        self.configure(CONFIGURATION + settings)

    def init_standby(self, primary, settings):
        """Makes a standby of a primary."""
        subprocess.run([self.as_user, "mkdir", self.directory], check=True)
        self.program("pg_basebackup", "-h", primary.directory, "-U", "postgres", "-D", self.data, "-R", "-c", "fast", "-N")
        self.configure(settings)

    def configure(self, settings):
        """Appends settings."""
        with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as file:
            file.write(f"{settings}\nunix_socket_directories = '{self.directory}'\n")

    def start(self):
        """Starts the server, and waits until it takes connections."""
        self.program("pg_ctl", "-D", self.data, "-l", self.log, "-s", "-w", "-t", "120", "start")

    def stop(self, mode):
        """Stops the server; `immediate` is a crash."""
        self.program("pg_ctl", "-D", self.data, "-s", "-m", mode, "stop")

    def promote(self):
        """Makes a primary of a standby."""
        self.program("pg_ctl", "-D", self.data, "-s", "-w", "-t", "120", "promote")

    def trade_places(self, other):
        """Exchanges the servers of two nodes, which keep their names."""
        for place in ("directory", "data", "log"):
            mine = getattr(self, place)
            setattr(self, place, getattr(other, place))
            setattr(other, place, mine)

    def remove(self):
        """Removes the files of a server that does not run."""
        subprocess.run([self.as_user, "rm", "-r", self.directory], check=True)

    def is_running(self):
        """Whether there is a server."""
        return os.path.exists(os.path.join(self.data, "postmaster.pid"))


class Session:
    """A session of psql on a node."""

    def __init__(self, node, settings=""):
        options = f"-c statement_timeout={STATEMENT_SECONDS // 2}s -c client_min_messages=error {settings}"
        self.buffer = b""
        self.process = subprocess.Popen(
            [os.path.join(node.bindir, "psql"), "-XqAt", "-h", node.directory, "-U", "postgres", "postgres"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PGOPTIONS": options, "PGCONNECT_TIMEOUT": "30"},
        )
        self.execute("\\set VERBOSITY verbose")

    def execute(self, sql):
        """The lines that a statement prints."""
        try:
            self.process.stdin.write(f"{sql}\n\\echo {MARK}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            self.close()
            raise Lost(sql) from None
        output = self._read(sql)
        error = ERROR.search(output)
        if error:
            raise SqlError(*error.groups())
        return output.split("\n")[:-1]

    def _read(self, sql):
        """The output of psql up to the mark."""
        mark = f"{MARK}\n".encode()
        end = time.monotonic() + STATEMENT_SECONDS
        while mark not in self.buffer:
            ready, _, _ = select.select([self.process.stdout], [], [], max(end - time.monotonic(), 0))
            if not ready:
                self.close()
                raise Hang(sql)
            some = os.read(self.process.stdout.fileno(), 1 << 16)
            if not some:
                self.close()
                raise Lost(sql)
            self.buffer += some
        output, self.buffer = self.buffer.split(mark, 1)
        return output.decode()

    def close(self):
        """Ends the session."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
