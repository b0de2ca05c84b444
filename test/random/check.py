"""Checks: an SQL expression, compared with a Python definition case by case."""

from collections import namedtuple

from server import ServerError, copied_fields, copy_in, copy_out, literal, psql, wait_for_server

# An expression over the columns of its cases.  `read` turns the answer's text into
# a Python value, and `fault` says what is wrong with it.
Check = namedtuple("Check", "name columns expression read fault cases settings", defaults=[""])


# Reads a boolean.
boolean = {"t": True, "f": False}.get


def statement(check, case):
    """The query of one case."""
    names, types = zip(*(column.split(" ", 1) for column in check.columns.split(", ")))
    values = ", ".join(map(literal, case, types))
    query = f"SELECT {check.expression} FROM (VALUES ({values})) AS c({', '.join(names)});"
    return check.settings + query


def answers(check, cases):
    """The server's answer to each case."""
    rows = ((i, *case) for i, case in enumerate(cases))
    output = psql(
        f"CREATE TEMP TABLE c (case_number int, {check.columns});\n"
        + copy_in("c", rows)
        + check.settings
        + copy_out(f"SELECT {check.expression} FROM c ORDER BY case_number")
    )
    texts = [copied_fields(line)[0] for line in output.split("\n")[:-1]]
    return [None if text is None else check.read(text) for text in texts]


def first_error(check, cases):
    """The first case that ends in an error, and the error."""
    wait_for_server()
    half = len(cases) // 2
    for part in (cases[:half], cases[half:]) if half else (cases,):
        try:
            answers(check, part)
        except ServerError as error:
            return first_error(check, part) if half else (part[0], f"got {error}")
    return None, "got an error that did not come again"


def smallest_fault(check):
    """None, or an SQL statement and what is wrong with its answer."""
    try:
        got = answers(check, check.cases)
    except ServerError as error:
        by_length = sorted(check.cases, key=lambda case: len(statement(check, case)))
        case, fault = first_error(check, by_length)
        return (statement(check, case), fault) if case else (f"-- {error}", fault)
    faults = (
        (statement(check, case), fault)
        for case, answer in zip(check.cases, got, strict=True)
        if (fault := check.fault(answer, *case)) is not None
    )
    return min(faults, key=lambda fault: len(fault[0]), default=None)


def outcome(check):
    """Name and fault of a check."""
    fault = smallest_fault(check)
    return f"{check.name}: {len(check.cases)} cases", fault and "\n".join(fault)


def equals(expected):
    """The answer is what a function of the case says."""

    def fault(got, *case):
        want = expected(*case)
        return None if got == want else f"expected {want!r}, got {got!r}"

    return fault


def close_to(expected):
    """The same for floating-point numbers."""

    def fault(got, *case):
        want = expected(*case)
        near = got is not None and abs(got - want) < 1e-12
        return None if near else f"expected {want!r}, got {got!r}"

    return fault
