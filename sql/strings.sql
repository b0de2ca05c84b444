-- Longest common subsequences and shortest common supersequences.

-- characters
SELECT lcs_length('ABCBDAB', 'BDCABA'), scs_length('ABCBDAB', 'BDCABA');
SELECT lcs('ABCBDAB', 'BDCABA'), scs('ABCBDAB', 'BDCABA');
-- of several answers, the order of the arguments picks one
SELECT lcs('BDCABA', 'ABCBDAB'), scs('BDCABA', 'ABCBDAB');
SELECT lcs('kitten', 'sitting'), scs('kitten', 'sitting');
SELECT lcs('same', 'same'), scs('same', 'same'), lcs('abc', 'xyz'), scs('abc', 'xyz');
SELECT lcs(name_a, name_b), scs(name_a, name_b)
FROM (VALUES ('Nouvelle-Aquitaine'::varchar(40), 'Aquitaine'::char(12))) AS t (name_a, name_b);

-- empty strings
SELECT lcs_length('', ''), scs_length('', ''), lcs('', '') = '' AS lcs, scs('', '') = '' AS scs;
SELECT lcs_length('abc', ''), scs_length('abc', ''), lcs('abc', ''), scs('abc', ''), scs('', 'abc');

-- NULL
SELECT lcs_length(NULL, 'a'), scs_length('a', NULL), lcs(NULL, 'a'), scs('a', NULL),
	lcs_lengths(NULL, '{a}'), lcs_lengths('a', NULL);

-- a character is one symbol, however many bytes it has
SELECT lcs_length('naïve café', 'naive cafe'), lcs('naïve café', 'naive cafe'),
	scs('naïve', 'naive');
SELECT lcs_length('東京都', '京都府'), lcs('東京都', '京都府'), scs('東京都', '京都府');
SELECT lcs('a😀b😁c', 'x😀y😁z'), lcs_length('😀', '😁'), scs_length('😀', '😁');
-- é in one code point, and in two
SELECT lcs_length(U&'\00E9', U&'e\0301'), lcs_length(U&'e\0301', U&'e\0302'),
	scs_length(U&'\00E9', U&'e\0301');
-- a common byte is not a common character
SELECT lcs_length('é', 'è'), lcs_length('é'::bytea, 'è'::bytea);

-- long strings, over several words
SELECT lcs_length(repeat('ab', 1000), repeat('ba', 1000)),
	lcs(repeat('ab', 1000), repeat('ba', 1000)) = repeat('ab', 999) || 'a' AS lcs,
	length(scs(repeat('ab', 1000), repeat('ba', 1000)));
SELECT lcs_length(repeat('é', 5000), repeat('é', 3000) || repeat('e', 3000)),
	lcs_length(repeat('a', 64), repeat('a', 65)), lcs_length(repeat('a', 65), repeat('a', 64));

-- bytes
SELECT lcs_length('\x00ff0102'::bytea, '\xff000102'::bytea),
	scs_length('\x00ff0102'::bytea, '\xff000102'::bytea);
SELECT lcs_length(''::bytea, '\x00'), scs_length(''::bytea, '\x00');

-- elements
SELECT lcs_length('{the,quick,brown,fox}'::text[], '{the,brown,"quick fox",fox}'),
	scs_length('{the,quick,brown,fox}'::text[], '{the,brown,"quick fox",fox}');
SELECT lcs_length('{"",a,""}'::text[], '{"",""}'), lcs_length('{}'::text[], '{a}'),
	scs_length('{}'::text[], '{a}'), scs_length('{}'::text[], '{}');
SELECT lcs_length('{1,2,3,4,1}'::int[], '{3,4,1,2,1}'), scs_length('{1,2,3,4,1}'::int[], '{3,4,1,2,1}'),
	lcs_length('{-1,2147483647,-2147483648}'::int[], '{2147483647,-2147483648,0}');
SELECT lcs_length('[5:7]={1,2,3}'::int[], '{2,3}'), lcs_length('{}'::int[], '{1}'),
	scs_length('{}'::int[], '{1}');
SELECT lcs_length(array_agg(i), array_agg(10000 - i) || array_agg(i))
FROM generate_series(0, 9999) AS i;
SELECT lcs_length(array_agg(i::text), array_agg((i * 2)::text)) FROM generate_series(0, 999) AS i;

-- elements that are no sequence of known values
SELECT lcs_length('{a,NULL}'::text[], '{a}');
SELECT scs_length('{a}'::text[], '{a,NULL}');
SELECT lcs_length('{1}'::int[], '{NULL}');
SELECT lcs_length('{{a,b},{c,d}}'::text[], '{a}');
SELECT scs_length('{1}'::int[], '{{1,2},{3,4}}');

