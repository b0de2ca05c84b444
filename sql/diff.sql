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
-- strings of several lines, line by line
SELECT tree_diff(a, b) FROM (VALUES (jsonb_build_object('b', 1, 'script', E'set -e\nmake all\nmake test\nls\ncd /\npwd\nx\ny\necho done\n', 'z', 2),
	jsonb_build_object('b', 1, 'script', E'set -e\nmake install\nmake test\nmake check\nls\ncd /\npwd\nx\ny\necho done; exit\n', 'z', 2)),
	('{"a": null, "b": "a\nb\nc\nd", "c": "x\ny"}', '{"a": "1\n2\n3\\\\n4\\", "b": "x\ny\nz", "c": "x\nz", "d": "new\nlines\nin it"}'), ('["1\n2\n3\n4\n"]', '["1\n3\n4\n"]')) v (a, b);
-- the middle of what is long and in both is folded, not within a character
SELECT tree_diff(jsonb_build_object('k', repeat('lorem ipsum ', 20) || 'dolor' || repeat(E' sit ame\u0301', 20)), jsonb_build_object('k', repeat('lorem ipsum ', 20) || 'color' || repeat(E' sit ame\u0301', 20)));
SELECT tree_diff(('<a>' || repeat('x', 500) || '<b/></a>')::xml, ('<a>' || repeat('x', 500) || '<c/></a>')::xml), tree_diff('{"a": []}', jsonb_build_object('a', ARRAY[repeat('x', 200)]));

-- XML
SELECT tree_diff('<note lang="en"><to>Bob &amp; Al</to><p>Hello <b>you</b> there</p><x/><y/><z/><w/></note>'::xml,
	'<note lang="en"><to>Bob &amp; Eve</to><p>Hello <i>you</i> there<br/></p><x/><y/><z/><w/><new><a k="&lt;1&quot;">t</a><b/></new></note>');
SELECT tree_diff('<a k="1"><b/><c/></a>'::xml, '<a k="2" l="3"><b/></a>');
-- an attribute, or a text, that only one of two start tags has
SELECT tree_diff('<r><c a="1"/><c a="2"/></r>'::xml, '<r><c a="1" e="1"/><c a="2" e="2"/></r>');
SELECT tree_diff('<r><p a="1" b="2" z="q">text</p><p><b>x</b></p><q>old</q><s/>k</r>'::xml,
	'<r><p b="3" c="1" y="&lt;">text</p><p a="k"><b>x</b></p><q/><s k="v">new</s>k</r>');
SELECT tree_diff(tree_from_html('<p>Some <a href="x">text</a><img src="y">'), tree_from_html('<p>Some <a href="x" rel="z">text</a><img>'));
-- an element in a text does not make the rest of the paragraph new
SELECT tree_diff('<ul><li>six</li><li>seven</li></ul>'::xml, '<ul><li>six<b/></li><li><b/>seven</li></ul>');
-- tags that come or go leave the text around them as it is, however long and deep, and count alone
SELECT tree_diff('<p>one two three</p>'::xml, '<p>one <b>two</b> three</p>'::xml), tree_diff_summary('<p>one two three</p>'::xml, '<p>one <b>two</b> three</p>'::xml);
SELECT tree_diff(tree_from_html('<p>one <b>two <i>three</i></b> four &amp; five'), tree_from_html('<p id=x>one two <i>three</i> <a href=u&amp;v>four &amp;</a> five<br>'));
SELECT tree_diff('<name>Ada<?x?> Byron</name>'::xml, '<name><first>Ada</first> <last>Byron</last></name>'::xml);
SELECT tree_diff('<r><p>one two</p><p>é<b>à</b> x y</p></r>'::xml, '<r><p><b>one</b> too</p><p>é<b>à</b> <c k="1">x</c> y</p></r>'::xml);
SELECT regexp_replace(page, '.*<main[^>]*>|</main>.*', '', 'g'), regexp_replace(picture, '<svg.*?</style>\s*', '')
FROM (SELECT tree_diff_html('<p>one two</p>'::xml, '<p>one <b>two</b></p>'::xml)::text AS page, tree_diff_svg('<p>one two</p>'::xml, '<p>one <b>two</b></p>'::xml)::text AS picture) AS p;
-- but not what a model ignores, and not what has moved
SELECT tree_diff('<p>one two</p>'::xml, '<p>one <b>two</b></p>'::xml, tree_costs(ignore => '{b}'));
SELECT tree_diff('<r><p><i><u/></i>one two</p><q/></r>'::xml, '<r><p>one <b>two</b></p><q><i><u/></i></q></r>'::xml);
-- a text is no element, whatever its distance
SELECT tree_diff('<a>b</a>'::xml, '<a><b/></a>');
-- a reference to an entity that is not known is written as one, and is not the same as such text
SELECT tree_diff('<!DOCTYPE a SYSTEM "x"><a t="x&foo;y">&copy; 2020</a>'::xml, '<!DOCTYPE a SYSTEM "x"><a t="x&foo;z">&copy; 2021</a>');
SELECT tree_diff('<!DOCTYPE a SYSTEM "x"><a>&copy; &amp;copy;</a>'::xml, '<!DOCTYPE a SYSTEM "x"><a>&amp;copy; &copy;</a>');
-- characters are references where the document has references to them, and where they must be
SELECT tree_diff('<a k=''say "x" > y''>He said "no" &amp; a > b ]]&gt; it''s&#160;x</a>'::xml, '<a k="say &quot;x&quot; > z">He said "yes" &amp; a > b ]]&gt; it''s&#160;x</a>');
SELECT tree_diff('<?xml version="1.0"?><!-- <b> --><!DOCTYPE a [<!ENTITY % p ""><!ENTITY nbsp "&#160;"><!ENTITY mdash ''—''><!ENTITY firm "M > W">]><a>one&nbsp;two &mdash; <b>x&gt;y &quot;z&quot; &firm;</b></a>'::xml,
	'<a>one&#xA0;two &#8212; three<b>x>y "z" M > W</b><c>&#8212;&#x1F600;&#38;&#x3c;</c></a>');
