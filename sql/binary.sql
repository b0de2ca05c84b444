-- Corrupted binary input: each a clear error, the server alive after each

SET client_min_messages = warning;
CREATE FUNCTION try_recv(bytes bytea) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  sent bytea := '\x5047434f50590aff0d0a00' || '\x0000000000000000'::bytea  -- COPY header
             || '\x0001' || int4send(octet_length(bytes)) || bytes || '\xffff';
  file text := current_setting('data_directory') || '/try_recv.bin';
  detail text;
BEGIN
  PERFORM lo_unlink(4711) FROM pg_largeobject_metadata WHERE oid = 4711;
  PERFORM lo_from_bytea(4711, sent);
  PERFORM lo_export(4711, file);
  CREATE TEMPORARY TABLE received (t tree) ON COMMIT DROP;
  EXECUTE format('COPY received FROM %L WITH (FORMAT binary)', file);
  RETURN (SELECT t::text FROM received);
EXCEPTION WHEN others THEN
  GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
  RETURN SQLSTATE || ' ' || SQLERRM || ' ' || detail;
END $$;

CREATE FUNCTION recv_each(VARIADIC hex text[]) RETURNS TABLE (bytes text, result text) LANGUAGE plpgsql AS $$
BEGIN
  FOREACH bytes IN ARRAY hex LOOP
    result := try_recv(decode(replace(bytes, ' ', ''), 'hex'));
    DROP TABLE IF EXISTS received;
    RETURN NEXT;
  END LOOP;
END $$;

-- {a{b}{a}}: version, reserved, 3 nodes, 2 labels, events 10 10 0 11 0 0, id 0, lengths 1 1, "ab"
SELECT * FROM recv_each('01 00 03 02 a600 00 0101 6162');

SELECT * FROM recv_each(
  '',                                  -- nothing
  '01',                                -- half a header
  '02 00 03 02 a600 00 0101 6162',     -- unknown version
  '01 01 03 02 a600 00 0101 6162',     -- reserved bit
  '01 00',                             -- no counts
  '01 00 00',                          -- no nodes
  '01 00 00 01',                       -- no nodes, a label
  '01 00 01 00',                       -- no labels
  '01 00 01 02',                       -- more labels than nodes
  '01 00 ffffffff0f 01',               -- four billion nodes
  '01 00 ffffffffff01',                -- a number beyond 32 bits
  '01 00 8300 02 a600 00 0101 6162',   -- a number with a needless byte
  '01 00 03 02 a6',                    -- ends in the events
  '01 00 03 02 a600',                  -- no ids
  '01 00 03 02 a600 00 01',            -- ends in the lengths
  '01 00 03 02 a600 00 0101',          -- no labels
  '01 00 03 02 a600 00 0101 61',       -- ends in the labels
  '01 00 03 02 a600 00 0101 616263',   -- something behind the labels
  '01 00 03 02 a600 02 0101 6162',     -- a label id that does not exist
  '01 00 03 02 a601 00 0101 6162',     -- a bit set behind the events
  '01 00 03 02 a600 00 0101 6161',     -- a label twice
  '01 00 03 02 a600 00 0101 61ff',     -- not UTF-8
  '01 00 03 02 a600 00 0101 6100',     -- NUL
  '01 00 01 01 20 01 61',              -- a node ends that did not begin
  '01 00 01 01 c0 01 61',              -- the first label is said to be known
  '01 00 02 02 98 0101 6162',          -- two trees
  '01 00 02 02 a8 0101 6162',          -- nodes that do not end
  '01 00 02 01 ac 00 8180808008'       -- a label of half a gigabyte
);

-- 2,000 nodes with one label of a megabyte, of which no dump could hold the text, and 300 whose backslashes it escapes
SELECT try_recv(decode('0100d00f01' || repeat('b6db6d', 249) || 'b6db6c' || repeat('00', 1999) || '808040', 'hex')
  || convert_to(repeat('x', 1048576), 'UTF8'));
DROP TABLE IF EXISTS received;
SELECT try_recv(decode('0100ac0201' || repeat('b6db6d', 37) || 'b6c0' || repeat('00', 299) || '808040', 'hex')
  || convert_to(repeat('\', 1048576), 'UTF8'));
DROP TABLE IF EXISTS received;

SELECT 'alive' AS server;
DROP FUNCTION recv_each, try_recv;
