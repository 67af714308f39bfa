"""Says file by file what Penstock reads of the public suite parquet-testing: writes that part of parquet.md, beside it, anew.

    python3 docs/conformance.py SUITE [COMMAND ...]

SUITE is the suite's folder, COMMAND what runs Penstock's commands, else bin/penstock."""

import json, pathlib, subprocess, sys

HERE = pathlib.Path(__file__).resolve().parent
BEGIN = "<!-- docs/conformance.py writes what follows -->\n"
MOST_COLUMNS = 3


def outcome(file):
    if not file["readable"]:
        return "refused: " + file["error"]
    refused = [f"`{column['name']}` ({column['declared']})" for column in file["columns"] if not column["supported"]]
    if not refused:
        return "read"
    more = f" and {len(refused) - MOST_COLUMNS} more" if len(refused) > MOST_COLUMNS else ""
    if len(refused) == len(file["columns"]):
        return "no column of a type that is read: " + ", ".join(refused[:MOST_COLUMNS]) + more
    return "read, without " + ", ".join(refused[:MOST_COLUMNS]) + more


def main():
    suite = pathlib.Path(sys.argv[1]).resolve()
    command = sys.argv[2:] or [HERE.parent / "bin" / "penstock"]
    ran = subprocess.run([*command, "check", "--deep", "--json", suite.as_uri()], stdout=subprocess.PIPE, text=True)
    lines = []
    for file in json.loads(ran.stdout)["files"]:
        name = file["path"].split(suite.name + "/", 1)[1]
        if ".parquet" in name:
            text = outcome(file).replace("|", "\\|").replace(str(suite) + "/", "").strip()
            lines.append((name, f"{file['rows']:,}" if file["columns"] else "", text))
    page = HERE / "parquet.md"
    kept = page.read_text().split(BEGIN)[0]
    table = "".join(f"| `{name}` | {rows} | {text} |\n" for name, rows, text in lines)
    read = sum(text.startswith("read") for _, _, text in lines)
    page.write_text(
        f"{kept}{BEGIN}\n{len(lines)} files: {read} are read, {len(lines) - read} are not.\n\n| file | rows | |\n|---|---|---|\n{table}"
    )


main()
