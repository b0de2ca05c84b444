"""Plain definition of patterns: which nodes of a tree they select."""

import re
from collections import namedtuple

KINDS = [
    "element", "attribute", "value", "text", "object", "array", "key", "string", "number", "boolean",
    "null",
]
FORMS = ["any", "kind", "beginning", "name"]

# A node, its kind, whether it is a step, and the steps above it from the root down.
Place = namedtuple("Place", "label kind is_step above")

# steps: pairs of a form and a kind or a name; none for all nodes
Pattern = namedtuple("Pattern", "anywhere steps")

ALL = Pattern(True, ())


def escaped(name):
    """A name as a step of a pattern."""
    name = re.sub(r"[\\/*()\[\]|]", r"\\\g<0>", name)
    name = re.sub(r":(?=:)", r"\\:", name)
    return "\\" + name if name in (".", "..") else name


def parse(text):
    """The pattern of a text."""
    if text == "*":
        return ALL
    lead = re.match(r"/{0,2}", text)[0]
    steps = []
    for step in re.findall(r"(?:[^/\\]|\\.)+", text[len(lead):], flags=re.DOTALL):
        marked = re.sub(r"\\(.)", lambda m: chr(0xE000) + m[1], step, flags=re.DOTALL)
        name = marked.replace(chr(0xE000), "")
        if step == "*":
            steps.append(("any", ""))
        elif marked.endswith("()"):
            steps.append(("kind", name[:-2]))
        elif marked.endswith("*") and marked[-2] != chr(0xE000):
            steps.append(("beginning", name[:-1]))
        else:
            steps.append(("name", name))
    return Pattern(lead != "/", tuple(steps))


def quoted_key(name):
    """The label of the key with a name, but for what follows the name."""
    short = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return '"' + "".join(short.get(c) or (c if c >= " " else f"\\u{ord(c):04x}") for c in name)


def step_selects(step, place):
    """Whether a step selects a node, whatever is above it."""
    form, name = step
    if form == "any":
        return place.is_step and place.kind not in ("attribute", "value")
    if form == "kind":
        return place.kind == name
    if form == "name":
        is_label = len(name) > 2 and name[0] == '"' and name[-1] == ":"
        is_key = place.kind == "key" and not is_label and place.label == quoted_key(name) + '":'
        return is_key or place.label == name
    is_key = place.kind == "key" and name[:1] != '"' and place.label.startswith(quoted_key(name))
    return is_key or place.label.startswith(name)


def selects(pattern, place):
    """Whether a pattern selects a node."""
    if not pattern.steps:
        return True
    *before, last = pattern.steps
    above = place.above[len(place.above) - len(before):]
    if len(before) > len(place.above) or (len(before) < len(place.above) and not pattern.anywhere):
        return False
    return step_selects(last, place) and all(map(step_selects, before, above))


def is_named(pattern):
    """Whether a pattern selects nodes by names or a star."""
    return bool(pattern.steps) and pattern.steps[-1][0] != "kind"


def order(pattern):
    """Sorts patterns from the least specific to the most."""

    def step_order(step):
        form, name = step
        size = KINDS.index(name) if form == "kind" else len(name.encode()) if form == "beginning" else 0
        return FORMS.index(form), size, name.encode()

    return len(pattern.steps), not pattern.anywhere, [step_order(step) for step in reversed(pattern.steps)]


def place_below(label, kind, above):
    """The place of a node of a kind below another place, or at the root."""
    literal = kind in ("object", "array", "string", "number", "boolean", "null")
    is_step = not literal or (above is not None and above.kind == "array")
    steps = () if above is None else (*above.above, above) if above.is_step else above.above
    return Place(label, kind, is_step, steps)


def is_value(place, owner):
    """Whether a node is the value of the one above it, or one of its texts."""
    values = {"key": ("string", "number", "boolean", "null"), "attribute": ("value",), "element": ("text",)}
    return owner is not None and place.kind in values.get(owner.kind, ())
