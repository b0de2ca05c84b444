"""Random XML documents and fragments, well-formed ones."""

XML_DECLARATIONS = ['<?xml version="1.0"?>', "<?xml version='1.0' encoding='latin1' ?>\n"]
NAMES = ["a", "b", "B", "item", "x-1", "_", "é", "名"]
PREFIXES = ["", "", "", "p:", "q:", "unbound:"]
URIS = ["", "urn:u", "urn:v", "http://example.org/a b", "not/absolute", "urn:ü"]
WORDS = [
    "one", "Two", "3", "é", "字", "😀", "{", "}", "\\", ">", "=", "\u00a0", "\u2028", "\x7f",
]
REFERENCES = [
    "&lt;", "&amp;", "&gt;", "&quot;", "&apos;", "&#65;", "&#x1F600;", "&#9;", "&#10;", "&#xd;",
    "&#32;",
]
SPACES = [" ", " ", "\n", "\t", "\r\n", "\r", "  \n "]

# Entities of the documents that have a document type; the first one has no markup.
ENTITIES = ["&e;", "&m;", "&n;"]
DECLARATIONS = [
    '<!ENTITY e " text "><!ENTITY m "x<unbound:b k=\'1\'>y</unbound:b>z"><!ENTITY n "&e;&m;&e;">',
    '<!ATTLIST a d CDATA "by  default" t NMTOKENS #IMPLIED>',
    "<!-- declared -->",
    "<?declared too?>",
    "<!ELEMENT a ANY>",
]


def random_text(rng, others):
    """Text, its white space and references; `others` are references to choose, too."""
    pieces = [WORDS, WORDS, SPACES, REFERENCES] + ([others] if others else [])
    return "".join(rng.choice(rng.choice(pieces)) for _ in range(rng.choice([1, 1, 2, 3, 8])))


def attribute(rng, name, entities):
    """An attribute with a random value."""
    quote = rng.choice("\"'")
    value = random_text(rng, entities[:1]) if rng.random() < 0.9 else ""
    space = rng.choice(SPACES)
    return f"{space}{name}{rng.choice(['', ' '])}={quote}{value}{quote}"


def attributes(rng, entities):
    """Attributes of different local names, and declarations of namespaces."""
    names = rng.sample([*NAMES, "d", "t"], rng.choice([0, 0, 1, 2, 5]))
    text = "".join(attribute(rng, rng.choice(PREFIXES) + name, entities) for name in names)
    if rng.random() < 0.1:
        text += rng.choice([' xml:lang="de"', " xml:space='preserve'"])
    for name in ("xmlns", "xmlns:p", "xmlns:q"):
        if rng.random() < 0.1:
            text += f' {name}="{rng.choice(URIS[name != "xmlns" :])}"'
    return text


def element(rng, inner, entities, name=None):
    """An element with the content given."""
    name = name or rng.choice(PREFIXES) + rng.choice(NAMES)
    start = f"<{name}{attributes(rng, entities)}{rng.choice(['', ' '])}"
    return f"{start}/>" if not inner and rng.random() < 0.5 else f"{start}>{inner}</{name}>"


def misc(rng):
    """A comment or a processing instruction."""
    inner = "".join(rng.choices([*WORDS, *SPACES, "<", "&", "-x"], k=rng.randint(0, 3)))
    if rng.random() < 0.5:
        # libxml2's reader may not find the end of a comment that begins with >
        return f"<!--{inner.lstrip('>')}-->"
    return f"<?{rng.choice(NAMES)}{rng.choice(['', ' ' + inner.lstrip()])}?>"


def content(rng, size, entities):
    """Mixed content of about so many elements."""
    parts = []
    while size > 0:
        part = rng.randint(1, size)
        parts.append(element(rng, content(rng, part - 1, entities), entities))
        size -= part
    extras = [
        lambda: random_text(rng, entities),
        lambda: rng.choice(SPACES),
        lambda: misc(rng),
        lambda: f"<![CDATA[{rng.choice(['', ' ', '<x>', '&amp; ', ']]', ' {字} '])}]]>",
    ]
    for _ in range(rng.choice([0, 1, 2, 4])):
        parts.insert(rng.randint(0, len(parts)), rng.choice(extras)())
    return "".join(parts)


def deep(rng, entities):
    """One element in another, close to the 256 that the parser takes."""
    inner = ""
    for _ in range(rng.randint(100, 240)):
        inner = element(rng, inner, entities)
    return inner


def around(rng):
    """What may stand before and behind the root."""
    pieces = [lambda: rng.choice(SPACES), lambda: misc(rng)]
    return "".join(rng.choice(pieces)() for _ in range(rng.choice([0, 0, 1, 3])))


def random_document(rng):
    """A document, often with a document type, or a fragment."""
    size = rng.choice([1, 2, 4, 8, 16, 40])
    declaration = rng.choice(["", "", *XML_DECLARATIONS])
    form = rng.random()
    if form < 0.15:
        return declaration + content(rng, rng.choice([0, 1, 3]), [])
    if form < 0.2:
        return declaration + deep(rng, [])
    entities, doctype = [], ""
    if form < 0.5:
        entities = ENTITIES
        chosen = DECLARATIONS[:1] + rng.sample(DECLARATIONS[1:], rng.randint(0, 4))
        doctype = f"{around(rng)}<!DOCTYPE a [{rng.choice(SPACES).join(chosen)}]>"
    root = element(rng, content(rng, size, entities), entities, rng.choice(["a", None]))
    return declaration + doctype + around(rng) + root + around(rng)