-- one against many
SELECT lcs_lengths('kitten', '{sitting,kitten,"",NULL,mitten,кит}');
SELECT lcs_lengths('', '{a,""}'), lcs_lengths('a', '{}'), lcs_lengths('a', '{NULL,NULL}');
SELECT lcs_lengths('ab', '[0:1]={b,c}'), lcs_lengths('ab', '{{a,b},{ab,NULL}}');
SELECT lcs_lengths('a', '{b}'), lcs_lengths('a', ARRAY['b']::varchar[]);
SELECT bool_and(lcs_length(repeat('abc', 50), doc) = length)
FROM (SELECT array_agg(repeat('cab', i)) AS docs FROM generate_series(0, 100) AS i) AS d,
	unnest(docs, lcs_lengths(repeat('abc', 50), docs)) AS t (doc, length);
SELECT length(query), count(*), bool_and(lcs_length(query, doc) = length)
FROM (VALUES ('кит ab'), (repeat('abcк', 20)), (repeat('abcк', 200)), (repeat('abcк', 400))) AS q (query),
	(SELECT array_agg(CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN repeat('кab', i) ELSE repeat('ca', i) END) AS docs
	 FROM generate_series(0, 150) AS i) AS d,
	unnest(docs, lcs_lengths(query, docs)) AS t (doc, length)
GROUP BY query ORDER BY length(query);

-- the lengths of both and of the strings themselves agree, and the strings are what they claim
CREATE FUNCTION is_subsequence(part text, whole text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
	place int := 0;
	step int;
BEGIN
	FOR i IN 1 .. length(part) LOOP
		step := strpos(substr(whole, place + 1), substr(part, i, 1));
		IF step = 0 THEN
			RETURN false;
		END IF;
		place := place + step;
	END LOOP;
	RETURN true;
END $$;
WITH names AS (
	SELECT array_to_string(ARRAY(SELECT substr('aeiéè東京😀', (i * j * j + 7 * i + 3 * j) % 8 + 1, 1)
								 FROM generate_series(1, i * 3) AS j), '') AS name
	FROM generate_series(0, 30) AS i
)
SELECT count(*),
	count(*) FILTER (WHERE scs_length(a.name, b.name)
					 <> length(a.name) + length(b.name) - lcs_length(a.name, b.name)) AS wrong_lengths,
	count(*) FILTER (WHERE length(lcs(a.name, b.name)) <> lcs_length(a.name, b.name)
					 OR length(scs(a.name, b.name)) <> scs_length(a.name, b.name)) AS wrong_strings,
	count(*) FILTER (WHERE NOT is_subsequence(lcs(a.name, b.name), a.name)
					 OR NOT is_subsequence(lcs(a.name, b.name), b.name)) AS not_common,
	count(*) FILTER (WHERE NOT is_subsequence(a.name, scs(a.name, b.name))
					 OR NOT is_subsequence(b.name, scs(a.name, b.name))) AS not_covering
FROM names AS a, names AS b;
DROP FUNCTION is_subsequence(text, text);

-- memory is bounded
\set VERBOSITY terse
SET ted.max_memory = '64kB';
SELECT lcs_length('abc', 'abd');
SELECT lcs_length(repeat('a', 10000), repeat('b', 10000));
SELECT lcs(repeat('a', 5000), repeat('b', 5000));
SELECT lcs_lengths(repeat('a', 10000), '{a,b}');
SELECT lcs_length(array_agg(i::text), '{a}') FROM generate_series(1, 1000) AS i;
RESET ted.max_memory;
\set VERBOSITY default

-- what is kept of an argument from call to call gives the lengths of each pair alone
CREATE TABLE kept AS
SELECT i AS id, substr(repeat(translate(md5(i::text), '0123', 'äß€x'), 4), 1, (i * i * 7) % 128) AS s FROM generate_series(0, 12) i;
INSERT INTO kept SELECT id + 100, s FROM kept WHERE id < 4;
CREATE TABLE kept_pairs AS
SELECT a.id AS a, b.id AS b, a.s AS s, b.s AS t, (lcs_lengths(a.s, ARRAY[b.s]))[1] AS length FROM kept a, kept b;
SELECT count(*), count(*) FILTER (WHERE lcs_length(s, t) <> length) AS texts,
       count(*) FILTER (WHERE lcs_length(t, s) <> length) AS second_kept,
       count(*) FILTER (WHERE scs_length(s, t) <> length(s) + length(t) - length) AS supersequences,
       count(*) FILTER (WHERE lcs_length(string_to_array(s, NULL), string_to_array(t, NULL)) <> length) AS text_arrays,
       count(*) FILTER (WHERE lcs_length(ARRAY(SELECT ascii(c) FROM string_to_table(s, NULL) c), ARRAY(SELECT ascii(c) FROM string_to_table(t, NULL) c)) <> length) AS int_arrays,
       count(*) FILTER (WHERE lcs_length(convert_to(s, 'UTF8'), convert_to(t, 'UTF8')) < length) AS byte_strings
FROM (SELECT * FROM kept_pairs ORDER BY a, b OFFSET 0) p;
SELECT count(*) FILTER (WHERE lcs_length(t, (SELECT s FROM kept WHERE id = 11)) <> length) AS constant_text,
       count(*) FILTER (WHERE lcs_length(string_to_array(t, NULL), string_to_array((SELECT s FROM kept WHERE id = 11), NULL)) <> length) AS constant_array
FROM kept_pairs WHERE a = 11;
DROP TABLE kept, kept_pairs;
