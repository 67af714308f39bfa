"""Checks of input whose errors are collected and reported at once."""

from __future__ import annotations

import difflib
import operator
from collections.abc import Sequence
from types import TracebackType
from typing import Any

__all__ = ["OrderError", "Problems"]


class OrderError(ValueError):
    """Input that the order contract refuses; ``problems`` lists every reason found."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


class Problems:
    """Collects what is wrong; leaving its ``with`` block raises :class:`OrderError` if anything was."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._found: list[str] = []

    @staticmethod
    def one(problem: str) -> OrderError:
        """The error with a single reason."""
        return OrderError([problem])

    def __enter__(self) -> Problems:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None and self._found:
            raise OrderError(self._found)

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, problem: str) -> None:
        """Notes a problem."""
        self._found.append(self._place + problem)

    def extend(self, error: OrderError) -> None:
        """Notes every problem of an error."""
        for problem in error.problems:
            self.add(problem)

    def whole(self, name: str, value: Any, least: int, end: int) -> int:
        """``value`` if it is a whole number >= least and < end (a power of two); else notes a problem and gives ``least``."""
        try:
            number = None if isinstance(value, bool) else operator.index(value)
        except TypeError:
            number = None
        if number is None or not least <= number < end:
            self.add(f"must be a whole number >= {least} and < 2^{end.bit_length() - 1}: {name}={_shown(value)}")
            return least
        return number

    def word(self, name: str, value: Any, known: Sequence[str]) -> str:
        """``value`` if it is one of ``known``; else notes a problem and gives the first of them."""
        if isinstance(value, str) and value in known:
            return value
        self.add(f"must be one of {', '.join(known)}: {name}={_shown(value)}{_nearest(value, known)}")
        return known[0]

    def hexadecimal(self, name: str, value: Any, digits: int) -> str:
        """``value`` if it is text of that many lower-case hex digits; else notes a problem and gives zeros."""
        if isinstance(value, str) and len(value) == digits and set(value) <= set("0123456789abcdef"):
            return value
        self.add(f"must be {digits} lower-case hex digits: {name}={_shown(value)}")
        return "0" * digits

    def keys(self, given: Any, needed: Sequence[str], optional: Sequence[str], place: str = "") -> bool:
        """Whether ``given`` is an object with all of the needed keys and no unknown one; notes what is not so."""
        if not isinstance(given, dict):
            self.add(f"{place}must be an object: {_shown(given)}")
            return False
        known = [*needed, *optional]
        unknown = [key for key in given if key not in known]
        missing = [key for key in needed if key not in given]
        for key in unknown:
            self.add(f"{place}unknown field: {key}{_nearest(key, known)}")
        for key in missing:
            self.add(f"{place}is missing: {key}")
        return not unknown and not missing


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _nearest(value: Any, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(value, known, n=1) if isinstance(value, str) else []
    return f" (did you mean {near[0]}?)" if near else ""
