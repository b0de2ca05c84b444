/*
 * json_writer.c
 *	  Makes a JSON value of the nodes of a tree labelled as by the default conversion
 *	  from JSON.
 *
 * The writer accepts only labels that this conversion writes: keys in order and without
 * duplicates, strings with the escapes that PostgreSQL writes, numbers as numeric writes
 * them without trailing zeros.  So converting the value yields the same tree, and the json
 * text of a node is its label.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/json.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

#include "../../common/host.h"
#include "../../compat.h"
#include "json_writer.h"

void
JsonWriterInit(JsonWriter *writer, StringInfo text)
{
	writer->text = text;
	writer->state = (JsonbInState){0};
	writer->depth = 0;
	writer->is_trusted = false;
	writer->capacity = 64;
	writer->open = palloc_array(JsonOpenNode, writer->capacity);
}

/* Whether a label is that of an object. */
bool
IsJsonObject(Label label)
{
	return LabelIs(label, OBJECT_LABEL);
}

/* Whether a label is that of an array. */
bool
IsJsonArray(Label label)
{
	return LabelIs(label, ARRAY_LABEL);
}

/* Whether a label has the form of a member's. */
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

/* The most digits of a numeric before and after its decimal point. */
#define NUMERIC_DIGITS_BEFORE 131072
#define NUMERIC_DIGITS_AFTER 16383

/* Whether numeric_in() accepts a text, which has digits and perhaps a sign and a point. */
static bool
IsNumber(const char *text)
{
	const char *digits = text + (*text == '-');
	size_t before = strspn(digits, "0123456789");
	const char *point = digits + before;
	size_t after = *point == '.' ? strspn(point + 1, "0123456789") : 0;
	const char *end = after > 0 ? point + 1 + after : point;

	return before > 0 && *end == '\0' && before <= NUMERIC_DIGITS_BEFORE &&
		   after <= NUMERIC_DIGITS_AFTER;
}

/*
 * Converts a label to a number; false if numeric would write the number in another way, without
 * zeros at the end unless `with_zeros`.
 */
static bool
ReadNumber(Label label, bool with_zeros, JsonbValue *value)
{
	char *text = pnstrdup(label.bytes, label.length);
	char *again;
	Datum number;
	bool equal;

	if (strlen(text) < (size_t) label.length || !IsNumber(text))
		return false;
	number = DirectFunctionCall3(numeric_in, CStringGetDatum(text), ObjectIdGetDatum(InvalidOid),
								 Int32GetDatum(-1));
	if (!with_zeros)
		number = DirectFunctionCall1(numeric_trim_scale, number);
	again = DatumGetCString(DirectFunctionCall1(numeric_out, number));
	equal = strcmp(text, again) == 0;
	pfree(text);
	pfree(again);
	value->type = jbvNumeric;
	value->val.numeric = DatumGetNumeric(number);
	return equal;
}

/* Converts a label to a literal; false if it is not one. */
static bool
ReadJsonLiteral(Label label, bool with_zeros, JsonbValue *value)
{
	if (label.length > 0 && label.bytes[0] == '"')
	{
		Label text;

		if (!Unquote(label, &text))
			return false;
		value->type = jbvString;
		value->val.string.val = unconstify(char *, text.bytes);
		value->val.string.len = text.length;
		return true;
	}
	if (LabelIs(label, "true") || LabelIs(label, "false"))
	{
		value->type = jbvBool;
		value->val.boolean = label.bytes[0] == 't';
		return true;
	}
	if (LabelIs(label, "null"))
	{
		value->type = jbvNull;
		return true;
	}
	return ReadNumber(label, with_zeros, value);
}

