"""Edit mappings of documents: paths that lead to their nodes, and of XML, the rows of tree_edit_mapping()."""

from check import Check, outcome
from patch_checks import random_pairs as json_pairs
from xml_patch_checks import random_pairs as xml_pairs

# Rows of XML that differ from those of the trees.
ROWS = """(SELECT count(*) FROM (
  SELECT operation, left_node, left_label, right_node, right_label FROM xml_edit_mapping(a, b)
  EXCEPT SELECT operation, left_node, left_label, right_node, right_label
  FROM tree_edit_mapping(a::tree, b::tree)) d)
+ (SELECT abs(count(*) - (SELECT count(*) FROM tree_edit_mapping(a::tree, b::tree)))
   FROM xml_edit_mapping(a, b))"""

# Nodes whose path does not lead to the value of their subtree, or of their only child's for a key.
JSON_PATHS = """(SELECT count(*)
  FROM json_edit_mapping(a, b),
    LATERAL (VALUES ({doc}, {side}_node, {side}_label, {side}_path, {side}_pointer)) AS s (doc, node, label, path, pointer)
  WHERE node IS NOT NULL AND (
    (doc #> path)::tree <> tree_subtree(doc::tree, node + (right(label, 1) = ':')::int)
    OR path IS DISTINCT FROM (
      SELECT coalesce(array_agg(replace(replace(step, '~1', '/'), '~0', '~') ORDER BY n), '{{}}')
      FROM unnest((string_to_array(pointer, '/'))[2:]) WITH ORDINALITY AS u (step, n))))"""

# Nodes whose XPath does not find what they are: the same as a tree in an element x.
XML_PATHS = """(SELECT count(*)
  FROM xml_edit_mapping(a, b),
    LATERAL (VALUES ({doc}, {side}_node, {side}_label, {side}_xpath)) AS s (doc, node, label, path),
    LATERAL (SELECT tree_subtree(doc::tree, node) AS t) AS u,
    LATERAL (SELECT CASE WHEN tree_label(t) = '@' || split_part(path, '/@', 2) OR path LIKE '%/@*%' AND tree_size(t) = 2
                    THEN tree_subtree(t, 2) ELSE t END AS want) AS v
  WHERE node IS NOT NULL
    AND ('<x>' || array_to_string(xpath(path, doc)::text[], '') || '</x>')::xml::tree::text
        NOT IN ('{{x' || want::text || '}}', CASE WHEN want = '{{}}' THEN '{{x}}' ELSE '' END))"""


# Names of namespaces that xpath() refuses, though they are allowed in a value.
REFUSED = ["urn:ü", "not/absolute", "example.org/a b"]


def small_pairs(pairs):
    """Those pairs that take no long time, as each node's path is evaluated."""
    for a, b in pairs:
        if len(a) + len(b) < 1000 and not any(name in a + b for name in REFUSED):
            yield a, b


def fault(got, *_):
    """What is wrong with the numbers of rows that are not as they should be."""
    return None if got == "0" else f"{got} rows are wrong"


def outcomes(rng, count):
    """Both mappings, on either side."""
    for name, paths, pairs in (("json", JSON_PATHS, json_pairs), ("xml", XML_PATHS, xml_pairs)):
        mapping = f"{name}_edit_mapping"
        sides = [paths.format(side=side, doc=doc) for side, doc in (("left", "a"), ("right", "b"))]
        sql_type = "xml" if name == "xml" else "jsonb"
        yield outcome(Check(
            mapping, f"a {sql_type}, b {sql_type}",
            " + ".join([*([ROWS] if name == "xml" else []), *sides]),
            str, fault, list(small_pairs(pairs(rng, count))),
        ))
