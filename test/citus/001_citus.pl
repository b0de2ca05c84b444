# The statements of doc/scaling.md about Citus, on a coordinator and three workers:
# rows are those of one server, cells are dealt evenly, and nothing is left behind.

use strict;
use warnings;

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $scaling = slurp_file("$FindBin::Bin/../../doc/scaling.md");

# The SQL under a heading of doc/scaling.md, in blocks.
sub recipe
{
	my ($heading) = @_;
	my ($section) = $scaling =~ /^#+ \Q$heading\E$(.*?)(?=^#|\z)/ms or die "no heading $heading";
	return $section =~ /^```sql\n(.*?)^```/msg;
}

# Starts a server that can be a node of Citus.
sub new_node
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', <<~"CONF");
		listen_addresses = '127.0.0.1'
		jit = off
		shared_preload_libraries = 'citus'
		citus.node_conninfo = 'sslmode=prefer'
		max_prepared_transactions = 50
		CONF
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION citus');
	return $node;
}

my $coordinator = new_node('coordinator');
my @workers = map { new_node("worker_$_") } 1 .. 3;

# Runs statements on the coordinator.
sub sql
{
	my ($sql, @options) = @_;
	return $coordinator->safe_psql('postgres', $sql, @options);
}

# Adds a server as a worker.
sub add
{
	my ($node) = @_;
	sql("SELECT citus_add_node('127.0.0.1', " . $node->port . ')');
	return;
}

sub lines
{
	my ($text) = @_;
	return join "\n", sort split /\n/, $text;
}

sql("SELECT citus_set_coordinator_host('127.0.0.1', " . $coordinator->port . ')');
add($_) for @workers;
note sql('SELECT citus_version()');
sql($_) for recipe('Citus');
is($_->safe_psql('postgres', "SELECT count(*) FROM pg_extension WHERE extname ~ '^ted'"), 2, $_->name . ' has the extensions')
  for @workers;

sql(slurp_file("$FindBin::Bin/../t/records.sql"));
sql(<<~'SQL');
	INSERT INTO docs SELECT 10000 - id, doc FROM docs WHERE id % 10 = 0;
	INSERT INTO docs VALUES (-1000, NULL), (-1001, '{a}'), (-1002, '{a}'), (-1003, '{a{b}}');
	SQL

# The join by one server.
sub joined
{
	my ($k) = @_;
	return lines(sql("SELECT m.* FROM (SELECT tree_within_pairs(id, doc, $k) AS found FROM docs) j, unnest(found) m"));
}
my %joined = map { $_ => joined($_) } 0 .. 4;
cmp_ok(scalar(() = $joined{4} =~ /\n/g), '>', 500, 'there are many pairs');

# one call, on a local table, a distributed one, and a reference table
my ($call, $call_into, $grants) = recipe('One call on Citus');
is(lines(sql($call)), $joined{3}, 'the call of the document');
sql(q{CREATE TABLE spread (number bigint, "the doc" tree); SELECT create_distributed_table('spread', 'number')});
sql('INSERT INTO spread SELECT * FROM docs');
sql(q{CREATE TABLE copied (LIKE docs); SELECT create_reference_table('copied')});
sql('INSERT INTO copied SELECT * FROM docs');
for my $k (0 .. 4)
{
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('docs', $k, parts => 3)")), $joined{$k}, "local table, k = $k");
	is(lines(sql(qq{SELECT * FROM tree_within_pairs_distributed('spread', $k, id => 'number', doc => 'the doc')})),
		$joined{$k}, "distributed table, k = $k");
}
is(lines(sql("SELECT * FROM tree_within_pairs_distributed('copied', 2, parts => 3)")), $joined{2}, 'reference table');
is(lines(sql("SELECT * FROM tree_within_pairs_distributed('docs', 3, parts => $_)")), $joined{3}, "$_ parts")
  for 1, 2, 7, 30;

