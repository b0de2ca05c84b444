"""Edit distance of JSON documents, of their trees, up to limits and by models; edit mappings."""

import json

import cost_oracle
import oracle
from check import Check, boolean, equals, outcome
from cost_checks import model_of_labels
from json_distance_oracle import UNIT, UNIT_UNORDERED, Costs, distance, mapping_fault
from json_oracle import Options, tree_from_json
from oracle import size
from thresholds import random_limit, random_similarity
from trees import random_pairs

KEYS = ["a", "b", "c", "é", "a:", "{}", ""]
LITERALS = [None, True, 0, 1, 2, "", "a", "[]", "字"]
MOST_CHILDREN = 5
KEY_PATTERNS = ["/*/a", "//*/b", "/a/*/c", "//a/*/a/b", "//*/a*"]
UNORDERED_PATTERNS = ["array()", "/a", "b", "//c/*"]


def random_value(rng, depth):
    """A value with a few members or elements at each of some levels."""
    kind = rng.choice(["object", "object", "array", "literal"]) if depth > 0 else "literal"
    if kind == "literal":
        return rng.choice(LITERALS)
    count = rng.randrange(MOST_CHILDREN)
    if kind == "array":
        return [random_value(rng, depth - 1) for _ in range(count)]
    return {key: random_value(rng, depth - 1) for key in rng.sample(KEYS, count)}


def changed(rng, value):
    """The value after a few changes."""
    if rng.random() < 0.1:
        return random_value(rng, 1)
    if isinstance(value, dict):
        members = [(rng.choice([key] * 9 + KEYS), changed(rng, v)) for key, v in value.items()]
        rng.shuffle(members)
        return dict(members) if rng.random() < 0.9 else [v for _, v in members]
    if isinstance(value, list):
        elements = [changed(rng, element) for element in value]
        if rng.random() < 0.2:
            rng.shuffle(elements)
        return elements if rng.random() < 0.9 else dict(zip(KEYS, elements))
    return value


def random_documents(rng):
    """Two documents as text, often alike."""
    a = random_value(rng, rng.randint(0, 3))
    b = changed(rng, a) if rng.random() < 0.7 else random_value(rng, rng.randint(0, 3))
    return json.dumps(a, ensure_ascii=False), json.dumps(b, ensure_ascii=False)


def document_distance(a, b):
    """The distance of two documents as text."""
    return distance(tree_from_json(a, Options()), tree_from_json(b, Options()))


def parsed(*documents):
    """The trees of documents as text."""
    return [tree_from_json(document, Options()) for document in documents]


def random_model(rng, a, b):
    """A model for two documents, as a text; elements of arrays may have no order."""
    model = model_of_labels(rng, [node.label for tree in parsed(a, b) for node in oracle.nodes(tree)])
    arrays = rng.choice(["ordered", "ordered", "unordered", "unordered"])
    model = json.loads(model)
    taken = {rule["pattern"] for rule in model.get("rules", [])}
    added = [{"pattern": pattern, "key": True} for pattern in KEY_PATTERNS if rng.random() < 0.2]
    added += [{"pattern": pattern, "unordered": True} for pattern in UNORDERED_PATTERNS if rng.random() < 0.2]
    model["rules"] = model.get("rules", []) + [rule for rule in added if rule["pattern"] not in taken]
    return json.dumps({**model, "arrays": arrays}, ensure_ascii=False)


# Whether arrays have an order is a term of theirs.
BY_MODEL = Costs(*cost_oracle.COSTS, True)


def model_distance(a, b, model):
    """The distance of two documents as text by a model, in thousandths."""
    annotated = cost_oracle.both(*parsed(a, b), model)
    return distance(*annotated, BY_MODEL)


def rows_fault(rows, a, b):
    """What is wrong with the rows of a mapping besides the pairs, or None."""
    for side, tree in (("left", a), ("right", b)):
        nodes = [(row[f"{side}_node"], row[f"{side}_label"]) for row in rows if row[f"{side}_node"]]
        if sorted(nodes) != [(n.node, n.label) for n in oracle.nodes(tree)]:
            return f"the {side} nodes are {nodes}"
    if [row["left_node"] for row in rows if row["left_node"]] != list(range(1, oracle.size(a) + 1)):
        return "the left nodes are not in their order"
    for row in rows:
        left, right = row["left_label"], row["right_label"]
        wanted = "insert" if left is None else "delete" if right is None else "match" if left == right else "rename"
        if row["operation"] != wanted:
            return f"{row} is a {wanted}"
    return None


