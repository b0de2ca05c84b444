# An ordinary user who may create objects in a database installs the extension.

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
$node->safe_psql('hers', 'ALTER EXTENSION ted SET SCHEMA public');
is($node->safe_psql('hers', q{SELECT tree_edit_distance('<a/>'::xml, '<b/>'::xml)}, @as_owner),
	'1', 'distance of documents after moving the extension');
$node->safe_psql('hers', 'DROP EXTENSION ted; CREATE EXTENSION ted', @as_owner);

$node->stop;
done_testing();
