"""Plain definition of the differences of two trees, and what a text of differences says."""

import re
from collections import Counter

from change_oracle import marked
from oracle import mapping, nodes, size, write


def unmapped_subtrees(all_nodes, mapped):
    """The largest subtrees without a mapped node, in preorder."""
    found, end = [], 0
    for n in all_nodes:
        numbers = range(n.node, n.node + size(n.tree))
        if n.node > end and not mapped.intersection(numbers):
            found.append(n.tree)
            end = numbers[-1]
    return found


def counts(a, b):
    """What tree_edit_counts() returns."""
    left, right, pairs = nodes(a), nodes(b), mapping(a, b)
    equal = sum(left[x - 1].label == right[y - 1].label for x, y in pairs)
    moved = [
        Counter(t for t in unmapped_subtrees(all_nodes, mapped) if size(t) > 1)
        for all_nodes, mapped in ((left, {x for x, _ in pairs}), (right, {y for _, y in pairs}))
    ]
    return {
        "matched": equal,
        "renamed": len(pairs) - equal,
        "deleted": len(left) - len(pairs),
        "inserted": len(right) - len(pairs),
        "moved": (moved[0] & moved[1]).total(),
        "approximate": False,
    }


def summary(a, b):
    """What tree_diff_summary() returns."""
    left, right, pairs = nodes(a), nodes(b), mapping(a, b)
    renamed = sum(left[x - 1].label != right[y - 1].label for x, y in pairs)
    sides_of_pairs = [(left, {x for x, _ in pairs}), (right, {y for _, y in pairs})]
    moved = [
        Counter(t for t in unmapped_subtrees(all_nodes, mapped) if size(t) > 1)
        for all_nodes, mapped in sides_of_pairs
    ]
    moved = moved[0] & moved[1]
    counts = Counter({("node", "renamed"): renamed, ("subtree", "moved"): moved.total()})
    for change, (all_nodes, mapped) in zip(("removed", "added"), sides_of_pairs):
        rest, end = Counter(moved), 0
        for n in all_nodes:
            is_whole = not mapped.intersection(range(n.node, n.node + size(n.tree)))
            if n.node <= end or n.node in mapped:
                continue
            end = n.node + size(n.tree) - 1 if is_whole else end
            if is_whole and rest[n.tree] > 0:
                rest[n.tree] -= 1
            elif n.parent is None or n.parent in mapped:
                counts["subtree" if is_whole and size(n.tree) > 1 else "node", change] += 1
    phrases = [
        f"{counts[what]} {what[0]}{'s' if counts[what] > 1 else ''} {what[1]}"
        for what in (
            ("node", "added"), ("subtree", "added"), ("node", "removed"), ("subtree", "removed"),
            ("node", "renamed"), ("subtree", "moved"),
        )
        if counts[what] > 0
    ]
    return ", ".join(phrases) or "no differences"


def lines(all_nodes, partner, others):
    """Lines of one tree: what its nodes are, the first one, and its depth."""
    found, end = [], 0
    for n in all_nodes:
        if n.node <= end:
            continue
        numbers = range(n.node, n.node + size(n.tree))
        other = others[partner[n.node] - 1] if n.node in partner else None
        same = other and other.tree == n.tree and all(
            partner.get(x) == other.node + x - n.node for x in numbers
        )
        gone = not any(x in partner for x in numbers)
        if same or gone:
            end = numbers[-1]
        found.append(("same" if same else "gone" if gone else "node", n))
    return found


def one_line(text):
    """A label as it is written."""
    return text.replace("\n", "\\n").replace("\r", "\\r")


def whole(tree):
    """A subtree in one line."""
    return one_line(tree[0] if not tree[1] else write(tree))


def margin(mark, n):
    """What comes before the content of a line."""
    return mark + " " + "  " * (n.depth - 1)


