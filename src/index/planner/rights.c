/*
 * rights.c
 *	  Rights on functions that the planner adds to a statement.
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/planmain.h"
#include "utils/acl.h"

#include "../../compat.h"
#include "rights.h"

bool
MayExecute(PlannerInfo *root, Oid function)
{
	if (FunctionAclCheck(function, ACL_ID_PUBLIC) == ACLCHECK_OK)
		return true;
	root->glob->dependsOnRole = true;
	/* a plan without the function is made again, too, once somebody grants it */
	record_plan_function_dependency(root, function);
	return FunctionAclCheck(function, GetUserId()) == ACLCHECK_OK;
}

/* Whether an expression calls a function that the user may not execute. */
static bool
CallsForbidden(Node *expression, void *root)
{
	if (expression == NULL)
		return false;
	return (IsA(expression, FuncExpr) && !MayExecute(root, ((FuncExpr *) expression)->funcid)) ||
		   expression_tree_walker(expression, CallsForbidden, root);
}

bool
MayExecuteAll(PlannerInfo *root, Node *expression)
{
	return !CallsForbidden(expression, root);
}
