# The statements of doc/scaling.md, on three servers: searches and joins run on
# the shards, and find what one server finds.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{SEED} // 1;
srand($seed);
note "SEED=$seed";
my $short = ($ENV{SCALE} // 1) <= 0.1;

# The SQL under a heading of doc/scaling.md, in blocks.
my $scaling = slurp_file("$FindBin::Bin/../../doc/scaling.md");

sub recipe
{
	my ($heading) = @_;
	my ($section) = $scaling =~ /^#+ \Q$heading\E$(.*?)(?=^#|\z)/ms or die "no heading $heading";
	return $section =~ /^```sql\n(.*?)^```/msg;
}

my @shards = map { PostgreSQL::Test::Cluster->new("shard_$_") } 0 .. 2;
my $coordinator = $shards[0];
for my $node (@shards)
{
	$node->init;
	$node->append_conf('postgresql.conf', 'jit = off');
	$node->start;
}

# Runs statements on every server.
sub everywhere
{
	my ($sql) = @_;
	$_->safe_psql('postgres', $sql) for @shards;
}

# Runs a statement on the coordinator.
sub sql
{
	my ($sql) = @_;
	return $coordinator->safe_psql('postgres', $sql);
}

# The plan of a query on the coordinator.
sub plan_of
{
	my ($query) = @_;
	return sql("EXPLAIN (VERBOSE, COSTS OFF) $query");
}

# Counts the matches of a pattern.
sub occurrences
{
	my ($text, $pattern) = @_;
	return scalar(() = $text =~ /$pattern/g);
}

my ($on_servers, $on_coordinator) = recipe('Servers');
$on_coordinator =~ s/host 'shard(\d)\.example', port '5432'/
	"host '" . $shards[$1]->host . "', port '" . $shards[$1]->port . "'"/ge;
everywhere($on_servers);
sql($on_coordinator);

# Documents, some of them once more, and some that are NULL, tiny or equal.
sql(slurp_file("$FindBin::Bin/records.sql"));
sql(<<~'SQL');
	INSERT INTO docs SELECT 10000 - id, doc FROM docs WHERE id % 10 = 0;
	INSERT INTO docs VALUES (-1000, NULL), (-1001, '{a}'), (-1002, '{a}'), (-1003, '{a{b}}');
	SQL

# searches
my ($table, $partitions) = recipe('Searching');
everywhere($table);
sql($partitions);
my $doc = sql('SELECT doc FROM docs WHERE id = -704');
my $search = "tree_within(doc, '$doc', 3)";
my $plan = plan_of("SELECT id FROM sharded WHERE $search");
is(occurrences($plan, 'Async Foreign Scan'), 3, 'all servers search at the same time');
is(occurrences($plan, 'Remote SQL: .*WHERE \(public\.tree_within'), 3, 'and by themselves');
my $expected = sql("SELECT id FROM docs WHERE $search ORDER BY id");
cmp_ok(occurrences($expected, '\d+'), '>', 2, 'there is something to find');
is(sql("SELECT id FROM sharded WHERE $search ORDER BY id"), $expected, 'the search finds what one machine does');
my $nearest = "SELECT doc <-> '$doc' FROM %s ORDER BY doc <-> '$doc' LIMIT 9";
is(occurrences(plan_of(sprintf $nearest, 'sharded'), 'Remote SQL: .*ORDER BY \(doc OPERATOR\(public\.<->\)'),
	3, 'servers sort by distance');
is(sql(sprintf $nearest, 'sharded'), sql(sprintf $nearest, 'docs'), 'the nearest are those of one machine');

# a replicated table
everywhere('CREATE TABLE shard.queries (id bigint PRIMARY KEY, doc tree)');
for my $i (0 .. 2)
{
	sql("CREATE FOREIGN TABLE queries_$i (id bigint, doc tree) SERVER shard_$i OPTIONS (schema_name 'shard', table_name 'queries')");
	sql("INSERT INTO queries_$i SELECT id, doc FROM queries");
}
sql('CREATE VIEW near AS ' . join ' UNION ALL ',
	map { "SELECT q.id AS query_id, d.id FROM queries_$_ q JOIN sharded_$_ d ON tree_within(d.doc, q.doc, 2)" } 0 .. 2);
$plan = plan_of('SELECT * FROM near');
my $joins = occurrences($plan, 'Async Foreign Scan');
# PostgreSQL 14 waits for one after the other where their columns are renamed
is($joins, sql('SHOW server_version_num') < 150000 ? 0 : 3, 'all servers join at the same time');
is(occurrences($plan, 'Remote SQL: .*INNER JOIN .*tree_within'), 3, 'and by themselves');
is( sql('SELECT * FROM near ORDER BY 1, 2'),
	sql('SELECT q.id, d.id FROM queries q JOIN docs d ON tree_within(d.doc, q.doc, 2) ORDER BY 1, 2'),
	'the join finds what one machine does');

# The join by one machine.
sub joined
{
	my ($k) = @_;
	return sql("SELECT m.* FROM (SELECT tree_within_pairs(id, doc, $k) AS found FROM docs) j, unnest(found) m ORDER BY 1, 2");
}

my %joined = map { $_ => joined($_) } 0 .. 4;

cmp_ok(occurrences($joined{0}, "\n"), '>', 0, 'there are equal documents');
cmp_ok(occurrences($joined{4}, "\n"), '>', 500, 'there are many pairs');

# one call: the cells of the plan are dealt to the servers
sub lines
{
	my ($text) = @_;
	return join "\n", sort split /\n/, $text;
}

my ($extension, $dblink, $call) = recipe('One call');
everywhere($extension);
sql($dblink);
# wherever a server has it
$shards[1]->safe_psql('postgres', 'CREATE SCHEMA "Else where"; GRANT USAGE ON SCHEMA "Else where" TO public; ALTER EXTENSION ted_distributed SET SCHEMA "Else where"');
my $servers = "'{shard_0,shard_1,shard_2}'";
for my $k ($short ? (0, 4) : 0 .. 4)
{
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('docs', $k, $servers, parts => 3)")),
		lines($joined{$k}), "one call, k = $k");
}
for my $parts ($short ? (2, 30) : (1, 2, 7, 30, 250))
{
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('docs', 3, $servers, parts => $parts)")),
		lines($joined{3}), "one call, $parts parts");
}
for my $k ($short ? (25, 700) : (6, 24, 25, 700))
{
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('docs', $k, $servers, parts => 7)")), lines(joined($k)), "one call, k = $k");
}
is(lines(sql($call)), lines($joined{3}), 'the call of the document');
is(sql("SELECT count(*) FROM tree_within_pairs_distributed('docs', 3, '{shard_0,shard_0}', parts => 2)"),
	occurrences($joined{3}, "\n") + 1, 'two processes of one server');
{
	my ($rc, $rows, $printed) = $coordinator->psql('postgres', "SELECT * FROM tree_within_pairs_distributed('docs', 3, $servers, explain => true)");
	like($printed, qr/cells: \d+, kilobytes of documents: \d+, sent to cells: \d+, to the largest part: [\d.]+ times the average, kilobytes of keys: \d+\n.*seconds of the steps: \[.*\], expected of all: [\d.]+, on this server alone: [\d.]+/, 'what is expected');
	is($rows, '', 'which returns no rows');
}
is(sql("BEGIN READ ONLY; SELECT count(*) FROM tree_within_pairs_distributed('docs', 3, $servers, parts => 3); COMMIT"),
	occurrences($joined{3}, "\n") + 1, 'in a read-only transaction');
