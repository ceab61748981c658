"""Runs written out: as JSON that comes back exact, as OpenTelemetry spans, as Markdown to read."""
