"""The certificate's formulas in Python's own whole numbers, one row at a time."""

import xxhash

CONSTANTS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)


def mix(z):
    z %= 2**64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def order_digest(epoch, positions, rows):
    sums = [sum(mix(mix(mix(c + epoch) + position) + row) for position, row in zip(positions, rows)) % 2**64 for c in CONSTANTS]
    return f"{sums[0]:016x}{sums[1]:016x}"


def values_digest(epoch, positions, tensors, valid):
    values = []
    for i, real in enumerate(valid):
        v = mix(1 if real else 0)
        for k, tensor in enumerate(tensors):
            v = mix(v + xxhash.xxh64_intdigest(tensor[i].tobytes(), k))
        values.append(v)
    return order_digest(epoch, positions, values)
