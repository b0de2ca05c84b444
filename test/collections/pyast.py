"""Prints the syntax tree of every function in Python's library, a line each.

usage: pyast.py [--json] DIRECTORY
The trees are in bracket notation, or in JSON.
"""

import ast
import json
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


def json_value(node):
    """A node as an object of its type and its fields; a name or a constant as a string."""
    if isinstance(node, list):
        return [json_value(child) for child in node]
    if not isinstance(node, ast.AST):
        return str(node).replace("\0", "\u2400").encode(errors="replace").decode()
    fields = [(field, value) for field, value in ast.iter_fields(node) if field != "ctx"]
    children = {field: json_value(value) for field, value in fields if value is not None}
    return {"type": type(node).__name__, **children}


def write_json(node):
    """A node as JSON in COPY's format, where a backslash is written as two."""
    return json.dumps(json_value(node)).replace("\\", "\\\\")


def main():
    """Prints the functions of the files in order, those of a file by their depth."""
    sys.stdout.reconfigure(encoding="utf-8", errors="replace")
    *options, directory = sys.argv[1:]
    write_node = write_json if options else write
    for path in sorted(Path(directory).rglob("*.py"), key=str):
        if re.search("/test|-packages/", str(path)):
            continue
        try:
            module = ast.parse(path.read_text(encoding="utf-8"))
        except (SyntaxError, UnicodeDecodeError):
            continue
        for node in ast.walk(module):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                print(write_node(node))


if __name__ == "__main__":
    main()