$shards[1]->append_conf('postgresql.conf', "log_statement = 'all'");
$shards[1]->reload;
sql("SET work_mem = '37MB'; SELECT count(*) FROM tree_within_pairs_distributed('docs', 3, $servers, parts => 3)");
like(slurp_file($shards[1]->logfile), qr/SET work_mem = '37MB'/, 'servers have the work_mem of the session');

is(sql("SET work_mem = '64kB'; SELECT count(*) FROM tree_within_pairs_distributed('docs', 3, $servers, parts => 3)"),
	occurrences($joined{3}, "\n") + 1, 'the least work_mem');

# A second server object for a machine is another process in the call; elsewhere it has the same rows once more.
sql("CREATE SERVER again FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '"
	. $shards[1]->host . "', port '" . $shards[1]->port . "', dbname 'postgres')");
sql('CREATE USER MAPPING FOR CURRENT_USER SERVER again');
is(lines(sql("SELECT * FROM tree_within_pairs_distributed('docs', 3, '{shard_1,again}', parts => 5)")),
	lines($joined{3}), 'two server objects of one machine');
sql(q{CREATE FOREIGN TABLE sharded_again (id bigint, doc tree) SERVER again OPTIONS (schema_name 'shard', table_name 'docs')});
is(sql('SELECT count(*) FROM sharded_again'), sql('SELECT count(*) FROM sharded_1'), 'a second server object returns the same rows again');
is(sql(q{SELECT count(*) FROM (SELECT DISTINCT array(SELECT o FROM unnest(srvoptions) o WHERE o ~ '^(host|port)=' ORDER BY 1)
		FROM pg_foreign_server WHERE srvname ~ '^shard') s}),
	sql(q{SELECT count(*) FROM pg_foreign_server WHERE srvname ~ '^shard'}), 'the servers of the document are different machines');
