-- Thirty statements of a first hour that hurt, each with the answer that a
-- colleague would give.  Below a statement are the rows and the messages that
-- are expected; test/t/006_documents.pl runs them in this order.
CREATE TABLE people (id integer PRIMARY KEY, name text, code varchar(20), short char(8));
INSERT INTO people VALUES (1, 'Anna Smith', 'A-1', 'anna'), (2, 'Ana Smith', 'A-2', 'ana'), (3, 'Johann Meyer', 'B-1', 'johann'), (4, NULL, NULL, NULL);
CREATE TABLE docs (id integer PRIMARY KEY, doc jsonb, t tree GENERATED ALWAYS AS (tree(doc)) STORED);
INSERT INTO docs (id, doc) VALUES (1, '{"name": "a", "size": 1}'), (2, '{"size": 1, "name": "a"}'), (3, '{"name": "b", "size": 2}'), (4, NULL);

-- A driver sends a bigint, a numeric or a double as the threshold: any number will do.
SELECT lcs_within(name, 'Anna Smith', 1::bigint), lcs_within(name, 'Anna Smith', 1.0), lcs_within(name, 'Anna Smith', 1::float8) FROM people WHERE id = 2;
--> t, t, t

-- A similarity where a number of operations is due: it is not rounded to 0.
SELECT tree_within(t, t, 0.9) FROM docs WHERE id = 1;
--> ERROR: maximum distance has a fraction
--> HINT: For a similarity, use a function such as tree_similar() or lcs_similar(); with a model of costs, distances have fractions.

-- A percentage where a similarity is due.
SELECT lcs_similar('Anna', 'Ana', 90);
--> ERROR: minimum similarity is out of range
--> HINT: Similarities are between 0 and 1; for 90 percent, use 0.9.

-- A jsonb beside a tree is a tree, in functions and operators, and indexes of trees serve it.
SELECT id FROM docs WHERE tree_within(t, '{"name": "a", "size": 2}'::jsonb, 1) ORDER BY id;
--> 1
--> 2
--> 3

SELECT id, t <-> doc, doc <-> t, tree_diff(t, doc) = '' FROM docs ORDER BY t <-> '{"name": "b"}'::jsonb, id LIMIT 1;
--> 3, 0, 0, t

-- A json or an xml beside a tree is cast, and none of them is compared by =.
SELECT tree_within(t, json '{"name": "a", "size": 2}', 1) FROM docs;
--> ERROR: function tree_within(tree, json, integer) does not exist
--> HINT: No function matches the given name and argument types. You might need to add explicit type casts.

SELECT tree_within(t, json '{"name": "a", "size": 2}'::tree, 1) FROM docs WHERE id = 1;
--> t

-- A literal beside a jsonb is JSON; beside a tree it is a tree in brackets.
SELECT id FROM docs WHERE tree_within(doc, '{"name": "a", "size": 2}', 1) ORDER BY id;
--> 1
--> 2
--> 3

SELECT tree_within(t, '{"name": "a"}', 1) FROM docs WHERE id = 1;
--> ERROR: invalid input syntax for type tree
--> HINT: To make a tree of a JSON document, cast it to jsonb first, as in '{"a": 1}'::jsonb::tree; a label that begins with a quotation mark is written with a backslash before it.

-- The order of members is no difference; that of elements is one, unless a model says otherwise.
SELECT tree_edit_distance('{"a": 1, "b": 2}'::json, '{"b": 2, "a": 1}'), json_edit_distance('[1, 2]'::jsonb, '[2, 1]'), json_edit_distance('[1, 2]'::jsonb, '[2, 1]', tree_costs(arrays => 'unordered'));
--> 0, 2, 0

-- A typing error of one letter is two operations: one is deleted, one inserted.
SELECT lcs_distance('Anna', 'Anya'), lcs_within('Anna', 'Anya', 1), lcs_within('Anna', 'Anya', 2);
--> 2, f, t

