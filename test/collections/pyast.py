"""Prints the syntax tree of every function in Python's library, in bracket notation, a line each.

usage: pyast.py DIRECTORY
"""

import ast
import re
import sys
from pathlib import Path

# in COPY's format, where a backslash is written as two
ESCAPES = str.maketrans({"\\": "\\\\\\\\", "{": "\\\\{", "}": "\\\\}", "\0": "\u2400"})


def write(node):
    """A node's type over its fields in their order; a name or a constant is a leaf."""
    if not isinstance(node, ast.AST):
        return "{" + re.sub("[ \t\r\n]+", " ", str(node)).strip(" ").translate(ESCAPES) + "}"
    children = []
    for field, value in ast.iter_fields(node):
        if field != "ctx":
            children += value if isinstance(value, list) else [value]
    below = "".join(write(child) for child in children if child is not None)
    return "{" + type(node).__name__ + below + "}"


def main():
    """Prints the functions of the files in order, those of a file by their depth."""
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    for path in sorted(Path(sys.argv[1]).rglob("*.py"), key=str):
        if re.search("/test|-packages/", str(path)):
            continue
        try:
            module = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                print(write(node))


if __name__ == "__main__":
    main()
