/*
 * many_distances.c
 *	  SQL functions for the distances between one tree and each tree of an array.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "../../engine/session.h"
#include "compared_trees.h"
#include "../costs/cost_type.h"
#include "../costs/model_costs.h"
#include "session_trees.h"
#include "../value/tree.h"

/* The state of comparing one tree with an array of trees. */
typedef struct OneToMany
{
	EngineSession *session;
	Datum query;
	const CostModel *model; /* NULL for unit costs; then the next three are not used */
	ModelCosts *costs;
	LabelTable *labels;
	MemoryContext context; /* has all memory for the cost model */
	ArrayType *array;
	Datum *values;
	bool *nulls;
	int count;
} OneToMany;

/* Adds a tree to the session, under the next number from 0. */
static void
AddNumberedTree(const OneToMany *work, Datum value)
{
	TedTree decoded;
	TedTree *tree;

	if (work->model == NULL)
	{
		SessionAddTree(work->session, value);
		return;
	}
	CheckMemoryGrowth(work->context,
					  TreeDecodedBytes(value) + RelabelBytes(work->model, TreeSize(value)),
					  "comparing trees");
	tree = palloc_object(TedTree);
	TreeDecode(DatumGetTree(value), work->labels, &decoded);
	RelabelTree(work->costs, &decoded, tree);
	SessionUploadTree(work->session, tree);
}

/*
 * Describes the tree with a number: 0 is the first argument, others are the elements
 * without nulls.
 */
static void
DescribeNumberedTree(void *arg, int32 number, StringInfo text)
{
	const OneToMany *work = arg;
	int i = 0;

	for (int32 before = number; number > 0 && (work->nulls[i] || --before > 0);)
		i++;
	AppendTreeStart(text, number == 0 ? work->query : work->values[i]);
}

/* Computes the distances to all trees of the array that are not NULL, in one batch. */
static const int32 *
ComputeDistances(FunctionCallInfo fcinfo, OneToMany *work)
{
	TedPair *pairs;
	int32 *distances;
	int32 count = 0;
	Oid element;
	int16 type_length;
	bool type_by_value;
	char type_align;

	work->array = PG_GETARG_ARRAYTYPE_P(1);
	work->session = SessionOpen(work->model == NULL ? &TED_UNIT_COSTS : ModelTedCosts(work->costs));
	work->query = PG_GETARG_DATUM(0);
	work->session->describe = DescribeNumberedTree;
	work->session->describe_arg = work;
	element = ARR_ELEMTYPE(work->array);
	SessionReserve(work->session,
				   (sizeof(Datum) + sizeof(bool) + sizeof(TedPair) + sizeof(int32)) *
					   (Size) ArrayGetNItems(ARR_NDIM(work->array), ARR_DIMS(work->array)));
	get_typlenbyvalalign(element, &type_length, &type_by_value, &type_align);
	deconstruct_array(work->array, element, type_length, type_by_value, type_align, &work->values,
					  &work->nulls, &work->count);
	pairs = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(TedPair) * (Size) work->count);
	distances = MemoryContextAllocHuge(CurrentMemoryContext, sizeof(int32) * (Size) work->count);
	AddNumberedTree(work, PG_GETARG_DATUM(0));
	for (int i = 0; i < work->count; i++)
	{
		if (work->nulls[i])
			continue;
		AddNumberedTree(work, work->values[i]);
		pairs[count] = (TedPair){.a = 0, .b = count + 1, .limit = TED_NO_LIMIT};
		count++;
	}
	SessionCompute(work->session, pairs, count, distances);
	SessionClose(work->session);
	return distances;
}

PG_FUNCTION_INFO_V1(tree_edit_distances);

/* Returns the distances between one tree and each tree of an array. */
Datum
tree_edit_distances(PG_FUNCTION_ARGS)
{
	OneToMany work = {.model = NULL};
	const int32 *distance = ComputeDistances(fcinfo, &work);

	for (int i = 0; i < work.count; i++)
		if (!work.nulls[i])
			work.values[i] = Int32GetDatum(*distance++);
	PG_RETURN_ARRAYTYPE_P(construct_md_array(work.values, work.nulls, ARR_NDIM(work.array),
											 ARR_DIMS(work.array), ARR_LBOUND(work.array), INT4OID,
											 sizeof(int32), true, TYPALIGN_INT));
}

PG_FUNCTION_INFO_V1(tree_edit_distances_model);

/* Returns the distances between one tree and each tree of an array by a cost model. */
Datum
tree_edit_distances_model(PG_FUNCTION_ARGS)
{
	OneToMany work = {.model = ArgumentCostModel(fcinfo, 2),
					  .context = AllocSetContextCreate(CurrentMemoryContext, "distances by a model",
													   ALLOCSET_DEFAULT_SIZES)};
	MemoryContext caller = MemoryContextSwitchTo(work.context);
	const int32 *distance;

	work.labels = LabelTableCreate();
	work.costs = ModelCostsCreate(work.model, work.labels, NO_MARKS);
	distance = ComputeDistances(fcinfo, &work);
	MemoryContextSwitchTo(caller);
	for (int i = 0; i < work.count; i++)
		if (!work.nulls[i])
			work.values[i] = Float8GetDatum(CostInModel(work.costs, *distance++));
	PG_RETURN_ARRAYTYPE_P(construct_md_array(
		work.values, work.nulls, ARR_NDIM(work.array), ARR_DIMS(work.array), ARR_LBOUND(work.array),
		FLOAT8OID, sizeof(float8), FLOAT8PASSBYVAL, TYPALIGN_DOUBLE));
}
