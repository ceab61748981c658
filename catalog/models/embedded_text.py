"""Vectors of texts, kept so that no text is embedded twice."""

from django.db import models


class EmbeddedText(models.Model):
    """`vector` holds 32-bit floats, least byte first. A row that no corpus has asked for in a while may be deleted."""

    digest = models.CharField(max_length=64, primary_key=True)
    vector = models.BinaryField()
    asked_on = models.DateField(db_index=True)

    def __str__(self) -> str:
        return self.digest[:12]
