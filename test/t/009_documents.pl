# Real documents become trees and come back, and patches lead from one to the next.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(extra => [ '--encoding=UTF8', '--locale=C' ]);
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION ted');
local $ENV{PGHOST} = $node->host;
local $ENV{PGPORT} = $node->port;
local $ENV{PGDATABASE} = 'postgres';

# Whether a patch of one document makes the other of it: of XML, as trees of all but prefixes.
my %patched = (
	jsonb => 'json_patch_apply(a.doc, json_patch(a.doc, b.doc))::text = b.doc::text',
	xml => <<~'SQL',
		tree_from_xml(xml_patch_apply(a.doc, xml_patch(a.doc, b.doc)), text_nodes => 'preserve', namespaces => 'uri')
		= tree_from_xml(b.doc, text_nodes => 'preserve', namespaces => 'uri')
		SQL
);

# The short form takes two collections.
my $quick = ($ENV{SCALE} // 1) < 1;
my @collections = ([ 'mime', 'xml' ], [ 'iso3166_2', 'jsonb' ]);
push @collections, [ 'cldr_unit', 'xml' ], [ 'iso639_3', 'jsonb' ], [ 'pyast_json', 'jsonb' ] unless $quick;
for (@collections)
{
	my ($name, $type) = @$_;
	subtest $name => sub {
		my ($stdout, $stderr) = run_command([ "$FindBin::Bin/../collections/load.sh", $name ]);
		plan skip_all => $stderr if $stderr =~ /^There is no/;
		is($stderr, '', 'the collection is there');
		cmp_ok($node->safe_psql('postgres', "SELECT count(*) FROM $name"), '>', 100, 'it has documents');
		is($node->safe_psql('postgres', "SELECT count(*) FROM $name WHERE doc::tree::${type}::tree <> doc::tree"),
			'0', 'all trees come back');
		is( $node->safe_psql('postgres',
				"SELECT count(*) FROM $name a JOIN $name b ON b.id = a.id + 1 WHERE a.id % 20 = 0 AND a.id < 10000 AND NOT ($patched{$type})"),
			'0',
			'patches of neighbours lead to the next');
		$node->safe_psql('postgres', "DROP TABLE $name");
	};
}

$node->stop;
done_testing();
