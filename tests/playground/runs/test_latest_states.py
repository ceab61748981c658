"""States that are kept for those who come back: the same as the record makes, whatever is known already."""

import pytest

from playground.models import Run
from playground.runs import latest_states
from playground.runs.database import read
from playground.runs.latest_states import LatestStates
from playground.runs.reading import state_at
from playground.runs.state import RunState
from tests.playground.runs.conftest import record
from tests.playground.runs.recordings import EVERY_KIND


@pytest.mark.parametrize("seqs", [(5, 3, 9, 9, 4, 99, 0, 12), (99, 1, 98, 7), (0, 99)])
async def test_a_state_is_what_the_record_makes_whatever_was_asked_before(run: Run, seqs: tuple[int, ...]) -> None:
    await record(run, EVERY_KIND)
    latest = LatestStates()
    for seq in seqs:
        assert await latest.at(run.pk, seq) == await read(state_at, run.pk, seq)


async def test_what_is_known_is_not_read_and_only_the_last_states_are_kept(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latest_states, "read", None)
    latest = LatestStates()
    for seq in range(1, latest_states.MOST_OF_A_RUN + 2):
        latest.keep(run.pk, RunState(seq=seq))
    assert (await latest.at(run.pk, 2)).seq == 2
    with pytest.raises(TypeError):
        await latest.at(run.pk, 1)
