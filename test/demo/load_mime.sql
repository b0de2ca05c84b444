-- The MIME types of shared-mime-info, one XML document each.
CREATE TABLE mime AS
SELECT id::bigint, name, doc
FROM XMLTABLE(
  XMLNAMESPACES('http://www.freedesktop.org/standards/shared-mime-info' AS m),
  '/m:mime-info/m:mime-type'
  PASSING xmlparse(DOCUMENT pg_read_file(:'file'))
  COLUMNS id FOR ORDINALITY, name text PATH '@type', doc xml PATH '.'
);
