# Writes grapheme_table.h from the files of the Unicode Character Database, which Debian
# has in the package unicode-data:
#
#   perl src/core/string/grapheme_table.pl /usr/share/unicode >src/core/string/grapheme_table.h

use strict;
use warnings;

my $folder = shift // die "usage: grapheme_table.pl FOLDER\n";
my %property;
my $version;

# Reads the ranges of the properties that have a name in a file.
sub read_ranges
{
	my ($path, %name) = @_;
	open my $in, '<', $path or die "$path: $!\n";
	while (my $line = <$in>)
	{
		$version //= $1 if $line =~ /^# GraphemeBreakProperty-([\d.]+)\.txt/;
		my ($first, $last, $value) = $line =~ /^([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)/ or next;
		next if !$name{$value};
		$property{$_} //= $name{$value} for hex $first .. hex($last // $first);
	}
	close $in;
}

# Syllables of Hangul are computed.
read_ranges("$folder/auxiliary/GraphemeBreakProperty.txt",
	CR => 'CR', LF => 'LF', Control => 'CONTROL', Extend => 'EXTEND', ZWJ => 'ZWJ',
	Regional_Indicator => 'REGIONAL', Prepend => 'PREPEND', SpacingMark => 'SPACING',
	L => 'HANGUL_L', V => 'HANGUL_V', T => 'HANGUL_T');
read_ranges("$folder/emoji/emoji-data.txt", Extended_Pictographic => 'PICTURE');

my @ranges;
for my $point (sort { $a <=> $b } keys %property)
{
	if (@ranges && $ranges[-1][1] == $point - 1 && $ranges[-1][2] eq $property{$point})
	{
		$ranges[-1][1] = $point;
	}
	else
	{
		push @ranges, [ $point, $point, $property{$point} ];
	}
}

print <<"END";
/*
 * grapheme_table.h
 *	  Code points that do not always stand alone, of Unicode $version.
 *
 * Written by grapheme_table.pl.
 */
/* clang-format off */
static const GraphemeRange ranges[] = {
END
my $line = '';
for my $range (map { sprintf '{0x%04X, 0x%04X, %s},', @$_ } @ranges)
{
	if (length($line) + length($range) > 92)
	{
		print "\t$line\n";
		$line = '';
	}
	$line .= ($line ? ' ' : '') . $range;
}
print "\t$line\n};\n";
