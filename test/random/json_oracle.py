"""Plain definition of the conversion from JSON, on what Python's own parser reads."""

import json
from collections import namedtuple
from decimal import Decimal

from conversion import NoTree, is_below, is_matched, lower
from oracle import order_key

Options = namedtuple(
    "Options",
    "sort_keys duplicate_keys content fold_case exclude_paths sort_arrays include_paths",
    defaults=[True, "last", "full", False, [], False, []],
)

DUPLICATE_KEY = "22030"
NO_NODE = "22000"


class Number(str):
    """A number as it is written."""


class Object(list):
    """The members of an object, pairs of key and value, in their order."""


def parse(text):
    """The value of a document."""
    return json.loads(text, object_pairs_hook=Object, parse_int=Number, parse_float=Number)


def quoted(text):
    """A string as JSON writes it, with escapes only where they are needed."""
    return json.dumps(text, ensure_ascii=False)


def spelled(number):
    """A number as numeric writes it, without zeros at the end."""
    value = Decimal(number)
    text = format(abs(value) if value == 0 else value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def literal_label(value, options):
    """The label of a literal."""
    structure = options.content == "structure"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean" if structure else str(value).lower()
    if isinstance(value, Number):
        return "number" if structure else spelled(value)
    return "string" if structure else quoted(lower(value) if options.fold_case else value)


def unique_members(members, options):
    """The last one of each key's members, in their order."""
    last = {key: i for i, (key, _) in enumerate(members)}
    if len(last) < len(members) and options.duplicate_keys == "error":
        raise NoTree(DUPLICATE_KEY)
    return [member for i, member in enumerate(members) if last[member[0]] == i]


def ordered_members(members, options, binary):
    """The members in the order in which they become nodes; `binary`: as those of jsonb."""

    def shown(member):
        key = member[0]
        return (lower(key) if options.fold_case else key).encode(), key.encode()

    def stored(member):
        return len(member[0].encode()), member[0].encode()

    if options.sort_keys:
        return sorted(members, key=shown)
    return sorted(members, key=stored) if binary else members


def trees(value, path, options, binary):
    """The tree of a value, in a list, which is empty where it is left out."""

    def star(name):
        return True

    def kept(step):
        return not is_matched([*path, step], options.exclude_paths, star)

    def included(path):
        return not options.include_paths or is_below(path, options.include_paths, star)

    if isinstance(value, Object):
        members = unique_members([member for member in value if kept(member[0])], options)
        nodes = []
        for key, inner in ordered_members(members, options, binary):
            below = tuple(trees(inner, [*path, key], options, binary))
            if below or included([*path, key]):
                nodes.append((quoted(lower(key) if options.fold_case else key) + ":", below))
        return [("{}", tuple(nodes))] if nodes or included(path) else []
    if isinstance(value, list):
        elements = value if kept(None) else []
        made = (trees(element, [*path, None], options, binary) for element in elements)
        forest = sum(map(tuple, made), ())
        forest = tuple(sorted(forest, key=order_key)) if options.sort_arrays else forest
        return [("[]", forest)] if forest or included(path) else []
    if options.content == "keys" or not included(path):
        return []
    return [(literal_label(value, options), ())]


def tree_from_json(text, options, binary=False):
    """The tree of a JSON document; `binary`: of the jsonb value that it makes."""
    made = trees(parse(text), [], options, binary)
    if not made:
        raise NoTree(NO_NODE)
    return made[0]
