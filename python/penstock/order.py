"""The order contract, version 1, in NumPy: which row a run delivers at which position.

This is an implementation of its own, written from the contract's text alone, so that it can judge what a job delivered::

    order = Order([5, 4, 3], seed=7, lanes=2, batch=4, window=2)
    rows, valid = order.global_batch(epoch=0, step=0)
    print(order.order_digest(0))

and, from a shell::

    python -m penstock.order plan --row-groups 5,4,3 --seed 7 --lanes 2 --batch 4 --window 2 --json
    python -m penstock.order verify certificate.json

Rows are counted in the catalog: its row groups laid end to end, from 0. Nothing here reads data, and no generator lives
between calls: any step of any epoch is found without walking to it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from penstock.checks import OrderError, Problems
from penstock.digests import Digest, order_digest, values_digest

__all__ = ["DEALS", "Digest", "Lane", "Order", "OrderError", "Pieces", "REMAINDERS", "SHUFFLES", "permutation", "values_digest"]

SHUFFLES = ("none", "row-groups", "rows")
DEALS = ("fixed", "epoch")
REMAINDERS = ("drop", "pad")

_DEAL, _PIECES, _ROWS = 0, 1, 2
_WORD_END = 1 << 32
_CHUNK = 1 << 20


def permutation(seed: int, key: Sequence[int], n: int) -> NDArray[np.int64]:
    """The contract's ``permutation(n)`` by ``rng(*key)``: int64 [n], whose i-th item says which element comes to place i."""
    source = np.random.SeedSequence(int(seed), spawn_key=tuple(int(word) for word in key))
    return np.random.Generator(np.random.PCG64(source)).permutation(int(n)).astype(np.int64, copy=False)


class Pieces(NamedTuple):
    """Parts of row groups: piece i is rows ``start[i]`` up to, not including, ``stop[i]`` of row group ``group[i]``. All int64 [pieces]."""

    group: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]

    def pick(self, which: slice | NDArray[np.int64]) -> Pieces:
        """The pieces that a NumPy index picks, in its order."""
        return Pieces(self.group[which], self.start[which], self.stop[which])

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Rows of each piece."""
        return self.stop - self.start


class Lane:
    """One lane's stream of rows in one epoch, computed a window at a time; only the last window is kept."""

    def __init__(self, order: Order, epoch: int, lane: int, pieces: Pieces) -> None:
        self._order = order
        self._key = (epoch, lane)
        self.pieces = pieces
        ends = np.cumsum(pieces.lengths)
        bounds = np.minimum(np.arange(0, len(ends) + order.window, order.window), len(ends))
        self._window_bounds = np.concatenate([[0], ends])[bounds]
        self._last: tuple[int, NDArray[np.int64]] = (-1, np.empty(0, np.int64))

    def __len__(self) -> int:
        return int(self._window_bounds[-1])

    @property
    def windows(self) -> int:
        """Number of windows."""
        return len(self._window_bounds) - 1

    def window(self, w: int) -> NDArray[np.int64]:
        """The rows of window w in their order: int64 [rows of its pieces]."""
        if self._last[0] != w:
            order = self._order
            some = self.pieces.pick(slice(w * order.window, (w + 1) * order.window))
            lengths = some.lengths
            before = np.cumsum(lengths) - lengths
            first = order._group_start[some.group] + some.start
            rows = np.repeat(first - before, lengths) + np.arange(lengths.sum())
            if order.shuffle == "rows":
                rows = rows[permutation(order.seed, (_ROWS, *self._key, w), len(rows))]
            self._last = (w, rows)
        return self._last[1]

    def take(self, start: int, stop: int) -> NDArray[np.int64]:
        """Places start up to, not including, stop of the stream, which begins again where it ends: int64 [stop - start]."""
        length = len(self)
        parts: list[NDArray[np.int64]] = []
        at = start
        while at < stop:
            place = at % length
            w = int(np.searchsorted(self._window_bounds, place, side="right")) - 1
            first = int(self._window_bounds[w])
            part = self.window(w)[place - first : place - first + stop - at]
            parts.append(part)
            at += len(part)
        return np.concatenate(parts) if parts else np.empty(0, np.int64)


@dataclass(frozen=True)
class _Deal:
    pieces: Pieces
    ends: NDArray[np.int64]


def _row_groups(rows: Iterable[int], problems: Problems) -> NDArray[np.int64]:
    counts = [problems.whole("rows of row group", n, 1, _WORD_END) for n in rows]
    if not counts:
        problems.add("must be at least one: row groups=0")
    return np.array(counts, dtype=np.int64)


