/*
 * compat.h
 *	  Differences between PostgreSQL 14 and 19, in one place.
 */
#ifndef TED_COMPAT_H
#define TED_COMPAT_H

#include "postgres.h"

#include "fmgr.h"
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

#if PG_VERSION_NUM >= 180000
#define TED_MODULE_MAGIC PG_MODULE_MAGIC_EXT(.name = "ted", .version = TED_VERSION)
#else
#define TED_MODULE_MAGIC PG_MODULE_MAGIC
#endif

/* Says that a case goes on with the next one. */
#ifndef pg_fallthrough
#define pg_fallthrough __attribute__((fallthrough))
#endif

/* Exports a function that SQL can call, of which older versions export the info function only. */
#if PG_VERSION_NUM < 160000
#undef PG_FUNCTION_INFO_V1
#define PG_FUNCTION_INFO_V1(name)                                                                  \
	extern PGDLLEXPORT Datum name(PG_FUNCTION_ARGS);                                               \
	extern PGDLLEXPORT const Pg_finfo_record *pg_finfo_##name(void);                               \
	const Pg_finfo_record *pg_finfo_##name(void)                                                   \
	{                                                                                              \
		static const Pg_finfo_record version = {1};                                                \
		return &version;                                                                           \
	}                                                                                              \
	extern int no_such_variable
#endif

#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

#if PG_VERSION_NUM < 150000
#define CUSTOMPATH_SUPPORT_PROJECTION 0 /* taken for granted */
#define DLSUFFIX ".so"                  /* known to the server alone */
#endif

/*
 * Turns an expression above an outer join into the same one below it, and the other
 * way round, where columns of tables that the join makes null have the join's number
 * above it only; for files that include rewrite/rewriteManip.h.
 */
#if PG_VERSION_NUM >= 160000
/* The identity of a row that is to be changed belongs to no table, and nothing makes it null. */
#define BelowOuterJoin(expression, join)                                                           \
	((join) == 0 || (IsA(expression, Var) && castNode(Var, expression)->varno == ROWID_VAR)        \
		 ? (Node *) (expression)                                                                   \
		 : remove_nulling_relids((Node *) (expression), bms_make_singleton(join), NULL))
#define AboveOuterJoin(expression, join, nullable)                                                 \
	((join) == 0 ? (Node *) (expression)                                                           \
				 : add_nulling_relids((Node *) (expression), nullable, bms_make_singleton(join)))
#define OuterJoinNumber(info) ((int) (info)->ojrelid)
#else
#define BelowOuterJoin(expression, join) ((void) (join), (Node *) (expression))
#define AboveOuterJoin(expression, join, nullable)                                                 \
	((void) (join), (void) (nullable), (Node *) (expression))
#define OuterJoinNumber(info) 0
#endif

/* Paths count the disabled nodes below them in versions whose costs do not include them. */
#if PG_VERSION_NUM >= 180000
#define SumDisabledNodes(path, a, b)                                                               \
	((path)->disabled_nodes = (a)->disabled_nodes + (b)->disabled_nodes)
#else
#define SumDisabledNodes(path, a, b) ((void) 0)
#endif

/*
 * The parts of an Append are in a struct, and a path of Material says whether it is enabled; for
 * files that include optimizer/pathnode.h.
 */
#if PG_VERSION_NUM < 190000 && defined(PATHNODE_H)
typedef struct AppendPathInput
{
	List *subpaths;
	List *partial_subpaths;
} AppendPathInput;

#define create_append_path(root, rel, input, ...)                                                  \
	create_append_path(root, rel, (input).subpaths, (input).partial_subpaths, __VA_ARGS__)
#define create_material_path(rel, path, enabled) create_material_path(rel, path)
#endif

/* Relations whose rows are aggregated below a join; older versions have none. */
#if PG_VERSION_NUM < 190000
#define IS_GROUPED_REL(rel) ((void) (rel), false)
#endif

/* The counts of a plan node have a type of their own. */
#if PG_VERSION_NUM < 190000
#define NodeInstrumentation Instrumentation
#endif

/* Files that include commands/explain.h get what later versions declare elsewhere. */
#if PG_VERSION_NUM >= 180000 && defined(EXPLAIN_H)
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif

/* A clause that holds where another one does; for files that include optimizer/restrictinfo.h. */
#ifdef RESTRICTINFO_H
static inline RestrictInfo *
MakeRestrictInfoLike(PlannerInfo *root, const RestrictInfo *other, Expr *clause)
{
#if PG_VERSION_NUM >= 160000
	return make_restrictinfo(root, clause, other->is_pushed_down, other->has_clone, other->is_clone,
							 other->pseudoconstant, other->security_level, other->required_relids,
							 other->incompatible_relids, other->outer_relids);
#else
	return make_restrictinfo(root, clause, other->is_pushed_down, other->outerjoin_delayed,
							 other->pseudoconstant, other->security_level, other->required_relids,
							 other->outer_relids, other->nullable_relids);
#endif
}
#endif

/* Orders of paths; for files that include optimizer/paths.h. */
#ifdef PATHS_H
#if PG_VERSION_NUM >= 180000
#define PathKeyDescends(key) ((key)->pk_cmptype == COMPARE_GT)
#define PathKeyAscend(key) ((key)->pk_cmptype = COMPARE_LT)
#else
#define PathKeyDescends(key) ((key)->pk_strategy == BTGreaterStrategyNumber)
#define PathKeyAscend(key) ((key)->pk_strategy = BTLessStrategyNumber)
#endif

/* The members of an equivalence class that may be of a relation. */
static inline List *
MembersOf(EquivalenceClass *class, const RelOptInfo *rel)
{
#if PG_VERSION_NUM >= 180000
	if (rel->reloptkind == RELOPT_OTHER_MEMBER_REL)
		return (int) rel->relid < class->ec_childmembers_size ? class->ec_childmembers[rel->relid]
															  : NIL;
#else
	(void) rel;
#endif
	return class->ec_members;
}
#endif

/* Whether a column of a table is never null; for files that include utils/syscache.h, too. */
#if defined(PATHS_H) && defined(SYSCACHE_H)
static inline bool
IsNotNullColumn(const RelOptInfo *rel, Oid table, AttrNumber column)
{
#if PG_VERSION_NUM >= 170000
	(void) table;
	return bms_is_member(column, rel->notnullattnums);
#else
	HeapTuple attribute = SearchSysCache2(ATTNUM, ObjectIdGetDatum(table), Int16GetDatum(column));
	bool not_null =
		HeapTupleIsValid(attribute) && ((Form_pg_attribute) GETSTRUCT(attribute))->attnotnull;

	(void) rel;
	if (HeapTupleIsValid(attribute))
		ReleaseSysCache(attribute);
	return not_null;
#endif
}
#endif

/* Later versions compute offsets of columns once all of them are known. */
#if PG_VERSION_NUM < 190000
#define TupleDescFinalize(type) ((void) (type))
#endif

/* A tuple without a header for transactions. */
#if PG_VERSION_NUM >= 180000
#define FormMinimalTuple(type, values, nulls) heap_form_minimal_tuple(type, values, nulls, 0)
#else
#define FormMinimalTuple(type, values, nulls) heap_form_minimal_tuple(type, values, nulls)
#endif

/* Files that include funcapi.h, where later versions declare it, get this one. */
#if PG_VERSION_NUM < 150000 && defined(FUNCAPI_H)
#include "miscadmin.h"

/* Gives a function that returns a set of rows a tuplestore to put them in; knows no flags. */
static inline void
InitMaterializedSRF(FunctionCallInfo fcinfo, bits32 flags)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	MemoryContext caller;

	if (flags != 0)
		elog(ERROR, "unsupported flags of a set-returning function: %u", flags);
	if (result == NULL || !IsA(result, ReturnSetInfo) ||
		(result->allowedModes & SFRM_Materialize) == 0)
		ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
						errmsg("set-returning function called where no set is accepted"),
						errdetail("The function returns all of its rows at once."),
						errhint("Call the function in the FROM clause.")));

	caller = MemoryContextSwitchTo(result->econtext->ecxt_per_query_memory);
	if (get_call_result_type(fcinfo, NULL, &result->setDesc) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "result of a set-returning function is not a row type");
	result->setResult = tuplestore_begin_heap((result->allowedModes & SFRM_Materialize_Random) != 0,
											  false, work_mem);
	result->returnMode = SFRM_Materialize;
	MemoryContextSwitchTo(caller);
}
#endif

