"""The command line of ``python -m penstock.order``."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from penstock.certificate import Certificate, Finding, read_json
from penstock.checks import OrderError, Problems
from penstock.order import DEALS, REMAINDERS, SHUFFLES, Order

__all__ = ["main"]

_DONE, _DIFFERENT, _REFUSED = 0, 1, 2
_NEEDED = ("rows", "seed", "lanes", "batch")
_OPTIONAL = ("window", "shuffle", "deal", "remainder", "want_epochs", "epochs")
_OPTIONS = {"rows": "row-groups", "want_epochs": "epochs"}
_EPOCH_END = 1 << 32


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and gives its exit status: 0 done or equal, 1 different, 2 refused."""
    parser = argparse.ArgumentParser(prog="python -m penstock.order", description="The order contract, recomputed.", allow_abbrev=False)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    plan = commands.add_parser(
        "plan",
        allow_abbrev=False,
        help="what a run would deliver, and in which order",
        description="Says what a run would deliver, and in which order; options and JSON are those of `penstock plan`.",
    )
    plan.add_argument("--row-groups", dest="rows", metavar="N,N,...", help="rows of each row group, in catalog order")
    plan.add_argument("--seed", metavar="S", help="0 <= S < 2^63")
    plan.add_argument("--lanes", metavar="N", help="canonical sub-streams of the run")
    plan.add_argument("--batch", metavar="B", help="rows of the global batch, a multiple of the lanes")
    plan.add_argument("--window", metavar="K", help="row-group pieces that are mixed together (8)")
    plan.add_argument("--shuffle", metavar="HOW", help=f"{', '.join(SHUFFLES)} (rows)")
    plan.add_argument("--deal", metavar="HOW", help=f"{', '.join(DEALS)} (fixed)")
    plan.add_argument("--remainder", metavar="HOW", help=f"{', '.join(REMAINDERS)} (drop)")
    plan.add_argument("--epochs", dest="want_epochs", metavar="E,E,...", help="which epochs (0)")
    plan.add_argument("--cases", metavar="FILE", help=f"an array of cases with the fields {', '.join([*_NEEDED, *_OPTIONAL[:-1]])}")
    plan.add_argument("--json", action="store_true", help="print JSON")
    verify = commands.add_parser(
        "verify",
        allow_abbrev=False,
        help="whether a job's certificate says what the contract says",
        description="Recomputes a certificate's order digests. Exit 0 equal, 1 different, 2 the file can't be used.",
    )
    verify.add_argument("certificate", metavar="CERTIFICATE", help="JSON file; penstock/certificate.py has its format")
    verify.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args(arguments)
    try:
        status = _plan(given) if given.command == "plan" else _verify(given)
        sys.stdout.flush()
        return status
    except OrderError as error:
        print("\n".join(error.problems), file=sys.stderr)
        return _REFUSED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _DONE


def _plan(given: argparse.Namespace) -> int:
    options = {name: getattr(given, name) for name in (*_NEEDED, *_OPTIONAL[:-1]) if getattr(given, name) is not None}
    if given.cases is not None:
        with Problems("") as problems:
            for name in options:
                problems.add(f"--cases takes everything from the file: --{_OPTIONS.get(name, name)}")
        root = read_json(given.cases)
        with Problems(f"{given.cases}: ") as problems:
            if not isinstance(root, list):
                problems.add("must be an array of cases")
                root = []
            cases = [case for i, one in enumerate(root) for case in _case(one, f"case {i}: ", problems)]
        filled: Any = [_filled(case) for case in cases]
        texts = [f"case {i}\n{_text(case)}" for i, case in enumerate(filled)] if not given.json else []
    else:
        with Problems("") as problems:
            if "rows" not in options:
                problems.add("needs one of --row-groups and --cases")
        with Problems("") as problems:
            cases = _case({name: _value(name, text) for name, text in options.items()}, "", problems)
        filled = _filled(cases[0])
        texts = [_text(filled)] if not given.json else []
    print(json.dumps(filled) if given.json else "\n\n".join(texts))
    return _DONE


def _value(name: str, text: str) -> Any:
    """An option's text as the JSON value that it stands for; text that is no number stays text, and is refused as such."""
    if name in ("rows", "want_epochs"):
        return [_number(item) for item in text.split(",")]
    return text if name in ("shuffle", "deal", "remainder") else _number(text)


def _number(text: str) -> Any:
    return int(text) if re.fullmatch(r"\s*-?[0-9]{1,30}\s*", text, re.ASCII) else text


