"""Values from mutated binary input; what is accepted has to hold for every use.

Only binary COPY reaches tree_recv().  Each value comes in a file of its own, so
that a refused one costs no other.
"""

import os
import struct
import tempfile

from batch import Batch
from routes import domain
from trees import random_tree
from values import SCHEMA, mangled, quoted

# Bytes that binary COPY begins with: a signature, no flags, no more header.
HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)

# Types that travel in binary, most of which contain trees.
TYPES = ["tree", "tree_range", "tree_join_row[]", "tree_costs_join_row[]", "lcs_join_row[]", "tree[]", "tree_costs"]

# Numbers at the limits of a varint's length, and the largest that fit in 31 and 32 bits.
VARINTS = [0, 1, 2, 127, 128, 255, 256, 16383, 16384, 2**21, 2**28 - 1, 2**31 - 1, 2**31, 2**32 - 1, 2**35 - 1]

# Bytes that are no text in UTF-8: the beginning of a character, none, a zero, a surrogate, a long form.
NO_TEXT = [b"\xc3", b"\xff", b"\0", b"\xed\xa0\x80", b"\xc0\xaf"]

# Types of ids that texts become.
ID_TYPES = ["text", "varchar(9)", "bpchar", "name", '"char"', "text[]", "json", "jsonb", "xml", "tree", "tree_costs", domain("text"), "tsvector"]

# Values of one session.
BATCH = 200

# What has to hold for each tree that was accepted; an exception is a fault.
VALID = f"""CREATE OR REPLACE FUNCTION {SCHEMA}.valid(value text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM convert_to(value, getdatabaseencoding());
EXCEPTION WHEN character_not_in_repertoire THEN
    PERFORM {SCHEMA}.holds('text is valid', false);
END $$"""
SURVIVES = f"""CREATE FUNCTION {SCHEMA}.survives(t tree) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    again tree := t::text::tree;
    other tree := '{{a{{b}}{{c}}}}';
    n int := tree_size(t);
BEGIN
    PERFORM {SCHEMA}.holds('text', again = t AND tree_cmp(again, t) = 0);
    PERFORM {SCHEMA}.holds('bytes', tree_send(again) = tree_send(t));
    PERFORM {SCHEMA}.holds('hash', tree_hash(again) = tree_hash(t)
        AND tree_hash(again, 7) = tree_hash(t, 7));
    PERFORM {SCHEMA}.holds('nodes', (SELECT count(*) FROM tree_nodes(t)) = n);
    PERFORM {SCHEMA}.holds('depth', tree_depth(t) = (SELECT max(depth) FROM tree_nodes(t)));
    PERFORM {SCHEMA}.holds('root', tree_subtree(t, 1) = t);
    PERFORM tree_label(t, n), tree_subtree(t, n);
    PERFORM {SCHEMA}.holds('range', t <~ tree_range(t, 0));
    IF n > 500 THEN
        RETURN;
    END IF;
    PERFORM {SCHEMA}.holds('identity', t <-> t = 0 AND tree_similarity(t, again) = 1);
    PERFORM {SCHEMA}.holds('symmetry', (t <-> other) = (other <-> t));
    PERFORM {SCHEMA}.holds('bounds', (t <-> other) BETWEEN tree_edit_distance_lower_bound(t, other)
        AND tree_edit_distance_approximate(t, other));
    PERFORM {SCHEMA}.holds('pq-grams', t <#> again = 0 AND (t <#> other) = (other <#> t));
    PERFORM {SCHEMA}.holds('mapping', (SELECT count(*) FROM tree_edit_mapping(t, t)) = n);
    PERFORM {SCHEMA}.holds('subtrees', (SELECT count(*) FROM tree_subtree_nearest(other, t, 3)) = least(n, 3));
    PERFORM {SCHEMA}.holds('many', (tree_edit_distances(t, ARRAY[t, other]))[1] = 0);
END $$"""


