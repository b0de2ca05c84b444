"""Patches of XML with selectors of any kind, and large ones that have to end in time and in memory."""

import os

from batch import ENOUGH_TIME, Batch, first
from values import SCHEMA, quoted

# Statements that one session runs.
BATCH = 200

DOCUMENTS = [
    "<a/>",
    "<a x='1'>t<b>1</b>t<b y='2'>2<c>3</c></b><!--d--><?p q?>t</a>",
    "<!--a--><?p b?><a xmlns='u' xmlns:p='v'><p:b p:x='1'/><b xmlns=''><c/></b></a><!--c-->",
    "<!DOCTYPE a [<!ENTITY e 'x<b/>'><!ATTLIST a i ID #IMPLIED x CDATA '1'>]><a i='k'>&e;<b xml:id='l'/><![CDATA[t]]></a>",
    "<é ñ='1' xmlns:名='&amp;&lt;'><名:é 名:ñ='\"'/> <é>1</é> </é>",
    "<a>" * 255 + "</a>" * 255,
]
STEPS = [
    "a", "b", "c", "*", "é", "p:b", "名:é", "text()", "comment()", "node()", "processing-instruction()", "processing-instruction('p')",
]
ENDS = ["/@x", "/@p:x", "/@xml:id", "/@ñ", "/namespace::p", "/namespace::名", "/namespace::xml", "/namespace::"]
PREDICATES = ["[1]", "[2]", "[0]", "[99999999999999999999]", "[.='1']", "[@x='1']", "[@i=\"k\"]", "[c='3']", "[p:b='']", "[b=\"\"]"]
PIECES = [
    "/", "//", "[", "]", "@", "*", "(", ")", "'", '"', "=", ".", "..", ":", "::", "|", ",", "$a", "-", "+", "<", ">", "&", "!", "#", "\\", "%s",
    "id(", "id('k')", "id('k l')", "text(", "last()", "position()", "contains(a, 'b')", "translate(/a/b, /a/c, '')", "string(/a)", "concat(", "count(//*)",
    "child::", "ancestor::", "namespace::", "attribute::", "and", "or", "div", "not(", "1", "1e9", "-1", "0.5", " ", "\n", "\u00a0", "é", "×", "\u0300a", "😀",
    "xml:", "xmlns:", "xmlns", "a" * 3000, "/*" * 3000, "[1]" * 3000, "(" * 3000,
]
CONTENTS = [
    "", "t", " ", "<b/>", "t<b/>t", "<!--c-->", "<?p q?>", "<p:b p:x='1'/>", "<b xmlns='u'><c xmlns=''/></b>", "<é/><b xml:id='k'/>",
    "<a>" * 100 + "</a>" * 100, "&amp;", "<b xmlns='&amp;&#10;\"'/>",
]
ATTRIBUTES = [
    " pos=\"before\"", " pos=\"after\"", " pos=\"prepend\"", " pos=\"\"", " ws=\"both\"", " ws=\"before\"", " ws=\"x\"", " type=\"@x\"", " type=\"@p:x\"",
    " type=\"@xml:id\"", " type=\"@xmlns\"", " type=\"@xmlns:p\"", " type=\"@é:é\"", " type=\"namespace::p\"", " type=\"namespace::名\"", " type=\"@\"",
]

# Repetitions of a part of a document or a patch.  A walk per predicate, operation or name is long.
LARGE = [
    ("('<a>' || repeat('<b x=\"\"/>', 100000) || '</a>')", "'<remove sel=\"/a/b' || repeat('[.='''']', 20000) || '[7]\"/>'"),
    ("('<a>' || repeat('<b x=\"\"/>', 100000) || '</a>')", "'<remove sel=\"/a/b' || repeat('[@x='''']', 20000) || '[7]\"/>'"),
    ("('<a><b>' || repeat('<c/>', 100000) || '<c>1</c></b></a>')", "'<remove sel=\"/a/b' || repeat('[c=''1'']', 20000) || '[2]\"/>'"),
    ("('<a>' || repeat('<b/>', 100000) || '</a>')", "repeat('<remove sel=\"/a/b[50000]\"/>', 50000)"),
    ("('<a>' || repeat('<b x=\"1\"/>', 100000) || '</a>')", "repeat('<add sel=\"id(''k'')\"/>', 50000)"),
    ("'<a/>'", "'<remove sel=\"' || repeat('/*', 1000000) || '\"/>'"),
    ("'<a/>'", "'<remove sel=\"/a' || repeat('[1]', 1000000) || '\"/>'"),
    ("'<a/>'", "'<remove sel=\"/a[.=''' || repeat('x', 5000000) || ''']\"/>'"),
    ("('<a><b>' || repeat('x', 5000000) || '</b><c/></a>')", "'<remove sel=\"translate(/a/b,/a/c,'''')\"/>'"),
    ("('<a>' || repeat('x', 1000000) || '</a>')", "'<remove sel=\"/a[concat(' || repeat('string(/a),', 3000) || '''x'')]\"/>'"),
    ("('<a>' || repeat('x', 1000000) || '</a>')", "'<remove sel=\"/a[contains(., ''' || repeat('x', 500000) || 'y'')]\"/>'"),
    # a namespace that each element needs a declaration of
    ("'<a/>'", "'<add sel=\"a\" xmlns:q=\"' || repeat('u', 4000) || '\">' || repeat('<q:b/>', 100000) || '</add>'"),
    ("'<a/>'", "'<add sel=\"a\"><b>' || repeat('<p:b/>', 100000) || '</b></add>'"),
    ("('<a>' || repeat('<b xmlns=\"&amp;\"/>', 50000) || '</a>')", "''"),
    ("(SELECT '<a ' || string_agg(format('xmlns:ns%s=\"%s\"', n, n), ' ') || '/>' FROM generate_series(1, 3000) n)",
     "repeat('<add sel=\"a\" type=\"@p:x\">1</add><remove sel=\"a/@p:x\"/>', 10000)"),
]

