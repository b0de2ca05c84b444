# Others may create functions and operators in the extensions' schemas: none of theirs is
# called in place of what the extensions' SQL and PL/pgSQL mention, here or on servers,
# whatever the search path.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'part of the long form' if ($ENV{SCALE} // 1) <= 0.1;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "jit = off\ntrack_functions = all");
$node->start;

my $overloads = slurp_file("$FindBin::Bin/overloads.sql");

# Runs statements, as a superuser.
sub sql
{
	my ($sql, @options) = @_;
	return $node->safe_psql('postgres', $sql, @options);
}

# before the extensions: what their own statements are bound to when they are created
sql('CREATE DATABASE model');
$node->safe_psql('model', "CREATE EXTENSION ted_distributed CASCADE; CREATE EXTENSION dblink; $overloads");
sql(q{CREATE SCHEMA ext; CREATE SCHEMA joins; CREATE ROLE other LOGIN; GRANT CREATE, USAGE ON SCHEMA ext, joins, public TO other});
my @as_other = (extra_params => [ '-U', 'other' ]);
$node->psql('postgres', $node->safe_psql('model', "SELECT statement || ';' FROM planting.statements('$_')"), @as_other, on_error_stop => 0)
  for 'ext', 'joins';
my $planted = q{SELECT count(*) FROM pg_proc WHERE proowner = 'other'::regrole};
cmp_ok(sql($planted), '>', 10000, 'there are overloads before the extensions are created');
sql('CREATE EXTENSION ted SCHEMA ext; CREATE EXTENSION ted_distributed SCHEMA joins; CREATE EXTENSION dblink SCHEMA ext; CREATE EXTENSION postgres_fdw');
is( sql(q{WITH planted AS (
			SELECT 'pg_proc'::regclass AS class, oid FROM pg_proc WHERE proowner = 'other'::regrole
			UNION ALL SELECT 'pg_operator', oid FROM pg_operator WHERE oprowner = 'other'::regrole)
		SELECT pg_describe_object(classid, objid, objsubid), pg_describe_object(refclassid, refobjid, 0)
		FROM pg_depend JOIN planted ON class = refclassid AND oid = refobjid WHERE (classid, objid) NOT IN (SELECT class, oid FROM planted)}),
	'', 'nothing of the extensions is bound to them');

# what calls find, before there are more of them
sql(q{CREATE TABLE docs AS SELECT i AS id, ('{a{b' || i % 9 || '}{c' || i % 30 || '}{d' || i || '}}')::ext.tree AS doc, 'name of ' || i AS name
	FROM generate_series(1, 300) i});
sql(q{CREATE ROLE caller SUPERUSER LOGIN});
sql("CREATE SERVER here FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '" . $node->host . "', port '" . $node->port . "', dbname 'postgres')");
sql(q{CREATE USER MAPPING FOR caller SERVER here OPTIONS (user 'caller')});
my $arguments = q{'public.docs'::pg_catalog.regclass, %s, '{here,here}'::pg_catalog.name[], 'id'::pg_catalog.name, '%s'::pg_catalog.name,
	%s::pg_catalog.int4, NULL::pg_catalog.name, %s::pg_catalog.regclass, false, '{}'::pg_catalog.name[]};
my $trees = 'SELECT * FROM joins.tree_within_pairs_distributed(' . sprintf($arguments, '1::pg_catalog.float8', 'doc', '%s', '%s') . ')';
my $names = 'SELECT * FROM joins.lcs_similar_pairs_distributed(' . sprintf($arguments, q{'0.9'::pg_catalog.float8}, 'name', '%s', '%s') . ')';
my @calls = (
	map({ my $call = $_; map { sprintf $call, @$_ } [ 'NULL', 'NULL' ], [ 5, 'NULL' ], [ 3, q{'public.docs'} ] } $trees, $names),
	sprintf($trees =~ s/'1'::|1::/40::/r, 5, 'NULL'), sprintf($trees =~ s/false/true/r, 3, 'NULL'));

