"""`python -m tests.product.threats.taking_out [--only T09 T11]`: ends with 1 if a defence can be taken out unnoticed."""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from catalog import spawn_minder
from tests.product.threats.taking_out.copies import copy_of, without
from tests.product.threats.taking_out.defence import Defence, misplaced
from tests.product.threats.taking_out.defences import DEFENCES
from tests.product.threats.taking_out.trying import run_tests, why_no_proof, why_not_whole

ROOT = Path(__file__).parents[4]
SECONDS = 240
"""For the tests of one defence."""
SECONDS_WHOLE = 1_200
"""For all of them, with every defence in place."""


def main(only: Sequence[str]) -> int:
    if strangers := sorted(set(only) - {defence.threat for defence in DEFENCES}):
        print(f"There is no defence against {', '.join(strangers)} in the table.")
        return 2
    defences = [defence for defence in DEFENCES if not only or defence.threat in only]
    if wrong := list(misplaced(defences, ROOT)):
        print("\n".join(["The table of defences has to be brought up to date:", *wrong]))
        return 2
    spawn_minder._adopt_orphans()
    with tempfile.TemporaryDirectory(prefix="pegboard-prove-") as folder:
        tree = copy_of(ROOT, Path(folder))
        whole = run_tests(tree, list(dict.fromkeys(test for one in defences for test in one.shown_by)), SECONDS_WHOLE)
        if problem := why_not_whole(whole):
            print(f"Nothing can be proved: a test does not pass {problem}")
            return 2
        print(f"With every defence in place {len(whole.tests)} tests pass. Without one:", flush=True)
        unproved = [defence for defence in defences if not prove(defence, tree)]
    print(
        f"{len(defences) - len(unproved)} of {len(defences)} defences are proved"
        f", against {len({defence.threat for defence in defences})} threats."
    )
    return 1 if unproved else 0


def prove(defence: Defence, tree: Path) -> bool:
    """Take it out, run its tests, and print the row."""
    with without(defence, tree):
        outcome = run_tests(tree, defence.shown_by, SECONDS)
    if sys.platform == "linux":
        spawn_minder._end_all(0)  # servers that nothing ended, without the defence
    problem = why_no_proof(defence, outcome)
    noticed = ", ".join(test.rpartition("::")[2] for test in outcome.failed)
    print(f"{defence.threat}  {defence.what}\n     in {', '.join(defence.files)}", flush=True)
    print(f"     NOT PROVED: {problem}" if problem else f"     failed: {noticed}", flush=True)
    return not problem


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="taking_out", description=__doc__)
    parser.add_argument("--only", nargs="*", default=[], metavar="T09", help="threats whose defences are taken out")
    sys.exit(main(parser.parse_args().only))
