-- Differences of texts
\pset format unaligned
\pset tuples_only

-- lines, with the words and letters that changed in similar ones
SELECT text_diff(E'one\ntwo\nthree\n', E'one\n2\nthree\n');
SELECT text_diff(E'Musterfirma GmbH\nMain Road 1\nsince 1999, paid 12.50 EUR\n',
	E'Musterfirma Gmbh\nMain Street 1\nsince 1989, paid 12.75 EUR\n');
-- equal texts, nothing, NULL
SELECT text_diff('', '') = '', text_diff(E'a\nb', E'a\nb') = '', text_diff(NULL, 'a') IS NULL;
SELECT text_diff('', E'a\nb\n');
SELECT text_diff(E'a\nb\n', '');
SELECT text_diff('', 'a');
SELECT text_diff(E'\n', '');
-- the end of the last line
SELECT text_diff('one', E'one\n');
SELECT text_diff(E'one\nthe last line', E'one\nthe very last line');
SELECT text_diff(E'one\ntwo', E'1\ntwo');
-- hunks: 6 unchanged lines join them, 7 divide them
SELECT text_diff(string_agg(n::text, E'\n' ORDER BY n), string_agg(CASE WHEN n IN (5, 12) THEN 'x' ELSE n::text END, E'\n' ORDER BY n))
FROM generate_series(1, 20) n;
SELECT text_diff(string_agg(n::text, E'\n' ORDER BY n), string_agg(CASE WHEN n IN (5, 13) THEN 'x' ELSE n::text END, E'\n' ORDER BY n))
FROM generate_series(1, 20) n;
-- a block after an equal one is inserted as a whole
SELECT text_diff(E'begin\n  one\nend\n', E'begin\n  one\nend\nbegin\n  two\nend\n');
SELECT text_diff(E'begin\n  one\nend\nbegin\n  one\nend\n', E'begin\n  one\nend\n');
-- similar lines are paired in order
SELECT text_diff(E'the first of these lines\nthe second of them\n', E'nothing of the kind\nthe first of those lines\n17\nthe third of them\n');
-- carriage returns, of all lines or of some
SELECT replace(text_diff(E'a line\r\nanother one\r\n', E'a line\r\nanother two\r\n'), E'\r', '<CR>');
SELECT replace(text_diff(E'a line\r\nanother one\r\n', E'a line\nanother one\r\n'), E'\r', '<CR>');
-- lines with the signs of changes are not joined
SELECT text_diff(E'take [-this-] away', E'take [-that-] away');
-- words and letters: accents, ideographs, quotes, signs, escapes, spaces
SELECT text_diff(a, b)
FROM (VALUES ('José Álvarez lives here', 'Jose Alvarez lives here'), ('„Hallo“, sagt sie zu ihm', '„Hello“, sagte sie zu ihm'),
	('東京都渋谷区神南一丁目', '東京都新宿区神南一丁目'), ('balance of -12 on 2024-01-15', 'balance of 12 on 2024-01-16'),
	('printf("one\nsea\n")', 'printf("one\npea\n")'), ('costs 1.5e-7 per item v1.2', 'costs 1.5e-8 per item v1.3'),
	('it was Anna Meyer who came to see us', 'it was Bernd Schulz who came to see us'), ('a  b c d e', 'a b c d e'),
	('this is some thing else', 'this is something else')) v (a, b);

-- what a reader takes for one character is not divided: flags, families, skin tones, accents, jamo, vowel signs, key caps
SELECT text_diff(a, b)
FROM (VALUES ('a flag 🇩🇪 here', 'a flag 🇩🇰 here'), ('🇩🇪🇫🇷', '🇩🇪🇩🇰🇫🇷'), (E'fam \U0001F468\u200D\U0001F469\u200D\U0001F467 yes', E'fam \U0001F468\u200D\U0001F469\u200D\U0001F466 yes'),
	(E'wave \U0001F44B\U0001F3FD hi', E'wave \U0001F44B\U0001F3FF hi'), (E'cafe\u0301s ouverts', E'cafe\u0308s ouverts'), ('cafes ouverts', E'cafe\u0301s ouverts'),
	(E'ab\u1112\u1161\u11ABcd', E'ab\u1112\u1161\u11AFcd'), ('हिन्दी में', 'हिन्दु में'), (E'key 1\uFE0F\u20E3 on', 'key 1 on'), (E'a \\\u0301b c', E'a \\b c')) v (a, b);

-- many lines
SELECT text_diff(string_agg(format('line %s', n), E'\n' ORDER BY n),
	string_agg(format('line %s', n), E'\n' ORDER BY n) FILTER (WHERE n <> 7000) || E'\nend')
FROM generate_series(1, 20000) n;
SELECT count(*), count(*) FILTER (WHERE line LIKE '~%')
FROM (SELECT text_diff(string_agg(format('%s, %s', n, md5(n::text)), E'\n' ORDER BY n),
		string_agg(format('%s; %s', n, md5(n::text)), E'\n' ORDER BY n)) AS diff
	FROM generate_series(1, 3000) n) d, string_to_table(diff, E'\n') line;

-- memory
SET ted.max_memory = '64kB';
SELECT text_diff(repeat(E'a\n', 20000), repeat(E'b\n', 20000));
RESET ted.max_memory;

-- pages, and sections without the page around them
CREATE FUNCTION pg_temp.page(a text, b text, title text DEFAULT '', captions text[] DEFAULT '{}') RETURNS text LANGUAGE sql
AS $$ SELECT split_part(text_diff_html(a, b, title, captions, page => false), '</style>', 2) $$;
SELECT pg_temp.page(E'one\ntwo\nthree\nfour\nfive\nthe last <line>\n', E'one\ntwo\nthree\nfour\nfive\nthe very last <line>');
SELECT pg_temp.page('', ''), pg_temp.page(E'a\n\nb', E'a\n\nb'), pg_temp.page('', E'a\n'), text_diff_html(NULL, '') IS NULL;
SELECT pg_temp.page(E'a\nb\nthe first line', E'c\nd\ne\nthe second line', 'A <title>', ARRAY['draft', NULL]);
SELECT text_diff_html('a', 'b') LIKE '<!DOCTYPE html>%</html>' || E'\n';
SELECT text_diff_html('a', 'b', captions => '{x}');
\set VERBOSITY terse
SELECT length(text_diff_html(string_agg(n::text, E'\n'), string_agg((-n)::text, E'\n'))) FROM generate_series(1, 20000) n;
