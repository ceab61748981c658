"""What threads have loaded, kept in memory: visits renew, sweeps forget."""

from playground.modes.loaded_store import DEFAULT_THREAD, LoadedStore, StateStats
from tests.clock import Clock


def test_each_thread_has_its_own_names_in_the_order_loaded() -> None:
    store = LoadedStore()
    store.add("a", ["two", "one"])
    store.add("a", ["one", "three"])
    assert store.visit("a") == ("two", "one", "three")
    assert store.visit("b") == ()
    assert store.stats().threads == 2


def test_requests_without_a_thread_share_one() -> None:
    store = LoadedStore()
    store.add("", ["one"])
    assert store.visit(DEFAULT_THREAD) == ("one",)


def test_an_overdue_thread_goes_with_a_sweep_and_a_visit_before_renews_it() -> None:
    clock = Clock()
    store = LoadedStore(ttl=10.0, clock=clock)
    store.add("a", ["one"])
    clock.now = 15.0
    assert store.visit("a") == ("one",)
    clock.now = 20.0
    assert store.clean_up() == 0
    clock.now = 26.0
    assert store.clean_up() == 1
    assert store.stats() == StateStats(0, None)


def test_a_sweep_that_was_due_has_happened() -> None:
    """Every minute at this time to live; the thread is overdue at the second, and so gone before the visit."""
    clock = Clock()
    store = LoadedStore(ttl=50.0, clock=clock)
    clock.now = 20.0
    store.add("a", ["one"])
    clock.now = 119.0
    assert store.visit("a") == ("one",)
    clock.now = 241.0
    assert store.visit("a") == ()


def test_nothing_is_forgotten_without_a_time_to_live() -> None:
    clock = Clock()
    store = LoadedStore(ttl=0.0, clock=clock)
    store.add("a", ["one"])
    clock.now = 1e9
    assert store.clean_up() == 0
    assert store.visit("a") == ("one",)


def test_threads_are_cleared_one_by_one_or_all() -> None:
    store = LoadedStore()
    for thread in ("a", "b", DEFAULT_THREAD):
        store.add(thread, ["one"])
    store.clear()
    assert store.stats().threads == 2
    store.clear("a")
    assert store.visit("b") == ("one",)
    store.clear_all()
    assert store.stats() == StateStats(0, None)
