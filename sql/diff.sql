-- Differences of documents
\pset format unaligned
\pset tuples_only

-- plain trees: nodes renamed, subtrees deleted and inserted
SELECT tree_diff('{a{b}{c{d}}}', '{a{b}{x{e}}}');
SELECT tree_diff('{a{b}{c{d}}{e}{f}{g}{h}}', '{a{b}{c{d}{n{o}{p}}}{e}{f}{g}{h{i}}}');
-- a node whose children stay
SELECT tree_diff('{a{x{b}{c}}{d}}', '{a{b}{c}{y{d}}}');
-- equal trees
SELECT tree_diff('{a{b}}', '{a{b}}') = '' AS equal, tree_diff(NULL::tree, '{a}') IS NULL AS "null";
-- unchanged parts are folded, long subtrees cut
SELECT tree_diff(format('{a%s{x}}', repeat('{b{c}{d}}', 100))::tree, format('{a%s{y}}', repeat('{b{c}{d}}', 100))::tree);
SELECT tree_diff('{a{b}}', format('{a{b}{l%s}}', repeat('{b{c}{d}}', 100))::tree);
-- labels of several lines, of nothing, with brackets
SELECT tree_diff(E'{a{one\ntwo}{}{\\{\\}}}'::tree, E'{a{one\nthree}{x}{{\\{}}}'::tree);
-- the words that differ, and the letters
SELECT tree_diff('{The quick brown fox jumps over the lazy dog.}', '{The quick red fox jumped over a very lazy dog!}');

-- JSON
SELECT tree_diff('{"name":"Ada","tags":["x","y"],"n":1,"m":{"q":[1,2,3],"r":null},"z":5}'::jsonb,
	'{"name":"Bob","tags":["x","y","z"],"n":1,"m":{"q":[1,2,3],"r":null},"z":5,"w":[]}');
SELECT tree_diff('{"a":{"b":1,"c":2}}'::json, '{"x":{"a":{"b":1,"c":3}}}');
SELECT tree_diff('{"a": "x\ny"}'::json, '{"a": "x\nz", "b": {"c": [1, {"d": false}]}}');
SELECT tree_diff('[]'::jsonb, '{}');
SELECT tree_diff('1'::jsonb, '[1]');

-- XML
SELECT tree_diff('<note lang="en"><to>Bob &amp; Al</to><p>Hello <b>you</b> there</p><x/><y/><z/><w/></note>'::xml,
	'<note lang="en"><to>Bob &amp; Eve</to><p>Hello <i>you</i> there<br/></p><x/><y/><z/><w/><new><a k="&lt;1&quot;">t</a><b/></new></note>');
SELECT tree_diff('<a k="1"><b/><c/></a>'::xml, '<a k="2" l="3"><b/></a>');
-- a text is no element, whatever its distance
SELECT tree_diff('<a>b</a>'::xml, '<a><b/></a>');

-- what would end a CDATA section, in a long text
SELECT tree_diff('<a>the quick brown fox ]]&gt; jumps over the lazy dog</a>'::xml,
	'<a>the quick brown fox ]]&gt; jumped over the lazy dog</a>');

-- words and letters: names, numbers, strings that become numbers, keys, names of elements and attributes
SELECT tree_diff('{"firm": "Muster GmbH", "since": 1999, "rate": -12.5, "zip": "01067", "on": true, "was": null}'::jsonb,
	'{"firm": "Muster Gmbh", "since": 1989, "rate": 12.5, "zip": 1067, "on": false, "been": null}');
SELECT tree_diff('<list><item name="Müller, Anna" n="9">paid on 2024-01-15 in full</item></list>'::xml,
	'<list><items name="Mueller, Anna" nr="9">paid on 2024-01-16 in full</items></list>');
SELECT tree_diff('<p>Call <b>Anna Meyer</b> before 9 o''clock, or write</p>'::xml, '<p>Call <b>Bernd Schulz</b> before 10 o''clock, or write</p>');
SELECT tree_diff('{a}', '{an}'), tree_diff('{one}', '{once}'), tree_diff('{ISO9001}', '{ISO9002}'), tree_diff('{standard9001}', '{standard9002}');

-- trees of pages of HTML are written as such: attributes, texts and empty elements
SELECT tree_diff(tree_from_html('<ul class=a><li>one<li>two &amp; <b>three</b><br>x<li></ul><p>title<hr>Hello<br>code'),
	tree_from_html('<ul class=b><li>one<li>two &amp; <i>three</i><br>y<li></ul><p>title<hr>Hello<br>code<span></span><img src=x>'));
-- other trees with this root are not
SELECT t, replace(tree_diff(t, '{html{a{b}}}'), E'\n', ' ') FROM unnest(ARRAY['{html{@x{a}{b}}}', '{html{@x{a{b}}}}', '{html{"x{b}}}', '{html{a{b}}{@x{y}}}',
	'{html{{a}}}', '{html}', '{html{@x}}', '{html{a}{b}}', '{html{one}{two}}']::tree[]) t;

-- numbers
\pset format aligned
\pset tuples_only
SELECT * FROM tree_edit_counts('{a{b}{c{d}}}', '{a{b}{x{e}}{f}}');
SELECT * FROM tree_edit_counts('{a{b}{c{d}{e}}{f{x}{y}}}', '{a{f{x}{y}}{b}{c{d}{e}}}');
SELECT * FROM tree_edit_counts('{a{b{c}}{b{c}}}', '{x{a{b{c}}}}');
-- a subtree that goes into a new one is no part of what is inserted by itself
SELECT * FROM tree_edit_counts('{r{c{d}{e}}{x}{y}{k}}', '{r{x}{y}{k}{z{w}{c{d}{e}}}}');
SELECT * FROM tree_edit_counts('{a}', NULL);

-- memory
SET ted.max_memory = '64kB';
SELECT tree_diff(format('{a%s}', repeat('{b}', 2000))::tree, '{a}');
SELECT tree_edit_counts(format('{a%s}', repeat('{b}', 2000))::tree, '{a}');
-- long labels are written as they are where finding their words would take more
SET ted.max_memory = '1MB';
SELECT tree_diff(format('{%s}', a)::tree, format('{%s}', b)::tree) = format('~ [-%s-]{+%s+}', a, b) AS whole
FROM (VALUES (repeat('one two ', 2000), repeat('one three ', 2000))) v(a, b);
RESET ted.max_memory;

-- beyond the memory allowed, by an approximate mapping
SET ted.max_memory = '70MB';
SET ted.gpu = off;
CREATE TEMP TABLE large AS
SELECT n, ('{r' || string_agg(format('{a%s{b%s}}', i % 7, (i * n) % 11), '' ORDER BY i) || '}')::tree AS t
FROM generate_series(1, 4000) i, generate_series(1, 2) n GROUP BY n;
SELECT c.* FROM large a, large b, tree_edit_counts(a.t, b.t) c WHERE a.n = 1 AND b.n = 2;
SELECT split_part(tree_diff(a.t, b.t), E'\n', 1) FROM large a, large b WHERE a.n = 1 AND b.n = 2;
SELECT operation, count(*) FROM large a, large b, tree_edit_mapping(a.t, b.t, approximate => true)
WHERE a.n = 1 AND b.n = 2 GROUP BY 1 ORDER BY 1;
\set VERBOSITY terse
SELECT count(*) FROM large a, large b, tree_edit_mapping(a.t, b.t) WHERE a.n = 1 AND b.n = 2;
