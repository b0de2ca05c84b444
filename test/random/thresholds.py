"""Random thresholds, most of them close to what they are compared with."""

# Thresholds that no similarity has
ODD_SIMILARITIES = [-1.0, float("-inf"), float("inf"), float("nan"), 1 + 2**-52, 5e-324]

def random_limit(rng, d):
    """A threshold, often one that decides."""
    return rng.choice([d, d + 1, max(d - 1, 0), rng.randint(0, 5), rng.randint(0, d + 5)])


def random_similarity(rng, docs, measure):
    """A threshold from 0 to 1, often one that decides."""
    similarity = measure(*rng.choices([doc for doc in docs if doc is not None], k=2))
    beside = min(similarity * (1 + 2**-52), 1)
    return rng.choice([similarity, beside, similarity * (1 - 2**-53), rng.random(), 0, 1])
