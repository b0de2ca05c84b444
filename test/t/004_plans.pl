# The planner joins similar trees by the plan that costs least.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION ted;
	CREATE TABLE docs AS
	  SELECT i AS id, ('{r{' || i || '}' || repeat('{x{y}}', i % 30) || '{' || i % 11 || '}}')::tree AS doc FROM generate_series(1, 5000) i;
	CREATE TABLE big AS SELECT id, id % 100 AS part, doc FROM docs;
	CREATE TABLE indexed AS SELECT * FROM docs;
	CREATE INDEX ON indexed USING gist (doc);
	ALTER TABLE docs ADD PRIMARY KEY (id);
	ALTER TABLE big SET (parallel_workers = 2);
	VACUUM ANALYZE docs, big, indexed;
	SQL

# What the plan of a query has to look like, each in a new session: the library is not loaded yet.
my @plans = (
	[ 'join', 'SELECT a.id FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2)', '^Custom Scan \(TedJoin\)' ],
	[
		'join, spelt by the distance',
		'SELECT a.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 2',
		'^Custom Scan \(TedJoin\)'
	],
	[
		'join by similarity',
		'SELECT a.id FROM docs a JOIN docs b ON tree_similar(a.doc, b.doc, 0.9)',
		'^Custom Scan \(TedJoin\)'
	],
	[
		'join by similarity, spelt by the measure',
		'SELECT a.id FROM docs a JOIN docs b ON 0.9 <= tree_similarity(a.doc, b.doc)',
		'^Custom Scan \(TedJoin\)'
	],
	[
		'first rows',
		'SELECT a.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 0 LIMIT 3',
		'^Limit\n  ->  Custom Scan \(TedJoin\)'
	],
	[
		'the smaller side is indexed',
		'SELECT a.id FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2) WHERE a.id < 500',
		'Seq Scan on docs b\n +->  .*Scan.* on docs a'
	],
	[
		'one document with itself',
		'SELECT a.id FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2) WHERE a.id = 1 AND b.id = 2',
		'^Nested Loop'
	],
	[
		'few pairs by another condition',
		'SELECT a.id FROM docs a JOIN big b ON a.id = b.id AND tree_within(a.doc, b.doc, 2)',
		'^(Hash|Merge) Join'
	],
	[
		'the whole of a threshold that lets most pairs through',
		'SELECT a.id FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 1000',
		'TedJoin'
	],
	map([
			"search: $_", "SELECT id FROM indexed WHERE $_", 'Index Cond: \(doc <~ tree_(similarity_)?range'
		],
		"tree_edit_distance(doc, '{r{1}{1}}') <= 1",
		"doc <-> '{r{1}{1}}' < 1.5",
		"tree_edit_distance_less_equal(doc, '{r{1}{1}}', 1) = 1",
		"tree_similarity(doc, '{r{1}{1}}') > 0.9",
		"tree_normalized_distance(doc, '{r{1}{1}}') < 0.1",
		"tree_edit_distance(doc, '{r{1}{1}}', tree_costs(2, 2, 2)) <= 2",
		"tree_edit_distance_less_equal(doc, '{r{1}{1}}', 4, tree_costs(2, 2, 2)) < 4"),
	[
		'search for each row, with its own limit',
		'SELECT a.id FROM docs a JOIN indexed b ON tree_edit_distance(a.doc, b.doc) <= a.id % 2 WHERE a.id = 7',
		'Index Cond: \(doc <~ tree_range'
	],
	[
		'search without an index',
		"SELECT id FROM big WHERE tree_edit_distance(doc, '{r{1}{1}}') <= 1",
		'Filter: \(tree_within\(.*\) AND \(tree_edit_distance'
	],
	[ 'setting', 'SET ted.enable_join = off; SELECT a.id FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 2)', 'Nested Loop' ],
	[
		'parallel workers',
		'SELECT a.id FROM big a JOIN docs b ON tree_within(a.doc, b.doc, 2)',
		'^Gather\n.*\n  ->  Parallel Custom Scan \(TedJoin\)\n.*\n +->  Parallel Seq Scan on big'
	],
	[
		'parallel workers on both sides',
		'SELECT count(*) FROM big a JOIN big b ON tree_within(a.doc, b.doc, 2)',
		'Gather\n.*\n +->  Partial Aggregate\n +->  Parallel Custom Scan \(TedJoin\)\n.*\n +->  Parallel Seq Scan on big.*\n +->  Parallel Seq Scan on big'
	],
	[
		'below an aggregate',
		'SELECT b.part, count(*) FROM big b JOIN docs a ON tree_within(a.doc, b.doc, 2) GROUP BY 1',
		'Aggregate(.*\n)+.*TedJoin'
	],
);