SELECT tree_diff(format('<a>1&#160;2 x%sy caf&#233;</a>', chr(160))::xml, format('<a>1&#160;2 x%sz caf&#233;</a>', chr(160))::xml) = format('~ <a>1%1$s2 x%1$s[-y-]{+z+} caf&#233;</a>', chr(160)) AS plain;

-- what would end a CDATA section, in a long text
SELECT tree_diff('<a>the quick brown fox ]]&gt; jumps over the lazy dog</a>'::xml,
	'<a>the quick brown fox ]]&gt; jumped over the lazy dog</a>');

-- words and letters: names, numbers, strings that become numbers, keys, names of elements and attributes
SELECT tree_diff('{"firm": "Muster GmbH", "since": 1999, "rate": -12.5, "zip": "01067", "on": true, "was": null}'::jsonb,
	'{"firm": "Muster Gmbh", "since": 1989, "rate": 12.5, "zip": 1067, "on": false, "been": null}');
SELECT tree_diff('<list><item name="Müller, Anna" n="9">paid on 2024-01-15 in full</item></list>'::xml,
	'<list><item name="Mueller, Anna" n="9">paid on 2024-01-16 in full</item></list>');
SELECT tree_diff('<p>Call <b>Anna Meyer</b> before 9 o''clock, or write</p>'::xml, '<p>Call <b>Bernd Schulz</b> before 10 o''clock, or write</p>');
SELECT tree_diff('{a}', '{an}'), tree_diff('{one}', '{once}'), tree_diff('{ISO9001}', '{ISO9002}'), tree_diff('{standard9001}', '{standard9002}');

-- trees of pages of HTML are written as such: attributes, texts and empty elements
SELECT tree_diff(tree_from_html('<ul class=a><li>one<li>two &amp; <b>three</b><br>x<li></ul><p>title<hr>Hello<br>code'),
	tree_from_html('<ul class=b><li>one<li>two &amp; <i>three</i><br>y<li></ul><p>title<hr>Hello<br>code<span></span><img src=x>'));
-- labels that are names of elements: elements where there are no texts, texts where each word is a leaf and in code
SELECT tree_diff(tree_from_html('<title></title><p>see <code>td</code> and <code>code</code><table><tr><td><td>code<td>x</table><ul><li>table<li></ul>'),
	tree_from_html('<title>x</title><p>see <code>tr</code> and <code>code</code><br>y<table><tr><td><td>code<td>y</table><ul><li>link<li></ul>'));
SELECT tree_diff(tree_from_html('<title>a</title><p>the code of this table in section two', text_nodes => 'words'),
	tree_from_html('<title></title><p>the code of this form in article two', text_nodes => 'words'));
SELECT tree_diff(tree_from_html('<p>one<section></section>two'), tree_from_html('<p>one<section></section>three'));
-- other trees with this root are not
SELECT t, replace(tree_diff(t, '{html{a{b}}}'), E'\n', ' ') FROM unnest(ARRAY['{html{@x{a}{b}}}', '{html{@x{a{b}}}}', '{html{"x{b}}}', '{html{a{b}}{@x{y}}}',
	'{html{{a}}}', '{html}', '{html{@x}}', '{html{a}{b}}', '{html{one}{two}}']::tree[]) t;

