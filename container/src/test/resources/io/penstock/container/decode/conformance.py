"""Writes conformance.json beside it: what PyArrow 22.0.0 reads from the files of the public suite parquet-testing, for ConformanceTest.

python conformance.py SUITE, in this folder. By file, and by the path of each leaf, the first 16 digits of the SHA-256 of its rows as text: `null`, whole
numbers as they are, times in microseconds, floats as the bits of a float64 in hex, bytes in hex, decimals unscaled, lists in brackets;
one row a line. A file that PyArrow does not read has what it says instead."""

import decimal, hashlib, json, pathlib, struct, sys
import pyarrow, pyarrow.parquet

MICROS = {"s": lambda v: v * 1_000_000, "ms": lambda v: v * 1000, "us": lambda v: v, "ns": lambda v: v // 1000}


def scalar(kind):
    """From what to_pylist gives to text."""
    types = pyarrow.types
    if types.is_boolean(kind):
        return pyarrow.bool_(), lambda v: str(int(v))
    if types.is_floating(kind):
        return kind, lambda v: "7ff8000000000000" if v != v else struct.pack(">d", v).hex()
    if types.is_decimal(kind):
        return kind, lambda v: str(int(v.scaleb(kind.scale, decimal.Context(prec=90))))
    if types.is_timestamp(kind) or types.is_time(kind):
        to = pyarrow.int32() if types.is_time32(kind) else pyarrow.int64()
        return to, lambda v: str(MICROS[kind.unit](v))
    if types.is_date(kind):
        return pyarrow.int32(), str
    if types.is_string(kind) or types.is_large_string(kind):
        return pyarrow.binary(), lambda v: v.hex()
    if types.is_binary(kind) or types.is_fixed_size_binary(kind) or types.is_large_binary(kind):
        return kind, lambda v: v.hex()
    return kind, str


def leaves(array):
    """The rows of each leaf, as text."""
    kind = array.type
    if isinstance(kind, pyarrow.BaseExtensionType):
        yield from leaves(array.storage)
    elif pyarrow.types.is_dictionary(kind):
        yield from leaves(array.cast(kind.value_type))
    elif pyarrow.types.is_struct(kind):
        for child in array.flatten():
            yield from leaves(child)
    elif pyarrow.types.is_map(kind) or pyarrow.types.is_list(kind) or pyarrow.types.is_large_list(kind):
        offsets = array.offsets.to_pylist()
        valid = array.is_valid().to_pylist()
        for part in (array.keys, array.items) if pyarrow.types.is_map(kind) else (array.values,):
            for items in leaves(part):
                yield [
                    "[" + ",".join(items[offsets[k] : offsets[k + 1]]) + "]" if valid[k] else "null" for k in range(len(array))
                ]
    else:
        to, text = scalar(kind)
        yield ["null" if value is None else text(value) for value in (array if to == kind else array.cast(to)).to_pylist()]


def read(path):
    file = pyarrow.parquet.ParquetFile(path, coerce_int96_timestamp_unit="us", page_checksum_verification=True)
    paths = [file.schema.column(k).path for k in range(len(file.schema))]
    table = file.read()
    columns = [rows for column in table.columns for rows in leaves(pyarrow.concat_arrays(column.chunks) if column.chunks else pyarrow.array([], column.type))]
    if len(columns) != len(paths):
        raise ValueError(f"{len(columns)} leaves in memory, {len(paths)} in the file")
    return {path: hashlib.sha256("\n".join(rows).encode()).hexdigest()[:16] for path, rows in zip(paths, columns)}


def main():
    suite = pathlib.Path(sys.argv[1])
    found = {}
    for path in sorted(suite.glob("*data/**/*.parquet")):
        name = str(path.relative_to(suite))
        try:
            found[name] = read(path)
        except Exception as e:
            found[name] = {"": " ".join(str(e).split())[:200]}
    pathlib.Path("conformance.json").write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")


main()