def receiver(sql_type):
    """The table that takes values of a type."""
    return f"{SCHEMA}.received_{mangled(sql_type)}"


def tables():
    """Statements that make the tables, with indexes on trees."""
    yield VALID
    yield SURVIVES
    for sql_type in TYPES:
        yield f"CREATE TABLE {receiver(sql_type)} (n serial, v {sql_type})"
        yield f"ALTER TABLE {receiver(sql_type)} ALTER v SET STORAGE EXTERNAL"
    for method in ("gin", "gist", "btree", "hash", "profile"):
        yield f"CREATE INDEX ON {receiver('tree')} USING {method} (v)"


def uses():
    """Statements that use everything that was accepted."""
    tree = receiver("tree")
    for sql_type in TYPES:
        yield f"SELECT {SCHEMA}.valid(v::text) FROM {receiver(sql_type)}"
    yield f"SELECT {SCHEMA}.survives(v) FROM {tree}"
    yield f"SELECT {SCHEMA}.survives((v).doc) FROM {receiver('tree_range')} WHERE (v).doc IS NOT NULL"
    yield f"SELECT {SCHEMA}.survives(e) FROM {receiver('tree[]')}, unnest(v) AS e WHERE e IS NOT NULL"
    yield f"SELECT {SCHEMA}.survives(doc) FROM {receiver('tree_join_row[]')}, unnest(v) WHERE doc IS NOT NULL"
    yield f"SELECT v::text, length(doc) FROM {receiver('lcs_join_row[]')}, unnest(v)"
    costs = receiver("tree_costs")
    yield f"SELECT {SCHEMA}.holds('costs', v::text::tree_costs = v), tree_costs_symmetric(v) FROM {costs}"
    yield f"SELECT tree_edit_distance('{{a{{b}}}}', '{{a{{\"x\"}}{{1}}}}', v) FROM {costs}"
    yield f"ANALYZE {tree}"
    yield "SET enable_seqscan = off"
    for vary in ("on", "off"):
        yield f"SET enable_bitmapscan = {vary}"
        yield f"SELECT count(*) FROM {tree} WHERE v <~ tree_range('{{a{{b}}}}', 3)"
        yield f"SELECT n FROM {tree} ORDER BY v <-> '{{a{{b}}}}' LIMIT 5"
        yield f"SELECT n FROM {tree} ORDER BY v <#> '{{a{{b}}}}' LIMIT 5"
        yield f"SELECT n FROM {tree} WHERE tree_within(v, '{{a}}', 2)"
    yield f"SELECT count(*) FROM {tree} AS a JOIN {tree} AS b ON tree_within(a.v, b.v, 1) WHERE a.n < b.n"
    yield f"SELECT count(*) FROM {tree} AS a JOIN {tree} AS b ON json_within(a.v, tree_sort(b.v), 1)"
    yield f"SELECT count(*) FROM {tree} AS a JOIN {tree} AS b USING (v)"
    yield f"SELECT count(*) FROM {tree} AS a, {receiver('tree_range')} AS b WHERE a.v <~ b.v"
    yield f"SELECT tree_within_pairs(n, v, 1) FROM {tree}"
    yield f"SELECT tree_within_pairs(n, v, 0.5, '{{\"rename\": 0.5, \"texts\": \"lcs\"}}') FROM {tree}"
    yield f"SELECT tree_within_pairs(n, '{{a{{b}}}}', 1, v) FROM {costs} GROUP BY v"
    yield f"SELECT lcs_similar_pairs(n, v::text, 0.9) FROM {tree}"
    yield f"SELECT tree_edit_distances('{{a}}', v) FROM {receiver('tree[]')}"
    for sql_type in ("tree_join_row[]", "tree_costs_join_row[]", "lcs_join_row[]"):
        kind = "tree_within" if sql_type.startswith("tree") else "lcs_similar"
        yield (
            f"CREATE AGGREGATE pg_temp.given_{kind}({sql_type}) (SFUNC = {kind}_pairs_combine,"
            f" STYPE = {sql_type}, FINALFUNC = {kind}_pairs_finalfn)"
        )
        yield f"SELECT n, pg_temp.given_{kind}(v) FROM {receiver(sql_type)} GROUP BY n"


