"""Reads a feed file as YAML 1.2's core schema has it (`NO` is text, `010` is ten, `1e3` is a float); a doubled key is an error."""

from __future__ import annotations

import re

import yaml


class _Core(yaml.SafeLoader):
    yaml_implicit_resolvers: dict = {}

    def construct_mapping(self, node, deep=False):
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"a key twice: {keys}"
        return super().construct_mapping(node, deep)


def _number(text: str) -> int:
    return int(text, 0) if re.match("0[xo]", text) else int(text)


def _float(text: str) -> float:
    return float(text.replace(".inf", "inf").replace(".Inf", "inf").replace(".INF", "inf").replace(".nan", "nan").replace(".NaN", "nan"))


for _tag, _pattern, _made in (
    ("null", r"~|null|Null|NULL|", lambda text: None),
    ("bool", r"true|True|TRUE|false|False|FALSE", lambda text: text[0] in "tT"),
    ("int", r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", _number),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)", _float),
):
    _Core.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"^(?:{_pattern})$"), None)
    _Core.add_constructor(f"tag:yaml.org,2002:{_tag}", lambda loader, node, made=_made: made(loader.construct_scalar(node)))


def read(text: str | bytes) -> dict:
    """The feed file's value."""
    return yaml.load(text, _Core)
