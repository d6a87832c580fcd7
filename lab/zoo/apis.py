"""A made-up library, drawn from the contents' sentences, for generators of references.

Classes inherit from one another and use each other's names, as real ones do; every
member has a description, some have none. The same *seed* gives the same library.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from lxml import html as lxml_html

from .content import half_of, load_contents, to_html

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from .content import Content

NOUNS: Final = (
    "Chart Layer Feature Tile Cursor Projection Index Writer Reader Style Marker Route "
    "Graph Cache Session Filter Palette Region Sheet Journal"
).split()
VERBS: Final = (
    "open close add remove find draw measure merge split count load save move clip "
    "project sort reset lock copy export"
).split()
PARTS: Final = (
    "name width height path bounds scale color limit offset zoom timeout locale "
    "visible depth order title"
).split()
TYPES: Final = ("text", "number", "integer", "flag", "list")
_SENTENCE: Final = re.compile(r"[A-Z][^.!?<>@*{}\\`\[\]|]{25,160}[.!?](?=\s|$)")


@dataclass(frozen=True)
class Value:
    """A parameter, a field or a result: *type* is of ``TYPES``, or a class."""

    name: str
    type: str
    text: str


@dataclass(frozen=True)
class Method:
    name: str
    text: str
    parameters: Sequence[Value]
    returns: Value | None
    raises: str
    is_static: bool
    is_deprecated: bool


@dataclass(frozen=True)
class Class:
    name: str
    texts: Sequence[str]
    parent: str
    fields: Sequence[Value]
    methods: Sequence[Method] = field(default_factory=tuple)


def make_library(half: str, seed: int, classes: int = 14) -> list[Class]:
    """So many classes, described by sentences of a *half*'s English contents."""
    chance = random.Random(seed)
    texts = [
        sentence
        for content in load_contents()
        if content.language == "en" and content.body and half_of(content) == half
        for sentence in _SENTENCE.findall(_text(content))
    ]
    names = chance.sample(NOUNS, classes)
    made: list[Class] = []
    for name in names:
        parent = chance.choice([*(other.name for other in made), "", ""])
        others = [*names, *TYPES, *TYPES]
        made.append(
            Class(
                name,
                chance.sample(texts, chance.choice((1, 1, 2, 4))),
                parent,
                [
                    _value(part, chance, texts, others)
                    for part in chance.sample(PARTS, chance.randrange(6))
                ],
                [
                    _method(verb + chance.choice(NOUNS), chance, texts, others)
                    for verb in chance.sample(VERBS, chance.choice((1, 3, 6, 11)))
                ],
            )
        )
    return made


def _text(content: Content) -> str:
    tree = lxml_html.fromstring(f"<div>{to_html(content.body)}</div>")
    return " ".join(tree.itertext())


def _value(
    name: str, chance: random.Random, texts: Sequence[str], types: Sequence[str]
) -> Value:
    text = chance.choice(texts) if chance.random() < 0.8 else ""
    return Value(name, chance.choice(types), text)


def _method(
    name: str, chance: random.Random, texts: Sequence[str], types: Sequence[str]
) -> Method:
    parts = chance.sample(PARTS, chance.choice((0, 1, 1, 2, 4)))
    return Method(
        name,
        " ".join(chance.sample(texts, chance.choice((0, 1, 1, 2)))),
        [_value(part, chance, texts, types) for part in parts],
        _value("", chance, texts, types) if chance.random() < 0.7 else None,
        chance.choice(texts) if chance.random() < 0.3 else "",
        is_static=chance.random() < 0.15,
        is_deprecated=chance.random() < 0.1,
    )


@dataclass(frozen=True)
class Language:
    """How a language of the family of C and Java writes the parts of a class."""

    types: Mapping[str, str]
    field: str
    method: str
    parameter: str
    export: str
    body: str

    def type(self, value: Value | None) -> str:
        """The name of a value's type."""
        return self.types.get(value.type, value.type) if value else "void"


def source_of(made: Class, language: Language) -> str:
    """The source of a class, with comments as Javadoc and TypeDoc read them."""
    parent = f" extends {made.parent}" if made.parent else ""
    lines = ["/**", *map(" * {}".format, made.texts), " */"]
    lines.append(f"{language.export}class {made.name}{parent} {{")
    for value in made.fields:
        lines += [f"    /** {value.text} */"] if value.text else []
        kind = language.type(value)
        lines.append("    " + language.field.format(type=kind, name=value.name))
    for method in made.methods:
        lines += (f"    {line}" for line in _method_source(method, language))
    return "\n".join([*lines, "}"])


def _method_source(method: Method, language: Language) -> list[str]:
    tags = [f"@param {value.name} {value.text}" for value in method.parameters]
    tags += [f"@return {method.returns.text}"] if method.returns else []
    tags += [f"@throws IllegalStateException {method.raises}"] if method.raises else []
    tags += ["@deprecated Not in use."] if method.is_deprecated else []
    parameters = ", ".join(
        language.parameter.format(type=language.type(value), name=value.name)
        for value in method.parameters
    )
    head = language.method.format(
        static="static " if method.is_static else "",
        type=language.type(method.returns),
        name=method.name,
        parameters=parameters,
        body=language.body,
    )
    return ["/**", *(f" * {line}" for line in (method.text, *tags)), " */", head]