# Kilobytes that a session may take at 64 MB; a sanitizer keeps what has been freed, and shadows.
MOST_MEMORY = 4000000 if "ASAN_OPTIONS" in os.environ else 250000

# What has to hold: what is made is XML, and a statement ends soon after its time is over.
HOLDS = f"""CREATE FUNCTION {SCHEMA}.patch_holds(doc xml, patch xml) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    made text;
BEGIN
    made := xml_patch_apply(doc, patch);
    IF NOT xml_is_well_formed_document(made) THEN
        RAISE EXCEPTION 'a patch makes what is no XML: %', left(made, 1000) USING ERRCODE = 'HF000';
    END IF;
EXCEPTION
    WHEN query_canceled THEN
        IF clock_timestamp() > statement_timestamp() + current_setting('statement_timeout')::interval + '5s' THEN
            RAISE EXCEPTION 'a patch ends late' USING ERRCODE = 'HF000';
        END IF;
    WHEN data_exception OR invalid_parameter_value OR configuration_limit_exceeded OR program_limit_exceeded THEN
        NULL;
END $$"""

# What a session has taken, which only a superuser can read.
MEMORY = f"""CREATE OR REPLACE FUNCTION {SCHEMA}.memory_holds() RETURNS void SECURITY DEFINER LANGUAGE plpgsql AS $$
DECLARE
    peak int := substring(pg_read_file('/proc/self/status') FROM 'VmHWM:\\s+(\\d+)');
BEGIN
    IF peak > {MOST_MEMORY} THEN
        RAISE EXCEPTION 'a session takes % kB', peak USING ERRCODE = 'HF000';
    END IF;
END $$"""


def selector(rng):
    """A selector, or what is nearly one."""
    start = rng.choice(["/", "", "", "id('k')/", "id(\"l\")/"])
    steps = [rng.choice(STEPS) + "".join(rng.choices(PREDICATES, k=rng.choice([0, 0, 1, 2]))) for _ in range(rng.randint(1, 4))]
    text = start + "/".join(steps) + rng.choice(["", "", "", *ENDS])
    if rng.random() < 0.5:
        return text
    for _ in range(rng.choice([1, 1, 2, 5])):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(PIECES) + text[at + rng.choice([0, 0, 1, 3]) :]
    return text


def escaped(text):
    """The value of an attribute in XML."""
    for plain, reference in (("&", "&amp;"), ("<", "&lt;"), ('"', "&quot;"), ("\n", "&#10;")):
        text = text.replace(plain, reference)
    return text


def patch(rng):
    """A patch of a few operations."""
    spaces = rng.choice(["", " xmlns='u'", " xmlns:p='v' xmlns:名='&amp;&lt;'", " xmlns:p='u' xmlns='v'"])
    operations = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        name = rng.choice(["add", "add", "replace", "remove"])
        some = "".join(rng.choices(ATTRIBUTES, k=rng.choice([0, 1])))
        content = rng.choice(CONTENTS).replace("p:b p:x", "p:b xmlns:p='w' p:x")
        operations.append(f'<{name} sel="{escaped(selector(rng))}"{some}>{content}</{name}>')
    return f"<diff{spaces}>{''.join(operations)}</diff>"


def batches(catalogue, values, count):
    """Random patches, and large ones within 64 MB."""
    rng = values.rng
    yield Batch("selectors: functions", [HOLDS], superuser=[MEMORY])
    for _ in range(max(count // 2, 1)):
        pairs = [(quoted(rng.choice(DOCUMENTS)), quoted(patch(rng))) for _ in range(BATCH)]
        yield Batch("patches of XML with random selectors", [f"SELECT {SCHEMA}.patch_holds({a}, {p})" for a, p in pairs])
    for doc, operations in first(rng, LARGE, 2, count):
        yield Batch(
            "large patches of XML",
            [
                f"SELECT {SCHEMA}.patch_holds(d, p) FROM docs",
                f"SELECT {SCHEMA}.memory_holds()",
            ],
            setup=[
                "SET ted.max_memory = '64MB'",
                "SET statement_timeout = 0",
                f"CREATE TEMP TABLE docs AS SELECT ({doc})::xml AS d, ('<diff xmlns:p=\"v\">' || {operations} || '</diff>')::xml AS p",
                "RESET statement_timeout",
                ENOUGH_TIME,
            ],
        )
