"""Makes the data that bench/run measures on: tables whose columns look like those of a recommender (`tab`) and of plain features (`dense`).

`tab` has 146 optional columns: row_id, label, 100 float32 (of four kinds, each fifth with a tenth of nulls), 30 int64 (10 to 100,000
distinct values, half of them skewed), 6 strings (1,000 to 100,000 distinct), 4 lists of 16 float32, 4 lists of 0 to 20 int64.
`dense` has 200 required float32 columns, PLAIN.
"""

import pathlib

import numpy
import pyarrow
import pyarrow.parquet

ROWS = 50_000
CODECS = {"tab": ("none", "snappy", "zstd"), "dense": ("none", "zstd")}


def make(folder, file_count, row_groups):
    """Writes what is not there yet; returns {(table, codec): paths}."""
    made = {}
    for table, codecs in CODECS.items():
        for codec in codecs:
            below = pathlib.Path(folder) / f"{table}-{codec}-{file_count}x{row_groups}"
            made[table, codec] = [below / f"part-{k}.parquet" for k in range(file_count)]
        for k in range(file_count):
            missing = [c for c in codecs if not made[table, c][k].exists()]
            if missing:
                _write({c: made[table, c][k] for c in missing}, table, k * row_groups, row_groups)
    return made


def _write(paths, table, first, row_groups):
    create = _tab if table == "tab" else _dense
    writers = {}
    for number in range(first, first + row_groups):
        rows = create(number)
        for codec, path in paths.items():
            if codec not in writers:
                path.parent.mkdir(parents=True, exist_ok=True)
                unfinished = path.with_name("_" + path.name)
                options = {} if table == "tab" else {"use_dictionary": False}
                writers[codec] = pyarrow.parquet.ParquetWriter(unfinished, rows.schema, compression=codec, **options)
            writers[codec].write_table(rows, row_group_size=ROWS)
    for codec, writer in writers.items():
        writer.close()
        paths[codec].with_name("_" + paths[codec].name).rename(paths[codec])


def _tab(number):
    random = numpy.random.Generator(numpy.random.PCG64([7, number]))
    columns = {
        "row_id": pyarrow.array(number * ROWS + numpy.arange(ROWS)),
        "label": pyarrow.array((random.random(ROWS) < 0.03).astype("float32")),
    }
    kinds = (
        lambda: random.normal(size=ROWS),
        lambda: random.integers(20, size=ROWS),
        lambda: random.exponential(50, ROWS).round(1),
        lambda: numpy.floor(100 * random.pareto(1.2, ROWS)),
    )
    for k in range(100):
        nulls = random.random(ROWS) < 0.1 if k % 5 == 0 else None
        columns[f"f{k:03}"] = pyarrow.array(kinds[k % 4]().astype("float32"), mask=nulls)
    for k in range(30):
        distinct = 10 ** (1 + k % 5)
        values = random.zipf(1.3, ROWS).clip(max=distinct) if k % 2 else random.integers(distinct, size=ROWS)
        columns[f"i{k:02}"] = pyarrow.array(values.astype("int64") * 1_000_003)
    for k, distinct in enumerate((1_000, 1_000, 10_000, 10_000, 100_000, 100_000)):
        words = pyarrow.array([f"s{k}_{word:07x}" for word in range(distinct)])
        columns[f"s{k}"] = words.take(pyarrow.array(random.integers(distinct, size=ROWS)))
    for k in range(4):
        columns[f"lf{k}"] = _lists(numpy.full(ROWS, 16), lambda n: random.normal(size=n).astype("float32"))
    for k in range(4):
        columns[f"li{k}"] = _lists(random.integers(21, size=ROWS), lambda n: random.integers(50_000, size=n))
    return pyarrow.table(columns)


def _lists(lengths, items):
    offsets = numpy.concatenate(([0], lengths.cumsum())).astype("int32")
    return pyarrow.ListArray.from_arrays(pyarrow.array(offsets), pyarrow.array(items(offsets[-1])))


def _dense(number):
    random = numpy.random.Generator(numpy.random.PCG64([8, number]))
    fields = [pyarrow.field(f"d{k:03}", pyarrow.float32(), nullable=False) for k in range(200)]
    columns = [pyarrow.array(random.normal(size=ROWS).astype("float32")) for _ in fields]
    return pyarrow.table(columns, schema=pyarrow.schema(fields))
