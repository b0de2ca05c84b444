/*
 * unused_paths.c
 *	  Tells paths in options of conversions that stand for nothing in any document.
 *
 * A path that is spelt wrongly leaves out nothing, or everything, without a word.
 * One document that lacks it says little, so that a call of a function in a
 * statement keeps account of all documents that it converts, and warns where the
 * statement ends.  No process knows what others have converted: while warnings are
 * asked for, statements are planned without parallel workers.
 */
#include "postgres.h"

#include "access/xact.h"
#include "lib/ilist.h"
#include "miscadmin.h"
#include "nodes/params.h"
#include "optimizer/planner.h"
#include "utils/guc.h"

#include "../compat.h"
#include "unused_paths.h"

/* Paths that a warning shows, and of how many account is kept. */
#define SHOWN_PATHS 10
#define MOST_PATHS 1000

/* A path of an option, which is one of few that last. */
typedef struct NotedPath
{
	const char *option;
	char *text;
	bool used;
} NotedPath;

/* What is known of the paths of one call in a statement. */
typedef struct PathAccount
{
	dlist_node link;
	MemoryContextCallback end;
	MemoryContext context;
	int64 documents;
	NotedPath *paths;
	int count;
	int capacity;
} PathAccount;

static bool warn_unused_paths = false;
static dlist_head accounts = DLIST_STATIC_INIT(accounts);
static planner_hook_type previous_planner = NULL;

/* Appends the first ones of the paths that have stood for nothing; returns how many there are. */
static int
AppendUnused(StringInfo list, const PathAccount *account)
{
	int unused = 0;

	for (int i = 0; i < account->count; i++)
	{
		const NotedPath *path = &account->paths[i];

		if (path->used)
			continue;
		if (unused++ < SHOWN_PATHS)
			appendStringInfo(list, "%s\"%s\" of option \"%s\"", unused > 1 ? ", " : "", path->text,
							 path->option);
	}
	if (unused > SHOWN_PATHS)
		appendStringInfo(list, ", and %d more", unused - SHOWN_PATHS);
	return unused;
}

/* Warns of paths that have stood for nothing, once. */
static void
WarnOfPaths(PathAccount *account)
{
	StringInfoData list;
	int64 documents = account->documents;
	int unused;

	initStringInfo(&list);
	unused = AppendUnused(&list, account);
	account->count = 0;
	account->documents = 0;
	if (unused > 0)
		ereport(
			WARNING,
			(errmsg_plural("path has matched nothing in any document",
						   "paths have matched nothing in any document", (unsigned long) unused),
			 errdetail_plural("In %lld document: %s.", "In %lld documents: %s.",
							  (unsigned long) documents, (long long) documents, list.data),
			 errhint("Check how the names in the paths are spelt, and that the paths lead "
					 "down from the root.")));
	pfree(list.data);
}

/* Ends an account with its statement, and warns unless that has failed. */
static void
EndAccount(void *arg)
{
	PathAccount *account = arg;

	dlist_delete(&account->link);
	if (IsTransactionState())
		WarnOfPaths(account);
}

/* Warns at the end of a transaction for what lasts as long, such as expressions of PL/pgSQL. */
static void
EndTransaction(XactEvent event, void *arg)
{
	dlist_iter iter;

	(void) arg;
	if (event == XACT_EVENT_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		dlist_foreach(iter, &accounts)
			WarnOfPaths(dlist_container(PathAccount, link, iter.cur));
}

/* The account of a call, which begins with its first document. */
static PathAccount *
AccountOf(FmgrInfo *flinfo)
{
	PathAccount *account = flinfo->fn_extra;

	if (account != NULL)
		return account;
	account = MemoryContextAllocZero(flinfo->fn_mcxt, sizeof(PathAccount));
	account->context = flinfo->fn_mcxt;
	account->capacity = 8;
	account->paths =
		MemoryContextAlloc(account->context, sizeof(NotedPath) * (Size) account->capacity);
	account->end.func = EndAccount;
	account->end.arg = account;
	MemoryContextRegisterResetCallback(account->context, &account->end);
	dlist_push_tail(&accounts, &account->link);
	flinfo->fn_extra = account;
	return account;
}

/* What is noted of a path, or NULL where there are too many. */
static NotedPath *
NotedPathOf(PathAccount *account, const char *option, const char *text)
{
	NotedPath *path = account->paths;

	for (; path < account->paths + account->count; path++)
		if (path->option == option && strcmp(path->text, text) == 0)
			return path;
	if (account->count == MOST_PATHS)
		return NULL;
	if (account->count == account->capacity)
	{
		account->capacity *= 2;
		account->paths = repalloc(account->paths, sizeof(NotedPath) * (Size) account->capacity);
	}
	path = &account->paths[account->count++];
	*path = (NotedPath){option, MemoryContextStrdup(account->context, text), false};
	return path;
}

/* Notes which of an option's paths have stood for a node. */
static void
NoteOption(PathAccount *account, const PathPatterns *patterns)
{
	for (int i = 0; i < patterns->count; i++)
	{
		const PathPattern *pattern = PathAt(patterns, i);
		NotedPath *path = NotedPathOf(account, patterns->option, PathText(pattern));

		CHECK_FOR_INTERRUPTS();
		if (path != NULL && PathHasMatched(pattern))
			path->used = true;
	}
}

/* Notes which paths have stood for a node of one more document. */
void
NotePaths(FunctionCallInfo fcinfo, const PathOptions *options)
{
	PathAccount *account;

	if (!warn_unused_paths || fcinfo->flinfo == NULL || IsInParallelMode() ||
		options->excluded.count + options->included.count + options->unordered.count == 0)
		return;
	account = AccountOf(fcinfo->flinfo);
	account->documents++;
	NoteOption(account, &options->excluded);
	NoteOption(account, &options->included);
	NoteOption(account, &options->unordered);
}

/* Plans a statement, without parallel workers while it may have to warn. */
static PlannedStmt *
PlanWithWarnings(Query *query, const char *text, int options, ParamListInfo parameters)
{
	if (warn_unused_paths)
		options &= ~CURSOR_OPT_PARALLEL_OK;
	return (previous_planner != NULL ? previous_planner : standard_planner)(query, text, options,
																			parameters);
}

/* Defines the setting. */
void
UnusedPathsInit(void)
{
	DefineCustomBoolVariable(
		"ted.warn_unused_paths",
		"Warns of paths in options of conversions that have matched nothing in any document.",
		"Statements are planned without parallel workers while it is on.", &warn_unused_paths,
		false, PGC_USERSET, 0, NULL, NULL, NULL);
	previous_planner = planner_hook;
	planner_hook = PlanWithWarnings;
	RegisterXactCallback(EndTransaction, NULL);
}
