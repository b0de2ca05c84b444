"""JSON documents that were edited a known number of times: no patch has more operations.

An edit sets a value, renames, adds or removes a member, or sets, inserts, deletes or moves an
element.  A member that is renamed counts as two edits: a name like no other is removed and added.
Members that are the same in both documents are in no operation.
"""

import json

from check import Check, outcome

WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho".split()

# The most patches, in a hundred, with more operations than edits.
LONGER = 1


def scalar(rng):
    """A value that is no container; most of them occur once in a document."""
    kind = rng.random()
    if kind < 0.4:
        return " ".join(rng.choices(WORDS, k=rng.randint(1, 4)))
    if kind < 0.8:
        return rng.randint(0, 10000)
    return rng.choice([True, False, None, rng.randint(0, 10000) / 100])


def value(rng, depth):
    """A value with some levels of containers: objects, arrays of records, and arrays of values."""
    kind = rng.random()
    if depth == 0 or kind < 0.3:
        return scalar(rng)
    if kind < 0.7:
        return {f"{rng.choice(WORDS)}{rng.randint(0, 9)}": value(rng, depth - 1)
                for _ in range(rng.randint(1, 7))}
    if kind < 0.85:
        keys = rng.choices(WORDS, k=rng.randint(2, 5))
        return [{key: scalar(rng) for key in keys} for _ in range(rng.randint(1, 8))]
    return [value(rng, depth - 1) for _ in range(rng.randint(1, 6))]


def containers(part):
    """All objects and arrays of a document."""
    if isinstance(part, (dict, list)):
        yield part
        for inner in part.values() if isinstance(part, dict) else part:
            yield from containers(inner)


def edit_object(rng, part):
    """The operations of one edit of an object; a name like no other is a removal and an addition."""
    kind, key = rng.random(), rng.choice(list(part)) if part else None
    new = f"{rng.choice(WORDS)}{rng.choice('NX')}{rng.randint(0, 99)}"
    if kind < 0.2 and new not in part:
        part[new] = value(rng, 2)
    elif key is None:
        return 0
    elif kind < 0.35 and new not in part:
        part[new] = part.pop(key)
        return 2
    elif kind < 0.55:
        del part[key]
    elif isinstance(part[key], (dict, list)):
        return 0
    else:
        part[key] = f"{part[key]} changed" if rng.random() < 0.5 else rng.randint(10001, 20000)
    return 1


def edit_array(rng, part):
    """The operations of one edit of an array."""
    kind, place = rng.random(), rng.randrange(len(part)) if part else None
    if kind < 0.3:
        part.insert(rng.randint(0, len(part)), value(rng, 1))
    elif place is None:
        return 0
    elif kind < 0.5:
        del part[place]
    elif kind < 0.65:
        part.insert(rng.randrange(len(part)), part.pop(place))
    elif isinstance(part[place], (dict, list)):
        return 0
    else:
        part[place] = rng.randint(10001, 20000)
    return 1


def edited_pairs(rng, count):
    """Documents, edited copies, and the numbers of edits."""
    while count > 0:
        doc = value(rng, 4)
        if len(json.dumps(doc)) < 40:
            continue
        copy, edits = json.loads(json.dumps(doc)), 0
        for _ in range(rng.choice([1, 1, 1, 2, 2, 3, 5])):
            part = rng.choice(list(containers(copy)))
            edits += (edit_object if isinstance(part, dict) else edit_array)(rng, part)
        if json.dumps(copy, sort_keys=True) != json.dumps(doc, sort_keys=True):
            count -= 1
            yield json.dumps(doc), json.dumps(copy), edits


def at(doc, pointer):
    """The value at a JSON Pointer that leads through objects only, in a list; else an empty one."""
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if not isinstance(doc, dict) or step not in doc:
            return []
        doc = doc[step]
    return [json.dumps(doc, sort_keys=True)]


