"""Measures Penstock beside its peers; bench/run calls it. See bench/run --help."""

import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import typing

import numpy
import pyarrow

import data

HERE = pathlib.Path(__file__).resolve().parent
TARGET = HERE / "target"
JAVA_OPTIONS = ["-Xms1500m", "-Xmx1500m", "-XX:+UseParallelGC", "-XX:+UseTransparentHugePages"]  # a container's
FLOATS = [f"f{k:03}" for k in range(100)]
INTS = [f"i{k:02}" for k in range(30)]
NUMERIC = ["row_id", "label", *FLOATS, *INTS]
FIXED_LISTS = [f"lf{k}" for k in range(4)]
LOG1P = [name for k, name in enumerate(FLOATS) if k % 4 >= 2]

FLOAT_TENSOR = "  floats: {columns: [label, 'f*'], dtype: float32, ops: [{fill: 0}]}\n"
INT_TENSOR = "  ints: {columns: [row_id, 'i*'], dtype: int64}\n"
STRING_TENSOR = "  strings: {columns: ['s*'], dtype: int64, ops: [{hash: {buckets: 1048576}}]}\n"
FIXED_TENSOR = "  lf: {columns: ['lf*'], dtype: float32, shape: [16]}\n"
RAGGED_TENSOR = "  li: {columns: ['li*'], dtype: int64, ops: [{pad: {length: 20}}]}\n"
TENSORS = {
    "all": FLOAT_TENSOR + INT_TENSOR + STRING_TENSOR + FIXED_TENSOR + RAGGED_TENSOR,
    "numeric": FLOAT_TENSOR + INT_TENSOR,
    "deliverable": FLOAT_TENSOR + INT_TENSOR + FIXED_TENSOR,
    "dense": "  floats: {columns: ['d*'], dtype: float32}\n",
    "work": f"  floats: {{columns: ['f*'], dtype: float32, ops: [{{fill: 0}}, {{log1p: {{columns: {json.dumps(LOG1P)}}}}}]}}\n"
    + FIXED_TENSOR
    + "  li: {columns: ['li*'], dtype: float32, ops: [{pad: {length: 20}}]}\n"
    + "  ids: {columns: ['i*', 's*'], dtype: int64, ops: [{hash: {buckets: 1048576, columns: ['s*']}}]}\n",
}
PEER_COLUMNS = {
    "all": "all",
    "numeric": ",".join(NUMERIC),
    "deliverable": ",".join(NUMERIC + FIXED_LISTS),
    "dense": "all",
    "work": ",".join(FLOATS + INTS + [f"s{k}" for k in range(6)] + FIXED_LISTS + [f"li{k}" for k in range(4)]),
}
PEERS = TARGET / "peers-venv" / "bin" / "python"
WARMING = 3  # seconds
THREADS = ["penstock.load.workers=2", "penstock.batch.workers=1"]


class Aim(typing.NamedTuple):
    """What Penstock's rate is to be, at least and at best, as a multiple of a contestant's: of the fastest one, if it names several."""

    floor: float | None
    goal: float | None
    bases: tuple[str, ...]


class Loader(typing.NamedTuple):
    """A contestant of peer_loaders.py."""

    name: str
    form: str
    epochs: int = 6
    environment: tuple[str, ...] = ()


LOOP = "PyArrow and NumPy, no framework"
# Petastorm wants a PyArrow and a NumPy of 2023: these are its environment's. A torch DataLoader gets what this process has.
OURS = (f"PYTHONPATH={sysconfig.get_path('purelib')}",)
# The threads of torch, one a core, spin while they wait for each other: on busy cores Petastorm is faster, and always cheaper, with one.
ONE_THREAD = ("OMP_NUM_THREADS=1",)
TORCH = Loader("torch DataLoader over PyArrow", "torch", environment=OURS)
TORCH_THREADS = Loader("torch DataLoader over PyArrow on both cores", "torch-threads", environment=OURS)
TORCH_WORKERS = Loader("torch DataLoader over PyArrow, 2 workers", "torch-workers", environment=OURS)
PETASTORM = Loader("Petastorm", "petastorm", 3)
PETASTORM_ALONE = Loader("Petastorm, torch on 1 thread", "petastorm", 3, ONE_THREAD)
UNSHUFFLED = Loader("Petastorm, not shuffled", "petastorm-unshuffled")
READER = Loader("Petastorm's reader, row groups", "petastorm-reader")
CACHED = Loader("Petastorm from its cache", "petastorm-cached", 3)
CACHED_ALONE = Loader("Petastorm from its cache, torch on 1 thread", "petastorm-cached", 3, ONE_THREAD)

