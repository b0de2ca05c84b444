#!/usr/bin/python3
"""Times statements in the spellings that people use, beside the best plan that there is.

Statements of a group give the same rows.  The best plan is the fastest one of all
spellings of a group, before and after ANALYZE, each by itself and with a setting that
forces another plan.  Times are milliseconds of planning and execution, the least of
some runs, on a fresh server with default settings.  With a file as argument, rows go there
as CSV, too.
"""
import csv
import json
import subprocess
import sys

FORCED = [
    "SET jit = off;",
    "SET enable_seqscan = off;",
    "SET enable_nestloop = off;",
    "SET enable_sort = off;",
    "SET enable_indexscan = off;",
    "SET ted.enable_join = off;",
    "SET ted.enable_nearest = off;",
]
RUNS = 2  # each time
ROUNDS = 3  # of the spellings of a group, in turns
LIMIT = 5000  # milliseconds
GOAL = 1.5
LEAST = 1.0  # milliseconds that are no less than any


def join(table, *clauses, select="count(*)", limit=""):
    """Self-joins of a table by clauses."""
    return [
        f"SELECT {select} FROM {table} a JOIN {table} b ON a.id < b.id AND {c} {limit}"
        for c in clauses
    ]


def search(table, *clauses):
    """Searches of a table by clauses."""
    return [f"SELECT id FROM {table} WHERE {c}" for c in clauses]


def order(table, *orders):
    """Searches of the nearest rows of a table."""
    return [f"SELECT id FROM {table} ORDER BY {o} LIMIT 10" for o in orders]


NAME = "'Breifoîte | Bréifkëscht'"
TREE = "tree('<book><title>x</title><by><name>a1</name></by><year>12</year></book>'::xml)"

GROUPS = {
    "names, join": join(
        "few",
        "lcs_similar(a.name, b.name, 0.9)",
        "lcs_similarity(a.name, b.name) >= 0.9",
        "a.name <%> b.name <= 0.1",
        "0.1 >= a.name <%> b.name",
        "a.name <%> b.name <= 0.1::numeric",
        "a.name <%> b.name BETWEEN 0 AND 0.1",
    ),
    "names, join by distance": join(
        "few",
        "lcs_within(a.name, b.name, 2)",
        "lcs_distance(a.name, b.name) <= 2",
        "a.name <~> b.name <= 2",
        "3 > a.name <~> b.name",
    ),
    "names, search": search(
        "names",
        f"lcs_similar(name, {NAME}, 0.8)",
        f"lcs_similarity(name, {NAME}) >= 0.8",
        f"name <%> {NAME} <= 0.2",
        f"0.2 >= {NAME} <%> name",
    ),
    "names, search by distance": search(
        "names",
        f"lcs_within(name, {NAME}, 4)",
        f"lcs_distance(name, {NAME}) < 5",
        f"name <~> {NAME} <= 4.0",
    ),
    "names, nearest": order(
        "names",
        f"name <%> {NAME}",
        f"lcs_similarity(name, {NAME}) DESC NULLS LAST",
        f"lcs_similarity(name, {NAME}) DESC",
    ),
    "names, nearest by distance": order("names", f"name <~> {NAME}", f"lcs_distance(name, {NAME})"),
    "names, nearest of similar ones": [
        f"SELECT id FROM names WHERE {c} ORDER BY lcs_similarity(name, {NAME}) DESC LIMIT 5"
        for c in (f"lcs_similarity(name, {NAME}) > 0.5", f"name <%> {NAME} < 0.5")
    ],
    "arrays, join": join(
        "arrays",
        "lcs_similar(a.doc, b.doc, 0.9)",
        "a.doc <%> b.doc <= 0.1",
        "lcs_similarity(a.doc, b.doc) >= 0.9",
    ),
    "trees, join": join(
        "trees",
        "tree_within(a.doc, b.doc, 2)",
        "tree_edit_distance(a.doc, b.doc) <= 2",
        "a.doc <-> b.doc <= 2",
        "2.5 >= a.doc <-> b.doc",
    ),
    "trees, join by similarity": join(
        "trees",
        "tree_similar(a.doc, b.doc, 0.9)",
        "tree_similarity(a.doc, b.doc) >= 0.9",
        "a.doc <%> b.doc <= 0.1",
    ),
    "trees, search": search(
        "trees",
        f"tree_within(doc, {TREE}, 4)",
        f"tree_edit_distance(doc, {TREE}) <= 4",
        f"doc <-> {TREE} <= 4",
    ),
    "trees, search by similarity": search(
        "trees",
        f"tree_similar(doc, {TREE}, 0.7)",
        f"tree_similarity(doc, {TREE}) >= 0.7",
        f"0.3 >= doc <%> {TREE}",
    ),
    "trees, nearest": order(
        "trees",
        f"doc <%> {TREE}",
        f"tree_similarity(doc, {TREE}) DESC NULLS LAST",
        f"tree_similarity(doc, {TREE}) DESC",
    ),
    "trees, nearest by distance": order(
        "trees", f"doc <-> {TREE}", f"tree_edit_distance(doc, {TREE})"
    ),
    "XML, search of an expression": search(
        "searched",
        f"tree_within(tree(doc), {TREE}, 4)",
        f"tree(doc) <-> {TREE} <= 4",
        f"tree_edit_distance(tree(doc), {TREE}) <= 4",
    ),
    **{
        f"{name}, join": join(
            table,
            "tree_within(tree(a.doc), tree(b.doc), 2)",
            "tree_edit_distance(tree(a.doc), tree(b.doc)) <= 2",
            "tree(a.doc) <-> tree(b.doc) <= 2",
        )
        for name, table in [("XML", "xmls"), ("JSON", "jsons"), ("JSONB", "jsonbs")]
    },
    **{
        f"{name}, first pair": join(
            table,
            "tree_edit_distance(tree(a.doc), tree(b.doc)) <= 1",
            "tree_within(tree(a.doc), tree(b.doc), 1)",
            "tree(a.doc) <-> tree(b.doc) <= 1",
            select="a.id, b.id",
            limit="LIMIT 1",
        )
        for name, table in [("XML", "xmls_apart"), ("JSONB", "jsonbs_apart")]
    },
    "three rows, search": [
        f"SELECT id FROM trees WHERE id IN (1, 2, 3) AND {c}"
        for c in (f"tree_within(doc, {TREE}, 3)", f"doc <-> {TREE} <= 3")
    ],
    "three rows, distance": [
        f"SELECT tree_edit_distance(doc, {TREE}) FROM trees WHERE id < 4",
        f"SELECT doc <-> {TREE} FROM trees WHERE id < 4",
    ],
    "three rows, XML": [
        f"SELECT id FROM xmls WHERE id IN (1, 2, 3) AND tree_within(tree(doc), {TREE}, 3)",
        f"SELECT id FROM xmls WHERE id IN (1, 2, 3) AND tree(doc) <-> {TREE} <= 3",
        f"SELECT id FROM xmls WHERE id IN (1, 2, 3) AND tree_edit_distance(tree(doc), {TREE}) <= 3"
    ],
    "three rows, similar subtrees": [
        f"SELECT count(*) FROM trees, tree_subtree_nearest({TREE}, doc, 3) s WHERE id < 4"
    ],
    "values": [
        "SELECT tree_edit_distance(a, b) FROM (VALUES ('{a{b}}'::tree, '{a{c}}'::tree)) v(a, b)"
    ],
}


