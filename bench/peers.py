#!/usr/bin/python3
"""What programs take that a reader would use otherwise, for peers.sh.

    versions                       those of the modules
    cdist FILE CUTOFF [COUNT]      all pairs of the names in a file, or of COUNT of these with all, by rapidfuzz
    extract FILE QUERIES           searches in a file of names for those of another, by rapidfuzz
    xml                            copies XML as JSON, a document a line
    jsonpatch FILE, deepdiff FILE  the differences of the pairs in a file
    sizes FILE                     verifies the patches in a file, and compares their bytes with jsonpatch's

What is timed prints seconds of processor time and a number of rows.  Where a module is missing,
the output is "not installed".  Lines of a file of names have an id and a name, those of a file
of pairs two documents and a patch.
"""
import importlib
import json
import re
import sys
import time
from xml.etree import ElementTree

CUTOFF = 80
ESCAPES = {"n": "\n", "r": "\r", "t": "\t"}  # of COPY
BLOCK = 100  # names whose row of results is in memory at once


def read_names(path):
    """The names in a file."""
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t")[1] for line in file]


def read_pairs(path):
    """The pairs of documents in a file, with their patches."""
    with open(path, encoding="utf-8") as file:
        return [[json.loads(field) for field in line.split("\t")] for line in file]


def timed(function):
    """Prints the processor time of a function, and the number of rows that it returns."""
    start = time.process_time()
    rows = function()
    print(time.process_time() - start, rows)


def cdist(path, cutoff, count=0):
    """All pairs of names: each with all others, or the first COUNT names with all."""
    import numpy
    from rapidfuzz import fuzz, process

    names = read_names(path)

    def matrix(some):
        found = process.cdist(
            some, names, scorer=fuzz.ratio, score_cutoff=float(cutoff), dtype=numpy.float32, workers=1
        )
        return int(numpy.count_nonzero(found))

    if not count:
        # for two lists, cdist compares several strings at once, which is faster than half of the pairs of one
        timed(lambda: (matrix(list(names)) - len(names)) // 2)
    else:
        count = min(int(count), len(names))
        timed(lambda: sum(matrix(names[i : min(i + BLOCK, count)]) for i in range(0, count, BLOCK)) - count)


def extract(path, queries):
    """Searches of a list in memory."""
    from rapidfuzz import fuzz, process

    names, queries = read_names(path), read_names(queries)
    timed(
        lambda: sum(
            len(process.extract(query, names, scorer=fuzz.ratio, score_cutoff=CUTOFF, limit=None))
            for query in queries
        )
    )


def xml_value(element):
    """The value of an element as xmltodict has it: members by name, those of one name in an array."""
    members = {}
    for child in element:
        members.setdefault(child.tag.rpartition("}")[2], []).append(xml_value(child))
    value = {"@" + name.rpartition("}")[2]: text for name, text in element.attrib.items()}
    value.update((name, found if len(found) > 1 else found[0]) for name, found in members.items())
    text = (element.text or "").strip()
    if not value:
        return text or None
    return {**value, "#text": text} if text else value


def xml():
    """Copies documents that COPY has written, so that it can read them."""
    for line in sys.stdin:
        text = re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), line)
        root = ElementTree.fromstring(text)
        value = {root.tag.rpartition("}")[2]: xml_value(root)}
        print(json.dumps(value).replace("\\", "\\\\"))


def jsonpatch(path):
    """Patches of all pairs by jsonpatch."""
    from jsonpatch import make_patch

    pairs = read_pairs(path)
    timed(lambda: sum(make_patch(a, b) is not None for a, b, _ in pairs))


def deepdiff(path):
    """Differences of all pairs by deepdiff."""
    from deepdiff import DeepDiff

    pairs = read_pairs(path)
    timed(lambda: sum(DeepDiff(a, b) is not None for a, b, _ in pairs))


def sizes(path):
    """Prints the number of patches, of those with fewer bytes than jsonpatch's, and of those with more."""
    from jsonpatch import apply_patch, make_patch

    def size(patch):
        return len(json.dumps(patch, separators=(",", ":"), ensure_ascii=False).encode())

    fewer = more = 0
    pairs = read_pairs(path)
    for a, b, patch in pairs:
        if json.dumps(apply_patch(a, patch), sort_keys=True) != json.dumps(b, sort_keys=True):
            sys.exit(f"The patch {json.dumps(patch)} of {json.dumps(a)} does not lead to {json.dumps(b)}.")
        own, other = size(patch), size(make_patch(a, b).patch)
        fewer += own < other
        more += own > other
    print(len(pairs), fewer, more)


def versions():
    """Prints a line of the modules."""
    found = []
    for name in ("rapidfuzz", "numpy", "jsonpatch", "deepdiff"):
        try:
            found.append(f"{name} {importlib.import_module(name).__version__}")
        except ModuleNotFoundError:
            found.append(f"{name} not installed")
    print(", ".join(found))


COMMANDS = [versions, cdist, extract, xml, jsonpatch, deepdiff, sizes]

if __name__ == "__main__":
    try:
        {command.__name__: command for command in COMMANDS}[sys.argv[1]](*sys.argv[2:])
    except ModuleNotFoundError:
        print("not installed")
