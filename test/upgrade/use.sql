-- Uses a fresh extension: documents in columns, generated columns, indexes of every method, a view and a function.
CREATE TABLE docs (
  id integer PRIMARY KEY,
  doc jsonb,
  t tree GENERATED ALWAYS AS (doc::tree) STORED,
  depth integer GENERATED ALWAYS AS (tree_depth(doc::tree)) STORED,
  name text
);
INSERT INTO docs (id, doc, name)
SELECT i, jsonb_build_object('name', 'item ' || i % 50, 'sizes', jsonb_build_array(i % 7, i % 5, i)),
       'name ' || md5((i % 80)::text)
FROM generate_series(1, 400) i;
CREATE INDEX docs_btree ON docs (t);
CREATE INDEX docs_hash ON docs USING hash (t);
CREATE INDEX docs_gist ON docs USING gist (t);
CREATE INDEX docs_gin ON docs USING gin (t);
CREATE INDEX docs_pqgrams ON docs USING profile (t);
CREATE INDEX docs_names ON docs USING profile (name);
CREATE INDEX docs_distance ON docs (tree_edit_distance(t, '{"name"}'));
CREATE VIEW near AS
SELECT a.id, b.id AS other, tree_edit_distance(a.t, b.t) AS distance
FROM docs a JOIN docs b ON a.id < b.id AND tree_edit_distance(a.t, b.t) <= 1;
CREATE TABLE models (costs tree_costs);
INSERT INTO models VALUES ('{"ren": 2}');
ANALYZE;
