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
\a
SELECT lcs('a😀b😁c', 'x😀y😁z'), lcs_length('😀', '😁'), scs_length('😀', '😁');
\a
-- é in one code point, and in two
SELECT lcs_length(U&'\00E9', U&'e\0301'), lcs_length(U&'e\0301', U&'e\0302'),
	scs_length(U&'\00E9', U&'e\0301');
-- a common byte is not a common character
SELECT lcs_length('é', 'è'), lcs_length('é'::bytea, 'è'::bytea);

-- other types that are texts
CREATE DOMAIN short_name AS varchar(20) CHECK (value <> '');
SELECT lcs_distance('kitten'::short_name, 'sitting'::char(9)), lcs('kitten'::short_name, 'sitting'::name),
	lcs_similarity('kitten'::varchar, 'sitting'), lcs_within('{a,b}'::varchar[], '{a}'::varchar[], 1);
DROP DOMAIN short_name;
-- collations play no part, so they may differ
CREATE TABLE collated (a text COLLATE "C", b text COLLATE "POSIX");
INSERT INTO collated VALUES ('abc', 'ABC'), ('abc', 'abd');
SELECT lcs_distance(a, b), lcs_similar(a, b, 0.5), lcs_within(b, a, 2), lcs(a, b) FROM collated;
-- elements of arrays are equal by one
SELECT lcs_distance(ARRAY[a], ARRAY[b]) FROM collated;
SELECT lcs_distance(ARRAY[a], ARRAY[b] COLLATE "C") FROM collated;
DROP TABLE collated;

-- measures: equal, one replaced, nothing in common, nothing at all
SELECT a, b, lcs_distance(a, b), lcs_similarity(a, b)
FROM (VALUES ('same', 'same'), ('kitten', 'mitten'), ('kitten', 'sitting'), ('abc', 'xyz'), ('abc', ''), ('', '')) AS t (a, b);
SELECT lcs_distance('\x0001'::bytea, '\x01'), lcs_distance('{a,b}'::text[], '{b,c}'), lcs_distance('{1}'::int[], '{1}'),
	lcs_distance('{1}'::bigint[], '{4294967297}'), lcs_similarity('\x0001'::bytea, '\x01'), lcs_similarity('{a,b}'::text[], '{b,c}'),
	lcs_similarity('{1}'::int[], '{1}'), lcs_similarity('{}'::bigint[], '{}');
SELECT lcs_distance(NULL, 'a'), lcs_similarity('a', NULL), lcs_similar('a', 'a', NULL), lcs_within('a', NULL, 1),
	lcs_distance_less_equal('a', 'a', NULL);

-- thresholds: at, above and below what there is, and what no similarity reaches
SELECT s, lcs_similar('kitten', 'sitting', s), lcs_similar('', '', s) AS empty, lcs_similar('abc', 'xyz', s) AS nothing_common
FROM unnest('{-0,0,0.6,0.6153846153846154,0.6153846153846155,1}'::float8[]) AS s;
-- no similarity is outside of 0 to 1, though one may be compared with any number
SELECT lcs_similar('kitten', 'sitting', 90);
SELECT lcs_similar('kitten', 'sitting', -0.1);
SELECT lcs_similar('\x00'::bytea, '\x00', 1.0000000000000002);
SELECT lcs_similar('{1}'::int[], '{1}', 'NaN');
SELECT lcs_similarity('kitten', 'kitten') >= s FROM unnest('{-1,90,NaN}'::float8[]) AS s;
SELECT k, lcs_within('kitten', 'sitting', k), least(lcs_distance_less_equal('kitten', 'sitting', k), k::bigint + 1),
	lcs_within('', '', k) AS empty
