"""Trees of all shapes, in bracket notation."""

LABELS = ["", "a", "b", "c", "\\{", "\\}\\\\", "é", "日本", "𝒳", " ", "\t", "label" * 60, "NULL", '"']


def path(labels):
    """Each node has one child."""
    return "".join("{" + label for label in labels) + "}" * len(labels)


def star(labels):
    """All nodes but the root are leaves."""
    return "{" + labels[0] + "".join("{" + label + "}" for label in labels[1:]) + "}"


def left(labels):
    """Each inner node has a leaf to the right of its other child."""
    text = "{" + labels[0] + "}"
    for inner, leaf in zip(labels[1::2], labels[2::2]):
        text = "{" + inner + text + "{" + leaf + "}}"
    return text


def right(labels):
    """Each inner node has a leaf to the left of its other child."""
    text = "{" + labels[0] + "}"
    for inner, leaf in zip(labels[1::2], labels[2::2]):
        text = "{" + inner + "{" + leaf + "}" + text + "}"
    return text


def zigzag(labels):
    """Left and right by turns."""
    text = "{" + labels[0] + "}"
    for number, (inner, leaf) in enumerate(zip(labels[1::2], labels[2::2])):
        sides = (text, "{" + leaf + "}")
        text = "{" + inner + "".join(sides if number % 2 else reversed(sides)) + "}"
    return text


def scattered(labels, rng):
    """Each node is a child of a random earlier one."""
    children = [[] for _ in labels]
    for node in range(1, len(labels)):
        children[rng.randrange(node)].append(node)
    texts = [""] * len(labels)
    for node in reversed(range(len(labels))):
        texts[node] = "{" + labels[node] + "".join(texts[c] for c in children[node]) + "}"
    return texts[0]


def random_tree(rng, size=None):
    """A tree of a random shape."""
    size = size or rng.choice([1, 1, 2, 3, 5, 9, 17, 40])
    pool = rng.sample(LABELS, rng.randint(1, len(LABELS)))
    labels = rng.choices(pool, k=size)
    shape = rng.choice([path, star, left, right, zigzag, None])
    return shape(labels) if shape else scattered(labels, rng)
