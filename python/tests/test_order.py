"""The order contract: its published vectors, its worked example, its promises and what it refuses."""

import json
import random
from pathlib import Path

import numpy as np
import pytest

from penstock.order import DEALS, REMAINDERS, SHUFFLES, Digest, Order, OrderError, permutation
from penstock_testing import formulas

VECTORS = json.loads((Path(__file__).parent / "data" / "order-vectors.json").read_text())
FIELDS = ("rows", "seed", "lanes", "batch", "window", "shuffle", "deal", "remainder")


def order_of(case):
    return Order(**{field: case[field] for field in FIELDS})


def random_orders(seed, count):
    """Orders of a few dozen rows, of every kind."""
    draw = random.Random(seed)
    made = []
    for i in range(count):
        lanes = draw.choice([1, 2, 3, 4, 6])
        made.append(
            Order(
                [draw.randint(1, 12) for _ in range(draw.randint(12, 18))],
                seed=draw.choice([0, 1, 2**32 - 1, 2**32, 2**63 - 1, draw.randrange(2**63)]),
                lanes=lanes,
                batch=lanes * draw.choice([1, 2]),
                window=draw.randint(1, 5),
                shuffle=SHUFFLES[i % 3],
                deal=draw.choice(DEALS),
                remainder=REMAINDERS[i % 2],
            )
        )
    return made


@pytest.mark.parametrize("case", VECTORS["permutations"], ids=lambda case: f"{case['seed']}-{case['spawn_key']}-{case['n']}")
def test_permutations_are_the_published_ones(case):
    assert permutation(case["seed"], case["spawn_key"], case["n"]).tolist() == case["permutation"]


@pytest.mark.parametrize("case", VECTORS["plans"], ids=range(len(VECTORS["plans"])))
def test_every_batch_and_digest_of_the_published_plans(case):
    order = order_of(case)
    assert [epoch["epoch"] for epoch in case["epochs"]] == case["want_epochs"]
    for want in case["epochs"]:
        epoch = want["epoch"]
        assert (order.steps, order.padding) == (want["steps"], want["padding"])
        batches = [
            [row if real else [row, "padding"] for row, real in zip(rows.tolist(), valid.tolist())]
            for rows, valid in (order.global_batch(epoch, step) for step in range(order.steps))
        ]
        assert batches == want["global_batches"]
        assert str(order.order_digest(epoch)) == want["order_digest"]
        for ranks, digests in want["order_digest_by_rank"].items():
            assert [str(order.order_digest(epoch, rank=rank, ranks=int(ranks))) for rank in range(int(ranks))] == digests


@pytest.mark.parametrize("case", VECTORS["larger_plans"], ids=range(len(VECTORS["larger_plans"])))
def test_larger_published_plans(case):
    order = order_of(case)
    for want in case["epochs"]:
        assert order.steps == want["steps"]
        assert order.padding == want["padding"]
        assert order.global_batch(want["epoch"], 0)[0][:16].tolist() == want["first_rows"]
        assert order.global_batch(want["epoch"], order.steps - 1)[0][-16:].tolist() == want["last_rows"]
        assert str(order.order_digest(want["epoch"])) == want["order_digest"]


def test_the_worked_example_of_the_documentation():
    order = Order([5, 4, 3], seed=7, lanes=2, batch=4, window=2)
    assert permutation(7, (0,), 3).tolist() == [1, 2, 0]
    assert [stream.tolist() for stream in order.epoch(0)] == [[10, 5, 6, 9, 8, 7], [3, 2, 11, 0, 1, 4]]
    assert order.steps == 3
    assert [order.global_batch(0, step)[0].tolist() for step in range(3)] == [[10, 5, 3, 2], [6, 9, 11, 0], [8, 7, 1, 4]]
    assert [order.rank_batch(0, step, 0, 2)[0].tolist() for step in range(3)] == [[10, 5], [6, 9], [8, 7]]
    assert str(order.order_digest(0)) == "2527cff3c720260fd065b45466d72ccc"


