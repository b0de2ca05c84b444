# ted.explain_rejected gives the true reason for a plan: a statement for every reason that exists in the source.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "jit = off\nmax_parallel_workers_per_gather = 0");
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION ted;
	CREATE EXTENSION postgres_fdw;
	CREATE TABLE docs (id int, k int, g int, name text, doc tree, js jsonb);
	INSERT INTO docs SELECT i, i % 3, i % 3, 'name ' || i, ('{a{' || i || '}{b{c' || i % 7 || '}}}')::tree, jsonb_build_object('a', i)
	  FROM generate_series(1, 400) i;
	CREATE TABLE bare AS SELECT * FROM docs;
	CREATE INDEX ON docs USING gist (doc);
	CREATE INDEX ON docs USING profile (name);
	CREATE TABLE listed AS SELECT * FROM docs;
	CREATE INDEX ON listed USING gin (doc);
	CREATE TABLE many AS SELECT n * 1000 + id AS id, doc FROM docs, generate_series(1, 10) n;
	CREATE INDEX ON many USING gist (doc);
	CREATE TABLE guarded AS SELECT * FROM docs;
	CREATE INDEX ON guarded USING gist (doc);
	ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
	CREATE POLICY few ON guarded USING (k = g);
	CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM docs WHERE k < 2;
	CREATE SERVER elsewhere FOREIGN DATA WRAPPER postgres_fdw;
	CREATE USER MAPPING FOR PUBLIC SERVER elsewhere;
	CREATE FOREIGN TABLE far (id int, doc tree) SERVER elsewhere;
	ANALYZE docs, bare, many, listed, guarded;
	CREATE ROLE reader;
	GRANT SELECT ON guarded TO reader;
	SQL

# What a plan of a statement says of plans that were rejected, each reason once.
my $said = '';
sub reasons
{
	my ($statement, $settings) = @_;
	my (undef, undef, $err) = $node->psql('postgres', "SET ted.explain_rejected = on; $settings; EXPLAIN $statement");
	my %reasons = map { $_ => 1 } $err =~ /^DETAIL:  (.*)$/mg;
	$said .= "$_\n" for keys %reasons;
	return join "\n", sort(keys %reasons), $err =~ /ERROR:.*/g;
}

my $first = 'A condition of row security, or of a security barrier, has to be checked first.';
my $indexed = q{tree_within(doc, '{a{1}{b{c1}}}', 1)};
my $unapplied = 'No index applies the condition: an arm of an OR has none, no index has the measure by a model of costs, '
  . 'the threshold excludes nothing or everything, or the user may not execute what the index calls.';
