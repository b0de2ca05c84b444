"""Random clauses that set a threshold on the distance or similarity of two documents."""

import math
from collections import namedtuple

from cost_checks import model_of_labels
from sequences import STRING_TYPES
from server import literal

# A clause, what measures its documents, whether a join by it can be a TedJoin.
Clause = namedtuple("Clause", "text measure served")

# A limit, and whether a clause with it can be served.
Limit = namedtuple("Limit", "text served", defaults=[True])

# Limits of 1 - similarity, as that is rounded, and the numbers beside them.
DISSIMILARITIES = [
    repr(math.nextafter(1 - k / n, towards)) if towards is not None else repr(1 - k / n)
    for n in (3, 5, 7, 9, 10, 13)
    for k in range(n // 2, n + 1)
    for towards in (None, -1, 2)
]

# The types that a limit may have, and its constants.  A function's argument has
# one type, an operand of a comparison any number's.
CONSTANTS = {
    "distance argument": {"int": ["0", "1", "1", "2", "2", "3", "5", "9", "100000", "-1", "NULL"]},
    "similarity argument": {
        "float8": ["0", "0.3", "0.5", "0.6", "0.75", "0.8", "0.9", "1", "5e-324", "NULL"]
    },
    "string similarity argument": {
        "float8": ["0", "0.3", "0.5", "0.6", "0.75", "0.8", "0.9", "1", "NULL"]
    },
    "distance": {
        "int": ["0", "1", "1", "2", "2", "3", "5", "-1", "2147483647", "NULL"],
        "int2": ["0", "1", "2", "32767"],
        "int8": ["0", "1", "2", "9223372036854775807", "-9223372036854775807", "NULL"],
        "numeric": ["0.5", "1.9999999999999999999", "2.5", "2.0", "1e30", "'NaN'", "NULL"],
        "float8": ["1.5", "2", "2.0000000000000004", "1e300", "'NaN'", "'Infinity'", "'-Infinity'"],
        "float4": ["0.1", "1", "2.5"],
    },
    "cost argument": {
        "float8": ["0", "0.25", "0.5", "1", "1.5", "2", "3.001", "100000", "'NaN'", "-1", "NULL"]
    },
    "cost": {
        "float8": ["0", "0.5", "0.999", "1", "2", "1e300", "'NaN'", "'Infinity'", "-1", "NULL"],
        "float4": ["0.1", "1", "2.5"],
        "numeric": ["0.5", "1.5", "2.0"],
        "int": ["0", "1", "2", "3"],
    },
    "similarity": {
        "float8": ["0", "0.4", "0.5", "0.6", "0.8", "0.9", "1", "1.5", "-1", "'NaN'", "NULL"],
        "numeric": ["0.6", "0.75", "0.8", "0.9", "1.0"],
        "float4": ["0.5", "0.7", "0.75", "0.9"],
        "int": ["0", "1", "2"],
    },
    "normalized": {
        "float8": ["0", "0.1", "0.2", "0.3", "0.5", "0.6666666666666666", "1", "-1", "'Infinity'"],
        "numeric": ["0.1", "0.25", "0.4"],
        "float4": ["0.1", "0.3"],
        "int": ["0", "1"],
    },
    "dissimilarity": {
        "float8": [*DISSIMILARITIES, "'NaN'", "'Infinity'", "5e-324", "NULL"],
        "numeric": ["0.1", "0.25", "0.4"],
        "float4": ["0.1", "0.3"],
        "int": ["0", "1", "-1"],
    },
}

# Limits from the columns of a side.
DISTANCE_COLUMNS = ["{0}.k", "{0}.k + 1", "coalesce({0}.k, 2)", "abs({0}.grp - 3)"]
SIMILARITY_COLUMNS = ["{0}.s", "{0}.s - 0.2", "coalesce({0}.s, 0.7)"]
COLUMNS = {
    "distance argument": DISTANCE_COLUMNS,
    "similarity argument": SIMILARITY_COLUMNS,
    "string similarity argument": ["{0}.s", "abs({0}.s - 0.2)", "coalesce({0}.s, 0.7)"],
    "cost argument": [*DISTANCE_COLUMNS, "{0}.s * 2", "abs({0}.n)"],
    "cost": [*DISTANCE_COLUMNS, "{0}.s * 3", "{0}.n", "{0}.s::float4"],
    "distance": [*DISTANCE_COLUMNS, "{0}.k::int8", "{0}.k::int2", "{0}.n", "{0}.s * 3"],
    "similarity": [*SIMILARITY_COLUMNS, "{0}.s::float4", "{0}.n / 4", "{0}.grp"],
    "normalized": ["{0}.s / 3", "0.7 - {0}.s", "{0}.n / 10", "{0}.grp"],
    "dissimilarity": ["1 - {0}.s", "{0}.s::float4 / 3", "{0}.n / 10", "{0}.grp"],
}
BOTH_SIDES = dict.fromkeys(
    ["similarity argument", "string similarity argument", "similarity", "normalized", "dissimilarity"],
    "{}.s * {}.s",
)

# Limits from subqueries, and from a table that a LATERAL one refers to.
SUBQUERIES = {
    "similarity argument": "(SELECT max(s) - 0.1 FROM third)",
    "string similarity argument": "(SELECT max(s) FROM third)",
    "similarity": "(SELECT avg(s) FROM third)",
    "normalized": "(SELECT avg(s) / 3 FROM third)",
    "dissimilarity": "(SELECT 1 - avg(s) FROM third)",
}
OUTER = {
    "similarity argument": "(g.g / 4.0)::float8",
    "string similarity argument": "least(greatest(g.g / 4.0, 0), 1)::float8",
    "similarity": "g.g / 4.0",
    "normalized": "g.g / 6.0",
    "dissimilarity": "g.g / 6.0",
}


class Limits:
    """A source of limits: what they are made of, and the parameters that they have taken."""

    def __init__(self, rng, source):
        self.rng, self.source, self.parameters = rng, source, []

    def constant(self, family):
        """A constant, and its type."""
        sql_type = self.rng.choice(list(CONSTANTS[family]))
        return self.rng.choice(CONSTANTS[family][sql_type]), sql_type

    def parameter(self, family):
        """A parameter of a prepared statement, which gets three constants of its type."""
        sql_type = self.constant(family)[1]
        values = [self.rng.choice(CONSTANTS[family][sql_type]) for _ in range(3)]
        self.parameters.append((sql_type, values))
        return Limit(f"${len(self.parameters)}")

    def limit(self, family, a, b):
        """A limit of a clause on documents of two tables."""
        kind = self.source
        if kind == "mixed":
            kind = self.rng.choice(["constant"] * 5 + ["column"] * 3 + ["subquery", "both"])
        if kind == "parameter":
            return self.parameter(family)
        if kind == "column":
            return Limit(self.rng.choice(COLUMNS[family]).format(self.rng.choice([a, b])))
        if kind == "subquery":
            return Limit(SUBQUERIES.get(family, "(SELECT max(k) FROM third)"))
        if kind == "outer":
            return Limit(OUTER.get(family, "g.g"))
        if kind == "both":
            return Limit(BOTH_SIDES.get(family, "{}.k + {}.k").format(a, b), False)
        value, sql_type = self.constant(family)
        if self.rng.random() < 0.5 and sql_type in ("int", "numeric") and value[0] not in "'N":
            return Limit(value)
        return Limit(f"{value}::{sql_type}", value != "NULL")


def compared(rng, measure, operators, limit):
    """A comparison, in either order."""
    operator = rng.choice(operators)
    if rng.random() < 0.3:
        mirrored = operator.translate(str.maketrans("<>", "><"))
        return f"{limit} {mirrored} {measure}"
    return f"{measure} {operator} {limit}"


def distance_clause(rng, limits, tables, docs, as_trees):
    """A comparison of a distance: without and with costs, with its own limit, by operator."""
    a, b = docs
    kind = rng.choice(["plain"] * 4 + ["operator", "less_equal"])
    limit = limits.limit("distance argument" if kind == "less_equal" else "distance", *tables)
    served = limit.served
    if kind == "less_equal":
        own = limit.text if rng.random() < 0.8 else rng.choice(["1", "3", "200000"])
        served = served and own == limit.text
        a, b = as_trees
        measure = f"tree_edit_distance_less_equal({a}, {b}, {own})"
        operators = ["<="]
    elif kind == "operator":
        a, b = as_trees
        measure, operators = f"{a} <-> {b}", ["<=", "<=", "<", "="]
    else:
        measure = f"tree_edit_distance({a}, {b})"
        operators = ["<=", "<=", "<=", "<", "="]
    spelling = rng.random()
    if spelling < 0.1:
        text = f"({measure}) BETWEEN 1 AND {limit.text}"
    elif spelling < 0.2:
        text = f"NOT {measure} > {limit.text}"
    else:
        text = compared(rng, measure, operators, limit.text)
    return Clause(text, measure, served)


def model_clause(rng, limits, tables, docs, as_trees):
    """A test or a comparison of a measure by a model of costs."""
    if limits.source == "parameter" and rng.random() < 0.5:
        models = [random_costs(rng) for _ in range(3)]
        limits.parameters.append(("tree_costs", models))
        model = f"${len(limits.parameters)}"
    else:
        model = random_costs(rng)
    if rng.random() < 0.5:
        return model_similarity_clause(rng, limits, tables, docs, as_trees, model)
    measure = f"tree_edit_distance({docs[0]}, {docs[1]}, {model})"
    kind = rng.random()
    limit = limits.limit("cost" if kind > 0.6 else "cost argument", *tables)
    if kind < 0.4:
        text = f"tree_within({docs[0]}, {docs[1]}, {limit.text}, {model})"
        return Clause(text, measure, limit.served)
    if kind < 0.6:
        own = limit.text if rng.random() < 0.8 else "1.5"
        bounded = f"tree_edit_distance_less_equal({as_trees[0]}, {as_trees[1]}, {own}, {model})"
        return Clause(f"{bounded} <= {limit.text}", measure, limit.served and own == limit.text)
    operators = ["<=", "<=", "<=", "<", "="]
    return Clause(compared(rng, measure, operators, limit.text), measure, limit.served)


def model_similarity_clause(rng, limits, tables, docs, as_trees, model):
    """A test or a comparison of a similarity or a normalized distance by a model of costs."""
    measure = f"tree_similarity({docs[0]}, {docs[1]}, {model})"
    family, operators = "similarity", [">=", ">=", ">", "="]
    kind = rng.random()
    if kind < 0.4:
        limit = limits.limit("similarity argument", *tables)
        text = f"tree_similar({docs[0]}, {docs[1]}, {limit.text}, {model})"
        return Clause(text, measure, limit.served)
    if kind < 0.6:
        measure = f"tree_normalized_distance({as_trees[0]}, {as_trees[1]}, {model})"
        family, operators = "normalized", ["<=", "<=", "<", "="]
    limit = limits.limit(family, *tables)
    return Clause(compared(rng, measure, operators, limit.text), measure, limit.served)


def json_clause(rng, limits, tables, docs, as_trees):
    """A test or a comparison of the distance or similarity of JSON documents."""
    measure = f"json_edit_distance({docs[0]}, {docs[1]})"
    kind = rng.random()
    if kind < 0.3:
        limit = limits.limit("similarity argument" if kind < 0.15 else "similarity", *tables)
        if kind < 0.15:
            return Clause(f"json_similar({docs[0]}, {docs[1]}, {limit.text})", measure, limit.served)
        measure = f"json_similarity({docs[0]}, {docs[1]})"
        return Clause(compared(rng, measure, [">=", ">=", ">", "="], limit.text), measure, limit.served)
    limit = limits.limit("distance" if kind > 0.7 else "distance argument", *tables)
    if kind < 0.55:
        return Clause(f"json_within({docs[0]}, {docs[1]}, {limit.text})", measure, limit.served)
    if kind < 0.7:
        bounded = f"json_edit_distance_less_equal({as_trees[0]}, {as_trees[1]}, {limit.text})"
        return Clause(f"{bounded} <= {limit.text}", measure, limit.served)
    operators = ["<=", "<=", "<=", "<", "="]
    return Clause(compared(rng, measure, operators, limit.text), measure, limit.served)


def random_costs(rng):
    """A model of costs as a constant, with rules for labels that some tables have."""
    labels = rng.choice([["a", "b"], list("abcde"), ["7", "42", "1000"], ["ba", "bb", '"a":', "[]"]])
    return literal(model_of_labels(rng, labels), "tree_costs")


def similarity_clause(rng, limits, tables, docs, as_trees):
    """A comparison of a similarity or of the normalized distance."""
    kind = rng.random()
    if kind < 0.3:
        measure = rng.choice(["tree_normalized_distance({}, {})", "({} <=> {})"]).format(*as_trees)
        family, operators = "normalized", ["<=", "<=", "<", "="]
    elif kind < 0.6:
        measure = f"({as_trees[0]} <%> {as_trees[1]})"
        family, operators = "dissimilarity", ["<=", "<=", "<", "="]
    else:
        measure = f"tree_similarity({docs[0]}, {docs[1]})"
        family, operators = "similarity", [">=", ">=", ">", "="]
    limit = limits.limit(family, *tables)
    return Clause(compared(rng, measure, operators, limit.text), measure, limit.served)


def test_clause(rng, limits, tables, docs):
    """A call of a predicate."""
    measure, name, family = rng.choice(
        [
            ("tree_edit_distance", "tree_within", "distance argument"),
            ("tree_similarity", "tree_similar", "similarity argument"),
        ]
    )
    limit = limits.limit(family, *tables)
    text = f"{name}({docs[0]}, {docs[1]}, {limit.text})"
    if rng.random() < 0.05:
        text += " = true"
    return Clause(text, f"{measure}({docs[0]}, {docs[1]})", limit.served)


def lcs_clause(rng, limits, tables, docs):
    """A comparison of a measure of two strings, or a call of a predicate."""
    name = rng.choice(["lcs_distance", "lcs_distance", "lcs_similarity", "lcs_distance_less_equal"])
    arguments = ", ".join(docs)
    measure = f"{name}({arguments})"
    kind = rng.random()
    if kind < 0.4:
        predicate, measured = rng.choice(
            [("lcs_within", "lcs_distance"), ("lcs_similar", "lcs_similarity")]
        )
        family = "distance argument" if predicate == "lcs_within" else "string similarity argument"
        limit = limits.limit(family, *tables)
        text = f"{predicate}({arguments}, {limit.text})"
        return Clause(text, f"{measured}({arguments})", limit.served)
    if name == "lcs_similarity" and kind < 0.7:
        limit = limits.limit("dissimilarity", *tables)
        measure = f"({docs[0]} <%> {docs[1]})"
        return Clause(compared(rng, measure, ["<=", "<", "="], limit.text), measure, limit.served)
    if name == "lcs_similarity":
        limit = limits.limit("similarity", *tables)
        text = compared(rng, measure, [">=", ">=", ">", "="], limit.text)
        return Clause(text, measure, limit.served)
    if name == "lcs_distance":
        limit = limits.limit("distance", *tables)
        if rng.random() < 0.2:
            measure = f"{docs[0]} <~> {docs[1]}"
        if kind < 0.5:
            return Clause(f"({measure}) BETWEEN 1 AND {limit.text}", measure, limit.served)
        if kind < 0.55:
            return Clause(f"NOT {measure} > {limit.text}", measure, limit.served)
        text = compared(rng, measure, ["<=", "<=", "<=", "<", "="], limit.text)
        return Clause(text, rng.choice([measure, f"lcs_length({arguments})"]), limit.served)
    limit = limits.limit("distance argument", *tables)
    own = limit.text if rng.random() < 0.8 else rng.choice(["1", "3", "200000"])
    measure = f"lcs_distance_less_equal({arguments}, {own})"
    return Clause(f"{measure} <= {limit.text}", measure, limit.served and own == limit.text)


def random_clause(rng, limits, tables, doc_type="tree"):
    """A clause between the documents of two tables, in any spelling."""
    as_trees = [f"{table}.doc" + ("" if doc_type == "tree" else "::tree") for table in tables]
    docs = [f"{table}.doc" for table in tables] if rng.random() < 0.7 else as_trees
    if rng.random() < 0.4:
        docs, as_trees = docs[::-1], as_trees[::-1]
    if doc_type in STRING_TYPES:
        return lcs_clause(rng, limits, tables, [f"{doc.split('.')[0]}.doc" for doc in docs])
    kind = rng.random()
    if kind < 0.2:
        return model_clause(rng, limits, tables, docs, as_trees)
    if kind < 0.25 or (kind < 0.4 and doc_type in ("json", "jsonb")):
        return json_clause(rng, limits, tables, as_trees if doc_type == "xml" else docs, as_trees)
    if kind < 0.45:
        return test_clause(rng, limits, tables, docs)
    if kind < 0.8:
        return distance_clause(rng, limits, tables, docs, as_trees)
    return similarity_clause(rng, limits, tables, docs, as_trees)