push @plans,
  (
	[
		'the nearest for each row',
		'SELECT a.id, n.id FROM docs a, LATERAL (SELECT b.id FROM docs b WHERE b.id <> a.id ORDER BY a.doc <-> b.doc LIMIT 1) n',
		'Limit\n +->  Custom Scan \(TedNearest\)\n +Filter: \(id <> a.id\)\n.*\n +->  Seq Scan on docs b$'
	],
	[
		'the nearest for each row, in the target list',
		'SELECT a.id, (SELECT b.id FROM docs b ORDER BY tree_edit_distance(a.doc, b.doc) LIMIT 1) FROM docs a',
		'Custom Scan \(TedNearest\)'
	],
	[
		'the nearest for each row, for which there is an index',
		'SELECT a.id, n.id FROM docs a, LATERAL (SELECT b.id FROM indexed b ORDER BY a.doc <-> b.doc LIMIT 1) n',
		'Custom Scan \(TedNearest\)'
	],
	[
		'the nearest for one row, for which there is an index',
		"SELECT id FROM indexed ORDER BY doc <-> '{r{1}}' LIMIT 1",
		'Index Scan using indexed_doc_idx'
	],
	[ 'the nearest for one row, without an index', "SELECT id FROM docs ORDER BY doc <-> '{r{1}}' LIMIT 1", 'TedNearest' ],
	[ 'all rows by distance', "SELECT id FROM docs ORDER BY doc <-> '{r{1}}'", '^Sort' ],
	[ 'the nearest in little memory', "SET work_mem = '64kB'; SELECT id FROM docs ORDER BY doc <-> '{r{1}}' LIMIT 1", 'Sort' ],
	[ 'setting of the nearest', "SET ted.enable_nearest = off; SELECT id FROM docs ORDER BY doc <-> '{r{1}}' LIMIT 1", 'Sort' ],
  );

for (@plans)
{
	my ($name, $query, $expected) = @$_;
	$query =~ s/(?=SELECT)/EXPLAIN (COSTS OFF) /;
	like($node->safe_psql('postgres', $query), qr/$expected/m, $name);
}

# row estimates are those of the threshold, not of any comparison; 833340 and 441510 pairs are found
for my $condition (
	'tree_within(a.doc, b.doc, 2)',
	'tree_edit_distance(a.doc, b.doc) <= 2',
	'tree_similar(a.doc, b.doc, 0.94)',
	'tree_similarity(a.doc, b.doc) >= 0.94')
{
	for my $setting ('on', 'off')
	{
		my $plan = $node->safe_psql('postgres',
			"SET ted.enable_join = $setting; EXPLAIN SELECT a.id FROM docs a JOIN docs b ON $condition");
		my ($rows) = $plan =~ /rows=(\d+)/;
		cmp_ok($rows, '<', 5000000, "rows estimated for $condition, TedJoin $setting");
	}
}

# wide thresholds on real documents, of which expression statistics tell; pairs that are found
my %pairs_within = (3 => 15, 10 => 208, 60 => 7600, 100 => 170000);
my %pairs_similar = (0.9 => 9, 0.8 => 14, 0.7 => 11000, 0.6 => 132000, 0.5 => 216000);
subtest 'estimates for mime' => sub {
	local %ENV = (%ENV, PGHOST => $node->host, PGPORT => $node->port, PGDATABASE => 'postgres');
	my ($stdout, $stderr) = run_command([ "$FindBin::Bin/../collections/load.sh", 'mime' ]);
	plan skip_all => $stderr if $stderr =~ /^There is no/;
	$node->safe_psql('postgres', 'CREATE STATISTICS mime_doc ON (doc::tree) FROM mime; ANALYZE mime');
	my %found = (
		(map { ("tree_edit_distance(a.doc, b.doc) <= $_" => $pairs_within{$_}) } keys %pairs_within),
		(map { ("tree_similarity(a.doc, b.doc) >= $_" => $pairs_similar{$_}) } keys %pairs_similar));
	for my $condition (sort keys %found)
	{
		my $plan = $node->safe_psql('postgres', "EXPLAIN SELECT FROM mime a JOIN mime b ON a.id < b.id AND $condition");
		my ($rows) = $plan =~ /rows=(\d+)/;
		ok($rows >= $found{$condition} / 10 && $rows <= $found{$condition} * 10, "$condition: $rows rows of $found{$condition}");
		like($plan, qr/TedJoin/, "$condition: TedJoin");
	}
};

# statements that end early, in all processes; each of them reads all of the inner side, or a part
for my $inner ('docs', 'big')
{
	my $slow = "SELECT count(*) FROM big a JOIN $inner b ON tree_within(a.doc, b.doc, 60)";
	my ($ret, $stdout, $stderr) = $node->psql('postgres', "SET statement_timeout = 500; EXPLAIN ANALYZE $slow", on_error_stop => 0);
	like($stderr, qr/canceling statement due to statement timeout/, "a parallel join with $inner is cancelled");
	($ret, $stdout, $stderr) = $node->psql('postgres', <<~SQL, on_error_stop => 0);
		DO \$\$ BEGIN
		  FOR i IN 1 .. 3 LOOP
		    BEGIN
		      PERFORM 1 / (1500 - a.id) FROM big a JOIN $inner b ON tree_within(a.doc, b.doc, 1);
		    EXCEPTION WHEN division_by_zero THEN RAISE NOTICE 'caught';
		    END;
		    BEGIN
		      PERFORM FROM big a JOIN $inner b ON tree_within(a.doc, b.doc, 1) WHERE 1 / (1500 - b.id) < 2;
		    EXCEPTION WHEN division_by_zero THEN RAISE NOTICE 'caught';
		    END;
		  END LOOP;
		END \$\$;
		SQL
	is(() = $stderr =~ /caught/g, 6, "errors of workers that join with $inner are caught");
}
is($node->safe_psql('postgres', 'SELECT 1'), '1', 'the server is alive');

$node->stop;
done_testing();
