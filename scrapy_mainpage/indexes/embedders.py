"""Models that embed texts: the shipped one by name, others by ``module:factory``.

Libraries are imported where they are used, and nothing is downloaded.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Function = Callable[[list[str]], Any]
    Vectors = NDArray[np.float32]

#: Texts of one call of a model.
BATCH: Final = 32
#: Characters of a text: models read less.
MAX_CHARS: Final = 20_000


class EmbedderError(ValueError):
    """A model that is missing or fails; the message is one line."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split())[:500])


class Embedder:
    """Texts to vectors of length 1.

    ``name`` identifies the model: an index with vectors of another one is embedded
    again. The prefixes are put before texts, as some models want it. Raises
    :exc:`EmbedderError` if the model fails.
    """

    def __init__(
        self,
        name: str,
        function: Function,
        *,
        query_prefix: str = "",
        passage_prefix: str = "",
    ) -> None:
        self._function = function
        self._prefixes = query_prefix, passage_prefix
        #: The number of values of a vector.
        self.size = 0
        self.size = self._embed(["size"]).shape[1]
        self.name = f"{name} ({self.size} dimensions)"

    def query(self, text: str) -> Vectors:
        """Return the vector of a query."""
        vector: Vectors = self._embed([self._prefixes[0] + text])[0]
        return vector

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of passages, one a row."""
        return self._embed([self._prefixes[1] + text[:MAX_CHARS] for text in texts])

    def _embed(self, texts: list[str]) -> Vectors:
        import numpy as np

        try:
            made = np.asarray(self._function(texts), dtype=np.float32)
        # The boundary to models: no error of theirs may end a crawl.
        except Exception as exc:
            raise _error(exc) from exc
        shape = made.shape
        if made.ndim != 2 or shape != (len(texts), self.size or shape[1]):
            raise EmbedderError(f"{len(texts)} texts gave vectors of shape {shape}")
        lengths = np.linalg.norm(made, axis=1, keepdims=True)
        if not np.isfinite(lengths).all():
            raise EmbedderError("a vector has values that are no numbers")
        unit: Vectors = made / np.maximum(lengths, 1e-12)
        return unit


@lru_cache(maxsize=8)
def make_embedder(name: str) -> Embedder:
    """Return a shipped model, such as ``wordllama``, or that of a ``module:factory``.

    A shipped one may need its model behind a colon. A factory takes nothing and
    returns a function from a list of texts to as many vectors, or an
    :class:`Embedder`. Of several calls the first loads the model. Raises
    :exc:`EmbedderError` for a model that is unknown, not installed, or fails.
    """
    kind, _, model = name.partition(":")
    try:
        if kind in SHIPPED:
            return Embedder(name, SHIPPED[kind](*filter(None, [model])))
        if not (kind and model):
            allowed = ", ".join((*SHIPPED, "module:factory"))
            raise EmbedderError(f"no such model; allowed: {allowed}")
        made = getattr(import_module(kind), model)()
        return made if isinstance(made, Embedder) else Embedder(name, made)
    # The boundary to models.
    except Exception as exc:
        raise _error(exc) from exc


def embedder_of(settings: Any) -> Embedder | None:
    """Return the model of the plugin's settings; ``None`` without one."""
    return make_embedder(settings.embedder) if settings.embedder else None


def _error(exc: Exception) -> EmbedderError:
    if isinstance(exc, EmbedderError):
        return exc
    if isinstance(exc, ModuleNotFoundError):
        extra = ": pip install 'scrapy-mainpage[embedders]'" * (exc.name in SHIPPED)
        return EmbedderError(f"{exc.name} is not installed{extra}")
    wanted = "a factory takes nothing and returns a function of texts; "
    is_use = isinstance(exc, TypeError)
    return EmbedderError(f"{wanted * is_use}{type(exc).__name__}: {exc}")


def _wordllama(dimensions: str = "256") -> Function:
    import wordllama

    # The wheel has the weights of 256 values, and its tokenizer in this folder.
    home = Path(wordllama.__file__).parent
    short = None if dimensions == "256" else int(dimensions)
    model = wordllama.WordLlama.load(
        cache_dir=home, trunc_dim=short, disable_download=True
    )
    return lambda texts: model.embed(texts)


SHIPPED: Final[dict[str, Callable[..., Function]]] = {"wordllama": _wordllama}
