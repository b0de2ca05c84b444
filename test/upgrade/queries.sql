-- What queries find with the objects of use.sql.
SET jit = off;
SET enable_seqscan = off;
SELECT count(*), sum(depth), md5(string_agg(t::text, ',' ORDER BY id)) FROM docs;
SELECT count(*), sum(distance) FROM near;
SELECT id FROM docs WHERE t = (SELECT t FROM docs WHERE id = 7) ORDER BY id;
SELECT id FROM docs WHERE tree_edit_distance(t, '{}'::jsonb::tree) <= 3 ORDER BY id;
SELECT t <-> (SELECT t FROM docs WHERE id = 7) AS distance FROM docs ORDER BY distance LIMIT 5;
SELECT count(*) FROM docs WHERE lcs_similarity(name, 'name c4ca4238a0b923820dcc509a6f75849b') >= 0.9;
SELECT count(*) FROM docs WHERE tree_edit_distance(t, '{"name"}') < 10;
SELECT * FROM models;
