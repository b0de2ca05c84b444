/*
 * engine_info.c
 *	  SQL functions that describe and measure the engine of a session.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_type.h"
#include "nodes/execnodes.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "../../compat.h"
#include "../../catalog/row_type.h"
#include "calibration.h"
#include "gpu_context.h"
#include "slots.h"

/* Makes an array of integers. */
static Datum
NumbersArray(const int32 *numbers, int count)
{
	Datum elements[TED_GPUS];

	for (int i = 0; i < count; i++)
		elements[i] = Int32GetDatum(numbers[i]);
	return PointerGetDatum(
		construct_array(elements, count, INT4OID, sizeof(int32), true, TYPALIGN_INT));
}

PG_FUNCTION_INFO_V1(ted_engine_info);

/* Returns the engine of this session, its devices, and counts of its work. */
Datum
ted_engine_info(PG_FUNCTION_ARGS)
{
	enum
	{
		ENGINE,
		DEVICE,
		DEVICES,
		CAPABILITY,
		PROCESSORS,
		MEMORY,
		FREE,
		USED,
		CALIBRATED,
		CONTEXTS,
		MAX_CONTEXTS,
		PAIRS,
		FALLBACKS,
		NOTE,
		ATTRIBUTES
	};
	GpuStatus status = GpuGetStatus();
	Datum values[ATTRIBUTES] = {0};
	bool nulls[ATTRIBUTES] = {0};

	values[ENGINE] = CStringGetTextDatum(status.count > 0 ? GpuEngine() : "cpu");
	for (int i = DEVICE; i <= CALIBRATED; i++)
		nulls[i] = status.count == 0;
	if (status.count > 0)
	{
		values[DEVICE] = CStringGetTextDatum(status.device.name);
		values[DEVICES] = NumbersArray(status.devices, status.count);
		values[CAPABILITY] = CStringGetTextDatum(
			psprintf("%d.%d", status.device.capability / 10, status.device.capability % 10));
		values[PROCESSORS] = Int32GetDatum(status.device.processors);
		values[MEMORY] = Int64GetDatum(status.device.memory);
		values[FREE] = Int64GetDatum(status.device.free);
		values[USED] = Int64GetDatum(status.device.used);
		values[CALIBRATED] = BoolGetDatum(status.calibrated);
	}
	values[CONTEXTS] = Int32GetDatum(status.contexts);
	values[MAX_CONTEXTS] = Int32GetDatum(ted_gpu_max_contexts);
	values[PAIRS] = Int64GetDatum(status.pairs);
	values[FALLBACKS] = Int64GetDatum(status.declined);
	nulls[NOTE] = status.note == NULL;
	if (status.note != NULL)
		values[NOTE] = CStringGetTextDatum(status.note);
	return FormRow(fcinfo, "ssIsilllbiills", values, nulls);
}

PG_FUNCTION_INFO_V1(ted_gpu_measure);

/* Measures the GPU; returns rows of ted_gpu_calibration. */
Datum
ted_gpu_measure(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	TedRate rates[TED_MEASURED_FAMILIES];
	GpuStatus status;

	InitRows(fcinfo, "sszddd");
	GpuCalibrate(rates);
	status = GpuGetStatus();
	for (int family = 0; family < TED_MEASURED_FAMILIES; family++)
	{
		Datum values[] = {CStringGetTextDatum(status.device.name),
						  CStringGetTextDatum(ted_family_names[family]),
						  TimestampTzGetDatum(GetCurrentTransactionStartTimestamp()),
						  Float8GetDatum(rates[family].opening),
						  Float8GetDatum(rates[family].cells_per_second),
						  Float8GetDatum(rates[family].bytes_per_second)};
		bool nulls[lengthof(values)] = {false};

		tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
	}
	return (Datum) 0;
}
