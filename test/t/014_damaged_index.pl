# Whatever is wrong with the pages of a profile index, every statement ends soon, with a clear error
# or the right rows, and profile_index_check() finds what is wrong with lists and headers of pages.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

plan skip_all => 'part of the long form' if ($ENV{SCALE} // 1) <= 0.1;

# Seconds that all statements on one damaged index may take.
my $longest = 20;

my $seed = $ENV{SEED} // 1;
my $random_cases = 30;
srand($seed);
note("SEED=$seed");

my $page_bytes = 8192;
my $special_offset = $page_bytes - 8;
my $meta_offset = 24;

# Overwrites bytes of a page.
sub overwrite
{
	my ($pages, $block, $offset, $bytes) = @_;
	substr($pages->[$block], $offset, length $bytes) = $bytes;
	return;
}

# A page's next block, bucket and number of entries.
sub special
{
	my ($page) = @_;
	return unpack('LSS', substr($page, $special_offset));
}

# A bucket and its pages, in order: a given one, or the one with most pages.
sub list_of
{
	my ($pages, $wanted) = @_;
	my %bucket;
	foreach my $block (1 .. $#$pages)
	{
		my ($next, $number) = special($pages->[$block]);
		push(@{ $bucket{$number} }, $block);
	}
	my ($most) = sort { @{ $bucket{$b} } <=> @{ $bucket{$a} } || $a <=> $b } keys %bucket;
	my @list = @{ $bucket{ $wanted // $most } };
	my %led = map { (special($pages->[$_]))[0] => 1 } @list;
	my ($block) = grep { !$led{$_} } @list;
	my @order;
	while ($block != 0xFFFFFFFF)
	{
		push(@order, $block);
		($block) = special($pages->[$block]);
	}
	return ($wanted // $most, @order);
}

# Where block 0 keeps the first block of a bucket; where to insert follows.
sub meta_place { my ($bucket) = @_; return $meta_offset + 4 + 8 * $bucket; }

# The bucket of texts of 144 to 159 characters; its pages have 32 counts for each of these, then the lengths.
my $long_bucket = 1 + 128 + 1;
my $long_capacity = int(($page_bytes - 24 - 8) / (32 + 4 + 6));

# Faults of lists and headers, each of which the check has to find: what it does to the pages.
my %faults = (
	'next is the page itself' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[1], $special_offset, pack('L', $l[1])) },
	'next of the last page is itself' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[-1], $special_offset, pack('L', $l[-1])) },
	'next is block 0' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[0], $special_offset, pack('L', 0)) },
	'next of the last page is block 0' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[-1], $special_offset, pack('L', 0)) },
	'next of the last page is the first one' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[-1], $special_offset, pack('L', $l[0])) },
	'next is behind the end' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[0], $special_offset, pack('L', @$p + 3)) },
	'next is far behind the end' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[-1], $special_offset, pack('L', 0xFFFFFFFE)) },
	'next is of another bucket' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[0], $special_offset, pack('L', (list_of($p, $long_bucket))[1])) },
	'bucket is another one' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[1], $special_offset + 4, pack('S', $b + 1)) },
	'too many entries' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[1], $special_offset + 6, pack('S', 0xFFFF)) },
	'pd_lower' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[1], 12, pack('S', 24)) },
	'pd_upper' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[1], 14, pack('S', $special_offset - 8)) },
	'pd_lower of the last page' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[-1], 12, pack('S', 28)) },
	'pd_special' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[1], 12, pack('SSS', ($special_offset - 8) x 3)) },
	'no header' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[1], 0, "\xFF" x 24) },
	'an empty page' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[1], 0, "\0" x $page_bytes) },
	'a length' => sub { my ($p, $b, @l) = @_; overwrite($p, (list_of($p, $long_bucket))[1], 24 + 32 * $long_capacity, pack('l', -5)) },
	'no place of a row' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[0], $special_offset - 6 * 10, "\0" x 60) },
	'block 0 is empty' => sub { my ($p) = @_; overwrite($p, 0, 0, "\0" x $page_bytes) },
	'block 0 is of another kind' => sub { my ($p) = @_; overwrite($p, 0, $meta_offset, 'heap') },
	'pd_lower of block 0' => sub { my ($p) = @_; overwrite($p, 0, 12, pack('S', 24)) },
	'a bucket begins with block 0' => sub { my ($p, $b) = @_; overwrite($p, 0, meta_place($b), pack('LL', 0, 0)) },
	'a bucket begins behind the end' => sub { my ($p, $b) = @_; overwrite($p, 0, meta_place($b), pack('L', @$p + 9)) },
	'rows are inserted into block 0' => sub { my ($p, $b) = @_; overwrite($p, 0, meta_place($b) + 4, pack('L', 0)) },
	'rows are inserted into another bucket' => sub { my ($p, $b) = @_; overwrite($p, 0, meta_place($b) + 4, pack('L', (list_of($p, $long_bucket))[1])) },
	'the end is missing' => sub { my ($p) = @_; $#$p = int(@$p / 2) },
	'all but block 0 is missing' => sub { my ($p) = @_; $#$p = 0 },
);

# The same for places that lead to pages, and rows that are lost without any such sign.
my %lost = (
	'the first page has no next' => sub { my ($p, $b, @l) = @_; overwrite($p, $l[0], $special_offset, pack('L', 0xFFFFFFFF)) },
	'a bucket has no pages' => sub { my ($p, $b) = @_; overwrite($p, 0, meta_place($b), pack('LL', (0xFFFFFFFF) x 2)) },
);

# Random bytes, in all places.
sub random_fault
{
	my ($pages) = @_;
	foreach (1 .. 1 + int(rand(3)))
	{
		my $block = int(rand(@$pages));
		my $from = (sub { 0 }, sub { $special_offset }, sub { int(rand($page_bytes - 20)) })[ rand(3) ]->();
		my $count = 1 + int(rand($from == $special_offset ? 8 : 20));
		my $bytes = join('', map { chr(int(rand(256))) } 1 .. $count);
		overwrite($pages, $block, $from + ($from == 0 ? int(rand(24 - 20 + 1)) : 0), $bytes);
	}
	return;
}

my @cases = (
	(map { { name => $_, fault => $faults{$_}, rows => 'all', found => 1 } } sort keys %faults),
	(map { { name => $_, fault => $lost{$_}, rows => 'some', found => 1 } } sort keys %lost),
	(map { { name => "random bytes $_", fault => \&random_fault, rows => 'some' } } 1 .. $random_cases),
	{ name => 'nothing', fault => sub { }, rows => 'all', found => 0 });

my $node = PostgreSQL::Test::Cluster->new('main');
my ($version) = (run_command([ 'initdb', '--version' ]))[0] =~ /(\d+)/;
my @options = ('no-data-checksums') x ($version >= 18);
$node->init(extra => [ map { "--$_" } @options ]);
$node->append_conf('postgresql.conf', "autovacuum = off\njit = off");
$node->start;

# The statements on an index, and the setting that is off meanwhile; rows begin with their number.
my $rows = q{count(DISTINCT id) || ' ' || md5(string_agg(id::text, ',' ORDER BY id))};
my %statements = (
	'1 within' => [ "SELECT $rows FROM names WHERE lcs_within(name, 'name 0100', 2)", 'enable_bitmapscan' ],
	'2 bitmap' => [ "SELECT $rows FROM names WHERE lcs_within(name, 'name 0100', 2)", 'enable_indexscan' ],
	'3 long' => ["SELECT $rows FROM names WHERE lcs_similar(name, repeat('long ', 30), 0.9)"],
	'4 nearest' => [q{SELECT md5(string_agg(d::text, ',' ORDER BY d)) FROM (SELECT name <~> 'name 0100' AS d FROM names ORDER BY name <~> 'name 0100' LIMIT 2500) n}],
	'5 all' => [ 'SELECT count(*) FROM names', 'enable_bitmapscan' ],
	'6 check' => [q{SELECT profile_index_check('names_name_idx')}],
	'7 insert' => [q{INSERT INTO names SELECT 10000 + i, 'name ' || to_char(i, 'FM0000') FROM generate_series(1, 700) i}],
	'8 insert of long names' => [q{INSERT INTO names SELECT 20000 + i, repeat('long ', 30) || i FROM generate_series(1, 260) i}],
	'9 delete' => [q{DELETE FROM names WHERE id % 5 = 0}],
	'a vacuum' => [q{VACUUM names}],
	'b check' => [q{SELECT profile_index_check('names_name_idx')}]);

# The answers of all statements in the schema of a case: by name, rows or an SQLSTATE; undef if they do not end.
sub results
{
	my ($schema) = @_;
	my $script = "SET search_path = $schema, public; SET statement_timeout = '10s'; SET enable_seqscan = off;\n";
	foreach my $name (sort keys %statements)
	{
		my ($statement, $off) = @{ $statements{$name} };
		$off //= 'enable_hashjoin';
		$script .= "SET $off = off;\n\\echo \@$name\n$statement;\n\\echo :SQLSTATE\nRESET $off;\n";
	}
	my ($timed_out, $stdout) = (0, '');
	$node->psql('postgres', $script, stdout => \$stdout, stderr => \my $stderr, timeout => $longest, timed_out => \$timed_out,
		on_error_stop => 0);
	return if $timed_out;
	my %results;
	foreach my $part (grep { length } split(/^@/m, $stdout))
	{
		my ($name, @lines) = split(/\n/, $part);
		$results{$name} = { sqlstate => pop @lines, rows => join("\n", @lines) };
	}
	return \%results;
}

$node->safe_psql('postgres', 'CREATE EXTENSION ted');
foreach my $i (0 .. $#cases)
{
	$node->safe_psql('postgres', <<~SQL);
		CREATE SCHEMA s$i;
		CREATE TABLE s$i.names (id int, name text);
		INSERT INTO s$i.names
		SELECT i, CASE WHEN i % 50 = 0 THEN NULL WHEN i % 20 = 0 THEN repeat('long ', 30) || i % 7 WHEN i % 10 = 0 THEN repeat('n', i / 30)
		          ELSE 'name ' || to_char(i, 'FM0000') END
		FROM generate_series(1, 2500) i;
		CREATE INDEX ON s$i.names USING profile (name);
		SQL
	$cases[$i]{path} = $node->data_dir . '/' . $node->safe_psql('postgres', "SELECT pg_relation_filepath('s$i.names_name_idx')");
}
my $expected = results('s' . $#cases);
is(join(' ', map { $expected->{$_}{sqlstate} } sort keys %statements), join(' ', ('00000') x keys %statements), 'statements work');
like($node->safe_psql('postgres', "SET search_path = s0, public; SET enable_seqscan = off; EXPLAIN $statements{$_}[0]"), qr/names_name_idx/, "$_: uses the index")
  foreach sort grep { /^[1-5]/ } keys %statements;
$node->stop;

foreach my $case (@cases)
{
	my $bytes = slurp_file($case->{path});
	my @pages = unpack("(a$page_bytes)*", $bytes);
	$case->{fault}->(\@pages, list_of(\@pages)) if $case->{name} ne 'nothing';
	open(my $file, '+<', $case->{path}) or die "$case->{path}: $!";
	binmode($file);
	truncate($file, 0);
	print $file join('', @pages);
	close($file) or die "$case->{path}: $!";
}
$node->start;

my $corrupted = qr/^XX00[12]$/;
my $latest = 0;
foreach my $i (0 .. $#cases - 1)
{
	my ($case, $start) = ($cases[$i], time);
	my $results = results("s$i");
	my @wrong;
	my $took = time - $start;

	$latest = $took if $took > $latest;
	push(@wrong, 'does not end') if !defined $results;
	foreach my $name (sort keys %{ $results // {} })
	{
		my ($sqlstate, $rows) = @{ $results->{$name} }{ 'sqlstate', 'rows' };
		# where bounds of distances are wrong, PostgreSQL sees that rows are not in their order
		my $expected_error = $case->{rows} eq 'some' && $name eq '4 nearest' ? qr/^XX00[012]$/ : $corrupted;
		push(@wrong, "$name: error $sqlstate") if $sqlstate ne '00000' && $sqlstate !~ $expected_error;
		next if $sqlstate ne '00000';
		push(@wrong, "$name: other rows") if $case->{rows} eq 'all' && $rows ne $expected->{$name}{rows};
		push(@wrong, "$name: more rows") if $name =~ /^[1-3]/ && (split(/ /, $rows))[0] > (split(/ /, $expected->{$name}{rows}))[0];
	}
	push(@wrong, 'is not found') if $case->{found} && defined $results && $results->{'6 check'}{sqlstate} ne 'XX002' && $results->{'6 check'}{sqlstate} ne 'XX001';
	is(join('; ', @wrong), '', $case->{name});
	if (!defined $results)
	{
		# a lock that is never free
		$node->stop('immediate');
		$node->start;
	}
}
cmp_ok($latest, '<', 5, sprintf('all statements on an index end within %.1f s', $latest));

# A new index is as good as the table.
$node->safe_psql('postgres', 'REINDEX TABLE s0.names; REINDEX TABLE s3.names');
is($node->safe_psql('postgres', "SELECT profile_index_check('$_.names_name_idx')"), '', 'REINDEX mends an index') foreach qw(s0 s3);
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC|TRAP/, 'nothing crashes');

# Who may call the check, and of what.
my ($ret, $stdout, $stderr) = $node->psql('postgres', "CREATE ROLE someone; GRANT USAGE ON SCHEMA s0 TO someone; SET ROLE someone; SELECT profile_index_check('s0.names_name_idx')");
like($stderr, qr/permission denied for function profile_index_check/, 'not everybody may check');
($ret, $stdout, $stderr) = $node->psql('postgres', "SELECT profile_index_check('s0.names')");
like($stderr, qr/"names" is not a profile index/, 'a table is not checked');
($ret, $stdout, $stderr) = $node->psql('postgres', "SELECT profile_index_check('pg_class_oid_index')");
like($stderr, qr/"pg_class_oid_index" is not a profile index/, 'a btree is not checked');

$node->stop;
done_testing();
