/*
 * gpu_context.c
 *	  The GPU context of this backend: when there is one, and who may have one.
 *
 * The module is loaded, and a context opened, when a batch is first found to be
 * worth it.  A context takes hundreds of megabytes of the device, so a limited
 * number of backends have one at a time (slots.c), and it is closed when it has
 * not been used for a while.  Where anything is missing, batches are computed
 * on the CPU; only ted.gpu = on makes an error of that.
 */
#include "postgres.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>

#include "access/xact.h"
#include "catalog/pg_authid.h"
#include "miscadmin.h"
#include "storage/ipc.h"
#include "storage/latch.h"
#include "storage/sinval.h"
#include "utils/acl.h"
#include "utils/guc.h"
#include "utils/timeout.h"
#include "utils/timestamp.h"
#include "utils/wait_event.h"

#include "../core/tree/bounded.h"
#include "calibration.h"
#include "gpu_context.h"
#include "slots.h"

/* A context is used where it takes less than this part of the CPU's time. */
#define WORTHWHILE 0.5

/* Seconds that the CPU takes at most for a pair of rows and columns of a pair's tables. */
#define LONGEST_CELL 50e-9

/* Microseconds below which a nap is not worth it: the kernel may wake us so much later. */
#define SHORTEST_NAP 50

/* Milliseconds after which opening is tried again where the device had no memory left. */
#define RETRY_AFTER 10000

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

static int gpu_mode = GPU_MODE_AUTO;
static int gpu_memory_limit = 0; /* MB, 0 for all */
static int gpu_idle_timeout = 60000;
static char *gpu_module;

static TedGpu gpu;
static bool module_known; /* ted.gpu_module has been tried */
static bool load_failed;  /* in vain: the reason names the file */
static bool no_device;    /* the module has found none */
static bool warned;       /* of the failure of the device */
static TedCalibration calibration;
static bool calibrated;
static int32 processors = TED_DEFAULT_PROCESSORS;
static TimestampTz last_used;
static TimestampTz not_before; /* opening is not tried until then */
static TimeoutId idle_timeout = MAX_TIMEOUTS;
static TimestampTz alarm_at; /* when that one fires, while it is active */
static int64 pairs_computed;
static int64 pairs_declined;

/* Has another module loaded. */
static void
AssignModule(const char *name, void *extra)
{
	(void) name;
	(void) extra;
	module_known = false;
}

