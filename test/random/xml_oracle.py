"""Plain definition of the conversion from XML, on the events of Python's own parser."""

import re
from collections import namedtuple
from xml.parsers import expat

from conversion import NoTree, is_below, is_matched, lower
from oracle import order_key

Options = namedtuple(
    "Options",
    "attributes text_nodes comments namespaces content fold_case exclude_paths fragment_root"
    " unordered include_paths",
    defaults=["child", "collapse", "drop", "local", "full", False, [], "", [], []],
)

# A piece of a document: an element has a name, attributes and pieces as content;
# anything else has a name, which may be None, and a text as content.
Piece = namedtuple("Piece", "kind name attributes content")

SPACE = " \t\r\n"
NO_SINGLE_ROOT = "2200L"
XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"

# A name that a namespace applies to: what follows the prefix begins as a name does.
PREFIXED = re.compile(r"[^:]+:[^-.:0-9\u00b7\u0300-\u036f\u203f\u2040]")


def pieces(text):
    """The pieces of a document at the top level."""
    stack, in_doctype = [Piece("element", None, {}, [])], []
    parser = expat.ParserCreate()

    def add(kind, name, content):
        if not in_doctype:
            stack[-1].content.append(Piece(kind, name, {}, content))

    def start_element(name, attributes):
        element = Piece("element", name, attributes, [])
        stack[-1].content.append(element)
        stack.append(element)

    def start_doctype(name, *_):
        add("doctype", name, "")
        in_doctype.append(name)

    parser.StartElementHandler = start_element
    parser.EndElementHandler = lambda name: stack.pop()
    parser.CharacterDataHandler = lambda data: add("text", None, data)
    parser.CommentHandler = lambda data: add("comment", None, data)
    parser.ProcessingInstructionHandler = lambda name, data: add("instruction", name, data)
    parser.StartDoctypeDeclHandler = start_doctype
    parser.EndDoctypeDeclHandler = in_doctype.clear
    parser.Parse(text, True)
    return stack[0].content


def document_pieces(text):
    """The pieces of a document or a fragment; an XML declaration does not count."""
    text = re.sub(r"\A<\?xml[ \t\r\n].*?\?>", "", text, flags=re.DOTALL)
    if re.match(r"(?:\s|<!--.*?-->|<\?.*?\?>)*<!DOCTYPE", text, flags=re.DOTALL):
        return pieces(text)
    (fragment,) = pieces(f"<fragment>{text}</fragment>")
    return fragment.content


def node_name(name, namespaces, scope):
    """The name of an element or an attribute; scope leads from prefixes to namespaces."""
    prefix, _, local = name.partition(":") if ":" in name else ("", "", name)
    if namespaces == "prefix":
        return name
    if namespaces == "local":
        return name if prefix == "xml" else local
    if ":" in name and not PREFIXED.match(name):
        return name
    return f"{{{scope[prefix]}}}{local}" if scope.get(prefix) else name


def comment_label(piece):
    """The label of a comment, a processing instruction or a document type."""
    if piece.kind == "comment":
        return f"<!--{piece.content}-->"
    if piece.kind == "doctype":
        return f"<!DOCTYPE {piece.name}>"
    return f"<?{piece.name} {piece.content}?>" if piece.content else f"<?{piece.name}?>"


def is_element(name):
    """Whether a name is one that a star stands for."""
    return not name.startswith("@")


def matches(path, patterns):
    """Whether one of the patterns stands for a path."""
    return is_matched(path, patterns, is_element)


class Converter:
    """The conversion with given options."""

    def __init__(self, options):
        self.options = options

    def label(self, text):
        """The label of a text from the document."""
        return lower(text) if self.options.fold_case else text

    def spaced(self, text):
        """The text with its white space collapsed, unless that is preserved."""
        if self.options.text_nodes == "preserve":
            return text
        return " ".join(filter(None, re.split(f"[{SPACE}]+", text)))

    def excluded(self, path):
        """Whether a path is left out."""
        return matches(path, self.options.exclude_paths)

    def included(self, path):
        """Whether a path is one of those that are wanted, or below one."""
        wanted = self.options.include_paths
        return not wanted or is_below(path, wanted, is_element)

    def attribute_trees(self, element, path, scope):
        """The trees of an element's attributes, sorted by bytes."""
        if self.options.attributes == "ignore":
            return ()
        full, trees = self.options.content == "full", []
        for name, value in element.attributes.items():
            name = "@" + node_name(name, self.options.namespaces, {**scope, "": None})
            if self.excluded([*path, name]) or not self.included([*path, name]):
                continue
            label, value = self.label(name), self.label(self.spaced(value))
            if full and self.options.attributes == "node":
                trees.append((f"{label}={value}", ()))
            else:
                trees.append((label, ((value, ()),) if full else ()))
        return tuple(sorted(trees, key=lambda t: (t[0].encode(), [c[0].encode() for c in t[1]])))

    def text_trees(self, text, at_top):
        """The leaves of a run of text."""
        spaced = self.spaced(text)
        if not spaced or (at_top and not text.strip(SPACE)):
            return []
        if at_top and not self.options.fragment_root:
            raise NoTree(NO_SINGLE_ROOT)
        words = spaced.split(" ") if self.options.text_nodes == "words" else [spaced]
        return [(self.label(word), ()) for word in words]

    def element_tree(self, element, path, scope):
        """The tree of an element."""
        attributes = dict(element.attributes)
        for name in element.attributes:
            if name == "xmlns" or (name.startswith("xmlns:") and PREFIXED.match(name)):
                scope = {**scope, name[6:]: attributes.pop(name)}
        name = node_name(element.name, self.options.namespaces, scope)
        path = [*path, name]
        if self.excluded(path):
            return None
        inner = self.attribute_trees(element._replace(attributes=attributes), path, scope)
        forest = self.forest(element.content, path, scope)
        if matches(path, self.options.unordered):
            forest = tuple(sorted(forest, key=order_key))
        if not (inner or forest or self.included(path)):
            return None
        return self.label(name), inner + forest

    def forest(self, content, path, scope):
        """The trees of a list of pieces; what is dropped does not end a run of text."""
        full = self.options.content == "full" and self.included(path)
        run, trees = "", []
        for piece in content:
            tree = None
            if piece.kind == "text":
                run += piece.content if full and self.options.text_nodes != "ignore" else ""
            elif piece.kind == "element":
                tree = self.element_tree(piece, path, scope)
            elif full and self.options.comments == "keep":
                tree = self.label(self.spaced(comment_label(piece))), ()
            if tree:
                trees += [*self.text_trees(run, not path), tree]
                run = ""
        return tuple(trees + self.text_trees(run, not path))


def tree_from_xml(text, options):
    """The tree of an XML document or fragment."""
    trees = Converter(options).forest(document_pieces(text), [], {"xml": XML_NAMESPACE})
    if options.fragment_root:
        return options.fragment_root, trees
    if len(trees) != 1:
        raise NoTree(NO_SINGLE_ROOT)
    return trees[0]
