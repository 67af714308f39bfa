"""docs/order.md: the worked example, line by line, by its own formula and by the package."""

import json
import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from penstock.command import main
from penstock.order import Order

PAGE = (Path(__file__).parent.parent.parent / "docs" / "order.md").read_text(encoding="utf-8")
ROW_GROUPS, SEED, LANES, BATCH, WINDOW = [5, 4, 3], 7, 2, 4, 2
FIRST = [0, 5, 9]


def cells():
    """The result of each step of the table, by the beginning of the step."""
    found = {}
    for line in PAGE.splitlines():
        if line.startswith("| ") and line.count("|") == 3:
            step, result = (cell.strip() for cell in line.strip("|").split("|"))
            found[step] = result
    return found


def cell(begin):
    step = next(step for step in cells() if step.startswith(begin))
    return step, cells()[step]


def numbers(text):
    return [int(number) for number in re.findall(r"[0-9]+", text)]


def permutation(n, *domain):
    """The page's formula as it stands."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(SEED, spawn_key=domain))).permutation(n).tolist()


def rows_of(group):
    return list(range(FIRST[group], FIRST[group] + ROW_GROUPS[group]))


def stretches(text):
    return [numbers(part) for part in text.split("·")]


def test_the_page_names_the_formula():
    assert "Generator(PCG64(SeedSequence(seed, spawn_key=(...)))).permutation(n)" in PAGE


def test_the_deal():
    step, result = cell("deal:")
    groups, rows = result.removeprefix("row groups ").split(": rows ")
    assert "permutation of 3 by (0)" in step
    assert numbers(groups) == permutation(3, 0)
    assert stretches(rows) == [rows_of(group) for group in numbers(groups)]


@pytest.mark.parametrize(
    "lane, begin, pieces",
    [(0, "lane 0,", [[5, 6, 7, 8], [9, 10]]), (1, "lane 1,", [[11], [0, 1, 2, 3, 4]])],
)
def test_a_lane_of_the_table(lane, begin, pieces):
    dealt = [row for group in permutation(3, 0) for row in rows_of(group)]
    assert sum(pieces, []) == dealt[6 * lane : 6 * lane + 6]
    _, result = cell(begin)
    for piece in pieces:
        assert " ".join(map(str, piece)) in result
    order = permutation(2, 1, 0, lane)
    assert f"is {order[0]}, {order[1]}" in result
    laid = [row for piece in order for row in pieces[piece]]
    if lane == 0:
        assert result.endswith(": " + " ".join(map(str, laid)))
    mixed = permutation(6, 2, 0, lane, 0)
    step, stream = cell(f"its only window, by (2, 0, {lane}, 0)")
    assert numbers(step.split("→")[1]) == mixed
    assert numbers(stream) == [laid[place] for place in mixed]


def test_batches_ranks_and_digest():
    _, lane0 = cell("its only window, by (2, 0, 0, 0)")
    _, lane1 = cell("its only window, by (2, 0, 1, 0)")
    streams = numbers(lane0), numbers(lane1)
    batches = [streams[0][2 * t : 2 * t + 2] + streams[1][2 * t : 2 * t + 2] for t in range(3)]
    assert stretches(cell("global batches")[1]) == batches
    order = Order(ROW_GROUPS, SEED, LANES, BATCH, WINDOW)
    assert str(order.order_digest(0)) == cell("order digest of the epoch")[1]
    text = " ".join(PAGE.split())
    two = re.search(r"With two ranks rank 0 gets ([0-9 ·]+) and rank 1 gets ([0-9 ·]+); with four, rank 0 gets ([0-9 ·]+)\.", text)
    assert [stretches(two[1]), stretches(two[2])] == [[b[:2] for b in batches], [b[2:] for b in batches]]
    assert stretches(two[3]) == [b[:1] for b in batches]
    assert [order.rank_batch(0, t, 0, 4)[0].tolist() for t in range(3)] == stretches(two[3])


def test_the_command_prints_what_the_table_says(capsys):
    line = next(line for line in PAGE.splitlines() if line.startswith("    python -m penstock.order plan"))
    assert main(shlex.split(line)[3:]) == 0
    (epoch,) = json.loads(capsys.readouterr().out)["epochs"]
    batches = stretches(cell("global batches")[1])
    assert (epoch["first_rows"], epoch["last_rows"]) == (batches[0], batches[-1])
    assert epoch["order_digest"] == cell("order digest of the epoch")[1]
