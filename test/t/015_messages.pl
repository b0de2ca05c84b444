# What messages do not show the client, because it has not written it itself, is in the server's log.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', 'jit = off');
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION ted;
	CREATE TABLE docs AS SELECT i AS id, ('{hidden' || repeat('{hidden' || i, 1500) || repeat('}', 1501))::tree AS doc,
	  json_build_object('hidden', json_build_object('a', i)) AS json FROM generate_series(1, 2) i;
	UPDATE docs SET json = '{"hidden": {"hidden1": 1, "hidden1": 2}}' WHERE id = 2;
	CREATE TABLE texts AS SELECT '{hidden{hidden1}hidden2}'::text AS text;
	SQL

# Checks what the client and the log get of a statement that fails.
sub fails
{
	my ($statement, $client, $log, $name) = @_;
	my $begin = -s $node->logfile;
	my (undef, undef, $err) = $node->psql('postgres', $statement);
	my $logged = substr slurp_file($node->logfile), $begin;

	unlike($err, qr/hidden\d/, "$name: the client gets no part of a document");
	like($err, $client, "$name: but the rest");
	like($logged, $log, "$name: the log has it all");
}

fails(
	"SET ted.max_memory = '64kB'; SELECT max(tree_edit_distance(a.doc, b.doc)) FROM docs a, docs b WHERE a.id < b.id",
	qr/DETAIL:  The limit is 64 kB\.\nHINT:  .*\nCONTEXT:  comparison of two trees$/,
	qr/DETAIL:  Trees of 1501 and 1501 nodes would take [\d.]+ MB; the limit is 64 kB\. Comparison of trees of 1501 and 1501 nodes, "\{hidden\{hidden1\{.*" and "\{hidden\{hidden2\{.*"\.$/m,
	'memory of one pair');
fails(
	"SET ted.max_memory = '1MB'; SET ted.gpu = off; SELECT tree_edit_distances((SELECT doc FROM docs WHERE id = 1), array_agg(('{a' || repeat('{b{c}{d}}', 4000) || '}')::tree)) FROM docs",
	qr/DETAIL:  The limit is 1 MB\./,
	qr/DETAIL:  .*would take [\d.]+ MB; the limit is 1 MB\./,
	'memory of a batch');
fails(
	"SELECT tree_from_json(json, duplicate_keys => 'error') FROM docs",
	qr/DETAIL:  A key occurs more than once in an object\.\nHINT:  .*\nCONTEXT:  conversion from JSON to a tree$/,
	qr/DETAIL:  Key "hidden1" occurs more than once in an object\. Conversion to a tree, at "\/hidden", in line 1, column 39 of the JSON document "\{"hidden": .*"\.$/m,
	'a conversion');
fails(
	"SELECT text::tree FROM texts",
	qr/DETAIL:  There is text after a child; a label precedes all children\./,
	qr/DETAIL:  At character 17: There is text after a child/,
	'brackets');

# Characters that a database's encoding lacks.
$node->safe_psql('postgres', "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
$node->safe_psql('latin', "CREATE EXTENSION ted; CREATE TABLE docs AS SELECT '<hidden1>&#x20ac;</hidden1>'::xml AS doc");
my $begin = -s $node->logfile;
my (undef, undef, $err) = $node->psql('latin', 'SELECT doc::tree FROM docs');
like($err, qr/ERROR:  text cannot be converted to another encoding\nDETAIL:  It has a character that the other encoding does not have\.\nHINT: .*\nCONTEXT:  conversion from XML to a tree$/,
	'a character that LATIN1 lacks');
like(substr(slurp_file($node->logfile), $begin), qr/DETAIL:  character with byte sequence 0xe2 0x82 0xac .* Conversion to a tree, .* of the XML document "<hidden1>&#x20ac;<\/hidden1>"\.$/m,
	'the log has the character');
is($node->safe_psql('latin', "SELECT tree_from_xml(doc, on_error => 'null') IS NULL FROM docs"), 't', 'and it is an error of the document');

# What the client has written itself it sees, also with the extended protocol.
for my $protocol (qw(simple extended prepared))
{
	my $script = $node->basedir . '/literal.sql';
	append_to_file($script, "SELECT '{a{b}c}'::tree;\n");
	$node->command_checks_all([ 'pgbench', '-n', '-t', 1, '-M', $protocol, '-f', $script, 'postgres' ],
		2, [], [qr/At character 6: There is text after a child/], "a literal, $protocol protocol");
	unlink $script;
}

# A value that is bound to a parameter may be of a row: postgres_fdw sends it so to another server.
for my $protocol (qw(extended prepared))
{
	my $script = $node->basedir . '/parameter.sql';
	append_to_file($script, "SELECT :doc::json::tree;\n");
	$node->command_checks_all([ 'pgbench', '-n', '-t', 1, '-M', $protocol, '-D', 'doc={"hidden": "\u0000"}', '-f', $script, 'postgres' ],
		2, [], [qr/JSON value cannot be converted to a tree\nDETAIL:  It has an escape sequence that a text cannot have\.\nHINT: .*\nCONTEXT:  conversion from JSON to a tree$/m], "a parameter, $protocol protocol");
	unlink $script;
}
$node->safe_psql('postgres', 'CREATE EXTENSION postgres_fdw; CREATE SERVER again FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host \''
	. $node->host . q{', port '} . $node->port . q{', dbname 'postgres', extensions 'ted', use_remote_estimate 'true');
	CREATE USER MAPPING FOR CURRENT_USER SERVER again;
	CREATE TABLE many AS SELECT ('{a' || i || '}')::tree AS doc FROM generate_series(1, 20000) i; CREATE INDEX ON many USING gist (doc);
	CREATE FOREIGN TABLE many_there (doc tree) SERVER again OPTIONS (table_name 'many', schema_name 'public');
	CREATE TABLE one AS SELECT '{"hidden1": "\u0000"}'::json AS doc; ANALYZE many, one});
my $there = 'SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_material = off; %s SELECT many_there.* FROM one, many_there WHERE many_there.doc = one.doc::tree';
like($node->safe_psql('postgres', sprintf($there, 'EXPLAIN (VERBOSE)')), qr/Remote SQL: .*\$1::json/, 'a value of a row travels');
fails(sprintf($there, ''), qr/JSON value cannot be converted to a tree/, qr/the JSON document "\{"hidden1": /, 'a value of a row of another server');

$node->stop;
done_testing();
