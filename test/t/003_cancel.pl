# Long computations end within 100 ms of the session's processor time once they are cancelled, and the server stays up.

use strict;
use warnings;

use IO::Select;
use IPC::Open2;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

# The short form takes every other moment of a cancel.
my $quick = ($ENV{SCALE} // 1) < 1;
my $short = ($ENV{SCALE} // 1) <= 0.1;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION ted;
	-- a path whose nodes have a leaf on either side in turn: costly for every decomposition
	CREATE TABLE big AS
	  SELECT tree_agg(i, CASE WHEN i > 2 THEN i - 1 - i % 2 WHEN i = 2 THEN 1 END, (i % 7)::text, (i * (i % 4 - 2))::bigint) AS t,
	         tree_agg(i, CASE WHEN i > 2 THEN i - 1 - i % 2 WHEN i = 2 THEN 1 END, (i % 11)::text, (i * (i % 4 - 2))::bigint) AS other
	  FROM generate_series(1, 6001) i;
	CREATE TABLE wide AS
	  SELECT tree_agg(i, CASE WHEN i > 1 THEN abs(hashint4(i)::bigint) % (i - 1) + 1 END, i::text) AS t
	  FROM generate_series(1, 20000) i;
	CREATE TABLE strings AS
	  SELECT string_agg(md5(i::text), '') AS s FROM generate_series(1, 40000) i;
	CREATE TABLE docs AS
	  SELECT i AS id, ('{r' || repeat('{a{b}}', i % 300) || '{' || i || '}}')::tree AS doc FROM generate_series(1, 6000) i;
	CREATE TABLE leaves AS SELECT ('{r' || repeat('{a{b}{c}}', 4000000) || '}')::tree AS t;
	-- many nodes, and many labels in an order that is not theirs
	CREATE TABLE labels AS SELECT array_agg(hashint4(i)::text) AS label FROM generate_series(1, 1500000) i;
	CREATE TABLE many (t tree, other tree, json json);
	ALTER TABLE many ALTER t SET STORAGE EXTERNAL, ALTER other SET STORAGE EXTERNAL, ALTER json SET STORAGE EXTERNAL;
	INSERT INTO many
	  SELECT ('{r{' || array_to_string(label, '}{') || '}}')::tree, ('{s{' || array_to_string(label, '}{') || '}}')::tree,
	         ('{"' || array_to_string(label, '":0,"') || '":0}')::json
	  FROM labels;
	CREATE TABLE objects (a jsonb, b jsonb);
	ALTER TABLE objects ALTER a SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
	INSERT INTO objects
	  SELECT jsonb_object_agg(u.label, i), jsonb_object_agg(u.label, i + 1) FROM labels, unnest(labels.label[:300000]) WITH ORDINALITY AS u (label, i);
	CREATE TABLE removals AS SELECT jsonb_agg(i) AS doc, jsonb_agg('{"op": "remove", "path": "/0"}'::jsonb) AS patch FROM generate_series(1, 1000000) i;
	-- libxml2 frees a document at once, which took 80 ms for the documents of 100000 elements
	CREATE TABLE pages (a xml, b xml);
	ALTER TABLE pages ALTER a SET STORAGE EXTERNAL, ALTER b SET STORAGE EXTERNAL;
	INSERT INTO pages
	  SELECT ('<a>' || string_agg('<b>' || i || '</b>', '') || '</a>')::xml, ('<a>' || string_agg('<b>' || i / 2 || '</b>', '') || '</a>')::xml
	  FROM generate_series(1, 60000) i;
	CREATE TABLE tables AS
	  SELECT '<table>' || string_agg('<tr><td>' || md5(i::text) || '<td>' || i, '') AS html FROM generate_series(1, 3000) i;
	-- equally far from an empty string, and so all kept and sorted by what comes next in the order
	CREATE TABLE names AS SELECT md5(i::text) AS name FROM generate_series(1, 600000) i;
	CREATE INDEX ON names USING profile (name);
	ANALYZE names;
	CREATE TABLE indexed (t tree);
	ALTER TABLE indexed ALTER t SET STORAGE EXTERNAL;
	CREATE INDEX ON indexed USING gin (t);
	SQL
is($node->safe_psql('postgres', 'SELECT tree_size(t) FROM big'), '6001', 'the pair has 6001 nodes');

# Statements that take several seconds, each in a long loop of its own.
my %statements = (
	'distance' => 'SELECT tree_edit_distance(t, other) FROM big',
	'distance of wide trees' => 'SELECT tree_edit_distance(wide.t, other) FROM wide, big',
	'bounded distance' => 'SELECT tree_edit_distance_less_equal(t, other, 3000) FROM big',
	'mapping' => 'SELECT count(*) FROM big, tree_edit_mapping(t, other)',
	'LCS length' => 'SELECT lcs_length(s, reverse(s)) FROM strings',
	'LCS' => 'SELECT length(lcs(s, reverse(s))) FROM strings',
	'nearest subtrees' => 'SELECT count(*) FROM big, leaves, tree_subtree_nearest(tree_subtree(big.t, 5001), leaves.t, 5)',
	'HTML tables' => 'SELECT teds(html, html || html) FROM tables',
	'HTML cells' => "SELECT teds('<table><td>' || s, '<table><td>' || reverse(s)) FROM strings",
	'elements of HTML with many attributes' => "SELECT tree_from_html(repeat('<p ' || string_agg('a' || i, ' ') || '>', 100)) FROM generate_series(1, 5000) i",
	'selector of an XML patch' => "SELECT xml_patch_apply(('<a>' || repeat('<b/>', 100000) || '</a>')::xml, ('<diff><remove sel=\"/a/b' || repeat('[.=\'\'\'\']', 100000) || '\"/></diff>')::xml)",
	'join' => 'SELECT tree_within_pairs(id, doc, 20) FROM docs',
	'join by a plan' => 'SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 20)',
	'join of strings' => 'SELECT lcs_similar_pairs(i, md5(i::text), 0.7) FROM generate_series(1, 40000) i',
);

# Statements that go through several stages, some of which are long loops with short steps.
my %stages = (
	'lower bound' => 'SELECT tree_edit_distance_lower_bound(t, t) FROM leaves',
	'approximate distance' => 'SELECT tree_edit_distance_approximate(t, other) FROM many',
	'pq-grams' => 'SELECT tree_pqgram_distance(t, other) FROM many',
	'profile of pq-grams' => 'SELECT length(tree_pqgram_profile(t)) FROM many',
	'distance of JSON documents' => 'SELECT json_within(t, other, 0) FROM many',
	'distance of JSON documents by a model' => "SELECT json_edit_distance(t, other, '{\"rename\": 2}') FROM many",
	'mapping of JSON documents' => "SELECT count(*) FROM objects, json_edit_mapping(a, a || '{\"\": 0}')",
	'sorting' => 'SELECT tree_size(tree_sort(t)) FROM many',
	'operator of indexes' => 'SELECT count(t <~ tree_range(other, 1000000)) FROM many, generate_series(1, 5)',
	'insert into a GIN index' => 'INSERT INTO indexed SELECT t FROM many',
	'many nearest subtrees' => "SELECT count(*) FROM leaves, tree_subtree_nearest('{a}', t, 2000000)",
	'nearest strings by an index' => 'SET enable_seqscan = off; SET enable_sort = off; SELECT count(*) FROM (SELECT FROM names ORDER BY '
	  . join(', ', map { "name <~> repeat('$_', 32)" } '', 'a' .. 'f', 0, 1) . ' OFFSET 0) n',
	'approximate mapping' => 'SELECT count(*) FROM many, tree_edit_mapping(t, other, approximate => true)',
	'differences' => 'SELECT length(tree_diff(t, other)) FROM many',
	'page of differences' => 'SELECT length(tree_diff_html(t, other)) FROM many',
	'picture of a tree' => 'SELECT length(tree_svg(t)) FROM leaves',
	'picture of a long label' => "SELECT octet_length(tree_svg(format('{%s}', repeat('<', 16000000))::tree)), octet_length(tree_diff_html(format('{%s}', repeat('<', 16000000))::tree, '{a}'))",
	'LCS of long strings' => 'SELECT length(lcs(repeat(s, 8), repeat(reverse(s), 8))) FROM strings',
	'lines of texts' => q{SELECT length(text_diff(string_agg(md5(i::text), E'\n'), string_agg(md5((-i)::text), E'\n'))) FROM generate_series(1, 100000) i},
	'conversion to JSON' => 'SELECT length(tree_to_json(json::tree)::text) FROM many',
	'patch of JSON' => 'SELECT json_patch(a, b) FROM objects',
	'patch of JSON, applied' => 'SELECT json_patch_apply(doc, patch) FROM removals',
	'inverse of a patch of JSON' => 'SELECT json_patch_invert(doc, patch) FROM removals',
	'patch of XML' => 'SELECT xml_patch_apply(a, xml_patch(a, b)) FROM pages',
	'conversion from HTML' => "SELECT tree_size(tree_from_html(repeat(html, 40))) FROM tables",
	'conversion from JSON' => 'SELECT tree_size(tree_from_json(json, sort_keys => false)) FROM many',
);
my @delays = (200, 300, 500, 600, 700);    # ms of processor time until the cancel
my %other_delays = (
	'picture of a tree' => [ 20, 50, 80, 200 ],    # most nodes are not drawn
	'insert into a GIN index' => [ 150, 200 ],    # later it is up to PostgreSQL
	'nearest strings by an index' => [ 150, 200, 250, 300, 350, 400, 450 ],    # later they come one by one
	'inverse of a patch of JSON' => [ 100, 150, 200, 250, 300 ],    # later PostgreSQL converts it
	'patch of JSON, applied' => [ 50, 80, 120, 200, 300 ],
	'patch of XML' => [ 100, 150, 200, 250, 300, 350, 400 ],
	'conversion from HTML' => [ 50, 80, 120, 160 ],
	'conversion from JSON' => [ 200, 1400, 1500, 1600, 1700 ],
);

# Milliseconds that a process has been on a processor, which do not depend on what else the machine does.
sub processor_time
{
	my ($pid) = @_;
	my ($nanoseconds) = split ' ', slurp_file("/proc/$pid/schedstat");
	return $nanoseconds / 1e6;
}

# One session for all statements, and the number of its process.
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
my $client = open2(my $answers, my $session, 'psql -XqAt -d postgres 2>&1');
$session->autoflush;
print $session "SELECT pg_backend_pid(); SET ted.max_memory = '4GB';\n";
chomp(my $backend = <$answers>);
my $output = IO::Select->new($answers);

# Runs a statement that is cancelled when the session has worked `delay` ms: whether it was, and how many ms the session worked after that.
sub cancel_once
{
	my ($statement, $delay) = @_;
	my $state;
	my $start = processor_time($backend);
	print $session "BEGIN; $statement;\n\\echo ended :SQLSTATE\nROLLBACK;\n\\echo next\n";
	usleep(1000) until processor_time($backend) - $start >= $delay || $output->can_read(0);
	my $before = processor_time($backend);
	kill 'INT', $backend unless $output->can_read(0);    # a late signal would cancel the next statement
	while (my $line = <$answers>)
	{
		$state //= $1 if $line =~ /^ended (\w+)/;
		last if $line eq "next\n";
	}
	return ($state eq '57014', processor_time($backend) - $before);
}

# The same, up to three times while it is late: others may have kept the memory busy.
sub cancel
{
	my ($cancelled, $late);
	for (1 .. 3)
	{
		($cancelled, $late) = cancel_once(@_);
		last if !$cancelled || $late < 100;
	}
	return ($cancelled, $late);
}

for my $name (sort keys %statements)
{
	my ($cancelled, $late) = cancel($statements{$name}, 200);
	ok($cancelled, "$name is cancelled");
	cmp_ok($late, '<', 100, sprintf('%s ends %.1f ms after the cancel', $name, $late));
}
for my $name (sort keys %stages)
{
	my ($times, $latest) = (0, 0);
	my @all = @{ $other_delays{$name} // \@delays };
	my @moments = $short ? $all[1] : $quick ? @all[grep { $_ % 2 } 0 .. $#all] : @all;
	for my $delay (@moments)
	{
		my ($cancelled, $late) = cancel($stages{$name}, $delay);
		# a fast machine may end the statement before the first moment
		($cancelled, $late) = cancel($stages{$name}, $delay /= 2) while !$cancelled && !$times && $delay > 20;
		last if !$cancelled;
		$times++;
		$latest = $late if $late > $latest;
	}
	cmp_ok($times, '>', 0, "$name is cancelled at $times times");
	cmp_ok($latest, '<', 100, sprintf('%s ends %.1f ms after the cancel at most', $name, $latest));
}
close $session;
waitpid $client, 0;
is($node->safe_psql('postgres', 'SELECT 1'), '1', 'the server is alive');

$node->stop;
done_testing();
