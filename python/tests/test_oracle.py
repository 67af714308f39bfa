"""The oracle itself, on tiny files and literal values: what judges end-to-end tests must be right."""

import datetime
import decimal
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from penstock.order import Order
from penstock_testing import feed_yaml, formulas
from penstock_testing.columns import BYTES, FLOAT, WHOLE, BadRowGroup, of_arrow
from penstock_testing.ops import strict_log1p
from penstock_testing.oracle import Oracle, cast

ABC, NONE = 0x44BC2CF5AD770999, 0xEF46DB3751D8E999  # XXH64 of "abc" and of no bytes, as published
DAY = datetime.date(1969, 12, 31)


def feed(path, tensors, order=None, **dataset):
    steps = {"seed": 1, "lanes": 1, "batch": 1, "shuffle": "none", **(order or {})}
    return {"penstock": 1, "dataset": {"paths": [str(path)], **dataset}, "order": steps, "tensors": tensors}


def write(path, columns, rows_per_group=100, **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns), path, row_group_size=rows_per_group, **options)


def delivered(value):
    """All rows of epoch 0, by tensor."""
    oracle = Oracle(value)
    try:
        return oracle.batches(0, 0, oracle.order.steps).tensors
    finally:
        oracle.close()


def one(tmp_path, column, **tensor):
    """What becomes of one column of one row group."""
    file = tmp_path / "one.parquet"
    write(file, {"c": column})
    return delivered(feed(file, {"t": {"column": "c", **tensor}}, {"batch": len(column)}))


@pytest.mark.parametrize(
    "column, kind, items",
    [
        (pa.array([True, None, False]), WHOLE, [1, 0, 0]),
        (pa.array([-128, 127], pa.int8()), WHOLE, [-128, 127]),
        (pa.array([2**32 - 1], pa.uint32()), WHOLE, [2**32 - 1]),
        (pa.array([2**64 - 1, None], pa.uint64()), WHOLE, [2**64 - 1, 0]),
        (pa.array(np.array([1.5, -0.0], np.float16)), FLOAT, [1.5, -0.0]),
        (pa.array([0.1, None], pa.float32()), FLOAT, [float(np.float32(0.1)), 0.0]),
        (pa.array([DAY]), WHOLE, [-1]),
        (pa.array([1500], pa.time32("ms")), WHOLE, [1_500_000]),
        (pa.array([1999], pa.time64("ns")), WHOLE, [1]),
        (pa.array([-1, 1001], pa.timestamp("ns")), WHOLE, [-1, 1]),
        (pa.array([-3], pa.timestamp("ms", "Europe/Berlin")), WHOLE, [-3000]),
        (pa.array(["é", None, ""]), BYTES, ["é".encode(), b"", b""]),
        (pa.array([b"ab"], pa.binary(2)), BYTES, [b"ab"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), BYTES, [b"a", b"b", b"a"]),
    ],
    ids=lambda value: str(value.type) if isinstance(value, pa.Array) else None,
)
def test_values_of_every_type(tmp_path, column, kind, items):
    write(tmp_path / "f", {"c": column})
    read = of_arrow(pq.read_table(tmp_path / "f").column("c"))
    assert (read.kind, read.items.tolist()) == (kind, items)
    assert read.null.tolist() == column.is_null().to_pylist()


def test_int96_timestamps_are_microseconds_far_outside_the_nanosecond_range(tmp_path):
    stamps = pa.array([datetime.datetime(1, 1, 1), datetime.datetime(1969, 12, 31)], pa.timestamp("us"))
    write(tmp_path / "one.parquet", {"c": stamps}, use_deprecated_int96_timestamps=True)
    got = delivered(feed(tmp_path / "one.parquet", {"t": {"column": "c", "dtype": "int64"}}, {"batch": 2}))
    assert got["t"].tolist() == [-62_135_596_800_000_000, -86_400_000_000]


@pytest.mark.parametrize("precision", [5, 15, 38])
def test_decimals_are_the_nearest_float_and_their_unscaled_number(tmp_path, precision):
    column = pa.array([decimal.Decimal("-0.10"), decimal.Decimal("123.45")], pa.decimal128(precision, 2))
    assert one(tmp_path, column, dtype="float64")["t"].tolist() == [-0.1, 123.45]
    assert one(tmp_path, column, dtype="int32", ops=["unscaled"])["t"].tolist() == [-10, 12345]


