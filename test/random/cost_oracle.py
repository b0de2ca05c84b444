"""Plain definition of models of costs: kinds of nodes, rules, and grades of renaming.

A model is the JSON of a tree_costs as Python reads it, costs being Decimal.  A
node's label becomes a Node here, so that the plain edit distance of trees with
such labels is that by the model.  Costs are in thousandths.
"""

import functools
import json
import re
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction

import oracle
import patterns

Terms = namedtuple("Terms", "ins del_ ren texts numbers ignore tolerance relative unordered")
Node = namedtuple("Node", "label kind terms value key")

NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
NEVER = float("inf")
IGNORED = Terms(0, 0, NEVER, "exact", "exact", True, 0, 0, False)
DEFAULTS = {
    "insert": 1, "delete": 1, "rename": 1, "texts": "exact", "numbers": "exact", "ignore": False,
    "tolerance": 0, "relative_tolerance": 0, "unordered": False,
}
OF_VALUES = ("texts", "numbers", "tolerance", "relative_tolerance")


def is_quoted(text):
    """Whether a text begins and ends with quotes."""
    return len(text) >= 2 and text[0] == text[-1] == '"'


def json_value_kind(label, leaf):
    """The kind of a value of JSON, or None."""
    if label in ("{}", "[]"):
        return "object" if label == "{}" else "array"
    if not leaf:
        return None
    if is_quoted(label):
        return "string"
    if NUMBER.fullmatch(label):
        return "number"
    return {"true": "boolean", "false": "boolean", "null": "null"}.get(label)


def kind_of(label, above, leaf):
    """The kind of a node below one of another kind, or below none."""
    if above == "attribute":
        return "value"
    if above in (None, "array", "key"):
        kind = json_value_kind(label, leaf)
        if kind:
            return kind
    # the conversion takes {} and [] for what they are before all else
    if above in (None, "object") and re.fullmatch(r'".*":', label, re.DOTALL):
        return "key"
    if re.fullmatch(r"@.+", label, re.DOTALL) and not is_quoted(label):
        return "attribute"
    return "text" if leaf else "element"


def thousandths(cost):
    """A cost, where there is one, as a whole number."""
    return NEVER if cost == "never" else int(Decimal(cost) * 1000)


def unquoted(label):
    """The characters of a string of JSON, or what is between other quotes."""
    try:
        text = json.loads(label)
        return text if patterns.quoted_key(text) + '"' == label else label[1:-1]
    except ValueError:
        return label[1:-1]


def matches(rule, place):
    """Whether a node is one of the values that a rule is for."""
    if place.kind not in ("text", "value", "string", "number", "boolean", "null"):
        return False
    text = unquoted(place.label) if place.kind == "string" else place.label
    return re.search(rule["matches"], text, re.ASCII | re.DOTALL) is not None


def last_star(pattern):
    """The index of the last star among the steps of a pattern."""
    return max(i for i, (form, _) in enumerate(pattern.steps) if form == "any")


def has_keyed_elements(pattern, array):
    """Whether the pattern of a key leads through an array."""
    steps = pattern.steps[: last_star(pattern)]
    path = (*array.above, array) if array.is_step else array.above
    if not steps:
        return pattern.anywhere or not path
    return bool(path) and patterns.selects(pattern._replace(steps=steps), path[-1]._replace(above=path[:-1]))


def keys_of(tree, place, pattern, depth, model):
    """The values of the nodes below a place that are keys of the element at a depth of steps."""
    for label, children in tree[1]:
        below = patterns.place_below(label, kind_of(label, place.kind, not children), place)
        if patterns.selects(pattern, below):
            if len(below.above) - (len(pattern.steps) - 1 - last_star(pattern)) == depth:
                yield tuple(with_values(child, model) for child in children)
        yield from keys_of((label, children), below, pattern, depth, model)


def with_values(tree, model):
    """A tree whose labels are what equal ones have in common."""
    return value_of(tree[0], model), tuple(with_values(child, model) for child in tree[1])


def key_of(tree, place, above, model):
    """The key of an element of an array, or None."""
    if above is None or above.kind != "array":
        return None
    rules = [(patterns.parse(rule["pattern"]), rule) for rule in model.get("rules", []) if rule.get("key")]
    for pattern, _ in sorted(rules, key=lambda rule: patterns.order(rule[0])):
        for key in keys_of(tree, place, pattern, len(place.above), model):
            return key
    return None


