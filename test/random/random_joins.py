"""Random joins of tables of documents, of every type, as the parts of a query.

The tables are docs, others and third, with the columns id, grp, k, s, n and doc.
"""

from collections import namedtuple

from clauses import random_clause

# What is selected from and on which condition, the tables that can be seen there,
# the clause, whether TedJoin can serve it, and the tables whose rows can be locked.
# Of a full join, which PostgreSQL refuses without TedJoin, also the parts of an
# equal UNION ALL.
Join = namedtuple("Join", "source where tables clause served lockable parts", defaults=[None])

DERIVED = [
    "(SELECT * FROM {table} WHERE grp > 1)",
    "(SELECT id, grp, k, s, n, doc FROM {table} WHERE id % 3 > 0 OFFSET 0)",
    "(SELECT id, grp, coalesce(k, 1) AS k, s, n, coalesce(doc, {small}) AS doc FROM {table})",
    "(SELECT max(id) AS id, grp, max(k) AS k, max(s) AS s, max(n) AS n,"
    " max(doc::text)::{type} AS doc FROM {table} GROUP BY grp, id % 4)",
    "(SELECT * FROM {table}_barrier)",
    "(SELECT * FROM {table} WHERE id % 2 = 0 UNION ALL SELECT * FROM {table} WHERE id % 5 = 0)",
]

# A document of each type.
SMALL = {"tree": "'{a}'", "xml": "'<a/>'"}

# Conditions on a pair, on either side, and on both alike.
PAIR_CONDITIONS = [
    "a.id < b.id", "a.id <> b.id", "b.id > a.id", "a.grp <= b.grp", "(a.id + b.id) % 3 > 0",
    "a.k IS NOT DISTINCT FROM b.k", "coalesce(a.s, 1) <= coalesce(b.s, 1)", "a.grp = b.grp",
]
SIDE_CONDITIONS = [
    "{0}.grp > 1", "{0}.grp < 5", "{0}.k IS NULL", "{0}.k IS NOT NULL", "{0}.id % 2 = 0",
    "{0}.doc IS NOT NULL", "{0}.s > 0.6 OR {0}.grp = 2", "{0}.grp IN (SELECT grp FROM third)",
]