FROM unnest('{0,4,5,6,2147483647}'::int[]) AS k;
SELECT lcs_within('kitten', 'sitting', -1);
SELECT lcs_distance_less_equal('{1}'::int[], '{1}', -2147483648);
SELECT lcs_similar('\x0001'::bytea, '\x01', 0.7), lcs_similar('{a,b}'::text[], '{b,c}', 0.5), lcs_similar('{1,2}'::int[], '{2,3}', 0.6),
	lcs_similar('{1,2}'::bigint[], '{2,3}', 0.5), lcs_within('\x0001'::bytea, '\x01', 0), lcs_within('{a,b}'::text[], '{b,c}', 2),
	lcs_within('{1,2}'::int[], '{2,3}', 1), lcs_within('{1,2}'::bigint[], '{2,3}', 2);
-- each threshold on each pair says what the measure says
WITH words AS (
	SELECT substr(repeat(md5(i::text), 4), 1, i * i % 100) AS word FROM generate_series(0, 20) AS i
), pairs AS (
	SELECT a.word AS a, b.word AS b, lcs_distance(a.word, b.word) AS d, lcs_similarity(a.word, b.word) AS s
	FROM words AS a, words AS b
)
SELECT count(*), count(*) FILTER (WHERE lcs_within(a, b, k) <> (d <= k)) AS wrong_within,
	count(*) FILTER (WHERE least(lcs_distance_less_equal(a, b, k), k + 1) <> least(d, k + 1)) AS wrong_distance,
	count(*) FILTER (WHERE NOT lcs_similar(a, b, s) OR lcs_similar(b, a, k / 100.0) <> (s >= k / 100.0)) AS wrong_similar
FROM pairs, generate_series(0, 100, 5) AS k;

-- what others have published about the same measure
SELECT a, b, lcs_distance(a, b), lcs_similarity(a, b)
FROM (VALUES ('this is a test', 'this is a test!'), ('fuzzy wuzzy was a bear', 'wuzzy fuzzy was a bear'),
	('lewenstein', 'levenshtein'), ('Hello world!', 'Holly grail!'), ('Brian', 'Jesus'),
	('new york jets', 'New York Jets'), ('new york jets', 'New York Giants'), ('aaaa', 'bbbb')) AS t (a, b);
SELECT lcs_distance_less_equal('lewenstein', 'levenshtein', 1), lcs_length('lewenstein', 'levenshtein');
SELECT * FROM lcs_nearest('new york jets', '{Atlanta Falcons,New York Jets,New York Giants,Dallas Cowboys}', 2);

-- what differs
SELECT * FROM lcs_opcodes('qabxcd', 'abycdf');
SELECT * FROM lcs_opcodes('spam', 'park');
SELECT * FROM lcs_opcodes('naïve café', 'naive cafe');
SELECT * FROM lcs_opcodes('same', 'same');
SELECT * FROM lcs_opcodes('abc', '') UNION ALL SELECT * FROM lcs_opcodes('', 'abc') UNION ALL SELECT * FROM lcs_opcodes('abc', 'xy');
SELECT count(*) FROM lcs_opcodes('', '');
SELECT count(*) FROM lcs_opcodes(NULL, 'a');
SELECT * FROM lcs_opcodes('\x00ff01'::bytea, '\xff02');
SELECT * FROM lcs_opcodes('{the,quick,brown,fox}'::text[], '{the,brown,"quick fox",fox}');
SELECT * FROM lcs_opcodes('{1,2,3}'::int[], '{1,4,5,3}');
SELECT * FROM lcs_opcodes('{1,2,3}'::bigint[], '{}');
SELECT lcs_opcodes('ab', 'b'), lcs_opcodes('{1}'::int[], '{1}');
-- rows lie side by side, and their parts are both strings
SELECT count(*), count(*) FILTER (WHERE a_parts <> a OR b_parts <> b OR NOT adjoining OR NOT parts OR NOT kinds) AS wrong,
	count(*) FILTER (WHERE equal <> lcs(a, b)) AS not_lcs