def unchanged(run):
    """Unchanged subtrees that follow each other: leaves are shown at the ends."""
    first = run[:1] if not run[0].tree[1] else []
    rest = run[len(first) :]
    last = rest[-1:] if rest and not rest[-1].tree[1] else []
    middle = rest[: len(rest) - len(last)]
    if len(middle) == 1 and not middle[0].tree[1]:
        first, middle = first + middle, []
    total = sum(size(n.tree) for n in middle)
    count = f"... {total} node{'' if total == 1 else 's'}"
    return [
        *(margin(" ", n) + whole(n.tree) for n in first),
        *(margin(" ", n) + count for n in middle[:1]),
        *(margin(" ", n) + whole(n.tree) for n in last),
    ]


def plain_diff(a, b):
    """What tree_diff() returns for trees with short labels and subtrees."""
    left, right, pairs = nodes(a), nodes(b), mapping(a, b)
    if a == b and len(pairs) == len(left):
        return ""
    forth, back = dict(pairs), {y: x for x, y in pairs}
    old, new = lines(left, forth, right), lines(right, back, left)
    text, run = [], []

    def flush():
        if run:
            text.extend(unchanged(run))
            run.clear()

    while old or new:
        if old and (old[0][0] == "gone" or old[0][1].node not in forth):
            flush()
            kind, n = old.pop(0)
            text.append(margin("-", n) + (whole(n.tree) if kind == "gone" else one_line(n.label)))
        elif new and (new[0][0] == "gone" or new[0][1].node not in back):
            flush()
            kind, n = new.pop(0)
            text.append(margin("+", n) + (whole(n.tree) if kind == "gone" else one_line(n.label)))
        else:
            (kind, n), (_, m) = old.pop(0), new.pop(0)
            if kind == "same":
                if run and run[0].depth != m.depth:
                    flush()
                run.append(m)
                continue
            flush()
            if n.label == m.label:
                text.append(margin(" ", m) + one_line(m.label))
            else:
                text.append(margin("~", m) + marked(n.label, m.label, one_line))
    flush()
    return "\n".join(text)


# What follows a subtree of a document that has moved; no text has two spaces in a row.
MOVED = re.compile(r"  # moved \(\d+\)$")


def is_in_parts(content, opening, closing):
    """Whether what is marked ends within a line, and begins again."""
    return opening in content[2:].partition(closing)[2]


def side(diff, lost, marks, has_strings):
    """Lines of one side, without margins: `lost` are the marks of those of the other one.

    With `has_strings`, a string can have several lines, which begin 4 columns to the right of it.
    """
    margin, is_open, found = 0, False, []
    for line in diff.split("\n"):
        mark, content = line[0], MOVED.sub("", line[1:])
        was_open = is_open
        if was_open:
            content = content[margin + 4 :]
        else:
            margin = len(content) - len(content.lstrip(" "))
            content = content.strip(" ")
        is_open = has_strings and content.removesuffix("+}").removesuffix("-]").endswith("\\n")
        ends = content[:2] + content.removesuffix(",")[-2:]
        if mark == "." and ends in ("[--]", "{++}") and not is_in_parts(content, ends[:2], ends[2:]):
            content = content.removesuffix(",")[2:-2] if (ends == "[--]") == marks[0][2] else ""
        elif mark in "~.":
            for opening, closing, kept in marks:
                content = resolve(content, opening, closing, kept)
        if mark in lost or (mark == "." and content in ("", ",")):
            continue
        if was_open:
            found[-1] += content
        else:
            found.append(content)
    return found


def resolve(content, opening, closing, kept):
    """Takes the brackets from what is marked, or all of it."""
    while opening in content:
        before, rest = content.split(opening, 1)
        marked, after = rest.split(closing, 1)
        content = before + (marked if kept else "") + after
    return content


def sides(diff, has_strings=False):
    """Lines of both documents that the text of their differences has."""
    yield side(diff, "+", [("[-", "-]", True), ("{+", "+}", False)], has_strings)
    yield side(diff, "-", [("[-", "-]", False), ("{+", "+}", True)], has_strings)


def json_text(content):
    """JSON of its lines, whose commas belong to the other document."""
    text = ""
    for line in content:
        line = line.removesuffix(",")
        if text and not text.endswith(("{", "[")) and not line.startswith(("}", "]")):
            text += ","
        text += line
    return text


def xml_text(content):
    """XML of its lines."""
    return "".join(content)
