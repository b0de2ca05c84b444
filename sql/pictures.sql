-- Pictures of differences and of trees: well-formed, whatever labels there are
\pset format unaligned
\pset tuples_only
CREATE FUNCTION pg_temp.number_of(path text, picture text) RETURNS text LANGUAGE sql AS $$
	SELECT array_to_string(xpath('count(' || path || ')', xmlparse(DOCUMENT picture),
		'{{h,http://www.w3.org/1999/xhtml},{s,http://www.w3.org/2000/svg}}'), '')
$$;
CREATE FUNCTION pg_temp.texts_of(path text, picture text) RETURNS SETOF text LANGUAGE sql AS $$
	SELECT t FROM XMLTABLE(XMLNAMESPACES('http://www.w3.org/1999/xhtml' AS h, 'http://www.w3.org/2000/svg' AS s),
		path PASSING xmlparse(DOCUMENT picture) COLUMNS t text PATH '.')
$$;

-- what a small one is
SELECT split_part(tree_diff_html('{a{b}{c{d}}}', '{a{b}{c{x}{y{z}}}}'), '<body class="ted-diff">', 2);
SELECT regexp_replace(tree_diff_svg('{a{b}{c{d}}}', '{a{b}{c{x}{y{z}}}}'), '<style>.*</style>', '');
SELECT regexp_replace(tree_svg('{a{b}{c{d}{e}}}'), '<style>.*</style>', '');
SELECT regexp_replace(tree_svg('{a}'), '<style>.*</style>', '');
-- equal documents
SELECT split_part(tree_diff_html('{a{b}}', '{a{b}}'), '<body class="ted-diff">', 2);
SELECT tree_diff_html(NULL::tree, '{a}') IS NULL, tree_diff_svg('{a}'::tree, NULL) IS NULL, tree_svg(NULL) IS NULL;

-- titles and captions, of any characters, in a page and in a part of one
SELECT split_part(tree_diff_html('{a}', '{b}', title => 'Invoice <17>', captions => ARRAY['draft & "old"', 'sent']), '<body', 2);
SELECT (xpath('//h:title/text()', page, '{{h,http://www.w3.org/1999/xhtml}}'))[1], page::text ~ '<style>' AS has_style
FROM (SELECT xmlparse(DOCUMENT tree_diff_html('{a}', '{b}', title => 'Invoice <17>'))) x (page);
SELECT regexp_replace(tree_diff_html('{a}', '{b}', title => 'Invoice <17>', captions => ARRAY['draft', NULL], page => false), '<style>.*</style>', '');
SELECT regexp_replace(tree_diff_svg('{a}', '{b}', title => 'Invoice <17>', captions => ARRAY['a long caption of the first document', repeat('x', 100)]), '<style>.*</style>', '');
SELECT tree_diff_html('{a}', '{b}', title => NULL) IS NULL, tree_diff_svg('{a}', '{b}', captions => NULL) IS NULL;
SELECT tree_diff_html('{a}', '{b}', captions => '{draft}');
SELECT tree_diff_svg('{a}', '{b}', captions => '{a,b,c}');
SELECT tree_diff_html('{a}', '{b}', captions => '{{draft},{sent}}') ~ '<span>draft</span><b></b><span>sent</span>';

-- moved subtrees have the same number in both places
-- signs are as many as parts in the summary: a part that has moved has its own, the end of an element none
SELECT said FROM (SELECT tree_diff_html('<a><p><q>1</q></p><b><c>1</c></b><d/><e><f>2</f></e></a>'::xml, '<a><b/><d><c>1</c></d><f>2</f><g><p><q>1</q></p></g></a>') AS page) p,
	LATERAL (SELECT substring(page from '<p>(.*?)</p>') UNION ALL SELECT string_agg(sign[1], ' ') FROM regexp_matches(page, '</span><b>(&[^<]*|[+~])</b>', 'g') sign) AS x (said);
-- a string of several lines is broken into these
SELECT regexp_matches(tree_diff_html('["a\nb\nc", 1]'::jsonb, '["a\nx\nb\nc", 1]'), '<div class="r c">.*?</div>');
-- what is long and in both is a fold on a page; in SVG, the difference stays in sight, and the title has all
SELECT split_part(tree_diff_html(a, b), '<main', 2), regexp_matches(tree_diff_svg(a, b), '<text x="44" y="31">.*?</text>', 'g')
FROM (VALUES (jsonb_build_object('k', repeat('x', 200) || ' here is the ' || 'one'), jsonb_build_object('k', repeat('x', 200) || ' here is the ' || 'other'))) v (a, b);
SELECT split_part(tree_diff_html('<a><c k="1" m="2">x</c></a>'::xml, '<a><c k="1" l="3">x</c></a>'), '<main', 2);
SELECT split_part(tree_diff_html('<a><b><c>1</c></b><d/><e><f x="1"/></e></a>'::xml, '<a><e/><b/><d><c>1</c></d><f x="1"/></a>'), '<main', 2);
-- a renamed key is a change of the key alone
SELECT split_part(tree_diff_html('{"owner": "ada", "n": {"x": 1}}'::jsonb, '{"contact": "ada", "m": {"x": 1}}'), '<main', 2);
-- what is ignored: with a sign of its own
SELECT split_part(tree_diff_html('<a id="1"><b/><c id="2">x</c></a>'::xml, '<a id="3"><b id="4"/><c id="2">x</c></a>', tree_costs(ignore => '{@id}'), show_ignored => true), '<body', 2);
SELECT split_part(tree_diff_html('<a id="1"><b/><c id="2">x</c></a>'::xml, '<a id="3"><b id="4"/><c id="2">x</c></a>', tree_costs(ignore => '{@id}')), '<body', 2);