-- Case and accents are letters like others.
SELECT lcs_similarity('ANNA', 'anna'), lcs_similarity(lower('ANNA'), 'anna');
--> 0, 1

-- NULL is no document: it matches nothing, and comes first where the order is descending.
SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.t, b.t, 1000);
--> 9

SELECT id FROM docs ORDER BY t <-> '{x}' DESC, id LIMIT 1;
--> 4

SELECT id FROM docs WHERE t IS NOT NULL ORDER BY t <-> '{x}', id LIMIT 1;
--> 1

-- The nearest, and among equally near ones the first name: the index is used.
CREATE INDEX people_name ON people USING profile (name);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT name FROM people ORDER BY name <%> 'Anne Smith', name LIMIT 1;
--> Limit
-->   ->  Incremental Sort
-->         Sort Key: ((name <%> 'Anne Smith'::text)), name
-->         Presorted Key: ((name <%> 'Anne Smith'::text))
-->         ->  Index Scan using people_name on people
-->               Order By: (name <%> 'Anne Smith'::text)

-- An index of varchar or char(n) needs no cast, and no statement does.
CREATE INDEX people_code ON people USING profile (code);
CREATE INDEX people_short ON people USING profile (short);
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM people WHERE lcs_within(code, 'A-3', 2);
EXPLAIN (COSTS OFF) SELECT id FROM people WHERE lcs_within(short, 'anne', 2);
--> Index Scan using people_code on people
-->   Index Cond: ((code)::text <~ lcs_range('A-3'::text, '2'::double precision))
-->   Filter: lcs_within((code)::text, 'A-3'::text, '2'::double precision)
--> Index Scan using people_short on people
-->   Index Cond: ((short)::text <~ lcs_range('anne'::text, '2'::double precision))
-->   Filter: lcs_within((short)::text, 'anne'::text, '2'::double precision)

-- An index of trees serves documents by the expression of the index.
CREATE INDEX docs_tree ON docs USING gist ((doc::tree));
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM docs WHERE tree_within(doc, '{"name": "a"}', 3);
--> Index Scan using docs_tree on docs
-->   Index Cond: ((doc)::tree <~ tree_range('{\{\}{"name":{"a"}}}'::tree, '3'::double precision))
-->   Filter: tree_within((doc)::tree, '{\{\}{"name":{"a"}}}'::tree, '3'::double precision)

-- The same through a domain.
CREATE DOMAIN document AS jsonb;
CREATE TABLE papers (id integer, doc document);
CREATE INDEX papers_tree ON papers USING gist ((doc::tree));
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT id FROM papers WHERE tree_within(doc, '{"name": "a"}', 3);
--> Bitmap Heap Scan on papers
-->   Filter: (tree_within((doc)::tree, '{\{\}{"name":{"a"}}}'::tree, '3'::double precision) AND tree_within((doc)::tree, '{\{\}{"name":{"a"}}}'::tree, '3'::double precision))
-->   ->  Bitmap Index Scan on papers_tree
-->         Index Cond: ((doc)::tree <~ tree_range('{\{\}{"name":{"a"}}}'::tree, '3'::double precision))

-- A chain of similar names is one cluster; complete linkage wants each pair.
SELECT string_agg(c || ' ' || d, ', ' ORDER BY n) FROM (SELECT n, lcs_similar_cluster(n, 0.6) OVER (ORDER BY n) AS c, lcs_similar_cluster(n, 0.6, linkage => 'complete') OVER (ORDER BY n) AS d FROM unnest('{anna,hanna,johanna,johann,hans}'::text[]) n) c;
--> 1 1, 1 1, 1 2, 1 1, 1 1

SELECT lcs_similar_cluster(name, 0.6, linkage => 'average') OVER () FROM people;
--> ERROR: linkage of lcs_similar_cluster() is neither "single" nor "complete"
--> HINT: Write linkage => 'complete'.

