/*
 * fake.h
 *	  A GPU module that computes on the CPU and behaves as a test sets it.
 */
#ifndef TED_TEST_GPU_FAKE_H
#define TED_TEST_GPU_FAKE_H

#include "../../src/engine/gpu/device.h"

/* The functions that can fail. */
typedef enum FakeFunction
{
	FAKE_OPEN,
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

/* The greatest number of devices. */
#define FAKE_DEVICES 4

typedef struct Fake
{
	/* the behaviour of the module, which the test sets */
	int64_t fail_at[FAKE_FUNCTIONS]; /* the call that fails, from 1; 0 for none */
	TedDeviceStatus fail_with[FAKE_FUNCTIONS];
	int64_t count;        /* number of devices */
	int64_t processors;   /* multiprocessors that each device reports */
	int64_t milliseconds; /* time that a batch takes */
	int64_t memory;       /* bytes of memory that a device reports */
	int64_t room;         /* bytes of memory that a device has */
	int64_t largest;      /* most nodes of trees that it can compare */
	int64_t range;        /* probes of a join that it compares at once */
	int64_t one_open_in;  /* it leaves one of this number of pairs of a join open */
	int64_t one_short_in; /* it ends one of this number of ranges early; 0 for none */

	/* the events since fake_reset() */
	int64_t calls[FAKE_FUNCTIONS];
	int64_t batches[FAKE_DEVICES]; /* batches submitted, by device */
	int64_t ranges[FAKE_DEVICES];  /* ranges of joins submitted, by device */
	int64_t devices;               /* number of open devices */
	int64_t sets;                  /* number of sets of trees, including those of joins */
	int64_t used;                  /* bytes in use */
	int64_t trees;                 /* trees that were added in all */
	int64_t pairs;                 /* pairs that were computed */
	int64_t cancelled;
	int64_t misused; /* number of calls that a module need not accept */
} Fake;

extern Fake fake;

/* Resets all settings and counters, except those of what is still open. */
extern void fake_reset(void);

#endif /* TED_TEST_GPU_FAKE_H */
