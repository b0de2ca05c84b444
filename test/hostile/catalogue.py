"""What the extensions put within a user's reach, read from the system catalogues."""

import json
from dataclasses import dataclass

MEMBERS = """
SELECT coalesce(json_agg(m), '[]') FROM (
    SELECT p.oid::regprocedure::text AS signature, p.proname AS name,
           array(SELECT format_type(t, NULL) FROM unnest(p.proargtypes) WITH ORDINALITY AS a(t, n)
                 ORDER BY n) AS args,
           coalesce(p.proargnames, '{}') AS names, format_type(p.prorettype, NULL) AS result, p.proretset AS returns_set,
           l.lanname AS language, p.prokind AS kind, p.proisstrict AS strict
    FROM pg_depend d
    JOIN pg_proc p ON p.oid = d.objid
    JOIN pg_language l ON l.oid = p.prolang
    WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
      AND d.refclassid = 'pg_extension'::regclass
      AND d.refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('ted', 'ted_distributed'))
    ORDER BY 1) AS m;
"""

COMPOSITES = """
SELECT coalesce(json_object_agg(format_type(t.oid, NULL), json_build_array(names, types)), '{}')
FROM pg_depend d
JOIN pg_type t ON t.oid = d.objid AND t.typtype = 'c'
CROSS JOIN LATERAL (
    SELECT json_agg(attname ORDER BY attnum) AS names,
           json_agg(format_type(atttypid, NULL) ORDER BY attnum) AS types
    FROM pg_attribute WHERE attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped) AS a
WHERE d.classid = 'pg_type'::regclass AND d.deptype = 'e'
  AND d.refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('ted', 'ted_distributed'));
"""

# Signatures of the C functions that the catalogues name in a part that needs `internal`.
ROLES = """
WITH member AS (
    SELECT classid, objid FROM pg_depend
    WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
      AND refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('ted', 'ted_distributed')))
SELECT json_object_agg(role, signatures) FROM (
    SELECT role, json_agg(DISTINCT f::regprocedure::text) AS signatures FROM (
        SELECT 'support', prosupport FROM pg_proc
        UNION ALL SELECT 'estimator', unnest(ARRAY[oprrest, oprjoin]) FROM pg_operator
        UNION ALL SELECT am.amname, amproc FROM pg_amproc
            JOIN pg_opfamily fam ON fam.oid = amprocfamily JOIN pg_am am ON am.oid = fam.opfmethod
        UNION ALL SELECT 'type', unnest(ARRAY[typinput, typoutput, typreceive, typsend, typanalyze])
            FROM pg_type
        UNION ALL SELECT 'aggregate', unnest(ARRAY[aggtransfn, aggfinalfn, aggcombinefn])
            FROM pg_aggregate
    ) AS r(role, f)
    WHERE f::oid IN (SELECT objid FROM member WHERE classid = 'pg_proc'::regclass)
    GROUP BY role) AS s;
"""

# Transition functions with the final ones of the same aggregate.
AGGREGATED = """
SELECT coalesce(json_agg(json_build_array(aggtransfn::oid::regprocedure::text, aggfinalfn::oid::regprocedure::text)), '[]')
FROM pg_aggregate JOIN pg_depend ON classid = 'pg_proc'::regclass AND objid = aggfnoid AND deptype = 'e'
WHERE aggfinalfn <> 0 AND refclassid = 'pg_extension'::regclass
  AND refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('ted', 'ted_distributed'));
"""

# Arrays of symbols, of elements with equal bytes and of others with an operator of their own.
ARRAYS = ["integer[]", "smallint[]", "bigint[]", "text[]", "numeric[]"]

# Types that a polymorphic argument has.
POLYMORPHIC = {"anyarray": ARRAYS, "anyelement": ["tree", "text", "integer"]}


@dataclass(frozen=True)
class Function:
    """A function of the extension."""

    signature: str
    name: str
    args: tuple
    names: tuple
    result: str
    returns_set: bool
    language: str
    kind: str
    strict: bool

    @property
    def is_aggregate(self):
        """Whether it is an aggregate."""
        return self.kind == "a"

    @property
    def is_window(self):
        """Whether it is called for a window only."""
        return self.kind == "w"

    @property
    def takes_internal(self):
        """Whether SQL can hand it only NULLs for some arguments."""
        return "internal" in self.args


def functions_of(row):
    """A function, or one for each of some types where it takes any."""
    polymorphic = next((arg for arg in row["args"] if arg in POLYMORPHIC), None)
    for sql_type in POLYMORPHIC.get(polymorphic, [None]):
        args = tuple(sql_type if arg == polymorphic else arg for arg in row["args"])
        result = sql_type if row["result"] == polymorphic else row["result"]
        yield Function(**{**row, "args": args, "names": tuple(row["names"]), "result": result})


class Catalogue:
    """The members of the extension."""

    def __init__(self, server):
        self.query = server.query
        rows = json.loads(server.query(MEMBERS))
        self.functions = [function for row in rows for function in functions_of(row)]
        rows = json.loads(server.query(COMPOSITES))
        self.composites = {sql_type: types for sql_type, (_, types) in rows.items()}
        self.first_attribute = {sql_type: names[0] for sql_type, (names, _) in rows.items()}
        self.aggregated = set(map(tuple, json.loads(server.query(AGGREGATED))))
        self.roles = {role: set(of) for role, of in json.loads(server.query(ROLES)).items()}

    @property
    def plain(self):
        """Functions that are neither aggregates nor for windows."""
        return [f for f in self.functions if not f.is_aggregate and not f.is_window]

    @property
    def windows(self):
        """Functions for windows."""
        return [f for f in self.functions if f.is_window]

    @property
    def aggregates(self):
        """Aggregates."""
        return [f for f in self.functions if f.is_aggregate]

    @property
    def in_c(self):
        """Signatures of the functions written in C."""
        return {f.signature for f in self.functions if f.language == "c"}

    def types(self):
        """Types of arguments and of their elements, and the extension's own types of rows."""
        types = {arg for f in self.functions for arg in f.args}
        return sorted(types | {arg.removesuffix("[]") for arg in types} | set(self.composites))