sql(q{CREATE TABLE names (number integer, "the name" text)});
sql(q{INSERT INTO names SELECT id, left(doc::text, id::integer % 40) FROM docs});
my $strings = q{SELECT m.* FROM (SELECT lcs_similar_pairs(number, "the name", 0.9) AS found FROM names) j, unnest(found) m};
cmp_ok(occurrences(sql($strings), "\n"), '>', 100, 'there are similar strings');
is( lines(sql("SELECT * FROM lcs_similar_pairs_distributed('names', 0.9, $servers, 'number', 'the name', 8)")),
	lines(sql($strings)),
	'one call for strings');

# two tables
my ($between) = (recipe('One call'))[3];
my $two = 'SELECT m.* FROM (SELECT tree_within_pairs(id, doc, %d, side::"char") AS found
	FROM (SELECT id, doc, \'l\' AS side FROM docs UNION ALL SELECT id, doc, \'r\' FROM queries) d) j, unnest(found) m';
for my $parts ($short ? ('NULL', 7) : ('NULL', 1, 2, 7, 12))
{
	my $k = int rand 5;
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('docs', $k, $servers, parts => $parts, others => 'queries')")),
		lines(sql(sprintf $two, $k)), "two tables, k = $k, $parts parts");
}
is(lines(sql($between)), lines(sql(sprintf $two, 3)), 'the call of the document for two tables');
sql('CREATE TABLE nothing (LIKE docs)');
is(sql("SELECT * FROM tree_within_pairs_distributed('$_->[0]', 3, $servers, others => '$_->[1]', parts => 3)"), '', "two tables, $_->[0] and $_->[1]")
  for [ 'docs', 'nothing' ], [ 'nothing', 'docs' ], [ 'nothing', 'nothing' ];
is( lines(sql("SELECT * FROM lcs_similar_pairs_distributed('names', 0.9, $servers, 'number', 'the name', 4, others => 'names')")),
	lines(sql(q{SELECT a.number, b.number, lcs_similarity(a."the name", b."the name") FROM names a JOIN names b
		ON lcs_similar(a."the name", b."the name", 0.9)})),
	'two tables of strings');

