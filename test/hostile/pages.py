"""Mutated pages of HTML; what is read of them has to hold for every use."""

from batch import Batch
from values import SCHEMA, quoted

# Statements that one session runs.
BATCH = 200

PAGES = [
    "<!DOCTYPE html><html lang=en><head><title>T</title></head><body class='a b'><p>x<p>y<br><b><i>z</b></i></body></html>",
    "<table><thead><tr><th>a<th>b</thead><tr><td>1<td colspan=2>2<tr><td rowspan='2'><b>3</b><td></table>",
    "<ul><li>a<ul><li>b</ul><li>c</ul><!-- d --><script>if (a<b) c('</p>')</script><style>p{}</style>",
    "<form><select><option>a<option selected>b</select><textarea>x</textarea><input checked></form>",
    "<html><frameset><frame src=x><noframes>y</noframes></frameset></html>",
    "<p title=\"&eacute;&#x1F600;&#26481;\">&lt;&amp;&nbsp;&foo; AT&T 東京 é 😀</p>",
    "<td><table><tr><td>a</td>b<unk>c</unk></table>",
]
PIECES = [
    "<", ">", "/>", "</", "'", '"', "=", "&", "&#", "&#x", "&#0;", "&#xD800;", "&#x110000;", "\x01", "\x7f", "\u00a0",
    "\ufffe", "\ufeff", "\U0010ffff", "<b>", "</b>", "<b>" * 300, "<p", "</p>", "<td>", "</td>", "</tr>", "<table>", "</table>",
    "<body>", "</body>", "<html a=b>", "</html>", "<head>", "<frameset>", "<title>", "<textarea>", "<plaintext>", "<script>",
    "</script>", "<style>", "<svg:a b:c=d>", "<a xmlns=x xmlns:y=z>", "<:>", "<a:b:c>", "<!--", "-->", "--!>", "<!-->", "<!",
    "<![CDATA[", "]]>", "<?", "?>", "<?xml encoding='utf-16'?>", "<meta charset=utf-7>", "<!DOCTYPE", "<!DOCTYPE a [<!ENTITY e '&e;'>]>",
    " colspan=", " colspan='-1'", " rowspan=99999999999999999999", " colspan", " a" * 300, "x" * 3000, "<" * 300, "é" * 300,
]

HOLDS = f"""CREATE FUNCTION {SCHEMA}.page_holds(a text, b text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    t tree := tree_from_html(a, comments => 'keep', text_nodes => 'preserve', fragment_root => 'all');
BEGIN
    IF t::text::tree <> t OR tree_size(tree_from_html(a, fragment_root => 'all')) > tree_size(t)
        OR teds(a, a) NOT IN (0, 1) OR teds(a, b) > 1 OR abs(teds(a, b) - teds(b, a)) > 1e-9
    THEN
        RAISE EXCEPTION 'does not hold' USING ERRCODE = 'HF000';
    END IF;
END $$"""


def mutated(page, rng):
    """A page with a few pieces lost, added, or taken from elsewhere."""
    for _ in range(rng.choice([1, 1, 2, 4, 20])):
        at, end = sorted(rng.choices(range(len(page) + 1), k=2))
        near = min(at + rng.randint(1, 4), len(page))
        other = rng.choice(PAGES)
        page = rng.choice([
            page[:at] + page[near:],
            page[:end],
            page[:at] + rng.choice(PIECES) + page[at:],
            page[:at] + rng.choice(PIECES) + page[near:],
            page[:end] + page[at:],
            page[:at] + other[rng.randrange(len(other)):],
            page[:at] + page[at:end][::-1] + page[end:],
        ])[:20000]
    return page


def batches(catalogue, values, count):
    """Pages one by one, each with another one beside it."""
    yield Batch("pages of HTML: a function", [HOLDS])
    for _ in range(max(count // 2, 1)):
        pairs = [[quoted(mutated(values.rng.choice(PAGES), values.rng)) for _ in range(2)] for _ in range(BATCH)]
        yield Batch("mutated pages of HTML", [f"SELECT {SCHEMA}.page_holds({a}, {b})" for a, b in pairs])
