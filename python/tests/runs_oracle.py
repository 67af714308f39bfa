"""``python runs_oracle.py FOLDER DATASETS SEED``: what runs of feeds over small datasets must deliver.

Writes the datasets first, and then a line of JSON: the path and rows of each. After that each line on standard input is a feed
as JSON; the line that answers it has the steps of an epoch, its padding, and for each epoch the certificate's digests.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import pyarrow.parquet as pq  # noqa: E402
from penstock_testing import small_datasets  # noqa: E402
from penstock_testing.oracle import Oracle  # noqa: E402


def _say(value: object) -> None:
    print(json.dumps(value), flush=True)


def _answer(feed: dict) -> dict:
    oracle = Oracle(feed)
    epochs = []
    for epoch in range(feed["order"]["epochs"]):
        batches = oracle.batches(epoch, 0, oracle.order.steps)
        epochs.append({"order": str(batches.order_digest), "values": str(batches.values_digest), "valid": int(batches.valid.sum())})
    oracle.close()
    return {"steps": oracle.order.steps, "padding": oracle.order.padding, "epochs": epochs}


def main(folder: str, datasets: str, seed: str) -> None:
    """Writes, says what was written, and answers until standard input ends."""
    written = []
    for number in range(int(datasets)):
        path = Path(folder) / f"dataset-{number}"
        small_datasets.write(path, number, int(seed))
        files = sorted(path.iterdir())
        written.append({"path": f"file:{path}", "rows": sum(pq.read_metadata(file).num_rows for file in files)})
    _say(written)
    for line in sys.stdin:
        _say(_answer(json.loads(line)))


if __name__ == "__main__":
    main(*sys.argv[1:])
