"""The learned default: its forest, and the set of blocks it takes."""

from __future__ import annotations

import io
import math
import pickle
from dataclasses import replace
from pathlib import Path
from statistics import mean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_mainpage.extraction.algorithms.algorithm import Selection
from scrapy_mainpage.extraction.learned.features import (
    SLOTS,
)
from scrapy_mainpage.extraction.learned.learned import (
    BETA,
    MARKUP,
    Forest,
    Learned,
)
from tests.extraction.helpers import document_of

Table = list[tuple[float, int]]

# Hundredths and whole numbers: differences are either none or no rounding error.
hundredths = st.integers(0, 100).map(lambda k: k / 100)
blocks = st.lists(st.tuples(hundredths, st.integers(0, 30)), max_size=8)


def single(table: Table) -> Table:
    """The *table* with probabilities in single precision, as blocks have them."""
    return [(float(np.float32(p)), n) for p, n in table]


def best_set(table: Table, favor: str = "balanced") -> tuple[list[bool], float]:
    """The choice among blocks of these probabilities and words, and its expected F1."""
    document = document_of("".join(f"<p>{'w ' * n or '*'}" for _, n in table) or "<p>")
    scores = np.array([p for p, _ in table], np.float32)
    algorithm = Learned(favor=favor, least_words=0)
    selection = algorithm.judge_scores(document, scores)
    assert selection.confidence is not None
    return selection.main.tolist(), selection.confidence


# The spread of a page's log odds, and their steepness: the documented constants.
SHIFTS = [1.5 * z for z in (-1.6, -1.0, -0.5, 0.0, 0.5, 1.0, 1.6)]
STEEPNESS = 1.2


def shifted(p: float, shift: float) -> float:
    """The probability *p* on a page with more, or less, main content than it seems."""
    if p <= 0:
        return 0.0
    odds = math.log(p / max(1 - p, 1e-9))
    return 1 / (1 + math.exp(-(STEEPNESS * odds + shift)))


def expected_f(table: Table, chosen: list[bool], beta: float) -> float:
    """The mean, over the shifts, of the ratio of the words expected right to those
    taken and those wanted.
    """
    ratios = []
    for shift in SHIFTS:
        right = wanted = taken = 0.0
        for (p, n), c in zip(table, chosen, strict=True):
            likely = shifted(p, shift) * n
            wanted += likely
            right += likely * c
            taken += n * c
        divisor = taken + beta * beta * wanted
        ratios.append((1 + beta * beta) * right / divisor if divisor else 0.0)
    return mean(ratios)


def prefixes(table: Table) -> list[list[bool]]:
    """Every number of the likeliest blocks, none included, as a choice of blocks."""
    order = sorted(range(len(table)), key=lambda k: -table[k][0])
    return [
        [k in order[:size] for k in range(len(table))] for size in range(len(table) + 1)
    ]


class TestBestSet:
    @given(blocks, st.sampled_from(sorted(BETA)))
    def test_no_other_number_of_the_likeliest_blocks_is_expected_to_be_better(
        self, table: Table, favor: str
    ) -> None:
        taken, f1 = best_set(table, favor)
        table, beta = single(table), BETA[favor]
        best = max(expected_f(table, prefix, beta) for prefix in prefixes(table))
        assert taken in prefixes(table)
        assert expected_f(table, taken, beta) == pytest.approx(best)
        assert f1 == pytest.approx(expected_f(table, taken, 1))
        assert 0 <= f1 <= 1

    @given(blocks)
    def test_favouring_precision_takes_some_of_what_favouring_recall_takes(
        self, table: Table
    ) -> None:
        few, some, many = (
            set(np.flatnonzero(best_set(table, favor)[0])) for favor in BETA
        )
        assert few <= some <= many

    @pytest.mark.parametrize("words", [(5, 7), (0, 0)])
    def test_nothing_is_taken_where_nothing_is_expected(
        self, words: tuple[int, int]
    ) -> None:
        chosen, f1 = best_set([(0.0, n) for n in words])
        assert chosen == [False, False]
        assert f1 == 0


NAMES = ("words", "link_density", "heading")
# x0 <= 5.5 ? (x1 <= 0.5 ? -1 : -3) : 2, and a single leaf.
SMALL = Forest(
    names=NAMES,
    feature=np.array([0, 1, 0, 0, 0, 0], np.int16),
    threshold=np.array([5.5, 0.5, 0, 0, 0, 0], np.float32),
    left=np.array([1, 3, -1, -1, -1, -1], np.int32),
    value=np.array([0, 0, 2, -1, -3, 0.25], np.float32),
    roots=np.array([0, 5], np.int32),
    slope=2.0,
    offset=-0.5,
)


