CREATE OR REPLACE FUNCTION tree_depth(tree) RETURNS integer AS 'MODULE_PATHNAME' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE COST 20;
DROP FUNCTION scs_length(bytea, bytea);
CREATE FUNCTION upgrade_test(tree, tree) RETURNS integer AS 'MODULE_PATHNAME', 'tree_edit_distance' LANGUAGE C IMMUTABLE STRICT PARALLEL SAFE;
COMMENT ON FUNCTION upgrade_test(tree, tree) IS 'a function of the version made up by upgrade.sh';
REVOKE ALL ON FUNCTION upgrade_test(tree, tree) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION upgrade_test(tree, tree) TO pg_monitor;
CREATE OPERATOR <@@> (LEFTARG = tree, RIGHTARG = tree, FUNCTION = upgrade_test, COMMUTATOR = <@@>);
