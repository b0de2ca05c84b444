"""Values of every type that the extension's functions take, as SQL expressions."""

import re

from trees import left, path, random_tree, right, scattered, star, zigzag

SCHEMA = "hostile"

INTEGERS = ["0", "1", "-1", "2", "7", "100", "1000000"]
INFINITE = ["'NaN'", "'Infinity'", "'-Infinity'"]
TEXTS = [
    "''", "'a'", "'A'", "' '", "'{'", "'}'", "'é'", "'日本語'", "E'\\t\\n\\r\\\\'", "'NULL'", "'%s%n'",
    "'child'", "'drop'", "'full'", "'last'", "'structure'", "'collapse'", "'/a/b'", "'//'", "'*'", "'a[1]'",
    "repeat('ab', 5000)", "repeat('日', 3000)", "repeat(chr(233), 70)", "md5('x')", "'l'", "'r'", "'local'",
    "'<p a=b>c<td colspan=x>'", "'<table><tr><td>a<td colspan=2><b>b</b></table>'", "('<table>' || repeat('<tr><td>x', 300))",
]
JSON = [
    "'null'", "'{}'", "'[]'", "'\"\"'", "'1e400'", "'-0'", "'[[[]]]'", "'{\"a\": {\"b\": [1, null, true]}}'",
    "'{\"a\": 1, \"a\": 2}'", "'{\"\": \"\"}'", "('[' || repeat('1,', 3000) || '1]')", "'\"\\u00e9\"'",
    "(repeat('[', 3000) || repeat(']', 3000))", "(repeat('{\"a\":', 900) || '1' || repeat('}', 900))",
    "'\"{}\"'", "' [ 1 , 2 ] '",
]
XML = [
    "'<a/>'", "''", "'text'", "'<a>b<c/>d</a>'", "'<a/><b/>'", "'<a x=\"1\" y=\"\"/>'", "'<!-- c -->'",
    "'<a><![CDATA[ ]]></a>'", "'<p:a xmlns:p=\"u\" p:b=\"c\"/>'", "'<?pi x?>'", "'<?xml version=\"1.0\"?><a/>'",
    "'<!DOCTYPE a [<!ENTITY e \"x\">]><a>&e;</a>'", "(repeat('<a>', 250) || repeat('</a>', 250))",
    "(repeat('<a>', 3000) || repeat('</a>', 3000))", "('<a>' || repeat('<b/>', 3000) || '</a>')", "'<é>&#x1F600;</é>'",
]
COSTS = [
    "'{}'", "'{\"insert\": 0, \"delete\": 0}'", "'{\"insert\": 100000, \"delete\": 100000, \"rename\": 100000}'",
    "tree_costs(texts => 'lcs', numbers => 'relative')", "tree_costs(texts => 'levenshtein')",
    "tree_costs(arrays => 'unordered')", "tree_costs(rename => 0.5, arrays => 'unordered')",
    "tree_costs(ignore => '{a,b*,element()}')", "tree_costs(ignore => '{/a/*,//b/a,//*/a/text()}')", "tree_costs(rename => 100000, ignore => '{x*,value()}')",
    "'{\"rules\": [{\"pattern\": \"*\", \"rename\": \"never\"}, {\"pattern\": \"text()\", \"texts\": \"lcs\"}]}'",
    "(SELECT tree_costs_agg(n::text, 1, 2, 0.001) FROM generate_series(1, 3000) n)",
    "(SELECT tree_costs_agg('//a/' || n, 1, 2, 0.001) FROM generate_series(1, 3000) n)",
    "tree_costs(rename => 0.5, numbers => 'value', rules => '[{\"pattern\": \"a\", \"insert\": 2, \"texts\": \"lcs\"}]')",
    "tree_costs(ignore => ARRAY[repeat('/a', 3000), '/a/' || repeat('b', 3000) || '*'])",
    "tree_costs(tolerance => 1e308, relative_tolerance => 0.1)", "tree_costs(tolerance => 5e-324, numbers => 'relative', texts => 'lcs')",
    "tree_costs(ignore_values => ARRAY['^(a*)*$', '[0-9]', repeat('(x|', 200) || repeat(')', 200)])",
    "tree_costs(array_keys => '{/*/a,//*/*/a/b*}', unordered => '{array()}')", "tree_costs(unordered => '{*}')",
    "'{\"rules\": [{\"pattern\": \"a\", \"matches\": \"\", \"ignore\": true}, {\"pattern\": \"a\", \"tolerance\": 2}]}'",
]
DEEP = 100_000

