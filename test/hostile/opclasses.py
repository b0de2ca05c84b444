"""Operator classes of the extension's members, on its types and on others.

Only superusers make operator classes; anybody may use them.
"""

import json

from batch import Batch, some
from routes import domain, kept
from values import SCHEMA

TABLE = f"{SCHEMA}.classed"

# Parts of the extension's own operator classes, by access method, whose handler every index
# calls, and their storage.
CLASSES = """
SELECT coalesce(json_agg(c), '[]') FROM (
    SELECT am.amname AS method, format_type(c.opcintype, NULL) AS type,
           CASE WHEN c.opckeytype <> 0 THEN format_type(c.opckeytype, NULL) END AS storage,
           array(SELECT format('OPERATOR %s %s (%s, %s)%s', amopstrategy, amopopr::regoper,
                               format_type(amoplefttype, NULL), format_type(amoprighttype, NULL),
                               CASE amoppurpose WHEN 'o' THEN ' FOR ORDER BY pg_catalog.float_ops' ELSE '' END)
                 FROM pg_amop WHERE amopfamily = c.opcfamily ORDER BY amopstrategy) AS operators,
           array(SELECT format('FUNCTION %s %s', amprocnum, amproc::regprocedure)
                 FROM pg_amproc WHERE amprocfamily = c.opcfamily ORDER BY amprocnum) AS functions,
           array(SELECT amproc::regprocedure::text
                 FROM pg_amproc WHERE amprocfamily = c.opcfamily
                 UNION SELECT am.amhandler::regprocedure::text) AS signatures
    FROM pg_opclass c JOIN pg_am am ON am.oid = c.opcmethod
    WHERE c.oid IN (SELECT objid FROM pg_depend WHERE classid = 'pg_opclass'::regclass
                    AND deptype = 'e'
                    AND refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ted'))
    ORDER BY 1) AS c;
"""

# What only a superuser can bring about and the extension cannot tell, with the reasons.
SUPERUSERS_RESPONSIBILITY = {
    "a GIN or GiST class on a type that is no tree":
        "support functions get values, not types, and a by-value type cannot be told from a"
        " pointer; the access method's documentation makes the class's author answer for it",
    "a B-tree or hash class that lacks operators":
        "CREATE OPERATOR CLASS does not check completeness, and the planner relies on it",
    "a support function in the place of another one":
        "CREATE OPERATOR CLASS: an access method trusts functions that are declared internal",
    "a GiST class without the STORAGE of its functions":
        "compressed keys would be read as trees by PostgreSQL's own functions",
}

