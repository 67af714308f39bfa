"""Writes product.json.gz and product-*.parquet beside it: columns of every type in every form, written by PyArrow 22.0.0 with each
codec, page version, family of encodings, and size of pages and row groups. The JSON has what must be read, worked out as it is drawn.

python make.py, in this folder. Whole numbers are as they are, times in microseconds; floats are the bits of a float64 in hex, bytes
are in hex, decimals are unscaled."""

import decimal, gzip, json, struct
import numpy, pyarrow, pyarrow.parquet

ROWS = 50
random = numpy.random.Generator(numpy.random.PCG64(20))


def whole(low, high):
    return lambda: (value := int(random.integers(low, high, dtype="i8", endpoint=True)), value)


def floating(kind):
    def draw():
        value = float(numpy.dtype(kind).type(random.normal() * 100))
        return (numpy.float16(value) if kind == "f2" else value), struct.pack(">d", value).hex()

    return draw


def unsigned():
    value = int(random.integers(2**64 - 1, dtype="u8", endpoint=True))
    return value, value


def units(low, high, kind, micros):
    def draw():
        value = int(random.integers(low, high, dtype="i8"))
        return pyarrow.scalar(value, kind), micros(value)

    return draw


def decimals(precision, scale):
    def draw():
        digits = int(random.integers(1, precision, endpoint=True))
        value = int("".join(map(str, random.integers(1, 10, size=digits))) or 0) * (-1) ** int(random.integers(2))
        return decimal.Decimal(value).scaleb(-scale, decimal.Context(prec=80)), value

    return draw


def text():
    value = "é" * int(random.integers(3)) + "w" * int(random.integers(9)) + str(random.integers(40))
    return value, value.encode().hex()


def binary(low, high):
    def draw():
        value = random.bytes(int(random.integers(low, high, endpoint=True)))
        return value, value.hex()

    return draw


def boolean():
    value = bool(random.integers(2))
    return value, int(value)


