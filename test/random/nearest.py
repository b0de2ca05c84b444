"""Random statements that find the nearest documents of a table for each row of another one.

Rows at the same distance may come in any order, so either the rest of a row is
left out, or the ids put those rows in order.
"""

from clauses import random_costs
from random_joins import PAIR_CONDITIONS, SIDE_CONDITIONS
from sequences import STRING_TYPES
from statements import Statement

FUNCTIONS = ["tree_edit_distance", "tree_similarity"]
MODEL_FUNCTIONS = [*FUNCTIONS, "tree_normalized_distance"]
TREE_FUNCTIONS = ["tree_normalized_distance", "ted_dissimilarity"]
OPERATORS = ["<->", "<->", "<%>", "<=>"]
STRING_FUNCTIONS = ["lcs_distance", "lcs_similarity"]
STRING_OPERATORS = ["<~>", "<%>"]

# Conditions that divide the rows of b into groups.
GROUPS = [
    "a.grp = b.grp", "b.k = a.k", "b.grp = a.k::bigint", "b.n = a.grp", "b.s = a.s", "b.grp = a.id % 7",
    "(b.grp, b.k) = (a.grp, a.k)", "a.doc = b.doc",
]


def random_measure(rng, doc_type):
    """A measure of the documents a and b, and the order from near to far."""
    a, b = rng.sample(["a.doc", "b.doc"], 2)
    descending = rng.choice([" DESC NULLS LAST", " DESC NULLS LAST", " DESC"])
    if doc_type in STRING_TYPES:
        if rng.random() < 0.5:
            return f"{a} {rng.choice(STRING_OPERATORS)} {b}", ""
        function = rng.choice(STRING_FUNCTIONS)
        return f"{function}({a}, {b})", descending if function == "lcs_similarity" else ""
    if rng.random() < 0.3:
        return model_measure(rng, a, b)
    if doc_type == "tree" and rng.random() < 0.5:
        return f"{a} {rng.choice(OPERATORS)} {b}", ""
    if doc_type != "tree" and rng.random() < 0.3:
        a, b = f"{a}::tree", f"{b}::tree"
    by_trees = doc_type == "tree" or "::" in a
    function = rng.choice(FUNCTIONS + (TREE_FUNCTIONS if by_trees else []))
    return f"{function}({a}, {b})", descending if function == "tree_similarity" else ""


def model_measure(rng, a, b):
    """A measure by a model of costs, most often a constant, and the order."""
    models = [random_costs(rng) for _ in range(rng.choice([1, 1, 1, 2]))]
    model = models[0] if len(models) == 1 else f"(SELECT CASE WHEN a.id % 2 = 0 THEN {models[0]} ELSE {models[1]} END)"
    function = rng.choice(MODEL_FUNCTIONS)
    descending = rng.choice([" DESC NULLS LAST", " DESC NULLS LAST", " DESC"])
    return f"{function}({a}, {b}, {model})", descending if function == "tree_similarity" else ""


def nearest_query(rng, joins, right):
    """A query of the rows of a table that are nearest to a document a.doc, its measure,
    and whether it can be served."""
    measure, order = random_measure(rng, joins.type)
    table = joins.table(right)
    where = rng.sample(PAIR_CONDITIONS, rng.choice([0, 1, 1, 2]))
    where += rng.sample(GROUPS[:-1] if joins.type in ("xml", "json") else GROUPS, rng.choice([0, 0, 1, 1, 2]))
    if rng.random() < 0.3:
        where.append(rng.choice([*SIDE_CONDITIONS, "{0}.doc IS NOT NULL"]).format("b"))
    rows, ids = f"{measure} AS m", ""
    if rng.random() < 0.4:
        ids = ", b.id"
        rows += rng.choice([", b.id", ", b.id, b.grp, b.doc", ", b"])
    never_null = order != " DESC" or "b.doc IS NOT NULL" in where
    query = (
        f"SELECT {rows} FROM {table} b"
        + "".join(f"{' AND' if i else ' WHERE'} ({w})" for i, w in enumerate(where))
        + f" ORDER BY {rng.choice([measure, '1'])}{order}{ids}"
        + rng.choice([" LIMIT 1", " LIMIT 2", " LIMIT 6", " LIMIT 40", " OFFSET 2 LIMIT 3", ""])
    )
    return query, measure, table == right and never_null and " LIMIT " in query


def nearest_statement(rng, joins, right):
    """A search for the nearest documents, of each row or of one."""
    query, measure, served = nearest_query(rng, joins, right)
    one = query.partition(" FROM ")[2]
    text = rng.choice(
        [
            f"SELECT a.id, n.* FROM docs a, LATERAL ({query}) n",
            f"SELECT a.id, n.* FROM docs a, LATERAL ({query}) n",
            f"SELECT a.id, n.* FROM docs a LEFT JOIN LATERAL ({query}) n ON n.m < 3",
            f"SELECT a.id, (SELECT {measure} FROM {one.partition(' LIMIT ')[0]} LIMIT 1) FROM docs a",
            f"SELECT n.* FROM (SELECT * FROM docs ORDER BY id LIMIT 3) a, LATERAL ({query}) n",
        ]
    )
    return Statement("nearest", [text], [text], [f"EXPLAIN_ {text}"], False, served)