FLOATS = [1.0, None, float("nan"), -2.5]


@pytest.mark.parametrize(
    "column, ops, dtype, want",
    [
        (FLOATS, [{"fill": 7}], "float32", [1.0, 7.0, np.nan, -2.5]),
        (FLOATS, [{"fill": {"value": 7, "nan": True}}], "float32", [1.0, 7.0, 7.0, -2.5]),
        (FLOATS, [{"clip": {"min": 0, "max": 0.5}}, {"fill": -1}], "float32", [0.5, -1.0, np.nan, 0.0]),
        ([-0.0, 0.0], [{"clip": {"min": 0}}], "float64", [-0.0, 0.0]),
        ([3, None, 9], [{"fill": 0}, {"clip": {"max": 5}}], "int8", [3, 0, 5]),
        ([3, None, 9], [{"fill": 0.5}], "float64", [3.0, 0.5, 9.0]),
        ([0, 1], ["log1p"], "float64", [0.0, float.fromhex("0x1.62e42fefa39efp-1")]),
        ([1.0, 4.0], [{"standardize": {"mean": {"c": 2.5}, "std": {"c": 3}}}], "float64", [-0.5, 0.5]),
        ([1.0, 4.0], [{"standardize": {"mean": {"other": 2.5}, "std": {"other": 3}}}], "float64", [1.0, 4.0]),
        ([-1, 0, 1, 10, 11], [{"bucketize": {"bounds": [0, 0.5, 10]}}], "int64", [0, 1, 2, 3, 3]),
        ([float("nan"), None, 0.5], [{"bucketize": {"bounds": [0.5]}}, {"fill": 9}], "int64", [1, 9, 1]),
        (
            ["abc", "", None],
            [{"hash": {"buckets": 1000}}, {"fill": -1}],
            "int64",
            [0x44BC2CF5AD770999 % 1000, 0xEF46DB3751D8E999 % 1000, -1],
        ),
        (["b", "é", "x", None], [{"vocabulary": {"values": ["é", "b"], "unknown": 7}}, {"fill": 0}], "uint8", [2, 1, 7, 0]),
        ([5, 6], [{"vocabulary": {"values": [6]}}], "uint8", [0, 1]),
        (["NO", None], [{"fill": "x"}, {"vocabulary": {"values": ["x"]}}], "bool", [False, True]),
        ([1, 2], [{"fill": {"value": 0, "columns": ["d*"]}}, {"clip": {"max": 1, "columns": ["c*"]}}], "int64", [1, 1]),
    ],
)
def test_ops_on_scalars(tmp_path, column, ops, dtype, want):
    got = one(tmp_path, pa.array(column), dtype=dtype, ops=ops)["t"]
    assert got.dtype == dtype
    assert got.tobytes() == np.array(want, dtype).tobytes()


def test_whole_numbers_are_hashed_as_eight_little_endian_bytes(tmp_path):
    import xxhash

    want = [xxhash.xxh64_intdigest(value.to_bytes(8, "little", signed=value < 0), 3) % 97 for value in (0, -1, 5)]
    assert one(tmp_path, pa.array([0, -1, 5], pa.int32()), dtype="int64", ops=[{"hash": {"buckets": 97, "seed": 3}}])["t"].tolist() == want
    want = [xxhash.xxh64_intdigest(b"\xff" * 8, 0) % 97]
    assert one(tmp_path, pa.array([2**64 - 1], pa.uint64()), dtype="int64", ops=[{"hash": {"buckets": 97}}])["t"].tolist() == want


def test_unsigned_numbers_compare_as_such(tmp_path):
    column = pa.array([2**63 + 5, 1], pa.uint64())
    assert one(tmp_path, column, dtype="int64", ops=[{"clip": {"max": 2**40}}])["t"].tolist() == [2**40, 1]
    assert one(tmp_path, column, dtype="float64")["t"].tolist() == [float(2**63), 1.0]
    with pytest.raises(BadRowGroup, match="9223372036854775813 does not fit int64"):
        one(tmp_path, column, dtype="int64")


def test_files_of_statistics_and_words(tmp_path):
    (tmp_path / "stats.json").write_text('{"rows": 2, "columns": {"c": {"mean": 1, "std": 2, "min": 0}}}')
    ops = [{"standardize": {"file": str(tmp_path / "stats.json")}}]
    assert one(tmp_path, pa.array([1, 5]), dtype="float32", ops=ops)["t"].tolist() == [0.0, 2.0]
    (tmp_path / "words.txt").write_bytes("b\r\né\nlast".encode())
    ops = [{"vocabulary": {"file": str(tmp_path / "words.txt")}}]
    assert one(tmp_path, pa.array(["last", "é", "b", "é\n"]), dtype="int32", ops=ops)["t"].tolist() == [3, 2, 1, 0]


