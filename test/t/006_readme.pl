# The statements of README.md run as they stand there, and give what is printed below them.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

# what the statements take for granted
$node->safe_psql('postgres', <<~'SQL');
	CREATE TABLE nodes (doc_id bigint, id bigint, parent_id bigint, label text, position bigint);
	INSERT INTO nodes VALUES (1, 1, NULL, 'a', 1), (1, 2, 1, 'b', 2), (1, 3, 1, 'c', 1);
	CREATE TABLE people (id bigint PRIMARY KEY, name text);
	INSERT INTO people VALUES (1, 'Ada Lovelace'), (2, 'Ada Lovelance');
	SQL
my %before = (
	Querying => 'CREATE TABLE queries AS TABLE trees; CREATE TABLE other_trees AS TABLE trees;',
	Joining => <<~'SQL',
		TRUNCATE trees;
		INSERT INTO trees SELECT id, doc::tree FROM iso3166_2;
		VACUUM ANALYZE trees;
		SQL
	GPU => "ALTER DATABASE postgres SET ted.gpu_module = '$ENV{TED_FAKE_MODULE}'",
);

local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGDATABASE} = 'postgres';
my ($stdout, $stderr) = run_command([ "$FindBin::Bin/../collections/load.sh", 'iso3166_2' ]);
my $documents = $stderr ? 0 : $node->safe_psql('postgres', 'SELECT count(*) FROM iso3166_2');

# What psql prints, a plan without what version 18 adds.
sub output
{
	my ($sql, @options) = @_;
	my ($out, $err) = run_command([ qw(psql -X -q -v ON_ERROR_STOP=1 -P footer=off), @options, '-c', $sql ]);
	$out =~ s/rows=(\d+)\.00/rows=$1/g;
	$out =~ s/^ *(?:Buffers|Index Searches): .*\n//mg;
	$out =~ s/\s+$//mg;
	return ($out, $err);
}

my (undef, @sections) = split /^## (.*)$/m, slurp_file("$FindBin::Bin/../../README.md");
while (my ($section, $text) = splice @sections, 0, 2)
{
	if ($section eq 'Joining' && $documents != 5127)
	{
		SKIP: { skip "not the 5,127 documents of iso-codes: $documents $stderr", 1 }
		next;
	}
	$node->safe_psql('postgres', $before{$section}) if $before{$section};
	while ($text =~ /^```sql\n(.*?)^```\n(?:```\n(.*?)^```\n)?/msg)
	{
		my ($sql, $expected) = ($1, $2);
		my ($name) = $sql =~ /^(?!--)(.*)/m;
		my ($out, $err) = output($sql, defined $expected && $expected !~ /^-[-+]*$/m ? '-t' : ());
		is($err, '', "$section: $name");
		is($out, $expected =~ s/\n\z//r, "$section: $name: what it prints") if defined $expected;
	}
}

$node->stop;
done_testing();