class Joins:
    """A source of joins: where they take their limits from, and of which tables."""

    def __init__(self, rng, limits, doc_type, has_merge):
        self.rng, self.limits, self.type, self.has_merge = rng, limits, doc_type, has_merge
        self.derived = True

    def table(self, name):
        """A table, or a subquery of its columns."""
        if not self.derived or self.rng.random() < 0.75:
            return name
        derived = self.rng.choice(DERIVED)
        return derived.format(table=name, type=self.type, small=SMALL.get(self.type, "'{}'"))

    def clause(self, a="a", b="b"):
        """A clause between two tables."""
        return random_clause(self.rng, self.limits, (a, b), self.type)

    def conditions(self, likely):
        """Further conditions of a join of a and b."""
        rng = self.rng
        found = []
        if rng.random() < likely:
            found.append(rng.choice(PAIR_CONDITIONS))
        if rng.random() < likely / 3:
            condition = rng.choice(SIDE_CONDITIONS)
            found += [condition.format("a"), condition.format("b")]
        elif rng.random() < likely / 2:
            found.append(rng.choice(SIDE_CONDITIONS).format(rng.choice("ab")))
        if rng.random() < likely / 6:
            found.append(self.clause().text)
        return [f"({condition})" if " OR " in condition else condition for condition in found]

    def on(self, likely=0.5):
        """A clause, and what a join is on, in any order."""
        clause = self.clause()
        conditions = [clause.text, *self.conditions(likely)]
        self.rng.shuffle(conditions)
        return clause, " AND ".join(conditions)

    def above(self, tables, likely=0.3):
        """Conditions on the rows of a join."""
        rng = self.rng
        if rng.random() >= likely:
            return []
        table = rng.choice(tables)
        null = [f"{table}.grp IS DISTINCT FROM 2", f"coalesce({table}.k, 9) > 0"]
        return [rng.choice(null + [f"{table}.grp >= 1", f"{table}.id % 7 <> 1"])]

    def two(self, right):
        """An inner or an outer join of two tables."""
        rng = self.rng
        kind = rng.choice(["inner", "comma", "LEFT", "RIGHT", "anti", "FULL"])
        clause, on = self.on()
        a, b = f"{self.table('docs')} a", f"{self.table(right)} b"
        served = clause.served and "a.grp = b.grp" not in on
        locks = [t[-1] for t in (a, b) if t[0] != "("]
        if kind in ("inner", "comma"):
            source = f"{a} JOIN {b} ON {on}" if kind == "inner" else f"{a}, {b}"
            where = ([on] if kind == "comma" else []) + self.above("ab")
            return Join(source, where, "ab", clause, served, locks)
        if kind == "anti":
            return Join(f"{a} LEFT JOIN {b} ON {on}", ["b.id IS NULL"], "a", clause, served,
                        [t for t in locks if t == "a"])
        where = self.above("ab")
        if kind != "FULL":
            kept = "a" if kind == "LEFT" else "b"
            return Join(f"{a} {kind} JOIN {b} ON {on}", where, "ab", clause, served,
                        [t for t in locks if t == kept])
        parts = [
            (f"{a} LEFT JOIN {b} ON {on}", where),
            (f"{b} LEFT JOIN {a} ON false",
             [*where, f"NOT EXISTS (SELECT FROM {a} WHERE {on})"]),
        ]
        return Join(f"{a} FULL JOIN {b} ON {on}", where, "ab", clause, served, [], parts)

    def half(self, right):
        """A semi-join or an anti-join, whose left side alone is seen."""
        rng = self.rng
        clause, on = self.on()
        a, b = self.table("docs"), self.table(right)
        served = clause.served and "a.grp = b.grp" not in on
        inside = f"FROM {b} b WHERE {on}"
        in_docs = f"FROM {a} a JOIN {b} b ON {on}"
        kind, condition = rng.choice(
            [
                ("a", f"EXISTS (SELECT {inside})"),
                ("a", f"EXISTS (SELECT {inside})"),
                ("a", f"NOT EXISTS (SELECT {inside})"),
                ("a", f"NOT EXISTS (SELECT {inside})"),
                ("correlated", f"a.grp IN (SELECT b.grp {inside})"),
                ("correlated", f"a.k NOT IN (SELECT b.k {inside})"),
                ("inside", f"a.id IN (SELECT a.id {in_docs})"),
                ("inside", f"a.id NOT IN (SELECT a.id {in_docs})"),
                ("inside", f"a.id = ANY (ARRAY(SELECT a.id {in_docs}))"),
                ("inside", f"a.id IN (SELECT b.id {in_docs})"),
            ]
        )
        where = [condition, *self.above("a")]
        locks = ["a"] if a[0] != "(" else []
        return Join(f"{a} a", where, "a", clause, served and kind != "correlated", locks)

    def three(self, right):
        """A join of three tables, by one clause or two."""
        rng = self.rng
        clause, on = self.on(0.3)
        other = self.clause("b", "c")
        a, b, c = f"{self.table('docs')} a", f"{self.table(right)} b", "third c"
        equal = rng.choice(["c.grp = b.grp", "c.grp = a.grp", "c.id = b.id"])
        source = rng.choice(
            [
                f"{a} JOIN {b} ON {on} JOIN {c} ON {equal}",
                f"{a} JOIN {b} ON {on} JOIN {c} ON {other.text}",
                f"{a} LEFT JOIN {b} ON {on} LEFT JOIN {c} ON {equal}",
                f"{a} LEFT JOIN {b} ON {on} LEFT JOIN {c} ON {other.text}",
                f"{a} LEFT JOIN {b} ON {on} JOIN {c} ON {equal}",
                f"{a} LEFT JOIN ({b} JOIN {c} ON c.grp = b.grp) ON {on}",
                f"{a} LEFT JOIN ({b} JOIN {c} ON {other.text}) ON {on}",
                f"{a} RIGHT JOIN {b} ON {on} LEFT JOIN {c} ON {equal}",
                f"{c} LEFT JOIN ({a} JOIN {b} ON {on}) ON {equal}",
                # the planner may join a and b first
                f"{c} LEFT JOIN {a} ON c.grp = a.grp LEFT JOIN {b} ON {on}",
                f"{c} LEFT JOIN ({a} LEFT JOIN {b} ON {on}) ON c.grp = a.grp",
            ]
        )
        where = self.above("abc")
        if rng.random() < 0.2:
            negation = rng.choice(["", "NOT "])
            where.append(f"{negation}EXISTS (SELECT FROM third t WHERE t.id = b.id)")
        served = clause.served and "a.grp = b.grp" not in on
        return Join(source, where, "abc", clause, served, [])

    def join(self, right):
        """A join of any type."""
        kinds = [self.two, self.two, self.two, self.half, self.half, self.three]
        return self.rng.choice(kinds)(right)