def chance(total: float) -> float:
    return 1 / (1 + math.exp(-(2 * total - 0.5)))


# The same trees over words, links and the markup, with weights for slots 7 and 9.
MARKED = replace(
    SMALL,
    names=("words", "link_density", MARKUP),
    slots=np.array([7, 9], np.int32),
    slot_weights=np.array([0.5, -2.25], np.float32),
)


def assert_same(one: Forest, other: Forest) -> None:
    for name in Forest.__dataclass_fields__:
        a, b = getattr(one, name), getattr(other, name)
        assert np.array_equal(a, b)
        assert type(a) is type(b)
        assert getattr(a, "dtype", None) == getattr(b, "dtype", None)


def saved(forest: Forest, folder: Path) -> Path:
    forest.save(folder / "forest.npz")
    return folder / "forest.npz"


def damaged(**arrays: object) -> bytes:
    """The file of a forest in which some arrays are others, or, for None, missing."""
    file = io.BytesIO()
    MARKED.save(file)
    file.seek(0)
    with np.load(file) as data:
        kept = {name: data[name] for name in data.files} | arrays
    file = io.BytesIO()
    np.savez(file, **{k: v for k, v in kept.items() if v is not None})
    return file.getvalue()


class TestForest:
    def test_log_odds_are_calibrated(self) -> None:
        rows = np.array([[6, 0, 0], [5.5, 0.5, 0], [1, 0.75, 9]], np.float32)
        assert SMALL.log_odds(rows) == pytest.approx([4, -2, -6])

    def test_it_is_saved_and_read_as_it_is(self, tmp_path: Path) -> None:
        for forest in (SMALL, MARKED):
            with saved(forest, tmp_path).open("rb") as file:
                assert_same(Forest.load(file), forest)

    def test_weights_of_slots_are_kept_as_128th_parts(self, tmp_path: Path) -> None:
        exact = np.array([0.1, 1 / 3], np.float32)
        with saved(replace(MARKED, slot_weights=exact), tmp_path).open("rb") as file:
            found = Forest.load(file).slot_weights
        assert found.dtype == np.float32
        assert found.tolist() == [13 / 128, 43 / 128]

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"no model",
            b"PK\x03\x04 no archive",
            pickle.dumps([1]),
            damaged(value=None),
            damaged(calibration=np.zeros(3)),
            damaged(calibration=np.array([np.nan, 0])),
            damaged(names=np.zeros(())),
            damaged(value=np.zeros(5, np.float32)),
            damaged(value=np.full(6, np.nan, np.float32)),
            damaged(feature=np.zeros((6, 1), np.int16)),
            # Rows that read or jump outside of the arrays.
            damaged(feature=np.array([3, 0, 0, 0, 0, 0], np.int16)),
            damaged(feature=np.array([-1, 0, 0, 0, 0, 0], np.int16)),
            damaged(left=np.array([1, 5, -1, -1, -1, -1], np.int32)),
            damaged(roots=np.array([-1], np.int32)),
            # Weights without a valid slot, missing or of one byte; a missing column.
            damaged(slots=np.array([7, SLOTS], np.int32)),
            damaged(slots=np.array([-1, 7], np.int32)),
            damaged(slots=np.array([7], np.int32)),
            damaged(slot_weights=None),
            damaged(slot_weights=np.array([64, 0], np.uint8)),
            damaged(names=np.array([MARKUP, "words", "heading"])),
        ],
    )
    def test_what_is_no_forest_is_refused(self, data: bytes, tmp_path: Path) -> None:
        with pytest.raises(ValueError, match=r"^not a model of the learned algorithm"):
            Forest.load(io.BytesIO(data))
        path = tmp_path / "model.npz"
        path.write_bytes(data)
        with pytest.raises(ValueError, match=r"^model '.*': not a model of the"):
            Learned(model=str(path))


PAGE = (
    "<p>one two three four five six seven</p>"  # more than 5.5 words: 2
    "<p>one two</p>"  # -1
    "<p><a href=x>one two</a></p>"  # -3
    "<p id=two style='display:none'>one two three four five six</p>"  # 2, hidden
    "<p>one two three four five six</p>"  # 2
)


