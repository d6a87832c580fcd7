"""What a page keeps for later: its document, its labels, and what is made from them.

A :class:`Content` is plain data (arrays and bytes). Everything here is made when it is
first asked for; the text alone is made at once, by the extractor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..page import Block, Label
from .roles import LABELS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from ..page import Link, Media, Metadata
    from .document import Document


@dataclass(frozen=True, eq=False)
class Content:
    """A document with the verdict on each of its text blocks.

    ``main`` is the mask of main content, ``scores`` the algorithm's scores, ``labels``
    the blocks' labels as places in :data:`~scrapy_mainpage.extraction.roles.LABELS`.
    """

    document: Document
    url: str | None
    scores: npt.NDArray[np.float32]
    main: npt.NDArray[np.bool_]
    labels: npt.NDArray[np.uint8]

    def label(self, block: int) -> Label:
        """The label of *block*; ``Label.OTHER`` for -1, outside of all blocks."""
        return LABELS[self.labels[block]] if block >= 0 else Label.OTHER

    def blocks(self) -> tuple[Block, ...]:
        """Every text block, in document order."""
        document = self.document
        density = document.link_density()
        return tuple(
            Block(
                index=i,
                text=document.block_text(i),
                label=self.label(i),
                score=round(float(self.scores[i]), 4),
                xpath=document.xpath(element),
                tag=document.tag_name(element),
                words=int(document.blocks.words[i]),
                link_density=round(float(density[i]), 4),
            )
            for i, element in enumerate(document.blocks.element.tolist())
        )

    def markdown(self) -> str:
        """The main content as Markdown."""
        from .writers.markdown import write_markdown

        return write_markdown(self)

    def html(self) -> str:
        """The main content as sanitised HTML."""
        from .writers.html import write_html

        return write_html(self)

    def links(self) -> tuple[Link, ...]:
        """All links of the page."""
        from .writers.resources import find_links

        return find_links(self)

    def media(self) -> tuple[Media, ...]:
        """Images, video, audio and embeds of the main content."""
        from .writers.resources import find_media

        return find_media(self)

    def metadata(self) -> Metadata:
        """What the page says of itself."""
        from .metadata import read_metadata

        return read_metadata(self.document, self.url)
