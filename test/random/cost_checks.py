"""Models of costs, and all that is computed by them."""

import json
import re

import cost_oracle
import oracle
from check import Check, boolean, close_to, equals, outcome
from cost_oracle import TEXT_PARTS, both, distance
from mapping_checks import places
from patterns import KINDS, escaped, parse
from trees import random_pair

WORDS = ["", "a", "kitten", "sitting", "kitchen", "x y", "字幕", "字模", "😀", "1.5 kg", '"', "@home"]
NUMBERS = [
    "0", "-0", "1", "2", "-2", "10", "9.5", "1e400", "1e3", "007", "0.0", "123456789", "1e-400",
    "1.1", "0.9", "9.6", "10.00", "2.0000001", "123456789.1", "0.1", "1.5",
]
TOLERANCES = ["0.5", "1", "0.1", "1e-7", "8.5", "0"]
EXPRESSIONS = [r"^\d+\Z", "k", "^k.*n", r"^\Z", r"\.", "e|x", '"', "^[0-9]", "l", "^-?1"]
COSTS = ["0", "0.5", "1", "1", "2", "0.125", "3", "0.1"]


def content(rng):
    """A text, which may be a number."""
    return rng.choice(rng.choice([WORDS, NUMBERS]))


def xml_tree(rng, size):
    """A tree as that of an element."""
    attributes = sorted(rng.sample(["@id", "@w", "@x:y"], rng.choice([0, 0, 1, 2])))
    children = [(name, ((content(rng), ()),)) for name in attributes]
    while size > 1:
        part = rng.randint(1, size - 1)
        size -= part
        if part == 1 and rng.random() < 0.6:
            children.append((content(rng), ()))
        else:
            children.append(xml_tree(rng, part))
    return rng.choice(["a", "b", "price", "p"]), tuple(children)


def json_tree(rng, size):
    """A tree as that of a JSON value."""
    if size < 2 and rng.random() < 0.9:
        string = json.dumps(rng.choice(WORDS), ensure_ascii=False)
        return rng.choice([string, rng.choice(NUMBERS), "true", "null", "false"]), ()
    parts = []
    while size > 1:
        parts.append(rng.randint(1, size - 1))
        size -= parts[-1]
    if rng.random() < 0.5:
        return "[]", tuple(json_tree(rng, part) for part in parts)
    keys = sorted(rng.sample(['"a":', '"b":', '"price":', '"":', '"é":', '"z":'], min(len(parts), 6)))
    return "{}", tuple((key, (json_tree(rng, part),)) for key, part in zip(keys, parts))


def mixed_tree(rng, size):
    """A tree in which what looks like a string is one, or the text of an element."""
    if size == 1:
        return rng.choice(['"kitten"', '"sitting"', "kitten", "[]"]), ()
    parts = []
    while size > 1:
        parts.append(rng.randint(1, size - 1))
        size -= parts[-1]
    return rng.choice(["[]", "a"]), tuple(mixed_tree(rng, part) for part in parts)


def pair_of_trees(rng):
    """Two trees as of documents, or any."""
    size = rng.choice([1, 2, 4, 8, 12])
    make = rng.choice([xml_tree, json_tree, mixed_tree, None])
    if make is None:
        return random_pair(rng, 12)
    return make(rng, size), make(rng, rng.choice([size, 1, 10]))


def random_pattern(rng, labels):
    """A pattern, most often of labels that there are."""

    def step():
        label = rng.choice(labels) or "none"
        if re.fullmatch(r'".+":', label, re.DOTALL) and rng.random() < 0.7:
            label = json.loads(label[:-1])
        beginning = label[: rng.randint(0, len(label))]
        return rng.choice([escaped(label), escaped(label), escaped(label), "*", escaped(beginning) + "*"])

    kind = f"{rng.choice(KINDS)}()"
    if rng.random() < 0.5:
        return rng.choice([kind, step()])
    steps = [step() for _ in range(rng.choice([1, 1, 2, 2, 3]))]
    return rng.choice(["/", "//", "//"]) + "/".join(steps + rng.choice([[], [], [kind]]))


