"""A site of static pages, shells and half-static pages with known main content.

``with serve_mixed() as site`` serves 60 static, 20 shell and 20 half-static pages and
the hubs that link to them, until the block ends. A tenth of the pages are linked from
shells only: a crawl without rendering does not find them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .mixed import halves, shells, statics
from .mixed.furniture import cookies, document, footer, header, metrics
from .mixed.pages import Kind, Page, Template
from .mixed.serving import MixedServer, listening
from .mixed.stories import Story, Writer
from .mixed.vocabulary import LANGUAGES, SHARES

TEMPLATES = (*statics.TEMPLATES, *shells.TEMPLATES, *halves.TEMPLATES)
#: Per hundred pages.
KINDS = {Kind.STATIC: 60, Kind.SHELL: 20, Kind.HALF: 20}
HUB_LINKS = 25
RELATED = 4
DELAYS = (0.05, 0.6)  # seconds
SLUGS = "copper marsh lamps harbour seeds tides glass loom bread maps".split()
#: Shares of the pages linked from a static page or a shell, but from no hub.
BEHIND_STATIC, BEHIND_SHELLS = 0.2, 0.1


@dataclass
class MixedSite:
    """The pages by path, without the hubs; ``url`` is the start URL of a crawl."""

    pages: dict[str, Page]
    hubs: dict[str, Page]
    requests: Counter[str] = field(default_factory=Counter)

    @property
    def url(self) -> str:
        return self.hubs["/"].url

    @property
    def by_url(self) -> dict[str, Page]:
        """All pages and hubs by URL: the ground truth."""
        return {p.url: p for p in (*self.pages.values(), *self.hubs.values())}


@contextmanager
def serve_mixed(
    pages: int = 100, *, seed: int = 5, hosts: bool = False
) -> Iterator[MixedSite]:
    """Serve a mixed site on loopback.

    ``pages`` is their number without hubs; the kinds keep their shares. With ``hosts``,
    each template has a host of its own, 127.0.0.2 and so on, and the hubs 127.0.0.1.
    """
    site = make_site(pages, seed=seed)
    server = MixedServer(site.hubs | site.pages)
    site.requests = server.requests
    names = [each.name for each in TEMPLATES] if hosts else []
    addresses = [f"127.0.0.{k}" for k in range(1, len(names) + 2)]
    with listening(server, addresses) as origins:
        own = dict(zip(names, origins[1:], strict=True))
        for page in server.pages.values():
            page.origin = own.get(page.template.name, origins[0])
        yield site


def make_site(count: int = 100, *, seed: int = 5) -> MixedSite:
    """Make the pages; deterministic for a count and seed."""
    chosen = random.Random(seed)
    pages = [
        _page(template, number, chosen)
        for number, template in enumerate(_templates(count), start=seed * 10_000)
    ]
    chosen.shuffle(pages)
    return MixedSite({page.path: page for page in pages}, _hubs(_link(pages, chosen)))


def _templates(count: int) -> list[Template]:
    """*count* templates, in the shares of the kinds and the templates."""
    found: list[Template] = []
    for kind, share in KINDS.items():
        own = [each for each in TEMPLATES if each.kind is kind]
        wanted = round(count * share / 100)
        found += _apportioned(own, wanted)
    return found


def _apportioned(own: list[Template], wanted: int) -> list[Template]:
    """Take the template with the largest deficit until there are *wanted*."""
    total = sum(each.share for each in own)
    counts: Counter[str] = Counter()
    found: list[Template] = []
    for so_far in range(1, wanted + 1):
        best = max(own, key=lambda t: so_far * t.share / total - counts[t.name])
        counts[best.name] += 1
        found.append(best)
    return found


def _page(template: Template, number: int, chosen: random.Random) -> Page:
    (code,) = chosen.choices([*SHARES], [*SHARES.values()])
    writer = Writer(LANGUAGES[code], number)
    story = template.write(writer, chosen.randint(*template.words))
    path = f"/{template.section}/{chosen.choice(SLUGS)}-{number}"
    return Page(path, template, story, number, round(chosen.uniform(*DELAYS), 2))


def _link(pages: list[Page], chosen: random.Random) -> list[Page]:
    """Give every page its related pages; return those that hubs have to link to."""
    hidden = [page for page in pages if page.kind is not Kind.SHELL]
    hidden = hidden[: round(len(pages) * BEHIND_SHELLS)]
    others = [page for page in pages if page not in hidden]
    cut = round(len(pages) * BEHIND_STATIC)
    behind, shown = others[:cut], others[cut:]
    shells = [page for page in shown if page.kind is Kind.SHELL]
    plain = [page for page in shown if _has_links(page)]
    for group, holders in ((hidden, shells), (behind, plain)):
        for k, page in enumerate(group):
            holders[k % len(holders)].related.append(page)
    for page in pages:
        wanted = RELATED - len(page.related)
        page.related += chosen.sample(shown, max(1, wanted))
    return shown


def _has_links(page: Page) -> bool:
    """Whether the links of the page are in its markup."""
    empty = page.template.name in ("hydrated", "stateful")
    return page.kind is not Kind.SHELL and not empty


def _hubs(shown: list[Page]) -> dict[str, Page]:
    """Hubs: pages of links to a few pages each, and to each other."""
    language = LANGUAGES["en"]
    groups = [shown[k : k + HUB_LINKS] for k in range(0, len(shown), HUB_LINKS)]
    hubs = []
    for number, group in enumerate(groups):
        story = Story(language, Writer(language, number).short(), ())
        path = f"/overview/{number + 1}" if number else "/"
        hubs.append(Page(path, HUB, story, number, 0.0, list(group)))
    for hub in hubs:
        hub.related += [other for other in hubs if other is not hub]
    return {hub.path: hub for hub in hubs}


def _hub(page: Page) -> str:
    items = "".join(
        f'<li class="entry"><a href="{link["href"]}">{link["text"]}</a> '
        f'<span class="date">{1 + k % 28}.10.2026</span></li>'
        for k, link in enumerate(page.links)
    )
    body = (
        f'{header(page)}<main><h1>{page.title}</h1><ul class="entries">{items}</ul>'
        f"</main>{footer(page)}{cookies(page)}"
    )
    return document(page, body, metrics(page))


HUB = Template("hub", Kind.HUB, "overview", 1, (0, 0), _hub)
