/*
 * json_text.c
 *	  Recognizes JSON objects among texts that could also be bracket notation.
 *
 * The tokens come from PostgreSQL's lexer.  Its parser is recursive, and trees can be
 * deeper than the stack, so this file follows the grammar without recursion.
 */
#include "postgres.h"

#include "common/jsonapi.h"
#include "lib/stringinfo.h"
#include "mb/pg_wchar.h"
#include "miscadmin.h"

#include "../../compat.h"
#include "tree.h"

/* The tokens that are valid next in a JSON text. */
typedef enum JsonExpected
{
	EXPECT_VALUE,
	EXPECT_ELEMENT_OR_END,
	EXPECT_KEY,
	EXPECT_KEY_OR_END,
	EXPECT_COLON,
	EXPECT_COMMA_OR_END
} JsonExpected;

/*
 * Processes a token; false if it is not valid here.  `open` has a bracket for each open
 * object and array.
 */
static bool
TakeToken(JsonTokenType token, JsonExpected *expected, StringInfo open)
{
	bool in_object = open->len > 0 && open->data[open->len - 1] == '{';
	bool value = *expected == EXPECT_VALUE || *expected == EXPECT_ELEMENT_OR_END;
	bool key = *expected == EXPECT_KEY || *expected == EXPECT_KEY_OR_END;

	switch (token)
	{
		case JSON_TOKEN_OBJECT_START:
			appendStringInfoChar(open, '{');
			*expected = EXPECT_KEY_OR_END;
			return value;
		case JSON_TOKEN_ARRAY_START:
			appendStringInfoChar(open, '[');
			*expected = EXPECT_ELEMENT_OR_END;
			return value;
		case JSON_TOKEN_OBJECT_END:
		case JSON_TOKEN_ARRAY_END:
			if (in_object != (token == JSON_TOKEN_OBJECT_END) ||
				(*expected != EXPECT_COMMA_OR_END && *expected != EXPECT_KEY_OR_END &&
				 *expected != EXPECT_ELEMENT_OR_END))
				return false;
			open->len--;
			*expected = EXPECT_COMMA_OR_END;
			return true;
		case JSON_TOKEN_COMMA:
			if (*expected != EXPECT_COMMA_OR_END)
				return false;
			*expected = in_object ? EXPECT_KEY : EXPECT_VALUE;
			return true;
		case JSON_TOKEN_COLON:
			if (*expected != EXPECT_COLON)
				return false;
			*expected = EXPECT_VALUE;
			return true;
		case JSON_TOKEN_STRING:
			*expected = key ? EXPECT_COLON : EXPECT_COMMA_OR_END;
			return key || value;
		case JSON_TOKEN_NUMBER:
		case JSON_TOKEN_TRUE:
		case JSON_TOKEN_FALSE:
		case JSON_TOKEN_NULL:
			*expected = EXPECT_COMMA_OR_END;
			return value;
		default:
			return false;
	}
}

bool
IsJsonObjectText(const char *text, int length)
{
	const char *p = text + strspn(text, " \t\n\r");
	JsonLexContext *lexer;
	JsonExpected expected = EXPECT_VALUE;
	StringInfoData open;
	bool valid = true;

	if (*p != '{' || p[1 + strspn(p + 1, " \t\n\r")] != '"')
		return false;
	lexer = MakeJsonTextLexer(text, length, GetDatabaseEncoding());
	initStringInfo(&open);
	do
	{
		CHECK_FOR_INTERRUPTS();
		valid = json_lex(lexer) == JSON_SUCCESS && TakeToken(lexer->token_type, &expected, &open);
	} while (valid && open.len > 0);
	valid = valid && json_lex(lexer) == JSON_SUCCESS && lexer->token_type == JSON_TOKEN_END;
	pfree(open.data);
	pfree(lexer);
	return valid;
}