def random_patterns(rng, labels):
    """Some patterns."""
    return [random_pattern(rng, labels) for _ in range(rng.choice([0, 0, 1, 2, 5]))]


def random_terms(rng):
    """Some terms of a rule."""
    terms = {name: rng.choice(COSTS) for name in ("insert", "delete", "rename") if rng.random() < 0.5}
    if rng.random() < 0.2:
        terms["rename"] = '"never"'
    if rng.random() < 0.2:
        terms["texts"] = json.dumps(rng.choice(["exact", *TEXT_PARTS]))
    if rng.random() < 0.2:
        terms["numbers"] = rng.choice(['"exact"', '"value"', '"relative"'])
    terms.update(random_tolerances(rng, 0.1))
    return terms


def random_tolerances(rng, often):
    """Perhaps tolerances."""
    names = ("tolerance", "relative_tolerance")
    return {name: rng.choice(TOLERANCES) for name in names if rng.random() < often}


def written(members):
    """The JSON of an object whose values are JSON."""
    return "{" + ", ".join(f"{json.dumps(name)}: {value}" for name, value in members.items()) + "}"


def random_model(rng, *trees):
    """A model for the labels of some trees, as a text."""
    return model_of_labels(rng, [node.label for tree in trees for node in oracle.nodes(tree)])


def model_of_labels(rng, labels):
    """A model for some labels and others, as a text."""
    labels = [*labels, "none"]
    model = {name: rng.choice(COSTS) for name in ("insert", "delete", "rename") if rng.random() < 0.4}
    if rng.random() < 0.4:
        model["texts"] = json.dumps(rng.choice([*TEXT_PARTS]))
    if rng.random() < 0.4:
        model["numbers"] = rng.choice(['"relative"', '"value"'])
    model.update(random_tolerances(rng, 0.2))
    chosen = {}
    for pattern in random_patterns(rng, labels) + ["*"] * (rng.random() < 0.15):
        expressions = rng.choice([[None], [None], [None], [None, *EXPRESSIONS[:3]], rng.sample(EXPRESSIONS, 2)])
        chosen.update({(parse(pattern), expression): pattern for expression in expressions})
    rules = []
    for (_, expression), pattern in sorted(chosen.items(), key=lambda rule: (rule[1], rule[0][1] or "")):
        terms = random_terms(rng)
        if (pattern, expression) != ("*", None) and rng.random() < 0.15:
            terms["ignore"] = "true"
        if expression is not None:
            terms["matches"] = json.dumps(expression)
        rules.append(written({"pattern": json.dumps(pattern, ensure_ascii=False), **terms}))
    if rules:
        model["rules"] = "[" + ", ".join(rules) + "]"
    return written(model)


def random_cases(rng, count):
    """Pairs of trees and a model of each."""
    pairs = [pair_of_trees(rng) for _ in range(count)]
    return [(*pair, random_model(rng, *pair)) for pair in pairs]


def model_fault(got, _a, _b, model):
    """The same model again, and its text says the same as what was written."""
    text, again, symmetric = got
    if not again:
        return f"{text} is another model when it is read again"
    if cost_oracle.canonical(text) != cost_oracle.canonical(model):
        return f"the text is {text}"
    if symmetric != cost_oracle.symmetric(model):
        return f"symmetric: {symmetric}"
    return None


def bounded_fault(got, a, b, model, limit):
    """The distance where it is within the limit, anything beyond it otherwise, and whether."""
    d = distance(a, b, model)
    bounded, within = got
    if within == (d <= limit) and (bounded == d if d <= limit else bounded > limit):
        return None
    return f"the distance is {d}, got {got}"