# a local table is joined here where that is sooner
{
	my ($rc, $rows, $printed) = $coordinator->psql('postgres', "SELECT * FROM tree_within_pairs_distributed('docs', 3, explain => true);
		SELECT * FROM tree_within_pairs_distributed('spread', 3, id => 'number', doc => 'the doc', explain => true)");
	like($printed, qr/cells: \d+, kilobytes of documents: \d+, .* on this server alone: \d.*cells: \d+, kilobytes of documents: \d+, .* on this server alone: impossible/s, 'what is expected');
	is($rows, '', 'which returns no rows');
	my ($status, $found, $log) = $coordinator->psql('postgres', "SET citus.log_remote_commands = on; SET client_min_messages = log; SELECT * FROM tree_within_pairs_distributed('docs', 3)");
	is(lines($found), $joined{3}, 'a join on the coordinator');
	unlike($log, qr/ted_packets_/, 'for which nothing is sent');
}

# rare labels, and keys of several types
sql(q{CREATE TABLE rare AS SELECT id, ('{' || id % 200 || '{' || id % 170 || '}{b}{' || repeat('c', (id % 30)::integer) || '}'
	|| CASE WHEN id % 9 > 0 THEN '{' || id || '}' ELSE '' END || '}')::tree AS doc FROM generate_series(1, 3000) id});
sql("INSERT INTO rare SELECT 10000 + id, doc FROM rare WHERE id % 8 = 0; INSERT INTO rare VALUES (0, NULL), (-1, '{a}'), (-2, '{a}'), (-3, '{z}')");
sub rare_pairs
{
	my ($k) = @_;
	return lines(sql("SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM rare a JOIN rare b ON tree_within(a.doc, b.doc, $k) AND a.id < b.id"));
}
for my $key ('bigint', 'text', 'uuid', 'date')
{
	my $value = $key eq 'uuid' ? 'md5(id::text)::uuid' : $key eq 'date' ? "'2000-01-01'::date + id::integer" : "id::$key";
	sql("CREATE TABLE rare_$key AS SELECT id, doc, $value AS key FROM rare; SELECT create_distributed_table('rare_$key', 'key')");
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('rare_$key', $_->[0], parts => $_->[1])")), rare_pairs($_->[0]), "key of type $key, k = $_->[0], $_->[1] cells")
	  for [ 0, 8 ], [ 1, 30 ], [ 3, 9 ], [ 7, 3 ];
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed(NULL::$key, 'rare_$key', 1, id => 'key')")),
		lines(sql("WITH r AS (SELECT id, doc, $value AS key FROM rare) SELECT a.key, b.key, tree_edit_distance(a.doc, b.doc) FROM r a JOIN r b ON tree_within(a.doc, b.doc, 1) AND a.key < b.key")),
		"ids of type $key");
}
# texts of ids depend on settings, here and on workers, and on type modifiers
$_->append_conf('postgresql.conf', "bytea_output = escape\nextra_float_digits = -10\nDateStyle = 'SQL, DMY'"), $_->reload for $workers[0];
sql(q{CREATE TABLE odd_ids AS SELECT id, doc, id / 7.0::float8 AS "float", '2000-01-01'::date + id::integer AS "date", id::text::char(6) AS "char", id::integer::bit(16) AS "bit" FROM rare;
	SELECT create_distributed_table('odd_ids', 'id')});
for my $column (qw(float date char bit))
{
	my $type = sql("SELECT format_type(atttypid, -1) FROM pg_attribute WHERE attrelid = 'odd_ids'::regclass AND attname = '$column'");
	is(lines(sql(qq{SET DateStyle = 'German, DMY'; SET extra_float_digits = 0; CREATE TEMPORARY TABLE found_odd AS
			SELECT * FROM tree_within_pairs_distributed(NULL::$type, 'odd_ids', 1, id => '$column'); RESET ALL; SELECT * FROM found_odd})),
		lines(sql(qq{WITH r AS (SELECT doc, id / 7.0::float8 AS "float", '2000-01-01'::date + id::integer AS "date", id::text::char(6) AS "char", id::integer::bit(16) AS "bit" FROM rare)
			SELECT a."$column", b."$column", tree_edit_distance(a.doc, b.doc) FROM r a JOIN r b ON tree_within(a.doc, b.doc, 1) AND a."$column" < b."$column"})),
		"ids of column $column, under other settings");
}
is(sql(qq{SELECT * FROM tree_within_pairs_distributed(NULL::bpchar, 'odd_ids', 2, id => 'char', result => 'char pairs')}), '', 'ids of type char(6) stay');
is(sql(q{SELECT count(DISTINCT left_id) > 100 FROM "char pairs"}), 't', 'all of them');