FROM (
	SELECT a, b, string_agg(a_part, '' ORDER BY i) AS a_parts, string_agg(b_part, '' ORDER BY i) AS b_parts,
		coalesce(string_agg(a_part, '' ORDER BY i) FILTER (WHERE operation = 'equal'), '') AS equal,
		bool_and(a_from = a_end + 1 AND b_from = b_end + 1 AND operation IS DISTINCT FROM before) AS adjoining,
		bool_and(a_part = substr(a, a_from, a_to - a_from + 1) AND b_part = substr(b, b_from, b_to - b_from + 1)) AS parts,
		bool_and(CASE operation WHEN 'equal' THEN a_part = b_part AND a_part <> '' WHEN 'delete' THEN a_part <> '' AND b_part = ''
				 WHEN 'insert' THEN a_part = '' AND b_part <> '' WHEN 'replace' THEN a_part <> '' AND b_part <> '' END) AS kinds
	FROM (
		SELECT p.*, o.*, lag(a_to, 1, 0) OVER w AS a_end, lag(b_to, 1, 0) OVER w AS b_end, lag(operation) OVER w AS before
		FROM (
			SELECT x.s AS a, y.s AS b
			FROM (SELECT substr(repeat(translate(md5(i::text), '0123', 'äß€x'), 4), 1, (i * i * 7) % 128) AS s FROM generate_series(0, 12) AS i) AS x,
				(SELECT substr(repeat(translate(md5(i::text), '4567', 'äß€x'), 4), 1, (i * i * 5) % 128) AS s FROM generate_series(0, 12) AS i) AS y
		) AS p, lcs_opcodes(a, b) WITH ORDINALITY AS o (operation, a_from, a_to, b_from, b_to, a_part, b_part, i)
		WINDOW w AS (PARTITION BY a, b ORDER BY i)
	) AS r
	GROUP BY a, b
) AS t;
-- more rows than fit in memory
SET work_mem = '64kB';
SELECT operation, count(*), sum(length(a_part)) AS a, sum(length(b_part)) AS b
FROM lcs_opcodes(repeat('ab', 10000), repeat('axb', 10000)) GROUP BY operation ORDER BY operation;
RESET work_mem;

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

SELECT lcs_length('{1,9223372036854775807,-9223372036854775808,1}'::bigint[], '{9223372036854775807,1,1}'),
	scs_length('{1,9223372036854775807}'::bigint[], '{4294967297}'), lcs_length('{1}'::bigint[], '{4294967297}');
SELECT lcs_length('{2026-01-01,2026-01-02,infinity}'::timestamp[], '{2026-01-02,infinity}');

-- a type of its own for each of them
SELECT lcs('\x00ff0102'::bytea, '\xff000102'::bytea), scs('\x00ff0102'::bytea, '\xff000102'::bytea),
	pg_typeof(lcs(''::bytea, ''));
SELECT lcs('{the,quick,brown,fox}'::text[], '{the,brown,"quick fox",fox}'),
	scs('{the,quick,brown,fox}'::text[], '{the,brown,"quick fox",fox}');
SELECT lcs('{"",a,""}'::text[], '{"",""}'), scs('{"",a,"NULL"}'::text[], '{b,"NULL"}'), lcs('{}'::text[], '{}'), scs('{}'::text[], '{}');
SELECT lcs('{1,2,3,4,1}'::int[], '{3,4,1,2,1}'), scs('{1,2,3,4,1}'::int[], '{3,4,1,2,1}'), lcs('[5:7]={1,2,3}'::int[], '{2,3}'),
	pg_typeof(lcs('{}'::int[], '{}')), scs('{}'::int[], '{}');
SELECT lcs('{1,9223372036854775807}'::bigint[], '{9223372036854775807,1}'), scs('{1,-9223372036854775808}'::bigint[], '{2}'),
	pg_typeof(lcs('{}'::bigint[], '{}'));
SELECT lcs(array_agg(i), array_agg(i / 2)) = array_agg(i / 2) FILTER (WHERE i % 2 = 0) FROM generate_series(0::bigint, 999) i;

