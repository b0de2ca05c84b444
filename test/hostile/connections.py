"""Connections that joins over servers open with another role's rights: none outlives its call.

An ordinary role calls a function of the server's owner, whose join over servers fails, is
cancelled at any moment, several times in quick succession, or is undone by a subtransaction.
"""

import loopback
from batch import BROKEN_PROPERTY, HOSTILE, Batch
from values import SCHEMA

T = "public.connected"
APPLICATION = "connection of a join"

SUPERUSER = [
    *loopback.server("onward", "postgres", APPLICATION),
    # a database without the extension
    *loopback.server("lacking", "postgres", APPLICATION, "'template1'"),
    f"DROP TABLE IF EXISTS {T} CASCADE",
    f"CREATE TABLE {T} AS SELECT i AS id, ('{{a{{' || i % 50 || '}}{{' || i || '}}}}')::tree AS doc, 'name ' || i AS name FROM generate_series(1, 400) i",
    f"CREATE OR REPLACE VIEW {T}_failing AS SELECT id, doc, name || 1 / (399 - id) AS name FROM {T}",
    # a join of all servers, at random for trees or texts, by the rights of who has made this
    """CREATE OR REPLACE FUNCTION public.join_onward(source regclass, servers name[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    IF random() < 0.5 THEN
        RETURN (SELECT count(*) FROM public.tree_within_pairs_distributed(source, 1, servers, parts => 3));
    END IF;
    RETURN (SELECT count(*) FROM public.lcs_similar_pairs_distributed(source, 0.9, servers, doc => 'name', parts => 3));
END $$""",
    # the same in a block that goes on after an error, or a cancel
    """CREATE OR REPLACE FUNCTION public.join_and_go_on(source regclass, servers name[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    RETURN public.join_onward(source, servers);
EXCEPTION WHEN query_canceled OR others THEN
    RETURN cardinality(public.dblink_get_connections());
END $$""",
    f"""CREATE OR REPLACE FUNCTION public.nothing_open() RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    open text[] := public.dblink_get_connections();
    sessions bigint;
BEGIN
    IF open <> '{{}}' THEN
        RAISE EXCEPTION 'connections are left: %', open USING ERRCODE = '{BROKEN_PROPERTY}';
    END IF;
    FOR i IN 1 .. 200 LOOP
        PERFORM pg_stat_clear_snapshot();
        SELECT count(*) INTO sessions FROM pg_stat_activity WHERE application_name = '{APPLICATION}';
        EXIT WHEN sessions = 0;
        PERFORM pg_sleep(0.01);
    END LOOP;
    IF sessions > 0 THEN
        RAISE EXCEPTION '% sessions are left', sessions USING ERRCODE = '{BROKEN_PROPERTY}';
    END IF;
END $$""",
]

# Cancels a call soon after it has begun, once or several times in some milliseconds.
CANCELLING = f"""DO $$
DECLARE
    target int;
    until timestamptz := clock_timestamp() + interval '{{seconds}} s';
BEGIN
    PERFORM setseed({{seed}});
    WHILE clock_timestamp() < until LOOP
        PERFORM pg_stat_clear_snapshot();
        SELECT pid INTO target FROM pg_stat_activity
        WHERE usename = '{HOSTILE}' AND state = 'active' AND query ~ 'join_onward|join_and' AND pid <> pg_backend_pid();
        IF FOUND THEN
            PERFORM pg_sleep(random() * 0.05);
            FOR i IN 1 .. (ARRAY[1, 2, 3, 12])[1 + (random() * 3)::int] LOOP
                PERFORM pg_cancel_backend(target), pg_sleep(0.0003 * random());
            END LOOP;
        END IF;
        PERFORM pg_sleep(0.002);
    END LOOP;
END $$"""

SERVERS = ["{onward,onward,onward}"] * 4 + ["{onward,onward,lacking}", "{onward,nowhere}", "{onward}", "{onward,onward,onward,onward,onward,onward}"]


def calls(rng):
    """A call in some way, and what undoes it."""
    call = f"SELECT public.{rng.choice(['join_onward', 'join_onward', 'join_and_go_on'])}('{T}{rng.choice(['', '', '_failing'])}', '{rng.choice(SERVERS)}')"
    limit = f"SET statement_timeout = '{rng.randint(1, 80)}ms'"
    yield from rng.choice([
        [call],
        [call],
        [call],
        [limit, call, "SET statement_timeout = '10s'"],
        ["BEGIN", "SAVEPOINT s", call, "ROLLBACK TO s", "SELECT public.nothing_open()", call, "ROLLBACK"],
        ["BEGIN", limit.replace("SET", "SET LOCAL"), call, "ROLLBACK"],
        ["BEGIN", "DECLARE c CURSOR FOR " + call, "FETCH 1 FROM c", "CLOSE c", "COMMIT"],
    ])


def batches(catalogue, values, count):
    """Calls that end in every way, and what they leave."""
    del catalogue
    rng = values.rng
    statements = []
    for _ in range(16 * count):
        statements += calls(rng)
        # a late cancel may end the first of these
        statements += ["SELECT public.nothing_open()"] * 3
    yield Batch(
        "connections: a call",
        [f"SELECT {SCHEMA}.holds('a call finds pairs', public.join_and_go_on('{T}', '{{onward,onward}}') > 0)"] * 4,
        setup=["SET statement_timeout = '10s'"],
        superuser=SUPERUSER,
    )
    cancelling = CANCELLING.format(seconds=count, seed=rng.random())
    yield Batch(
        "connections of joins over servers",
        statements,
        setup=["SET statement_timeout = '10s'"],
        meanwhile=["SET statement_timeout = 0", cancelling],
    )
