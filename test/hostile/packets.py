"""Packets of joins over servers: those of every step, mutated, sent by others, to others, or not at all.

The steps run in one table of packets, as workers of Citus run them.  What a step accepts is handed
to the next ones: it may be nonsense, but none that the next step trusts.  Texts that come out are
valid in the database's encoding.
"""

from batch import Batch
from mutations import ID_TYPES, VALID, mutated
from routes import routed
from trees import random_tree
from values import SCHEMA, quoted

T = f"{SCHEMA}.packets"

# Calls of one session.
BATCH = 100

# Joins whose packets are taken: kind, threshold, whether there are two tables, homes, owners.
JOINS = [("tree", 1, False, 2, 3), ("tree", 2, True, 3, 2), ("tree", 9, False, 1, 4), ("tree", 600, False, 2, 5),
         ("text", 0.5, False, 2, 6), ("text", 0.8, True, 3, 4)]

# By step: aggregate, steps whose packets it gets, whether it answers homes or owners.
STEPS = [("find_shared", "o", True), ("least_keys", "ks", False), ("values", "gl", True), ("document_values", "ksv", False)]

# Numbers of homes, owners, cells and packets at their limits.
NUMBERS = [-2147483648, -1, 0, 1, 2, 5, 249, 250, 999, 1000, 1001, 2147483647, "NULL"]
KINDS = [("'tree'", ["-1", "0", "1", "6", "7", "24", "25", "1e9", "'NaN'", "'Infinity'", "NULL"]),
         ("'text'", ["-1", "0", "1e-300", "0.5", "1", "2", "'NaN'", "NULL"]), ("'xml'", ["1"]), ("NULL", ["1"])]

# Documents of ids that are texts, half of them trees like others.
DOCS = f"""CREATE TABLE {T}_docs AS
SELECT i AS n, quote_literal(i) || repeat(' é', i % 4) AS id, ('{{a{{b' || i % 3 || '}}{{c' || i % 7 || '{{d}}}}' || repeat('{{e}}', i % 5) || '}}')::tree AS tree,
       left(md5((i / 3)::text) || md5(i::text), 10 + i % 40) AS text FROM generate_series(1, 120) AS i"""

# What later steps trust of the plan that a step makes, which may be of mutated packets.
PLANNED = f"""CREATE FUNCTION {SCHEMA}.planned(plan bytea, places int) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
    of_cells int[];
BEGIN
    BEGIN
        of_cells := ted_places_of_cells(plan);
    EXCEPTION WHEN invalid_parameter_value THEN
        PERFORM {SCHEMA}.holds('a plan is read', false);
    END;
    PERFORM {SCHEMA}.holds('cells have places', 0 <= ALL (of_cells) AND places > ALL (of_cells));
    RETURN plan;
END $$"""


def is_keyed(join):
    """Whether documents of a join have keys."""
    return join[0] == "tree" and join[1] < 25


