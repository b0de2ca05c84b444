# The documents are true: their statements run as printed, each document in a
# database that was empty before, and print what is shown below them; the
# reference names every object and setting; links lead somewhere, and the map of
# the source names files that exist.

use strict;
use warnings;

use File::Basename;
use File::Find;
use File::Temp qw(tempfile);
use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $records = '/usr/share/iso-codes/json/iso_3166-2.json';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->start;
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;

# What psql prints, a plan without what version 18 adds.
sub output
{
	my ($database, $sql, @options) = @_;
	my ($handle, $file) = tempfile(UNLINK => 1);
	binmode $handle;
	print $handle $sql;
	close $handle;
	my ($out, $err) = run_command(
		[ qw(psql -X -q -v ON_ERROR_STOP=1 -P footer=off), '-d', $database, @options, '-f', $file ]);
	$out =~ s/rows=(\d+)\.00/rows=$1/g;
	$out =~ s/(Memory|Spooled): \d+ kB/$1: ### kB/g;
	$out =~ s/^ *(?:Buffers|Index Searches|Window): .*\n//mg;
	$out =~ s/^ Planning:\n//mg;
	$out =~ s/\s+$//mg;
	return ($out, $err);
}

# Runs the statements of a document from the first to the last.
sub document
{
	my ($path) = @_;
	my $database = 'document_' . basename($path, '.md');
	$node->safe_psql('postgres', "CREATE DATABASE \"$database\"");
	$node->safe_psql('postgres',
		"ALTER DATABASE \"$database\" SET ted.gpu_module = '$ENV{TED_FAKE_MODULE}'")
	  if $path eq 'doc/gpu.md';
	my (undef, @sections) = split /^#+ (.*)$/m, slurp_file("$root/$path");
	while (my ($section, $text) = splice @sections, 0, 2)
	{
		while ($text =~ /^```sql\n(.*?)^```\n(?:```\n(.*?)^```\n)?/msg)
		{
			my ($sql, $expected) = ($1, $2);
			$expected =~ s/(Memory|Spooled): \d+ kB/$1: ### kB/g if defined $expected;
			my ($name) = $sql =~ /^(?!--)(.*)/m;
			my ($out, $err) = output($database, $sql, defined $expected && $expected !~ /^-[-+]*$/m ? '-t' : ());
			is($err, '', "$path, $section: $name");
			is($out, $expected =~ s/\n\z//r, "$path, $section: $name: what it prints") if defined $expected;
			while ($sql =~ /^(SELECT .*;) +-- ([\d{].*)/mg)
			{
				my ($call, $comment) = ($1, $2);
				($out) = output($database, $call, qw(-t -A -F), ', ');
				is($out, substr($comment, 0, length $out), "$path, $section: $call: the value beside it");
			}
		}
	}
	return;
}

document($_)
  for qw(README.md SECURITY.md doc/reference.md doc/costs.md doc/differences.md doc/gpu.md doc/troubleshooting.md);

SKIP:
{
	my $documents = !-r $records ? "there is no $records" : $node->safe_psql('postgres',
		"SELECT jsonb_array_length(pg_read_file('$records')::jsonb -> '3166-2')");
	skip "not the 5,127 records of iso-codes: $documents", 1 if $documents ne '5127';
	document($_) for qw(doc/joining.md doc/indexing.md doc/cookbook.md doc/examples.md);
}

# The statements of a first hour answer as a colleague would: their rows, messages and hints.
$node->safe_psql('postgres', 'CREATE DATABASE first_hour');
$node->safe_psql('first_hour', 'CREATE EXTENSION ted');
my $version = $node->safe_psql('postgres', 'SHOW server_version_num');
for my $block (split /\n\n/, slurp_file("$root/test/first_hour.sql"))
{
	my $expected = join "\n", $block =~ /^--> (.*)$/mg;
	# which PostgreSQL 19 says in a DETAIL
	$expected =~ s/No function matches the given name and argument types\. // if $version >= 190000;
	my ($out, $err) = output('first_hour', $block, qw(-t -A -F), ', ');
	my @messages = map { s/^psql:\S+ //r =~ s/:  /: /r } grep { /(?:ERROR|WARNING|NOTICE|HINT):/ } split /\n/, $err;
	is(join("\n", grep { $_ ne '' } split(/\n/, $out), @messages), $expected =~ s/\s+$//mgr, 'first hour: ' . ($block =~ /^(SELECT.*|EXPLAIN.*|CREATE.*)$/m)[0]);
}

# The reference names everything that users need of the extensions: what their comments do not call internal.
my $reference = slurp_file("$root/doc/reference.md");
$node->safe_psql('postgres', 'CREATE DATABASE reference');
$node->safe_psql('reference', 'CREATE EXTENSION ted_distributed CASCADE');
my @names = split /\n/, $node->safe_psql('reference', <<~'SQL');
	WITH members AS (
	  SELECT classid, objid FROM pg_depend
	  WHERE deptype = 'e' AND refclassid = 'pg_extension'::regclass
	    AND refobjid IN (SELECT oid FROM pg_extension WHERE extname IN ('ted', 'ted_distributed'))
	    AND coalesce(obj_description(objid, classid::regclass::name), '') NOT LIKE 'internal: %'
	)
	SELECT name FROM (
	  SELECT proname::text FROM pg_proc JOIN members ON classid = 'pg_proc'::regclass AND objid = oid
	  UNION
	  SELECT unnest(proargnames) FROM pg_proc JOIN members ON classid = 'pg_proc'::regclass AND objid = oid
	  UNION
	  SELECT typname::text FROM pg_type JOIN members ON classid = 'pg_type'::regclass AND objid = oid
	  WHERE typelem = 0
	  UNION
	  SELECT relname::text FROM pg_class JOIN members ON classid = 'pg_class'::regclass AND objid = oid
	  UNION
	  SELECT attname::text FROM pg_attribute JOIN pg_class ON attrelid = pg_class.oid
	  JOIN members ON classid = 'pg_class'::regclass AND objid = pg_class.oid
	    OR classid = 'pg_type'::regclass AND objid = reltype
	  WHERE attnum > 0
	  UNION
	  SELECT oprname::text FROM pg_operator JOIN members ON classid = 'pg_operator'::regclass AND objid = oid
	  UNION
	  SELECT opcname::text FROM pg_opclass JOIN members ON classid = 'pg_opclass'::regclass AND objid = oid
	  UNION
	  SELECT castsource::regtype || '::' || casttarget::regtype FROM pg_cast JOIN members ON classid = 'pg_cast'::regclass AND objid = oid
	) n (name)
	WHERE name <> ''
	ORDER BY name
	SQL
push @names, split /\n/, $node->safe_psql('reference',
	"LOAD 'ted'; SELECT name FROM pg_settings WHERE name LIKE 'ted.%' ORDER BY name");
push @names, 'ted_distributed';
cmp_ok(scalar @names, '>', 120, 'the extension has objects and settings');
my @missing = grep { $reference !~ /(?<![\w<>=])\Q$_\E(?![\w<>=])/ } @names;
is("@missing", '', 'the reference names every object, parameter, column and setting');

# And nothing else.
my %known = map { $_ => 1 } @names;
my @unknown = grep { !$known{$_} } $reference =~ /`((?:(?:tree|ted|lcs|scs|string|json|xml)_|ted\.)\w+)/g;
is("@unknown", '', 'the reference names nothing else');

# Default values of settings are those of the server.
my @settings = split /\n/, $node->safe_psql('reference', <<~'SQL');
	LOAD 'ted';
	SELECT format('`%s` (%s)', name,
	              CASE vartype WHEN 'string' THEN format('`%s`', boot_val) ELSE current_setting(name) END)
	FROM pg_settings WHERE name LIKE 'ted.%' AND name <> 'ted.gpu_module' ORDER BY name
	SQL
for my $setting (@settings)
{
	like($reference, qr/^\| \Q$setting\E \|/mi, "the default: $setting");
}

# The anchor that a heading has.
sub anchor
{
	my ($heading) = @_;
	$heading = lc $heading;
	$heading =~ s/[^\w\s-]//g;
	return $heading =~ s/\s/-/gr;
}

my @broken;
for my $path (map { s/^\Q$root\E\///r } glob("$root/*.md $root/doc/*.md $root/test/*.md"))
{
	my $text = slurp_file("$root/$path");
	while ($text =~ /\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)/g)
	{
		my ($file, $fragment) = ($1, $2);
		my $target = $file eq '' ? $path : dirname($path) . "/$file";
		next if $target !~ /\.(?:md|svg)$/;
		if (!-r "$root/$target")
		{
			push @broken, "$path: $file";
			next;
		}
		next if !defined $fragment;
		my @headings = slurp_file("$root/$target") =~ /^#+ (.*)$/mg;
		push @broken, "$path: $file#$fragment" if !grep { anchor($_) eq $fragment } @headings;
	}
}
is(join(', ', @broken), '', 'links between documents lead somewhere');

# The map of the source and the READMEs of its folders name files that exist, by a path or by their own name.
my %exists;
find({ no_chdir => 1, wanted => sub { $exists{ s/^\Q$root\E\///r } = 1 if !/\.(?:o|d|bc|so)$/ } },
	map { "$root/$_" } qw(src cuda test sql expected doc bench demo));
$exists{ basename($_) } = 1 for glob("$root/*.md $root/*.sql $root/Makefile");
my @files = keys %exists;
$exists{ basename($_) } = 1 for @files;

# Whether something has this name, which may have stars, and may be relative to a folder.
sub is_there
{
	my ($name, $folder) = @_;
	$name =~ s/\/$//;
	return 1 if $exists{$name} || $exists{"$folder/$name"};
	my $pattern = join '[^/]*', map { quotemeta } split /\*/, $name, -1;
	return $name =~ /\*/ && grep { /(?:^|\/)$pattern$/ } @files;
}

my @lost;
my $named = 0;
for my $path ('doc/architecture.md', grep { /^(?:src|cuda|bench|demo|test\/(?:core|gpu|random))\/(?:.*\/)?README\.md$/ } sort @files)
{
	my $text = slurp_file("$root/$path");
	while ($text =~ /`((?:[\w.*-]+\/)*(?:[\w.*-]+\.(?:c|h|cc|cu|cuh|md|mk|pl|py|sh|sql)|\w*\*|[\w-]+\/))`/g)
	{
		$named++;
		push @lost, "$path: $1" if !is_there($1, dirname($path));
	}
}
cmp_ok($named, '>', 200, 'the map of the source names files');
is(join(', ', @lost), '', 'files that the map of the source names exist');

my %folders = map { dirname($_) => 1 } grep { /^(?:src|cuda)\// } @files;
is(join(', ', grep { !$exists{"$_/README.md"} } sort keys %folders), '', 'each folder of the source has a README');

$node->stop;
done_testing();
