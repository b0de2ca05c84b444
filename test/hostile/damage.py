"""Damaged pages of profile indexes: whatever they say, no statement may crash the server.

A superuser writes random bytes into the file of an index, and moves the index to another
tablespace, so that PostgreSQL reads the file anew.
"""

from batch import Batch
from values import SCHEMA

TABLE = f"{SCHEMA}.damaged"
INDEX = f"{TABLE}_v"
PAGE = 8192

# Errors of damaged pages; all but the first are PostgreSQL's, of rows behind the end of the table, and
# of entries that say less of their strings than they should.
EXCUSED = (
    r'^index "damaged_v" has a damaged page$',
    r"^could not read block \d+ in file",
    r"^could not open file .*: previous segment is only \d+ blocks",
    r"^index returned tuples in wrong order$",
)

# Places where a page says how the rest of it is to be read: its header, behind which block 0 has
# the lists of pages, and its end.
PLACES = [range(8, 24), range(24, 400), range(PAGE - 8, PAGE), range(PAGE - 2, PAGE), range(24, PAGE - 8)]

SETUP = [
    "SET allow_in_place_tablespaces = on",
    f"DROP TABLE IF EXISTS {TABLE}",
    "DROP TABLESPACE IF EXISTS damaged",
    "CREATE TABLESPACE damaged LOCATION ''",
    f"CREATE TABLE {TABLE} AS SELECT n, CASE WHEN n % 9 = 0 THEN repeat('v', n) ELSE 'value ' || n % 90 END AS v"
    " FROM generate_series(1, 2500) n",
    f"ALTER TABLE {TABLE} OWNER TO hostile",
    f"CREATE INDEX damaged_v ON {TABLE} USING profile (v)",
    "CREATE OR REPLACE FUNCTION pg_temp.overwrite(page int, place int, bytes text) RETURNS void LANGUAGE plpgsql AS $$"
    f" BEGIN EXECUTE format('COPY (SELECT) TO PROGRAM %L', format('printf ''%s'' | dd of=%s bs=1 seek=%s conv=notrunc status=none',"
    f" bytes, pg_relation_filepath('{INDEX}'), page * {PAGE} + place)); END $$",
    "CHECKPOINT",
]

USES = [
    f"SELECT count(*) FROM {TABLE} WHERE lcs_within(v, 'value 17', 2)",
    f"SELECT count(*) FROM {TABLE} WHERE lcs_similar(v, repeat('v', 900), 0.7)",
    f"SELECT v FROM {TABLE} ORDER BY v <~> 'value 17' LIMIT 2000",
    f"SELECT v FROM {TABLE} ORDER BY v <%> repeat('v', 300)",
    "SET enable_bitmapscan = off",
    f"SELECT count(*) FROM {TABLE} WHERE lcs_within(v, 'value 17', 2)",
    f"SELECT count(*) FROM {TABLE}",
    f"INSERT INTO {TABLE} SELECT -n, v FROM {TABLE} WHERE n > 0",
    f"DELETE FROM {TABLE} WHERE n % 3 = 0",
    f"VACUUM {TABLE}",
    f"ANALYZE {TABLE}",
    f"INSERT INTO {TABLE} SELECT -n, v FROM {TABLE} WHERE n > 0",
]


def overwriting(rng):
    """A statement that writes bytes somewhere: random ones, or such as pages have."""
    places = rng.choice(PLACES)
    place = rng.choice(places)
    page = 0 if places.start == 24 and places.stop < PAGE - 8 else rng.randrange(12)
    bytes_ = rng.choice(([0] * 4, [255] * 4, [page, 0, 0, 0], [255, 255], [rng.randrange(256) for _ in range(rng.randint(1, 8))]))
    return f"SELECT pg_temp.overwrite({page}, {place}, '{''.join(f'{chr(92)}{b:03o}' for b in bytes_[: PAGE - place])}')"


def batches(catalogue, values, count):
    """Indexes with one or more damaged places each, used and checked."""
    check = f"SELECT profile_index_check('{INDEX}')"
    for _ in range(2 * count):
        damage = [overwriting(values.rng) for _ in range(values.rng.choice((1, 1, 2, 5)))]
        yield Batch(
            "damaged pages of profile indexes",
            ["SET enable_seqscan = off", *USES],
            superuser=[*SETUP, *damage, f"ALTER INDEX {INDEX} SET TABLESPACE damaged", check],
            excused=EXCUSED,
            covers={"profile_index_check(regclass)"} & catalogue.in_c,
        )