DAY = 86_400_000_000
TYPES = {
    "bool": (pyarrow.bool_(), boolean),
    "i8": (pyarrow.int8(), whole(-128, 127)),
    "u8": (pyarrow.uint8(), whole(0, 255)),
    "i16": (pyarrow.int16(), whole(-(2**15), 2**15 - 1)),
    "u16": (pyarrow.uint16(), whole(0, 2**16 - 1)),
    "i32": (pyarrow.int32(), whole(-(2**31), 2**31 - 1)),
    "u32": (pyarrow.uint32(), whole(0, 2**32 - 1)),
    "i64": (pyarrow.int64(), whole(-(2**63), 2**63 - 1)),
    "few": (pyarrow.int64(), whole(-2, 3)),
    "u64": (pyarrow.uint64(), unsigned),
    "f16": (pyarrow.float16(), floating("f2")),
    "f32": (pyarrow.float32(), floating("f4")),
    "f64": (pyarrow.float64(), floating("f8")),
    "date": (pyarrow.date32(), units(-40_000, 40_000, pyarrow.date32(), lambda v: v)),
    "tms": (pyarrow.time32("ms"), units(0, DAY // 1000, pyarrow.time32("ms"), lambda v: v * 1000)),
    "tns": (pyarrow.time64("ns"), units(0, DAY * 1000, pyarrow.time64("ns"), lambda v: v // 1000)),
    "sms": (pyarrow.timestamp("ms", "UTC"), units(-(10**12), 10**13, pyarrow.timestamp("ms", "UTC"), lambda v: v * 1000)),
    "sus": (pyarrow.timestamp("us"), units(-(10**15), 10**16, pyarrow.timestamp("us"), lambda v: v)),
    "sns": (pyarrow.timestamp("ns"), units(-(10**18), 4 * 10**18, pyarrow.timestamp("ns"), lambda v: v // 1000)),
    "dec9": (pyarrow.decimal256(9, 2), decimals(9, 2)),
    "dec18": (pyarrow.decimal256(18, 4), decimals(18, 4)),
    "dec50": (pyarrow.decimal256(50, 7), decimals(50, 7)),
    "str": (pyarrow.string(), text),
    "bin": (pyarrow.binary(), binary(0, 20)),
    "fix": (pyarrow.binary(5), binary(5, 5)),
}
IN_LISTS = ("bool", "few", "f16", "f32", "sus", "dec50", "str")


def items(draw, count, nulls):
    pairs = [(None, None) if random.random() < nulls else draw() for _ in range(count)]
    return [pair[0] for pair in pairs], [pair[1] for pair in pairs]


def lists(draw, count, nulls, longest=5):
    rows = [(None, None) if random.random() < nulls else items(draw, int(random.integers(longest)), nulls) for _ in range(count)]
    return [row[0] for row in rows], [row[1] for row in rows]


def columns():
    """(field, values, what must be read)"""
    for name, (kind, draw) in TYPES.items():
        yield pyarrow.field("r_" + name, kind, nullable=False), *items(draw, ROWS, 0)
        yield pyarrow.field("o_" + name, kind), *items(draw, ROWS, 0.2)
    for name in IN_LISTS:
        kind, draw = TYPES[name]
        of = pyarrow.list_(kind)
        yield pyarrow.field("l_" + name, of), *lists(draw, ROWS, 0.15)
        full = pyarrow.list_(pyarrow.field("element", kind, nullable=False))
        yield pyarrow.field("fl_" + name, full, nullable=False), *lists(draw, ROWS, 0)
        yield pyarrow.field("ll_" + name, pyarrow.list_(of)), *lists(lambda: items(draw, int(random.integers(4)), 0.15), ROWS, 0.15, 4)
    yield pyarrow.field("null_i32", pyarrow.int32()), [None] * ROWS, [None] * ROWS
    yield pyarrow.field("null_list", pyarrow.list_(pyarrow.string())), [None] * ROWS, [None] * ROWS


def encoding(family, path):
    kind = path.split(".")[0].split("_")[1]
    if family == "delta":
        if kind == "bool":
            return "RLE"
        if kind in ("str", "dec50"):
            return "DELTA_BYTE_ARRAY"
        if kind in ("bin", "fix", "f16"):
            return {"bin": "DELTA_LENGTH_BYTE_ARRAY", "fix": "DELTA_BYTE_ARRAY"}.get(kind, "PLAIN")
        return "PLAIN" if kind in ("f32", "f64", "list") else "DELTA_BINARY_PACKED"
    return "PLAIN" if kind in ("bool", "str", "bin", "list") else "BYTE_STREAM_SPLIT"


# page version, codec, encodings, whether pages are small, rows of a row group
FILES = [
    ("1.0", "none", "dictionary", False, 50),
    ("1.0", "snappy", "plain", True, 50),
    ("1.0", "gzip", "delta", True, 21),
    ("1.0", "zstd", "fallback", True, 50),
    ("1.0", "lz4", "split", False, 30),
    ("1.0", "brotli", "plain", False, 50),
    ("2.0", "none", "split", True, 50),
    ("2.0", "snappy", "fallback", False, 49),
    ("2.0", "gzip", "plain", False, 50),
    ("2.0", "zstd", "delta", False, 50),
    ("2.0", "lz4", "dictionary", True, 1),
    ("2.0", "brotli", "delta", True, 50),
    ("1.0", "snappy", "int96", True, 50),
]


def main():
    made = list(columns())
    arrays = [pyarrow.array(values, field.type) for field, values, _ in made]
    table = pyarrow.table(arrays, schema=pyarrow.schema([field for field, _, _ in made]))
    names = table.schema.names
    with gzip.GzipFile("product.json.gz", "wb", mtime=0) as out:
        out.write(json.dumps({field.name: expected for field, _, expected in made}, separators=(",", ":")).encode())
    for version, codec, family, small, rows in FILES:
        dictionary = family in ("dictionary", "fallback", "int96")
        part = table.slice(0, 4) if rows == 1 else table  # else it would be footers alone
        if rows == 1:
            part = part.select([name for name in names if name[0] in "rl"])
        paths = leaves(part)
        pyarrow.parquet.write_table(
            part,
            f"product-{version[0]}-{codec}-{family}.parquet",
            compression=codec,
            data_page_version=version,
            use_dictionary=dictionary,
            dictionary_pagesize_limit=40 if family == "fallback" else 1 << 20,
            column_encoding={path: encoding(family, path) for path in paths} if family in ("delta", "split") else None,
            data_page_size=40 if small else 1 << 20,
            write_batch_size=6 if small else 1024,
            row_group_size=rows,
            use_deprecated_int96_timestamps=family == "int96",
            store_decimal_as_integer=family in ("plain", "delta"),
            write_page_checksum=codec in ("snappy", "zstd"),
            write_statistics=False,
            store_schema=False,
        )
    few = table.select(["r_i32", "o_str", "l_few"])
    with pyarrow.parquet.ParquetWriter("product-1-none-empty.parquet", few.schema, compression="none", store_schema=False) as writer:
        for start, rows in ((0, 0), (0, 3), (3, 0), (3, 1), (4, 0)):
            writer.write_table(few.slice(start, rows))


def leaves(table):
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table.slice(0, 0), sink)
    schema = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(sink.getvalue())).schema
    return [schema.column(k).path for k in range(len(schema))]


main()