/* Defines the settings. */
void
GpuInit(void)
{
	DefineCustomEnumVariable("ted.gpu", "Sets which batches are computed on a GPU.",
							 "auto: those that it is estimated to pay for; on: all.", &gpu_mode,
							 gpu_mode, modes, PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable(
		"ted.gpu_max_contexts", "Sets how many backends may have a GPU context at a time.",
		"Others compute on the CPU.", &ted_gpu_max_contexts, ted_gpu_max_contexts, 0, GPU_SLOTS_MAX,
		PGC_SIGHUP, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("ted.gpu_memory_limit",
							"Sets the most memory of the GPU that a backend may take.",
							"0 sets no limit.", &gpu_memory_limit, gpu_memory_limit, 0, INT_MAX,
							PGC_SUSET, GUC_UNIT_MB, NULL, NULL, NULL);
	DefineCustomIntVariable("ted.gpu_idle_timeout",
							"Sets how long a GPU context that is not used stays open.",
							"0 leaves it open until the session ends.", &gpu_idle_timeout,
							gpu_idle_timeout, 0, INT_MAX, PGC_SUSET, GUC_UNIT_MS, NULL, NULL, NULL);
	DefineCustomStringVariable("ted.gpu_module", "Sets the library that computes on a GPU.", NULL,
							   &gpu_module, "$libdir/ted_cuda", PGC_SUSET, GUC_SUPERUSER_ONLY, NULL,
							   AssignModule, NULL);
	DefineCustomBoolVariable(
		"ted.explain_hardware", "Has EXPLAIN (ANALYZE) tell whether CPU or GPU has computed.", NULL,
		&ted_explain_hardware, ted_explain_hardware, PGC_USERSET, 0, NULL, NULL, NULL);
}

/* Name of the module's file: $libdir is where PostgreSQL's libraries are, the suffix may be
 * missing. */
static char *
ModulePath(void)
{
	static const char libdir[] = "$libdir";
	Size length = strlen(gpu_module);
	const char *suffix = DLSUFFIX;

	if (length > strlen(suffix) && strcmp(gpu_module + length - strlen(suffix), suffix) == 0)
		suffix = "";
	if (strncmp(gpu_module, libdir, strlen(libdir)) == 0)
		return psprintf("%s%s%s", pkglib_path, gpu_module + strlen(libdir), suffix);
	return psprintf("%s%s", gpu_module, suffix);
}

/* Loads the module; NULL where there is none, and why. */
static const TedDeviceModule *
LoadModule(void)
{
	char *path = ModulePath();
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	const TedDeviceModule *(*get)(void);
	const TedDeviceModule *module;

	pfree(path);
	load_failed = library == NULL;
	if (load_failed)
	{
		strlcpy(gpu.reason, dlerror(), sizeof(gpu.reason));
		return NULL;
	}
	get = (const TedDeviceModule *(*) (void) ) dlsym(library, TED_DEVICE_MODULE_SYMBOL);
	module = get == NULL ? NULL : get();
	if (module == NULL || module->abi != TED_DEVICE_ABI)
	{
		strlcpy(gpu.reason, "the library is not a module of this version", sizeof(gpu.reason));
		dlclose(library);
		return NULL;
	}
	return module;
}

/* Closes the context and gives its slot back. */
static void
Close(void)
{
	ted_gpu_close(&gpu);
	GpuSlotRelease();
}

/* Loads the module that is set. */
static void
FindModule(void)
{
	Close();
	gpu.failed = no_device = warned = calibrated = false;
	gpu.reason[0] = '\0';
	not_before = 0;
	processors = TED_DEFAULT_PROCESSORS;
	gpu.module = LoadModule();
	module_known = true;
}

/* Closes the context when the backend exits. */
static void
AtExit(int code, Datum arg)
{
	(void) code;
	(void) arg;
	Close();
}

/* Closes the context if it has not been used for long enough, or sees to it that this is asked. */
static void
AtTransactionEnd(XactEvent event, void *arg)
{
	TimestampTz close_at;

	(void) arg;
	if (gpu.device == NULL || gpu_idle_timeout == 0 || event == XACT_EVENT_PRE_COMMIT ||
		event == XACT_EVENT_PARALLEL_PRE_COMMIT || event == XACT_EVENT_PRE_PREPARE)
		return;
	close_at = TimestampTzPlusMilliseconds(last_used, gpu_idle_timeout);
	if (GetCurrentTimestamp() >= close_at)
		Close();
	else if (!get_timeout_active(idle_timeout) || alarm_at > close_at)
	{
		alarm_at = close_at;
		enable_timeout_at(idle_timeout, alarm_at);
	}
}

/*
 * Has an idle backend come to the end of a transaction: it starts an empty one
 * to catch up with invalidations.  Runs in a signal handler.
 */
static void
AtIdleTimeout(void)
{
	HandleCatchupInterrupt();
}

/* Has what follows the opening of a context done in time, once in a backend. */
static void
RegisterCallbacks(void)
{
	if (idle_timeout != MAX_TIMEOUTS)
		return;
	idle_timeout = RegisterTimeout(USER_TIMEOUT, AtIdleTimeout);
	RegisterXactCallback(AtTransactionEnd, NULL);
	before_shmem_exit(AtExit, (Datum) 0);
}

/* Says once why the GPU is not used any more. */
static void
WarnOfFailure(void)
{
	if (!gpu.failed || warned)
		return;
	warned = true;
	ereport(WARNING,
			(errcode(ERRCODE_EXTERNAL_ROUTINE_EXCEPTION),
			 errmsg("the GPU has failed and is not used any more in this session"),
			 errdetail("%s", gpu.reason),
			 errhint("Batches are computed on the CPU; a new session tries the GPU again.")));
}

/* Blocks all signals, so that threads that the driver starts never handle one of ours. */
static void
BlockSignals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, before);
}

/* Opens a context; false where that fails. */
static bool
Open(void)
{
	TedDeviceStatus opened;
	TedDeviceInfo info;
	sigset_t before;

	if (not_before > GetCurrentTimestamp())
		return false;
	RegisterCallbacks();
	BlockSignals(&before);
	opened = gpu.module->open(gpu.memory_limit, &gpu.device, gpu.reason);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (opened != TED_DEVICE_DONE)
	{
		gpu.device = NULL;
		no_device = opened == TED_DEVICE_NONE;
		gpu.failed = opened == TED_DEVICE_FAILED;
		not_before = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), RETRY_AFTER);
		WarnOfFailure();
		return false;
	}
	gpu.reason[0] = '\0';
	gpu.module->info(gpu.device, &info);
	processors = info.processors;
	calibrated = ReadCalibration(info.name, &calibration);
	if (calibrated)
		gpu.module->set_calibration(gpu.device, &calibration);
	return true;
}

