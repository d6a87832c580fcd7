"""Files of rules: TOML, and the public ftr-site-config format, which is only read."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from .site_rules import SELECTOR_KEYS, RulesError, SiteRules

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

MAX_FILE_BYTES: Final = 1 << 20
"""Real files have a thousandth of it; a larger one was put there by mistake."""

TOML: Final = ".toml"
FTR: Final = ".txt"

_LISTS: Final = ("hosts", "paths", *SELECTOR_KEYS)
_FTR_DIRECTIVE: Final = re.compile(r"([a-z_]+)\s*:\s*(\S.*)")
_FTR_KEYS: Final = {
    "body": "content", "strip": "drop", "title": "title", "author": "author",
    "date": "date",
}  # fmt: skip


def read_rules(path: str | Path) -> SiteRules:
    """Read the rules in a ``.toml`` file, or in a ``.txt`` file of ftr-site-config.

    Raises :exc:`.RulesError`, whose message names file, key and selector, and
    ``OSError`` for a file that cannot be read.
    """
    path = Path(path)
    with path.open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise RulesError(f"{path.name}: larger than {MAX_FILE_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RulesError(f"{path.name}: not UTF-8: {error.reason}") from None
    read = _read_ftr if path.suffix == FTR else _read_toml
    rules = read(path.name, text)
    rules.check()
    return rules


def write_rules(rules: SiteRules, path: str | Path) -> None:
    """Write *rules* as a TOML file, a line for each selector.

    Raises :exc:`.RulesError` for a selector with an error, or without any.
    """
    rules.check()
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_rules(rules), "utf-8")


def format_rules(rules: SiteRules) -> str:
    """*rules* as the text of a TOML file."""
    lines = []
    for key in _LISTS:
        values = getattr(rules, key)
        if len(values) == 1:
            lines.append(f"{key} = [{_quote(values[0])}]")
        elif values:
            items = (f"    {_quote(value)}," for value in values)
            lines += [f"{key} = [", *items, "]"]
        if key == "content" and rules.first_match:
            lines.append("first_match = true")
    return "\n".join(lines) + "\n"


def _quote(text: str) -> str:
    """*text* as a TOML string, without escapes where that is possible."""
    if '"' in text and "'" not in text and text.isprintable() and "\\" not in text:
        return f"'{text}'"
    # TOML knows the escapes of JSON, and allows no DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read_toml(name: str, text: str) -> SiteRules:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesError(f"{name}: {error}") from None
    known = {item.name for item in fields(SiteRules)} - {"name"}
    if unknown := sorted(data.keys() - known):
        allowed = ", ".join((*_LISTS, "first_match"))
        raise RulesError(f"{name}: no key {unknown[0]!r}; allowed: {allowed}")
    first_match = data.pop("first_match", False)
    if not isinstance(first_match, bool):
        raise RulesError(f"{name}: first_match must be true or false")
    lists = {key: _texts(name, key, value) for key, value in data.items()}
    return SiteRules(**lists, first_match=first_match, name=name)


def _texts(name: str, key: str, value: Any) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else value
    if isinstance(values, list) and all(isinstance(each, str) for each in values):
        return tuple(values)
    raise RulesError(f"{name}: {key} must be a list of strings, not {value!r:.60}")


def _read_ftr(name: str, text: str) -> SiteRules:
    """The directives that select; all others are for another program.

    A file without a dot before its name is for the host and its ``www.`` alone.
    """
    found: dict[str, list[str]] = {key: [] for key in SELECTOR_KEYS}
    for line in text.splitlines():
        match = _FTR_DIRECTIVE.fullmatch(line.strip())
        if match is None:
            continue
        directive, value = match.groups()
        if directive == "strip_id_or_class":
            part = value.strip("'\"").replace("'", "")
            found["drop"].append(f"//*[contains(@id, '{part}')]")
            found["drop"].append(f"//*[contains(@class, '{part}')]")
        elif directive in _FTR_KEYS:
            found[_FTR_KEYS[directive]].append(value)
    host = name.removesuffix(FTR)
    hosts = () if host.startswith(".") else (host, f"www.{host}")
    lists = {key: tuple(dict.fromkeys(values)) for key, values in found.items()}
    return SiteRules(hosts, **lists, first_match=True, name=name)
