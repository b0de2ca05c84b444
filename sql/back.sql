-- Back from trees to documents

-- the tree of the result is the tree
SELECT doc, tree_to_json(t), t::jsonb::tree = t AND tree_to_json(t)::tree = t AS same
FROM (SELECT doc, doc::tree AS t
      FROM unnest(ARRAY[
        '{"a": 1, "b": [1.50, "x\"\n\u0001", null, true, {}], "": {}, "zz": -0.0, "c": 1e40, "é": "\\/"}',
        '1', '"é"', 'null', '[]', '{}', '[[], [[1]]]', '{"b": 1, "aa": 2}']::jsonb[]) AS doc) d;
SELECT tree_to_json('{"a": 1.0, "b": 1, "a": 2}'::json::tree);

-- a leaf is text, unless it is the root or stands next to another leaf
SELECT doc, t::xml, t::xml::tree = t AS same
FROM (SELECT doc, doc::tree AS t
      FROM unnest(ARRAY[
        '<note lang="en">Hello <b>you</b></note>', '<a><br/><br/> hi there</a>', '<a><br/></a>', '<b/>',
        '<a x="1" y="&lt;&quot;">a&amp;b</a>', '<a x="" xml:lang="de"/>', '<a>@b<c>@d</c></a>',
        '<x a="1" p:a="2" xmlns:p="u"/>',
        '<x a="3" p:a="2" q:a="0" p:xmlns="x" xmlns:p="u" xmlns:q="v"/>']::xml[]) AS doc) d;
SELECT length((repeat('<a>', 256) || 'x y' || repeat('</a>', 256))::xml::tree::xml::text);

-- only trees that a default conversion makes
SELECT '{\{\}{a}}'::tree::jsonb;
SELECT '{\{\}{"a":}}'::tree::jsonb;
SELECT '{\{\}{"a":{1}{2}}}'::tree::jsonb;
SELECT '{\{\}{"b":{1}}{"a":{2}}}'::tree::jsonb;
SELECT '{\{\}{"a":{1}}{"a":{2}}}'::tree::jsonb;
SELECT '{[]{"a":{1}}}'::tree::jsonb;
SELECT '{[]{01}}'::tree::jsonb;
SELECT tree_to_json('{[]{NaN}}'::tree);
SELECT tree_to_json('{[]{1e5}}'::tree);
SELECT tree_to_json('{[]{-}}'::tree);
-- neither are labels that look like numbers, nor numbers of too many digits
SELECT tree_to_json('{[]{1-2}}'::tree);
SELECT tree_to_jsonb('{1-2}'::tree);
SELECT tree_to_json('{1.}'::tree);
SELECT tree_to_json('{1.2.3}'::tree);
SELECT tree_to_json('{-.5}'::tree);
SELECT length(tree_to_json(('{[]{' || repeat('9', 131072) || '}{0.' || repeat('9', 16383) || '}}')::tree)::text);
SELECT tree_to_json(('{[]{' || repeat('9', 131073) || '}}')::tree);
SELECT tree_to_json(('{[]{0.' || repeat('9', 16384) || '}}')::tree);
SELECT tree_to_json('{[]{"\\u0041"}}'::tree);
SELECT tree_to_json('{[]{1{2}}}'::tree);
SELECT tree_to_json('{}'::tree);
SELECT tree_to_json(('{[]' || repeat('{x}', 3) || '{' || repeat('y', 300) || '}}')::tree);
SELECT tree_to_json(('{' || repeat('é', 300) || '}')::tree);
SELECT '{a{b c}{d e}}'::tree::xml;
SELECT '{a{ b}}'::tree::xml;
SELECT '{a{b  c}}'::tree::xml;
SELECT E'{a{b\tc}}'::tree::xml;
SELECT '{a{}}'::tree::xml;
SELECT '{a{@x{1}{2}}}'::tree::xml;
SELECT '{a{@x{1{2}}}}'::tree::xml;
SELECT '{a{@y{1}}{@x{2}}}'::tree::xml;
SELECT '{a{@x{2}}{@x{1}}}'::tree::xml;
SELECT '{a{@xml:x{1}}{@xml:x{1}}}'::tree::xml;
SELECT '{a{@x y{1}}}'::tree::xml;
SELECT '{a{b}{@x{2}}}'::tree::xml;
SELECT '{a{1{2}}}'::tree::xml;
SELECT '{a{b:c{d}}}'::tree::xml;
SELECT '{a b}'::tree::xml;
SELECT '{@b}'::tree::xml;
SELECT (repeat('{a', 258) || repeat('}', 258))::tree::xml;
