"""Random pages and tables of HTML, and what they say.

What is written differs from what is meant as authors make it: tags in capitals, end
tags left out, values without quotes, references.  How a parser repairs what is wrong
is not tried here: each page can be read in one way only.
"""

import html

from xml_oracle import Piece

WORDS = ["one", "Two", "3", "é", "字", "😀", "{", "}", "\\", "<", "&", ">", "\u00a0", "x=1", "p < 0.05"]
SPACES = [" ", " ", "  ", "\n", "\t"]
NAMES = ["div", "span", "em", "section", "x-a", "ul", "table", "br", "script"]
ATTRIBUTES = ["class", "id", "title", "data-x", "hidden", "xlink:href"]
NAMED = {"é": "&eacute;", "\u00a0": "&nbsp;", "字": "&#23383;", "😀": "&#x1F600;"}


def random_text(rng):
    """Text that begins and ends with a word."""
    words = [rng.choice(WORDS) for _ in range(rng.choice([1, 1, 2, 3, 6]))]
    return "".join(word + rng.choice(SPACES) for word in words[:-1]) + words[-1]


def written(rng, text):
    """The text with references where they have to be, and elsewhere."""
    return "".join(
        NAMED[c] if c in NAMED and rng.random() < 0.5 else html.escape(c, quote=True) for c in text
    )


def tag(rng, name):
    """The name, maybe in capitals."""
    return name.upper() if rng.random() < 0.1 else name


def attribute(rng, name, value):
    """An attribute as it is written."""
    if not value and rng.random() < 0.5:
        return f" {name}"
    if value.isalnum() and value.isascii() and rng.random() < 0.3:
        return f" {tag(rng, name)}={value}"
    quote = rng.choice("\"'")
    return f"{rng.choice(SPACES)}{tag(rng, name)}={quote}{written(rng, value)}{quote}"


def start(rng, name, attributes):
    """A start tag."""
    text = "".join(attribute(rng, *item) for item in attributes.items())
    again = " class=again" if "class" in attributes and rng.random() < 0.1 else ""
    return f"<{tag(rng, name)}{text}{again}>"


def element(rng, name, attributes, content, may_end=True):
    """Text and piece of an element; content is a list of texts and pieces."""
    text = start(rng, name, attributes) + "".join(part for part, _ in content)
    if may_end or rng.random() < 0.7:
        text += f"</{tag(rng, name)}>"
    return text, Piece("element", name, attributes, [piece for _, piece in content])


def random_attributes(rng):
    """Some attributes; an element has each name once."""
    names = rng.sample(ATTRIBUTES, rng.choice([0, 0, 0, 1, 2, 4]))
    return {name: random_text(rng) if rng.random() < 0.9 and name != "hidden" else "" for name in names}


def random_content(rng, depth):
    """A list of texts and pieces, no text next to another one."""
    content = []
    for _ in range(rng.choice([0, 1, 1, 2, 3, 5])):
        kind = rng.random()
        if kind < 0.4 and (not content or content[-1][1].kind != "text"):
            text = random_text(rng)
            content.append((written(rng, text), Piece("text", None, {}, text)))
        elif kind < 0.5:
            comment = f" {rng.choice(['x', 'é', '<b>', '  '])} "
            content.append((f"<!--{comment}-->", Piece("comment", None, {}, comment)))
        elif depth < 5:
            content.append(random_element(rng, rng.choice(NAMES), depth + 1))
    return content


def random_element(rng, name, depth):
    """An element with random content, such as its name allows."""
    attributes = random_attributes(rng)
    if name == "br":
        return start(rng, name, attributes), Piece("element", name, attributes, [])
    if name == "script":
        end = rng.choice(["", "</b>", "</p", r"<\/script>"])
        text = f"if (a < b && {rng.choice(['c', 'é'])}) d('<b>{end}')"
        return element(rng, name, attributes, [(text, Piece("text", None, {}, text))])
    inner = {"ul": "li", "table": "tr", "tr": "td"}.get(name)
    if inner is None:
        return element(rng, name, attributes, random_content(rng, depth), name not in ("li", "td"))
    some = [random_element(rng, inner, depth + 1) for _ in range(rng.choice([0, 1, 2, 3]))]
    return element(rng, name, attributes, some, name != "tr")


def random_page(rng):
    """Text and pieces of a page."""
    parts = []
    if rng.random() < 0.3:
        parts.append(("<!DOCTYPE html>", Piece("doctype", "html", {}, "")))
    if rng.random() < 0.2:
        parts.append(("<!-- c -->", Piece("comment", None, {}, " c ")))
    head = []
    if rng.random() < 0.3:
        title = [("t &amp; u", Piece("text", None, {}, "t & u"))]
        head = [element(rng, "head", {}, [element(rng, "title", {}, title)])]
    body = element(rng, "body", random_attributes(rng), random_content(rng, 0))
    parts.append(element(rng, "html", {}, [*head, body], False))
    return "".join(text for text, _ in parts), [piece for _, piece in parts]


def random_cell(rng):
    """A cell; what is in it are texts and inline elements."""
    spans = {name: str(rng.randint(1, 3)) for name in ("colspan", "rowspan") if rng.random() < 0.15}
    content, kinds = [], rng.choice([0, 1, 1, 2, 3])
    for i in range(kinds):
        if i % 2 == rng.randrange(2) and (not content or content[-1][1].kind != "text"):
            text = random_text(rng)
            content.append((written(rng, text), Piece("text", None, {}, text)))
        else:
            text = random_text(rng)
            inner = [(written(rng, text), Piece("text", None, {}, text))] if rng.random() < 0.7 else []
            content.append(element(rng, rng.choice(["b", "i", "sup", "unk"]), {}, inner))
    return element(rng, rng.choice(["td", "td", "td", "th"]), spans, content)


def random_table(rng):
    """A table of a few rows, with or without groups of rows."""
    rows = [
        element(rng, "tr", {}, [random_cell(rng) for _ in range(rng.randint(0, 3))])
        for _ in range(rng.randint(0, 4))
    ]
    if rng.random() < 0.5:
        split = rng.randint(0, len(rows))
        rows = [element(rng, "thead", {}, rows[:split]), element(rng, "tbody", {}, rows[split:])]
    return element(rng, "table", random_attributes(rng), rows)


def changed_table(rng, table):
    """Another table that has some rows and cells of a table."""

    def change(piece):
        content = [change(p) if p.kind == "element" else p for p in piece.content if rng.random() < 0.9]
        attributes = {} if rng.random() < 0.1 else piece.attributes
        name = "th" if piece.name == "td" and rng.random() < 0.1 else piece.name
        return Piece(piece.kind, name, attributes, content)

    def rendered(piece):
        if piece.kind == "text":
            return written(rng, piece.content), piece
        return element(rng, piece.name, piece.attributes, [rendered(p) for p in piece.content])

    return rendered(change(table))
