-- Trees of HTML, and the similarity of tables

-- a page is made whole, and what a part of one lacks is added
SELECT tree_from_html('<!DOCTYPE html><html lang="en"><head><title>T</title></head><body><p>Hello <b>you</b></body></html>');
SELECT doc, tree_from_html(doc)
FROM unnest('{x,"x<p>y","<td>x","<b>x","<li>x<li>y","<title>x","<html>","<frameset><frame src=x></frameset>"}'::text[]) doc;
SELECT tree_from_html('<p>one<p>two<ul><li>a<li>b</ul><table><tr><td>1<td>2<tr><td>3</table>');
SELECT tree_from_html('<b><i>x</b>y</i></p></nothing><div><p>1<div>2</div>3</div');
SELECT tree_from_html('<UL Class=A><LI>x</UL>') = tree_from_html('<ul class="A"><li>x</li></ul>') AS case_of_names;

-- a text without content makes no tree
SELECT doc, tree_from_html(doc, fragment_root => 'all') FROM unnest('{"","  ","<!-- x -->"}'::text[]) doc;
SELECT tree_from_html('');
SELECT tree_from_html('<!-- x -->');
SELECT tree_from_html(NULL);

-- references; unaligned here and elsewhere, as versions of psql differ on how wide some characters are
\a
SELECT tree_from_html('<p title="&eacute;&quot;&#26481;">&lt;&amp;&copy; &foo; AT&T &#x41; 東京 😀</p>');
\a
SELECT tree_from_html('<p>x&nbsp;y') = tree_from_html('<p>x' || chr(160) || 'y') AS no_break_space;

-- the text is in the encoding of the server, whatever it says
SELECT tree_from_html('<meta charset="ISO-8859-1"><meta http-equiv="Content-Type" content="text/html; charset=utf-16"><p>é東');

-- scripts, styles and comments
SELECT tree_from_html('<script>if (a<b) c("<p>")</script><style>p > b {}</style><!-- c --><?php echo ?><p>x');
SELECT tree_from_html('<script>x</script><style>y</style><p>z', exclude_paths => '{//script,//style}');
SELECT tree_from_html('<!DOCTYPE html><!-- c --><p>x<!-- d -->y', comments => 'keep', fragment_root => 'all');
SELECT tree_from_html('<!DOCTYPE html><p>x', comments => 'keep');

-- options
SELECT option, tree_from_html('<p id=" 2  3 " hidden class=x>y</p>', attributes => option)
FROM unnest('{child,node,ignore}'::text[]) option;
SELECT option, tree_from_html('<p title=" 1  2 "> one <b> two  three </b></p>', text_nodes => option)
FROM unnest('{collapse,preserve,words,ignore}'::text[]) option;
SELECT option, tree_from_html('<p id=x>y<br></p>', content => option) FROM unnest('{full,structure}'::text[]) option;
SELECT tree_from_html('<p ID=X>Ba', fold_case => true);
SELECT tree_from_html('<div><p id=x class=y>z</p><p>', exclude_paths => '{/html/body/div/p/@id,//head}');
SELECT tree_from_html('x', attributes => 'leaf');
SELECT tree_from_html('x', text_nodes => '');
SELECT tree_from_html('x', comments => 'all');
SELECT tree_from_html('x', content => 'keys');
SELECT tree_from_html('x', exclude_paths => '{p/q}');

-- nothing is declared, and nothing is loaded
SELECT tree_from_html('<!DOCTYPE html SYSTEM "file:///etc/passwd"><p>&e;');
SELECT tree_from_html('<!DOCTYPE html [<!ENTITY e SYSTEM "file:///etc/passwd">]><p>&e;')::text ~ 'root:' AS loaded;
SELECT tree_from_html('<base href="http://localhost:1/"><link rel=stylesheet href="x"><img src="y"><iframe src="file:///etc/passwd">');

-- elements nested too deeply, and too many
SELECT tree_depth(tree_from_html(repeat('<b>', 250)));
DO $$
BEGIN
  PERFORM tree_from_html(repeat('<b>', 3000));
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE '%: %', SQLSTATE, SQLERRM;
END $$;
SELECT tree_size(tree_from_html(repeat('<p class=x>y', 20000)));
\set VERBOSITY terse
SET ted.max_memory = '1MB';
SELECT tree_size(tree_from_html(repeat('<p class=x>y', 20000)));
SELECT tree_size(tree_from_html('<p ' || string_agg('a' || i, ' ') || '>')) FROM generate_series(1, 5000) i;
SELECT teds(repeat('<table><tr><td>x', 20000), '<table>');
SELECT teds('<table>' || repeat('<tr>', 2000), '<table>' || repeat('<tr>', 2000));
RESET ted.max_memory;
\set VERBOSITY default
SELECT tree_from_html('<p>alive');

SELECT tree_size(tree_from_html('<p ' || string_agg('a' || i, ' ') || '>')) FROM generate_series(1, 5001) i;

-- one of four cells differs in one of two characters: 0.5 of 6 elements
SELECT teds('<table><tr><td>a</td><td>b</td></tr><tr><td>c</td><td>12</td></tr></table>',
            '<table><tr><td>a<td>b<tr><td>c<td>13');