def varint(value, padding=0):
    """A number in seven bits a byte, with needless bytes on demand."""
    digits = []
    while value >= 0x80:
        digits.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*digits, *([value | 0x80] + [0x80] * (padding - 1) + [0] if padding else [value])])


def mutated(data, rng, others):
    """Bytes that are nearly right."""
    data = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        at = rng.randrange(len(data) + 1)
        early = rng.randrange(min(len(data), 8) + 1)
        kind = rng.randrange(10)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            del data[at : at + rng.randint(1, 4)]
        elif kind == 3:
            data[at:at] = rng.randbytes(rng.randint(1, 4))
        elif kind == 4:
            data[early : early + 1] = varint(rng.choice(VARINTS), rng.choice([0, 0, 1]))
        elif kind == 5:
            other = rng.choice(others)
            data[at:] = other[rng.randrange(len(other) + 1) :]
        elif kind == 6:
            data = data[at:] + data[:at]
        elif kind == 7 and data:
            data[early % len(data)] = rng.choice([0, 1, 2, 3, 127, 128, 255])
        elif kind == 8:
            bad = rng.choice(NO_TEXT)
            data[at : at + len(bad)] = bad
        else:
            data[at : at + 8] = data[at : at + 8][::-1]
    return bytes(data)


def originals(catalogue, values, count):
    """What the server sends for random values of each type."""
    found = {}
    for sql_type in TYPES:
        some = [values.any(sql_type) for _ in range(count)]
        if sql_type == "tree":
            some = [f"{quoted(random_tree(values.rng))}::tree" for _ in range(4 * count)]
        query = " UNION ALL ".join(f"SELECT {value} AS v" for value in some)
        send = {"tree": "tree_send", "tree_range": "record_send", "tree_costs": "tree_costs_send"}.get(sql_type, "array_send")
        sent = catalogue.query(f"SELECT encode({send}(v), 'hex') FROM ({query}) AS s WHERE v IS NOT NULL;")
        found[sql_type] = [bytes.fromhex(line) for line in sent.split() if len(line) < 20000]
    return found


class Files:
    """Files of binary COPY in a directory of their own."""

    def __init__(self):
        self.directory = tempfile.TemporaryDirectory(prefix="ted-hostile-")
        self.count = 0

    def copy(self, sql_type, data):
        """Writes a file with one row and returns the command that loads it."""
        self.count += 1
        path = os.path.join(self.directory.name, str(self.count))
        with open(path, "wb") as file:
            file.write(HEADER + struct.pack(">hi", 1, len(data)) + data + struct.pack(">h", -1))
        return f"\\copy {receiver(sql_type)}(v) FROM '{path}' (FORMAT binary)"


def batches(catalogue, values, count):
    """Values of all types, half of them trees, each session followed by its uses."""
    yield Batch("mutations: tables", list(tables()))
    sent = originals(catalogue, values, 10)
    everything = [data for of_type in sent.values() for data in of_type]
    for _ in range(max(count // 2, 1)):
        files = Files()
        loads = []
        for number in range(BATCH):
            sql_type = "tree" if number % 2 else values.rng.choice(TYPES)
            data = mutated(values.rng.choice(sent[sql_type]), values.rng, everything)
            loads.append(files.copy(sql_type, data))
        truncations = [f"TRUNCATE {receiver(t)}" for t in TYPES]
        yield Batch(
            "mutations of binary input",
            [*truncations, *loads, *uses()],
            covers={"tree_recv(internal)", "tree_costs_recv(internal)", "tree_typanalyze(internal)"},
        )
