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

/* Marks a case that falls through to the next one. */
#ifndef pg_fallthrough
#define pg_fallthrough __attribute__((fallthrough))
#endif

/* Exports a function that SQL can call.  Before 16, PostgreSQL exports the info function only. */
#if PG_VERSION_NUM < 160000
#undef PG_FUNCTION_INFO_V1
#define PG_FUNCTION_INFO_V1(name)                                                                  \
	extern PGDLLEXPORT const Pg_finfo_record *pg_finfo_##name(void);                               \
	const Pg_finfo_record *pg_finfo_##name(void)                                                   \
	{                                                                                              \
		static const Pg_finfo_record version = {1};                                                \
		return &version;                                                                           \
	}                                                                                              \
	extern PGDLLEXPORT Datum name(PG_FUNCTION_ARGS)
#endif

#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(prefix) EmitWarningsOnPlaceholders(prefix)
#endif

#if PG_VERSION_NUM < 150000
#define CUSTOMPATH_SUPPORT_PROJECTION 0 /* not a flag before 15 */
#define DLSUFFIX ".so"                  /* defined only in the build of the server */
#endif

/*
 * Turns an expression above an outer join into the same expression below the join, and the reverse.
 * From 16 on, a column that the join makes null has the join's number, but only above the join.
 * For files that include rewrite/rewriteManip.h.
 */
#if PG_VERSION_NUM >= 160000
/* A row identity (ROWID_VAR) belongs to no table, and no join makes it null. */
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
#define OuterJoinNumber(info) ((void) (info), 0)
#endif

/* From 18 on, a path counts the disabled nodes below it; before, their costs include a penalty. */
#if PG_VERSION_NUM >= 180000
#define SumDisabledNodes(path, a, b)                                                               \
	((path)->disabled_nodes = (a)->disabled_nodes + (b)->disabled_nodes)
#define IsDisabled(path) ((path)->disabled_nodes > 0)
#else
#define SumDisabledNodes(path, a, b) ((void) 0)
#define IsDisabled(path) ((path)->total_cost >= 1.0e10)
#endif

/*
 * create_append_path() takes the subpaths in a struct, and create_material_path() takes whether
 * the path is enabled.  For files that include optimizer/pathnode.h.
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

/* The counts of a plan node have a type of their own from 19 on. */
#if PG_VERSION_NUM < 190000
#define NodeInstrumentation Instrumentation
#endif

/* Files that include commands/explain.h need two more headers from 18 on. */
#if PG_VERSION_NUM >= 180000 && defined(EXPLAIN_H)
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#endif

/*
 * Makes a clause that holds where another clause does; for files that include
 * optimizer/restrictinfo.h.
 */
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

/* Direction of path keys; for files that include optimizer/paths.h. */
#ifdef PATHS_H
#if PG_VERSION_NUM >= 180000
#define PathKeyDescends(key) ((key)->pk_cmptype == COMPARE_GT)
#define PathKeyAscend(key) ((key)->pk_cmptype = COMPARE_LT)
#else
#define PathKeyDescends(key) ((key)->pk_strategy == BTGreaterStrategyNumber)
#define PathKeyAscend(key) ((key)->pk_strategy = BTLessStrategyNumber)
#endif

/* Returns the members of an equivalence class that may belong to a relation. */
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

/* Whether a column of a table is never null; for files that also include utils/syscache.h. */
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

/* From 19 on, the offsets of columns are computed once all columns are known. */
#if PG_VERSION_NUM < 190000
#define TupleDescFinalize(type) ((void) (type))
#endif

/* Makes a minimal tuple, without extra space before its header. */
#if PG_VERSION_NUM >= 180000
#define FormMinimalTuple(type, values, nulls) heap_form_minimal_tuple(type, values, nulls, 0)
#else
#define FormMinimalTuple(type, values, nulls) heap_form_minimal_tuple(type, values, nulls)
#endif

/* Defines InitMaterializedSRF() for 14; 15 and later declare it in funcapi.h. */
#if PG_VERSION_NUM < 150000 && defined(FUNCAPI_H)
#include "miscadmin.h"

/* Makes a tuplestore for the rows of a set-returning function.  No flags are supported. */
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

