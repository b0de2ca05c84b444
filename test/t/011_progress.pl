# Long statements say how far they are, to their client by notices and to others in the
# view ted_progress, and give the same rows as without.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $tables = <<~'SQL';
	CREATE EXTENSION ted;
	CREATE TABLE docs AS
	  SELECT i AS id, ('{r' || repeat('{a{b}}', i % 300) || '{' || i || '}}')::tree AS doc FROM generate_series(1, 4000) i;
	CREATE TABLE few AS SELECT * FROM docs WHERE id % 4 = 0;
	CREATE TABLE names AS SELECT i AS id, md5(i::text) AS name FROM generate_series(1, 8000) i;
	ALTER TABLE docs ADD PRIMARY KEY (id);
	ANALYZE;
	SQL

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', 'jit = off');
$node->start;
$node->safe_psql('postgres', $tables);

# What a statement returns, and the notices of its progress.
sub progress
{
	my ($settings, $statement) = @_;
	my ($status, $out, $err) = $node->psql('postgres', "$settings; $statement", on_error_stop => 0);
	my @notices = $err =~ /NOTICE:  (progress of .*)/g;
	return ($out, @notices);
}

# What the view is for has to be preloaded.
my ($status, undef, $err) = $node->psql('postgres', 'SELECT * FROM ted_progress');
is($status, 3, 'without shared memory there is no view');
like($err, qr/ERROR:  progress of other sessions is not known.*HINT:  Add "ted" to "shared_preload_libraries"/s, 'and it says why');

# Each kind of operation, as rare a plan as it may be.
my $serial = 'SET max_parallel_workers_per_gather = 0';
my $index = "$serial; SET ted.enable_join = off; SET ted.enable_nearest = off; SET enable_seqscan = off; SET enable_sort = off";
my $parallel = 'SET max_parallel_workers_per_gather = 2; SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0';
my $little = "SET work_mem = '64kB'; SET ted.least_join_memory = '64kB'";
my $self_join = 'SELECT count(*), sum(hashint8(a.id * 7 + b.id)) FROM few a JOIN few b ON tree_within(a.doc, b.doc, 12)';
my $join = 'SELECT count(*), sum(hashint8(a.id * 7 + b.id)) FROM docs a JOIN few b ON tree_within(a.doc, b.doc, 8) AND a.id > b.id';
my $counts = qr/documents \d+, pairs \d+, verified \d+, results \d+/;
my $share = qr/[\d.]+ % done, about [\d.]+ s left/;
my @statements = (
	[ 'self-join', $serial, $self_join, qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'self-join in blocks', "$serial; $little", $self_join, qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'parallel self-join', $parallel, $self_join, qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'parallel self-join in blocks', "$parallel; $little", $self_join, qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'join', $serial, $join, qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'join in blocks', "$serial; $little", $join, qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'parallel join', $parallel, $join, qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'join by one clause', $serial, 'SELECT count(*) FROM docs a JOIN few b ON json_within(a.doc, b.doc, 4)', qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'join of strings', $serial, 'SELECT count(*) FROM names a JOIN names b ON lcs_similar(a.name, b.name, 0.68)', qr/^progress of TedJoin: comparing documents, $counts, $share$/ ],
	[ 'aggregate', $serial, 'SELECT md5(tree_within_pairs(id, doc, 12)::text) FROM few', qr/^progress of tree_within_pairs: comparing documents, $counts, $share$/ ],
	[ 'aggregate in blocks', "$serial; SET work_mem = '64kB'; SET ted.least_join_memory = '512kB'", 'SELECT md5(tree_within_pairs(id, doc, 3)::text) FROM few', qr/^progress of tree_within_pairs: comparing documents, $counts, $share$/ ],
	[ 'aggregate with sides', $serial, q{SELECT md5(tree_within_pairs(id, doc, 8, CASE WHEN id % 3 = 0 THEN 'l' ELSE 'r' END::"char")::text) FROM few}, qr/^progress of tree_within_pairs: comparing documents, $counts, $share$/ ],
	[ 'clusters', $serial, 'SELECT sum(c) FROM (SELECT tree_within_cluster(doc, 12) OVER () AS c FROM few) x', qr/^progress of tree_within_cluster: comparing documents, $counts, $share$/ ],
	[ 'nearest', "$serial; SET enable_indexscan = off", 'SELECT sum(d) FROM (SELECT * FROM docs WHERE id <= 100) a, LATERAL (SELECT a.doc <-> b.doc AS d FROM docs b ORDER BY a.doc <-> b.doc LIMIT 3) n', qr/^progress of TedNearest: searching, $counts$/ ],
	[ 'GiST index', "$index; CREATE INDEX found ON few USING gist (doc)", 'SELECT sum(d) FROM (SELECT * FROM docs WHERE id <= 200) a, LATERAL (SELECT a.doc <-> b.doc AS d FROM few b ORDER BY a.doc <-> b.doc LIMIT 3) n', qr/^progress of index search: searching, $counts$/ ],
	[ 'GIN index', "$index; DROP INDEX found; CREATE INDEX found ON few USING gin (doc)", 'SELECT count(*) FROM (SELECT * FROM docs WHERE id <= 300) a, LATERAL (SELECT FROM few b WHERE tree_within(a.doc, b.doc, 3) OFFSET 0) n', qr/^progress of index search: searching, $counts$/ ],
	[ 'lcs index', "$index; CREATE INDEX found_names ON names USING profile (name)", 'SELECT count(*) FROM (SELECT * FROM names WHERE id <= 200) a, LATERAL (SELECT FROM names b WHERE lcs_within(a.name, b.name, 30) OFFSET 0) n', qr/^progress of index search: searching, $counts$/ ]);
