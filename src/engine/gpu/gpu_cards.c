/*
 * gpu_cards.c
 *	  The GPUs of this backend, and its contexts on them.
 */
#include "postgres.h"

#include <signal.h>

#include "access/parallel.h"
#include "utils/timestamp.h"

#include "calibration.h"
#include "gpu_cards.h"
#include "gpu_devices.h"
#include "slots.h"
#include "../engine_tuning.h"

/* A GPU and its properties. */
typedef struct Card
{
	TedGpu gpu;
	bool absent; /* whether opening found no device */
	bool warned; /* whether the user has been warned of a failure */
	bool calibrated;
	TedRate rates[TED_MEASURED_FAMILIES]; /* if it is calibrated */
	int32 processors;                     /* multiprocessors; 0 until it has been open */
	TimestampTz not_before;               /* time before which opening is not tried again */
} Card;

static struct
{
	int count;
	int first;        /* number of the GPU that gets all batches */
	char reason[256]; /* why count is 0 */
	Card card[TED_GPUS];
} cards;

/* Blocks all signals, so that threads started by the driver never handle signals of the backend. */
static void
BlockSignals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, before);
}

/* Forgets all GPUs, and finds the GPUs of a module. */
void
CardsFind(const TedDeviceModule *module)
{
	sigset_t before;

	CardsClose();
	memset(&cards, 0, sizeof(cards));
	for (int i = 0; i < TED_GPUS; i++)
	{
		cards.card[i].gpu.number = i;
		cards.card[i].gpu.module = module;
	}
	if (module == NULL)
		return;
	BlockSignals(&before);
	cards.count = Min(module->count(cards.reason), TED_GPUS);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Whether a GPU exists and may be used. */
static bool
IsThere(const Card *card)
{
	return card->gpu.number < cards.count && !card->absent && GpuIsAllowed(card->gpu.number);
}

/* Whether any GPU exists that may be used. */
bool
CardsAreThere(void)
{
	for (int i = 0; i < cards.count; i++)
		if (IsThere(&cards.card[i]))
			return true;
	return false;
}

/* Returns the number of GPUs that may be used and have not failed. */
int
CardsUsable(void)
{
	int usable = 0;

	for (int i = 0; i < cards.count; i++)
		usable += IsThere(&cards.card[i]) && !cards.card[i].gpu.failed;
	return usable;
}

/* Returns why there is no GPU, or why one has failed; "" for neither. */
const char *
CardsReason(void)
{
	for (int i = 0; i < cards.count; i++)
		if (GpuIsAllowed(i) && cards.card[i].gpu.reason[0] != '\0')
			return cards.card[i].gpu.reason;
	if (cards.count > 0 && !CardsAreThere())
		return "None of the GPUs that \"ted.gpu_devices\" lists is there.";
	return cards.reason;
}

/* Sets the memory in bytes that a backend may take of each GPU. */
void
CardsLimitMemory(int64 bytes)
{
	for (int i = 0; i < TED_GPUS; i++)
		cards.card[i].gpu.memory_limit = bytes;
}

/* Whether a GPU has a context. */
static bool
IsOpen(const Card *card)
{
	return card->gpu.device != NULL;
}

/* Warns of each failed GPU, once. */
static void
WarnOfFailures(void)
{
	for (int i = 0; i < cards.count; i++)
	{
		Card *card = &cards.card[i];

		if (!card->gpu.failed || card->warned)
			continue;
		card->warned = true;
		ereport(WARNING,
				(errcode(ERRCODE_EXTERNAL_ROUTINE_EXCEPTION),
				 errmsg("GPU %d has failed and is not used any more in this session", i),
				 errdetail("%s", card->gpu.reason),
				 errhint("Batches are computed on other GPUs, or on the CPU; a new session tries "
						 "this one again.")));
	}
}

/* Opens a context, for which the caller has taken a slot; on failure, gives the slot back. */
static bool
OpenCard(Card *card)
{
	TedDeviceStatus opened;
	TedDeviceInfo info;
	sigset_t before;

	BlockSignals(&before);
	opened = ted_gpu_open(&card->gpu);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (opened != TED_DEVICE_DONE)
	{
		GpuSlotRelease(card->gpu.number);
		card->absent = opened == TED_DEVICE_NONE;
		card->not_before = TimestampTzPlusMilliseconds(GetCurrentTimestamp(), TED_RETRY_AFTER);
		WarnOfFailures();
		return false;
	}
	card->gpu.module->info(card->gpu.device, &info);
	card->processors = info.processors;
	card->calibrated = ReadCalibration(info.name, card->rates);
	return true;
}

/*
 * Returns the GPU with the fewest contexts among those that can be opened; NULL if there is none.
 */
static Card *
LeastUsed(void)
{
	Card *least = NULL;
	int fewest = 0;

	for (int i = 0; i < cards.count; i++)
	{
		Card *card = &cards.card[i];
		int taken;

		if (!IsThere(card) || card->gpu.failed || IsOpen(card) ||
			card->not_before > GetCurrentTimestamp())
			continue;
		taken = GpuSlotsTaken(i);
		if (least == NULL || taken < fewest)
		{
			least = card;
			fewest = taken;
		}
	}
	return least;
}

/* Opens a context on another GPU; on failure, returns NULL and sets the reason in `answer`. */
static Card *
OpenAnother(GpuAnswer *answer)
{
	Card *card;

	*answer = GPU_NO;
	while ((card = LeastUsed()) != NULL)
	{
		*answer = GpuSlotTake(card->gpu.number) ? GPU_YES : GPU_NO_SLOT;
		if (*answer == GPU_NO_SLOT)
			return NULL;
		if (OpenCard(card))
			return card;
		*answer = GPU_NO;
	}
	return NULL;
}

/* Closes a context and gives its slot back. */
static void
CloseCard(Card *card)
{
	ted_gpu_close(&card->gpu);
	GpuSlotRelease(card->gpu.number);
}

/*
 * Closes contexts that may not stay open; returns an open one, preferably the first GPU, or NULL.
 */
static Card *
KeepOpen(void)
{
	Card *kept = NULL;

	for (int i = cards.count - 1; i >= 0; i--)
	{
		Card *card = &cards.card[i];

		if (!IsOpen(card))
			continue;
		if (!IsThere(card) || !GpuSlotTake(i))
			CloseCard(card);
		else if (kept == NULL || kept->gpu.number != cards.first)
			kept = card;
	}
	return kept;
}

/* Opens a context and takes a slot for it, unless a context is open. */
GpuAnswer
CardsOpen(void)
{
	GpuAnswer answer = GPU_YES;
	Card *card = KeepOpen();

	if (card == NULL)
		card = OpenAnother(&answer);
	if (card != NULL)
		cards.first = card->gpu.number;
	return answer;
}

/* Returns the GPU that gets all batches. */
TedGpu *
CardsFirst(void)
{
	return &cards.card[cards.first].gpu;
}

/* Returns the rates of the first GPU: measured ones, or defaults by its size. */
GpuTimes
CardsTimes(void)
{
	const Card *card = &cards.card[cards.first];
	GpuTimes times = {.open = IsOpen(card) ? 0 : TED_OPEN_SECONDS};

	memcpy(times.rates, ted_default_rates, sizeof(times.rates));
	for (int family = 0; family < TED_FAMILIES && card->processors > 0; family++)
		times.rates[family].cells_per_second *= card->processors / (double) TED_DEFAULT_PROCESSORS;
	if (card->calibrated)
		memcpy(times.rates, card->rates, sizeof(card->rates));
	return times;
}

void
CardsCalibrate(const TedRate *rates)
{
	Card *card = &cards.card[cards.first];

	memcpy(card->rates, rates, sizeof(card->rates));
	card->calibrated = true;
}

/* Returns the next open GPU after number `after`, except the first GPU; NULL if there is none. */
static Card *
NextOpen(int after)
{
	for (int i = after + 1; i < cards.count; i++)
		if (i != cards.first && IsOpen(&cards.card[i]))
			return &cards.card[i];
	return NULL;
}

/*
 * Collects the GPUs that share some work.  A parallel worker uses one, as its contexts end with it.
 */
int
CardsShare(double seconds, double each, TedGpu **gpus)
{
	Card *open = NextOpen(-1);
	int count = 1;

	gpus[0] = CardsFirst();
	while (count < CardsUsable() && !IsParallelWorker())
	{
		double saved = seconds / count - seconds / (count + 1);
		Card *card = open;
		GpuAnswer answer;

		if (saved <= each + (open == NULL ? TED_OPEN_SECONDS : 0))
			break;
		if (open != NULL)
			open = NextOpen(open->gpu.number);
		else if ((card = OpenAnother(&answer)) == NULL)
			break;
		gpus[count++] = &card->gpu;
	}
	return count;
}

/* Whether any context is open. */
bool
CardsAreOpen(void)
{
	for (int i = 0; i < cards.count; i++)
		if (IsOpen(&cards.card[i]))
			return true;
	return false;
}

/* Closes all contexts. */
void
CardsClose(void)
{
	for (int i = 0; i < cards.count; i++)
		CloseCard(&cards.card[i]);
}

/* Releases the slots of GPUs that work has closed, and warns of failures. */
void
CardsAfterWork(void)
{
	for (int i = 0; i < cards.count; i++)
		if (!IsOpen(&cards.card[i]))
			GpuSlotRelease(i);
	WarnOfFailures();
}

/* Describes the open contexts: properties of the first GPU, and memory of all. */
void
CardsStatus(GpuStatus *status)
{
	status->count = 0;
	for (int i = 0; i < cards.count; i++)
	{
		const Card *card = &cards.card[i];
		TedDeviceInfo info;

		if (!IsOpen(card))
			continue;
		card->gpu.module->info(card->gpu.device, &info);
		status->devices[status->count++] = i;
		if (status->count == 1)
		{
			status->device = info;
			status->calibrated = card->calibrated;
			continue;
		}
		status->device.memory += info.memory;
		status->device.free += info.free;
		status->device.used += info.used;
	}
}

/* Returns the number of contexts of all backends. */
int
CardsContexts(void)
{
	int contexts = 0;

	for (int i = 0; i < TED_GPUS; i++)
		contexts += GpuSlotsTaken(i);
	return contexts;
}
