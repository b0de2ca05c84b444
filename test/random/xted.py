"""Compares distances and mappings with the known distances of real trees.

    python3 xted.py [FOLDER]

FOLDER (default: the value of XTED_DATA) has distances.csv with
the columns dataset, size, tree_a, tree_b, distance, and DATASET_SIZE.bracket
with one tree a line, which tree_a and tree_b count from 0.  Prints TAP.
"""

import csv
import os
import sys
from collections import defaultdict
from pathlib import Path

sys.dont_write_bytecode = True

from server import ServerError, copied_fields, copy_in, copy_out, install, psql
from tap import report

QUERY = """
SELECT p.a, p.b, distance, tree_edit_distance(x.doc, y.doc),
  tree_edit_distance_less_equal(x.doc, y.doc, distance),
  (SELECT count(*) FROM tree_edit_mapping(x.doc, y.doc) WHERE operation <> 'match'),
  CASE WHEN distance > 0 THEN tree_within(x.doc, y.doc, distance - 1) ELSE false END
FROM p JOIN t x ON x.line = p.a JOIN t y ON y.line = p.b
"""


def wrong_pairs(trees, pairs):
    """Descriptions of a file's pairs with a wrong answer."""
    output = psql(
        "CREATE TEMP TABLE t (line int, doc tree);\n"
        "CREATE TEMP TABLE p (a int, b int, distance int);\n"
        + copy_in("t", enumerate(trees))
        + copy_in("p", pairs)
        + copy_out(QUERY)
    )
    rows = [copied_fields(line) for line in output.split("\n")[:-1]]
    if len(rows) != len(pairs):
        return [f"{len(rows)} answers for {len(pairs)} pairs"]
    return [
        f"trees {a} and {b}: expected {d}, got {got}; bounded {bounded}, mapping {mapping}, "
        f"within {d} - 1: {within}"
        for a, b, d, got, bounded, mapping, within in rows
        if [got, bounded, mapping, within] != [d, d, d, "f"]
    ]


def results(folder):
    """Names and faults, one for each file of trees."""
    files = defaultdict(list)
    with open(folder / "distances.csv", encoding="utf-8", newline="") as rows:
        for row in csv.DictReader(rows):
            pair = row["tree_a"], row["tree_b"], row["distance"]
            files[f"{row['dataset']}_{row['size']}"].append(pair)
    for name, pairs in files.items():
        with open(folder / f"{name}.bracket", encoding="utf-8", newline="\n") as lines:
            trees = [line.rstrip("\n") for line in lines]
        try:
            fault = "\n".join(wrong_pairs(trees, pairs))
        except ServerError as error:
            fault = f"got {error}"
        yield f"{name}: {len(pairs)} pairs", fault


def main():
    """Runs everything."""
    folder = sys.argv[1] if len(sys.argv) > 1 else os.environ.get("XTED_DATA")
    if not folder:
        print("1..0 # SKIP XTED_DATA names no folder of trees")
        return 0
    install()
    return report(results(Path(folder)))


if __name__ == "__main__":
    sys.exit(main())
