"""The script: the rounds in their order.

Each round is a function that changes the site and crawls it; the first line of its
docstring is its name.
"""

from __future__ import annotations

from collections.abc import Callable

from . import accidents, changes, troubles
from .bench import Bench

Round = Callable[[Bench], None]

ROUNDS: tuple[Round, ...] = (
    changes.first_crawl, changes.nothing, changes.shell_edit, changes.text_edit,
    changes.pages_added, changes.not_found, changes.gone, changes.moved,
    changes.soft_not_found, changes.empty_pages, changes.noindex, changes.canonical,
    changes.copies, changes.nothing, changes.back_again,
    troubles.burst, troubles.broken, troubles.elsewhere, troubles.slow_hub,
    troubles.no_sitemap, troubles.no_robots, troubles.forbidden, troubles.no_start,
    troubles.down, troubles.login_wall, troubles.login_everywhere, troubles.for_long,
    accidents.killed, accidents.stopped, accidents.ended_early, accidents.part,
    changes.nothing, accidents.failed_bulk, changes.nothing, accidents.index_behind,
    accidents.clock_back, accidents.revisit, accidents.cached, changes.moved_section,
    changes.unreachable, changes.redesign, changes.sessions, changes.other_sessions,
    changes.no_sessions, accidents.other_settings, accidents.state_lost,
    accidents.mass_delete, accidents.applied, changes.back_again, changes.nothing,
)  # fmt: skip
