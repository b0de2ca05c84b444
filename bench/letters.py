#!/usr/bin/python3
"""Prints strings of letters to compare: letters.py LETTERS ROWS [SEED]

A line has a string, one that has nothing to do with it, an edited copy of the
string, and an edited copy of the string on the first line; one letter in ten of
a copy is another one, left out, or put in.
"""
import random
import string
import sys


def letters(rng, count):
    """A random string."""
    return "".join(rng.choices(string.ascii_lowercase, k=count))


def edited(rng, text):
    """A copy with edits."""
    parts = []
    for letter in text:
        edit = rng.choice(["replace", "delete", "insert"]) if rng.random() < 0.1 else "keep"
        if edit in ("keep", "insert"):
            parts.append(letter)
        if edit in ("replace", "insert"):
            parts.append(rng.choice(string.ascii_lowercase))
    return "".join(parts)


def main(count, rows, seed=1):
    """Prints the lines."""
    rng = random.Random(seed)
    first = letters(rng, count)
    for row in range(rows):
        text = letters(rng, count) if row else first
        print(text, letters(rng, count), edited(rng, text), edited(rng, first), sep="\t")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
