"""Conversion from HTML, of pages and of mutated ones, and similarity of tables."""

from check import Check, close_to, outcome
from conversion_checks import conversion_check, converts, converts_or_fails, mutant, random_options
from html_documents import ATTRIBUTES, NAMES, changed_table, random_page, random_table
from html_oracle import teds
from conversion import NoTree
from xml_oracle import NO_SINGLE_ROOT, Converter, Options

TYPES = {
    "attributes": "text",
    "text_nodes": "text",
    "comments": "text",
    "content": "text",
    "fold_case": "boolean",
    "exclude_paths": "text[]",
    "include_paths": "text[]",
    "fragment_root": "text",
}
CHOICES = {
    "attributes": ["child", "node", "ignore"],
    "text_nodes": ["collapse", "preserve", "words", "ignore"],
    "comments": ["drop", "keep"],
    "content": ["full", "full", "structure"],
    "fold_case": [False, True],
    "fragment_root": ["", "", "Root", "{"],
}
PATH_NAMES = [*NAMES, "html", "body", *(f"@{name}" for name in ATTRIBUTES)]
CALL = f"tree_from_html(doc, {', '.join(TYPES)})"

# No single root, nested too deeply.
ERRORS = [NO_SINGLE_ROOT, "2200M", "54000"]

# What breaks a page, or makes it another one.
TOKENS = [
    "<", ">", "/>", "'", '"', "=", "<" * 50, "<b>", "</b>", "<b", "<b>" * 300, "</html>", "<body x=y>",
    "<p>", "<td>", "</tr>", "<table>", "</table>", "<form>", "<select><option>", "<frameset>", "<title>",
    "<!--", "-->", "--", "<![CDATA[", "]]>", "<?", "?>", "<!DOCTYPE x [", "<!ENTITY e '&e;'>", "<script>",
    "<style>", "<textarea>", "<plaintext>", "<svg:a b:c=d>", '<meta charset="utf-16">', "<base href='x:'>",
    "&", "&e;", "&nbsp", "&#", "&#0;", "&#xD800;", "&#x110000;", "\x01", "\ufffe", "\ufeff", " a='1' a='2'",
]


def tree_of(pieces, options):
    """The tree of a page by its pieces."""
    trees = Converter(Options(namespaces="prefix", **options)).forest(pieces, [], {})
    if options["fragment_root"]:
        return options["fragment_root"], trees
    if len(trees) != 1:
        raise NoTree(NO_SINGLE_ROOT)
    return trees[0]


def page_outcomes(rng, count):
    """The conversion of pages, and of mutants."""
    pages = dict(random_page(rng) for _ in range(count))
    options = [Options(**random_options(rng, CHOICES, PATH_NAMES, "include_paths")) for _ in pages]
    values = [[getattr(chosen, name) for name in TYPES] for chosen in options]
    mutants = [mutant(rng, page, rng.choice(list(pages)), TOKENS) for page in pages]

    def definition(doc, *given):
        return tree_of(pages[doc], dict(zip(TYPES, given)))

    types = {"doc": "text", **TYPES}
    yield outcome(conversion_check(
        "tree_from_html", types, CALL, converts(definition),
        [(page, *given) for page, given in zip(pages, values)],
    ))
    yield outcome(conversion_check(
        "tree_from_html, mutated pages", types, CALL,
        converts_or_fails(definition, KeyError, ERRORS),
        [(page, *given) for page, given in zip(mutants, values) if page not in pages],
    ))


def random_pair(rng):
    """Text and piece of two tables, the second of which is often like the first."""
    a = random_table(rng)
    return a, changed_table(rng, a[1]) if rng.random() < 0.7 else random_table(rng)


def table_outcomes(rng, count):
    """The similarity of tables, on their own and in pages."""
    pairs = [random_pair(rng) for _ in range(count)]
    tables = {text: piece for pair in pairs for text, piece in pair}
    cases = [(a, b, rng.random() < 0.2) for (a, _), (b, _) in pairs]
    page = "'<!DOCTYPE html><title>t</title><p>x</p>' || a || '<table><tr><td>y</table>'"

    def expected(a, b, structure_only):
        return teds(tables[a], tables[b], structure_only)

    for name, call in (("teds", "teds(a, b, s)"), ("teds of pages", f"teds({page}, b, s)")):
        check = Check(name, "a text, b text, s boolean", call, float, close_to(expected), cases)
        yield outcome(check)


def outcomes(rng, count):
    """Pages and tables."""
    yield from page_outcomes(rng, count)
    yield from table_outcomes(rng, count)
