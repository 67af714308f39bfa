"""The files and row groups of a feed's dataset on local disk, in contract order."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from dataclasses import dataclass
from urllib.parse import unquote

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from penstock_testing.columns import BYTES, WHOLE, Column, constant, of_arrow


@dataclass(frozen=True)
class RowGroup:
    """A row group: its file, its number there, its rows, and the hive values of its path by key."""

    path: str
    number: int
    rows: int
    hive: tuple[tuple[str, str | None], ...]


class Dataset:
    """What ``dataset`` in a feed names. ``replace`` is a pair of path prefixes: where the feed has the first, look at the second."""

    def __init__(self, settings: dict, replace: tuple[str, str] = ("file:", "")) -> None:
        known = {"paths", "exclude", "partitions", "partition_types", "bad_row_group", "max_bad_rows"}
        assert set(settings) <= known, settings
        self._exclude = settings.get("exclude", [])
        self._hive = settings.get("partitions", "none") == "hive"
        self._hive_types = settings.get("partition_types", {})
        self._open: tuple[str, pq.ParquetFile] | None = None
        self.row_groups: list[RowGroup] = []
        self.names: list[str] = []  # top-level, in the schema order of the first file, hive keys last
        for entry in settings["paths"]:
            local = replace[1] + entry[len(replace[0]) :] if entry.startswith(replace[0]) else entry
            for root in self._roots(re.sub("^//+", "/", local)):
                for path, below in self._files(root):
                    self.row_groups += self._of_file(path, below)
        assert self.row_groups, f"no row in {settings['paths']}"

    def column(self, group: RowGroup, name: str) -> Column:
        """A column of a row group: a hive key, a top-level name, or a leaf's dotted path."""
        hive = dict(group.hive)
        if name in hive:
            kind = BYTES if self._hive_types.get(name, "string") == "string" else WHOLE
            value = hive[name]
            return constant(group.rows, None if value is None else value.encode() if kind == BYTES else int(value), kind)
        table = self._file(group.path).read_row_group(group.number, columns=[name])
        if name in table.column_names:
            return of_arrow(table.column(name))
        first, *fields = name.split(".")
        array = pa.concat_arrays(table.column(first).chunks)
        for field in fields:
            array = pc.struct_field(array, field)
        return of_arrow(array)

    def _roots(self, entry: str) -> list[str]:
        if not glob.has_magic(entry) or os.path.exists(entry):
            assert os.path.exists(entry), f"no such path: {entry}"
            return [entry]
        found = [path for path in glob.glob(entry) if not _hidden(os.path.basename(path))]
        assert found, f"nothing matches: {entry}"
        return sorted(found, key=os.fsencode)

    def _files(self, root: str) -> list[tuple[str, str]]:
        if os.path.isfile(root):
            return [(root, "")]
        found = []
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if not _hidden(name)]
            for name in files:
                below = os.path.relpath(os.path.join(folder, name), root)
                if not _hidden(name) and not any(self._excludes(pattern, below) for pattern in self._exclude):
                    found.append(below)
        return [(os.path.join(root, below), below) for below in sorted(found, key=os.fsencode)]

    @staticmethod
    def _excludes(pattern: str, below: str) -> bool:
        if "/" not in pattern:
            return any(fnmatch.fnmatchcase(part, pattern) for part in below.split("/"))
        parts, patterns = below.split("/"), pattern.split("/")
        return len(parts) == len(patterns) and all(map(fnmatch.fnmatchcase, parts, patterns))

    def _of_file(self, path: str, below: str) -> list[RowGroup]:
        folders = [part.partition("=") for part in below.split("/")[:-1] if part.find("=") > 0] if self._hive else []
        hive = tuple((unquote(key), None if value == "__HIVE_DEFAULT_PARTITION__" else unquote(value)) for key, _, value in folders)
        file = self._file(path)
        metadata = file.metadata
        self.names = self.names or [*file.schema_arrow.names, *dict(hive)]
        groups = [RowGroup(path, i, metadata.row_group(i).num_rows, hive) for i in range(metadata.num_row_groups)]
        return [group for group in groups if group.rows]

    def _file(self, path: str) -> pq.ParquetFile:
        if self._open is None or self._open[0] != path:
            if self._open is not None:
                self._open[1].close()
            self._open = (path, pq.ParquetFile(path, coerce_int96_timestamp_unit="us"))
        return self._open[1]

    def close(self) -> None:
        """Closes the file that is open."""
        if self._open is not None:
            self._open[1].close()
            self._open = None


def _hidden(name: str) -> bool:
    return name.startswith(".") or (name.startswith("_") and "=" not in name)
