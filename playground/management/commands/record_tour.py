"""`manage.py record_tour`: the run that the tour plays, recorded anew with the demo model on the sample.

It starts a run in the state folder that it is given: `make tour` gives it one of its own.
"""

import asyncio
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command

from catalog.management.prepared import PreparedCommand
from catalog.models import Catalog
from catalog.samples import load_sample
from catalog.sign_in_links import owner
from playground.agent.demo_provider import litellm_with_demo
from playground.exports.run_json import run_document
from playground.models import ChatModel, Run
from playground.models.chat_model import SCRIPTED
from playground.runs.executing import begin, ended
from playground.showcase.tour import RECORDING, script


class Command(PreparedCommand):
    help = "Record the run that the tour plays, in a state folder made for that, and write it out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, default=RECORDING, help="the file that is written")

    def handle(self, *args: object, to: Path, **options: Any) -> None:
        call_command("migrate", verbosity=0, interactive=False)
        load_sample()
        litellm_with_demo()
        told, (person, _) = script(), owner()
        catalog, model = Catalog.objects.get(slug=told.catalog), ChatModel.objects.get(name=SCRIPTED)

        async def record() -> Run:
            run = await begin(catalog, model, told.task, person)
            await ended(run.pk)
            return run

        document = run_document(Run.objects.get(pk=asyncio.run(record()).pk))
        to.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        self.stdout.write(f"{len(document['events'])} events in {to}.")
