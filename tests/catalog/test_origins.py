"""Where an act came from goes along to the threads that carry it out, and to no other work of theirs."""

from catalog import background
from catalog.origins import ITSELF, Origin, carried, coming_from, current_origin
from playground.runs.database import write

PAGE = Origin(way="page", request="a" * 32)


def test_work_in_the_background_comes_from_where_it_was_asked_for() -> None:
    found: list[Origin] = []
    with coming_from(PAGE):
        background.submit(lambda: found.append(current_origin())).result(10)
    background.submit(lambda: found.append(current_origin())).result(10)
    assert found == [PAGE, ITSELF]


async def test_the_run_writer_knows_whence_each_piece_of_work_came() -> None:
    with coming_from(PAGE):
        assert await write(current_origin) == PAGE
    assert await write(current_origin) == ITSELF


def test_nothing_is_left_of_it_when_the_work_fails() -> None:
    def fail() -> None:
        raise KeyError

    with coming_from(PAGE):
        work = carried(fail)
    try:
        work()
    except KeyError:
        assert current_origin() == ITSELF
