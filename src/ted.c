/*
 * ted.c
 *	  Module entry: magic block, settings, version.
 */
#include "postgres.h"

#include <limits.h>

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "common/host.h"
#include "common/progress.h"
#include "compat.h"
#include "engine/gpu/gpu_context.h"
#include "index/planner/paths.h"
#include "join/nearest/nearest.h"
#include "join/plan/tedjoin.h"
#include "join/search/join_memory.h"

TED_MODULE_MAGIC;

extern PGDLLEXPORT void _PG_init(void);

/* Defines the settings and installs the planner's hooks. */
void
_PG_init(void)
{
	DefineCustomIntVariable(
		"ted.max_memory",
		"Sets the most memory that a computation which cannot write to disk may take.",
		"A pair of trees that needs more is refused before any is taken.  Joins write to disk "
		"what does not fit in work_mem.",
		&ted_max_memory, ted_max_memory, 64, INT_MAX, PGC_USERSET, GUC_UNIT_KB, NULL, NULL, NULL);
	ProgressInit();
	GpuInit();
	SearchPathsInit();
	JoinMemoryInit();
	TedJoinInit();
	TedNearestInit();
	MarkGUCPrefixReserved("ted");
}

PG_FUNCTION_INFO_V1(ted_version);

/* Returns the version of the module. */
Datum
ted_version(PG_FUNCTION_ARGS)
{
	(void) fcinfo;
	PG_RETURN_TEXT_P(cstring_to_text(TED_VERSION));
}
