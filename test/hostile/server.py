"""The server under test, as its clients see it: sessions of psql, its log, its restarts."""

import os
import re
import subprocess
import time
from collections import namedtuple

# What the server's log says of a process that has crashed.
CRASH = re.compile(
    r"terminated by signal|server process .* exited with exit code|TRAP:|"
    r"ERROR: AddressSanitizer|runtime error:|PANIC:"
)

# What became of a statement; sqlstate is None where the session did not survive it.  The output
# has all messages, and the rows where the session sends these to \o /dev/stderr.
Outcome = namedtuple("Outcome", "statement sqlstate message output")

# Longest time that a session takes, in seconds.
SESSION_SECONDS = 300

MARK = "@outcome@"
ERROR = re.compile(r"^(?:psql:.*?: )?ERROR:  (\w{5}): (.*)$", re.MULTILINE)


class SessionError(Exception):
    """A session that had to succeed did not."""


def terminated(statement):
    """A statement as psql takes it: commands of psql's own end with the line."""
    own = statement.startswith("\\") or re.search(r"\\g\w*$", statement)
    return statement + ("\n" if own else ";\n")


def marked_script(statements):
    """A script that marks the end of each statement, behind its errors."""
    lines = ["\\o /dev/null\n\\set VERBOSITY verbose\n"]
    for statement in statements:
        lines.append(terminated(statement))
        lines.append(f"\\warn {MARK}\n")
    return "".join(lines)


def outcomes(statements, output):
    """Outcomes of the statements of a script, up to the one that ended its session."""
    parts = output.split(MARK)
    for statement, part in zip(statements, parts[:-1]):
        error = ERROR.search(part)
        yield Outcome(statement, *(error.groups() if error else ("00000", "")), part)
    if len(parts) <= len(statements):
        yield Outcome(statements[len(parts) - 1], None, "", parts[-1])


class Server:
    """A server that libpq's environment variables lead to, with its log and data below a directory."""

    def __init__(self, directory, statement_timeout):
        self.log = directory + "/log"
        self.pid_file = directory + "/data/postmaster.pid"
        self.read = 0
        self.environment = {
            **{name: value for name, value in os.environ.items() if name != "LD_PRELOAD"},
            "PGCLIENTENCODING": "UTF8",
            "PGOPTIONS": f"-c client_min_messages=error -c statement_timeout={statement_timeout}",
        }

    def _psql(self, script, role, *options):
        return subprocess.run(
            ["psql", "-X", "-q", "-U", role, *options],
            input=script.encode(errors="surrogatepass"),
            capture_output=True,
            env=self.environment,
            timeout=SESSION_SECONDS,
            check=False,
        )

    def query(self, script, role="postgres"):
        """Unaligned output of a script that has to succeed, however long it takes."""
        done = self._psql("SET statement_timeout = 0;\n" + script, role, "-At", "-v", "ON_ERROR_STOP=1")
        if done.returncode:
            raise SessionError(done.stderr.decode(errors="replace").strip())
        return done.stdout.decode()

    def session(self, statements, role):
        """Outcomes of the statements of one session, up to the one that ended it."""
        if not statements:
            return []
        all_statements = ["SELECT 'connected'", *statements]
        for _ in range(3):
            try:
                output = self._psql(marked_script(all_statements), role).stderr
            except subprocess.TimeoutExpired as expired:
                output = expired.stderr or b""
            found = list(outcomes(all_statements, output.decode(errors="replace")))[1:]
            if found:
                return found
            self.wait()
        raise SessionError("the server takes no session")

    def started(self):
        """The postmaster's number and the second in which it started."""
        with open(self.pid_file, encoding="utf-8") as lines:
            return lines.read().split("\n")[0:3:2]

    def wait(self):
        """Waits until the server has got over a crash and keeps its sessions."""
        for _ in range(120):
            try:
                # a session that begins before the crash is noticed ends with it
                self.query("SELECT pg_sleep(0.2);")
                return
            except SessionError:
                time.sleep(0.1)
        raise SessionError("the server does not come back")

    def crash_report(self):
        """What the log has to say of a crash since the last call, or None."""
        with open(self.log, "rb") as log:
            log.seek(self.read)
            text = log.read()
        self.read += len(text)
        lines = text.decode(errors="replace").split("\n")
        first = next((i for i, line in enumerate(lines) if CRASH.search(line)), None)
        if first is None:
            return None
        return "\n".join(line for line in lines[first : first + 30] if line)
