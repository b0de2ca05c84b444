-- What statements.sql works on: small documents of three types, names, indexes and a generated column.
CREATE EXTENSION IF NOT EXISTS ted;

CREATE TABLE doc (id int PRIMARY KEY, doc xml, j jsonb, t tree GENERATED ALWAYS AS (doc::tree) STORED);
INSERT INTO doc (id, doc, j)
SELECT i, xmlparse(content format('<r a="%s"><n>%s</n>%s</r>', i % 7, i % 5, repeat(format('<c>%s</c>', i % 3), i % 6))),
       jsonb_build_object('id', i % 9, 'tags', to_jsonb(array_fill('x' || i % 4, ARRAY[i % 5])))
FROM generate_series(1, 60) i;
CREATE INDEX ON doc USING gist (t);
CREATE INDEX ON doc USING gin (t);

CREATE TABLE name (id int PRIMARY KEY, name text);
INSERT INTO name SELECT i, 'name number ' || md5((i / 3)::text) || i % 3 FROM generate_series(1, 60) i;
CREATE INDEX ON name USING profile (name);
ANALYZE;

CREATE TABLE model (costs tree_costs);
INSERT INTO model VALUES (tree_costs(ren => 0.5)), (tree_costs(texts => 'levenshtein')), (NULL);

-- the memory of this session's process that it shares with no other, in kB
CREATE FUNCTION memory_used() RETURNS text LANGUAGE sql AS $$
	SELECT 'memory ' || substring(pg_read_file('/proc/self/status') FROM 'RssAnon:\s+(\d+)');
$$;

-- an error of each kind is caught in a subtransaction
CREATE FUNCTION failing(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
