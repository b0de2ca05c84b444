# The GPU, by a module that computes on the CPU and fails where it is told to:
# the same rows as without, whatever happens.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(sleep time);

my $module = $ENV{TED_FAKE_MODULE};
plan skip_all => 'TED_FAKE_MODULE does not name the module' unless $module;

my $seed = $ENV{SEED} // 1;
srand($seed);
note "SEED=$seed";
my $short = ($ENV{SCALE} // 1) <= 0.1;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "ted.gpu_max_contexts = 2\njit = off");
$node->start;
$node->safe_psql('postgres', <<~SQL);
	CREATE EXTENSION ted;
	CREATE FUNCTION ted_fake_set(text, bigint) RETURNS void AS '$module' LANGUAGE C STRICT;
	CREATE FUNCTION ted_fake_get(text) RETURNS bigint AS '$module' LANGUAGE C STRICT;
	CREATE FUNCTION ted_fake_fail(text, int, text) RETURNS void AS '$module' LANGUAGE C STRICT;
	CREATE TABLE docs AS
	  SELECT i AS id, ('{r{' || i % 50 || '}' || repeat('{x}', i % 7) || '{y{' || i % 11 || '}{' || i % 13 || '}}' || '}')::tree AS doc
	  FROM generate_series(1, 200) i;
	CREATE TABLE others AS
	  SELECT id, ('{r{' || id % 60 || '}' || repeat('{x}', (id % 5)::int) || '{z}}')::tree AS doc FROM docs;
	CREATE TABLE large AS SELECT ('{r' || repeat('{a{b}{c{d}}}', 250) || '}')::tree AS t;
	CREATE TABLE words AS
	  SELECT i AS id, substr(md5((i / 3)::text), 1, 5 + i % 3) || CASE WHEN i % 100 = 0 THEN repeat('long', 20) ELSE '' END AS word
	  FROM generate_series(1, 1200) i;
	CREATE TABLE other_words AS SELECT id * 10 + i AS id, word || chr(96 + i) AS word FROM words, generate_series(1, 5) i;
	ANALYZE docs, words, other_words;
	SQL

my $on = "SET ted.gpu_module = '$module'; SET ted.gpu = on;\n";

# Strings and a join of them; trees: one batch, one pair a batch, an aggregate, mappings, plans: several batches each.
my $queries = <<'SQL';
SELECT md5(lcs_lengths('r{1}·{x}y', array_agg(doc::text || CASE WHEN id % 3 = 0 THEN '·' ELSE '' END ORDER BY id))::text) FROM docs;
SELECT sum(lcs_length(a.doc::text, b.doc::text)), sum(lcs_length(a.doc::text::bytea, b.doc::text::bytea)), md5(string_agg(lcs(a.doc::text, b.doc::text) || scs(a.doc::text, b.doc::text), '' ORDER BY a.id, b.id)) FROM docs a, docs b WHERE a.id < 10 AND b.id < 10;
SELECT count(*), md5(string_agg(m::text, ',' ORDER BY m)) FROM (SELECT lcs_similar_pairs(id, doc::text || CASE WHEN id % 3 = 0 THEN '·' ELSE '' END, 0.9) AS found FROM docs) j, unnest(found) m;
SELECT count(*), sum(a.id * b.id), sum(lcs_length(a.word, b.word)) FROM words a JOIN words b ON lcs_similarity(a.word, b.word) >= 0.8;
SELECT md5(tree_edit_distances('{r{1}{x}{y{1}}}', array_agg(doc ORDER BY id))::text) FROM docs;
SELECT sum(tree_edit_distance(a.doc, b.doc, tree_costs(2, 3, 1))) FROM docs a, docs b WHERE a.id < 10 AND b.id < 10;
SELECT count(*), sum(distance) FROM (SELECT tree_within_pairs(id, doc, 3) AS found FROM docs) j, unnest(found) m;
SELECT md5(string_agg(m::text, '' ORDER BY a.id, b.id, m.n)) FROM docs a, docs b, tree_edit_mapping(a.doc, b.doc) WITH ORDINALITY AS m(o, i, p, l, j, q, r, n) WHERE a.id < 10 AND b.id > 180;
SELECT count(*), sum(tree_edit_distance(a.doc, b.doc)) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 4;
SELECT count(*) FROM docs a JOIN docs b ON tree_similarity(a.doc, b.doc) >= 0.5 WHERE a.id < b.id;
SELECT count(*), sum(tree_edit_distance(a.doc, b.doc)), count(b.id) FROM docs a LEFT JOIN others b ON tree_edit_distance(a.doc, b.doc) <= 3;
SQL
my $left_behind = "SELECT ted_fake_get('sets'), ted_fake_get('misused'), ted_fake_get('devices');\n";
my $expected = $node->safe_psql('postgres', "SET ted.gpu = off;\n$queries");

# Runs statements in a session that goes on after errors: its output, and its messages.
sub session
{
	my ($sql) = @_;
	my ($ret, $stdout, $stderr) = $node->psql('postgres', $sql, on_error_stop => 0);
	return ($stdout, $stderr);
}

# Starts a session that stays.
sub start
{
	my %session = (in => '', out => '');
	$session{harness} = IPC::Run::start(
		[ 'psql', '-XAtq', '-d', $node->connstr('postgres') ],
		'<', \$session{in}, '>', \$session{out}, '2>&1',
		IPC::Run::timeout(180));
	return \%session;
}

# Runs statements there and returns their output.
sub ask
{
	my ($session, $sql) = @_;
	$session->{out} = '';
	$session->{in} .= "$sql\n\\echo done\n";
	$session->{harness}->pump until $session->{out} =~ /^done$/m;
	return $session->{out} =~ s/^done\n//mr;
}

# Ends a session.
sub finish
{
	my ($session) = @_;
	$session->{in} .= "\\q\n";
	$session->{harness}->finish;
}

# Without a module

my ($stdout, $stderr) = session("SET ted.gpu = on; SELECT tree_edit_distance('{a}', '{b}');");
like($stderr, qr/there is no GPU to compute on.*\n.*ted_cuda.*\n.*HINT:.*ted\.gpu/, 'ted.gpu = on without a module is an error');
($stdout, $stderr) = session("SET ted.gpu = auto;\n$queries");
is($stdout, $expected, 'auto without a module computes on the CPU');
is($stderr, '', 'and says nothing');
($stdout, $stderr) = session("SET ted.gpu_module = '\$libdir/plpgsql'; SET ted.gpu = on; SELECT tree_edit_distance('{a}', '{b}');");
like($stderr, qr/there is no GPU to compute on.*the library is not a module of this version/s, 'another library is no module');

$node->safe_psql('postgres', 'CREATE ROLE stranger; CREATE ROLE monitor IN ROLE pg_monitor');
($stdout, $stderr) = session("SET ROLE stranger; SET ted.gpu = on; SELECT tree_edit_distance('{a}', '{b}'); SELECT note FROM ted_engine_info();");
unlike("$stdout$stderr", qr/ted_cuda/, 'who may not see the setting is not told the library');
like("$stdout$stderr", qr/no GPU to compute on.*ted\.gpu_module.*could not be loaded/s, 'but what is wrong');
($stdout, $stderr) = session("SET ROLE monitor; SET ted.gpu = on; SELECT tree_edit_distance('{a}', '{b}');");
like($stderr, qr/ted_cuda/, 'who may is');

# Where nothing fails

($stdout, $stderr) = session("$on$queries SELECT pairs > 200, fallbacks, engine, contexts FROM ted_engine_info();\n$left_behind");
is($stdout, "$expected\nt|0|fake|1\n0|0|1", 'the GPU computes all pairs');
is($stderr, '', 'without a message');

# Strings that come after those that are indexed

my $two_tables = 'SELECT count(*), sum(a.id * b.id) FROM words a JOIN other_words b ON lcs_similarity(a.word, b.word) >= 0.8';
my $found = $node->safe_psql('postgres', "SET ted.gpu = off; $two_tables");
like($found, qr/^[0-9]{4,5}\|/, 'pairs of words of two tables');
for my $fault ('', "SELECT FROM ted_fake_fail('join_add', 2, 'memory');", "SELECT FROM ted_fake_fail('join_submit', 3, 'memory');")
{
	($stdout) = session("$on$fault $two_tables; SELECT pairs > 500 FROM ted_engine_info();\n$left_behind");
	is($stdout, "$found\nt\n0|0|1", "on the GPU" . ($fault && ", with a fault: $fault"));
}

# Faults at every function

for my $function (qw(open trees_create trees_add submit strings_submit join_create join_add join_submit poll))
{
	my @calls = $function eq 'open' ? 1 : $function eq 'join_create' ? (1, 2, 4) : (1, 2, 5);
	for my $call ($short ? $calls[rand @calls] : @calls)
	{
		($stdout, $stderr) = session("SELECT FROM ted_fake_fail('$function', $call, 'failed'); $on$queries$left_behind"
			  . "SELECT engine, contexts, note FROM ted_engine_info();");
		is($stdout, "$expected\n0|0|0\ncpu|0|told to fail", "$function fails for good at call $call: the same rows by the CPU");
		is(scalar(() = $stderr =~ /WARNING:  GPU 0 has failed/g), 1, 'and one warning');

		($stdout, $stderr) = session("SELECT FROM ted_fake_fail('$function', $call, 'memory'); $on$queries$left_behind"
			  . 'SELECT pairs + fallbacks > 200, note IS NULL FROM ted_engine_info();');
		my $open = $function eq 'open' ? "0|0|0\nf|f" : "0|0|1\nt|t";
		is($stdout, "$expected\n$open", "$function has no memory at call $call: the same rows");
		is($stderr, '', 'and no message');
	}
}
($stdout, $stderr) = session("SELECT FROM ted_fake_fail('open', 1, 'none'); ${on}SELECT tree_edit_distance('{a}', '{b}');");
like($stderr, qr/there is no GPU to compute on.*\n.*told to fail.*\n.*HINT/, 'a module without a GPU: an error if the GPU is insisted on');
($stdout, $stderr) = session("SELECT FROM ted_fake_fail('submit', 1, 'failed'); ${on}SELECT ted_gpu_calibrate();\n$queries");
like($stderr, qr/WARNING:  GPU 0 has failed.*ERROR:  the GPU could not be measured\n[^\n]*told to fail/s, 'a failure while measuring is an error');
is($stdout, "$expected", 'after which the CPU computes');

# Memory and pairs that are too much

($stdout) = session("SELECT FROM ted_fake_set('room', 100000); $on$queries$left_behind"
	  . "SELECT fallbacks, ted_fake_get('submit') > 100 FROM ted_engine_info();");
is($stdout, "$expected\n0|0|1\n0|t", 'little memory: many small batches');
($stdout) = session("SELECT FROM ted_fake_set('room', 1000); $on$queries SELECT fallbacks > 0 FROM ted_engine_info();");
is($stdout, "$expected\nt", 'too little: the CPU computes some');
($stdout) = session("SELECT FROM ted_fake_set('room', 1000); ${on}SELECT lcs_lengths('abc', array_fill('abcabc'::text, ARRAY[1000])) = array_fill(3, ARRAY[1000]);"
	  . "SELECT pairs, fallbacks, ted_fake_get('strings_submit') > 8 FROM ted_engine_info(); SELECT lcs_length(repeat('a', 2000), repeat('a', 2000)); SELECT pairs, fallbacks FROM ted_engine_info();");
is($stdout, "t\n1000|0|t\n2000\n1000|1", 'strings, too: many small batches, and the CPU what is too large');
($stdout) = session("SELECT FROM ted_fake_set('largest', 9); $on$queries SELECT fallbacks > 0, pairs > 0 FROM ted_engine_info();");
is($stdout, "$expected\nt|t", 'trees too large for the module: the CPU computes them');
($stdout) = session("SET ted.gpu_memory_limit = 1; ${on}SELECT tree_edit_distance(t, t) FROM large; SELECT fallbacks FROM ted_engine_info();");
is($stdout, "0\n1", 'a pair beyond ted.gpu_memory_limit: the CPU computes it');

# What pays

($stdout) = session("${on}SELECT tree_edit_distance('{a}', '{b}'); SELECT count(*) FROM ted_gpu_calibrate(); SET ted.gpu = auto;"
	  . 'SELECT tree_edit_distance(t, t) FROM large; SELECT pairs, calibrated FROM ted_engine_info();');
is($stdout, "1\n3\n0\n1|t", 'a GPU measured to be as slow as a processor gets nothing by auto');
$node->safe_psql('postgres', 'UPDATE ted_gpu_calibration SET opening = 1e-5, cells_per_second = 1e12, bytes_per_second = 1e10');
($stdout) = session("${on}SELECT tree_edit_distance('{a}', '{b}'); SET ted.gpu = auto; SELECT tree_edit_distance('{a}', '{b}');"
	  . 'SELECT pairs FROM ted_engine_info(); SELECT tree_edit_distance(t, t) FROM large; SELECT pairs FROM ted_engine_info();');
is($stdout, "1\n1\n1\n0\n2", 'auto sends a large pair to a GPU that is open, and no small one');
($stdout) = session("${on}SELECT tree_edit_distance('{a}', '{b}');"
	  . 'SELECT calibrated FROM ted_engine_info(); SELECT DISTINCT device, opening > 0 AND cells_per_second > 0 AND bytes_per_second > 0 FROM ted_gpu_calibration;');
like($stdout, qr/t\nFake 100\|t$/, 'what was measured is kept');
like($node->safe_psql('postgres', 'CREATE ROLE reader') . join('', session("SET ROLE reader; SELECT DISTINCT device FROM ted_gpu_calibration; DELETE FROM ted_gpu_calibration;")),
	qr/Fake 100.*permission denied/s, 'to be read by all, and changed by few');
for my $implausible ("UPDATE ted_gpu_calibration SET opening = 'NaN'", 'UPDATE ted_gpu_calibration SET cells_per_second = 0', "DELETE FROM ted_gpu_calibration WHERE family = 'trees'")
{
	($stdout) = session("BEGIN; $implausible; ${on}SELECT tree_edit_distance('{a}', '{b}'); SELECT calibrated FROM ted_engine_info(); ROLLBACK;");
	is($stdout, "1\nf", 'what cannot have been measured is not used');
}
for my $altered ('ALTER COLUMN family TYPE bytea USING family::bytea', 'ALTER COLUMN opening TYPE text', 'ALTER COLUMN opening DROP NOT NULL; UPDATE ted_gpu_calibration SET opening = NULL')
{
	($stdout, $stderr) = session("${on}BEGIN; ALTER EXTENSION ted DROP FUNCTION ted_gpu_calibrate(); DROP FUNCTION ted_gpu_calibrate();"
		  . "ALTER TABLE ted_gpu_calibration $altered; SELECT tree_edit_distance('{a}', '{b}'); ROLLBACK; SELECT tree_edit_distance('{a}', '{b}');");
	is($stdout, '1', "$altered: refused until the table is as it was");
	like($stderr, qr/table ted_gpu_calibration has been altered|null in table ted_gpu_calibration/, 'and said to be so');
}
($stdout, $stderr) = session("${on}BEGIN; ALTER TABLE ted_gpu_calibration ADD COLUMN more integer; SELECT ted_gpu_measure(); ROLLBACK;");
like($stderr, qr/type ted_gpu_calibration has been altered/, 'a measurement has the columns of the table, or is refused');

($stdout) = session("${on}SELECT lcs_length('ab', 'b'); SET ted.gpu = auto; SELECT lcs_length('ab', 'b');"
	  . "SELECT pairs FROM ted_engine_info(); SELECT lcs_length(repeat('ab', 30000), repeat('bca', 20000));"
	  . "SELECT max(n) FROM unnest(lcs_lengths(repeat('ab', 500), array_fill(repeat('bca', 300), ARRAY[9999]))) n;"
	  . "SELECT pairs, fallbacks FROM ted_engine_info();");
is($stdout, "1\n1\n1\n40000\n600\n10001|0", 'and long strings, and many');
($stdout) = session("SET ted.gpu_module = '$module'; SET ted.gpu = auto; SELECT lcs_length(repeat('ab', 30000), repeat('bca', 20000));"
	  . "SELECT pairs, contexts FROM ted_engine_info();");
is($stdout, "40000\n0|0", 'but none for which a context would have to be opened');

# Comparisons that are no batches: millions of them would wait for the GPU one by one.
$node->safe_psql('postgres', "CREATE TABLE names AS SELECT md5(i::text) || repeat(md5(i::text), i % 9) AS name FROM generate_series(1, 200) i; ANALYZE names;");
($stdout) = session("${on}EXPLAIN (COSTS OFF) SELECT FROM names a JOIN names b ON lcs_similar(a.name, b.name, 0.8); SELECT pairs, contexts FROM ted_engine_info();");
like($stdout, qr/TedJoin.*^0\|0$/ms, 'with on, planning compares samples on the CPU');
my $graded = "SELECT count(*) FROM docs a JOIN docs b ON tree_within(a.doc, b.doc, 3, tree_costs(texts => 'lcs'));";
($stdout) = session("$graded $on$graded SELECT ted_fake_get('strings_submit'), ted_fake_get('submit') > 0;");
like($stdout, qr/^(\d+)\n\1\n0\|t$/, 'and so are short labels graded that joins compare');

my $mapping = "SELECT count(*) FROM large, tree_edit_mapping(t, '{r{a{b}}}'); SELECT count(*) FROM large, tree_edit_mapping(t, t);"
  . 'SELECT pairs, fallbacks FROM ted_engine_info();';
($stdout) = session("$on$mapping");
is($stdout, "1001\n1001\n1|0", 'a mapping is computed there where trees are not alike');
($stdout) = session("SET ted.gpu_module = '$module'; $mapping");
is($stdout, "1001\n1001\n0|0", 'with auto, none that takes no time');

# An ordinary owner of a database: measures, dumps and restores, but for what was measured

$node->safe_psql('postgres', 'CREATE ROLE ted_owner LOGIN; CREATE DATABASE hers OWNER ted_owner; CREATE DATABASE restored OWNER ted_owner');
my @as_owner = (extra_params => [ '-U', 'ted_owner' ]);
$node->safe_psql('hers', 'CREATE EXTENSION ted', @as_owner);
$node->safe_psql('postgres', "ALTER DATABASE hers SET ted.gpu_module = '$module'");
is($node->safe_psql('hers', 'SELECT DISTINCT device FROM ted_gpu_calibrate()', @as_owner), 'Fake 100', 'the owner of a database measures');
is($node->safe_psql('hers', 'SELECT count(*) FROM ted_gpu_calibrate()', @as_owner) . $node->safe_psql('hers', 'SELECT count(*) FROM ted_gpu_calibration'), '33', 'again');
my $dump = PostgreSQL::Test::Utils::tempdir() . '/hers.dump';
$node->command_ok([ 'pg_dump', '-U', 'ted_owner', '-Fc', '-f', $dump, $node->connstr('hers') ], 'dumps');
$node->command_ok([ 'pg_restore', '-U', 'ted_owner', '--exit-on-error', '--no-comments', '-d', $node->connstr('restored'), $dump ], 'and restores');
is($node->safe_psql('restored', 'SELECT count(*) FROM ted_gpu_calibration'), '0', 'but not the rates');

# Cancelling: every way within 100 ms

my $slow = "SELECT FROM ted_fake_set('milliseconds', 60000); $on";
($stdout, $stderr) = session("$slow SET statement_timeout = 200; SELECT clock_timestamp() AS t0 \\gset\n"
	  . "SELECT count(*) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 4;\n"
	  . "SET statement_timeout = 0; SELECT extract(epoch FROM clock_timestamp() - :'t0') * 1000;\n"
	  . "SELECT ted_fake_get('cancelled'); SELECT FROM ted_fake_set('milliseconds', 0);\n$queries$left_behind");
like($stderr, qr/canceling statement due to statement timeout/, 'statement_timeout ends a batch');
my ($took, $rest) = $stdout =~ /([\d.]+)\n(.*)$/s;
cmp_ok($took - 200, '<', 100, sprintf('%.1f ms after it', $took - 200));
is($rest, "1\n$expected\n0|0|1", 'and the GPU goes on');

($stdout, $stderr) = session($slow . <<~'SQL');
	SET statement_timeout = 200;
	DO $$
	BEGIN
		PERFORM tree_edit_distance('{a}', '{b}');
	EXCEPTION WHEN query_canceled THEN
		PERFORM ted_fake_set('milliseconds', 0);
		RAISE NOTICE 'distance %', tree_edit_distance('{a{b}}', '{b}');
	END
	$$;
	SQL
like($stderr, qr/^[^\n]*NOTICE:  distance 1$/, 'a batch that is cancelled makes room for the next');

# costs by label travel before the pairs
my $by_letters = q('{"texts": "lcs"}');
($stdout, $stderr) = session($slow . <<~"SQL" . $left_behind);
	SELECT ted_fake_set('milliseconds', 0);
	SELECT tree_edit_distance('{a{b}}', '{a{c}}', $by_letters);
	SELECT ted_fake_set('milliseconds', 60000);
	SET statement_timeout = 200;
	SELECT tree_edit_distance('{aa{bb}{cc}}', '{aa{cd}}', $by_letters);
	SELECT tree_edit_distance('{aa{bb}{cc}}', '{aa{cd}{ee}}', $by_letters);
	RESET statement_timeout;
	SELECT ted_fake_get('cancelled'), ted_fake_set('milliseconds', 0);
	SELECT tree_edit_distance('{aa{bb}{cc}}', '{aa{cd}{ee}}', $by_letters);
	SQL
is($stdout, qq{\n1\n\n2|\n2\n0|0|1}, 'costs by label that are cancelled make room for the next');

($stdout, $stderr) = session($slow . <<~'SQL');
	SET statement_timeout = 200;
	DO $$
	BEGIN
		PERFORM lcs_lengths('ab', '{b,ab}');
	EXCEPTION WHEN query_canceled THEN
		PERFORM ted_fake_set('milliseconds', 0);
		RAISE NOTICE 'lengths %', lcs_lengths('ab', '{b,ab}');
	END
	$$;
	SQL
like($stderr, qr/^[^\n]*NOTICE:  lengths \{1,2\}$/, 'so does a batch of strings');

for my $way (qw(pg_cancel_backend pg_terminate_backend))
{
	my $victim = start();
	my $pid = ask($victim, "${slow}SELECT pg_backend_pid();") =~ s/\s//gr;
	$victim->{in} .= "SELECT tree_edit_distance('{a}', '{b}');\n";
	$victim->{harness}->pump_nb;
	$node->poll_query_until('postgres', "SELECT wait_event = 'Extension' FROM pg_stat_activity WHERE pid = $pid");
	my $waited = $node->safe_psql('postgres', <<~SQL);
		SELECT clock_timestamp() AS t0, $way($pid) \\gset
		DO \$\$ BEGIN
			WHILE EXISTS (SELECT FROM pg_stat_activity WHERE pid = $pid AND state = 'active') LOOP
				PERFORM pg_sleep(0.002), pg_stat_clear_snapshot();
			END LOOP;
		END \$\$;
		SELECT extract(epoch FROM clock_timestamp() - :'t0') * 1000
		SQL
	cmp_ok($waited, '<', 100, sprintf('%s ends a batch in %.1f ms', $way, $waited));
	$way eq 'pg_cancel_backend' ? finish($victim) : $victim->{harness}->kill_kill;
}

# Who has a context

my @sessions = map { start() } 1 .. 3;
my $ask = "SELECT tree_edit_distance('{a}', '{b}'); SELECT engine, contexts, max_contexts, pairs FROM ted_engine_info();";
ask($_, $on) for @sessions;
is(ask($sessions[0], $ask), "1\nfake|1|2|1\n", 'the first context');
is(ask($sessions[1], $ask), "1\nfake|2|2|1\n", 'the second');
is(ask($sessions[2], $ask), "1\ncpu|2|2|0\n", 'a third session computes on the CPU');
like(ask($sessions[2], 'EXPLAIN (ANALYZE, COSTS OFF) SELECT FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 4;'),
	qr/Engine: cpu\n *Batches Without a GPU Context: \d/, 'and EXPLAIN says why');
like(ask($sessions[2], 'SELECT ted_gpu_calibrate();'), qr/too many backends have a GPU context/, 'and measuring is refused');
ask($sessions[0], "SELECT pg_advisory_unlock_all();\nDISCARD ALL;\n$on");
is(ask($sessions[2], $ask), "1\ncpu|2|2|0\n", 'a session that gives up its locks, as poolers do, keeps its context');
is(ask($sessions[0], $ask), "1\nfake|2|2|2\n", 'and goes on');
my @pooled = map { start() } 1 .. 8;
ask($_, "$on$ask") for @pooled;
ask($_, 'DISCARD ALL;') for @pooled, @sessions;
ask($_, "$on$ask") for @pooled, @sessions;
is(join('', map { ask($_, 'SELECT engine FROM ted_engine_info();') } @sessions, @pooled), "fake\n" x 2 . "cpu\n" x 9, 'of eleven such sessions, two have a context');
finish($_) for @pooled;
finish($sessions[1]);
ok($node->poll_query_until('postgres', 'SELECT contexts = 1 FROM ted_engine_info()'), 'a session that ends gives back its own');
is(ask($sessions[2], $ask), "1\nfake|2|2|1\n", 'to one that waits');

ask($_, "SET ted.gpu_idle_timeout = 300; $ask SELECT 1 / 0;") for @sessions[ 0, 2 ];
ok($node->poll_query_until('postgres', 'SELECT contexts = 0 FROM ted_engine_info()'), 'idle sessions give back theirs');
is(ask($sessions[0], $left_behind), "0|0|0\n", 'and close the device');
is(ask($sessions[0], $ask), "1\nfake|1|2|5\n", 'until they compute again');
is(ask($sessions[0], "BEGIN; SELECT pg_sleep(0.5);\nSELECT contexts FROM ted_engine_info(); COMMIT;\nSELECT contexts FROM ted_engine_info();"),
	"\n1\n0\n", 'a transaction ends before');
finish($_) for @sessions[ 0, 2 ];

# Several GPUs: contexts are spread over them

$node->append_conf('postgresql.conf', "ted.gpu_devices = 'all'");
my $three = "SELECT FROM ted_fake_set('count', 3);\n$on";
my $devices = "SELECT tree_edit_distance('{a}', '{b}'); SELECT devices, contexts FROM ted_engine_info();";
@sessions = map { start() } 1 .. 7;
ask($_, $three) for @sessions;
is(join('', map { ask($_, $devices) } @sessions), join('', map { "1\n{" . ($_ - 1) % 3 . "}|$_\n" } 1 .. 6) . "1\n|6\n",
	'each session has a context on the GPU with the fewest, until all have as many as they may');
finish($sessions[4]);
ok($node->poll_query_until('postgres', 'SELECT contexts = 5 FROM ted_engine_info()'), 'a session ends');
is(ask($sessions[6], $devices), "1\n{1}|6\n", 'and makes room for another one on its GPU');
finish($_) for @sessions[ 0 .. 3, 5, 6 ];
ok($node->poll_query_until('postgres', 'SELECT contexts = 0 FROM ted_engine_info()'), 'all end');

($stdout, $stderr) = session("$three SET ted.gpu_devices = '2, 1'; $devices SET ted.gpu_devices = 2; $devices SET ted.gpu_devices = 0, 2; $devices RESET ted.gpu_devices; $devices");
is($stdout, "1\n{1}|1\n1\n{2}|1\n1\n{2}|1\n1\n{2}|1", 'ted.gpu_devices says which GPUs are used');
is($stderr, '', 'without a message');
($stdout, $stderr) = session("$three SET ted.gpu_devices = 5; $devices SELECT devices, note FROM ted_engine_info(); SET ted.gpu = auto; $queries");
like($stderr, qr/there is no GPU to compute on.*\n.*DETAIL: .*ted\.gpu_devices/, 'GPUs that are not there');
is($stdout, "|0\n|None of the GPUs that \"ted.gpu_devices\" lists is there.\n$expected", 'are not used');
for my $wrong ('', ',', '0,', '0;1', '-1', '16', 'none', '0,all', '1e1', '99999999999999999999')
{
	($stdout, $stderr) = session("LOAD 'ted'; SET ted.gpu_devices = '$wrong'; SHOW ted.gpu_devices;");
	like($stderr, qr/ERROR:  invalid value for parameter "ted.gpu_devices".*\n.*DETAIL:  GPUs have numbers from 0 to 15\..*\n.*HINT:  List/, "'$wrong' is no list of GPUs");
	is($stdout, 'all', 'and changes nothing');
}
like((session("LOAD 'ted'; SET ROLE stranger; SET ted.gpu_devices = 0;"))[1], qr/permission denied to set parameter "ted.gpu_devices"/, 'only superusers choose');

# Batches and joins that several GPUs share, as these seem to be slow

$node->safe_psql('postgres', "SET ted.gpu_module = '$module'; DELETE FROM ted_gpu_calibration; SELECT ted_gpu_calibrate(); UPDATE ted_gpu_calibration SET cells_per_second = 1;");
$node->safe_psql('postgres', <<~SQL);
	CREATE TABLE many AS
	  SELECT i AS id, ('{r{' || i % 50 || '}' || repeat('{x}', i % 7) || '{y{' || i % 11 || '}{' || i % 13 || '}}' || '}')::tree AS doc
	  FROM generate_series(1, 700) i;
	SQL
my $shared = "$queries SELECT count(*) FROM many a JOIN many b ON tree_edit_distance(a.doc, b.doc) <= 4;\n";
my $shared_expected = $node->safe_psql('postgres', "SET ted.gpu = off;\n$shared");
my $two = "SELECT FROM ted_fake_set('count', 2); SELECT FROM ted_fake_set('processors', 1); SELECT FROM ted_fake_set('range', 20);\n$on";
my $shares = join(', ', map { "ted_fake_get('$_') > 1" } qw(batches0 batches1 ranges0 ranges1));
($stdout, $stderr) = session("$two$shared SELECT devices, fallbacks FROM ted_engine_info(); SELECT $shares;\n$left_behind");
is($stdout, "$shared_expected\n{0,1}|0\nt|t|t|t\n0|0|2", 'two GPUs share the work: the same rows');
is($stderr, '', 'without a message');
for my $short (1 .. 3)
{
	($stdout) = session("${two}SELECT FROM ted_fake_set('one_short_in', $short);\n$shared SELECT $shares;\n$left_behind");
	is($stdout, "$shared_expected\nt|t|t|t\n0|0|2", "also where ranges end early, one in $short");
}
for my $function (qw(open trees_create trees_add submit strings_submit join_create join_add join_submit poll))
{
	my @calls = $function eq 'open' ? 2 : $function =~ /create|add/ ? (1, 2, 4) : (1, 2, 5, 12);
	for my $call ($short ? $calls[rand @calls] : @calls)
	{
		($stdout, $stderr) = session("SELECT FROM ted_fake_fail('$function', $call, 'failed'); $two$shared$left_behind"
			  . "SELECT engine, array_length(devices, 1), contexts, note FROM ted_engine_info();");
		is($stdout, "$shared_expected\n0|0|1\nfake|1|1|told to fail", "one of two GPUs fails, $function at call $call: the same rows");
		is(scalar(() = $stderr =~ /WARNING:  GPU [01] has failed/g), 1, 'and one warning');
		($stdout, $stderr) = session("SELECT FROM ted_fake_fail('$function', $call, 'memory'); $two$shared$left_behind");
		is($stdout, "$shared_expected\n0|0|" . ($function eq 'open' ? 1 : 2), "one has no memory, $function at call $call: the same rows");
		is($stderr, '', 'and no message');
	}
}
($stdout, $stderr) = session($two . <<~'SQL');
	SELECT count(*) FROM docs a, docs b WHERE a.id < 20 AND tree_edit_distance(a.doc, b.doc) >= 0 AND b.id = 1;
	SELECT count(*) FROM (SELECT unnest(tree_edit_distances('{r{1}{x}{y{1}}}', array_agg(doc))) FROM docs) d;
	SELECT FROM ted_fake_set('milliseconds', 60000);
	SET statement_timeout = 200;
	DO $$
	BEGIN
		PERFORM tree_edit_distances('{r{1}{x}{y{1}}}', array_agg(doc)) FROM docs;
	EXCEPTION WHEN query_canceled THEN
		RAISE NOTICE 'cancelled %', ted_fake_get('cancelled');
		PERFORM ted_fake_set('milliseconds', 0);
		RAISE NOTICE 'distances %', (SELECT array_length(tree_edit_distances('{r{1}{x}{y{1}}}', array_agg(doc)), 1) FROM docs);
	END
	$$;
	SELECT ted_fake_get('misused');
	SQL
like($stderr, qr/NOTICE:  cancelled 2\n.*NOTICE:  distances 200$/, 'both stop, and go on');
like($stdout, qr/\n0$/, 'as they should');
$node->safe_psql('postgres', 'DELETE FROM ted_gpu_calibration');

# Parallel plans: of the processes of a join, the leader alone has a context

for my $contexts (0, 1)
{
	$node->append_conf('postgresql.conf', "ted.gpu_max_contexts = $contexts");
	$node->reload;
	$node->poll_query_until('postgres', "SELECT current_setting('ted.gpu_max_contexts') = '$contexts'");
	# the others may be done before the one with a context has begun: then once more
	for (1 .. 20)
	{
		($stdout, $stderr) = session(<<~SQL);
			$on
			SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
			SET max_parallel_workers_per_gather = 2; ALTER TABLE docs SET (parallel_workers = 2);
			SELECT FROM ted_fake_set('milliseconds', 1);
			SELECT count(*) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 4;
			EXPLAIN (ANALYZE, COSTS OFF) SELECT count(*) FROM docs a JOIN docs b ON tree_edit_distance(a.doc, b.doc) <= 4;
			SQL
		last if $contexts == 0 || $stdout !~ /Engine: cpu/;
	}
	is((split /\n/, $stdout)[0], ((split /\n/, $expected)[-3] =~ /(\d+)/)[0], "the same rows in parallel with $contexts contexts");
	like($stdout, qr/Gather.*TedJoin/s, 'by a parallel plan');
	$contexts == 0 ? like($stdout, qr/Engine: cpu/, 'by the CPU') : unlike($stdout, qr/Engine: cpu/, 'by the GPU');
	unlike($stdout, qr/Without a GPU Context/, 'and no other process asks for a context') if $contexts == 1;
	is($stderr, '', 'without a message');
}

# What the leader's GPU finds is more than the queue holds; all processes return rows of it.

$node->safe_psql('postgres', <<~SQL);
	CREATE TABLE dense AS
	  SELECT i AS id, ('{r{' || i % 7 || '}' || repeat('{x}', i % 3) || '{y{' || i % 11 || '}{' || i / 400 || '}}' || '}')::tree AS doc
	  FROM generate_series(1, 2000) i;
	ALTER TABLE dense SET (parallel_workers = 3);
	ANALYZE dense;
	SQL
my $dense = 'SELECT count(*), sum(a.id * 7 + b.id), sum(tree_edit_distance(a.doc, b.doc)) FROM dense a JOIN dense b ON tree_edit_distance(a.doc, b.doc) <= 3;';
my $together = 'SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 3;';
my $dense_expected = $node->safe_psql('postgres', "SET ted.gpu = off;\n$dense");
for my $memory ("SET work_mem = '64MB';", "SET work_mem = '64kB'; SET ted.least_join_memory = '300kB';")
{
	for my $range (20, 1000)
	{
		($stdout, $stderr) = session("$on$together $memory SELECT FROM ted_fake_set('range', $range);\n$dense\n$left_behind");
		is($stdout, "$dense_expected\n0|0|1", "the same rows by all processes, $memory ranges of $range");
		is($stderr, '', 'without a message');
	}
}
($stdout, $stderr) = session("$on$together SET work_mem = '64MB'; SELECT count(*) FROM (SELECT a.id FROM dense a JOIN dense b ON tree_edit_distance(a.doc, b.doc) <= 3 LIMIT 100000) x;"
	  . "SELECT FROM ted_fake_set('milliseconds', 60000); SET statement_timeout = 500; $dense SELECT FROM ted_fake_set('milliseconds', 0); SET statement_timeout = 0; $dense\n$left_behind");
is($stdout, "100000\n$dense_expected\n0|0|1", 'also after one that wants a part of them, and one that is cancelled while others wait for the GPU');
like($stderr, qr/^[^\n]*canceling statement due to statement timeout\s*(CONTEXT:.*)?$/, 'in time');

is($node->safe_psql('postgres', 'SELECT 1'), '1', 'the server is alive');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC/, 'and has been all the time');
$node->stop;
done_testing();
