#!/usr/bin/python3
"""Prints distinct names for searches and joins of strings: names.py COUNT [SEED]

A line has an id and a name of 10 to 40 characters.  Three in ten names are labels
in Latin letters of Debian's packages unicode-cldr-core and iso-codes, as far as
there are so many; each of the others is a copy of one of these with 1 to 5 random
edits.
"""
import glob
import html
import json
import random
import re
import sys

CLDR = "/usr/share/unicode/cldr/common"
ISO_CODES = "/usr/share/iso-codes/json"

SHORTEST = 10
LONGEST = 40
MOST_EDITS = 5


def cldr_labels():
    """The texts of the Unicode locale data."""
    for folder in ("main", "subdivisions", "annotations"):
        for path in sorted(glob.glob(f"{CLDR}/{folder}/*.xml")):
            with open(path, encoding="utf-8") as file:
                for label in re.findall(r">([^<>\n]+)</", file.read()):
                    yield html.unescape(label).strip()


def iso_labels():
    """The texts of the ISO standards of countries, languages, scripts and currencies."""
    for path in sorted(glob.glob(f"{ISO_CODES}/iso_*.json")):
        with open(path, encoding="utf-8") as file:
            for records in json.load(file).values():
                for record in records:
                    yield from (value for value in record.values() if isinstance(value, str))


def is_name(label):
    """Whether a label is a name of the lengths and letters that are wanted."""
    return (
        SHORTEST <= len(label) <= LONGEST
        and all(c < "\u0250" or "\u1e00" <= c < "\u1f00" for c in label)
        and all(" " <= c != "\\" for c in label)
        and sum(c.isalpha() for c in label) * 2 > len(label)
    )


def edit(name, characters):
    """Inserts, deletes, replaces or exchanges characters of a name."""
    position = random.randrange(len(name) - 1)
    kind = random.randrange(4)
    if kind == 0:
        return name[:position] + random.choice(characters) + name[position:]
    if kind == 1:
        return name[:position] + name[position + 1 :]
    if kind == 2:
        return name[:position] + random.choice(characters) + name[position + 1 :]
    return name[:position] + name[position + 1] + name[position] + name[position + 2 :]


def main():
    count = int(sys.argv[1])
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    labels = sorted({label for label in (*cldr_labels(), *iso_labels()) if is_name(label)})
    if not labels:
        sys.exit(f"There are no labels in {CLDR} and {ISO_CODES}.")
    bases = random.sample(labels, min(len(labels), -(-3 * count // 10)))
    characters = "".join(random.sample(labels, min(len(labels), 1000)))
    names = dict.fromkeys(bases)
    while len(names) < count:
        name = random.choice(bases)
        for _ in range(random.randrange(1, MOST_EDITS + 1)):
            name = edit(name, characters)
        if is_name(name):
            names[name] = None
    names = list(names)
    random.shuffle(names)
    for number, name in enumerate(names):
        print(number, name, sep="\t")


if __name__ == "__main__":
    main()
