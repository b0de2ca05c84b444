-- The functions of Python's own library, one syntax tree each.
CREATE TABLE pyast (id bigint GENERATED ALWAYS AS IDENTITY, doc text);
\set copy '\\copy pyast (doc) FROM PROGRAM ''/usr/bin/python3 test/collections/pyast.py ' :file ''''
:copy
