"""The names of other libraries that are not public: what breaks without each."""

from __future__ import annotations

import subprocess
import sys

from scrapy.http import HtmlResponse, TextResponse

from scrapy_mainpage import compat

URL = "http://a.example/"


def test_explicit_encoding_is_not_guessed_from_the_body() -> None:
    """Without ``TextResponse._encoding``, large pages are decoded on the event loop."""
    body = "<p>Grüße".encode("latin-1")
    assert compat.explicit_encoding(HtmlResponse(URL, body=body)) is None
    told = TextResponse(URL, body=body, encoding="latin-1")
    assert compat.explicit_encoding(told) == "latin-1"


TWISTED = """
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure
from scrapy_mainpage.compat import stop_twisted_echo
stop_twisted_echo()
deferred = Deferred()
deferred.errback(Failure(ValueError("a bad setting")))
del deferred
"""


def test_the_report_of_an_unhandled_error_is_not_echoed() -> None:
    """Without ``globalLogBeginner._temporaryObserver``, a traceback is on stderr."""
    command = [sys.executable, "-c", TWISTED]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