LISTS = [[1, 2, 3], [], None, [4, None]]


@pytest.mark.parametrize(
    "ops, mask, want, want_mask",
    [
        ([{"fill": 9}, {"pad": {"length": 2, "value": -1}}], False, [[1, 2], [-1, -1], [-1, -1], [4, 9]], None),
        (
            [{"pad": {"length": 2, "value": -1}}],
            True,
            [[1, 2], [-1, -1], [0, 0], [4, 0]],
            [[True, True], [False, False], [False, False], [True, False]],
        ),
        (
            [{"fill": 9}, {"pad": {"length": 3}}],
            True,
            [[1, 2, 3], [0, 0, 0], [0, 0, 0], [4, 9, 0]],
            [[True, True, True], [False] * 3, [False] * 3, [True, False, False]],
        ),
    ],
)
@pytest.mark.parametrize("kind", [pa.list_(pa.int32()), pa.large_list(pa.int32())], ids=str)
def test_lists_are_padded_and_masked(tmp_path, ops, mask, want, want_mask, kind):
    got = one(tmp_path, pa.array(LISTS, kind), dtype="int64", ops=ops, mask=mask)
    assert got["t"].tolist() == want
    assert list(got) == (["t", "t_mask"] if mask else ["t"])
    if mask:
        assert got["t_mask"].tolist() == want_mask


def test_nested_lists_are_padded_outermost_first(tmp_path):
    column = pa.array([[[1, 2], [3]], [], [[4], None, [5]]], pa.list_(pa.list_(pa.int64())))
    got = one(tmp_path, column, dtype="int16", ops=[{"pad": {"length": [2, 2], "value": 7}}], mask=True)
    assert got["t"].tolist() == [[[1, 2], [3, 7]], [[7, 7], [7, 7]], [[4, 7], [0, 0]]]
    assert got["t_mask"].tolist() == [[[True, True], [True, False]], [[False] * 2] * 2, [[True, False], [False, False]]]


def test_a_shape_must_be_met_exactly(tmp_path):
    column = pa.array([[1.0, 2.0], [3.0, 4.0]])
    assert one(tmp_path, column, dtype="float16", shape=[2])["t"].tolist() == [[1.0, 2.0], [3.0, 4.0]]
    assert one(tmp_path, pa.array([[1.0], None]), dtype="float32", shape=[1], mask=True)["t"].tolist() == [[1.0], [0.0]]
    for wrong in ([[1.0]], [[1.0, 2.0, 3.0]], [[]]):
        with pytest.raises(BadRowGroup, match="a list of . items, not 2"):
            one(tmp_path, pa.array(wrong, pa.list_(pa.float64())), dtype="float32", shape=[2])
    with pytest.raises(BadRowGroup, match="null"):
        one(tmp_path, pa.array([[1.0], None]), dtype="float32", shape=[1])


def test_a_slice_of_a_list_array_keeps_its_own_items():
    assert of_arrow(pa.array([[1], [2, 3], [4]]).slice(1, 2)).items.tolist() == [2, 3, 4]
    fixed = of_arrow(pa.array([[1, 2], None, [5, 6]], pa.list_(pa.int64(), 2)))
    assert (fixed.items.tolist(), fixed.levels[0].lengths.tolist()) == ([1, 2, 5, 6], [2, 0, 2])


def test_several_columns_are_stacked_and_globs_skip_what_is_taken(tmp_path):
    write(tmp_path / "f", {"x_b": [1, 2], "y": [3, None], "x_a": [5, 6], "l": [[1], [2]]})
    tensors = {
        "t": {"columns": ["x_a", "x_*", "y"], "dtype": "float32", "ops": [{"fill": 9}], "mask": True},
        "l": {"columns": ["l", "l"], "dtype": "int8", "shape": [1]},
    }
    got = delivered(feed(tmp_path / "f", tensors, {"batch": 2}))
    assert got["t"].tolist() == [[5.0, 1.0, 3.0], [6.0, 2.0, 9.0]]
    assert got["t_mask"].tolist() == [[True, True, True], [True, True, False]]
    assert got["l"].tolist() == [[[1], [1]], [[2], [2]]]
    assert list(got) == ["t", "t_mask", "l"]


