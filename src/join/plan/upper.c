/*
 * upper.c
 *	  Makes TedJoin deliver measures to aggregates and window functions.
 *
 * Below an aggregate, a join delivers columns, from which the aggregate computes its arguments:
 * min(tree_edit_distance(a.doc, b.doc)) would compute each distance again.  So the paths between a
 * TedJoin and the aggregate are changed to deliver the measure, too; when PostgreSQL makes plans,
 * it finds the measure there.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/planner.h"
#include "optimizer/tlist.h"

#include "../../compat.h"
#include "join_plan.h"

static create_upper_paths_hook_type previous_hook = NULL;

/* Whether an expression occurs in another one. */
static bool
OccursIn(Node *node, void *expression)
{
	return node != NULL &&
		   (equal(node, expression) || expression_tree_walker(node, OccursIn, expression));
}

/* Returns the measures of a TedJoin that a query uses. */
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

/* Columns that are used outside of measures. */
typedef struct Columns
{
	List *measures;
	List *asked;
} Columns;

/* Collects the columns of an expression that are outside of measures. */
static bool
NoteColumns(Node *node, void *context)
{
	Columns *columns = context;

	if (node == NULL || list_member(columns->measures, node))
		return false;
	if (IsA(node, Var) || IsA(node, PlaceHolderVar))
	{
		columns->asked = list_append_unique(columns->asked, node);
		return false;
	}
	return expression_tree_walker(node, NoteColumns, context);
}

/*
 * Adds measures to a path's target.  With a consumer, the target of the aggregate or the window
 * function above, leaves out columns that neither it nor HAVING uses outside of measures.
 */
static void
ChangeTarget(PlannerInfo *root, Path *path, List *measures, const PathTarget *consumer)
{
	Columns columns = {.measures = measures};
	PathTarget *target = copy_pathtarget(path->pathtarget);
	int kept = 0;
	ListCell *cell;

	if (consumer != NULL)
		(void) NoteColumns((Node *) consumer->exprs, &columns);
	(void) NoteColumns(root->parse->havingQual, &columns);
	foreach (cell, path->pathtarget->exprs)
	{
		Index reference = get_pathtarget_sortgroupref(target, foreach_current_index(cell));

		if (consumer != NULL && reference == 0 && IsA(lfirst(cell), Var) &&
			!list_member(columns.asked, lfirst(cell)))
			continue;
		lfirst(list_nth_cell(target->exprs, kept)) = lfirst(cell);
		if (target->sortgrouprefs != NULL)
			target->sortgrouprefs[kept] = reference;
		kept++;
	}
	target->exprs = list_truncate(target->exprs, kept);
	add_new_columns_to_pathtarget(target, measures);
	path->pathtarget = target;
}

static List *MakePathDeliver(PlannerInfo *root, Path *path, const PathTarget *consumer);

/* Makes the inputs of a path deliver measures; returns these measures. */
static List *
DeliverFromInputs(PlannerInfo *root, Path *path, const PathTarget *consumer)
{
	switch (nodeTag(path))
	{
		case T_ProjectionPath:
			return MakePathDeliver(root, ((ProjectionPath *) path)->subpath, consumer);
		case T_SortPath:
		case T_IncrementalSortPath:
			return MakePathDeliver(root, ((SortPath *) path)->subpath, consumer);
		case T_WindowAggPath:
			return MakePathDeliver(root, ((WindowAggPath *) path)->subpath, consumer);
		case T_GatherPath:
			return MakePathDeliver(root, ((GatherPath *) path)->subpath, consumer);
		case T_GatherMergePath:
			return MakePathDeliver(root, ((GatherMergePath *) path)->subpath, consumer);
		case T_NestPath:
		case T_MergePath:
		case T_HashPath:
			return list_concat(MakePathDeliver(root, ((JoinPath *) path)->outerjoinpath, NULL),
							   MakePathDeliver(root, ((JoinPath *) path)->innerjoinpath, NULL));
		default:
			return NIL;
	}
}

/*
 * Makes a path deliver the measures of a TedJoin that it is or contains; returns these measures.
 * Columns can be left out above the last join.
 */
static List *
MakePathDeliver(PlannerInfo *root, Path *path, const PathTarget *consumer)
{
	bool is_join = IsA(path, CustomPath) && ((CustomPath *) path)->methods == &TedJoinPathMethods;
	List *measures = is_join ? MeasuresAskedFor(root, (CustomPath *) path)
							 : DeliverFromInputs(root, path, consumer);

	if (measures != NIL)
		ChangeTarget(root, path, measures, consumer);
	return measures;
}

/* Makes the inputs of aggregates and window functions in a path deliver measures. */
static void
DeliverToPath(PlannerInfo *root, Path *path)
{
	switch (nodeTag(path))
	{
		case T_AggPath:
			(void) MakePathDeliver(root, ((AggPath *) path)->subpath, path->pathtarget);
			DeliverToPath(root, ((AggPath *) path)->subpath);
			break;
		case T_GroupPath:
			(void) MakePathDeliver(root, ((GroupPath *) path)->subpath, path->pathtarget);
			break;
		case T_GroupingSetsPath:
			(void) MakePathDeliver(root, ((GroupingSetsPath *) path)->subpath, path->pathtarget);
			break;
		case T_WindowAggPath:
			(void) MakePathDeliver(root, ((WindowAggPath *) path)->subpath, path->pathtarget);
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

/* Changes the paths of aggregates and window functions. */
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

void
TedJoinUpperInit(void)
{
	previous_hook = create_upper_paths_hook;
	create_upper_paths_hook = UpperPathsHook;
}
