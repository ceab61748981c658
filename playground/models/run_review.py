"""What was read of a recorded run when it had ended: its searches and its findings. Made of its events, and made anew from them."""

from typing import TYPE_CHECKING

from django.db import models

from playground.models.run import Run


class RunReview(models.Model):
    """`rules` is the version of the rules, `judged` the state of the judgements (both as of the last look).

    `rests_on` changes with what counts of the judgements of its queries, and with nothing else.
    """

    run = models.OneToOneField(Run, models.CASCADE, primary_key=True, related_name="review")
    rules = models.PositiveSmallIntegerField()
    judged = models.CharField(max_length=200, blank=True)
    rests_on = models.CharField(max_length=32, blank=True)
    at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-at"]

    def __str__(self) -> str:
        return f"{self.run_id} {self.at:%Y-%m-%d %H:%M}"


class RunSearch(models.Model):
    """A search of a run. `words` is the same for queries of the same words (playground/reviewing/wording.py).

    `seq` is the event of its call, `answer` that of what it found; `returned` are the keys (`server/name`) that the model
    was given, in their order. `called` is the key of the tool that in the end was called for it, empty if none was;
    `found_by` is the `seq` of the search that had found that one, which may be a later one.
    """

    run = models.ForeignKey(Run, models.CASCADE, related_name="searches")
    seq = models.PositiveIntegerField()
    answer = models.PositiveIntegerField()
    at = models.DateTimeField()
    text = models.TextField()
    words = models.CharField(max_length=16)
    engine = models.CharField(max_length=100)
    returned = models.JSONField(default=list)
    called = models.CharField(max_length=250, blank=True)
    found_by = models.PositiveIntegerField(null=True, blank=True)

    if TYPE_CHECKING:
        findings: models.QuerySet["RunFinding"]

    class Meta:
        ordering = ["run", "seq"]
        verbose_name_plural = "run searches"
        indexes = [models.Index(fields=["words"]), models.Index(fields=["-at"])]
        constraints = [models.UniqueConstraint(fields=["run", "answer"], name="search_once_in_a_run")]

    def __str__(self) -> str:
        return self.text[:80]


class RunFinding(models.Model):
    """What a rule says of a run: `rule` is a slug of `playground.reviewing.rules.RULES`, the rest as in `reviewing/finding.py`.

    `subject` is what findings of the rule are told together by: the words of a query, or the name of a tool.
    """

    class Source(models.TextChoices):
        JUDGED = "judged", "Judged"
        EXPECTED = "expected", "Expected by the task"
        INFERRED = "inferred", "Inferred"

    run = models.ForeignKey(Run, models.CASCADE, related_name="findings")
    search = models.ForeignKey(RunSearch, models.CASCADE, null=True, blank=True, related_name="findings")
    rule = models.CharField(max_length=40)
    subject = models.CharField(max_length=200)
    seq = models.PositiveIntegerField()
    sentence = models.TextField()
    tools = models.JSONField(default=list)
    right = models.JSONField(default=list)
    source = models.CharField(max_length=10, choices=Source.choices, blank=True)
    how = models.TextField(blank=True)
    rank = models.PositiveIntegerField(null=True, blank=True)
    gap = models.FloatField(null=True, blank=True)
    tokens = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ["run", "seq", "id"]
        indexes = [models.Index(fields=["rule", "subject"])]

    def __str__(self) -> str:
        return f"{self.rule}: {self.sentence[:60]}"
