"""Joins by parallel workers."""

import json

from joins import self_join_case, self_join_fault, two_sided_join_case, two_sided_join_fault
from server import ServerError, copied_fields, copy_in, copy_out, psql

# A table of several pages, dropped by rollback.  The final function costs the same
# in every plan: counted, it would hide what workers save.
PARALLEL = """
BEGIN;
CREATE TABLE d (id bigint, doc tree, side "char") WITH (fillfactor = 10, parallel_workers = 2);
{rows}
SET LOCAL parallel_setup_cost = 0;
SET LOCAL cpu_operator_cost = 0;
SET LOCAL min_parallel_table_scan_size = 0;
SET LOCAL max_parallel_workers_per_gather = 2;
SET LOCAL parallel_leader_participation = {leader};
EXPLAIN (COSTS OFF) {query};
{answer}
ROLLBACK;
"""


def parallel_fault(arguments, leader, rows, fault):
    """What is wrong with a join that workers take part in, or None; `fault` judges its rows."""
    query = f"SELECT to_json(tree_within_pairs({arguments})) FROM d"
    script = PARALLEL.format(
        rows=copy_in("d", rows), leader=leader, query=query, answer=copy_out(query)
    )
    try:
        *plan, answer, _ = psql(script).split("\n")
    except ServerError as error:
        return f"got {error}"
    if not any("Partial Aggregate" in line for line in plan):
        return "\n".join(["the plan is not parallel", *plan])
    found = fault(json.loads(copied_fields(answer)[0]))
    return found and f"{found}\n{script}"


def outcomes(rng, _count):
    """Names and faults of the parallel joins."""
    case = ids, docs, k = self_join_case(rng, 60)
    rows = [(i, doc, "l") for i, doc in zip(ids, docs)]
    for leader in ("on", "off"):
        name = f"parallel tree_within_pairs, leader {leader}: {len(rows)} documents"
        fault = parallel_fault(
            f"id, doc, {k}", leader, rows, lambda got: self_join_fault(got, *case)
        )
        yield name, fault
    case = ids, docs, sides, k = two_sided_join_case(rng, 30)
    rows = list(zip(ids, docs, sides))
    yield f"parallel tree_within_pairs of two sides: {len(rows)} documents", parallel_fault(
        f"id, doc, {k}, side", "on", rows, lambda got: two_sided_join_fault(got, *case)
    )
