/*
 * fake_sql.c
 *	  Sets the behaviour of this backend's fake module, from SQL.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"

#include "fake.h"

PG_MODULE_MAGIC;

static const char *const functions[] = {[FAKE_OPEN] = "open",
										[FAKE_TREES_CREATE] = "trees_create",
										[FAKE_TREES_ADD] = "trees_add",
										[FAKE_LABEL_COSTS] = "label_costs",
										[FAKE_SUBMIT] = "submit",
										[FAKE_STRINGS_SUBMIT] = "strings_submit",
										[FAKE_JOIN_CREATE] = "join_create",
										[FAKE_JOIN_ADD] = "join_add",
										[FAKE_JOIN_SUBMIT] = "join_submit",
										[FAKE_POLL] = "poll"};

/* Returns the number of the fake that has a name. */
static int64 *
Number(const char *name)
{
	struct
	{
		const char *name;
		int64 *number;
	} numbers[] = {{"milliseconds", &fake.milliseconds},
				   {"memory", &fake.memory},
				   {"room", &fake.room},
				   {"largest", &fake.largest},
				   {"range", &fake.range},
				   {"one_open_in", &fake.one_open_in},
				   {"count", &fake.count},
				   {"processors", &fake.processors},
				   {"one_short_in", &fake.one_short_in},
				   {"batches0", &fake.batches[0]},
				   {"batches1", &fake.batches[1]},
				   {"ranges0", &fake.ranges[0]},
				   {"ranges1", &fake.ranges[1]},
				   {"devices", &fake.devices},
				   {"sets", &fake.sets},
				   {"used", &fake.used},
				   {"trees", &fake.trees},
				   {"pairs", &fake.pairs},
				   {"cancelled", &fake.cancelled},
				   {"misused", &fake.misused}};

	for (Size i = 0; i < lengthof(numbers); i++)
		if (strcmp(name, numbers[i].name) == 0)
			return numbers[i].number;
	for (int i = 0; i < FAKE_FUNCTIONS; i++)
		if (strcmp(name, functions[i]) == 0)
			return &fake.calls[i];
	elog(ERROR, "the fake module has no %s", name);
}

PG_FUNCTION_INFO_V1(ted_fake_set);

/* Sets a number. */
Datum
ted_fake_set(PG_FUNCTION_ARGS)
{
	*Number(text_to_cstring(PG_GETARG_TEXT_PP(0))) = PG_GETARG_INT64(1);
	PG_RETURN_VOID();
}

PG_FUNCTION_INFO_V1(ted_fake_get);

/* Returns a number, or how often a function was called. */
Datum
ted_fake_get(PG_FUNCTION_ARGS)
{
	PG_RETURN_INT64(*Number(text_to_cstring(PG_GETARG_TEXT_PP(0))));
}

PG_FUNCTION_INFO_V1(ted_fake_fail);

/* Resets the fake module, and makes the n-th call of a function fail with a status. */
Datum
ted_fake_fail(PG_FUNCTION_ARGS)
{
	char *status = text_to_cstring(PG_GETARG_TEXT_PP(2));
	int64 *calls = Number(text_to_cstring(PG_GETARG_TEXT_PP(0)));
	FakeFunction function;

	fake_reset();
	function = (FakeFunction) (calls - fake.calls);
	fake.fail_at[function] = PG_GETARG_INT32(1);
	fake.fail_with[function] = strcmp(status, "memory") == 0 ? TED_DEVICE_OUT_OF_MEMORY
							   : strcmp(status, "none") == 0 ? TED_DEVICE_NONE
															 : TED_DEVICE_FAILED;
	PG_RETURN_VOID();
}
