"""Conversion from XML, of well-formed documents and of mutated ones."""

from xml.parsers.expat import ExpatError

from conversion_checks import Conversion, conversion_outcomes, mutant, random_options
from xml_documents import NAMES, random_document
from xml_oracle import Options, tree_from_xml

XML = Conversion(
    function="tree_from_xml",
    sql_type="xml",
    types={
        "attributes": "text",
        "text_nodes": "text",
        "comments": "text",
        "namespaces": "text",
        "content": "text",
        "fold_case": "boolean",
        "exclude_paths": "text[]",
        "include_paths": "text[]",
        "fragment_root": "text",
        "unordered": "text[]",
    },
    definition=lambda doc, **options: tree_from_xml(doc, Options(**options)),
    invalid=ExpatError,
    errors=["2200L", "2200N", "54000"],  # more than one root, not well-formed, too deep
)
CHOICES = {
    "attributes": ["child", "node", "ignore"],
    "text_nodes": ["collapse", "preserve", "words", "ignore"],
    "comments": ["drop", "keep"],
    "namespaces": ["local", "uri", "prefix"],
    "content": ["full", "full", "structure"],
    "fold_case": [False, True],
    "fragment_root": ["", "", "Root", "{"],
}
PATH_NAMES = [*NAMES, "@a", "@k", "@d", "p:a", "{urn:u}b", "xml:lang"]

# What breaks a document, or makes it another one.
TOKENS = [
    "<", ">", "/>", "'", '"', "=", ":", "<" * 50,
    "<a>", "</a>", "<a", "<a>" * 300, "</_>", "</_><_>", "<:>", "<a:b:c/>",
    "<!--", "-->", "--", "<![CDATA[", "]]>", "<?", "?>", "<?xml ", '<?xml version="1.0"?>',
    "<!DOCTYPE a>", "<!DOCTYPE a [", "]>", '<!ENTITY e "&e;">', "<!ENTITY e SYSTEM 'x'>",
    "&", "&e;", "%e;", "&nbsp;", "&#", "&#0;", "&#xD800;", "&#x110000;",
    " xmlns:p=''", " xmlns='x'", " a='1' a='2'", "\x01", "\ufffe", "\ufeff",
]


def outcomes(rng, count):
    """The same documents and options in every way."""
    docs = [random_document(rng) for _ in range(count)]
    mutants = [mutant(rng, doc, rng.choice(docs), TOKENS) for doc in docs]
    options = [Options(**random_options(rng, CHOICES, PATH_NAMES, "unordered", "include_paths")) for _ in docs]
    return conversion_outcomes(XML, docs, mutants, options)
