#!/usr/bin/python3
"""Prints records for joins of many documents: records.py COUNT [SEED]

A line has an id and a tree in bracket notation of about 26 nodes.  Four in ten
records are made of names, of which a few are frequent and most are rare; each of
the others is a copy of one of these with 0 to 10 random edits.
"""
import itertools
import random
import sys

# fields of a record by groups, how many names each has, and how much rarer these become
FIELDS = [
    ("name", "given", 5000, 0.5),
    ("name", "family", 100000, 0.5),
    ("birth", "year", 80, 2.5),
    ("birth", "place", 3000, 3),
    ("address", "street", 100000, 0.5),
    ("address", "city", 300, 2.5),
    ("address", "country", 30, 3),
    ("work", "title", 100, 3),
    ("work", "company", 10000, 2.5),
    ("contact", "language", 40, 3),
]


class Field:
    """A field of a record; its n-th name is n to the power of `skew` times as rare as the first."""

    def __init__(self, group, name, count, skew):
        self.group = group
        self.name = name
        self.names = [f"{name}{number}" for number in range(count)]
        self.weights = list(itertools.accumulate(n**-skew for n in range(1, count + 1)))

    def draw(self):
        """One of the names."""
        return random.choices(self.names, cum_weights=self.weights)[0]


def base_record(fields):
    """A record as a list of nodes in preorder, with their depths."""
    record = [(0, "person")]
    group = None
    for field in fields:
        if field.group != group:
            group = field.group
            record.append((1, group))
        record += [(2, field.name), (3, field.draw())]
    return record


def subtree_end(record, node):
    """Where the subtree of a node ends."""
    end = node + 1
    while end < len(record) and record[end][0] > record[node][0]:
        end += 1
    return end


def edit(record, fields):
    """Renames, deletes or inserts a node that is not the root."""
    node = random.randrange(1, len(record))
    depth, _ = record[node]
    end = subtree_end(record, node)
    name = random.choice(fields).draw()
    kind = random.randrange(3)
    if kind == 0:
        record[node] = (depth, name)
    elif kind == 1:
        record[node:end] = [(d - 1, label) for d, label in record[node + 1 : end]]
    else:
        record[node:end] = [(depth, name)] + [(d + 1, label) for d, label in record[node:end]]


def bracket(record):
    """A record in bracket notation."""
    parts = []
    last = -1
    for depth, label in record:
        parts.append("}" * (last - depth + 1) + "{" + label)
        last = depth
    return "".join(parts) + "}" * (last + 1)


def main():
    count = int(sys.argv[1])
    random.seed(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    fields = [Field(*field) for field in FIELDS]
    bases = []
    for number in range(count):
        if number % 5 < 2:
            record = base_record(fields)
            bases.append(record)
        else:
            record = list(random.choice(bases))
            for _ in range(random.randrange(11)):
                if len(record) > 2:
                    edit(record, fields)
        print(number, bracket(record), sep="\t")


if __name__ == "__main__":
    main()