def test_a_leaf_of_a_struct_is_null_where_the_struct_is(tmp_path):
    write(tmp_path / "f", {"s": pa.array([{"a": {"b": 1}}, None, {"a": None}], pa.struct([("a", pa.struct([("b", pa.int64())]))]))})
    got = delivered(feed(tmp_path / "f", {"t": {"column": "s.a.b", "dtype": "int64", "mask": True}}, {"batch": 3}))
    assert got["t"].tolist() == [1, 0, 0]
    assert got["t_mask"].tolist() == [True, False, False]


@pytest.mark.parametrize(
    "items, kind, dtype, want",
    [
        ([2**24 + 1, 2**53 + 1], WHOLE, "float32", [16777216.0, 9007199254740992.0]),
        ([2049, 65519], WHOLE, "float16", [2048.0, 65504.0]),
        ([1 + 2**-11 + 2**-40], FLOAT, "float16", [1 + 2**-10]),
        ([np.nan, np.inf, -0.0], FLOAT, "float32", [np.nan, np.inf, -0.0]),
        ([-0.0, 255.0], FLOAT, "uint8", [0, 255]),
        ([-(2.0**63)], FLOAT, "int64", [-(2**63)]),
        ([0, 1], WHOLE, "bool", [False, True]),
    ],
)
def test_casts_round_once(items, kind, dtype, want):
    got = cast(np.array(items), kind, np.dtype(dtype))
    assert got.tobytes() == np.array(want, dtype).tobytes()


@pytest.mark.parametrize(
    "items, kind, dtype",
    [
        ([256], WHOLE, "uint8"),
        ([-1], WHOLE, "uint8"),
        ([0.5], FLOAT, "int32"),
        ([np.nan], FLOAT, "int32"),
        ([2.0**63], FLOAT, "int64"),
        ([2], WHOLE, "bool"),
        ([65520.0], FLOAT, "float16"),
        ([65520], WHOLE, "float16"),
        ([1e39], FLOAT, "float32"),
    ],
)
def test_casts_that_do_not_fit_are_refused(items, kind, dtype):
    with pytest.raises(BadRowGroup, match=f"does not fit {dtype}"):
        cast(np.array(items), kind, np.dtype(dtype))


def test_nan_loses_its_payload():
    signalling = np.array([0xFFF0000000000001, 0x7FF8000000000123], np.uint64).view(np.float64)
    assert cast(signalling, FLOAT, np.dtype("float64")).view(np.uint64).tolist() == [0x7FF8000000000000] * 2
    assert cast(signalling, FLOAT, np.dtype("float16")).view(np.uint16).tolist() == [0x7E00] * 2


@pytest.mark.parametrize("ops", [[{"clip": {"min": 0.0}}], [{"fill": 0.0}]])
def test_a_whole_number_beyond_two_to_the_53_can_not_become_a_float(tmp_path, ops):
    with pytest.raises(BadRowGroup, match="beyond 2.53"):
        one(tmp_path, pa.array([2**53 + 1]), dtype="float64", ops=ops)
    assert one(tmp_path, pa.array([-(2**53)]), dtype="int64", ops=[{"fill": 0.0}])["t"].tolist() == [-(2**53)]


# What StrictMath.log1p of OpenJDK 17 gives; the first ten are values where NumPy's differs.
STRICT = [
    ("0x1.1caa69874060bp-11", "0x1.1c96a2b3a6bf2p-11"),
    ("0x1.72228f5c28f5cp+9", "0x1.a6ef737718ddcp+2"),
    ("0x1.c684317899e04p-1", "0x1.454fb0f68ddd0p-1"),
    ("0x1.948e4df14f2d0p-2", "0x1.54f0329437386p-2"),
    ("0x1.1fa9cd6b505acp-1", "0x1.c891214e5e5bcp-2"),
    ("0x1.ef99d1c756d7cp-2", "0x1.943469102f51cp-2"),
    ("-0x1.d2eb19ef6c784p-1", "-0x1.370550442643ep+1"),
    ("-0x1.a044c00d08600p-2", "-0x1.0b21568babd1ap-1"),
    ("-0x1.648e672ecc6b1p-8", "-0x1.65879cdf05427p-8"),
    ("0x1.653cf154365d6p-1", "0x1.0eff6a12311e6p-1"),
    ("0x0p+0", "0x0p+0"),
    ("-0x0p+0", "-0x0p+0"),
    ("0x1p+0", "0x1.62e42fefa39efp-1"),
    ("-0x1p+0", "-inf"),
    ("-0x1p+1", "nan"),
    ("0x1.7e43c8800759cp+996", "0x1.5963447f87fb5p+9"),
    ("0x1p+53", "0x1.25e4f7b2737fap+5"),
    ("0x1p-29", "0x1.fffffff800000p-30"),
    ("0x1p-54", "0x1p-54"),
    ("0x1.a82949a5657fbp-2", "0x1.62e5616bc4029p-2"),
    ("-0x1.2bedfa43fe5c9p-2", "-0x1.62e6b3842a25cp-2"),
    ("0x1.ff8p+9", "0x1.bb9d3beb8c86bp+2"),
    ("0x0.0000000000001p-1022", "0x0.0000000000001p-1022"),
    ("inf", "inf"),
    ("-inf", "nan"),
]


