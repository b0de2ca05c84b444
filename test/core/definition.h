/*
 * definition.h
 *	  Plain definitions, in which sanitizers look for nothing: they would take most of the time.
 */
#ifndef TED_TEST_CORE_DEFINITION_H
#define TED_TEST_CORE_DEFINITION_H

#define DEFINITION __attribute__((noinline, no_sanitize("address", "undefined")))

#endif /* TED_TEST_CORE_DEFINITION_H */
