-- The MIME types of shared-mime-info, one XML document each.  The DTD of the
-- file has default values for attributes, which xmllint puts where they belong
-- before the types part from it.
\set types `xmllint --nonet --dtdattr --dropdtd :file`
CREATE TABLE mime AS
SELECT id::bigint, name, doc
FROM XMLTABLE(
  XMLNAMESPACES('http://www.freedesktop.org/standards/shared-mime-info' AS m),
  '/m:mime-info/m:mime-type'
  PASSING xmlparse(DOCUMENT :'types')
  COLUMNS id FOR ORDINALITY, name text PATH '@type', doc xml PATH '.'
);
