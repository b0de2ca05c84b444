"""Compares ted's SQL functions with plain definitions in Python.

Prints TAP.  psql finds the server through libpq's environment variables.
SEED (default 1) chooses the random cases, of which there are SCALE (default
1) thousands; a failed test prints its smallest case as an SQL statement.
ONLY names modules in place of all.

    SEED=2 SCALE=10 ONLY="cell_checks cluster_checks" python3 run.py
"""

import os
import random
import sys

sys.dont_write_bytecode = True

import cell_checks
import cluster_checks
import cost_checks
import cost_diff_checks
import cost_join_checks
import diff_checks
import distance_checks
import document_mapping_checks
import edit_checks
import html_checks
import index_checks
import join_checks
import json_checks
import json_distance_checks
import mapping_checks
import parallel_checks
import patch_checks
import pattern_checks
import picture_checks
import sequence_checks
import statement_checks
import string_index_checks
import string_join_checks
import text_diff_checks
import tree_checks
import xml_checks
import xml_patch_checks
import xml_round_trip_checks
import xml_selector_checks
from server import install
from tap import report

MODULES = [
    tree_checks,
    xml_checks,
    html_checks,
    json_checks,
    diff_checks,
    picture_checks,
    distance_checks,
    json_distance_checks,
    mapping_checks,
    cost_checks,
    cost_diff_checks,
    pattern_checks,
    document_mapping_checks,
    patch_checks,
    edit_checks,
    xml_patch_checks,
    xml_round_trip_checks,
    xml_selector_checks,
    sequence_checks,
    text_diff_checks,
    join_checks,
    cost_join_checks,
    string_join_checks,
    cell_checks,
    cluster_checks,
    parallel_checks,
    index_checks,
    string_index_checks,
    statement_checks,
]


def outcomes(seed, count):
    """Names and faults of all tests."""
    only = os.environ.get("ONLY", "").split()
    for module in MODULES:
        if only and module.__name__ not in only:
            continue
        yield from module.outcomes(random.Random(f"{seed} {module.__name__}"), count)


def main():
    """Runs everything."""
    seed, scale = os.environ.get("SEED", "1"), float(os.environ.get("SCALE", "1"))
    print(f"# SEED={seed} SCALE={scale}")
    install()
    return report(outcomes(seed, max(1, round(1000 * scale))))


if __name__ == "__main__":
    sys.exit(main())
