/*
 * gpu_devices.c
 *	  The setting ted.gpu_devices, which lists the server's GPUs that backends may use.
 */
#include "postgres.h"

#include "utils/guc.h"

#include "gpu.h"
#include "gpu_devices.h"

#define ALL_GPUS "all"

static char *devices;
static uint32 allowed; /* one bit for each GPU */

/* Returns a pointer to the first character that is not blank. */
static const char *
SkipBlanks(const char *list)
{
	return list + strspn(list, " \t\n\r\f");
}

/* Reads a list of GPU numbers, or "all"; returns false if it is neither. */
static bool
ReadDevices(const char *list, uint32 *set)
{
	*set = 0;
	if (pg_strcasecmp(list, ALL_GPUS) == 0)
	{
		*set = ~(uint32) 0;
		return true;
	}
	for (;; list++)
	{
		char *end;
		long number;

		list = SkipBlanks(list);
		if (*list < '0' || *list > '9')
			return false;
		number = strtol(list, &end, 10);
		if (number >= TED_GPUS)
			return false;
		*set |= (uint32) 1 << number;
		list = SkipBlanks(end);
		if (*list == '\0')
			return true;
		if (*list != ',')
			return false;
	}
}

/* Check hook of the setting. */
static bool
CheckDevices(char **list, void **extra, GucSource source)
{
	uint32 set;

	(void) extra;
	(void) source;
	if (ReadDevices(*list, &set))
		return true;
	GUC_check_errdetail("GPUs have numbers from 0 to %d.", TED_GPUS - 1);
	GUC_check_errhint("List their numbers, separated by commas, or set it to \"" ALL_GPUS "\".");
	return false;
}

/* Assign hook of the setting. */
static void
AssignDevices(const char *list, void *extra)
{
	(void) extra;
	ReadDevices(list, &allowed);
}

/* Defines the setting. */
void
GpuDevicesInit(void)
{
	DefineCustomStringVariable("ted.gpu_devices", "Sets which GPUs are used, by their numbers.",
							   "all: those that the driver shows.", &devices, ALL_GPUS, PGC_SUSET,
							   GUC_LIST_INPUT, CheckDevices, AssignDevices, NULL);
}

/* Whether the GPU with this number may be used. */
bool
GpuIsAllowed(int number)
{
	return (allowed >> number & 1) != 0;
}