def test_a_lane_that_runs_out_begins_again_and_again_and_marks_it():
    order = Order([3], seed=0, lanes=2, batch=8, shuffle="none", remainder="pad")
    rows, valid = order.global_batch(0, 0)
    assert rows.tolist() == [0, 0, 0, 0, 1, 2, 1, 2]
    assert valid.tolist() == [True, False, False, False, True, True, False, False]
    assert order.padding == 5


def test_without_shuffle_rows_come_in_catalog_order_in_every_epoch_and_deal():
    order = Order([4, 1, 3], seed=9, lanes=1, batch=2, window=1, shuffle="none", deal="epoch")
    assert [order.epoch(epoch)[0].tolist() for epoch in (0, 5)] == [list(range(8))] * 2


def test_a_fixed_deal_keeps_a_lanes_rows_and_a_deal_by_epoch_does_not():
    rows = [3] * 20
    fixed = Order(rows, seed=1, lanes=4, batch=4, deal="fixed")
    by_epoch = Order(rows, seed=1, lanes=4, batch=4, deal="epoch")
    assert all(set(a) == set(b) for a, b in zip(fixed.epoch(0), fixed.epoch(1)))
    assert any(set(a) != set(b) for a, b in zip(by_epoch.epoch(0), by_epoch.epoch(1)))


def test_neighbouring_seeds_and_epochs_give_unrelated_orders():
    orders = {seed: Order([6] * 40, seed=seed, lanes=1, batch=1) for seed in (0, 1, 2)}
    streams = {(seed, epoch): tuple(order.epoch(epoch)[0].tolist()) for seed, order in orders.items() for epoch in range(3)}
    assert len(set(streams.values())) == len(streams)


@pytest.mark.parametrize("order", random_orders(20260301, 40), ids=repr)
def test_what_holds_for_every_order(order):
    total = order.rows
    for epoch in (0, 1, 2**32 - 1):
        streams = order.epoch(epoch)
        lengths = [len(stream) for stream in streams]
        assert max(lengths) - min(lengths) <= 1
        assert sorted(np.concatenate(streams).tolist()) == list(range(total))

        rows, valid = order.global_batches(epoch, 0, order.steps)
        width = order.lane_batch
        for lane, stream in enumerate(streams):
            part = slice(lane * width, (lane + 1) * width)
            assert rows[:, part].ravel().tolist() == np.resize(stream, order.steps * width).tolist()
            assert valid[:, part].ravel().tolist() == [place < len(stream) for place in range(order.steps * width)]
        delivered = rows[valid].tolist()
        assert len(set(delivered)) == len(delivered)
        if order.remainder == "pad":
            assert sorted(delivered) == list(range(total))
        else:
            assert valid.all()
        assert order.padding == np.count_nonzero(~valid)
        assert str(order.order_digest(epoch)) == formulas.order_digest(epoch, range(order.steps * order.batch), rows.ravel().tolist())


@pytest.mark.parametrize("order", random_orders(7, 12), ids=repr)
def test_ranks_and_steps_are_parts_of_the_whole(order):
    epoch = 3
    whole = order.order_digest(epoch)
    rows, valid = order.global_batches(epoch, 0, order.steps)
    for ranks in [w for w in range(1, order.batch + 1) if order.batch % w == 0]:
        for step in range(order.steps):
            parts = [order.rank_batch(epoch, step, rank, ranks) for rank in range(ranks)]
            assert np.array_equal(np.concatenate([part[0] for part in parts]), rows[step])
            assert np.array_equal(np.concatenate([part[1] for part in parts]), valid[step])
        assert Digest.total(order.order_digest(epoch, rank=rank, ranks=ranks) for rank in range(ranks)) == whole
    assert Digest.total(order.order_digest(epoch, (step, step + 1)) for step in range(order.steps)) == whole


def test_any_step_is_found_without_walking_to_it():
    case = VECTORS["larger_plans"][0]
    walked = order_of(case)
    steps = list(range(walked.steps))
    in_turn = [walked.global_batch(1, step)[0] for step in steps]
    random.Random(5).shuffle(steps)
    jumped = order_of(case)
    assert len(steps) == 600
    for step in steps[:100]:
        jumped.global_batch(0, 0)
        assert np.array_equal(jumped.global_batch(1, step)[0], in_turn[step])


