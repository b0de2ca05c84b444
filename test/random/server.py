"""The server: scripts of psql, and values in the text format of COPY.

Every character survives that format.
"""

import os
import re
import subprocess
import time

from oracle import write


class ServerError(Exception):
    """What psql wrote to standard error."""


def psql(script):
    """Standard output of a script."""
    done = subprocess.run(
        ["psql", "-X", "-q", "-v", "ON_ERROR_STOP=1"],
        input=script.encode(),
        capture_output=True,
        env={**os.environ, "PGCLIENTENCODING": "UTF8"},
        check=False,
    )
    if done.returncode != 0:
        raise ServerError(done.stderr.decode(errors="replace").strip())
    return done.stdout.decode()


def sql_text(value):
    """The text form of a value: a tree is a tuple, an array is a list."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return write(value)
    if isinstance(value, bytes):
        return "\\x" + value.hex()
    if isinstance(value, list):
        return "{" + ",".join(map(array_element, value)) + "}"
    return str(value)


def array_element(value):
    """The text form of a value within an array."""
    if value is None:
        return "NULL"
    return '"' + re.sub(r'([\\"])', r"\\\1", sql_text(value)) + '"'


def copy_in(table, rows):
    """The statement that loads rows into a table."""
    escapes = str.maketrans({"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"})

    def field(value):
        text = sql_text(value)
        return "\\N" if text is None else text.translate(escapes)

    lines = ["\t".join(map(field, row)) for row in rows]
    return "\n".join([f"COPY {table} FROM STDIN;", *lines, "\\.", ""])


def copy_out(query):
    """The statement that prints a query's rows."""
    return f"COPY ({query}) TO STDOUT;\n"


def copied_fields(line):
    """The fields of a line that COPY printed."""
    plain = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}

    def field(text):
        if text == "\\N":
            return None
        return re.sub(r"\\(.)", lambda match: plain.get(match[1], match[1]), text)

    return list(map(field, line.split("\t")))


def literal(value, sql_type):
    """A value as an SQL constant of its type."""
    text = sql_text(value)
    if text is None:
        return f"NULL::{sql_type}"
    text = text.replace("'", "''")
    if re.search(r"[\n\r\t]", text):
        text = text.replace("\\", "\\\\").replace("\n", "\\n")
        return "E'" + text.replace("\r", "\\r").replace("\t", "\\t") + f"'::{sql_type}"
    return f"'{text}'::{sql_type}"


def install():
    """Installs the extensions where they are missing."""
    psql("SET client_min_messages = warning; CREATE EXTENSION IF NOT EXISTS ted_distributed CASCADE;")


def wait_for_server():
    """Waits for a server that is starting again."""
    for _ in range(30):
        try:
            return psql("SELECT 1;")
        except ServerError:
            time.sleep(1)
    return None