def bounds_fault(got, a, b, model):
    """A lower and an upper bound."""
    lower, upper = got
    d = distance(a, b, model)
    return None if lower <= d <= upper else f"the distance is {d}, got {got}"


def mapping_fault(got, a, b, model):
    """An optimal mapping of the documented tie rule, and the costs of its operations."""
    pairs = {(r["left_node"], r["right_node"]) for r in got if r["left_node"] and r["right_node"]}
    d = distance(a, b, model)
    cost = round(1000 * sum(row["cost"] for row in got))
    if fault := oracle.mapping_fault(a, b, pairs):
        return fault
    if cost != round(1000 * d) or cost_oracle.mapping_cost(a, b, model, pairs) != cost:
        return f"the distance is {d}, the operations cost {cost / 1000}"
    if pairs != cost_oracle.mapping(a, b, model):
        return f"the tie rule gives {sorted(cost_oracle.mapping(a, b, model))}, got {sorted(pairs)}"
    return None


def approximate_fault(got, a, b, model):
    """A mapping that costs what its operations do."""
    pairs = {(r["left_node"], r["right_node"]) for r in got if r["left_node"] and r["right_node"]}
    cost = round(1000 * sum(row["cost"] for row in got))
    if fault := oracle.mapping_fault(a, b, pairs):
        return fault
    wanted = cost_oracle.mapping_cost(a, b, model, pairs)
    return None if wanted == cost else f"the mapping costs {wanted}, the operations {cost}"


def near_subtrees(a, b, model, max_distance, min_similarity):
    """Distance, node and similarity of the subtrees of b within the thresholds that are not ignored."""
    x, y = both(a, b, model)
    rows = []
    for node, subtree in enumerate(cost_oracle.oracle_nodes(y), 1):
        if subtree.label.terms.ignore:
            continue
        d = cost_oracle.annotated_distance(x, subtree.tree) / 1000
        similarity = cost_oracle.similarity_of(x, subtree.tree)
        if d <= max_distance and similarity >= min_similarity:
            rows.append((d, node, similarity))
    listed = oracle.nodes(b)
    return places(rows, {n.node: n.path for n in listed}, {n.node: oracle.size(n.tree) for n in listed})


def nearest_subtrees(a, b, model, k, max_distance, min_similarity):
    """The first k of these."""
    near = sorted(near_subtrees(a, b, model, max_distance, min_similarity))
    return [[i, node, d, s] for i, (d, node, s) in enumerate(near[:k], 1)]


def matching_subtrees(a, b, model, max_distance, min_similarity):
    """All of these by node."""
    near = near_subtrees(a, b, model, max_distance, min_similarity)
    return [[node, d, s] for d, node, s in near]


def random_limit(rng, d):
    """A threshold, often one that decides."""
    return rng.choice([d, d + 0.001, max(d - 0.001, 0), d / 2, rng.randint(0, 5), float("inf")])


def random_similarity(rng, s):
    """A threshold, often one that decides."""
    return rng.choice([s, min(s * (1 + 2**-52), 1), s * (1 - 2**-53), rng.random(), 0, 1, 5e-324])