class _Case(NamedTuple):
    given: dict[str, Any]
    order: Order
    epochs: list[int]


def _case(given: Any, place: str, problems: Problems) -> list[_Case]:
    """The case, if it is right, as a list of one; else notes what is wrong."""
    if not problems.keys(given, _NEEDED, _OPTIONAL, place):
        return []
    try:
        with Problems(place) as own:
            wanted = given.get("want_epochs", [0])
            for name, value in (("rows", given["rows"]), ("want_epochs", wanted)):
                if not isinstance(value, list) or not value:
                    own.add(f"must be a list of whole numbers, at least one: {name}={value!r}")
            if not own:
                epochs = [own.whole("want_epochs", epoch, 0, _EPOCH_END) for epoch in wanted]
                try:
                    order = Order(**{name: value for name, value in given.items() if name not in ("want_epochs", "epochs")})
                except OrderError as error:
                    own.extend(error)
        return [_Case(given, order, epochs)]
    except OrderError as error:
        problems.extend(error)
        return []


def _filled(case: _Case) -> dict[str, Any]:
    return {**case.given, "epochs": [_summary(case.order, epoch) for epoch in case.epochs]}


def _summary(order: Order, epoch: int) -> dict[str, Any]:
    first, _ = order.global_batch(epoch, 0)
    last, _ = order.global_batch(epoch, order.steps - 1)
    return {
        "epoch": epoch,
        "steps": order.steps,
        "padding": order.padding,
        "first_rows": first[:16].tolist(),
        "last_rows": last[-16:].tolist(),
        "order_digest": str(order.order_digest(epoch)),
    }


def _text(filled: dict[str, Any]) -> str:
    lines = [f"rows {sum(filled['rows']):,} in {len(filled['rows']):,} row groups"]
    for one in filled["epochs"]:
        lines.append(f"epoch {one['epoch']}")
        lines.append(f"  steps         {one['steps']:,}")
        lines.append(f"  padding       {one['padding']:,}")
        lines.append(f"  first rows    {', '.join(map(str, one['first_rows']))}")
        lines.append(f"  last rows     {', '.join(map(str, one['last_rows']))}")
        lines.append(f"  order digest  {one['order_digest']}")
    return "\n".join(lines)


def _verify(given: argparse.Namespace) -> int:
    certificate = Certificate.read(given.certificate)
    results = []
    for finding in certificate.check():
        part = finding.part
        recomputed = None if finding.order is None else str(finding.order)
        results.append(
            {
                "epoch": part.epoch,
                "from_step": part.start,
                "to_step": part.stop,
                "equal": finding.equal,
                "steps": {"certificate": part.steps, "contract": finding.steps},
                "order": {"certificate": str(part.order), "contract": recomputed},
            }
        )
        if part.blocks:
            results[-1]["blocks"] = {"checked": len(part.blocks), "first_different": _block(finding)}
        if not given.json:
            print(_line(results[-1]))
    different = [result for result in results if not result["equal"]]
    if given.json:
        print(json.dumps({"equal": not different, "epochs": results}))
    elif different:
        print(f"different: {len(different)} of {len(results)}, the first is epoch {different[0]['epoch']}")
    else:
        print(f"equal: {len(results)} of {len(results)}")
    return _DIFFERENT if different else _DONE


def _block(finding: Finding) -> dict[str, Any] | None:
    if finding.wrong is None:
        return None
    block, digest = finding.wrong
    return {"from_step": block.start, "to_step": block.stop, "order": {"certificate": str(block.order), "contract": str(digest)}}


def _line(result: dict[str, Any]) -> str:
    place = f"epoch {result['epoch']} steps {result['from_step']}:{result['to_step']}"
    order, steps = result["order"], result["steps"]
    if result["equal"]:
        return f"{place}: equal, {order['contract']}"
    if steps["certificate"] != steps["contract"]:
        place += f" (of {steps['certificate']} steps, but an epoch has {steps['contract']})"
    line = f"{place}: different, the certificate has {order['certificate']}, the contract {order['contract'] or 'no such steps'}"
    if "blocks" not in result or order["contract"] is None:
        return line
    block = result["blocks"]["first_different"]
    if block is None:
        return f"{line}; none of its {result['blocks']['checked']} blocks differs"
    digests = block["order"]
    where = f"steps {block['from_step']}:{block['to_step']}"
    return f"{line}; the first block that differs: {where}, the certificate has {digests['certificate']}, the contract {digests['contract']}"
