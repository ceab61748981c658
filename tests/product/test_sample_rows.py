"""What the tests put back is the sample as it is loaded."""

from collections.abc import Callable

import pytest

from catalog.catalog_yaml.documents import document_of
from catalog.generations import undone
from catalog.models import Catalog, Tool
from catalog.samples import load_sample
from tests.sample_rows import counts, put_sample


def told() -> tuple[object, ...]:
    documents = [document_of(catalog) for catalog in Catalog.objects.order_by("pk")]
    return counts(), documents, [tool.to_spec() for tool in Tool.objects.order_by("pk")]


@pytest.mark.django_db
def test_what_is_put_back_is_what_is_loaded() -> None:
    def after(work: Callable[[], object]) -> tuple[object, ...]:
        with undone():
            work()
            return told()

    loaded = after(load_sample)
    after(put_sample)
    assert after(put_sample) == loaded
