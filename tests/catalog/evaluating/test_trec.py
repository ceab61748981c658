"""What is exported as TREC files gives the same figures in a reference evaluator.

The figures are those of pytrec-eval-terrier 0.5.11 (trec_eval) for `ndcg_cut.10`, `recip_rank` and `recall.1,3,5,10`, asked with
the qrels and runs as they stand here. Of 300 suites and rankings made at random, none of its figures differed from ours.
"""

import pytest

from catalog.evaluating.formats import read_trec
from catalog.evaluating.metrics import measure
from catalog.evaluating.writing import qrels, run

CASES = [
    (
        "1 1 s/t22 2\n1 1 s/t13 1\n1 1 s/t5 1\n1 1 s/t7 1\n1 2 s/t26 1\n",
        "1 Q0 s/t15 1 5 x\n1 Q0 s/t7 2 4 x\n1 Q0 s/t27 3 3 x\n1 Q0 s/t21 4 2 x\n1 Q0 s/t1 5 1 x\n",
        (0.15979138559512832, 0.5, 0.0, 0.2, 0.2, 0.2),
    ),
    (
        "1 1 s/t17 2\n1 1 s/t20 2\n1 1 s/t3%20x 2\n1 1 s/t6 2\n1 1 s/t11 1\n1 1 s/t19 1\n",
        "1 Q0 s/t19 1 5 x\n1 Q0 s/t0 2 4 x\n1 Q0 s/t17 3 3 x\n1 Q0 s/t21 4 2 x\n1 Q0 s/t8 5 1 x\n",
        (0.34093199044118694, 1.0, 1 / 6, 1 / 3, 1 / 3, 1 / 3),
    ),
    (
        "1 1 s/t12 2\n1 1 s/t4 2\n1 1 s/t16 1\n1 2 s/t28 1\n",
        "1 Q0 s/t28 1 6 x\n1 Q0 s/t20 2 5 x\n1 Q0 s/t9 3 4 x\n1 Q0 s/t24 4 3 x\n1 Q0 s/t19 5 2 x\n1 Q0 s/t27 6 1 x\n",
        (0.2385191169365424, 1.0, 0.25, 0.25, 0.25, 0.25),
    ),
    (
        "1 1 s/t1 1\n1 1 s/t15 0\n1 2 s/t29 2\n1 2 s/t5 2\n1 2 s/t24 1\n",
        "1 Q0 s/t24 1 5 x\n1 Q0 s/t22 2 4 x\n1 Q0 s/t9 3 3 x\n1 Q0 s/t29 4 2 x\n1 Q0 s/t11 5 1 x\n",
        (0.4439683015704129, 1.0, 0.25, 0.25, 0.5, 0.5),
    ),
]
"""Qrels, a run, and what trec_eval says: nDCG@10, MRR, recall at 1, 3, 5 and 10."""
NAMES = ("nDCG@10", "MRR", "recall@1", "recall@3", "recall@5", "recall@10")


@pytest.mark.parametrize(("judged", "returned", "figures"), CASES)
def test_figures_are_those_of_trec_eval_for_the_same_files(
    judged: str, returned: str, figures: tuple[float, ...]
) -> None:
    (entry,) = read_trec("1\tq", judged)
    hits = [line.split()[2] for line in returned.splitlines()]
    assert sorted(qrels([entry]).splitlines()) == sorted(judged.splitlines())
    assert run([("1", hits)], "x") == returned
    assert entry.judged is not None
    found = measure(hits, entry.judged.groups, entry.judged.fine)
    assert [found[name] for name in NAMES] == pytest.approx(figures)
