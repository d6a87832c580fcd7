"""Models that embed texts: the shipped ones by name, others by ``module:factory``.

A factory takes the options and returns a function from a list of texts to as many
vectors. Libraries are imported where they are used, and nothing is downloaded.
"""

from __future__ import annotations

import json
import os
import re
from functools import lru_cache
from http.client import HTTPException
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    Function = Callable[[list[str]], Any]
    Vectors = NDArray[np.float32]

#: Texts of one call of a model.
BATCH: Final = 128
#: Characters of a text: models read less.
MAX_CHARS: Final = 20_000

_MAX_ANSWER_BYTES: Final = 64 * 2**20
_PREFIXES: Final = ("query_prefix", "passage_prefix")
#: Options that are not in the name of a model: secrets, and what changes no vector.
_UNNAMED: Final = re.compile("key|token|secret|password|^url$|^timeout$", re.IGNORECASE)
_KEY_VARIABLE: Final = "MAINPAGE_EMBEDDER_KEY"


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


def make_embedder(name: str, options: Mapping[str, Any] | None = None) -> Embedder:
    """Return a shipped model by its name, or that of a ``module:factory``.

    Of several calls with the same arguments the first loads the model. Raises
    :exc:`EmbedderError` for a model that is unknown, not installed, or fails.
    """
    return _load(name, json.dumps(options or {}, sort_keys=True, default=str))


def embedder_of(settings: Any) -> Embedder | None:
    """Return the model of the plugin's settings; ``None`` without one."""
    if not settings.embedder:
        return None
    return make_embedder(settings.embedder, settings.embedder_options)


@lru_cache(maxsize=8)
def _load(name: str, packed: str) -> Embedder:
    options: dict[str, Any] = json.loads(packed)
    prefixes: dict[str, str] = {k: options.pop(k) for k in _PREFIXES if k in options}
    shown = {k: v for k, v in {**options, **prefixes}.items() if not _UNNAMED.search(k)}
    if "path" in shown:  # may be another one on another machine
        shown["path"] = Path(str(shown["path"])).name
    try:
        function = _factory(name)(**options)
        return Embedder(f"{name} {json.dumps(shown)}", function, **prefixes)
    # The boundary to models.
    except Exception as exc:
        raise _error(exc) from exc


def _error(exc: Exception) -> EmbedderError:
    if isinstance(exc, EmbedderError):
        return exc
    if isinstance(exc, ModuleNotFoundError):
        return EmbedderError(f"{exc.name} is not installed")
    return EmbedderError(f"{type(exc).__name__}: {exc}")


def _factory(name: str) -> Callable[..., Function]:
    if name in SHIPPED:
        return SHIPPED[name]
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        allowed = ", ".join((*SHIPPED, "module:factory"))
        raise EmbedderError(f"no such model; allowed: {allowed}")
    factory: Callable[..., Function] = getattr(import_module(module), attribute)
    return factory


def _folder(path: str) -> str:
    """Check that a model is here: libraries would download what they do not find."""
    if not Path(path).exists():
        raise EmbedderError(f"there is no {path}")
    return str(path)


def _wordllama(dim: int = 256) -> Function:
    import wordllama

    # The wheel has the weights of 256 values, and its tokenizer in this folder.
    home = Path(wordllama.__file__).parent
    short = None if dim == 256 else dim
    model = wordllama.WordLlama.load(
        cache_dir=home, trunc_dim=short, disable_download=True
    )
    return lambda texts: model.embed(texts)


def _model2vec(path: str) -> Function:
    from model2vec import StaticModel

    model = StaticModel.from_pretrained(_folder(path))
    return lambda texts: model.encode(texts)


def _fastembed(path: str, model: str = "BAAI/bge-small-en-v1.5") -> Function:
    from fastembed import TextEmbedding

    made = TextEmbedding(
        model, specific_model_path=_folder(path), local_files_only=True
    )
    return lambda texts: list(made.embed(texts))


def _sentence_transformers(path: str, **options: Any) -> Function:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(_folder(path), local_files_only=True, **options)
    return lambda texts: model.encode(texts, show_progress_bar=False)


def _openai(
    url: str, model: str, api_key: str = "", timeout: float = 60, **more: Any
) -> Function:
    """An endpoint such as ``http://localhost:11434/v1/embeddings``."""
    if not url.startswith(("http://", "https://")):
        raise EmbedderError("url: an address with http:// or https://")
    headers = {"Content-Type": "application/json"}
    if key := api_key or os.environ.get(_KEY_VARIABLE):
        headers["Authorization"] = f"Bearer {key}"

    def embed(texts: list[str]) -> list[Any]:
        body = json.dumps({"model": model, "input": texts, **more}).encode()
        try:
            with urlopen(Request(url, body, headers), timeout=timeout) as answer:
                data = json.loads(answer.read(_MAX_ANSWER_BYTES))["data"]
            rows = sorted(data, key=lambda row: row["index"])
            return [row["embedding"] for row in rows]
        except HTTPError as exc:
            exc.close()  # an answer, too
            raise EmbedderError(f"{model}: {exc}") from exc
        except (OSError, HTTPException, ValueError, KeyError, TypeError) as exc:
            raise EmbedderError(f"{model}: {type(exc).__name__} {exc}") from exc

    return embed


SHIPPED: Final[dict[str, Callable[..., Function]]] = {
    "wordllama": _wordllama,
    "model2vec": _model2vec,
    "fastembed": _fastembed,
    "sentence-transformers": _sentence_transformers,
    "openai": _openai,
}
