"""The loaders that Penstock is measured against, on the same files. usage: peer_loaders.py FORM EPOCHS COLUMNS FILE... [--cache FOLDER]

torch                 a torch DataLoader over PyArrow, with no worker process: row groups read on one core, packed into one tensor a type,
                      permuted within the row group, cut into batches of 4096
torch-threads         the same, PyArrow reading on both cores
torch-workers         the same with two worker processes, a row group a time on one core each
petastorm             Petastorm's BatchedDataLoader over two threads: row groups, rows within them, and a queue of 50,000 rows shuffled
petastorm-cached      the same from Petastorm's cache on the local disk, warm
petastorm-unshuffled  the same from files, with no shuffling
petastorm-reader      Petastorm's reader alone, over two threads: row groups and rows within them shuffled, a row group a batch, in NumPy

A pass is EPOCHS epochs, one after another without a pause. A pass that counts has delivered each row of every epoch once.
Speaks as bench/src/main/java/io/penstock/bench/Passes.java does.
"""

import argparse
import itertools
import json
import pathlib
import resource
import sys
import time

import numpy
import pyarrow  # before torch, as Petastorm asks
import pyarrow.parquet
import torch

BATCH = 4096
QUEUE = 50_000
SEED = 17  # 0 is no seed to Petastorm: its threads then poll, and are slower


class PackedBatches(torch.utils.data.IterableDataset):
    def __init__(self, paths, columns, epochs, threads):
        self.paths = paths
        self.columns = columns
        self.epochs = epochs
        self.threads = threads

    def __iter__(self):
        worker = torch.utils.data.get_worker_info()
        first, step = (worker.id, worker.num_workers) if worker else (0, 1)
        for number, (path, k) in itertools.islice(enumerate(self._row_groups()), first, None, step):
            table = pyarrow.parquet.ParquetFile(path).read_row_group(k, columns=self.columns, use_threads=self.threads)
            blocks = packed(table)
            order = numpy.random.default_rng([SEED, number]).permutation(table.num_rows)
            for at in range(0, table.num_rows, BATCH):
                rows = order[at : at + BATCH]
                yield {name: torch.from_numpy(block.take(rows, axis=0)) for name, block in blocks.items()}

    def _row_groups(self):
        row_groups = [(path, k) for path in self.paths for k in range(pyarrow.parquet.ParquetFile(path).num_row_groups)]
        for epoch in range(self.epochs):
            for at in numpy.random.default_rng([SEED, epoch]).permutation(len(row_groups)):
                yield row_groups[at]


def packed(table):
    floats, ints, lists = [], [], []
    for field, column in zip(table.schema, table.columns):
        column = column.chunk(0)
        if pyarrow.types.is_list(field.type):
            lists.append(column.flatten().to_numpy().reshape(table.num_rows, -1))
        else:
            (floats if pyarrow.types.is_float32(field.type) else ints).append(column.to_numpy(zero_copy_only=False))
    blocks = {"floats": numpy.stack(floats, 1), "ints": numpy.stack(ints, 1)}
    return {**blocks, "lists": numpy.concatenate(lists, 1)} if lists else blocks


def torch_batches(options, workers=0, threads=False):
    ahead = {"prefetch_factor": 4} if workers else {}
    batches = PackedBatches(options.files, options.columns, options.epochs, threads)
    for batch in torch.utils.data.DataLoader(batches, batch_size=None, num_workers=workers, **ahead):
        yield batch["ints"][:, options.columns.index("row_id")], batch.values()


def petastorm_reader(options, shuffled=True):
    from petastorm import make_batch_reader

    cache = {}
    if options.cache:
        cache = {
            "cache_type": "local-disk",
            "cache_location": str(options.cache),
            "cache_size_limit": 40 << 30,
            "cache_row_size_estimate": 1000,
            "cache_extra_settings": {"cleanup": False},
            "convert_early_to_numpy": True,  # so NumPy arrays are cached, and nothing is converted in a warm pass
        }
    return make_batch_reader(
        [path.resolve().as_uri() for path in options.files],
        schema_fields=options.columns,
        workers_count=2,
        seed=SEED,
        shuffle_rows=shuffled,
        shuffle_row_groups=shuffled,
        num_epochs=options.epochs,
        **cache,
    )


