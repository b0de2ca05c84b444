/*
 * test_graphemes.c
 *	  Divides the texts of Unicode's own test into characters, where Debian's package
 *	  unicode-data is installed.
 */
#include <stdlib.h>
#include <string.h>

#include "../../src/core/string/graphemes.h"
#include "tap.h"

#define TEST_FILE "/usr/share/unicode/auxiliary/GraphemeBreakTest.txt"

/* The sign before a code point at which a character begins. */
#define BEGINS "\xC3\xB7"

/* Checks a line of the test file; returns whether all boundaries are right. */
static bool
check_line(char *line)
{
	TedGrapheme grapheme = {0};
	bool right = true;

	line[strcspn(line, "#")] = '\0';
	for (char *sign = strtok(line, " \t\n"); sign != NULL; sign = strtok(NULL, " \t\n"))
	{
		char *point = strtok(NULL, " \t\n");

		if (point == NULL)
			break;
		if (ted_grapheme_begins(&grapheme, (uint32_t) strtoul(point, NULL, 16)) !=
			(strcmp(sign, BEGINS) == 0))
			right = false;
	}
	return right;
}

/* Checks the boundaries that a text of code points, with 0 at the end, has in a test file. */
static void
check(const char *name, const uint32_t *points, const char *expected)
{
	TedGrapheme grapheme = {0};
	bool right = true;

	for (int i = 0; points[i] != 0; i++)
		right &= ted_grapheme_begins(&grapheme, points[i]) == (expected[i] == '|');
	ok(right, "%s", name);
}

int
main(void)
{
	FILE *file = fopen(TEST_FILE, "r");
	char line[4096];
	int lines = 0;
	int wrong = 0;

	check("letters with accents", (uint32_t[]){'a', 0x301, 'e', 0x308, 0x301, 0}, "|.|..");
	check("flags", (uint32_t[]){0x1F1E9, 0x1F1EA, 0x1F1E9, 0x1F1F0, 0x1F1E9, 0}, "|.|.|");
	check("a family", (uint32_t[]){0x1F468, 0x1F3FD, 0x200D, 0x1F469, 0x200D, 0x1F467, 'x', 0},
		  "|.....|");
	check("jamo and syllables", (uint32_t[]){0x1112, 0x1161, 0x11AB, 0xAC00, 0x11AB, 0xAC01, 0},
		  "|..|.|");
	check("vowel signs", (uint32_t[]){0x915, 0x93F, 0x928, 0x941, 0}, "|.|.");
	check("line ends", (uint32_t[]){'\r', '\n', '\n', 0x301, 0}, "|.||");
	if (file == NULL)
	{
		ok(true, "Unicode's test # SKIP no " TEST_FILE);
		return done_testing();
	}
	while (fgets(line, sizeof(line), file) != NULL)
		if (strncmp(line, BEGINS, strlen(BEGINS)) == 0)
		{
			lines++;
			wrong += !check_line(line);
		}
	fclose(file);
	ok(lines > 500 && wrong == 0, "Unicode's test: %d of %d lines are wrong", wrong, lines);
	return done_testing();
}
