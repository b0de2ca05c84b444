# Trees and models of costs survive pg_dump, COPY in text and binary, and a change of encoding.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->start;

my $file = PostgreSQL::Test::Utils::tempdir() . '/trees';

# A digest of all trees of a database as text, whatever its encoding.
sub trees
{
	my ($database) = @_;
	return $node->safe_psql($database, <<~'SQL');
		SELECT count(*), md5(string_agg(convert_to(concat(id, ' ', t::text, ' ', m::text), 'UTF8'), '' ORDER BY id))
		FROM trees
		SQL
}

$node->safe_psql('postgres', 'CREATE DATABASE utf8 TEMPLATE template0');
$node->safe_psql('utf8', <<~'SQL');
	CREATE EXTENSION ted;
	CREATE TABLE trees (id int, t tree, m tree_costs);
	INSERT INTO trees VALUES (1, '{a{b}{c}}'), (2, NULL), (3, '{}'), (4, '{é{ß \{\}}}'),
	  (5, (repeat('{a{b}', 20000) || repeat('}', 20000))::tree),
	  (56, '{\"code": "é"}'), (57, '{ \"a":{\"b": 1}}');
	INSERT INTO trees
	  SELECT i + 5, ('{' || i || string_agg('{' || md5(j::text) || '}', '') || '}')::tree
	  FROM generate_series(1, 50) i, generate_series(1, i * 10) j GROUP BY i;
	UPDATE trees SET m = tree_costs(insert => 0.125 * id, texts => 'lcs', ignore => ARRAY['é' || id, '\**'],
	  rules => '[{"pattern": "text()", "rename": "never"}]') WHERE id % 2 = 0;
	UPDATE trees SET m = (SELECT tree_costs_agg(n::text, 1, 2, NULL) FROM generate_series(1, 3000) n) WHERE id = 7;
	CREATE INDEX ON trees USING hash (t);
	CREATE INDEX ON trees USING hash (m);
	CREATE TABLE parted (t tree) PARTITION BY HASH (t);
	CREATE TABLE parted_0 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 0);
	CREATE TABLE parted_1 PARTITION OF parted FOR VALUES WITH (MODULUS 2, REMAINDER 1);
	INSERT INTO parted SELECT t FROM trees WHERE t IS NOT NULL;
	SQL
my $expected = trees('utf8');

# dump and restore
$node->safe_psql('postgres', 'CREATE DATABASE restored TEMPLATE template0');
$node->command_ok([ 'pg_dump', '--load-via-partition-root', '-Fc', '-f', "$file.dump", $node->connstr('utf8') ], 'dump');
$node->command_ok([ 'pg_restore', '-d', $node->connstr('restored'), "$file.dump" ], 'restore');
is(trees('restored'), $expected, 'trees are the same after dump and restore');
is( $node->safe_psql('restored', 'SELECT count(*) FROM parted'),
	$node->safe_psql('utf8', 'SELECT count(*) FROM parted'),
	'hash partitions take the same trees');

# COPY
for my $format ('text', 'csv', 'binary')
{
	$node->safe_psql('utf8', "COPY trees TO '$file.$format' (FORMAT $format)");
	$node->safe_psql('restored',
		"TRUNCATE trees; COPY trees FROM '$file.$format' (FORMAT $format)");
	is(trees('restored'), $expected, "trees are the same after COPY in $format");
}

# a database of another encoding, reached by dump and by binary COPY
$node->safe_psql('postgres',
	"CREATE DATABASE latin1 TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
$node->command_ok([ 'pg_restore', '-d', $node->connstr('latin1'), "$file.dump" ],
	'restore into LATIN1');
is(trees('latin1'), $expected, 'labels are converted');
is($node->safe_psql('latin1', "SELECT octet_length(tree_label(t)) FROM trees WHERE id = 4"),
	'1', 'labels are stored in the server encoding');

$node->safe_psql('utf8',
	"SET client_encoding = 'LATIN1'; COPY trees TO '$file.bin' (FORMAT binary)");
$node->safe_psql('latin1', "TRUNCATE trees; COPY trees FROM '$file.bin' (FORMAT binary)");
is(trees('latin1'), $expected, 'COPY in binary converts labels');
$node->safe_psql('utf8',
	"TRUNCATE trees; SET client_encoding = 'LATIN1'; COPY trees FROM '$file.bin' (FORMAT binary)");
is(trees('utf8'), $expected, 'and converts them back');

# what the other encoding lacks is an error
$node->safe_psql('utf8', "TRUNCATE trees; INSERT INTO trees VALUES (1, '{東京}')");
for my $format ('text', 'binary')
{
	my ($ret, $stdout, $stderr) = $node->psql('utf8',
		"SET client_encoding = 'LATIN1'; COPY trees TO '$file.none' (FORMAT $format)");
	like($stderr, qr/has no equivalent in encoding "LATIN1"|text cannot be converted to another encoding/, "a label without equivalent in $format");
}

$node->stop;
done_testing();
