/*
 * upper.c
 *	  Has aggregates and window functions get measures from TedJoin.
 *
 * Below an aggregate, a join delivers columns, of which the aggregate computes its
 * arguments: min(tree_edit_distance(a.doc, b.doc)) would compute every distance
 * again.  What lies between a TedJoin and the aggregate is made to deliver the
 * measure, too; when plans are made, PostgreSQL finds it there.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"

#include "../compat.h"
#include "plan.h"

static create_upper_paths_hook_type previous_hook = NULL;

/* Whether an expression occurs in another one. */
static bool
OccursIn(Node *node, void *expression)
{
	return node != NULL &&
		   (equal(node, expression) || expression_tree_walker(node, OccursIn, expression));
}

/* Measures of a TedJoin that a query asks for. */
static List *
MeasuresAskedFor(PlannerInfo *root, const CustomPath *join)
{
	List *asked = NIL;
	ListCell *cell;

	foreach (cell, list_nth(join->custom_private, PATH_MEASURES))
		if (OccursIn((Node *) root->processed_tlist, lfirst(cell)) ||
			OccursIn(root->parse->havingQual, lfirst(cell)))
			asked = lappend(asked, lfirst(cell));
	return asked;
}

static List *DeliverMeasures(PlannerInfo *root, Path *path);

/* Has the inputs of a path deliver measures; returns these. */
static List *
DeliverFromInputs(PlannerInfo *root, Path *path)
{
	switch (nodeTag(path))
	{
		case T_ProjectionPath:
			return DeliverMeasures(root, ((ProjectionPath *) path)->subpath);
		case T_SortPath:
		case T_IncrementalSortPath:
			return DeliverMeasures(root, ((SortPath *) path)->subpath);
		case T_WindowAggPath:
			return DeliverMeasures(root, ((WindowAggPath *) path)->subpath);
		case T_GatherPath:
			return DeliverMeasures(root, ((GatherPath *) path)->subpath);
		case T_GatherMergePath:
			return DeliverMeasures(root, ((GatherMergePath *) path)->subpath);
		case T_NestPath:
		case T_MergePath:
		case T_HashPath:
			return list_concat(DeliverMeasures(root, ((JoinPath *) path)->outerjoinpath),
							   DeliverMeasures(root, ((JoinPath *) path)->innerjoinpath));
		default:
			return NIL;
	}
}

/* Has a path deliver the measures of a TedJoin that it is, or has below it; returns these. */
static List *
DeliverMeasures(PlannerInfo *root, Path *path)
{
	bool is_join = IsA(path, CustomPath) && ((CustomPath *) path)->methods == &TedJoinPathMethods;
	List *measures =
		is_join ? MeasuresAskedFor(root, (CustomPath *) path) : DeliverFromInputs(root, path);

	if (measures != NIL)
	{
		path->pathtarget = copy_pathtarget(path->pathtarget);
		add_new_columns_to_pathtarget(path->pathtarget, measures);
	}
	return measures;
}

/* Has what is below aggregates and window functions deliver measures. */
static void
DeliverToPath(PlannerInfo *root, Path *path)
{
	switch (nodeTag(path))
	{
		case T_AggPath:
			(void) DeliverMeasures(root, ((AggPath *) path)->subpath);
			DeliverToPath(root, ((AggPath *) path)->subpath);
			break;
		case T_GroupPath:
			(void) DeliverMeasures(root, ((GroupPath *) path)->subpath);
			break;
		case T_GroupingSetsPath:
			(void) DeliverMeasures(root, ((GroupingSetsPath *) path)->subpath);
			break;
		case T_WindowAggPath:
			(void) DeliverMeasures(root, ((WindowAggPath *) path)->subpath);
			break;
		case T_SortPath:
			DeliverToPath(root, ((SortPath *) path)->subpath);
			break;
		case T_GatherPath:
			DeliverToPath(root, ((GatherPath *) path)->subpath);
			break;
		case T_GatherMergePath:
			DeliverToPath(root, ((GatherMergePath *) path)->subpath);
			break;
		default:
			break;
	}
}

/* Looks at the paths of aggregates and window functions. */
static void
UpperPathsHook(PlannerInfo *root, UpperRelationKind stage, RelOptInfo *input, RelOptInfo *output,
			   void *extra)
{
	ListCell *cell;

	if (previous_hook != NULL)
		previous_hook(root, stage, input, output, extra);
	if (stage == UPPERREL_GROUP_AGG || stage == UPPERREL_WINDOW)
		foreach (cell, output->pathlist)
			DeliverToPath(root, lfirst(cell));
}

/* Has measures delivered from now on. */
void
TedJoinUpperInit(void)
{
	previous_hook = create_upper_paths_hook;
	create_upper_paths_hook = UpperPathsHook;
}
