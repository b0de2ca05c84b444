# A standby, one that has been promoted, and a database that a logical publication feeds
# find the rows of the primary, by indexes of every method.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A column for each index, so that a query can use no other; and a table without a key.
my $tables = <<~'SQL';
	CREATE EXTENSION ted;
	CREATE TABLE docs (
	  id int PRIMARY KEY, doc jsonb, gist tree GENERATED ALWAYS AS (doc::tree) STORED,
	  gin tree, btree tree, hash tree, pqgrams tree, name text, costs tree_costs
	);
	CREATE TABLE plain (t tree, costs tree_costs);
	ALTER TABLE plain REPLICA IDENTITY FULL;
	SQL
my $indexes = <<~'SQL';
	CREATE INDEX docs_gist ON docs USING gist (gist);
	CREATE INDEX docs_gin ON docs USING gin (gin);
	CREATE INDEX docs_btree ON docs (btree);
	CREATE INDEX docs_hash ON docs USING hash (hash);
	CREATE INDEX docs_pqgrams ON docs USING profile (pqgrams);
	CREATE INDEX docs_name ON docs USING profile (name);
	SQL

# Inserts documents with these numbers.
sub insertion
{
	my ($from, $to) = @_;
	return <<~SQL;
		INSERT INTO docs (id, doc, gin, btree, hash, pqgrams, name, costs)
		SELECT i, doc, doc::tree, doc::tree, doc::tree, doc::tree, 'name ' || md5((i % 80)::text),
		       CASE i % 3 WHEN 0 THEN tree_costs(ren => 0.5) WHEN 1 THEN tree_costs(texts => 'levenshtein') END
		FROM generate_series($from, $to) i,
		     LATERAL (SELECT jsonb_build_object('ünïcode', 'item ' || i % 50, 'sizes', jsonb_build_array(i % 7, i % 5))) d (doc);
		INSERT INTO plain SELECT gin, costs FROM docs WHERE id BETWEEN $from AND $to;
		SQL
}

# Changes documents in every way.
my $changes = insertion(301, 600) . <<~'SQL';
	DELETE FROM docs WHERE id % 7 = 0;
	UPDATE docs SET doc = '{"sizes": [1, 2]}', gin = '{a{b}}', name = 'name of another kind' WHERE id % 11 = 0;
	DELETE FROM plain WHERE costs = tree_costs(ren => 0.5) AND t < (SELECT t FROM plain ORDER BY t LIMIT 1 OFFSET 9);
	UPDATE plain SET t = '{a{b}}' WHERE t = (SELECT t FROM plain ORDER BY t DESC LIMIT 1);
	VACUUM docs;
	SQL

# What is asked, and what its plan has.
my $like = q{'{"ünïcode": "item 7", "sizes": [0, 2]}'::jsonb::tree};
my %queries = (
	'all documents' => [ 'SELECT * FROM docs', 'docs' ],
	'all of a table without a key' => [ 'SELECT * FROM plain', 'plain' ],
	'join' => [ 'SELECT a.id, b.id FROM docs a JOIN docs b ON tree_within(a.gist, b.gin, 1)', 'TedJoin' ],
	'join of strings' =>
	  [ 'SELECT a.id, b.id FROM docs a JOIN docs b ON lcs_similar(a.name, b.name, 0.8)', 'TedJoin' ],
	'gist' => [ "SELECT id FROM docs WHERE tree_within(gist, $like, 3)", 'docs_gist' ],
	'gist, nearest' => [ "SELECT gist <-> $like FROM docs ORDER BY gist <-> $like LIMIT 9", 'docs_gist' ],
	'gin' => [ "SELECT id FROM docs WHERE tree_within(gin, $like, 3)", 'docs_gin' ],
	'btree' => [ "SELECT id FROM docs WHERE btree = $like", 'docs_btree' ],
	'hash' => [ "SELECT id FROM docs WHERE hash = $like", 'docs_hash' ],
	'pq-grams' => [ "SELECT pqgrams <#> $like FROM docs ORDER BY pqgrams <#> $like LIMIT 9", 'docs_pqgrams' ],
	'lcs' => [ q{SELECT id FROM docs WHERE lcs_similar(name, 'name of a kind', 0.6)}, 'docs_name' ],
);

# What a node finds by all queries, by scans of tables or by indexes; the plans with these have to have them.
sub found
{
	my ($node, $where, $scans) = @_;
	my $settings = $scans ? 'SET ted.enable_join = off; SET enable_indexscan = off; SET enable_bitmapscan = off;'
	  : 'SET enable_seqscan = off; SET enable_nestloop = off; SET enable_sort = off;';
	my %rows;
	foreach my $name (sort keys %queries)
	{
		my ($sql, $plan) = @{ $queries{$name} };
		like($node->safe_psql('postgres', "$settings EXPLAIN (COSTS OFF) $sql"), qr/$plan/, "$where: plan of $name")
		  unless $scans;
		$rows{$name} = join("\n", sort split(/\n/, $node->safe_psql('postgres', "$settings $sql")));
	}
	return \%rows;
}

# Every query finds on a node, by indexes, what was found elsewhere.
sub same_rows
{
	my ($node, $expected, $where) = @_;
	my $rows = found($node, $where);
	is($rows->{$_}, $expected->{$_}, "$where: rows of $_") foreach sort keys %queries;
	is($node->safe_psql('postgres', q{SELECT count(profile_index_check(c.oid)) FROM pg_class c JOIN pg_am a ON a.oid = relam WHERE amname = 'profile'}),
		2, "$where: pages of indexes");
}

my $primary = PostgreSQL::Test::Cluster->new('primary');
$primary->init(allows_streaming => 'logical');
$primary->append_conf('postgresql.conf', 'jit = off');
$primary->start;
$primary->safe_psql('postgres', $tables . insertion(1, 300) . $indexes);
$primary->backup('base');

my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($primary, 'base', has_streaming => 1);
$standby->start;

my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->append_conf('postgresql.conf', 'jit = off');
$subscriber->start;
$subscriber->safe_psql('postgres', $tables . $indexes);
$primary->safe_psql('postgres', 'CREATE PUBLICATION docs FOR TABLE docs, plain');
my $connection = $primary->connstr . ' dbname=postgres';
$subscriber->safe_psql('postgres', "CREATE SUBSCRIPTION docs CONNECTION '$connection' PUBLICATION docs WITH (binary = true)");
$subscriber->poll_query_until('postgres', q{SELECT bool_and(srsubstate IN ('r', 's')) FROM pg_subscription_rel});

$primary->safe_psql('postgres', $changes);
my $expected = found($primary, 'primary', 'by scans');
cmp_ok($expected->{'join'} =~ tr/\n//, '>', 100, 'the join finds pairs');
same_rows($primary, $expected, 'primary');

$primary->wait_for_catchup($standby, 'replay', $primary->lsn('insert'));
same_rows($standby, $expected, 'standby');
$primary->wait_for_catchup('docs');
same_rows($subscriber, $expected, 'subscriber');

$subscriber->stop;
$primary->stop;
$standby->promote;
$standby->safe_psql('postgres', insertion(1001, 1100) . 'DELETE FROM docs WHERE id % 5 = 0; VACUUM docs');
same_rows($standby, found($standby, 'promoted', 'by scans'), 'promoted standby');

done_testing();