# Types without values of their own in tables.
PSEUDO = ("cstring", "internal")


def quoted(text):
    """An SQL constant."""
    return "'" + text.replace("'", "''") + "'"


def tree_texts(rng):
    """Bracket notation that is a tree: the shapes, and some sizes of each."""
    labels = ["a", "b", "", "é"]
    shapes = [path, star, left, right, zigzag, lambda some: scattered(some, rng)]
    for shape in shapes:
        for size in (1, 9, 301):
            yield shape([labels[i * i % 4] for i in range(size)])
    yield star([str(i) for i in range(300)])
    yield "{" + "x" * 3000 + "{" + "y" * 300 + "}}"


def tree_edges(rng):
    """Trees at the limits."""
    deep = f"(repeat('{{a', {DEEP}) || repeat('}}', {DEEP}))"
    wide = "('{r' || repeat('{s}', 70000) || '}')"
    many = "('{r' || (SELECT string_agg('{' || g || '}', '') FROM generate_series(1, 66000) g) || '}')"
    return [*map(quoted, tree_texts(rng)), "' {a} '", deep, wide, many]


def cstrings(rng):
    """Input of types, most of it refused."""
    broken = ["", "{", "}", "{}}", "{a", "a", "{a}{b}", "{\\", "{\\x}", "{\\{}", "{{}}", " { } ", "\\"]
    broken += ['{"insert": -1}', '{"rules": [{"pattern": "a()"}]}', '{"rules": 1}', '{"rename": 1e999}', '{"insert": {}}']
    return [quoted(text) for text in [*broken, *list(tree_texts(rng))[:8]]]


def whole(least, greatest):
    """Integers of a type."""
    return [*INTEGERS, f"({least})", f"({least} + 1)", f"{greatest}", f"({greatest} - 1)"]


