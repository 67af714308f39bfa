"""Certificates: what a job says it delivered, checked against the contract.

The file is one JSON object; ``from_step``, ``to_step``, ``values``, ``blocks``, ``delivered_again``, ``feed`` and ``job`` may be left out, anything else may not::

    {"penstock": 1,
     "job": "application_1700000000000_0042",          the job that it is of
     "feed": "b9c0...3324",                             digest of its feed, 64 hex digits
     "order": {"seed": 42, "lanes": 8, "batch": 8192, "window": 8, "shuffle": "rows", "deal": "fixed", "remainder": "drop"},
     "row_groups": [120000, 120000, 77000],             rows of each row group, in catalog order
     "epochs": [
       {"epoch": 0, "steps": 38, "order": "2527...2ccc", "values": "08e1...77aa",
        "blocks": [{"from_step": 0, "to_step": 16, "order": "77a0...91fe"}, {"from_step": 16, "to_step": 38, "order": "ade1...6b03"}]},
       {"epoch": 1, "steps": 38, "from_step": 0, "to_step": 20, "order": "90bc...11ed"}]}

``steps`` is the number of steps of a whole epoch. ``order`` is the digest, 32 hex digits, of steps ``from_step`` (0 if left out)
up to, not including, ``to_step`` (``steps`` if left out); an epoch may come in several parts. ``blocks`` are digests of some of
these steps, rising, none twice: each is checked as well, and the first that differs is named. ``values`` is the values digest of the
same steps: it takes the data to check, and only its form is looked at here. ``delivered_again`` is the number of rows that restarts
delivered a second time, at the same positions; no digest counts them twice.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from penstock.checks import OrderError, Problems
from penstock.digests import Digest
from penstock.order import Order

__all__ = ["Certificate", "Finding", "Part", "read_json"]

_ORDER_FIELDS = ("seed", "lanes", "batch", "window", "shuffle", "deal", "remainder")
_END = 1 << 32


def read_json(path: str) -> Any:
    """The JSON value in a file; raises :class:`OrderError` where it can't be read, is not JSON or has a key twice."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in pairs:
            if key in found:
                raise ValueError(f"field twice: {key}")
            found[key] = value
        return found

    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file, object_pairs_hook=unique)
    except OSError as error:
        raise Problems.one(f"{path}: can't be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise Problems.one(f"{path}: not JSON: {error}") from error


@dataclass(frozen=True)
class Block:
    """Steps start up to, not including, stop of a part, and the order digest claimed for them."""

    start: int
    stop: int
    order: Digest


@dataclass(frozen=True)
class Part:
    """Steps start up to, not including, stop of an epoch of ``steps`` steps, and the order digests claimed for them and their blocks."""

    epoch: int
    steps: int
    start: int
    stop: int
    order: Digest
    blocks: tuple[Block, ...] = ()


@dataclass(frozen=True)
class Finding:
    """A part beside what the contract says: the steps of an epoch, and the digest (none if the epoch has no such steps).

    ``wrong`` is the first block that differs, with the contract's digest of it.
    """

    part: Part
    steps: int
    order: Digest | None
    wrong: tuple[Block, Digest] | None = None

    @property
    def equal(self) -> bool:
        """Whether the certificate says what the contract says."""
        return self.steps == self.part.steps and self.order == self.part.order and self.wrong is None


@dataclass(frozen=True)
class Certificate:
    """What a job claims: its order's inputs, and digests of epochs or parts of them."""

    order: Order
    parts: tuple[Part, ...]

    @staticmethod
    def read(path: str) -> Certificate:
        """Reads a file; raises :class:`OrderError` with everything that is wrong with it."""
        return Certificate.of(read_json(path), f"{path}: ")

    @staticmethod
    def of(root: Any, place: str = "") -> Certificate:
        """Checks a file's JSON value; what an :class:`OrderError` says begins with ``place``."""
        order: Order | None = None
        parts: list[Part] = []
        with Problems(place) as problems:
            if problems.keys(root, ("penstock", "order", "row_groups", "epochs"), ("job", "feed")):
                order = _order(root, problems)
                parts = _parts(root["epochs"], problems)
                if root["penstock"] != 1 or isinstance(root["penstock"], bool):
                    problems.add(f"must be 1, the only version there is: penstock={root['penstock']!r}")
                if not isinstance(root.get("job", ""), str):
                    problems.add(f"must be text: job={root['job']!r}")
                problems.hexadecimal("feed", root.get("feed", "0" * 64), 64)
        assert order is not None
        return Certificate(order, tuple(parts))

    def check(self) -> Iterator[Finding]:
        """Recomputes each part in turn."""
        for part in self.parts:
            if part.stop > self.order.steps:
                yield Finding(part, self.order.steps, None)
                continue
            stretches = _stretches(part)
            digests = self.order.order_digests(part.epoch, stretches)
            found = dict(zip(stretches, digests))
            pairs = ((block, found[block.start, block.stop]) for block in part.blocks)
            wrong = next(((block, digest) for block, digest in pairs if block.order != digest), None)
            yield Finding(part, self.order.steps, sum(digests, Digest()), wrong)


def _stretches(part: Part) -> list[tuple[int, int]]:
    """The steps of the blocks, and those between them."""
    borders = sorted({part.start, part.stop, *(edge for block in part.blocks for edge in (block.start, block.stop))})
    return list(zip(borders, borders[1:]))


def _order(root: dict[str, Any], problems: Problems) -> Order | None:
    if not isinstance(root["row_groups"], list):
        problems.add("must be a list of whole numbers: row_groups")
    elif problems.keys(root["order"], _ORDER_FIELDS, (), "order: "):
        try:
            return Order(root["row_groups"], **root["order"])
        except OrderError as error:
            problems.extend(error)
    return None


def _parts(epochs: Any, problems: Problems) -> list[Part]:
    if not isinstance(epochs, list) or not epochs:
        problems.add("must be a list of at least one epoch: epochs")
        return []
    return [part for i, given in enumerate(epochs) for part in _part(given, f"epochs[{i}]: ", problems)]


def _part(given: Any, place: str, problems: Problems) -> list[Part]:
    if not problems.keys(given, ("epoch", "steps", "order"), ("from_step", "to_step", "values", "blocks", "delivered_again"), place):
        return []
    try:
        with Problems(place) as own:
            epoch = own.whole("epoch", given["epoch"], 0, _END)
            steps = own.whole("steps", given["steps"], 1, _END)
            start = own.whole("from_step", given.get("from_step", 0), 0, _END)
            stop = own.whole("to_step", given.get("to_step", steps), 1, _END)
            if not own and not start < stop <= steps:
                own.add(f"must be steps of the epoch, at least one: from_step={start}, to_step={stop}, steps={steps}")
            own.whole("delivered_again", given.get("delivered_again", 0), 0, 1 << 63)
            own.hexadecimal("values", given.get("values", "0" * 32), 32)
            order = own.hexadecimal("order", given["order"], 32)
        blocks = _blocks(given.get("blocks", []), start, stop, place, problems)
        return [Part(epoch, steps, start, stop, Digest.parse(order), tuple(blocks))]
    except OrderError as error:
        problems.extend(error)
        return []


def _blocks(given: Any, start: int, stop: int, place: str, problems: Problems) -> list[Block]:
    """Blocks of the steps start up to, not including, stop."""
    if not isinstance(given, list):
        problems.add(f"{place}must be a list: blocks")
        return []
    blocks: list[Block] = []
    for i, one in enumerate(given):
        where = f"{place}blocks[{i}]: "
        if not problems.keys(one, ("from_step", "to_step", "order"), ("values",), where):
            return []
        try:
            with Problems(where) as own:
                low = own.whole("from_step", one["from_step"], 0, _END)
                high = own.whole("to_step", one["to_step"], 1, _END)
                if not own and not start <= low < high <= stop:
                    own.add(f"must be steps of its epoch's part, at least one, after those of the block before: from_step={low}, to_step={high}")
                own.hexadecimal("values", one.get("values", "0" * 32), 32)
                order = own.hexadecimal("order", one["order"], 32)
            blocks.append(Block(low, high, Digest.parse(order)))
            start = high
        except OrderError as error:
            problems.extend(error)
            return []
    return blocks