class Order:
    """What a run delivers, in which order: a pure function of the rows of each row group and the feed's ``order``.

    Arguments, checked together (:class:`OrderError` lists all that is wrong):

    - ``rows``: rows of each row group in catalog order, each >= 1;
    - ``seed``: 0 <= seed < 2^63; ``lanes``: >= 1; ``batch``: rows of the global batch, a multiple of lanes;
    - ``window``: pieces whose rows are mixed, >= 1; ``shuffle``, ``deal``, ``remainder``: as in the feed.

    Refused too: fewer rows than lanes, and, with ``drop``, too few rows for one batch. Attributes beside these: ``row_groups``
    (int64 [row groups]), ``rows`` (their sum), ``lane_batch`` (rows of a batch from each lane), ``steps`` (of every epoch).
    """

    def __init__(
        self,
        rows: Iterable[int],
        seed: int,
        lanes: int,
        batch: int,
        window: int = 8,
        shuffle: str = "rows",
        deal: str = "fixed",
        remainder: str = "drop",
    ) -> None:
        with Problems("") as problems:
            self.row_groups = _row_groups(rows, problems)
            self.seed = problems.whole("seed", seed, 0, 1 << 63)
            self.lanes = problems.whole("lanes", lanes, 1, _WORD_END)
            self.batch = problems.whole("batch", batch, 1, _WORD_END)
            self.window = problems.whole("window", window, 1, _WORD_END)
            self.shuffle = problems.word("shuffle", shuffle, SHUFFLES)
            self.deal = problems.word("deal", deal, DEALS)
            self.remainder = problems.word("remainder", remainder, REMAINDERS)
            if not problems and self.batch % self.lanes:
                problems.add(f"must be a multiple of lanes: batch={self.batch}, lanes={self.lanes}")
            self.rows = int(self.row_groups.sum())
            if not problems and self.rows < self.lanes:
                problems.add(f"needs a row for each lane: rows={self.rows}, lanes={self.lanes}")
            self.lane_batch = self.batch // self.lanes
            if not problems and self._epoch_steps() == 0:
                problems.add(f"must fill a batch: rows={self.rows}, rows of one batch={self.batch}")
        self.steps = self._epoch_steps()
        self._group_start = np.cumsum(self.row_groups) - self.row_groups
        self._dealt: tuple[int, _Deal] | None = None
        self._kept: tuple[int, dict[int, Lane]] = (-1, {})

    def __repr__(self) -> str:
        return (
            f"Order({len(self.row_groups)} row groups of {self.rows} rows, seed={self.seed}, lanes={self.lanes}, batch={self.batch},"
            f" window={self.window}, shuffle={self.shuffle!r}, deal={self.deal!r}, remainder={self.remainder!r})"
        )

    def lane(self, epoch: int, lane: int) -> Lane:
        """Lane ``lane``'s stream of rows in an epoch."""
        with Problems("") as problems:
            epoch = problems.whole("epoch", epoch, 0, _WORD_END)
            lane = problems.whole("lane", lane, 0, _WORD_END)
            if lane >= self.lanes:
                problems.add(f"must be < lanes: lane={lane}, lanes={self.lanes}")
        pieces = self._pieces(epoch, lane)
        if self.shuffle != "none":
            pieces = pieces.pick(permutation(self.seed, (_PIECES, epoch, lane), len(pieces.group)))
        return Lane(self, epoch, lane, pieces)

    def epoch(self, epoch: int) -> list[NDArray[np.int64]]:
        """The whole streams of all lanes in an epoch: for each lane its rows, int64 [rows of the lane], padding not repeated."""
        streams = (self.lane(epoch, lane) for lane in range(self.lanes))
        return [stream.take(0, len(stream)) for stream in streams]

    @property
    def padding(self) -> int:
        """Rows of an epoch that are not valid."""
        wanted = self.steps * self.lane_batch
        return sum(max(0, wanted - (self._border(lane + 1) - self._border(lane))) for lane in range(self.lanes))

    def positions(self, start: int, stop: int) -> NDArray[np.int64]:
        """The positions of all rows of steps start up to, not including, stop: int64 [(stop - start) * batch]."""
        return np.arange(start * self.batch, stop * self.batch, dtype=np.int64)

    def global_batches(self, epoch: int, start: int, stop: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Global batches start up to, not including, stop: rows int64 [stop - start, batch] and valid bool of that shape."""
        return self._batches(epoch, self._steps((start, stop)), (0, self.batch))

    def global_batch(self, epoch: int, step: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Global batch ``step`` of an epoch: rows int64 [batch] and valid bool [batch] (false for padding)."""
        rows, valid = self.global_batches(epoch, step, step + 1)
        return rows[0], valid[0]

    def rank_batch(self, epoch: int, step: int, rank: int, ranks: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """What rank ``rank`` of ``ranks`` delivers of a global batch: rows int64 [batch / ranks] and valid bool of that shape."""
        rows, valid = self._batches(epoch, self._steps((step, step + 1)), self._places(rank, ranks))
        return rows[0], valid[0]

    def order_digest(self, epoch: int, steps: tuple[int, int] | None = None, rank: int | None = None, ranks: int | None = None) -> Digest:
        """The order digest of an epoch, or of a part: of steps (from, to), to not included, and of one rank of ``ranks``."""
        if (rank is None) != (ranks is None):
            raise Problems.one(f"must be given together: rank={rank}, ranks={ranks}")
        places = (0, self.batch) if rank is None or ranks is None else self._places(rank, ranks)
        return self._digests(epoch, [self._steps((0, self.steps) if steps is None else steps)], places)[0]

    def order_digests(self, epoch: int, parts: Sequence[tuple[int, int]]) -> list[Digest]:
        """The order digests of several parts of an epoch: of the steps (from, to) of each, to not included; cheapest if rising."""
        return self._digests(epoch, [self._steps(part) for part in parts], (0, self.batch))

    def _digests(self, epoch: int, parts: Sequence[tuple[int, int]], places: tuple[int, int]) -> list[Digest]:
        width = self.lane_batch
        at_once = max(1, _CHUNK // width)
        totals = [Digest()] * len(parts)
        for number, columns in self._columns(places):
            lane = self.lane(epoch, number)
            for i, (start, stop) in enumerate(parts):
                for step in range(start, stop, at_once):
                    end = min(stop, step + at_once)
                    rows = lane.take(step * width, end * width).reshape(-1, width)[:, columns]
                    positions = np.arange(step, end)[:, None] * self.batch + np.arange(number * width, (number + 1) * width)[columns]
                    totals[i] += order_digest(epoch, positions.ravel(), rows.ravel())
        return totals

    def _batches(self, epoch: int, steps: tuple[int, int], places: tuple[int, int]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Places (from, to) of the global batches of steps (from, to): rows and valid [steps, places]."""
        width = self.lane_batch
        first, last = steps[0] * width, steps[1] * width
        rows, valid = [], []
        for number, columns in self._columns(places):
            lane = self._kept_lane(epoch, number)
            rows.append(lane.take(first, last).reshape(-1, width)[:, columns])
            valid.append((np.arange(first, last) < len(lane)).reshape(-1, width)[:, columns])
        return np.concatenate(rows, axis=1), np.concatenate(valid, axis=1)

    def _columns(self, places: tuple[int, int]) -> Iterator[tuple[int, slice]]:
        """The lanes that places (from, to) of a global batch come from, and which of the lane's own places these are."""
        low, high = places
        for number in range(low // self.lane_batch, -(-high // self.lane_batch)):
            first = number * self.lane_batch
            yield number, slice(max(low - first, 0), min(high - first, self.lane_batch))

    def _epoch_steps(self) -> int:
        if self.remainder == "drop":
            return self.rows // self.lanes // self.lane_batch
        fullest = -(-self.rows // self.lanes)
        return -(-fullest // self.lane_batch)

    def _border(self, lane: int) -> int:
        return lane * self.rows // self.lanes

    def _steps(self, steps: tuple[int, int]) -> tuple[int, int]:
        with Problems("") as problems:
            start = problems.whole("from step", steps[0], 0, _WORD_END)
            stop = problems.whole("to step", steps[1], 1, _WORD_END)
            if not problems and not start < stop <= self.steps:
                problems.add(f"must be steps of the epoch, at least one: from {start} to {stop}, steps={self.steps}")
        return start, stop

    def _places(self, rank: int, ranks: int) -> tuple[int, int]:
        with Problems("") as problems:
            ranks = problems.whole("ranks", ranks, 1, _WORD_END)
            rank = problems.whole("rank", rank, 0, _WORD_END)
            if not problems and self.batch % ranks:
                problems.add(f"must divide batch: ranks={ranks}, batch={self.batch}")
            if not problems and rank >= ranks:
                problems.add(f"must be < ranks: rank={rank}, ranks={ranks}")
        share = self.batch // ranks
        return rank * share, (rank + 1) * share

    def _kept_lane(self, epoch: int, number: int) -> Lane:
        """A lane, kept with its last window as long as asks are about one epoch."""
        if self._kept[0] != epoch:
            self._kept = (epoch, {})
        lanes = self._kept[1]
        if number not in lanes:
            lanes[number] = self.lane(epoch, number)
        return lanes[number]

    def _pieces(self, epoch: int, lane: int) -> Pieces:
        """The pieces of a lane as dealt: the parts of row groups P[0], P[1], ... between the lane's borders."""
        deal = self._deal_of(epoch)
        low, high = self._border(lane), self._border(lane + 1)
        first = int(np.searchsorted(deal.ends, low, side="right"))
        last = int(np.searchsorted(deal.ends, high, side="left"))
        pieces = deal.pieces.pick(slice(first, last + 1))
        begin = deal.ends[first : last + 1] - pieces.stop
        return Pieces(pieces.group, np.maximum(low - begin, 0), np.minimum(high - begin, pieces.stop))

    def _deal_of(self, epoch: int) -> _Deal:
        key = epoch if self.deal == "epoch" and self.shuffle != "none" else -1
        if self._dealt is None or self._dealt[0] != key:
            groups = np.arange(len(self.row_groups), dtype=np.int64)
            if self.shuffle != "none":
                groups = permutation(self.seed, (_DEAL,) if key < 0 else (_DEAL, key), len(groups))
            whole = Pieces(groups, np.zeros_like(groups), self.row_groups[groups])
            self._dealt = (key, _Deal(whole, np.cumsum(whole.stop)))
        return self._dealt[1]


if __name__ == "__main__":
    from penstock.command import main

    sys.exit(main())