def test_log1p_is_stricts_bit_by_bit():
    given, want = (np.array([float.fromhex(text) for text in column]) for column in zip(*STRICT))
    got = strict_log1p(given)
    assert np.array_equal(np.isnan(got), np.isnan(want))
    assert got[~np.isnan(want)].tobytes() == want[~np.isnan(want)].tobytes()


def test_files_are_taken_in_byte_order_and_hidden_or_excluded_ones_left_out(tmp_path):
    root = tmp_path / "data"
    names = ["b/1", "B", "a.x/1", "a/1", "\uff5e", "\U0001f600", "_skip", ".skip", "c/_x/1", "_k=1/1", "d/x.crc", "e/f/y"]
    for number, name in enumerate(names):
        write(root / name, {"n": [number]})
    oracle = Oracle(feed(root, {"n": {"column": "n", "dtype": "int64"}}, exclude=["*.crc", "e/*/y"]))
    batches = oracle.batches(0, 0, oracle.order.steps)
    assert [names[number] for number in batches.tensors["n"]] == ["B", "_k=1/1", "a.x/1", "a/1", "b/1", "\uff5e", "\U0001f600"]
    oracle.close()


def test_roots_of_a_glob_and_several_paths(tmp_path):
    for number, name in enumerate(["r2/a", "r10/a", "r1/b", "r1/a", "x"]):
        write(tmp_path / name, {"n": [number]})
    value = feed(tmp_path / "x", {"n": {"column": "n", "dtype": "int64"}})
    value["dataset"]["paths"].append(f"file://{tmp_path}/r*")
    assert delivered(value)["n"].tolist() == [4, 3, 2, 1, 0]


def test_hive_folders_become_columns(tmp_path):
    for day, place in ((1, "a%20b"), (2, "__HIVE_DEFAULT_PARTITION__")):
        write(tmp_path / "d" / f"day={day}" / f"place={place}" / "f", {"n": [day * 10]})
    tensors = {
        "t": {"columns": ["n", "d*"], "dtype": "int64"},
        "p": {"column": "place", "dtype": "int8", "ops": [{"vocabulary": {"values": ["a b"]}}], "mask": True},
    }
    got = delivered(feed(tmp_path / "d", tensors, partitions="hive", partition_types={"day": "int64"}))
    assert got["t"].tolist() == [[10, 1], [20, 2]]
    assert (got["p"].tolist(), got["p_mask"].tolist()) == ([1, 0], [True, False])


ROWS = {"n": list(range(23)), "x": [float(n) / 4 for n in range(23)]}
TENSORS = {"n": {"column": "n", "dtype": "int32"}, "x": {"columns": ["x", "n"], "dtype": "float16"}}
ORDER = {"seed": 3, "lanes": 2, "batch": 4, "window": 2, "shuffle": "rows", "remainder": "pad"}


def two_files(folder):
    write(folder / "a.parquet", {name: values[:13] for name, values in ROWS.items()}, 5)
    write(folder / "b.parquet", {name: values[13:] for name, values in ROWS.items()}, 4)
    write(folder / "c.parquet", {name: pa.array(values[:0], pa.array(values).type) for name, values in ROWS.items()})
    return Order([5, 5, 3, 4, 4, 2], **ORDER)


