# This release reads what earlier ones, and it itself, have written: values,
# rows and pages of indexes, each release in a folder of test/stored.
#
# RECORD=folder writes these files instead, once for a release (CONTRIBUTING.md).

use strict;
use warnings;

use File::Basename;
use File::Path qw(make_path);
use FindBin;
use IO::Compress::Gzip qw(gzip);
use IO::Uncompress::Gunzip qw(gunzip);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $stored = "$FindBin::Bin/../stored";
my $page_bytes = 8192;

plan skip_all => 'pages are written in the order of bytes of another machine' if pack('L', 1) ne pack('V', 1);

# The table, and the indexes of each kind of key and page.
my $table = 'CREATE TABLE documents (id integer, t tree, costs tree_costs, name text)';
my %indexes = (
	trees_gist => 'gist (t)',
	trees_gin => 'gin (t)',
	trees_profile => 'profile (t)',
	names_profile => 'profile (name)');
my @relations = ('documents', sort keys %indexes);
my $rows = 'COPY (SELECT id, t, costs, name FROM documents ORDER BY id) TO STDOUT';

# Trees with few and with many labels, documents of all kinds, models of all members, short and long strings; no value is stored out of line.
my $generate = <<~'SQL';
	SELECT i, ('{"id": ' || i || ', "name": "' || md5(i::text) || '", "tags": ' || to_jsonb(array_fill(i % 3, ARRAY[i % 9])) || '}')::jsonb::tree,
	  CASE i % 7 WHEN 0 THEN tree_costs(2, 3, 0.5, texts => 'levenshtein', numbers => 'relative', ignore => '{@id,//b}', unordered => '{tags}')
	    WHEN 1 THEN tree_costs(tolerance => 0.5, relative_tolerance => 0.01, ignore_values => '{^x}', array_keys => '{/tags/*/id}', arrays => 'unordered') END,
	  repeat(left(md5(i::text), 3 + i % 5), 1 + i % 50 / 49 * 40)
	FROM generate_series(1, 250) i
	UNION ALL SELECT 251, '{a}', '{}', ''
	UNION ALL SELECT 252, '<a b="1">Ä<c/>x &amp; y</a>'::xml::tree, NULL, 'Straße 通り'
	UNION ALL SELECT 253, ('{' || (SELECT string_agg('{l' || i % 260 || '}', '' ORDER BY i) FROM generate_series(1, 300) i) || '}')::tree, NULL, repeat('long ', 60)
	UNION ALL SELECT 254, NULL, NULL, NULL
	SQL

# A server without checksums of pages, and the paths of the files of relations in it.
sub server
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);
	my ($version) = (run_command([ 'initdb', '--version' ]))[0] =~ /(\d+)/;
	$node->init(extra => [ '--encoding=UTF8', '--locale=C', $version >= 18 ? '--no-data-checksums' : () ]);
	$node->append_conf('postgresql.conf', "autovacuum = off\njit = off");
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION ted');
	return $node;
}

sub paths
{
	my ($node) = @_;
	return map { $_ => $node->data_dir . '/' . $node->safe_psql('postgres', "SELECT pg_relation_filepath('$_')") } @relations;
}

sub create_indexes
{
	my ($node) = @_;
	$node->safe_psql('postgres', "CREATE INDEX $_ ON documents USING $indexes{$_}") for sort keys %indexes;
	return;
}

# The pages of a file, at the beginning of any log, and without checksums.
sub pages
{
	my ($path) = @_;
	my $bytes = slurp_file($path);
	substr($bytes, $_ * $page_bytes, 10) = pack('LLS', 0, 1, 0) for 0 .. length($bytes) / $page_bytes - 1;
	return $bytes;
}

sub write_file
{
	my ($path, $bytes) = @_;
	open(my $file, '>:raw', $path) or die "$path: $!";
	print $file $bytes;
	close $file or die "$path: $!";
	return;
}

if (my $folder = $ENV{RECORD})
{
	my $node = server('recorded');
	make_path($folder);
	$node->safe_psql('postgres', "$table; INSERT INTO documents $generate");
	my $values = $node->data_dir . '/values';
	$node->safe_psql('postgres', "COPY (TABLE documents ORDER BY id) TO '$values' (FORMAT binary); DROP TABLE documents");
	$node->safe_psql('postgres', "BEGIN; $table; COPY documents FROM '$values' (FORMAT binary, FREEZE); COMMIT");
	create_indexes($node);
	my %files = paths($node);
	my $text = $node->safe_psql('postgres', $rows) . "\n";
	$node->stop;
	my %contents = (rows => $text, values => slurp_file($values), map { $_ => pages($files{$_}) } @relations);
	gzip(\$contents{$_} => "$folder/$_.gz", -Level => 9, Minimal => 1) or die for keys %contents;
	plan skip_all => "written to $folder";
}

