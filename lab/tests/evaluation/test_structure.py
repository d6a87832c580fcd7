"""What the measures of structure say of outputs that are good and bad by hand."""

from __future__ import annotations

import pytest

from lab.evaluation.element_truth import read_content
from lab.evaluation.structure import Structure, score_structure

TABLE = (
    "<table><tr><th>Fish<th>Depth<th>Note"
    "<tr><td>Cod<td>600<td>common<tr><td>Eel<td>900<td>rare and shy</table>"
)
TABLE_TEXT = "Fish Depth Note\nCod 600 common\nEel 900 rare and shy"
CODE = "<pre>for fish in sea:\n    catch(fish, 2)\n    eat(fish)</pre>"
CODE_TEXT = "for fish in sea:\n    catch(fish, 2)\n    eat(fish)"


def score(
    body: str, text: str, markdown: str | None = None, drop: str = ""
) -> Structure:
    html = f"<body><nav>Menu</nav><main>{body}</main></body>".encode()
    return score_structure(read_content(html, "//main", drop), text, markdown)


def counts(body: str, text: str, markdown: str | None = None) -> dict[str, int]:
    """The counts that are not 0."""
    found = score(body, text, markdown).counts
    return {name: count for name, count in found.items() if count}


def verdict(body: str, text: str) -> str:
    """The verdict on the only part of the page."""
    (name,) = (n for n in counts(body, text) if n.endswith(("whole", "torn", "gone")))
    return name


WORDS = " ".join(f"w{chr(97 + i)}" for i in range(20))
LONG = f"<ul><li>{WORDS}<li>two words</ul>"
AROUND = f"<p>Of fish, cod is common.</p>{TABLE}<p>Eel is rare.</p>"
NAMED = "<p>Call ls now.</p><pre>ls</pre><p>It lists files.</p>"
STEPS = "<ol><li>Plug it in<ul><li>firmly</ul><li>Wait</ol>"
SWAPPED = "\n".join(TABLE_TEXT.split("\n")[k] for k in (0, 2, 1))
NUMBERED = "\n".join(f"{i} {line}" for i, line in enumerate(CODE_TEXT.split("\n")))


@pytest.mark.parametrize(
    ("body", "text", "said"),
    [
        # All cells in their order.
        (TABLE, TABLE_TEXT, "tables_whole"),
        (TABLE, TABLE_TEXT.replace("\n", "\n\n|"), "tables_whole"),
        (TABLE, TABLE_TEXT.replace(" ", "\n"), "tables_whole"),
        (TABLE, TABLE_TEXT.split("\n", 1)[1], "tables_torn"),
        (TABLE, TABLE_TEXT.replace("rare and shy", "rare"), "tables_torn"),
        (TABLE, SWAPPED, "tables_torn"),
        # Gone, whatever words are around it.
        (AROUND, "Of fish, cod is common.\n\nEel is rare.", "tables_gone"),
        (AROUND, "", "tables_gone"),
        # Code with all of its characters; a sentence that names it is not it.
        (CODE, f"Look:\n{CODE_TEXT}\nGood.", "code_whole"),
        (CODE, CODE_TEXT.replace("    ", "\t"), "code_whole"),
        (CODE, CODE_TEXT.replace("catch(fish, 2)", ""), "code_torn"),
        (CODE, CODE_TEXT.replace("(fish, 2)", "[fish, 2]"), "code_torn"),
        (CODE, NUMBERED, "code_torn"),
        (CODE, "Something about the sea.", "code_gone"),
        (NAMED, "Call ls now.\nIt lists files.", "code_gone"),
        (NAMED, "Call ls now.\nls\nIt lists files.", "code_whole"),
        # A list counts once, with what is inside.
        (STEPS, "1. Plug it in\n- firmly\n2. Wait", "lists_whole"),
        (STEPS, "Plug it in\nWait", "lists_torn"),
        (STEPS, "Start", "lists_gone"),
        # Short items need every word and long ones most.
        (LONG, f"{WORDS}\ntwo words".replace("wc", ""), "lists_whole"),
        (LONG, f"{WORDS}\ntwo", "lists_torn"),
        (LONG, f"{WORDS[30:]}\ntwo words", "lists_torn"),
    ],
)
def test_parts_are_whole_torn_or_gone(body: str, text: str, said: str) -> None:
    assert verdict(body, text) == said


def test_a_heading_is_kept_on_a_line_of_its_own() -> None:
    body = "<h1>On Fish</h1><p>Fish swim.</p>"
    kept = {"headings": 1, "headings_kept": 1, "titles": 1, "titles_kept": 1}
    under = {"paragraphs": 1, "paragraphs_kept": 1}
    assert counts(body, "# On fish ¶\n\nFish swim.") == kept | under
    glued = counts(body, "On Fish Fish swim.")
    assert glued == {"headings": 1, "titles": 1, "paragraphs_orphaned": 1} | under


def test_text_whose_heading_is_gone_is_orphaned() -> None:
    body = "<h2>Cod</h2><p>It is big.</p><h2>Eel</h2><p>It is long.</p><ul><li>Shy</ul>"
    found = counts(body, "Cod\nIt is big.\nIt is long.\nShy")
    assert (found["headings"], found["headings_kept"]) == (2, 1)
    assert (found["paragraphs"], found["paragraphs_orphaned"]) == (3, 2)
    found = counts(body, "Cod\nIt is big.")
    assert "paragraphs_orphaned" not in found
    assert counts(body, "It is big.\nEel\nIt is long.")["paragraphs_orphaned"] == 1


MARKDOWN = """\
| Fish | Depth | Note |
| --- | --- | --- |
| *Cod* | [600](https://fish.example/600) | common |
| Eel | 900 | rare and `shy` |
"""


def misplaced(body: str, markdown: str) -> int:
    found = score(body, "", markdown).counts
    assert found["cells"]
    return found.get("cells_misplaced", 0)


def test_cells_stand_in_their_columns() -> None:
    assert counts(TABLE, TABLE_TEXT, MARKDOWN)["cells"] == 9
    assert "cells_misplaced" not in counts(TABLE, TABLE_TEXT, MARKDOWN)
    assert "cells" not in counts(TABLE, TABLE_TEXT)


def test_cells_in_another_column_are_misplaced() -> None:
    result = score(TABLE, TABLE_TEXT, MARKDOWN.replace("| Eel ", ""))
    assert (result.counts["cells"], result.counts["cells_misplaced"]) == (8, 2)
    assert result.faults == (
        "cell in column 1, not 2: 900",
        "cell in column 2, not 3: rare and shy",
    )
    empty = MARKDOWN.replace("| Eel ", "|  ")
    assert misplaced(TABLE, empty) == 0
