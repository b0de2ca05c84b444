/*
 * pqgram_profile.c
 *	  Profiles of trees: strings of pq-grams, for profile indexes.
 *
 * Equal pq-grams of a tree become different symbols, numbered by their occurrence.  So the
 * bag intersection of two trees' pq-grams is a set intersection of their symbols.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "fmgr.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "../../common/host.h"
#include "../../tree/distance/pqgram_distance.h"
#include "../../tree/value/tree.h"
#include "profile.h"

/* Name of the computation in errors about memory. */
#define MAKING_A_PROFILE "making a profile of pq-grams"

PG_FUNCTION_INFO_V1(tree_pqgram_profile);

/* Returns the profile of a tree as a bytea. */
Datum
tree_pqgram_profile(PG_FUNCTION_ARGS)
{
	LcsProfile profile;
	Datum value = PG_GETARG_DATUM(0);
	Size bytes = 2 * TreeDecodedBytes(value);
	TedTree tree;
	TedPqGrams grams;
	TedPqIndex index;
	uint32 *symbols;
	LabelTable *labels;
	int32 *hashes;

	CheckMemoryLimit(bytes, MAKING_A_PROFILE);
	labels = LabelTableCreate();
	TreeDecode(DatumGetTree(value), labels, &tree);
	/* hashes of the bytes of labels are the same in all sessions */
	hashes = palloc_extended(sizeof(int32) * tree.size, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < tree.size; i++)
	{
		Label label = LabelTableGet(labels, tree.label[i]);

		CHECK_FOR_INTERRUPTS();
		hashes[i] =
			(int32) (hash_bytes((const unsigned char *) label.bytes, label.length) & PG_INT32_MAX);
	}
	tree.label = hashes;
	bytes += PqGramBytes(&tree, PQGRAM_P, PQGRAM_Q) +
			 (sizeof(uint32) + sizeof(uint16)) * ted_pqgram_count(&tree, PQGRAM_Q);
	CheckMemoryLimit(bytes, MAKING_A_PROFILE);
	MakePqGrams(&tree, PQGRAM_P, PQGRAM_Q, &grams, &index);
	symbols = palloc_extended(sizeof(uint32) * grams.count, MCXT_ALLOC_HUGE);
	CheckStatus(ted_pqgram_symbols(&index, &PgInterrupt, symbols));
	memset(&profile, 0, sizeof(LcsProfile));
	profile.length = grams.count;
	profile.symbols = palloc_extended(sizeof(uint16) * grams.count, MCXT_ALLOC_HUGE);
	for (int32 i = 0; i < grams.count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		profile.counts[ted_class(symbols[i])]++;
		profile.symbols[i] = (uint16) (symbols[i] >> 16);
	}
	PG_RETURN_DATUM(StoreProfile(&profile));
}