# ids of any type
$_->safe_psql('postgres', 'CREATE EXTENSION citext') for @shards;
sql(q{CREATE TABLE keys AS SELECT md5(id::text)::uuid AS uuid, (id / 3.0)::numeric AS numeric, 'K' || id AS text, ('k' || id)::citext AS citext, id::float8 / 7 AS float8,
	'2000-01-01'::timestamp + id * interval '1.5 s' AS timestamp, ARRAY[id, -id] AS list, id::smallint AS int2, (('''' || id || '"\\,') COLLATE "C") AS odd,
	'2000-01-01 00:00+00'::timestamptz + id * interval '1 h' AS timestamptz, '2000-01-01'::date + id::integer AS date, interval '-1 month 2 days -03:00:00.5' * id AS interval,
	id::numeric::money AS money, id::text::bytea AS bytea, id::text::char(6) AS "char", abs(id)::integer::bit(16) AS bit, ARRAY[NULL, 'NULL', id::text] AS nulls, doc
	FROM docs WHERE abs(id) < 30000});
my $odd = q{SET array_nulls = off; SET bytea_output = escape; SET DateStyle = 'SQL, DMY'; SET extra_float_digits = -10; SET IntervalStyle = sql_standard;
	SET TimeZone = 'Europe/Berlin'; SET quote_all_identifiers = on;};
my $before_19 = sql('SHOW server_version_num') < 190000;
$odd .= ' SET standard_conforming_strings = off; SET escape_string_warning = off;' if $before_19;
my @columns = qw(uuid numeric text citext float8 timestamp list int2 odd timestamptz date interval money bytea char bit nulls);
for my $column ($short ? map { splice @columns, int rand @columns, 1 } 1 .. 2 : @columns)
{
	my $type = sql("SELECT format_type(atttypid, -1) FROM pg_attribute WHERE attrelid = 'keys'::regclass AND attname = '$column'");
	my $expected = lines(sql(qq{SELECT a."$column", b."$column", tree_edit_distance(a.doc, b.doc) FROM keys a JOIN keys b ON tree_within(a.doc, b.doc, 2) AND a."$column" < b."$column"}));
	for my $parts (3, 'NULL')
	{
		my $found = "SELECT * FROM tree_within_pairs_distributed(NULL::$type, 'keys', 2, $servers, id => '$column', parts => $parts)";
		is(lines(sql($found)), $expected, "ids of column $column, $parts parts");
		is(lines(sql("$odd CREATE TEMPORARY TABLE found AS $found; RESET ALL; SELECT * FROM found")), $expected, 'and with settings on which their texts depend');
	}
}

# no setting, here or there, makes a statement of a document, or another number of a threshold
$shards[1]->append_conf('postgresql.conf', "bytea_output = escape\nextra_float_digits = -10");
$shards[1]->append_conf('postgresql.conf', 'standard_conforming_strings = off') if $before_19;
$shards[1]->reload;
sql(q{CREATE TABLE quoted AS SELECT id, repeat(chr(92), (id % 4)::integer) || '''); CREATE TABLE public.pwned (); --' || repeat(chr(92), (id % 3)::integer) || repeat('z', id % 5) AS doc
	FROM generate_series(1, 60) id});
for my $similarity ('0.5', '2 / 3::float8', '0.96')
{
	is(lines(sql("$odd SELECT left_id, right_id FROM lcs_similar_pairs_distributed('quoted', $similarity, $servers, parts => 5)")),
		lines(sql("SELECT a.id, b.id FROM quoted a JOIN quoted b ON a.id < b.id AND lcs_similarity(a.doc, b.doc) >= $similarity")),
		"documents that look like statements, similarity $similarity");
}
is(join(',', map { $_->safe_psql('postgres', q{SELECT count(*) FROM pg_class WHERE relname = 'pwned'}) } @shards), '0,0,0', 'are none');

# ids that are not unique, or NULL: the rows are those of the statement
sql('CREATE TABLE twice AS SELECT nullif(id / 2, 5) AS id, doc FROM docs');
is(lines(sql("SELECT * FROM tree_within_pairs_distributed('twice', 2, $servers, parts => 4)")),
	lines(sql('SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM twice a JOIN twice b ON tree_within(a.doc, b.doc, 2) AND a.id < b.id')),
	'ids that are not unique');
sql('CREATE TABLE one AS SELECT * FROM docs WHERE id = -704');
is(sql("SELECT * FROM tree_within_pairs_distributed('one', 2, $servers, parts => 3)"), '', 'one document');

# random documents
sql(q{CREATE FUNCTION random_tree(depth integer, labels integer) RETURNS text LANGUAGE sql VOLATILE AS $$
	SELECT '{' || chr(97 + (random() * labels)::integer) || CASE WHEN depth > 0
		THEN coalesce((SELECT string_agg(random_tree(depth - 1, labels), '') FROM generate_series(1, (random() * 4)::integer)), '') ELSE '' END || '}' $$});
for my $k ($short ? (1, 5) : 0 .. 6)
{
	my ($labels, $parts, $similarity) = (1 + int rand 24, 1 + int rand 12, rand);
	sql("SELECT setseed(" . rand() . "); DROP TABLE IF EXISTS random; CREATE TABLE random AS SELECT i AS id, random_tree(2, $labels)::tree AS doc FROM generate_series(1, 300) i");
	is(lines(sql("SELECT * FROM tree_within_pairs_distributed('random', $k, $servers, parts => $parts)")),
		lines(sql("SELECT a.id, b.id, tree_edit_distance(a.doc, b.doc) FROM random a JOIN random b ON tree_edit_distance(a.doc, b.doc) <= $k AND a.id < b.id")),
		"random trees, k = $k, $labels labels, $parts parts");
	is(lines(sql("SELECT left_id, right_id FROM lcs_similar_pairs_distributed('random', $similarity, $servers, parts => $parts)")),
		lines(sql("SELECT a.id, b.id FROM random a JOIN random b ON lcs_similarity(a.doc::text, b.doc::text) >= $similarity AND a.id < b.id")),
		"random strings, similarity $similarity, $parts parts");
}

# a database in another encoding than the servers, and text that none of these has
sql(q{CREATE DATABASE latin1 TEMPLATE template0 ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C'});
{
	my $in = sub { return $coordinator->safe_psql('latin1', $_[0]) };
	$in->($_) for 'CREATE SCHEMA trees; CREATE SCHEMA joins; CREATE EXTENSION ted SCHEMA trees; CREATE EXTENSION ted_distributed SCHEMA joins',
		$on_coordinator, $dblink, 'ALTER DATABASE latin1 SET search_path = joins, public, trees';
	$in->(q{CREATE TABLE docs AS SELECT i AS id, ('{' || chr(192 + i % 60) || '{' || chr(223 + i % 7) || '}}')::tree AS doc,
		repeat(chr(192 + i % 60), 3) || chr(223 + i % 7) AS name FROM generate_series(1, 200) i});
	is(lines($in->("SELECT * FROM tree_within_pairs_distributed('docs', 1, $servers, parts => 3)")),
		lines($in->('SELECT m.* FROM (SELECT tree_within_pairs(id, doc, 1) AS found FROM docs) j, unnest(found) m')),
		'trees in another encoding');
	is(lines($in->("SELECT * FROM lcs_similar_pairs_distributed('docs', 0.7, $servers, doc => 'name', parts => 3)")),
		lines($in->('SELECT m.* FROM (SELECT lcs_similar_pairs(id, name, 0.7) AS found FROM docs) j, unnest(found) m')),
		'texts in another encoding');
}

# the number of pairs, here and by the servers
for my $parts ('', ', parts => 4')
{
	is(sql("SELECT tree_within_count_distributed('docs', 3, $servers$parts)"), 1 + (() = $joined{3} =~ /\n/g), "their number$parts");
	is(sql("SELECT lcs_similar_count_distributed('names', 0.9, $servers, 'number', 'the name'$parts)"),
		sql("SELECT count(*) FROM lcs_similar_pairs_distributed('names', 0.9, $servers, 'number', 'the name', 8)"), "the number of pairs of texts$parts");
	is(sql("SELECT tree_within_count_distributed('docs', 3, $servers, others => 'queries'$parts)"),
		sql("SELECT count(*) FROM tree_within_pairs_distributed('docs', 3, $servers, others => 'queries')"), "the number of pairs of two tables$parts");
}
is(sql("SELECT count(*) FROM tree_within_pairs_distributed('docs', -1, $servers)"), '0', 'nothing is within a negative distance');

# errors, after which nothing is left open
my $open = 'SELECT coalesce(cardinality(dblink_get_connections()), 0)';
sub fails
{
	my ($statement, $message, $name) = @_;
	my ($rc, $stdout, $errors) = $coordinator->psql('postgres', "$statement;\n$open;", on_error_stop => 0);
	like($errors, $message, $name);
	is($stdout, '0', "$name: connections are closed");
	return;
}
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, '{shard_0,nowhere}')", qr/server "nowhere" does not exist/, 'unknown server');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, '{}')", qr/list of servers is empty/, 'no servers');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, ARRAY['shard_0', NULL]::name[])", qr/name of a server must not be null/, 'a server without a name');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, $servers, others => 'queries', result => 'kept')", qr/leave no result/, 'a result');
fails("SELECT * FROM tree_within_pairs_distributed($_, servers => $servers)", qr/must not be null/, $_)
  for 'NULL, 1', "'docs', NULL", "'docs', 1, id => NULL", "'docs', 1, doc => NULL";
