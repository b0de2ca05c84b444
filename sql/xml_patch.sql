-- XML patches: what selectors may say, and that names, prefixes and the result stay XML
CREATE FUNCTION xml_patch_outcome(a xml, b xml, OUT patch xml, OUT applied xml) LANGUAGE sql AS $$
  SELECT p, xml_patch_apply(a, p) FROM xml_patch(a, b) p
$$;

-- added names stay in their namespaces: undeclared, redeclared, by another prefix, around others
SELECT xml_patch_apply(doc, patch)
FROM (VALUES
  ('<a xmlns="u"/>'::xml, '<diff><add sel="/*"><b><c xmlns="u"/></b></add></diff>'::xml),
  ('<a xmlns="u" xmlns:p="v"/>', '<diff xmlns:p="w"><add sel="/*"><p:b><p:c xmlns:p="v" p:x="1"/><d p:x="2"/></p:b></add></diff>'),
  ('<a xmlns:p="u"/>', '<diff xmlns="u"><add sel="*" pos="prepend"><b/></add></diff>'),
  ('<a xmlns="u"><b/></a>', '<diff xmlns="u"><replace sel="a/b"><b xmlns=""><c xmlns="u"><d xmlns=""/></c></b></replace></diff>'),
  ('<a xml:lang="de"/>', '<diff><add sel="a"><b xml:lang="en"/></add></diff>'),
  ('<a xmlns:p="u"/>', '<diff xmlns:q="u"><add sel="a" type="@q:x">1</add></diff>'),
  ('<a xmlns:q="v"/>', '<diff xmlns:q="u"><add sel="a" type="@q:x">1</add><add sel="a" type="@q:y">2</add></diff>')
) AS d (doc, patch);
SELECT length(xml_patch_apply('<a/>', format('<diff xmlns:%1$s="u"><add sel="a" type="@%1$s:x">1</add></diff>', repeat('東', 20))::xml)::text);

-- a prefix cannot come to mean something else for names that have it
SELECT xml_patch_apply('<a xmlns:p="u"><b><p:c/></b></a>', '<diff><add sel="a/b" type="namespace::p">v</add></diff>');
SELECT xml_patch_apply('<a xmlns:p="u"><b/><p:c/></a>', '<diff><add sel="a/b" type="namespace::p">v</add></diff>');
SELECT xml_patch_apply('<a xmlns="u"/>', '<diff><add sel="*" type="@xmlns">v</add></diff>');

-- what is written is XML, with the document type as it was
SELECT p.*, xml_patch(p.applied, b)
FROM (VALUES
  ('<a xmlns="u&amp;&lt;v"/>'::xml, '<a xmlns="u&amp;&lt;v"><p:b xmlns:p="&quot;''&amp;&#10;" p:c="1"/></a>'::xml),
  ('<a><b xmlns:p="&amp;" p:c="1"/></a>', '<a><b xmlns:q="&amp;" q:c="2"/></a>'),
  ('<!-- <!DOCTYPE > --><!DOCTYPE a [<!-- ]> "--><?p ]>''?><!ENTITY e "]>"><!ATTLIST a b CDATA "&lt;&amp;''">]><a>&e;</a>', '<a>]&gt;<b/></a>'),
  ('<!DOCTYPE a SYSTEM "]>"><a/>', '<a>1</a>'),
  ('<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd"><html><head/><a/></html>', '<html><head/><a name="b"/></html>'),
  -- an attribute that has a value by default
  ('<!DOCTYPE a [<!ATTLIST a b CDATA "1">]><a/>', '<!DOCTYPE a [<!ATTLIST a b CDATA "1">]><a b="2"/>'),
  -- what changes places around the root
  ('<!-- c --><a/>', '<a/><!-- c -->'),
  ('<!-- 1 --><?p 2?><a><b/></a><!-- 3 -->', '<!-- 3 --><c/><?p 2?><!-- 1 -->'),
  ('<a/><!-- 1 --><!-- 2 -->', '<!-- 1 --><!-- 2 --><a/>'),
  -- names outside of ASCII
  ('<é><b/><é x="1"/></é>', '<é><b>1</b><é x="2"/></é>'),
  ('<東 xmlns="u"/>', '<東 xmlns="u" é="1"/>')
) AS d (a, b), xml_patch_outcome(a, b) p;
SELECT left_xpath, xpath(left_xpath, doc)
FROM (VALUES ('<é ñ="1"><é>2</é></é>'::xml)) AS d (doc), xml_edit_mapping(doc, doc);

