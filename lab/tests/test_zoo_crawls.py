"""Whole crawls of applications of the zoo, by type and without a selector."""

import json
import subprocess
import sys

import pytest

from lab.zoo.content import load_contents
from lab.zoo.publish import as_thread
from lab.zoo.serve import django
from lab.zoo.software import spirit
from lab.zoo.tools import ToolError

COUNT = 16
SPIDER = """
from scrapy_mainpage.spiders import MainpageSpider


class ThreadSpider(MainpageSpider):
    name = "threads"
    item_type = "forum"
    custom_settings = {"ADDONS": {"scrapy_mainpage.Addon": 500}}
"""


@pytest.mark.timeout(900)
def test_all_threads_of_a_forum_are_collected(tmp_path):
    threads = [c for c in load_contents() if c.kind == "thread"][:COUNT]
    posts = {c.title: len(as_thread(c)["posts"]) for c in threads}
    made = [as_thread(content) for content in threads]
    spider, output = tmp_path / "spider.py", tmp_path / "items.jsonl"
    spider.write_text(SPIDER)
    try:
        with django("spirit", tmp_path, spirit.PACKAGES, made) as (site, _):
            start = f"start={site.url}/"
            command = ["runspider", spider, "-a", start, "-O", output, "-L", "ERROR"]
            subprocess.run([sys.executable, "-m", "scrapy", *command], check=True)
    except ToolError as error:
        pytest.skip(str(error))
    items = [json.loads(line) for line in output.read_text("utf-8").splitlines()]
    assert {item["title"]: len(item["posts"]) for item in items} == posts