sql('CREATE DOMAIN number AS integer; CREATE DOMAIN small_number AS number');
sql('CREATE TABLE ids AS SELECT id, doc, id::small_number AS number, id::float8 + 0.25 AS float, id::numeric AS exact, id::text AS word FROM docs');
is(lines(sql("SELECT * FROM tree_within_pairs_distributed('ids', 3, $servers, 'number', parts => 3)")), lines($joined{3}), 'ids of a domain');
fails("SELECT * FROM tree_within_pairs_distributed('ids', 1, $servers, '$_->[0]')",
	qr/ids of a similarity join are of type $_->[1]\nDETAIL:  .*\nHINT:  Call the function with NULL::$_->[1] as its first argument/, "ids of column $_->[0]")
  for [ 'float', 'double precision' ], [ 'exact', 'numeric' ], [ 'word', 'text' ];
fails("SELECT * FROM tree_within_pairs_distributed('ids', 1, $servers, 'none')", qr/column "none" does not exist/, 'no such column');
$shards[1]->safe_psql('postgres', 'CREATE DATABASE bare');
sql("CREATE SERVER bare FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '" . $shards[1]->host . "', port '" . $shards[1]->port . "', dbname 'bare');
	CREATE USER MAPPING FOR CURRENT_USER SERVER bare");
for my $there ('nothing', 'ted')
{
	$shards[1]->safe_psql('bare', "CREATE EXTENSION $there") if $there ne 'nothing';
	fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, '{shard_0,bare}', parts => 2)",
		qr/server "bare" has no extension ted_distributed\nDETAIL:  .*\nHINT:  Run CREATE EXTENSION ted_distributed CASCADE there\./, "a server with $there");
}
$shards[1]->safe_psql('bare', 'CREATE EXTENSION ted_distributed CASCADE');
is(lines(sql("SELECT * FROM tree_within_pairs_distributed('docs', 3, '{shard_0,bare}', parts => 2)")), lines($joined{3}), 'a server with both extensions');
sql(q{CREATE SERVER closed FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '/nowhere'); CREATE USER MAPPING FOR CURRENT_USER SERVER closed});
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, '{shard_0,closed}', parts => 2)", qr/could not establish connection to server "closed"/, 'no server there');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 1, $servers, parts => 0)", qr/number of parts must be positive/, 'no parts');
sql(q{CREATE TABLE slow AS
	SELECT i AS id, ('{' || i || (SELECT string_agg('{a{' || (j * i) % 7 || '}}', '') FROM generate_series(1, 300) j) || '}')::tree AS doc
	FROM generate_series(1, 1200) i});
