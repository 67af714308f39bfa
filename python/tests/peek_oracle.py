"""``python peek_oracle.py FEED.yaml STEP_FROM STEP_TO EPOCH OUTDIR``: what ``penstock peek --out`` must have written."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from penstock_testing.oracle import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