my @cases = (
	# joins
	[ 'SELECT FROM bare a JOIN bare b ON tree_within(a.doc, b.doc, 1) OR lcs_similar(a.name, b.name, 0.9)',
		'The measure is in an OR; a UNION of two joins has TedJoin for each of them.' ],
	[ 'SELECT FROM bare a JOIN bare b ON tree_edit_distance(a.doc, b.doc) >= 1',
		'No clause of the join compares a measure of two documents with a threshold.' ],
	[ q{SELECT FROM bare a JOIN bare b ON tree_edit_distance(CASE WHEN a.id < b.id THEN a.doc ELSE b.doc END, '{a}') <= 1},
		'The measure is not one of a document of either side.' ],
	[ 'SELECT FROM bare a JOIN bare b ON tree_edit_distance(a.doc, b.doc) <= a.k + b.k', 'The threshold has columns of both sides.' ],
	[ 'SELECT FROM bare a JOIN bare b ON tree_edit_distance(a.doc, b.doc, tree_costs(rename => a.k)) <= 1',
		'The model of costs has columns of a table.' ],
	[ 'SELECT FROM bare a JOIN bare b ON tree_edit_distance(a.doc, b.doc) <= random()', 'The clause with the threshold has a volatile function.' ],
	[ 'SELECT FROM bare a JOIN bare b ON tree_edit_distance(a.doc, b.doc) <= (SELECT c.k FROM bare c WHERE c.id = a.id)',
		'The clause with the threshold has a subquery.' ],
	[ 'SELECT FROM bare a LEFT JOIN bare b ON a.id = b.id WHERE tree_edit_distance(a.doc, b.doc) <= 1 OR b.id IS NULL',
		'The clause with the measure is not one of the outer join itself.' ],
	[ 'SELECT FROM bare a, LATERAL (SELECT doc FROM bare WHERE id > a.id OFFSET 0) b WHERE tree_within(a.doc, b.doc, 1)',
		'A side of the join depends on columns of another table (LATERAL).' ],
	[ 'SELECT FROM guarded a JOIN guarded b ON a.k = b.k AND tree_within(a.doc, b.doc, 1)',
		'A clause of row security, or of a security barrier, has to be checked first.', 'SET ROLE reader' ],
	[ 'SELECT c.id, s.x FROM bare c LEFT JOIN (SELECT a.id, coalesce(a.k, b.k) AS x FROM bare a JOIN bare b ON tree_within(a.doc, b.doc, 1)) s ON s.id = c.id',
		'An expression of columns of both sides is wanted above the join.' ],
	[ 'SELECT FROM bare a JOIN bare b ON tree_within(a.doc, b.doc, 1)', 'The setting "ted.enable_join" is off.', 'SET ted.enable_join = off' ],
	[ 'SELECT FROM many a JOIN bare b ON tree_within(a.doc, b.doc, 0) WHERE b.id = 7 AND a.id = 8', qr/^Its estimated cost is [\d.]+, that of another plan [\d.]+\.$/ ],

	# searches
	[ q{SELECT FROM docs WHERE tree_edit_distance(doc, '{a}') >= 1}, 'The condition does not compare a measure of two documents with a threshold.' ],
	[ "SELECT FROM docs WHERE NOT $indexed", 'The condition does not compare a measure of two documents with a threshold.' ],
	[ q{SELECT FROM docs WHERE tree_edit_distance(doc, '{a}') <= random()}, 'The condition has a volatile function.' ],
	[ 'SELECT FROM docs d WHERE tree_edit_distance(doc, (SELECT b.doc FROM bare b WHERE b.id = d.id LIMIT 1)) <= 1',
		'The condition has a subquery that depends on the row.' ],
	[ 'SELECT FROM docs WHERE tree_within(doc, js::tree, 1)', 'Both documents of the condition are of the same row.' ],
	[ "SELECT FROM bare WHERE $indexed", 'No index has the documents of the condition.' ],
	[ "SELECT FROM docs WHERE $indexed OR tree_within(js::tree, '{a}', 1)", 'No index has the documents of the condition.' ],
	[ "SELECT FROM docs WHERE $indexed OR k = 1",
		$unapplied ],
	[ q{SELECT FROM docs WHERE tree_similar(doc, '{a}', 0.9, '{"rename": 0.5}')}, $unapplied ],
	[ q{SELECT FROM docs WHERE tree_similarity(doc, '{a}') >= 2}, "$unapplied\nThere is none, so no row satisfies it." ],
	[ q{SELECT FROM docs WHERE tree_within(doc, '{a{1}{b{c1}}}', 100)},
		qr/^Reading the whole table is estimated to cost least, [\d.]+; an index costs [\d.]+\.$/ ],
	[ "SELECT FROM docs WHERE $indexed OR lcs_similar(name, 'name 1', 0)", qr/^Reading the whole table is estimated to cost least, / ],
	[ "SELECT FROM docs WHERE $indexed", 'Scans of indexes are disabled by settings of the planner.', 'SET enable_indexscan = off; SET enable_bitmapscan = off' ],
	[ "SELECT FROM guarded WHERE $indexed", $first, 'SET ROLE reader' ],
	[ "SELECT FROM guarded WHERE $indexed", $first, 'SET ROLE reader; SET enable_seqscan = off' ],
	[ "SELECT FROM barrier WHERE $indexed", 'The conditions of a view with a security barrier have to be checked first.' ],
	[ "SELECT FROM (SELECT * FROM docs LIMIT 100) d WHERE $indexed", 'The rows are those of a subquery, which has to be computed first.' ],
	[ "WITH d AS MATERIALIZED (SELECT * FROM docs) SELECT FROM d WHERE $indexed", 'The rows are those of a WITH query, which has to be computed first.' ],
	[ "SELECT FROM far WHERE $indexed", 'The rows are those of a foreign table.' ],
	[ "SELECT FROM docs TABLESAMPLE BERNOULLI (50) WHERE $indexed", 'The rows are a sample of a table.' ],

	# orders
	[ q{SELECT FROM docs ORDER BY tree_edit_distance(doc, CASE WHEN random() > 2 THEN '{a}' ELSE '{b}' END::tree) LIMIT 5}, 'The order has a volatile function.' ],
	[ q{SELECT FROM docs ORDER BY tree_edit_distance(doc, '{a}') DESC LIMIT 5}, 'The order is not from near to far.' ],
	[ q{SELECT FROM docs ORDER BY tree_edit_distance(doc, '{a}', '{"rename": 0.5}') LIMIT 5}, 'No index has an order by a model of costs.' ],
	[ q{SELECT FROM bare ORDER BY tree_edit_distance(doc, '{a}') LIMIT 5}, 'No index has the documents of the order.' ],
	[ q{SELECT FROM guarded ORDER BY doc <-> '{a}' LIMIT 5}, $first, 'SET ROLE reader' ],
	[ q{SELECT FROM docs ORDER BY tree_similarity(doc, '{a}') DESC LIMIT 5 FOR UPDATE}, 'The order has NULLs first, and the statement locks or changes rows.' ],
	[ q{SELECT FROM listed ORDER BY tree_edit_distance(doc, '{a}') LIMIT 5}, 'The index has no such order, or a path by it is estimated to cost more.' ],
	[ q{WITH q AS MATERIALIZED (SELECT '{a}'::tree AS doc) SELECT FROM docs d, q ORDER BY d.doc <-> q.doc LIMIT 5},
		'The order compares with documents of another table; a single one, given as (SELECT …), is known before the index is read.' ],
	[ q{WITH d AS MATERIALIZED (SELECT * FROM docs) SELECT FROM d ORDER BY doc <-> '{a}' LIMIT 5}, 'The rows are those of a WITH query, which has to be computed first.' ],

	# nothing is rejected
	[ 'SELECT FROM bare a JOIN bare b ON tree_within(a.doc, b.doc, 1) LEFT JOIN bare c ON c.id = b.id', '' ],
	[ "SELECT FROM docs WHERE $indexed", '' ],
	[ q{SELECT FROM docs WHERE tree_edit_distance(doc, '{a{1}{b{c1}}}') BETWEEN 1 AND 1}, '' ],
	[ q{SELECT FROM docs ORDER BY doc <-> '{a}' LIMIT 5}, '' ],
	[ q{WITH q AS MATERIALIZED (SELECT '{a}'::tree AS doc) SELECT FROM docs ORDER BY doc <-> (SELECT doc FROM q) LIMIT 5}, '' ],
	[ 'SELECT FROM bare a JOIN bare b ON tree_within(a.doc, b.doc, 1)', '' ],
);
for (@cases)
{
	my ($statement, $expected, $settings) = @$_;
	my $got = reasons($statement, $settings // '');
	ref $expected ? like($got, $expected, $statement) : is($got, $expected, $statement);
}

# Reasons are the sentences in these files, where literals that stand side by side are one.  PostgreSQL from 14.9, 15.4 and 16
# on does not ask extensions for joins with a clause without columns.
$said .= "The join has a clause without columns.\n";
my @missing;
for my $file (qw(src/index/planner/paths.c src/index/planner/ordering.c src/join/plan/join_plan.c))
{
	my $source = slurp_file("$root/$file") =~ s{/\*.*?\*/}{}gsr =~ s/^#ifdef USE_ASSERT_CHECKING.*?^#endif//gmsr =~ s/(?<!\\)"\s+"//gr;
	for my $reason ($source =~ /(?:return|[?:]|psprintf\()\s*"([A-Z](?:[^"\\]|\\.)*\.)"/g)
	{
		my $pattern = join '[\d.]+', map { quotemeta } split /%\.2f/, $reason =~ s/\\"/"/gr;
		push @missing, "$file: $reason" if $said !~ /^$pattern$/m;
	}
}
is(join("\n", @missing), '', 'there is a statement for each reason in the source');

$node->stop;
done_testing();