def petastorm_batches(options, shuffled=True):
    from petastorm.pytorch import BatchedDataLoader

    reader = petastorm_reader(options, shuffled)
    with BatchedDataLoader(reader, batch_size=BATCH, shuffling_queue_capacity=QUEUE if shuffled else 0) as loader:
        for batch in loader:
            yield batch["row_id"], batch.values()


def petastorm_row_groups(options):
    with petastorm_reader(options) as reader:
        for row_group in reader:
            yield row_group.row_id, row_group


FORMS = {
    "torch": torch_batches,
    "torch-threads": lambda options: torch_batches(options, threads=True),
    "torch-workers": lambda options: torch_batches(options, workers=2),
    "petastorm": petastorm_batches,
    "petastorm-cached": petastorm_batches,
    "petastorm-unshuffled": lambda options: petastorm_batches(options, shuffled=False),
    "petastorm-reader": petastorm_row_groups,
}


def one_pass(options):
    """Rows, their bytes and the sum of their row_id."""
    rows, size, ids = 0, 0, 0
    for row_ids, arrays in FORMS[options.form](options):
        rows += len(row_ids)
        size += sum(array.nbytes for array in arrays)
        ids += int(row_ids.sum())
    return {"rows": rows, "bytes": size, "ids": ids}


def whole_pass(options, wanted):
    """
    What a pass delivered and spent. Once in a while Petastorm's reader ends before the last row groups, or before the first: it sees that no
    item is under way, and then that all items were handed out, while another thread hands out the last ones in between. Such a pass is
    made again.
    """
    for _ in range(3):
        cpu, wall = cpu_seconds(), time.perf_counter()
        found = one_pass(options)
        spent = {"seconds": time.perf_counter() - wall, "cpu": cpu_seconds() - cpu, "allocated": -1}
        if wanted.items() <= found.items():
            return found, spent
        print(f"peer_loaders: a pass delivered {found} and not {wanted}", file=sys.stderr)
    sys.exit("peer_loaders: that was three times")


def stored(options):
    """What one_pass must find, but for the bytes."""
    ids = [pyarrow.parquet.read_table(path, columns=["row_id"])["row_id"].to_numpy() for path in options.files]
    return {"rows": options.epochs * sum(map(len, ids)), "ids": options.epochs * sum(int(values.sum()) for values in ids)}


def cached(options):
    """Petastorm's cache writes a new file for what it does not find, and writes that fail are forgotten."""
    return sorted(options.cache.rglob("*.val")) if options.cache else []


def cpu_seconds():
    """Of this process and of worker processes that have ended: a DataLoader ends its own after the last batch."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def check(what, found, wanted):
    if found != wanted:
        sys.exit(f"peer_loaders: {what}: {found} and not {wanted}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("form", choices=FORMS)
    parser.add_argument("epochs", type=int)
    parser.add_argument("columns", type=lambda names: names.split(","))
    parser.add_argument("files", type=pathlib.Path, nargs="+")
    parser.add_argument("--cache", type=pathlib.Path)
    options = parser.parse_args()

    delivered, _ = whole_pass(options, stored(options))
    warm = cached(options)
    if options.cache:
        check("row groups in the cache", len(warm), sum(pyarrow.parquet.ParquetFile(path).num_row_groups for path in options.files))
    versions = f"torch {torch.__version__}, PyArrow {pyarrow.__version__}, NumPy {numpy.__version__}, {torch.get_num_threads()} threads of torch"
    print(json.dumps({**delivered, "versions": versions}), flush=True)
    for _ in sys.stdin:
        _, spent = whole_pass(options, delivered)
        check("files in the cache", cached(options), warm)
        print(json.dumps(spent), flush=True)


if __name__ == "__main__":
    main()
