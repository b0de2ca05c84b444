/*
 * diff_picture.c
 *	  Common parts of the HTML and SVG pictures of differences.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "utils/array.h"

#include "../../compat.h"
#include "diff_picture.h"

/* The most rows of a picture, which browsers show within seconds. */
#define MAX_PICTURE_ROWS 20000

void
CountPictureRow(int32 *rows)
{
	if (++*rows > MAX_PICTURE_ROWS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("too many differences for a picture"),
				 errdetail("It would have more than %d rows.", MAX_PICTURE_ROWS),
				 errhint("Use tree_diff() or text_diff(), or compare parts of the documents.")));
}

/* Returns a letter for a mark: deleted, inserted, changed, ignored, unchanged. */
char
MarkClass(char mark)
{
	switch (mark)
	{
		case '-':
			return 'd';
		case '+':
			return 'i';
		case '~':
			return 'c';
		case '.':
			return 'g';
		default:
			return 'u';
	}
}

/*
 * Returns the sign of a row as markup.  Each part that the summary counts as removed, added or
 * moved has one sign: the line that ends an element has none.
 */
const char *
RowSign(const Diff *diff, const DiffRow *row)
{
	const DiffLine *line = row->after != NULL ? row->after : row->before;
	const int32 *moved = row->after != NULL ? diff->moved_b : diff->moved_a;

	if (line->form == LINE_CLOSE)
		return "";
	if (line->form == LINE_WHOLE && moved[line->node] > 0)
		return "&#x2195;";
	switch (row->mark)
	{
		case '-':
			return "&#x2212;";
		case '+':
			return "+";
		case '~':
			return "~";
		case '.':
			return "&#xB7;";
		default:
			return "";
	}
}

PictureNames
ReadPictureNames(FunctionCallInfo fcinfo, int argument)
{
	PictureNames names = {.title = TextLabel(PG_GETARG_DATUM(argument))};
	Datum *captions;
	bool *nulls;
	int count;

	deconstruct_array(PG_GETARG_ARRAYTYPE_P(argument + 1), TEXTOID, -1, false, TYPALIGN_INT,
					  &captions, &nulls, &count);
	if (count != 0 && count != 2)
		ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
						errmsg("captions must be two texts, or none"),
						errdetail("The array has elements, but not two."),
						errhint("Use an array such as ARRAY['draft', 'final'].")));
	names.has_captions = count == 2;
	for (int i = 0; i < count; i++)
		if (!nulls[i])
			names.captions[i] = TextLabel(captions[i]);
	return names;
}

/* Appends the title, or the default one if it is empty. */
void
AppendPictureTitle(StringInfo out, const PictureNames *names)
{
	MarkupReserve(out);
	if (names->title.length > 0)
		MarkupText(out, names->title);
	else
		appendStringInfoString(out, "Differences");
	MarkupReserve(out);
}

void
AppendLegend(StringInfo out, const Diff *diff)
{
	appendStringInfo(out, "&#x2212; removed, + added, %s~ changed or renamed%s",
					 diff->moves > 0 ? "&#x2195; moved, " : "",
					 diff->shows_ignored ? ", &#xB7; ignored" : "");
}
