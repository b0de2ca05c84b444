"""Plain definitions of what the conversions from XML and JSON share."""

import re


class NoTree(Exception):
    """A value that makes no tree; the argument is the SQLSTATE of the error."""


def lower(text):
    """The text in lower case, as by lower() in a database of locale C."""
    return "".join(c.lower() if c.isascii() else c for c in text)


def is_below(path, patterns, star):
    """Whether one of the patterns stands for a path, or for one that leads to it."""
    return any(is_matched(path[:i], patterns, star) for i in range(1, len(path) + 1))


def is_matched(path, patterns, star):
    """Whether one of the patterns of an option stands for a path.

    A path is the list of names from the root to a node.  `star` is a predicate
    that says for which names * stands.
    """

    def step_matches(step, name):
        if step == "*":
            return star(name)
        return re.sub(r"\\(.)", r"\1", step, flags=re.DOTALL) == name

    def matches(pattern):
        anywhere = pattern.startswith("//")
        steps = re.findall(r"/((?:[^/\\]|\\.)+)", pattern, flags=re.DOTALL)
        if len(path) < len(steps) or (len(path) > len(steps) and not anywhere):
            return False
        return all(map(step_matches, steps, path[len(path) - len(steps) :]))

    return any(map(matches, patterns))