# Statements that build an index of a class, fill it and search it.
USES = [
    "CREATE INDEX classed_v ON {table} USING {method} (v {schema}.hostile_ops)",
    "INSERT INTO {table} SELECT n, v FROM {table} WHERE n < 20",
    "INSERT INTO {table} VALUES (-1, NULL)",
    "UPDATE {table} SET v = v WHERE n % 2 = 0",
    "DELETE FROM {table} WHERE n % 5 = 0",
    "VACUUM {table}",
    "ANALYZE {table}",
    "SET enable_seqscan = off",
    "SELECT n FROM {table} WHERE v <~ {range}",
    "SELECT n FROM {table} WHERE v <~ NULL",
    "SELECT n FROM {table} WHERE v <~ ROW(NULL, 1, NULL)::tree_range",
    "SELECT n FROM {table} WHERE v <~ {range} AND v <~ {range} OR v <~ {range}",
    "SELECT n FROM {table} ORDER BY v <-> {value} LIMIT 9",
    "SELECT n FROM {table} ORDER BY v <-> NULL LIMIT 9",
    "SELECT n FROM {table} ORDER BY v <#> {value} LIMIT 9",
    "SELECT count(*) FROM {table}",
    "SELECT n FROM {table} WHERE v <~ {range} ORDER BY v <-> {value} LIMIT 9",
    "SELECT n FROM {table} WHERE tree_within(v, {value}, 3)",
    "SELECT n FROM {table} WHERE tree_similar(v, {value}, 0.5)",
    "SELECT n FROM {table} WHERE v = {value}",
    "SELECT n FROM {table} WHERE v BETWEEN {value} AND {value} ORDER BY v, n",
    "SELECT a.n FROM {table} AS a JOIN {table} AS b ON a.v <~ tree_range(b.v, 1)",
    "SELECT a.n FROM {table} AS a JOIN {table} AS b ON a.v <~ tree_similarity_range(b.v, 0.7)",
    "SELECT a.n, (SELECT b.n FROM {table} AS b ORDER BY b.v <-> a.v LIMIT 1) FROM {table} AS a",
    "SET enable_bitmapscan = off",
    "SELECT n FROM {table} WHERE v <~ {range}",
    "SELECT n FROM {table} WHERE v <~ ANY (ARRAY[{range}, NULL])",
    "DECLARE c SCROLL CURSOR WITH HOLD FOR SELECT n FROM {table} ORDER BY v <-> {value}",
    "FETCH 5 FROM c",
    "FETCH BACKWARD 3 FROM c",
    "CLOSE c",
    "REINDEX TABLE {table}",
    "CLUSTER {table} USING classed_v",
    "DROP INDEX {schema}.classed_v",
    "CREATE INDEX classed_v ON {table} USING {method} (v {schema}.hostile_ops, (v::text::tree) {schema}.hostile_ops)",
    "CREATE INDEX ON {table} USING {method} (({schema}.same_plpgsql(v)) {schema}.hostile_ops) WHERE n > 3",
    "ALTER TABLE {table} ADD EXCLUDE USING {method} (v {schema}.hostile_ops WITH <~)",
    "ALTER TABLE {table} ADD EXCLUDE USING {method} (v {schema}.hostile_ops WITH =)",
    "ALTER TABLE {table} ALTER v TYPE text USING v::text",
]


def creation(part, sql_type, operators):
    """The statement that makes a class of parts."""
    storage = [f"STORAGE {part['storage']}"] if part["storage"] else []
    parts = ", ".join([*operators, *part["functions"], *storage])
    return f"CREATE OPERATOR CLASS {SCHEMA}.hostile_ops FOR TYPE {sql_type} USING {part['method']} AS {parts}"


def variations(part, rng, count):
    """Lists of operators for a class: its own, fewer, and others of the access method."""
    own = part["operators"]
    yield own
    if part["method"] in ("gin", "gist"):
        for number in some(rng, range(len(own)), 2, count):
            yield own[:number] + own[number + 1 :]
        by_distance = "(tree, tree) FOR ORDER BY pg_catalog.float_ops"
        yield [*own, f"OPERATOR {rng.randint(2, 14)} public.<~ (tree, tree_range)"]
        if part["method"] == "gist":
            yield ["OPERATOR 1 public.<~ (tree, tree_range)", f"OPERATOR 9 public.<-> {by_distance}"]


def batches(catalogue, values, count):
    """All classes, over trees and over domains, in several variations."""
    for reason, why in SUPERUSERS_RESPONSIBILITY.items():
        yield Batch(f"{reason} # SKIP {why}", [])
    for part in json.loads(catalogue.query(CLASSES)):
        for operators in variations(part, values.rng, count):
            for column in some(values.rng, ["tree", domain("tree")], 1, count):
                yield Batch(
                    f"{part['method']} classes on {part['type']}",
                    list(uses(part["method"], values)),
                    setup=[
                        f"DROP TABLE IF EXISTS {TABLE}",
                        f"CREATE TABLE {TABLE} AS SELECT n, main::{column} AS v FROM {kept('tree')},"
                        " generate_series(1, 4) WHERE tree_size(main) < 400",
                    ],
                    superuser=[
                        f"DROP OPERATOR FAMILY IF EXISTS {SCHEMA}.hostile_ops USING {m} CASCADE"
                        for m in ("gin", "gist", "btree", "hash", "profile")
                    ]
                    + [f"SET search_path = {SCHEMA}, public", creation(part, part["type"], operators)],
                    covers=set(part["signatures"]) & catalogue.in_c,
                )


def uses(method, values):
    """Statements that use a class."""
    for template in USES:
        yield template.format(
            table=TABLE,
            method=method,
            schema=SCHEMA,
            range=values.any("tree_range"),
            value=values.any("tree"),
        )
