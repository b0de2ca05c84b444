-- The calendars in all languages of CLDR, one XML document each.
CREATE TABLE cldr_calendar AS
SELECT row_number() OVER (ORDER BY file COLLATE "C", number) AS id, doc
FROM pg_ls_dir(:'file') AS files (file),
  XMLTABLE('//calendar' PASSING xmlparse(DOCUMENT pg_read_file(:'file' || '/' || file))
    COLUMNS number FOR ORDINALITY, doc xml PATH '.');