-- nothing is nested deeper than can be read again
SELECT length(xml_patch_apply(a, p)::text::xml::text)
FROM (VALUES ((repeat('<a>', 200) || repeat('</a>', 200))::xml)) AS d (a),
  CAST('<diff><add sel="' || repeat('/*', 200) || '">' || repeat('<a>', 56) || repeat('</a>', 56) || '</add></diff>' AS xml) p;
SELECT xml_patch_apply(a, p)
FROM (VALUES ((repeat('<a>', 200) || repeat('</a>', 200))::xml)) AS d (a),
  CAST('<diff><add sel="' || repeat('/*', 200) || '">' || repeat('<a>', 57) || repeat('</a>', 57) || '</add></diff>' AS xml) p;
SELECT xml_patch('<a/>', (repeat('<a>', 256) || repeat('</a>', 256))::xml);

-- nodes that are added around one that is left out
SELECT patch, xml_patch_apply(a, patch)
FROM (VALUES ('<w><a>1</a>end<c/></w>'::xml, '<w>begin<a>2</a><p/>end<c/></w>'::xml)) v(a, b), xml_patch(a, b, tree_costs(ignore => '{//a}')) patch;

-- patterns begin at the root element, and select nothing above it
SELECT xml_patch(a, b, m), tree_edit_distance(a, b, m)
FROM (VALUES ('<x/>'::xml, '<b/>'::xml, tree_costs(ignore => '{element()}')),
  ('<a><b>1</b><c>1</c></a>', '<a><b>2</b><c>2</c></a>', tree_costs(ignore => '{/a/b}')),
  ('<a><b>1</b><c>1</c></a>', '<a><b>2</b><c>2</c></a>', tree_costs(ignore => '{/*/*/text()}'))) AS v (a, b, m);

