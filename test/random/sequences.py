"""Random sequences: text, bytes, arrays."""

from trees import ODD_LABELS

LETTERS = ["a", "ab", "abcd", "abcdefghijklmnopqrstuvwxyz", "aé字😀 \t\n\\'\"", "éèê"]
TOKENS = [["a", "b"], ODD_LABELS]
NUMBERS = [[0, 1], [-(2**31), -1, 0, 1, 2**31 - 1], range(1000)]


def random_sequences(rng, symbols, longest):
    """Two sequences, unrelated or nearly the same."""
    x = rng.choices(symbols, k=rng.randint(0, longest))
    if rng.random() < 0.5:
        y = [rng.choice(symbols) if rng.random() < 0.1 else s for s in x if rng.random() < 0.9]
    else:
        y = rng.choices(symbols, k=rng.randint(0, longest))
    return rng.choice([(x, y), (y, x)])


def sequence_cases(rng, count, alphabets, build):
    """Pairs of sequences, some of them many machine words long, two of them longer still."""
    longest = [600 if i % 50 == 0 else 140 if i % 10 == 0 else 12 for i in range(count)]
    pairs = [random_sequences(rng, rng.choice(alphabets), n) for n in longest]
    for m, n in ((400, 5000), (5000, 300)):
        pairs.append([rng.choices(alphabets[-1], k=length) for length in (m, n)])
    return [(build(x), build(y)) for x, y in pairs]