def nodes(plan):
    """The names of the nodes of a plan."""
    name = plan.get("Custom Plan Provider", plan["Node Type"])
    below = [node for child in plan.get("Plans", []) for node in nodes(child)]
    return [name, *below]


def measured(statement, forced, limit):
    """Milliseconds of a statement and the nodes of its plan; None if it takes longer than a limit."""
    script = f"SET statement_timeout = {int(limit)}; {forced}\n"
    script += f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {statement};\n" * RUNS
    run = subprocess.run(
        ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"],
        input=script, text=True, capture_output=True, check=False,
    )
    if run.returncode:
        if "statement timeout" not in run.stderr:
            sys.exit(f"{statement}\n{run.stderr}")
        return None
    best, decoder, text = None, json.JSONDecoder(), run.stdout.strip()
    while text:
        (found,), end = decoder.raw_decode(text)
        text = text[end:].strip()
        took = found["Planning Time"] + found["Execution Time"]
        best = took if best is None else min(best, took)
    return best, nodes(found["Plan"])


def main():
    """Prints the table."""
    rows, best = [], {}
    for analyzed in (False, True):
        if analyzed:
            subprocess.run(["psql", "-X", "-q", "-c", "VACUUM ANALYZE"], check=True)
        for group, statements in GROUPS.items():
            own = [(LIMIT, ["cancelled"])] * len(statements)
            for _ in range(ROUNDS):
                for i, statement in enumerate(statements):
                    took = measured(statement, "", LIMIT) if own[i][0] > LEAST else None
                    own[i] = min(own[i], took or own[i])
            rows += [[group, s, analyzed, *took] for s, took in zip(statements, own, strict=True)]
            best[group] = min([best.get(group, (LIMIT, [])), *own])
            slowest = statements[own.index(max(own))]
            for forced in FORCED if max(own)[0] > LEAST else []:
                took = measured(slowest, forced, max(GOAL * best[group][0], 20))
                best[group] = min(best[group], took or best[group])
    print("| statement | ANALYZE | plan | ms | best | ratio | best plan |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    writer = csv.writer(open(sys.argv[1], "w", encoding="utf-8")) if sys.argv[1:] else None
    missed = others = 0
    for group, statement, analyzed, took, plan in rows:
        ratio = max(took, LEAST) / max(best[group][0], LEAST)
        same = plan == best[group][1]
        missed += ratio > GOAL
        others += ratio > GOAL and not same
        row = [group, statement, "yes" if analyzed else "no", ", ".join(plan), f"{took:.2f}"]
        row += [f"{best[group][0]:.2f}", f"{ratio:.2f}"]
        row.append("the same" if same else ", ".join(best[group][1]))
        print("| " + " | ".join([f"`{row[1]}`".replace("|", "\\|"), *row[2:]]) + " |")
        if writer:
            writer.writerow(row)
    print(f"\n{missed} of {len(rows)} rows above {GOAL}, {others} of them by another plan than the best")


main()
