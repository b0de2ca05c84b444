-- The functions of Python's own library, one syntax tree each, as JSON.
CREATE TABLE pyast_json (id bigint GENERATED ALWAYS AS IDENTITY, doc jsonb);
\set copy '\\copy pyast_json (doc) FROM PROGRAM ''/usr/bin/python3 test/collections/pyast.py --json ' :file ''''
:copy
