"""Differences of texts: what they say of both, that no other has fewer lines, and how they are written."""

import re
import subprocess
import tempfile

from change_oracle import marked, ordered_pairs
from check import Check, outcome
from diff_oracle import one_line
from oracle import lcs_length, string_similarity
from picture_checks import cells, page, shown

# The end of a text whose last line has no newline.
NO_NEWLINE = "\\ No newline at end of file"

SIGNS = ("[-", "-]", "{+", "+}")

WORDS = ["the", "then", "GmbH", "Gmbh", "1999", "1989", "12.5", "-3", "+3", "a", "Ä", "äu", "東", "京都", "„x“", "x_1", "é", "é",
         "fragment", "fragments", "\\n", "n", ".", ", ", "\t", "😀", "1e-5", "v1.2", "--", "[", "]", "{", "}", "[-", "+}",
         "e\u0301", "\u0301", "1\u0301", "\u200d", "\U0001f468\u200d\U0001f467", "\U0001f1e9\U0001f1ea", "\U0001f1e9"]


def lines_of(text):
    """The lines of a text, each with its newline."""
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


def random_line(rng):
    """A line of few or more words."""
    count = rng.choice([0, 1, 2, 3, 8])
    return rng.choice(["", " "]).join(rng.choices(WORDS, k=count)) + rng.choice(["", "", "", "\r"])


def edited_line(rng, line):
    """A line with some words or characters replaced."""
    parts = line.split(" ")
    parts[rng.randrange(len(parts))] = rng.choice([*WORDS, ""])
    line = " ".join(parts)
    at = rng.randint(0, len(line))
    return line[:at] + rng.choice(["", "x", "7"]) + line[at + rng.randint(0, 1) :]


def random_pair(rng, most):
    """Two texts: the lines of one, deleted, inserted, edited, doubled; or others altogether."""
    known = [random_line(rng) for _ in range(rng.choice([1, 3, 20, most]))]
    a = rng.choices(known, k=rng.randint(0, most))
    rate = rng.choice([0, 0.01, 0.1, 0.5])
    b = []
    for line in a:
        change = rng.random()
        if change >= rate:
            b.append(line)
        elif change < rate / 2:
            b.append(edited_line(rng, line))
        elif change < 3 * rate / 4:
            b += [line, random_line(rng)]
    if rng.random() < 0.1:
        b = rng.choices(known, k=rng.randint(0, most))
    pair = ["\n".join(lines).replace("\0", "") + rng.choice(["\n", ""]) for lines in (a, b)]
    return tuple(rng.choice([pair, pair[::-1]]))


def random_pairs(rng, count):
    """Pairs of texts: most are short, a few have up to 2,000 lines."""
    for i in range(count):
        yield random_pair(rng, 2000 if i % 50 == 0 else 100 if i % 5 == 0 else 12)


def unmarked(line):
    """The two lines that a line with marks stands for."""
    both = ["", ""]
    for old, new, same in re.findall(r"\[-(.*?)-\]|\{\+(.*?)\+\}|((?:(?!\[-|\{\+).)+)", line, re.DOTALL):
        both[0] += old + same
        both[1] += new + same
    return both


def read_hunks(diff):
    """Hunks: the first lines and the numbers of lines of both texts, and rows (mark, old, new)."""
    hunks = []
    for line in diff.split("\n") if diff else []:
        header = re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
        if header:
            numbers = [1 if n is None else int(n) for n in header.groups()]
            hunks.append((numbers, []))
        elif line == NO_NEWLINE:
            mark, *texts = hunks[-1][1].pop()
            hunks[-1][1].append((mark, *(text and text[:-1] for text in texts)))
        else:
            texts = {"~": unmarked(line[1:]), "-": [line[1:], None], "+": [None, line[1:]]}.get(
                line[0], [line[1:]] * 2
            )
            hunks[-1][1].append((line[0], *(text if text is None else text + "\n" for text in texts)))
    return hunks


def rows_of(diff, a, b):
    """All rows of both texts; raises ValueError where a hunk does not fit."""
    rows, at = [], [0, 0]
    for (a_from, a_count, b_from, b_count), hunk in read_hunks(diff):
        before = a_from - (a_count > 0) - at[0]
        if before < 0 or a[at[0] : at[0] + before] != b[at[1] : at[1] + before]:
            raise ValueError("hunks do not follow each other")
        rows += [(" ", line, line) for line in a[at[0] : at[0] + before]]
        at = [n + before for n in at]
        olds = [old for _, old, _ in hunk if old is not None]
        news = [new for _, _, new in hunk if new is not None]
        if (at[1], a_count, b_count) != (b_from - (b_count > 0), len(olds), len(news)):
            raise ValueError("a header is wrong")
        at = [at[0] + len(olds), at[1] + len(news)]
        rows += hunk
    if a[at[0] :] != b[at[1] :]:
        raise ValueError("a change after the last hunk is missing")
    return rows + [(" ", line, line) for line in a[at[0] :]]


