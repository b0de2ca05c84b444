/*
 * fake.h
 *	  A GPU module that computes on the CPU and behaves as a test sets it.
 */
#ifndef TED_TEST_GPU_FAKE_H
#define TED_TEST_GPU_FAKE_H

#include "../../src/engine/device.h"

/* The functions that can fail. */
typedef enum FakeFunction
{
	FAKE_OPEN,
	FAKE_CALIBRATE,
	FAKE_TREES_CREATE,
	FAKE_TREES_ADD,
	FAKE_LABEL_COSTS,
	FAKE_SUBMIT,
	FAKE_STRINGS_SUBMIT,
	FAKE_JOIN_CREATE,
	FAKE_JOIN_ADD,
	FAKE_JOIN_SUBMIT,
	FAKE_POLL,
	FAKE_FUNCTIONS
} FakeFunction;

/* Devices that there can be. */
#define FAKE_DEVICES 4

typedef struct Fake
{
	/* what it does: set by the test */
	int64_t fail_at[FAKE_FUNCTIONS]; /* the call that fails, from 1; 0 for none */
	TedDeviceStatus fail_with[FAKE_FUNCTIONS];
	int64_t count;        /* of devices */
	int64_t processors;   /* that each says it has */
	int64_t milliseconds; /* that a batch takes */
	int64_t memory;       /* bytes that it says it has */
	int64_t room;         /* bytes that it has */
	int64_t largest;      /* nodes of trees that it can compare */
	int64_t range;        /* probes of a join that it takes up at once */
	int64_t one_open_in;  /* it leaves one of this number of pairs of a join open */
	int64_t one_short_in; /* it ends one of this number of ranges early; 0 for none */

	/* what has happened */
	int64_t calls[FAKE_FUNCTIONS];
	int64_t batches[FAKE_DEVICES]; /* submitted, by device */
	int64_t ranges[FAKE_DEVICES];  /* the same of ranges of joins */
	int64_t devices;               /* that are open */
	int64_t sets;                  /* of trees, those of joins among them */
	int64_t used;                  /* bytes */
	int64_t trees;                 /* added, in all */
	int64_t pairs;                 /* computed */
	int64_t cancelled;
	int64_t misused; /* calls that a module need not accept */
} Fake;

extern Fake fake;

/* Forgets all that a test has set, and all that has happened but what is open. */
extern void fake_reset(void);

#endif /* TED_TEST_GPU_FAKE_H */