-- what is ignored: in no difference, or with a mark of its own
\set ignore 'tree_costs(ignore => ARRAY[''@id'', ''"id":'', ''id''])'
SELECT tree_diff('<a id="1"><b id="2"/><c>x</c></a>'::xml, '<a id="3"><b id="4"/><c>x</c></a>', :ignore) = '';
SELECT tree_diff('<a id="1"><b id="2"/><c>x</c></a>'::xml, '<a id="3"><b id="4"/><c>x</c></a>', :ignore, show_ignored => true);
SELECT tree_diff('<a id="1" k="2"><b id="2"/><id>4</id><c>x</c></a>'::xml, '<a id="3" k="3"><b/><c id="5">y</c><id><x/></id></a>', :ignore, show_ignored => true);
SELECT tree_diff('<a id="1" k="2"><b id="2"/><id>4</id><c>x</c></a>'::xml, '<a id="3" k="3"><b/><c id="5">y</c><id><x/></id></a>', :ignore);
SELECT tree_diff('{"id": 1, "x": [1, 2, {"id": 4}], "z": {"id": {"k": 1}}}'::jsonb, '{"id": 2, "x": [1, 3, {"id": 5}], "z": {"id": [], "y": 1}}', :ignore, true);
SELECT tree_diff('{"id": 1, "x": {"id": 2}}'::jsonb, '{"x": {"id": 2}}', :ignore, true);
SELECT tree_diff('{"id": 1, "x": {"id": 2}}'::jsonb, '{"x": {"id": 2}, "id": 1}', :ignore, true) = '';
SELECT tree_diff('{a{id{5}{6}}{b{x}}}'::tree, '{a{id{7}{6}}{id}{b{y}}}', :ignore, true);
SELECT tree_diff('{id{5}}'::tree, '{id{6}}', :ignore, true);
SELECT tree_diff('{a{b}{x}}'::tree, '{a{x}}', tree_costs(rules => '[{"pattern": "b", "delete": 0}]'), true);
-- a node without its value, which is ignored
SELECT tree_diff('{"a": 1, "b": "x"}'::jsonb, '{"a": 2, "b": "y"}', tree_costs(ignore => '{number()}'));
SELECT tree_diff('{"a": 1, "b": "x"}'::jsonb, '{"a": 2, "b": "y"}', tree_costs(ignore => '{number()}'), true);
SELECT tree_diff('<a k="1"><b>x</b></a>'::xml, '<a k="2"><b>y</b></a>', tree_costs(ignore => '{value()}'));
SELECT tree_diff('<a k="1"><b>x</b></a>'::xml, '<a k="2"><b>y</b></a>', tree_costs(ignore => '{value()}'), true);

-- summaries
SELECT tree_diff_summary('{"a": 1, "b": [1, 2, 3], "c": {"d": {"e": 1}}, "f": {}, "owner": "ada"}'::jsonb,
	'{"a": 2, "b": [1, 5, 3, 4], "c": {}, "f": {"d": {"e": 1}}, "contact": "ada", "new": {"x": [1, 2]}}');
SELECT tree_diff_summary('{"a": 1, "b": [1], "c": {"x": 1}, "d": {}}'::json, '{"a": [1, {"y": 2}], "b": 1, "c": "x", "d": []}');
SELECT tree_diff_summary(a, b) FROM (VALUES ('1'::jsonb, '2'::jsonb), ('1', '[]'), ('[]', '{}'), ('[1]', '1'), ('[1]', '[]'), ('{}', '{}')) v (a, b);
SELECT tree_diff_summary('<a k="1"><b>one</b><c><d>1</d><e/></c><f>x<g/></f></a>'::xml, '<a k="2" l="3"><b>two</b><x><d>1</d><e/></x><f><g/>y</f><h><i>z</i></h></a>');
SELECT tree_diff_summary('<a><b><c>1</c></b><d/><e f="1"/></a>'::xml, '<a><b/><d><c>1</c></d><e/><f f="1"/></a>');
SELECT tree_diff_summary('{a{b}{c{d}}{e{f}{g}}}', '{a{x}{c{d{y}}}{h{i}}}');
SELECT tree_diff_summary('{a{b}{c{d}{e}}{f{x}{y}}}', '{a{f{x}{y}}{b}{c{d}{g}}}'), tree_diff_summary('{a}'::tree, NULL) IS NULL;
SELECT tree_diff_summary(tree_from_html('<p title=x>one <b>two</b>'), tree_from_html('<p title=y>one <i>two</i>'));
SELECT tree_diff_summary(tree_from_html(repeat('<div>', 100) || 'x'), tree_from_html(repeat('<div>', 100) || 'y'));
SELECT tree_diff_summary('<a id="1">x</a>'::xml, '<a id="2">x</a>', :ignore), tree_diff_summary('<a id="1">x</a>'::xml, '<a id="2">y</a>', :ignore);

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
SELECT tree_diff_summary(a.t, b.t) ~ ', by an approximate mapping$' FROM large a, large b WHERE a.n = 1 AND b.n = 2;
SELECT split_part(tree_diff(a.t, b.t), E'\n', 1) FROM large a, large b WHERE a.n = 1 AND b.n = 2;
SELECT operation, count(*) FROM large a, large b, tree_edit_mapping(a.t, b.t, approximate => true)
WHERE a.n = 1 AND b.n = 2 GROUP BY 1 ORDER BY 1;
\set VERBOSITY terse
SELECT count(*) FROM large a, large b, tree_edit_mapping(a.t, b.t) WHERE a.n = 1 AND b.n = 2;
