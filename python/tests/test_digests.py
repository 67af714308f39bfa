"""The certificate's sums, against formulas in plain Python and the xxhash package."""

import numpy as np
import pytest
import xxhash

from penstock.digests import Digest, mix, order_digest, values_digest, xxh64_rows
from penstock.order import OrderError
from penstock_testing import formulas


def test_mix_is_splitmix64s_finaliser():
    # The first outputs of SplitMix64 seeded with 0 (state grows by the golden gamma): published with the generator.
    gamma = 0x9E3779B97F4A7C15
    states = np.array([gamma * i % 2**64 for i in (1, 2, 3)], dtype=np.uint64)
    assert [hex(int(z)) for z in mix(states)] == ["0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f"]
    assert int(mix(0)) == 0


def test_xxh64_of_rows_is_the_reference_for_every_length():
    draw = np.random.default_rng(11)
    for length in [*range(0, 100), 1000, 4099]:
        data = draw.integers(0, 256, (3, length), dtype=np.uint8)
        for seed in (0, 1, 2**63 + 5, 2**64 - 1):
            assert xxh64_rows(data, seed).tolist() == [xxhash.xxh64_intdigest(row.tobytes(), seed) for row in data]


def test_xxh64_takes_a_view_that_is_not_contiguous_and_no_rows():
    data = np.arange(400, dtype=np.int64).astype(np.uint8).reshape(4, 100)
    assert xxh64_rows(data[:, ::2]).tolist() == [xxhash.xxh64_intdigest(row[::2].tobytes()) for row in data]
    assert xxh64_rows(np.empty((0, 40), np.uint8)).shape == (0,)


def tensors(rows):
    draw = np.random.default_rng(3)
    return [
        draw.standard_normal((rows, 5)).astype(np.float32),
        draw.integers(0, 2, (rows, 5)).astype(bool),
        draw.integers(-(2**63), 2**63 - 1, (rows, 7), dtype=np.int64),
        draw.standard_normal(rows).astype(np.float16),
        np.empty((rows, 0), np.float64),
    ]


def test_values_digest_is_the_contracts_formula():
    valid = np.array([True, False, True, True, False, True])
    positions = np.array([0, 1, 2, 40, 41, 2**40])
    assert str(values_digest(9, positions, tensors(6), valid)) == formulas.values_digest(9, positions.tolist(), tensors(6), valid)


def test_values_digest_does_not_depend_on_byte_order_or_layout_in_memory():
    given = tensors(6)
    other = [np.asfortranarray(tensor.astype(tensor.dtype.newbyteorder(">"))) for tensor in given]
    valid = np.ones(6, bool)
    assert values_digest(0, range(6), other, valid) == values_digest(0, range(6), given, valid)


def test_values_digest_tells_rows_tensors_and_padding_apart():
    given, valid = tensors(6), np.ones(6, bool)
    whole = values_digest(0, range(6), given, valid)
    assert values_digest(0, range(6), given, ~valid) != whole
    assert values_digest(1, range(6), given, valid) != whole
    assert values_digest(0, range(1, 7), given, valid) != whole
    assert values_digest(0, range(6), given[::-1], valid) != whole
    given[3][4] += 1
    assert values_digest(0, range(6), given, valid) != whole


def test_digests_of_parts_add_up_modulo_two_to_the_64():
    given, valid, positions = tensors(6), np.ones(6, bool), np.arange(6)
    parts = [values_digest(0, positions[part], [t[part] for t in given], valid[part]) for part in (slice(0, 2), slice(2, 6))]
    assert Digest.total(parts) == values_digest(0, positions, given, valid)
    assert Digest(2**64 - 1, 1) + Digest(2, 3) == Digest(1, 4)
    assert Digest.total([]) == Digest() == Digest.parse("0" * 32)


def test_a_digest_is_written_as_32_hex_digits_and_read_again():
    digest = Digest(0xAB, 2**64 - 1)
    assert str(digest) == "00000000000000abffffffffffffffff"
    assert Digest.parse(str(digest)) == digest


@pytest.mark.parametrize("text", ["", "0" * 31, "0" * 33, "0" * 31 + "G", "0" * 31 + "A", "+" + "0" * 31, None, 5])
def test_what_is_no_digest(text):
    with pytest.raises(OrderError, match="must be 32 lower-case hex digits: digest="):
        Digest.parse(text)


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda: order_digest(0, [0, 1], [5]), "must be one for each row: positions of shape [2], rows of shape [1]"),
        (lambda: order_digest(0, [0.5], [5]), "must be whole numbers: positions of dtype float64"),
        (lambda: values_digest(0, [0], [], [1]), "must be bool [rows]: valid is int64 [1]"),
        (lambda: values_digest(0, [0], [np.zeros((2, 3))], [True]), "must have as many rows as valid, which is [1]: tensor 0 is [2, 3]"),
        (lambda: values_digest(0, [0], [np.array(["a"])], [True]), "must be numbers or bools: tensor 0 is <U1"),
        (lambda: xxh64_rows(np.zeros(3, np.uint8)), "must be uint8 [rows, bytes]: data is uint8 [3]"),
    ],
)
def test_what_digests_refuse(ask, message):
    with pytest.raises(OrderError) as refused:
        ask()
    assert refused.value.problems == (message,)
