# In every encoding of the server, a text is compared character by character: as
# the array of its characters is.  No collation changes that.  Pages of HTML are read so, too.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# what is sent and received is in ASCII; characters are escaped
local $ENV{PGCLIENTENCODING} = 'SQL_ASCII';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->start;

# Characters of several bytes, in hexadecimal; some begin or end alike.
my %characters = (
	EUC_JP => [qw(a4a2 a4a4 a5a2 8eb1 8eb2 8fb0a1 8fb0a2 61)],
	EUC_JIS_2004 => [qw(a4a2 a4a4 a5a2 8eb1 8fb0a1 61)],
	EUC_CN => [qw(b0a1 b0a2 b1a1 61)],
	EUC_KR => [qw(b0a1 b0a2 b1a1 61)],
	EUC_TW => [qw(c4a1 c4a2 c5a1 8ea2a1a1 8ea2a1a2 61)],
	MULE_INTERNAL => [qw(81e9 81e8 92a4a2 92a4a4 9af0a1 9cf0a1a2 61)],
	UTF8 => [qw(c3a9 c3a8 cc81 65 e69da1 e69da2 f09f9880 f09f9881)],
);

# Those of all other encodings have one byte, whether it is assigned or not.
my @bytes = qw(61 80 a1 c3 e9 ff);

# How often the functions of two texts differ from those of the arrays of their characters.
sub faults
{
	my ($database, @characters) = @_;
	my $array = join ', ', map { "E'" . s/(..)/\\x$1/gr . "'" } @characters;
	my $count = @characters;
	return $node->safe_psql($database, <<~"SQL");
		CREATE EXTENSION ted;
		CREATE TABLE strings AS
		SELECT i, array_to_string(a, '') AS s, a
		FROM generate_series(0, 24) AS i, LATERAL (
		  SELECT ARRAY(SELECT (ARRAY[$array])[1 + abs(hashint4(31 * i + j)) % $count]
					   FROM generate_series(1, i * 7 % 80) AS j) AS a) AS t;
		SELECT count(*),
		  count(*) FILTER (WHERE length(x.s) <> cardinality(x.a)),
		  count(*) FILTER (WHERE lcs_length(x.s, y.s) <> lcs_length(x.a, y.a) OR scs_length(x.s, y.s) <> scs_length(x.a, y.a)),
		  count(*) FILTER (WHERE lcs_distance(x.s, y.s) <> lcs_distance(x.a, y.a) OR lcs_similarity(x.s, y.s) <> lcs_similarity(x.a, y.a)),
		  count(*) FILTER (WHERE lcs(x.s, y.s) <> array_to_string(lcs(x.a, y.a), '') OR scs(x.s, y.s) <> array_to_string(scs(x.a, y.a), '')),
		  count(*) FILTER (WHERE (SELECT array_agg((operation, a_from, a_to, b_from, b_to, a_part, b_part)) FROM lcs_opcodes(x.s, y.s)) IS DISTINCT FROM
			(SELECT array_agg((operation, a_from, a_to, b_from, b_to, array_to_string(a_part, ''), array_to_string(b_part, ''))) FROM lcs_opcodes(x.a, y.a))),
		  count(*) FILTER (WHERE (lcs_similarities(x.s, ARRAY[y.s]))[1] <> lcs_similarity(x.a, y.a) OR (lcs_lengths(x.s, ARRAY[y.s]))[1] <> lcs_length(x.a, y.a)),
		  count(*) FILTER (WHERE (SELECT similarity FROM lcs_nearest(x.s, ARRAY[y.s], 1)) <> lcs_similarity(x.a, y.a))
		FROM strings AS x, strings AS y;
		SQL
}

my @encodings = split /\n/, $node->safe_psql('postgres',
	"SELECT name FROM generate_series(0, pg_char_to_encoding('KOI8U')) i, pg_encoding_to_char(i) name WHERE name <> '' ORDER BY i");
