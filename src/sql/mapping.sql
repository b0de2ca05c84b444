-- Edit mapping

CREATE FUNCTION tree_edit_mapping(
	a tree, b tree, ins_cost integer DEFAULT 1, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1,
	approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100;
CREATE FUNCTION tree_edit_mapping(
	a tree, b tree, costs tree_costs, approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'tree_edit_mapping_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100;
CREATE FUNCTION json_edit_mapping(
	a jsonb, b jsonb,
	OUT operation text,
	OUT left_node integer, OUT left_pointer text, OUT left_path text[], OUT left_label text,
	OUT right_node integer, OUT right_pointer text, OUT right_path text[], OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100;
CREATE FUNCTION json_edit_mapping(
	a jsonb, b jsonb, costs tree_costs,
	OUT operation text,
	OUT left_node integer, OUT left_pointer text, OUT left_path text[], OUT left_label text,
	OUT right_node integer, OUT right_pointer text, OUT right_path text[], OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100;
CREATE FUNCTION xml_edit_mapping(
	a xml, b xml,
	OUT operation text,
	OUT left_node integer, OUT left_xpath text, OUT left_label text,
	OUT right_node integer, OUT right_xpath text, OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100;
CREATE FUNCTION xml_edit_mapping(
	a xml, b xml, costs tree_costs,
	OUT operation text,
	OUT left_node integer, OUT left_xpath text, OUT left_label text,
	OUT right_node integer, OUT right_xpath text, OUT right_label text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100;

COMMENT ON FUNCTION tree_edit_mapping(tree, tree, integer, integer, integer, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION tree_edit_mapping(tree, tree, tree_costs, boolean) IS 'an edit mapping by a model of costs, optimal unless approximate, with the cost of each operation';
COMMENT ON FUNCTION json_edit_mapping(jsonb, jsonb) IS 'an optimal edit mapping of JSON documents, with JSON Pointers and paths';
COMMENT ON FUNCTION json_edit_mapping(jsonb, jsonb, tree_costs) IS 'an optimal edit mapping of JSON documents by a model of costs, with JSON Pointers and paths';
COMMENT ON FUNCTION xml_edit_mapping(xml, xml) IS 'an optimal edit mapping of XML documents, with XPath expressions';
COMMENT ON FUNCTION xml_edit_mapping(xml, xml, tree_costs) IS 'an optimal edit mapping of XML documents by a model of costs, with XPath expressions';

-- Patches

CREATE FUNCTION json_patch(a jsonb, b jsonb) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000;
CREATE FUNCTION json_patch(a jsonb, b jsonb, costs tree_costs) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000;
CREATE FUNCTION json_patch_apply(doc jsonb, patch jsonb) RETURNS jsonb
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;
CREATE FUNCTION xml_patch(a xml, b xml) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000;
CREATE FUNCTION xml_patch(a xml, b xml, costs tree_costs) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000;
CREATE FUNCTION xml_patch_apply(doc xml, patch xml) RETURNS xml
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION xml_patch(xml, xml) IS 'XML patch (RFC 5261) that makes the second document of the first one';
COMMENT ON FUNCTION xml_patch(xml, xml, tree_costs) IS 'XML patch (RFC 5261) that makes the second document of the first one, by a model of costs';
COMMENT ON FUNCTION xml_patch_apply(xml, xml) IS 'XML document after the operations of an XML patch (RFC 5261)';
COMMENT ON FUNCTION json_patch(jsonb, jsonb) IS 'JSON Patch (RFC 6902) that makes the second document of the first one';
COMMENT ON FUNCTION json_patch(jsonb, jsonb, tree_costs) IS 'JSON Patch (RFC 6902) that makes the second document of the first one, by a model of costs';
COMMENT ON FUNCTION json_patch_apply(jsonb, jsonb) IS 'JSON document after the operations of a JSON Patch (RFC 6902)';

-- Differences

CREATE FUNCTION tree_edit_counts(a tree, b tree, OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean)
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_edit_counts(a tree, b tree, costs tree_costs, OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean)
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff(a tree, b tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff(a xml, b xml) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff(a json, b json) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff(a jsonb, b jsonb) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff(a tree, b tree, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff(a xml, b xml, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff(a json, b json, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff(a jsonb, b jsonb, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION tree_edit_counts(tree, tree) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_counts(tree, tree, tree_costs) IS 'numbers of operations of an edit script by a model of costs';
COMMENT ON FUNCTION tree_diff(tree, tree) IS 'differences of two trees, line by line';
COMMENT ON FUNCTION tree_diff(xml, xml) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff(json, json) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff(jsonb, jsonb) IS 'differences of two documents, line by line';
COMMENT ON FUNCTION tree_diff(tree, tree, tree_costs) IS 'differences of two trees, line by line, by a model of costs';
COMMENT ON FUNCTION tree_diff(xml, xml, tree_costs) IS 'differences of two documents, line by line, by a model of costs';
COMMENT ON FUNCTION tree_diff(json, json, tree_costs) IS 'differences of two documents, line by line, by a model of costs';
COMMENT ON FUNCTION tree_diff(jsonb, jsonb, tree_costs) IS 'differences of two documents, line by line, by a model of costs';

-- Pictures

CREATE FUNCTION tree_diff_html(a tree, b tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_html(a xml, b xml) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_html(a json, b json) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_html(a jsonb, b jsonb) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_html(a tree, b tree, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_html(a xml, b xml, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_html(a json, b json, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_html(a jsonb, b jsonb, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_html_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_svg(a tree, b tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_svg(a xml, b xml) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_svg(a json, b json) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_svg(a jsonb, b jsonb) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_svg(a tree, b tree, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_svg(a xml, b xml, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_xml' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_svg(a json, b json, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_json' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_diff_svg(a jsonb, b jsonb, costs tree_costs) RETURNS text
	AS 'MODULE_PATHNAME', 'tree_diff_svg_jsonb' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 10000;
CREATE FUNCTION tree_svg(tree) RETURNS text
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000;

COMMENT ON FUNCTION tree_diff_html(tree, tree) IS 'differences of two trees, side by side, as a page of HTML';
COMMENT ON FUNCTION tree_diff_html(xml, xml) IS 'differences of two documents, side by side, as a page of HTML';
COMMENT ON FUNCTION tree_diff_html(json, json) IS 'differences of two documents, side by side, as a page of HTML';
COMMENT ON FUNCTION tree_diff_html(jsonb, jsonb) IS 'differences of two documents, side by side, as a page of HTML';
COMMENT ON FUNCTION tree_diff_html(tree, tree, tree_costs) IS 'differences of two trees, side by side, as a page of HTML, by a model of costs';
COMMENT ON FUNCTION tree_diff_html(xml, xml, tree_costs) IS 'differences of two documents, side by side, as a page of HTML, by a model of costs';
COMMENT ON FUNCTION tree_diff_html(json, json, tree_costs) IS 'differences of two documents, side by side, as a page of HTML, by a model of costs';
COMMENT ON FUNCTION tree_diff_html(jsonb, jsonb, tree_costs) IS 'differences of two documents, side by side, as a page of HTML, by a model of costs';
COMMENT ON FUNCTION tree_diff_svg(tree, tree) IS 'differences of two trees, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(xml, xml) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(json, json) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(jsonb, jsonb) IS 'differences of two documents, side by side, as a picture in SVG';
COMMENT ON FUNCTION tree_diff_svg(tree, tree, tree_costs) IS 'differences of two trees, side by side, as a picture in SVG, by a model of costs';
COMMENT ON FUNCTION tree_diff_svg(xml, xml, tree_costs) IS 'differences of two documents, side by side, as a picture in SVG, by a model of costs';
COMMENT ON FUNCTION tree_diff_svg(json, json, tree_costs) IS 'differences of two documents, side by side, as a picture in SVG, by a model of costs';
COMMENT ON FUNCTION tree_diff_svg(jsonb, jsonb, tree_costs) IS 'differences of two documents, side by side, as a picture in SVG, by a model of costs';
COMMENT ON FUNCTION tree_svg(tree) IS 'a tree as a picture in SVG';

-- Nearest subtrees

CREATE FUNCTION tree_subtree_topk(
	query tree, doc tree, k integer,
	max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT rank integer, OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10;
CREATE FUNCTION tree_subtree_matches(
	query tree, doc tree, max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10;
CREATE FUNCTION tree_subtree_topk(
	query tree, doc tree, k integer, max_distance float8, min_similarity float8, costs tree_costs,
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'tree_subtree_topk_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10;
CREATE FUNCTION tree_subtree_matches(
	query tree, doc tree, max_distance float8, min_similarity float8, costs tree_costs,
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'tree_subtree_matches_model' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10;

COMMENT ON FUNCTION tree_subtree_topk(tree, tree, integer, integer, float8) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_matches(tree, tree, integer, float8) IS 'all subtrees of doc near query';
COMMENT ON FUNCTION tree_subtree_topk(tree, tree, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query by a model of costs';
COMMENT ON FUNCTION tree_subtree_matches(tree, tree, float8, float8, tree_costs) IS 'all subtrees of doc near query by a model of costs';

-- Bounds, mappings and subtrees straight on documents

CREATE FUNCTION tree_edit_distance_lower_bound(a xml, b xml) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance_upper_bound(a xml, b xml) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distances(query xml, docs xml[]) RETURNS integer[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[]);
CREATE FUNCTION tree_edit_counts(
	a xml, b xml,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree); END;
CREATE FUNCTION tree_edit_mapping(
	a xml, b xml, ins_cost integer DEFAULT 1, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1,
	approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, ins_cost, del_cost, ren_cost, approximate); END;
CREATE FUNCTION tree_subtree_topk(
	query xml, doc xml, k integer,
	max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT rank integer, OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_topk(query::tree, doc::tree, k, max_distance, min_similarity); END;
CREATE FUNCTION tree_subtree_matches(
	query xml, doc xml, max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_matches(query::tree, doc::tree, max_distance, min_similarity); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance_upper_bound(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distances(query json, docs json[]) RETURNS integer[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[]);
CREATE FUNCTION tree_edit_counts(
	a json, b json,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree); END;
CREATE FUNCTION tree_edit_mapping(
	a json, b json, ins_cost integer DEFAULT 1, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1,
	approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, ins_cost, del_cost, ren_cost, approximate); END;
CREATE FUNCTION tree_subtree_topk(
	query json, doc json, k integer,
	max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT rank integer, OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_topk(query::tree, doc::tree, k, max_distance, min_similarity); END;
CREATE FUNCTION tree_subtree_matches(
	query json, doc json, max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_matches(query::tree, doc::tree, max_distance, min_similarity); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance_upper_bound(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree);
CREATE FUNCTION tree_edit_distances(query jsonb, docs jsonb[]) RETURNS integer[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[]);
CREATE FUNCTION tree_edit_counts(
	a jsonb, b jsonb,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree); END;
CREATE FUNCTION tree_edit_mapping(
	a jsonb, b jsonb, ins_cost integer DEFAULT 1, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1,
	approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, ins_cost, del_cost, ren_cost, approximate); END;
CREATE FUNCTION tree_subtree_topk(
	query jsonb, doc jsonb, k integer,
	max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT rank integer, OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_topk(query::tree, doc::tree, k, max_distance, min_similarity); END;
CREATE FUNCTION tree_subtree_matches(
	query jsonb, doc jsonb, max_distance integer DEFAULT 2147483647, min_similarity float8 DEFAULT 0,
	OUT node integer, OUT path text, OUT distance integer, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_matches(query::tree, doc::tree, max_distance, min_similarity); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_upper_bound(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distances(query xml, docs xml[], costs tree_costs) RETURNS float8[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[], costs);
CREATE FUNCTION tree_edit_counts(
	a xml, b xml, costs tree_costs,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree, costs); END;
CREATE FUNCTION tree_edit_mapping(
	a xml, b xml, costs tree_costs, approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, costs, approximate); END;
CREATE FUNCTION tree_subtree_topk(
	query xml, doc xml, k integer, max_distance float8, min_similarity float8, costs tree_costs,
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_topk(query::tree, doc::tree, k, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_subtree_matches(
	query xml, doc xml, max_distance float8, min_similarity float8, costs tree_costs,
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_matches(query::tree, doc::tree, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_upper_bound(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distances(query json, docs json[], costs tree_costs) RETURNS float8[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[], costs);
CREATE FUNCTION tree_edit_counts(
	a json, b json, costs tree_costs,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree, costs); END;
CREATE FUNCTION tree_edit_mapping(
	a json, b json, costs tree_costs, approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, costs, approximate); END;
CREATE FUNCTION tree_subtree_topk(
	query json, doc json, k integer, max_distance float8, min_similarity float8, costs tree_costs,
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_topk(query::tree, doc::tree, k, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_subtree_matches(
	query json, doc json, max_distance float8, min_similarity float8, costs tree_costs,
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_matches(query::tree, doc::tree, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_edit_distance_lower_bound(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_edit_distance_lower_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_upper_bound(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_upper_bound(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distances(query jsonb, docs jsonb[], costs tree_costs) RETURNS float8[]
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 100000
	RETURN tree_edit_distances(query::tree, docs::tree[], costs);
CREATE FUNCTION tree_edit_counts(
	a jsonb, b jsonb, costs tree_costs,
	OUT matched integer, OUT renamed integer, OUT deleted integer, OUT inserted integer, OUT moved integer, OUT approximate boolean
)
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	BEGIN ATOMIC SELECT * FROM tree_edit_counts(a::tree, b::tree, costs); END;
CREATE FUNCTION tree_edit_mapping(
	a jsonb, b jsonb, costs tree_costs, approximate boolean DEFAULT false,
	OUT operation text,
	OUT left_node integer, OUT left_path text, OUT left_label text,
	OUT right_node integer, OUT right_path text, OUT right_label text,
	OUT cost float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 100
	BEGIN ATOMIC SELECT * FROM tree_edit_mapping(a::tree, b::tree, costs, approximate); END;
CREATE FUNCTION tree_subtree_topk(
	query jsonb, doc jsonb, k integer, max_distance float8, min_similarity float8, costs tree_costs,
	OUT rank integer, OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_topk(query::tree, doc::tree, k, max_distance, min_similarity, costs); END;
CREATE FUNCTION tree_subtree_matches(
	query jsonb, doc jsonb, max_distance float8, min_similarity float8, costs tree_costs,
	OUT node integer, OUT path text, OUT distance float8, OUT similarity float8
) RETURNS SETOF record
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 20000 ROWS 10
	BEGIN ATOMIC SELECT * FROM tree_subtree_matches(query::tree, doc::tree, max_distance, min_similarity, costs); END;

COMMENT ON FUNCTION tree_edit_distance_lower_bound(xml, xml) IS 'lower bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(xml, xml) IS 'upper bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distances(xml, xml[]) IS 'tree edit distances between one document and many';
COMMENT ON FUNCTION tree_edit_counts(xml, xml) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_mapping(xml, xml, integer, integer, integer, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION tree_subtree_topk(xml, xml, integer, integer, float8) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_matches(xml, xml, integer, float8) IS 'all subtrees of doc near query';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(json, json) IS 'lower bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(json, json) IS 'upper bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distances(json, json[]) IS 'tree edit distances between one document and many';
COMMENT ON FUNCTION tree_edit_counts(json, json) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_mapping(json, json, integer, integer, integer, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION tree_subtree_topk(json, json, integer, integer, float8) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_matches(json, json, integer, float8) IS 'all subtrees of doc near query';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(jsonb, jsonb) IS 'lower bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(jsonb, jsonb) IS 'upper bound on the tree edit distance';
COMMENT ON FUNCTION tree_edit_distances(jsonb, jsonb[]) IS 'tree edit distances between one document and many';
COMMENT ON FUNCTION tree_edit_counts(jsonb, jsonb) IS 'numbers of operations of an edit script';
COMMENT ON FUNCTION tree_edit_mapping(jsonb, jsonb, integer, integer, integer, boolean) IS 'an edit mapping, optimal unless approximate: match, rename, delete, insert';
COMMENT ON FUNCTION tree_subtree_topk(jsonb, jsonb, integer, integer, float8) IS 'the k subtrees of doc nearest to query';
COMMENT ON FUNCTION tree_subtree_matches(jsonb, jsonb, integer, float8) IS 'all subtrees of doc near query';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(xml, xml, tree_costs) IS 'lower bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(xml, xml, tree_costs) IS 'upper bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distances(xml, xml[], tree_costs) IS 'tree edit distances by a model of costs between one document and many';
COMMENT ON FUNCTION tree_edit_counts(xml, xml, tree_costs) IS 'numbers of operations of an edit script by a model of costs';
COMMENT ON FUNCTION tree_edit_mapping(xml, xml, tree_costs, boolean) IS 'an edit mapping by a model of costs, optimal unless approximate, with the cost of each operation';
COMMENT ON FUNCTION tree_subtree_topk(xml, xml, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query by a model of costs';
COMMENT ON FUNCTION tree_subtree_matches(xml, xml, float8, float8, tree_costs) IS 'all subtrees of doc near query by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(json, json, tree_costs) IS 'lower bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(json, json, tree_costs) IS 'upper bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distances(json, json[], tree_costs) IS 'tree edit distances by a model of costs between one document and many';
COMMENT ON FUNCTION tree_edit_counts(json, json, tree_costs) IS 'numbers of operations of an edit script by a model of costs';
COMMENT ON FUNCTION tree_edit_mapping(json, json, tree_costs, boolean) IS 'an edit mapping by a model of costs, optimal unless approximate, with the cost of each operation';
COMMENT ON FUNCTION tree_subtree_topk(json, json, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query by a model of costs';
COMMENT ON FUNCTION tree_subtree_matches(json, json, float8, float8, tree_costs) IS 'all subtrees of doc near query by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_lower_bound(jsonb, jsonb, tree_costs) IS 'lower bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_upper_bound(jsonb, jsonb, tree_costs) IS 'upper bound on the tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distances(jsonb, jsonb[], tree_costs) IS 'tree edit distances by a model of costs between one document and many';
COMMENT ON FUNCTION tree_edit_counts(jsonb, jsonb, tree_costs) IS 'numbers of operations of an edit script by a model of costs';
COMMENT ON FUNCTION tree_edit_mapping(jsonb, jsonb, tree_costs, boolean) IS 'an edit mapping by a model of costs, optimal unless approximate, with the cost of each operation';
COMMENT ON FUNCTION tree_subtree_topk(jsonb, jsonb, integer, float8, float8, tree_costs) IS 'the k subtrees of doc nearest to query by a model of costs';
COMMENT ON FUNCTION tree_subtree_matches(jsonb, jsonb, float8, float8, tree_costs) IS 'all subtrees of doc near query by a model of costs';