for (@statements)
{
	my ($name, $settings, $statement, $expected) = @$_;
	my ($rows, @notices) = progress("$settings; SET ted.progress_interval = 2", $statement);
	ok(scalar(grep { /$expected/ } @notices), "$name: notices") or diag($notices[-1] // 'there was none');
	$settings =~ s/; (CREATE|DROP) INDEX [^;]*//g;
	my ($same, @none) = progress($settings, $statement);
	is($rows, $same, "$name: the same rows");
	is(scalar @none, 0, "$name: no notices by default");
}

# Shares grow, from 0 to 100 percent; counts are those of all processes, of which the one that
# reports them may come late or be done early.
for ([ 'serial', $serial ], [ 'parallel', $parallel ])
{
	my ($name, $settings) = @$_;
	my (undef, @notices) = progress("$settings; SET ted.progress_interval = 10", $self_join);
	my @shares = map { / ([\d.]+) % done/ ? $1 : () } @notices;
	is_deeply(\@shares, [ sort { $a <=> $b } @shares ], "$name: shares do not fall");
	cmp_ok($shares[-1] - $shares[0], '>', 20, "$name: from small ones to large ones") if $name eq 'serial';
	cmp_ok($shares[-1], '<=', 100, "$name: and not more than all");
	my @documents = map { /documents (\d+)/ } @notices;
	cmp_ok($documents[-1], '<=', 1000, "$name: no document is counted twice");
}

# Operations inside of others, given up, suspended and cancelled leave nothing behind.
$node->safe_psql('postgres', <<~SQL);
	CREATE FUNCTION inner_join(k integer) RETURNS bigint LANGUAGE plpgsql AS \$\$
	BEGIN
	  RETURN (SELECT count(*) FROM few a JOIN few b ON tree_within(a.doc, b.doc, k % 2) AND 1 / (k % 3) >= 0);
	EXCEPTION WHEN division_by_zero THEN RETURN -1;
	END \$\$;
	SQL
my ($out, @notices) = progress(
	"$serial; SET ted.progress_interval = 1",
	"SELECT sum(inner_join(a.id)) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 1) AND inner_join(a.id) > b.id WHERE a.id < 20 AND b.id < 20;"
	  . 'BEGIN; DECLARE c CURSOR FOR SELECT a.id FROM few a JOIN few b ON tree_within(a.doc, b.doc, 12);'
	  . "FETCH 10 FROM c; $self_join; SAVEPOINT s; SELECT 1 / 0; ROLLBACK TO s; MOVE 100000 IN c; CLOSE c; COMMIT;"
	  . "SET statement_timeout = 200; $self_join; SET statement_timeout = 0; SELECT 'still here'");
like($out, qr/still here$/, 'the session goes on');

# Other sessions see it where the library is preloaded.
$node->append_conf('postgresql.conf', "shared_preload_libraries = 'ted'");
$node->restart;
is($node->safe_psql('postgres', 'SELECT count(*) FROM ted_progress'), '0', 'nothing goes on');
$node->safe_psql('postgres', 'CREATE ROLE worker LOGIN; CREATE ROLE observer LOGIN; CREATE ROLE stranger LOGIN;'
	  . 'GRANT pg_read_all_stats TO observer; GRANT SELECT ON docs TO worker');
my $long = 'SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 60)';

# Starts a statement as a user, and waits until others see so many processes at work.
sub start
{
	my ($settings, $processes) = @_;
	my %session = (out => '', err => '');
	$session{run} = IPC::Run::start(
		[ 'psql', '-XqAt', '-d', $node->connstr('postgres') . ' user=worker', '-c', $settings, '-c', $long ],
		'>', \$session{out}, '2>', \$session{err});
	ok( $node->poll_query_until('postgres',
			"SELECT count(*) >= $processes AND bool_and(phase = 'comparing documents' AND share_done > 0) FROM ted_progress"),
		"$processes processes are seen");
	return \%session;
}

my $session = start($serial, 1);
is($node->safe_psql('postgres', <<~'SQL'), 't|t|postgres|t|TedJoin|4000|t|t|t|t|t|t', 'the row of a join');
	SELECT a.query LIKE '%docs a JOIN docs b%', p.leader_pid IS NULL, p.datname, p.datid = d.oid AND p.relid IS NULL, operation, documents,
	       pairs > 0, pairs_verified <= pairs, results > 0, share_done < 1 AND time_left > '0', started < reported, started >= query_start
	FROM ted_progress p JOIN pg_stat_activity a USING (pid) JOIN pg_database d ON d.datname = p.datname
	SQL
my $seen = 'SELECT count(pid), count(datname), count(operation), count(phase), count(pairs), count(share_done), count(started) FROM ted_progress';
is($node->safe_psql('postgres', $seen, extra_params => [ '-U', 'worker' ]), '1|1|1|1|1|1|1', 'who runs it sees all');
is($node->safe_psql('postgres', $seen, extra_params => [ '-U', 'observer' ]), '1|1|1|1|1|1|1', 'a member of pg_read_all_stats does');
is($node->safe_psql('postgres', $seen, extra_params => [ '-U', 'stranger' ]), '1|1|0|0|0|0|0', 'others see that it is there');
$node->safe_psql('postgres', 'SELECT pg_cancel_backend(pid) FROM ted_progress');
ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM ted_progress'), 'a join that is cancelled is gone');
$session->{run}->finish;
like($session->{err}, qr/^ERROR:  canceling statement due to user request$/m, 'nor has it said anything else');
unlike($session->{err}, qr/NOTICE/, 'no notices are asked for');

$session = start($parallel, 2);
is($node->safe_psql('postgres', 'SELECT count(*) FROM ted_progress p JOIN ted_progress l ON l.pid = p.leader_pid') > 0, 1, 'workers name their leader');
$node->safe_psql('postgres', 'SELECT pg_terminate_backend(pid) FROM ted_progress WHERE leader_pid IS NULL');
ok($node->poll_query_until('postgres', 'SELECT count(*) = 0 FROM ted_progress'), 'sessions that end are gone');
$session->{run}->finish;

done_testing();