# What is asked of the rows, by an index where there is one.
my @queries = (
	'SELECT id FROM documents WHERE tree_within(t, (SELECT t FROM documents WHERE id = Q), 4) ORDER BY id',
	'SELECT t <-> (SELECT t FROM documents WHERE id = Q) FROM documents WHERE t IS NOT NULL ORDER BY 1 LIMIT 20',
	'SELECT t <#> (SELECT t FROM documents WHERE id = Q) FROM documents WHERE t IS NOT NULL ORDER BY 1 LIMIT 20',
	'SELECT id FROM documents WHERE lcs_similar(name, (SELECT name FROM documents WHERE id = Q), 0.6) ORDER BY id',
	'SELECT name <~> (SELECT name FROM documents WHERE id = Q) FROM documents WHERE name IS NOT NULL ORDER BY 1 LIMIT 20');

sub answers
{
	my ($node, $settings) = @_;
	return $node->safe_psql('postgres', "$settings; " . join('; ', map { my $id = $_; map { s/Q/$id/r } @queries } 1, 98, 250 .. 253));
}

# Puts the files of a release in the place of empty relations.
sub load
{
	my ($name, $files) = @_;
	my $node = server($name);
	$node->safe_psql('postgres', $table);
	create_indexes($node);
	my %paths = paths($node);
	$node->stop;
	write_file($paths{$_}, $files->{$_}) for @relations;
	$node->start;
	return $node;
}

# The same pages of another version: the first byte of a key of GiST, the lowest one of the number in block 0.
sub another_version
{
	my ($relation, $bytes) = @_;
	return substr($bytes, 0, 24) . "\x09" . substr($bytes, 25) if $relation ne 'trees_gist';
	foreach my $block (0 .. length($bytes) / $page_bytes - 1)
	{
		my $page = $block * $page_bytes;
		my $items = (unpack('S', substr($bytes, $page + 12, 2)) - 24) / 4;
		foreach my $item (0 .. $items - 1)
		{
			my $tuple = $page + (unpack('L', substr($bytes, $page + 24 + 4 * $item, 4)) & 0x7fff);
			my $header = ord(substr($bytes, $tuple + 8, 1)) & 1 ? 1 : 4;
			substr($bytes, $tuple + 8 + $header, 1) = "\x09";
		}
	}
	return $bytes;
}

foreach my $folder (sort glob("$stored/*/"))
{
	my $release = basename($folder);
	my %files;
	foreach my $path (glob("$folder/*.gz"))
	{
		gunzip($path => \my $bytes) or die "$path: $!";
		$files{ basename($path, '.gz') } = $bytes;
	}
	my $node = load("of_$release" =~ s/\W/_/gr, \%files);
	my $values = $node->data_dir . '/values';
	write_file($values, $files{values});

	is($node->safe_psql('postgres', $rows) . "\n", $files{rows}, "$release: rows");
	$node->safe_psql('postgres', "CREATE TABLE copied (LIKE documents); COPY copied FROM '$values' (FORMAT binary)");
	is($node->safe_psql('postgres', $rows =~ s/FROM documents/FROM copied/r) . "\n", $files{rows}, "$release: values");
	$node->safe_psql('postgres', "COPY (SELECT id, t::text::tree, costs::text::tree_costs, name FROM documents ORDER BY id) TO '$values.new' (FORMAT binary)");
	ok($files{values} eq slurp_file("$values.new"), "$release: values that are written now have the same bytes");

	my $expected = answers($node, 'SET enable_indexscan = off; SET enable_bitmapscan = off');
	foreach my $index (sort keys %indexes)
	{
		my $others = join('; ', 'BEGIN', map { "DROP INDEX $_" } grep { $_ ne $index } sort keys %indexes);
		is(answers($node, "$others; SET enable_seqscan = off; SET enable_sort = off"), $expected, "$release: what $index finds");
	}
	$node->safe_psql('postgres', "SELECT profile_index_check('names_profile'), profile_index_check('trees_profile')");

	$node->safe_psql('postgres', 'INSERT INTO documents SELECT 1000 + id, t, costs, name FROM documents');
	is(answers($node, 'SET enable_seqscan = off'), answers($node, 'SET enable_indexscan = off; SET enable_bitmapscan = off'),
		"$release: after rows have been added");
	$node->stop;

	$node = load("other_$release" =~ s/\W/_/gr, { map { $_ => $indexes{$_} && $_ ne 'trees_gin' ? another_version($_, $files{$_}) : $files{$_} } @relations });
	my %refused = (
		trees_gist => [ $queries[0], 'GiST' ],
		trees_profile => [ $queries[2], 'trees' ],
		names_profile => [ $queries[3], 'names' ]);
	foreach my $index (sort keys %refused)
	{
		my $others = join('; ', 'BEGIN', map { "DROP INDEX $_" } grep { $_ ne $index } sort keys %indexes);
		my ($status, $out, $err) = $node->psql('postgres', "\\set VERBOSITY verbose\n$others; SET enable_seqscan = off; SET enable_sort = off; "
			  . $refused{$index}[0] =~ s/Q/1/r);
		like($err, qr/ERROR:  XX002: .*version.*REINDEX/s, "$release: $index of another version is refused");
		$node->safe_psql('postgres', "REINDEX INDEX $index");
	}
	is(answers($node, 'SET enable_seqscan = off'), $expected, "$release: REINDEX makes an index of another version good");
	$node->stop;
}

done_testing();