SHUFFLED = (TORCH, TORCH_THREADS, TORCH_WORKERS, PETASTORM, PETASTORM_ALONE)
# What was best where floors and goals come from: there nobody let PyArrow read on both cores, which is faster still.
BEST = (TORCH.name, TORCH_WORKERS.name, PETASTORM.name, PETASTORM_ALONE.name)


class Epoch(typing.NamedTuple):
    """What one epoch is compared with, from files and from the cache: with --peers, and without."""

    title: str
    columns: str
    loaders: tuple[Loader, ...]
    aims: tuple[Aim, ...]
    stand_in: Aim
    cached_stand_in: Aim


# The loop stands in for a torch DataLoader. Petastorm's warm cache had 0.37 of the rate of one on another machine (136 columns), so 8 and
# 15 times Petastorm are 3.0 and 5.6 times the loop; --peers measures Petastorm itself.
EPOCHS = (
    Epoch(
        "136 columns",
        "deliverable",
        SHUFFLED,
        (Aim(2, 3, BEST), Aim(None, None, (TORCH_THREADS.name,)), Aim(8, 12, (PETASTORM.name, PETASTORM_ALONE.name))),
        Aim(2.0, 3.0, (LOOP,)),
        Aim(3.0, 5.6, (LOOP,)),
    ),
    Epoch(
        "132 numeric columns",
        "numeric",
        (*SHUFFLED, UNSHUFFLED, READER),
        (
            Aim(2.3, None, BEST),
            Aim(None, None, (TORCH_THREADS.name,)),
            Aim(None, 1, (READER.name,)),
            Aim(None, None, (UNSHUFFLED.name,)),
        ),
        Aim(2.3, 3.4, (LOOP,)),
        Aim(None, None, (LOOP,)),
    ),
)
CACHED_LOADERS = (CACHED, CACHED_ALONE)
CACHED_AIMS = (Aim(8, 15, (CACHED.name, CACHED_ALONE.name)),)

# title, table, codec, columns, floor and goal as multiples of the first peer
DECODE = [
    ("tab snappy, 146 columns", "tab", "snappy", "all", 1.1, 1.6),
    ("tab snappy, 132 numeric columns", "tab", "snappy", "numeric", 1.4, 2.0),
    ("tab zstd, 146 columns", "tab", "zstd", "all", 1.1, 1.6),
    ("tab none, 146 columns", "tab", "none", "all", None, None),
    ("dense none, 200 columns", "dense", "none", "dense", 1.1, 2.0),
    ("dense zstd, 200 columns", "dense", "zstd", "dense", 1.2, 1.6),
]


class Worker:
    """A process that makes one pass when it is told to."""

    def __init__(self, name, cores, command, log):
        self.name = name
        self.passes = []
        self.log = log
        self.process = subprocess.Popen(
            ["taskset", "-c", cores, *map(str, command)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(log, "w"), text=True
        )
        self.delivered = self._line()

    def turn(self):
        """The first pass brings caches and allocators back, and the second one counts, unless the first is long enough to do both."""
        spent = self._pass()
        self.passes.append(spent if spent["seconds"] > WARMING else self._pass())

    def _pass(self):
        self.process.stdin.write("run\n")
        self.process.stdin.flush()
        return self._line()

    def _line(self):
        line = self.process.stdout.readline()
        while line and not line.startswith("{"):
            line = self.process.stdout.readline()  # a JVM says that it records
        if not line:
            raise SystemExit(f"bench: the worker of {self.name} ended:\n{self.log.read_text()[-2000:]}")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)

    def median(self, what):
        return statistics.median(spent[what] for spent in self.passes)

    def rate(self, what):
        """Rows a second of wall time (`seconds`) or of CPU time (`cpu`)."""
        return self.delivered["rows"] / self.median(what)

    def against(self, base, floor=None, goal=None):
        by_wall, by_cpu = (round(self.rate(what) / base.rate(what), 3) for what in ("seconds", "cpu"))
        return {"base": base.name, "times_by_wall": by_wall, "times_by_cpu": by_cpu, "floor": floor, "goal": goal}