-- arrays of any type, whose elements are equal where its operator = says so
SELECT lcs_length(a, b), lcs(a, b), pg_typeof(scs(a, b)), lcs_distance(a, b), lcs_similarity(b, a), lcs_within(a, b, 2), a <~> b
FROM (VALUES ('{1,2,3}'::smallint[], '{3,-1,2,3}'::smallint[])) v(a, b);
SELECT lcs('{2024-01-01,infinity}'::date[], '{infinity,2024-01-01}'), lcs('{t,f,t}'::bool[], '{f,f,t}'), lcs('{a,b}'::"char"[], '{b}'),
	scs('{1,4294967295}'::oid[], '{4294967295,2}'), lcs('{1.5,2.5}'::money[], '{2.5}'), lcs('{101,11}'::bit varying[], '{1,11}');
SELECT lcs_length(array_fill(u, '{300}') || v, v || array_fill(u, '{299}')), lcs(ARRAY[u, v], ARRAY[v]), scs(ARRAY[u], ARRAY[v, u])
FROM (VALUES ('00000000-0000-0000-0000-000000000001'::uuid, '00000000-0000-0000-0000-000000000002'::uuid)) t(u, v);
SELECT lcs('{08:00:2b:01:02:03,08:00:2b:01:02:04}'::macaddr[], '{08:00:2b:01:02:04}'), lcs_length('{08:00:2b:01:02:03}'::macaddr[], '{09:00:2b:01:02:03}');
-- which of two equal elements it is, depends on the argument that it comes from
SELECT lcs('{1.0,2,NaN}'::numeric[], '{1.00,2.0,NaN}'), lcs('{1.00,2.0}'::numeric[], '{1.0,2}'), scs('{1.0,3}'::numeric[], '{2,1.00}');
SELECT * FROM lcs_opcodes('{1.0,2,3}'::numeric[], '{1.00,3.000,5}');
SELECT lcs('{0,-0,NaN}'::float8[], '{-0,NaN}'), lcs_length('{0}'::float4[], '{-0}'), lcs('{1 day,30 days}'::interval[], '{24:00:00,1 mon}'),
	lcs_distance(ARRAY['a', 'b ']::char(5)[]::bpchar[], ARRAY['a ', 'b']::bpchar[]), lcs_distance('{"{\"a\": 1}"}'::jsonb[], '{"{\"a\": 1.0}"}');
SELECT lcs('{"[1,2]","(5,6)"}'::int4range[], '{"[1,3)",empty}');
CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy');
CREATE TYPE pair AS (n numeric, t text);
CREATE DOMAIN moods AS mood[] CHECK (cardinality(value) < 5);
CREATE DOMAIN even AS int CHECK (value % 2 = 0);
SELECT lcs('{sad,ok,happy}'::mood[], '{happy,ok}'), lcs('{sad,ok}'::moods, '{ok}'), pg_typeof(lcs('{sad,ok}'::moods, '{ok}')),
	lcs('{"(1.0,a)","(,b)"}'::pair[], '{"(1.00,a)","(,b)","(2,)"}'), lcs('{2,4}'::even[], '{4,6}'), pg_typeof(scs('{2}'::even[], '{}'));
DROP TYPE pair;
DROP DOMAIN moods, even;
DROP TYPE mood;
SELECT lcs_length('{a,b}'::name[], '{b}'), lcs_length(ARRAY['a', 'b']::varchar[], '{b,c}'), lcs_length('{a}', ARRAY['a']), lcs_length(ARRAY['a'], NULL);
-- vectors, which have no empty form of arrays
SELECT lcs('1 2 3'::int2vector, '2 3'), lcs('1'::int2vector, '2'), lcs('1 2'::oidvector, '3'), pg_typeof(scs('1'::oidvector, '2')),
	array_dims(lcs('1'::int2vector, '2'));