-- documents in their own syntax: rows of each kind, lines between matches, folds
CREATE TEMP TABLE pictures (of text, html text, svg text);
INSERT INTO pictures
SELECT 'json', tree_diff_html(a, b), tree_diff_svg(a, b)
FROM (VALUES (json '{"name":"Ada","n":1,"m":{"q":[1,2,3],"r":null},"o":{"p":[1,2]},"z":5}',
	json '{"name":"Bob","n":1,"m":{"q":[1,2,3],"r":null},"z":5,"w":[{"x":[]}]}')) v (a, b)
UNION ALL
SELECT 'jsonb', tree_diff_html(a, b), tree_diff_svg(a, b)
FROM (VALUES (jsonb '{"notes":"met at the summer conference in Paris","tags":["x","y"]}',
	jsonb '{"notes":"met at the winter conference in Paris","tags":["x","y","z"]}')) v (a, b)
UNION ALL
SELECT 'xml', tree_diff_html(a, b), tree_diff_svg(a, b)
FROM (VALUES (xml '<note lang="en"><to>Bob &amp; Al</to><p>Hello <b>you</b> there</p><x/><y/><z/><w/></note>',
	xml '<note lang="en"><to>Bob &amp; Eve</to><p>Hello <i>you</i> there</p><x/><y/><z/><w/><n><a k="&lt;1&quot;">t</a></n></note>')) v (a, b);
SELECT of, pg_temp.number_of('//*[contains(@class, "r d")]', html) AS deleted, pg_temp.number_of('//*[contains(@class, "r i")]', html) AS inserted,
	pg_temp.number_of('//*[contains(@class, "r c")]', html) AS changed, pg_temp.number_of('//*[contains(@class, "r u")]', html) AS unchanged,
	pg_temp.number_of('//h:details', html) AS folds, pg_temp.number_of('//h:summary[count(h:span) = 2][count(h:b) = 1]', html) AS summaries,
	pg_temp.number_of('//h:script', html) AS scripts
FROM pictures ORDER BY of;
-- the policy allows the script that the page has, and no other one; a section has none
SELECT DISTINCT substring(html from 'content="(default-src.*?)"') = format('default-src ''none''; style-src ''unsafe-inline''; script-src ''sha256-%s''',
	encode(sha256(convert_to(substring(html from '<script type="module">(.*)</script>'), 'UTF8')), 'base64')) FROM pictures;
SELECT tree_diff_html('{a}', '{b}', page => false) ~ '<(script|nav)', tree_diff_html('{a}', '{b}') ~ '<nav hidden="">.*<button';
SELECT of, pg_temp.number_of('/s:svg/s:svg[1]/s:rect', svg) AS old, pg_temp.number_of('/s:svg/s:svg[3]/s:rect', svg) AS new,
	pg_temp.number_of('/s:svg/s:svg[2]/s:path[@class = "u"]', svg) AS matches, pg_temp.number_of('/s:svg/s:svg[2]/s:path[@class = "c"]', svg) AS renames
FROM pictures ORDER BY of;
-- both columns are the documents, without rows that stand for what can be unfolded
SELECT string_agg(t, '' ORDER BY n)::jsonb FROM pictures,
	pg_temp.texts_of('//h:div[contains(@class, "r ")]/h:span[1]', html) WITH ORDINALITY AS x (t, n) WHERE of = 'json';
SELECT string_agg(t, '' ORDER BY n)::jsonb FROM pictures,
	pg_temp.texts_of('//h:div[contains(@class, "r ")]/h:span[2]', html) WITH ORDINALITY AS x (t, n) WHERE of = 'json';
SELECT pg_temp.texts_of('/s:svg/s:svg[1]/s:text', svg) FROM pictures WHERE of = 'json';

