-- What messages show: parts of documents, their sizes and places in them only where the client has written them itself

CREATE ROLE regress_ted_reader;
-- reports an error as the client gets it
CREATE FUNCTION outcome(statement text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
  message text;
  detail text;
  hint text;
  context text;
BEGIN
  RETURN QUERY EXECUTE statement;
EXCEPTION WHEN OTHERS OR query_canceled THEN
  GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT;
  RETURN NEXT 'ERROR:  ' || SQLSTATE || ': ' || message;
  RETURN NEXT 'DETAIL:  ' || detail;
  RETURN NEXT 'HINT:  ' || (hint <> '');
  RETURN QUERY SELECT 'CONTEXT:  ' || line FROM regexp_split_to_table(context, E'\n') AS line WHERE line !~ '^(SQL|PL/pgSQL) ';
END $$;

-- documents that a policy hides
CREATE TABLE secret (id int, owner name, doc tree, name text);
INSERT INTO secret SELECT i, CASE WHEN i = 1 THEN 'regress_ted_reader' ELSE 'other' END,
  CASE WHEN i = 1 THEN '{a}' ELSE '{hidden' || repeat('{hidden' || i, 1500) || repeat('}', 1500) || '}' END::tree,
  CASE WHEN i = 1 THEN 'a' ELSE repeat('hidden' || i, 40000) END
FROM generate_series(1, 3) i;
CREATE INDEX ON secret USING gist (doc);
CREATE INDEX ON secret USING profile (name);
CREATE INDEX ON secret USING profile (doc);
CREATE POLICY own ON secret USING (owner = current_user);
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
GRANT SELECT ON secret TO regress_ted_reader;
-- and that partitions and a view hide
CREATE TABLE parts (LIKE secret) PARTITION BY LIST (id);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES IN (1, 2);
CREATE TABLE parts_2 PARTITION OF parts DEFAULT;
INSERT INTO parts SELECT * FROM secret;
CREATE INDEX ON parts USING gist (doc);
CREATE POLICY own ON parts USING (owner = current_user);
ALTER TABLE parts ENABLE ROW LEVEL SECURITY;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM parts WHERE owner = current_user;
GRANT SELECT ON parts, barrier TO regress_ted_reader;

-- an order does not compare what is hidden, also by operators and with nothing but indexes
SET ROLE regress_ted_reader;
SET ted.max_memory = '64kB';
SET enable_seqscan = off;
SELECT explain($$SELECT id FROM secret ORDER BY doc <-> '{hidden{b}}' LIMIT 1$$);
SELECT outcome($$SELECT id::text FROM secret ORDER BY doc <-> '{hidden{b}}' LIMIT 1$$);
SELECT outcome($$SELECT id::text FROM secret ORDER BY doc <%> '{hidden{b}}'$$);
SELECT outcome($$SELECT id::text FROM secret ORDER BY doc <=> '{hidden{b}}'$$);
SELECT outcome($$SELECT min(doc <-> '{hidden{b}}')::text FROM secret$$);
SELECT outcome($$SELECT s.id::text FROM (VALUES ('{hidden{b}}'::tree)) q (doc), LATERAL (SELECT id FROM secret ORDER BY secret.doc <-> q.doc LIMIT 1) s$$);
SELECT explain($$SELECT id FROM secret ORDER BY name <~> 'hidden' LIMIT 1$$);
SELECT outcome($$SELECT id::text FROM secret ORDER BY name <~> 'hidden' LIMIT 1$$);
SELECT outcome($$SELECT id::text FROM secret ORDER BY name <%> 'hidden'$$);
SELECT explain($$SELECT id FROM secret ORDER BY doc <#> '{hidden{b}}' LIMIT 1$$);
SELECT outcome($$SELECT id::text FROM secret ORDER BY doc <#> '{hidden{b}}'$$);
SELECT explain($$SELECT id FROM parts ORDER BY doc <-> '{hidden{b}}' LIMIT 1$$);
SELECT outcome($$SELECT id::text FROM parts ORDER BY doc <-> '{hidden{b}}' LIMIT 1$$);
SELECT outcome($$SELECT id::text FROM barrier ORDER BY doc <-> '{hidden{b}}' LIMIT 1$$);
RESET ROLE;
-- who sees all rows has the order of the index
SELECT explain($$SELECT id FROM secret ORDER BY doc <-> '{hidden{b}}' LIMIT 1$$);
SELECT explain($$SELECT id FROM secret ORDER BY name <~> 'hidden' LIMIT 1$$);
SELECT explain($$SELECT id FROM secret ORDER BY doc <#> '{hidden{b}}' LIMIT 1$$);
SELECT outcome($$SELECT id::text FROM secret ORDER BY doc <-> '{hidden{b}}'$$);
SELECT outcome($$SELECT id::text FROM secret ORDER BY name <~> 'hidden'$$);
RESET enable_seqscan;

-- what the owner lets others compute shows nothing of the documents
CREATE VIEW farthest AS SELECT max(tree_edit_distance(a.doc, b.doc)) AS distance FROM secret a, secret b;
CREATE VIEW farthest_of_arrays AS SELECT (SELECT max(d) FROM unnest(tree_edit_distances(a.doc, (SELECT array_agg(doc) FROM secret))) d) AS distance FROM secret a;
CREATE VIEW alike AS SELECT max(lcs_length(a.name, b.name)) AS length FROM secret a, secret b;
CREATE FUNCTION farthest() RETURNS text SECURITY DEFINER LANGUAGE plpgsql AS $$
DECLARE
  kept tree := (SELECT doc FROM secret WHERE id = 2);
  distance int;
BEGIN
  SELECT tree_edit_distance(kept, doc) INTO distance FROM secret WHERE id = 3;
  RETURN distance;
END $$;
CREATE FUNCTION farthest_cursor() RETURNS refcursor SECURITY DEFINER LANGUAGE plpgsql AS $$
DECLARE
  kept text := '/hidden[1]';
  c refcursor := 'farthest';
BEGIN
  OPEN c FOR SELECT tree_from_json(d, exclude_paths => ARRAY[kept]) FROM json_build_array(1) d WHERE pg_backend_pid() > 0;
  RETURN c;
END $$;
GRANT SELECT ON farthest, farthest_of_arrays, alike TO regress_ted_reader;
SET ROLE regress_ted_reader;
SELECT outcome('SELECT distance::text FROM farthest');
SELECT outcome('SELECT distance::text FROM farthest_of_arrays');
SELECT outcome('SELECT length::text FROM alike');
SELECT outcome('SELECT farthest()');
SELECT * FROM farthest;
SELECT farthest();
BEGIN;
SELECT farthest_cursor();
FETCH farthest;
ROLLBACK;
RESET ROLE;
RESET ted.max_memory;
DROP VIEW farthest, farthest_of_arrays, alike;
DROP FUNCTION farthest, farthest_cursor;

-- documents that cannot be converted
SET client_min_messages = error; -- PostgreSQL warns of one
CREATE TABLE hidden_documents AS
SELECT '{"hidden1": 1, "b": {"hidden2": 1, "hidden2": 2}}'::json AS twice, '{"hidden": "hidden\u0000"}'::json AS nul,
  '<hidden a="hidden1"/><hidden/>'::xml AS several, xmlparse(document repeat('<hidden>', 257) || repeat('</hidden>', 257)) AS deep, '<a xml:space="hidden"/>'::xml AS spaced,
  '<table><td colspan="hidden">hidden</td></table>'::text AS page, '{hidden{hidden}hidden}'::text AS brackets, '{"hidden": 1, "rename": 0}'::text AS costs,
  '{hidden{hidden1{x}}{ hidden2}}'::tree AS unconvertible, '[{"op": "remove", "path": "/hidden/0"}]'::jsonb AS patch, '<diff><remove sel="hidden/b[1"/></diff>'::xml AS xml_patch,
  '/a/hidden[1]'::text AS pattern, 1.5::float8 AS share, '{"rules": [{"pattern": "hidden9", "insert": 4}]}'::tree_costs AS rules;
RESET client_min_messages;
CREATE FUNCTION of_hidden(expression text) RETURNS SETOF text LANGUAGE sql AS $$
  SELECT outcome(format('SELECT (%s)::text FROM hidden_documents', expression)) $$;
SELECT of_hidden($$tree_from_json(twice, duplicate_keys => 'error')$$);
SELECT of_hidden($$nul::tree$$);
SELECT of_hidden($$tree_from_json(twice, exclude_paths => ARRAY[pattern])$$);
SELECT of_hidden($$tree_from_json(twice, array_keys => ARRAY['/hidden'])$$);
SELECT of_hidden($$tree_from_json(twice, content => pattern)$$);
SELECT of_hidden($$several::tree$$);
SELECT of_hidden($$deep::tree$$);
SELECT of_hidden($$tree_from_html(page, include_paths => '{/x}')$$);
SELECT of_hidden($$brackets::tree$$);
SELECT of_hidden($$ARRAY[brackets]::tree[]$$);
SELECT of_hidden($$json_populate_record(NULL::secret, json_build_object('doc', brackets))$$);
SELECT of_hidden($$costs::tree_costs$$);
SELECT of_hidden($$brackets::tree_costs$$);
SELECT of_hidden($$replace(costs, '"hidden": 1', '"texts": "hidden"')::tree_costs$$);
SELECT of_hidden($$format('{"rules": [{"pattern": "%1$s", "insert": 2}]}', pattern)::tree_costs$$);
SELECT of_hidden($$'{"rules": [{"pattern": "hidden", "insert": 2}, {"pattern": "hidden", "delete": 2}]}'::text::tree_costs$$);
SELECT of_hidden($$tree_costs(insert => share / 10000)$$);
SELECT of_hidden($$tree_to_json(unconvertible)$$);
SELECT of_hidden($$tree_to_xml(unconvertible)$$);
SELECT of_hidden($$tree_label(unconvertible, 100)$$);
SELECT of_hidden($$json_patch_apply(twice::jsonb, patch)$$);
SELECT of_hidden($$json_patch_apply(twice::jsonb, '[{"op": "hidden"}]')$$);
SELECT of_hidden($$xml_patch_apply('<hidden/>', xml_patch)$$);
SELECT of_hidden($$xml_patch_apply('<hidden/>', '<diff><remove sel="/hidden/b"/></diff>')$$);
SELECT of_hidden($$xml_patch_apply(several, several)$$);
SELECT of_hidden($$lcs_similar('a', 'b', share)$$);
-- neither do notices
SELECT tree_size(spaced::tree), tree_size(tree_from_xml(spaced)), xml_patch_apply(spaced, '<diff/>') FROM hidden_documents;
SELECT length(format('{"rename": 3, "rules": [{"pattern": "%s", "rename": 4}]}', name)::tree_costs::text) FROM (VALUES ('hidden1')) v (name);
SELECT matched FROM hidden_documents, tree_edit_counts(unconvertible, unconvertible, rules);
-- encodings
SET client_encoding = 'LATIN1';
SELECT of_hidden($$tree_send(E'{a{\\u20ac}}')$$);
SELECT tree_send(E'{a{\u20ac}}');
RESET client_encoding;
-- aggregates
SELECT outcome($$SELECT tree_within_pairs(id, doc, id)::text FROM (VALUES (1, '{a}'::tree), (77, '{b}')) v (id, doc)$$);
SELECT outcome($$SELECT tree_within_pairs(77, doc, 1)::text FROM (VALUES ('{a}'::tree), ('{b}')) v (doc)$$);
-- a conversion that is cancelled, wherever it is
CREATE TABLE long_documents AS SELECT ('["hidden"' || repeat(', {"hidden": [1, 2]}', 1000000) || ']')::json AS doc;
SET statement_timeout = '50ms';
SELECT string_agg(line, ' ') ~ 'hidden' AS shown, bool_or(line ~ '57014') AS cancelled FROM outcome('SELECT tree_size(doc::tree)::text FROM long_documents') line;
RESET statement_timeout;
DROP TABLE long_documents;

-- what the client has written itself is shown
SELECT '{a{b}c}'::tree;
SELECT '{"{a}","{a{b}c}"}'::tree[];
SELECT CAST('{a{b}c}'::text AS tree);
SELECT tree_from_json('{"b": {"c": 1, "c": 2}}', duplicate_keys => 'error');
SELECT '{"b": "\u0000"}'::json::tree;
SELECT tree_from_json(twice, exclude_paths => '{/a,/b[1]}') FROM hidden_documents;
SELECT '<a/><b/>'::xml::tree;
SELECT tree_from_html('<p>a</p><p>b</p>', content => 'full', include_paths => '{/x}');
SELECT '{"rules": [{"pattern": "/b[1]", "insert": 2}]}'::tree_costs;
SELECT '{"renam": 2}'::tree_costs;
SELECT '{"rename": 2'::tree_costs;
SELECT '{"rename": 2000.55}'::tree_costs;
SELECT '{"rename": 2.5}'::tree_costs;
SELECT inserted FROM tree_edit_counts('{a}', '{c}', '{"rules": [{"pattern": "b", "insert": 4}]}');
SELECT tree_costs(rename => 1.23456);
SELECT tree_to_json('{a{b}}');
SELECT tree_to_xml('{a{ b}}');
SELECT json_patch_apply('{"a": [1]}', '[{"op": "remove", "path": "/a/1"}]');
SELECT xml_patch_apply('<a/>', '<diff><remove sel="/a/b"/></diff>');
-- also as a parameter of its statement
PREPARE convert (json) AS SELECT tree_from_json($1, duplicate_keys => 'error');
EXECUTE convert ('{"b": {"c": 1, "c": 2}}');
DEALLOCATE convert;
-- but not what a function makes of it
CREATE FUNCTION converted(doc json) RETURNS tree LANGUAGE plpgsql AS $$
DECLARE
  converted tree;
BEGIN
  SELECT tree_from_json(doc, duplicate_keys => 'error') INTO converted;
  RETURN converted;
END $$;
SELECT converted('{"b": {"c": 1, "c": 2}}');
CREATE FUNCTION read(doc text) RETURNS tree LANGUAGE plpgsql AS $$
BEGIN
  RETURN doc;
END $$;
SELECT read('{a{b}c}');

-- nor why a function with its owner's rights has the plans that it has, nor how far they are
CREATE FUNCTION of_owner() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET ted.enable_join = off
	AS $$SELECT count(*) FROM secret alias_a JOIN secret alias_b ON tree_edit_distance(alias_a.doc, alias_b.doc) < 1$$;
SET ted.explain_rejected = on;
SET ROLE regress_ted_reader;
SELECT of_owner() > 0 AS counted;
RESET ROLE;
SET ted.enable_join = off;
SELECT count(*) > 0 AS counted FROM secret alias_a JOIN secret alias_b ON tree_edit_distance(alias_a.doc, alias_b.doc) < 1;
RESET ted.enable_join;
RESET ted.explain_rejected;
DROP FUNCTION of_owner();

DROP VIEW barrier;
DROP TABLE secret, parts, hidden_documents;
DROP FUNCTION of_hidden, outcome, converted, read;
DROP ROLE regress_ted_reader;