-- selectors: what is marked when what they select gets a comment behind it
CREATE FUNCTION marked(selector text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  detail text;
BEGIN
  RETURN xml_patch_apply('<!DOCTYPE a [<!ATTLIST c i ID #IMPLIED>]><!--0--><a xmlns:p="u" x="1"><b>1</b>t<b y="é" p:y="2">2<c>"</c></b><!--3-->t<?p 4?><?q 5?><p:b>6</p:b><c i="j"/><d xml:id="k">7<e>8</e>9</d></a>',
    xmlelement(name diff, xmlattributes('u' AS "xmlns:q"), xmlelement(name add, xmlattributes(selector AS sel, 'after' AS pos), '<!--HERE-->'::xml)));
EXCEPTION WHEN OTHERS THEN
  GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
  RETURN SQLSTATE || ': ' || detail;
END $$;
SELECT s, substr(marked(s), 40) AS marked
FROM unnest(ARRAY['a', '/a', '/*', '/comment()', '/node()[2]', 'a/b[2]', 'a/b[y=''1'']', 'a/b[.=''1'']', 'a/b[@y="é"]', 'a/b[@q:y=''2'']', 'a/*[c=''"'']',
  'a/b[c=''"''][1]', 'a/b[2][1]', 'a/q:b', 'a/q:b[.=''6'']', 'a/*[3]', '*/text()[2]', 'a/text()[.=''t''][2]', 'a/comment()', 'a/comment()[.=''3'']', 'a/processing-instruction()[2]',
  'a/processing-instruction(''q'')', 'a/processing-instruction("p")[.="4"]', 'a/node()[4]', 'id(''j'')', 'id("k")/e', 'id(''k'')/text()[.=''9'']', 'a/d[.=''789'']', 'a/*[e=''8'']',
  E' / a\n/ b [ 2 ] [ @y = "é" ] ']) WITH ORDINALITY AS u (s, n)
ORDER BY n;
SELECT s, marked(s)
FROM unnest(ARRAY['', '/', '//b', 'a/', 'a//b', 'a/b[1', 'a/b[]', 'a/b[0]', 'a/b[4294967297]', 'a/b[18446744073709551617]', 'a/b[-1]', 'a/b[1.0]', 'a/b[c]', 'a/b[c=1]', 'a/b[c=''1]', 'a/b[c=''1'' or c=''2'']',
  'a/b[last()]', 'a/b[position()=1]', 'a/b | a/c', '..', '.', 'a/..', '/descendant::b', 'child::a', 'a/p:b', 'a/q:*', 'a/@x/b', 'a/@*', 'a/@x[1]', 'a/namespace::p/b', 'a/namespace::*', 'a/text', 'a/text(1)',
  'a/text( )', 'a/processing-instruction(p)', 'id(a)', 'id(''x'')', 'id(''j'')[1]', 'id(''j'')b', 'count(a)', 'translate(/a/b,/a/c,'''')', 'a[contains(., ''1'')]', '1', '''a''', '$a', 'é é', 'é:a', 'a/b']) WITH ORDINALITY AS u (s, n)
ORDER BY n;
SELECT xml_patch_apply('<a/>', '<diff><remove sel="/a[contains(b, ''c'')]"/></diff>');
-- the place in a selector that the client has written
SELECT format('SELECT xml_patch_apply(%L, %L)', '<a/>', xmlelement(name diff, xmlelement(name remove, xmlattributes(s AS sel))))
FROM unnest(ARRAY['', 'a//b', 'a/b[1', 'a/b[1.0]', 'a/b[c=''1'' or c=''2'']', 'a/p:b', 'id(''j'')[1]', 'é é', 'é:a']) s \gexec

-- many siblings: positions after insertions at one place, and where texts become one
SELECT xml_patch_apply(('<a>' || repeat('<b/>', 2000) || '</a>')::xml,
    ('<diff>' || string_agg(format('<add sel="a/b[1000]" pos="after"><c n="%s"/></add>', n), '' ORDER BY n) || '<remove sel="a/c[2000]"/><remove sel="a/*[1000]"/></diff>')::xml)::text =
  '<a>' || repeat('<b/>', 999) || string_agg(format('<c n="%s"/>', n), '' ORDER BY n DESC) FILTER (WHERE n <> 1001) || repeat('<b/>', 1000) || '</a>' AS same
FROM generate_series(1, 3000) n;
SELECT xml_patch_apply(('<a>' || repeat('x<b/>', 2000) || '</a>')::xml, ('<diff>' || repeat('<remove sel="a/b[1000]"/>', 999) || '<remove sel="a/text()[1000]"/></diff>')::xml)::text =
  '<a>' || repeat('x<b/>', 999) || '<b/>x<b/></a>' AS same;

-- names without a prefix where the document has a default namespace; a byte order mark
SELECT xml_patch_apply('<a xmlns="u"><b/></a>', '<diff><remove sel="a/b"/></diff>');
SELECT xml_patch_apply('<a xmlns="u"><b/></a>', '<diff xmlns="u"><remove sel="a/c"/></diff>');
SELECT xml_patch((U&'\FEFF<a/>')::xml, '<a/>');
SELECT (U&'\FEFF<a/>')::xml::tree;

-- entities that the document does not declare stay, and a patch has none
SELECT xml_patch_apply('<!DOCTYPE a SYSTEM "x"><a t="x&foo;y"><b t="&foo;&bar;">1&foo;</b></a>', '<diff><add sel="a"><c/></add></diff>');
SELECT xml_patch_apply('<!DOCTYPE a [<!ENTITY e SYSTEM "x">]><a>1&e;2</a>', '<diff/>');
SELECT xml_patch_apply('<!DOCTYPE a SYSTEM "x"><a t="x&foo;y"/>', '<diff><remove sel="a[@t=''xy'']"/></diff>');
SELECT xml_patch_apply('<a/>', '<!DOCTYPE diff SYSTEM "x"><diff><add sel="a">&foo;</add></diff>');
SELECT xml_patch_apply('<a/>', '<!DOCTYPE diff SYSTEM "x"><diff><add sel="&foo;a"><b/></add></diff>');
SELECT xml_patch('<!DOCTYPE a SYSTEM "x"><a t="x&foo;y"/>', '<a/>');
SELECT xml_patch('<a/>', '<!DOCTYPE a SYSTEM "x"><a>x&foo;y</a>');
-- names in an entity have the namespaces of the place where it is
SELECT xml_patch_apply($$<!DOCTYPE a [<!ENTITY e "<b/><p:c p:k='1' xml:lang='x'/>x&#60;y/>&f;"><!ENTITY f 'F'>]><a xmlns='u' xmlns:p='v'>1&e;2<k xmlns='w'>&e;</k></a>$$, '<diff/>');
SELECT xml_patch(a, b) FROM (VALUES ('<r/>'::xml, '<!DOCTYPE r [<!ENTITY g "<b/>">]><r xmlns="u">&g;</r>'::xml)) AS v (a, b);
SELECT xml_patch_apply('<!DOCTYPE a [<!ENTITY e "u&#38;amp;v">]><a xmlns="&e;"><b xmlns="x&amp;" c="&e;"/></a>', '<diff/>');

-- namespaces that cannot be declared, and attributes that would have one name
SELECT xml_patch_apply('<a xmlns:p="u"/>', '<diff><replace sel="a/namespace::p">http://www.w3.org/XML/1998/namespace</replace></diff>');
SELECT xml_patch_apply('<a xmlns:p="u"/>', '<diff><replace sel="a/namespace::p">http://www.w3.org/2000/xmlns/</replace></diff>');
SELECT xml_patch_apply('<a/>', '<diff><add sel="a" type="namespace::p">http://www.w3.org/2000/xmlns/</add></diff>');
SELECT xml_patch_apply('<a xmlns:xml="http://www.w3.org/XML/1998/namespace"/>', '<diff><replace sel="a/namespace::xml">u</replace></diff>');
SELECT xml_patch_apply('<a xmlns:p="v" xmlns:q="u"><b p:x="1" q:x="2"/></a>', '<diff><replace sel="a/namespace::p">u</replace></diff>');
SELECT xml_patch_apply('<a xmlns:p="v" xmlns:q="u"><b p:x="1" q:y="2" x="3"/></a>', '<diff><replace sel="a/namespace::p">u</replace></diff>');
SELECT xml_patch_apply('<a><b p:x="1"/></a>', '<diff><add sel="a" type="namespace::p">u</add></diff>');

-- a patch cannot make more than memory allows, however long its namespaces are
SET ted.max_memory = '16MB';
SELECT xml_patch_apply('<a/>', ('<diff xmlns:p="' || repeat('u', 100000) || '"><add sel="a">' || repeat('<p:b/>', 1000) || '</add></diff>')::xml);
\set VERBOSITY terse
SELECT xml_patch_apply(('<a>' || repeat('<b/>', 200) || '</a>')::xml,
	('<diff xmlns:p="' || repeat('u', 100000) || '">' || (SELECT string_agg(format('<add sel="a/b[%s]" type="@p:c">1</add>', i), '') FROM generate_series(1, 200) i) || '</diff>')::xml);
-- nor what becomes longer when it is written, or by entities
SELECT xml_patch_apply(('<a>' || repeat('>', 2000000) || '</a>')::xml, '<p/>');
SELECT xml_patch_apply(('<!DOCTYPE a [<!ENTITY e "' || repeat('<a/>', 2500) || '">]><a>' || repeat('x', 100000) || repeat('&e;', 50) || '</a>')::xml, '<p/>');
\set VERBOSITY default
RESET ted.max_memory;
DROP FUNCTION xml_patch_outcome, marked;
