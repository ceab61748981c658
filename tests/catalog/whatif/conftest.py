"""The small catalog of the engines' tests."""

from collections.abc import Iterator

import pytest

from catalog.search.engine import Corpus
from tests.catalog.search.conftest import TOOLS, corpus_of


@pytest.fixture(scope="session")
def corpus() -> Iterator[Corpus]:
    with corpus_of(TOOLS) as made:
        yield made
