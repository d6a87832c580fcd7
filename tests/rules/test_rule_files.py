"""Files of rules are read, checked and written."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from scrapy_mainpage.rules import (
    RulesError,
    SiteRules,
    format_rules,
    read_rules,
    write_rules,
)

RULES = SiteRules(
    hosts=("example.com", "*.example.com"),
    paths=("/blog/*",),
    content=("h1", "div.post > p"),
    drop=('[class*="ad"]', "//p[@title='it\\'s']", "[title='a\"b\\\\c']", ".für"),
    title=("//meta[@property='og:title']/@content",),
    author=("string(//h2)",),
    date=("time",),
    fields={"price": (".price",), "product.name": ("h1", "h2")},
)


def write(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_written_rules_are_read_as_they_were(tmp_path: Path) -> None:
    rules = replace(RULES, drop=('[class*="ad"]', "[title='a\"b']", ".für"))
    path = tmp_path / "new" / "example.com.toml"
    write_rules(rules, path)
    assert read_rules(path) == replace(rules, name="example.com.toml")


def test_written_rules_are_readable() -> None:
    rules = SiteRules(content=("h1", ".post"), drop=("[id='x']",))
    assert format_rules(rules) == (
        'content = [\n    "h1",\n    ".post"\n]\ndrop = ["[id=\'x\']"]\n'
    )


def test_rules_are_pickled_without_their_compiled_selectors() -> None:
    rules = SiteRules(content=(".a",))
    rules.check()
    assert pickle.loads(pickle.dumps(rules)) == rules


def test_a_single_selector_needs_no_list(tmp_path: Path) -> None:
    path = write(tmp_path, "a.toml", 'content = ".post"\n')
    assert read_rules(path).content == (".post",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("content = [", "a.toml: "),
        ("", "a.toml: no selector in it"),
        ('hosts = ["a"]', "a.toml: no selector in it"),
        (
            'contents = ["h1"]',
            "a.toml: no key 'contents'; allowed: hosts, paths, unless, con",
        ),
        ("content = [1]", "a.toml: content must be a list of strings, not [1]"),
        ('content = ["h1", "p["]', "a.toml: content: 'p['"),
        ('content = ["p::text"]', "a.toml: content: 'p::text'"),
        ('drop = ["//a["]', "a.toml: drop: '//a['"),
        ('date = ["nothing()"]', "a.toml: date: 'nothing()'"),
        ('title = ["//x:y"]', "a.toml: title: '//x:y'"),
        ('title = [""]', "a.toml: title: ''"),
        ("fields = 1", "a.toml: fields must be a table, [fields]"),
        ("[fields]\nprise = 'b'", "a.toml: [fields]: no field 'prise'; allowed: title"),
        ("[fields]\nprice = 'p['", "a.toml: price: 'p['"),
        ("[fields.product]\nsku = 1", "a.toml: [fields]: product.sku must be a list"),
        ("[fields.product]\nskew = '.a'", "a.toml: [fields]: no field 'product.skew'"),
        (b"\xff", "a.toml: not UTF-8"),
    ],
)
def test_an_error_names_file_key_and_selector(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    with pytest.raises(RulesError) as caught:
        read_rules(write(tmp_path, "a.toml", text))
    assert str(caught.value).startswith(said)


def test_rules_with_an_error_are_not_written(tmp_path: Path) -> None:
    with pytest.raises(RulesError):
        write_rules(SiteRules(content=("p[",)), tmp_path / "a.toml")
    assert not (tmp_path / "a.toml").exists()


@pytest.mark.parametrize(
    ("url", "fits"),
    [
        ("https://example.com/blog/a", True),
        ("https://news.EXAMPLE.com/blog/", True),
        ("https://example.com/blog", False),
        ("https://example.org/blog/a", False),
        ("https://[bad/blog/a", False),
    ],
)
def test_patterns_choose_hosts_and_paths(url: str, fits: bool) -> None:
    assert RULES.fits(url) == fits
