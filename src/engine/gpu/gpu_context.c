/*
 * gpu_context.c
 *	  Decides which batches go to the GPUs of this backend, and when it has contexts there.
 *
 * The module is loaded, and a context opened, when a batch is first estimated to be worth it.  A
 * context takes hundreds of megabytes of a device, so only a limited number of backends have one at
 * a time (slots.c), and it is closed when it has been idle for some time.  Where anything is
 * missing, batches are computed on the CPU; only ted.gpu = on makes that an error.
 */
#include "postgres.h"

#include <dlfcn.h>
#include <limits.h>

#include "access/xact.h"
#include "catalog/pg_authid.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/sinval.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "../../compat.h"
#include "../../common/progress.h"
#include "calibration.h"
#include "gpu_cards.h"
#include "gpu_context.h"
#include "gpu_devices.h"
#include "slots.h"
#include "../engine_tuning.h"

typedef enum GpuMode
{
	GPU_MODE_OFF,
	GPU_MODE_AUTO,
	GPU_MODE_ON
} GpuMode;

static const struct config_enum_entry modes[] = {
	{"off", GPU_MODE_OFF, false}, {"auto", GPU_MODE_AUTO, false},
	{"on", GPU_MODE_ON, false},   {"false", GPU_MODE_OFF, true},
	{"no", GPU_MODE_OFF, true},   {"0", GPU_MODE_OFF, true},
	{"true", GPU_MODE_ON, true},  {"yes", GPU_MODE_ON, true},
	{"1", GPU_MODE_ON, true},     {NULL, 0, false}};

bool ted_explain_hardware = true;

/* The settings. */
static struct
{
	int mode;
	int memory_limit; /* MB, 0 for all */
	int idle_timeout; /* ms, 0 for none */
	char *module;
} settings = {.mode = GPU_MODE_AUTO, .idle_timeout = 60000};

/* State of the module, and counts of pairs. */
static struct
{
	const TedDeviceModule *module; /* NULL where there is none */
	char reason[256];              /* why there is no module */
	bool module_known;             /* whether ted.gpu_module has been tried */
	bool load_failed;              /* whether dlopen() failed: `reason` names the file then */
	TimestampTz last_used;
	TimeoutId idle_timeout;
	TimestampTz alarm_at; /* when idle_timeout fires, while it is active */
	int64 pairs_computed;
	int64 pairs_declined;
} context = {.idle_timeout = MAX_TIMEOUTS};

/* Makes the next batch load the module that has been set. */
static void
AssignModule(const char *name, void *extra)
{
	(void) name;
	(void) extra;
	context.module_known = false;
}