# a table with a name that looks like that of cells is somebody's
is(sql(q{DO $$BEGIN EXECUTE format('CREATE TABLE ted_packets_%s (mine integer)', pg_backend_pid()); END$$;
		SELECT count(*) FROM tree_within_pairs_distributed('docs', 0, parts => 3);
		SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass('ted_packets_' || pg_backend_pid()) AND attname = 'mine';
		DO $$BEGIN EXECUTE format('DROP TABLE ted_packets_%s', pg_backend_pid()); END$$}),
	1 + (() = $joined{0} =~ /\n/g) . "\n1", 'a table of somebody else stays');

is(lines(sql(qq{SELECT * FROM tree_within_pairs_distributed('spread', $_, id => 'number', doc => 'the doc', parts => 10)})),
	$joined{$_}, "frequent labels, k = $_")
  for 1, 4;
is( lines(sql(q{BEGIN; INSERT INTO rare_bigint SELECT 20000 + id, doc, 20000 + id FROM rare WHERE id IN (5, 50, 500);
		SELECT * FROM tree_within_pairs_distributed('rare_bigint', 0, parts => 30) WHERE left_id > 20000 OR right_id > 20000; ROLLBACK})),
	lines(sql(q{SELECT a.id, 20000 + b.id, 0 FROM rare a, rare b WHERE b.id IN (5, 50, 500) AND a.doc = b.doc})),
	'what the transaction has changed');
is(sql("SELECT * FROM tree_within_pairs_distributed('rare_bigint', 2, parts => 30, result => 'rare pairs')"), '', 'pairs stay');
is(lines(sql('SELECT left_id, right_id, distance FROM "rare pairs"')), rare_pairs(2), 'and can be read');
is(sql("SELECT * FROM tree_within_pairs_distributed('rare_uuid', 2, id => 'key', result => 'uuid pairs')"), '', 'pairs of ids of another type stay');
is(sql('SELECT count(left_id) FROM "uuid pairs"'), 1 + (() = rare_pairs(2) =~ /\n/g), 'all of them');
is(sql(q{SELECT format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = '"uuid pairs"'::regclass AND attname = 'left_id'}), 'uuid', 'with that type');
sql(q{CREATE TABLE no_rare (LIKE rare_bigint); SELECT create_distributed_table('no_rare', 'key')});
is(sql("SELECT * FROM tree_within_pairs_distributed('no_rare', 3, parts => 30)"), '', 'no documents in cells');

sql('CREATE TABLE names (id bigint, doc text)');
sql('INSERT INTO names SELECT id, left(doc::text, id::integer % 40) FROM docs');
is( lines(sql("SELECT * FROM lcs_similar_pairs_distributed('names', 0.9, parts => 8)")),
	lines(sql('SELECT m.* FROM (SELECT lcs_similar_pairs(id, doc, 0.9) AS found FROM names) j, unnest(found) m')),
	'strings');
sql('CREATE TABLE no_docs (LIKE docs)');
is(sql("SELECT * FROM tree_within_pairs_distributed('no_docs', 3, parts => 2)"), '', 'no documents');

sql("CREATE TABLE spread_$_ (id bigint, doc tree); SELECT create_distributed_table('spread_$_', 'id'); INSERT INTO spread_$_ SELECT * FROM $_")
  for 'docs', 'queries';
