"""Ways by which a value reaches a function: wrappers, domains, tables, parameters."""

from values import PSEUDO, SCHEMA, element_type, mangled

WRAPPERS = [
    f"CREATE FUNCTION {SCHEMA}.same_sql(v anyelement) RETURNS anyelement LANGUAGE sql AS 'SELECT v'",
    f"CREATE FUNCTION {SCHEMA}.same_query(v anyelement) RETURNS anyelement LANGUAGE sql STABLE"
    " PARALLEL SAFE AS 'SELECT v OFFSET 0'",
    f"CREATE FUNCTION {SCHEMA}.same_plpgsql(v anyelement) RETURNS anyelement LANGUAGE plpgsql"
    " AS 'BEGIN RETURN v; END'",
    f"CREATE FUNCTION {SCHEMA}.same_compatible(v anycompatible, w anycompatible) RETURNS anycompatible"
    " LANGUAGE plpgsql AS 'BEGIN RETURN v; END'",
    f"CREATE FUNCTION {SCHEMA}.same_array(v anyarray) RETURNS anyarray LANGUAGE plpgsql"
    " AS 'DECLARE r v%TYPE; BEGIN r := v; IF array_length(r, 1) > 0 THEN"
    " r[array_lower(r, 1)] := r[array_upper(r, 1)]; END IF; RETURN r; END'",
    f"CREATE FUNCTION {SCHEMA}.same_sliced(v anyarray) RETURNS anyarray LANGUAGE plpgsql"
    " AS 'BEGIN v[3:4] := v[1:2]; RETURN v; EXCEPTION WHEN others THEN RETURN v; END'",
]

# A property that has to hold.
HOLDS = f"""CREATE FUNCTION {SCHEMA}.holds(what text, fact boolean) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF fact IS DISTINCT FROM true THEN
        RAISE EXCEPTION 'does not hold: %', what USING ERRCODE = 'HF000';
    END IF;
END $$"""

# How a column keeps its values: in line, out of line, compressed, or as it comes.
STORAGES = ("plain", "external", "main", "extended")


def kept(sql_type):
    """Name of the table that keeps a type's values."""
    return f"{SCHEMA}.kept_{mangled(sql_type)}"


def domain(sql_type):
    """Name of the domain over a type."""
    return f"{SCHEMA}.d_{mangled(sql_type)}"


def is_variable_length(sql_type):
    """Whether values of a type may be stored in several ways."""
    return element_type(sql_type) or sql_type in (
        "tree", "text", "bytea", "json", "jsonb", "xml"
    ) or sql_type.startswith("tree_") or sql_type.startswith("string_")


def table_of(sql_type, values):
    """Statements that keep values of a type in every storage."""
    pool = values.pool(sql_type)
    columns = ", ".join(f"{storage} {sql_type}" for storage in STORAGES)
    yield f"CREATE TABLE {kept(sql_type)} (n int PRIMARY KEY, {columns})"
    if is_variable_length(sql_type):
        for storage in STORAGES:
            yield f"ALTER TABLE {kept(sql_type)} ALTER {storage} SET STORAGE {storage}"
    for number, value in enumerate(pool):
        fields = ", ".join([str(number), "NULL"] + ["v"] * (len(STORAGES) - 1))
        yield f"INSERT INTO {kept(sql_type)} SELECT {fields} FROM (SELECT {value} AS v) AS s"
        yield (
            f"UPDATE {kept(sql_type)} SET plain = extended"
            f" WHERE n = {number} AND pg_column_size(extended) < 2000"
        )


def expanded(sql_type, values):
    """A function that keeps a value in a variable, where arrays and rows are expanded."""
    change = ""
    if sql_type in values.composites:
        first = values.first_attribute[sql_type]
        change = f"r.{first} := r.{first};"
    return (
        f"CREATE FUNCTION {SCHEMA}.x_{mangled(sql_type)}(v {sql_type}) RETURNS {sql_type}"
        f" LANGUAGE plpgsql STABLE PARALLEL SAFE AS 'DECLARE r {sql_type}; BEGIN r := v; {change} RETURN r; END'"
    )


def preparation(values):
    """Statements that make what the routes need."""
    yield from WRAPPERS
    yield HOLDS
    for sql_type in values.types:
        yield expanded(sql_type, values)
        yield f"CREATE DOMAIN {domain(sql_type)} AS {sql_type}"
        yield from table_of(sql_type, values)


def from_table(sql_type, values):
    """Another value of the type, from a table."""
    number = values.rng.randrange(len(values.pool(sql_type)))
    storage = values.rng.choice(STORAGES)
    return f"(SELECT {storage} FROM {kept(sql_type)} WHERE n = {number})"


def routed(expression, sql_type, values):
    """The value, perhaps by a detour."""
    rng = values.rng
    if sql_type in PSEUDO or rng.random() < 0.4:
        return expression
    detours = [
        f"{SCHEMA}.same_sql({expression})",
        f"{SCHEMA}.same_query({expression})",
        f"{SCHEMA}.same_plpgsql({expression})",
        f"{SCHEMA}.x_{mangled(sql_type)}({expression})",
        f"{SCHEMA}.same_compatible({expression}, NULL::{sql_type})",
        f"({expression})::{domain(sql_type)}",
        f"{SCHEMA}.same_plpgsql(({expression})::{domain(sql_type)})",
        f"(SELECT {expression} OFFSET 0)",
        f"CASE WHEN random() >= 0 THEN {expression} END",
        from_table(sql_type, values),
        from_table(sql_type, values),
        f"{SCHEMA}.same_plpgsql({from_table(sql_type, values)})",
    ]
    if element_type(sql_type):
        element = element_type(sql_type)
        detours += [
            f"{SCHEMA}.same_array({expression})",
            f"{SCHEMA}.same_sliced({expression})",
            f"({expression})::{domain(element)}[]",
            f"{SCHEMA}.same_array(({expression})::{domain(element)}[])",
        ]
    else:
        detours.append(f"(ARRAY[{expression}])[1]")
    return rng.choice(detours)
