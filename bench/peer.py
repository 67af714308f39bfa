"""What Penstock is measured against, on the same files. usage: peer.py (columns|matrix|work|batches) COLUMNS FILE...

columns  PyArrow: row groups to Arrow columns, one thread
matrix   the same, then into NumPy: one float32 and one int64 matrix; lists as offsets and values; strings stay in Arrow's buffers
work     the same, with nulls filled, log1p of 50 columns, strings hashed (each distinct one once), lists padded into one float32 matrix
batches  matrix, then rows permuted within the row group and cut into batches of 4096 of packed tensors:
         what a torch DataLoader without worker processes does over such a dataset, without torch

Speaks as bench/src/main/java/io/penstock/bench/Passes.java does.
"""

import json
import sys
import time

import numpy
import pyarrow
import pyarrow.parquet
import xxhash

BUCKETS = 1 << 20
BATCH = 4096
LOG1P = {f"f{k:03}" for k in range(100) if k % 4 >= 2}


def read(paths, columns):
    for path in paths:
        file = pyarrow.parquet.ParquetFile(path)
        for k in range(file.num_row_groups):
            yield file.read_row_group(k, columns=columns, use_threads=False)


def names(table, kind):
    return [field.name for field in table.schema if kind(field.type)]


def numbers(table, kind, dtype):
    chosen = names(table, kind)
    matrix = numpy.empty((table.num_rows, len(chosen)), dtype)
    for k, name in enumerate(chosen):
        matrix[:, k] = table[name].chunk(0).to_numpy(zero_copy_only=False)
    return matrix


def matrix(table):
    floats = numbers(table, pyarrow.types.is_float32, numpy.float32)
    integers = numbers(table, pyarrow.types.is_int64, numpy.int64)
    lists = {}
    for name in names(table, pyarrow.types.is_list):
        column = table[name].chunk(0)
        lists[name] = column.offsets.to_numpy(), column.values.to_numpy(zero_copy_only=False)
    return floats, integers, lists


def hashed(column):
    entries = column.dictionary_encode()
    hashes = numpy.array([xxhash.xxh64_intdigest(word) % BUCKETS for word in entries.dictionary.to_pylist()], numpy.int64)
    return hashes[entries.indices.to_numpy()]


def work(table):
    rows = table.num_rows
    floats = [f"f{k:03}" for k in range(100)]
    fixed, ragged = ([name for name in table.column_names if name.startswith(start)] for start in ("lf", "li"))
    features = numpy.zeros((rows, len(floats) + 16 * len(fixed) + 20 * len(ragged)), numpy.float32)
    for k, name in enumerate(floats):
        column = table[name].chunk(0)
        values = (column.fill_null(0.0) if column.null_count else column).to_numpy(zero_copy_only=False)
        if name in LOG1P:
            numpy.log1p(values, out=features[:, k])
        else:
            features[:, k] = values
    at = len(floats)
    for name in fixed:
        features[:, at : at + 16] = table[name].chunk(0).flatten().to_numpy().reshape(rows, 16)
        at += 16
    for name in ragged:
        column = table[name].chunk(0)
        offsets, values = column.offsets.to_numpy(), column.values.to_numpy()
        lengths = numpy.diff(offsets)
        row = numpy.repeat(numpy.arange(rows), lengths)
        item = numpy.arange(len(values)) - numpy.repeat(offsets[:-1], lengths)
        inside = item < 20
        features[row[inside], at + item[inside]] = values[inside]
        at += 20
    integers = [f"i{k:02}" for k in range(30)]
    strings = names(table, pyarrow.types.is_string)
    ids = numpy.empty((rows, len(integers) + len(strings)), numpy.int64)
    for k, name in enumerate(integers):
        ids[:, k] = table[name].chunk(0).to_numpy()
    for k, name in enumerate(strings):
        ids[:, len(integers) + k] = hashed(table[name].chunk(0))
    return features, ids


def batches(table, random):
    floats, integers, lists = matrix(table)
    blocks = [floats, integers] + [values.reshape(table.num_rows, 16) for _, values in lists.values()]
    order = random.permutation(table.num_rows)
    for k in range(0, table.num_rows, BATCH):
        yield [block[order[k : k + BATCH]] for block in blocks]


def one_pass(form, columns, paths):
    random = numpy.random.default_rng(0)
    for table in read(paths, columns):
        if form == "matrix":
            matrix(table)
        elif form == "work":
            work(table)
        elif form == "batches":
            for _ in batches(table, random):
                pass


def delivered(form, columns, paths):
    """Rows and the sums that Penstock's tensors have, found outside what is measured."""
    rows, sums = 0, {}

    def add(name, value):
        sums["sum of " + name] = sums.get("sum of " + name, 0) + value

    for table in read(paths, columns):
        rows += table.num_rows
        if form == "work":
            features, ids = work(table)
            add("floats", float(features[:, :100].sum(dtype=float)))
            add("lf", float(features[:, 100:164].sum(dtype=float)))
            add("li", float(features[:, 164:].sum(dtype=float)))
            add("ids", int(ids.sum()))
            continue
        floats, integers, lists = matrix(table)
        add("floats", float(numpy.nansum(floats, dtype=float)))
        if integers.size:
            add("ints", int(integers.sum()))
        for name, (_, values) in lists.items():
            add(name[:2], float(values.sum(dtype=float)) if name.startswith("lf") else int(values.sum()))
        for name in names(table, pyarrow.types.is_string):
            add("strings", int(hashed(table[name].chunk(0)).sum()))
    return {"rows": rows, **sums}


def main():
    form, columns, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
    columns = None if columns == "all" else columns.split(",")
    sums = delivered(form, columns, paths)
    one_pass(form, columns, paths)
    print(json.dumps(sums), flush=True)
    for _ in sys.stdin:
        cpu, wall = time.process_time(), time.perf_counter()
        one_pass(form, columns, paths)
        spent = {"seconds": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "allocated": -1}
        print(json.dumps(spent), flush=True)


main()