class Bench:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.files = data.make(TARGET / "data", options.files, options.row_groups)
        self.class_path = f"{TARGET / 'classes'}:{(TARGET / 'class-path').read_text().strip()}"
        self.rows = []
        self.recordings = 0

    def feed(self, table, codec, columns, order="lanes: 1, batch: 4096, window: 2", epochs=3):
        path = self.folder / f"{table}-{codec}-{columns}.yaml"
        dataset = self.files[table, codec][0].parent.as_uri()
        path.write_text(
            f"penstock: 1\ndataset: {{paths: ['{dataset}']}}\norder: {{seed: 42, {order}, epochs: {epochs}}}\ntensors:\n{TENSORS[columns]}"
        )
        return path

    def java(self, main, *arguments):
        profile = []
        if self.options.profile:
            self.recordings += 1
            stems = [pathlib.Path(str(a)).stem for a in arguments[:2]]
            recording = TARGET / f"{self.recordings:02}-{'-'.join([main, *stems])}.jfr"
            profile = [f"-XX:StartFlightRecording=settings=profile,filename={recording}"]
        return ["java", *JAVA_OPTIONS, *profile, "-cp", self.class_path, f"io.penstock.bench.{main}", *arguments]

    def peer(self, form, table, codec, columns):
        return [sys.executable, HERE / "peer.py", form, PEER_COLUMNS[columns], *self.files[table, codec]]

    def loader(self, loader, columns):
        """A contestant, and a cache of its own."""
        cache = ["--cache", self.folder / f"{columns} {loader.name}"] if loader.form == "petastorm-cached" else []
        command = [HERE / "peer_loaders.py", loader.form, loader.epochs, PEER_COLUMNS[columns], *self.files["tab", "snappy"], *cache]
        return loader.name, "0,1", ["env", *loader.environment, PEERS, *command]

    def wanted(self, title):
        return not self.options.only or self.options.only in title

    def compare(self, title, contestants, aims):
        """contestants: (name, cores, command); all are set against the first aim's base, and Penstock against the other aims' too."""
        if not self.wanted(title):
            return
        workers = []
        try:
            for number, (name, cores, command) in enumerate(contestants):
                workers.append(Worker(name, cores, command, self.folder / f"{len(self.rows)}-{number}.log"))
            check(title, workers)
            for _ in range(self.options.rounds):
                for worker in workers:
                    worker.turn()
        finally:
            for worker in workers:
                worker.close()
        rate = {worker.name: worker.rate("seconds") for worker in workers}
        fastest = [max(aim.bases, key=rate.get) for aim in aims]
        bases = [next(worker for worker in workers if worker.name == name) for name in fastest]
        print(f"\n{title}")
        for worker in workers:
            rates = [worker.delivered["rows"] / spent["seconds"] for spent in worker.passes]
            if worker.name.startswith("Penstock"):
                against = [worker.against(base, aim.floor, aim.goal) for base, aim in zip(bases, aims)]
            else:
                against = [worker.against(bases[0])]
            row = {
                "case": title,
                "who": worker.name,
                "rows_per_second": round(statistics.median(rates)),
                "rows_per_second_range": [round(min(rates)), round(max(rates))],
                "rows_per_cpu_second": round(worker.rate("cpu")),
                "against": against,
                "allocated": worker.median("allocated"),
                "rounds": self.options.rounds,
            }
            if "versions" in worker.delivered:
                row["versions"] = worker.delivered["versions"]
            if "worker" in worker.delivered and "Penstock, two" not in worker.name:
                row["worker_bytes"] = worker.delivered["worker"]
                row["worker_bytes_by_row_group"] = round(worker.delivered["worker"] / worker.delivered["row group"], 2)
            self.rows.append(row)
            low, high = row["rows_per_second_range"]
            allocated = "" if row["allocated"] < 0 else f", allocates {row['allocated'] / 1e6:.2f} MB a pass"
            print(f"  {worker.name:44} {row['rows_per_second']:>10,} rows/s [{low:,} - {high:,}]{allocated}")
            for found in against:
                times = f"x {found['times_by_wall']:.2f} by wall, x {found['times_by_cpu']:.2f} by CPU time"
                print(f"    {times} of {found['base']}{asked(found, ', asked for: ')}")
            if "worker_bytes" in row:
                print(f"    a worker holds {row['worker_bytes'] / 1e6:.0f} MB, {row['worker_bytes_by_row_group']} times a row group's tensors")
            sys.stdout.flush()
        return workers

    def decode(self):
        for title, table, codec, columns, floor, goal in DECODE:
            feed = self.feed(table, codec, columns)
            contestants = [
                ("Penstock, row-major tensors", "1", self.java("DecodePass", feed, 1, self.options.warm)),
                ("PyArrow, NumPy matrix", "1", self.peer("matrix", table, codec, columns)),
                ("PyArrow, columns", "1", self.peer("columns", table, codec, columns)),
            ]
            if (table, codec, columns) == ("tab", "snappy", "all"):
                contestants.append(("Penstock, two workers on two cores", "0,1", self.java("DecodePass", feed, 2, self.options.warm)))
            self.compare(title, contestants, [Aim(floor, goal, (contestants[1][0],))])
        feed = self.feed("tab", "snappy", "work")
        self.compare(
            "tab snappy, read and transform",
            [
                ("Penstock", "1", self.java("DecodePass", feed, 1, self.options.warm)),
                ("PyArrow, vectorised NumPy", "1", self.peer("work", "tab", "snappy", "work")),
            ],
            [Aim(1.5, 3.0, ("PyArrow, vectorised NumPy",))],
        )

    def epochs(self):
        for epoch in EPOCHS:
            feed = self.feed("tab", "snappy", epoch.columns, epochs=6)
            loop = (LOOP, "0,1", self.peer("batches", "tab", "snappy", epoch.columns))
            files = [feed, "storage", self.options.warm, *THREADS]
            loaders, cached_loaders = (epoch.loaders, CACHED_LOADERS) if self.options.peers else ((), ())
            self.compare(
                f"epoch of tab snappy, {epoch.title}, shuffled batches of 4096",
                [
                    ("Penstock from files", "0,1", self.java("EpochPass", *files)),
                    loop,
                    ("Penstock from files, no values digest", "0,1", self.java("EpochPass", *files, "penstock.batch.values-digest=off")),
                    *(self.loader(loader, epoch.columns) for loader in loaders),
                ],
                epoch.aims if self.options.peers else [epoch.stand_in],
            )
            cached = [feed, f"warm:{self.folder / f'cache-{epoch.columns}'}", self.options.warm, *THREADS]
            self.compare(
                f"cached epoch of tab snappy, {epoch.title}, shuffled batches of 4096",
                [
                    ("Penstock from its cache", "0,1", self.java("EpochPass", *cached)),
                    loop,
                    *(self.loader(loader, epoch.columns) for loader in cached_loaders),
                ],
                CACHED_AIMS if self.options.peers else [epoch.cached_stand_in],
            )

    def latency(self):
        """Each read of storage takes 20 ms more: what is read ahead hides it from the workers if the rates are the same."""
        feed = self.feed("tab", "snappy", "numeric", epochs=6)
        slow = feed.with_name("slow.yaml")
        slow.write_text(feed.read_text().replace("file:", "slow:"))
        settings = [self.options.warm, "fs.slow.impl=io.penstock.bench.SlowFileSystem", *THREADS]
        self.compare(
            "storage with 20 ms of latency a read, 132 numeric columns",
            [
                ("Penstock, 20 ms a read", "0,1", self.java("EpochPass", slow, "storage", *settings)),
                ("Penstock, no latency", "0,1", self.java("EpochPass", feed, "storage", *settings)),
            ],
            [Aim(0.9, None, ("Penstock, no latency",))],
        )

    def hdfs(self):
        """What the values digest costs end to end: files in HDFS, read over sockets from a NameNode and two DataNodes in one process."""
        job, epoch = (f"{what} from HDFS of tab snappy, {{}}, shuffled batches of 4096" for what in ("job of 3 epochs", "epoch"))
        cases = [(title.format(shape.title), shape.columns, title is job) for title in (job, epoch) for shape in EPOCHS]
        cases = [case for case in cases if self.wanted(case[0])]
        if not cases:
            return
        source = self.files["tab", "snappy"][0].parent
        class_path = (HERE.parent / "test-cluster/target/classpath.txt").read_text()
        command = ["java", "-Xmx1g", "-cp", class_path, "io.penstock.cluster.HdfsCopy", self.folder / "hdfs", source]
        log = self.folder / "hdfs.log"
        servers = subprocess.Popen(list(map(str, command)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=open(log, "w"), text=True)
        try:
            ready = servers.stdout.readline().split()
            if ready[:1] != ["READY"]:
                raise SystemExit(f"bench: HDFS ended:\n{log.read_text()[-2000:]}")
            for title, columns, cached in cases:
                local = self.feed("tab", "snappy", columns, epochs=3 if cached else 6)
                stored = local.with_name(f"hdfs-{columns}.yaml")
                stored.write_text(local.read_text().replace(source.as_uri(), f"{ready[1]}/{source.name}"))
                settings = [self.options.warm, *THREADS]

                def epochs(name, feed, *more):
                    way = f"cold:{self.folder / name}" if cached else "storage"
                    return name, "0,1", self.java("EpochPass", feed, way, *settings, *more)

                contestants = []
                for place, feed in (("HDFS", stored), ("this machine's files", local)):
                    contestants.append(epochs(f"Penstock from {place}", feed))
                    contestants.append(epochs(f"Penstock from {place}, no values digest", feed, "penstock.batch.values-digest=off"))
                workers = self.compare(title, contestants, [Aim(0.95, None, (contestants[1][0],))])
                for on, off in (workers[:2], workers[2:]):
                    for what, name in (("seconds", "wall"), ("cpu", "CPU time")):
                        # Round by round: neighbours slow down both of a round.
                        shares = [1 - b[what] / a[what] for a, b in zip(on.passes, off.passes)]
                        self.step(f"{on.name}: what the values digest takes of {name}", 100 * statistics.median(shares), "%", title)
        finally:
            servers.stdin.close()
            servers.wait(60)

    def steps(self):
        """JMH, and NumPy's permutations beside it."""
        if not self.wanted("steps"):
            return
        result = self.folder / "jmh.json"
        feed = self.feed("tab", "snappy", "deliverable")
        command = ["java", "-cp", self.class_path, "org.openjdk.jmh.Main", "io.penstock.bench", "-f", "1", "-wi", "3", "-w", "1", "-i", "5", "-r", "1"]
        command += ["-p", f"feed={feed}", "-jvmArgs", " ".join(JAVA_OPTIONS), "-rf", "json", "-rff", result, "-prof", "gc"]
        with open(self.folder / "jmh.log", "w") as log:
            subprocess.run(["taskset", "-c", "1", *map(str, command)], stdout=log, stderr=log, check=True)
        print("\nsteps, one core")
        for found in json.loads(result.read_text()):
            name = found["benchmark"].removeprefix("io.penstock.bench.")
            params = {k: v for k, v in found.get("params", {}).items() if k != "feed"}
            score, unit = found["primaryMetric"]["score"], found["primaryMetric"]["scoreUnit"]
            if "rows" in found["secondaryMetrics"]:
                score, unit = 1e9 / found["secondaryMetrics"]["rows"]["score"], "ns/row"
            self.step(f"{name} {params}", score, unit)
            if name.startswith("PlanBenchmark"):
                self.step(f"{name} {params}, allocated", found["secondaryMetrics"]["gc.alloc.rate.norm"]["score"] / 1e6, "MB/op")
        for name, size in (("window", 400_000), ("large", 10_000_000)):
            spent = []
            for key in range(5):
                random = numpy.random.Generator(numpy.random.PCG64(numpy.random.SeedSequence(42, spawn_key=(1, key))))
                start = time.perf_counter()
                random.permutation(size)
                spent.append((time.perf_counter() - start) / size * 1e9)
            self.step(f"NumPy's permutation, {name}", statistics.median(spent), "ns/op")

    def step(self, name, score, unit, case="steps"):
        self.rows.append({"case": case, "who": name, "score": score, "unit": unit})
        print(f"  {name:60} {score:10.3f} {unit}", flush=True)


def check(title, workers):
    """Everybody delivers the same rows and values, where both say which, and rows of the same size."""
    first = workers[0]
    for worker in workers[1:]:
        both = first.delivered.keys() & worker.delivered.keys()
        if "bytes" in both:
            ours, theirs = (each.delivered["bytes"] / each.delivered["rows"] for each in (first, worker))
            if ours != theirs:
                raise SystemExit(f"bench: {title}: bytes a row: {first.name} {ours}, {worker.name} {theirs}")
        if not any(name.startswith("sum of") for name in both):
            continue  # epochs: Penstock's are without the last, incomplete batch
        for name in both:
            if name != "rows" and not name.startswith("sum of"):
                continue
            ours, theirs = first.delivered[name], worker.delivered[name]
            exact = isinstance(ours, int) and isinstance(theirs, int)
            if ours != theirs if exact else not math.isclose(ours, theirs, rel_tol=1e-5, abs_tol=1):
                raise SystemExit(f"bench: {title}: {name}: {first.name} {ours}, {worker.name} {theirs}")


def table(rows):
    """What docs/performance.md holds."""
    lines = ["| case | who | rows/s [least - most] | by wall | by CPU time | as a multiple of | floor / goal |", "|---|---|---|---|---|---|---|"]
    for row in rows:
        if "score" in row:
            lines.append(f"| {row['case']} | {row['who']} | {row['score']:.1f} {row['unit']} | | | | |")
            continue
        low, high = row["rows_per_second_range"]
        who = f"{row['case']} | {row['who']} | {row['rows_per_second']:,} [{low:,} - {high:,}]"
        for found in row["against"]:
            lines.append(f"| {who} | {found['times_by_wall']:.2f} | {found['times_by_cpu']:.2f} | {found['base']} | {asked(found)} |")
            who = " | | "
    return "\n".join(lines) + "\n"


def asked(found, prefix=""):
    return f"{prefix}{found['floor'] or '–'} / {found['goal'] or '–'}" if found["floor"] or found["goal"] else ""


def machine():
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "?")
    java = subprocess.run(["java", "-version"], capture_output=True, text=True).stderr.splitlines()[0]
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="minutes"),
        "cpu": model,
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "java": java,
        "python": platform.python_version(),
        "pyarrow": pyarrow.__version__,
        "numpy": numpy.__version__,
        "load_average": os.getloadavg(),
    }