my $two = 'SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 2, side::"char") AS found
	FROM (SELECT id, doc, \'l\' AS side FROM docs UNION ALL SELECT id, doc, \'r\' FROM queries) d) j, unnest(found) m';
is(lines(sql("SELECT * FROM tree_within_pairs_distributed('$_->[0]', 2, parts => $_->[1], others => '$_->[2]')")),
	lines(sql($two)), "two tables, $_->[0] and $_->[2]")
  for [ 'docs', 3, 'queries' ], [ 'copied', 8, 'queries' ], [ 'spread_docs', 4, 'queries' ], [ 'spread_docs', 4, 'spread_queries' ];

# pairs that stay on the workers
is(sql($call_into), '', 'pairs stay');
is(lines(sql('SELECT left_id, right_id, distance FROM found')), $joined{3}, 'and can be read');
sql("SELECT * FROM lcs_similar_pairs_distributed('names', 0.9, result => 'found names', parts => 5)");
is(sql('SELECT count(*) FROM "found names"'), sql("SELECT count(*) FROM lcs_similar_pairs_distributed('names', 0.9)"),
	'strings that stay');

# placement: by the left id
sql("SELECT * FROM tree_within_pairs_distributed('docs', 600, result => 'placed', parts => 12)");
is(sql(<<~'SQL'), 3, 'pairs on all workers');
	SELECT count(DISTINCT nodeport) FROM (SELECT DISTINCT get_shard_id_for_distribution_column('placed', left_id) AS shardid FROM placed) at JOIN citus_shards USING (shardid)
	SQL
sql("SELECT * FROM tree_within_pairs_distributed('spread_docs', 3, result => 'beside')");
is(sql(q{SELECT count(*) FROM beside JOIN spread_docs ON left_id = id}), sql('SELECT count(*) FROM beside'), 'pairs are joined with documents where they are');
unlike(sql(q{EXPLAIN SELECT * FROM beside JOIN spread_docs ON left_id = id}), qr/Repartition|Distributed Subplan/, 'without sending any');

# the number of pairs
is(sql("SELECT tree_within_count_distributed('spread_docs', 3, parts => $_)"), 1 + (() = $joined{3} =~ /\n/g), "their number, $_ cells")
  for 1, 6;
is(sql("SELECT tree_within_count_distributed('docs', 3, others => 'queries')"), sql("SELECT count(*) FROM docs d JOIN queries q ON tree_within(d.doc, q.doc, 3)"),
	'the number of pairs of two tables');
is(sql("SELECT lcs_similar_count_distributed('names', 0.9, parts => 5)"), sql('SELECT count(*) FROM "found names"'), 'the number of pairs of strings');

# clusters: of a local table, with shards, of ids of other types, along chains through many cells, and of strings
sql(q{CREATE TABLE chain (id text COLLATE "C", doc tree); SELECT create_distributed_table('chain', 'id', colocate_with => 'none')});
sql(q{INSERT INTO chain SELECT 'n' || i, ('{r{a' || i || '}{a' || i + 1 || '}{a' || i + 2 || '}{a' || i + 3 || '}{a' || i + 4 || '}}')::tree
	FROM generate_series(1, 600) i WHERE i % 150 <> 3; INSERT INTO chain VALUES ('none', NULL), ('alone', '{z}')});
for my $clusters ([ 'docs', 'id', 1, 'parts => 5' ], [ 'spread_docs', 'id', 2 ], [ 'rare_uuid', 'key', 1, 'parts => 30' ], [ 'chain', 'id', 2, 'parts => 60' ], [ 'chain', 'id', 1 ], [ 'names', 'id', 0.9 ])
{
	my ($of, $id, $threshold, @cells) = @$clusters;
	my $function = $of eq 'names' ? 'lcs_similar_cluster' : 'tree_within_cluster';
	is(sql("SELECT ${function}_distributed(" . join(', ', "'$of'", $threshold, "'clustered'", "id => '$id'", @cells) . ')'), '', "clusters of $of within $threshold");
	is( sql('SELECT * FROM clustered ORDER BY id'),
		sql("SELECT id, first_value(id) OVER (PARTITION BY cluster ORDER BY id) FROM (
			SELECT id, $function(doc, $threshold) OVER (ORDER BY id) AS cluster FROM (SELECT $id AS id, doc FROM $of WHERE doc IS NOT NULL OFFSET 0) d) c ORDER BY id"),
		'are those of one server');
	sql('DROP TABLE clustered');
}
sql("SELECT tree_within_cluster_distributed('spread_docs', 2, 'clustered')");
unlike(sql('EXPLAIN SELECT * FROM clustered JOIN spread_docs USING (id)'), qr/Repartition|Distributed Subplan/, 'clusters are with the documents');
is(sql("SELECT count(*) FROM pg_class WHERE relname ~ '^ted_(packets|found|links|stars)_'"), 0, 'and no table of ours stays');

# every step goes from worker to worker
{
	my ($rc, $out, $log) = $coordinator->psql('postgres', "SET client_min_messages = debug1; SELECT count(*) FROM tree_within_pairs_distributed('spread_docs', 3, parts => 6)");
	is(scalar(() = $log =~ /performing repartitioned INSERT/g), 6, 'six steps are repartitioned');
	unlike($log, qr/Collecting INSERT|generating subplan.*ted_(?!label_counts)/, "none through the coordinator, but for a sample's counts");
}

# tasks have the session's work_mem
{
	my ($rc, $out, $log) = $coordinator->psql('postgres', "SET work_mem = '37MB'; SET citus.log_remote_commands = on; "
		. "SET client_min_messages = log; SELECT count(*) FROM tree_within_pairs_distributed('docs', 3, parts => 3)");
	cmp_ok(scalar(() = $log =~ /SET LOCAL work_mem = '37MB'/g), '>=', 3, 'work_mem goes to all workers');
}

# whatever the search path, and settings are afterwards what they were, here and on workers
for my $path (q{''}, 'pg_catalog, public', 'pg_temp')
{
	is(lines(sql("SET search_path = $path; SELECT * FROM public.tree_within_pairs_distributed('public.docs', 3, parts => 3)")), $joined{3},
		"search_path = $path");
	is(lines(sql("SET search_path = $path; SELECT * FROM public.tree_within_pairs_distributed('public.rare_bigint', 1, parts => 30)")), rare_pairs(1),
		"a distributed table, search_path = $path");
}
my $settings = q{SELECT current_setting('citus.propagate_set_commands'), current_setting('work_mem'),
	(SELECT string_agg(DISTINCT there, ' ') FROM (SELECT id, current_setting('work_mem') AS there FROM rare_bigint GROUP BY id) w);};
for my $set ('', 'SET LOCAL citus.propagate_set_commands = local; SET LOCAL work_mem = 5678;')
{
	my ($before, $after) = split /\n/, sql("SET work_mem = '37MB'; BEGIN; $set $settings
		DO 'BEGIN PERFORM tree_within_pairs_distributed(''docs'', 3, parts => 3); END'; $settings COMMIT");
	is($after, $before, "settings of a transaction, $set");
	like($before, $set ? qr/^local\|5678kB\|5678kB$/ : qr/^none\|37MB\|4MB$/, 'which differ on workers unless they are sent there');
}

# after errors, nothing is left
my $left = q{SELECT count(*) FROM pg_class WHERE relname ~ '^ted_(packets|found|links|stars)_'};
sub nothing_left
{
	my ($name) = @_;
	is(join(',', map { $_->safe_psql('postgres', $left) } $coordinator, @workers), '0,0,0,0', "$name: nothing is left");
	return;
}
sub fails
{
	my ($statement, $message, $name) = @_;
	my ($rc, $stdout, $errors) = $coordinator->psql('postgres', $statement);
	like($errors, $message, $name);
	nothing_left($name);
	return;
}
nothing_left('calls that succeed');
is(sql("SELECT count(*) FROM tree_within_pairs_distributed('docs', -1)"), '0', 'nothing is within a negative distance');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, parts => 0)", qr/number of parts must be positive/, 'no parts');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, result => 'found')", qr/already exists/, 'result that exists');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, id => 'nothing')", qr/column "nothing" does not exist/, 'no such column');
sql(q{CREATE TABLE slow AS
	SELECT i AS id, ('{' || i || (SELECT string_agg('{a{' || (j * i) % 7 || '}}', '') FROM generate_series(1, 300) j) || '}')::tree AS doc
	FROM generate_series(1, 2000) i});
