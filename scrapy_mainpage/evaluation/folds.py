"""Cross-validation folds that keep the pages of a site together."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def site_folds(sites: Sequence[str], folds: int, seed: int = 0) -> list[int]:
    """The fold (0 to *folds* - 1) of each page, given the pages' sites.

    All pages of a site are in one fold; sites are dealt out in an order that depends on
    *seed* alone. Raises ``ValueError`` if there are fewer sites than folds.
    """
    distinct = sorted(set(sites))
    if len(distinct) < folds:
        raise ValueError(f"{len(distinct)} sites are too few for {folds} folds")
    random.Random(seed).shuffle(distinct)
    fold_of = {site: k % folds for k, site in enumerate(distinct)}
    return [fold_of[site] for site in sites]