/* Options of a sort, and reading the next datum of one. */
#if PG_VERSION_NUM < 150000
#define TUPLESORT_NONE false
#define TUPLESORT_RANDOMACCESS true
#endif
#if PG_VERSION_NUM < 160000
#define SortedDatum(sort, value, isnull) tuplesort_getdatum(sort, true, value, isnull, NULL)
#else
#define SortedDatum(sort, value, isnull) tuplesort_getdatum(sort, true, false, value, isnull, NULL)
#endif

/* Reads exactly this number of bytes; for files that include storage/buffile.h. */
#if PG_VERSION_NUM < 160000 && defined(BUFFILE_H)
static inline void
BufFileReadExact(BufFile *file, void *bytes, size_t size)
{
	if (BufFileRead(file, bytes, size) != size)
		ereport(ERROR, (errcode_for_file_access(), errmsg("could not read from temporary file")));
}
#endif

/* Files that processes share, by their names; for such files, too. */
#if PG_VERSION_NUM < 150000
#define SharedFileCreate(files, name) BufFileCreateShared(files, name)
#define SharedFileExport(file) BufFileExportShared(file)
#define SharedFileOpen(files, name) BufFileOpenShared(files, name, O_RDONLY)
#else
#define SharedFileCreate(files, name) BufFileCreateFileSet(&(files)->fs, name)
#define SharedFileExport(file) BufFileExportFileSet(file)
#define SharedFileOpen(files, name) BufFileOpenFileSet(&(files)->fs, name, O_RDONLY, false)
#endif

#if PG_VERSION_NUM < 160000
#define ereturn(context, value, ...)                                                               \
	do                                                                                             \
	{                                                                                              \
		(void) (context);                                                                          \
		ereport(ERROR, __VA_ARGS__);                                                               \
	} while (0)
#endif

/* Calls the input function of a type; false where it has reported an error to `context`. */
#if PG_VERSION_NUM >= 160000
#define InputSafely(function, text, context, result)                                               \
	DirectInputFunctionCallSafe(function, unconstify(char *, text), InvalidOid, -1,                \
								(struct Node *) (context), result)
#else
#define InputSafely(function, text, context, result)                                               \
	((void) (context), *(result) = DirectFunctionCall1(function, CStringGetDatum(text)), true)
#endif

/* The state of a jsonb value that is being made has the result. */
#if PG_VERSION_NUM < 190000
#include "utils/jsonb.h"

typedef struct JsonbInState
{
	JsonbValue *result;
	JsonbParseState *parseState;
} JsonbInState;

#define pushJsonbValue(state, token, value)                                                        \
	((void) ((state)->result = pushJsonbValue(&(state)->parseState, token, value)))
#endif

/* Files that include funcapi.h get what older versions declare with it. */
#if PG_VERSION_NUM >= 190000 && defined(FUNCAPI_H)
#include "utils/tuplestore.h"
#endif

/* Reads the elements of an array; the arguments say how these are stored. */
#if PG_VERSION_NUM >= 190000
#define ArrayIterSetup(it, array, length, by_value, align)                                         \
	array_iter_setup(it, array, length, by_value, align)
#define ArrayIterNext(it, isnull, i, length, by_value, align) array_iter_next(it, isnull, i)
#else
#define ArrayIterSetup(it, array, length, by_value, align) array_iter_setup(it, array)
#define ArrayIterNext(it, isnull, i, length, by_value, align)                                      \
	array_iter_next(it, isnull, i, length, by_value, align)
#endif

#ifndef palloc_array
#define palloc_array(type, count) ((type *) palloc(sizeof(type) * (Size) (count)))
#define palloc0_array(type, count) ((type *) palloc0(sizeof(type) * (Size) (count)))
#define palloc_object(type) ((type *) palloc(sizeof(type)))
#define palloc0_object(type) ((type *) palloc0(sizeof(type)))
#endif

