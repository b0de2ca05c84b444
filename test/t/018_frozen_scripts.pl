# The scripts of released versions stay as they are: databases have their objects.

use strict;
use warnings;

use Digest::SHA;
use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";
my $recorded = "$root/test/frozen.sha256";

plan skip_all => 'no version is released yet; "make freeze" records the checksums of its scripts' if !-e $recorded;

open(my $file, '<', $recorded) or die "$recorded: $!";
while (my $line = <$file>)
{
	my ($checksum, $script) = $line =~ /^([0-9a-f]{64})  (\S+\.sql)$/ or die "$recorded: $line";
	is(-r "$root/$script" ? Digest::SHA->new(256)->addfile("$root/$script")->hexdigest : 'no such file', $checksum, "$script is as it was released")
	  or diag("A change of a released version is an upgrade script: CONTRIBUTING.md, Versions.");
}
close $file;

done_testing();