/* Has a context open and a slot for it. */
static GpuAnswer
Acquire(void)
{
	if (!module_known)
		FindModule();
	if (gpu.module == NULL || no_device || gpu.failed)
		return GPU_NO;
	gpu.memory_limit =
		gpu_memory_limit == 0 ? PG_INT64_MAX : (int64) gpu_memory_limit * 1024 * 1024;
	if (!GpuSlotTake())
	{
		ted_gpu_close(&gpu);
		return GPU_NO_SLOT;
	}
	if (gpu.device == NULL && !Open())
	{
		GpuSlotRelease();
		return GPU_NO;
	}
	last_used = GetCurrentTimestamp();
	return GPU_YES;
}

/* Why there is no GPU, as the user may know: ted.gpu_module is not shown to everybody. */
static const char *
Reason(void)
{
	if (load_failed && !has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_SETTINGS))
		return "The library that \"ted.gpu_module\" names could not be loaded.";
	return gpu.reason;
}

/* Raises an error where there is no GPU. */
static void
CheckAvailable(void)
{
	if (gpu.module == NULL || no_device)
		ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
						errmsg("there is no GPU to compute on"), errdetail("%s", Reason()),
						errdetail_log("%s", gpu.reason),
						errhint("Set \"ted.gpu\" to \"auto\" or \"off\", or see that the server "
								"has a GPU, its driver and the module built with CUDA=1.")));
}

/* Seconds that the CPU takes for a batch at most, found out in little time. */
static double
SecondsAtMost(const TedTree *const *trees, const TedBatch *batch)
{
	double cells = 0;

	for (int64 i = 0; i < batch->count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		cells += (double) trees[batch->pairs[i].a]->left_nodes *
				 (double) trees[batch->pairs[i].b]->left_nodes;
	}
	return cells * LONGEST_CELL;
}

/* Seconds that the CPU takes for a batch, about. */
static double
CpuSeconds(const TedTree *const *trees, const TedBatch *batch)
{
	double seconds = 0;

	for (int64 i = 0; i < batch->count; i++)
	{
		const TedPair *pair = &batch->pairs[i];

		CHECK_FOR_INTERRUPTS();
		seconds += ted_pair_seconds(trees[pair->a], trees[pair->b], &batch->costs, pair->limit);
	}
	return seconds;
}

/* Times of the GPU. */
static const TedCalibration *
Times(void)
{
	return calibrated ? &calibration : &ted_default_calibration;
}

/* Seconds that the GPU takes for a batch, about: it fills all tables, whatever the limits are. */
static double
GpuSeconds(const TedTree *const *trees, Size bytes, const TedBatch *batch)
{
	TedGpuEstimate estimate = {.calibration = Times(), .processors = processors};

	for (int64 i = 0; i < batch->count; i++)
	{
		const TedPair *pair = &batch->pairs[i];

		CHECK_FOR_INTERRUPTS();
		ted_gpu_estimate_pair(&estimate, trees[pair->a], trees[pair->b], &batch->costs,
							  pair->limit);
	}
	return ted_gpu_estimate_seconds(&estimate, (double) bytes);
}

/* Whether a batch takes much less time on the GPU than on the CPU. */
static bool
Pays(const TedTree *const *trees, Size bytes, const TedBatch *batch)
{
	double open = gpu.device == NULL ? TED_OPEN_SECONDS : 0;
	double least = open + Times()->launch;
	double cpu;

	if (SecondsAtMost(trees, batch) * WORTHWHILE < least)
		return false;
	cpu = CpuSeconds(trees, batch) * WORTHWHILE;
	if (cpu < least)
		return false;
	return open + GpuSeconds(trees, bytes, batch) < cpu;
}

/* Whether a batch of strings takes much less time on the GPU than on the CPU. */
static bool
StringsPay(const TedStringsSize *size)
{
	double open = gpu.device == NULL ? TED_OPEN_SECONDS : 0;
	double cpu = ted_cpu_strings_seconds(size) * WORTHWHILE;

	return open < cpu && open + ted_gpu_strings_seconds(size) < cpu;
}

/* Whether to look at what a batch takes at all. */
static bool
IsOutOfQuestion(void)
{
	return gpu_mode == GPU_MODE_OFF || (gpu_mode == GPU_MODE_AUTO && module_known &&
										(gpu.module == NULL || no_device || gpu.failed));
}

