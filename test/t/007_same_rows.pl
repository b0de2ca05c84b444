# A join finds the same rows in whatever way it is run, on real collections and on random trees.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{SEED} // 1;
note "SEED=$seed";

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->append_conf('postgresql.conf', <<~'CONF');
	jit = off
	work_mem = '256MB'
	ted.enable_join = off
	max_parallel_workers_per_gather = 0
	parallel_setup_cost = 0
	min_parallel_table_scan_size = 0
	CONF
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION ted');

# The ways to join a table: queries with a threshold K, settings, and what the plan must have.
my $loop = 'SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM docs a JOIN docs b ON a.id < b.id AND';
my $definition = "$loop tree_edit_distance(a.doc, b.doc) <= K";
my $within = "$loop tree_within(a.doc, b.doc, K)";
my $aggregate = 'SELECT m.* FROM (SELECT tree_within_pairs(id, doc, K) AS found FROM docs) j, unnest(found) m';
my $two_sided = <<~'SQL';
	SELECT m.* FROM
	  (SELECT tree_within_pairs(id, doc, K, side) AS found FROM docs, (VALUES ('l'::"char"), ('r')) s (side)) j,
	  unnest(found) m
	WHERE left_id < right_id
	SQL
my $ted_join = 'SET LOCAL ted.enable_join = on; SET LOCAL enable_nestloop = off;';
my $little = "SET LOCAL work_mem = '64kB'; SET LOCAL ted.least_join_memory = '64kB';";
my $parallel = 'SET LOCAL max_parallel_workers_per_gather = 2;';
my $gin = 'CREATE INDEX docs_index ON docs USING gin (doc);';
my $gist = 'CREATE INDEX docs_index ON docs USING gist (doc);';
my @fast = (
	[ 'aggregate', $aggregate, '', 'Aggregate' ],
	[ 'parallel aggregate', $aggregate, "$parallel SET LOCAL cpu_operator_cost = 0;", 'Partial Aggregate(.*\n)+.*Parallel Seq' ],
	[ 'aggregate of two sides', $two_sided, '', 'Aggregate' ],
	[ 'TedJoin', $definition, $ted_join, 'TedJoin' ],
	[ 'TedJoin by tree_within', $within, $ted_join, 'TedJoin' ],
	[ 'parallel TedJoin', $definition, "$ted_join $parallel", 'Gather(.*\n)+.*TedJoin' ],
);
my @all = (
	@fast,
	[ 'aggregate in blocks', $aggregate, $little, 'Aggregate' ],
	[ 'TedJoin in blocks', $within, "$ted_join $little", 'TedJoin' ],
	[ 'parallel TedJoin in blocks', $within, "$ted_join $parallel $little", 'Gather(.*\n)+.*TedJoin' ],
	[ 'nested loop by tree_within', $within, '', 'Nested Loop' ],
	[ 'parallel nested loop', $within, $parallel, 'Gather(.*\n)+.*Nested Loop' ],
	[ 'GIN index', $within, $gin, 'Nested Loop(.*\n)+.*Bitmap Index Scan on docs_index' ],
	[ 'parallel with a GIN index', $within, "$parallel $gin", 'Gather(.*\n)+.*Bitmap Index Scan on docs_index' ],
	[ 'GiST index', $within, "$gist SET LOCAL enable_bitmapscan = off;", 'Nested Loop(.*\n)+.*Index Scan using docs_index' ],
	[
		'parallel with a GiST index by bitmaps', $within, "$parallel $gist SET LOCAL enable_indexscan = off;",
		'Gather(.*\n)+.*Bitmap Index Scan on docs_index'
	],
);

# The same for strings.
my $string_loop = 'SELECT a.id, b.id, lcs_similarity(a.doc, b.doc) FROM docs a JOIN docs b ON a.id < b.id AND';
my $string_definition = "$string_loop lcs_similarity(a.doc, b.doc) >= K";
my $similar = "$string_loop lcs_similar(a.doc, b.doc, K)";
my $string_aggregate = 'SELECT m.* FROM (SELECT lcs_similar_pairs(id, doc, K) AS found FROM docs) j, unnest(found) m';
my $cheap_rows = 'SET LOCAL parallel_tuple_cost = 0;';
my @strings = (
	[ 'definition', $string_definition ],
	[ 'aggregate', $string_aggregate, '', 'Aggregate' ],
	[ 'TedJoin', $string_definition, $ted_join, 'TedJoin' ],
	[ 'TedJoin by lcs_similar', $similar, $ted_join, 'TedJoin' ],
	[ 'parallel TedJoin', $string_definition, "$ted_join $parallel $cheap_rows", 'Gather(.*\n)+.*TedJoin' ],
	[ 'TedJoin in blocks', $similar, "$ted_join $little", 'TedJoin' ],
	[ 'parallel TedJoin in blocks', $similar, "$ted_join $parallel $cheap_rows $little", 'Gather(.*\n)+.*TedJoin' ],
	[ 'nested loop by lcs_similar', $similar, '', 'Nested Loop' ],
);