def terms_of(model, place, owner):
    """What a model says of a node below another one, or below none."""
    said = {**DEFAULTS, **model}
    rules = [(patterns.parse(rule["pattern"]), rule) for rule in model.get("rules", [])]
    rules.sort(key=lambda rule: (patterns.order(rule[0]), "matches" in rule[1], rule[1].get("matches", "").encode()))
    for rule in [rule for pattern, rule in rules if pattern == patterns.ALL and "matches" not in rule]:
        said.update(rule)
    if place.kind not in ("text", "value", "string"):
        said["texts"] = "exact"
    if place.kind not in ("text", "value", "number"):
        said.update({"numbers": "exact", "tolerance": 0, "relative_tolerance": 0})
    for pattern, rule in [rule for rule in rules if rule[0] != patterns.ALL or "matches" in rule[1]]:
        named = patterns.is_named(pattern)
        if "matches" in rule and not matches(rule, place):
            continue
        if patterns.selects(pattern, place):
            owns = named and place.kind in ("key", "attribute", "element")
            said.update({name: said for name, said in rule.items() if not owns or name not in OF_VALUES})
        elif named and patterns.is_value(place, owner) and patterns.selects(pattern, owner):
            said.update(rule)
        elif named and place.kind == "array" and owner and owner.kind == "key" and patterns.selects(pattern, owner):
            said["unordered"] = rule.get("unordered", said["unordered"])
        if rule.get("key") and place.kind == "array" and has_keyed_elements(pattern, place):
            said["unordered"] = True
    if said["ignore"]:
        return IGNORED
    costs = [thousandths(said[name]) for name in ("insert", "delete", "rename")]
    tolerances = [Fraction(said[name]) for name in ("tolerance", "relative_tolerance")]
    unordered = said["unordered"] and place.kind in ("array", "element")
    return Terms(*costs, said["texts"], said["numbers"], False, *tolerances, unordered)


def has_tolerance(said):
    """Whether a model or a rule sets a tolerance."""
    return said.get("tolerance", 0) > 0 or said.get("relative_tolerance", 0) > 0


def value_of(label, model):
    """What two labels have in common that are equal by a model; a rule for all nodes replaces its default."""
    rules = model.get("rules", [])
    everywhere = [rule for rule in rules if rule["pattern"] == "*" and "matches" not in rule]
    default = {**model, **everywhere[0]} if everywhere else model
    measures = [default, *(rule for rule in rules if rule not in everywhere)]
    if all(said.get("numbers", "exact") == "exact" and not has_tolerance(said) for said in measures):
        return label
    return Decimal(label) if NUMBER.fullmatch(label) and abs(float(label)) != float("inf") else label


def annotated(tree, model, above=None, ignored=False):
    """The tree with nodes in place of labels; `above` is the place of the node above."""
    label, children = tree
    kind = kind_of(label, above and above.kind, not children)
    place = patterns.place_below(label, kind, above)
    terms = IGNORED if ignored else terms_of(model, place, above)
    if kind == "array" and model.get("arrays") == "unordered":
        terms = terms._replace(unordered=True)  # of ignored arrays, too
    below = tuple(annotated(child, model, place, terms.ignore) for child in children)
    key = None if ignored or terms.ignore else key_of(tree, place, above, model)
    return Node(label, kind, terms, value_of(label, model), key), below


def compared(node):
    """What is compared of a label."""
    return node.label[1:-1] if node.kind == "string" else node.label


