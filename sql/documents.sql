-- Distances straight on XML and JSON

SELECT tree_edit_distance('<a><b/>text</a>'::xml, '<a>text</a>'::xml) AS xml,
       tree_edit_distance('{"a": [1, 2]}'::json, '{"a": [1]}'::json) AS json,
       tree_edit_distance('{"a": 1, "b": null}'::jsonb, '{"b": null, "a": 1.5}'::jsonb) AS jsonb;
SELECT tree_edit_distance('<a/>'::xml, '<b><c/></b>'::xml, tree_costs(5, 3, 2)),
       tree_edit_distance_less_equal('[1,2,3]'::jsonb::tree, '[4,5,6]'::jsonb::tree, 1),
       tree_edit_distance_less_equal('[1,2,3]'::json::tree, '[4,5,6]'::json::tree, 100, tree_costs(2, 2, 3)),
       tree_within('<a/>'::xml, '<b/>'::xml, 1), tree_within(NULL::jsonb, '1', 1);

-- the body is inlined, so that an index on the tree applies
CREATE TABLE docs (id int, doc jsonb);
CREATE INDEX ON docs ((doc::tree));
EXPLAIN (VERBOSE, COSTS OFF) SELECT tree_edit_distance(a.doc, b.doc) FROM docs a, docs b;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM docs WHERE doc::tree = '[1]'::jsonb::tree;
RESET enable_seqscan;
DROP TABLE docs;

-- a stored conversion
CREATE TABLE docs (id int, doc xml, t tree GENERATED ALWAYS AS (doc::tree) STORED);
INSERT INTO docs VALUES (1, '<a x="1"><b/></a>'), (2, NULL);
SELECT id, t FROM docs ORDER BY id;
INSERT INTO docs VALUES (3, '<a/><b/>');
DROP TABLE docs;
