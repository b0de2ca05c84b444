-- The subdivisions of countries in iso-codes, one JSON document each.
CREATE TABLE iso3166_2 AS
SELECT id, concat_ws(' ', doc->>'code', doc->>'name') AS name, doc
FROM jsonb_array_elements(pg_read_file(:'file')::jsonb -> '3166-2')
  WITH ORDINALITY AS records (doc, id);
