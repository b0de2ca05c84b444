# An ordinary user who may create objects in a database installs the extensions.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE ted_owner LOGIN; CREATE DATABASE hers OWNER ted_owner');

my @as_owner = (extra_params => [ '-U', 'ted_owner' ]);
$node->safe_psql('hers', 'CREATE SCHEMA extensions AUTHORIZATION ted_owner');
$node->safe_psql('hers', 'CREATE EXTENSION ted SCHEMA extensions', @as_owner);
$node->safe_psql('hers', 'CREATE SCHEMA joins; CREATE EXTENSION ted_distributed SCHEMA joins', @as_owner);
$node->safe_psql('hers', q{CREATE TABLE docs AS SELECT i AS id, ('{a{' || i % 5 || '}}')::extensions.tree AS doc FROM generate_series(1, 9) i}, @as_owner);

# everything works where the schema is not on the search path
is($node->safe_psql('hers', "SELECT extensions.tree_edit_distance('{a{b}}', '{a}')", @as_owner),
	'1', 'distance');
is( $node->safe_psql('hers',
		"SELECT extensions.tree_within_pairs(id, doc::extensions.tree, 1) FROM (VALUES (1, '{a}'), (2, '{b}')) v(id, doc)",
		@as_owner),
	'{"(1,2,1)"}',
	'join');
is( $node->safe_psql('hers',
		"SELECT extensions.lcs_similar_pairs(id, doc, 0.5) FROM (VALUES (1, 'ab'), (2, 'bc')) v(id, doc)", @as_owner),
	'{"(1,2,0.5)"}',
	'join of strings');
is( $node->safe_psql('hers',
		q{SELECT extensions.tree_edit_distance('{"a": 1}'::json, '{"a": 2}'::json)}, @as_owner),
	'1',
	'distance of documents');
my $packed = q{WITH d AS MATERIALIZED (SELECT * FROM %s.ted_read_documents('SELECT ''''::"char", id, doc FROM docs', 0, '{0}', NULL, 1, 'tree', 600)),
	p AS (SELECT %1$s.ted_plan_cells(step, 0, sender, seq, packed, 1, 'tree', 600) AS plan FROM d WHERE step = 'z'),
	j AS (SELECT %1$s.ted_join_cell(b.packed, b.sender, 'tree', 0, b.number, 1, true, 'integer', NULL) AS found
		FROM d, p, %1$s.ted_send_documents(d.packed, NULL, plan, d.number, d.seq) b WHERE d.step = 'd' GROUP BY b.number)
	SELECT count(*) FROM j, unnest(found) f, %1$s.ted_unpack_pairs(f.packed) AS p(left_id integer, right_id integer, measure float8)};
is($node->safe_psql('hers', sprintf($packed, 'joins'), @as_owner), '4', 'a cell of a join over several servers');
$node->safe_psql('hers', 'ALTER EXTENSION ted SET SCHEMA public');
is($node->safe_psql('hers', q{SELECT tree_edit_distance('<a/>'::xml, '<b/>'::xml)}, @as_owner),
	'1', 'distance of documents after moving the extension');
is($node->safe_psql('hers', sprintf($packed, 'joins'), @as_owner), '4', 'a cell after moving the extension');
$node->safe_psql('hers', 'CREATE SCHEMA "else""where" AUTHORIZATION ted_owner; ALTER EXTENSION ted_distributed SET SCHEMA "else""where"');
is($node->safe_psql('hers', sprintf($packed, '"else""where"'), @as_owner), '4', 'and after moving the other one');

# ted_distributed needs ted, and takes no other type for one of ted's
$node->safe_psql('hers', 'DROP EXTENSION ted_distributed; DROP TABLE docs; DROP EXTENSION ted', @as_owner);
my ($rc, $stdout, $stderr) = $node->psql('hers', 'CREATE EXTENSION ted_distributed', @as_owner);
like($stderr, qr/required extension "ted" is not installed\nHINT: .* CASCADE/, 'ted is needed');
for my $type ('DOMAIN joins.tree AS bytea', 'DOMAIN joins.tree AS extensions.tree', 'TYPE joins.tree_match AS (left_id bigint, right_id bigint, distance integer)',
	'TYPE joins.lcs_match AS (left_id bigint, right_id bigint, similarity float8)')
{
	my ($kind, $name) = split / /, $type;
	($rc, $stdout, $stderr) = $node->psql('hers', "BEGIN; CREATE EXTENSION ted SCHEMA extensions; CREATE $type; CREATE EXTENSION ted_distributed SCHEMA joins", @as_owner);
	like($stderr, qr/type \Q$name\E is not of extension ted\n.*\nHINT:  Drop it, or /, $type);
}
$node->safe_psql('hers', 'CREATE EXTENSION ted_distributed CASCADE', @as_owner);

$node->stop;
done_testing();
