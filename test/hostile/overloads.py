"""Functions and operators that an ordinary user creates where the extension is: nobody else may come to call them."""

from pathlib import Path

import loopback
from batch import HOSTILE, Batch
from values import quoted

PLANTING = Path(__file__).parent.parent / "t" / "overloads.sql"

# Tables, and a server of their own, for calls as another user.
SET_UP = [
    "DROP SCHEMA IF EXISTS planting CASCADE",
    "DROP TABLE IF EXISTS public.overloaded",
    "CREATE TABLE public.overloaded AS SELECT i AS id, ('{a{' || i % 50 || '}{' || i || '}}')::tree AS doc, 'name ' || i AS name"
    " FROM generate_series(1, 200) i",
    *loopback.server("here", "postgres"),
]

PATHS = ["public, pg_catalog", "pg_temp, public", "''"]


def call(function, threshold, doc, cells, others):
    """A join over the server, with the types that are declared."""
    arguments = (
        ("public.overloaded", "regclass"), threshold, ("{here,here}", "name[]"), ("id", "name"), (doc, "name"),
        (cells, "int4"), (None, "name"), (others, "regclass"), ("false", "bool"), ("{}", "name[]"),
    )
    if "_count_" in function:
        arguments = arguments[:6] + arguments[7:8] + arguments[9:]
    typed = ", ".join(
        f"{'NULL' if value is None else quoted(str(value))}::pg_catalog.{sql_type}" for value, sql_type in arguments
    )
    return f"SELECT * FROM public.{function}({typed})"


def batches(catalogue, values, count):
    """Joins over servers beside overloads of all that the extension's SQL mentions."""
    planted = [
        "SET statement_timeout = 0",
        *SET_UP,
        PLANTING.read_text().rstrip().removesuffix(";"),
        f"GRANT USAGE ON SCHEMA planting TO {HOSTILE}",
        f"GRANT CREATE ON SCHEMA public TO {HOSTILE}",
        f"SET ROLE {HOSTILE}",
        "SELECT planting.plant('public')",
    ]
    functions = [
        ("tree_within_pairs_distributed", (1, "float8"), "doc"),
        ("lcs_similar_pairs_distributed", (0.9, "float8"), "name"),
        ("tree_within_count_distributed", (1, "float8"), "doc"),
    ]
    calls = [
        call(*function, cells, others)
        for function in functions
        for cells in (None, values.rng.randint(1, count))
        for others in (None, "public.overloaded")
    ]
    statements = ["SET statement_timeout = '10s'"]
    for path in PATHS:
        statements += [f"SET search_path = {path}", *calls]
    statements += ["SET statement_timeout = 0", "SET search_path = pg_catalog", "CALL planting.uproot('public')"]
    yield Batch("overloads", statements, superuser=planted, role="postgres")