/* Opens a context for a batch for which that pays. */
static GpuAnswer
AcquireWanted(void)
{
	GpuAnswer answer = Acquire();

	if (gpu_mode == GPU_MODE_ON)
		CheckAvailable();
	return answer;
}

/* Decides about a batch, and opens a context where that pays. */
GpuAnswer
GpuWanted(const TedTree *const *trees, Size bytes, const TedBatch *batch)
{
	if (IsOutOfQuestion() || (gpu_mode == GPU_MODE_AUTO && !Pays(trees, bytes, batch)))
		return GPU_NO;
	return AcquireWanted();
}

/* The same for strings. */
GpuAnswer
GpuWantedForStrings(const TedStringsSize *size)
{
	if (IsOutOfQuestion() || (gpu_mode == GPU_MODE_AUTO && !StringsPay(size)))
		return GPU_NO;
	return AcquireWanted();
}

/*
 * Waits for a batch that is under way since then: not at all at first, since
 * one pair may take less than a millisecond, then the longer the longer that is,
 * but short enough for an interrupt.
 */
void
GpuWait(instr_time since)
{
	instr_time elapsed;
	double nap;

	INSTR_TIME_SET_CURRENT(elapsed);
	INSTR_TIME_SUBTRACT(elapsed, since);
	nap = INSTR_TIME_GET_DOUBLE(elapsed) / 64 * 1e6;
	if (nap >= 1000)
	{
		if (WaitLatch(MyLatch, WL_LATCH_SET | WL_TIMEOUT | WL_EXIT_ON_PM_DEATH, 1,
					  PG_WAIT_EXTENSION) &
			WL_LATCH_SET)
			ResetLatch(MyLatch);
	}
	else if (nap >= SHORTEST_NAP)
		pg_usleep((long) nap);
}

/* Sees what a batch has done to the device. */
void
GpuDone(void)
{
	last_used = GetCurrentTimestamp();
	if (gpu.device == NULL)
		GpuSlotRelease();
	WarnOfFailure();
}

/* Counts pairs computed, and left to the CPU. */
void
GpuCount(int64 pairs, int64 left)
{
	pairs_computed += pairs;
	pairs_declined += left;
}

/* The GPU of this backend. */
TedGpu *
GpuOfBackend(void)
{
	return &gpu;
}

/* Name of the engine that computes there; a leader may know less of it than its workers. */
const char *
GpuEngine(void)
{
	return gpu.module == NULL ? "gpu" : gpu.module->name;
}

/* State of the GPU of this session. */
GpuStatus
GpuGetStatus(void)
{
	GpuStatus status = {.note = gpu.reason[0] == '\0' ? NULL : Reason(),
						.open = gpu.device != NULL,
						.calibrated = calibrated,
						.pairs = pairs_computed,
						.left = pairs_declined};

	if (status.open)
		gpu.module->info(gpu.device, &status.device);
	return status;
}

/* Opens a context for one who insists on it, or raises an error. */
static void
Require(void)
{
	GpuAnswer answer = Acquire();

	CheckAvailable();
	if (answer == GPU_NO_SLOT)
		ereport(ERROR, (errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
						errmsg("too many backends have a GPU context"),
						errdetail("The limit is %d.", ted_gpu_max_contexts),
						errhint("Try again later, or increase \"ted.gpu_max_contexts\".")));
	if (answer == GPU_NO)
		ereport(ERROR, (errcode(ERRCODE_INSUFFICIENT_RESOURCES),
						errmsg("a GPU context could not be opened"), errdetail("%s", gpu.reason)));
}

/* Measures the device. */
TedCalibration
GpuCalibrate(void)
{
	TedCalibration measured;
	TedDeviceStatus status;
	sigset_t before;

	Require();
	BlockSignals(&before);
	status = gpu.module->calibrate(gpu.device, &measured);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (status != TED_DEVICE_DONE)
	{
		if (status != TED_DEVICE_OUT_OF_MEMORY)
		{
			ted_gpu_fail(&gpu);
			GpuSlotRelease();
		}
		ereport(ERROR, (errcode(ERRCODE_EXTERNAL_ROUTINE_EXCEPTION),
						errmsg("the GPU could not be measured"),
						gpu.failed ? errdetail("%s", gpu.reason)
								   : errdetail("The GPU has not enough memory left.")));
	}
	calibration = measured;
	calibrated = true;
	return measured;
}