/* Appends bytes, after a comma if the node is not the first child. */
static void
AppendJsonText(JsonWriter *writer, const JsonOpenNode *parent, Label bytes)
{
	if (parent != NULL && parent->kind != TED_JSON_MEMBER && parent->children > 1)
		appendStringInfoString(writer->text, ", ");
	appendBinaryStringInfo(writer->text, bytes.bytes, bytes.length);
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

/* Begins a member of an object, whose last key is that of the member. */
static void
OpenMember(JsonWriter *writer, const JsonOpenNode *object, Label label)
{
	JsonbValue value = {.type = jbvString};

	if (writer->text != NULL)
	{
		AppendJsonText(writer, object, label);
		appendStringInfoChar(writer->text, ' ');
		return;
	}
	value.val.string.val = unconstify(char *, object->last_key.bytes);
	value.val.string.len = object->last_key.length;
	pushJsonbValue(&writer->state, WJB_KEY, &value);
}

/* Writes a literal; false if the label is none. */
static bool
WriteLiteral(JsonWriter *writer, const JsonOpenNode *parent, Label label)
{
	JsonbValue value;

	if (!ReadJsonLiteral(label, writer->is_trusted, &value))
		return false;
	if (writer->text != NULL)
		AppendJsonText(writer, parent, label);
	else if (parent == NULL)
	{
		writer->literal = value;
		writer->state.result = &writer->literal;
	}
	else
		pushJsonbValue(&writer->state, parent->kind == TED_JSON_ARRAY ? WJB_ELEM : WJB_VALUE,
					   &value);
	return true;
}

const char *
JsonWriterOpen(JsonWriter *writer, Label label)
{
	JsonOpenNode *parent = writer->depth > 0 ? &writer->open[writer->depth - 1] : NULL;
	TedJsonKind kind = JsonKindOfLabel(label);
	const char *problem;

	if (parent != NULL && parent->kind == TED_JSON_OBJECT && writer->is_trusted)
		parent->children = 0; /* so that no key precedes this one */
	problem = parent != NULL            ? JsonChildProblem(parent, label)
			  : kind == TED_JSON_MEMBER ? "A key is a child of an object."
										: NULL;

	if (problem != NULL)
		return problem;
	if (kind == TED_JSON_MEMBER)
		OpenMember(writer, parent, label);
	else if (kind != TED_JSON_LITERAL)
	{
		if (writer->text != NULL)
			AppendJsonText(writer, parent, (Label){label.bytes, 1});
		else
			pushJsonbValue(&writer->state, IsJsonObject(label) ? WJB_BEGIN_OBJECT : WJB_BEGIN_ARRAY,
						   NULL);
	}
	else if (!WriteLiteral(writer, parent, label))
		return "Its label is no literal as jsonb writes it, nor {} nor [].";

	RESERVE(CurrentMemoryContext, writer->open, writer->capacity, writer->depth + 1);
	writer->open[writer->depth++] = (JsonOpenNode){.kind = kind};
	return NULL;
}

/* Orders members in the order of jsonb. */
static int
CompareMembers(const void *a, const void *b)
{
	const JsonbValue *x = &((const JsonbPair *) a)->key;
	const JsonbValue *y = &((const JsonbPair *) b)->key;

	CHECK_FOR_INTERRUPTS();
	if (x->val.string.len != y->val.string.len)
		return x->val.string.len < y->val.string.len ? -1 : 1;
	return memcmp(x->val.string.val, y->val.string.val, (size_t) x->val.string.len);
}

/* Ends the innermost open node. */
const char *
JsonWriterClose(JsonWriter *writer)
{
	const JsonOpenNode *node = &writer->open[--writer->depth];
	bool is_object = node->kind == TED_JSON_OBJECT;

	if (node->kind == TED_JSON_MEMBER && node->children == 0)
		return "It is a key without a value.";
	if (!is_object && node->kind != TED_JSON_ARRAY)
		return NULL;
	if (writer->text != NULL)
		appendStringInfoChar(writer->text, is_object ? '}' : ']');
	else
	{
		if (is_object)
		{
			/* PostgreSQL sorts them again, but without interrupt checks */
			qsort(writer->state.parseState->contVal.val.object.pairs,
				  (size_t) writer->state.parseState->contVal.val.object.nPairs, sizeof(JsonbPair),
				  CompareMembers);
		}
		pushJsonbValue(&writer->state, is_object ? WJB_END_OBJECT : WJB_END_ARRAY, NULL);
	}
	return NULL;
}