class Values:
    """Pools of values by type, and random ones."""

    def __init__(self, catalogue, rng):
        self.rng = rng
        self.composites = catalogue.composites
        self.first_attribute = catalogue.first_attribute
        self.edges = {
            "tree": tree_edges(rng),
            "cstring": cstrings(rng),
            "text": TEXTS,
            "bytea": ["''", "'\\x00'", "'\\xff00ff'", "decode(repeat('00ff', 3000), 'hex')", "'abc'"],
            "smallint": whole("-32768", "32767")[:-5] + ["(-32768)", "32767"],
            "integer": whole("-2147483647 - 1", "2147483647"),
            "bigint": whole("-9223372036854775807 - 1", "9223372036854775807"),
            "oid": ["0", "1", "16", "4294967295", "'tree'::regtype::oid"],
            "numeric": [*INTEGERS, "1.0", "1.00", "0.000", "-0.5", "1e-300", "1e300", "'NaN'", "'Infinity'"],
            "name": ["''", "'a'", "'doc'", "'A \"quoted\" name'", "repeat('é', 40)"],
            "regtype": ["0", "4294967295", "'integer'", "'tree'", "'tree_match'", "'anyelement'"],
            "regcollation": ["0", "4294967295", "'\"C\"'", "'\"default\"'", "950"],
            "regclass": ["0", "4294967295", "'pg_class'", "'pg_class_oid_index'", "2836", "'pg_stats'"],
            "double precision": [
                *INFINITE, "'-0'", "0", "0.5", "1", "'4.9e-324'", "'1.7976931348623157e308'", "'-1e-300'", "2",
                "0.9999999999999999", "'1e-308'",
            ],
            "boolean": ["true", "false"],
            '"char"': ["'l'", "'r'", "''", "'x'", "'L'", "'é'", "(-128)::\"char\"", "127::\"char\""],
            "tree_costs": COSTS,
            "json": JSON,
            "jsonb": JSON,
            "xml": XML,
        }

        self.types = [t for t in catalogue.types() if self.knows(t) and t not in PSEUDO]

    def knows(self, sql_type):
        """Whether there are values of a type."""
        element = element_type(sql_type)
        if element:
            return self.knows(element)
        if sql_type in self.composites:
            return all(map(self.knows, self.composites[sql_type]))
        return sql_type in self.edges or sql_type == "internal"

    def pool(self, sql_type):
        """Values at the edges of a type, each of which is to be used."""
        if sql_type == "internal":
            return ["NULL"]
        null = f"NULL::{sql_type}"
        element = element_type(sql_type)
        if element:
            return [null, *self._array_edges(element)]
        if sql_type in self.composites:
            return [null, *self._composite_edges(sql_type)]
        return [null, *(f"({value})::{sql_type}" for value in self.edges[sql_type])]

    def any(self, sql_type):
        """A value of a type, which may be anything."""
        element = element_type(sql_type)
        if self.rng.random() < 0.05:
            return "NULL" if sql_type == "internal" else f"NULL::{sql_type}"
        if sql_type == "tree":
            small = self.rng.random() < 0.85
            text = quoted(random_tree(self.rng)) if small else self.rng.choice(self.edges["tree"])
            return f"({text})::tree"
        if element:
            return self._array(element)
        if sql_type in self.composites:
            return self._row(sql_type)
        return self.rng.choice(self.pool(sql_type))

    def initial_states(self, sql_type):
        """States to begin with, as expressions of their texts."""
        if sql_type == "internal":
            yield ""
            return
        if element_type(sql_type):
            yield ""
            yield "'[2147483647:2147483647]={NULL}'"
            yield "'[2147483646:2147483646]={NULL}'"
        for value in self.pool(sql_type)[1:]:
            if "repeat" not in value and "ARRAY[9000]" not in value:
                yield value

    def _row(self, sql_type):
        attributes = ", ".join(map(self.any, self.composites[sql_type]))
        return f"ROW({attributes})::{sql_type}"

    def _composite_edges(self, sql_type):
        types = self.composites[sql_type]
        yield f"ROW({', '.join('NULL' for _ in types)})::{sql_type}"
        for number, attribute in enumerate(types):
            for edge in self.pool(attribute)[:20]:
                others = list(map(self.any, types))
                others[number] = edge
                yield f"ROW({', '.join(others)})::{sql_type}"

    def _elements(self, element, count):
        return ", ".join(self.any(element) for _ in range(count))

    def _array(self, element):
        flat = f"ARRAY[{self._elements(element, self.rng.randint(0, 5))}]::{element}[]"
        return self.rng.choice([flat, flat, flat, *self._array_edges(element)])

    def _array_edges(self, element):
        one = self.any(element)
        two = f"{one}, {self.any(element)}"
        lows = ["-2147483648", "2147483645", "0", "-5"]
        return [
            f"'{{}}'::{element}[]",
            f"ARRAY[NULL]::{element}[]",
            f"ARRAY[{one}, NULL, {one}]::{element}[]",
            f"ARRAY[ARRAY[{two}], ARRAY[{two}]]::{element}[]",
            f"ARRAY[ARRAY[ARRAY[ARRAY[ARRAY[ARRAY[{one}]]]]]]::{element}[]",
            f"ARRAY[ARRAY[{one}]]::{element}[]",
            *(f"array_fill({one}, ARRAY[2], ARRAY[{low}])" for low in lows),
            f"array_fill({one}, ARRAY[1], ARRAY[2147483646])",
            f"array_fill({one}, ARRAY[2, 3], ARRAY[2147483640, -2147483648])",
            f"array_fill({one}, ARRAY[500])",
            f"array_fill(NULL::{element}, ARRAY[9000])",
            f"(ARRAY[{two}, {one}])[2:3]",
            f"array_append(ARRAY[{one}]::{element}[], {one})",
        ]


def element_type(sql_type):
    """Type of the elements of an array type, or None."""
    return sql_type[:-2] if sql_type.endswith("[]") else None


def mangled(sql_type):
    """A type's name as part of an identifier."""
    return re.sub(r"\W+", "_", sql_type.replace("[]", "_array"))
