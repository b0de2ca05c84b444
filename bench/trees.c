/*
 * trees.c
 *	  Trees for the benchmark: read from files, random, and edited.
 */
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>

#include "../test/core/random.h"
#include "trees.h"

#define LABELS 50
#define LABEL_SLOTS (1 << 22) /* more than a benchmark has labels */

/* The tree that events make. */
TedTree
tree_of_events(const TreeEvents *events)
{
	int32_t size = events->count / 2;
	size_t bytes = (size_t) size * sizeof(int32_t);
	int32_t *label = malloc(bytes);
	int32_t *subtree_size = malloc(bytes);
	int32_t *open_label = malloc(bytes);
	int32_t *begin = malloc(bytes); /* first node in postorder of an open subtree */
	TedTree tree = {.size = size, .label = label, .subtree_size = subtree_size};
	int32_t depth = 0;
	int32_t x = 0;

	for (int32_t i = 0; i < events->count; i++)
		if (events->event[i] != TREE_END)
		{
			open_label[depth] = events->event[i];
			begin[depth++] = x;
		}
		else
		{
			label[x] = open_label[--depth];
			subtree_size[x] = x - begin[depth] + 1;
			x++;
		}
	ted_tree_index(&tree, open_label, begin, &(TedInterrupt){0});
	return tree;
}

/* Number of a label among those seen so far, which a hash table finds. */
static int32_t
intern(const char *label, size_t length)
{
	static struct
	{
		char *text;
		int32_t number;
	} labels[LABEL_SLOTS];
	static int32_t count;
	uint32_t slot = 0;

	for (size_t i = 0; i < length; i++)
		slot = (slot ^ (uint8_t) label[i]) * 16777619u;
	for (slot %= LABEL_SLOTS; labels[slot].text != NULL; slot = (slot + 1) % LABEL_SLOTS)
		if (strlen(labels[slot].text) == length && memcmp(labels[slot].text, label, length) == 0)
			return labels[slot].number;
	labels[slot].text = malloc(length + 1);
	memcpy(labels[slot].text, label, length);
	labels[slot].text[length] = '\0';
	labels[slot].number = count;
	return count++;
}

/* Reads a tree in bracket notation. */
TedTree
read_tree(const char *text)
{
	TreeEvents events = {.event = malloc(strlen(text) * sizeof(int32_t))};
	TedTree tree;

	for (const char *p = text; *p == '{' || *p == '}';)
		if (*p++ == '}')
			events.event[events.count++] = TREE_END;
		else
		{
			const char *end = p;

			while (*end != '{' && *end != '}')
				end += *end == '\\' ? 2 : 1;
			events.event[events.count++] = intern(p, (size_t) (end - p));
			p = end;
		}
	tree = tree_of_events(&events);
	free(events.event);
	return tree;
}

/* Appends a random tree: nodes begin slightly more often than they end. */
static void
add_random_tree(TreeEvents *events, int32_t size)
{
	const int32_t end = events->count + 2 * size;
	int32_t depth = 0;
	int32_t opened = 0;

	while (events->count < end)
	{
		bool root_only = depth <= 1;

		if (opened < size && (root_only || random_below(100) < 55))
		{
			events->event[events->count++] = (int32_t) random_below(LABELS);
			depth++;
			opened++;
		}
		else
		{
			events->event[events->count++] = TREE_END;
			depth--;
		}
	}
}

/* Makes a random tree. */
TreeEvents
random_tree(int32_t size)
{
	TreeEvents events = {malloc(2 * (size_t) size * sizeof(int32_t)), 0};

	add_random_tree(&events, size);
	return events;
}

/* Makes a root with random trees of up to `most` nodes below. */
TreeEvents
records_tree(int32_t size, int32_t most)
{
	TreeEvents events = {malloc(2 * (size_t) size * sizeof(int32_t)), 0};

	events.event[events.count++] = (int32_t) random_below(LABELS);
	for (int32_t left = size - 1; left > 0;)
	{
		int32_t record = 1 + (int32_t) random_below((uint32_t) (left < most ? left : most));

		add_random_tree(&events, record);
		left -= record;
	}
	events.event[events.count++] = TREE_END;
	return events;
}

/* Appends a leaf with a random label. */
static void
add_leaf(TreeEvents *events)
{
	events->event[events->count++] = (int32_t) random_below(LABELS);
	events->event[events->count++] = TREE_END;
}

/* Makes a path whose nodes have a leaf each, on the left and on the right in turn. */
TreeEvents
zigzag_tree(int32_t size)
{
	TreeEvents events = {malloc(2 * (size_t) size * sizeof(int32_t)), 0};

	for (int32_t i = 0; i < size / 2; i++)
	{
		events.event[events.count++] = (int32_t) random_below(LABELS);
		if (i % 2 == 1)
			add_leaf(&events);
	}
	for (int32_t i = size / 2 - 1; i >= 0; i--)
	{
		if (i % 2 == 0)
			add_leaf(&events);
		events.event[events.count++] = TREE_END;
	}
	return events;
}

/* The event that ends the node that begins with event i. */
static int32_t
end_of(const TreeEvents *events, int32_t i)
{
	int32_t depth = 0;

	do
		depth += events->event[i++] == TREE_END ? -1 : 1;
	while (depth > 0);
	return i - 1;
}

/* Puts an event in before event i. */
static void
put_event(TreeEvents *events, int32_t i, int32_t event)
{
	memmove(events->event + i + 1, events->event + i,
			(size_t) (events->count - i) * sizeof(int32_t));
	events->event[i] = event;
	events->count++;
}

/* Takes event i out. */
static void
take_event(TreeEvents *events, int32_t i)
{
	events->count--;
	memmove(events->event + i, events->event + i + 1,
			(size_t) (events->count - i) * sizeof(int32_t));
}

/* A copy with this number of edits. */
TreeEvents
edited_tree(const TreeEvents *original, int32_t edits)
{
	size_t room = (size_t) original->count + 2 * (size_t) edits;
	TreeEvents events = {malloc(room * sizeof(int32_t)), original->count};

	memcpy(events.event, original->event, (size_t) events.count * sizeof(int32_t));
	while (edits > 0)
	{
		int32_t i = 1 + (int32_t) random_below((uint32_t) events.count - 2);
		uint32_t edit = random_below(3);
		int32_t end;

		if (events.event[i] == TREE_END)
			continue;
		end = end_of(&events, i);
		if (edit == 0)
			events.event[i] = (int32_t) random_below(LABELS);
		else if (edit == 1)
		{
			take_event(&events, end);
			take_event(&events, i);
		}
		else /* a parent for this node alone */
		{
			put_event(&events, end + 1, TREE_END);
			put_event(&events, i, (int32_t) random_below(LABELS));
		}
		edits--;
	}
	return events;
}