/* Options of a sort, and a function that reads the next datum of a sort. */
#if PG_VERSION_NUM < 150000
#define TUPLESORT_NONE false
#define TUPLESORT_RANDOMACCESS true
#endif
#if PG_VERSION_NUM < 160000
#define SortedDatum(sort, value, isnull) tuplesort_getdatum(sort, true, value, isnull, NULL)
#else
#define SortedDatum(sort, value, isnull) tuplesort_getdatum(sort, true, false, value, isnull, NULL)
#endif

/* Reads exactly `size` bytes, or raises an error; for files that include storage/buffile.h. */
#if PG_VERSION_NUM < 160000 && defined(BUFFILE_H)
static inline void
BufFileReadExact(BufFile *file, void *bytes, size_t size)
{
	if (BufFileRead(file, bytes, size) != size)
		ereport(ERROR, (errcode_for_file_access(), errmsg("could not read from temporary file")));
}
#endif

/*
 * Creates, exports and opens a file shared by processes; for files that include storage/buffile.h.
 */
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

/* From 19 on, one struct has the state of a jsonb value that is being made and its result. */
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

/* Files that include funcapi.h need one more header from 19 on. */
#if PG_VERSION_NUM >= 190000 && defined(FUNCAPI_H)
#include "utils/tuplestore.h"
#endif

/* Iterates over the elements of an array; before 19, each call needs their storage attributes. */
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

/*
 * Returns an attribute of a catalogue row, which must not be null; for files that include
 * utils/syscache.h.
 */
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

/* Return type and value of an action of the JSON parser. */
#if PG_VERSION_NUM >= 160000
#define JSON_ACTION JsonParseErrorType
#define JSON_ACTION_DONE JSON_SUCCESS
#else
#define JSON_ACTION void
#define JSON_ACTION_DONE
#endif

/* Raises the error of the JSON parser; for files that include utils/jsonfuncs.h. */
#if PG_VERSION_NUM >= 160000
#define RaiseJsonError(error, lexer) json_errsave_error(error, lexer, NULL)
#else
#define RaiseJsonError(error, lexer) json_ereport_error(error, lexer)
#endif

/* Makes a lexer of a json value, which unescapes strings. */
#if PG_VERSION_NUM >= 170000
#define MakeJsonLexer(json) makeJsonLexContext(NULL, json, true)
#else
#define MakeJsonLexer(json) makeJsonLexContext(json, true)
#endif

/* Makes a lexer of a text that may be JSON, which leaves strings escaped. */
#if PG_VERSION_NUM >= 170000
#define MakeJsonTextLexer(text, length, encoding)                                                  \
	makeJsonLexContextCstringLen(NULL, text, length, encoding, false)
#else
#define MakeJsonTextLexer(text, length, encoding)                                                  \
	makeJsonLexContextCstringLen(unconstify(char *, text), length, encoding, false)
#endif

/* Sleeps if a vacuum is to be delayed; for files that include commands/vacuum.h. */
#if PG_VERSION_NUM >= 180000
#define DelayVacuum() vacuum_delay_point(false)
#else
#define DelayVacuum() vacuum_delay_point()
#endif

/* old_snapshot_threshold was removed in 17. */
#if PG_VERSION_NUM >= 170000
#define TestForOldSnapshot(snapshot, relation, page) ((void) 0)
#endif

/*
 * Requests shared memory by a hook from 15 on, and directly in 14; OwnBackendPlace() counts from 0.
 * For files that include storage/ipc.h.
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

/* Returns what the handler of an index method returns: before 19, the server frees it. */
#if PG_VERSION_NUM >= 190000
#define IndexMethod(method) (method)
#else
#define IndexMethod(method) memcpy(palloc(sizeof(*(method))), method, sizeof(*(method)))
#endif

/* Counts an index search for EXPLAIN; for files that include access/relscan.h. */
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

/* Returns the statistics target of an analyzed column, which std_typanalyze() has set. */
#if PG_VERSION_NUM >= 170000
#define StatisticsTarget(stats) ((stats)->attstattarget)
#else
#define StatisticsTarget(stats) ((stats)->attr->attstattarget)
#endif

#endif /* TED_COMPAT_H */
