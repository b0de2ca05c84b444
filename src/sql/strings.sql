-- Strings

CREATE FUNCTION lcs_support(internal) RETURNS internal
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE FUNCTION lcs_length(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a text[], b text[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a integer[], b integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_length(a bigint[], b bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_length_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION scs_length(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION scs_length(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION scs_length(a text[], b text[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
CREATE FUNCTION scs_length(a integer[], b integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40;
CREATE FUNCTION scs_length(a bigint[], b bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'scs_length_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300;
CREATE FUNCTION lcs_distance(a text, b text) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a bytea, b bytea) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a text[], b text[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a integer[], b integer[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance(a bigint[], b bigint[]) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a text, b text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a bytea, b bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a text[], b text[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a integer[], b integer[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similarity(a bigint[], b bigint[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_similarity_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a text, b text, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a bytea, b bytea, min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a text[], b text[], min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a integer[], b integer[], min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_similar(a bigint[], b bigint[], min_similarity float8) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_similar_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a text, b text, max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a text, b text, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 15
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_within(a bytea, b bytea, max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a bytea, b bytea, max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 15
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_within(a text[], b text[], max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a text[], b text[], max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_within(a integer[], b integer[], max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a integer[], b integer[], max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 40
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_within(a bigint[], b bigint[], max_distance integer) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_within_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_within(a bigint[], b bigint[], max_distance float8) RETURNS boolean
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
	RETURN lcs_within(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a text, b text, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a text, b text, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 15
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a bytea, b bytea, max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 15
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a bytea, b bytea, max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 15
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a text[], b text[], max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a text[], b text[], max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a integer[], b integer[], max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 40
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a integer[], b integer[], max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 40
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs_distance_less_equal(a bigint[], b bigint[], max_distance integer) RETURNS integer
	AS 'MODULE_PATHNAME', 'lcs_distance_less_equal_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 300
	SUPPORT lcs_support;
CREATE FUNCTION lcs_distance_less_equal(a bigint[], b bigint[], max_distance float8) RETURNS integer
	LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 300
	RETURN lcs_distance_less_equal(a, b, ted_max_distance(max_distance));
CREATE FUNCTION lcs(a text, b text) RETURNS text
	AS 'MODULE_PATHNAME', 'lcs_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION lcs(a bytea, b bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION lcs(a text[], b text[]) RETURNS text[]
	AS 'MODULE_PATHNAME', 'lcs_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION lcs(a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'lcs_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION lcs(a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'lcs_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION scs(a text, b text) RETURNS text
	AS 'MODULE_PATHNAME', 'scs_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION scs(a bytea, b bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'scs_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION scs(a text[], b text[]) RETURNS text[]
	AS 'MODULE_PATHNAME', 'scs_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION scs(a integer[], b integer[]) RETURNS integer[]
	AS 'MODULE_PATHNAME', 'scs_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200;
CREATE FUNCTION scs(a bigint[], b bigint[]) RETURNS bigint[]
	AS 'MODULE_PATHNAME', 'scs_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 600;
CREATE FUNCTION lcs_opcodes(
	a text, b text,
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part text, OUT b_part text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10;
CREATE FUNCTION lcs_opcodes(
	a bytea, b bytea,
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part bytea, OUT b_part bytea
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10;
CREATE FUNCTION lcs_opcodes(
	a text[], b text[],
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part text[], OUT b_part text[]
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1500 ROWS 10;
CREATE FUNCTION lcs_opcodes(
	a integer[], b integer[],
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part integer[], OUT b_part integer[]
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1000 ROWS 10;
CREATE FUNCTION lcs_opcodes(
	a bigint[], b bigint[],
	OUT operation text, OUT a_from integer, OUT a_to integer, OUT b_from integer, OUT b_to integer,
	OUT a_part bigint[], OUT b_part bigint[]
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_opcodes_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 1500 ROWS 10;
CREATE FUNCTION lcs_lengths(query text, docs text[]) RETURNS integer[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION lcs_similarities(query text, docs text[]) RETURNS float8[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000;
CREATE FUNCTION lcs_nearest(
	query text, docs text[], k integer, min_similarity float8 DEFAULT 0,
	OUT n integer, OUT similarity float8, OUT doc text
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_nearest_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 10;
CREATE FUNCTION lcs_nearest(
	query bytea, docs bytea[], k integer, min_similarity float8 DEFAULT 0,
	OUT n integer, OUT similarity float8, OUT doc bytea
) RETURNS SETOF record
	AS 'MODULE_PATHNAME', 'lcs_nearest_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 2000 ROWS 10;

COMMENT ON FUNCTION lcs_support(internal) IS 'planner support of the measures of strings';
COMMENT ON FUNCTION lcs_length(text, text) IS 'length of the longest common subsequence, in characters';
COMMENT ON FUNCTION lcs_length(bytea, bytea) IS 'length of the longest common subsequence, in bytes';
COMMENT ON FUNCTION lcs_length(text[], text[]) IS 'length of the longest common subsequence, in elements';
COMMENT ON FUNCTION lcs_length(integer[], integer[]) IS 'length of the longest common subsequence, in elements';
COMMENT ON FUNCTION lcs_length(bigint[], bigint[]) IS 'length of the longest common subsequence, in elements';
COMMENT ON FUNCTION scs_length(text, text) IS 'length of the shortest common supersequence, in characters';
COMMENT ON FUNCTION scs_length(bytea, bytea) IS 'length of the shortest common supersequence, in bytes';
COMMENT ON FUNCTION scs_length(text[], text[]) IS 'length of the shortest common supersequence, in elements';
COMMENT ON FUNCTION scs_length(integer[], integer[]) IS 'length of the shortest common supersequence, in elements';
COMMENT ON FUNCTION scs_length(bigint[], bigint[]) IS 'length of the shortest common supersequence, in elements';
COMMENT ON FUNCTION lcs_distance(text, text) IS 'number of characters to delete and to insert';
COMMENT ON FUNCTION lcs_distance(bytea, bytea) IS 'number of bytes to delete and to insert';
COMMENT ON FUNCTION lcs_distance(text[], text[]) IS 'number of elements to delete and to insert';
COMMENT ON FUNCTION lcs_distance(integer[], integer[]) IS 'number of elements to delete and to insert';
COMMENT ON FUNCTION lcs_distance(bigint[], bigint[]) IS 'number of elements to delete and to insert';
COMMENT ON FUNCTION lcs_similarity(text, text) IS '2 lcs_length / (sum of lengths in characters)';
COMMENT ON FUNCTION lcs_similarity(bytea, bytea) IS '2 lcs_length / (sum of lengths in bytes)';
COMMENT ON FUNCTION lcs_similarity(text[], text[]) IS '2 lcs_length / (sum of lengths in elements)';
COMMENT ON FUNCTION lcs_similarity(integer[], integer[]) IS '2 lcs_length / (sum of lengths in elements)';
COMMENT ON FUNCTION lcs_similarity(bigint[], bigint[]) IS '2 lcs_length / (sum of lengths in elements)';
COMMENT ON FUNCTION lcs_similar(text, text, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(bytea, bytea, float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(text[], text[], float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(integer[], integer[], float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_similar(bigint[], bigint[], float8) IS 'whether the similarity is at least min_similarity';
COMMENT ON FUNCTION lcs_within(text, text, integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(text, text, float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bytea, bytea, integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bytea, bytea, float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(text[], text[], integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(text[], text[], float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(integer[], integer[], integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(integer[], integer[], float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bigint[], bigint[], integer) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_within(bigint[], bigint[], float8) IS 'whether the distance is at most max_distance';
COMMENT ON FUNCTION lcs_distance_less_equal(text, text, integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(text, text, float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bytea, bytea, integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bytea, bytea, float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(text[], text[], integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(text[], text[], float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(integer[], integer[], integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(integer[], integer[], float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bigint[], bigint[], integer) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs_distance_less_equal(bigint[], bigint[], float8) IS 'distance if it is at most max_distance, else a larger number';
COMMENT ON FUNCTION lcs(text, text) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(bytea, bytea) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(text[], text[]) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(integer[], integer[]) IS 'a longest common subsequence';
COMMENT ON FUNCTION lcs(bigint[], bigint[]) IS 'a longest common subsequence';
COMMENT ON FUNCTION scs(text, text) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(bytea, bytea) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(text[], text[]) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(integer[], integer[]) IS 'a shortest common supersequence';
COMMENT ON FUNCTION scs(bigint[], bigint[]) IS 'a shortest common supersequence';
COMMENT ON FUNCTION lcs_opcodes(text, text) IS 'runs of characters to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(bytea, bytea) IS 'runs of bytes to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(text[], text[]) IS 'runs of elements to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(integer[], integer[]) IS 'runs of elements to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_opcodes(bigint[], bigint[]) IS 'runs of elements to keep, delete, insert and replace';
COMMENT ON FUNCTION lcs_lengths(text, text[]) IS 'lengths of the longest common subsequences of one text and many';
COMMENT ON FUNCTION lcs_similarities(text, text[]) IS 'similarities of one text and many';
COMMENT ON FUNCTION lcs_nearest(text, text[], integer, float8) IS 'the k elements of docs most similar to query';
COMMENT ON FUNCTION lcs_nearest(bytea, bytea[], integer, float8) IS 'the k elements of docs most similar to query';

-- Operators and indexes of strings

CREATE TYPE lcs_range AS (profile bytea, max_distance integer, min_similarity float8);

COMMENT ON TYPE lcs_range IS 'the profile of a string, and a threshold around it';

CREATE FUNCTION lcs_range_sel(internal, oid, internal, integer) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;
CREATE FUNCTION lcs_range_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
	AS 'MODULE_PATHNAME' LANGUAGE C STABLE STRICT PARALLEL SAFE;

COMMENT ON FUNCTION lcs_range_sel(internal, oid, internal, integer) IS 'restriction selectivity of <~ operator';
COMMENT ON FUNCTION lcs_range_joinsel(internal, oid, internal, smallint, internal) IS 'join selectivity of <~ operator';

CREATE FUNCTION lcs_distance_op(text, text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(text, text) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(text) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string text, max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string text, min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(text, lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_text' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_distance_op(bytea, bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(bytea, bytea) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(bytea) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string bytea, max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string bytea, min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(bytea, lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_bytea' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_distance_op(text[], text[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(text[], text[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(text[]) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string text[], max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string text[], min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(text[], lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_text_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_distance_op(integer[], integer[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(integer[], integer[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(integer[]) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string integer[], max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string integer[], min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(integer[], lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_int_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_distance_op(bigint[], bigint[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_distance_op_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_dissimilarity(bigint[], bigint[]) RETURNS float8
	AS 'MODULE_PATHNAME', 'lcs_dissimilarity_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 200
	SUPPORT lcs_support;
CREATE FUNCTION lcs_profile(bigint[]) RETURNS bytea
	AS 'MODULE_PATHNAME', 'lcs_profile_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
CREATE FUNCTION lcs_range(string bigint[], max_distance integer) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_range_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_similarity_range(string bigint[], min_similarity float8) RETURNS lcs_range
	AS 'MODULE_PATHNAME', 'lcs_similarity_range_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;
CREATE FUNCTION lcs_may_be_within(bigint[], lcs_range) RETURNS boolean
	AS 'MODULE_PATHNAME', 'lcs_may_be_within_bigint_array' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 50;

CREATE OPERATOR <~> (
	LEFTARG = text, RIGHTARG = text, FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = text, RIGHTARG = text, FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = text, RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = bytea, RIGHTARG = bytea, FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = bytea, RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = text[], RIGHTARG = text[], FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = text[], RIGHTARG = text[], FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = text[], RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = integer[], RIGHTARG = integer[], FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = integer[], RIGHTARG = integer[], FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = integer[], RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);
CREATE OPERATOR <~> (
	LEFTARG = bigint[], RIGHTARG = bigint[], FUNCTION = lcs_distance_op, COMMUTATOR = <~>
);
CREATE OPERATOR <%> (
	LEFTARG = bigint[], RIGHTARG = bigint[], FUNCTION = lcs_dissimilarity, COMMUTATOR = <%>
);
CREATE OPERATOR <~ (
	LEFTARG = bigint[], RIGHTARG = lcs_range, FUNCTION = lcs_may_be_within,
	RESTRICT = lcs_range_sel, JOIN = lcs_range_joinsel
);

CREATE FUNCTION lcs_handler(internal) RETURNS index_am_handler
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
CREATE ACCESS METHOD lcs TYPE INDEX HANDLER lcs_handler;
CREATE OPERATOR FAMILY lcs_ops USING lcs;

CREATE FUNCTION lcs_index_check(index regclass) RETURNS void
	AS 'MODULE_PATHNAME' LANGUAGE C STRICT PARALLEL RESTRICTED;
REVOKE EXECUTE ON FUNCTION lcs_index_check(regclass) FROM PUBLIC;
COMMENT ON FUNCTION lcs_index_check(regclass) IS 'raises an error if an lcs index has a damaged page';

CREATE FUNCTION tree_pqgram_profile(tree) RETURNS bytea
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 500;
CREATE OPERATOR CLASS tree_pqgram_ops DEFAULT FOR TYPE tree USING lcs AS
	OPERATOR 16 <#> (tree, tree) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 tree_pqgram_profile(tree);

COMMENT ON FUNCTION tree_pqgram_profile(tree) IS 'number of pq-grams, of those in each of 32 classes, and hashes of all';
COMMENT ON OPERATOR CLASS tree_pqgram_ops USING lcs IS 'nearest trees by pq-gram distance';
COMMENT ON OPERATOR FAMILY tree_pqgram_ops USING lcs IS 'nearest trees by pq-gram distance';

CREATE OPERATOR CLASS lcs_ops DEFAULT FOR TYPE text USING lcs FAMILY lcs_ops AS
	OPERATOR 1 <~ (text, lcs_range),
	OPERATOR 15 <~> (text, text) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (text, text) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(text);
CREATE OPERATOR CLASS lcs_bytea_ops DEFAULT FOR TYPE bytea USING lcs FAMILY lcs_ops AS
	OPERATOR 1 <~ (bytea, lcs_range),
	OPERATOR 15 <~> (bytea, bytea) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (bytea, bytea) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(bytea);
CREATE OPERATOR CLASS lcs_text_array_ops DEFAULT FOR TYPE text[] USING lcs FAMILY lcs_ops AS
	OPERATOR 1 <~ (text[], lcs_range),
	OPERATOR 15 <~> (text[], text[]) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (text[], text[]) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(text[]);
CREATE OPERATOR CLASS lcs_integer_array_ops DEFAULT FOR TYPE integer[] USING lcs FAMILY lcs_ops AS
	OPERATOR 1 <~ (integer[], lcs_range),
	OPERATOR 15 <~> (integer[], integer[]) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (integer[], integer[]) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(integer[]);
CREATE OPERATOR CLASS lcs_bigint_array_ops DEFAULT FOR TYPE bigint[] USING lcs FAMILY lcs_ops AS
	OPERATOR 1 <~ (bigint[], lcs_range),
	OPERATOR 15 <~> (bigint[], bigint[]) FOR ORDER BY pg_catalog.float_ops,
	OPERATOR 16 <%> (bigint[], bigint[]) FOR ORDER BY pg_catalog.float_ops,
	FUNCTION 1 lcs_profile(bigint[]);

COMMENT ON FUNCTION lcs_distance_op(text, text) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(text, text) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(text) IS 'number of characters, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(text, integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(text, float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(text, lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (text, text) IS 'number of characters to delete and to insert';
COMMENT ON OPERATOR <%> (text, text) IS '1 - similarity';
COMMENT ON OPERATOR <~ (text, lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_ops USING lcs IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_distance_op(bytea, bytea) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(bytea, bytea) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(bytea) IS 'number of bytes, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(bytea, integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(bytea, float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(bytea, lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (bytea, bytea) IS 'number of bytes to delete and to insert';
COMMENT ON OPERATOR <%> (bytea, bytea) IS '1 - similarity';
COMMENT ON OPERATOR <~ (bytea, lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_bytea_ops USING lcs IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_distance_op(text[], text[]) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(text[], text[]) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(text[]) IS 'number of elements, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(text[], integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(text[], float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(text[], lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (text[], text[]) IS 'number of elements to delete and to insert';
COMMENT ON OPERATOR <%> (text[], text[]) IS '1 - similarity';
COMMENT ON OPERATOR <~ (text[], lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_text_array_ops USING lcs IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_distance_op(integer[], integer[]) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(integer[], integer[]) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(integer[]) IS 'number of elements, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(integer[], integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(integer[], float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(integer[], lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (integer[], integer[]) IS 'number of elements to delete and to insert';
COMMENT ON OPERATOR <%> (integer[], integer[]) IS '1 - similarity';
COMMENT ON OPERATOR <~ (integer[], lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_integer_array_ops USING lcs IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_distance_op(bigint[], bigint[]) IS 'implementation of <~> operator';
COMMENT ON FUNCTION lcs_dissimilarity(bigint[], bigint[]) IS 'implementation of <%> operator';
COMMENT ON FUNCTION lcs_profile(bigint[]) IS 'number of elements, and of those in each of 32 classes';
COMMENT ON FUNCTION lcs_range(bigint[], integer) IS 'range of all strings within max_distance of a string';
COMMENT ON FUNCTION lcs_similarity_range(bigint[], float8) IS 'range of all strings at least min_similarity similar to a string';
COMMENT ON FUNCTION lcs_may_be_within(bigint[], lcs_range) IS 'implementation of <~ operator';
COMMENT ON OPERATOR <~> (bigint[], bigint[]) IS 'number of elements to delete and to insert';
COMMENT ON OPERATOR <%> (bigint[], bigint[]) IS '1 - similarity';
COMMENT ON OPERATOR <~ (bigint[], lcs_range) IS 'whether profiles allow the string to be in the range';
COMMENT ON OPERATOR CLASS lcs_bigint_array_ops USING lcs IS 'nearest strings, and strings within a threshold';
COMMENT ON FUNCTION lcs_handler(internal) IS 'index access method handler';
COMMENT ON ACCESS METHOD lcs IS 'nearest strings, and strings within a threshold, by their profiles';
COMMENT ON OPERATOR FAMILY lcs_ops USING lcs IS 'nearest strings, and strings within a threshold';

-- Similarity join of strings

CREATE TYPE string_match AS (left_id bigint, right_id bigint, similarity float8);
CREATE TYPE string_join_row AS (id bigint, side "char", min_similarity float8, doc text);

COMMENT ON TYPE string_match IS 'a pair of strings and their similarity';
COMMENT ON TYPE string_join_row IS 'a string in the state of lcs_similarity_join';

CREATE FUNCTION lcs_similarity_join_transfn(string_join_row[], bigint, text, float8) RETURNS string_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_similarity_join_transfn(string_join_row[], bigint, text, float8, "char") RETURNS string_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_similarity_join_combine(string_join_row[], string_join_row[]) RETURNS string_join_row[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION lcs_similarity_join_finalfn(string_join_row[]) RETURNS string_match[]
	AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE PARALLEL SAFE COST 10000;

CREATE AGGREGATE lcs_similarity_join(id bigint, doc text, min_similarity float8) (
	SFUNC = lcs_similarity_join_transfn, STYPE = string_join_row[],
	COMBINEFUNC = lcs_similarity_join_combine, FINALFUNC = lcs_similarity_join_finalfn,
	PARALLEL = SAFE
);
CREATE AGGREGATE lcs_similarity_join(id bigint, doc text, min_similarity float8, side "char") (
	SFUNC = lcs_similarity_join_transfn, STYPE = string_join_row[],
	COMBINEFUNC = lcs_similarity_join_combine, FINALFUNC = lcs_similarity_join_finalfn,
	PARALLEL = SAFE
);

COMMENT ON FUNCTION lcs_similarity_join_transfn(string_join_row[], bigint, text, float8) IS 'aggregate transition function';
COMMENT ON FUNCTION lcs_similarity_join_transfn(string_join_row[], bigint, text, float8, "char") IS 'aggregate transition function';
COMMENT ON FUNCTION lcs_similarity_join_combine(string_join_row[], string_join_row[]) IS 'aggregate combine function';
COMMENT ON FUNCTION lcs_similarity_join_finalfn(string_join_row[]) IS 'aggregate final function';
COMMENT ON AGGREGATE lcs_similarity_join(bigint, text, float8) IS 'all pairs of strings with a similarity of at least min_similarity';
COMMENT ON AGGREGATE lcs_similarity_join(bigint, text, float8, "char") IS 'all pairs of a left and a right string with a similarity of at least min_similarity';

CREATE FUNCTION lcs_cluster(doc text, min_similarity float8) RETURNS integer
	AS 'MODULE_PATHNAME' LANGUAGE C WINDOW IMMUTABLE PARALLEL SAFE COST 10000;

COMMENT ON FUNCTION lcs_cluster(text, float8) IS 'number of the cluster of strings that similarities of at least min_similarity connect';
