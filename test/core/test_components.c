/*
 * test_components.c
 *	  Checks connected components against their definition: the nodes that can be reached by
 *	  edges.
 */
#include "../../src/core/common/components.h"
#include "random.h"
#include "tap.h"

#define MAX_NODES 64
#define MAX_EDGES 128

typedef struct Graph
{
	int32_t nodes;
	int32_t edges;
	int32_t from[MAX_EDGES];
	int32_t to[MAX_EDGES];
} Graph;

/* Shapes of graphs; the ends of edges are exchanged at random. */
enum
{
	PATH,
	BACKWARDS,
	STAR,
	RANDOM,
	SHAPES
};

static const char *const names[SHAPES] = {"paths", "paths from their ends", "stars",
										  "random graphs"};

/* Makes a graph. */
static Graph
make_graph(int shape)
{
	Graph graph = {.nodes = 1 + (int32_t) random_below(MAX_NODES)};
	int32_t nodes = graph.nodes;

	graph.edges = shape == RANDOM ? (int32_t) random_below(2 * (uint32_t) nodes) : nodes - 1;
	for (int32_t i = 0; i < graph.edges; i++)
	{
		int32_t from = shape == RANDOM ? (int32_t) random_below((uint32_t) nodes)
					   : shape == STAR ? nodes - 1
					   : shape == PATH ? i
									   : nodes - 1 - i;
		int32_t to = shape == RANDOM ? (int32_t) random_below((uint32_t) nodes)
					 : shape == STAR ? i
					 : shape == PATH ? i + 1
									 : nodes - 2 - i;
		bool exchanged = random_below(2) == 1;

		graph.from[i] = exchanged ? to : from;
		graph.to[i] = exchanged ? from : to;
	}
	return graph;
}

/*
 * Finds the least node that each node can reach: each takes over the least of its neighbours
 * until none changes.
 */
static void
least_reached(const Graph *graph, int32_t *least)
{
	bool changed = true;

	for (int32_t i = 0; i < graph->nodes; i++)
		least[i] = i;
	while (changed)
	{
		changed = false;
		for (int32_t i = 0; i < graph->edges; i++)
		{
			int32_t *a = &least[graph->from[i]];
			int32_t *b = &least[graph->to[i]];

			changed |= *a != *b;
			*a = *b = *a < *b ? *a : *b;
		}
	}
}

/* Whether all components of a graph are found. */
static bool
components_are_right(const Graph *graph)
{
	int32_t parent[MAX_NODES];
	int32_t least[MAX_NODES];

	for (int32_t i = 0; i < graph->nodes; i++)
		parent[i] = i;
	for (int32_t i = 0; i < graph->edges; i++)
		ted_connect(parent, graph->from[i], graph->to[i]);
	least_reached(graph, least);
	for (int32_t i = 0; i < graph->nodes; i++)
		if (ted_component(parent, i) != least[i])
			return false;
	return true;
}

int
main(void)
{
	uint64_t count = rounds(1000);

	random_state = setting("SEED", 1);
	for (int shape = 0; shape < SHAPES; shape++)
	{
		bool right = true;

		for (uint64_t i = 0; i < count && right; i++)
		{
			Graph graph = make_graph(shape);

			right = components_are_right(&graph);
		}
		ok(right, "components of %s", names[shape]);
	}
	return done_testing();
}
