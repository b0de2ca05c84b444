-- Distances straight on documents; inlined, so that expression indexes apply

CREATE FUNCTION tree_edit_distance(a xml, b xml) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance(a xml, b xml, ins_cost integer, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, ins_cost, del_cost, ren_cost);
CREATE FUNCTION tree_edit_distance(a xml, b xml, del_cost bigint, ren_cost bigint DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, del_cost::integer, ren_cost::integer);
CREATE FUNCTION tree_edit_distance(a xml, b xml, ren_cost bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, 1, ren_cost::integer);
CREATE FUNCTION tree_edit_distance_less_equal(a xml, b xml, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_edit_distance_less_equal(a xml, b xml, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_edit_distance_less_equal(a xml, b xml, ins_cost integer, del_cost integer, ren_cost integer, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ins_cost, del_cost, ren_cost, max_distance);
CREATE FUNCTION tree_within(a xml, b xml, max_distance integer) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_within(a xml, b xml, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_similarity(a xml, b xml) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_pqgram_distance(a xml, b xml, p integer DEFAULT 2, q integer DEFAULT 3) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_pqgram_distance(a::tree, b::tree, p, q);
CREATE FUNCTION tree_similar(a xml, b xml, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_less_equal(a xml, b xml, max_distance float8, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_within(a xml, b xml, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a xml, b xml, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a xml, b xml, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);

COMMENT ON FUNCTION tree_edit_distance(xml, xml) IS 'tree edit distance';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, integer, integer, integer) IS 'tree edit distance with costs to insert, delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, bigint, bigint) IS 'tree edit distance with costs to delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, bigint) IS 'tree edit distance with a cost to rename a node';
COMMENT ON FUNCTION tree_edit_distance_less_equal(xml, xml, integer) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(xml, xml, float8) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(xml, xml, integer, integer, integer, integer) IS 'tree edit distance with costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(xml, xml, integer) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_within(xml, xml, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(xml, xml) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_pqgram_distance(xml, xml, integer, integer) IS '1 - 2 * common pq-grams / pq-grams of both';
COMMENT ON FUNCTION tree_similar(xml, xml, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(xml, xml, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_less_equal(xml, xml, float8, tree_costs) IS 'tree edit distance by a model of costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(xml, xml, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(xml, xml, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(xml, xml, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';

CREATE FUNCTION tree_edit_distance(a json, b json) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance(a json, b json, ins_cost integer, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, ins_cost, del_cost, ren_cost);
CREATE FUNCTION tree_edit_distance(a json, b json, del_cost bigint, ren_cost bigint DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, del_cost::integer, ren_cost::integer);
CREATE FUNCTION tree_edit_distance(a json, b json, ren_cost bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, 1, ren_cost::integer);
CREATE FUNCTION tree_edit_distance_less_equal(a json, b json, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_edit_distance_less_equal(a json, b json, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_edit_distance_less_equal(a json, b json, ins_cost integer, del_cost integer, ren_cost integer, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ins_cost, del_cost, ren_cost, max_distance);
CREATE FUNCTION tree_within(a json, b json, max_distance integer) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_within(a json, b json, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_similarity(a json, b json) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_pqgram_distance(a json, b json, p integer DEFAULT 2, q integer DEFAULT 3) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_pqgram_distance(a::tree, b::tree, p, q);
CREATE FUNCTION tree_similar(a json, b json, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_less_equal(a json, b json, max_distance float8, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_within(a json, b json, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a json, b json, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a json, b json, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);

COMMENT ON FUNCTION tree_edit_distance(json, json) IS 'tree edit distance';
COMMENT ON FUNCTION tree_edit_distance(json, json, integer, integer, integer) IS 'tree edit distance with costs to insert, delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(json, json, bigint, bigint) IS 'tree edit distance with costs to delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(json, json, bigint) IS 'tree edit distance with a cost to rename a node';
COMMENT ON FUNCTION tree_edit_distance_less_equal(json, json, integer) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(json, json, float8) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(json, json, integer, integer, integer, integer) IS 'tree edit distance with costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(json, json, integer) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_within(json, json, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(json, json) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_pqgram_distance(json, json, integer, integer) IS '1 - 2 * common pq-grams / pq-grams of both';
COMMENT ON FUNCTION tree_similar(json, json, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(json, json, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_less_equal(json, json, float8, tree_costs) IS 'tree edit distance by a model of costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(json, json, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(json, json, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(json, json, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';

CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, ins_cost integer, del_cost integer DEFAULT 1, ren_cost integer DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, ins_cost, del_cost, ren_cost);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, del_cost bigint, ren_cost bigint DEFAULT 1) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, del_cost::integer, ren_cost::integer);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, ren_cost bigint) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, 1, 1, ren_cost::integer);
CREATE FUNCTION tree_edit_distance_less_equal(a jsonb, b jsonb, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_edit_distance_less_equal(a jsonb, b jsonb, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_edit_distance_less_equal(a jsonb, b jsonb, ins_cost integer, del_cost integer, ren_cost integer, max_distance integer) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, ins_cost, del_cost, ren_cost, max_distance);
CREATE FUNCTION tree_within(a jsonb, b jsonb, max_distance integer) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance);
CREATE FUNCTION tree_within(a jsonb, b jsonb, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, ted_max_distance(max_distance));
CREATE FUNCTION tree_similarity(a jsonb, b jsonb) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree);
CREATE FUNCTION tree_pqgram_distance(a jsonb, b jsonb, p integer DEFAULT 2, q integer DEFAULT 3) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 500
	RETURN tree_pqgram_distance(a::tree, b::tree, p, q);
CREATE FUNCTION tree_similar(a jsonb, b jsonb, min_similarity float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity);
CREATE FUNCTION tree_edit_distance(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_edit_distance(a::tree, b::tree, costs);
CREATE FUNCTION tree_edit_distance_less_equal(a jsonb, b jsonb, max_distance float8, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_edit_distance_less_equal(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_within(a jsonb, b jsonb, max_distance float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_within(a::tree, b::tree, max_distance, costs);
CREATE FUNCTION tree_similarity(a jsonb, b jsonb, costs tree_costs) RETURNS float8
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10000
	RETURN tree_similarity(a::tree, b::tree, costs);
CREATE FUNCTION tree_similar(a jsonb, b jsonb, min_similarity float8, costs tree_costs) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 1000
	RETURN tree_similar(a::tree, b::tree, min_similarity, costs);

COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb) IS 'tree edit distance';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, integer, integer, integer) IS 'tree edit distance with costs to insert, delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, bigint, bigint) IS 'tree edit distance with costs to delete and rename a node';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, bigint) IS 'tree edit distance with a cost to rename a node';
COMMENT ON FUNCTION tree_edit_distance_less_equal(jsonb, jsonb, integer) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(jsonb, jsonb, float8) IS 'tree edit distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_edit_distance_less_equal(jsonb, jsonb, integer, integer, integer, integer) IS 'tree edit distance with costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(jsonb, jsonb, integer) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_within(jsonb, jsonb, float8) IS 'whether the tree edit distance is at most max_distance';
COMMENT ON FUNCTION tree_similarity(jsonb, jsonb) IS '1 - distance / larger size, at least 0';
COMMENT ON FUNCTION tree_pqgram_distance(jsonb, jsonb, integer, integer) IS '1 - 2 * common pq-grams / pq-grams of both';
COMMENT ON FUNCTION tree_similar(jsonb, jsonb, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION tree_edit_distance(jsonb, jsonb, tree_costs) IS 'tree edit distance by a model of costs';
COMMENT ON FUNCTION tree_edit_distance_less_equal(jsonb, jsonb, float8, tree_costs) IS 'tree edit distance by a model of costs if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION tree_within(jsonb, jsonb, float8, tree_costs) IS 'whether the tree edit distance by a model of costs is at most max_distance';
COMMENT ON FUNCTION tree_similarity(jsonb, jsonb, tree_costs) IS '1 - distance / larger cost of a tree, at least 0, by a model of costs';
COMMENT ON FUNCTION tree_similar(jsonb, jsonb, float8, tree_costs) IS 'whether the similarity by a model of costs is at least min_similarity';