def pairs_of(rows):
    """The nodes that are mapped to each other."""
    return {(row["left_node"], row["right_node"]) for row in rows if row["left_node"] and row["right_node"]}


def unit_mapping_fault(rows, a, b, ordered):
    """A mapping with as many operations as the distance."""
    x, y = parsed(a, b)
    operations = sum(row["operation"] != "match" for row in rows)
    d = distance(x, y, UNIT if ordered else UNIT_UNORDERED)
    if operations != d:
        return f"the distance is {d}, there are {operations} operations"
    return rows_fault(rows, x, y) or mapping_fault(x, y, pairs_of(rows), ordered)


def model_mapping_fault(rows, a, b, model):
    """A mapping that costs the distance by a model."""
    x, y = parsed(a, b)
    pairs = pairs_of(rows)
    cost, d = cost_oracle.mapping_cost(x, y, model, pairs), model_distance(a, b, model)
    if cost != d:
        return f"the distance is {d}, the mapping costs {cost}"
    labels = [
        {i: node.label for i, node in enumerate(cost_oracle.oracle_nodes(tree), 1)}
        for tree in cost_oracle.both(x, y, model)
    ]
    return rows_fault(rows, x, y) or mapping_fault(x, y, pairs, True, labels)


def widest(tree):
    """Most children of a node; all ways to pair them are tried."""
    return max([len(tree[1]), *map(widest, tree[1])])


def bounded(limit, d):
    """What is asked of a limit: the distance up to it, and whether it is within."""
    return [min(d, limit + 1), d <= limit]


def document_similarity(a, b):
    """1 - d / the larger size, at least 0."""
    sizes = [size(tree_from_json(doc, Options())) for doc in (a, b)]
    return max(0.0, 1 - document_distance(a, b) / max(sizes))


def outcomes(rng, count):
    """Documents of both types, and trees of all shapes and labels."""
    docs = [random_documents(rng) for _ in range(count // 2)]
    similar = [(*pair, random_similarity(rng, pair, document_similarity)) for pair in docs]
    limited = [(a, b, random_limit(rng, document_distance(a, b))) for a, b in docs]
    modelled = [(a, b, random_model(rng, a, b)) for a, b in docs]
    ordered = [(a, b, rng.random() < 0.5) for a, b in docs]
    mapping = "(SELECT json_agg(t) FROM json_edit_mapping({}) AS t)"
    trees = [pair for pair in random_pairs(rng, count // 4) if max(map(widest, pair)) <= MOST_CHILDREN]
    checks = [
        Check(
            f"json_edit_distance({sql_type})", "a text, b text",
            f"json_edit_distance(a::{sql_type}, b::{sql_type})", int, equals(document_distance), docs,
        )
        for sql_type in ("json", "jsonb")
    ] + [
        Check(
            "json_edit_distance(tree)", "a tree, b tree", "json_edit_distance(a, b)",
            int, equals(distance), trees,
        ),
        Check(
            "json_edit_distance_less_equal, json_within", "a text, b text, k int",
            "json_build_array(least(json_edit_distance_less_equal(a::json::tree, b::json::tree, k), k + 1),"
            " json_within(a::jsonb, b::jsonb, k))",
            json.loads, equals(lambda a, b, k: bounded(k, document_distance(a, b))), limited,
        ),
        Check(
            "json_similarity, json_similar", "a text, b text, s float8",
            "json_build_array(json_similarity(a::jsonb, b::jsonb), json_similar(a::json, b::json, s))", json.loads,
            equals(lambda a, b, s: [document_similarity(a, b), document_similarity(a, b) >= s]), similar,
        ),
        Check(
            "json_within of equal documents", "a text, b text", "json_within(a::json, a::json, 0)",
            boolean, equals(lambda a, b: True), docs,
        ),
        Check(
            "json_edit_distance by a model", "a text, b text, m tree_costs",
            "json_edit_distance(a::json, b::json, m)",
            float, equals(lambda *case: model_distance(*case) / 1000), modelled,
        ),
        Check(
            "json_edit_mapping", "a jsonb, b jsonb, ordered boolean",
            mapping.format("a, b, tree_costs(arrays => CASE WHEN ordered THEN 'ordered' ELSE 'unordered' END)"),
            json.loads, unit_mapping_fault, ordered,
        ),
        Check(
            "json_edit_mapping by a model", "a jsonb, b jsonb, m tree_costs", mapping.format("a, b, m"),
            json.loads, model_mapping_fault, modelled,
        ),
    ]
    return map(outcome, checks)