/* An attribute of a catalogue row that is never null; for files that include utils/syscache.h. */
#if PG_VERSION_NUM < 160000 && defined(SYSCACHE_H)
static inline Datum
SysCacheGetAttrNotNull(int cache, HeapTuple row, AttrNumber attribute)
{
	bool isnull;
	Datum value = SysCacheGetAttr(cache, row, attribute, &isnull);

	if (isnull)
		elog(ERROR, "unexpected null in attribute %d of a catalogue row", attribute);
	return value;
}
#endif

/* Whether a role may execute a function; for files that include utils/acl.h. */
#if PG_VERSION_NUM >= 160000
#define FunctionAclCheck(function, role)                                                           \
	object_aclcheck(ProcedureRelationId, function, role, ACL_EXECUTE)
#else
#define FunctionAclCheck(function, role) pg_proc_aclcheck(function, role, ACL_EXECUTE)
#endif

/* Return type of an action of the JSON parser. */
#if PG_VERSION_NUM >= 160000
#define JSON_ACTION JsonParseErrorType
#define JSON_ACTION_DONE JSON_SUCCESS
#else
#define JSON_ACTION void
#define JSON_ACTION_DONE
#endif

/* A lexer of a json value that unescapes strings. */
#if PG_VERSION_NUM >= 170000
#define MakeJsonLexer(json) makeJsonLexContext(NULL, json, true)
#else
#define MakeJsonLexer(json) makeJsonLexContext(json, true)
#endif

/* A lexer of a text that may be JSON; strings stay as they are. */
#if PG_VERSION_NUM >= 170000
#define MakeJsonTextLexer(text, length, encoding)                                                  \
	makeJsonLexContextCstringLen(NULL, text, length, encoding, false)
#else
#define MakeJsonTextLexer(text, length, encoding)                                                  \
	makeJsonLexContextCstringLen(unconstify(char *, text), length, encoding, false)
#endif

/* Lets a vacuum sleep; for files that include commands/vacuum.h. */
#if PG_VERSION_NUM >= 180000
#define DelayVacuum() vacuum_delay_point(false)
#else
#define DelayVacuum() vacuum_delay_point()
#endif

/* Later versions have no old_snapshot_threshold. */
#if PG_VERSION_NUM >= 170000
#define TestForOldSnapshot(snapshot, relation, page) ((void) 0)
#endif

/*
 * Shared memory is asked for by a hook, or at once where there is none yet; backends have
 * places from 0.  For files that include storage/ipc.h.
 */
#ifdef IPC_H
#if PG_VERSION_NUM >= 150000
#define RunShmemRequests() ((void) 0)
#define MostBackends() MaxBackends
#else
#include "postmaster/autovacuum.h"
#include "replication/walsender.h"
typedef void (*shmem_request_hook_type)(void);
static shmem_request_hook_type shmem_request_hook pg_attribute_unused();
#define RunShmemRequests() shmem_request_hook()
#define MostBackends()                                                                             \
	(MaxConnections + autovacuum_max_workers + 1 + max_worker_processes + max_wal_senders)
#endif
#if PG_VERSION_NUM >= 170000
#define OwnBackendPlace() MyProcNumber
#else
#define OwnBackendPlace() (MyBackendId - 1)
#endif
#endif

/* What an index method's handler returns: the server frees it in versions that keep a copy. */
#if PG_VERSION_NUM >= 190000
#define IndexMethod(method) (method)
#else
#define IndexMethod(method) memcpy(palloc(sizeof(*(method))), method, sizeof(*(method)))
#endif

/* Counts a search of an index, for EXPLAIN; for files that include access/relscan.h. */
#if PG_VERSION_NUM >= 180000
#define CountIndexSearch(scan)                                                                     \
	do                                                                                             \
	{                                                                                              \
		if ((scan)->instrument)                                                                    \
			(scan)->instrument->nsearches++;                                                       \
	} while (0)
#else
#define CountIndexSearch(scan) ((void) 0)
#endif

/* The statistics target of a column that is analyzed, after std_typanalyze(). */
#if PG_VERSION_NUM >= 170000
#define StatisticsTarget(stats) ((stats)->attstattarget)
#else
#define StatisticsTarget(stats) ((stats)->attr->attstattarget)
#endif

#endif /* TED_COMPAT_H */