def test_a_large_epoch_is_digested_in_pieces_that_add_up():
    order = Order([700_000, 900_000, 1_100_000], seed=3, lanes=1, batch=100, window=2)
    rows, _ = order.global_batches(0, 0, order.steps)
    assert len(np.unique(rows)) == 2_700_000
    cut = order.steps // 3
    assert order.order_digest(0) == order.order_digest(0, (0, cut)) + order.order_digest(0, (cut, order.steps))


GOOD = dict(rows=[5, 4, 3], seed=7, lanes=2, batch=4)


@pytest.mark.parametrize(
    "change, message",
    [
        (dict(seed=-1), "must be a whole number >= 0 and < 2^63: seed=-1"),
        (dict(seed=2**63), "must be a whole number >= 0 and < 2^63: seed=9223372036854775808"),
        (dict(seed=1.0), "must be a whole number >= 0 and < 2^63: seed=1.0"),
        (dict(seed=True), "must be a whole number >= 0 and < 2^63: seed=True"),
        (dict(lanes=0), "must be a whole number >= 1 and < 2^32: lanes=0"),
        (dict(window=0), "must be a whole number >= 1 and < 2^32: window=0"),
        (dict(batch=5), "must be a multiple of lanes: batch=5, lanes=2"),
        (dict(shuffle="row"), "must be one of none, row-groups, rows: shuffle=row (did you mean rows?)"),
        (dict(deal=None), "must be one of fixed, epoch: deal=None"),
        (dict(remainder="keep"), "must be one of drop, pad: remainder=keep"),
        (dict(rows=[]), "must be at least one: row groups=0"),
        (dict(rows=[5, 0]), "must be a whole number >= 1 and < 2^32: rows of row group=0"),
        (dict(batch=14), "must fill a batch: rows=12, rows of one batch=14"),
        (dict(lanes=13, batch=13), "needs a row for each lane: rows=12, lanes=13"),
        (dict(lanes=13, batch=13, remainder="pad"), "needs a row for each lane: rows=12, lanes=13"),
    ],
)
def test_what_an_order_refuses(change, message):
    with pytest.raises(OrderError) as refused:
        Order(**{**GOOD, **change})
    assert refused.value.problems == (message,)


def test_all_that_is_wrong_is_said_at_once():
    with pytest.raises(OrderError) as refused:
        Order([1, -2], seed=-3, lanes=0, batch=4, window="8")
    assert refused.value.problems == (
        "must be a whole number >= 1 and < 2^32: rows of row group=-2",
        "must be a whole number >= 0 and < 2^63: seed=-3",
        "must be a whole number >= 1 and < 2^32: lanes=0",
        "must be a whole number >= 1 and < 2^32: window=8",
    )


@pytest.mark.parametrize(
    "ask, message",
    [
        (lambda order: order.global_batch(0, 3), "must be steps of the epoch, at least one: from 3 to 4, steps=3"),
        (lambda order: order.global_batch(0, -1), "must be a whole number >= 0 and < 2^32: from step=-1"),
        (lambda order: order.global_batches(0, 2, 2), "must be steps of the epoch, at least one: from 2 to 2, steps=3"),
        (lambda order: order.epoch(-1), "must be a whole number >= 0 and < 2^32: epoch=-1"),
        (lambda order: order.global_batch(2**32, 0), "must be a whole number >= 0 and < 2^32: epoch=4294967296"),
        (lambda order: order.order_digest(-1), "must be a whole number >= 0 and < 2^32: epoch=-1"),
        (lambda order: order.lane(0, 2), "must be < lanes: lane=2, lanes=2"),
        (lambda order: order.rank_batch(0, 0, 0, 3), "must divide batch: ranks=3, batch=4"),
        (lambda order: order.rank_batch(0, 0, 2, 2), "must be < ranks: rank=2, ranks=2"),
        (lambda order: order.order_digest(0, rank=0), "must be given together: rank=0, ranks=None"),
    ],
)
def test_what_an_ask_refuses(ask, message):
    with pytest.raises(OrderError) as refused:
        ask(Order(**GOOD))
    assert message in refused.value.problems