def test_batches_have_the_rows_of_the_order_and_their_digests_are_the_formulas(tmp_path):
    order = two_files(tmp_path)
    oracle = Oracle(feed(tmp_path, TENSORS, ORDER))
    batches = oracle.batches(2, 1, order.steps)
    rows, valid = order.global_batches(2, 1, order.steps)
    oracle.close()
    assert batches.row.tolist() == rows.ravel().tolist()
    assert batches.valid.tolist() == valid.ravel().tolist()
    assert not batches.valid.all()
    assert batches.position.tolist() == list(range(4, order.steps * 4))
    assert batches.tensors["n"].tolist() == batches.row.tolist()
    assert batches.tensors["x"].tolist() == [[n / 4, n] for n in batches.row.tolist()]
    assert str(batches.order_digest) == formulas.order_digest(2, batches.position.tolist(), batches.row.tolist())
    want = formulas.values_digest(2, batches.position.tolist(), list(batches.tensors.values()), batches.valid.tolist())
    assert str(batches.values_digest) == want


def test_a_bad_row_group_is_an_error_or_in_quarantine(tmp_path):
    two_files(tmp_path)
    tensors = {"n": {"column": "n", "dtype": "int32"}, "x": {"column": "x", "dtype": "int8", "ops": [{"clip": {"max": 1}}]}}
    with pytest.raises(BadRowGroup, match="a.parquet row group 0: 0.25 does not fit int8"):
        delivered(feed(tmp_path, tensors, ORDER))
    oracle = Oracle(feed(tmp_path, tensors, ORDER, bad_row_group="quarantine", max_bad_rows=0.5))
    batches = oracle.batches(0, 0, oracle.order.steps)
    oracle.close()
    bad = batches.row < 5
    assert set(batches.tensors["n"][bad].tolist()) == {0} == set(batches.tensors["x"][bad].tolist())
    assert not batches.valid[bad].any()
    assert batches.tensors["n"][~bad].tolist() == batches.row[~bad].tolist()
    assert set(batches.tensors["x"][~bad].tolist()) == {1}


def test_the_command_writes_arrays_and_prints_digests(tmp_path):
    order = two_files(tmp_path / "data")
    (tmp_path / "feed.yaml").write_text(
        "penstock: 1\ndataset: {paths: [hdfs://nn:1/rides]}\n"
        "order: {seed: 3, lanes: 2, batch: 4, window: 2, remainder: pad, epochs: 4}\n"
        "tensors: {n: {column: n, dtype: int32, mask: true}, 'NO': {column: x, dtype: float64, ops: [log1p]}}\n"
    )
    out = tmp_path / "made" / "out"
    done = subprocess.run(
        [sys.executable, "-W", "error", Path(__file__).parent / "peek_oracle.py"]
        + [tmp_path / "feed.yaml", "2", "4", "1", out, "--replace", f"hdfs://nn:1/rides={tmp_path / 'data'}"],
        env={**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    said = json.loads(done.stdout)
    rows, valid = order.global_batches(1, 2, 4)
    files = {path.stem: np.load(path) for path in out.iterdir()}
    assert sorted(files) == ["NO", "n", "n_mask", "position", "row", "valid"]
    assert files["row"].tolist() == rows.ravel().tolist() == files["n"].tolist()
    assert files["position"].tolist() == list(range(8, 16))
    assert files["valid"].tolist() == valid.ravel().tolist()
    assert files["n_mask"].all()
    assert said["order_digest"] == str(order.order_digest(1, (2, 4)))
    tensors = [files["n"], files["n_mask"], files["NO"]]
    assert said["values_digest"] == formulas.values_digest(1, range(8, 16), tensors, files["valid"].tolist())
    assert said["steps"] == 2
    assert [tensor["name"] for tensor in said["tensors"]] == ["n", "n_mask", "NO"]


def test_feeds_are_read_as_yaml_1_2():
    value = feed_yaml.read("{a: NO, b: 010, c: 1e3, d: 0x1F, e: .5, f: -.inf, g: ~, h: true, i: 1_0, j: 1.0, k: 2e-7, l: '5', m: 12:30}")
    want = dict(a="NO", b=10, c=1000.0, d=31, e=0.5, f=-np.inf, g=None, h=True, i="1_0", j=1.0, k=2e-7, l="5", m="12:30")
    assert value == want
    assert [type(item) for item in value.values()] == [type(item) for item in want.values()]
    with pytest.raises(AssertionError, match="a key twice"):
        feed_yaml.read("{a: 1, a: 2}")