fails("SELECT * FROM tree_within_pairs_distributed('rare_bigint', 1, parts => 30, id => 'nothing')", qr/column "nothing" does not exist/,
	'no such column of a distributed table');
fails("BEGIN READ ONLY; SELECT * FROM tree_within_pairs_distributed('docs', 1)", qr/workers of Citus cannot join in a read-only transaction/, 'a read-only transaction');
fails("SET statement_timeout = '2s'; SELECT * FROM tree_within_pairs_distributed('slow', 600, parts => 3)", qr/statement timeout/, 'cancelled');

# an extension that Citus has not created on the workers
sql('DROP EXTENSION ted_distributed');
sql('SET citus.enable_ddl_propagation = off; CREATE EXTENSION ted_distributed');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, parts => 3)",
	qr/workers of Citus have no extension ted_distributed\nDETAIL:  .*\nHINT:  Run DROP EXTENSION ted_distributed and CREATE EXTENSION ted_distributed\./,
	'no extension on the workers');
sql('DROP EXTENSION ted_distributed; CREATE EXTENSION ted_distributed');
is(lines(sql($call)), $joined{3}, 'the call after what the hint says');

# while a shard is moved
{
	my ($shard, $from, $to) = split /\|/, sql(q{SELECT shardid, s.nodeport, n.nodeport FROM citus_shards s, pg_dist_node n
		WHERE table_name = 'rare_bigint'::regclass AND n.nodeport <> s.nodeport AND n.shouldhaveshards LIMIT 1});
	my ($in, $out) = ("BEGIN; SELECT 'moved' FROM citus_move_shard_placement($shard, '127.0.0.1', $from, '127.0.0.1', $to, 'block_writes');\n", '');
	my $session = IPC::Run::start([ 'psql', '-XAtq', '-d', $coordinator->connstr('postgres') ], '<', \$in, '>', \$out);
	$session->pump until $out =~ /moved/;
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('rare_bigint', 1, parts => 30)")), rare_pairs(1), 'a shard is moved');
	$in = "COMMIT;\n\\q\n";
	$session->finish;
	nothing_left('a shard that is moved');
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('rare_bigint', 1, parts => 30)")), rare_pairs(1), 'a shard has been moved');
}

