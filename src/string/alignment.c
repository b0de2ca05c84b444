/*
 * alignment.c
 *	  SQL functions that give common subsequences and supersequences themselves.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/memutils.h"

#include "../compat.h"
#include "strings.h"

/* Two texts and a longest common subsequence of them. */
typedef struct Alignment
{
	Symbols a;
	Symbols b;
	CommonSubsequence common;
} Alignment;

/* Aligns two text arguments. */
static Alignment
AlignArguments(FunctionCallInfo fcinfo)
{
	Alignment result = {.a = TextSymbols(PG_GETARG_TEXT_PP(0)),
						.b = TextSymbols(PG_GETARG_TEXT_PP(1))};

	/* a result may have as many symbols as both arguments */
	result.common = StringsSubsequence(result.a, result.b,
									   ((Size) result.a.count + result.b.count) * sizeof(uint32));
	return result;
}

/* Bytes of a character. */
static inline int
CharacterBytes(uint32 character)
{
	return 1 + (character > 0xff) + (character > 0xffff) + (character > 0xffffff);
}

/* The text that consists of this number of characters. */
static text *
CharactersText(const uint32 *character, Size count)
{
	Size bytes = VARHDRSZ;
	text *result;
	char *p;

	for (Size i = 0; i < count; i++)
	{
		bytes += CharacterBytes(character[i]);
		CHECK_FOR_INTERRUPTS();
	}
	if (!AllocSizeIsValid(bytes))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED), errmsg("result is too long for a text"),
				 errdetail("It has %zu bytes.", bytes), errhint("Use shorter strings.")));

	result = palloc(bytes);
	SET_VARSIZE(result, bytes);
	p = VARDATA(result);
	for (Size i = 0; i < count; i++)
	{
		for (int shift = 8 * CharacterBytes(character[i]) - 8; shift >= 0; shift -= 8)
			*p++ = (char) (character[i] >> shift);
		CHECK_FOR_INTERRUPTS();
	}
	return result;
}

PG_FUNCTION_INFO_V1(lcs);

/* A longest common subsequence of two texts. */
Datum
lcs(PG_FUNCTION_ARGS)
{
	Alignment texts = AlignArguments(fcinfo);
	uint32 *character = AllocSymbols(texts.common.length);

	for (int32 i = 0; i < texts.common.length; i++)
	{
		character[i] = texts.a.symbol[texts.common.in_a[i]];
		CHECK_FOR_INTERRUPTS();
	}
	PG_RETURN_TEXT_P(CharactersText(character, texts.common.length));
}

PG_FUNCTION_INFO_V1(scs);

/* A shortest common supersequence of two texts: between common characters, first a's, then b's. */
Datum
scs(PG_FUNCTION_ARGS)
{
	Alignment texts = AlignArguments(fcinfo);
	const CommonSubsequence *common = &texts.common;
	Size count = (Size) texts.a.count + texts.b.count - common->length;
	uint32 *character = AllocSymbols(count);
	uint32 *next = character;
	int32 a = 0;
	int32 b = 0;

	for (int32 i = 0; i <= common->length; i++)
	{
		int32 end_a = i < common->length ? common->in_a[i] : texts.a.count;
		int32 end_b = i < common->length ? common->in_b[i] : texts.b.count;

		memcpy(next, texts.a.symbol + a, (Size) (end_a - a) * sizeof(uint32));
		next += end_a - a;
		memcpy(next, texts.b.symbol + b, (Size) (end_b - b) * sizeof(uint32));
		next += end_b - b;
		if (i < common->length)
			*next++ = texts.a.symbol[end_a];
		a = end_a + 1;
		b = end_b + 1;
		CHECK_FOR_INTERRUPTS();
	}
	PG_RETURN_TEXT_P(CharactersText(character, count));
}