/* Defines the settings. */
void
GpuInit(void)
{
	DefineCustomEnumVariable("ted.gpu", "Sets which batches are computed on a GPU.",
							 "auto: those that it is estimated to pay for; on: all.",
							 &settings.mode, settings.mode, modes, PGC_USERSET, 0, NULL, NULL,
							 NULL);
	DefineCustomIntVariable(
		"ted.gpu_max_contexts", "Sets how many backends may have a context on a GPU at a time.",
		"Others compute on the CPU.", &ted_gpu_max_contexts, ted_gpu_max_contexts, 0, GPU_SLOTS_MAX,
		PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("ted.gpu_memory_limit",
							"Sets the most memory of a GPU that a backend may take.",
							"0 sets no limit.", &settings.memory_limit, settings.memory_limit, 0,
							INT_MAX, PGC_SUSET, GUC_UNIT_MB, NULL, NULL, NULL);
	DefineCustomIntVariable(
		"ted.gpu_idle_timeout", "Sets how long a GPU context that is not used stays open.",
		"0 leaves it open until the session ends.", &settings.idle_timeout, settings.idle_timeout,
		0, INT_MAX, PGC_SUSET, GUC_UNIT_MS, NULL, NULL, NULL);
	DefineCustomStringVariable("ted.gpu_module", "Sets the library that computes on a GPU.", NULL,
							   &settings.module, "$libdir/ted_cuda", PGC_SUSET, GUC_SUPERUSER_ONLY,
							   NULL, AssignModule, NULL);
	GpuDevicesInit();
	DefineCustomBoolVariable(
		"ted.explain_hardware", "Has EXPLAIN (ANALYZE) tell whether CPU or GPU has computed.", NULL,
		&ted_explain_hardware, ted_explain_hardware, PGC_USERSET, 0, NULL, NULL, NULL);
}

/* Returns the path of the module: replaces $libdir, and adds the suffix if it is missing. */
static char *
ModulePath(void)
{
	static const char libdir[] = "$libdir";
	Size length = strlen(settings.module);
	const char *suffix = DLSUFFIX;

	if (length > strlen(suffix) && strcmp(settings.module + length - strlen(suffix), suffix) == 0)
		suffix = "";
	if (strncmp(settings.module, libdir, strlen(libdir)) == 0)
		return psprintf("%s%s%s", pkglib_path, settings.module + strlen(libdir), suffix);
	return psprintf("%s%s", settings.module, suffix);
}

/* Loads the module; on failure, returns NULL and sets context.reason. */
static const TedDeviceModule *
LoadModule(void)
{
	char *path = ModulePath();
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const TedDeviceModule *(*get)(void);
	const TedDeviceModule *module;

	pfree(path);
	context.load_failed = library == NULL;
	if (context.load_failed)
	{
		strlcpy(context.reason, dlerror(), sizeof(context.reason));
		return NULL;
	}
	get = (const TedDeviceModule *(*) (void) ) dlsym(library, TED_DEVICE_MODULE_SYMBOL);
	module = get == NULL ? NULL : get();
	if (module == NULL || module->abi != TED_DEVICE_ABI)
	{
		strlcpy(context.reason, "the library is not a module of this version",
				sizeof(context.reason));
		dlclose(library);
		return NULL;
	}
	return module;
}

/* Loads the configured module, and finds its GPUs. */
static void
FindModule(void)
{
	CardsFind(NULL);
	context.reason[0] = '\0';
	context.module = LoadModule();
	CardsFind(context.module);
	context.module_known = true;
}

/* Closes all contexts when the backend exits. */
static void
AtExit(int code, Datum arg)
{
	(void) code;
	(void) arg;
	CardsClose();
}

/* Closes all contexts if they have been idle for long enough; otherwise sets the next check. */
static void
AtTransactionEnd(XactEvent event, void *arg)
{
	TimestampTz close_at;

	(void) arg;
	if (!CardsAreOpen() || settings.idle_timeout == 0 || event == XACT_EVENT_PRE_COMMIT ||
		event == XACT_EVENT_PARALLEL_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		return;
	close_at = TimestampTzPlusMilliseconds(context.last_used, settings.idle_timeout);
	if (GetCurrentTimestamp() >= close_at)
		CardsClose();
	else if (!get_timeout_active(context.idle_timeout) || context.alarm_at > close_at)
	{
		context.alarm_at = close_at;
		enable_timeout_at(context.idle_timeout, context.alarm_at);
	}
}

/*
 * Makes an idle backend reach the end of a transaction, where contexts are closed: it starts an
 * empty transaction to catch up with invalidations.  Runs in a signal handler.
 */
static void
AtIdleTimeout(void)
{
	HandleCatchupInterrupt();
}

/* Registers the callbacks that close contexts, once in a backend. */
static void
RegisterCallbacks(void)
{
	if (context.idle_timeout != MAX_TIMEOUTS)
		return;
	context.idle_timeout = RegisterTimeout(USER_TIMEOUT, AtIdleTimeout);
	RegisterXactCallback(AtTransactionEnd, NULL);
	before_shmem_exit(AtExit, (Datum) 0);
}

/* Loads the module and opens a context, unless that has been done. */
static GpuAnswer
Acquire(void)
{
	GpuAnswer answer;

	if (!context.module_known)
		FindModule();
	if (CardsUsable() == 0)
		return GPU_NO;
	RegisterCallbacks();
	CardsLimitMemory(settings.memory_limit == 0 ? PG_INT64_MAX
												: (int64) settings.memory_limit * 1024 * 1024);
	answer = CardsOpen();
	context.last_used = GetCurrentTimestamp();
	return answer;
}

/* Returns why there is no GPU, or why one has failed. */
static const char *
KnownReason(void)
{
	return context.reason[0] != '\0' ? context.reason : CardsReason();
}

/*
 * Returns KnownReason() without details that the user may not know, as ted.gpu_module is private.
 */
static const char *
Reason(void)
{
	if (context.load_failed && !has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_SETTINGS))
		return "The library that \"ted.gpu_module\" names could not be loaded.";
	return KnownReason();
}

/* Raises an error if there is no GPU. */
static void
CheckAvailable(void)
{
	if (!CardsAreThere())
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("there is no GPU to compute on"), errdetail("%s", Reason()),
						errdetail_log("%s", KnownReason()),
						errhint("Set \"ted.gpu\" to \"auto\" or \"off\", or see that the server "
								"has a GPU, its driver and the module built with CUDA=1.")));
}

/* Whether a batch is worth the GPU, by an estimator. */
static bool
Pays(GpuEstimator estimator, const void *batch)
{
	GpuTimes times = CardsTimes();

	return estimator(batch, &times);
}