SELECT * FROM lcs_opcodes('1 2'::int2vector, '2');
-- case-insensitive, where PostgreSQL has ICU
SELECT count(*) > 0 AS icu FROM pg_collation WHERE collprovider = 'i' \gset
\if :icu
CREATE COLLATION caseless (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
SELECT lcs('{A,b,C}'::text[] COLLATE caseless, '{a,B,D}'), scs('{A}'::text[] COLLATE caseless, '{a,b}'), lcs('{A,b}'::text[], '{a,b}'),
	lcs_distance('ABC' COLLATE caseless, 'abc') AS characters;
DROP COLLATION caseless;
\else
SELECT '{A,b}' AS lcs, '{A,b}' AS scs, '{b}' AS lcs, 6 AS characters;
\endif
-- types and pairs of types that cannot be compared
\set VERBOSITY terse
SELECT lcs_length('{1}'::int[], '{1}'::bigint[]);
SELECT lcs_length(ARRAY['a']::varchar[], ARRAY['a']::text[]);
\set VERBOSITY default
SELECT lcs_length('{1}'::json[], '{1}');
SELECT lcs('{"(1,2)"}'::point[], '{}');
SELECT lcs_similar('{a}'::tsvector[], '{a}', 0.5);
SELECT lcs_profile('{1}'::json[]), lcs_length('{}'::xml[], '{}');
SELECT lcs_length(ARRAY[ROW(1, 'a')], ARRAY[ROW(1, 'a')]);
CREATE TYPE unknown_pair AS (n int, j json);
SELECT lcs_length('{"(1,2)"}'::unknown_pair[], '{}');
DROP TYPE unknown_pair;
-- what a function is declared to take does not decide what its code takes
CREATE FUNCTION mixed(integer[], bigint[]) RETURNS integer AS '$libdir/ted', 'lcs_length_array' LANGUAGE C STRICT;
SELECT mixed('{1}', '{1}');
SELECT mixed(array_fill(1, '{1000}'), '{1}');
DROP FUNCTION mixed;
\set VERBOSITY terse
SELECT lcs_within('abc', 'abd', 0.9);
SELECT lcs_distance_less_equal('{1}'::int[], '{1}', 0.9);
\set VERBOSITY default
-- elements that are no sequence of known values
SELECT lcs_length('{a,NULL}'::text[], '{a}');
SELECT lcs('{1}'::bigint[], '{NULL}'), lcs_similarity('{1}'::bigint[], '{2}');
SELECT * FROM lcs_opcodes('{{1}}'::int[], '{1}');
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

SELECT lcs_similarities('kitten', '{sitting,kitten,"",NULL,mitten,кит}');
SELECT lcs_similarities('', '{a,""}'), lcs_similarities('a', '{}'), lcs_similarities('ab', '{{a,b},{ab,NULL}}'), lcs_similarities('кит', '[0:1]={кот,китт}');
SELECT lcs_similarities(NULL, '{a}'), lcs_similarities('a', NULL);

-- the nearest of many: ties by position, of which nulls have one
SELECT * FROM lcs_nearest('kitten', '{sitting,NULL,mitten,kitten,"",кит,mitten}', 3);
SELECT * FROM lcs_nearest('kitten', '{sitting,NULL,mitten,kitten,"",кит,mitten}', 100);
SELECT * FROM lcs_nearest('kitten', '{sitting,NULL,mitten,kitten,"",кит,mitten}', 100, 0.7);
SELECT * FROM lcs_nearest('kitten', '{sitting,NULL,mitten,kitten}', k => 2, min_similarity => 1);
SELECT * FROM lcs_nearest('', '{a,"",b,""}', 3);
SELECT * FROM lcs_nearest('ab', '{{a,b},{ab,NULL}}', 2) UNION ALL SELECT * FROM lcs_nearest('ab', '[7:8]={a,ab}', 1);
SELECT * FROM lcs_nearest('\x0001'::bytea, ARRAY['\x00', NULL, '\x000100', '\xff']::bytea[], 2);
SELECT count(*) FROM lcs_nearest('a', '{}', 3);
SELECT count(*) FROM lcs_nearest('a', '{NULL,NULL}', 3);
SELECT count(*) FROM lcs_nearest('a', '{a,b}', 0);
SELECT count(*) FROM lcs_nearest(NULL, '{a,b}', 1);
SELECT s, count(n) FROM unnest('{0,0.5,1}'::float8[]) AS s LEFT JOIN lcs_nearest('a', '{a,b,ab}', 3, s) ON true GROUP BY s ORDER BY s;
SELECT * FROM lcs_nearest('a', '{a,b}', -1);
SELECT * FROM lcs_nearest('a', '{a,b}', 1, 1.5);
SELECT * FROM lcs_nearest('\x00'::bytea, '{}', 1, 'NaN');
-- as by a sort of all
WITH docs AS (
	SELECT array_agg(CASE WHEN i % 17 <> 0 THEN substr(translate(md5((i % 1900)::text), '0123', 'äß€x'), 1, i * i % 33) END ORDER BY i) AS docs
	FROM generate_series(1, 4000) AS i
), queries AS (
	SELECT docs[q] AS query FROM docs, unnest('{2,20,100,1000,3999}'::int[]) AS q
)
SELECT k, s, count(*), count(*) FILTER (WHERE by_sort IS DISTINCT FROM found) AS wrong
FROM docs, queries, unnest('{1,7,1000,4000}'::int[]) AS k, unnest('{0,0.5,0.9}'::float8[]) AS s,
	LATERAL (SELECT array_agg((n, similarity, doc) ORDER BY i) AS found
			 FROM lcs_nearest(query, docs, k, s) WITH ORDINALITY AS f (n, similarity, doc, i)) AS f,
	LATERAL (SELECT array_agg((n, similarity, doc) ORDER BY similarity DESC, n) AS by_sort
			 FROM (SELECT n::int, similarity, doc FROM unnest(docs, lcs_similarities(query, docs)) WITH ORDINALITY AS u (doc, similarity, n)
				   WHERE similarity >= s ORDER BY similarity DESC, n LIMIT k) AS t) AS g
GROUP BY k, s ORDER BY k, s;

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

-- values out of line or compressed, and arrays that PL/pgSQL has expanded
CREATE TABLE stored (n int, s text, c text, b bytea, t text[], i int[], l bigint[]);
ALTER TABLE stored ALTER s SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL, ALTER l SET STORAGE EXTERNAL;
INSERT INTO stored
SELECT n, repeat('abc', 2000) || n, repeat('abc', 2000) || n, decode(repeat('0001ff', 2000) || '0' || n, 'hex'),
	array_fill('abc'::text, ARRAY[1000]) || n::text, array_fill(7, ARRAY[1000]) || n, array_fill(7::bigint, ARRAY[1000]) || n::bigint
FROM generate_series(1, 3) AS n;
SELECT x.n, y.n, lcs_distance(x.s, y.c) AS texts, lcs_distance(x.b, y.b) AS bytes, lcs_distance(x.t, y.t) AS tokens,
	lcs_distance(x.i, y.i) AS ints, lcs_distance(x.l, y.l) AS bigints, lcs(x.s, y.c) = repeat('abc', 2000) AS texts,
	length(scs(x.b, y.b)) AS bytes, cardinality(lcs(x.t, y.t)) AS tokens, cardinality(scs(x.i, y.i)) AS ints, cardinality(scs(x.l, y.l)) AS bigints
FROM stored AS x, stored AS y WHERE x.n <= y.n ORDER BY x.n, y.n;
SELECT n, similarity, length(doc) FROM lcs_nearest((SELECT s FROM stored WHERE n = 2), (SELECT array_agg(c ORDER BY n) FROM stored), 2);
SELECT operation, a_from, a_to, b_from, b_to, a_part = array_fill(7::bigint, ARRAY[1000]) AS a, b_part[1:1] AS b
FROM stored AS x, stored AS y, lcs_opcodes(x.l, y.l) WHERE x.n = 1 AND y.n = 2;
DROP TABLE stored;
CREATE FUNCTION of_expanded(OUT int, OUT int, OUT int, OUT text[], OUT int[], OUT bigint[], OUT text, OUT float8) LANGUAGE plpgsql AS $$
DECLARE
	t text[] := '{}';
	i int[] := '{}';
	l bigint[] := '{}';
BEGIN
	FOR n IN 1 .. 5 LOOP
		t[n] := n;
		i[n] := n;
		l[n] := n;
	END LOOP;
	SELECT lcs_distance(t, t[2:]), lcs_distance(i[2:], i), lcs_distance(l, l), scs(t, '{6}'), lcs(i, i[4:]), scs(l, l[2:] || l),
		string_agg(n || doc, ' '), (lcs_similarities('3', t))[3]
	INTO $1, $2, $3, $4, $5, $6, $7, $8 FROM lcs_nearest('3', t, 2);
END $$;
SELECT * FROM of_expanded();
DROP FUNCTION of_expanded();

-- memory is bounded
\set VERBOSITY terse
SET ted.max_memory = '64kB';
SELECT lcs_length('abc', 'abd');
SELECT lcs_length(repeat('a', 10000), repeat('b', 10000));
SELECT lcs(repeat('a', 5000), repeat('b', 5000));
SELECT lcs_lengths(repeat('a', 10000), '{a,b}');
SELECT lcs_length(array_agg(i::text), '{a}') FROM generate_series(1, 1000) AS i;
SELECT lcs_similarity(repeat('a', 10000), repeat('b', 10000));
SELECT lcs_within(repeat('a', 10000), repeat('b', 10000), 3);
SELECT lcs(decode(repeat('00', 5000), 'hex'), decode(repeat('00', 5000), 'hex'));
SELECT scs(array_agg(i), '{1}') FROM generate_series(1::bigint, 1000) AS i;
SELECT count(*) FROM lcs_opcodes(repeat('a', 5000), repeat('b', 5000));
SELECT count(*) FROM lcs_nearest(repeat('a', 10000), '{a,b}', 1);
SELECT count(*) FROM lcs_nearest('a', ARRAY[repeat('a', 20000)], 1);
SELECT count(*) FROM lcs_nearest('a', array_fill('a'::text, ARRAY[10000]), 100);
SELECT count(*) FROM lcs_nearest('a', array_fill('a'::text, ARRAY[10000]), 10000);
SELECT lcs_similarities('a', array_fill('a'::text, ARRAY[10000]));
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

-- elements of short arrays are told apart by all of their bytes, also where a row packs them
CREATE TABLE short_arrays AS
SELECT ARRAY['', 'x', 'xx', 'xxxxxxxx', 'xxxxxxxxx', 'yxxxxxxxx'] AS a, ARRAY['xxxxxxxxx', '', 'xx', 'xxxxxxxx', 'xxxxxxxxxx', 'yxxxxxxxx'] AS b,
       '{1,4294967297,-1}'::bigint[] AS c, '{4294967295,1,4294967297}'::bigint[] AS d, '{1,2,3}'::bigint[] AS e, '{2,3,1}'::bigint[] AS f,
       '{-1,7,2147483647}'::int[] AS g, '{2147483647,-1,7,0}'::int[] AS h, '{}'::int[] AS i;
SELECT lcs_length(a, b) AS texts, lcs_length(c, d) AS wide, lcs_length(c, e) AS one_wide, lcs_length(e, f) AS narrow, lcs_length(g, h) AS ints, lcs_length(g, i) AS none
FROM short_arrays;
DROP TABLE short_arrays;

-- a common end of many symbols, some of which one string has elsewhere, too
WITH s AS (SELECT string_agg(chr(100000 + g), '' ORDER BY g) AS t, string_agg(chr(20000 + g), '' ORDER BY g) FILTER (WHERE g <= 2100) AS p,
		string_agg(chr(100001 + (g * 7919) % 20000), '' ORDER BY g) FILTER (WHERE g <= 2100) AS r FROM generate_series(1, 20000) g)
SELECT length(lcs('x' || p || '1' || t, 'y' || r || '2' || t)), lcs_length(t || 'x' || p, t || 'y' || r), lcs_lengths(t || 'x' || p, ARRAY[t || 'y' || r]) FROM s;