SELECT teds('<table><tr><td>a</table>', '<table><tr><td>a</table>');
-- a row of two cells more: 3 of 6 elements
SELECT teds('<table><tr><td>a<td>b</table>', '<table><tr><td>a<td>b<tr><td>c<td>d</table>');
-- a span more: 1 of 3
SELECT teds('<table><tr><td>a<td>b', '<table><tr><td>a<td colspan=2>b');
SELECT teds('<table><tr><td>a<td>b', '<table><tr><td colspan=" 01 " rowspan="+1" align=right>a<td>b');
-- th is another element than td; its text does not count, the elements in it are nodes
SELECT teds('<table><tr><th>a</table>', '<table><tr><td>a</table>'), teds('<table><tr><th>a</table>', '<table><tr><th>b</table>'),
       teds('<table><tr><th><b>a</b></table>', '<table><tr><th>a</table>');
-- so are groups of rows
SELECT teds('<table><thead><tr><td>a</table>', '<table><tr><td>a</table>');
-- tags in cells are tokens, and elements that count: 2 of 3 tokens, of 3 elements
SELECT teds('<table><tr><td><b>a</b></table>', '<table><tr><td>a</table>'), 1 - 2 / 3. / 3 AS by_hand;
SELECT teds('<table><tr><td><unk>a</unk></table>', '<table><tr><td>a</table>'), 1 - 1 / 2. / 3 AS by_hand;
-- an empty cell
SELECT teds('<table><tr><td></table>', '<table><tr><td>abc</table>'), teds('<table><tr><td></table>', '<table><tr><td></table>');
-- text that follows a cell in a cell does not count
SELECT teds('<table><tr><td><table><tr><td>a</td>b</tr></table></td></table>', '<table><tr><td><table><tr><td>a</td>c</tr></table></td></table>');
-- structure only
SELECT teds('<table><tr><td>a<td>b</table>', '<table><tr><td>c<td>d</table>', true),
       teds('<table><tr><td>a<td>b</table>', '<table><tr><td>c<td><b>d</b></table>', structure_only => true),
       teds('<table><tr><td>a<td>b</table>', '<table><tr><td>c</table>', structure_only => true);
-- shapes that have little in common
SELECT teds('<table><a></a><b></b><i></i><u></u></table>', '<table><a><b><i><u></u></i></b></a></table>');
-- no elements at all
SELECT teds('<table></table>', '<table>x</table>'), teds('<table></table>', '<table><tr><td>x</table>');
-- pages: the first table in the body, or else the first one
SELECT teds('<html><head><title>t</title></head><body><h1>x</h1><div><table><tr><td>no</table></div><table><tr><td>yes</table></body></html>',
            '<div><section><table><tr><td>yes</table><table></table></section></div>');
-- where there is none
SELECT teds('', '<table>'), teds('<table>', 'x'), teds('<td>x</td>', '<td>x</td>');
SELECT teds(NULL, '<table>'), teds('<table>', NULL), teds('<table>', '<table>', NULL);
-- comments and case do not count, scripts do
SELECT teds('<TABLE><TR><TD>a<!-- c -->b<?x?></TABLE>', '<table><tr><td>ab</table>'),
       teds('<table><tr><td><script>a</script></table>', '<table><tr><td><script>b</script></table>');
-- characters of any length
SELECT teds('<table><tr><td>東京😀é</table>', '<table><tr><td>東京😀e</table>');
-- spans are read as browsers read them; what is none is 1
SELECT span, teds(format('<table><tr><td colspan="%s">a', span), '<table><tr><td colspan="2">a') = 1 AS is_2,
       teds(format('<table><tr><td rowspan="%s">a', span), '<table><tr><td>a') = 1 AS is_1
FROM unnest(ARRAY['2%', '', '2.0', 'abc', ' +2x', '002', '-2', '- 2', '1e9', '+', '%2', E'\f2', '２']) span;
SELECT teds('<table><tr><td colspan="-1">a', '<table><tr><td colspan="-01">a'),
       teds('<table><tr><td colspan="99999999999999999999">a', '<table><tr><td colspan="99999999999999999998">a');
-- pages that cannot be read further are read up to there
SELECT teds('<table><tr><td>' || repeat('<b>', 300) || 'x', '<table><tr><td>' || repeat('<b>', 300) || 'y'),
       teds('<table><tr><td>a<td ' || string_agg('a' || i, ' ') || '>b', '<table><tr><td>a') FROM generate_series(1, 6000) i;
-- a form feed is white space
SELECT teds(E'<table><tr><td>a\fb', '<table><tr><td>a b'), tree_from_html(E'<p>a\fb');
-- long contents
SELECT teds('<table><tr><td>' || repeat('ab', 5000), '<table><tr><td>' || repeat('ac', 5000));

-- paths to include, and where errors come up
SELECT tree_from_html('<h1>t</h1><table><tr><td>1</table><p>x', include_paths => '{//table,//h1}'),
       tree_from_html('<p>x<b>y</b>', include_paths => '{//i}', on_error => 'null');
SELECT tree_from_html('<p>x', include_paths => '{/p}');
SELECT tree_from_html(E'<p>\n' || repeat('<b>', 300));
-- what looks like an end tag in a script or a style is part of it
SELECT tree_from_html('<style>a</b></style><script>a("<b>x</b></p>")</script><p>y</p>');