/* Whether a batch may go to a GPU, so that an estimate makes sense. */
bool
GpuIsPossible(void)
{
	bool known_not_to_be = context.module_known && CardsUsable() == 0;

	return settings.mode == GPU_MODE_ON || (settings.mode == GPU_MODE_AUTO && !known_not_to_be);
}

/* Whether ted.gpu sends every batch to a GPU. */
bool
GpuIsForced(void)
{
	return settings.mode == GPU_MODE_ON;
}

/* Decides whether a batch goes to the GPU, and opens a context if so. */
GpuAnswer
GpuWanted(GpuEstimator pays, const void *batch)
{
	GpuAnswer answer;

	if (!GpuIsPossible() || (settings.mode == GPU_MODE_AUTO && !Pays(pays, batch)))
		return GPU_NO;
	answer = Acquire();
	if (settings.mode == GPU_MODE_ON)
		CheckAvailable();
	return answer;
}

/* Collects the GPUs that share some work, after GpuWanted() has returned GPU_YES. */
int
GpuShare(GpuSeconds seconds, const void *work, double each, TedGpu **gpus)
{
	GpuTimes times = CardsTimes();

	return CardsShare(CardsUsable() > 1 ? seconds(work, &times) : 0, each, gpus);
}

/*
 * Waits for a batch that began at `since`.  At first it does not wait, since a pair may take less
 * than a millisecond; then ever longer, but briefly enough to react to an interrupt.
 */
static void
Wait(instr_time since)
{
	instr_time elapsed;
	double nap;

	INSTR_TIME_SET_CURRENT(elapsed);
	INSTR_TIME_SUBTRACT(elapsed, since);
	nap = INSTR_TIME_GET_DOUBLE(elapsed) * TED_NAP_PART * 1e6;
	if (nap >= 1000)
	{
		if (WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, 1,
					  PG_WAIT_EXTENSION) &
			WL_LATCH_SET)
			ResetLatch(MyLatch);
	}
	else if (nap >= TED_SHORTEST_NAP)
		pg_usleep((long) nap);
}

/* Updates the state of the GPUs after work on them. */
void
GpuAfterWork(void)
{
	context.last_used = GetCurrentTimestamp();
	CardsAfterWork();
}

/* Computes a batch; cancels it if an error occurs. */
TedEngineStatus
GpuRun(const GpuWork *work, void *arg)
{
	volatile TedEngineStatus status = TED_ENGINE_BUSY;
	instr_time since;

	INSTR_TIME_SET_CURRENT(since);
	PG_TRY();
	{
		status = work->submit(arg);
		while (status == TED_ENGINE_BUSY)
		{
			Wait(since);
			CheckInterrupts();
			status = work->poll(arg);
		}
	}
	PG_CATCH();
	{
		work->cancel(arg);
		PG_RE_THROW();
	}
	PG_END_TRY();
	if (status == TED_ENGINE_DONE || status == TED_ENGINE_DECLINED)
		GpuAfterWork();
	return status;
}

/* Counts pairs computed, and pairs declined. */
void
GpuCount(int64 computed, int64 declined)
{
	context.pairs_computed += computed;
	context.pairs_declined += declined;
}

/* Returns the GPU for work that a single GPU computes. */
TedGpu *
GpuOfBackend(void)
{
	return CardsFirst();
}

/* Returns the name of the GPU engine; "gpu" in a leader that has not loaded the module. */
const char *
GpuEngine(void)
{
	return context.module == NULL ? "gpu" : context.module->name;
}

/* Returns the state of the GPUs of this session. */
GpuStatus
GpuGetStatus(void)
{
	const char *note = Reason();
	GpuStatus status = {.note = note[0] == '\0' ? NULL : note,
						.contexts = CardsContexts(),
						.pairs = context.pairs_computed,
						.declined = context.pairs_declined};

	CardsStatus(&status);
	return status;
}

/* Opens a context, or raises an error. */
static void
Require(void)
{
	GpuAnswer answer = Acquire();

	CheckAvailable();
	if (answer == GPU_NO_SLOT)
		ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
						errmsg("too many backends have a GPU context"),
						errdetail("The limit is %d for each GPU.", ted_gpu_max_contexts),
						errhint("Try again later, or increase \"ted.gpu_max_contexts\".")));
	if (answer == GPU_NO)
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_RESOURCES),
				 errmsg("a GPU context could not be opened"), errdetail("%s", KnownReason())));
}

void
GpuCalibrate(TedRate *rates)
{
	Require();
	MeasureRates(CardsFirst(), rates);
	CardsCalibrate(rates);
}
