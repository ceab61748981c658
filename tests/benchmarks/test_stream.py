"""The table of streams: real sockets of a real server, each told everything once, cut off or not."""

import pytest

from benchmarks.streaming.serving import Load
from benchmarks.streaming.table import report
from benchmarks.streaming.tokens import Told, WrongError

MORE = '<span hx-swap-oob="beforeend:#step-3-text">{}</span>'
WHOLE = '<li id="step-3" hx-swap-oob="true">{}</li>'


def test_every_watcher_is_told_every_text_however_often_it_is_cut_off() -> None:
    _, _, _, _, row = report([Load(runs=2, watchers=6, texts=40, pace=20, drops=(0.3, 0.6))])
    told, lost, cut_off, *_ = [cell.strip() for cell in row.strip("|").split("|")][4:]
    assert (told, lost) == ("240", "0")
    assert int(cut_off) > 6


@pytest.mark.parametrize(
    "frames",
    [
        (MORE.format("1@1.0; 2@1.0;"), MORE.format("2@1.0;")),
        (MORE.format("1@1.0;"), MORE.format("3@1.0;")),
        (MORE.format("1@1.0; 2@1.0;"), WHOLE.format("1@1.0; 3@1.0;")),
    ],
)
def test_what_is_told_twice_or_not_at_all_is_noticed(frames: tuple[str, ...]) -> None:
    told = Told()
    with pytest.raises(WrongError):
        for frame in frames:
            told.take(frame)


def test_what_is_told_in_order_is_taken_and_a_whole_step_takes_its_place() -> None:
    told = Told()
    for frame in (
        MORE.format("1@1.0;") + MORE.format("2@1.0;"),
        MORE.format("3@1.0;"),
        WHOLE.format("1@1.0; 2@1.0; 3@1.0; 4@1.0;"),
    ):
        told.take(frame)
    assert (told.last, len(told.delays)) == (4, 4)
