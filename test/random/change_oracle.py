"""Plain definition of the words and letters in which two texts differ, and of similar pairs in order."""

import functools
import re

from oracle import alignment

# Characters above ASCII that are not part of words.
SEPARATE = "\x80-\xbf×÷\u2000-\u2bff\u2e00-\ua4cf\uf900-\ufaff\ufe10-\ufe4f\uff00-\uffef\U0001f000-\U0010ffff"
NUMBER = r"[0-9]+(?:\.[0-9]+)*(?:[eE][+-][0-9]+)?"
# What belongs to the character before it; pictures that can be joined; halves of flags.
ACCENT = "[\u0300-\u036f]"
MARK = rf"(?:{ACCENT}|\u200d)*"
PICTURE = "[\U0001f300-\U0001f6ff]"
FLAG = "[\U0001f1e6-\U0001f1ff]"
LETTER = rf"(?:(?:{NUMBER}|[A-Za-z_]|[^\x00-\x7f{SEPARATE}]){MARK})"
SIGN = rf"(?:{PICTURE}(?:{ACCENT}*\u200d{PICTURE})*|{FLAG}{{2}}|[^\x00-\x1f\x7f-\x9f]){MARK}|."
WORD = re.compile(
    rf"(?:(?:\A|(?<=\ ))[+-]{NUMBER}{MARK}{LETTER}*)|{LETTER}+|\\{MARK}[\x20-\x7e]{MARK}|\\{MARK}[\x00-\x1f\x7f]|{SIGN}",
    re.DOTALL,
)


def ordered_pairs(x, y, gain):
    """Pairs of positions of two sequences, in order, with the greatest sum of gains.

    From the ends, the last item of x is dropped where that keeps the sum, else the last item of y.
    """
    best = [[0] * (len(y) + 1)]
    for p in x:
        above, row = best[-1], [0]
        for j, q in enumerate(y):
            gained = gain(p, q)
            row.append(max(above[j + 1], row[j], above[j] + gained if gained else 0))
        best.append(row)
    i, j, pairs = len(x), len(y), []
    while i > 0 and j > 0:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return pairs[::-1]


def common_ends(x, y):
    """How many letters two words have in common at the beginning, and then at the end."""
    begin = 0
    while begin < min(len(x), len(y)) and x[begin] == y[begin]:
        begin += 1
    end = 0
    while end < min(len(x), len(y)) - begin and x[-1 - end] == y[-1 - end]:
        end += 1
    return begin, end


def letters(word):
    """The letters of a word, a number being one; nothing where the letters do not count."""
    is_word = re.match(LETTER, word) and len(word.encode()) <= 256
    return re.findall(LETTER, word) if is_word else []


def kept_letters(x, y):
    """Two words without what changes: the part before, both changes, and the part after; or None."""
    x, y = letters(x), letters(y)
    begin, end = common_ends(x, y)
    parts = ["".join(part) for part in (x[:begin], x[begin : len(x) - end], y[begin : len(y) - end], x[len(x) - end :])]
    kept = len(parts[0]) + len(parts[3])
    return parts if 2 * kept > max(len("".join(x)), len("".join(y))) else None


def gain_of_words(x, y):
    """Characters that two words keep, if those are more than half."""
    parts = kept_letters(x, y)
    return len(parts[0]) + len(parts[3]) if parts else 0


def gap_pieces(x, y):
    """Pieces of the words between common ones: (old, new, whether these are whole words)."""
    i = j = 0
    for k, m in ordered_pairs(x, y, gain_of_words):
        before, old, new, after = kept_letters(x[k], y[m])
        yield "".join(x[i:k]), "".join(y[j:m]), True
        yield before, before, False
        yield old, new, False
        yield after, after, False
        i, j = k + 1, m + 1
    yield "".join(x[i:]), "".join(y[j:]), True


def pieces(a, b):
    """Pieces of two texts, in order: (of the first, of the second, whether whole words change)."""
    x, y = WORD.findall(a), WORD.findall(b)
    i = j = 0
    for k, m in alignment(x, y):
        yield from gap_pieces(x[i:k], y[j:m])
        yield x[k], y[m], False
        i, j = k + 1, m + 1
    yield from gap_pieces(x[i:], y[j:])


@functools.lru_cache(maxsize=1000)
def changes(a, b):
    """Alternately what both texts have, and (old, new), beginning and ending with the former."""
    found, whole = [""], []
    for old, new, words in pieces(a, b):
        if old == new:
            found[-1] += old
            continue
        words = words and bool(old and new)
        space = re.fullmatch(r"[ \t\r\n]+", found[-1]) and whole and whole[-1] and words
        if len(found) > 1 and (found[-1] == "" or space):
            between = found.pop()
            before = found.pop()
            found += [(before[0] + between + old, before[1] + between + new), ""]
            whole[-1] = whole[-1] and words
        else:
            found += [(old, new), ""]
            whole.append(words)
    return tuple(found)


def marked(a, b, write=str):
    """Both texts as one, with the changes marked."""
    text = ""
    for piece in changes(a, b):
        if isinstance(piece, str):
            text += write(piece)
        else:
            old, new = piece
            text += f"[-{write(old)}-]" * bool(old) + f"{{+{write(new)}+}}" * bool(new)
    return text
