"""Tables with one index each, how they change, and the queries that are compared."""

from dataclasses import dataclass, replace

# Rows that a table has at first, and about how many it has later.
ROWS = 1200

# The values of a row by its number; every table has the same columns.
COLUMNS = """
SELECT i, CASE WHEN i % 29 = 0 THEN NULL WHEN i % 31 = 0 THEN repeat('long name ' || i % 7, 250)
          ELSE 'name ' || repeat('x', i % 6) || i % 53 END,
       ('{{a{{' || i % 40 || '}}' || repeat('{{b}}', i % 4) || '}}')::tree
FROM generate_series({first}, {last}) i
"""


@dataclass(frozen=True)
class Query:
    """A query of TABLE, the kinds of plans in which the index serves it, and whether a standby runs it.

    Those for some of the nearest rows ask for distances alone, as others may be equally near.
    """

    name: str
    sql: str
    plans: tuple = ("index", "bitmap")
    on_standby: bool = True

    def on(self, table):
        """The query on a table."""
        return self.sql.replace("TABLE", table.name)


@dataclass(frozen=True)
class Table:
    """A table and its index."""

    name: str
    index: str
    queries: tuple
    is_lcs: bool = False
    unlogged: bool = False

    def creation(self):
        """Statements that create it."""
        kind = "UNLOGGED TABLE" if self.unlogged else "TABLE"
        return (
            f"CREATE {kind} {self.name} (id bigint, name text, doc tree, pad text DEFAULT repeat('pad', 60));"
            f"{self.insertion(1, ROWS)}; CREATE INDEX {self.name}_index ON {self.name} {self.index};"
            f"VACUUM ANALYZE {self.name};"
        )

    def insertion(self, first, last):
        """A statement that inserts rows with these numbers."""
        return f"INSERT INTO {self.name} (id, name, doc) {COLUMNS.format(first=first, last=last)}"


# The settings that leave the planner no other kind of plan.
PLANS = {
    "seqscan": "SET LOCAL enable_seqscan = on; SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = off;"
    "SET LOCAL enable_indexonlyscan = off; SET LOCAL enable_sort = on;",
    "index": "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = on; SET LOCAL enable_bitmapscan = off;"
    "SET LOCAL enable_indexonlyscan = on; SET LOCAL enable_sort = off;",
    "bitmap": "SET LOCAL enable_seqscan = off; SET LOCAL enable_indexscan = off; SET LOCAL enable_bitmapscan = on;"
    "SET LOCAL enable_indexonlyscan = off; SET LOCAL enable_sort = on;",
}

NEAR = "'{a{7}{b}{b}}'"
COUNT = Query("rows", "SELECT 'row' FROM TABLE", ("index",))
STRINGS = (
    COUNT,
    Query("within", "SELECT id FROM TABLE WHERE lcs_within(name, 'name xxx17', 3)"),
    Query("similar", "SELECT id FROM TABLE WHERE lcs_similar(name, 'name xx3', 0.8)"),
    Query("nearest", "SELECT name <~> 'name xx31' FROM TABLE ORDER BY name <~> 'name xx31' LIMIT 60", ("index",)),
    Query("by distance", "SELECT id FROM TABLE ORDER BY name <%> 'name x5'", ("index",)),
)
TREES = Query("within", f"SELECT id FROM TABLE WHERE tree_within(doc, {NEAR}, 2)")

TABLES = (
    Table("strings", "USING profile (name)", STRINGS, is_lcs=True),
    Table(
        "part",
        "USING profile (name) WHERE id % 3 > 0",
        (
            Query("rows", "SELECT 'row' FROM TABLE WHERE id % 3 > 0"),
            Query("within", "SELECT id FROM TABLE WHERE id % 3 > 0 AND lcs_within(name, 'name xxx17', 3)"),
        ),
        is_lcs=True,
    ),
    Table("unlogged", "USING profile (name)", STRINGS, is_lcs=True, unlogged=True),
    Table(
        "pqgrams",
        "USING profile (doc)",
        (COUNT, Query("by distance", f"SELECT id FROM TABLE ORDER BY doc <#> {NEAR}", ("index",))),
        is_lcs=True,
    ),
    # Index-only scans of GiST return deleted rows beside a vacuum, whatever the operator class.
    Table(
        "gist",
        "USING gist (doc)",
        (
            TREES,
            Query("nearest", f"SELECT doc <-> {NEAR} FROM TABLE ORDER BY doc <-> {NEAR} LIMIT 60", ("index",)),
            Query("by distance", f"SELECT id FROM TABLE ORDER BY doc <-> {NEAR}", ("index",)),
        ),
    ),
    Table("gin", "USING gin (doc)", (Query(TREES.name, TREES.sql, ("bitmap",)),)),
    # PostgreSQL's own, to compare with.  On a standby, its index-only scans return deleted rows beside a
    # vacuum: replay waits only for scans of those pages from which that vacuum removes entries.
    Table(
        "btree",
        "USING btree (name)",
        (
            replace(COUNT, on_standby=False),
            Query("range", "SELECT id FROM TABLE WHERE name BETWEEN 'name x' AND 'name xx4'"),
        ),
    ),
)