def queries(kind, two_sided, homes, owners, threshold):
    """Queries of step 1, in which %1$I is the schema of the functions, and %3$s the label counts."""
    least = ", ".join(str(-2147483648 + i * (4294967296 // homes)) for i in range(homes))
    for source, side in enumerate(["l", "r"] if two_sided else [""]):
        documents = quoted(f"SELECT '{side}'::\"char\", id, {kind} FROM {T}_docs UNION ALL SELECT '{side}', NULL, {kind} FROM {T}_docs WHERE n = 1")
        yield f"SELECT (r).* FROM (SELECT %1$I.ted_read_documents({documents}, {source}, '{{{least}}}', %3$s, {owners}, '{kind}', {threshold}) AS r OFFSET 0) r"


def making():
    """Statements that run all steps of each join, over a table for each."""
    yield DOCS
    for j, (kind, threshold, two_sided, homes, owners) in enumerate(JOINS):
        table = f"{T}_{j}"
        keys = {name: "{" + ",".join(map(str, range(number))) + "}" for name, number in (("homes", homes), ("owners", owners))}
        fleet = f"jsonb_build_object('table', '{table}', 'homes', '{keys['homes']}', 'owners', '{keys['owners']}', 'seconds', '[]'::jsonb)"
        reading = ", ".join(map(quoted, queries(kind, two_sided, homes, owners, threshold)))
        yield f"CREATE TABLE {table} (place int, step \"char\", number int, sender int, seq int, packed bytea)"
        counts = f"(SELECT ted_label_counts(tree) FROM {T}_docs)" if is_keyed(JOINS[j]) else "NULL::bytea"
        yield f"SELECT 'cells ' || length(ted_make_cells({fleet}, ARRAY[{reading}], {counts}, {two_sided}, '{kind}', {threshold})::text)"
        yield (
            f"INSERT INTO {table} SELECT 0, a.* FROM (SELECT ted_join_cell(packed, sender, '{kind}', {threshold}, number, {homes}, {not two_sided},"
            f" 'text', NULL) AS f FROM {table} WHERE step = 'b' GROUP BY number) AS f, unnest(f) AS a"
        )
        yield (
            f"INSERT INTO {table} SELECT 0, 'p', 0, 0, 0, ted_plan_cells(step, {int(two_sided)}, sender, seq, packed, {owners}, '{kind}', {threshold})"
            f" FROM {table} WHERE step IN ('z', 'h')"
        )
        yield f"SELECT {j}, step, number, sender, seq, encode(packed, 'hex') FROM {table} ORDER BY step, number, sender, seq"


def made(catalogue):
    """The packets of all joins, by these: step, number, sender, seq, bytes."""
    output = catalogue.query("; ".join([f"SET search_path = {SCHEMA}, public", *making(), f"GRANT SELECT ON {T}_docs TO public"]) + ";")
    packets = [[] for _ in JOINS]
    for line in output.splitlines():
        fields = line.split("|")
        if len(fields) == 6:
            j, step, number, sender, seq, packed = fields
            packets[int(j)].append((step, int(number), int(sender), int(seq), bytes.fromhex(packed)))
    for join, of_join in zip(JOINS, packets):
        missing = set("dzkosglvchbfp" if is_keyed(join) else "dzbfp") - {p[0] for p in of_join}
        if missing:
            raise ValueError(f"join {join} has no packets of these steps: {missing}")
    return packets


class Mail:
    """Packets that are nearly right."""

    def __init__(self, packets, rng):
        self.packets = packets
        self.rng = rng
        self.everything = [packed for of_join in packets for *_, packed in of_join]

    def bytes_of(self, packed):
        """The bytes of a packet, mutated or not."""
        return mutated(packed, self.rng, self.everything) if self.rng.random() < 0.6 else packed

    def number(self, number):
        """A number, mostly the right one."""
        return self.rng.choice(NUMBERS) if self.rng.random() < 0.05 else number

    def id_type(self, id_type):
        """A type of ids and a collation as SQL, mostly the right ones."""
        rng = self.rng
        wrong = rng.random() < 0.05
        collation = rng.choice(["NULL", "NULL", "'\"C\"'", "'\"default\"'", "0", "1", "424242"] if wrong else ["NULL", "'\"C\"'"])
        return f"{rng.choice(['NULL', '0', '424242', quoted('anyarray'), quoted('internal'), quoted('record')]) if wrong else quoted(id_type)}, {collation}"

    def columns(self, id_type):
        """Definitions of the columns of pairs, mostly the right ones."""
        if self.rng.random() < 0.95:
            return f"left_id {id_type}, right_id {id_type}, measure float8"
        return self.rng.choice(["left_id text, right_id integer, measure float8", f"left_id {id_type}, right_id {id_type}, measure text", f"left_id {id_type}"])

    def spec(self, kind, threshold):
        """A kind and a threshold as SQL, mostly the right ones."""
        rng = self.rng
        if rng.random() < 0.85:
            return f"'{kind}'", str(threshold)
        kind, thresholds = rng.choice(KINDS)
        return kind, rng.choice(thresholds)

    def some(self, j, steps, number=None):
        """Rows of some steps for one receiver, which have been tampered with."""
        rng = self.rng
        rows = [p for p in self.packets[j] if p[0] in steps and number in (None, p[1])]
        for _ in range(rng.choice([0, 1, 1, 2])):
            change = rng.randrange(5)
            at = rng.randrange(len(rows)) if rows else 0
            if change == 0 and rows:
                del rows[at]
            elif change == 1 and rows:
                rows.insert(at, rng.choice(rows))
            elif change == 2:
                rows.append(rng.choice(self.packets[rng.randrange(len(JOINS))]))
            elif change == 3 and rows:
                rows[at] = (rng.choice("dzkosglvchbf\u007f"), *rows[at][1:])
            elif rows:
                rows[at] = (*rows[at][:2], self.rng.choice(NUMBERS), *rows[at][3:])
        spoilt = rng.randrange(len(rows)) if rows else 0
        rows = [(*row[:4], self.bytes_of(row[4]) if i == spoilt else row[4]) for i, row in enumerate(rows)]
        return rows or [("o", 0, 0, 0, b"")]

    def table(self, rows):
        """Rows as SQL."""
        values = ", ".join(
            f"({quoted(step)}::\"char\", {self.number(number)}, {self.number(sender)}, {self.number(seq)}, '\\x{packed.hex()}'::bytea)"
            for step, number, sender, seq, packed in rows
        )
        return f"(VALUES {values}) AS p(step, number, sender, seq, packed)"

    def answering(self):
        """A step of homes or owners."""
        name, steps, to_homes = self.rng.choice(STEPS)
        j = self.rng.choice([j for j, join in enumerate(JOINS) if is_keyed(join)])
        receivers = JOINS[j][3 if to_homes else 4]
        number = self.rng.randrange(JOINS[j][4 if to_homes else 3])
        call = f"ted_{name}(step, number, sender, seq, packed, {self.number(receivers)})"
        rows = self.table(self.some(j, steps, number))
        return self.rng.choice([
            f"SELECT a.* FROM (SELECT {call} AS f FROM {rows}) AS f, unnest(f) AS a",
            f"SELECT {call}, ted_{self.rng.choice(STEPS)[0]}(step, number, sender, seq, packed, {receivers}) FROM {rows}",
            f"SELECT {call} OVER (ORDER BY seq) FROM {rows}",
        ])

    def planning(self):
        """A plan, which has to be read."""
        kind, threshold, two_sided, _, owners = JOINS[j := self.rng.randrange(len(JOINS))]
        kind, threshold = self.spec(kind, threshold)
        return (
            f"SELECT {SCHEMA}.planned(ted_plan_cells(step, {int(two_sided)}, sender, seq, packed, {owners}, {kind}, {threshold}), {owners})"
            f" FROM {self.table([(p[0], 0, *p[2:]) for p in self.some(j, 'zh')])}"
        )

    def sending(self):
        """Documents for their cells, and these joined."""
        rng = self.rng
        kind, threshold, two_sided, homes, _ = JOINS[j := rng.randrange(len(JOINS))]
        of = self.packets[j]
        _, home, _, seq, packed = rng.choice([p for p in of if p[0] == "d"])
        valued = next((p[4] for p in of if p[0] == "c" and p[1] == home and p[3] == seq), None)
        plan = next(p[4] for p in of if p[0] == "p")
        packed, valued, plan = (
            "NULL::bytea" if b is None or rng.random() < 0.02 else f"'\\x{(self.bytes_of(b) if rng.random() < 0.5 else b).hex()}'::bytea" for b in (packed, valued, plan)
        )
        sent = f"ted_send_documents({packed}, {valued}, {plan}, {self.number(home)}, {self.number(seq)})"
        kind, threshold = self.spec(kind, threshold)
        id_type = rng.choice(["text", "text", *ID_TYPES])
        cell = f"(packed, sender, {kind}, {threshold}, number, {self.number(homes)}, {not two_sided}, {self.id_type(id_type)})"
        return rng.choice([
            f"SELECT * FROM {sent}, ted_places_of_cells({plan})",
            f"SELECT ted_count_cell{cell} FROM {sent} GROUP BY number",
            f"SELECT {SCHEMA}.valid(left_id::text), {SCHEMA}.valid(right_id::text) FROM (SELECT ted_join_cell{cell} AS f FROM {sent} GROUP BY number) AS f,"
            f" unnest(f) AS a, ted_unpack_pairs(a.packed) AS p({self.columns(id_type)})",
        ])

    def joining(self):
        """A cell of documents from several homes."""
        kind, threshold, two_sided, homes, _ = JOINS[j := self.rng.randrange(len(JOINS))]
        number = self.rng.choice([p for p in self.packets[j] if p[0] == "b"])[1]
        kind, threshold = self.spec(kind, threshold)
        id_type = self.rng.choice(["text", "text", *ID_TYPES])
        in_order = self.rng.choice([not two_sided, not two_sided, two_sided, "NULL"])
        cell = f"(packed, sender, {kind}, {threshold}, {self.number(number)}, {self.number(homes)}, {in_order}, {self.id_type(id_type)})"
        rows = self.table(self.some(j, "b", number))
        return self.rng.choice([
            f"SELECT ted_count_cell{cell}, ted_join_cell{cell} FROM {rows}",
            f"SELECT ted_first_id(a.packed), {SCHEMA}.valid(left_id::text) FROM (SELECT ted_connect_cell{cell} AS f FROM {rows}) AS f,"
            f" unnest(f) AS a, ted_unpack_pairs(a.packed) AS p({self.columns(id_type)})",
            f"SELECT {SCHEMA}.valid(left_id::text), {SCHEMA}.valid(right_id::text) FROM (SELECT ted_join_cell{cell} AS f FROM {rows}) AS f,"
            f" unnest(f) AS a, ted_unpack_pairs(a.packed) AS p({self.columns(id_type)})",
        ])

    def unpacking(self):
        """Pairs as rows."""
        found = self.rng.choice([p[4] for of_join in self.packets for p in of_join if p[0] == "f"])
        packed = f"'\\x{mutated(found, self.rng, self.everything).hex()}'::bytea"
        id_type = self.rng.choice(["text", "text", *ID_TYPES])
        return self.rng.choice([
            f"SELECT {SCHEMA}.valid(left_id::text), {SCHEMA}.valid(right_id::text) FROM ted_unpack_pairs({packed}) AS p({self.columns(id_type)})",
            f"SELECT {SCHEMA}.valid(ted_first_id({packed}))",
            f"SELECT {SCHEMA}.valid(f::text) FROM ted_unpack_pairs({packed}) AS f({self.columns(id_type)}) LIMIT 2",
            f"SELECT ted_insert_pairs({packed}, {quoted(f'SELECT count(*) FROM public.ted_unpack_pairs($1) AS p({self.columns(id_type)})')})",
        ])


def reading(values):
    """Queries of step 1 of every kind, with columns and arguments of every kind."""
    rng = values.rng
    kind, threshold = rng.choice(KINDS)
    doc = rng.choice(["tree", "tree", "text", "text::bytea", "n", "NULL::tree", quoted(random_tree(rng)) + "::tree"])
    query = rng.choice([
        f"SELECT {rng.choice(['chr(n)', 'NULL', quoted('l')])}::\"char\", {rng.choice(['id', 'n', 'NULL', 'point(n, n)', 'ROW(n, point(n, n))', 'tree', '1 / (n - 50)'])}, {doc} FROM {T}_docs",
        f"SELECT ''::\"char\", {values.any(rng.choice(['text', 'tree', 'integer']))}, {doc} FROM {T}_docs",
        f"DELETE FROM {T}_docs RETURNING ''::\"char\", id, tree", f"TABLE {T}_docs", f"EXPLAIN SELECT FROM {T}_docs", "FETCH ALL FROM c", "EXECUTE p", "SHOW work_mem", "SELECT 1; SELECT 2", "", "x",
        f"SELECT ''::\"char\", id, tree FROM {T}_docs FOR UPDATE", f"COPY {T}_docs TO STDOUT", "CALL p()", "BEGIN", "COMMIT", "DO 'BEGIN END'",
    ])
    homes = rng.choice(["'{0}'", "'{-2147483648,0}'", "'{5,-5}'", "'{}'", "'{NULL}'", "'{{1,2},{3,4}}'", "'[-2:-1]={1,2}'", "array_fill(1, '{1000}')", "array_fill(1, '{1001}')", "NULL"])
    counts = rng.choice(["NULL", f"(SELECT ted_label_counts(tree) FROM {T}_docs)", f"(SELECT ted_label_counts(tree) FROM {T}_docs)", "''", "'\\x00'"])
    threshold = rng.choice(threshold)
    return f"SELECT step, number, sender, seq, length(packed) FROM ted_read_documents({quoted(query)}, {rng.choice(NUMBERS)}, {homes}, {counts}, {rng.choice([1, 3, *NUMBERS])}, {kind}, {threshold})"


def byte_uses(function, data, values):
    """A call of a function that takes bytes."""
    args = [f"'\\x{data.hex()}'::bytea" if arg == "bytea" else routed(values.any(arg), arg, values) for arg in function.args]
    return f"SELECT {SCHEMA}.valid(f::text) FROM {function.name}({', '.join(args)}) AS f"


def batches(catalogue, values, count):
    """Every step with what might have been sent, and every function that takes bytes."""
    rng = values.rng
    yield Batch("packets: what plans are", [VALID, PLANNED])
    packets = made(catalogue)
    mail = Mail(packets, rng)
    readers = [f for f in catalogue.plain if "bytea" in f.args and not f.takes_internal and all(map(values.knows, f.args))]
    for _ in range(max(count // 2, 1)):
        for step in mail.answering, mail.planning, mail.sending, mail.joining, mail.unpacking:
            yield Batch(f"packets: {step.__name__}", [step() for _ in range(BATCH)])
        yield Batch("packets: reading", [reading(values) for _ in range(BATCH)])
        yield Batch(
            "packets: bytes that become texts",
            [byte_uses(f, mutated(rng.choice(mail.everything), rng, mail.everything), values) for f in readers for _ in range(6)],
        )