# Holds ways of joining "docs" against the first of them.
sub same_rows
{
	my ($k, @ways) = @_;
	my (undef, $reference) = @{ $ways[0] };
	$reference =~ s/K/$k/g;
	$node->safe_psql('postgres',
		"DROP TABLE IF EXISTS expected; CREATE TABLE expected (left_id, right_id, distance) AS $reference");
	my $expected = $node->safe_psql('postgres', 'SELECT count(*) FROM expected');
	cmp_ok($expected, '>', 0, "k = $k: there are pairs");
	for my $way (@ways[ 1 .. $#ways ])
	{
		my ($name, $query, $settings, $plan) = @$way;
		$query =~ s/K/$k/g;
		my $output = $node->safe_psql('postgres', <<~SQL);
			BEGIN;
			$settings
			EXPLAIN (COSTS OFF) $query;
			CREATE TEMP TABLE found (left_id, right_id, distance) AS $query;
			SELECT 'found ' || count(*) FROM found;
			SELECT 'missing ' || count(*) FROM (TABLE expected EXCEPT ALL TABLE found) d;
			SQL
		my ($found) = $output =~ /(found \d+\nmissing \d+)$/;
		is($found, "found $expected\nmissing 0", "k = $k: $name");
		like($output, qr/$plan/, "k = $k: $name: its plan");
	}
	return;
}

# Makes a table of the rows of a query.
sub table
{
	my ($name, $query, $type) = (@_, 'tree');
	$node->safe_psql('postgres', <<~SQL);
		DROP TABLE IF EXISTS $name;
		CREATE TABLE $name (id bigint, doc $type) WITH (parallel_workers = 2);
		INSERT INTO $name $query;
		ANALYZE $name;
		SQL
	return;
}

# The short form leaves out real collections and most thresholds.
my $quick = ($ENV{SCALE} // 1) < 1;

# The whole by the fast ways against each other, every so many-th document against the definition,
# some also with a threshold so wide that few pairs are decided by the bounds.
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGDATABASE} = 'postgres';
for ($quick ? () : ([ 'mime', 8, 4, 100 ], [ 'iso3166_2', 1, 2 ], [ 'pyast', 3, 25, 20 ], [ 'cldr_unit', 2, 40 ]))
{
	my ($name, $k, $share, $wide) = @$_;
	subtest $name => sub {
		my $load = "$FindBin::Bin/../collections/load.sh";
		my ($stdout, $stderr) = run_command([ $load, $name ]);
		plan skip_all => $stderr if $stderr =~ /^There is no/;
		is($stderr, '', 'the collection is there');
		table('docs', "SELECT id, doc::tree FROM $name");
		same_rows($k, @fast);
		table('docs', "SELECT id, doc::tree FROM $name WHERE id % $share = 0");
		same_rows($k, [ 'definition', $definition ], @all);
		same_rows($wide, [ 'definition', $definition ], @fast) if defined $wide;
		$node->safe_psql('postgres', "DROP TABLE $name");
	};
}

# Families of random trees, whose members differ in some labels and parents; also equal ones, and NULL.
$node->safe_psql('postgres', <<~SQL);
	CREATE FUNCTION pick(below bigint, VARIADIC numbers bigint[]) RETURNS bigint IMMUTABLE LANGUAGE sql
	  RETURN abs(hashtextextended(numbers::text, $seed) % below);
	SQL
for my $labels (2, 26)
{
	subtest "random trees of $labels labels" => sub {
		table('docs', <<~SQL);
			SELECT id, tree_agg(i, CASE WHEN i > 1 THEN 1 + pick(i - 1, chosen, i) END, pick($labels, 7, chosen, i)::text)
			FROM generate_series(1, 400) id, pick(25, 5, id) family,
			  generate_series(1, 1 + pick(40, family) + pick(3, 3, id)) i,
			  LATERAL (SELECT CASE WHEN pick(20, 1, id, i) = 0 THEN id ELSE -family END AS chosen) c
			GROUP BY id
			UNION ALL SELECT 1000 + id, '{1{2}}' FROM generate_series(1, 4) id
			UNION ALL SELECT 2000 + id, ('{' || id || '}')::tree FROM generate_series(1, 4) id
			UNION ALL SELECT 3000, NULL
			SQL
		same_rows($_, [ 'definition', $definition ], @all) for $quick ? 3 : (0, 1, 3, 8);
	};
}

# Names of a collection, and texts of few letters, some of them long, some equal.
subtest 'names' => sub {
	my ($stdout, $stderr) = run_command([ "$FindBin::Bin/../collections/load.sh", 'iso3166_2' ]);
	plan skip_all => $stderr if $stderr =~ /^There is no/;
	table('docs', "SELECT id, doc->>'name' FROM iso3166_2", 'text');
	same_rows($_, @strings[ 1 .. 6 ]) for 0.9, 0.7;
	table('docs', "SELECT id, doc->>'name' FROM iso3166_2 WHERE id % 5 = 0", 'text');
	same_rows($_, @strings) for 0.8, 0.5, 0;
	$node->safe_psql('postgres', 'DROP TABLE iso3166_2');
} unless $quick;
for my $letters (2, 200)
{
	subtest "random texts of $letters letters" => sub {
		table('docs', <<~SQL, 'text');
			SELECT id, string_agg(chr(97 + pick($letters, 7, chosen, i)::int), '' ORDER BY i)
			FROM generate_series(1, 400) id, pick(25, 5, id) family,
			  generate_series(1, 1 + pick(CASE WHEN family = 1 THEN 600 ELSE 60 END, family) + pick(5, 3, id)) i,
			  LATERAL (SELECT CASE WHEN pick(20, 1, id, i) = 0 THEN id ELSE -family END AS chosen) c
			GROUP BY id
			UNION ALL SELECT 1000 + id, 'ab' FROM generate_series(1, 4) id
			UNION ALL SELECT 2000 + id, '' FROM generate_series(1, 4) id
			UNION ALL SELECT 3000, NULL
			SQL
		same_rows($_, @strings) for $quick ? 0.9 : (1, 0.9, 0.6);
	};
}

$node->stop;
done_testing();
