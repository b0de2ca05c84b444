/*
 * xml_patch_apply.h
 *	  Applies patches of XML.
 */
#ifndef TED_XML_PATCH_APPLY_H
#define TED_XML_PATCH_APPLY_H

#include "postgres.h"

#include "fmgr.h"

/* The SQL function: the document in the first argument after the patch in the second one. */
extern PGDLLEXPORT Datum xml_patch_apply(PG_FUNCTION_ARGS);

#endif /* TED_XML_PATCH_APPLY_H */