-- A key and its value are one place.
SELECT rank, path, distance FROM tree_subtree_nearest('{"sku": 5}'::jsonb::tree, '{"items": [{"sku": 4}, {"sku": 5}]}'::jsonb::tree, 2);
--> 1, /items/1, 0
--> 2, /items/0, 1

-- A path for #>.
SELECT '{"items": [{"a/b": 7}]}'::jsonb #> json_pointer_path('/items/0/a~1b'), json_pointer_path(''), json_pointer_path('items');
--> 7, {}, 

-- Joins by JEDI with a model are joins, too.
EXPLAIN (COSTS OFF) SELECT a.id, b.id FROM docs a JOIN docs b ON a.id < b.id AND json_edit_distance(a.doc, b.doc, '{"rename": 0.5}') <= 1;
--> Custom Scan (TedJoin)
-->   Join Cond: ((json_edit_distance((a.doc)::tree, (b.doc)::tree, '{"insert": 1, "delete": 1, "rename": 0.5}'::tree_costs)) <= '1'::double precision)
-->   Join Filter: (a.id < b.id)
-->   ->  Seq Scan on docs a
-->   ->  Seq Scan on docs b

SELECT a.id, b.id FROM docs a JOIN docs b ON a.id < b.id AND json_within(a.doc, b.doc, 1, '{"rename": 0.5}') ORDER BY 1, 2;
--> 1, 2
--> 1, 3
--> 2, 3

-- What is ignored is a list; in a model written as JSON, it is a rule.
SELECT tree_costs(ignore => 'id');
--> ERROR: malformed array literal: "id"

SELECT tree_edit_distance('{"id": 1}'::jsonb, '{"id": 2}', '{"ignore": "id"}');
--> ERROR: invalid cost model
--> HINT: Members are "insert", "delete", "rename", "texts", "numbers", "tolerance", "relative_tolerance", "unordered", "arrays" and "rules"; a rule ignores nodes: {"rules": [{"pattern": "id", "ignore": true}]}.

SELECT tree_edit_distance('{"id": 1}'::jsonb, '{"id": 2}', tree_costs(ignore => '{id}')), tree_edit_distance('{"id": 1}'::jsonb, '{"id": 2}', '{"rules": [{"pattern": "id", "ignore": true}]}');
--> 0, 0

-- A model of other terms, and of a negative cost.
SELECT tree_edit_distance('{a}'::tree, '{b}', '{"replace": 2}');
--> ERROR: invalid cost model
--> HINT: Members are "insert", "delete", "rename", "texts", "numbers", "tolerance", "relative_tolerance", "unordered", "arrays" and "rules"; a rule ignores nodes: {"rules": [{"pattern": "id", "ignore": true}]}.

SELECT tree_edit_distance('{a}'::tree, '{b}', tree_costs(rename => -1));
--> ERROR: edit cost is out of range
--> HINT: Use costs from 0 to 100000; only their ratios matter.

-- Text is no document by itself.
SELECT '<a>x</a>'::tree;
--> ERROR: invalid input syntax for type tree
--> HINT: To make a tree of an XML document, cast it to xml first, as in '<a/>'::xml::tree.

SELECT tree_edit_distance('<a>x</a>', '<a>y</a>');
--> ERROR: invalid input syntax for type tree
--> HINT: To make a tree of an XML document, cast it to xml first, as in '<a/>'::xml::tree.

SELECT tree_edit_distance('<a>x</a>'::xml, '<a>y</a>');
--> 1

-- The best of another list, and who has none.
SELECT q.name, n.name, round(n.s::numeric, 2) FROM (VALUES ('Anna Smyth'), ('Zoe')) q(name) LEFT JOIN LATERAL (SELECT p.name, lcs_similarity(p.name, q.name) AS s FROM people p WHERE lcs_similar(p.name, q.name, 0.8) ORDER BY p.name <%> q.name, p.name LIMIT 1) n ON true ORDER BY 1;
--> Anna Smyth, Anna Smith, 0.90
--> Zoe, , 