fails("SET statement_timeout = '250ms'; SELECT * FROM tree_within_pairs_distributed('slow', 600, $servers, parts => 3); RESET statement_timeout",
	qr/statement timeout/, 'cancelled');
$_->poll_query_until('postgres', "SELECT count(*) = 0 FROM pg_stat_activity WHERE query LIKE '%ted_cells%' AND state = 'active' AND pid <> pg_backend_pid()")
  or fail('servers go on') for @shards;
pass('servers stop, too');

# cancelled at any moment, while servers are connected, too: nothing is left open
{
	my $cancelled = 0;
	my $calls = $short ? 16 : 40;
	my $many = "'{" . join(',', map { 'shard_' . $_ % 3 } 1 .. 8) . "}'";
	my $session = join '', map { "SET statement_timeout = '" . (1 + int rand 50) . "ms'; "
		. "SELECT 'rows' FROM tree_within_pairs_distributed('docs', 0, $many, parts => 8) LIMIT 1; RESET statement_timeout; SELECT 'open', $_ FROM ($open) o($_) WHERE $_ > 0;\n" } map { "call_$_" } 1 .. $calls;
	my ($rc, $stdout, $errors) = $coordinator->psql('postgres', $session, on_error_stop => 0);
	$cancelled = () = $errors =~ /statement timeout/g;
	cmp_ok($cancelled, '>', $calls / 8, 'calls were cancelled');
	unlike($stdout, qr/open/, 'a call that is cancelled leaves no connection open');
	is($errors =~ s/.*statement timeout$|^(?!psql).*$|\n//mgr, '', 'and no error for the next one');
	# cancels that follow one another at once, so that a handler of errors would be cancelled, too
	sql(q{CREATE FUNCTION as_owner() RETURNS bigint LANGUAGE sql SECURITY DEFINER SET search_path = public
			AS $$SELECT count(*) FROM tree_within_pairs_distributed('docs', 0, '{shard_0,shard_1,shard_2}', parts => 30)$$});
	my @cancels;
	for my $moment (1 .. ($short ? 4 : 12))
	{
		my ($in, $out, $log) = ("SELECT pg_backend_pid();\n", '', '');
		my $client = IPC::Run::start([ 'psql', '-XAtq', '-d', $coordinator->connstr('postgres') ], '<', \$in, '>', \$out, '2>', \$log);
		$client->pump until $out =~ /^(\d+)\n/;
		my $pid = $1;
		$in = "SELECT as_owner();\nSELECT 'open' FROM ($open) o(o) WHERE o > 0;\nSELECT 'done';\n";
		$client->pump_nb;
		select undef, undef, undef, 0.01 + rand 0.15;
		kill 'INT', $pid for 1 .. 12;
		$client->pump until $out =~ /done/;
		$in = "\\q\n";
		$client->finish;
		push @cancels, $out !~ /open/ if $log =~ /cancel/;
	}
	cmp_ok(scalar @cancels, '>', 0, 'calls were cancelled twelve times');
	is(scalar(grep { !$_ } @cancels), 0, scalar @cancels . ' calls that were cancelled twelve times leave no connection open');
	# an error that is caught, and a connection of somebody else
	is(sql(q{SELECT dblink_connect('mine', 'shard_0');
			DO $$BEGIN
				BEGIN
					PERFORM tree_within_pairs_distributed('docs', 0, '{shard_0,closed}', parts => 2);
				EXCEPTION WHEN sqlclient_unable_to_establish_sqlconnection THEN
					PERFORM set_config('caught.connections', dblink_get_connections()::text, false);
				END;
			END$$;
			SELECT current_setting('caught.connections'), dblink_get_connections()}), "OK\n{mine}|{mine}", 'after an error that is caught, too');
	# a function of a view runs before there are connections
	sql(q{CREATE FUNCTION look() RETURNS bigint LANGUAGE sql SET search_path = public AS $$SELECT coalesce(cardinality(dblink_get_connections()), 0)::bigint$$;
		CREATE VIEW looking AS SELECT id * 1000 + look() AS id, doc FROM docs});
	is(sql("SELECT sum(left_id % 1000 + right_id % 1000) FROM tree_within_pairs_distributed('looking', 3, $servers, parts => 30)"),
		'0', 'no function of a view runs beside a connection');
	# a call within another one
	sql(q{CREATE FUNCTION inner_pairs() RETURNS bigint LANGUAGE sql SET search_path = public AS $$SELECT count(*) FROM tree_within_pairs_distributed('docs', 0, '{shard_0,shard_1}', parts => 2)$$;
		CREATE VIEW within AS SELECT id + 0 * inner_pairs() AS id, doc FROM docs WHERE id < -800});
	is(sql("SELECT count(*) FROM tree_within_pairs_distributed('within', 30, $servers, parts => 3)"),
		sql('SELECT cardinality(tree_within_pairs(id, doc, 30)) FROM docs WHERE id < -800'), 'a call within another one');
}

# an ordinary user, with a password
my ($grants) = recipe('Ordinary users');
everywhere("CREATE ROLE ordinary LOGIN PASSWORD 'secret'");
for my $node (@shards)
{
	my $hba = slurp_file($node->data_dir . '/pg_hba.conf');
	unlink $node->data_dir . '/pg_hba.conf';
	append_to_file($node->data_dir . '/pg_hba.conf', "local all ordinary scram-sha-256\n$hba");
	$node->reload;
}
sql($grants);
{
	local $ENV{PGPASSWORD} = 'secret';
	is( lines($coordinator->safe_psql('postgres', $call =~ s/\)\s*$/, parts => 3)/r, extra_params => [ '-U', 'ordinary' ])),
		lines($joined{3}),
		'an ordinary user');
}

# a server that is gone
$shards[2]->stop('immediate');
fails("SELECT * FROM tree_within_pairs_distributed('docs', 3, $servers, parts => 3)", qr/could not establish connection to server "shard_2"/, 'a server is gone');
$shards[2]->start;

$_->stop for @shards;
done_testing();
