/*
 * json_labels.c
 *	  The labels of trees that the default conversion from JSON makes.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/memutils.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "json_labels.h"

bool
IsJsonObject(Label label)
{
	return LabelIs(label, OBJECT_LABEL);
}

bool
IsJsonArray(Label label)
{
	return LabelIs(label, ARRAY_LABEL);
}

bool
IsJsonMember(Label label)
{
	return label.length >= 3 && label.bytes[0] == '"' && label.bytes[label.length - 1] == ':';
}

TedJsonKind
JsonKindOfLabel(Label label)
{
	return IsJsonObject(label)   ? TED_JSON_OBJECT
		   : IsJsonArray(label)  ? TED_JSON_ARRAY
		   : IsJsonMember(label) ? TED_JSON_MEMBER
								 : TED_JSON_LITERAL;
}

/* Returns the value of a hexadecimal digit in lower case, or -1. */
static int
HexDigit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads the escape after a backslash, and moves `p` past it; 0 if it is invalid. */
static char
ReadEscape(const char **p, const char *end)
{
	static const char letters[] = "\"\\bfnrt";
	static const char characters[] = "\"\\\b\f\n\r\t";
	const char *letter;

	if (*p == end)
		return 0;
	if (**p == 'u')
	{
		const char *digits = *p + 1;
		int high;
		int low;

		if (end - digits < 4 || digits[0] != '0' || digits[1] != '0')
			return 0;
		high = HexDigit(digits[2]);
		low = HexDigit(digits[3]);
		*p = digits + 4;
		return high < 0 || low < 0 ? 0 : (char) (high << 4 | low);
	}
	letter = **p == '\0' ? NULL : strchr(letters, **p);
	(*p)++;
	return letter == NULL ? 0 : characters[letter - letters];
}

/* Sets the characters of a quoted string; false if it is not in the form of escape_json(). */
static bool
Unquote(Label quoted, Label *plain)
{
	const char *p;
	const char *end;
	char *bytes;
	StringInfoData again;
	bool equal;

	if (quoted.length < 2 || quoted.bytes[0] != '"' || quoted.bytes[quoted.length - 1] != '"')
		return false;
	p = quoted.bytes + 1;
	end = quoted.bytes + quoted.length - 1;
	bytes = palloc((Size) quoted.length);
	plain->bytes = bytes;
	while (p < end)
	{
		char c = *p++;

		if (c == '\\')
			c = ReadEscape(&p, end);
		if (c == '\0')
			return false;
		*bytes++ = c;
	}
	*bytes = '\0';
	plain->length = (int) (bytes - plain->bytes);

	initStringInfo(&again);
	escape_json(&again, plain->bytes);
	equal = again.len == quoted.length && memcmp(again.data, quoted.bytes, again.len) == 0;
	pfree(again.data);
	return equal;
}

bool
JsonKeyOfLabel(Label label, Label *key)
{
	if (IsJsonMember(label))
		label.length--;
	return Unquote(label, key);
}

int
CompareSiblings(Label a, Label b)
{
	const char *p;
	const char *q;
	const char *end_p;
	const char *end_q;

	if (!IsJsonMember(a) || !IsJsonMember(b))
		return CompareLabels(a, b);
	p = a.bytes + 1;
	q = b.bytes + 1;
	end_p = a.bytes + a.length - 2;
	end_q = b.bytes + b.length - 2;
	while (p < end_p && q < end_q)
	{
		char c = *p++;
		char d = *q++;

		if (c == '\\')
			c = ReadEscape(&p, end_p);
		if (d == '\\')
			d = ReadEscape(&q, end_q);
		if (c != d)
			return (unsigned char) c - (unsigned char) d;
	}
	return (p < end_p) - (q < end_q);
}

const char *
JsonChildProblem(JsonOpenNode *parent, Label label)
{
	Label key;

	parent->children++;
	if (parent->kind == TED_JSON_LITERAL)
		return "It is the child of a literal.";
	if (parent->kind == TED_JSON_MEMBER && parent->children > 1)
		return "It is the second value of a key.";
	if (parent->kind != TED_JSON_OBJECT)
		return IsJsonMember(label) ? "A key is a child of an object." : NULL;
	if (!IsJsonMember(label) || !JsonKeyOfLabel(label, &key))
		return "A child of an object is a key with a colon, \"key\":.";
	if (parent->children > 1 && CompareLabels(parent->last_key, key) >= 0)
		return "The keys of an object are in order, and each there once.";
	parent->last_key = key;
	return NULL;
}

bool
IsJsonTree(const Tree *tree)
{
	MemoryContext context =
		AllocSetContextCreate(CurrentMemoryContext, "ted JSON levels", ALLOCSET_DEFAULT_SIZES);
	MemoryContext caller = MemoryContextSwitchTo(context);
	int32 capacity = 64;
	JsonOpenNode *levels = palloc_array(JsonOpenNode, capacity);
	bool is_json = true;
	TreeReader reader;
	TreeEvent event;

	TreeReaderInit(&reader, tree);
	while (is_json && (event = TreeReaderNext(&reader)) != TREE_END)
	{
		Label label;
		TedJsonKind kind;

		CHECK_FOR_INTERRUPTS();
		if (event == TREE_CLOSE)
		{
			if (levels[reader.depth].last_key.bytes != NULL)
				pfree(unconstify(char *, levels[reader.depth].last_key.bytes));
			continue;
		}
		label = reader.labels[reader.label];
		RESERVE_COUNTED(context, levels, capacity, reader.depth, "writing paths");
		kind = JsonKindOfLabel(label);
		if (reader.depth == 1)
			is_json = kind == TED_JSON_OBJECT || kind == TED_JSON_ARRAY;
		else
		{
			JsonOpenNode *parent = &levels[reader.depth - 2];
			char *key_before = unconstify(char *, parent->last_key.bytes);

			CheckMemoryGrowth(context, (Size) label.length, "writing paths");
			is_json = JsonChildProblem(parent, label) == NULL;
			if (key_before != NULL && parent->last_key.bytes != key_before)
				pfree(key_before);
		}
		levels[reader.depth - 1] = (JsonOpenNode){.kind = kind};
	}
	MemoryContextSwitchTo(caller);
	MemoryContextDelete(context);
	return is_json;
}