# a worker is killed while it joins
{
	my ($out, $errors) = ('', '');
	my $session = IPC::Run::start(
		[ 'psql', '-XAtq', '-d', $coordinator->connstr('postgres'), '-c', "SELECT count(*) FROM tree_within_pairs_distributed('slow', 600, parts => 3)" ],
		'>', \$out, '2>', \$errors);
	$workers[1]->poll_query_until('postgres',
		q{SELECT count(*) > 0 FROM pg_stat_activity WHERE query ~ 'ted_join_cell' AND state = 'active' AND pid <> pg_backend_pid()})
	  or fail('the worker joins');
	$workers[1]->stop('immediate');
	$session->finish;
	like($errors, qr/connection|terminat|server closed/, 'the call fails when a worker is killed');
	$workers[1]->start;
	$workers[1]->poll_query_until('postgres', 'SELECT true');
	sql('SELECT recover_prepared_transactions()');
	nothing_left('a worker that was killed');
	is(lines(sql($call)), $joined{3}, 'the next call finds all');
}

# an ordinary user
sql('CREATE ROLE ordinary LOGIN');
sql($grants);
is(lines(sql($call =~ s/\)\s*$/, parts => 3)/r, extra_params => [ '-U', 'ordinary' ])), $joined{3}, 'an ordinary user');
is(sql($call_into =~ s/'found'/'mine'/r, extra_params => [ '-U', 'ordinary' ]), '', 'keeps pairs');
is(sql('SELECT count(*) FROM mine', extra_params => [ '-U', 'ordinary' ]), 1 + (() = $joined{3} =~ /\n/g), 'and reads them');

# searches and joins with a reference table
sql($_) for recipe('Searching on Citus');
sql(q{CREATE TABLE asked (id bigint, doc tree); SELECT create_reference_table('asked')});
sql('INSERT INTO asked SELECT id, doc FROM queries');
sql(q{CREATE TABLE by_doc (id bigint, doc tree); SELECT create_distributed_table('by_doc', 'doc', shard_count := 3)});
sql('INSERT INTO by_doc SELECT id, doc FROM docs WHERE doc IS NOT NULL');
my $near = 'SELECT q.id, d.id FROM asked q JOIN sharded d ON tree_within(d.doc, q.doc, 2)';
my $equal = 'SELECT a.id, b.id FROM by_doc a JOIN by_doc b ON a.doc = b.doc AND a.id < b.id';
my $doc = sql('SELECT doc FROM docs WHERE id = -704');