def main():
    parser = argparse.ArgumentParser(prog="bench/run", description="Measures Penstock beside its peers on the same files.", allow_abbrev=False)
    parser.add_argument("--files", type=int, default=1, help="files of each table (1)")
    parser.add_argument("--row-groups", type=int, default=4, help="row groups of 50,000 rows a file (4)")
    parser.add_argument("--rounds", type=int, default=5, help="interleaved rounds (5)")
    parser.add_argument("--warm", type=float, default=10, help="seconds that each JVM warms up at least (10)")
    parser.add_argument("--only", help="only cases whose title has this in it; `steps` for JMH")
    parser.add_argument("--peers", action="store_true", help="epochs beside torch DataLoader and Petastorm, installed below bench/target (6 GB)")
    parser.add_argument("--profile", action="store_true", help="Flight Recorder files in bench/target")
    parser.add_argument("--out", type=pathlib.Path, default=TARGET / "results.json", help="(bench/target/results.json); the table beside it, as .md")
    options = parser.parse_args()
    found = machine()
    print(f"{found['cpu']}, {found['cores']} cores, {found['java']}, PyArrow {found['pyarrow']}, NumPy {found['numpy']}, load {found['load_average'][0]:.1f}")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=TARGET))
    try:
        bench = Bench(options, folder)
        bench.decode()
        bench.epochs()
        bench.latency()
        bench.hdfs()
        bench.steps()
        found["load_average_at_end"] = os.getloadavg()
        options.out.write_text(json.dumps({"machine": found, "results": bench.rows}, indent=1) + "\n")
        options.out.with_suffix(".md").write_text(table(bench.rows))
        print(f"\nload at the end {os.getloadavg()[0]:.1f}; written: {options.out}")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
