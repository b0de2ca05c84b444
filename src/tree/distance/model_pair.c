/*
 * model_pair.c
 *	  Two trees as arguments of a function, and the costs of their operations by a cost
 *	  model.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "../../common/cached_argument.h"
#include "../../common/host.h"
#include "../../compat.h"
#include "../costs/cost_type.h"
#include "model_pair.h"
#include "../value/tree.h"

/* Limits on the memory that is cached: in bytes, and as a divisor of ted.max_memory. */
#define KEPT_BYTES ((Size) 32 * 1024 * 1024)
#define KEPT_PART 8

/* A decoded argument. */
typedef struct KeptTree
{
	MemoryContext context;
	struct varlena *value; /* copy of the argument, or NULL if it cannot be recognized */
	TedTree tree;
	int64 cost; /* cost of deleting or inserting all nodes */
} KeptTree;

/*
 * The state that all calls of a function in an expression share: the cost model and what is
 * cached.
 */
struct ModelSite
{
	MemoryContext parent;  /* parent of `context`; also has the cost model */
	MemoryContext context; /* has the labels, the costs and the trees; NULL at first */
	const CostModel *model;
	NodeCosts least;
	NodeCosts most;
	LabelTable *labels;
	ModelCosts *costs;
	KeptTree kept[2];
	bool is_whole; /* false while an error could leave it incomplete */
};

/* Makes the state for a cost model. */
static void *
MakeSite(Datum value, Oid collation)
{
	ModelSite *site = palloc0_object(ModelSite);

	(void) collation;
	site->parent = CurrentMemoryContext;
	site->model = DatumGetJsonCostModel(value);
	CostModelBounds(site->model, &site->least, &site->most);
	return site;
}

/* Empties the cache of labels and trees. */
static void
ClearSite(ModelSite *site)
{
	MemoryContext caller;

	site->is_whole = false;
	if (site->context != NULL)
		MemoryContextDelete(site->context);
	site->context = NULL;
	site->context = AllocSetContextCreate(site->parent, "trees by a model", ALLOCSET_SMALL_SIZES);
	caller = MemoryContextSwitchTo(site->context);
	site->labels = LabelTableCreate();
	site->costs = ModelCostsCreate(site->model, site->labels, NO_MARKS);
	for (int i = 0; i < 2; i++)
	{
		site->kept[i].context =
			AllocSetContextCreate(site->context, "tree by a model", ALLOCSET_SMALL_SIZES);
		site->kept[i].value = NULL;
	}
	MemoryContextSwitchTo(caller);
	site->is_whole = true;
}

void
OpenJsonModelPair(FunctionCallInfo fcinfo, int argument, ModelPair *pair)
{
	ModelSite *site = CacheArgumentAt(fcinfo, argument, MakeSite);
	int64 size_a = TreeSize(PG_GETARG_DATUM(0));
	int64 size_b = TreeSize(PG_GETARG_DATUM(1));

	if (!site->is_whole)
		ClearSite(site);
	pair->site = site;
	pair->model = site->model;
	pair->value[0] = PG_GETARG_DATUM(0);
	pair->value[1] = PG_GETARG_DATUM(1);
	pair->costs = site->costs;
	pair->least = size_a > size_b ? (size_a - size_b) * site->least.delete_
								  : (size_b - size_a) * site->least.insert;
	pair->least = Min(pair->least, TED_NO_LIMIT);
	pair->most = Max(size_a * site->most.delete_, size_b * site->most.insert);
}

void
OpenModelPair(FunctionCallInfo fcinfo, int argument, ModelPair *pair)
{
	OpenJsonModelPair(fcinfo, argument, pair);
	RefuseUnordered(pair->model);
}

/* Decodes an argument, unless it is the same as in the last call. */
static void
DecodeKept(ModelSite *site, int argument, Datum value)
{
	KeptTree *kept = &site->kept[argument];
	const struct varlena *bytes = (const struct varlena *) DatumGetPointer(value);
	TedTree decoded;
	Tree *tree;
	MemoryContext caller;

	if (IsKeptValue(kept->value, bytes))
		return;
	kept->value = NULL;
	MemoryContextReset(kept->context);
	tree = DatumGetTree(value);
	caller = MemoryContextSwitchTo(kept->context);
	TreeDecode(tree, site->labels, &decoded);
	RelabelTree(site->costs, &decoded, &kept->tree);
	kept->cost = argument == 0 ? DeletionCost(site->costs, &kept->tree)
							   : InsertionCost(site->costs, &kept->tree);
	if (IsKnownByBytes(bytes))
		kept->value = KeepValue(bytes);
	MemoryContextSwitchTo(caller);
	if ((Pointer) tree != DatumGetPointer(value))
		pfree(tree);
}

/*
 * Decodes the trees, or takes them from the cache.  Empties the cache first if it has become too
 * large.
 */
void
DecodeModelPair(FunctionCallInfo fcinfo, ModelPair *pair)
{
	ModelSite *site = pair->site;
	Size kept = MemoryContextMemAllocated(site->context, true);
	Size limit = (Size) ted_max_memory * 1024;
	bool is_new = LabelTableCount(site->labels) == 0;
	Size bytes = 0;

	for (int i = 0; i < 2; i++)
	{
		Datum value = PG_GETARG_DATUM(i);

		bytes += TreeDecodedBytes(value) + RelabelBytes(site->model, TreeSize(value)) +
				 VARSIZE_ANY(DatumGetPointer(value));
	}
	CheckMemoryLimit(bytes, "comparing trees");
	pair->bytes = bytes;
	if (!is_new && (kept > Min(KEPT_BYTES, limit / KEPT_PART) || kept + bytes > limit))
		ClearSite(site);
	site->is_whole = false; /* in case of an error below */
	for (int i = 0; i < 2; i++)
	{
		DecodeKept(site, i, PG_GETARG_DATUM(i));
		pair->tree[i] = &site->kept[i].tree;
	}
	site->is_whole = true;
	pair->costs = site->costs;
	pair->labels = site->labels;
	pair->delete_all = site->kept[0].cost;
	pair->insert_all = site->kept[1].cost;
}