sub searches_agree
{
	my ($when) = @_;
	for my $query ("SELECT id FROM %s WHERE tree_within(doc, '$doc', 3) ORDER BY 1",
		"SELECT doc <-> '$doc' FROM %s ORDER BY doc <-> '$doc' LIMIT 9")
	{
		is(sql(sprintf $query, 'sharded'), sql(sprintf $query, 'docs'), "$when: $query");
	}
	is(lines(sql($near)), lines(sql('SELECT q.id, d.id FROM queries q JOIN docs d ON tree_within(d.doc, q.doc, 2)')), "$when: a reference table");
	is( lines(sql($near =~ s/tree_within\(d\.doc, q\.doc, 2\)/tree_edit_distance(d.doc, q.doc) <= 3/r)),
		lines(sql('SELECT q.id, d.id FROM queries q JOIN docs d ON tree_within(d.doc, q.doc, 3)')),
		"$when: by a distance");
	is(lines(sql($equal)), lines(sql('SELECT a.id, b.id FROM docs a JOIN docs b ON a.doc = b.doc AND a.id < b.id')), "$when: equal documents");
	is(lines(sql($call)), $joined{3}, "$when: one call");
	is(lines(sql('SELECT left_id, right_id, distance FROM found')), $joined{3}, "$when: pairs that stayed");
	return;
}
searches_agree('three workers');
like(sql("SET citus.explain_all_tasks = on; SET enable_seqscan = off; EXPLAIN (COSTS OFF) SELECT id FROM sharded WHERE tree_within(doc, '$doc', 3)"),
	qr/Index Scan.*Index Scan.*Index Scan/s, 'all shards use their indexes');
my ($rc, undef, $refused) = $coordinator->psql('postgres', 'SELECT a.id FROM sharded a JOIN sharded b ON tree_within(a.doc, b.doc, 2)');
like($refused, qr/complex joins are only supported|not supported/, 'a self-join is refused');

# another worker, and shards that move there
my $another = new_node('worker_4');
add($another);
push @workers, $another;
is($another->safe_psql('postgres', "SELECT count(*) FROM pg_extension WHERE extname ~ '^ted'"), 2, 'a new worker has the extensions');
sql("SELECT rebalance_table_shards('placed', shard_transfer_mode => 'block_writes')");
sql("SELECT rebalance_table_shards(shard_transfer_mode => 'block_writes')");
cmp_ok(sql("SELECT count(*) FROM citus_shards WHERE nodeport = " . $another->port), '>', 0, 'shards have moved there');
searches_agree('after a rebalance');
is(sql("SELECT count(*) FROM placed"), sql('SELECT n * (n - 1) / 2 FROM (SELECT count(doc) AS n FROM docs) d'), 'all pairs of all cells');

sql("ALTER EXTENSION $_ UPDATE") for 'ted', 'ted_distributed';
searches_agree('after ALTER EXTENSION UPDATE');

# what another user creates in the extensions' schema, on all nodes, is not called
{
	my $call = 'SELECT * FROM public.%s_pairs_distributed(%s::pg_catalog.regclass, %s, NULL::pg_catalog.name[], '
		. q{'id'::pg_catalog.name, 'doc'::pg_catalog.name, %s::pg_catalog.int4, NULL::pg_catalog.name, %s::pg_catalog.regclass, false, '{public}'::pg_catalog.name[])};
	my @calls = map { sprintf $call, @$_ } [ 'tree_within', q{'public.rare_bigint'}, '1::pg_catalog.int4', 30, 'NULL' ],
		[ 'tree_within', q{'public.docs'}, '1::pg_catalog.int4', 3, 'NULL' ], [ 'tree_within', q{'public.spread_docs'}, '2::pg_catalog.int4', 4, q{'public.queries'} ],
		[ 'lcs_similar', q{'public.names'}, q{'0.9'::pg_catalog.float8}, 8, 'NULL' ];
	my @expected = map { lines(sql($_)) } @calls;
	my $overloads = slurp_file("$FindBin::Bin/../t/overloads.sql");
	for my $node ($coordinator, @workers)
	{
		my $local = 'SET citus.enable_ddl_propagation = off;';
		$node->safe_psql('postgres', "$local $overloads GRANT USAGE ON SCHEMA planting TO ordinary; GRANT CREATE ON SCHEMA public TO ordinary");
		cmp_ok($node->safe_psql('postgres', "$local SELECT planting.plant('public')", extra_params => [ '-U', 'ordinary' ]), '>', 10000,
			'overloads on ' . $node->name);
	}
	for my $i (0 .. $#calls)
	{
		my ($rc, $rows, $errors) = $coordinator->psql('postgres', "SET search_path = ''; $calls[$i]");
		is(lines($rows) . $errors, $expected[$i], "beside overloads: $calls[$i]");
	}
}

$_->stop for $coordinator, @workers;
done_testing();