# and calls of all other functions in SQL, with a value of each type
my %value = (
	integer => '1::pg_catalog.int4', bigint => '1::pg_catalog.int8', 'double precision' => q{'0.5'::pg_catalog.float8},
	boolean => 'false', text => q{'a'::pg_catalog.text}, bytea => q{'a'::pg_catalog.bytea},
	xml => q{'<a><b/></a>'::pg_catalog.xml}, 'xml[]' => q{'{<a/>}'::pg_catalog.xml[]},
	json => q{'{"a": 1}'::pg_catalog.json}, 'json[]' => q{ARRAY['1'::pg_catalog.json]},
	jsonb => q{'{"a": 1}'::pg_catalog.jsonb}, 'jsonb[]' => q{ARRAY['1'::pg_catalog.jsonb]},
	'text[]' => q{'{a,b}'::pg_catalog.text[]}, 'integer[]' => q{'{1,2}'::pg_catalog.int4[]}, 'bigint[]' => q{'{1,2}'::pg_catalog.int8[]},
	'ext.tree' => q{'{a{b}}'::ext.tree}, 'ext.tree[]' => q{'{"{a}"}'::ext.tree[]}, 'ext.tree_costs' => q{'{}'::ext.tree_costs});
my $members = q{pg_proc p JOIN pg_language l ON l.oid = prolang JOIN pg_depend d ON d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
	JOIN pg_extension e ON e.oid = d.refobjid AND extname IN ('ted', 'ted_distributed')};
for (split /\n/, sql("SET search_path = ''; SELECT p.oid::regproc, (SELECT string_agg(t::regtype::text, ',' ORDER BY i) FROM unnest(proargtypes) WITH ORDINALITY a(t, i))
		FROM $members WHERE lanname = 'sql'"))
{
	my ($name, $types) = split /\|/;
	my @types = split /,/, $types;
	push @calls, "SELECT * FROM $name(" . join(', ', map { $value{$_} } @types) . ')' unless grep { !$value{$_} } @types;
}
cmp_ok(scalar(@calls), '>', 40, 'there are many calls');

# What each call prints: its rows in order, and its errors.
sub outcomes
{
	my ($path) = @_;
	my ($rc, $rows, $errors) = $node->psql('postgres', "SET search_path = $path;\n" . join('', map { "\\echo ##\n\\warn ##\n$_;\n" } @calls),
		extra_params => [ '-U', 'caller' ], on_error_stop => 0);
	my (undef, @found) = split /^##$/m, $rows, -1;
	my (undef, @errors) = split /^##$/m, $errors =~ s/^psql:<stdin>:\d+: INFO:.*\n|^psql:<stdin>:\d+: |^LINE .*\n.*\n|^CONTEXT:.*\n(?!\w+:)|\b(?:ext|joins)\.//mgr;
	return map { join("\n", sort split /\n/, $found[$_]) . $errors[$_] } 0 .. $#calls;
}
my @expected = outcomes(q{''});
like($expected[$_], qr/^\d+\|\d+\|/m, "there are pairs: $calls[$_]") for 0 .. 6;

# more of them: with the extensions' types, and in public
sql($overloads);
sql('GRANT USAGE ON SCHEMA planting TO other');
sql(qq{SELECT planting.plant('$_')}, @as_other) for 'ext', 'joins', 'public';
cmp_ok(sql($planted), '>', 30000, 'there are overloads of all that is mentioned');
sql(q{ALTER ROLE caller SET search_path = joins, ext, public, pg_catalog});
my ($rc, $out, $errors) = $node->psql('postgres', q{SELECT 1::bigint + 2::integer}, extra_params => [ '-U', 'caller' ]);
like($errors, qr/planted overload/, 'which are called where a name is not qualified');
for my $path ('joins, ext, public, pg_catalog', 'ext, joins, public', q{''}, 'pg_temp, public, joins, ext, pg_catalog')
{
	my @found = outcomes($path);
	is(join("\n", map { "$calls[$_]\n$found[$_]" } grep { $found[$_] ne $expected[$_] } 0 .. $#calls), '', "the same is called, search_path = $path");
}

# all that is looked up at run time has been called; what needs Citus is called by test/citus/
is(sql("SET search_path = pg_catalog; SELECT proname FROM $members WHERE lanname IN ('sql', 'plpgsql') AND prosqlbody IS NULL AND proname !~ 'citus|_(keep|insert)_(pairs|clusters)'
		AND p.oid NOT IN (SELECT funcid FROM pg_stat_user_functions)"), '', 'all functions were called');

$node->stop;
done_testing();