cmp_ok(scalar @encodings, '>', 30, 'the server has encodings');
# The short form takes one of those with one byte, and the one without characters.
my $quick = ($ENV{SCALE} // 1) < 1;
@encodings = grep { $characters{$_} || $_ eq 'LATIN1' || $_ eq 'SQL_ASCII' } @encodings if $quick;
for my $encoding (@encodings)
{
	$node->safe_psql('postgres',
		"CREATE DATABASE encoded TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
	is(faults('encoded', @{ $characters{$encoding} // \@bytes }), '625|0|0|0|0|0|0|0', "texts in $encoding");
	$node->safe_psql('postgres', 'DROP DATABASE encoded');
}

# A page of HTML is in the encoding of the server, whatever it says.
for ([ LATIN1 => 'e9', '&eacute;' ], [ EUC_JP => 'c5ec', '&#26481;' ], [ UTF8 => 'e69db1', '&#x6771;' ])
{
	my ($encoding, $bytes, $reference) = @$_;
	my $character = "E'" . $bytes =~ s/(..)/\\x$1/gr . "'";
	$node->safe_psql('postgres',
		"CREATE DATABASE encoded TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
	is($node->safe_psql('encoded', <<~"SQL"), 't|1|0.75', "HTML in $encoding");
		CREATE EXTENSION ted;
		SELECT tree_from_html('<meta charset=utf-16><p title="' || c || '">$reference' || c) =
			format('{html{head{meta{\@charset{utf-16}}}}{body{p{\@title{%1\$s}}{%1\$s%1\$s}}}}', c)::tree,
			teds('<table><tr><td>' || c, '<table><tr><td>$reference'),
			teds('<table><tr><td>' || c || c, '<table><tr><td>x' || c)
		FROM (VALUES ($character)) AS t (c);
		SQL
	is($node->safe_psql('encoded', <<~"SQL"), 't|t|t|t|t', "XML, patches and pictures in $encoding");
		SELECT tree_from_xml(xml::xml) = tree, tree_to_xml(tree)::text = xml,
			xml_patch_apply('<a><b/></a>', xml_patch('<a><b/></a>', ('<a>' || xml || '</a>')::xml))::text = '<a>' || xml || '</a>',
			json_patch_apply('[1]', json_patch('[1]', jsonb_build_array(c))) = jsonb_build_array(c),
			tree_diff_html(to_jsonb('x ' || c), to_jsonb('y ' || c)) ~ 'y.*&#x(E9|6771);'
		FROM (VALUES ($character)) AS t (c), format('<%1\$s %1\$s="%1\$s">%1\$s</%1\$s>', c) xml, CAST(format('{%1\$s{@%1\$s{%1\$s}}{%1\$s}}', c) AS tree) tree;
		SQL
	$node->safe_psql('postgres', 'DROP DATABASE encoded');
}

# Where characters are bytes, those that are no UTF-8 are shown as U+FFFD.
$node->safe_psql('postgres',
	"CREATE DATABASE encoded TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'");
is($node->safe_psql('encoded', <<~'SQL'), 't', 'a picture in SQL_ASCII');
	CREATE EXTENSION ted;
	SELECT tree_diff_html('{a}', E'{\xe6\x9d\xb1\xe9}') ~ '&#x6771;&#xFFFD;';
	SQL
is($node->safe_psql('encoded', <<~'SQL'), '~ a number of sm[-\303\266-]{+\303\274+}r bytes', 'differences of what may be a character in SQL_ASCII');
	SELECT encode(convert_to(tree_diff(format('{%s}', a)::tree, format('{%s}', b)::tree), 'SQL_ASCII'), 'escape')
	FROM (VALUES (E'a number of sm\xc3\xb6r bytes', E'a number of sm\xc3\xbcr bytes')) AS t (a, b);
	SQL
$node->safe_psql('postgres', 'DROP DATABASE encoded');

# Documents with characters that the encoding does not have, or with other bytes, are NULL or false,
# and pages are compared in spite of them.
for ([ SQL_ASCII => q{xmlelement(name a, E'\x80\x81')} ], [ LATIN1 => q{'<a>&#3585;</a>'} ], [ EUC_JP => q{'<a>&#3585;</a>'} ])
{
	my ($encoding, $xml) = @$_;
	$node->safe_psql('postgres',
		"CREATE DATABASE encoded TEMPLATE template0 ENCODING '$encoding' LOCALE 'C'");
	$node->safe_psql('encoded', 'CREATE EXTENSION ted');
	is($node->safe_psql('encoded', <<~"SQL"), 't|t|f|f|t', "documents that $encoding cannot have");
		SELECT bool_and(tree_from_json(j::json, on_error => 'null') IS NULL),
			bool_and(tree_from_json(j::json, on_error => 'null', fold_case => true) IS NULL),
			bool_or(tree_convertible(j::json)), bool_or(tree_convertible(x)),
			bool_and(tree_from_xml(x, on_error => 'null') IS NULL)
		FROM (VALUES ('{"a":"\\u0e01"}', CAST($xml AS xml)), ('{"\\u0e01":[]}', NULL), ('["\\ud83d\\ude00"]', NULL)) AS t (j, x);
		SQL
	is($node->safe_psql('encoded', <<~'SQL'), '0.5|1', "tables in $encoding");
		SELECT teds('<table><tr><td>&#3585;', '<table><tr><td>&#3586;'), teds('<table><tr><td>&#3585;', '<table><tr><td>&#3585;');
		SQL
	$node->safe_psql('postgres', 'DROP DATABASE encoded');
}
$node->safe_psql('postgres',
	"CREATE DATABASE encoded TEMPLATE template0 ENCODING 'SQL_ASCII' LOCALE 'C'");
is($node->safe_psql('encoded', <<~'SQL'), '0.5|1|t', 'bytes of HTML in SQL_ASCII');
	CREATE EXTENSION ted;
	SELECT teds(E'<table><tr><td>\xe9', E'<table><tr><td>\xe8'), teds(E'<table><tr><td>\xe9', E'<table><tr><td>\xc3\xa9'),
		tree_from_html(E'<p>\xe9') = E'{html{body{p{\xc3\xa9}}}}'::tree;
	SQL
my (undef, undef, $error) = $node->psql('encoded', "SELECT tree_to_xml(E'{a{\xe9 }}')");
like($error, qr/tree cannot be converted to XML/, 'bytes of a tree that are no characters');
$node->safe_psql('postgres', 'DROP DATABASE encoded');

# Collations: equal to one of them, and yet compared by characters.
$node->safe_psql('postgres', 'CREATE EXTENSION ted');
SKIP:
{
	my ($status) = $node->psql('postgres',
		"CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false)");
	skip 'the server has no collations of ICU', 1 if $status != 0;
	is($node->safe_psql('postgres', <<~'SQL'), 't|6|f|0', 'a collation that ignores case');
		SELECT a = b, lcs_distance(a, b), lcs_similar(a, b, 0.1), lcs_length(a, b)
		FROM (VALUES ('abc' COLLATE any_case, 'ABC' COLLATE any_case)) AS t (a, b)
		SQL
}

$node->stop;
done_testing();
