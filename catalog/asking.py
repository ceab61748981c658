"""A search of a catalog as someone asked it, by a page or from outside, and the ranking of any engine for it."""

from collections import Counter
from dataclasses import dataclass

from django.http import QueryDict

from catalog.exposure import Exposure
from catalog.forms.searching import SearchForm
from catalog.indexing import exposure_of, ranking_of
from catalog.models import Catalog
from catalog.search.choosing import ChosenEngine
from catalog.search.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Search:
    """`why` is the name of the tool whose explanation is asked for."""

    catalog: Catalog
    exposure: Exposure
    form: SearchForm
    why: str

    def ranking(self, engine: ChosenEngine) -> Ranking:
        return ranking_of(self.catalog, engine, self.form.query, self.form.top_k, self.form.servers)


def read_search(catalog: Catalog, address: QueryDict) -> Search:
    exposure = exposure_of(catalog)
    form = SearchForm(address, catalog, servers=Counter(tool.server for tool in exposure.pool.searchable))
    return Search(catalog, exposure, form, address.get("why", ""))
