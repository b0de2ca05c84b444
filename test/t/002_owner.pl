# An ordinary user who may create objects in a database installs the extension.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', 'CREATE ROLE alice LOGIN; CREATE DATABASE hers OWNER alice');

my @as_alice = (extra_params => [ '-U', 'alice' ]);
$node->safe_psql('hers', 'CREATE SCHEMA extensions AUTHORIZATION alice');
$node->safe_psql('hers', 'CREATE EXTENSION ted SCHEMA extensions', @as_alice);

# everything works where the schema is not on the search path
is($node->safe_psql('hers', "SELECT extensions.tree_edit_distance('{a{b}}', '{a}')", @as_alice),
	'1', 'distance');
is( $node->safe_psql('hers',
		"SELECT extensions.tree_similarity_join(id, doc::extensions.tree, 1) FROM (VALUES (1, '{a}'), (2, '{b}')) v(id, doc)",
		@as_alice),
	'{"(1,2,1)"}',
	'join');
is( $node->safe_psql('hers',
		q{SELECT extensions.tree_edit_distance('{"a": 1}'::json, '{"a": 2}'::json)}, @as_alice),
	'1',
	'distance of documents');
$node->safe_psql('hers', 'ALTER EXTENSION ted SET SCHEMA public');
is($node->safe_psql('hers', q{SELECT tree_edit_distance('<a/>'::xml, '<b/>'::xml)}, @as_alice),
	'1', 'distance of documents after moving the extension');
$node->safe_psql('hers', 'DROP EXTENSION ted; CREATE EXTENSION ted', @as_alice);

$node->stop;
done_testing();