def written(rows):
    """The text of all rows: a plain definition of hunks."""
    shown = {i + d for i, row in enumerate(rows) if row[0] != " " for d in range(-3, 4)}
    shown = sorted(shown.intersection(range(len(rows))))
    text, numbers = "", [0, 0]
    for i, (mark, old, new) in enumerate(rows):
        if i in shown and i - 1 not in shown:
            end = i
            while end in shown:
                end += 1
            counts = [sum(row[k] is not None for row in rows[i:end]) for k in (1, 2)]
            ranges = [
                f"{n + (count > 0)}" + f",{count}" * (count != 1)
                for n, count in zip(numbers, counts, strict=True)
            ]
            text += f"@@ -{ranges[0]} +{ranges[1]} @@\n"
        if i in shown:
            line = old if old is not None else new
            body = marked(old[: len(old) - old.endswith("\n")], new[: len(new) - new.endswith("\n")]) if mark == "~" else line.removesuffix("\n")
            text += f"{mark}{body}\n" + f"{NO_NEWLINE}\n" * (not line.endswith("\n"))
        numbers = [numbers[0] + (old is not None), numbers[1] + (new is not None)]
    return text.removesuffix("\n")


def gain_of_lines(x, y):
    """The similarity of two lines that can be one, else 0."""
    if x.endswith("\n") != y.endswith("\n") or any(sign in line for sign in SIGNS for line in (x, y)):
        return 0
    x, y = x.removesuffix("\n"), y.removesuffix("\n")
    shorter, longer = sorted([len(x), len(y)])
    if longer == 0 or 3 * shorter < longer:
        return 0
    similarity = string_similarity(x, y)
    return int(10000 * similarity) if similarity >= 0.5 else 0


def gap_fault(gap):
    """What is wrong with rows between equal ones."""
    old = [row[1] for row in gap if row[1] is not None]
    new = [row[2] for row in gap if row[2] is not None]
    want, i, j = [], 0, 0
    for k, m in [*ordered_pairs(old, new, gain_of_lines), (len(old), len(new))]:
        want += [("-", line, None) for line in old[i:k]] + [("+", None, line) for line in new[j:m]]
        want += [("~", old[k], new[m])] if k < len(old) else []
        i, j = k + 1, m + 1
    return None if gap == want else f"{gap} instead of {want}"


def least_changed_lines(a, b):
    """The number of lines that differ by `diff --minimal`."""
    with tempfile.NamedTemporaryFile() as old, tempfile.NamedTemporaryFile() as new:
        for file, text in ((old, a), (new, b)):
            file.write(text.encode())
            file.flush()
        done = subprocess.run(
            ["diff", "--minimal", "--text", "--unified=0", old.name, new.name], capture_output=True, check=False
        )
    return len(re.findall(rb"^[-+]", done.stdout.partition(b"@@")[2], re.MULTILINE))


def fault(got, a, b):
    """What is wrong with the differences of two texts."""
    if (got == "") != (a == b):
        return f"got {got!r}"
    old, new = lines_of(a), lines_of(b)
    try:
        rows = rows_of(got, old, new)
    except (ValueError, IndexError) as error:
        return f"{error}: {got!r}"
    if [row[1] for row in rows if row[1] is not None] != old:
        return f"not the first text: {got!r}"
    if [row[2] for row in rows if row[2] is not None] != new:
        return f"not the second text: {got!r}"
    if written(rows) != got:
        return f"expected {written(rows)!r}, got {got!r}"
    equal = sum(row[0] == " " for row in rows)
    if max(len(old), len(new)) <= 100 and equal != lcs_length(old, new):
        return f"{equal} lines are equal: {got!r}"
    if len(old) + len(new) - 2 * equal > least_changed_lines(a, b):
        return f"more lines than need be: {got!r}"
    gap = []
    for row in [*rows, (" ", None, None)]:
        if row[0] != " ":
            gap.append(row)
            continue
        if gap and len(gap) <= 60 and (message := gap_fault(gap)):
            return message
        if row[1] and gap and {r[0] for r in gap} in ({"-"}, {"+"}) and row[1] in gap[0]:
            return f"{gap} can be moved down: {got!r}"
        gap = []
    return None


def page_fault(got, a, b):
    """The columns of a page have the lines of both texts."""
    for text, column in zip((a, b), cells(page(got)), strict=True):
        lines = [line.removesuffix("\n") for line in lines_of(text)]
        lines += [NO_NEWLINE] * (text != "" and not text.endswith("\n"))
        if column != [(0, shown(one_line(line))) for line in lines]:
            return f"{column} instead of {lines}"
    return None


def outcomes(rng, count):
    """Differences of random texts."""
    pairs = list(random_pairs(rng, count))
    yield outcome(Check("text_diff", "a text, b text", "text_diff(a, b)", str, fault, pairs))
    yield outcome(Check("text_diff_html", "a text, b text", "text_diff_html(a, b)", str, page_fault, pairs))
