/*
 * bench_join.c
 *	  The plain join of similar trees, as the baseline of join.sh.
 *
 * usage: bench_join FILE THRESHOLD PAIRS
 *
 * FILE has an id and a tree in bracket notation a line.  The pairs within the
 * threshold go to the file PAIRS: two ids, the smaller one first, and their
 * distance.  Prints the seconds of processor time for reading, and for joining.
 *
 * A pair is compared by the textbook algorithm unless the sizes differ by more
 * than the threshold, or the larger tree has more labels than that of which
 * the smaller one has none left: each of them costs an operation.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "plain.h"
#include "trees.h"

typedef struct Document
{
	int64_t id;
	TedTree tree;
	int32_t *labels; /* sorted */
} Document;

typedef struct Pair
{
	int64_t left;
	int64_t right;
	int32_t distance;
} Pair;

static Document *documents;
static int32_t count;
static Pair *pairs;
static size_t found;

/* Opens a file, or ends the program. */
static FILE *
open_file(const char *path, const char *mode)
{
	FILE *file = fopen(path, mode);

	if (file == NULL)
	{
		perror(path);
		exit(1);
	}
	return file;
}

/* Orders numbers. */
static int
compare_labels(const void *a, const void *b)
{
	int32_t x = *(const int32_t *) a;
	int32_t y = *(const int32_t *) b;

	return (x > y) - (x < y);
}

/* Orders documents by size. */
static int
compare_sizes(const void *a, const void *b)
{
	return ((const Document *) a)->tree.size - ((const Document *) b)->tree.size;
}

/* Reads the documents of a file. */
static void
read_documents(const char *path)
{
	FILE *file = open_file(path, "r");
	char *line = NULL;
	size_t room = 0;

	while (getline(&line, &room, file) > 0)
	{
		Document *document;
		size_t bytes;
		char *text;

		if ((count & (count - 1)) == 0)
			documents = realloc(documents, (2 * (size_t) count + 1) * sizeof(Document));
		document = &documents[count++];
		document->id = strtoll(line, &text, 10);
		document->tree = read_tree(text + 1);
		bytes = (size_t) document->tree.size * sizeof(int32_t);
		document->labels = malloc(bytes);
		memcpy(document->labels, document->tree.label, bytes);
		qsort(document->labels, (size_t) document->tree.size, sizeof(int32_t), compare_labels);
	}
	free(line);
	fclose(file);
}

/* True unless more labels of the larger tree than the threshold have no partner. */
static bool
labels_allow(const Document *larger, const Document *smaller, int32_t threshold)
{
	int32_t i = 0;
	int32_t j = 0;
	int32_t alone = 0;

	while (i < larger->tree.size && alone <= threshold)
		if (j == smaller->tree.size || larger->labels[i] < smaller->labels[j])
		{
			alone++;
			i++;
		}
		else
			i += larger->labels[i] == smaller->labels[j++];
	return alone <= threshold;
}

/* Keeps a pair. */
static void
add_pair(const Document *a, const Document *b, int32_t distance)
{
	bool ordered = a->id < b->id;

	if ((found & (found - 1)) == 0)
		pairs = realloc(pairs, (2 * found + 1) * sizeof(Pair));
	pairs[found++] = (Pair){ordered ? a->id : b->id, ordered ? b->id : a->id, distance};
}

/* Finds all pairs within the threshold. */
static void
join(int32_t threshold)
{
	qsort(documents, (size_t) count, sizeof(Document), compare_sizes);
	for (int32_t i = 0; i < count; i++)
		for (int32_t j = i - 1; j >= 0; j--)
		{
			const Document *larger = &documents[i];
			const Document *smaller = &documents[j];
			int32_t distance;

			if (larger->tree.size - smaller->tree.size > threshold)
				break;
			if (!labels_allow(larger, smaller, threshold))
				continue;
			distance = plain_distance(&larger->tree, &smaller->tree);
			if (distance <= threshold)
				add_pair(larger, smaller, distance);
		}
}

/* Writes the pairs to a file. */
static void
write_pairs(const char *path)
{
	FILE *file = open_file(path, "w");

	for (size_t i = 0; i < found; i++)
		fprintf(file, "%" PRId64 "\t%" PRId64 "\t%" PRId32 "\n", pairs[i].left, pairs[i].right,
				pairs[i].distance);
	fclose(file);
}

int
main(int argc, char **argv)
{
	double start = bench_now();
	double read;

	if (argc != 4)
	{
		fprintf(stderr, "usage: %s FILE THRESHOLD PAIRS\n", argv[0]);
		return 1;
	}
	read_documents(argv[1]);
	read = bench_now();
	join(atoi(argv[2]));
	printf("%.6f %.6f\n", read - start, bench_now() - read);
	write_pairs(argv[3]);
	return 0;
}