class Lengths:
    """How many patches have more operations than edits."""

    def __init__(self):
        self.patches = self.longer = 0

    def fault(self):
        """More of them than there may be."""
        allowed = max(1, self.patches * LONGER // 100)
        return None if self.longer <= allowed else f"{self.longer} patches of {self.patches} are longer"

    def patch_fault(self, got, a, b, edits):
        """What is wrong with a patch."""
        patch, applied = json.loads(got)
        one, other = json.loads(a), json.loads(b)
        if not applied:
            return f"another document by {patch}"
        for operation in patch:
            for name in {"path", "from"} & operation.keys():
                before, after = at(one, operation[name]), at(other, operation[name])
                if before and before == after:
                    return f"{operation} is on an unchanged member"
        self.patches += 1
        self.longer += len(patch) > edits
        return None


def keyed_pairs(rng, count):
    """Lists of records with keys, and edited copies in another order."""
    for _ in range(count):
        keys = rng.sample(range(40), rng.randint(1, 12))
        records = [{"id": rng.choice([key, str(key)]), "v": scalar(rng), "w": {"x": rng.randint(0, 3)}} for key in keys]
        others = [{**record} for record in records if rng.random() < 0.9]
        for record in others:
            if rng.random() < 0.3:
                record["v"] = scalar(rng)
            if rng.random() < 0.1:
                record["id"] = 100 + keys[0]
        others += [{"id": 50 + i, "v": "new"} for i in range(rng.choice([0, 0, 1, 3]))]
        rng.shuffle(others)
        yield json.dumps({"items": records}), json.dumps({"items": others})


def keyed_fault(got, a, b):
    """What is wrong with a patch of records: those with a key of both documents stay where they are."""
    patch, applied, distance, shown = got
    one, other = json.loads(a)["items"], json.loads(b)["items"]
    if distance:
        return f"the patched document is at distance {distance}"
    kept = [json.dumps(record["id"]) for record in applied["items"]]
    both = [key for key in (json.dumps(record["id"]) for record in one) if key in
            {json.dumps(record["id"]) for record in other}]
    if [key for key in kept if key in both] != both:
        return f"{kept} are not in the order {both}"
    removed = [o for o in patch if o["op"] in ("remove", "replace") and o["path"].count("/") == 2]
    if both and len(removed) != len(one) - len(both):
        return f"{len(removed)} records are removed: {patch}"
    return None if (shown == "") == (patch == []) else f"the differences are {shown}"


def outcomes(rng, count):
    """Patches of edited documents."""
    lengths = Lengths()
    yield outcome(Check(
        "json_patch of edited documents", "a jsonb, b jsonb, edits int",
        "json_build_array(json_patch(a, b), json_patch_apply(a, json_patch(a, b)) = b)",
        str, lengths.patch_fault, list(edited_pairs(rng, count)),
    ))
    model = "tree_costs(arrays => 'unordered')"
    yield outcome(Check(
        "json_patch of edited documents, without the order of elements", "a jsonb, b jsonb",
        f"json_edit_distance(json_patch_apply(a, json_patch(a, b, {model})), b, {model})",
        str, lambda got, _a, _b: None if got == "0" else f"the patched document is at distance {got}",
        [(a, b) for a, b, _ in edited_pairs(rng, count)],
    ))
    model = "tree_costs(array_keys => '{/items/*/id}')"
    yield outcome(Check(
        "json_patch of records with keys", "a jsonb, b jsonb",
        f"json_build_array(json_patch(a, b, {model}), json_patch_apply(a, json_patch(a, b, {model})),"
        f" json_edit_distance(json_patch_apply(a, json_patch(a, b, {model})), b, {model}), tree_diff(a, b, {model}))",
        json.loads, keyed_fault, list(keyed_pairs(rng, count)),
    ))
    yield (f"json_patch of edited documents: no more operations than edits, but in {LONGER} of 100",
           lengths.fault())