def distance_checks(rng, cases):
    """Distances, limits and similarities."""
    columns = "a tree, b tree, m tree_costs"
    limits = [(*case, random_limit(rng, distance(*case))) for case in cases]
    similarities = [(*case, random_similarity(rng, cost_oracle.similarity(*case))) for case in cases]
    many = [(*cases[i], [case[0] for case in cases[i : i + 4]]) for i in range(0, len(cases), 10)]
    return [
        Check(
            "tree_costs", columns, "json_build_array(m::text, m::text::tree_costs = m, tree_costs_symmetric(m))",
            json.loads, model_fault, cases,
        ),
        Check(
            "tree_edit_distance by a model", columns, "tree_edit_distance(a, b, m)",
            float, equals(distance), cases,
        ),
        Check(
            "the default model", columns,
            "json_build_array(tree_edit_distance(a, b, '{}'), tree_diff(a, b, '{}') = tree_diff(a, b))",
            json.loads, equals(lambda a, b, _: [oracle.distance(a, b), True]), cases,
        ),
        Check(
            "symmetric models", columns,
            "NOT tree_costs_symmetric(m) OR tree_edit_distance(a, b, m) = tree_edit_distance(b, a, m)",
            boolean, equals(lambda *_: True), cases,
        ),
        Check(
            "thresholds by a model", columns + ", k float8",
            "json_build_array(tree_edit_distance_less_equal(a, b, k, m), tree_within(a, b, k, m))",
            json.loads, bounded_fault, limits,
        ),
        Check(
            "ranges by a model, in both directions", columns + ", k float8",
            "tree_edit_distance(a, b, m) > k OR a <~ tree_range(b, k, m) AND b <~ tree_range(a, k, m)",
            boolean, equals(lambda *_: True), limits,
        ),
        Check(
            "tree_similarity by a model", columns, "tree_similarity(a, b, m)",
            float, equals(cost_oracle.similarity), cases,
        ),
        Check(
            "tree_similar by a model", columns + ", s float8",
            "to_json(ARRAY[tree_similar(a, b, s, m), tree_similarity(a, b, m) >= s])",
            json.loads, equals(lambda a, b, m, s: 2 * [cost_oracle.similarity(a, b, m) >= s]), similarities,
        ),
        Check(
            "tree_normalized_distance by a model", columns, "tree_normalized_distance(a, b, m)",
            float, close_to(cost_oracle.normalized_distance), cases,
        ),
        Check(
            "tree_edit_distances by a model", columns + ", docs tree[]",
            "to_json(tree_edit_distances(a, docs, m))", json.loads,
            equals(lambda a, b, m, docs: [distance(a, doc, m) for doc in docs]), many,
        ),
        Check(
            "bounds by a model", columns, "json_build_array("
            "tree_edit_distance_lower_bound(a, b, m), tree_edit_distance_approximate(a, b, m))",
            json.loads, bounds_fault, cases,
        ),
    ]


def mapping_checks(rng, cases):
    """Mappings and nearest subtrees."""
    columns = "a tree, b tree, m tree_costs"
    thresholds = [
        (*case, rng.choice([float("inf"), rng.randint(0, 8) / 2]), rng.choice([0, 0.3, 0.5]))
        for case in cases
    ]
    mapping = "(SELECT json_agg(t) FROM tree_edit_mapping({}) AS t)"
    return [
        Check(
            "tree_edit_mapping by a model", columns, mapping.format("a, b, m"),
            json.loads, mapping_fault, cases,
        ),
        Check(
            "tree_edit_mapping by a model, approximate", columns, mapping.format("a, b, m, true"),
            json.loads, approximate_fault, cases,
        ),
        Check(
            "tree_subtree_nearest by a model", columns + ", k int, max_distance float8, min_similarity float8",
            "(SELECT coalesce(json_agg(json_build_array(rank, node, distance, similarity)), '[]')"
            " FROM tree_subtree_nearest(a, b, k, max_distance, min_similarity, m) AS s)",
            json.loads, equals(nearest_subtrees),
            [(a, b, m, rng.randint(0, 20), *limits) for a, b, m, *limits in thresholds],
        ),
        Check(
            "tree_subtree_within by a model", columns + ", max_distance float8, min_similarity float8",
            "(SELECT coalesce(json_agg(json_build_array(node, distance, similarity)), '[]')"
            " FROM tree_subtree_within(a, b, max_distance, min_similarity, m) AS s)",
            json.loads, equals(matching_subtrees), thresholds,
        ),
    ]


def outcomes(rng, count):
    """All functions on the same trees and models."""
    cases = random_cases(rng, count)
    return map(outcome, [*distance_checks(rng, cases), *mapping_checks(rng, cases)])
