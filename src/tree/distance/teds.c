/*
 * teds.c
 *	  The SQL function teds(): similarity of HTML tables by tree edit distance.
 *
 * The trees are those of html_table.c.  Inserting or deleting a node costs 1, and so does
 * renaming it to a node of another kind.  Renaming a table cell costs the Levenshtein
 * distance of the tokens divided by the larger number of tokens; renaming another node of
 * the same kind costs 0.
 */
#include "postgres.h"

#include <math.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../core/string/levenshtein.h"
#include "../../core/tree/exact/wide_distance.h"
#include "../convert/convert.h"

#ifdef USE_LIBXML
#include "../convert/html_table.h"
#endif

PG_FUNCTION_INFO_V1(teds);

#ifdef USE_LIBXML

/* Two tables.  Labels are node numbers, from 0 in the first table, then on in the second one. */
typedef struct ComparedTables
{
	HtmlTable a;
	HtmlTable b;
	const LcsPattern **cells; /* by node of the first table: prepared tokens, or NULL */
	int64 unit;               /* a cost of 1: a power of 2, so that whole costs are exact */
	int64 *indel;             /* by label: cost of insertion or deletion */
	TedArena arena;
} ComparedTables;

/* A page, and the table to be read of it. */
typedef struct TablePage
{
	Datum page;
	LabelTable *names;
	bool contents;
	HtmlTable *table;
} TablePage;

/* Reads the table of a page, within CallWithXml(); false if the page has none. */
static Datum
ReadTable(void *arg, XmlWork *work)
{
	TablePage *page = arg;

	return BoolGetDatum(
		ReadHtmlTable(ParseHtmlDocument(work, 0, page->page, true, COMPARING_TABLES), page->names,
					  page->contents, page->table));
}

/* Reads the tables of two pages; false if a page has none. */
static bool
ReadTables(FunctionCallInfo fcinfo, ComparedTables *tables)
{
	LabelTable *names = LabelTableCreate();
	bool contents = !PG_GETARG_BOOL(2);
	TablePage a = {PG_GETARG_DATUM(0), names, contents, &tables->a};
	TablePage b = {PG_GETARG_DATUM(1), names, contents, &tables->b};

	LabelTableLimit(names, CurrentMemoryContext, COMPARING_TABLES);
	return DatumGetBool(CallWithXml(ReadTable, &a)) && DatumGetBool(CallWithXml(ReadTable, &b));
}

/* Completes the tree of a table: labels from `label` on, and the index. */
static void
IndexTable(HtmlTable *table, int32 label)
{
	Size size = (Size) table->tree.size;
	int32 *labels;

	CheckMemoryGrowth(table->context, 3 * sizeof(int32) * size, COMPARING_TABLES);
	labels = MemoryContextAllocHuge(table->context, 3 * sizeof(int32) * size);
	for (Size i = 0; i < size; i++)
		labels[i] = label++;
	table->tree.label = labels;
	CheckStatus(ted_tree_index(&table->tree, labels + size, labels + 2 * size, &PgInterrupt));
}

/* Returns the largest number of tokens of a table cell. */
static int32
LongestContent(const HtmlTable *table)
{
	int32 longest = 0;

	for (int32 i = 0; i < table->tree.size; i++)
		longest = Max(longest, table->nodes[i].length);
	return longest;
}

/* Allocates the memory for comparing two tables. */
static void
TakeMemory(ComparedTables *tables)
{
	const HtmlTable *a = &tables->a;
	Size cells = sizeof(LcsPattern *) * (Size) a->tree.size;
	Size indel = sizeof(int64) * ((Size) a->tree.size + (Size) tables->b.tree.size);
	Size bytes = ted_wide_distance_memory(&a->tree, &tables->b.tree) +
				 ted_levenshtein_memory(LongestContent(a), LongestContent(&tables->b));

	for (int32 i = 0; i < a->tree.size; i++)
	{
		CHECK_FOR_INTERRUPTS();
		if (a->nodes[i].length > 0)
			bytes += lcs_pattern_memory(a->tokens + a->nodes[i].first, a->nodes[i].length);
	}
	CheckMemoryGrowth(a->context, bytes + cells + indel, COMPARING_TABLES);
	ArenaInit(&tables->arena, bytes);
	tables->cells = MemoryContextAllocHuge(a->context, cells);
	tables->indel = MemoryContextAllocHuge(a->context, indel);
}

/* Returns the cost of renaming a node of the first table to one of the second. */
static int64
TableRenameCost(void *context, int32 from, int32 to)
{
	ComparedTables *tables = context;
	const TableNode *a = &tables->a.nodes[from];
	const TableNode *b = &tables->b.nodes[to - tables->a.tree.size];
	int32 longer = Max(a->length, b->length);
	int32 distance;

	CHECK_FOR_INTERRUPTS();
	if (a->kind != b->kind)
		return tables->unit;
	if (longer == 0)
		return 0;
	if (Min(a->length, b->length) == 0)
		return tables->unit;
	CheckStatus(ted_levenshtein_distance(tables->cells[from], tables->b.tokens + b->first,
										 b->length, &tables->arena, &PgInterrupt, &distance));
	return (int64) rint((double) tables->unit * distance / longer);
}

/* Returns the distance between two tables. */
static double
TableDistance(ComparedTables *tables)
{
	const TedTree *a = &tables->a.tree;
	const TedTree *b = &tables->b.tree;
	Size labels = (Size) a->size + (Size) b->size;
	TedWideCosts costs = {.insert = tables->indel,
						  .delete_ = tables->indel,
						  .rename = TableRenameCost,
						  .context = tables};
	int64 distance;

	for (tables->unit = 1; tables->unit <= PG_INT64_MAX / 8 / (int64) labels; tables->unit *= 2)
		;
	for (Size i = 0; i < labels; i++)
		tables->indel[i] = tables->unit;
	CheckStatus(ted_wide_distance(a, b, &costs, &tables->arena, &PgInterrupt, &distance));
	return (double) distance / (double) tables->unit;
}

/* Returns the similarity of two tables. */
static float8
TableSimilarity(ComparedTables *tables)
{
	int32 elements = Max(tables->a.elements, tables->b.elements);
	const HtmlTable *a;

	if (elements == 0)
		return 1;
	IndexTable(&tables->a, 0);
	IndexTable(&tables->b, tables->a.tree.size);
	TakeMemory(tables);
	a = &tables->a;
	for (int32 i = 0; i < a->tree.size; i++)
	{
		const TableNode *node = &a->nodes[i];

		CHECK_FOR_INTERRUPTS();
		tables->cells[i] = NULL;
		if (node->length > 0)
			CheckStatus(lcs_prepare(a->tokens + node->first, node->length, &tables->arena,
									&PgInterrupt, &tables->cells[i]));
	}
	return 1 - TableDistance(tables) / elements;
}

/* Returns the similarity of the first tables of two pages; 0 if a page has none. */
Datum
teds(PG_FUNCTION_ARGS)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "tables", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	ComparedTables tables;
	float8 similarity = 0;

	if (ReadTables(fcinfo, &tables))
		similarity = TableSimilarity(&tables);
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	PG_RETURN_FLOAT8(similarity);
}

#else

NO_XML_FUNCTION(teds);

#endif
