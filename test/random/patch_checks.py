"""Patches of JSON: made, and applied by ted and by Debian's python3-jsonpatch."""

import json
import re
from bisect import bisect_left
from decimal import Decimal
from statistics import median

import jsonpatch
from check import Check, boolean, outcome
from json_documents import random_document
from server import psql


def exact(text):
    """A document with numbers as they are written."""
    return json.loads(text, parse_int=Decimal, parse_float=Decimal)


def marked(text):
    """A document with numbers as strings that no other string equals."""
    return json.loads(text, parse_int="\0{}".format, parse_float="\0{}".format)


def spelled(value):
    """A value by which documents are compared: numbers with all of their digits."""
    if isinstance(value, dict):
        return {key: spelled(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return list(map(spelled, value))
    return ("number", format(value or abs(value), "f")) if isinstance(value, Decimal) else value


def edited(rng, value, others):
    """A copy of a value with a few changes of all kinds, and which is often another one."""
    if rng.random() < 0.1:
        return rng.choice(others)
    if isinstance(value, list):
        return edited_list(rng, value, others)
    if isinstance(value, dict):
        return edited_dict(rng, value, others)
    if isinstance(value, Decimal) and rng.random() < 0.1:
        digits = format(value or abs(value), "f")
        return Decimal(digits + ("0" if "." in digits else ".0"))
    return value if rng.random() < 0.9 else rng.choice([None, True, Decimal(7), "x", [], {}])


def edited_list(rng, value, others):
    """The same of an array: elements lost, new, moved, changed, and levels more or less."""
    copy = [edited(rng, inner, others) if rng.random() < 0.3 else inner for inner in value]
    kind = rng.random()
    if kind < 0.15 and copy:
        del copy[rng.randrange(len(copy))]
    elif kind < 0.3:
        copy.insert(rng.randint(0, len(copy)), rng.choice(others))
    elif kind < 0.4 and copy:
        copy.insert(rng.randrange(len(copy)), copy.pop(rng.randrange(len(copy))))
    elif kind < 0.45:
        copy = [copy]
    elif kind < 0.5:
        lists = [inner for inner in copy if isinstance(inner, (list, dict))]
        copy = rng.choice(lists) if lists else copy
    return copy


def edited_dict(rng, value, others):
    """The same of an object."""
    copy = {
        key: edited(rng, inner, others) if rng.random() < 0.3 else inner
        for key, inner in value.items()
    }
    keys, kind = list(copy), rng.random()
    if kind < 0.15 and keys:
        del copy[rng.choice(keys)]
    elif kind < 0.3:
        copy[rng.choice(["a", "b", "", "~", "/", "-", "0", "é", "new"])] = rng.choice(others)
    elif kind < 0.45 and keys:
        inner = copy.pop(rng.choice(keys))
        copy[rng.choice(["a", "b", "~1", "0", "zz"])] = inner
    elif kind < 0.5:
        copy = {"a": copy}
    elif kind < 0.55:
        inner = [inner for inner in copy.values() if isinstance(inner, (list, dict))]
        copy = rng.choice(inner) if inner else copy
    elif kind < 0.6 and len(keys) > 1:
        one, other = rng.sample(keys, 2)
        copy[one], copy[other] = copy[other], copy[one]
    return copy


def written(value):
    """The text of a document of Decimals."""
    if isinstance(value, dict):
        members = (f"{json.dumps(key)}: {written(inner)}" for key, inner in value.items())
        return "{" + ", ".join(members) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(written, value)) + "]"
    return format(value, "f") if isinstance(value, Decimal) else json.dumps(value)


def random_pairs(rng, count):
    """Documents and edited copies of them."""
    docs = [exact(random_document(rng)) for _ in range(count)]
    small = [doc for doc in docs if len(written(doc)) < 60] or docs
    others = [*rng.choices(small, k=50), None, True, {}, []]
    return [(written(doc), written(edited(rng, doc, others))) for doc in docs]


class Counts:
    """Numbers of operations: ted's patches, and those of jsonpatch."""

    def __init__(self):
        self.ours, self.theirs = [], []

    def fault(self):
        """What is wrong with the medians, over pairs that differ."""
        if median(self.ours) <= median(self.theirs):
            return None
        return f"the medians are {median(self.ours)} and {median(self.theirs)}"


def patch_fault(counts):
    """What is wrong with a patch: applied by jsonpatch, it gives b."""

    def fault(got, a, b):
        patch, applied = exact(got)
        one, other = exact(a), exact(b)
        if spelled(applied) != spelled(other):
            return f"ted gives {written(applied)} by {written(patch)}"
        theirs = jsonpatch.apply_patch(one, patch)
        if spelled(theirs) != spelled(other):
            return f"jsonpatch gives {written(theirs)} by {written(patch)}"
        if patch:
            counts.ours.append(len(patch))
            counts.theirs.append(len(jsonpatch.make_patch(marked(a), marked(b)).patch))
        return None

    return fault


def made_by_jsonpatch(a, b):
    """The text of jsonpatch's own patch.

    None for one that it cannot apply itself, or that moves a value to a place below its own,
    which RFC 6902 forbids (section 4.4).
    """
    patch = jsonpatch.make_patch(marked(a), marked(b))
    if any(f"{operation['path']}/".startswith(f"{operation['from']}/")
           for operation in patch if operation["op"] == "move"):
        return None
    try:
        if patch.apply(marked(a)) != marked(b):
            return None
    except (jsonpatch.JsonPatchException, jsonpatch.JsonPointerException, TypeError):
        return None
    text = json.dumps(patch.patch)
    return re.sub(r'"\\u0000([^"]*)"', r"\1", text)


def applied_fault(got, a, b, patch):
    """What is wrong with a document that jsonpatch's patch has made b."""
    return None if not patch or spelled(exact(got)) == spelled(exact(b)) else f"got {got}"


def long_case(rng):
    """A document with many elements and members, many operations, and what jsonpatch makes of it."""
    size = rng.choice([60, 300, 5000])
    document = {"list": list(range(size)), "object": {f"k{i}": i for i in range(size)}}
    operations, text = [], json.dumps(document)
    for number in range(rng.choice([20, 200, size])):
        part = document["list"]
        keys = [f"k{rng.randrange(2 * size)}" for _ in range(2)]
        front = rng.random() < 0.3
        index, other = (0 if front else rng.randrange(len(part)) for _ in range(2))
        kind = rng.choice(["add", "remove", "replace", "move", "copy", "copy all"])
        operation = {"op": kind, "path": f"/list/{index}"}
        if kind in ("add", "replace"):
            operation["value"] = number
        elif kind in ("move", "copy"):
            operation["from"] = f"/list/{other}"
        if rng.random() < 0.5 and kind in ("add", "remove", "move") and keys[0] in document["object"]:
            operation = {"op": kind, "path": f"/object/{keys[0]}", "value": number}
            if kind == "move":
                operation.update({"from": operation["path"], "path": f"/object/{keys[1]}"})
        if kind == "copy all":
            if number > 100 or rng.random() < 0.8:
                continue
            operation = {"op": "copy", "from": rng.choice(["/list", "/object"]), "path": f"/copy{number}"}
        if operation["op"] == "remove" and operation["path"] == "/list/0" and len(part) == 1:
            continue
        operations.append(operation)
        document = jsonpatch.apply_patch(document, [operation], in_place=True)
    return text, json.dumps(operations), json.dumps(document)


def longest_increasing(numbers):
    """The length of a longest increasing subsequence."""
    last = []
    for number in numbers:
        place = bisect_left(last, number)
        last[place : place + 1] = [number]
    return len(last)


def moved_case(rng):
    """Two arrays of different values, and the most operations from one to the other."""
    size = rng.choice([2, 5, 10, 300])
    one = rng.sample(range(size + 3), k=rng.randint(0, size))
    permuted = rng.random() < 0.5
    other = one[:] if permuted else rng.sample(range(size + 3), k=rng.randint(0, size))
    for _ in range(rng.choice([1, 3, size])):
        if other:
            other.insert(rng.randrange(len(other)), other.pop(rng.randrange(len(other))))
    common = [n for n in one if n in set(other)]
    moves = len(common) - longest_increasing([other.index(n) for n in common])
    values = ["{}".format, '"text {}"'.format]
    if permuted:
        values.append('{{"number": {}, "kind": "x"}}'.format)
    value = rng.choice(values)
    texts = ("[" + ", ".join(map(value, part)) + "]" for part in (one, other))
    return *texts, moves + len(one) + len(other) - 2 * len(common)


def moved_fault(got, _, b, most):
    """What is wrong with a patch of arrays."""
    applied, operations = json.loads(got)
    if applied != json.loads(b):
        return f"got {got}"
    return None if operations <= most else f"{operations} operations, {most} will do"


def inverse_fault(got, a, b, patch, _tests):
    """What is wrong with the inverse of a patch: applied by both, it leads back."""
    if not patch:
        return None
    inverse, back = exact(got)
    if spelled(back) != spelled(exact(a)):
        return f"ted gives {written(back)} by {written(inverse)}"
    theirs = jsonpatch.apply_patch(exact(b), inverse)
    return None if spelled(theirs) == spelled(exact(a)) else f"jsonpatch gives {written(theirs)} by {written(inverse)}"


def merged(target, patch):
    """A document after a merge patch, as RFC 7396 defines it."""
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def needs_null(a, b):
    """Whether a merge patch from one document to another would have to make a member null."""
    if not isinstance(b, dict):
        return False
    a = a if isinstance(a, dict) else {}
    changed = {key: value for key, value in b.items() if key not in a or spelled(a[key]) != spelled(value)}
    return any(value is None or needs_null(a.get(key), value) for key, value in changed.items())


def merge_fault(got, a, b):
    """What is wrong with a merge patch, and with what it makes of the first document."""
    a, b = exact(a), exact(b)
    made, any_other = json.loads(got, parse_int=Decimal, parse_float=Decimal)
    if spelled(any_other) != spelled(merged(a, b)):
        return f"the second document as a patch makes {written(any_other)}"
    if needs_null(a, b) or made is None:
        return None if needs_null(a, b) == (made is None) else f"got {got}"
    patch, applied = made
    if spelled(merged(a, patch)) != spelled(b):
        return f"{written(patch)} makes {written(merged(a, patch))}"
    return None if spelled(applied) == spelled(b) else f"ted gives {written(applied)} by {written(patch)}"


# The patch and what it makes, or NULL if there is none.
MERGE = """CREATE OR REPLACE FUNCTION merge_outcome(a jsonb, b jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT jsonb_build_array(p, json_merge_patch_apply(a, p)) FROM json_merge_patch(a, b) p);
EXCEPTION WHEN feature_not_supported THEN
  RETURN NULL;
END $$"""


def outcomes(rng, count):
    """Patches of random documents, and their lengths."""
    counts, pairs = Counts(), random_pairs(rng, count)
    yield outcome(Check(
        "json_patch", "a jsonb, b jsonb",
        "json_build_array(json_patch(a, b), json_patch_apply(a, json_patch(a, b)))",
        str, patch_fault(counts), pairs,
    ))
    yield outcome(Check(
        "json_patch_apply", "a jsonb, b jsonb, patch jsonb", "json_patch_apply(a, patch)",
        str, applied_fault, [(a, b, made_by_jsonpatch(a, b)) for a, b in pairs],
    ))
    yield outcome(Check(
        "json_patch_apply of long patches", "a jsonb, patch jsonb, want jsonb",
        "json_patch_apply(a, patch)::text = want::text", boolean,
        lambda got, *_: None if got else "another document",
        [long_case(rng) for _ in range(count // 50 + 1)],
    ))
    yield outcome(Check(
        "json_patch moves as little as possible", "a jsonb, b jsonb, most integer",
        "json_build_array(json_patch_apply(a, json_patch(a, b)), jsonb_array_length(json_patch(a, b)))",
        str, moved_fault, [moved_case(rng) for _ in range(count)],
    ))
    patches = [(a, b, patch, tests) for a, b in pairs for tests in ("t", "f")
               if (patch := made_by_jsonpatch(a, b)) is not None]
    columns = "a jsonb, b jsonb, patch jsonb, tests boolean"
    inverse = "json_build_array(json_patch_invert(a, {0}, tests), json_patch_apply(b, json_patch_invert(a, {0}, tests)))"
    yield outcome(Check(
        "json_patch_invert", columns, inverse.format("patch"), str, inverse_fault, patches,
    ))
    yield outcome(Check(
        "json_patch_invert of json_patch", columns, inverse.format("json_patch(a, b, tests => tests)"),
        str, inverse_fault, patches,
    ))
    yield outcome(Check(
        "json_patch_invert of long patches", "a jsonb, patch jsonb, want jsonb",
        "json_patch_apply(want, json_patch_invert(a, patch, length(patch::text) % 2 = 0))::text = a::text", boolean,
        lambda got, *_: None if got else "another document",
        [long_case(rng) for _ in range(count // 50 + 1)],
    ))
    psql(MERGE)
    yield outcome(Check(
        "json_merge_patch", "a jsonb, b jsonb",
        "json_build_array(merge_outcome(a, b), json_merge_patch_apply(a, b))", str, merge_fault, pairs,
    ))
    lengths = f"sums {sum(counts.ours)} and {sum(counts.theirs)}"
    yield f"json_patch: no longer than of jsonpatch in the median, {lengths}", counts.fault()
