/*
 * diff_picture.c
 *	  What the pictures of differences, HTML and SVG, share.
 */
#include "postgres.h"

#include "diff_picture.h"

/* The most rows of a picture: what browsers show within seconds. */
#define MAX_PICTURE_ROWS 20000

/* Refuses one row more than a picture may have. */
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

/* A letter for a mark: deleted, inserted, changed, unchanged. */
char
MarkClass(char mark)
{
	return mark == '-' ? 'd' : mark == '+' ? 'i' : mark == '~' ? 'c' : 'u';
}

/* What the reader sees for a mark. */
const char *
MarkSign(char mark)
{
	return mark == '-' ? "&#x2212;" : mark == '+' ? "+" : mark == '~' ? "~" : "";
}

/* Writes in one line how many nodes differ. */
void
AppendDiffSummary(StringInfo out, const Diff *diff)
{
	OperationCounts counts = CountOperations(&diff->trees);

	bool is_text = diff->syntax == SYNTAX_TEXT;

	appendStringInfo(out, "&#x2212; %d deleted, + %d inserted, ~ %d %s, %d unchanged %s",
					 counts.deleted, counts.inserted, counts.renamed,
					 is_text ? "changed" : "renamed", counts.equal - is_text,
					 is_text ? "lines" : "nodes");
	if (!diff->trees.is_optimal)
		appendStringInfoString(out, ", by an approximate mapping");
}
