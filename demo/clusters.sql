-- A page of the clusters of near-duplicate MIME types, with the differences of each pair.
\pset format unaligned
\pset tuples_only
CREATE TEMP TABLE alike AS
SELECT a.id AS left_id, b.id AS right_id, tree_edit_distance(a.tree, b.tree) AS distance
FROM mime a JOIN mime b ON a.id < b.id AND tree_similar(a.tree, b.tree, 0.8);

CREATE TEMP TABLE cluster AS
SELECT c.id, c.cluster AS first_id
FROM (SELECT array_agg(left_id) AS l, array_agg(right_id) AS r FROM alike) pairs, ted_clusters(l, r) c;

SELECT '<!DOCTYPE html>' || E'\n' || xmlelement(name html, xmlattributes('en' AS lang),
  xmlelement(name head,
    xmlelement(name meta, xmlattributes('UTF-8' AS charset)),
    xmlelement(name title, 'Near-duplicate MIME types'),
    xmlelement(name style, ':root { color-scheme: light dark } body { font-family: sans-serif; margin: 2em } '
      'h2 { font-size: 1.1em; margin: 2em 0 0 } summary { cursor: pointer; padding: .2em } '
      'details div { overflow-x: auto; border: 1px solid #8888 }')),
  xmlelement(name body,
    xmlelement(name h1, 'Near-duplicate MIME types'),
    xmlelement(name p, format('%s pairs that are similar by at least 80 %%, in %s clusters. '
      'Of each cluster, the first pair is open on its differences; the others open by a click.',
      (SELECT count(*) FROM alike), count(*))),
    xmlagg(section ORDER BY members DESC, first_id)))
FROM (
  SELECT first_id, members, xmlelement(name section, xmlelement(name h2, names),
    (SELECT xmlagg(xmlelement(name details,
       xmlattributes(CASE WHEN place = 1 THEN 'open' END AS open),
       xmlelement(name summary, format('%s and %s: distance %s', a.name, b.name, distance)),
       xmlelement(name div, tree_diff_svg(a.doc, b.doc)::xml)) ORDER BY place)
     FROM (SELECT *, row_number() OVER (PARTITION BY first_id ORDER BY distance, left_id, right_id) AS place
           FROM alike JOIN cluster c ON c.id = left_id) pair
       JOIN mime a ON a.id = left_id JOIN mime b ON b.id = right_id
     WHERE pair.first_id = n.first_id)) AS section
  FROM (SELECT first_id, count(*) AS members, string_agg(name, ', ' ORDER BY name) AS names
        FROM cluster JOIN mime USING (id) GROUP BY first_id) AS n
) AS sections;
