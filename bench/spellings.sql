-- Tables for spellings.py: 200000 names, a tenth of them, and 3000 documents of each type.
\set QUIET on
SELECT setseed(0.5) \g /dev/null
CREATE EXTENSION ted;
CREATE TABLE names (id integer PRIMARY KEY, name text);
\copy names FROM pstdin
CREATE TABLE few AS SELECT * FROM names WHERE id % 10 = 0;
CREATE INDEX ON names USING profile (name);
CREATE TABLE arrays AS
  SELECT id, array(SELECT ascii(c) FROM regexp_split_to_table(name, '') c) AS doc FROM few WHERE id < 50000;
CREATE TABLE xmls AS
  SELECT i AS id, format('<book><title>%s</title><by><name>a%s</name></by><year>%s</year>%s</book>',
    md5((i / 3)::text), i % 7, i / 6,
    (SELECT string_agg(format('<c n="%s"><p>%s</p></c>', j, (i / 4 * j) % 50), '')
     FROM generate_series(1, i / 5 % 8 + 1) j))::xml AS doc
  FROM generate_series(1, 3000) i;
CREATE TABLE jsons AS
  SELECT i AS id, json_build_object('title', md5((i / 3)::text), 'by',
    json_build_object('name', 'a' || i % 7), 'year', i / 6,
    'c', (SELECT json_agg((i / 4 * j) % 50) FROM generate_series(1, i / 5 % 8 + 1) j)) AS doc
  FROM generate_series(1, 3000) i;
CREATE TABLE jsonbs AS SELECT id, doc::jsonb AS doc FROM jsons;
CREATE TABLE trees AS SELECT id, tree(doc) AS doc FROM xmls;
CREATE TABLE xmls_apart AS
  SELECT i AS id, format('<r>%s</r>', string_agg(format('<a n="%s"><b>%s</b></a>', j, i * j % 5003), ''))::xml AS doc
  FROM generate_series(1, 2000) i, generate_series(1, 12) j WHERE j <= 3 + i % 9 GROUP BY i;
CREATE TABLE jsonbs_apart AS
  SELECT id, to_jsonb(string_to_array(md5(id::text), NULL)) AS doc FROM xmls_apart;
CREATE TABLE searched AS SELECT * FROM xmls;
ALTER TABLE trees ADD PRIMARY KEY (id);
CREATE INDEX ON trees USING gist (doc);
CREATE INDEX ON searched USING gist (tree(doc));