-- hostile labels
CREATE TEMP TABLE hostile AS
SELECT n, label, format('{r{%1$s}{same}{%1$s{%1$s}}}', regexp_replace(label, '([{}\\])', '\\\1', 'g'))::tree AS t
FROM unnest(ARRAY['</script><script>alert(1)</script>', '"><img src=x onerror=alert(1)>', ''' onload=''alert(1)', ']]>', '<!--',
	'</style>', '</title></svg>', '&lt;&amp;&#0;', '</span></div></details>', E'tab\tnew\nline\rreturn', '{}\',
	(SELECT string_agg(chr(c), '') FROM generate_series(1, 31) c) || chr(127) || chr(133) || chr(65534) || chr(65535),
	'žluťoučký 日本語 😀' || chr(8238) || 'abc', repeat('long ', 1000)]) WITH ORDINALITY AS x (label, n);
SELECT n, pg_temp.number_of('//*', a.html) = pg_temp.number_of('//*', b.html) AS elements_as_without, pg_temp.number_of('//*[@onerror or @onload or @src]', a.html) AS attributes,
	a.html ~ '^[\n -~]*$' AS html_ascii, a.svg ~ '^[\n -~]*$' AS svg_ascii, a.tree ~ '^[\n -~]*$' AS tree_ascii,
	pg_temp.number_of('//s:text', a.svg), pg_temp.number_of('//s:text', a.tree), pg_temp.number_of('//s:title', a.svg), pg_temp.number_of('//s:title', a.tree)
FROM hostile,
	LATERAL (SELECT tree_diff_html(t, '{r{same}}') AS html, tree_diff_svg(t, '{r{same}}') AS svg, tree_svg(t) AS tree) a,
	LATERAL (SELECT tree_diff_html('{r{a}{same}{a{a}}}'::tree, '{r{same}}') AS html) b
ORDER BY n;
-- they say what they are
SELECT n, bool_and(said = translate(label, E'\n\r', '')) FROM hostile, pg_temp.texts_of('//h:div[contains(@class, "r d")]/h:span[1]', tree_diff_html(t, '{r{same}}')) said
WHERE n NOT IN (10, 12) GROUP BY n ORDER BY n;
SELECT said FROM hostile, pg_temp.texts_of('//s:text', tree_svg(t)) said WHERE n IN (10, 12, 13);
SELECT length(said) FROM hostile, pg_temp.texts_of('//s:text/s:title', tree_svg(t)) said WHERE n = 14;
SELECT split_part(tree_diff_html('{"</script>": ["\"><img onerror=x>"]}'::jsonb, '[]'), '<main', 2);
SELECT split_part(tree_diff_html('<a x="&quot;&gt;&lt;img onerror=''x''&gt;"><![CDATA[</script>]]>]]&gt;</a>'::xml, '<b/>'), '<main', 2);

-- large documents: folded, or refused
CREATE TEMP TABLE large AS SELECT ('{r' || string_agg(format('{a%s{b}}', i), '') || '}')::tree AS t FROM generate_series(1, 30000) i;
SELECT pg_temp.number_of('//h:details', tree_diff_html(t, t)), pg_temp.texts_of('//h:i', tree_diff_html(t, t)) FROM large;
SELECT pg_temp.texts_of('/s:svg/s:svg[1]/s:text', tree_diff_svg(t, t)) FROM large;
SELECT pg_temp.number_of('//s:text', tree_svg(t)), (SELECT max(x) FROM pg_temp.texts_of('//s:text[@class = "n"]', tree_svg(t)) x) FROM large;
SELECT tree_diff_html(t, '{r}') FROM large;
SELECT tree_diff_svg('{r}', t) FROM large;
-- a path
SELECT pg_temp.number_of('//s:text', tree_svg(t)), pg_temp.texts_of('//s:text[@class = "n"]', tree_svg(t)), pg_temp.number_of('//h:div', tree_diff_html(t, t))
FROM (SELECT (repeat('{a', 6000) || repeat('}', 6000))::tree) x (t);

-- by an approximate mapping, which they say
SET ted.max_memory = '70MB';
SET ted.gpu = off;
CREATE TEMP TABLE differing AS
SELECT n, ('{r' || string_agg(format('{a%s{b%s}}', i % 7, (i * n) % 11), '' ORDER BY i) || '}')::tree AS t
FROM generate_series(1, 4000) i, generate_series(1, 2) n GROUP BY n;
SELECT tree_diff_html(a.t, b.t) ~ ', by an approximate mapping</p>', tree_diff_svg(a.t, b.t) ~ ', by an approximate mapping</text>'
FROM differing a, differing b WHERE a.n = 1 AND b.n = 2;

-- memory
\set VERBOSITY terse
-- a string of several lines has a row for each line, and unchanged ones are folded
SELECT (regexp_matches(tree_diff_svg(a, b), '<text x="\d+" y="\d+"[^>]*>(.+?)</text>\n', 'g'))[1] FROM (VALUES ('{"a": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight", "b": 1}'::jsonb, '{"a": "one\ntwo\n3\nfour\nfive\nsix\nseven\neight\nnine", "b": 1}'::jsonb)) v (a, b);
SET ted.max_memory = '1MB';
SELECT tree_svg(t) FROM large;
SELECT tree_svg(format('{%s}', repeat('<', 300000))::tree);
SELECT tree_diff_html(format('{%s}', repeat('<', 300000))::tree, '{a}');
SELECT tree_diff_svg(format('{%s}', repeat('<', 300000))::tree, '{a}');
