/*
 * bench_sql.c
 *	  What sql.sh compares: its documents, and the core's time for them.
 *
 * usage: bench_sql make DIRECTORY		writes the files of documents, one a line
 *		  bench_sql exact|within|lcs FILE	prints the core's seconds a pair
 *
 * The first document of a file is compared with each of the others, as a
 * query compares a constant with a column.
 */
#include <stdlib.h>
#include <string.h>

#include "../src/core/string/lcs.h"
#include "../test/core/random.h"
#include "bench.h"
#include "trees.h"

#define MAX_DOCUMENTS 50000
#define LIMIT 3
#define ALPHABET 20

static char *documents[MAX_DOCUMENTS];
static int count;

/* Opens a file of a directory for writing. */
static FILE *
create(const char *directory, const char *name)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "w");
	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	return file;
}

/* Writes a tree in bracket notation. */
static void
write_tree(FILE *file, const TreeEvents *events)
{
	for (int32_t i = 0; i < events->count; i++)
		if (events->event[i] == TREE_END)
			fputc('}', file);
		else
			fprintf(file, "{%d", events->event[i]);
	fputc('\n', file);
}

/* Writes trees: unrelated ones, or the first one and edited copies of it. */
static void
make_trees(const char *directory, const char *name, int32_t size, int trees, int32_t edits)
{
	FILE *file = create(directory, name);
	TreeEvents first = random_tree(size);

	write_tree(file, &first);
	for (int i = 1; i < trees; i++)
	{
		TreeEvents events = edits > 0 ? edited_tree(&first, edits) : random_tree(size);

		write_tree(file, &events);
		free(events.event);
	}
	fclose(file);
}

/* Writes strings of random letters. */
static void
make_strings(const char *directory, const char *name, int32_t length, int strings)
{
	FILE *file = create(directory, name);

	for (int i = 0; i < strings; i++)
	{
		for (int32_t k = 0; k < length; k++)
			fputc('a' + (int) random_below(ALPHABET), file);
		fputc('\n', file);
	}
	fclose(file);
}

/* Reads the documents of a file. */
static void
read_documents(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t room = 0;

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	while (count < MAX_DOCUMENTS && getline(&documents[count], &room, file) > 0)
	{
		documents[count][strcspn(documents[count], "\n")] = '\0';
		count++;
		room = 0;
	}
	fclose(file);
}

/* Compares the first tree with the others. */
static double
time_trees(bool bounded)
{
	TedTree *trees = malloc((size_t) count * sizeof(TedTree));
	double start;

	for (int i = 0; i < count; i++)
		trees[i] = read_tree(documents[i]);
	start = bench_now();
	for (int i = 1; i < count; i++)
		bench_distance(&trees[0], &trees[i], bounded ? LIMIT : TED_NO_LIMIT);
	return bench_now() - start;
}

/* Compares the first string with the others. */
static double
time_strings(void)
{
	int32_t m = (int32_t) strlen(documents[0]);
	uint32_t **symbols = malloc((size_t) count * sizeof(uint32_t *));
	const LcsPattern *pattern;
	TedArena *arena;
	double start;

	for (int i = 0; i < count; i++)
	{
		symbols[i] = malloc(strlen(documents[i]) * sizeof(uint32_t));
		for (size_t k = 0; documents[i][k] != '\0'; k++)
			symbols[i][k] = (uint8_t) documents[i][k];
	}
	start = bench_now();
	arena = bench_arena(lcs_pattern_memory(symbols[0], m) + lcs_length_memory(m, m));
	bench_check(lcs_prepare(symbols[0], m, arena, &bench_never, &pattern));
	for (int i = 1; i < count; i++)
	{
		int32_t length;

		bench_check(lcs_length(pattern, symbols[i], (int32_t) strlen(documents[i]), arena,
							   &bench_never, &length));
	}
	return bench_now() - start;
}

int
main(int argc, char **argv)
{
	double seconds;

	if (argc != 3)
	{
		fprintf(stderr, "usage: %s make DIRECTORY | exact FILE | within FILE | lcs FILE\n",
				argv[0]);
		return 1;
	}
	if (strcmp(argv[1], "make") == 0)
	{
		random_state = 1;
		make_trees(argv[2], "trees_100", 100, 5000, 0);
		make_trees(argv[2], "trees_1000", 1000, 100, 0);
		make_trees(argv[2], "copies_1000", 1000, 200, LIMIT);
		make_strings(argv[2], "strings_1000", 1000, 20000);
		make_strings(argv[2], "strings_60000", 60000, 25);
		return 0;
	}
	read_documents(argv[2]);
	seconds = strcmp(argv[1], "lcs") == 0 ? time_strings() : time_trees(argv[1][0] == 'w');
	printf("%.9f\n", seconds / (count - 1));
	return 0;
}
