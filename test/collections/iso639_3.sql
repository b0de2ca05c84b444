-- The languages in iso-codes, one JSON document each.
CREATE TABLE iso639_3 AS
SELECT id, doc->>'name' AS name, doc
FROM jsonb_array_elements(pg_read_file(:'file')::jsonb -> '639-3')
  WITH ORDINALITY AS records (doc, id);
