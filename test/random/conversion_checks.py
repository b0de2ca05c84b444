"""What the checks of conversions from XML and JSON share."""

import re
import tempfile
from collections import namedtuple

from check import Check, equals, outcome
from conversion import NoTree
from oracle import parse, write
from server import ServerError, copy_in, copy_out, psql

# A function with options of given types, by their names, and its definition in Python,
# which raises `invalid` for what is no document; `errors` are SQLSTATEs.
Conversion = namedtuple("Conversion", "function sql_type types definition invalid errors")

# A conversion to text, or to the SQLSTATE of its error; the tree has to be the one
# that its text makes, byte for byte.
FUNCTION = """CREATE FUNCTION pg_temp.converted({parameters}) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  t tree;
BEGIN
  BEGIN
    t := {conversion};
  EXCEPTION WHEN OTHERS THEN
    RETURN SQLSTATE;
  END;
  IF t::text::tree <> t OR tree_send(t::text::tree) <> tree_send(t) THEN
    RAISE EXCEPTION 'no round trip: %', t;
  END IF;
  RETURN t;
END $$;
"""

BINARY = """
{cases}
{settings}
CREATE TEMP TABLE sent AS
SELECT case_number, answer::tree AS t FROM (SELECT case_number, {expression} AS answer FROM c) a
WHERE answer LIKE '{{%';
CREATE TEMP TABLE received (LIKE sent);
\\copy sent TO '{file}' (FORMAT binary)
\\copy received FROM '{file}' (FORMAT binary)
{result}
"""
LOST = "SELECT t FROM sent LEFT JOIN received USING (case_number, t) WHERE received IS NULL"


def conversion_check(name, types, expression, fault, cases):
    """A check of a conversion, an expression over the document and options of given types."""
    columns = ", ".join(f"{column} {types[column]}" for column in types)
    function = FUNCTION.format(parameters=columns, conversion=expression)
    call = f"pg_temp.converted({', '.join(types)})"
    return Check(name, columns, call, str, fault, cases, function)


def unchecked(check, sql_type):
    """The check with documents that the input function of their type does not see."""
    cast = f"BEGIN;\nCREATE CAST (bytea AS {sql_type}) WITHOUT FUNCTION;\n"
    function = check.settings.replace(f"doc::{sql_type}", f"convert_to(doc, 'UTF8')::{sql_type}")
    return check._replace(settings=cast + function)


def converts(definition):
    """The answer is the text of the tree that a definition makes, or the SQLSTATE of its error."""

    def text(*case):
        try:
            return write(definition(*case))
        except NoTree as error:
            return error.args[0]

    return equals(text)


def converts_or_fails(definition, invalid, sqlstates):
    """The answer is an error, or a tree: the definition's, unless that raises `invalid`."""

    def fault(got, *case):
        if got in sqlstates:
            return None
        try:
            return converts(definition)(got, *case)
        except invalid:
            return None if got == write(parse(got)) else f"got {got!r}"

    return fault


def binary_outcome(check):
    """Name and fault of sending a conversion's trees by COPY in binary and receiving them."""
    rows = ((i, *case) for i, case in enumerate(check.cases))
    with tempfile.TemporaryDirectory() as folder:
        script = BINARY.format(
            cases=f"CREATE TEMP TABLE c (case_number int, {check.columns});\n" + copy_in("c", rows),
            settings=check.settings,
            expression=check.expression,
            file=f"{folder}/trees",
            result=copy_out(LOST),
        )
        try:
            lost = psql(script)
        except ServerError as error:
            lost = f"got {error}"
    return f"{check.name}: sent and received", lost and f"lost: {lost}"


def conversion_outcomes(conversion, docs, mutants, options):
    """Outcomes of the cast, there and back, of all options, and of mutated documents."""
    function, sql_type = conversion.function, conversion.sql_type
    types = {"doc": "text", **conversion.types}
    call = f"{function}(doc::{sql_type}, {', '.join(f'{name} => {name}' for name in conversion.types)})"
    values = [[getattr(chosen, name) for name in conversion.types] for chosen in options]

    def definition(doc, *given):
        return conversion.definition(doc, **dict(zip(conversion.types, given)))

    yield outcome(conversion_check(
        f"{sql_type}::tree", {"doc": "text"}, f"doc::{sql_type}::tree",
        converts(definition), [(doc,) for doc in docs],
    ))
    yield outcome(conversion_check(
        f"tree_to_{sql_type}(tree)", {"doc": "text"},
        f"tree_to_{sql_type}(doc::{sql_type}::tree)::tree",
        converts(definition), [(doc,) for doc in docs],
    ))
    valid = conversion_check(
        f"{function}({sql_type})", types, call,
        converts(definition), [(doc, *given) for doc, given in zip(docs, values)],
    )
    mutated = conversion_check(
        f"{function}({sql_type}), mutated documents", types, call,
        converts_or_fails(definition, conversion.invalid, conversion.errors),
        [(doc, *given) for doc, given in zip(mutants, values)],
    )
    for check in (valid, mutated if sql_type == "jsonb" else unchecked(mutated, sql_type)):
        yield outcome(check)
        yield binary_outcome(check)


def random_options(rng, choices, names, *path_options):
    """Some options with one of their choices; `exclude_paths` and others are paths of the names."""

    def step():
        return rng.choice(["*", *2 * [re.sub(r"([/\\*])", r"\\\1", rng.choice(names))]])

    def pattern():
        steps = [step() for _ in range(rng.choice([1, 1, 2, 3]))]
        return rng.choice(["/", "/", "//"]) + "/".join(steps)

    chosen = {name: rng.choice(values) for name, values in choices.items() if rng.random() < 0.5}
    for option in ("exclude_paths", *path_options):
        chosen[option] = [pattern() for _ in range(rng.choice([0, 0, 1, 2]))]
    return chosen


def mutant(rng, text, other, tokens):
    """The text after a few changes: pieces lost, doubled, reversed, or taken from elsewhere."""
    for _ in range(rng.choice([1, 1, 2, 4])):
        i, j = sorted(rng.choices(range(len(text) + 1), k=2))
        near = min(i + rng.randint(1, 3), len(text))
        text = rng.choice(
            [
                lambda: text[:i] + text[near:],
                lambda: text[:i] + text[j:],
                lambda: text[:j],
                lambda: text[:i] + rng.choice(tokens) + text[near:],
                lambda: text[:i] + rng.choice(tokens) + text[i:],
                lambda: text[:j] + text[i:],
                lambda: text[:i] + other[rng.randrange(len(other) + 1) :],
                lambda: text[:i] + text[i:j][::-1] + text[j:],
            ]
        )()
    return text