def levenshtein(x, y):
    """Levenshtein distance."""
    row = list(range(len(y) + 1))
    for i, p in enumerate(x, 1):
        before, row[0] = row[0], i
        for j, q in enumerate(y, 1):
            before, row[j] = row[j], min(before + (p != q), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def graded(cost, part):
    """A part of a cost in thousandths, rounded up from a half on; the labels differ."""
    return max(int(cost * part + Fraction(1, 2)), min(cost, 1))


def number_part(x, y):
    """The difference of two numbers as part of the greater one."""
    greater = max(abs(x), abs(y))
    return min(abs(x - y) / greater, 1) if greater else 0


def lcs_part(x, y):
    """The share of characters outside a longest common subsequence."""
    common = oracle.lcs_table(x, y)[len(x)][len(y)]
    return Fraction(len(x) + len(y) - 2 * common, len(x) + len(y))


def levenshtein_part(x, y):
    """The Levenshtein distance as part of the greater length."""
    return Fraction(levenshtein(x, y), max(len(x), len(y)))


# What differs between two texts that are not both empty, by the names of the measures.
TEXT_PARTS = {"lcs": lcs_part, "levenshtein": levenshtein_part}


@functools.cache
def text_part(x, y, measure):
    """1 - the similarity of two texts."""
    return TEXT_PARTS[measure](x, y) if x or y else 0


def is_number(text):
    """Whether a text is a number of JSON in the range of float8."""
    return NUMBER.fullmatch(text) is not None and abs(float(text)) != float("inf")


def are_near(x, y):
    """Whether two nodes are numbers that differ by no more than their tolerances."""
    texts = compared(x), compared(y)
    if not all(map(is_number, texts)):
        return False
    p, q = (Fraction(Decimal(text)) if float(text) else 0 for text in texts)
    absolute = min(x.terms.tolerance, y.terms.tolerance)
    relative = min(x.terms.relative, y.terms.relative)
    return max(absolute, relative) > 0 and abs(p - q) <= max(absolute, relative * max(abs(p), abs(q)))


def rename(x, y):
    """What it costs to rename a node to another one."""
    if x.key != y.key and None not in (x.key, y.key):
        return NEVER
    if x.value == y.value and x.terms.ignore == y.terms.ignore:
        return 0
    if are_near(x, y):
        return 0
    cost = max(x.terms.ren, y.terms.ren)
    if cost == NEVER:
        return NEVER
    texts = compared(x), compared(y)
    if x.terms.numbers == y.terms.numbers == "relative" and all(map(is_number, texts)):
        x_number, y_number = map(float, texts)
        return max(round(cost * number_part(x_number, y_number)), min(cost, 1))
    if x.terms.texts == y.terms.texts != "exact":
        return graded(cost, text_part(*texts, x.terms.texts))
    return cost


COSTS = (lambda node: node.terms.ins, lambda node: node.terms.del_, rename)


def read(model):
    """The model of a text."""
    return json.loads(model, parse_float=Decimal)


@functools.cache
def both(a, b, model):
    """Both trees as the model sees them."""
    return annotated(a, read(model)), annotated(b, read(model))


def annotated_distance(x, y):
    """The distance of two annotated trees in thousandths."""
    return oracle.distance_of_forests(COSTS)((x,), (y,))


@functools.cache
def distance(a, b, model):
    """The tree edit distance by a model."""
    return annotated_distance(*both(a, b, model)) / 1000


def total(tree, cost):
    """What it costs to delete or insert a whole annotated tree, in thousandths."""
    return cost(tree[0]) + sum(total(child, cost) for child in tree[1])


def similarity_of(x, y):
    """1 - distance / larger cost of two annotated trees, at least 0."""
    larger = max(total(x, COSTS[1]), total(y, COSTS[0]))
    d = annotated_distance(x, y)
    return max(0.0, 1 - d / larger) if larger else 1.0


def similarity(a, b, model):
    """The similarity by a model."""
    return similarity_of(*both(a, b, model))


def normalized_distance(a, b, model):
    """2d / (cost of a + cost of b + d)."""
    x, y = both(a, b, model)
    d = annotated_distance(x, y)
    return 2 * d / (total(x, COSTS[1]) + total(y, COSTS[0]) + d) if d else 0.0


def mapping(a, b, model):
    """The optimal mapping of ted's tie rule, and what it costs."""
    x, y = both(a, b, model)
    return oracle.mapping(x, y, COSTS)


def mapping_cost(a, b, model, pairs):
    """What a set of pairs of preorder numbers costs, in thousandths."""
    left, right = (list(map(lambda n: n.label, oracle_nodes(t))) for t in both(a, b, model))
    insert, delete, renaming = COSTS
    cost = sum(renaming(left[v - 1], right[w - 1]) for v, w in pairs)
    cost += sum(delete(n) for i, n in enumerate(left, 1) if i not in {v for v, _ in pairs})
    return cost + sum(insert(n) for i, n in enumerate(right, 1) if i not in {w for _, w in pairs})


OracleNode = namedtuple("OracleNode", "label tree")


def oracle_nodes(tree):
    """All nodes of an annotated tree in preorder."""
    yield OracleNode(tree[0], tree)
    for child in tree[1]:
        yield from oracle_nodes(child)


def canonical(model):
    """What a model says: terms of all nodes, and of each pattern, as tuples."""
    said = {**DEFAULTS, **read(model)}
    del said["ignore"]
    rules = {}
    for rule in said.pop("rules", []):
        terms = dict(rule)
        pattern = terms.pop("pattern")
        expression = terms.pop("matches", None)
        if pattern == "*" and expression is None:
            terms.pop("ignore", None)
            said.update(terms)
        elif terms:
            rules[patterns.parse(pattern), expression] = terms
    return said, rules


def symmetric(model):
    """Whether insertions cost what deletions do wherever a model says something of one."""
    said, rules = canonical(model)
    return all(terms.get("insert") == terms.get("delete") for terms in [said, *rules.values()])
