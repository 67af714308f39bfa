"""Small Parquet datasets whose row groups have all kinds of sizes, for tests that run thousands of feeds."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False),
        pa.field("small", pa.int32()),
        pa.field("real", pa.float64()),
        pa.field("word", pa.string()),
        pa.field("items", pa.list_(pa.int32())),
        pa.field("vector", pa.list_(pa.float32()), nullable=False),
        pa.field("flag", pa.bool_(), nullable=False),
        pa.field("price", pa.decimal128(9, 2)),
        pa.field("at", pa.timestamp("us"), nullable=False),
        # No null but in a few row groups: a feed that takes it as it is finds these bad.
        pa.field("once", pa.int32()),
    ]
)
_WORDS = ["", "a", "to", "ferry", "Köln", "a rather long word that comes up now and then"]
_CODECS = ["none", "snappy", "zstd"]


def write(folder: Path, number: int, seed: int) -> None:
    """Writes dataset ``number`` into a folder of its own: some files of some row groups of 0 to 300 rows."""
    rng = np.random.default_rng([seed, number])
    folder.mkdir(parents=True)
    largest = int(rng.choice([4, 25, 60, 300]))
    row, group = 0, 0
    for file in range(int(rng.integers(1, 7))):
        path = folder / f"part-{file}.parquet"
        codec, dictionary = str(rng.choice(_CODECS)), bool(rng.integers(2))
        with pq.ParquetWriter(path, SCHEMA, compression=codec, use_dictionary=dictionary, data_page_size=512) as writer:
            for _ in range(int(rng.integers(0 if file else 1, 7))):
                rows = int(rng.integers(0 if group else 1, largest + 1))
                writer.write_table(_table(rng, row, rows, group > 2 and rng.random() < 0.1))
                row, group = row + rows, group + 1


def _table(rng: np.random.Generator, first: int, rows: int, bad: bool) -> pa.Table:
    numbers = rng.integers(-(2**31), 2**31, rows)
    reals = rng.normal(size=rows)
    reals[rng.random(rows) < 0.1] = np.nan
    reals[rng.random(rows) < 0.1] = -0.0
    lists = [rng.integers(-1000, 1000, int(rng.integers(0, 5))).tolist() for _ in range(rows)]
    once = numbers.tolist()
    if bad and rows:
        once[int(rng.integers(rows))] = None
    columns = {
        "id": np.arange(first, first + rows),
        "small": _some_null(rng, numbers.tolist()),
        "real": _some_null(rng, reals.tolist()),
        "word": _some_null(rng, [_WORDS[i] for i in rng.integers(0, len(_WORDS), rows)]),
        "items": _some_null(rng, lists),
        "vector": rng.normal(size=(rows, 4)).astype(np.float32).tolist(),
        "flag": rng.random(rows) < 0.5,
        "price": _some_null(rng, [Decimal(int(n)).scaleb(-2) for n in rng.integers(-(10**8), 10**8, rows)]),
        "at": rng.integers(0, 2**50, rows),
        "once": once,
    }
    return pa.table({name: pa.array(values, SCHEMA.field(name).type) for name, values in columns.items()}, schema=SCHEMA)


def _some_null(rng: np.random.Generator, values: list) -> list:
    share = rng.choice([0.0, 0.2, 0.2, 1.0])
    return [None if rng.random() < share else value for value in values]