@pytest.fixture
def small(tmp_path: Path) -> str:
    """The path of a forest for which words count most."""
    return str(saved(SMALL, tmp_path))


class TestLearned:
    def test_scores_are_probabilities_and_half_of_them_for_hidden_blocks(
        self, small: str
    ) -> None:
        likely = chance(2.25)
        expected = [likely, chance(-0.75), chance(-2.75), likely / 2, likely]
        scores = Learned(model=small).score(document_of(PAGE))
        assert scores.dtype == np.float32
        assert scores.tolist() == pytest.approx(expected, rel=1e-6)

    @pytest.mark.parametrize(
        ("hidden", "share"),
        [("<p hidden>", 0), ("<div hidden><p id=a>", 0), ("<p class=a hidden>", 0.5)],
    )
    def test_what_no_control_can_open_is_no_content(
        self, small: str, hidden: str, share: float
    ) -> None:
        html = f"<p>one</p>{hidden}one two three four five six</p><p>one</p>"
        scores = Learned(model=small).score(document_of(html))
        assert scores[1] == pytest.approx(share * chance(2.25), rel=1e-6)

    def test_the_best_set_is_taken_with_what_is_expected_of_it(
        self, small: str
    ) -> None:
        verdict = Learned(model=small).judge(document_of(PAGE))
        assert isinstance(verdict, Selection)
        # The hidden block, at 0.491, is likelier than half of the F1 without it, 0.893.
        assert verdict.main.tolist() == [True, False, False, True, True]
        p, q, r = chance(2.25), chance(-0.75), chance(-2.75)
        table = [(p, 7), (q, 2), (r, 2), (p / 2, 6), (p, 6)]
        assert verdict.confidence == pytest.approx(
            expected_f(table, verdict.main.tolist(), 1), rel=1e-5
        )

    def test_favouring_moves_the_choice(self, small: str) -> None:
        document = document_of(PAGE)
        counts = [
            int(Learned(model=small, favor=favor).judge(document).main.sum())
            for favor in ("precision", "balanced", "recall")
        ]
        assert counts == [2, 3, 3]

    def test_with_fewer_words_expected_than_least_words_the_page_has_none(
        self, small: str
    ) -> None:
        document = document_of("<p>one two</p>" * 50)
        scores = Learned(model=small).score(document) / 2
        expected = float(2 * scores.sum())
        assert 5 < expected < 7

        def judge(least_words: float) -> Selection:
            return Learned(least_words=least_words).judge_scores(document, scores)

        under, over = judge(expected - 0.01), judge(expected + 0.01)
        assert under.main.sum() == 50
        assert over.main.sum() == 0
        assert over.scores.tolist() == under.scores.tolist()
        # The fewer words are expected, the surer the verdict of no main content.
        assert over.confidence == pytest.approx(0.01 / (expected + 0.01), rel=1e-3)
        surer = judge(4 * expected)
        assert surer.confidence == pytest.approx(0.75)

    @pytest.mark.parametrize("html", ["<html></html>", "<p></p>", "<img>"])
    def test_a_page_without_text(self, small: str, html: str) -> None:
        verdict = Learned(model=small).judge(document_of(html))
        assert verdict.scores.tolist() == verdict.main.tolist() == []
        assert verdict.confidence == 0

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"favor": "f1"}, "favor must be one of precision, balanced, recall"),
            ({"favor": ""}, "favor must be one of"),
            ({"least_words": -1}, "least_words must be a number, at least 0, not -1"),
            ({"least_words": float("nan")}, "least_words must be a number"),
            ({"least_words": True}, "least_words must be a number"),
            ({"least_words": "10"}, "least_words must be a number"),
            ({"least_words": None}, "least_words must be a number"),
            ({"model": 3}, "model must be the path of a file, not 3"),
            ({"model": "no/such.npz"}, "model 'no/such.npz': .*No such file"),
        ],
    )
    def test_bad_options_are_refused(
        self, options: dict[str, object], message: str
    ) -> None:
        with pytest.raises(ValueError, match=f"^{message}"):
            Learned(**options)

    def test_a_model_of_other_features_is_refused(self, tmp_path: Path) -> None:
        path = tmp_path / "model.npz"
        names = np.array(["heading", "smell", MARKUP])
        path.write_bytes(damaged(names=names))
        with pytest.raises(
            ValueError, match=r"^model '.*': features .* not known: smell$"
        ):
            Learned(model=str(path))
